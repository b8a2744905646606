//! What the user wrote: a flat tree in text order. Recursion over it is never needed: children of a node come after it,
//! up to its `end`.

use crate::base::{Piece, Span};
use crate::value::{AddressBlock, Fold, NumericRange, PatternNumber, Wildcard};

/// A checked pattern. Node 0 is the pattern's own object (without key); a node's subtree is the nodes from the one
/// after it to its `end`.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Ast {
    pub(crate) nodes: Vec<Node>,
    pub(crate) tests: Vec<Test>,
    /// Where text after the closing brace begins, if there is any but whitespace (it is never read).
    pub(crate) trailing: Option<u32>,
}

/// An object, a field or an `$or` group.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Node {
    /// The member's name; none for the root and for the branches of an `$or`.
    pub(crate) key: Option<Key>,
    /// The value's text, brackets included.
    pub(crate) span: Span,
    pub(crate) kind: NodeKind,
    /// Index after the last node of the subtree.
    pub(crate) end: u32,
}

/// A member's name, unescaped, and where it is (quotes included).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Key {
    pub(crate) text: Piece,
    pub(crate) span: Span,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NodeKind {
    /// Members follow as children. The root, a nested object, or a branch of an `$or`.
    Object,
    /// A list of tests: `Ast::tests[first..end]`, never empty. A leaf.
    Field { first: u32, end: u32 },
    /// An `$or`: its branches follow as children, each an `Object`.
    Or,
}

/// One entry of a field's list.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Test {
    /// The entry's text.
    pub(crate) span: Span,
    pub(crate) kind: TestKind,
}

/// A string operand and where it is (quotes included).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Operand {
    pub(crate) text: Piece,
    pub(crate) span: Span,
}

/// Rare and large operands are boxed: lists are long, and patterns are kept as long as their matcher is rebuilt.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum TestKind {
    /// A string literal. One that is an address matches every spelling of it.
    String(Operand),
    Number(PatternNumber),
    Bool(bool),
    Null,
    /// `{"exactly": "x"}`: a string literal that is never taken as an address.
    Exactly(Operand),
    Prefix(Operand),
    Suffix(Operand),
    PrefixIgnoreCase(Box<FoldOperand>),
    SuffixIgnoreCase(Box<FoldOperand>),
    EqualsIgnoreCase(Box<FoldOperand>),
    Wildcard(WildcardOperand),
    Numeric(Box<NumericRange>),
    Cidr(Operand, Box<AddressBlock>),
    Exists(bool),
    AnythingBut(AnythingBut),
}

/// An operand compared without regard to case.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct FoldOperand {
    pub(crate) operand: Operand,
    pub(crate) fold: Fold,
}

/// A wildcard operand.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct WildcardOperand {
    pub(crate) operand: Operand,
    pub(crate) wildcard: Wildcard,
}

/// `anything-but` in its forms; one operand or a list, never empty.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum AnythingBut {
    Strings(Vec<Operand>),
    Numbers(Vec<(Span, PatternNumber)>),
    Prefix(Vec<Operand>),
    Suffix(Vec<Operand>),
    EqualsIgnoreCase(Vec<FoldOperand>),
    Wildcard(Vec<WildcardOperand>),
}

impl Ast {
    /// The children of node `parent`, in text order.
    pub(crate) fn children(&self, parent: usize) -> impl Iterator<Item = (usize, &Node)> {
        let end = self.nodes.get(parent).map_or(0, |node| node.end as usize);
        let mut next = parent + 1;
        std::iter::from_fn(move || {
            let at = next;
            let node = self.nodes.get(at).filter(|_| at < end)?;
            next = node.end as usize;
            Some((at, node))
        })
    }

    /// The length of all dotted paths together, without writing any of them out.
    pub(crate) fn path_bytes(&self) -> usize {
        let mut open: Vec<(u32, usize)> = Vec::new();
        let mut sum = 0_usize;
        for (at, node) in self.nodes.iter().enumerate() {
            while open.pop_if(|(end, _)| at >= *end as usize).is_some() {}
            let enclosing = open.last().map_or(0, |(_, length)| *length);
            let length = node.key.as_ref().map_or(enclosing, |key| enclosing + 1 + key.text.len());
            match node.kind {
                NodeKind::Field { .. } => sum = sum.saturating_add(length),
                NodeKind::Object | NodeKind::Or => open.push((node.end, length)),
            }
        }
        sum
    }

    /// The tests of a field node.
    pub(crate) fn tests_of(&self, node: &Node) -> &[Test] {
        match node.kind {
            NodeKind::Field { first, end } => self.tests.get(first as usize..end as usize).unwrap_or(&[]),
            NodeKind::Object | NodeKind::Or => &[],
        }
    }
}

/// The path of a leaf list: the engine's join of the enclosing path and the key, where an empty enclosing path vanishes.
/// (The event side always writes the dot.)
pub(crate) fn join_path(enclosing: Option<&str>, key: &str) -> String {
    match enclosing {
        Some(path) if !path.is_empty() => format!("{path}.{key}"),
        _ => key.to_owned(),
    }
}

/// The path of a nested object. The engine keeps the keys and joins them for each leaf list, so here, as in the
/// event, an empty key leaves its dot: only directly inside it, [`join_path`] drops it.
pub(crate) fn object_path(enclosing: Option<&str>, key: &str) -> String {
    match enclosing {
        Some(path) => format!("{path}.{key}"),
        None => key.to_owned(),
    }
}
