//! What is known of an event so far: verdicts on lists, each found once, and the buckets that are open.

use super::lookup::LeafKind;
use super::observed::{LeafId, Observed};
use super::satisfy;
use crate::automaton::{
    Automaton, BranchId, Bucket, BucketId, ClauseId, Excluding, FieldId, Item, Kind, List, ListId, OtherExclusions,
    TestId,
};
use crate::base::{Key, PatternId, Table};

/// A field of more leaves is not looked through for each list of values: they are marked once.
const FEW: u32 = 8;

/// More lists of a branch than this are gone through once per event; fewer are as quick to go through again.
const FEW_LISTS: usize = 16;

/// Whether the event satisfies a list, or all of several lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Verdict {
    No = 1,
    Yes = 2,
    /// Only if elements go together in a way that the join has to find out: no scalar satisfies the list, and whether one
    /// is in the way of its `exists: false` depends on the array elements chosen.
    Maybe = 3,
}

impl From<bool> for Verdict {
    fn from(yes: bool) -> Verdict {
        if yes { Verdict::Yes } else { Verdict::No }
    }
}

/// Verdicts by id, with the number of the event that they were given for, so a new event need not clear them.
#[derive(Debug)]
pub(super) struct Marks<I>(Table<I, u32>);

/// The two low bits of a mark are the verdict; above them is the number of the event.
const VERDICT: u32 = 3;

/// The number of the next event. It comes round to that of the first one.
#[inline]
pub(super) fn next_epoch(epoch: u32) -> u32 {
    epoch.checked_add(VERDICT + 1).unwrap_or(FIRST_EPOCH)
}

/// The number of the first event after marks were cleared.
pub(super) const FIRST_EPOCH: u32 = VERDICT + 1;

impl<I: Key> Marks<I> {
    #[inline]
    pub(super) fn get(&self, id: I, epoch: u32) -> Option<Verdict> {
        let mark = self.0[id];
        if mark & !VERDICT != epoch {
            return None;
        }
        match mark & VERDICT {
            1 => Some(Verdict::No),
            2 => Some(Verdict::Yes),
            3 => Some(Verdict::Maybe),
            _ => None,
        }
    }

    #[inline]
    pub(super) fn set(&mut self, id: I, epoch: u32, verdict: Verdict) {
        self.0[id] = epoch | verdict as u32;
    }

    #[inline]
    fn clear(&mut self, id: I) {
        self.0[id] = 0;
    }

    /// Whether it was not set yet for this event; sets it.
    #[inline]
    pub(super) fn first(&mut self, id: I, epoch: u32) -> bool {
        let mark = &mut self.0[id];
        let first = *mark & !VERDICT != epoch;
        *mark = epoch | Verdict::Yes as u32;
        first
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    pub(super) fn fit(&mut self, count: usize) {
        self.0.reset(count, 0);
    }

    pub(super) fn forget(&mut self) {
        self.0.fill(0);
    }
}

impl<I: Key> Default for Marks<I> {
    fn default() -> Marks<I> {
        Marks(Table::new())
    }
}

#[derive(Debug, Default)]
pub(super) struct Verdicts {
    epoch: u32,
    lists: Marks<ListId>,
    /// Branches that were decided, if what is left of them is long.
    branches: Marks<BranchId>,
    /// Tests that some value is, for the fields in `valued`.
    values: Marks<TestId>,
    valued: Marks<FieldId>,
    /// Whether some verdict depends on the elements chosen.
    pub(super) depend_on_elements: bool,
    /// Clauses satisfied, for patterns that have several.
    clauses: Marks<ClauseId>,
    /// How many of its clauses are satisfied, for each pattern in `touched`.
    satisfied: Table<PatternId, u32>,
    touched: Vec<PatternId>,
    opened: Marks<BucketId>,
    /// Buckets still to be gone through. They are fetched when they are queued, so by then they are at hand.
    pub(super) queue: Vec<(BucketId, Bucket)>,
}

impl Verdicts {
    /// Makes room for the tables of an automaton.
    pub(super) fn fit(&mut self, automaton: &Automaton) {
        self.lists.fit(automaton.lists.len());
        self.opened.fit(automaton.buckets.len());
        // Made when the first event needs it.
        self.values.fit(0);
        self.branches.fit(0);
        self.valued.fit(automaton.trie.fields());
        let clauses = automaton.patterns.counted_clauses();
        self.clauses.fit(clauses);
        self.satisfied.reset(if clauses == 0 { 0 } else { automaton.patterns.len() }, 0);
        self.touched.clear();
    }

