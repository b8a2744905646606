//! What the commands read, without the commands: for the fuzz targets.

use std::io::Read;
use std::ops::Range;

use eventrie::Dialect;
use eventrie::diagnostic::{Finding, Span};

use crate::document::{self, Document};
use crate::input::Input;
use crate::located::Located;
use crate::places;
use crate::rules::{Rules, SourceFile};
use crate::tree::{self, Value};

/// A pattern that was found in a file.
pub struct Found {
    /// Where in the document, or the name of the rule.
    pub path: String,
    /// The dialect that its place asks for; none if that is for the user to say.
    pub dialect: Option<Dialect>,
    /// The pattern's text.
    pub text: String,
    located: Located,
}

impl Found {
    fn new(path: String, dialect: Option<Dialect>, located: Located) -> Found {
        Found { path, dialect, text: located.text.clone(), located }
    }

    /// A finding in the pattern, as a finding in the file.
    #[must_use]
    pub fn in_file(&self, finding: &Finding) -> Finding {
        self.located.in_file(finding)
    }

    /// Where a part of the text stands in the file.
    #[must_use]
    pub fn range(&self, span: Span) -> Range<usize> {
        self.located.range(span)
    }

    /// Whether a part of the text is only known when the template is deployed.
    #[must_use]
    pub fn touches_hole(&self, span: Span) -> bool {
        self.located.touches_hole(span)
    }
}

/// The patterns of a file, as `eventrie check` finds them.
///
/// # Errors
/// If the file is not of the kind that it seems to be: a message with the place.
pub fn patterns(name: &str, text: &str) -> Result<Vec<Found>, String> {
    let file = SourceFile { name: name.to_owned(), text: text.to_owned() };
    Ok(match document::read(file).map_err(|error| format!("{error:#}"))? {
        Document::Template(file, root) => {
            let places = places::find(&root, &file.text).into_iter();
            places.map(|place| Found::new(place.path, Some(place.dialect), place.pattern)).collect()
        }
        Document::Rules(rules) => all(rules),
    })
}

/// The patterns of a rule file, as `--rules` reads them.
///
/// # Errors
/// If the file is no rule file: a message with the place.
pub fn rules(text: &str) -> Result<Vec<Found>, String> {
    let file = SourceFile { name: "rules".to_owned(), text: text.to_owned() };
    let rules = crate::rules::parse(file).map_err(|error| format!("{error:#}"))?;
    Ok(all(rules))
}

fn all(Rules { names, rules, .. }: Rules) -> Vec<Found> {
    let name = |group: usize| names.get(group).cloned().unwrap_or_default();
    rules.into_iter().map(|rule| Found::new(name(rule.group), None, rule.pattern)).collect()
}

/// A document as JSON text, and the places of its nodes.
pub type Written = (String, Vec<Range<usize>>);

/// A document as JSON text, and the places of all of its nodes. Members keep their order and duplicates.
///
/// # Errors
/// If it is malformed: the place and a message.
pub fn document_as_json(text: &str, yaml: bool) -> Result<Written, (usize, String)> {
    let root = if yaml { tree::parse_yaml(text) } else { tree::parse_json(text) };
    let root = root.map_err(|error| (error.offset, error.message))?;
    let (mut json, mut places) = (String::new(), Vec::new());
    write(&root, &mut json, &mut places);
    Ok((json, places))
}

fn write(node: &tree::Node, json: &mut String, places: &mut Vec<Range<usize>>) {
    places.push(node.span.clone());
    let quoted = |text: &str| serde_json::Value::from(text).to_string();
    match &node.value {
        Value::String(text) => json.push_str(&quoted(text)),
        Value::Plain(text) => json.push_str(text),
        Value::List(elements) => {
            json.push('[');
            for (at, element) in elements.iter().enumerate() {
                json.push_str(if at > 0 { "," } else { "" });
                write(element, json, places);
            }
            json.push(']');
        }
        Value::Map(members) => {
            json.push('{');
            for (at, (key, value)) in members.iter().enumerate() {
                json.push_str(if at > 0 { "," } else { "" });
                write(key, json, places);
                json.push(':');
                write(value, json, places);
            }
            json.push('}');
        }
    }
}

/// An event of an input: its text, its number, its line, and why there is none.
pub type Event = (Vec<u8>, u64, u64, Option<&'static str>);

/// The events of an input, as `eventrie match` splits it.
///
/// # Errors
/// If the input cannot be read or unpacked.
pub fn events(reader: impl Read + 'static) -> std::io::Result<Vec<Event>> {
    let mut input = Input::from_reader("input", Box::new(reader))?;
    let mut events = Vec::new();
    while let Some((text, items)) = input.next_batch()? {
        for item in items {
            let text = text.get(item.range.clone()).unwrap_or(&[]).to_vec();
            events.push((text, item.number, item.line, item.fault));
        }
    }
    Ok(events)
}
