//! What was found in an event: its scalars at the fields of interest, and the array elements around them.

use super::lookup::LeafKind;
use crate::automaton::{Automaton, FieldId, QueryScratch, TestId};
use crate::base::{Id, Key, Optional, Run, Table};
use crate::value::NumberKey;

pub(super) type LeafId = Id<Leaf>;
pub(super) type ElementId = Id<Element>;
pub(super) type ArrayId = Id<Array>;

/// A scalar of the event at a field.
#[derive(Clone, Copy, Debug)]
pub(super) struct Leaf {
    pub(super) field: FieldId,
    /// The innermost array element around it.
    pub(super) element: ElementId,
    /// The next leaf of the field.
    pub(super) next: Optional<LeafId>,
    pub(super) kind: LeafKind,
    /// The text: a range of `Observed::text`.
    pub(super) start: u32,
    pub(super) end: u32,
    pub(super) known: Known,
}

/// What is known about a scalar, kept for the next test of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known {
    /// The test that is this very value.
    pub(super) value: Looked,
    /// The same for the address that the text is, and for the text in lower case.
    pub(super) address: Looked,
    pub(super) lower: Looked,
    pub(super) number: KnownNumber,
}

impl Known {
    pub(super) const NOTHING: Known = Known {
        value: Looked::NOT_YET,
        address: Looked::NOT_YET,
        lower: Looked::NOT_YET,
        number: KnownNumber::NOT_YET,
    };
}

/// A test if it was looked up, and if there is one: in four bytes, since leaves are many.
#[derive(Clone, Copy, Debug)]
pub(super) struct Looked(u32);

impl Looked {
    /// No table is that long, see [`fits`](crate::base::fits).
    pub(super) const NOT_YET: Looked = Looked(u32::MAX - 1);

    #[inline(always)]
    pub(super) fn up(test: Option<TestId>) -> Looked {
        Looked(Optional::from(test).to_word())
    }

    /// None if it was not looked up yet.
    #[inline(always)]
    pub(super) fn get(self) -> Option<Option<TestId>> {
        if self.0 == Looked::NOT_YET.0 { None } else { Some(Optional::from_word(self.0).get()) }
    }
}

/// The key of a number if it was read, and if it compares: in eight bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct KnownNumber(u64);

impl KnownNumber {
    // No finite number has these two keys.
    pub(super) const NOT_YET: KnownNumber = KnownNumber(0);
    const INEXACT: KnownNumber = KnownNumber(1);

    pub(super) fn read(key: Option<NumberKey>) -> KnownNumber {
        key.map_or(KnownNumber::INEXACT, |key| KnownNumber(key.bits()))
    }

    /// None if it was not compared yet.
    pub(super) fn get(self) -> Option<Option<NumberKey>> {
        match self.0 {
            0 => None,
            1 => Some(None),
            bits => Some(Some(NumberKey::from_bits(bits))),
        }
    }
}

/// The leaves of one field.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct FieldLeaves {
    epoch: u32,
    pub(super) first: Optional<LeafId>,
    pub(super) last: Optional<LeafId>,
    pub(super) count: u32,
    /// How many of them lie in array elements.
    pub(super) in_elements: u32,
    /// The array in whose elements all of them lie, if that array lies in no other.
    pub(super) array: Optional<ArrayId>,
}

/// An object or array inside an array.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Element {
    pub(super) parent: ElementId,
    pub(super) array: ArrayId,
    /// The leaves inside.
    pub(super) leaves: Run<LeafId>,
}

impl Element {
    /// The first entry of the table represents all that is in no array.
    pub(super) const OUTSIDE: ElementId = ElementId::FIRST;

    /// The array that it is an element of, if that lies in no other.
    #[inline]
    fn outermost(&self) -> Optional<ArrayId> {
        if self.parent == Element::OUTSIDE { Optional::some(self.array) } else { Optional::NONE }
    }
}

/// An array that has elements with leaves.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Array {
    /// The leaves inside.
    pub(super) leaves: Run<LeafId>,
    /// Whether it has scalars itself: these lie between the leaves of its elements, but in none of them.
    pub(super) direct: bool,
}

/// The strings no longer fit into 32-bit offsets.
pub(super) struct Overflow;

#[derive(Debug, Default)]
pub(super) struct Observed {
    /// The number of the event, as [`Marks`](super::verdict::Marks) have it.
    pub(super) epoch: u32,
    pub(super) leaves: Table<LeafId, Leaf>,
    /// The strings of all leaves.
    text: Vec<u8>,
    fields: Table<FieldId, FieldLeaves>,
    pub(super) elements: Table<ElementId, Element>,
    pub(super) arrays: Table<ArrayId, Array>,
    /// How many fields have leaves in array elements.
    pub(super) fields_in_elements: u32,
    /// Whether any array has scalars of its own.
    pub(super) has_direct: bool,
    /// Fields that have leaves and entries to decide for that.
    pub(super) present: Vec<FieldId>,
    pub(super) room: Room,
}

