//! One automaton for all wildcards of a field.
//!
//! A wildcard is a row of literal pieces. Taking each piece at its first place behind the one before never loses a match,
//! so for each beginning of such a row there is one number to know: the first place behind it, if it fits at all. The
//! beginnings of all wildcards form a tree; a node of it is *reached* at most once for a text, when its piece occurs
//! behind the place at which its parent was reached. One pass over the text finds the occurrences of all pieces; the
//! first pieces are looked up as prefixes, the last ones as suffixes, before anything is scanned.
//!
//! So an event costs one look at each byte of the text, and a step for each node that is reached. Nothing is determinised:
//! no set of wildcards makes it grow beyond the wildcards' own size, in time or in memory, and there is no cache to thrash.
//!
//! What is left to hostile sets is to have nearly all of a large tree reached by a short text. Where many nodes wait for
//! the same pieces, so that this can be, the wildcards are kept packed side by side as well, and a text that reaches too
//! many nodes is read again that way.

#![allow(
    clippy::indexing_slicing,
    reason = "INVARIANT: node, piece, tail and queue numbers are made by `build` for the tables they index, which have \
              one entry behind the last real one; `WildcardCache::fit` makes its lists as long as the set needs"
)]

use std::collections::HashMap;
use std::ops::{ControlFlow, Range};

use super::affix::{PrefixSet, SuffixSet};
use super::packed::{Packed, PackedState};
use super::pieces::Pieces;
use crate::value::Wildcard;

const NONE: u32 = u32::MAX;

/// Up to so many wildcards are tried one by one, which is faster then.
const FEW: usize = 4;

/// A piece that leads to more nodes than this is *hot*: nodes wait for it in a queue from the moment that their parents
/// are reached. At other pieces the nodes are few enough to look at each of them.
const HOT: u32 = 8;

/// What matching remembers of one text. One for any number of sets, grown by the first texts of each and then kept.
#[derive(Debug, Default)]
pub(crate) struct WildcardCache {
    /// How many texts there were.
    texts: u64,
    /// For each node the text by which it was reached last, and the place.
    reached: Vec<(u64, usize)>,
    waits: Vec<Wait>,
    queues: Vec<Queue>,
    /// The nodes reached that have tails.
    tailed: Vec<u32>,
    /// The first pieces with which the text begins, longest first, and where they end.
    roots: Vec<(u32, usize)>,
    /// How many of them are still to be reached.
    roots_left: usize,
    /// What may still be spent on reaching nodes, in nanoseconds or so.
    budget: isize,
    /// What has been found within the budget.
    told: Vec<u32>,
    groups: Vec<(Range<usize>, usize)>,
    packed: PackedState,
    /// The tails with which the text ends, and where they begin.
    ends: Vec<(u32, usize)>,
}

/// A node that waits for a hot piece.
#[derive(Clone, Copy, Debug)]
struct Wait {
    /// Where its parent was reached.
    since: usize,
    /// The node behind it in the queue.
    next: u32,
}

/// Nodes that wait for a hot piece, in the order in which their parents were reached.
#[derive(Clone, Copy, Debug, Default)]
struct Queue {
    /// The text it was filled for.
    text: u64,
    head: u32,
    last: u32,
}

/// A frozen set of wildcards.
#[derive(Debug)]
pub(crate) enum WildcardSet {
    Few(Box<[(Wildcard, u32)]>),
    Many(Box<Tree>),
}

/// The beginning of some wildcards: their first pieces, up to one.
#[derive(Clone, Copy, Debug)]
struct Node {
    /// First of the values of the wildcards that end in a star behind this node.
    first_open: u32,
    /// First of the children that wait for hot pieces.
    first_hot: u32,
    /// First of the tails that may follow.
    first_tail: u32,
    /// Whether there are children.
    inner: bool,
    /// Whether a wildcard of some child, or below, ends in a star.
    open_below: bool,
}

/// A literal between two stars.
#[derive(Clone, Copy, Debug)]
struct Piece {
    length: u32,
    /// First of the nodes to look at.
    first_edge: u32,
    /// Where nodes wait for it.
    queue: u32,
}

