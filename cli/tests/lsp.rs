//! The language server from outside: a client speaks the protocol to the program. The dialog is a file in
//! `transcripts/`; `UPDATE_SNAPSHOTS=1` rewrites it.

use std::fmt::Write as _;
use std::io::{BufRead, Read, Write};
use std::path::{Path, PathBuf};

use crate::common::running::{Running, Said, Says};
use serde_json::{Value, json};

struct Client {
    program: Running,
    output: Said,
    transcript: String,
    requests: i32,
    /// Notifications that came while an answer was awaited.
    waiting: Vec<Value>,
}

impl Client {
    fn start() -> Client {
        let (program, output) = Running::start(&["lsp", "--stdio"], Path::new("."), Says::Output);
        Client { program, output, transcript: String::new(), requests: 0, waiting: Vec::new() }
    }

    fn initialized(options: Value) -> Client {
        let mut client = Client::start();
        let snippets = json!({"completion": {"completionItem": {"snippetSupport": true}}});
        let params = json!({"processId": null, "rootUri": null, "capabilities": {"textDocument": snippets}, "initializationOptions": options});
        client.request("initialize", params);
        client.notify("initialized", json!({}));
        client
    }

    fn raw(&mut self, bytes: &[u8]) {
        let input = self.program.input();
        input.write_all(bytes).unwrap();
        input.flush().unwrap();
    }

    fn send(&mut self, message: &Value) {
        writeln!(self.transcript, "--> {message:#}").unwrap();
        let body = message.to_string();
        self.raw(format!("Content-Length: {}\r\n\r\n{body}", body.len()).as_bytes());
    }

    fn read(&mut self) -> Option<Value> {
        let mut length = 0;
        loop {
            let mut line = String::new();
            if self.output.read_line(&mut line).unwrap() == 0 {
                return None;
            }
            match line.trim().split_once(": ") {
                Some((_, value)) => length = value.parse().unwrap(),
                None => break,
            }
        }
        let mut body = vec![0; length];
        self.output.read_exact(&mut body).unwrap();
        let mut message: Value = serde_json::from_slice(&body).unwrap();
        assert_eq!(message["jsonrpc"], "2.0");
        if let Some(version) = message.pointer_mut("/result/serverInfo/version") {
            *version = json!("…");
        }
        // A page is long, and the library's own tests read it.
        let mut shown = message.clone();
        if let Some(Value::String(page)) = shown.pointer_mut("/result/contents/value") {
            let cut: String = page.chars().take(160).collect();
            *page = format!("{cut}…");
        }
        writeln!(self.transcript, "<-- {shown:#}").unwrap();
        Some(message)
    }

    /// The result of a request, or its error.
    fn request(&mut self, method: &str, params: Value) -> Value {
        self.requests += 1;
        let id = self.requests;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        loop {
            let message = self.read().unwrap();
            if message["id"] == json!(id) {
                return message.get("result").or(message.get("error")).unwrap().clone();
            }
            self.waiting.push(message);
        }
    }

    fn notify(&mut self, method: &str, params: Value) {
        self.send(&json!({"jsonrpc": "2.0", "method": method, "params": params}));
    }

    /// The next message that is no answer.
    fn notification(&mut self) -> Value {
        if self.waiting.is_empty() { self.read().unwrap() } else { self.waiting.remove(0) }
    }

    /// The codes that are reported next, with their places.
    fn diagnostics(&mut self) -> Vec<(String, String)> {
        let message = self.notification();
        assert_eq!(message["method"], "textDocument/publishDiagnostics", "{message}");
        let all = message["params"]["diagnostics"].as_array().unwrap();
        let shown = |one: &Value| {
            let at = |end: &str| format!("{}:{}", one["range"][end]["line"], one["range"][end]["character"]);
            (one["code"].as_str().unwrap_or("").to_owned(), format!("{}-{}", at("start"), at("end")))
        };
        all.iter().map(shown).collect()
    }

    fn open(&mut self, uri: &str, language: &str, text: &str) -> Vec<(String, String)> {
        let document = json!({"uri": uri, "languageId": language, "version": 1, "text": text});
        self.notify("textDocument/didOpen", json!({"textDocument": document}));
        self.diagnostics()
    }