/// Buffers for looking scalars up.
#[derive(Debug, Default)]
pub(super) struct Room {
    pub(super) lower: Vec<u8>,
    pub(super) query: QueryScratch,
}

impl Room {
    /// Fills `lower` with a string in ASCII lower case.
    #[inline]
    pub(super) fn set_lower(&mut self, text: &[u8]) {
        self.lower.clear();
        self.lower.extend(text.iter().map(u8::to_ascii_lowercase));
    }
}

impl Observed {
    /// Makes room for the fields of an automaton.
    pub(super) fn fit(&mut self, automaton: &Automaton) {
        self.fields.reset(automaton.trie.fields(), FieldLeaves::default());
    }

    /// Forgets the last event. With `forget` the numbers of events begin again.
    pub(super) fn begin(&mut self, epoch: u32, forget: bool) {
        self.epoch = epoch;
        if forget {
            self.fields.fill(FieldLeaves::default());
        }
        self.leaves.clear();
        self.text.clear();
        self.elements.clear();
        self.arrays.clear();
        self.fields_in_elements = 0;
        self.has_direct = false;
        self.present.clear();
    }

    /// The leaves of a field.
    #[inline]
    pub(super) fn field(&self, field: FieldId) -> FieldLeaves {
        let leaves = self.fields[field];
        if leaves.epoch == self.epoch { leaves } else { FieldLeaves::default() }
    }

    /// The element that a leaf lies in.
    #[inline]
    pub(super) fn element_of(&self, leaf: LeafId) -> ElementId {
        self.leaves[leaf].element
    }

    /// Keeps a string; returns where.
    #[inline]
    pub(super) fn keep_text(&mut self, text: &[u8]) -> Result<(u32, u32), Overflow> {
        let start = self.text.len();
        if start + text.len() >= u32::MAX as usize {
            return Err(Overflow);
        }
        self.text.extend_from_slice(text);
        Ok((start as u32, (start + text.len()) as u32))
    }

    /// Enters a leaf after the others of its field; returns whether it is the first. (Inlined, so the leaf is written
    /// once: a call costs a percent of a small event.)
    #[inline(always)]
    pub(super) fn push(&mut self, leaf: Leaf) -> bool {
        let (field, element) = (leaf.field, leaf.element);
        let this = Optional::some(self.leaves.push(leaf));
        let leaves = &mut self.fields[field];
        let first = leaves.epoch != self.epoch;
        let array = if element == Element::OUTSIDE { Optional::NONE } else { self.elements[element].outermost() };
        if first {
            *leaves = FieldLeaves { epoch: self.epoch, first: this, last: this, count: 1, in_elements: 0, array };
        } else {
            if leaves.array != array {
                leaves.array = Optional::NONE;
            }
            if let Some(last) = leaves.last.get() {
                self.leaves[last].next = this;
            }
            leaves.last = this;
            leaves.count += 1;
        }
        if element != Element::OUTSIDE {
            self.fields_in_elements += u32::from(leaves.in_elements == 0);
            leaves.in_elements += 1;
        }
        first
    }

    #[inline]
    pub(super) fn text_of(&self, leaf: &Leaf) -> &[u8] {
        text_of(&self.text, leaf)
    }

    /// The text of a leaf, and buffers to look it up with.
    #[inline]
    pub(super) fn text_and_room(&mut self, leaf: &Leaf) -> (&[u8], &mut Room) {
        (text_of(&self.text, leaf), &mut self.room)
    }

    /// An object or array begins inside an array.
    #[inline]
    pub(super) fn begin_element(&mut self, parent: ElementId, array: ArrayId) -> ElementId {
        self.elements.push(Element { parent, array, leaves: self.no_leaves() })
    }

    #[inline]
    pub(super) fn end_element(&mut self, element: ElementId) {
        self.elements[element].leaves.end = self.leaves.next_id().raw();
    }

    #[inline]
    pub(super) fn begin_array(&mut self) -> ArrayId {
        self.arrays.push(Array { leaves: self.no_leaves(), direct: false })
    }

    #[inline]
    pub(super) fn end_array(&mut self, array: ArrayId) {
        self.arrays[array].leaves.end = self.leaves.next_id().raw();
    }

    /// An array has a scalar of interest of its own.
    #[inline]
    pub(super) fn set_direct(&mut self, array: ArrayId) {
        self.arrays[array].direct = true;
        self.has_direct = true;
    }

    fn no_leaves(&self) -> Run<LeafId> {
        let next = self.leaves.next_id().raw();
        Run::new(next, next)
    }
}

#[inline]
#[allow(clippy::indexing_slicing, reason = "INVARIANT: leaves have ranges of the text that was kept with them")]
fn text_of<'t>(text: &'t [u8], leaf: &Leaf) -> &'t [u8] {
    &text[leaf.start as usize..leaf.end as usize]
}
