//! What the command line reads: templates, plans, rule files, streams of events.

use std::fmt::{Display, Formatter};
use std::io::Read;
use std::ops::Range;

use eventrie::diagnostic::{Finding, Span};
use eventrie::{Dialect, Pattern};
use eventrie_files::tree::{self, Malformed, Node, Value};
use eventrie_files::{Document, EventStream, Expected, Found, SourceFile, counted};

use crate::choices::Choices;
use crate::json::{self, Json};
use crate::make::{Maker, quote};
use crate::{Case, fixed, paste};

/// A file, and how it comes.
pub(crate) struct Template {
    text: Vec<u8>,
    /// How many bytes are read at a time.
    piece: usize,
}

impl Case for Template {
    fn decode(input: &[u8]) -> Option<Template> {
        let mut choices = Choices::new(input);
        let (mode, piece) = (choices.byte(), 1 + choices.below(40));
        let text = if mode & 1 == 0 { choices.rest().to_vec() } else { made(&mut Maker::new(choices)).into_bytes() };
        Some(Template { text, piece })
    }

    fn check(&self) {
        self.check_events();
        let Ok(text) = std::str::from_utf8(&self.text) else { return };
        for name in ["file.json", "file.yaml"] {
            for expected in [Expected::Anything, Expected::Rules, Expected::Pattern] {
                let (document, work) = counted(|| Document::read(SourceFile::new(name, text), expected));
                assert_linear(work, text, &format!("{name}, {expected:?}"));
                let Ok(document) = document else { continue };
                for (_, finding) in document.findings() {
                    check_range(&(finding.label.span.start as usize..finding.label.span.end as usize), text, "a fault");
                }
                document.patterns().iter().for_each(|found| check_found(found, text));
                fixed::check(&document, expected);
            }
        }
        check_trees(text);
    }
}

fn check_range(range: &Range<usize>, text: &str, what: &str) {
    assert!(text.get(range.clone()).is_some(), "{what}: {range:?} is not a part of the {} bytes", text.len());
}

/// Work in proportion to the text, plus what is the same for all: shapes of patterns in places that are not known are
/// read in bounded pieces. What YAML's aliases copy has a limit of its own.
fn assert_linear(work: u64, text: &str, what: &str) {
    let is_copied = text.contains('*') && text.contains('&');
    let limit = 100 * text.len() as u64 + if is_copied { 20_000_000 } else { 250_000 };
    assert!(work <= limit, "{what}: {work} bytes and nodes were looked at for {} bytes", text.len());
}

/// Every part of a pattern has a place in the file, and what is wrong with it can be shown there.
fn check_found(found: &Found, file: &str) {
    let located = found.pattern();
    for (at, char) in located.text().char_indices().step_by(1 + located.text().len() / 64) {
        let (start, end) = (u32::try_from(at).unwrap(), u32::try_from(at + char.len_utf8()).unwrap());
        check_range(&located.range(Span::new(start, end)), file, "a character");
        let _ = located.touches_hole(Span::new(start, end));
    }
    for dialect in found.dialect().map_or(vec![Dialect::EventBridge, Dialect::SnsAttributes], |dialect| vec![dialect]) {
        let findings: Vec<Finding> = match Pattern::parse(located.text(), dialect) {
            Ok(pattern) => pattern.lint_with(&eventrie::pattern::LintOptions::default().notes(true)),
            Err(error) => error.findings().to_vec(),
        };
        for finding in &findings {
            let placed = located.in_file(finding);
            let spans = placed.context.iter().chain([&placed.label]).map(|label| label.span);
            for span in spans.chain(placed.fix.as_ref().map(|fix| fix.span)) {
                check_range(&(span.start as usize..span.end as usize), file, finding.code.as_str());
            }
            assert!(!placed.render(file).to_string().is_empty());
        }
    }
}

