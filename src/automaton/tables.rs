//! The tables themselves, and the accesses that matching makes to them.

use std::sync::atomic::{AtomicU64, Ordering};

use super::ids::{BranchId, BucketId, ClauseId, FieldId, ItemId, ListId, RemainderId, SetId, TestId};
use super::intern::HashIndex;
use super::kind::{Kind, Kinds};
use super::sets::OperandSet;
use super::test::Tests;
use super::trie::FieldTrie;
use crate::base::{Groups, Id, Key, Optional, PatternId, Run, Seeded, Table, hash, run_of};

/// Everything that matching needs, immutable.
#[derive(Debug)]
pub(crate) struct Automaton {
    /// Never twice the same in one process: lets a scratch notice that it serves another matcher.
    pub(crate) identity: u64,
    pub(crate) trie: FieldTrie,
    pub(crate) tests: Tests,
    pub(crate) lists: Lists,
    pub(crate) buckets: Buckets,
    pub(crate) patterns: Patterns,
    pub(crate) entries: Entries,
    pub(crate) sets: Table<SetId, OperandSet>,
    pub(crate) join_steps: usize,
}

/// A number for each automaton, never twice the same in one process.
pub(super) fn next_identity() -> u64 {
    static IDENTITY: AtomicU64 = AtomicU64::new(1);
    IDENTITY.fetch_add(1, Ordering::Relaxed)
}

impl Automaton {
    /// The test with this identity, if any rule has it.
    #[inline]
    pub(crate) fn test(&self, field: FieldId, kind: Kind, operand: &[u8]) -> Option<TestId> {
        if !self.entries.fields[field].may_be(operand) {
            return None;
        }
        self.tests.find(field, kind, operand)
    }

    /// Bytes of all tables on the heap.
    pub(crate) fn memory_usage(&self) -> usize {
        self.trie.memory_usage()
            + self.tests.memory_usage()
            + self.lists.memory_usage()
            + self.buckets.memory_usage()
            + self.patterns.memory_usage()
            + self.entries.memory_usage()
            + heap(&self.sets)
            + self.sets.iter().map(OperandSet::memory_usage).sum::<usize>()
    }
}

/// What the entries of a table take, without what these have on the heap.
fn heap<I: Key, T>(table: &Table<I, T>) -> usize {
    table.capacity() * size_of::<T>()
}

/// Tests of one field of which one must be satisfied; the tests themselves are in [`Lists`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct List {
    pub(crate) field: FieldId,
    /// Tests decided by look-up, ascending, then the others.
    pub(super) start: u32,
    pub(super) others: u32,
    pub(super) end: u32,
    pub(crate) kinds: Kinds,
    /// The bucket of the branches that this list is the entry of.
    pub(crate) bucket: Optional<BucketId>,
    /// If there are many other tests: the set that finds those satisfied at once.
    pub(crate) set: Optional<SetId>,
}

impl List {
    /// Where its tests begin in [`Lists`].
    #[inline]
    pub(crate) fn first_test(&self) -> Id<TestId> {
        Id::from_raw(self.start)
    }
}

/// All lists, with their tests side by side.
#[derive(Debug, Default)]
pub(crate) struct Lists {
    pub(super) lists: Table<ListId, List>,
    pub(super) tests: Table<Id<TestId>, TestId>,
}

impl Lists {
    pub(crate) fn len(&self) -> usize {
        self.lists.len()
    }

    /// All tests of a list.
    #[inline]
    pub(crate) fn tests_of(&self, list: &List) -> &[TestId] {
        &self.tests[Run::new(list.start, list.end)]
    }

    /// The tests decided by look-up, ascending.
    #[inline]
    pub(crate) fn exact_tests(&self, list: &List) -> &[TestId] {
        &self.tests[Run::new(list.start, list.others)]
    }

