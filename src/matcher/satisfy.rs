//! Whether one scalar of the event satisfies tests. Intermediate results are kept with the leaf.

use super::lookup::{self, LeafKind, address_test, number_test};
use super::observed::{KnownNumber, LeafId, Looked, Observed};
use crate::automaton::{Automaton, Kind, Kinds, List, OperandSet, Query, TestId, block_operand, range_operand};
use crate::value::{Address, NumberKey, Spelling};

/// Up to this many tests are compared one by one; more are found by binary search.
const SCAN: usize = 8;

/// Whether a leaf satisfies some test of a list (absence is no matter of leaves).
#[inline]
pub(super) fn list(automaton: &Automaton, observed: &mut Observed, list: List<'_>, id: LeafId) -> bool {
    let exact = automaton.lists.exact_tests(list);
    !exact.is_empty() && looked_up(automaton, observed, list, exact, id) || others(automaton, observed, list, id)
}

/// Whether a leaf satisfies some test of a list that is not decided by look-up.
fn others(automaton: &Automaton, observed: &mut Observed, list: List<'_>, id: LeafId) -> bool {
    let others = automaton.lists.other_tests(list);
    let Some(set) = list.set.get() else {
        return others.iter().any(|test| satisfies(automaton, observed, *test, id));
    };
    let mut any = false;
    each_of(&automaton.sets[set], list.kinds, observed, id, &mut |_| any = true);
    any || (list.kinds.has(Kind::Not) || list.kinds.has(Kind::Present))
        && others.iter().any(|test| {
            matches!(automaton.tests.kind(*test), Kind::Not | Kind::Present)
                && satisfies(automaton, observed, *test, id)
        })
}

/// Calls `found` with the tests of a set, of these kinds, that a leaf satisfies. (One copy of the code for all callers.)
pub(super) fn each_of(
    set: &OperandSet,
    kinds: Kinds,
    observed: &mut Observed,
    id: LeafId,
    found: &mut dyn FnMut(TestId),
) {
    let number = if kinds.has(Kind::Range) { number_of(observed, id) } else { None };
    let leaf = observed.leaves[id];
    let (text, room) = observed.text_and_room(&leaf);
    let query = match leaf.kind {
        LeafKind::Text => {
            if set.wants_lower() {
                room.set_lower(text);
            }
            Query::Text { text, lower: &room.lower }
        }
        LeafKind::Number => number.map_or(Query::Other, Query::Number),
        LeafKind::True | LeafKind::False | LeafKind::Null => Query::Other,
    };
    set.each(query, &mut room.query, found);
}

/// Whether the leaf's value, looked up once, is among the tests.
#[inline]
fn looked_up(automaton: &Automaton, observed: &mut Observed, list: List<'_>, exact: &[TestId], id: LeafId) -> bool {
    let among =
        |test: Option<TestId>| {
            test.is_some_and(|test| {
                if exact.len() <= SCAN { exact.contains(&test) } else { exact.binary_search(&test).is_ok() }
            })
        };
    if among(value_test(automaton, observed, id)) {
        return true;
    }
    observed.leaves[id].kind == LeafKind::Text
        && (list.kinds.has(Kind::Lower) && among(lower_test(automaton, observed, id))
            || list.kinds.has(Kind::Address) && among(leaf_address(automaton, observed, id)))
}

/// The test that a leaf's text is but for case.
pub(super) fn lower_test(automaton: &Automaton, observed: &mut Observed, id: LeafId) -> Option<TestId> {
    let leaf = observed.leaves[id];
    if let Some(known) = leaf.known.lower.get() {
        return known;
    }
    let (text, room) = observed.text_and_room(&leaf);
    let test = if automaton.entries.fields[leaf.field].may_be_lower(text) {
        room.set_lower(text);
        automaton.test(leaf.field, Kind::Lower, &room.lower)
    } else {
        None
    };
    observed.leaves[id].known.lower = Looked::up(test);
    test
}