#[derive(Debug)]
pub(crate) struct Tree {
    /// Wildcards without star.
    exact: PrefixSet,
    /// First pieces, by the numbers of their roots.
    fronts: PrefixSet,
    roots: Box<[Root]>,
    /// Non-empty last pieces, by their numbers.
    backs: SuffixSet,
    pieces: Pieces,
    nodes: Box<[Node]>,
    parents: Box<[u32]>,
    open: Box<[u32]>,
    /// Node and queue.
    hot: Box<[(u32, u32)]>,
    /// By node: tail and value, sorted by tail.
    tails: Box<[(u32, u32)]>,
    table: Box<[Piece]>,
    edges: Box<[u32]>,
    /// By tail: node and value.
    ends: Box<[(u32, u32)]>,
    first_end: Box<[u32]>,
    queues: usize,
    packed: Option<Packed>,
}

/// A first piece.
#[derive(Clone, Copy, Debug)]
struct Root {
    node: u32,
    /// First bit of the wildcards with this first piece, if they are packed.
    first_bit: usize,
}

impl WildcardSet {
    /// Freezes a list of wildcards. Sorts, and is linear in their bytes otherwise.
    pub(crate) fn build(wildcards: &[(&Wildcard, u32)]) -> WildcardSet {
        if wildcards.len() <= FEW {
            return WildcardSet::Few(wildcards.iter().map(|(wildcard, value)| ((*wildcard).clone(), *value)).collect());
        }
        WildcardSet::Many(Box::new(Tree::build(wildcards)))
    }

    /// Tells the value of every wildcard that the whole text fits.
    #[inline]
    pub(crate) fn each(&self, text: &[u8], cache: &mut WildcardCache, found: &mut impl FnMut(u32)) {
        match self {
            WildcardSet::Few(wildcards) => {
                wildcards.iter().filter(|(wildcard, _)| wildcard.matches(text)).for_each(|(_, value)| found(*value));
            }
            WildcardSet::Many(tree) => tree.each(text, cache, found),
        }
    }

    /// Bytes on the heap.
    pub(crate) fn memory_usage(&self) -> usize {
        match self {
            WildcardSet::Few(wildcards) => {
                let pieces = wildcards.iter().map(|(wildcard, _)| wildcard.memory_usage()).sum::<usize>();
                size_of_val(&**wildcards) + pieces
            }
            WildcardSet::Many(tree) => size_of::<Tree>() + tree.memory_usage(),
        }
    }
}

