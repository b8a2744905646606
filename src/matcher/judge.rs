//! Whether an event's scalars satisfy a list of tests: asked for lists that some branch still needs, answered once per
//! event and list.

use super::listen::{self, address_test, number_test};
use super::scratch::{Leaf, LeafKind, MAYBE, NO, NUMBER_INEXACT, NUMBER_UNKNOWN, State, UNKNOWN, YES};
use crate::automaton::{Automaton, Kind, Kinds, List, NONE, Pack, Seen, Sieve, block_operand, range_operand};
use crate::value::{Address, NumberKey, Spelling};

/// A field of more leaves is not looked through for each list of values: they are marked once.
const FEW: u32 = 8;

/// The verdict on a list. `MAYBE`: no scalar satisfies it, and whether one is in the way of its `exists: false` depends
/// on the array elements chosen.
pub(super) fn list(automaton: &Automaton, state: &mut State, id: u32) -> u32 {
    let known = state.lists.get(id, state.epoch);
    if known != 0 {
        return known;
    }
    let verdict = automaton.list(id).map_or(NO, |list| fresh(automaton, state, list));
    state.lists.set(id, state.epoch, verdict);
    verdict
}

fn fresh(automaton: &Automaton, state: &mut State, list: &List) -> u32 {
    let field = state.field(list.field);
    if field.count == 0 {
        return if list.kinds.has(Kind::Absent) { YES } else { NO };
    }
    if list.kinds.has(Kind::Present) {
        return YES;
    }
    let exact = automaton.exact_tests(list);
    if list.kinds.values_only() && field.count > FEW && exact.len() as u32 <= field.count {
        mark_values(automaton, state, list.field);
        let marked = exact.iter().any(|test| state.values.get(*test, state.epoch) != 0);
        return if marked { YES } else { NO };
    }
    let mut next = field.first;
    while let Some(leaf) = state.leaves.get(next as usize) {
        let id = next;
        next = leaf.next;
        if holds(automaton, state, list, id) {
            return YES;
        }
    }
    if list.kinds.has(Kind::Absent) && field.in_elements == field.count {
        state.depends_on_elements = true;
        return MAYBE;
    }
    NO
}

/// Marks the tests that the values of a field are, once per event.
pub(super) fn mark_values(automaton: &Automaton, state: &mut State, field: u32) {
    if !state.valued.first(field, state.epoch) {
        return;
    }
    if state.values.len() == 0 {
        state.values.fit(automaton.tests.len());
    }
    let mut next = state.field(field).first;
    while let Some(leaf) = state.leaves.get(next as usize) {
        let leaf_id = next;
        next = leaf.next;
        let test = value_test(automaton, state, leaf_id);
        state.values.set(test, state.epoch, YES);
    }
}

/// The verdict on all lists of a remainder together.
pub(super) fn remainder(automaton: &Automaton, state: &mut State, id: u32) -> u32 {
    let known = state.remainders.get(id, state.epoch);
    if known != 0 {
        return known;
    }
    let mut verdict = YES;
    for id in automaton.lists_of_remainder(id) {
        match list(automaton, state, *id) {
            NO => {
                verdict = NO;
                break;
            }
            MAYBE => verdict = MAYBE,
            _ => {}
        }
    }
    state.remainders.set(id, state.epoch, verdict);
    verdict
}

/// Whether a leaf satisfies some test of a list (absence is no matter of leaves).
pub(super) fn holds(automaton: &Automaton, state: &mut State, list: &List, id: u32) -> bool {
    let Some(leaf) = state.leaves.get(id as usize).copied() else { return false };
    let exact = automaton.exact_tests(list);
    if !exact.is_empty() && looked_up(automaton, state, list, exact, &leaf, id) {
        return true;
    }
    let others = automaton.other_tests(list);
    let Some(pack) = automaton.packs.get(list.pack as usize) else {
        return others.iter().any(|test| satisfies(automaton, state, *test, &leaf, id));
    };
    let mut any = false;
    each_of(pack, list.kinds, state, &leaf, id, &mut |_| any = true);
    any || (list.kinds.has(Kind::Not) || list.kinds.has(Kind::Present))
        && others.iter().any(|test| {
            matches!(automaton.kind(*test), Kind::Not | Kind::Present) && satisfies(automaton, state, *test, &leaf, id)
        })
}

