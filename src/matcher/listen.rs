//! Keeps the scalars of interest of an event, and looks each up among the entries at once, while it is at hand.

use super::scratch::{Array, Element, Known, Leaf, LeafKind, Marks, NUMBER_INEXACT, State, UNKNOWN};
use super::walk::Hear;
use crate::automaton::{Automaton, Bucket, FieldEntry, Kind, NONE, Seen, address_operand};
use crate::json::Scalar;
use crate::value::{Address, NumberKey, Spelling};

/// Keeps what one automaton needs of an event.
pub(super) struct Listener<'a> {
    automaton: &'a Automaton,
    state: &'a mut State,
    /// The texts no longer fit into 32-bit offsets.
    pub(super) overflow: bool,
}

impl<'a> Listener<'a> {
    pub(super) fn new(automaton: &'a Automaton, state: &'a mut State) -> Listener<'a> {
        state.elements.push(Element::default());
        Listener { automaton, state, overflow: false }
    }

    #[inline]
    fn keep(&mut self, field: u32, element: u32, value: Scalar<'_>) {
        let automaton = self.automaton;
        let Some(entry) = automaton.fields.get(field as usize) else { return };
        let (kind, text) = match value {
            Scalar::String(text) => (LeafKind::Text, text.as_bytes()),
            Scalar::Number(text) => (LeafKind::Number, text.as_bytes()),
            Scalar::Bool(true) => (LeafKind::True, &b""[..]),
            Scalar::Bool(false) => (LeafKind::False, &b""[..]),
            Scalar::Null => (LeafKind::Null, &b""[..]),
        };
        if kind == LeafKind::Text && entry.values_only && !entry.may_be(text) {
            return;
        }
        // Where all depends on the whole value, one look-up says all: in arrays, where scalars are many, do it now.
        if entry.values_only && (element != 0 || !entry.entries.is_empty()) {
            let value = value_test(automaton, field, kind, text);
            if value == NONE {
                return;
            }
            enter(automaton, self.state, value);
            let known = Known { value, ..Known::NOTHING };
            self.state.push(Leaf { field, element, next: NONE, kind, start: 0, end: 0, known });
            return;
        }
        // By value, so that a leaf is written once, where it stays: to copy what was just written in parts stalls the
        // processor (a twentieth of the time of a small event).
        let (hit, known) =
            if entry.entries.is_empty() { (false, Known::NOTHING) } else { self.look_up(entry, field, kind, text) };
        if entry.complete && !hit {
            return;
        }
        let start = self.state.text.len();
        if start + text.len() >= UNKNOWN as usize {
            self.overflow = true;
            return;
        }
        self.state.text.extend_from_slice(text);
        let (start, end) = (start as u32, (start + text.len()) as u32);
        let first = self.state.push(Leaf { field, element, next: NONE, kind, start, end, known });
        if first && entry.is_judged() {
            self.state.present.push(field);
        }
    }

    /// Looks a scalar up among the entries of its field; says whether it satisfies any.
    fn look_up(&mut self, entry: &FieldEntry, field: u32, kind: LeafKind, text: &[u8]) -> (bool, Known) {
        let automaton = self.automaton;
        let kinds = entry.entries;
        let mut hit = false;
        let mut known = Known::NOTHING;
        let mut found = |state: &mut State, test: u32| {
            if test != NONE {
                hit = true;
                enter(automaton, state, test);
            }
        };
        let mut seen = Seen::Other;
        match kind {
            LeafKind::Text => {
                if kinds.has(Kind::Text) {
                    known.value = value_test(automaton, field, kind, text);
                    found(self.state, known.value);
                }
                if kinds.lower() {
                    let lower = &mut self.state.lower;
                    lower.clear();
                    lower.extend(text.iter().map(u8::to_ascii_lowercase));
                    if kinds.has(Kind::Lower) {
                        known.lower = automaton.test(field, Kind::Lower, lower).unwrap_or(NONE);
                        found(self.state, known.lower);
                    }
                }
                if kinds.has(Kind::Address) {
                    known.address = address_test(automaton, field, text);
                    found(self.state, known.address);
                }
            }
            LeafKind::Number => {
                if kinds.numeric() {
                    let key = Spelling::of(text).key();
                    known.number = key.map_or(NUMBER_INEXACT, NumberKey::bits);
                    known.value = number_test(automaton, field, key, text);
                    found(self.state, known.value);
                    seen = key.map_or(Seen::Other, Seen::Number);
                }
            }
            LeafKind::True | LeafKind::False | LeafKind::Null => {
                known.value = value_test(automaton, field, kind, text);
                found(self.state, known.value);
            }
        }
        if let Some(pack) = automaton.packs.get(entry.pack as usize) {
            let State { epoch, buckets, queue, lower, pack: scratch, .. } = &mut *self.state;
            if kind == LeafKind::Text {
                seen = Seen::Text { text, lower };
            }
            pack.each(seen, scratch, &mut |test| {
                hit = true;
                open(automaton, buckets, queue, *epoch, test);
            });
        }
        (hit, known)
    }
}

