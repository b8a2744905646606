//! The session: which documents are open, and what each message of the client does.

use std::collections::BTreeMap;
use std::io::{self, Write};

use gen_lsp_types as lsp;
use lsp_server::{ErrorCode, Message, Notification, Request, RequestId, Response};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::answers::{self, EXPLAIN, Event};
use super::completion;
use super::document::{Open, path};
use super::options::Options;
use super::text::Text;
use super::wire::{self, Received};

/// What a request is answered with, or why it is not.
type Answer = Result<Value, (ErrorCode, String)>;

/// One client's session.
pub(super) struct Server<W> {
    output: W,
    state: State,
    options: Options,
    documents: BTreeMap<String, Open>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    New,
    Running,
    ShutDown,
}

impl<W: Write> Server<W> {
    pub(super) fn new(output: W) -> Server<W> {
        Server { output, state: State::New, options: Options::default(), documents: BTreeMap::new() }
    }

    /// Acts on what arrived; the exit code if that was the end.
    pub(super) fn receive(&mut self, received: Received) -> io::Result<Option<u8>> {
        match received {
            Received::Malformed(reason) => wire::refuse(&mut self.output, &reason)?,
            Received::Message(Message::Request(request)) => self.request(request)?,
            // Nothing is asked of the client that it has to answer.
            Received::Message(Message::Response(_)) => {}
            Received::Message(Message::Notification(one)) if one.method == "exit" => {
                return Ok(Some(u8::from(self.state != State::ShutDown)));
            }
            Received::Message(Message::Notification(one)) => self.notification(one)?,
        }
        Ok(None)
    }

    /// Sends the client the findings in documents that have changed.
    pub(super) fn publish(&mut self) -> io::Result<()> {
        let mut news = Vec::new();
        for (uri, open) in self.documents.iter_mut().filter(|(_, open)| open.is_news) {
            open.is_news = false;
            let uri = lsp::Uri(uri.clone());
            let diagnostics = answers::diagnostics(&uri, open, &self.options);
            news.push(lsp::PublishDiagnosticsParams { uri, version: Some(open.version), diagnostics });
        }
        for params in news {
            self.notify("textDocument/publishDiagnostics", params)?;
        }
        Ok(())
    }

    fn request(&mut self, request: Request) -> io::Result<()> {
        let Request { id, method, params } = request;
        let answer = match (method.as_str(), self.state) {
            ("initialize", State::New) => self.initialize(&params),
            (_, State::New) => Err((ErrorCode::ServerNotInitialized, "expected `initialize` first".to_owned())),
            (_, State::ShutDown) => Err((ErrorCode::InvalidRequest, "the server is shut down".to_owned())),
            ("shutdown", _) => {
                self.state = State::ShutDown;
                Ok(Value::Null)
            }
            ("textDocument/codeAction", _) => read(params).and_then(|params| self.actions(&params)),
            ("textDocument/hover", _) => read(params).and_then(|params| self.hover(&params)),
            ("textDocument/completion", _) => read(params).and_then(|params| self.complete(&params)),
            ("textDocument/codeLens", _) => read(params).and_then(|params| self.lenses(&params)),
            ("workspace/executeCommand", _) => match read(params).and_then(|params| self.execute(&params)) {
                Ok(text) => {
                    if self.options.shows_messages {
                        self.notify("window/showMessage", json!({"type": lsp::MessageType::Info, "message": text}))?;
                    }
                    Ok(json!(text))
                }
                Err(error) => Err(error),
            },
            _ => Err((ErrorCode::MethodNotFound, format!("unknown method `{method}`"))),
        };
        self.respond(id, answer)
    }

    fn initialize(&mut self, params: &Value) -> Answer {
        let (options, wrong) = Options::of(params);
        self.options = options;
        self.state = State::Running;
        for message in wrong {
            let params = json!({"type": lsp::MessageType::Warning, "message": format!("eventrie: {message}")});
            self.notify("window/showMessage", params).map_err(internal)?;
        }
        answer(lsp::InitializeResult {
            capabilities: capabilities(),
            server_info: Some(lsp::ServerInfo {
                name: "eventrie".to_owned(),
                version: Some(env!("CARGO_PKG_VERSION").to_owned()),
            }),
        })
    }