/// The trees have places in the file, and that of JSON says what another parser says.
fn check_trees(text: &str) {
    for root in [tree::parse_json(text), tree::parse_yaml(text)] {
        match root {
            Ok(root) => check_places(&root, text),
            Err(Malformed { offset, message }) => {
                assert!(offset <= text.len() && !message.is_empty(), "{offset}: {message}");
            }
        }
    }
    let read = tree::parse_json(text);
    // That of the templates replaces half of a surrogate pair by something else.
    if let (Ok(root), false) = (&read, text.contains("\\u")) {
        let mut shown = String::new();
        write(root, &mut shown);
        let expected = serde_json::from_str::<serde::de::IgnoredAny>(text).ok().and_then(|_| json::parse(text));
        if let (Some(expected), Some(shown)) = (expected, json::parse(&shown)) {
            assert_eq!(shown, expected, "the tree is another value");
        }
    }
    if serde_json::from_str::<serde_json::Value>(text).is_ok() {
        assert!(read.is_ok(), "JSON for serde_json, but refused: {:?}", read.err());
    }
}

fn check_places(node: &Node, text: &str) {
    check_range(&node.span, text, "a node");
    node.elements().iter().for_each(|element| check_places(element, text));
    node.members().iter().for_each(|(key, value)| {
        check_places(key, text);
        check_places(value, text);
    });
}

/// A tree as JSON text. Members keep their order and duplicates.
fn write(node: &Node, json: &mut String) {
    match &node.value {
        Value::String(text) => json.push_str(&quote(text)),
        Value::Plain(text) => json.push_str(text),
        Value::List(elements) => {
            json.push('[');
            for (at, element) in elements.iter().enumerate() {
                json.push_str(if at > 0 { "," } else { "" });
                write(element, json);
            }
            json.push(']');
        }
        Value::Map(members) => {
            json.push('{');
            for (at, (key, value)) in members.iter().enumerate() {
                json.push_str(if at > 0 { "," } else { "" });
                write(key, json);
                json.push(':');
                write(value, json);
            }
            json.push('}');
        }
    }
}

/// An event of a stream: its text, its number, its line, and why there is none.
type Event = (Vec<u8>, u64, u64, Option<&'static str>);

fn events(reader: impl Read + 'static) -> std::io::Result<Vec<Event>> {
    let mut stream = EventStream::from_reader("input", Box::new(reader))?;
    let mut events = Vec::new();
    while let Some((text, items)) = stream.next_batch()? {
        for item in items {
            events.push((text[item.range.clone()].to_vec(), item.number, item.line, item.fault));
        }
    }
    Ok(events)
}

/// Reads a few bytes at a time.
struct Drip(Vec<u8>, usize, usize);

impl Read for Drip {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let left = &self.0[self.1..];
        let count = left.len().min(self.2).min(buffer.len());
        buffer[..count].copy_from_slice(&left[..count]);
        self.1 += count;
        Ok(count)
    }
}

impl Template {
    /// The same events come out, however the text comes in; and all that is not whitespace is in one of them.
    fn check_events(&self) {
        let whole = events(std::io::Cursor::new(self.text.clone()));
        let (slow, work) = counted(|| events(Drip(self.text.clone(), 0, self.piece)));
        // What is packed may be far longer than it was.
        let is_packed = self.text.starts_with(&[0x1f, 0x8b]);
        assert!(is_packed || work <= 64 * self.text.len() as u64 + 10_000, "{work} bytes were looked at to split");
        let (Ok(whole), Ok(slow)) = (&whole, &slow) else {
            assert_eq!(whole.is_err(), slow.is_err(), "reading slowly fails otherwise");
            return;
        };
        assert_eq!(whole, slow, "other events if {} bytes are read at a time", self.piece);
        let numbers: Vec<(u64, u64)> = whole.iter().map(|(_, number, line, _)| (*number, *line)).collect();
        assert!(numbers.is_sorted(), "numbers or lines go back: {numbers:?}");
        let packed = self.text.starts_with(&[0x1f, 0x8b]);
        let Ok(text) = std::str::from_utf8(&self.text) else { return };
        match json::parse(text) {
            // One object is one event; the elements of an array are the events.
            Some(Json::Object(_)) if !packed => assert_eq!(whole.len(), 1, "one object is one event"),
            Some(Json::Array(elements)) if text.trim_start().starts_with('[') && !text.contains('\n') => {
                assert!(whole.iter().all(|event| event.3.is_none()), "an array has faults");
                assert_eq!(whole.len(), elements.len(), "the elements of an array are the events");
            }
            _ => {}
        }
    }
}

