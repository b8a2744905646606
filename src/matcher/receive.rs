//! Keeps the scalars of interest of an event, and looks each up among the entries at once, while it is in the cache.

use super::lookup::{LeafKind, address_test, number_test, value_test};
use super::observed::{ArrayId, Element, ElementId, Known, KnownNumber, Leaf, Looked, Observed};
use super::state::State;
use super::verdict::Verdicts;
use super::walk::Receive;
use crate::automaton::{Automaton, FieldEntry, FieldId, Kind, Query, TestId};
use crate::base::Optional;
use crate::event::Scalar;
use crate::value::Spelling;

/// Keeps what one automaton needs of an event.
pub(super) struct Receiver<'a> {
    automaton: &'a Automaton,
    observed: &'a mut Observed,
    verdicts: &'a mut Verdicts,
    /// The strings no longer fit into 32-bit offsets.
    pub(super) overflow: bool,
}

impl<'a> Receiver<'a> {
    pub(super) fn new(automaton: &'a Automaton, state: &'a mut State) -> Receiver<'a> {
        let State { observed, verdicts, .. } = state;
        observed.elements.push(Element::default());
        Receiver { automaton, observed, verdicts, overflow: false }
    }

    #[inline]
    fn keep(&mut self, field: FieldId, element: ElementId, value: Scalar<'_>) {
        let automaton = self.automaton;
        let entry = &automaton.entries.fields[field];
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
        if entry.values_only && (element != Element::OUTSIDE || !entry.entries.is_empty()) {
            let Some(value) = value_test(automaton, field, kind, text) else { return };
            self.verdicts.open_all(automaton, value);
            let known = Known { value: Looked::up(Some(value)), ..Known::NOTHING };
            self.observed.push(Leaf { field, element, next: Optional::NONE, kind, start: 0, end: 0, known });
            return;
        }
        // By value, so a leaf is written once, where it stays: to copy what was just written in parts stalls the
        // processor (a twentieth of the time of a small event).
        let (hit, known) =
            if entry.entries.is_empty() { (false, Known::NOTHING) } else { self.look_up(entry, field, kind, text) };
        if entry.complete && !hit {
            return;
        }
        // The text of a number that was looked up is never needed again.
        let kept = if known.number.get().is_some() { &[] } else { text };
        let Ok((start, end)) = self.observed.keep_text(kept) else {
            self.overflow = true;
            return;
        };
        let first = self.observed.push(Leaf { field, element, next: Optional::NONE, kind, start, end, known });
        if first && entry.is_decided_when_present() {
            self.observed.present.push(field);
        }
    }

    /// Looks a scalar up among the entries of its field; returns whether it satisfies any.
    fn look_up(&mut self, entry: &FieldEntry, field: FieldId, kind: LeafKind, text: &[u8]) -> (bool, Known) {
        let automaton = self.automaton;
        let kinds = entry.entries;
        let verdicts = &mut *self.verdicts;
        let room = &mut self.observed.room;
        let mut hit = false;
        let mut known = Known::NOTHING;
        let mut found = |test: Option<TestId>| {
            if let Some(test) = test {
                hit = true;
                verdicts.open_all(automaton, test);
            }
            Looked::up(test)
        };
        let mut query = Query::Other;
        match kind {
            LeafKind::Text => {
                if kinds.has(Kind::Text) {
                    known.value = found(value_test(automaton, field, kind, text));
                }
                if kinds.lower() {
                    // Most strings are none of the operands, as their ends show.
                    let whole = kinds.has(Kind::Lower) && entry.may_be_lower(text);
                    if whole || kinds.lower_ends() {
                        room.set_lower(text);
                    }
                    if kinds.has(Kind::Lower) {
                        let test = if whole { automaton.test(field, Kind::Lower, &room.lower) } else { None };
                        known.lower = found(test);
                    }
                }
                if kinds.has(Kind::Address) {
                    known.address = found(address_test(automaton, field, text));
                }
                query = Query::Text { text, lower: &room.lower };
            }
            LeafKind::Number => {
                if kinds.numeric() {
                    let key = Spelling::of(text).key();
                    known.number = KnownNumber::read(key);
                    known.value = found(number_test(automaton, field, key, text));
                    query = key.map_or(Query::Other, Query::Number);
                }
            }
            LeafKind::True | LeafKind::False | LeafKind::Null => {
                known.value = found(value_test(automaton, field, kind, text));
            }
        }
        if let Some(set) = entry.set.get() {
            automaton.sets[set].each(query, &mut room.query, |test| _ = found(Some(test)));
        }
        (hit, known)
    }
}

impl Receive for Receiver<'_> {
    #[inline]
    fn leaf(&mut self, field: FieldId, element: ElementId, value: Scalar<'_>) {
        self.keep(field, element, value);
    }

    #[inline]
    fn begin_element(&mut self, parent: ElementId, array: ArrayId) -> ElementId {
        self.observed.begin_element(parent, array)
    }

    #[inline]
    fn end_element(&mut self, element: ElementId) {
        self.observed.end_element(element);
    }

    #[inline]
    fn begin_array(&mut self) -> ArrayId {
        self.observed.begin_array()
    }

    #[inline]
    fn direct(&mut self, array: ArrayId) {
        self.observed.set_direct(array);
    }

    #[inline]
    fn end_array(&mut self, array: ArrayId) {
        self.observed.end_array(array);
    }
}