    fn notification(&mut self, notification: Notification) -> io::Result<()> {
        let Notification { method, params } = notification;
        let done = match (method.as_str(), self.state) {
            (_, State::New | State::ShutDown) => Ok(()),
            ("textDocument/didOpen", _) => read(params).map(|params| self.opened(params)),
            ("textDocument/didChange", _) => {
                ranges(&params).and_then(|()| read(params)).and_then(|params| self.changed(params))
            }
            ("textDocument/didClose", _) => match read(params) {
                Ok(params) => return self.closed(params),
                Err(error) => Err(error),
            },
            // What is not known needs no answer.
            _ => Ok(()),
        };
        match done {
            Ok(()) => Ok(()),
            Err((_, message)) => {
                let params = json!({"type": lsp::MessageType::Error, "message": format!("{method}: {message}")});
                self.notify("window/logMessage", params)
            }
        }
    }

    fn opened(&mut self, params: lsp::DidOpenTextDocumentParams) {
        let lsp::TextDocumentItem { uri, language_id, version, text } = params.text_document;
        let language = serde_json::to_value(&language_id).unwrap_or_default();
        let open = Open::new(&uri.0, language.as_str().unwrap_or(""), version, text);
        self.documents.insert(uri.0, open);
    }

    fn changed(&mut self, params: lsp::DidChangeTextDocumentParams) -> Result<(), (ErrorCode, String)> {
        let document = params.text_document;
        let uri = document.text_document_identifier.uri;
        let open = self.documents.get_mut(&uri.0).ok_or_else(|| not_open(&uri))?;
        for change in params.content_changes {
            match change {
                lsp::TextDocumentContentChangeEvent::TextDocumentContentChangeWholeDocument(whole) => {
                    open.change(document.version, whole.text);
                }
                lsp::TextDocumentContentChangeEvent::TextDocumentContentChangePartial(part) => {
                    let range = span(&open.text, part.range);
                    if let Some(text) = open.text.replaced(&range, &part.text) {
                        open.change(document.version, text);
                    }
                }
            }
        }
        Ok(())
    }

    fn closed(&mut self, params: lsp::DidCloseTextDocumentParams) -> io::Result<()> {
        let uri = params.text_document.uri;
        self.documents.remove(&uri.0);
        let params = lsp::PublishDiagnosticsParams { uri, version: None, diagnostics: Vec::new() };
        self.notify("textDocument/publishDiagnostics", params)
    }

    fn actions(&mut self, params: &lsp::CodeActionParams) -> Answer {
        let wanted =
            |kind: &lsp::CodeActionKind| matches!(kind, lsp::CodeActionKind::Empty | lsp::CodeActionKind::QuickFix);
        if params.context.only.as_ref().is_some_and(|only| !only.iter().any(wanted)) {
            return Ok(json!([]));
        }
        let uri = &params.text_document.uri;
        let open = self.documents.get_mut(&uri.0).ok_or_else(|| not_open(uri))?;
        answer(answers::actions(uri, open, params.range, &self.options))
    }

    fn hover(&mut self, params: &lsp::HoverParams) -> Answer {
        let at = &params.text_document_position_params;
        let open = self.documents.get_mut(&at.text_document.uri.0).ok_or_else(|| not_open(&at.text_document.uri))?;
        answer(answers::hover(open, at.position, &self.options))
    }

    fn complete(&mut self, params: &lsp::CompletionParams) -> Answer {
        let at = &params.text_document_position_params;
        let open = self.documents.get_mut(&at.text_document.uri.0).ok_or_else(|| not_open(&at.text_document.uri))?;
        let offset = open.text.offset(at.position);
        answer(completion::complete(open, offset, &self.options))
    }

    fn lenses(&mut self, params: &lsp::CodeLensParams) -> Answer {
        let uri = &params.text_document.uri;
        let event = self.event(&uri.0);
        let open = self.documents.get_mut(&uri.0).ok_or_else(|| not_open(uri))?;
        let lenses = event.map(|event| answers::lenses(&uri.0, open, &event, &self.options));
        answer(lenses.unwrap_or_default())
    }