    #[inline]
    pub(crate) fn other_tests(&self, list: &List) -> &[TestId] {
        &self.tests[Run::new(list.others, list.end)]
    }

    /// The first test of a list, to have it at hand. Lists without tests have none.
    #[inline]
    pub(crate) fn touch(&self, first: Id<TestId>) -> Option<&TestId> {
        self.tests.checked(first)
    }

    fn memory_usage(&self) -> usize {
        heap(&self.lists) + heap(&self.tests)
    }

    pub(super) fn shrink(&mut self) {
        self.lists.shrink_to_fit();
        self.tests.shrink_to_fit();
    }
}

impl std::ops::Index<ListId> for Lists {
    type Output = List;

    #[inline(always)]
    fn index(&self, list: ListId) -> &List {
        &self.lists[list]
    }
}

/// The branches of one entry.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Bucket {
    pub(crate) items: Run<ItemId>,
    /// Fields by whose value the rest is found.
    pub(crate) dispatch: Run<Id<FieldId>>,
    /// The buckets that these lead to.
    pub(crate) children: Run<BucketId>,
}

/// A branch in a bucket, and what of it is left to be decided.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Item {
    pub(crate) branch: BranchId,
    pub(crate) remainder: RemainderId,
    /// The list of the remainder that is decided first; none if it has no lists.
    pub(crate) first: Optional<ListId>,
    /// The pattern that the branch is enough for; none if that has several clauses.
    pub(crate) pattern: Optional<PatternId>,
}

/// From where, and by which test, a bucket is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Via {
    pub(super) from: BucketId,
    pub(super) by: TestId,
}

impl Via {
    pub(super) fn hash(self, seeded: &Seeded) -> u64 {
        hash(seeded, u64::from(self.from.raw()) << 32 | u64::from(self.by.raw()), &[])
    }
}

/// All buckets. Those of entries come first, then those reached by dispatch.
#[derive(Debug)]
pub(crate) struct Buckets {
    pub(super) buckets: Table<BucketId, Bucket>,
    pub(crate) items: Table<ItemId, Item>,
    pub(crate) dispatch_fields: Table<Id<FieldId>, FieldId>,
    /// For each bucket reached by dispatch from where, beginning with `first_via`.
    pub(super) via: Table<Id<Via>, Via>,
    pub(super) first_via: BucketId,
    /// The bucket of branches that nothing needs to lead to (patterns without any test).
    pub(crate) always: Optional<BucketId>,
    pub(super) remainders: Groups<RemainderId, Id<ListId>, ListId>,
    /// By the hash of [`Via`].
    pub(super) dispatch: HashIndex<BucketId>,
}

impl Buckets {
    pub(crate) fn len(&self) -> usize {
        self.buckets.len()
    }

    /// Whether so many buckets, and as many entries as these lists have tests, leave the mark of [`Opens`] free.
    pub(super) fn fit(count: usize, lists: &Lists) -> bool {
        count.max(lists.tests.len()) < Opens::MARK as usize - 1
    }

    pub(crate) fn remainders(&self) -> usize {
        self.remainders.len()
    }

    #[inline]
    pub(crate) fn lists_of_remainder(&self, remainder: RemainderId) -> &[ListId] {
        &self.remainders[remainder]
    }

    /// The buckets that are reached by dispatch.
    pub(super) fn reached(&self) -> impl ExactSizeIterator<Item = (BucketId, Via)> {
        let first = self.first_via.raw();
        self.via.enumerate().map(move |(place, via)| (BucketId::from_raw(first + place.raw()), *via))
    }

    /// From where a bucket is reached; none for the bucket of an entry.
    pub(super) fn via(&self, bucket: BucketId) -> Option<Via> {
        let place = bucket.raw().checked_sub(self.first_via.raw())?;
        self.via.checked(Id::from_raw(place)).copied()
    }

