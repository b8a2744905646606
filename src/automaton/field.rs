//! The field trie: which paths matter, and which subtrees of an event can be skipped.
//!
//! An edge is one step of a dotted path, so that a key with dots is the same as nesting.

use std::collections::HashMap;
use std::ops::Range;

use super::intern::Seeded;

/// A node of the trie, and what the matcher needs to know when it stands there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Node {
    first_child: u32,
    children: u32,
    /// The field whose path ends here, plus one.
    field: u32,
    /// How many fields lie at or below.
    pub(crate) below: u32,
    pub(crate) parent: u32,
}

impl Node {
    #[inline]
    pub(crate) fn field(&self) -> Option<u32> {
        self.field.checked_sub(1)
    }

    #[inline]
    pub(crate) fn has_children(&self) -> bool {
        self.children != 0
    }
}

/// An edge: the first eight bytes of the step decide nearly always.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Edge {
    head: u64,
    len: u32,
    start: u32,
    node: u32,
}

/// The frozen trie. Node 0 is the event itself.
#[derive(Clone, Debug, Default)]
pub(crate) struct FieldTrie {
    nodes: Vec<Node>,
    /// Of each node consecutively, sorted by head and length.
    edges: Vec<Edge>,
    names: Vec<u8>,
}

/// Up to this many edges are compared one after the other.
const LINEAR: usize = 12;

#[inline]
fn head(step: &[u8]) -> u64 {
    match step.first_chunk::<8>() {
        Some(chunk) => u64::from_le_bytes(*chunk),
        None => step.iter().rev().fold(0, |head, byte| head << 8 | u64::from(*byte)),
    }
}

impl FieldTrie {
    #[inline]
    pub(crate) fn node(&self, node: u32) -> Node {
        self.nodes.get(node as usize).copied().unwrap_or_default()
    }

    /// How many nodes there are.
    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The node that a key of an object at `node` leads to. A key with dots takes several steps.
    #[inline]
    pub(crate) fn step(&self, node: u32, key: &[u8]) -> Option<u32> {
        self.edge(node, key).or_else(|| self.dotted(node, key))
    }

    #[inline]
    fn edge(&self, node: u32, key: &[u8]) -> Option<u32> {
        let edges = self.edges_of(node);
        let (head, len) = (head(key), key.len() as u32);
        let found = if edges.len() <= LINEAR {
            edges.iter().find(|edge| edge.head == head && edge.len == len && (len <= 8 || self.name(edge) == key))
        } else {
            let from = edges.partition_point(|edge| (edge.head, edge.len) < (head, len));
            let alike = edges.get(from..).unwrap_or(&[]).iter();
            alike.take_while(|edge| edge.head == head && edge.len == len).find(|edge| self.name(edge) == key)
        };
        found.map(|edge| edge.node)
    }

    /// A key that is no step: it can only lead somewhere if it has dots.
    fn dotted(&self, node: u32, key: &[u8]) -> Option<u32> {
        let first = memchr::memchr(b'.', key).and_then(|dot| key.get(..dot))?;
        self.edge(node, first)?;
        key.split(|byte| *byte == b'.').try_fold(node, |node, step| self.edge(node, step))
    }

    #[inline]
    fn edges_of(&self, node: u32) -> &[Edge] {
        let node = self.node(node);
        self.edges.get(node.first_child as usize..(node.first_child + node.children) as usize).unwrap_or(&[])
    }

    #[inline]
    fn name(&self, edge: &Edge) -> &[u8] {
        self.names.get(edge.start as usize..(edge.start + edge.len) as usize).unwrap_or(&[])
    }

    pub(crate) fn memory_usage(&self) -> usize {
        self.nodes.capacity() * size_of::<Node>() + self.edges.capacity() * size_of::<Edge>() + self.names.capacity()
    }
}

/// The trie while it grows.
pub(crate) struct FieldTrieBuilder {
    /// Parent, step (range in `names`), field.
    nodes: Vec<(u32, Range<u32>, Option<u32>)>,
    edges: HashMap<(u32, Box<[u8]>), u32, Seeded>,
    names: Vec<u8>,
    /// The dotted path of each field.
    pub(crate) paths: Vec<Box<str>>,
    /// The field of each dotted path: most paths come again with every rule.
    known: HashMap<Box<str>, u32, Seeded>,
}

impl FieldTrieBuilder {
    pub(crate) fn new(seeded: Seeded) -> FieldTrieBuilder {
        FieldTrieBuilder {
            nodes: vec![(0, 0..0, None)],
            edges: HashMap::with_hasher(seeded.clone()),
            names: Vec::new(),
            paths: Vec::new(),
            known: HashMap::with_hasher(seeded),
        }
    }

