//! From the spanned tree to the pattern tree, collecting every problem on the way.
//!
//! The service's compiler is one pass over the tokens and stops at the first violation. This pass goes on, and notes
//! for each violation how far the service's parser had read when it raised it (`raised_at`); the first in that order is
//! the one that the service reports.

mod anything_but;
mod numeric;
mod operator;
mod scope;
mod suggest;

use std::borrow::Cow;
use std::sync::Arc;

use smallvec::SmallVec;

use super::ast::{Ast, Key, Node, NodeKind, Operand, Test, TestKind};
use super::options::ParseOptions;
use crate::base::{Piece, Span};
use crate::diagnostic::{Code, Finding, Findings, Severity};
use crate::dialect::{Dialect, Operator, SnsVersion, Support, is_reserved_in_or, wording};
use crate::json::{self, Kind, Tree};
use crate::value::PatternNumber;

/// `raised_at` of problems that are found only when the whole text has been read.
pub(super) const AT_END: u32 = u32::MAX - 16;

/// What the reading depends on besides the text.
#[derive(Clone, Copy)]
pub(super) struct Reading {
    pub(super) dialect: Dialect,
    pub(super) version: SnsVersion,
    pub(super) strict: bool,
    /// Whether `$or` makes a group; otherwise it is a field like any other.
    pub(super) groups: bool,
}

impl Reading {
    /// Whether the engine of SNS in 2024 is meant.
    fn is_old_sns(self) -> bool {
        self.dialect.is_sns() && self.version == SnsVersion::V2024
    }

    pub(super) fn of(options: &ParseOptions) -> Reading {
        Reading { dialect: options.dialect(), version: options.version(), strict: options.is_strict(), groups: true }
    }
}

/// Reads the tree of `whole` as a pattern. The tree of nodes is of use only if nothing was found.
pub(super) fn read(tree: &Tree<'_>, whole: &Arc<str>, reading: Reading) -> (Ast, Findings) {
    let mut reader =
        Reader { tree, whole, reading, ast: Ast::default(), findings: Findings::default(), field: None, advised: None };
    reader.read();
    (reader.ast, reader.findings)
}

struct Reader<'t> {
    tree: &'t Tree<'t>,
    /// The text of the tree, which names and operands are pieces of.
    whole: &'t Arc<str>,
    reading: Reading,
    ast: Ast,
    findings: Findings,
    /// The key of the field whose list is being read.
    field: Option<Span>,
    /// The field that was found to be meant as a group.
    advised: Option<Span>,
}

/// The open containers, outermost first.
type Open = SmallVec<[Frame; 4]>;

/// An open container.
struct Frame {
    /// Index of the container in the JSON tree, and after its subtree.
    at: usize,
    behind: usize,
    /// Index of its node in the pattern tree.
    node: usize,
    group: bool,
    /// Whether an `$or` encloses it, so some names are reserved.
    inside_or: bool,
    members: usize,
}