impl Tree {
    fn build(wildcards: &[(&Wildcard, u32)]) -> Tree {
        let (mut exact, mut rows) = (Vec::new(), Vec::new());
        for (wildcard, value) in wildcards {
            match wildcard.pieces() {
                [] => {}
                [only] => exact.push((only.to_vec(), *value)),
                [row @ .., last] => rows.push((row, &**last, *value)),
            }
        }
        rows.sort_unstable();
        let literals = sorted_set(rows.iter().flat_map(|(row, ..)| row.iter().skip(1)).map(|piece| &**piece));
        let numbers: HashMap<&[u8], u32> = literals.iter().copied().zip(0..).collect();
        let backs = sorted_set(rows.iter().map(|(_, last, _)| *last).filter(|last| !last.is_empty()));
        let back_numbers: HashMap<&[u8], u32> = backs.iter().copied().zip(0..).collect();

        // The tree, each node before its children: parent and piece.
        let (mut grown, mut fronts, mut roots) = (Vec::<(u32, u32)>::new(), Vec::new(), Vec::new());
        let (mut open, mut tails) = (Vec::new(), Vec::new());
        let (mut path, mut before): (Vec<u32>, &[Box<[u8]>]) = (Vec::new(), &[]);
        for (index, (row, last, value)) in rows.iter().enumerate() {
            path.truncate(row.iter().zip(before).take_while(|(piece, before)| piece == before).count());
            for piece in row.iter().skip(path.len()) {
                let node = grown.len() as u32;
                if let Some(parent) = path.last() {
                    grown.push((*parent, numbers.get(&**piece).copied().unwrap_or(NONE)));
                } else {
                    fronts.push((piece.to_vec(), roots.len() as u32));
                    // The row for now, its bit later.
                    roots.push(Root { node, first_bit: index });
                    grown.push((NONE, NONE));
                }
                path.push(node);
            }
            before = row;
            let Some(node) = path.last().copied() else { continue };
            match back_numbers.get(last) {
                None => open.push((node, *value)),
                Some(back) => tails.push((node, (*back, *value))),
            }
        }
        roots.push(Root { node: NONE, first_bit: rows.len() });

        let children = grown.iter().zip(0..).filter(|((parent, _), _)| *parent != NONE);
        let mut edges = Grouped::new(literals.len(), children.clone().map(|((_, piece), node)| (*piece, node)));
        let (mut queues, mut table) = (0, Vec::with_capacity(literals.len() + 1));
        for (literal, range) in literals.iter().zip(edges.firsts.windows(2)) {
            let is_hot = range[1] - range[0] > HOT;
            table.push(Piece {
                length: literal.len() as u32,
                first_edge: 0,
                queue: if is_hot { queues } else { NONE },
            });
            queues += u32::from(is_hot);
        }
        table.push(Piece { length: 0, first_edge: 0, queue: NONE });
        let queue_of = |piece: u32| table[piece as usize].queue;
        let hot = children.filter(|((_, piece), _)| queue_of(*piece) != NONE);
        let hot = Grouped::new(grown.len(), hot.map(|((parent, piece), node)| (*parent, (node, queue_of(*piece)))));
        edges.retain(|piece| queue_of(piece) == NONE);
        table.iter_mut().zip(&edges.firsts).for_each(|(piece, first)| piece.first_edge = *first);

        let ends = Grouped::new(backs.len(), tails.iter().map(|(node, (back, value))| (*back, (*node, *value))));
        let (open, mut tails) =
            (Grouped::new(grown.len(), open.into_iter()), Grouped::new(grown.len(), tails.into_iter()));
        for range in tails.firsts.windows(2) {
            tails.items[range[0] as usize..range[1] as usize].sort_unstable();
        }
        let mut nodes: Vec<Node> = (0..=grown.len())
            .map(|node| Node {
                first_open: open.firsts[node],
                first_hot: hot.firsts[node],
                first_tail: tails.firsts[node],
                inner: false,
                open_below: false,
            })
            .collect();
        for (node, (parent, _)) in grown.iter().enumerate().rev().filter(|(_, (parent, _))| *parent != NONE) {
            let below = nodes[node].open_below || nodes[node].first_open != nodes[node + 1].first_open;
            let parent = &mut nodes[*parent as usize];
            (parent.inner, parent.open_below) = (true, parent.open_below || below);
        }
        let packed = (queues > 0)
            .then(|| Packed::build(rows.iter().map(|(row, last, value)| (row.get(1..).unwrap_or(&[]), *last, *value))));
        let packed = packed.flatten().map(|(packed, first_bits)| {
            roots.iter_mut().for_each(|root| root.first_bit = first_bits[root.first_bit]);
            packed
        });
        Tree {
            exact: PrefixSet::build(exact),
            fronts: PrefixSet::build(fronts),
            roots: roots.into(),
            backs: SuffixSet::build(backs.iter().zip(0..).map(|(back, number)| (back.to_vec(), number)).collect()),
            pieces: Pieces::build(&literals),
            nodes: nodes.into(),
            parents: grown.iter().map(|(parent, _)| *parent).collect(),
            open: open.items.into(),
            hot: hot.items.into(),
            tails: tails.items.into(),
            table: table.into(),
            edges: edges.items.into(),
            ends: ends.items.into(),
            first_end: ends.firsts.into(),
            queues: queues as usize,
            packed,
        }
    }

    fn each(&self, text: &[u8], cache: &mut WildcardCache, found: &mut impl FnMut(u32)) {
        self.exact.whole(text, found);
        cache.fit(self);
        self.backs.each_sized(text, &mut |back, length| cache.ends.push((back, text.len() - length)));
        self.fronts.each_sized(text, &mut |root, length| cache.roots.push((root, length)));
        cache.roots_left = cache.roots.len();
        // Where to scan from, if a node that is reached leads on to anything that can still fit.
        let leading = cache.roots.iter().filter(|(root, _)| {
            let node = &self.nodes[self.roots[*root as usize].node as usize];
            node.inner && (node.open_below || !cache.ends.is_empty())
        });
        let from = leading.map(|(_, length)| *length).next_back();
        let Some((packed, from)) = self.packed.as_ref().zip(from) else {
            cache.budget = isize::MAX;
            self.turn(text, from, cache, found);
            return;
        };
        for (root, place) in cache.roots.iter().rev() {
            let bits = self.roots[*root as usize].first_bit..self.roots[*root as usize + 1].first_bit;
            cache.groups.push((bits, *place));
        }
        cache.budget = packed.cost(text.len() - from, &cache.groups);
        let mut told = std::mem::take(&mut cache.told);
        told.clear();
        if self.turn(text, Some(from), cache, &mut |value| told.push(value)) {
            told.iter().for_each(|value| found(*value));
        } else {
            packed.each(text, &cache.groups, &mut cache.packed, found);
        }
        cache.told = told;
    }