    /// Forgets the last event. With `forget` the numbers of events begin again.
    pub(super) fn begin(&mut self, epoch: u32, forget: bool) {
        self.epoch = epoch;
        if forget {
            self.lists.forget();
            self.branches.forget();
            self.opened.forget();
            self.values.forget();
            self.valued.forget();
            self.clauses.forget();
        }
        self.depend_on_elements = false;
        self.queue.clear();
        for pattern in self.touched.drain(..) {
            self.satisfied[pattern] = 0;
        }
    }

    /// What was found out about a list, if anything was.
    #[inline]
    pub(super) fn known(&self, list: ListId) -> Option<Verdict> {
        self.lists.get(list, self.epoch)
    }

    #[inline]
    pub(super) fn set(&mut self, list: ListId, verdict: Verdict) {
        self.lists.set(list, self.epoch, verdict);
    }

    /// Forgets what was found out about a list.
    pub(super) fn clear(&mut self, list: ListId) {
        self.lists.clear(list);
    }

    /// The verdict on a list.
    #[inline]
    pub(super) fn list(&mut self, automaton: &Automaton, observed: &mut Observed, id: ListId) -> Verdict {
        self.known(id).unwrap_or_else(|| self.find(automaton, observed, id))
    }

    /// Finds the verdict on a list. (A call, to leave the look-up above short.)
    #[inline(never)]
    fn find(&mut self, automaton: &Automaton, observed: &mut Observed, id: ListId) -> Verdict {
        let verdict = self.decide(automaton, observed, automaton.lists.get(id));
        self.set(id, verdict);
        verdict
    }

    #[inline]
    fn decide(&mut self, automaton: &Automaton, observed: &mut Observed, list: List<'_>) -> Verdict {
        let field = observed.field(list.field);
        if field.count == 0 {
            return list.kinds.has(Kind::Absent).into();
        }
        if list.kinds.has(Kind::Present) {
            return Verdict::Yes;
        }
        let exact = automaton.lists.exact_tests(list);
        if list.kinds.values_only() && field.count > FEW && exact.len() <= field.count as usize {
            self.mark_values(automaton, observed, list.field);
            return exact.iter().any(|test| self.is_value(*test)).into();
        }
        let mut next = field.first;
        while let Some(leaf) = next.get() {
            next = observed.leaves[leaf].next;
            if satisfy::list(automaton, observed, list, leaf) {
                return Verdict::Yes;
            }
        }
        if list.kinds.has(Kind::Absent) && field.in_elements == field.count {
            self.depend_on_elements = true;
            return Verdict::Maybe;
        }
        Verdict::No
    }

    /// The verdict on all remaining lists of a branch in a bucket; the first is already decided. A long branch is decided
    /// once.
    pub(super) fn left(
        &mut self,
        automaton: &Automaton,
        observed: &mut Observed,
        item: &Item,
        first: Verdict,
    ) -> Verdict {
        let lists = automaton.patterns.left_of(item);
        if lists.len() > FEW_LISTS {
            return self.many_left(automaton, observed, item.branch, lists);
        }
        self.all(automaton, observed, lists.get(1..).unwrap_or(&[]), first)
    }

