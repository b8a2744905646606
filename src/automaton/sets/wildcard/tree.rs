//! The tree of the beginnings of wildcards, and one pass over a string that finds which of them it reaches.

use std::ops::ControlFlow;

use super::super::Value;
use super::super::affix::{PrefixSet, SuffixSet};
use super::super::packed::Packed;
use super::super::pieces::{PieceId, Pieces};
use super::cache::{Walk, WildcardCache};
use super::ids::{BeginningId, QueueId, RootId, TailId};
use crate::base::{Id, Key, Optional, Run, Table};

/// A beginning that waits for a hot piece, and in which queue.
pub(super) type Queued = (BeginningId, QueueId);
/// The last piece of a wildcard, and its value.
pub(super) type Tail = (TailId, Value);
/// What a wildcard with this last piece begins with, and its value.
pub(super) type End = (BeginningId, Value);

/// The beginning of some wildcards: their first pieces, up to one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Beginning {
    /// First of the values of the wildcards that end in a star after it.
    pub(super) first_open: u32,
    /// First of the children that wait for hot pieces.
    pub(super) first_hot: u32,
    /// First of the tails that may follow.
    pub(super) first_tail: u32,
    /// Whether there are children.
    pub(super) inner: bool,
    /// Whether a wildcard of some child, or below, ends in a star.
    pub(super) open_below: bool,
}

/// A literal between two stars.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece {
    pub(super) length: usize,
    /// First of the beginnings to look at.
    pub(super) first_edge: u32,
    /// Where beginnings wait for it, if it is hot.
    pub(super) queue: Optional<QueueId>,
}

/// A first piece.
#[derive(Clone, Copy, Debug)]
pub(super) struct Root {
    pub(super) beginning: BeginningId,
    /// First bit of the wildcards with this first piece, if they are packed.
    pub(super) first_bit: usize,
}

/// Tables with one entry more than there are things, so the next entry of the last one is there, are marked *.
#[derive(Debug)]
pub(crate) struct Tree {
    /// Wildcards without star.
    pub(super) exact: PrefixSet,
    /// First pieces, by the numbers of their roots.
    pub(super) fronts: PrefixSet,
    /// *
    pub(super) roots: Table<RootId, Root>,
    /// Non-empty last pieces, by their numbers.
    pub(super) backs: SuffixSet,
    pub(super) pieces: Pieces,
    /// *
    pub(super) beginnings: Table<BeginningId, Beginning>,
    pub(super) parents: Table<BeginningId, Optional<BeginningId>>,
    pub(super) open: Table<Id<Value>, Value>,
    pub(super) hot: Table<Id<Queued>, Queued>,
    /// By beginning, sorted by tail.
    pub(super) tails: Table<Id<Tail>, Tail>,
    /// *
    pub(super) table: Table<PieceId, Piece>,
    pub(super) edges: Table<Id<BeginningId>, BeginningId>,
    /// By tail.
    pub(super) ends: Table<Id<End>, End>,
    /// *
    pub(super) first_end: Table<TailId, u32>,
    pub(super) queues: usize,
    pub(super) packed: Option<Packed>,
}

impl Tree {
    pub(super) fn each(&self, text: &[u8], cache: &mut WildcardCache, found: &mut impl FnMut(Value)) {
        self.exact.whole(text, found);
        cache.fit(self.beginnings.len(), self.queues);
        let WildcardCache { walk, found: kept, groups, packed: state } = cache;
        self.backs.each_sized(text, &mut |tail, length| walk.ends.push((TailId::from_raw(tail), text.len() - length)));
        self.fronts.each_sized(text, &mut |root, length| walk.roots.push((RootId::from_raw(root), length)));
        walk.roots_left = walk.roots.len();
        // Where to scan from, if a beginning that is reached leads on to anything that can still match.
        let leading = walk.roots.iter().filter(|(root, _)| {
            let beginning = &self.beginnings[self.roots[*root].beginning];
            beginning.inner && (beginning.open_below || !walk.ends.is_empty())
        });
        let from = leading.map(|(_, length)| *length).next_back();
        let Some((packed, from)) = self.packed.as_ref().zip(from) else {
            walk.budget = isize::MAX;
            self.turn(text, from, walk, found);
            return;
        };
        for (root, place) in walk.roots.iter().rev() {
            groups.push((self.roots[*root].first_bit..self.roots[root.next()].first_bit, *place));
        }
        walk.budget = packed.cost(text.len() - from, groups);
        if self.turn(text, Some(from), walk, &mut |value| kept.push(value)) {
            kept.iter().for_each(|value| found(*value));
        } else {
            packed.each(text, groups, state, found);
        }
    }

