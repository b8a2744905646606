//! Which leaves satisfy a list: found once per event and list, by the value where a field has many.

use super::super::observed::{ElementId, FieldLeaves, LeafId, Observed};
use super::super::satisfy;
use super::super::verdict::Marks;
use crate::automaton::{Automaton, FieldId, ListId, TestId};
use crate::base::{Id, Optional, Run, Table};

/// The leaves that satisfy a list, and if it tests absence all leaves of its field.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Hits {
    pub(super) own: Sorted,
    pub(super) all: Sorted,
}

impl Hits {
    pub(super) fn count(&self) -> usize {
        self.own.leaves.len()
    }
}

/// Leaves, ascending, and the same by element.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sorted {
    pub(super) leaves: Run<HitId>,
    pub(super) by_element: Run<HitId>,
}

/// A place in [`Collected::hits`].
pub(super) type HitId = Id<LeafId>;

/// Fields of more leaves than this are not looked through for each list of values, but sorted once.
const MANY: u32 = 16;

/// How many hits may be kept for further branches. (More lists than that have room for one each.)
const KEPT: usize = 1 << 18;

/// What was collected of one event.
#[derive(Debug, Default)]
pub(super) struct Collected {
    epoch: u32,
    /// Whether a list's hits were collected for this event, and where they are.
    lists: Marks<ListId>,
    ranges: Table<ListId, Hits>,
    /// Leaves, ascending for each list.
    pub(super) hits: Table<HitId, LeafId>,
    /// For fields of many leaves their values, sorted, with the leaves: when, and where in `valued`.
    sorted: Table<FieldId, (u32, Run<Id<Valued>>)>,
    valued: Table<Id<Valued>, Valued>,
}

/// A value, as a test, and a leaf that has it.
type Valued = (TestId, LeafId);

impl Collected {
    pub(super) fn fit(&mut self, automaton: &Automaton) {
        self.lists.fit(automaton.lists.len());
        self.ranges.reset(automaton.lists.len(), Hits::default());
        self.sorted.reset(automaton.trie.fields(), (0, Run::EMPTY));
    }

    pub(super) fn begin(&mut self, epoch: u32, forget: bool) {
        self.epoch = epoch;
        if forget {
            self.lists.forget();
            self.sorted.fill((0, Run::EMPTY));
        }
        self.hits.clear();
        self.valued.clear();
    }

    /// Forgets the hits of lists before they fill the memory: what a branch needs is found again.
    pub(super) fn make_room(&mut self) {
        if self.hits.len() > KEPT.max(self.ranges.len()) {
            self.hits.clear();
            self.lists.forget();
        }
    }

    /// The leaves that satisfy a list; with `absent` all leaves of its field as well.
    pub(super) fn collect(&mut self, automaton: &Automaton, observed: &mut Observed, id: ListId, absent: bool) -> Hits {
        if !self.lists.first(id, self.epoch) {
            return self.ranges[id];
        }
        let start = self.hits.len();
        let list = automaton.lists.get(id);
        let field = observed.field(list.field);
        let exact = automaton.lists.exact_tests(list);
        if list.kinds.values_only() && field.count > MANY && exact.len() <= field.count as usize / 8 {
            let run = self.sort_values(automaton, observed, list.field, field);
            let values = &self.valued[run];
            for test in exact {
                let same = values.iter().skip(values.partition_point(|(value, _)| value < test));
                self.hits.push_all(same.take_while(|(value, _)| value == test).map(|(_, leaf)| *leaf));
            }
            if exact.len() > 1 {
                let run = self.since(start);
                self.hits[run].sort_unstable();
            }
        } else {
            let mut next = field.first;
            while let Some(leaf) = next.get() {
                next = observed.leaves[leaf].next;
                if satisfy::list(automaton, observed, list, leaf) {
                    self.hits.push(leaf);
                }
            }
        }
        let own = self.sort_by_element(observed, start);
        let all = if absent {
            let start = self.hits.len();
            let mut next = field.first;
            while let Some(leaf) = next.get() {
                self.hits.push(leaf);
                next = observed.leaves[leaf].next;
            }
            self.sort_by_element(observed, start)
        } else {
            Sorted::default()
        };
        let hits = Hits { own, all };
        self.ranges[id] = hits;
        hits
    }

    /// The values of a field, as tests, sorted, with their leaves. Values that no list has are left out. Once per event.
    fn sort_values(
        &mut self,
        automaton: &Automaton,
        observed: &mut Observed,
        id: FieldId,
        field: FieldLeaves,
    ) -> Run<Id<Valued>> {
        let (epoch, run) = self.sorted[id];
        if epoch == self.epoch {
            return run;
        }
        let start = self.valued.len();
        let mut next: Optional<LeafId> = field.first;
        while let Some(leaf) = next.get() {
            next = observed.leaves[leaf].next;
            if let Some(value) = satisfy::value_test(automaton, observed, leaf) {
                self.valued.push((value, leaf));
            }
        }
        let run = Run::new(start as u32, self.valued.len() as u32);
        self.valued[run].sort_unstable();
        self.sorted[id] = (self.epoch, run);
        run
    }

    fn since(&self, start: usize) -> Run<HitId> {
        Run::new(start as u32, self.hits.len() as u32)
    }

    /// The hits from `start` on, and the same by element, which are needed where arrays have scalars of their own.
    fn sort_by_element(&mut self, observed: &Observed, start: usize) -> Sorted {
        let leaves = self.since(start);
        let element = |hit: &LeafId| -> ElementId { observed.element_of(*hit) };
        if !observed.has_direct || self.hits[leaves].is_sorted_by_key(element) {
            return Sorted { leaves, by_element: leaves };
        }
        let end = self.hits.len();
        self.hits.repeat(leaves);
        let by_element = self.since(end);
        self.hits[by_element].sort_by_key(element);
        Sorted { leaves, by_element }
    }
}
