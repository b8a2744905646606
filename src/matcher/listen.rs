//! Hears an event: keeps the scalars of interest, and looks each up among the entries at once, while it is at hand.

use super::scratch::{Array, Element, Leaf, LeafKind, NUMBER_INEXACT, NUMBER_UNKNOWN, State, UNKNOWN, YES};
use crate::automaton::{Automaton, FieldEntry, Kind, NONE, Seen, address_operand};
use crate::json::{Scalar, Sink, Text, Want};
use crate::value::{Address, Spelling};

/// An open object or array of interest.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    /// Where its value stands in the field trie.
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
    /// Where the key heard last leads.
    child: u32,
    /// How many of the open frames are arrays.
    open_arrays: u32,
    /// The texts no longer fit into 32-bit offsets.
    pub(super) overflow: bool,
}

impl<'a> Listener<'a> {
    pub(super) fn new(automaton: &'a Automaton, state: &'a mut State, early: bool) -> Listener<'a> {
        state.frames.clear();
        state.elements.push(Element::default());
        Listener { automaton, state, early, child: 0, open_arrays: 0, overflow: false }
    }

    /// The place in the trie of the value that comes now.
    #[inline]
    fn node(&self) -> u32 {
        match self.state.frames.last() {
            Some(frame) if frame.array != NONE => frame.node,
            _ => self.child,
        }
    }

    /// The element that a composite value lies in, and whether it is one of its own.
    #[inline]
    fn element(&mut self) -> (u32, bool) {
        match self.state.frames.last().copied() {
            None => (0, false),
            Some(frame) if frame.array == NONE => (frame.element, false),
            Some(frame) => {
                let leaf = self.state.leaves.len() as u32;
                let element = self.state.elements.len() as u32;
                let (parent, array) = (frame.element, frame.array);
                self.state.elements.push(Element { parent, array, first_leaf: leaf, end_leaf: leaf });
                (element, true)
            }
        }
    }

    fn end(&mut self) -> Option<Frame> {
        let frame = self.state.frames.pop()?;
        if frame.own {
            let leaf = self.state.leaves.len() as u32;
            if let Some(element) = self.state.elements.get_mut(frame.element as usize) {
                element.end_leaf = leaf;
            }
        }
        Some(frame)
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
    fn leaf(&mut self, field: u32, element: u32, value: Scalar<'_>) {
        let Some(entry) = self.automaton.fields.get(field as usize).copied() else { return };
        let (kind, text) = match value {
            Scalar::String(text) => (LeafKind::Text, text.as_bytes()),
            Scalar::Number(text) => (LeafKind::Number, text.as_bytes()),
            Scalar::Bool(true) => (LeafKind::True, &b""[..]),
            Scalar::Bool(false) => (LeafKind::False, &b""[..]),
            Scalar::Null => (LeafKind::Null, &b""[..]),
        };
        let start = self.state.text.len();
        if start + text.len() >= UNKNOWN as usize {
            self.overflow = true;
            return;
        }
        self.state.text.extend_from_slice(text);
        let mut leaf = Leaf {
            field,
            element,
            next: NONE,
            kind,
            start: start as u32,
            end: (start + text.len()) as u32,
            value: UNKNOWN,
            address: UNKNOWN,
            lower: UNKNOWN,
            number: NUMBER_UNKNOWN,
        };
        if !entry.entries.is_empty() {
            self.enter(&entry, text, &mut leaf);
        }
        if self.state.push(leaf) && (entry.present != entry.present_end || entry.negative != entry.negative_end) {
            self.state.present.push(field);
        }
    }

    /// Looks the scalar up among the entries of its field.
    fn enter(&mut self, entry: &FieldEntry, text: &[u8], leaf: &mut Leaf) {
        let Listener { automaton, state, .. } = self;
        let State { epoch, lists, entered, lower, pack: scratch, .. } = &mut **state;
        let kinds = entry.entries;
        let mut found = |test: u32| {
            for list in automaton.postings_of(test) {
                if lists.get(*list, *epoch) != YES {
                    lists.set(*list, *epoch, YES);
                    entered.push(*list);
                }
            }
        };
        let mut seen = Seen::Other;
        match leaf.kind {
            LeafKind::Text => {
                if kinds.has(Kind::Text) {
                    leaf.value = automaton.test(leaf.field, Kind::Text, text).unwrap_or(NONE);
                    if leaf.value != NONE {
                        found(leaf.value);
                    }
                }
                if kinds.lower() {
                    lower.clear();
                    lower.extend(text.iter().map(u8::to_ascii_lowercase));
                    if kinds.has(Kind::Lower) {
                        leaf.lower = automaton.test(leaf.field, Kind::Lower, lower).unwrap_or(NONE);
                        if leaf.lower != NONE {
                            found(leaf.lower);
                        }
                    }
                }
                if kinds.has(Kind::Address) {
                    leaf.address = address_test(automaton, leaf.field, text);
                    if leaf.address != NONE {
                        found(leaf.address);
                    }
                }
                seen = Seen::Text { text, lower };
            }
            LeafKind::Number => {
                if kinds.numeric() {
                    let key = Spelling::of(text).key();
                    leaf.number = key.map_or(NUMBER_INEXACT, crate::value::NumberKey::bits);
                    leaf.value = number_test(automaton, leaf.field, key, text);
                    if leaf.value != NONE {
                        found(leaf.value);
                    }
                    seen = key.map_or(Seen::Other, Seen::Number);
                }
            }
            LeafKind::True | LeafKind::False | LeafKind::Null => {
                leaf.value = automaton.test(leaf.field, literal_kind(leaf.kind), b"").unwrap_or(NONE);
                if leaf.value != NONE {
                    found(leaf.value);
                }
            }
        }
        if let Some(pack) = automaton.packs.get(entry.pack as usize) {
            pack.each(seen, scratch, &mut found);
        }
    }
}

