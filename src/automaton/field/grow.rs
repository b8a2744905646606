//! How the field trie comes about: from the paths of rules, from a file, from two tries.

use std::collections::HashMap;
use std::ops::Range;

use super::super::store::{Broken, Flat, Input, Table, flat, require};
use super::{Edge, Ends, FieldTrie, Node, SHORT, step_bit};
use crate::base::{Seeded, hash};

/// The trie while it grows.
pub(crate) struct FieldTrieBuilder {
    nodes: Vec<Loose>,
    edges: HashMap<(u32, Box<[u8]>), u32, Seeded>,
    names: Vec<u8>,
    /// The dotted path of each field.
    pub(crate) paths: Vec<Box<str>>,
    /// The field of each dotted path: most paths come again with every rule.
    known: HashMap<Box<str>, u32, Seeded>,
    seeded: Seeded,
}

impl FieldTrieBuilder {
    pub(crate) fn new(seeded: Seeded) -> FieldTrieBuilder {
        FieldTrieBuilder {
            nodes: vec![(0, 0..0, None)],
            edges: HashMap::with_hasher(seeded.clone()),
            names: Vec::new(),
            paths: Vec::new(),
            known: HashMap::with_hasher(seeded.clone()),
            seeded,
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
        FieldTrie::assemble(&self.nodes, self.names, self.seeded)
    }
}

/// A node before freezing: parent, step (range of the names), field. Children come behind their parents.
type Loose = (u32, Range<u32>, Option<u32>);

impl FieldTrie {
    fn assemble(loose: &[Loose], mut names: Vec<u8>, seeded: Seeded) -> FieldTrie {
        names.shrink_to_fit();
        let mut nodes: Vec<Node> = Vec::with_capacity(loose.len());
        for (parent, step, field) in loose {
            if let Some(parent) = nodes.get_mut(*parent as usize) {
                parent.filter |= step_bit(names.get(step.start as usize..step.end as usize).unwrap_or(&[]));
            }
            let field = field.map_or(0, |field| field + 1);
            nodes.push(Node { parent: *parent, field, dots: [u32::MAX; 4], ..Node::default() });
        }
        // Children are numbered behind their parents.
        for (id, (_, step, _)) in loose.iter().enumerate().skip(1).rev() {
            let Some(node) = nodes.get_mut(id) else { continue };
            node.below += u32::from(node.field != 0);
            let (below, parent, inner) = (node.below, node.parent, node.edges != 0);
            if let Some(parent) = nodes.get_mut(parent as usize) {
                parent.below += below;
                parent.edges += 1;
                if inner {
                    if let Some(dot) = parent.dots.get_mut(parent.inner as usize) {
                        *dot = step.end - step.start;
                    }
                    parent.inner += 1;
                }
            }
        }
        let (mut first_edge, mut first_slot) = (0, 0);
        for node in &mut nodes {
            (node.first_edge, node.first_slot) = (first_edge, first_slot);
            node.mask = if node.edges == 0 { 0 } else { (node.edges * 2).next_power_of_two() - 1 };
            first_edge += node.edges;
            first_slot += node.mask + 1;
        }
        let mut ends = vec![0; loose.iter().filter(|node| node.2.is_some()).count()];
        for (id, (.., field)) in loose.iter().enumerate() {
            if let Some(end) = field.and_then(|field| ends.get_mut(field as usize)) {
                *end = id as u32;
            }
        }
        let mut trie = FieldTrie {
            nodes,
            ends,
            edges: vec![Edge { ends: Ends(0, 0), len: 0, start: 0, node: 0 }; first_edge as usize],
            slots: vec![0; first_slot as usize],
            names,
            secrets: [1, 2].map(|nth| hash(&seeded, nth, b"names")),
            inner_secrets: [3, 4].map(|nth| hash(&seeded, nth, b"names")),
            seeded,
        };
        let mut placed = vec![(0_u32, 0_u32); trie.nodes.len()];
        for (id, (parent, span, _)) in loose.iter().enumerate().skip(1) {
            let inner = trie.node(id as u32).has_children();
            let from = trie.node(*parent);
            let Some(count) = placed.get_mut(*parent as usize) else { continue };
            let place = if inner { count.0 } else { from.inner + count.1 };
            if inner {
                count.0 += 1
            } else {
                count.1 += 1
            }
            trie.place(&from, place, span.clone(), id as u32);
        }
        trie
    }

