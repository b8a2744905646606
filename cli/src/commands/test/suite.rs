//! A test file: rules, events, and what is expected of them.

use std::path::Path;

use anyhow::{Context, bail};
use eventrie::Dialect;
use eventrie::service::Source;
use eventrie_files::tree::{self, Node, Value};
use eventrie_files::{Document, Expected, SourceFile};

use crate::choose::nearest;
use crate::open;
use crate::rules::Rules;

const KEYS: [&str; 4] = ["rules", "dialect", "source", "tests"];
const TEST_KEYS: [&str; 4] = ["name", "event", "match", "no-match"];

/// A test file that was read.
pub(super) struct Suite {
    pub(super) name: String,
    pub(super) rules: Rules,
    pub(super) source: Option<Source>,
    pub(super) tests: Vec<Test>,
}

/// One test.
pub(super) struct Test {
    pub(super) name: String,
    pub(super) line: u32,
    pub(super) event: Event,
    /// Positions of rules.
    pub(super) matches: Vec<usize>,
    pub(super) rejects: Vec<usize>,
}

/// The events of a test.
pub(super) enum Event {
    /// JSON text.
    Text(String),
    /// A file with one or more.
    File(String),
}

impl Suite {
    /// Reads a test file.
    pub(super) fn read(name: &str) -> anyhow::Result<Suite> {
        let file = open::source(name)?;
        let root = match tree::parse_json(file.text()) {
            Ok(root) => root,
            Err(error) if file.text().trim_start().starts_with('{') => bail!(at(&file, error.offset, &error.message)),
            Err(_) => tree::parse_yaml(file.text()).map_err(|error| at(&file, error.offset, &error.message))?,
        };
        let reader = Reader { file: &file };
        reader.keys(&root, &KEYS)?;
        let dialect = match root.get("dialect") {
            Some(node) => reader.word::<Dialect>(node)?,
            None => Dialect::default(),
        };
        let source = root.get("source").map(|node| reader.word::<Source>(node)).transpose()?;
        let Some(rules) = root.get("rules") else {
            bail!(at(&file, root.span.start, "expected `rules`: a file, or an object of name → pattern"));
        };
        let rules = reader.rules(rules, dialect)?;
        let Some(Node { value: Value::List(tests), .. }) = root.get("tests") else {
            bail!(at(
                &file,
                root.get("tests").map_or(root.span.start, |node| node.span.start),
                "expected `tests`, a list"
            ));
        };
        if tests.is_empty() {
            bail!(at(&file, root.get("tests").map_or(0, |node| node.span.start), "expected at least one test"));
        }
        let tests = tests.iter().enumerate().map(|(number, test)| reader.test(number, test, &rules));
        let tests = tests.collect::<anyhow::Result<Vec<Test>>>()?;
        Ok(Suite { name: file.name().to_owned(), rules, source, tests })
    }
}

fn at(file: &SourceFile, offset: usize, message: &str) -> anyhow::Error {
    let position = eventrie::diagnostic::Position::of(file.text(), offset);
    anyhow::anyhow!("{}:{}:{}: {message}", file.name(), position.line, position.column)
}

struct Reader<'a> {
    file: &'a SourceFile,
}