/// A file that is nearly a template.
fn made(maker: &mut Maker<'_>) -> String {
    let kinds = ["AWS::Events::Rule", "AWS::SNS::Subscription", "AWS::Lambda::EventSourceMapping", "AWS::Pipes::Pipe"];
    let pattern = maker.pattern();
    let as_text = maker.choices.rarely(100);
    let value = if as_text { quote(&pattern) } else { pattern.clone() };
    let hole =
        maker.choices.of(&["", "!Sub ", "!Ref X #", "!GetAtt\n  ", "&a ", "*a #", "? ", "!!str ", "|\n", ">-\n    "]);
    let key =
        maker.choices.of(&["EventPattern", "FilterPolicy", "Pattern", "event_pattern", "filter_policy", "pattern"]);
    let kind = maker.choices.of(&kinds);
    match maker.choices.below(9) {
        0 => format!("{{\"Resources\":{{\"R\":{{\"Type\":\"{kind}\",\"Properties\":{{\"{key}\":{value}}}}}}}}}"),
        1 => format!("Resources:\n  R:\n    Type: {kind}\n    Properties:\n      {key}: {hole}{value}\n"),
        2 => format!("Resources:\n  R:\n    Type: {kind}\n    Properties:\n      {key}: |\n        {value}\n"),
        3 => {
            let scope = maker.choices.of(&["MessageBody", "!Ref S", "MessageAttributes"]);
            format!(
                "Resources:\n  R:\n    Properties:\n      FilterPolicyScope: {scope}\n      FilterPolicy: {value}\n"
            )
        }
        4 => {
            let text = quote(&pattern);
            format!(
                "{{\"planned_values\":{{\"root_module\":{{\"resources\":[{{\"address\":\"a.b\",\"values\":{{\"{key}\":{text},\
                 \"filter_criteria\":[{{\"filter\":[{{\"pattern\":{text}}}]}}]}}}}]}}}}}}"
            )
        }
        5 => format!(
            "functions:\n  f:\n    events:\n      - eventBridge:\n          pattern: {hole}{value}\n      - sns:\n          filterPolicy: {value}\n"
        ),
        6 => format!("{{\"Rules\":[{{\"Name\":\"n\",\"EventPattern\":{}}},{{\"Name\":\"s\"}}]}}", quote(&pattern)),
        7 => format!(
            "{{\"one\":{{\"source\":[1]}},\"two\":{value},\"three\":{{\"Filters\":[{{\"Pattern\":{}}}]}}}}",
            quote(&pattern)
        ),
        _ => {
            let between = maker.choices.of(&["\n", "", ",", " ", "\n\n", "\r\n"]);
            let events: Vec<String> = (0..maker.choices.below(5)).map(|_| maker.event()).collect();
            let events = events.join(between);
            let array = maker.choices.rarely(128);
            if array { format!("[{events}]") } else { events }
        }
    }
}

impl Display for Template {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        let text = paste::shell(&self.text);
        for name in ["file.json", "file.yaml"] {
            writeln!(f, "printf '%s' {text} > /tmp/{name}; cargo run -q -p eventrie-cli -- check /tmp/{name}")?;
        }
        writeln!(f, "cargo run -q -p eventrie-cli -- check --rules /tmp/file.json")?;
        writeln!(f, "cargo run -q -p eventrie-cli -- match -v -e '{{\"a\":[{{\"exists\":true}}]}}' /tmp/file.json")?;
        write!(f, "let text = {}; // in pieces of {} bytes", paste::rust(&self.text), self.piece)
    }
}
