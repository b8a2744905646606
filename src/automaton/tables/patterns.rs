//! What patterns consist of: clauses, and branches of them.

use std::borrow::Cow;

use crate::automaton::ids::{BranchId, ClauseId, ListId};
use crate::base::{Groups, Id, Key, Optional, PatternId, Run, Table, run_of};

/// What patterns consist of: clauses, of which each is a choice of branches. Where each pattern is one branch, as without
/// `$or`, only the branches are kept.
#[derive(Debug, Default)]
pub(crate) struct Patterns {
    pub(in crate::automaton) branches: Groups<BranchId, Id<ListId>, ListId>,
    pub(in crate::automaton) clause_of: Table<BranchId, ClauseId>,
    /// For each pattern the end of its clauses.
    pub(in crate::automaton) ends: Table<PatternId, u32>,
    pub(in crate::automaton) pattern_of: Table<ClauseId, PatternId>,
    /// For each clause the end of its branches, if some pattern has several clauses; else empty.
    pub(in crate::automaton) clause_ends: Table<ClauseId, u32>,
    /// Whether each pattern is one branch of the same number.
    pub(in crate::automaton) plain: bool,
}

impl Patterns {
    pub(crate) fn len(&self) -> usize {
        if self.plain { self.branches.len() } else { self.ends.len() }
    }

    #[inline]
    pub(crate) fn lists_of(&self, branch: BranchId) -> &[ListId] {
        &self.branches[branch]
    }

    /// The clause that a branch belongs to.
    pub(crate) fn clause_of(&self, branch: BranchId) -> ClauseId {
        if self.plain { ClauseId::from_raw(branch.raw()) } else { self.clause_of[branch] }
    }

    pub(crate) fn pattern_of(&self, clause: ClauseId) -> PatternId {
        if self.plain { PatternId::from_raw(clause.raw()) } else { self.pattern_of[clause] }
    }

    pub(crate) fn clauses_of(&self, pattern: PatternId) -> Run<ClauseId> {
        if self.plain { Run::new(pattern.raw(), pattern.raw() + 1) } else { run_of(&self.ends, pattern) }
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
    pub(in crate::automaton) fn pattern_of_whole(&self, branch: BranchId) -> Optional<PatternId> {
        let pattern = self.pattern_of(self.clause_of(branch));
        if self.clauses_of(pattern).len() == 1 { Optional::some(pattern) } else { Optional::NONE }
    }

    /// Forgets what need not be written down if each pattern is one branch.
    pub(in crate::automaton) fn forget_the_plain(&mut self) {
        self.plain = self.branches.len() == self.ends.len()
            && self.clause_of.enumerate().all(|(branch, clause)| branch.raw() == clause.raw())
            && self.ends.enumerate().all(|(pattern, end)| *end == pattern.raw() + 1);
        if self.plain {
            (self.clause_of, self.ends, self.pattern_of) = (Table::new(), Table::new(), Table::new());
        }
    }

    /// The clause of each branch, as it is stored.
    pub(in crate::automaton) fn stored_clauses(&self) -> Cow<'_, Table<BranchId, ClauseId>> {
        if self.plain {
            Cow::Owned(self.branches.ends.ids().map(|branch| ClauseId::from_raw(branch.raw())).collect())
        } else {
            Cow::Borrowed(&self.clause_of)
        }
    }

    /// The end of the clauses of each pattern, as it is stored.
    pub(in crate::automaton) fn stored_ends(&self) -> Cow<'_, Table<PatternId, u32>> {
        if self.plain {
            Cow::Owned(self.branches.ends.ids().map(|branch| branch.next().raw()).collect())
        } else {
            Cow::Borrowed(&self.ends)
        }
    }

    /// Finds the branches of each clause, where patterns have several.
    pub(in crate::automaton) fn find_clause_ends(&mut self) {
        if self.pattern_of.len() > self.ends.len() {
            self.clause_ends = Table::filled(self.pattern_of.len(), 0);
            for (branch, clause) in self.clause_of.enumerate() {
                self.clause_ends[*clause] = branch.next().raw();
            }
        }
    }

    pub(in crate::automaton) fn memory_usage(&self) -> usize {
        self.branches.ends.heap_bytes()
            + self.branches.entries.heap_bytes()
            + self.clause_of.heap_bytes()
            + self.ends.heap_bytes()
            + self.pattern_of.heap_bytes()
            + self.clause_ends.heap_bytes()
    }

    pub(in crate::automaton) fn shrink(&mut self) {
        self.branches.shrink_to_fit();
        self.clause_of.shrink_to_fit();
        self.ends.shrink_to_fit();
        self.pattern_of.shrink_to_fit();
        self.clause_ends.shrink_to_fit();
    }
}