    /// Takes the pieces of the text in turn, from some place on if they matter. Whether it stayed within the budget.
    fn turn(&self, text: &[u8], from: Option<usize>, cache: &mut WildcardCache, found: &mut impl FnMut(u32)) -> bool {
        if let Some((from, rest)) = from.and_then(|from| Some((from, text.get(from..)?))) {
            let within = self.pieces.scan(rest, |piece, end| {
                // What begins before `end` follows roots that end before it.
                self.reach_roots(from + end - 1, cache, found);
                self.occurred(piece, from + end, cache, found);
                if cache.budget < 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
            if !within {
                return false;
            }
        }
        self.reach_roots(text.len(), cache, found);
        for index in 0..cache.ends.len() {
            let (back, start) = cache.ends[index];
            self.finish(back, start, cache, found);
        }
        true
    }

    /// Reaches the roots up to a place: not earlier, because queues want their nodes in the order of places.
    #[inline]
    fn reach_roots(&self, place: usize, cache: &mut WildcardCache, found: &mut impl FnMut(u32)) {
        // The shortest first pieces were told last.
        while let Some((root, length)) = cache.roots[..cache.roots_left].last().copied().filter(|root| root.1 <= place)
        {
            cache.roots_left -= 1;
            self.reach(self.roots[root as usize].node, length, cache, found);
        }
    }

    /// A piece ends at `end`: what follows a node that was reached before the piece began is reached.
    #[inline]
    fn occurred(&self, piece: u32, end: usize, cache: &mut WildcardCache, found: &mut impl FnMut(u32)) {
        let (this, next) = (&self.table[piece as usize], &self.table[piece as usize + 1]);
        let start = end - this.length as usize;
        cache.budget -= 2;
        if this.queue == NONE {
            for node in &self.edges[this.first_edge as usize..next.first_edge as usize] {
                let since = cache.place_of(self.parents[*node as usize]);
                if since.is_some_and(|since| since <= start) && cache.place_of(*node).is_none() {
                    self.reach(*node, end, cache, found);
                }
            }
            return;
        }
        while let Some(node) = cache.next_of(this.queue, start) {
            self.reach(node, end, cache, found);
        }
    }

    #[inline]
    fn reach(&self, node: u32, place: usize, cache: &mut WildcardCache, found: &mut impl FnMut(u32)) {
        cache.reached[node as usize] = (cache.texts, place);
        let (this, next) = (&self.nodes[node as usize], &self.nodes[node as usize + 1]);
        self.open[this.first_open as usize..next.first_open as usize].iter().for_each(|value| found(*value));
        if this.first_tail != next.first_tail {
            cache.tailed.push(node);
        }
        cache.budget -= 8 + 4 * (next.first_hot - this.first_hot) as isize;
        for (child, queue) in &self.hot[this.first_hot as usize..next.first_hot as usize] {
            cache.wait(*child, *queue, place);
        }
    }

    /// The text ends with a tail that begins at `start`: tells the wildcards that end so.
    fn finish(&self, back: u32, start: usize, cache: &WildcardCache, found: &mut impl FnMut(u32)) {
        let ends = &self.ends[self.first_end[back as usize] as usize..self.first_end[back as usize + 1] as usize];
        let in_time = |node: u32| cache.place_of(node).is_some_and(|place| place <= start);
        if ends.len() <= cache.tailed.len() * 4 {
            ends.iter().filter(|(node, _)| in_time(*node)).for_each(|(_, value)| found(*value));
            return;
        }
        for node in cache.tailed.iter().filter(|node| in_time(**node)).map(|node| *node as usize) {
            let tails = &self.tails[self.nodes[node].first_tail as usize..self.nodes[node + 1].first_tail as usize];
            let from = tails.partition_point(|(tail, _)| *tail < back);
            tails[from..].iter().take_while(|(tail, _)| *tail == back).for_each(|(_, value)| found(*value));
        }
    }

    fn memory_usage(&self) -> usize {
        let sets = self.exact.memory_usage() + self.fronts.memory_usage() + self.backs.memory_usage();
        let packed = self.packed.as_ref().map_or(0, Packed::memory_usage);
        sets + packed
            + self.pieces.memory_usage()
            + size_of_val(&*self.roots)
            + size_of_val(&*self.nodes)
            + size_of_val(&*self.parents)
            + size_of_val(&*self.open)
            + size_of_val(&*self.hot)
            + size_of_val(&*self.tails)
            + size_of_val(&*self.table)
            + size_of_val(&*self.edges)
            + size_of_val(&*self.ends)
            + size_of_val(&*self.first_end)
    }
}

impl WildcardCache {
    /// Forgets the last text, and makes room for a set.
    fn fit(&mut self, tree: &Tree) {
        self.tailed.clear();
        self.roots.clear();
        self.groups.clear();
        self.ends.clear();
        self.texts += 1;
        if self.reached.len() < tree.nodes.len() {
            self.reached.resize(tree.nodes.len(), (0, 0));
            self.waits.resize(tree.nodes.len(), Wait { since: 0, next: NONE });
            self.tailed.reserve(tree.nodes.len());
        }
        if self.queues.len() < tree.queues {
            self.queues.resize(tree.queues, Queue::default());
        }
    }

    /// Where a node was reached, if it was.
    #[inline]
    fn place_of(&self, node: u32) -> Option<usize> {
        let (text, place) = self.reached[node as usize];
        (text == self.texts).then_some(place)
    }

    #[inline]
    fn wait(&mut self, node: u32, queue: u32, since: usize) {
        let queue = &mut self.queues[queue as usize];
        self.waits[node as usize] = Wait { since, next: NONE };
        if queue.text != self.texts || queue.head == NONE {
            *queue = Queue { text: self.texts, head: node, last: node };
        } else {
            self.waits[queue.last as usize].next = node;
            queue.last = node;
        }
    }

    /// The next node that waits since `start`.
    #[inline]
    fn next_of(&mut self, queue: u32, start: usize) -> Option<u32> {
        let queue = &mut self.queues[queue as usize];
        if queue.text != self.texts || queue.head == NONE {
            return None;
        }
        let node = queue.head;
        let Wait { since, next } = self.waits[node as usize];
        if since > start {
            return None;
        }
        queue.head = next;
        Some(node)
    }

    /// Bytes on the heap.
    #[cfg(test)]
    fn memory_usage(&self) -> usize {
        (self.tailed.capacity() + self.told.capacity()) * size_of::<u32>()
            + self.reached.capacity() * size_of::<(u64, usize)>()
            + self.groups.capacity() * size_of::<(Range<usize>, usize)>()
            + self.packed.memory_usage()
            + self.waits.capacity() * size_of::<Wait>()
            + self.queues.capacity() * size_of::<Queue>()
            + (self.ends.capacity() + self.roots.capacity()) * size_of::<(u32, usize)>()
    }
}

/// Items by their group, in the order in which they came.
struct Grouped<T> {
    /// First item of each group, and the number of all items.
    firsts: Vec<u32>,
    items: Vec<T>,
}

impl<T: Copy> Grouped<T> {
    fn new(groups: usize, items: impl Iterator<Item = (u32, T)>) -> Grouped<T> {
        let mut items: Vec<_> = items.collect();
        items.sort_by_key(|(group, _)| *group);
        let mut firsts = vec![0; groups + 1];
        items.iter().for_each(|(group, _)| firsts[*group as usize + 1] += 1);
        for group in 0..groups {
            firsts[group + 1] += firsts[group];
        }
        Grouped { firsts, items: items.into_iter().map(|(_, item)| item).collect() }
    }

    /// Keeps the items of some groups.
    fn retain(&mut self, mut keeps: impl FnMut(u32) -> bool) {
        let (mut kept, mut from) = (Vec::new(), 0);
        for (group, first) in self.firsts.iter_mut().skip(1).enumerate() {
            let until = *first as usize;
            if keeps(group as u32) {
                kept.extend_from_slice(&self.items[from..until]);
            }
            (*first, from) = (kept.len() as u32, until);
        }
        self.items = kept;
    }
}

fn sorted_set<'a>(texts: impl Iterator<Item = &'a [u8]>) -> Vec<&'a [u8]> {
    let mut texts: Vec<_> = texts.collect();
    texts.sort_unstable();
    texts.dedup();
    texts
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{WildcardCache, WildcardSet};
    use crate::value::Wildcard;

