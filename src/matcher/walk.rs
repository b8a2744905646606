//! Where the reading of an event stands: the way through the field trie, and through arrays.

use super::scratch::Marks;
use crate::automaton::{FieldTrie, NONE};
use crate::json::{Scalar, Sink, Text, Want};

/// Hears what the walk finds: scalars at fields, and which array elements they lie in.
pub(super) trait Hear {
    /// A scalar at a field, in an array element (0 for none).
    fn leaf(&mut self, field: u32, element: u32, value: Scalar<'_>);
    /// An object or array begins inside of an array; answers its number.
    fn begin_element(&mut self, parent: u32, array: u32) -> u32;
    fn end_element(&mut self, element: u32);
    /// Answers the array's number.
    fn begin_array(&mut self) -> u32;
    /// A scalar of interest lies in an array itself.
    fn direct(&mut self, array: u32);
    fn end_array(&mut self, array: u32);
}

/// An open object or array of interest.
#[derive(Clone, Copy, Debug)]
struct Frame {
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

/// What a walk remembers: reused from event to event.
#[derive(Debug, Default)]
pub(super) struct Path {
    frames: Vec<Frame>,
    /// The number of the event, as marks have it.
    epoch: u32,
    /// For Early: the fields seen, and how many are open below each node of the trie.
    seen: Marks,
    open: Vec<(u32, u32)>,
}

impl Path {
    fn begin(&mut self, trie: &FieldTrie, early: bool) {
        self.frames.clear();
        if !early {
            return;
        }
        self.epoch = Marks::next(self.epoch);
        let fields = trie.node(0).below as usize;
        if self.epoch == Marks::next(0) || self.seen.len() < fields || self.open.len() < trie.len() {
            self.epoch = Marks::next(0);
            self.seen.fit(self.seen.len().max(fields));
            let nodes = self.open.len().max(trie.len());
            self.open.clear();
            self.open.resize(nodes, (0, 0));
        }
    }
}

pub(super) struct Walk<'a, H> {
    trie: &'a FieldTrie,
    path: &'a mut Path,
    /// Whether reading may end once every field was seen.
    early: bool,
    /// Whether it did, at a key.
    pub(super) stopped: bool,
    /// The innermost open object or array; those around it are in `Path::frames`.
    top: Frame,
    /// How many of the open frames are arrays.
    open_arrays: u32,
    pub(super) hearer: H,
}

impl<'a, H: Hear> Walk<'a, H> {
    pub(super) fn new(trie: &'a FieldTrie, path: &'a mut Path, early: bool, hearer: H) -> Walk<'a, H> {
        path.begin(trie, early);
        let top = Frame { child: 0, node: 0, element: 0, array: NONE, own: false };
        Walk { trie, path, early, stopped: false, top, open_arrays: 0, hearer }
    }

    /// A walk that stops at the first key, as if every field had been seen.
    pub(super) fn to_first_key(trie: &'a FieldTrie, path: &'a mut Path, hearer: H) -> Walk<'a, H> {
        let walk = Walk::new(trie, path, true, hearer);
        if let Some(open) = walk.path.open.first_mut() {
            *open = (walk.path.epoch, 0);
        }
        walk
    }

    /// The element that a composite value lies in, and whether it is one of its own.
    #[inline]
    fn element(&mut self) -> (u32, bool) {
        let (parent, array) = (self.top.element, self.top.array);
        if array == NONE { (parent, false) } else { (self.hearer.begin_element(parent, array), true) }
    }

    #[inline]
    fn end(&mut self) -> Frame {
        let frame = self.top;
        if let Some(outer) = self.path.frames.pop() {
            self.top = outer;
        }
        if frame.own {
            self.hearer.end_element(frame.element);
        }
        frame
    }

    /// A key that is probably one of those wanted.
    #[inline(never)]
    fn enter(&mut self, node: u32, name: &[u8]) -> Want {
        // Every node of the trie leads to a field.
        let Some(child) = self.trie.step(node, name) else { return Want::Skip };
        self.top.child = child;
        if self.early
            && let Some(field) = self.trie.node(child).field()
        {
            self.see(child, field);
        }
        Want::Read
    }

    /// Counts a field as seen, and says nothing if it was already.
    #[inline(never)]
    fn see(&mut self, node: u32, field: u32) {
        let epoch = self.path.epoch;
        if !self.path.seen.first(field, epoch) {
            return;
        }
        let mut at = node;
        loop {
            let below = self.trie.node(at).below;
            if let Some(open) = self.path.open.get_mut(at as usize) {
                let before = if open.0 == epoch { open.1 } else { below };
                *open = (epoch, before.saturating_sub(1));
            }
            if at == 0 {
                return;
            }
            at = self.trie.node(at).parent;
        }
    }

    /// Whether every field at or below `node` was seen.
    #[inline]
    fn all_seen(&self, node: u32) -> bool {
        self.path.open.get(node as usize) == Some(&(self.path.epoch, 0))
    }
}

impl<H: Hear> Sink for Walk<'_, H> {
    #[inline(always)]
    fn key(&mut self, name: Text<'_>) -> Want {
        let node = self.top.node;
        if self.early && self.open_arrays == 0 {
            if self.all_seen(0) {
                self.stopped = true;
                return Want::Stop;
            }
            if self.all_seen(node) {
                return Want::Leave;
            }
        }
        // Most keys are asked for by no rule.
        if self.trie.may_step(node, name.as_bytes()) { self.enter(node, name.as_bytes()) } else { Want::Skip }
    }

    #[inline]
    fn scalar(&mut self, value: Scalar<'_>) {
        if let Some(field) = self.trie.node(self.top.child).field() {
            if self.top.array != NONE {
                self.hearer.direct(self.top.array);
            }
            self.hearer.leaf(field, self.top.element, value);
        }
    }

    #[inline]
    fn begin_object(&mut self) -> Want {
        let node = self.top.child;
        if !self.trie.node(node).has_children() {
            return Want::Skip;
        }
        let (element, own) = self.element();
        self.path.frames.push(self.top);
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
        let array = self.hearer.begin_array();
        self.path.frames.push(self.top);
        self.top = Frame { child: node, node, element, array, own };
        self.open_arrays += 1;
        Want::Read
    }

    #[inline]
    fn end_array(&mut self) {
        let frame = self.end();
        self.open_arrays -= 1;
        self.hearer.end_array(frame.array);
    }
}
