//! From a scalar of the event to the test of exactly its value.

use crate::automaton::{Automaton, FieldId, Kind, TestId, address_operand};
use crate::value::{Address, NumberKey, Spelling};

/// What kind of scalar a leaf is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LeafKind {
    Text,
    Number,
    True,
    False,
    Null,
}

/// The test that a scalar's very value is.
#[inline]
pub(super) fn value_test(automaton: &Automaton, field: FieldId, kind: LeafKind, text: &[u8]) -> Option<TestId> {
    let kind = match kind {
        LeafKind::Text => Kind::Text,
        LeafKind::Number => return number_test(automaton, field, Spelling::of(text).key(), text),
        LeafKind::True => Kind::True,
        LeafKind::False => Kind::False,
        LeafKind::Null => Kind::Null,
    };
    automaton.test(field, kind, text)
}

/// The test for the address that a string spells.
pub(super) fn address_test(automaton: &Automaton, field: FieldId, text: &[u8]) -> Option<TestId> {
    let address = Address::parse(text).ok()?;
    let mut operand = [0; 17];
    operand.iter_mut().zip(address_operand(address.family, address.bits)).for_each(|(to, from)| *to = from);
    automaton.test(field, Kind::Address, &operand)
}

/// The test that a number is. One without a key compares with nothing but its own spelling.
pub(super) fn number_test(
    automaton: &Automaton,
    field: FieldId,
    key: Option<NumberKey>,
    text: &[u8],
) -> Option<TestId> {
    match key {
        Some(key) => automaton.test(field, Kind::Number, &key.bits().to_le_bytes()),
        None => automaton.test(field, Kind::Spelling, text),
    }
}
