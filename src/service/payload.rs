//! A record as patterns see it: its payload decoded, Lambda's `kinesis` object at the top level.

use smallvec::SmallVec;

use super::decode::base64;
use crate::base::Span;
use crate::base::text::push_json_string;
use crate::dialect::{Dialect, Source};
use crate::json::{EventError, Kind, Node, Tree, kind_of};
use crate::limit::Limits;

/// What a payload is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Payload {
    /// There is none, or the record has it as JSON already.
    None,
    Plain,
    Json,
    NotText,
}

/// How the records of a source become events.
#[derive(Clone, Copy, Debug)]
pub(super) struct Projection {
    pub(super) source: Source,
    pub(super) dialect: Dialect,
    /// Which payloads are decoded: by position in [`Source::payloads`].
    pub(super) named: [bool; 2],
}

impl Projection {
    /// The event that patterns see.
    pub(super) fn event(&self, record: &[u8], limits: &Limits) -> Result<Vec<u8>, EventError> {
        let mut text = Vec::new();
        let projected =
            self.is_needed() && self.project(record, limits, &mut text, &mut Vec::new(), &mut [Payload::None; 2])?;
        Ok(if projected { text } else { record.to_vec() })
    }

    /// Whether a record may differ from its event.
    pub(super) fn is_needed(&self) -> bool {
        self.hoists() || self.source.payloads().iter().zip(self.named).any(|(_, named)| named)
    }

    fn hoists(&self) -> bool {
        self.source == Source::Kinesis && self.dialect == Dialect::Lambda
    }

    /// Writes the event that patterns see. False if that is the record itself.
    pub(super) fn project(
        &self,
        record: &[u8],
        limits: &Limits,
        text: &mut Vec<u8>,
        payload: &mut Vec<u8>,
        states: &mut [Payload; 2],
    ) -> Result<bool, EventError> {
        let tree = Tree::parse_event(record, limits)?;
        let mut editor =
            Editor { tree: &tree, source: self.source, limits, payload, edits: SmallVec::new(), made: Vec::new() };
        let mut hoisted = None;
        for (at, node) in tree.children(0) {
            let Some(key) = node.key.map(|key| tree.string(key)) else { continue };
            if key == "kinesis" && self.hoists() && node.kind == Kind::Object {
                hoisted = Some(*node);
                for (_, inner) in tree.children(at) {
                    let data = inner.key.is_some_and(|key| tree.string(key) == "data");
                    if data && self.named[0] {
                        states[0] = editor.decode(inner);
                    }
                }
            }
            for ((field, named), state) in self.source.payloads().iter().zip(self.named).zip(states.iter_mut()) {
                if key == *field && named {
                    *state = editor.decode(node);
                }
            }
        }
        let Editor { edits, made, .. } = editor;
        if edits.is_empty() && hoisted.is_none() {
            return Ok(false);
        }
        let copy = |text: &mut Vec<u8>, from: u32, to: u32| {
            let mut at = from;
            for edit in edits.iter().filter(|edit| from <= edit.span.start && edit.span.end <= to) {
                text.extend_from_slice(bytes(record, at, edit.span.start));
                text.extend_from_slice(made.get(edit.from..edit.to).unwrap_or(&[]));
                at = edit.span.end;
            }
            text.extend_from_slice(bytes(record, at, to));
        };
        text.clear();
        let root = tree.nodes.first().map_or(Span::default(), |root| root.span);
        let mut start = root.start;
        if let Some(inner) = hoisted {
            let empty = inner.span.len() <= 2
                || bytes(record, inner.span.start + 1, inner.span.end - 1).trim_ascii().is_empty();
            if !empty {
                text.push(b'{');
                copy(text, inner.span.start + 1, inner.span.end - 1);
                text.push(b',');
                start += 1;
            }
        }
        copy(text, start, root.end);
        Ok(true)
    }
}

fn bytes(text: &[u8], from: u32, to: u32) -> &[u8] {
    text.get(from as usize..to as usize).unwrap_or(&[])
}

struct Edit {
    span: Span,
    /// Where the new text is among all that was made.
    from: usize,
    to: usize,
}

struct Editor<'a, 't> {
    tree: &'a Tree<'t>,
    source: Source,
    limits: &'a Limits,
    payload: &'a mut Vec<u8>,
    edits: SmallVec<[Edit; 4]>,
    made: Vec<u8>,
}

impl Editor<'_, '_> {
    /// Decodes the payload in a string, and notes what replaces it.
    fn decode(&mut self, node: &Node) -> Payload {
        if node.kind != Kind::String {
            return match node.kind {
                // Somebody has decoded it already.
                Kind::Object => Payload::Json,
                _ => Payload::None,
            };
        }
        let raw = self.tree.string(node.span);
        let decoded = if self.source == Source::Sqs {
            Some(&*raw)
        } else if base64(raw.as_bytes(), self.payload) {
            std::str::from_utf8(self.payload).ok()
        } else {
            None
        };
        let Some(decoded) = decoded else { return Payload::NotText };
        let from = self.made.len();
        let kind = kind_of(decoded, self.limits);
        match kind {
            Some(Kind::Object) => self.made.extend_from_slice(decoded.trim().as_bytes()),
            // Lists and scalars are JSON, but a filter that looks into the payload finds nothing in them.
            Some(_) => self.made.extend_from_slice(b"{}"),
            None if self.source == Source::Sqs => return Payload::Plain,
            None => {
                let mut quoted = String::with_capacity(decoded.len() + 2);
                push_json_string(&mut quoted, decoded);
                self.made.extend_from_slice(quoted.as_bytes());
            }
        }
        self.edits.push(Edit { span: node.span, from, to: self.made.len() });
        if kind.is_some() { Payload::Json } else { Payload::Plain }
    }
}