    /// The labels that are proposed at the `|` of a document.
    fn proposals(&mut self, uri: &str, language: &str, text: &str) -> Vec<Value> {
        let bar = text.find('|').unwrap();
        let before = &text[..bar];
        let line = before.matches('\n').count();
        let character = before.rsplit('\n').next().unwrap().encode_utf16().count();
        self.open(uri, language, &text.replacen('|', "", 1));
        let at = json!({"textDocument": {"uri": uri}, "position": {"line": line, "character": character}});
        self.request("textDocument/completion", at).as_array().unwrap().clone()
    }

    fn stop(mut self) -> (i32, String) {
        self.request("shutdown", Value::Null);
        self.notify("exit", Value::Null);
        assert!(self.read().is_none(), "nothing is said after `exit`");
        (self.program.wait(), self.transcript)
    }
}

fn labels(items: &[Value]) -> Vec<&str> {
    items.iter().map(|item| item["label"].as_str().unwrap()).collect()
}

fn item<'a>(items: &'a [Value], label: &str) -> &'a Value {
    items.iter().find(|item| item["label"] == label).unwrap_or_else(|| panic!("no {label} among {:?}", labels(items)))
}

/// The changes that an action makes. Its edits are places of the text before all of them, those of a change after the one
/// before it, so the last edit comes first.
fn changes(action: &Value, uri: &str) -> Vec<Value> {
    let edits = action["edit"]["changes"][uri].as_array().unwrap();
    edits.iter().rev().map(|edit| json!({"range": edit["range"], "text": edit["newText"]})).collect()
}

fn directory(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&path).unwrap();
    path
}

const RULE: &str = "{\n  \"source\": [\"aws.ec2\"],\n  \"détail\": {\"state\": \"😀 stopped\"}\n}\n";

#[test]
fn a_session() {
    let mut client = Client::initialized(json!({}));
    let uri = "file:///rules/rule.json";
    let found = client.open(uri, "json", RULE);
    // The smiley is two units, the accent one.
    assert_eq!(found[0], ("E0006".to_owned(), "2:22-2:34".to_owned()));
    let range = json!({"start": {"line": 2, "character": 24}, "end": {"line": 2, "character": 24}});
    let params = json!({"textDocument": {"uri": uri}, "range": range, "context": {"diagnostics": []}});
    let actions = client.request("textDocument/codeAction", params);
    assert_eq!(actions[0]["kind"], "quickfix");
    let changes = changes(&actions[0], uri);
    let version = json!({"uri": uri, "version": 2});
    client.notify("textDocument/didChange", json!({"textDocument": version, "contentChanges": changes}));
    let found = client.diagnostics();
    assert!(!found.iter().any(|(code, _)| code == "E0006"), "{found:?}");
    let at = |line: u32, character: u32| json!({"textDocument": {"uri": uri}, "position": {"line": line, "character": character}});
    let hover = client.request("textDocument/hover", at(2, 5));
    assert!(hover["contents"]["value"].as_str().unwrap().starts_with("## W0007: "), "{hover}");
    let text = r#"{"source": ["aws.s3"], "detail": {"name": [{"wildcard": "*.csv"}]}}"#;
    let whole = json!({"textDocument": {"uri": uri, "version": 3}, "contentChanges": [{"text": text}]});
    client.notify("textDocument/didChange", whole);
    assert_eq!(client.diagnostics(), []);
    let hover = client.request("textDocument/hover", at(0, 47));
    let hover = hover["contents"]["value"].as_str().unwrap();
    assert!(hover.starts_with("**`wildcard`**: Matches strings; `*` matches any number of characters"), "{hover}");
    assert!(hover.contains("`eventbridge` supports it"), "{hover}");
    let items = client.proposals(uri, "json", "{\"source\": [\"aws.s3\"],\n \"de|\"}");
    assert_eq!(item(&items, "detail")["textEdit"]["newText"], "detail\": {$0}");
    client.notify("textDocument/didClose", json!({"textDocument": {"uri": uri}}));
    assert_eq!(client.diagnostics(), []);
    let (code, transcript) = client.stop();
    assert_eq!(code, 0);
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/transcripts/lsp.txt");
    if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
        return std::fs::write(&path, transcript).unwrap();
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(transcript, expected, "{} differs; UPDATE_SNAPSHOTS=1 accepts the new text", path.display());
}

