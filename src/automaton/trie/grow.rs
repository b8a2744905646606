//! How the field trie is built: from the paths of rules, from a file, from two tries.

use std::collections::HashMap;
use std::ops::Range;

use super::{Edge, Ends, FieldTrie, SHORT, TrieNode, first_bit, step_bit};
use crate::automaton::codec::{Broken, Flat, Input, Stored, flat, require};
use crate::automaton::ids::{FieldId, NodeId};
use crate::base::{Key, Optional, Seeded, Table, fits, hash};

/// The trie while it grows.
pub(crate) struct FieldTrieBuilder {
    nodes: Table<NodeId, Loose>,
    edges: HashMap<(NodeId, Box<[u8]>), NodeId, Seeded>,
    names: Vec<u8>,
    /// The dotted path of each field.
    pub(crate) paths: Table<FieldId, Box<str>>,
    /// The field of each dotted path: most paths come again with every rule.
    known: HashMap<Box<str>, FieldId, Seeded>,
    seeded: Seeded,
}

impl FieldTrieBuilder {
    pub(crate) fn new(seeded: Seeded) -> FieldTrieBuilder {
        FieldTrieBuilder {
            nodes: vec![Loose { parent: NodeId::FIRST, step: 0..0, field: Optional::NONE }].into(),
            edges: HashMap::with_hasher(seeded.clone()),
            names: Vec::new(),
            paths: Table::new(),
            known: HashMap::with_hasher(seeded.clone()),
            seeded,
        }
    }

    /// The field with this dotted path. None if the ids no longer fit in 32 bits.
    pub(crate) fn field(&mut self, path: &str) -> Option<FieldId> {
        if let Some(field) = self.known.get(path) {
            return Some(*field);
        }
        let mut node = NodeId::FIRST;
        for step in path.as_bytes().split(|byte| *byte == b'.') {
            let edge = (node, Box::from(step));
            node = match self.edges.get(&edge) {
                Some(child) => *child,
                None => {
                    let start = u32::try_from(self.names.len()).ok()?;
                    self.names.extend_from_slice(step);
                    let step = start..u32::try_from(self.names.len()).ok()?;
                    if !fits(self.nodes.len() + 1) {
                        return None;
                    }
                    let child = self.nodes.push(Loose { parent: node, step, field: Optional::NONE });
                    self.edges.insert(edge, child);
                    child
                }
            };
        }
        let field = self.paths.push(path.into());
        self.nodes[node].field = Optional::some(field);
        self.known.insert(path.into(), field);
        Some(field)
    }

    /// Rough size, to stop before memory runs out.
    pub(crate) fn memory_usage(&self) -> usize {
        self.names.capacity() * 4 + self.nodes.capacity() * 96
    }

    pub(crate) fn freeze(self) -> FieldTrie {
        FieldTrie::assemble(&self.nodes, self.names, self.seeded)
    }
}

/// A node before freezing. Children come after their parents.
#[derive(Clone)]
struct Loose {
    parent: NodeId,
    /// The step that leads to it: a range of the names.
    step: Range<u32>,
    field: Optional<FieldId>,
}

#[allow(
    clippy::indexing_slicing,
    reason = "INVARIANT: steps are ranges of the names that were made with them, or checked"
)]
fn named<'n>(names: &'n [u8], step: &Range<u32>) -> &'n [u8] {
    &names[step.start as usize..step.end as usize]
}

