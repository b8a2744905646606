//! The current position in an event: the way through the field trie, and through arrays.

use super::observed::{ArrayId, Element, ElementId};
use super::verdict::{FIRST_EPOCH, Marks, next_epoch};
use crate::automaton::{FieldId, FieldTrie, NodeId, TrieNode};
use crate::base::{Optional, Table};
use crate::json::{ReadPolicy, Scalar, Sink, Text, Want};

/// Receives what the walk finds: scalars at fields, and which array elements they lie in.
pub(super) trait Receive {
    /// A scalar at a field, in an array element or outside.
    fn leaf(&mut self, field: FieldId, element: ElementId, value: Scalar<'_>);
    /// An object or array begins inside an array; returns its number.
    fn begin_element(&mut self, parent: ElementId, array: ArrayId) -> ElementId;
    fn end_element(&mut self, element: ElementId);
    /// Answers the array's number.
    fn begin_array(&mut self) -> ArrayId;
    /// A scalar of interest lies in an array itself.
    fn direct(&mut self, array: ArrayId);
    fn end_array(&mut self, array: ArrayId);
}

/// An open object or array of interest.
#[derive(Clone, Copy, Debug)]
struct Frame {
    /// Where it is in the field trie.
    node: NodeId,
    /// The innermost array element that its scalars lie in.
    element: ElementId,
    /// For an array its number.
    array: Optional<ArrayId>,
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
    seen: Marks<FieldId>,
    open: Table<NodeId, (u32, u32)>,
}

impl Path {
    fn begin(&mut self, trie: &FieldTrie, early: bool) {
        self.frames.clear();
        if !early {
            return;
        }
        self.epoch = next_epoch(self.epoch);
        if self.epoch == FIRST_EPOCH || self.seen.len() < trie.fields() || self.open.len() < trie.len() {
            self.epoch = FIRST_EPOCH;
            self.seen.fit(self.seen.len().max(trie.fields()));
            self.open.reset(self.open.len().max(trie.len()), (0, 0));
        }
    }
}

pub(super) struct Walk<'a, R> {
    trie: &'a FieldTrie,
    path: &'a mut Path,
    /// Whether reading may end once every field was seen.
    early: bool,
    /// The innermost open object or array; those around it are in `Path::frames`.
    top: Frame,
    /// Where the next value is in the field trie: where the last key leads, or where the array is.
    child: NodeId,
    /// What `top.node` names, at hand for every key: most keys are in no rule, so to find the node is much of their
    /// cost.
    object: &'a TrieNode,
    /// For Early, whether all fields were seen, or all of the innermost object: kept up to date, since every key tests it.
    ahead: Want,
    /// How many arrays are open: in them, reading may not end at a key.
    arrays: u32,
    pub(super) receiver: R,
}

impl<'a, R: Receive> Walk<'a, R> {
    pub(super) fn new(trie: &'a FieldTrie, path: &'a mut Path, policy: ReadPolicy, receiver: R) -> Walk<'a, R> {
        let early = policy == ReadPolicy::Early;
        path.begin(trie, early);
        let (node, element) = (NodeId::FIRST, Element::OUTSIDE);
        let top = Frame { node, element, array: Optional::NONE, own: false };
        Walk { trie, path, early, top, child: node, object: trie.node(node), ahead: Want::Read, arrays: 0, receiver }
    }

    /// The element that a composite value lies in, and whether it is one of its own.
    #[inline]
    fn element(&mut self) -> (ElementId, bool) {
        let parent = self.top.element;
        match self.top.array.get() {
            None => (parent, false),
            Some(array) => (self.receiver.begin_element(parent, array), true),
        }
    }

    #[inline(always)]
    fn end(&mut self) -> Frame {
        let frame = self.top;
        if let Some(outer) = self.path.frames.pop() {
            self.top = outer;
            // In an object, the next key says.
            self.child = outer.node;
            self.object = self.trie.node(outer.node);
            if self.early {
                self.look_ahead();
            }
        }
        if frame.own {
            self.receiver.end_element(frame.element);
        }
        frame
    }

    /// A key that is probably one of those wanted.
    #[inline(always)]
    fn enter(&mut self, name: &[u8]) -> Want {
        // Every node of the trie leads to a field.
        let Some(child) = self.trie.step(self.object, name) else { return Want::Skip };
        self.child = child;
        if self.early
            && let Some(field) = self.trie.node(child).field()
        {
            self.see(child, field);
        }
        Want::Read
    }

    /// Counts a field as seen, and says nothing if it was already.
    #[inline(never)]
    fn see(&mut self, node: NodeId, field: FieldId) {
        let epoch = self.path.epoch;
        if !self.path.seen.first(field, epoch) {
            return;
        }
        let mut at = node;
        loop {
            let here = self.trie.node(at);
            let open = &mut self.path.open[at];
            let before = if open.0 == epoch { open.1 } else { here.below };
            *open = (epoch, before.saturating_sub(1));
            if at == NodeId::FIRST {
                break;
            }
            at = here.parent;
        }
        self.look_ahead();
    }

    /// What the next key is to be answered if it is in no array.
    #[inline(never)]
    fn look_ahead(&mut self) {
        let node = self.top.node;
        self.ahead = if self.all_seen(NodeId::FIRST) {
            Want::Stop
        } else if node != NodeId::FIRST && self.all_seen(node) {
            Want::Leave
        } else {
            Want::Read
        };
    }

    /// Whether every field at or below `node` was seen.
    #[inline]
    fn all_seen(&self, node: NodeId) -> bool {
        let (epoch, open) = self.path.open[node];
        epoch == self.path.epoch && open == 0
    }
}

impl<R: Receive> Sink for Walk<'_, R> {
    #[inline(always)]
    fn key(&mut self, name: Text<'_>) -> Want {
        if self.ahead != Want::Read && self.arrays == 0 {
            return self.ahead;
        }
        // Most keys are in no rule.
        if self.object.may_step(name.as_bytes()) { self.enter(name.as_bytes()) } else { Want::Skip }
    }

    #[inline]
    fn scalar(&mut self, value: Scalar<'_>) {
        if let Some(field) = self.trie.node(self.child).field() {
            if let Some(array) = self.top.array.get() {
                self.receiver.direct(array);
            }
            self.receiver.leaf(field, self.top.element, value);
        }
    }

    #[inline(always)]
    fn begin_object(&mut self) -> Want {
        let node = self.child;
        let object = self.trie.node(node);
        if !object.has_children() {
            return Want::Skip;
        }
        let (element, own) = self.element();
        self.path.frames.push(self.top);
        self.object = object;
        self.child = node;
        self.top = Frame { node, element, array: Optional::NONE, own };
        if self.early {
            self.look_ahead();
        }
        Want::Read
    }

    #[inline]
    fn end_object(&mut self) {
        self.end();
    }

    #[inline]
    fn begin_array(&mut self) -> Want {
        let node = self.child;
        let (element, own) = self.element();
        let array = self.receiver.begin_array();
        self.path.frames.push(self.top);
        self.child = node;
        self.top = Frame { node, element, array: Optional::some(array), own };
        self.arrays += 1;
        Want::Read
    }

    #[inline]
    fn end_array(&mut self) {
        let frame = self.end();
        // An event of somebody else's making may close what it never opened.
        if let Some(array) = frame.array.get() {
            self.arrays -= 1;
            self.receiver.end_array(array);
        }
    }
}