    /// By which test a bucket is reached that another one dispatches to.
    pub(crate) fn test_before(&self, child: BucketId) -> TestId {
        // INVARIANT: children are buckets reached by dispatch.
        self.via(child).map_or_else(|| unreachable!("a child has a test"), |via| via.by)
    }

    /// Where a value leads from a bucket.
    #[inline]
    pub(crate) fn dispatched(&self, seeded: &Seeded, from: BucketId, by: TestId) -> Option<BucketId> {
        let via = Via { from, by };
        self.dispatch.find(via.hash(seeded), |to| self.via(to) == Some(via))
    }

    fn memory_usage(&self) -> usize {
        heap(&self.buckets)
            + heap(&self.items)
            + heap(&self.dispatch_fields)
            + heap(&self.via)
            + heap(&self.remainders.ends)
            + heap(&self.remainders.entries)
            + self.dispatch.memory_usage()
    }

    pub(super) fn shrink(&mut self) {
        self.buckets.shrink_to_fit();
        self.items.shrink_to_fit();
        self.dispatch_fields.shrink_to_fit();
        self.via.shrink_to_fit();
        self.remainders.shrink_to_fit();
    }
}

impl Default for Buckets {
    fn default() -> Buckets {
        Buckets {
            buckets: Table::new(),
            items: Table::new(),
            dispatch_fields: Table::new(),
            via: Table::new(),
            first_via: BucketId::FIRST,
            always: Optional::NONE,
            remainders: Groups::default(),
            dispatch: HashIndex::empty(),
        }
    }
}

impl std::ops::Index<BucketId> for Buckets {
    type Output = Bucket;

    #[inline(always)]
    fn index(&self, bucket: BucketId) -> &Bucket {
        &self.buckets[bucket]
    }
}

/// What patterns consist of: clauses, of which each is a choice of branches.
#[derive(Debug, Default)]
pub(crate) struct Patterns {
    pub(super) branches: Groups<BranchId, Id<ListId>, ListId>,
    pub(super) clause_of: Table<BranchId, ClauseId>,
    /// For each pattern the end of its clauses.
    pub(super) ends: Table<PatternId, u32>,
    pub(super) pattern_of: Table<ClauseId, PatternId>,
    /// For each clause the end of its branches, if some pattern has several clauses; else empty.
    pub(super) clause_ends: Table<ClauseId, u32>,
}

impl Patterns {
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    #[inline]
    pub(crate) fn lists_of(&self, branch: BranchId) -> &[ListId] {
        &self.branches[branch]
    }

    /// The clause that a branch belongs to.
    pub(crate) fn clause_of(&self, branch: BranchId) -> ClauseId {
        self.clause_of[branch]
    }

    pub(crate) fn pattern_of(&self, clause: ClauseId) -> PatternId {
        self.pattern_of[clause]
    }

    pub(crate) fn clauses_of(&self, pattern: PatternId) -> Run<ClauseId> {
        run_of(&self.ends, pattern)
    }

    /// How many clauses there are, if some pattern has several; else 0.
    pub(crate) fn counted_clauses(&self) -> usize {
        self.clause_ends.len()
    }

    /// The branches of a clause. INVARIANT: some pattern has several clauses.
    pub(crate) fn branches_of(&self, clause: ClauseId) -> Run<BranchId> {
        run_of(&self.clause_ends, clause)
    }

    /// The pattern that a branch is enough for, if it is.
    pub(super) fn pattern_of_whole(&self, branch: BranchId) -> Optional<PatternId> {
        let pattern = self.pattern_of[self.clause_of[branch]];
        if self.clauses_of(pattern).len() == 1 { Optional::some(pattern) } else { Optional::NONE }
    }

    /// Finds the branches of each clause, where patterns have several.
    pub(super) fn find_clause_ends(&mut self) {
        if self.pattern_of.len() > self.ends.len() {
            self.clause_ends = Table::filled(self.pattern_of.len(), 0);
            for (branch, clause) in self.clause_of.enumerate() {
                self.clause_ends[*clause] = branch.next().raw();
            }
        }
    }

