//! From what was heard to the patterns that match: entries open buckets, buckets hold branches, branches make patterns.

use super::scratch::{MAYBE, NO, State, YES};
use super::{join, judge};
use crate::automaton::{Automaton, Bucket, FieldEntry, Item, NONE, Sieve};
use crate::base::PatternId;
use crate::json::EventError;
use crate::limit::Limit;

/// Fills `found` with the patterns that match, ascending; with `first` it may stop at one. Patterns whose bit in `gone`
/// is set are passed over.
pub(super) fn decide(
    automaton: &Automaton,
    state: &mut State,
    found: &mut Vec<PatternId>,
    first: bool,
    gone: &[u64],
) -> Result<(), EventError> {
    open(automaton, state);
    let mut wave = std::mem::take(&mut state.wave);
    let mut result = Ok(());
    while !state.queue.is_empty() && result.is_ok() && (!first || found.is_empty()) {
        wave.gather(automaton, state);
        result = wave.items.iter().try_for_each(|item| {
            // Without a first list nothing remains to be judged. Most of the others end at it.
            let holds = item.first == NONE
                || judge::list(automaton, state, item.first) != NO
                    && judge::remainder(automaton, state, item.remainder) != NO;
            if holds { accept(automaton, state, found, item, gone) } else { Ok(()) }
        });
        for (id, bucket) in &wave.buckets {
            if bucket.children != bucket.children_end {
                dispatch(automaton, state, *id, bucket);
            }
        }
    }
    state.wave = wave;
    result?;
    found.sort_unstable();
    // A pattern may hold by several of its branches.
    found.dedup();
    Ok(())
}

/// All that is queued at one time. What is needed of it lies scattered over the tables, so it is fetched step by step for
/// all of it, and the processor waits for many cache lines at once instead of one after the other: at 100,000 rules that
/// is most of the time.
#[derive(Debug, Default)]
pub(super) struct Wave {
    buckets: Vec<(u32, Bucket)>,
    items: Vec<Item>,
    /// The first list of each remainder that is not judged yet: where its tests start, and the first one.
    lists: Vec<(u32, u32)>,
}

impl Wave {
    fn gather(&mut self, automaton: &Automaton, state: &mut State) {
        self.buckets.clear();
        self.buckets.append(&mut state.queue);
        self.items.clear();
        for (_, bucket) in &self.buckets {
            let items = automaton.items.get(bucket.items as usize..bucket.items_end as usize);
            self.items.extend_from_slice(items.unwrap_or(&[]));
        }
        self.lists.clear();
        for item in &self.items {
            if state.lists.get(item.first, state.epoch) == 0
                && let Some(list) = automaton.list(item.first)
            {
                self.lists.push((list.start, 0));
            }
        }
        for (start, test) in &mut self.lists {
            *test = automaton.list_tests.get(*start as usize).copied().unwrap_or(NONE);
        }
    }
}

/// Queues the buckets that the values of the dispatching fields lead to: asks each value, or, if there are fewer, each
/// bucket that there is.
fn dispatch(automaton: &Automaton, state: &mut State, id: u32, bucket: &Bucket) {
    let fields = bucket.dispatch as usize..bucket.dispatch_end as usize;
    let fields = automaton.dispatch_fields.get(fields).unwrap_or(&[]);
    let values: u32 = fields.iter().map(|field| state.field(*field).count).sum();
    if values > bucket.children_end - bucket.children {
        fields.iter().for_each(|field| judge::mark_values(automaton, state, *field));
        for child in bucket.children..bucket.children_end {
            if state.values.get(automaton.test_before(child), state.epoch) != 0 {
                state.open(automaton, child);
            }
        }
        return;
    }
    for field in fields {
        let mut next = state.field(*field).first;
        while let Some(leaf) = state.leaves.get(next as usize) {
            let leaf_id = next;
            next = leaf.next;
            let test = judge::value_test(automaton, state, leaf_id);
            if test != NONE
                && let Some(child) = automaton.dispatched(id, test)
            {
                state.open(automaton, child);
            }
        }
    }
}

/// Queues the buckets of entries that exclude values, as far as they hold.
fn open_negative(automaton: &Automaton, state: &mut State, field: &FieldEntry, field_id: u32) {
    let lists = automaton.negative_lists.get(field.negative as usize..field.negative_end as usize).unwrap_or(&[]);
    if lists.is_empty() {
        return;
    }
    let leaves = state.field(field_id);
    let test = judge::value_test(automaton, state, leaves.first);
    let (exclusions, others) = if test == NONE { (&[][..], false) } else { automaton.exclusions_of(test) };
    if others {
        exclusions.iter().for_each(|list| enter(automaton, state, *list));
        if leaves.count == 1 {
            return;
        }
    } else {
        // Excluded by the first value: a later one may still satisfy them.
        exclusions.iter().for_each(|list| state.lists.set(*list, state.epoch, NO));
        for list in lists {
            if state.lists.get(*list, state.epoch) != NO {
                enter(automaton, state, *list);
            }
        }
    }
    if leaves.count > 1 {
        for list in if others { lists } else { exclusions } {
            if state.lists.get(*list, state.epoch) != YES {
                state.lists.set(*list, state.epoch, 0);
                if judge::list(automaton, state, *list) == YES {
                    enter(automaton, state, *list);
                }
            }
        }
    }
}