impl FieldTrie {
    fn assemble(loose: &Table<NodeId, Loose>, mut names: Vec<u8>, seeded: Seeded) -> FieldTrie {
        names.shrink_to_fit();
        let mut nodes: Table<NodeId, TrieNode> = Vec::with_capacity(loose.len()).into();
        for (id, Loose { parent, step, field }) in loose.enumerate() {
            nodes.push(TrieNode { parent: *parent, field: *field, dots: [u32::MAX; 4], ..TrieNode::default() });
            if id != NodeId::FIRST {
                nodes[*parent].filter |= step_bit(named(&names, step));
            }
        }
        // Children are numbered after their parents.
        for (id, Loose { step, .. }) in loose.enumerate().skip(1).rev() {
            let node = &mut nodes[id];
            node.below += u32::from(node.field.is_some());
            let (below, parent, inner) = (node.below, node.parent, node.edges != 0);
            let parent = &mut nodes[parent];
            parent.below += below;
            parent.edges += 1;
            if inner {
                if let Some(dot) = parent.dots.get_mut(parent.inner as usize) {
                    *dot = step.end - step.start;
                }
                parent.firsts |= first_bit(named(&names, step));
                parent.inner += 1;
            }
        }
        let (mut first_edge, mut first_slot) = (0, 0);
        for node in nodes.iter_mut() {
            (node.first_edge, node.first_slot) = (first_edge, first_slot);
            node.mask = if node.edges == 0 { 0 } else { (node.edges * 2).next_power_of_two() - 1 };
            first_edge += node.edges;
            first_slot += node.mask + 1;
        }
        let fields = loose.iter().filter(|node| node.field.is_some()).count();
        let mut ends: Table<FieldId, NodeId> = Table::filled(fields, NodeId::FIRST);
        for (id, node) in loose.enumerate() {
            if let Some(field) = node.field.get() {
                ends[field] = id;
            }
        }
        let no_edge = Edge { ends: Ends(0, 0), len: 0, start: 0, node: NodeId::FIRST };
        let mut trie = FieldTrie {
            nodes,
            ends,
            edges: vec![no_edge; first_edge as usize],
            slots: vec![0; first_slot as usize],
            names,
            secrets: [1, 2].map(|nth| hash(&seeded, nth, b"names")),
            inner_secrets: [3, 4].map(|nth| hash(&seeded, nth, b"names")),
            seeded,
        };
        // How many children with edges, and without, have their place already.
        let mut placed: Table<NodeId, (u32, u32)> = Table::filled(trie.nodes.len(), (0, 0));
        for (id, Loose { parent, step, .. }) in loose.enumerate().skip(1) {
            let from = trie.nodes[*parent];
            let (inner, outer) = &mut placed[*parent];
            let place = if trie.nodes[id].has_children() {
                *inner += 1;
                *inner - 1
            } else {
                *outer += 1;
                from.inner + *outer - 1
            };
            trie.place(&from, place, step, id);
        }
        trie
    }

    fn place(&mut self, from: &TrieNode, place: u32, span: &Range<u32>, node: NodeId) {
        let step = named(&self.names, span);
        let edge = Edge { ends: Ends::of(step), len: span.end - span.start, start: span.start, node };
        let mut at = if edge.len <= SHORT { edge.ends.hash(edge.len, self.secrets) } else { self.hash_long(step) };
        if let Some(slot) = self.edges.get_mut((from.first_edge + place) as usize) {
            *slot = edge;
        }
        // A slot is free: at most half of them are ever taken.
        while let Some(slot) = self.slots.get_mut((from.first_slot + (at & from.mask)) as usize) {
            if *slot == 0 {
                *slot = place + 1;
                return;
            }
            at = at.wrapping_add(1);
        }
    }
}

impl Stored for FieldTrie {
    /// Nodes as they were before freezing.
    fn save(&self, to: &mut Vec<u8>) {
        self.names.save(to);
        self.loose().save(to);
    }