#[inline]
fn enter(automaton: &Automaton, state: &mut State, test: u32) {
    open(automaton, &mut state.buckets, &mut state.queue, state.epoch, test);
}

/// Queues the buckets that a test opens, each once.
#[inline]
fn open(automaton: &Automaton, buckets: &mut Marks, queue: &mut Vec<(u32, Bucket)>, epoch: u32, test: u32) {
    for bucket in automaton.opened_by(test) {
        if buckets.first(*bucket, epoch) {
            queue.push((*bucket, automaton.bucket(*bucket)));
        }
    }
}

/// The test that a scalar's very value is, or NONE.
#[inline]
pub(super) fn value_test(automaton: &Automaton, field: u32, kind: LeafKind, text: &[u8]) -> u32 {
    let kind = match kind {
        LeafKind::Text => Kind::Text,
        LeafKind::Number => return number_test(automaton, field, Spelling::of(text).key(), text),
        LeafKind::True => Kind::True,
        LeafKind::False => Kind::False,
        LeafKind::Null => Kind::Null,
    };
    automaton.test(field, kind, text).unwrap_or(NONE)
}

/// The test that a text is as an address, or NONE.
pub(super) fn address_test(automaton: &Automaton, field: u32, text: &[u8]) -> u32 {
    let Ok(address) = Address::parse(text) else { return NONE };
    let mut operand = [0; 17];
    operand.iter_mut().zip(address_operand(address.family, address.bits)).for_each(|(to, from)| *to = from);
    automaton.test(field, Kind::Address, &operand).unwrap_or(NONE)
}

/// The test that a number is, or NONE.
pub(super) fn number_test(automaton: &Automaton, field: u32, key: Option<NumberKey>, text: &[u8]) -> u32 {
    match key {
        Some(key) => automaton.test(field, Kind::Number, &key.bits().to_le_bytes()),
        None => automaton.test(field, Kind::Spelling, text),
    }
    .unwrap_or(NONE)
}

impl Hear for Listener<'_> {
    #[inline]
    fn leaf(&mut self, field: u32, element: u32, value: Scalar<'_>) {
        self.keep(field, element, value);
    }

    #[inline]
    fn begin_element(&mut self, parent: u32, array: u32) -> u32 {
        let leaf = self.state.leaves.len() as u32;
        let element = self.state.elements.len() as u32;
        self.state.elements.push(Element { parent, array, first_leaf: leaf, end_leaf: leaf });
        element
    }

    #[inline]
    fn end_element(&mut self, element: u32) {
        let leaf = self.state.leaves.len() as u32;
        if let Some(element) = self.state.elements.get_mut(element as usize) {
            element.end_leaf = leaf;
        }
    }

    #[inline]
    fn begin_array(&mut self) -> u32 {
        let leaf = self.state.leaves.len() as u32;
        let array = self.state.arrays.len() as u32;
        self.state.arrays.push(Array { first_leaf: leaf, end_leaf: leaf, direct: false });
        array
    }

    #[inline]
    fn direct(&mut self, array: u32) {
        if let Some(array) = self.state.arrays.get_mut(array as usize) {
            array.direct = true;
            self.state.has_direct = true;
        }
    }

    #[inline]
    fn end_array(&mut self, array: u32) {
        let leaf = self.state.leaves.len() as u32;
        if let Some(array) = self.state.arrays.get_mut(array as usize) {
            array.end_leaf = leaf;
        }
    }
}
