//! Hears an event: keeps the scalars of interest, and looks each up among the entries at once, while it is at hand.

use super::scratch::{Array, Element, Leaf, LeafKind, Marks, NUMBER_INEXACT, NUMBER_UNKNOWN, State, UNKNOWN};
use crate::automaton::{Automaton, FieldEntry, Kind, NONE, Seen, address_operand};
use crate::json::{Scalar, Sink, Text, Want};
use crate::value::{Address, NumberKey, Spelling};

/// An open object or array of interest.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    /// Where its values stand in the field trie; for an object, where the key heard last leads.
    child: u32,
    /// Where the object or array itself stands.
    node: u32,
    /// The innermost array element that its scalars lie in.
    element: u32,
    /// For an array its number, else NONE.
    array: u32,
    /// Whether it is an element itself (then of number `element`).
    own: bool,
}

pub(super) struct Listener<'a> {
    automaton: &'a Automaton,
    state: &'a mut State,
    /// Whether reading may end once every field was seen.
    early: bool,
    /// The innermost open object or array; those around it are in `State::frames`.
    top: Frame,
    /// How many of the open frames are arrays.
    open_arrays: u32,
    /// The texts no longer fit into 32-bit offsets.
    pub(super) overflow: bool,
}

impl<'a> Listener<'a> {
    pub(super) fn new(automaton: &'a Automaton, state: &'a mut State, early: bool) -> Listener<'a> {
        state.frames.clear();
        state.elements.push(Element::default());
        let top = Frame { child: 0, node: 0, element: 0, array: NONE, own: false };
        Listener { automaton, state, early, top, open_arrays: 0, overflow: false }
    }

    /// The element that a composite value lies in, and whether it is one of its own.
    #[inline]
    fn element(&mut self) -> (u32, bool) {
        let (parent, array) = (self.top.element, self.top.array);
        if array == NONE {
            return (parent, false);
        }
        let leaf = self.state.leaves.len() as u32;
        let element = self.state.elements.len() as u32;
        self.state.elements.push(Element { parent, array, first_leaf: leaf, end_leaf: leaf });
        (element, true)
    }

    #[inline]
    fn end(&mut self) -> Frame {
        let frame = self.top;
        if let Some(outer) = self.state.frames.pop() {
            self.top = outer;
        }
        if frame.own {
            let leaf = self.state.leaves.len() as u32;
            if let Some(element) = self.state.elements.get_mut(frame.element as usize) {
                element.end_leaf = leaf;
            }
        }
        frame
    }

    /// Counts a field as seen, and says nothing if it was already.
    fn see(&mut self, node: u32, field: u32) {
        let epoch = self.state.epoch;
        if !self.state.seen.first(field, epoch) {
            return;
        }
        let mut at = node;
        loop {
            let below = self.automaton.trie.node(at).below;
            if let Some(open) = self.state.open.get_mut(at as usize) {
                let before = if open.0 == epoch { open.1 } else { below };
                *open = (epoch, before.saturating_sub(1));
            }
            if at == 0 {
                return;
            }
            at = self.automaton.trie.node(at).parent;
        }
    }

    /// Whether every field at or below `node` was seen.
    #[inline]
    fn all_seen(&self, node: u32) -> bool {
        self.state.open.get(node as usize) == Some(&(self.state.epoch, 0))
    }

    #[inline]
    fn leaf(&mut self, field: u32, value: Scalar<'_>) {
        let automaton = self.automaton;
        let Some(entry) = automaton.fields.get(field as usize) else { return };
        let (kind, text) = match value {
            Scalar::String(text) => (LeafKind::Text, text.as_bytes()),
            Scalar::Number(text) => (LeafKind::Number, text.as_bytes()),
            Scalar::Bool(true) => (LeafKind::True, &b""[..]),
            Scalar::Bool(false) => (LeafKind::False, &b""[..]),
            Scalar::Null => (LeafKind::Null, &b""[..]),
        };
        let element = self.top.element;
        let mut leaf = Leaf {
            field,
            element,
            next: NONE,
            kind,
            start: 0,
            end: 0,
            value: UNKNOWN,
            address: UNKNOWN,
            lower: UNKNOWN,
            number: NUMBER_UNKNOWN,
        };
        // Where all depends on the whole value, one look-up says all: in arrays, where scalars are many, do it now.
        if entry.values_only && (element != 0 || !entry.entries.is_empty()) {
            leaf.value = value_test(automaton, &leaf, text);
            if leaf.value == NONE {
                return;
            }
            enter(automaton, self.state, leaf.value);
            self.state.push(leaf);
            return;
        }
        let hit = !entry.entries.is_empty() && self.look_up(entry, text, &mut leaf);
        if entry.complete && !hit {
            return;
        }
        let start = self.state.text.len();
        if start + text.len() >= UNKNOWN as usize {
            self.overflow = true;
            return;
        }
        self.state.text.extend_from_slice(text);
        (leaf.start, leaf.end) = (start as u32, (start + text.len()) as u32);
        if self.state.push(leaf) && (entry.present != entry.present_end || entry.negative != entry.negative_end) {
            self.state.present.push(field);
        }
    }

    /// Looks the scalar up among the entries of its field; says whether it satisfies any.
    fn look_up(&mut self, entry: &FieldEntry, text: &[u8], leaf: &mut Leaf) -> bool {
        let automaton = self.automaton;
        let kinds = entry.entries;
        let mut hit = false;
        let mut found = |state: &mut State, test: u32| {
            if test != NONE {
                hit = true;
                enter(automaton, state, test);
            }
        };
        let mut seen = Seen::Other;
        match leaf.kind {
            LeafKind::Text => {
                if kinds.has(Kind::Text) {
                    leaf.value = value_test(automaton, leaf, text);
                    found(self.state, leaf.value);
                }
                if kinds.lower() {
                    let lower = &mut self.state.lower;
                    lower.clear();
                    lower.extend(text.iter().map(u8::to_ascii_lowercase));
                    if kinds.has(Kind::Lower) {
                        leaf.lower = automaton.test(leaf.field, Kind::Lower, lower).unwrap_or(NONE);
                        found(self.state, leaf.lower);
                    }
                }
                if kinds.has(Kind::Address) {
                    leaf.address = address_test(automaton, leaf.field, text);
                    found(self.state, leaf.address);
                }
            }
            LeafKind::Number => {
                if kinds.numeric() {
                    let key = Spelling::of(text).key();
                    leaf.number = key.map_or(NUMBER_INEXACT, NumberKey::bits);
                    leaf.value = number_test(automaton, leaf.field, key, text);
                    found(self.state, leaf.value);
                    seen = key.map_or(Seen::Other, Seen::Number);
                }
            }
            LeafKind::True | LeafKind::False | LeafKind::Null => {
                leaf.value = value_test(automaton, leaf, text);
                found(self.state, leaf.value);
            }
        }
        if let Some(pack) = automaton.packs.get(entry.pack as usize) {
            let State { epoch, buckets, queue, lower, pack: scratch, .. } = &mut *self.state;
            if leaf.kind == LeafKind::Text {
                seen = Seen::Text { text, lower };
            }
            pack.each(seen, scratch, &mut |test| {
                hit = true;
                open(automaton, buckets, queue, *epoch, test);
            });
        }
        hit
    }
}

