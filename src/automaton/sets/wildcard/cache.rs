//! What matching remembers of one text, grown by the first strings of a set and then kept.

use std::ops::Range;

use super::super::Value;
use super::super::packed::PackedState;
use super::ids::{BeginningId, QueueId, RootId, TailId};
use crate::base::{Optional, Table};

/// Room for matching a string against wildcards. One for any number of sets.
#[derive(Debug, Default)]
pub(crate) struct WildcardCache {
    pub(super) walk: Walk,
    /// What has been found within the budget.
    pub(super) found: Vec<Value>,
    pub(super) groups: Vec<(Range<usize>, usize)>,
    pub(super) packed: PackedState,
}

/// Which beginnings a string has reached.
#[derive(Debug, Default)]
pub(super) struct Walk {
    /// How many strings there were.
    texts: u64,
    /// For each beginning the text by which it was reached last, and the place.
    reached: Table<BeginningId, (u64, usize)>,
    waits: Table<BeginningId, Wait>,
    queues: Table<QueueId, Queue>,
    /// The beginnings reached that have tails.
    pub(super) tailed: Vec<BeginningId>,
    /// The first pieces with which the text begins, longest first, and where they end.
    pub(super) roots: Vec<(RootId, usize)>,
    /// How many of them are still to be reached.
    pub(super) roots_left: usize,
    /// What may still be spent on reaching beginnings, in nanoseconds or so.
    pub(super) budget: isize,
    /// The tails with which the text ends, and where they begin.
    pub(super) ends: Vec<(TailId, usize)>,
}

/// A beginning that waits for a hot piece.
#[derive(Clone, Copy, Debug)]
struct Wait {
    /// Where its parent was reached.
    since: usize,
    /// The next one in the queue.
    next: Optional<BeginningId>,
}

/// Beginnings that wait for a hot piece, in the order in which their parents were reached.
#[derive(Clone, Copy, Debug, Default)]
struct Queue {
    /// The text it was filled for.
    text: u64,
    head: Optional<BeginningId>,
    last: BeginningId,
}

impl WildcardCache {
    /// Forgets the last text, and makes room for a set.
    pub(super) fn fit(&mut self, beginnings: usize, queues: usize) {
        self.groups.clear();
        self.found.clear();
        self.walk.fit(beginnings, queues);
    }

    /// Bytes on the heap.
    #[cfg(test)]
    pub(super) fn memory_usage(&self) -> usize {
        let Walk { reached, waits, queues, tailed, roots, ends, .. } = &self.walk;
        tailed.capacity() * size_of::<BeginningId>()
            + self.found.capacity() * size_of::<Value>()
            + reached.capacity() * size_of::<(u64, usize)>()
            + self.groups.capacity() * size_of::<(Range<usize>, usize)>()
            + self.packed.memory_usage()
            + waits.capacity() * size_of::<Wait>()
            + queues.capacity() * size_of::<Queue>()
            + ends.capacity() * size_of::<(TailId, usize)>()
            + roots.capacity() * size_of::<(RootId, usize)>()
    }
}

impl Walk {
    fn fit(&mut self, beginnings: usize, queues: usize) {
        self.tailed.clear();
        self.roots.clear();
        self.ends.clear();
        self.texts += 1;
        if self.reached.len() < beginnings {
            self.reached.grow(beginnings, (0, 0));
            self.waits.grow(beginnings, Wait { since: 0, next: Optional::NONE });
            self.tailed.reserve(beginnings);
        }
        if self.queues.len() < queues {
            self.queues.grow(queues, Queue::default());
        }
    }

    /// Where a beginning was reached, if it was.
    #[inline]
    pub(super) fn place_of(&self, beginning: BeginningId) -> Option<usize> {
        let (text, place) = self.reached[beginning];
        (text == self.texts).then_some(place)
    }

    #[inline]
    pub(super) fn set_reached(&mut self, beginning: BeginningId, place: usize) {
        self.reached[beginning] = (self.texts, place);
    }

    #[inline]
    pub(super) fn wait(&mut self, beginning: BeginningId, queue: QueueId, since: usize) {
        let queue = &mut self.queues[queue];
        self.waits[beginning] = Wait { since, next: Optional::NONE };
        if queue.text != self.texts || queue.head.is_none() {
            *queue = Queue { text: self.texts, head: Optional::some(beginning), last: beginning };
        } else {
            self.waits[queue.last].next = Optional::some(beginning);
            queue.last = beginning;
        }
    }

    /// The next beginning that waits since `start`.
    #[inline]
    pub(super) fn next_of(&mut self, queue: QueueId, start: usize) -> Option<BeginningId> {
        let queue = &mut self.queues[queue];
        if queue.text != self.texts {
            return None;
        }
        let beginning = queue.head.get()?;
        let Wait { since, next } = self.waits[beginning];
        if since > start {
            return None;
        }
        queue.head = next;
        Some(beginning)
    }
}
