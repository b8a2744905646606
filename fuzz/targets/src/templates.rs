//! What the command line reads: templates, plans, rule files, streams of events.

use std::fmt::{Display, Formatter};
use std::io::Read;
use std::ops::Range;

use eventrie::diagnostic::{Finding, Span};
use eventrie::{Dialect, Pattern};
use eventrie_cli::readers::{self, Found};

use crate::choices::Choices;
use crate::json::{self, Json};
use crate::make::{Maker, quote};
use crate::{Case, paste};

/// A file, and how it comes.
pub(crate) struct Template {
    text: Vec<u8>,
    /// So many bytes are read at a time.
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
            for found in readers::patterns(name, text).into_iter().flatten() {
                check_found(&found, text);
            }
        }
        for found in readers::rules(text).into_iter().flatten() {
            check_found(&found, text);
        }
        check_trees(text);
    }
}

fn check_range(range: &Range<usize>, text: &str, what: &str) {
    assert!(text.get(range.clone()).is_some(), "{what}: {range:?} is not a part of the {} bytes", text.len());
}

/// Every part of a pattern has a place in the file, and what is wrong with it can be shown there.
fn check_found(found: &Found, file: &str) {
    for (at, char) in found.text.char_indices().step_by(1 + found.text.len() / 64) {
        let (start, end) = (u32::try_from(at).unwrap(), u32::try_from(at + char.len_utf8()).unwrap());
        check_range(&found.range(Span::new(start, end)), file, "a character");
        let _ = found.touches_hole(Span::new(start, end));
    }
    for dialect in found.dialect.map_or(vec![Dialect::EventBridge, Dialect::SnsAttributes], |dialect| vec![dialect]) {
        let findings: Vec<Finding> = match Pattern::parse(&found.text, dialect) {
            Ok(pattern) => pattern.lint(),
            Err(error) => error.findings().to_vec(),
        };
        for finding in &findings {
            let placed = found.in_file(finding);
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
    for yaml in [false, true] {
        match readers::document_as_json(text, yaml) {
            Ok((_, places)) => places.iter().for_each(|place| check_range(place, text, "a node")),
            Err((offset, message)) => {
                assert!(offset <= text.len() && !message.is_empty(), "yaml {yaml}: {offset}: {message}");
            }
        }
    }
    let read = readers::document_as_json(text, false);
    // That of the templates replaces half of a surrogate pair by something else.
    if let (Ok((shown, _)), false) = (&read, text.contains("\\u")) {
        let expected = serde_json::from_str::<serde::de::IgnoredAny>(text).ok().and_then(|_| json::parse(text));
        if let (Some(expected), Some(shown)) = (expected, json::parse(shown)) {
            assert_eq!(shown, expected, "the tree is another value");
        }
    }
    if serde_json::from_str::<serde_json::Value>(text).is_ok() {
        assert!(read.is_ok(), "JSON for serde_json, but refused: {:?}", read.err());
    }
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
    /// The same events come out, however the text comes in; and all that is not white space is in one of them.
    fn check_events(&self) {
        let whole = readers::events(std::io::Cursor::new(self.text.clone()));
        let slow = readers::events(Drip(self.text.clone(), 0, self.piece));
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