impl Reader<'_> {
    fn read(&mut self) {
        let Some(root) = self.tree.nodes.first() else { return };
        if root.kind != Kind::Object {
            if self.array_at_root(root) {
                return;
            }
            self.not_an_object(0);
            return;
        }
        // Nearly exact, so a pattern keeps no more memory than it needs: named containers are members, and what has
        // no name and is not the pattern itself is an entry of a list.
        let members = |node: &&json::Node| node.key.is_some() && matches!(node.kind, Kind::Object | Kind::Array);
        let named = |node: &&json::Node| node.key.is_some();
        self.ast.nodes.reserve_exact(1 + self.tree.nodes.iter().filter(members).count());
        self.ast.tests.reserve_exact(self.tree.nodes.len() - 1 - self.tree.nodes.iter().filter(named).count());
        let mut open = Open::new();
        let mut at = self.open(&mut open, 0, None, false, false);
        while let Some(frame) = open.last_mut() {
            if at >= frame.behind {
                if let Some(frame) = open.pop() {
                    self.close(&frame);
                }
                continue;
            }
            frame.members += 1;
            let (group, inside_or, container) = (frame.group, frame.inside_or, frame.at);
            let Some(node) = self.tree.nodes.get(at) else { break };
            at = if !group {
                self.member(&mut open, at, node, container, inside_or)
            } else if node.kind == Kind::Object {
                self.open(&mut open, at, None, false, true)
            } else {
                self.push(
                    self.error(Code::BadOr, node.span, "a branch of `$or` must be an object of fields")
                        .label(describe(node))
                        .help("each entry of `$or` looks like a small pattern: `{\"field\": [\"value\"]}`")
                        .service("Only JSON object is allowed in array of $or relationship.", begun(node)),
                );
                node.end as usize
            };
        }
    }

    /// Opens the container at `at`; returns the index of its first child.
    fn open(&mut self, open: &mut Open, at: usize, key: Option<Key>, group: bool, inside_or: bool) -> usize {
        if let Some(container) = self.tree.nodes.get(at) {
            let kind = if group { NodeKind::Or } else { NodeKind::Object };
            let node = self.ast.nodes.len();
            self.ast.nodes.push(Node { key, span: container.span, kind, end: 0 });
            open.push(Frame { at, behind: container.end as usize, node, group, inside_or, members: 0 });
        }
        at + 1
    }

    fn close(&mut self, frame: &Frame) {
        let end = index(self.ast.nodes.len());
        if let Some(node) = self.ast.nodes.get_mut(frame.node) {
            node.end = end;
        }
        let Some(container) = self.tree.nodes.get(frame.at).filter(|container| container.closed) else { return };
        if frame.group && frame.members < 2 {
            self.too_few_branches(frame.at, frame.members);
        } else if !frame.group && frame.members == 0 && !(frame.at == 0 && self.reading.dialect.is_sns()) {
            let help = if frame.at == 0 {
                "name at least one field; to accept every event of an account, write `{\"account\": [\"…\"]}`"
            } else {
                "to accept anything, remove the field; to require a value, write `[{\"exists\": true}]`"
            };
            self.push(
                self.error(Code::EmptyObject, container.span, "the object is empty")
                    .label("names no field")
                    .help(help)
                    .service(wording::EMPTY_OBJECT, container.span.end),
            );
        }
    }

    /// Reads the member at `at`; returns the index of what comes next.
    fn member(&mut self, open: &mut Open, at: usize, node: &json::Node, container: usize, inside_or: bool) -> usize {
        // INVARIANT: members have keys.
        let Some(span) = node.key else { return node.end as usize };
        let name = self.tree.string_of(node, span);
        if self.not_in_scope(node, span, &name) || self.set_by_source(open, node, span, &name) {
            return node.end as usize;
        }
        if name == "$or" && self.reading.groups {
            if node.kind == Kind::Array {
                return self.open(open, at, Some(Key { text: "$or".into(), span }), true, true);
            }
            self.or_without_list(at, node);
            return node.end as usize;
        }
        if inside_or && self.reading.groups && is_reserved_in_or(&name) {
            self.reserved(node, span, &name);
            return node.end as usize;
        }
        let key = Some(Key { text: self.piece(span, name), span });
        match node.kind {
            Kind::Object => self.open(open, at, key, false, inside_or),
            Kind::Array => {
                self.field = Some(span);
                self.list(at, node, key);
                self.field = None;
                node.end as usize
            }
            Kind::String | Kind::Number | Kind::True | Kind::False | Kind::Null => {
                self.bare_value(node, span, container);
                node.end as usize
            }
        }
    }

    fn list(&mut self, at: usize, list: &json::Node, key: Option<Key>) {
        let first = index(self.ast.tests.len());
        let mut empty = true;
        let mut next = at + 1;
        while next < list.end as usize {
            let Some(node) = self.tree.nodes.get(next) else { break };
            empty = false;
            let kind = match node.kind {
                Kind::String => Some(TestKind::String(self.operand(node))),
                Kind::Number => Some(TestKind::Number(self.pattern_number(node.span))),
                Kind::True => Some(TestKind::Bool(true)),
                Kind::False => Some(TestKind::Bool(false)),
                Kind::Null => Some(TestKind::Null),
                Kind::Object => self.operator(next, node),
                Kind::Array => {
                    self.nested_list(next, node);
                    None
                }
            };
            if let Some(kind) = kind {
                self.ast.tests.push(Test { span: node.span, kind });
            }
            next = node.end as usize;
        }
        if empty && list.closed {
            self.push(
                self.error(Code::EmptyList, list.span, "the list is empty")
                    .label("never matches")
                    .help(
                        "write the accepted values: `[{\"exists\": true}]` accepts any value, `[{\"exists\": \
                         false}]` a missing field, `[\"\"]` an empty string",
                    )
                    .service("Empty arrays are not allowed", list.span.end),
            );
        }
        let end = index(self.ast.tests.len());
        let behind = index(self.ast.nodes.len() + 1);
        self.ast.nodes.push(Node { key, span: list.span, kind: NodeKind::Field { first, end }, end: behind });
    }

    fn push(&mut self, finding: Finding) {
        self.findings.push(finding);
    }

    fn error(&self, code: Code, span: Span, message: impl Into<String>) -> Finding {
        Finding::new(code, Severity::Error, span, message)
    }

    fn source(&self, span: Span) -> &str {
        span.slice(self.tree.text())
    }

    fn operand(&self, node: &json::Node) -> Operand {
        Operand { text: self.piece(node.span, self.tree.string_of(node, node.span)), span: node.span }
    }

    /// The value of a string: the text between its quotes, unless there are escapes or the closing quote is missing.
    fn piece(&self, span: Span, value: Cow<'_, str>) -> Piece {
        match value {
            Cow::Borrowed(text) if text.len() + 2 == span.len() as usize => {
                Piece::of(self.whole, Span::new(span.start + 1, span.end - 1))
            }
            value => value.into(),
        }
    }

    /// The number that a node is.
    fn pattern_number(&self, span: Span) -> PatternNumber {
        PatternNumber::new(Piece::of(self.whole, span))
    }

    fn support(&self, operator: Operator) -> Support {
        match self.reading.dialect.support_in(operator, self.reading.version) {
            Support::Unlisted if self.reading.strict => Support::No,
            support => support,
        }
    }
}

/// How far the service's parser has read when the node is its current token, or the value of the key that is: a
/// string is read only up to its opening quote, a container only up to its bracket.
fn begun(node: &json::Node) -> u32 {
    match node.kind {
        Kind::Object | Kind::Array | Kind::String => node.span.start + 1,
        Kind::Number | Kind::True | Kind::False | Kind::Null => node.span.end,
    }
}

/// What a value is, for a label.
fn describe(node: &json::Node) -> &'static str {
    match node.kind {
        Kind::Object => "this is an object",
        Kind::Array => "this is a list",
        Kind::String => "this is a string",
        Kind::Number => "this is a number",
        Kind::True | Kind::False => "this is a boolean",
        Kind::Null => "this is `null`",
    }
}

/// INVARIANT: there are fewer nodes and tests than bytes of text, of which there are fewer than 2^32.
fn index(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}