impl Reader<'_> {
    fn fault(&self, node: &Node, message: &str) -> anyhow::Error {
        at(self.file, node.span.start, message)
    }

    /// Refuses keys that nothing reads.
    fn keys(&self, node: &Node, known: &[&str]) -> anyhow::Result<()> {
        if !matches!(node.value, Value::Map(_)) {
            bail!(self.fault(node, &format!("expected an object with the keys {}", known.join(", "))));
        }
        for (key, _) in node.members() {
            let name = key.text().unwrap_or("");
            if !known.contains(&name) {
                let meant = match nearest(name, known.iter().copied()) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => format!("the keys are {}", known.join(", ")),
                };
                bail!(self.fault(key, &format!("unknown key `{name}`; {meant}")));
            }
        }
        Ok(())
    }

    fn word<T: std::str::FromStr<Err: std::fmt::Display>>(&self, node: &Node) -> anyhow::Result<T> {
        let text = node.text().ok_or_else(|| self.fault(node, "expected a string"))?;
        text.parse().map_err(|error| self.fault(node, &format!("{error}")))
    }

    /// A path that is written in the test file.
    fn beside(&self, name: &str) -> String {
        let directory = Path::new(self.file.name()).parent().unwrap_or(Path::new(""));
        directory.join(name).display().to_string()
    }

    fn rules(&self, node: &Node, dialect: Dialect) -> anyhow::Result<Rules> {
        let document = match node.text() {
            Some(name) => {
                let name = self.beside(name);
                let file = open::source(&name).map_err(|error| self.fault(node, &format!("{error:#}")))?;
                Document::read(file, Expected::Rules)?
            }
            None => {
                // Findings have places in this text, not in the file.
                let line = eventrie::diagnostic::Position::of(self.file.text(), node.span.start).line;
                let file =
                    SourceFile::new(format!("<rules of {}, line {line}, as JSON>", self.file.name()), json(node));
                Document::read(file, Expected::Rules).map_err(|error| self.fault(node, error.message()))?
            }
        };
        Rules::of_document(&document, dialect).with_context(|| format!("the rules of {}", self.file.name()))
    }

    fn test(&self, number: usize, node: &Node, rules: &Rules) -> anyhow::Result<Test> {
        self.keys(node, &TEST_KEYS)?;
        let Some(event) = node.get("event") else {
            bail!(self.fault(node, "expected `event`: an event, or the name of a file with events"));
        };
        let event = match &event.value {
            Value::Map(_) => Event::Text(json(event)),
            Value::String(text) | Value::Plain(text) => Event::File(self.beside(text)),
            Value::List(_) => bail!(self.fault(event, "expected one event, or the name of a file with several")),
        };
        let matches = self.names(node.get("match"), rules, &[])?;
        let rejects = self.names(node.get("no-match"), rules, &matches)?;
        if matches.is_empty() && rejects.is_empty() {
            bail!(self.fault(node, "expected `match` or `no-match`: the names of rules"));
        }
        if let Some(both) = matches.iter().find(|rule| rejects.contains(rule)) {
            let name = rules.names.get(*both).map_or("", String::as_str);
            bail!(self.fault(node, &format!("the rule `{name}` is in both `match` and `no-match`")));
        }
        let name = match node.get("name").and_then(Node::text) {
            Some(name) => name.to_owned(),
            None => format!("test {}", number + 1),
        };
        let line = eventrie::diagnostic::Position::of(self.file.text(), node.span.start).line;
        Ok(Test { name, line, event, matches, rejects })
    }

    /// The positions of named rules; `others` means all but these.
    fn names(&self, node: Option<&Node>, rules: &Rules, others: &[usize]) -> anyhow::Result<Vec<usize>> {
        let Some(node) = node else { return Ok(Vec::new()) };
        if node.text() == Some("others") {
            return Ok((0..rules.names.len()).filter(|rule| !others.contains(rule)).collect());
        }
        let alone = std::slice::from_ref(node);
        let names = if matches!(node.value, Value::List(_)) { node.elements() } else { alone };
        names.iter().map(|name| self.rule(name, rules)).collect()
    }

    fn rule(&self, node: &Node, rules: &Rules) -> anyhow::Result<usize> {
        let name = node.text().ok_or_else(|| self.fault(node, "expected the name of a rule"))?;
        if let Some(at) = rules.names.iter().position(|rule| rule == name) {
            return Ok(at);
        }
        let has = |rule: &&String| rule.split('.').any(|part| part == name);
        let mut found = rules.names.iter().enumerate().filter(|(_, rule)| has(rule));
        match (found.next(), found.next()) {
            (Some((at, _)), None) => Ok(at),
            (Some((_, one)), Some((_, other))) => {
                bail!(self.fault(node, &format!("several rules are called `{name}`: `{one}`, `{other}`")))
            }
            (None, _) => {
                let parts = rules.names.iter().flat_map(|rule| rule.split('.').chain([rule.as_str()]));
                let meant = nearest(name, parts).map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
                bail!(self.fault(node, &format!("unknown rule `{name}`{meant}")))
            }
        }
    }
}

/// A value of YAML or JSON as JSON text.
fn json(node: &Node) -> String {
    let quoted = |text: &str| serde_json::to_string(text).unwrap_or_default();
    match &node.value {
        Value::String(text) => quoted(text),
        Value::Plain(text) => match text.as_str() {
            "" | "~" | "null" => "null".to_owned(),
            "true" | "false" => text.clone(),
            _ if serde_json::from_str::<serde_json::Number>(text).is_ok() => text.clone(),
            _ => quoted(text),
        },
        Value::List(elements) => format!("[{}]", elements.iter().map(json).collect::<Vec<_>>().join(",")),
        Value::Map(members) => {
            let member = |(key, value): &(Node, Node)| format!("{}:{}", quoted(key.text().unwrap_or("")), json(value));
            format!("{{{}}}", members.iter().map(member).collect::<Vec<_>>().join(","))
        }
    }
}