/// The test that a leaf's text is as an address.
pub(super) fn leaf_address(automaton: &Automaton, observed: &mut Observed, id: LeafId) -> Option<TestId> {
    let leaf = &observed.leaves[id];
    if let Some(known) = leaf.known.address.get() {
        return known;
    }
    let test = address_test(automaton, leaf.field, observed.text_of(leaf));
    observed.leaves[id].known.address = Looked::up(test);
    test
}

/// The test that is a leaf's very value.
#[inline]
pub(super) fn value_test(automaton: &Automaton, observed: &mut Observed, id: LeafId) -> Option<TestId> {
    match observed.leaves[id].known.value.get() {
        Some(known) => known,
        None => look_value_up(automaton, observed, id),
    }
}

#[inline(never)]
fn look_value_up(automaton: &Automaton, observed: &mut Observed, id: LeafId) -> Option<TestId> {
    let leaf = observed.leaves[id];
    let test = match leaf.kind {
        LeafKind::Number => {
            let key = number_of(observed, id);
            number_test(automaton, leaf.field, key, observed.text_of(&leaf))
        }
        _ => lookup::value_test(automaton, leaf.field, leaf.kind, observed.text_of(&leaf)),
    };
    observed.leaves[id].known.value = Looked::up(test);
    test
}

fn number_of(observed: &mut Observed, id: LeafId) -> Option<NumberKey> {
    let leaf = &observed.leaves[id];
    if leaf.kind != LeafKind::Number {
        return None;
    }
    if let Some(known) = leaf.known.number.get() {
        return known;
    }
    let key = Spelling::of(observed.text_of(leaf)).key();
    observed.leaves[id].known.number = KnownNumber::read(key);
    key
}

/// One test that is not decided by look-up.
fn satisfies(automaton: &Automaton, observed: &mut Observed, test: TestId, id: LeafId) -> bool {
    let tests = &automaton.tests;
    match tests.kind(test) {
        Kind::Present => true,
        Kind::Not => !list(automaton, observed, automaton.lists.get(tests.excluded(test)), id),
        Kind::Range => {
            let range = range_operand(tests.operand(test));
            number_of(observed, id).zip(range).is_some_and(|(key, (low, high))| low <= key && key <= high)
        }
        kind => {
            let leaf = &observed.leaves[id];
            leaf.kind == LeafKind::Text && satisfies_text(automaton, kind, test, observed.text_of(leaf))
        }
    }
}

/// One test of strings that is not decided by look-up.
fn satisfies_text(automaton: &Automaton, kind: Kind, test: TestId, text: &[u8]) -> bool {
    let (tests, operand) = (&automaton.tests, automaton.tests.operand(test));
    match kind {
        Kind::Prefix => text.starts_with(operand),
        Kind::Suffix => text.ends_with(operand),
        Kind::LowerPrefix => text.get(..operand.len()).is_some_and(|head| head.eq_ignore_ascii_case(operand)),
        Kind::LowerSuffix => {
            let tail = text.len().checked_sub(operand.len()).and_then(|start| text.get(start..));
            tail.is_some_and(|tail| tail.eq_ignore_ascii_case(operand))
        }
        Kind::Fold => tests.fold(test).equals(text),
        Kind::FoldPrefix => tests.fold(test).starts(text),
        Kind::FoldSuffix => tests.fold(test).ends(text),
        Kind::Wildcard => tests.wildcard(test).matches(text),
        Kind::Block => match (Address::parse(text), block_operand(operand)) {
            (Ok(address), Some((family, low, high))) => {
                address.family == family && low <= address.bits && address.bits <= high
            }
            _ => false,
        },
        // Decided by look-up, by absence, or by the caller.
        Kind::Text
        | Kind::Number
        | Kind::Spelling
        | Kind::True
        | Kind::False
        | Kind::Null
        | Kind::Address
        | Kind::Lower
        | Kind::Present
        | Kind::Absent
        | Kind::Not
        | Kind::Range => false,
    }
}
