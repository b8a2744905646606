//! The field trie: which paths matter, and which subtrees of an event can be skipped.
//!
//! An edge is one step of a dotted path, so a key with dots is the same as nesting.

mod grow;

pub(crate) use grow::FieldTrieBuilder;

use super::ids::{FieldId, NodeId};
use crate::base::{Optional, Seeded, Table, hash};

/// A node of the trie, and what the matcher needs to know there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct TrieNode {
    /// Its edges; those to nodes with edges come first.
    first_edge: u32,
    inner: u32,
    edges: u32,
    /// Its slots: a power of two, less one.
    first_slot: u32,
    mask: u32,
    /// Its steps, as [`step_bit`]: most keys of an event are none of them.
    filter: u64,
    /// The lengths of its steps to nodes with edges, up to four of them: there, a key with dots has one.
    dots: [u32; 4],
    /// The first bytes of those steps, as [`first_bit`]: a key with dots begins with one.
    firsts: u64,
    /// The field whose path ends here.
    field: Optional<FieldId>,
    /// How many fields lie at or below.
    pub(crate) below: u32,
    pub(crate) parent: NodeId,
}

impl TrieNode {
    #[inline]
    pub(crate) fn field(&self) -> Option<FieldId> {
        self.field.get()
    }

    #[inline]
    pub(crate) fn has_children(&self) -> bool {
        self.edges != 0
    }

    /// Whether a key of an object here may lead anywhere: nearly always right, and quick.
    #[inline(always)]
    pub(crate) fn may_step(&self, key: &[u8]) -> bool {
        self.filter & step_bit(key) != 0 || self.is_dotted(key)
    }

    /// Whether a key may be several steps. Few lengths are tried one by one, which is quicker than to look through it.
    #[inline(always)]
    fn is_dotted(&self, key: &[u8]) -> bool {
        match self.inner {
            0 => false,
            1 => key.get(self.dots[0] as usize) == Some(&b'.'),
            2..=4 => self.dots.iter().any(|len| key.get(*len as usize) == Some(&b'.')),
            _ => self.firsts & first_bit(key) != 0 && has_dot(key),
        }
    }
}

/// So many edges are not hashed.
const FEW: u32 = 8;

/// Up to so many bytes of a step are the two words that [`Ends`] has of it.
const SHORT: u32 = 16;

/// An edge: up to 16 bytes of the step are compared as two words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Edge {
    ends: Ends,
    len: u32,
    start: u32,
    node: NodeId,
}

/// Both ends of a step as words. With the length they are the whole of a step of up to 16 bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Ends(u64, u64);

impl Ends {
    #[inline(always)]
    fn hash(self, len: u32, secrets: [u64; 2]) -> u32 {
        // Each word meets a secret of its own before they are mixed: whatever of one is made up for in the other would
        // have to know both. Steps that differ in nothing but length meet another one.
        let left = u128::from(self.0 ^ secrets[0].rotate_left(len));
        let product = left * u128::from(self.1 ^ secrets[1]);
        // The slot is taken from low bits, into which the high ones have to come: else numbered names sit close together
        // under one seed in fifty.
        let folded = (product >> 64) as u64 ^ product as u64;
        (folded.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32) as u32
    }

    #[inline(always)]
    fn of(step: &[u8]) -> Ends {
        if let (Some(first), Some(last)) = (step.first_chunk::<8>(), step.last_chunk::<8>()) {
            return Ends(u64::from_le_bytes(*first), u64::from_le_bytes(*last));
        }
        if let (Some(first), Some(last)) = (step.first_chunk::<4>(), step.last_chunk::<4>()) {
            return Ends(u64::from(u32::from_le_bytes(*first)), u64::from(u32::from_le_bytes(*last)));
        }
        match *step {
            [] => Ends(0, 0),
            [only] => Ends(u64::from(only), 0),
            [first, .., last] => {
                let middle = step.get(step.len() / 2).copied().unwrap_or(0);
                Ends(u64::from(first) | u64::from(middle) << 8, u64::from(last))
            }
        }
    }
}

