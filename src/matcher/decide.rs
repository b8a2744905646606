//! From what was found in an event to the patterns that match: entries open buckets, buckets have branches, branches make
//! patterns.

use super::join;
use super::observed::Observed;
use super::satisfy;
use super::state::State;
use super::verdict::{Verdict, Verdicts};
use crate::automaton::{Automaton, Bucket, BucketId, Excluding, FieldId, Item, ListId, OtherExclusions};
use crate::base::{Key, PatternId};
use crate::event::EventError;
use crate::limit::Limit;

/// Which matches are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wanted {
    All,
    /// One is enough, whichever.
    Any,
}

/// Fills `found` with the patterns that match, ascending. Patterns whose bit in `gone` is set are skipped.
pub(super) fn decide(
    automaton: &Automaton,
    state: &mut State,
    found: &mut Vec<PatternId>,
    wanted: Wanted,
    gone: &[u64],
) -> Result<(), EventError> {
    let State { observed, verdicts, search, queued, .. } = state;
    let mut decision = Decision { automaton, observed, verdicts, search, found, gone };
    decision.open_entries();
    while !decision.verdicts.queue.is_empty() && (wanted == Wanted::All || decision.found.is_empty()) {
        decision.go_through(queued)?;
    }
    found.sort_unstable();
    // A pattern may match by several of its branches.
    found.dedup();
    Ok(())
}

struct Decision<'a> {
    automaton: &'a Automaton,
    observed: &'a mut Observed,
    verdicts: &'a mut Verdicts,
    search: &'a mut join::Search,
    found: &'a mut Vec<PatternId>,
    gone: &'a [u64],
}

