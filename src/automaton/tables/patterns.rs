//! What patterns consist of: clauses, and branches of them.

use std::borrow::Cow;

use super::buckets::Item;
use crate::automaton::ids::{BranchId, ClauseId, FieldId, ItemId, ListId};
use crate::base::{Groups, Id, Key, Optional, PatternId, Run, Table, run_of};

/// What patterns consist of: clauses, each a choice of branches. Branches are numbered in the order in which they
/// are in buckets, so those of one bucket lie together. Where each pattern is one clause, as with few `$or`, only the
/// branches and the pattern of each are kept.
#[derive(Debug, Default)]
pub(crate) struct Patterns {
    /// For each branch its lists: first those that lead to it, then those that remain, in the order in which they are decided.
    pub(in crate::automaton) branches: Groups<BranchId, Id<ListId>, ListId>,
    pub(in crate::automaton) clause_of: Table<BranchId, ClauseId>,
    /// For each pattern the end of its clauses.
    pub(in crate::automaton) ends: Table<PatternId, u32>,
    pub(in crate::automaton) pattern_of: Table<ClauseId, PatternId>,
    /// The branches of each clause, if some pattern has several clauses; else empty.
    pub(in crate::automaton) clauses: Groups<ClauseId, Id<BranchId>, BranchId>,
    /// For each branch the pattern that it is enough for; none if that has several clauses.
    pub(in crate::automaton) whole: Table<BranchId, Optional<PatternId>>,
    /// For each field its place among the paths, which is the order of evaluation where array elements are joined.
    pub(in crate::automaton) ranks: Table<FieldId, u32>,
    /// How many patterns there are, once all are added.
    pub(in crate::automaton) count: usize,
}

impl Patterns {
    pub(crate) fn len(&self) -> usize {
        self.count
    }

    /// How many branches there are.
    pub(crate) fn branches(&self) -> usize {
        self.branches.len()
    }

    #[inline]
    pub(crate) fn lists_of(&self, branch: BranchId) -> &[ListId] {
        &self.branches[branch]
    }

    /// The lists of a branch that are left to be decided in a bucket, in this order.
    #[inline]
    pub(crate) fn left_of(&self, item: &Item) -> &[ListId] {
        let lists = self.lists_of(item.branch);
        let first = item.first.get().and_then(|first| lists.iter().position(|list| *list == first));
        lists.get(first.unwrap_or(lists.len())..).unwrap_or(&[])
    }

    /// The clause that a branch belongs to. INVARIANT, here and for the next three: some pattern has several clauses.
    pub(crate) fn clause_of(&self, branch: BranchId) -> ClauseId {
        self.clause_of[branch]
    }

    pub(crate) fn pattern_of(&self, clause: ClauseId) -> PatternId {
        self.pattern_of[clause]
    }

    pub(crate) fn clauses_of(&self, pattern: PatternId) -> Run<ClauseId> {
        run_of(&self.ends, pattern)
    }

    /// The branches of a clause.
    pub(crate) fn branches_of(&self, clause: ClauseId) -> &[BranchId] {
        &self.clauses[clause]
    }

    /// How many clauses there are, if some pattern has several; else 0.
    pub(crate) fn counted_clauses(&self) -> usize {
        self.clauses.len()
    }

    /// The pattern that a branch is enough for, if it is.
    #[inline]
    pub(crate) fn pattern_of_whole(&self, branch: BranchId) -> Option<PatternId> {
        self.whole[branch].get()
    }

    /// The place of a field in the order of evaluation.
    pub(crate) fn rank(&self, field: FieldId) -> u32 {
        self.ranks[field]
    }

    /// Numbers branches in the order in which they are in buckets.
    pub(in crate::automaton) fn number_as_placed(&mut self, items: &mut Table<ItemId, Item>) {
        let mut numbers: Table<BranchId, Optional<BranchId>> = Table::filled(self.branches.len(), Optional::NONE);
        let mut placed: Groups<BranchId, Id<ListId>, ListId> = Groups::default();
        placed.entries.reserve(self.branches.entries.len());
        placed.ends.reserve(self.branches.len());
        let mut clause_of: Table<BranchId, ClauseId> = Vec::with_capacity(self.branches.len()).into();
        for item in items.iter_mut() {
            let number = &mut numbers[item.branch];
            if number.is_none() {
                placed.entries.push_all(self.branches[item.branch].iter().copied());
                *number = Optional::some(placed.end_run());
                clause_of.push(self.clause_of[item.branch]);
            }
            item.branch = number.get().unwrap_or(item.branch);
        }
        // INVARIANT: each branch is in a bucket.
        debug_assert!(placed.len() == self.branches.len());
        (self.branches, self.clause_of) = (placed, clause_of);
    }

    /// Finds the pattern of each branch, and the branches of each clause or, where each pattern is one clause, forgets what need
    /// not be written down.
    pub(in crate::automaton) fn finish(&mut self) {
        self.count = self.ends.len();
        let whole = |clause: &ClauseId| {
            let pattern = self.pattern_of(*clause);
            if self.clauses_of(pattern).len() == 1 { Optional::some(pattern) } else { Optional::NONE }
        };
        self.whole = self.clause_of.iter().map(whole).collect();
        if self.pattern_of.len() == self.ends.len() {
            (self.clause_of, self.ends, self.pattern_of) = (Table::new(), Table::new(), Table::new());
            return;
        }
        self.clauses.ends = Table::filled(self.pattern_of.len(), 0);
        self.clause_of.iter().for_each(|clause| self.clauses.ends[*clause] += 1);
        let mut start = 0;
        for end in self.clauses.ends.iter_mut() {
            (*end, start) = (start, start + *end);
        }
        self.clauses.entries = Table::filled(self.clause_of.len(), BranchId::FIRST);
        for (branch, clause) in self.clause_of.enumerate() {
            let end = &mut self.clauses.ends[*clause];
            self.clauses.entries[Id::from_raw(*end)] = branch;
            *end += 1;
        }
    }

    /// The clause of each branch, as it is stored.
    pub(in crate::automaton) fn stored_clauses(&self) -> Cow<'_, Table<BranchId, ClauseId>> {
        if self.counted_clauses() == 0 {
            // INVARIANT: each pattern is one clause of the same number.
            let number =
                |pattern: &Optional<PatternId>| pattern.get().map_or(ClauseId::FIRST, |own| Id::from_raw(own.raw()));
            Cow::Owned(self.whole.iter().map(number).collect())
        } else {
            Cow::Borrowed(&self.clause_of)
        }
    }

    /// The end of the clauses of each pattern, as it is stored.
    pub(in crate::automaton) fn stored_ends(&self) -> Cow<'_, Table<PatternId, u32>> {
        if self.counted_clauses() == 0 {
            Cow::Owned((1..=self.count as u32).collect())
        } else {
            Cow::Borrowed(&self.ends)
        }
    }

    pub(in crate::automaton) fn memory_usage(&self) -> usize {
        self.branches.ends.heap_bytes()
            + self.branches.entries.heap_bytes()
            + self.clause_of.heap_bytes()
            + self.ends.heap_bytes()
            + self.pattern_of.heap_bytes()
            + self.clauses.ends.heap_bytes()
            + self.clauses.entries.heap_bytes()
            + self.whole.heap_bytes()
            + self.ranks.heap_bytes()
    }

    pub(in crate::automaton) fn shrink(&mut self) {
        self.branches.shrink_to_fit();
        self.clause_of.shrink_to_fit();
        self.ends.shrink_to_fit();
        self.pattern_of.shrink_to_fit();
        self.ranks.shrink_to_fit();
    }
}
