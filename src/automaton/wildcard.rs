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

#![allow(
    clippy::indexing_slicing,
    reason = "INVARIANT: node, piece, tail and queue numbers are made by `build` for the tables they index, which have \
              one entry behind the last real one; `WildcardCache::fit` makes its lists as long as the set needs"
)]

use std::collections::HashMap;

use super::affix::{PrefixSet, SuffixSet};
use super::pieces::Pieces;
use crate::value::Wildcard;

const NONE: u32 = u32::MAX;

/// Up to so many wildcards are tried one by one, which is faster then.
const FEW: usize = 4;

/// A piece that leads to more nodes than this is *hot*: nodes wait for it in a queue from the moment that their parents
/// are reached. At other pieces the nodes are few enough to look at each of them.
const HOT: usize = 8;

/// What matching remembers of one text. One for any number of sets, grown by the first texts of each and then kept.
#[derive(Debug, Default)]
pub(crate) struct WildcardCache {
    /// Stands for the beginning of the text; what older texts left is below it.
    now: u64,
    /// Stands for the end of the text.
    limit: u64,
    /// For each node `now` plus the place at which it was reached.
    reached: Vec<u64>,
    /// For each node the one that waits behind it for the same hot piece.
    next: Vec<u32>,
    queues: Vec<Queue>,
    /// The nodes reached that have tails.
    tailed: Vec<u32>,
    /// The root nodes that are going to be reached, and where.
    roots: Vec<(u32, usize)>,
    /// The tails with which the text ends, and where they begin.
    ends: Vec<(u32, usize)>,
}

/// Nodes that wait for a hot piece, in the order in which their parents were reached.
#[derive(Clone, Copy, Debug, Default)]
struct Queue {
    /// Up to date if not below `now`.
    stamp: u64,
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
    parent: u32,
    /// First of the values of the wildcards that end in a star behind this node.
    first_open: u32,
    /// First of the children that hot pieces lead to.
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
    /// First of the nodes it leads to.
    first_edge: u32,
    queue: u32,
}

#[derive(Debug)]
pub(crate) struct Tree {
    /// Wildcards without star.
    exact: PrefixSet,
    /// First pieces: the root nodes.
    fronts: PrefixSet,
    /// Non-empty last pieces, by their numbers.
    backs: SuffixSet,
    pieces: Pieces,
    nodes: Box<[Node]>,
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