impl Decision<'_> {
    fn list(&mut self, list: ListId) -> Verdict {
        self.verdicts.list(self.automaton, self.observed, list)
    }

    /// Goes through all buckets that are queued.
    fn go_through(&mut self, queued: &mut Vec<(BucketId, Bucket)>) -> Result<(), EventError> {
        let automaton = self.automaton;
        queued.clear();
        std::mem::swap(queued, &mut self.verdicts.queue);
        for (_, bucket) in &*queued {
            for item in &automaton.buckets.items[bucket.items] {
                // Without a first list nothing is left to be decided. Most of the others end at it.
                let possible = item.first.get().is_none_or(|list| {
                    let first = self.list(list);
                    first != Verdict::No && self.verdicts.left(automaton, self.observed, item, first) != Verdict::No
                });
                if possible {
                    self.accept(item)?;
                }
            }
        }
        for (id, bucket) in &*queued {
            if !bucket.children.is_empty() {
                self.dispatch(*id, bucket);
            }
        }
        Ok(())
    }

    /// Queues the buckets that the values of the dispatching fields lead to: looks up each value, or, if there are fewer,
    /// each bucket that there is.
    fn dispatch(&mut self, id: BucketId, bucket: &Bucket) {
        let automaton = self.automaton;
        let fields = automaton.buckets.dispatch_fields(bucket);
        let values: usize = fields.iter().map(|field| self.observed.field(*field).count as usize).sum();
        if values > bucket.children.len() {
            fields.iter().for_each(|field| self.verdicts.mark_values(automaton, self.observed, *field));
            for child in bucket.children.ids() {
                if self.verdicts.is_value(automaton.buckets.test_before(child)) {
                    self.verdicts.open(automaton, child);
                }
            }
            return;
        }
        for field in fields {
            let mut next = self.observed.field(*field).first;
            while let Some(leaf) = next.get() {
                next = self.observed.leaves[leaf].next;
                if let Some(test) = satisfy::value_test(automaton, self.observed, leaf)
                    && let Some(child) = automaton.buckets.dispatched(automaton.tests.seeded(), id, test)
                {
                    self.verdicts.open(automaton, child);
                }
            }
        }
    }

    /// Queues the buckets whose entries are satisfied.
    fn open_entries(&mut self) {
        let automaton = self.automaton;
        if let Some(always) = automaton.buckets.always.get() {
            self.verdicts.open(automaton, always);
        }
        for list in &automaton.entries.absent_lists {
            self.open_unless_no(*list);
        }
        for at in 0..self.observed.present.len() {
            // INVARIANT: nothing is added to `present` once the event is read.
            let Some(field) = self.observed.present.get(at).copied() else { break };
            let entry = &automaton.entries.fields[field];
            if !entry.excluding_values.is_empty() {
                self.open_excluding_values(field, &automaton.entries.excluding_lists[entry.excluding_values]);
            }
            if let Some(others) = entry.excluding_others.get() {
                self.open_excluding_others(field, &automaton.entries.others[others]);
            }
            for list in &automaton.entries.present_lists[entry.present] {
                self.open_unless_no(*list);
            }
        }
    }

    fn open_unless_no(&mut self, list: ListId) {
        if self.list(list) != Verdict::No {
            self.open(list);
        }
    }

    /// Queues the bucket of an entry.
    fn open(&mut self, list: ListId) {
        // INVARIANT: entries have buckets.
        if let Some(bucket) = self.automaton.lists.get(list).bucket.get() {
            self.verdicts.open(self.automaton, bucket);
        }
    }

    /// Queues the bucket of an entry that is satisfied.
    fn enter(&mut self, list: ListId) {
        self.verdicts.set(list, Verdict::Yes);
        self.open(list);
    }

    /// Queues the buckets of entries that exclude values, as far as these are satisfied.
    fn open_excluding_values(&mut self, field: FieldId, lists: &[ListId]) {
        let leaves = self.observed.field(field);
        let Some(first) = leaves.first.get() else { return };
        let test = satisfy::value_test(self.automaton, self.observed, first);
        let undecided = match test.map_or(Excluding::These(&[]), |test| self.automaton.entries.excluding(test)) {
            Excluding::AllBut(satisfied) => {
                satisfied.iter().for_each(|list| self.enter(*list));
                lists
            }
            Excluding::These(excluding) => {
                // Excluded by the first value: a later one may still satisfy them.
                excluding.iter().for_each(|list| self.verdicts.set(*list, Verdict::No));
                for list in lists {
                    if self.verdicts.known(*list) != Some(Verdict::No) {
                        self.enter(*list);
                    }
                }
                excluding
            }
        };
        if leaves.count > 1 {
            for list in undecided {
                if self.verdicts.known(*list) != Some(Verdict::Yes) {
                    self.verdicts.clear(*list);
                    if self.list(*list) == Verdict::Yes {
                        self.enter(*list);
                    }
                }
            }
        }
    }

    /// The same for entries that exclude by affixes, case and the like.
    fn open_excluding_others(&mut self, field: FieldId, others: &OtherExclusions) {
        let leaves = self.observed.field(field);
        let only = leaves.first.get().filter(|_| leaves.count == 1);
        if let Some(leaf) = only {
            self.verdicts.reject(self.automaton, self.observed, others, leaf);
        }
        for list in &self.automaton.entries.excluding_lists[others.lists] {
            let satisfied = match only {
                Some(_) => self.verdicts.known(*list) != Some(Verdict::No),
                None => self.list(*list) == Verdict::Yes,
            };
            if satisfied {
                self.enter(*list);
            }
        }
    }

    /// A branch is satisfied field by field, or may be.
    fn accept(&mut self, item: &Item) -> Result<(), EventError> {
        let automaton = self.automaton;
        let (pattern, matched) = if let Some(pattern) = automaton.patterns.pattern_of_whole(item.branch) {
            if self.is_gone(pattern) {
                return Ok(());
            }
            // Only what may be torn between elements is worth a look.
            let torn = self.observed.fields_in_elements > 1 || self.verdicts.depend_on_elements;
            let matched = if torn && self.needs_join(item) {
                join::branch(automaton, self.observed, self.search, item.branch)
            } else {
                Ok(true)
            };
            (pattern, matched)
        } else {
            let clause = automaton.patterns.clause_of(item.branch);
            let pattern = automaton.patterns.pattern_of(clause);
            if self.is_gone(pattern) || !self.verdicts.complete(automaton, clause, pattern) {
                return Ok(());
            }
            let matched = if self.observed.fields_in_elements > 0 {
                join::pattern(automaton, self.observed, self.verdicts, self.search, pattern)
            } else {
                Ok(true)
            };
            (pattern, matched)
        };
        let message = "too many combinations of array elements to decide whether a pattern matches";
        if matched.map_err(|_| EventError::limit_reached(Limit::JoinSteps, None, message))? {
            self.found.push(pattern);
        }
        Ok(())
    }

    fn is_gone(&self, pattern: PatternId) -> bool {
        let bit = pattern.raw();
        self.gone.get(bit as usize / 64).is_some_and(|bits| bits >> (bit % 64) & 1 != 0)
    }

    /// Whether at least two fields of a branch have scalars in array elements, so these have to go together, or an
    /// absence depends on the elements chosen.
    fn needs_join(&self, item: &Item) -> bool {
        let automaton = self.automaton;
        let lists = automaton.patterns.lists_of(item.branch);
        let depends = |list: &ListId| self.verdicts.known(*list) == Some(Verdict::Maybe);
        if self.verdicts.depend_on_elements && lists.iter().any(depends) {
            return true;
        }
        let inside = |list: &&ListId| self.observed.field(automaton.lists.get(**list).field).in_elements != 0;
        lists.iter().filter(inside).nth(1).is_some()
    }
}