    fn set(wildcards: &[String]) -> WildcardSet {
        let parsed: Vec<_> = wildcards.iter().map(|text| Wildcard::parse(text).unwrap()).collect();
        WildcardSet::build(&parsed.iter().zip(0..).collect::<Vec<_>>())
    }

    fn each(set: &WildcardSet, text: &str, cache: &mut WildcardCache) -> Vec<u32> {
        let mut found = Vec::new();
        set.each(text.as_bytes(), cache, &mut |value| found.push(value));
        found.sort_unstable();
        found
    }

    /// Quadratic, and obviously right.
    fn fits(wildcard: &str, text: &[u8]) -> bool {
        let mut reached = vec![false; text.len() + 1];
        reached[0] = true;
        for byte in wildcard.bytes() {
            if byte == b'*' {
                let first = reached.iter().position(|place| *place).unwrap_or(reached.len());
                reached[first..].fill(true);
            } else {
                let behind = |place: usize| place > 0 && reached[place - 1] && text[place - 1] == byte;
                reached = (0..reached.len()).map(behind).collect();
            }
        }
        reached[text.len()]
    }

    #[test]
    fn each_engine_answers_alike() {
        let wildcards =
            ["a*c", "a*b*c", "*", "abc", "*b*", "a*", "*c", "ab*bc", "*ab*bc*", "", "*b*b*"].map(str::to_owned);
        let mut cache = WildcardCache::default();
        for count in 0..=wildcards.len() {
            let set = set(&wildcards[..count]);
            for text in ["", "abc", "ac", "abbc", "cabbca", "b"] {
                let fitting = (0..count as u32).filter(|at| fits(&wildcards[*at as usize], text.as_bytes()));
                assert_eq!(each(&set, text, &mut cache), fitting.collect::<Vec<_>>(), "{count} {text}");
            }
        }
    }