    fn memory_usage(&self) -> usize {
        heap(&self.branches.ends)
            + heap(&self.branches.entries)
            + heap(&self.clause_of)
            + heap(&self.ends)
            + heap(&self.pattern_of)
            + heap(&self.clause_ends)
    }

    pub(super) fn shrink(&mut self) {
        self.branches.shrink_to_fit();
        self.clause_of.shrink_to_fit();
        self.ends.shrink_to_fit();
        self.pattern_of.shrink_to_fit();
        self.clause_ends.shrink_to_fit();
    }
}

/// One of 64 bits for an operand, by length and both ends. What has no bit in common with those that are known need not
/// be hashed.
#[inline(always)]
pub(super) fn filter_bit(operand: &[u8]) -> u64 {
    let [first, last] = [operand.first(), operand.last()].map(|byte| byte.map_or(0, |byte| usize::from(*byte)));
    1 << (first.wrapping_add(last.wrapping_mul(3)).wrapping_add(operand.len().wrapping_mul(11)) % 64)
}

/// What a field's scalars are looked up in when they are read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FieldEntry {
    /// Kinds of tests that are entries.
    pub(crate) entries: Kinds,
    /// Kinds of all tests of the field.
    pub(super) kinds: Kinds,
    /// The operands of its tests that are decided by look-up, as [`filter_bit`].
    pub(super) filter: u64,
    /// Whether every test is a whole value as the event has it.
    pub(crate) values_only: bool,
    /// Whether every test is an entry, so that a scalar that satisfies no entry does not matter at all.
    pub(crate) complete: bool,
    /// The entries that are not decided by look-up.
    pub(crate) set: Optional<SetId>,
    /// Entries to decide whenever the field is present: a part of [`Entries::present_lists`].
    pub(crate) present: Run<Id<ListId>>,
    /// Entries that exclude certain values and nothing else: a part of [`Entries::excluding_lists`].
    pub(crate) excluding_values: Run<Id<ListId>>,
    /// The entries that exclude something else.
    pub(crate) excluding_others: Optional<Id<OtherExclusions>>,
}

impl FieldEntry {
    /// Of a field without tests.
    pub(super) const EMPTY: FieldEntry = FieldEntry {
        entries: Kinds::NONE,
        kinds: Kinds::NONE,
        filter: 0,
        values_only: false,
        complete: false,
        set: Optional::NONE,
        present: Run::EMPTY,
        excluding_values: Run::EMPTY,
        excluding_others: Optional::NONE,
    };

    /// Whether some entry is to be decided for nothing but that the field is there.
    #[inline]
    pub(crate) fn is_decided_when_present(&self) -> bool {
        !self.present.is_empty() || !self.excluding_values.is_empty() || self.excluding_others.is_some()
    }

    /// Whether the text may be one of the operands that are decided by look-up: mostly right, and quick.
    #[inline(always)]
    pub(crate) fn may_be(&self, text: &[u8]) -> bool {
        self.filter & filter_bit(text) != 0
    }
}

/// The entries of one field that exclude by something other than whole values: affixes, case, wildcards, blocks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OtherExclusions {
    /// A part of [`Entries::excluding_lists`].
    pub(crate) lists: Run<Id<ListId>>,
    /// The kinds of all that they exclude.
    pub(crate) kinds: Kinds,
    /// What they exclude, as far as it is not decided by look-up.
    pub(crate) set: SetId,
}

/// The buckets that a test opens: none, one, or a run of [`Entries::opened`] from a place on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Opens(u32);

impl Opens {
    /// Marks a place in `opened`, and the last bucket of a run there.
    const MARK: u32 = 1 << 31;
    pub(super) const NOTHING: Opens = Opens(u32::MAX);

