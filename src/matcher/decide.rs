//! From what was heard to the patterns that match: entries open buckets, buckets hold branches, branches make patterns.

use super::scratch::{MAYBE, NO, State, YES};
use super::{join, judge};
use crate::automaton::{Automaton, Bucket, FieldEntry, NONE};
use crate::base::PatternId;
use crate::json::EventError;

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
    while let Some(bucket) = state.queue.pop() {
        if !state.buckets.first(bucket, state.epoch) {
            continue;
        }
        let Some(bucket_data) = automaton.buckets.get(bucket as usize) else { continue };
        let items = automaton.items.get(bucket_data.items as usize..bucket_data.items_end as usize).unwrap_or(&[]);
        for item in items {
            let verdict = judge::remainder(automaton, state, item.remainder);
            if verdict != NO {
                accept(automaton, state, found, item.branch, gone)?;
                if first && !found.is_empty() {
                    return Ok(());
                }
            }
        }
        dispatch(automaton, state, bucket, bucket_data);
    }
    found.sort_unstable();
    Ok(())
}

/// Queues the buckets that the values of the dispatching fields lead to: asks each value, or, if there are fewer, each
/// bucket that there is.
fn dispatch(automaton: &Automaton, state: &mut State, id: u32, bucket: &Bucket) {
    let fields = bucket.dispatch as usize..bucket.dispatch_end as usize;
    let fields = automaton.dispatch_fields.get(fields).unwrap_or(&[]);
    let values: u32 = fields.iter().map(|field| state.field(*field).count).sum();
    if values > bucket.children_end - bucket.children {
        fields.iter().for_each(|field| mark_values(automaton, state, *field));
        for child in bucket.children..bucket.children_end {
            if state.values.get(automaton.test_before(child), state.epoch) != 0 {
                state.queue.push(child);
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
            if test != NONE {
                state.queue.extend(automaton.dispatched(id, test));
            }
        }
    }
}

/// Marks the tests that the values of a field are, once per event.
fn mark_values(automaton: &Automaton, state: &mut State, field: u32) {
    if !state.valued.first(field, state.epoch) {
        return;
    }
    let mut next = state.field(field).first;
    while let Some(leaf) = state.leaves.get(next as usize) {
        let leaf_id = next;
        next = leaf.next;
        let test = judge::value_test(automaton, state, leaf_id);
        state.values.set(test, state.epoch, YES);
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
    let mut open = |state: &mut State, list: u32| {
        state.lists.set(list, state.epoch, YES);
        state.queue.extend(automaton.list(list).map(|list| list.bucket));
    };
    if others {
        exclusions.iter().for_each(|list| open(state, *list));
        if leaves.count == 1 {
            return;
        }
    } else {
        // Excluded by the first value: a later one may still satisfy them.
        exclusions.iter().for_each(|list| state.lists.set(*list, state.epoch, NO));
        for list in lists {
            if state.lists.get(*list, state.epoch) != NO {
                open(state, *list);
            }
        }
    }
    if leaves.count > 1 {
        for list in if others { lists } else { exclusions } {
            if state.lists.get(*list, state.epoch) != YES {
                state.lists.set(*list, state.epoch, 0);
                if judge::list(automaton, state, *list) == YES {
                    open(state, *list);
                }
            }
        }
    }
}

/// Queues the buckets whose entries hold.
fn open(automaton: &Automaton, state: &mut State) {
    if automaton.always != NONE {
        state.queue.push(automaton.always);
    }
    let open = |state: &mut State, list: u32| {
        if let Some(list) = automaton.list(list) {
            state.queue.push(list.bucket);
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
        let lists = automaton.present_lists.get(field.present as usize..field.present_end as usize);
        for list in lists.unwrap_or(&[]) {
            if judge::list(automaton, state, *list) != NO {
                open(state, *list);
            }
        }
    }
    state.present = present;
    let entered = std::mem::take(&mut state.entered);
    entered.iter().for_each(|list| open(state, *list));
    state.entered = entered;
}

/// A branch holds field by field, or may.
fn accept(
    automaton: &Automaton,
    state: &mut State,
    found: &mut Vec<PatternId>,
    branch: u32,
    gone: &[u64],
) -> Result<(), EventError> {
    let clause = automaton.branch_clause.get(branch as usize).copied().unwrap_or(0);
    let Some(pattern) = automaton.clauses.get(clause as usize).map(|clause| clause.pattern) else { return Ok(()) };
    let is_gone = gone.get(pattern as usize / 64).is_some_and(|bits| bits >> (pattern % 64) & 1 != 0);
    if is_gone || state.patterns.get(pattern, state.epoch) != 0 {
        return Ok(());
    }
    let clauses = if automaton.clause_branches.is_empty() { 1 } else { automaton.clauses_of(pattern).len() as u32 };
    let holds = if clauses <= 1 {
        if state.has_elements && needs_join(automaton, state, branch) {
            join::branch(automaton, state, branch)
        } else {
            Ok(true)
        }
    } else {
        if !state.clauses.first(clause, state.epoch) {
            return Ok(());
        }
        let Some(held) = state.held.get_mut(pattern as usize) else { return Ok(()) };
        if *held == 0 {
            state.touched.push(pattern);
        }
        *held += 1;
        if *held < clauses {
            return Ok(());
        }
        if state.has_elements { join::pattern(automaton, state, pattern) } else { Ok(true) }
    };
    let message = "too many combinations of array elements to decide whether a pattern matches";
    if holds.map_err(|_| EventError::limit_reached("join_steps", None, message))? {
        state.patterns.first(pattern, state.epoch);
        found.extend(PatternId::from_index(pattern as usize));
    }
    Ok(())
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