/// Names are short: eight bytes at once, without the call of a general search. (Not inlined: the constants of its loop would
/// be loaded for every key.)
#[inline(never)]
fn has_dot(key: &[u8]) -> bool {
    const EACH: u64 = 0x0101_0101_0101_0101;
    let (words, rest) = key.as_chunks::<8>();
    // A byte is zero if taking one from it borrows and its high bit was clear; what borrows beyond is no matter.
    let any = words.iter().fold(0, |any, word| {
        let word = u64::from_le_bytes(*word) ^ (EACH * u64::from(b'.'));
        any | word.wrapping_sub(EACH) & !word
    });
    any & (EACH * 0x80) != 0 || rest.contains(&b'.')
}

/// The bit, of 64, for a step that others may follow, by its first byte; for an empty step, by the dot.
#[inline(always)]
fn first_bit(step: &[u8]) -> u64 {
    1 << (step.first().unwrap_or(&b'.') % 64)
}

/// One of 64 bits for a step, by first byte and length.
#[inline(always)]
fn step_bit(step: &[u8]) -> u64 {
    let first = step.first().map_or(0, |byte| usize::from(*byte));
    1 << (first.wrapping_add(step.len().wrapping_mul(11)) % 64)
}

/// The frozen trie. Its first node is the event itself.
#[derive(Clone, Debug, Default)]
pub(crate) struct FieldTrie {
    nodes: Table<NodeId, TrieNode>,
    edges: Vec<Edge>,
    /// A hash table of each node: number of an edge in it plus one, or 0.
    slots: Vec<u32>,
    names: Vec<u8>,
    /// The node that the path of each field ends at.
    ends: Table<FieldId, NodeId>,
    /// What steps of up to 32 bytes are hashed with, the words at their ends and the words between; longer ones are as
    /// everything else is.
    secrets: [u64; 2],
    inner_secrets: [u64; 2],
    seeded: Seeded,
}

impl FieldTrie {
    #[inline]
    pub(crate) fn node(&self, node: NodeId) -> &TrieNode {
        &self.nodes[node]
    }

    /// How many fields there are.
    pub(crate) fn fields(&self) -> usize {
        self.ends.len()
    }

    /// How many nodes there are.
    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The node that the path of a field ends at.
    pub(crate) fn end_of(&self, field: FieldId) -> NodeId {
        self.ends[field]
    }

    /// The innermost node around both.
    pub(crate) fn around(&self, left: NodeId, right: NodeId) -> NodeId {
        let (mut left, mut right) = (left, right);
        // Nodes are numbered after their parents.
        while left != right {
            let inner = if left > right { &mut left } else { &mut right };
            *inner = self.node(*inner).parent;
        }
        left
    }

    /// The node that a key of an object at the node `from` leads to. A key with dots takes several steps.
    #[inline(always)]
    pub(crate) fn step(&self, from: &TrieNode, key: &[u8]) -> Option<NodeId> {
        // Few edges are compared one by one, which takes a third of the instructions of hashing.
        if from.edges <= FEW && key.len() <= SHORT as usize {
            let (ends, len) = (Ends::of(key), key.len() as u32);
            let edges = self.edges.get(from.first_edge as usize..(from.first_edge + from.edges) as usize)?;
            if let Some(edge) = edges.iter().find(|edge| edge.len == len && edge.ends == ends) {
                return Some(edge.node);
            }
        }
        self.step_among_many(from, key)
    }

    #[inline(never)]
    fn step_among_many(&self, from: &TrieNode, key: &[u8]) -> Option<NodeId> {
        let found = self.edge(from, key);
        if found.is_none() && from.is_dotted(key) { self.dotted(from, key) } else { found }
    }

    #[inline(always)]
    fn edge(&self, from: &TrieNode, key: &[u8]) -> Option<NodeId> {
        if key.len() > SHORT as usize {
            return if from.filter & step_bit(key) == 0 { None } else { self.long_edge(from, key) };
        }
        let (ends, len) = (Ends::of(key), key.len() as u32);
        self.probe(from, ends.hash(len, self.secrets), |edge| edge.len == len && edge.ends == ends)
    }

    #[inline(never)]
    fn long_edge(&self, from: &TrieNode, key: &[u8]) -> Option<NodeId> {
        let (ends, len) = (Ends::of(key), key.len() as u32);
        let is = |edge: &Edge| edge.len == len && edge.ends == ends && self.name(edge) == key;
        self.probe(from, self.hash_long(key), is)
    }