#[inline]
fn enter(automaton: &Automaton, state: &mut State, test: u32) {
    open(automaton, &mut state.buckets, &mut state.queue, state.epoch, test);
}

/// Queues the buckets that a test opens, each once.
#[inline]
fn open(automaton: &Automaton, buckets: &mut Marks, queue: &mut Vec<u32>, epoch: u32, test: u32) {
    for bucket in automaton.opened_by(test) {
        if buckets.first(*bucket, epoch) {
            queue.push(*bucket);
        }
    }
}

/// The test that a scalar's very value is, or NONE.
#[inline]
pub(super) fn value_test(automaton: &Automaton, leaf: &Leaf, text: &[u8]) -> u32 {
    let kind = match leaf.kind {
        LeafKind::Text => Kind::Text,
        LeafKind::Number => return number_test(automaton, leaf.field, Spelling::of(text).key(), text),
        LeafKind::True => Kind::True,
        LeafKind::False => Kind::False,
        LeafKind::Null => Kind::Null,
    };
    automaton.test(leaf.field, kind, text).unwrap_or(NONE)
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

impl Sink for Listener<'_> {
    #[inline]
    fn key(&mut self, name: Text<'_>) -> Want {
        let node = self.top.node;
        if self.early && self.open_arrays == 0 && self.all_seen(node) {
            return if node == 0 { Want::Stop } else { Want::Leave };
        }
        // Every node of the trie leads to a field.
        let Some(child) = self.automaton.trie.step(node, name.as_bytes()) else { return Want::Skip };
        self.top.child = child;
        if self.early
            && let Some(field) = self.automaton.trie.node(child).field()
        {
            self.see(child, field);
        }
        Want::Read
    }

    #[inline]
    fn scalar(&mut self, value: Scalar<'_>) {
        if let Some(field) = self.automaton.trie.node(self.top.child).field() {
            self.leaf(field, value);
        }
    }

    #[inline]
    fn begin_object(&mut self) -> Want {
        let node = self.top.child;
        if !self.automaton.trie.node(node).has_children() {
            return Want::Skip;
        }
        let (element, own) = self.element();
        self.state.frames.push(self.top);
        self.top = Frame { child: node, node, element, array: NONE, own };
        Want::Read
    }

    #[inline]
    fn end_object(&mut self) {
        self.end();
    }

    #[inline]
    fn begin_array(&mut self) -> Want {
        let node = self.top.child;
        let (element, own) = self.element();
        let leaf = self.state.leaves.len() as u32;
        let array = self.state.arrays.len() as u32;
        self.state.arrays.push(Array { first_leaf: leaf, end_leaf: leaf });
        self.state.frames.push(self.top);
        self.top = Frame { child: node, node, element, array, own };
        self.open_arrays += 1;
        Want::Read
    }

    #[inline]
    fn end_array(&mut self) {
        let frame = self.end();
        self.open_arrays -= 1;
        let leaf = self.state.leaves.len() as u32;
        if let Some(array) = self.state.arrays.get_mut(frame.array as usize) {
            array.end_leaf = leaf;
        }
    }
}