    fn execute(&mut self, params: &lsp::ExecuteCommandParams) -> Result<String, (ErrorCode, String)> {
        let invalid = |message: &str| (ErrorCode::InvalidParams, message.to_owned());
        if params.command != EXPLAIN {
            return Err(invalid("the only command is `eventrie.explain`"));
        }
        let [uri, at] = params.arguments.as_deref().unwrap_or(&[]) else {
            return Err(invalid("expected the address of a document and the position of a pattern"));
        };
        let uri = uri.as_str().unwrap_or("").to_owned();
        let at = at.as_u64().and_then(|at| usize::try_from(at).ok()).unwrap_or(usize::MAX);
        let event = self.event(&uri).ok_or_else(|| invalid("there is no event to explain the pattern against"))?;
        let open = self.documents.get_mut(&uri).ok_or_else(|| not_open(&lsp::Uri(uri.clone())))?;
        let explanation = answers::explanation(open, at, &event, &self.options);
        explanation.ok_or_else(|| invalid("there is no valid pattern at this position"))
    }

    /// The event of a document: as it is in the editor, or else as it is on disk.
    fn event(&self, uri: &str) -> Option<Event> {
        let wanted = answers::event_path(uri, &self.options)?;
        let open = self.documents.iter().find(|(uri, _)| path(uri).as_ref() == Some(&wanted));
        match open {
            Some((_, open)) => {
                let name = wanted.rsplit(['/', '\\']).next().unwrap_or("").to_owned();
                Some(Event { name, text: open.text.as_str().as_bytes().to_vec() })
            }
            None => answers::event_of(&wanted),
        }
    }

    fn respond(&mut self, id: RequestId, answer: Answer) -> io::Result<()> {
        let response = match answer {
            Ok(value) => Response::new_ok(id, value),
            Err((code, message)) => Response::new_err(id, code as i32, message),
        };
        Message::from(response).write(&mut self.output)
    }

    fn notify(&mut self, method: &str, params: impl Serialize) -> io::Result<()> {
        let params = serde_json::to_value(params)?;
        Message::from(Notification { method: method.to_owned(), params }).write(&mut self.output)
    }
}

fn capabilities() -> lsp::ServerCapabilities {
    lsp::ServerCapabilities {
        position_encoding: Some(lsp::PositionEncodingKind::UTF16),
        text_document_sync: Some(lsp::TextDocumentSync::Options(lsp::TextDocumentSyncOptions {
            open_close: Some(true),
            change: Some(lsp::TextDocumentSyncKind::Incremental),
            ..lsp::TextDocumentSyncOptions::default()
        })),
        completion_provider: Some(lsp::CompletionOptions {
            trigger_characters: Some(["\"", "{", "["].map(str::to_owned).to_vec()),
            ..lsp::CompletionOptions::default()
        }),
        hover_provider: Some(lsp::HoverProvider::Bool(true)),
        code_action_provider: Some(lsp::CodeActionProvider::CodeActionOptions(lsp::CodeActionOptions {
            code_action_kinds: Some(vec![lsp::CodeActionKind::QuickFix]),
            ..lsp::CodeActionOptions::default()
        })),
        code_lens_provider: Some(lsp::CodeLensOptions::default()),
        execute_command_provider: Some(lsp::ExecuteCommandOptions {
            commands: vec![EXPLAIN.to_owned()],
            ..lsp::ExecuteCommandOptions::default()
        }),
        ..lsp::ServerCapabilities::default()
    }
}

/// The bytes of a range; its ends may have been given in the wrong order.
fn span(text: &Text, range: lsp::Range) -> std::ops::Range<usize> {
    let (start, end) = (text.offset(range.start), text.offset(range.end));
    start.min(end)..end.max(start)
}

fn read<T: DeserializeOwned>(params: Value) -> Result<T, (ErrorCode, String)> {
    serde_json::from_value(params).map_err(|error| (ErrorCode::InvalidParams, error.to_string()))
}

/// Rejects changes with an invalid range: the types would take their text for the whole document.
fn ranges(params: &Value) -> Result<(), (ErrorCode, String)> {
    let changes = params.get("contentChanges").and_then(Value::as_array).into_iter().flatten();
    for range in changes.filter_map(|change| change.get("range")).filter(|range| !range.is_null()) {
        read::<lsp::Range>(range.clone()).map_err(|(code, message)| (code, format!("range {range}: {message}")))?;
    }
    Ok(())
}

fn answer(value: impl Serialize) -> Answer {
    serde_json::to_value(value).map_err(internal)
}

fn internal(error: impl std::fmt::Display) -> (ErrorCode, String) {
    (ErrorCode::InternalError, error.to_string())
}

fn not_open(uri: &lsp::Uri) -> (ErrorCode, String) {
    (ErrorCode::InvalidParams, format!("the document {} is not open", uri.0))
}