    /// Takes the pieces of the text in turn, from some place on if they matter. Whether it stayed within the budget.
    fn turn(&self, text: &[u8], from: Option<usize>, walk: &mut Walk, found: &mut impl FnMut(Value)) -> bool {
        if let Some((from, rest)) = from.and_then(|from| Some((from, text.get(from..)?))) {
            let within = self.pieces.scan(rest, |piece, end| {
                // What begins before `end` follows roots that end before it.
                self.reach_roots(from + end - 1, walk, found);
                self.occurred(piece, from + end, walk, found);
                if walk.budget < 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
            if !within {
                return false;
            }
        }
        self.reach_roots(text.len(), walk, found);
        for (tail, start) in &walk.ends {
            self.finish(*tail, *start, walk, found);
        }
        true
    }

    /// Reaches the roots up to a place: not earlier, because queues want their beginnings in the order of places.
    #[inline]
    fn reach_roots(&self, place: usize, walk: &mut Walk, found: &mut impl FnMut(Value)) {
        // The shortest first pieces came last.
        while let Some((root, length)) =
            walk.roots.get(..walk.roots_left).and_then(|roots| roots.last()).copied().filter(|root| root.1 <= place)
        {
            walk.roots_left -= 1;
            self.reach(self.roots[root].beginning, length, walk, found);
        }
    }

    /// A piece ends at `end`: what follows a beginning that was reached before the piece began is reached.
    #[inline]
    fn occurred(&self, piece: PieceId, end: usize, walk: &mut Walk, found: &mut impl FnMut(Value)) {
        let this = &self.table[piece];
        let start = end - this.length;
        walk.budget -= 2;
        let Some(queue) = this.queue.get() else {
            for beginning in &self.edges[Run::new(this.first_edge, self.table[piece.next()].first_edge)] {
                let since = self.parents[*beginning].get().and_then(|parent| walk.place_of(parent));
                if since.is_some_and(|since| since <= start) && walk.place_of(*beginning).is_none() {
                    self.reach(*beginning, end, walk, found);
                }
            }
            return;
        };
        while let Some(beginning) = walk.next_of(queue, start) {
            self.reach(beginning, end, walk, found);
        }
    }

    #[inline]
    fn reach(&self, beginning: BeginningId, place: usize, walk: &mut Walk, found: &mut impl FnMut(Value)) {
        walk.set_reached(beginning, place);
        let (this, next) = (&self.beginnings[beginning], &self.beginnings[beginning.next()]);
        self.open[Run::new(this.first_open, next.first_open)].iter().for_each(|value| found(*value));
        if this.first_tail != next.first_tail {
            walk.tailed.push(beginning);
        }
        walk.budget -= 8 + 4 * (next.first_hot - this.first_hot) as isize;
        for (child, queue) in &self.hot[Run::new(this.first_hot, next.first_hot)] {
            walk.wait(*child, *queue, place);
        }
    }

    /// The text ends with a tail that begins at `start`: finds the wildcards that end so.
    fn finish(&self, tail: TailId, start: usize, walk: &Walk, found: &mut impl FnMut(Value)) {
        let ends = &self.ends[Run::new(self.first_end[tail], self.first_end[tail.next()])];
        let in_time = |beginning: BeginningId| walk.place_of(beginning).is_some_and(|place| place <= start);
        if ends.len() <= walk.tailed.len() * 4 {
            ends.iter().filter(|(beginning, _)| in_time(*beginning)).for_each(|(_, value)| found(*value));
            return;
        }
        for beginning in walk.tailed.iter().copied().filter(|beginning| in_time(*beginning)) {
            let (this, next) = (&self.beginnings[beginning], &self.beginnings[beginning.next()]);
            let tails = &self.tails[Run::new(this.first_tail, next.first_tail)];
            let from = tails.partition_point(|(other, _)| *other < tail);
            let same = tails.iter().skip(from).take_while(|(other, _)| *other == tail);
            same.for_each(|(_, value)| found(*value));
        }
    }

    pub(super) fn memory_usage(&self) -> usize {
        let sets = self.exact.memory_usage() + self.fronts.memory_usage() + self.backs.memory_usage();
        let packed = self.packed.as_ref().map_or(0, Packed::memory_usage);
        sets + packed
            + self.pieces.memory_usage()
            + size_of_val(self.roots.as_slice())
            + size_of_val(self.beginnings.as_slice())
            + size_of_val(self.parents.as_slice())
            + size_of_val(self.open.as_slice())
            + size_of_val(self.hot.as_slice())
            + size_of_val(self.tails.as_slice())
            + size_of_val(self.table.as_slice())
            + size_of_val(self.edges.as_slice())
            + size_of_val(self.ends.as_slice())
            + size_of_val(self.first_end.as_slice())
    }
}
