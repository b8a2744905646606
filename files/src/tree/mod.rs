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
    pub tag: Option<Box<str>>,
    /// For a string of HCL that is not spelled in one piece: where each part of it is.
    pub(crate) parts: Option<Box<Parts>>,
}

/// The parts of a string, in order. Few nodes have any, so others have no room for them.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Parts(pub(crate) Vec<Part>);

/// A part of a string of HCL.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Part {
    /// The bytes of the string.
    pub(crate) text: Range<usize>,
    /// The bytes of the file that spell them.
    pub(crate) file: Range<usize>,
    pub(crate) spelled: Spelled,
}

/// How a part of a string is spelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Spelled {
    /// As it is, with escapes.
    Escaped,
    /// By a name that leads to it: `${local.name}`.
    #[cfg_attr(not(feature = "hcl"), expect(dead_code, reason = "only HCL has such names"))]
    Named,
    /// As an expression whose value is only known later.
    Later,
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

    /// Where each part of a string of HCL is, if it is not spelled in one piece.
    pub(crate) fn parts(&self) -> &[Part] {
        self.parts.as_ref().map_or(&[], |parts| parts.0.as_slice())
    }

    /// The member of this name; of several the last.
    pub fn get(&self, name: &str) -> Option<&Node> {
        crate::work::note(self.members().len());
        self.members().iter().rev().find(|(key, _)| key.text() == Some(name)).map(|(_, value)| value)
    }
}