    fn load(from: &mut Input<'_>) -> Result<FieldTrie, Broken> {
        const WHAT: &str = "the trie of fields is not valid";
        let (names, loose) = (Vec::<u8>::load(from)?, Table::<NodeId, Loose>::load(from)?);
        let root = loose.checked(NodeId::FIRST).ok_or(Broken(WHAT))?;
        require(loose.len() < 1 << 28 && root.parent == NodeId::FIRST && root.field.is_none(), WHAT)?;
        let mut known: Table<FieldId, bool> = Table::filled(loose.len(), false);
        for (id, node) in loose.enumerate() {
            require(id == NodeId::FIRST || node.parent < id, WHAT)?;
            require(node.step.start <= node.step.end && node.step.end as usize <= names.len(), WHAT)?;
            if let Some(field) = node.field.get() {
                // Each field once, and as many as there are numbers: none is left out.
                let known = known.checked_mut(field).ok_or(Broken(WHAT))?;
                require(!std::mem::replace(known, true), WHAT)?;
            }
        }
        let fields = known.iter().filter(|known| **known).count();
        require(known.iter().take(fields).all(|known| *known), WHAT)?;
        let trie = FieldTrie::assemble(&loose, names, from.seeded.clone());
        for (id, Loose { parent, step, .. }) in loose.enumerate().skip(1) {
            // A step that comes twice would hide what is below the second one.
            let found = trie.edge(&trie.nodes[*parent], named(&trie.names, step));
            require(found == Some(id) && trie.nodes[id].below > 0, WHAT)?;
        }
        Ok(trie)
    }
}

flat! {
    // The field is stored plus one.
    [] Loose: 4,
        |node| [node.parent.raw(), node.step.start, node.step.end, node.field.to_word().wrapping_add(1)],
        |[parent, start, end, field]| Loose {
            parent: NodeId::from_raw(parent),
            step: start..end,
            field: Optional::from_word(field.wrapping_sub(1)),
        };
}

impl FieldTrie {
    fn loose(&self) -> Table<NodeId, Loose> {
        let loose = |node: &TrieNode| Loose { parent: node.parent, step: 0..0, field: node.field };
        let mut loose: Table<NodeId, Loose> = self.nodes.iter().map(loose).collect();
        for edge in &self.edges {
            loose[edge.node].step = edge.start..edge.start + edge.len;
        }
        loose
    }
}

/// Several tries as one: for rule sets that consist of several automata.
#[cfg(feature = "live")]
impl FieldTrie {
    #[allow(clippy::indexing_slicing, reason = "INVARIANT: the edges of a node are a range of all")]
    fn edges_of(&self, node: &TrieNode) -> &[Edge] {
        &self.edges[node.first_edge as usize..(node.first_edge + node.edges) as usize]
    }

    /// For each field the one of `other` that has its path. Nothing if `other` has paths that are not here.
    pub(crate) fn align(&self, other: &FieldTrie) -> Option<Table<FieldId, Optional<FieldId>>> {
        let mut fields = Table::filled(self.fields(), Optional::NONE);
        let mut own: Table<NodeId, NodeId> = Table::filled(other.len(), NodeId::FIRST);
        for (id, node) in other.nodes.enumerate() {
            let here = self.nodes.checked(own[id])?;
            if let Some(field) = node.field() {
                fields[here.field()?] = Optional::some(field);
            }
            for edge in other.edges_of(node) {
                own[edge.node] = self.edge(here, other.name(edge))?;
            }
        }
        Some(fields)
    }

    /// This trie with the paths of `other` as well. Fields that are here keep their numbers. Linear in both.
    pub(crate) fn extended(&self, other: &FieldTrie) -> FieldTrie {
        let mut loose = self.loose();
        let (mut names, mut fields) = (self.names.clone(), self.fields() as u32);
        let mut own: Table<NodeId, NodeId> = Table::filled(other.len(), NodeId::FIRST);
        for (id, node) in other.nodes.enumerate() {
            let here = own[id];
            if node.field.is_some() && loose[here].field.is_none() {
                loose[here].field = Optional::some(FieldId::from_raw(fields));
                fields += 1;
            }
            for edge in other.edges_of(node) {
                let step = other.name(edge);
                let known = self.nodes.checked(here).and_then(|here| self.edge(here, step));
                own[edge.node] = known.unwrap_or_else(|| {
                    let start = names.len() as u32;
                    names.extend_from_slice(step);
                    loose.push(Loose { parent: here, step: start..names.len() as u32, field: Optional::NONE })
                });
            }
        }
        FieldTrie::assemble(&loose, names, self.seeded.clone())
    }
}