    /// The same for so many lists that they are gone through once per event: the branch may be in many of the buckets. A
    /// second visit answers no: if the branch matches, the first visit accepted it.
    #[cold]
    fn many_left(
        &mut self,
        automaton: &Automaton,
        observed: &mut Observed,
        branch: BranchId,
        lists: &[ListId],
    ) -> Verdict {
        if self.branches.len() == 0 {
            self.branches.fit(automaton.patterns.branches());
        }
        if !self.branches.first(branch, self.epoch) {
            return Verdict::No;
        }
        self.all(automaton, observed, lists, Verdict::Yes)
    }

    /// The verdict on all of these lists together, and on what was decided before.
    #[inline]
    fn all(&mut self, automaton: &Automaton, observed: &mut Observed, lists: &[ListId], before: Verdict) -> Verdict {
        let mut verdict = before;
        for list in lists {
            match self.list(automaton, observed, *list) {
                Verdict::Yes => {}
                Verdict::Maybe => verdict = Verdict::Maybe,
                Verdict::No => return Verdict::No,
            }
        }
        verdict
    }

    /// Marks the tests that the values of a field are, once per event.
    pub(super) fn mark_values(&mut self, automaton: &Automaton, observed: &mut Observed, field: FieldId) {
        if !self.valued.first(field, self.epoch) {
            return;
        }
        if self.values.len() == 0 {
            self.values.fit(automaton.tests.len());
        }
        let mut next = observed.field(field).first;
        while let Some(leaf) = next.get() {
            next = observed.leaves[leaf].next;
            if let Some(test) = satisfy::value_test(automaton, observed, leaf) {
                self.values.set(test, self.epoch, Verdict::Yes);
            }
        }
    }

    /// Whether some value of a field is a test. INVARIANT: the values of the test's field were marked.
    pub(super) fn is_value(&self, test: TestId) -> bool {
        self.values.get(test, self.epoch).is_some()
    }

    /// Rejects the lists that exclude a leaf, the only one of its field, by something other than its value.
    pub(super) fn reject(
        &mut self,
        automaton: &Automaton,
        observed: &mut Observed,
        others: &OtherExclusions,
        id: LeafId,
    ) {
        let mut reject = |test: TestId| match automaton.entries.excluding(test) {
            Excluding::These(lists) => {
                lists.iter().for_each(|list| self.lists.set(*list, self.epoch, Verdict::No));
            }
            Excluding::AllBut(_) => unreachable!("INVARIANT: only values are written down by the lists they leave"),
        };
        if observed.leaves[id].kind == LeafKind::Text {
            if others.kinds.has(Kind::Lower)
                && let Some(test) = satisfy::lower_test(automaton, observed, id)
            {
                reject(test);
            }
            if others.kinds.has(Kind::Address)
                && let Some(test) = satisfy::leaf_address(automaton, observed, id)
            {
                reject(test);
            }
        }
        satisfy::each_of(&automaton.sets[others.set], others.kinds, observed, id, &mut reject);
    }

    /// Queues a bucket, once.
    #[inline]
    pub(super) fn open(&mut self, automaton: &Automaton, bucket: BucketId) {
        if self.opened.first(bucket, self.epoch) {
            self.queue.push((bucket, automaton.buckets[bucket]));
        }
    }

    /// Queues the buckets that a test opens.
    #[inline]
    pub(super) fn open_all(&mut self, automaton: &Automaton, test: TestId) {
        automaton.entries.each_opened(test, |bucket| self.open(automaton, bucket));
    }

    /// Notes that a clause is satisfied; returns whether that was the last clause of its pattern to be so.
    pub(super) fn complete(&mut self, automaton: &Automaton, clause: ClauseId, pattern: PatternId) -> bool {
        if !self.clauses.first(clause, self.epoch) {
            return false;
        }
        let count = &mut self.satisfied[pattern];
        if *count == 0 {
            self.touched.push(pattern);
        }
        *count += 1;
        *count as usize == automaton.patterns.clauses_of(pattern).len()
    }
}
