//! What the positional arguments are: a pattern and events, as files or as text.

use std::path::Path;

use anyhow::bail;
use eventrie::{Dialect, Pattern};
use eventrie_files::tree::{self, Node, Value};

use crate::args::PatternArgs;

/// The pattern and the events of `match` and `explain`.
#[derive(Debug)]
pub(crate) struct Given {
    pub(crate) patterns: PatternArgs,
    /// Files and directories.
    pub(crate) events: Vec<String>,
    /// An event, as JSON text.
    pub(crate) event: Option<String>,
}

impl Given {
    /// Assigns the positional arguments: the first one is the pattern, unless an option gave it.
    pub(crate) fn of(options: &PatternArgs, words: &[String], event: Option<&String>) -> anyhow::Result<Given> {
        let mut given = Given { patterns: options.clone(), events: words.to_vec(), event: None };
        let patterns = &mut given.patterns;
        let is_named = patterns.pattern.is_some() || patterns.expression.is_some() || patterns.rules.is_some();
        if !is_named {
            if given.events.is_empty() {
                bail!(
                    "no pattern given: expected PATTERN EVENT, each a file or JSON text, such as \
                     `'{{\"source\":[\"aws.ec2\"]}}' event.json` (--help lists more)"
                );
            }
            let first = given.events.remove(0);
            if Path::new(&first).is_dir() {
                bail!("{first}: expected a pattern first, then the events; this is a directory");
            }
            match is_text(&first) {
                true => patterns.expression = Some(first),
                false => patterns.pattern = Some(first),
            }
        }
        // A file where text was expected, and the other way round.
        patterns.expression = match patterns.expression.take() {
            Some(text) if !is_text(&text) && Path::new(&text).is_file() => {
                patterns.pattern = Some(text);
                None
            }
            other => other,
        };
        patterns.pattern = match patterns.pattern.take() {
            Some(name) if is_text(&name) && !Path::new(&name).exists() => {
                patterns.expression = Some(name);
                None
            }
            other => other,
        };
        given.event = event_text(&mut given.events, event)?;
        if let [text] = given.events.as_slice()
            && is_text(text)
            && !Path::new(text).exists()
        {
            given.event = given.events.pop();
        }
        given.not_swapped()?;
        Ok(given)
    }

    /// An event where the pattern should be, and the pattern where the event should be.
    fn not_swapped(&self) -> anyhow::Result<()> {
        let pattern = self.patterns.expression.clone().or_else(|| read(self.patterns.pattern.as_deref()?));
        let Some(root) = pattern.and_then(|text| tree::parse_json(&text).ok()).filter(is_event) else { return Ok(()) };
        let event = match (&self.event, self.events.as_slice()) {
            (Some(text), _) => Some(text.clone()),
            (None, [name]) => read(name),
            _ => None,
        };
        let other = event.is_some_and(|text| Pattern::parse(&text, Dialect::EventBridge).is_ok());
        let kind = if root.get("detail-type").is_some() { "an event" } else { "a PutEvents entry" };
        match other {
            true => bail!("the pattern and the event are swapped: the first is {kind}, the second is a pattern"),
            false => bail!("this is {kind}, not a pattern; `eventrie infer` proposes a pattern for it"),
        }
    }
}

/// The event that `-E` gives; a file where text was expected is added to the others.
pub(crate) fn event_text(files: &mut Vec<String>, event: Option<&String>) -> anyhow::Result<Option<String>> {
    match event {
        Some(name) if !is_text(name) && Path::new(name).exists() => files.push(name.clone()),
        Some(_) if !files.is_empty() => bail!("give events as files or as text with -E, not both"),
        other => return Ok(other.cloned()),
    }
    Ok(None)
}

/// Whether the word is JSON, or what was meant as JSON, and not the name of a file.
pub(crate) fn is_text(word: &str) -> bool {
    word.trim_start().starts_with(['{', '['])
}

/// A file that is small enough to be a pattern or one event.
fn read(name: &str) -> Option<String> {
    let is_small = std::fs::metadata(name).is_ok_and(|data| data.is_file() && data.len() < 1 << 22);
    if is_small { std::fs::read_to_string(name).ok() } else { None }
}

/// Whether JSON in the pattern's place is an event: its fields are strings there, and lists in a pattern.
fn is_event(root: &Node) -> bool {
    let is_string = |name: &str| root.get(name).is_some_and(|value| matches!(value.value, Value::String(_)));
    (is_string("source") && is_string("detail-type")) || (is_string("Source") && is_string("DetailType"))
}