/// The kind of test that `true`, `false` or `null` equals.
pub(super) fn literal_kind(kind: LeafKind) -> Kind {
    match kind {
        LeafKind::True => Kind::True,
        LeafKind::False => Kind::False,
        LeafKind::Null | LeafKind::Text | LeafKind::Number => Kind::Null,
    }
}

/// The test that a text is as an address, or NONE.
pub(super) fn address_test(automaton: &Automaton, field: u32, text: &[u8]) -> u32 {
    let Ok(address) = Address::parse(text) else { return NONE };
    let mut operand = [0; 17];
    operand.iter_mut().zip(address_operand(address.family, address.bits)).for_each(|(to, from)| *to = from);
    automaton.test(field, Kind::Address, &operand).unwrap_or(NONE)
}

/// The test that a number is, or NONE.
pub(super) fn number_test(automaton: &Automaton, field: u32, key: Option<crate::value::NumberKey>, text: &[u8]) -> u32 {
    match key {
        Some(key) => automaton.test(field, Kind::Number, &key.bits().to_le_bytes()),
        None => automaton.test(field, Kind::Spelling, text),
    }
    .unwrap_or(NONE)
}

impl Sink for Listener<'_> {
    #[inline]
    fn key(&mut self, name: Text<'_>) -> Want {
        let Some(frame) = self.state.frames.last() else { return Want::Skip };
        let node = frame.node;
        if self.early && self.open_arrays == 0 && self.all_seen(node) {
            return if node == 0 { Want::Stop } else { Want::Leave };
        }
        match self.automaton.trie.step(node, name.as_bytes()) {
            None => Want::Skip,
            Some(child) => {
                self.child = child;
                let node = self.automaton.trie.node(child);
                if self.early
                    && let Some(field) = node.field()
                {
                    self.see(child, field);
                }
                if node.field().is_some() || node.has_children() { Want::Read } else { Want::Skip }
            }
        }
    }

    #[inline]
    fn scalar(&mut self, value: Scalar<'_>) {
        let node = self.node();
        if let Some(field) = self.automaton.trie.node(node).field() {
            let element = self.state.frames.last().map_or(0, |frame| frame.element);
            self.leaf(field, element, value);
        }
    }

    #[inline]
    fn begin_object(&mut self) -> Want {
        let node = self.node();
        if !self.automaton.trie.node(node).has_children() {
            return Want::Skip;
        }
        let (element, own) = self.element();
        self.state.frames.push(Frame { node, element, array: NONE, own });
        Want::Read
    }

    #[inline]
    fn end_object(&mut self) {
        self.end();
    }

    #[inline]
    fn begin_array(&mut self) -> Want {
        let node = self.node();
        let (element, own) = self.element();
        let leaf = self.state.leaves.len() as u32;
        let array = self.state.arrays.len() as u32;
        self.state.arrays.push(Array { first_leaf: leaf, end_leaf: leaf });
        self.state.frames.push(Frame { node, element, array, own });
        self.open_arrays += 1;
        Want::Read
    }

    #[inline]
    fn end_array(&mut self) {
        if let Some(frame) = self.end() {
            self.open_arrays -= 1;
            let leaf = self.state.leaves.len() as u32;
            if let Some(array) = self.state.arrays.get_mut(frame.array as usize) {
                array.end_leaf = leaf;
            }
        }
    }
}
