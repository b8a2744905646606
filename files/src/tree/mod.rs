//! A document in JSON, YAML or HCL, as a tree whose nodes keep their places in the file.

#[cfg(feature = "hcl")]
mod hcl;
mod json;
pub(crate) mod named;
mod yaml;

use std::ops::Range;

/// Deepest nesting that is read; templates are far flatter, and walking stays within the stack.
pub const MAX_DEPTH: usize = 200;

/// A value and where it is in its file, in bytes.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// The bytes of the file that spell the value.
    pub span: Range<usize>,
    /// What it is.
    pub value: Value,
    /// A YAML tag, such as `!Sub`, without the exclamation mark.
    pub tag: Option<String>,
}

/// What a node is.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A scalar that is surely a string: quoted, or a YAML block. The spelling is found again through the span.
    String(String),
    /// A scalar that its spelling makes a number, true, false, null or (YAML) a string.
    Plain(String),
    /// A list.
    List(Vec<Node>),
    /// Members in order, duplicates kept.
    Map(Vec<(Node, Node)>),
}

/// Why a document could not be read, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Malformed {
    /// The byte of the text.
    pub offset: usize,
    /// What was expected there.
    pub message: String,
}

#[cfg(feature = "hcl")]
pub use hcl::parse as parse_hcl;

/// A value that has a name, by which other parts of the file use it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Named {
    /// The bytes of the value.
    pub(crate) span: Range<usize>,
    /// Where it is used. Where the value itself is part of the document, its own first byte is among them.
    pub(crate) uses: Vec<usize>,
}

/// Whether a file of this name is in Terraform's own language.
pub(crate) fn is_terraform(name: &str) -> bool {
    name.ends_with(".tf") || name.ends_with(".tofu")
}

pub use json::parse as parse_json;
pub use yaml::{parse as parse_yaml, parse_all as parse_all_yaml};

impl Node {
    /// The members of a map; none of anything else.
    pub fn members(&self) -> &[(Node, Node)] {
        match &self.value {
            Value::Map(members) => members,
            _ => &[],
        }
    }

    /// The elements of a list; none of anything else.
    pub fn elements(&self) -> &[Node] {
        match &self.value {
            Value::List(elements) => elements,
            _ => &[],
        }
    }

    /// The text of a scalar.
    pub fn text(&self) -> Option<&str> {
        match &self.value {
            Value::String(text) | Value::Plain(text) => Some(text),
            _ => None,
        }
    }

    /// The member of this name; of several the last.
    pub fn get(&self, name: &str) -> Option<&Node> {
        crate::work::note(self.members().len());
        self.members().iter().rev().find(|(key, _)| key.text() == Some(name)).map(|(_, value)| value)
    }
}