    #[inline(always)]
    fn probe(&self, from: &TrieNode, mut at: u32, is: impl Fn(&Edge) -> bool) -> Option<NodeId> {
        loop {
            let slot = *self.slots.get((from.first_slot + (at & from.mask)) as usize)?;
            let edge = self.edges.get(from.first_edge as usize + slot.checked_sub(1)? as usize)?;
            if is(edge) {
                return Some(edge.node);
            }
            at = at.wrapping_add(1);
        }
    }

    /// All of it counts: names may differ anywhere between their ends. Up to 32 bytes are four words.
    #[inline(never)]
    fn hash_long(&self, step: &[u8]) -> u32 {
        let len = step.len();
        let word = |from: usize| step.get(from..).and_then(|rest| rest.first_chunk().copied()).map(u64::from_le_bytes);
        match (word(8), len.checked_sub(16).and_then(word)) {
            (Some(second), Some(last_but_one)) if len <= 32 => {
                let inner = Ends(second, last_but_one).hash(len as u32, self.inner_secrets);
                inner ^ Ends::of(step).hash(len as u32, self.secrets)
            }
            _ => hash(&self.seeded, 0, step) as u32,
        }
    }

    /// A key that is no step, but may be several.
    #[cold]
    fn dotted(&self, from: &TrieNode, key: &[u8]) -> Option<NodeId> {
        let mut steps = key.split(|byte| *byte == b'.');
        let first = self.edge(from, steps.next()?)?;
        steps.try_fold(first, |node, step| self.edge(&self.nodes[node], step))
    }

    #[inline]
    #[allow(clippy::indexing_slicing, reason = "INVARIANT: the name of an edge is a range of all names")]
    fn name(&self, edge: &Edge) -> &[u8] {
        &self.names[edge.start as usize..(edge.start + edge.len) as usize]
    }

    pub(crate) fn memory_usage(&self) -> usize {
        self.nodes.capacity() * size_of::<TrieNode>()
            + self.edges.capacity() * size_of::<Edge>()
            + self.slots.capacity() * size_of::<u32>()
            + self.names.capacity()
            + self.ends.capacity() * size_of::<NodeId>()
    }
}

#[cfg(test)]
mod tests {
    use super::{Ends, FieldTrie, FieldTrieBuilder, NodeId, SHORT, has_dot};
    use crate::base::{Key, seeded};