/// Tells the tests of a pack, of these kinds, that a leaf satisfies. (One copy of the code for all who ask.)
fn each_of(pack: &Pack, kinds: Kinds, state: &mut State, leaf: &Leaf, id: u32, mut found: &mut dyn FnMut(u32)) {
    let number = if kinds.has(Kind::Range) { number_of(state, leaf, id) } else { None };
    let State { lower, pack: scratch, text, .. } = state;
    let text = text.get(leaf.start as usize..leaf.end as usize).unwrap_or(&[]);
    let seen = match leaf.kind {
        LeafKind::Text => {
            if pack.wants_lower() {
                lower.clear();
                lower.extend(text.iter().map(u8::to_ascii_lowercase));
            }
            Seen::Text { text, lower }
        }
        LeafKind::Number => number.map_or(Seen::Other, Seen::Number),
        LeafKind::True | LeafKind::False | LeafKind::Null => Seen::Other,
    };
    pack.each(seen, scratch, &mut found);
}

/// Rejects the lists of a sieve that exclude a leaf, the only one of its field.
pub(super) fn sift(automaton: &Automaton, state: &mut State, sieve: &Sieve, id: u32) {
    let Some(leaf) = state.leaves.get(id as usize).copied() else { return };
    let mut lists = std::mem::take(&mut state.lists);
    let epoch = state.epoch;
    let mut reject = |test: u32| {
        if test != NONE {
            automaton.exclusions_of(test).0.iter().for_each(|list| lists.set(*list, epoch, NO));
        }
    };
    if leaf.kind == LeafKind::Text {
        if sieve.kinds.has(Kind::Lower) {
            reject(lower_test(automaton, state, &leaf, id));
        }
        if sieve.kinds.has(Kind::Address) {
            reject(leaf_address(automaton, state, &leaf, id));
        }
    }
    if let Some(pack) = automaton.packs.get(sieve.pack as usize) {
        each_of(pack, sieve.kinds, state, &leaf, id, &mut reject);
    }
    state.lists = lists;
}

/// Whether the leaf's value, looked up once, is among the tests.
fn looked_up(automaton: &Automaton, state: &mut State, list: &List, exact: &[u32], leaf: &Leaf, id: u32) -> bool {
    let among = |test: u32| {
        test != NONE && if exact.len() <= 8 { exact.contains(&test) } else { exact.binary_search(&test).is_ok() }
    };
    let value = value_test(automaton, state, id);
    if among(value) {
        return true;
    }
    leaf.kind == LeafKind::Text
        && (list.kinds.has(Kind::Lower) && among(lower_test(automaton, state, leaf, id))
            || list.kinds.has(Kind::Address) && among(leaf_address(automaton, state, leaf, id)))
}

/// The test that a leaf's text is but for case, or NONE.
fn lower_test(automaton: &Automaton, state: &mut State, leaf: &Leaf, id: u32) -> u32 {
    if leaf.known.lower != UNKNOWN {
        return leaf.known.lower;
    }
    let State { lower, text, .. } = state;
    let text = text.get(leaf.start as usize..leaf.end as usize).unwrap_or(&[]);
    lower.clear();
    lower.extend(text.iter().map(u8::to_ascii_lowercase));
    let test = automaton.test(leaf.field, Kind::Lower, lower).unwrap_or(NONE);
    remember(state, id, |leaf| leaf.known.lower = test);
    test
}