#[test]
fn proposals_in_every_language() {
    let mut client = Client::initialized(json!({}));
    let json = "file:///a/rule.json";
    let items = client.proposals(json, "json", "{|}");
    assert_eq!(item(&items, "detail-type")["textEdit"]["newText"], "\"detail-type\": [$0]");
    assert!(labels(&items).contains(&"$or"));
    let items = client.proposals(json, "json", "{\"source\": [\"aws.|\"]}");
    assert_eq!(item(&items, "aws.ec2")["textEdit"]["newText"], "aws.ec2");
    assert!(!labels(&items).contains(&"prefix"));
    let items = client.proposals(json, "json", "{\"source\": [\"aws.health\"], \"detail-type\": [\"AWS H|\"]}");
    assert_eq!(labels(&items), ["AWS Health Abuse Event", "AWS Health Event", "AWS API Call via CloudTrail"]);
    let items = client.proposals(json, "json", "{\"detail\": {\"a\": [{\"pre|\"}]}}");
    assert_eq!(item(&items, "prefix")["textEdit"]["newText"], "prefix\": \"$0\"");
    assert_eq!(items.len(), 8);
    let items = client.proposals(json, "json", "{\"detail\": {\"a\": [|]}}");
    assert_eq!(item(&items, "exists")["textEdit"]["newText"], "{\"exists\": ${0:true}}");
    let items = client.proposals(json, "json", "{\"detail\": {\"a\": [{\"anything-but\": {\"|\"}}]}}");
    assert_eq!(labels(&items), ["prefix", "suffix", "equals-ignore-case", "wildcard"]);
    let items = client.proposals(json, "json", "{\"detail\": {\"a\": [{\"numeric\": [\"|\"]}]}}");
    assert_eq!(labels(&items), ["<", "<=", "=", ">", ">="]);
    assert!(client.proposals(json, "json", "{\"detail\": {\"a\": [\"x|\"]}}").is_empty());
    // A template: the place says the dialect, and SNS has no fields of its own.
    let yaml = "file:///a/template.yaml";
    let rule = "Resources:\n  R:\n    Type: AWS::Events::Rule\n    Properties:\n      EventPattern:\n        ";
    let items = client.proposals(yaml, "yaml", &format!("{rule}so|\n"));
    assert_eq!(item(&items, "source")["textEdit"]["newText"], "source: [$0]");
    let items = client.proposals(yaml, "yaml", &format!("{rule}source:\n          - aws.|\n"));
    assert_eq!(item(&items, "aws.s3")["textEdit"]["newText"], "aws.s3");
    let objects = "detail:\n          a:\n            - |\n";
    let items = client.proposals(yaml, "yaml", &format!("{rule}{objects}"));
    assert_eq!(item(&items, "prefix")["textEdit"]["newText"], "{\"prefix\": \"$0\"}");
    let pipe = "Resources:\n  P:\n    Type: AWS::Pipes::Pipe\n    Properties:\n      SourceParameters:\n        FilterCriteria:\n          Filters:\n            - Pattern: '{\"body\": {\"a\": [{\"|\"}]}}'\n";
    let items = client.proposals(yaml, "yaml", pipe);
    assert!(!labels(&items).contains(&"wildcard"), "pipes have no wildcards: {:?}", labels(&items));
    assert_eq!(item(&items, "suffix")["textEdit"]["newText"], "suffix\": \"$0\"");
    // A pattern in a JSON string, with its quotes escaped.
    let template = r#"{"Resources":{"R":{"Type":"AWS::Events::Rule","Properties":{"EventPattern":"{\"source\":[\"aws.s3\"],\"|\"}"}}}}"#;
    let items = client.proposals("file:///a/t.json", "json", template);
    assert_eq!(item(&items, "region")["textEdit"]["newText"], r#"region\\": [$0]"#);
    let terraform = "resource \"aws_cloudwatch_event_rule\" \"r\" {\n  event_pattern = jsonencode({\n    source = [\"aws.s3\"]\n    |\n  })\n}\n";
    let items = client.proposals("file:///a/main.tf", "terraform", terraform);
    assert_eq!(item(&items, "account")["textEdit"]["newText"], "account = [$0]");
    assert_eq!(client.stop().0, 0);
}

#[test]
fn findings_in_every_language() {
    let mut client = Client::initialized(json!({"level": "error"}));
    let yaml = "Resources:\n  R:\n    Type: AWS::Events::Rule\n    Properties:\n      EventPattern:\n        source: aws.ec2\n";
    assert_eq!(client.open("file:///t.yaml", "yaml", yaml), [("E0006".to_owned(), "5:16-5:23".to_owned())]);
    let terraform =
        "resource \"aws_cloudwatch_event_rule\" \"r\" {\n  event_pattern = jsonencode({ source = \"aws.ec2\" })\n}\n";
    let found = client.open("file:///main.tf", "terraform", terraform);
    assert_eq!(found, [("E0006".to_owned(), "1:40-1:49".to_owned())]);
    // A document without a name, and one that is something else.
    assert_eq!(client.open("untitled:1", "yaml", yaml).len(), 1);
    assert_eq!(client.open("file:///package.json", "json", "{\"name\": \"x\", \"scripts\": {\"a\": \"b\"}}"), []);
    // What cannot be read any more says so, and is checked again when it can be read.
    let broken =
        json!({"textDocument": {"uri": "file:///t.yaml", "version": 2}, "contentChanges": [{"text": "a: [\n- b: {"}]});
    client.notify("textDocument/didChange", broken);
    assert_eq!(client.diagnostics()[0].0, "");
    let again = json!({"textDocument": {"uri": "file:///t.yaml", "version": 3}, "contentChanges": [{"text": yaml}]});
    client.notify("textDocument/didChange", again);
    assert_eq!(client.diagnostics()[0].0, "E0006");
    // A range that is none changes nothing; the next one does.
    for (line, text) in [(-1, "aws.ec"), (5, "aws.s3")] {
        let range = json!({"start": {"line": line, "character": 16}, "end": {"line": 5, "character": 23}});
        let document = json!({"uri": "file:///t.yaml", "version": 4});
        let change = json!({"textDocument": document, "contentChanges": [{"range": range, "text": text}]});
        client.notify("textDocument/didChange", change);
    }
    let refused = client.notification();
    assert_eq!(refused["method"], "window/logMessage", "{refused}");
    assert!(refused["params"]["message"].as_str().unwrap().contains("\"line\":-1"), "{refused}");
    assert_eq!(client.diagnostics(), [("E0006".to_owned(), "5:16-5:22".to_owned())]);
    assert_eq!(client.stop().0, 0);
}

#[test]
fn explained_against_the_event_beside_the_file() {
    let directory = directory("lsp-event");
    std::fs::write(directory.join("rule.event.json"), r#"{"source":"aws.ec2","detail":{"state":"Stopped"}}"#).unwrap();
    let uri = format!("file://{}", directory.join("rule.json").display());
    let mut client = Client::initialized(json!({"showMessages": false}));
    client.open(&uri, "json", r#"{"detail": {"state": ["stopped"]}}"#);
    let lenses = client.request("textDocument/codeLens", json!({"textDocument": {"uri": uri}}));
    let command = &lenses[0]["command"];
    let title = command["title"].as_str().unwrap();
    assert!(title.starts_with("rule.event.json: no match: `detail.state` is \"Stopped\""), "{title}");
    let text = client.request("workspace/executeCommand", command.clone());
    assert!(text.as_str().unwrap().contains("--> event:1:39"), "{text}");
    // What the editor has open counts, not what is on disk.
    let event = format!("file://{}", directory.join("rule.event.json").display());
    assert_eq!(client.open(&event, "json", r#"{"source":"aws.ec2","detail":{"state":"stopped"}}"#), []);
    let lenses = client.request("textDocument/codeLens", json!({"textDocument": {"uri": uri}}));
    assert!(lenses[0]["command"]["title"].as_str().unwrap().starts_with("rule.event.json: match"), "{lenses}");
    let other = format!("file://{}", directory.join("other.json").display());
    client.open(&other, "json", r#"{"source": ["x"]}"#);
    assert_eq!(client.request("textDocument/codeLens", json!({"textDocument": {"uri": other}})), json!([]));
    assert_eq!(client.stop().0, 0);
}

#[test]
fn the_project_counts_and_fixes_keep_the_file() {
    let directory = directory("lsp-project");
    let config = "ignore = [\"W0016\"]\n[detail-types]\nshop = [\"Order Placed\"]\n";
    std::fs::write(directory.join("eventrie.toml"), config).unwrap();
    let uri = format!("file://{}", directory.join("template.yaml").display());
    let mut client = Client::initialized(json!({}));
    let rule = "Resources:\n  R:\n    Type: AWS::Events::Rule\n    Properties:\n      EventPattern:\n";
    let text = format!("{rule}        source: aws.ec2 # ours\n");
    let found = client.open(&uri, "yaml", &text);
    assert_eq!(found, [("E0006".to_owned(), "5:16-5:23".to_owned())]);
    let range = json!({"start": {"line": 5, "character": 16}, "end": {"line": 5, "character": 20}});
    let params = json!({"textDocument": {"uri": uri}, "range": range, "context": {"diagnostics": []}});
    let actions = client.request("textDocument/codeAction", params);
    assert_eq!(actions[0]["isPreferred"], true);
    let changes = changes(&actions[0], &uri);
    client.notify(
        "textDocument/didChange",
        json!({"textDocument": {"uri": uri, "version": 2}, "contentChanges": changes}),
    );
    assert_eq!(client.diagnostics(), [], "W0016, that only the source is tested, is ignored");
    let items =
        client.proposals(&uri, "yaml", &format!("{rule}        source: [shop]\n        detail-type:\n          - |\n"));
    assert_eq!(item(&items, "Order Placed")["detail"], "eventrie.toml");
    let items = client.proposals(&uri, "yaml", &format!("{rule}        source: [sh|]\n"));
    assert_eq!(item(&items, "shop")["textEdit"]["newText"], "shop");
    // What the project says now counts, and what it says wrongly is reported.
    std::fs::write(directory.join("eventrie.toml"), "").unwrap();
    assert_eq!(client.open(&uri, "yaml", &format!("{rule}        source: [aws.ec2]\n"))[0].0, "W0016");
    std::fs::write(directory.join("eventrie.toml"), "x").unwrap();
    assert_eq!(client.open(&uri, "yaml", &format!("{rule}        source: [aws.ec2]\n"))[0].1, "0:0-0:1");
    assert_eq!(client.stop().0, 0);
}

#[test]
fn a_bad_client_does_no_harm() {
    let mut client = Client::start();
    let early = client.request("textDocument/hover", json!({}));
    assert_eq!(early["code"], -32002);
    client.request("initialize", json!({"capabilities": {}, "initializationOptions": {"dialect": "x", "level": 7}}));
    client.raw(b"Content-Length: 3\r\n\r\n{]}");
    assert_eq!(client.notification()["method"], "window/showMessage", "the wrong options");
    assert_eq!(client.notification()["error"]["code"], -32700);
    client.raw(b"nonsense\r\n\r\n");
    assert_eq!(client.request("textDocument/hover", json!({"position": 1}))["code"], -32602);
    assert_eq!(client.request("no/such", json!(null))["code"], -32601);
    let away = json!({"textDocument": {"uri": "file:///away.json"}, "position": {"line": 0, "character": 0}});
    assert_eq!(client.request("textDocument/hover", away)["code"], -32602);
    client.notify(
        "textDocument/didChange",
        json!({"textDocument": {"uri": "file:///away.json", "version": 1}, "contentChanges": []}),
    );
    assert_eq!(client.notification()["method"], "window/logMessage");
    // Places that are nowhere, ends in the wrong order, deep nesting.
    let uri = "file:///rule.json";
    client.open(uri, "json", RULE);
    let range = json!({"start": {"line": 4_000_000_000_u32, "character": 4_000_000_000_u32}, "end": {"line": 0, "character": 1}});
    let change = json!({"textDocument": {"uri": uri, "version": 2}, "contentChanges": [{"range": range, "text": "x"}]});
    client.notify("textDocument/didChange", change);
    client.diagnostics();
    let deep = client.open("file:///deep-rule.json", "json", &"[".repeat(100_000));
    assert_eq!(deep[0].0, "E0002", "{deep:?}");
    let large = format!("{{\"source\": [\"{}\"]}}", "x".repeat(9 << 20));
    assert_eq!(client.open("file:///large-rule.json", "json", &large), [], "too large to be checked while one types");
    assert_eq!(client.stop().0, 0);
}

#[test]
fn without_a_client_it_ends() {
    let mut client = Client::initialized(json!({}));
    client.program.close();
    assert_eq!(client.program.wait(), 1);
    let mut client = Client::initialized(json!({}));
    client.notify("exit", Value::Null);
    assert_eq!(client.program.wait(), 1, "`exit` without `shutdown`");
}