    #[test]
    fn dots_are_nesting() {
        let mut builder = FieldTrieBuilder::new(seeded(Some(7)));
        let paths = ["a", "a.b.c", "", ".x", "a.", "averylongname.b", "averylongnamf.b"];
        for (index, path) in paths.iter().enumerate() {
            assert_eq!(builder.field(path).map(Key::raw), Some(index as u32));
            assert_eq!(builder.field(path).map(Key::raw), Some(index as u32));
        }
        for index in 0..40 {
            builder.field(&format!("wide.k{index}"));
            builder.field(&format!("n{index}.x"));
        }
        let trie = builder.freeze();
        let walk = |keys: &[&str]| {
            let node = keys.iter().try_fold(NodeId::FIRST, |node, key| trie.step(trie.node(node), key.as_bytes()));
            node.and_then(|node| trie.node(node).field()).map(Key::raw)
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
        // With many inner steps, a key is looked through for a dot only if it begins like one of them.
        assert_eq!((0..40).filter(|index| walk(&[&format!("n{index}.x")]).is_some()).count(), 40);
        assert_eq!(trie.fields(), 87);
    }

    #[cfg(feature = "live")]
    #[test]
    fn tries_are_joined() {
        let trie = |paths: &[&str]| {
            let mut builder = FieldTrieBuilder::new(seeded(Some(7)));
            for path in paths {
                builder.field(path);
            }
            builder.freeze()
        };
        let (left, right) =
            (trie(&["a.b", "c", "a.averylongnameofafield.d"]), trie(&["c.x", "a", "c", "a.b", "e.f.g"]));
        let align = |one: &FieldTrie, other: &FieldTrie| {
            let fields = one.align(other)?;
            Some(fields.iter().map(|field| field.get().map(Key::raw)).collect::<Vec<_>>())
        };
        assert_eq!(align(&left, &right), None);
        let both = left.extended(&right);
        assert_eq!(both.fields(), 6);
        assert_eq!(align(&both, &left), Some(vec![Some(0), Some(1), Some(2), None, None, None]));
        let found = align(&both, &right).unwrap();
        assert_eq!(found[..3], [Some(3), Some(2), None]);
        let mut others = found[3..].to_vec();
        others.sort_unstable();
        assert_eq!(others, [Some(0), Some(1), Some(4)]);
        assert_eq!(both.extended(&right).fields(), 6);
        assert_eq!(
            both.step(both.node(NodeId::FIRST), b"e.f.g")
                .and_then(|node| both.node(node).field())
                .map(|field| field.raw() as usize),
            found.iter().position(|own| *own == Some(4))
        );
    }

    #[test]
    fn dots_are_found_anywhere() {
        for length in 0..30 {
            let mut key = vec![b'x'; length];
            assert!(!has_dot(&key));
            for other in [b'-', b'/', 0xae, 0x2f, 0, 0xff] {
                key.fill(other);
                assert!(!has_dot(&key), "{key:?}");
                for at in 0..length {
                    key[at] = b'.';
                    assert!(has_dot(&key), "{key:?}");
                    key[at] = other;
                }
            }
        }
    }

    /// How many slots a look-up touches at the root.
    fn probes(trie: &FieldTrie, key: &[u8]) -> usize {
        let (root, len) = (trie.node(NodeId::FIRST), key.len() as u32);
        let start = if len <= SHORT { Ends::of(key).hash(len, trie.secrets) } else { trie.hash_long(key) };
        let slots = (0..).map(|step| root.first_slot + (start.wrapping_add(step) & root.mask));
        1 + slots.take_while(|slot| trie.slots[*slot as usize] != 0).take(trie.slots.len()).count()
    }

    /// 8 letters from 32 bits, four in each, which can be flipped without leaving ASCII.
    fn letters(bits: u32, flip: impl Fn(u32) -> u64) -> [u8; 8] {
        let chosen = (0..32).filter(|bit| bits >> bit & 1 == 1).fold(0, |word, bit| word ^ flip(bit));
        (u64::from_le_bytes(*b"@@@@@@@@") ^ chosen).to_le_bytes()
    }

    /// Names of both lengths that are alike in what a careless hash reads.
    fn hostile(count: u32) -> Vec<(&'static str, Vec<String>)> {
        // Bits 0, 3, 4 and 5 of each letter, so 29 bits further there is such a bit again.
        let free = |bit: u32| 1_u64 << (bit / 4 * 8 + [0, 3, 4, 5][bit as usize % 4]);
        let text = |parts: [[u8; 8]; 2]| String::from_utf8(parts.concat()).unwrap();
        let make = |name: &dyn Fn(u32) -> String| (0..count).map(name).collect::<Vec<_>>();
        let spread = |at: u32| at.wrapping_mul(0x9E37_79B1);
        vec![
            ("numbered", make(&|at| format!("k{at}"))),
            ("numbered, long", make(&|at| format!("a-rather-long-name-{at}"))),
            (
                "ends that undo each other",
                make(&|at| text([letters(spread(at), |bit| free(bit).rotate_left(29)), letters(spread(at), free)])),
            ),
            ("equal ends", make(&|at| text([letters(spread(at), free), letters(spread(at), free)]))),
            ("one beginning", make(&|at| text([*b"@@@@@@@@", letters(at, free)]))),
            ("one end", make(&|at| text([letters(at << 16, free), *b"@@@@@@@@"]))),
            ("both ends, nothing between", make(&|at| format!("the-same{at:08}the-same"))),
            ("the same, longer", make(&|at| format!("the-same-beginning-{at:08}-the-same-end"))),
        ]
    }

    #[test]
    fn no_names_collide_by_construction() {
        for count in [1_000, 4_000] {
            for (what, names) in hostile(count) {
                for seed in (0..8).map(Some).chain([None]) {
                    let mut builder = FieldTrieBuilder::new(seeded(seed));
                    names.iter().for_each(|name| assert!(builder.field(&name.replace('.', "x")).is_some()));
                    let trie = builder.freeze();
                    let touched: usize = names.iter().map(|name| probes(&trie, name.as_bytes())).sum();
                    // Half of the slots are taken at most: two and a half for a name that is there, with good luck.
                    assert!(touched < names.len() * 8, "{what}, {count}: {touched} slots for {} names", names.len());
                }
            }
        }
    }
}