/// The same for entries that exclude by affixes, letter case and the like.
fn open_sifted(automaton: &Automaton, state: &mut State, sieve: &Sieve, field_id: u32) {
    let lists = automaton.negative_lists.get(sieve.lists as usize..sieve.lists_end as usize).unwrap_or(&[]);
    let leaves = state.field(field_id);
    if leaves.count == 1 {
        judge::sift(automaton, state, sieve, leaves.first);
    }
    for list in lists {
        let holds = if leaves.count == 1 {
            state.lists.get(*list, state.epoch) != NO
        } else {
            judge::list(automaton, state, *list) == YES
        };
        if holds {
            enter(automaton, state, *list);
        }
    }
}

/// Queues the bucket of an entry that holds.
fn enter(automaton: &Automaton, state: &mut State, list: u32) {
    state.lists.set(list, state.epoch, YES);
    if let Some(list) = automaton.list(list) {
        state.open(automaton, list.bucket);
    }
}

/// Queues the buckets whose entries hold.
fn open(automaton: &Automaton, state: &mut State) {
    if automaton.always != NONE {
        state.open(automaton, automaton.always);
    }
    let open = |state: &mut State, list: u32| {
        if let Some(list) = automaton.list(list) {
            state.open(automaton, list.bucket);
        }
    };
    for list in &automaton.absent_lists {
        if judge::list(automaton, state, *list) != NO {
            open(state, *list);
        }
    }
    let present = std::mem::take(&mut state.present);
    for field in &present {
        let field_id = *field;
        let Some(field) = automaton.fields.get(field_id as usize) else { continue };
        open_negative(automaton, state, field, field_id);
        if let Some(sieve) = automaton.sieves.get(field.sieve as usize) {
            open_sifted(automaton, state, sieve, field_id);
        }
        let lists = automaton.present_lists.get(field.present as usize..field.present_end as usize);
        for list in lists.unwrap_or(&[]) {
            if judge::list(automaton, state, *list) != NO {
                open(state, *list);
            }
        }
    }
    state.present = present;
}

/// A branch holds field by field, or may.
fn accept(
    automaton: &Automaton,
    state: &mut State,
    found: &mut Vec<PatternId>,
    item: &Item,
    gone: &[u64],
) -> Result<(), EventError> {
    let mut pattern = item.pattern;
    let holds = if pattern != NONE {
        if is_gone(gone, pattern) {
            return Ok(());
        }
        // The branch itself is seldom worth a look: something has to be torn between elements.
        let torn = state.fields_in_elements > 1 || state.depends_on_elements;
        if torn && needs_join(automaton, state, item.branch) {
            join::branch(automaton, state, item.branch)
        } else {
            Ok(true)
        }
    } else {
        let clause = automaton.branch_clause.get(item.branch as usize).copied().unwrap_or(0);
        let Some(clause_data) = automaton.clauses.get(clause as usize) else { return Ok(()) };
        pattern = clause_data.pattern;
        if is_gone(gone, pattern) || !state.clauses.first(clause, state.epoch) {
            return Ok(());
        }
        let Some(held) = state.held.get_mut(pattern as usize) else { return Ok(()) };
        if *held == 0 {
            state.touched.push(pattern);
        }
        *held += 1;
        if (*held as usize) < automaton.clauses_of(pattern).len() {
            return Ok(());
        }
        if state.fields_in_elements > 0 { join::pattern(automaton, state, pattern) } else { Ok(true) }
    };
    let message = "too many combinations of array elements to decide whether a pattern matches";
    if holds.map_err(|_| EventError::limit_reached(Limit::JoinSteps, None, message))? {
        found.extend(PatternId::from_index(pattern as usize));
    }
    Ok(())
}

fn is_gone(gone: &[u64], pattern: u32) -> bool {
    gone.get(pattern as usize / 64).is_some_and(|bits| bits >> (pattern % 64) & 1 != 0)
}

/// Whether at least two fields of a branch have scalars in array elements, so that these have to go together, or an
/// absence depends on the elements chosen.
fn needs_join(automaton: &Automaton, state: &State, branch: u32) -> bool {
    let mut inside = 0;
    automaton.lists_of_branch(branch).iter().any(|id| {
        let field = automaton.list(*id).map_or(NONE, |list| list.field);
        inside += u32::from(state.field(field).in_elements != 0);
        inside == 2 || state.lists.get(*id, state.epoch) == MAYBE
    })
}
