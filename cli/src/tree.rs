//! A document, JSON or YAML, as a tree in which every node knows where it stands.

mod json;
mod yaml;

use std::ops::Range;

/// Deepest nesting that is read; templates are far flatter, and walking stays within the stack.
pub(crate) const MAX_DEPTH: usize = 200;

/// A value and where it stands in its file, in bytes.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Node {
    pub(crate) span: Range<usize>,
    pub(crate) value: Value,
    /// A YAML tag, such as `!Sub`, without the exclamation mark.
    pub(crate) tag: Option<String>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Value {
    /// A scalar that is surely a string: quoted, or a YAML block. The spelling is found again through the span.
    String(String),
    /// A scalar that its spelling makes a number, true, false, null or (YAML) a string.
    Plain(String),
    List(Vec<Node>),
    /// Members in order, duplicates kept.
    Map(Vec<(Node, Node)>),
}

/// Why a document could not be read, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Malformed {
    pub(crate) offset: usize,
    pub(crate) message: String,
}

pub(crate) use json::parse as parse_json;
pub(crate) use yaml::parse as parse_yaml;

impl Node {
    /// The members of a map; none of anything else.
    pub(crate) fn members(&self) -> &[(Node, Node)] {
        match &self.value {
            Value::Map(members) => members,
            _ => &[],
        }
    }

    /// The elements of a list; none of anything else.
    pub(crate) fn elements(&self) -> &[Node] {
        match &self.value {
            Value::List(elements) => elements,
            _ => &[],
        }
    }

    /// The text of a scalar.
    pub(crate) fn text(&self) -> Option<&str> {
        match &self.value {
            Value::String(text) | Value::Plain(text) => Some(text),
            _ => None,
        }
    }

    /// The member of this name; of several the last.
    pub(crate) fn get(&self, name: &str) -> Option<&Node> {
        self.members().iter().rev().find(|(key, _)| key.text() == Some(name)).map(|(_, value)| value)
    }
}