    #[test]
    fn hostile_sets_stay_small() {
        let wildcards: Vec<_> = (0..2_000).map(|at| format!("*a*b*a{}*{at}", "*ab*a".repeat(at % 9))).collect();
        let set = set(&wildcards);
        let bytes: usize = wildcards.iter().map(String::len).sum();
        assert!(set.memory_usage() < bytes * 32, "{} for {bytes}", set.memory_usage());
        let mut cache = WildcardCache::default();
        let text = format!("{}1999", "ab".repeat(5_000));
        assert_eq!(each(&set, &text, &mut cache), [9, 99, 999, 1999]);
        let warm = cache.memory_usage();
        assert_eq!(each(&set, &text, &mut cache), [9, 99, 999, 1999]);
        assert_eq!(cache.memory_usage(), warm);
    }

    proptest! {
        #[test]
        fn agrees_with_trying_each(
            wildcards in prop::collection::vec("[ab]{0,2}(\\*[ab]{1,2}){0,3}(\\*[ab]{0,2})?", 0..60),
            texts in prop::collection::vec("[ab]{0,9}", 2),
        ) {
            let mut set = set(&wildcards);
            let mut cache = WildcardCache::default();
            for (text, again) in texts.iter().zip([false, true]) {
                if let (WildcardSet::Many(tree), true) = (&mut set, again) {
                    tree.packed = None;
                }
                let fitting: Vec<u32> = wildcards.iter().zip(0..).filter(|(wildcard, _)| fits(wildcard, text.as_bytes()))
                    .map(|(_, value)| value).collect();
                prop_assert_eq!(each(&set, text, &mut cache), fitting);
            }
        }
    }
}
