//! What a client sets when it starts the server: `initializationOptions`.

use serde::Deserialize;
use serde_json::Value;

use crate::args::Level;
use crate::project::Words;

/// The settings.
#[derive(Debug)]
pub(super) struct Options {
    /// What is set here is stronger than `eventrie.toml`.
    pub(super) words: Words,
    /// The event that every pattern is explained against; if none, each file's own.
    pub(super) event: Option<String>,
    /// Whether explanations are also shown as a message, for clients that drop the result of a command.
    pub(super) shows_messages: bool,
    /// Whether the client takes a place for the cursor in what is completed.
    pub(super) has_snippets: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options { words: Words::default(), event: None, shows_messages: true, has_snippets: false }
    }
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Given {
    dialect: Option<String>,
    engine: Option<String>,
    level: Option<String>,
    event: Option<String>,
    show_messages: Option<bool>,
}

impl Options {
    /// Reads the parameters of `initialize`; with what is wrong about them. What is wrong has its default.
    pub(super) fn of(params: &Value) -> (Options, Vec<String>) {
        let mut options = Options::default();
        let snippets = "/capabilities/textDocument/completion/completionItem/snippetSupport";
        options.has_snippets = params.pointer(snippets).and_then(Value::as_bool).unwrap_or(false);
        let given = params.get("initializationOptions").filter(|given| !given.is_null());
        let given: Given = match given.map(Given::deserialize) {
            Some(Err(error)) => return (options, vec![format!("initializationOptions: {error}")]),
            Some(Ok(given)) => given,
            None => return (options, Vec::new()),
        };
        let mut wrong = Vec::new();
        if let Some(word) = given.dialect {
            match word.parse() {
                Ok(dialect) => options.words.dialect = Some(dialect),
                Err(error) => wrong.push(format!("initializationOptions.dialect: {error}")),
            }
        }
        if let Some(word) = given.engine {
            match word.parse() {
                Ok(engine) => options.words.engine = Some(engine),
                Err(error) => wrong.push(format!("initializationOptions.engine: {error}")),
            }
        }
        match given.level.as_deref() {
            None => {}
            Some("error") => options.words.level = Some(Level::Error),
            Some("warning") => options.words.level = Some(Level::Warning),
            Some("note") => options.words.level = Some(Level::Note),
            Some(_) => wrong.push("initializationOptions.level: expected error, warning or note".to_owned()),
        }
        options.event = given.event;
        options.shows_messages = given.show_messages.unwrap_or(true);
        (options, wrong)
    }
}