    /// The field with this dotted path. None if the ids no longer fit in 32 bits.
    pub(crate) fn field(&mut self, path: &str) -> Option<u32> {
        if let Some(field) = self.known.get(path) {
            return Some(*field);
        }
        let mut node = 0;
        for step in path.as_bytes().split(|byte| *byte == b'.') {
            let edge = (node, Box::from(step));
            node = match self.edges.get(&edge) {
                Some(child) => *child,
                None => {
                    let child = u32::try_from(self.nodes.len()).ok().filter(|child| *child < u32::MAX - 1)?;
                    let start = u32::try_from(self.names.len()).ok()?;
                    self.names.extend_from_slice(step);
                    self.nodes.push((node, start..u32::try_from(self.names.len()).ok()?, None));
                    self.edges.insert(edge, child);
                    child
                }
            };
        }
        let field = u32::try_from(self.paths.len()).ok()?;
        self.nodes.get_mut(node as usize)?.2 = Some(field);
        self.paths.push(path.into());
        self.known.insert(path.into(), field);
        Some(field)
    }

    /// Rough size, to stop before memory runs out.
    pub(crate) fn memory_usage(&self) -> usize {
        self.names.capacity() * 4 + self.nodes.capacity() * 96
    }

    pub(crate) fn freeze(self) -> FieldTrie {
        let names = self.names;
        let mut edges: Vec<(u32, Edge)> = Vec::with_capacity(self.nodes.len());
        for (id, (parent, span, _)) in self.nodes.iter().enumerate().skip(1) {
            let step = names.get(span.start as usize..span.end as usize).unwrap_or(&[]);
            let edge = Edge { head: head(step), len: span.end - span.start, start: span.start, node: id as u32 };
            edges.push((*parent, edge));
        }
        edges.sort_unstable_by_key(|(parent, edge)| (*parent, edge.head, edge.len));
        let mut nodes: Vec<Node> = Vec::with_capacity(self.nodes.len());
        for (parent, _, field) in &self.nodes {
            nodes.push(Node { parent: *parent, field: field.map_or(0, |field| field + 1), ..Node::default() });
        }
        for (at, (parent, _)) in edges.iter().enumerate() {
            if let Some(node) = nodes.get_mut(*parent as usize) {
                if node.children == 0 {
                    node.first_child = at as u32;
                }
                node.children += 1;
            }
        }
        // Children are numbered behind their parents.
        for id in (0..nodes.len()).rev() {
            let Some(node) = nodes.get_mut(id) else { continue };
            node.below += u32::from(node.field != 0);
            let (below, parent) = (node.below, node.parent);
            if let Some(parent) = nodes.get_mut(parent as usize).filter(|_| id != 0) {
                parent.below += below;
            }
        }
        let mut names = names;
        names.shrink_to_fit();
        FieldTrie { nodes, edges: edges.into_iter().map(|(_, edge)| edge).collect(), names }
    }
}

#[cfg(test)]
mod tests {
    use super::{FieldTrieBuilder, Seeded};

    #[test]
    fn dots_are_nesting() {
        let mut builder = FieldTrieBuilder::new(Seeded::default());
        let paths = ["a", "a.b.c", "", ".x", "a.", "averylongname.b", "averylongnamf.b"];
        for (index, path) in paths.iter().enumerate() {
            assert_eq!(builder.field(path), Some(index as u32));
            assert_eq!(builder.field(path), Some(index as u32));
        }
        for index in 0..40 {
            builder.field(&format!("wide.k{index}"));
        }
        let trie = builder.freeze();
        let walk = |keys: &[&str]| {
            let node = keys.iter().try_fold(0, |node, key| trie.step(node, key.as_bytes()));
            node.and_then(|node| trie.node(node).field())
        };
        assert_eq!(walk(&["a", "b", "c"]), Some(1));
        assert_eq!(walk(&["a.b", "c"]), Some(1));
        assert_eq!(walk(&["a.b.c"]), Some(1));
        assert_eq!(walk(&[""]), Some(2));
        assert_eq!(walk(&["", "x"]), Some(3));
        assert_eq!(walk(&[".x"]), Some(3));
        assert_eq!(walk(&["a", ""]), Some(4));
        assert_eq!(walk(&["a."]), Some(4));
        assert_eq!(walk(&["averylongnamf", "b"]), Some(6));
        assert_eq!(walk(&["averylongnamX", "b"]), None);
        assert_eq!(walk(&["a", "b"]), None);
        assert_eq!((0..40).filter(|index| walk(&["wide", &format!("k{index}")]).is_some()).count(), 40);
        assert_eq!(trie.node(0).below, 47);
    }
}