    fn place(&mut self, from: &Node, place: u32, span: Range<u32>, node: u32) {
        let step = self.names.get(span.start as usize..span.end as usize).unwrap_or(&[]);
        let edge = Edge { ends: Ends::of(step), len: span.end - span.start, start: span.start, node };
        if let Some(slot) = self.edges.get_mut((from.first_edge + place) as usize) {
            *slot = edge;
        }
        let mut at = if edge.len <= SHORT { edge.ends.hash(edge.len, self.secrets) } else { self.hash_long(step) };
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

impl Table for FieldTrie {
    /// Nodes as they were before freezing.
    fn save(&self, to: &mut Vec<u8>) {
        self.names.save(to);
        self.loose()
            .into_iter()
            .map(|(parent, step, field)| Stored {
                parent,
                start: step.start,
                end: step.end,
                field: field.map_or(0, |field| field + 1),
            })
            .collect::<Vec<_>>()
            .save(to);
    }

    fn load(from: &mut Input<'_>) -> Result<FieldTrie, Broken> {
        const WHAT: &str = "the trie of fields is not valid";
        let (names, nodes) = (Vec::<u8>::load(from)?, Vec::<Stored>::load(from)?);
        require(nodes.len() < 1 << 28 && nodes.first().is_some_and(|root| root.parent == 0 && root.field == 0), WHAT)?;
        let mut known = vec![false; nodes.len()];
        let mut loose = Vec::with_capacity(nodes.len());
        for (id, node) in (0..).zip(&nodes) {
            require(id == 0 || node.parent < id, WHAT)?;
            require(node.start <= node.end && node.end as usize <= names.len(), WHAT)?;
            if let Some(field) = node.field.checked_sub(1) {
                // Each field once, and as many as there are numbers: none is left out.
                let known = known.get_mut(field as usize).ok_or(Broken(WHAT))?;
                require(!std::mem::replace(known, true), WHAT)?;
            }
            loose.push((node.parent, node.start..node.end, node.field.checked_sub(1)));
        }
        let trie = FieldTrie::assemble(&loose, names, from.seeded.clone());
        let fields = trie.node(0).below as usize;
        require(known.iter().take(fields).all(|known| *known), WHAT)?;
        for (id, (parent, step, _)) in (0..).zip(&loose).skip(1) {
            // A step that comes twice would hide what is behind the second one.
            let parent = trie.nodes.get(*parent as usize).ok_or(Broken(WHAT))?;
            let step = trie.names.get(step.start as usize..step.end as usize).unwrap_or(&[]);
            require(trie.edge(parent, step) == Some(id) && trie.node(id).below > 0, WHAT)?;
        }
        Ok(trie)
    }
}

/// A node as it is stored.
struct Stored {
    parent: u32,
    start: u32,
    end: u32,
    /// Plus one.
    field: u32,
}

flat! {
    Stored: 4, |node| [node.parent, node.start, node.end, node.field],
        |[parent, start, end, field]| Stored { parent, start, end, field };
}

impl FieldTrie {
    fn loose(&self) -> Vec<Loose> {
        let mut loose: Vec<Loose> = self.nodes.iter().map(|node| (node.parent, 0..0, node.field())).collect();
        for edge in &self.edges {
            if let Some(node) = loose.get_mut(edge.node as usize) {
                node.1 = edge.start..edge.start + edge.len;
            }
        }
        loose
    }
}

/// Several tries as one: for rule sets that consist of several automata.
#[cfg(feature = "live")]
impl FieldTrie {
    fn edges_of(&self, node: &Node) -> &[Edge] {
        self.edges.get(node.first_edge as usize..(node.first_edge + node.edges) as usize).unwrap_or(&[])
    }

    /// For each field the one of `other` that has its path, or [`NONE`](super::super::NONE). Nothing if `other` has paths that
    /// are not here.
    pub(crate) fn align(&self, other: &FieldTrie) -> Option<Vec<u32>> {
        let mut fields = vec![super::super::NONE; self.node(0).below as usize];
        let mut own = vec![0; other.len()];
        for (id, node) in other.nodes.iter().enumerate() {
            let here = self.nodes.get(*own.get(id)? as usize)?;
            if let Some(field) = node.field() {
                *fields.get_mut(here.field()? as usize)? = field;
            }
            for edge in other.edges_of(node) {
                *own.get_mut(edge.node as usize)? = self.edge(here, other.name(edge))?;
            }
        }
        Some(fields)
    }

    /// This trie with the paths of `other` as well. Fields that are here keep their numbers. Linear in both.
    pub(crate) fn extended(&self, other: &FieldTrie) -> FieldTrie {
        let mut loose = self.loose();
        let (mut names, mut fields) = (self.names.clone(), self.node(0).below);
        let mut own = vec![0_u32; other.len()];
        for (id, node) in other.nodes.iter().enumerate() {
            let here = own.get(id).copied().unwrap_or(0);
            if let Some((_, _, field)) = loose.get_mut(here as usize).filter(|here| here.2.is_none())
                && node.field != 0
            {
                *field = Some(fields);
                fields += 1;
            }
            for edge in other.edges_of(node) {
                let step = other.name(edge);
                let known = self.nodes.get(here as usize).and_then(|here| self.edge(here, step));
                let to = known.unwrap_or_else(|| {
                    let start = names.len() as u32;
                    names.extend_from_slice(step);
                    loose.push((here, start..names.len() as u32, None));
                    loose.len() as u32 - 1
                });
                if let Some(own) = own.get_mut(edge.node as usize) {
                    *own = to;
                }
            }
        }
        FieldTrie::assemble(&loose, names, self.seeded.clone())
    }
}
