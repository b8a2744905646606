//! Which leaves satisfy a list: found once per event and list, by the value where a field has many.

use super::join::JoinScratch;
use super::judge;
use super::scratch::{FieldState, State};
use crate::automaton::{Automaton, NONE};

/// The leaves that satisfy a list, and if it tests absence all leaves of its field.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Hits {
    pub(super) own: Sorted,
    pub(super) all: Sorted,
}

impl Hits {
    pub(super) fn count(&self) -> u32 {
        self.own.end - self.own.start
    }
}

/// Leaves, ascending: a range of `JoinScratch::hits`. The same by element begin at `by_element`.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sorted {
    pub(super) start: u32,
    pub(super) end: u32,
    pub(super) by_element: u32,
}

/// Fields of more leaves than this are not looked through for each list of values, but sorted once.
const MANY: u32 = 16;

/// The leaves that satisfy a list; with `absent` all leaves of its field as well.
pub(super) fn collect(automaton: &Automaton, state: &mut State, id: u32, absent: bool) -> Hits {
    if !state.join.collected.first(id, state.epoch) {
        return state.join.ranges.get(id as usize).copied().unwrap_or_default();
    }
    let start = state.join.hits.len() as u32;
    let Some(list) = automaton.list(id) else { return Hits::default() };
    let field = state.field(list.field);
    let exact = automaton.exact_tests(list);
    if list.kinds.values_only() && field.count > MANY && exact.len() as u32 <= field.count / 8 {
        let (from, to) = sort_values(automaton, state, list.field, field);
        let JoinScratch { valued, hits, .. } = &mut state.join;
        let values = valued.get(from as usize..to as usize).unwrap_or(&[]);
        for test in exact {
            let same = values.iter().skip(values.partition_point(|(value, _)| value < test));
            hits.extend(same.take_while(|(value, _)| value == test).map(|(_, leaf)| *leaf));
        }
        if let Some(hits) = hits.get_mut(start as usize..).filter(|_| exact.len() > 1) {
            hits.sort_unstable();
        }
    } else {
        let mut next = field.first;
        while let Some(leaf) = state.leaves.get(next as usize) {
            let leaf_id = next;
            next = leaf.next;
            if judge::holds(automaton, state, list, leaf_id) {
                state.join.hits.push(leaf_id);
            }
        }
    }
    let own = sort_by_element(state, start);
    let all = if absent {
        let start = state.join.hits.len() as u32;
        let mut next = field.first;
        while let Some(leaf) = state.leaves.get(next as usize) {
            state.join.hits.push(next);
            next = leaf.next;
        }
        sort_by_element(state, start)
    } else {
        Sorted::default()
    };
    let hits = Hits { own, all };
    if let Some(slot) = state.join.ranges.get_mut(id as usize) {
        *slot = hits;
    }
    hits
}

/// The values of a field, as tests, sorted, with their leaves: a range of `JoinScratch::valued`. Values that no list has
/// are left out. Once per event.
fn sort_values(automaton: &Automaton, state: &mut State, id: u32, field: FieldState) -> (u32, u32) {
    if let Some((_, from, to)) = state.join.sorted.get(id as usize).filter(|sorted| sorted.0 == state.epoch) {
        return (*from, *to);
    }
    let from = state.join.valued.len();
    let mut next = field.first;
    while let Some(leaf) = state.leaves.get(next as usize) {
        let leaf_id = next;
        next = leaf.next;
        let value = judge::value_test(automaton, state, leaf_id);
        if value != NONE {
            state.join.valued.push((value, leaf_id));
        }
    }
    if let Some(values) = state.join.valued.get_mut(from..) {
        values.sort_unstable();
    }
    let (from, to) = (from as u32, state.join.valued.len() as u32);
    if let Some(slot) = state.join.sorted.get_mut(id as usize) {
        *slot = (state.epoch, from, to);
    }
    (from, to)
}

/// The hits from `start` on, and the same by element, which are needed where arrays have scalars of their own.
fn sort_by_element(state: &mut State, start: u32) -> Sorted {
    let hits = &mut state.join.hits;
    let end = hits.len() as u32;
    let element = |hit: &u32| state.leaves.get(*hit as usize).map_or(0, |leaf| leaf.element);
    let own = hits.get(start as usize..).unwrap_or(&[]);
    if !state.has_direct || own.is_sorted_by_key(element) {
        return Sorted { start, end, by_element: start };
    }
    hits.extend_from_within(start as usize..);
    if let Some(hits) = hits.get_mut(end as usize..) {
        hits.sort_by_key(element);
    }
    Sorted { start, end, by_element: end }
}