        // The tree, each node before its children; of each node the piece that leads to it.
        let (mut nodes, mut led_by, mut fronts) = (Vec::<Node>::new(), Vec::new(), Vec::new());
        let (mut open, mut tails) = (Vec::new(), Vec::new());
        let (mut path, mut before): (Vec<u32>, &[Box<[u8]>]) = (Vec::new(), &[]);
        for (row, last, value) in rows {
            path.truncate(row.iter().zip(before).take_while(|(piece, before)| piece == before).count());
            for piece in row.iter().skip(path.len()) {
                let parent = path.last().copied().unwrap_or(NONE);
                let node = nodes.len() as u32;
                if parent == NONE {
                    fronts.push((piece.to_vec(), node));
                    led_by.push(NONE);
                } else {
                    nodes[parent as usize].inner = true;
                    led_by.push(numbers.get(&**piece).copied().unwrap_or(NONE));
                }
                nodes.push(Node {
                    parent,
                    first_open: 0,
                    first_hot: 0,
                    first_tail: 0,
                    inner: false,
                    open_below: false,
                });
                path.push(node);
            }
            before = row;
            let Some(node) = path.last().copied() else { continue };
            match back_numbers.get(last) {
                None => open.push((node, value)),
                Some(back) => tails.push((node, (*back, value))),
            }
        }
        let by_piece =
            Grouped::new(literals.len(), led_by.iter().copied().zip(0..).filter(|(piece, _)| *piece != NONE));
        let mut queues = 0;
        let mut table: Vec<Piece> = literals
            .iter()
            .enumerate()
            .map(|(piece, literal)| {
                let is_hot = by_piece.firsts[piece + 1] - by_piece.firsts[piece] > HOT as u32;
                let queue = if is_hot { queues } else { NONE };
                queues += u32::from(is_hot);
                Piece { length: literal.len() as u32, first_edge: by_piece.firsts[piece], queue }
            })
            .collect();
        let queue_of = |piece: u32| if piece == NONE { NONE } else { table[piece as usize].queue };
        let hot =
            led_by.iter().zip(0..).map(|(piece, node)| (node, queue_of(*piece))).filter(|(_, queue)| *queue != NONE);
        let hot = Grouped::new(nodes.len(), hot.map(|hot| (nodes[hot.0 as usize].parent, hot)));
        let ends = Grouped::new(backs.len(), tails.iter().map(|(node, (back, value))| (*back, (*node, *value))));
        let open = Grouped::new(nodes.len(), open.into_iter());
        let tails = Grouped::new(nodes.len(), tails.into_iter());
        for index in (0..nodes.len()).rev() {
            let below = nodes[index].open_below || open.firsts[index] != open.firsts[index + 1];
            if let Some(parent) = nodes.get(index).map(|node| node.parent).filter(|parent| *parent != NONE) {
                nodes[parent as usize].open_below |= below;
            }
        }
        nodes.push(Node { parent: NONE, first_open: 0, first_hot: 0, first_tail: 0, inner: false, open_below: false });
        for (index, node) in nodes.iter_mut().enumerate() {
            (node.first_open, node.first_hot) = (open.firsts[index], hot.firsts[index]);
            node.first_tail = tails.firsts[index];
        }
        table.push(Piece { length: 0, first_edge: by_piece.items.len() as u32, queue: NONE });
        let mut tails = tails.items;
        for pair in nodes.windows(2) {
            tails[pair[0].first_tail as usize..pair[1].first_tail as usize].sort_unstable();
        }
        Tree {
            exact: PrefixSet::build(exact),
            fronts: PrefixSet::build(fronts),
            backs: SuffixSet::build(backs.iter().zip(0..).map(|(back, number)| (back.to_vec(), number)).collect()),
            pieces: Pieces::build(&literals),
            nodes: nodes.into(),
            open: open.items.into(),
            hot: hot.items.into(),
            tails: tails.into(),
            table: table.into(),
            edges: by_piece.items.into(),
            ends: ends.items.into(),
            first_end: ends.firsts.into(),
            queues: queues as usize,
        }
    }

    fn each(&self, text: &[u8], cache: &mut WildcardCache, found: &mut impl FnMut(u32)) {
        self.exact.whole(text, found);
        cache.fit(self, text.len());
        self.backs.each_sized(text, &mut |back, length| cache.ends.push((back, text.len() - length)));
        // Where to scan from, if a node that is reached leads on to anything that can still fit.
        let mut from = usize::MAX;
        self.fronts.each_sized(text, &mut |root, length| cache.roots.push((root, length)));
        for (root, length) in &cache.roots {
            let node = &self.nodes[*root as usize];
            if node.inner && (node.open_below || !cache.ends.is_empty()) {
                from = from.min(*length);
            }
        }
        if let Some(rest) = text.get(from..) {
            self.pieces.scan(rest, |piece, end| {
                self.reach_roots(from + end, cache, found);
                self.occurred(piece, from + end, cache, found);
            });
        }
        self.reach_roots(text.len(), cache, found);
        for index in 0..cache.ends.len() {
            let (back, start) = cache.ends[index];
            self.finish(back, start, cache, found);
        }
    }

    /// Reaches the roots up to a place: not earlier, because queues want their nodes in the order of places.
    #[inline]
    fn reach_roots(&self, place: usize, cache: &mut WildcardCache, found: &mut impl FnMut(u32)) {
        // The shortest first pieces were told last.
        while let Some((root, length)) = cache.roots.pop_if(|(_, length)| *length <= place) {
            self.reach(root, length, cache, found);
        }
    }

    /// A piece ends at `end`: whoever waits for it since its beginning is reached.
    #[inline]
    fn occurred(&self, piece: u32, end: usize, cache: &mut WildcardCache, found: &mut impl FnMut(u32)) {
        let Piece { length, first_edge, queue } = self.table[piece as usize];
        let start = cache.now + (end - length as usize) as u64;
        if queue == NONE {
            let behind = self.table[piece as usize + 1].first_edge;
            for node in &self.edges[first_edge as usize..behind as usize] {
                let parent = cache.reached[self.nodes[*node as usize].parent as usize];
                if cache.now <= parent && parent <= start && cache.reached[*node as usize] < cache.now {
                    self.reach(*node, end, cache, found);
                }
            }
            return;
        }
        loop {
            let waiting = cache.queues[queue as usize];
            if waiting.stamp < cache.now || waiting.head == NONE {
                return;
            }
            let node = waiting.head;
            if cache.reached[self.nodes[node as usize].parent as usize] > start {
                return;
            }
            cache.queues[queue as usize].head = cache.next[node as usize];
            self.reach(node, end, cache, found);
        }
    }

    #[inline]
    fn reach(&self, node: u32, place: usize, cache: &mut WildcardCache, found: &mut impl FnMut(u32)) {
        cache.reached[node as usize] = cache.now + place as u64;
        let (this, next) = (&self.nodes[node as usize], &self.nodes[node as usize + 1]);
        self.open[this.first_open as usize..next.first_open as usize].iter().for_each(|value| found(*value));
        if this.first_tail != next.first_tail {
            cache.tailed.push(node);
        }
        for (child, queue) in &self.hot[this.first_hot as usize..next.first_hot as usize] {
            let queue = &mut cache.queues[*queue as usize];
            cache.next[*child as usize] = NONE;
            if queue.stamp < cache.now || queue.head == NONE {
                *queue = Queue { stamp: cache.now, head: *child, last: *child };
            } else {
                cache.next[queue.last as usize] = *child;
                queue.last = *child;
            }
        }
    }

    /// The text ends with a tail that begins at `start`: tells the wildcards that end so.
    fn finish(&self, back: u32, start: usize, cache: &WildcardCache, found: &mut impl FnMut(u32)) {
        let latest = cache.now + start as u64;
        let ends = &self.ends[self.first_end[back as usize] as usize..self.first_end[back as usize + 1] as usize];
        if ends.len() <= cache.tailed.len() * 4 {
            for (node, value) in ends {
                let reached = cache.reached[*node as usize];
                if cache.now <= reached && reached <= latest {
                    found(*value);
                }
            }
            return;
        }
        for node in cache.tailed.iter().map(|node| *node as usize).filter(|node| cache.reached[*node] <= latest) {
            let tails = &self.tails[self.nodes[node].first_tail as usize..self.nodes[node + 1].first_tail as usize];
            let from = tails.partition_point(|(tail, _)| *tail < back);
            tails[from..].iter().take_while(|(tail, _)| *tail == back).for_each(|(_, value)| found(*value));
        }
    }

    fn memory_usage(&self) -> usize {
        let sets = self.exact.memory_usage() + self.fronts.memory_usage() + self.backs.memory_usage();
        sets + self.pieces.memory_usage()
            + size_of_val(&*self.nodes)
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
    fn fit(&mut self, tree: &Tree, length: usize) {
        if self.reached.len() < tree.nodes.len() {
            self.reached.resize(tree.nodes.len(), 0);
            self.next.resize(tree.nodes.len(), NONE);
            self.tailed.reserve(tree.nodes.len());
        }
        if self.queues.len() < tree.queues {
            self.queues.resize(tree.queues, Queue::default());
        }
        self.tailed.clear();
        self.ends.clear();
        self.roots.clear();
        // Places of this text are from `now` to `now + length`; those of older texts are all below.
        self.now = self.limit + 1;
        self.limit = self.now + length as u64;
    }

    /// Bytes on the heap.
    pub(crate) fn memory_usage(&self) -> usize {
        self.reached.capacity() * size_of::<u64>()
            + (self.next.capacity() + self.tailed.capacity()) * size_of::<u32>()
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
            texts in prop::collection::vec("[ab]{0,9}", 1..6),
        ) {
            let set = set(&wildcards);
            let mut cache = WildcardCache::default();
            for text in &texts {
                let fitting: Vec<u32> = wildcards.iter().zip(0..).filter(|(wildcard, _)| fits(wildcard, text.as_bytes()))
                    .map(|(_, value)| value).collect();
                prop_assert_eq!(each(&set, text, &mut cache), fitting);
            }
        }
    }
}