    /// INVARIANT: bucket ids leave the mark free, see [`Buckets::fit`].
    pub(super) fn one(bucket: BucketId) -> Opens {
        Opens(bucket.raw())
    }

    pub(super) fn is_nothing(self) -> bool {
        self.0 == Opens::NOTHING.0
    }

    pub(super) fn several(place: u32) -> Opens {
        Opens(place | Opens::MARK)
    }
}

/// A bucket that a test opens, and whether it is the last one of the test.
#[derive(Clone, Copy, Debug)]
pub(super) struct Opened(u32);

impl Opened {
    pub(super) fn new(bucket: BucketId, is_last: bool) -> Opened {
        Opened(bucket.raw() | if is_last { Opens::MARK } else { 0 })
    }
}

/// From the scalars of an event to the entries that they satisfy. All of it follows from the other tables.
#[derive(Debug, Default)]
pub(crate) struct Entries {
    pub(crate) fields: Table<FieldId, FieldEntry>,
    pub(super) opens: Table<TestId, Opens>,
    pub(super) opened: Table<Id<Opened>, Opened>,
    pub(crate) present_lists: Table<Id<ListId>, ListId>,
    /// Entries that are satisfied when something is absent: decided for each event.
    pub(crate) absent_lists: Vec<ListId>,
    /// Entries that are one `anything-but`, field by field.
    pub(crate) excluding_lists: Table<Id<ListId>, ListId>,
    pub(crate) others: Table<Id<OtherExclusions>, OtherExclusions>,
    /// For each test the end of its lists in `excluded`, times two; plus one if those are not the lists that exclude it, but,
    /// being fewer, all others of its field. Empty if no entry excludes anything.
    pub(super) excluded_ends: Table<TestId, u32>,
    pub(super) excluded: Table<Id<ListId>, ListId>,
}

/// Among the entries of a test's field that exclude as it does, by value or else:
#[derive(Clone, Copy, Debug)]
pub(crate) enum Excluding<'a> {
    /// those that exclude it,
    These(&'a [ListId]),
    /// or those that do not.
    AllBut(&'a [ListId]),
}

impl Entries {
    /// Calls `open` with the buckets that a test opens.
    #[inline]
    pub(crate) fn each_opened(&self, test: TestId, mut open: impl FnMut(BucketId)) {
        let Opens(word) = self.opens[test];
        if word & Opens::MARK == 0 {
            open(BucketId::from_raw(word));
        } else if word != Opens::NOTHING.0 {
            let mut place = Id::from_raw(word & !Opens::MARK);
            loop {
                let Opened(word) = self.opened[place];
                open(BucketId::from_raw(word & !Opens::MARK));
                if word & Opens::MARK != 0 {
                    break;
                }
                place = place.next();
            }
        }
    }

    /// Which entries exclude a test. INVARIANT: asked for tests of fields with entries that exclude.
    pub(crate) fn excluding(&self, test: TestId) -> Excluding<'_> {
        let run: Run<Id<ListId>> = run_of(&self.excluded_ends, test);
        let lists = &self.excluded[Run::new(run.start / 2, run.end / 2)];
        if run.end % 2 == 1 { Excluding::AllBut(lists) } else { Excluding::These(lists) }
    }

    pub(super) fn memory_usage(&self) -> usize {
        heap(&self.fields)
            + heap(&self.opens)
            + heap(&self.opened)
            + heap(&self.present_lists)
            + self.absent_lists.capacity() * size_of::<ListId>()
            + heap(&self.excluding_lists)
            + heap(&self.others)
            + heap(&self.excluded_ends)
            + heap(&self.excluded)
    }

    pub(super) fn shrink(&mut self) {
        self.present_lists.shrink_to_fit();
        self.absent_lists.shrink_to_fit();
        self.excluding_lists.shrink_to_fit();
        self.others.shrink_to_fit();
        self.excluded_ends.shrink_to_fit();
        self.excluded.shrink_to_fit();
    }
}