/// The test that a leaf's text is as an address, or NONE.
fn leaf_address(automaton: &Automaton, state: &mut State, leaf: &Leaf, id: u32) -> u32 {
    if leaf.known.address != UNKNOWN {
        return leaf.known.address;
    }
    let test = address_test(automaton, leaf.field, state.text_of(leaf));
    remember(state, id, |leaf| leaf.known.address = test);
    test
}

/// The test that is a leaf's very value, or NONE.
#[inline]
pub(super) fn value_test(automaton: &Automaton, state: &mut State, id: u32) -> u32 {
    let Some(leaf) = state.leaves.get(id as usize).copied() else { return NONE };
    if leaf.known.value != UNKNOWN {
        return leaf.known.value;
    }
    let test = match leaf.kind {
        LeafKind::Number => {
            let key = number_of(state, &leaf, id);
            number_test(automaton, leaf.field, key, state.text_of(&leaf))
        }
        _ => listen::value_test(automaton, leaf.field, leaf.kind, state.text_of(&leaf)),
    };
    remember(state, id, |leaf| leaf.known.value = test);
    test
}

fn remember(state: &mut State, id: u32, write: impl FnOnce(&mut Leaf)) {
    if let Some(leaf) = state.leaves.get_mut(id as usize) {
        write(leaf);
    }
}

fn number_of(state: &mut State, leaf: &Leaf, id: u32) -> Option<NumberKey> {
    if leaf.kind != LeafKind::Number {
        return None;
    }
    let bits = match leaf.known.number {
        NUMBER_UNKNOWN => {
            let bits = Spelling::of(state.text_of(leaf)).key().map_or(NUMBER_INEXACT, NumberKey::bits);
            remember(state, id, |leaf| leaf.known.number = bits);
            bits
        }
        known => known,
    };
    (bits != NUMBER_INEXACT).then(|| NumberKey::from_bits(bits))
}

/// One test that is not decided by look-up.
fn satisfies(automaton: &Automaton, state: &mut State, test: u32, leaf: &Leaf, id: u32) -> bool {
    let kind = automaton.kind(test);
    let side = || automaton.side.get(test as usize).map_or(NONE as usize, |side| *side as usize);
    match kind {
        Kind::Present => return true,
        Kind::Not => {
            let excluded = automaton.lists.get(side());
            return excluded.is_some_and(|excluded| !holds(automaton, state, excluded, id));
        }
        Kind::Range => {
            let range = range_operand(automaton.tests.get(test));
            return number_of(state, leaf, id).zip(range).is_some_and(|(key, (low, high))| low <= key && key <= high);
        }
        _ => {}
    }
    if leaf.kind != LeafKind::Text {
        return false;
    }
    let (text, operand) = (state.text_of(leaf), automaton.tests.get(test));
    match kind {
        Kind::Prefix => text.starts_with(operand),
        Kind::Suffix => text.ends_with(operand),
        Kind::LowerPrefix => text.get(..operand.len()).is_some_and(|head| head.eq_ignore_ascii_case(operand)),
        Kind::LowerSuffix => {
            let tail = text.len().checked_sub(operand.len()).and_then(|start| text.get(start..));
            tail.is_some_and(|tail| tail.eq_ignore_ascii_case(operand))
        }
        Kind::Fold => automaton.folds.get(side()).is_some_and(|fold| fold.equals(text)),
        Kind::FoldPrefix => automaton.folds.get(side()).is_some_and(|fold| fold.starts(text)),
        Kind::FoldSuffix => automaton.folds.get(side()).is_some_and(|fold| fold.ends(text)),
        Kind::Wildcard => automaton.wildcards.get(side()).is_some_and(|wildcard| wildcard.matches(text)),
        Kind::Block => match (Address::parse(text), block_operand(operand)) {
            (Ok(address), Some((family, low, high))) => {
                address.family == family && low <= address.bits && address.bits <= high
            }
            _ => false,
        },
        // Decided by look-up, by absence, or above.
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
