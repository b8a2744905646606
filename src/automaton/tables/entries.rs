//! From the scalars of an event to the entries that they satisfy.

use crate::automaton::ids::{BucketId, FieldId, ListId, SetId, TestId};
use crate::automaton::kind::Kinds;
use crate::base::{Id, Key, Optional, Run, Table, run_of};

/// One of 64 bits for an operand, by length and both ends. What has no bit in common with those that are known need not
/// be hashed.
#[inline(always)]
pub(in crate::automaton) fn filter_bit(operand: &[u8]) -> u64 {
    let [first, last] = ends(operand);
    bit_of(first, last, operand.len())
}

#[inline(always)]
fn ends(operand: &[u8]) -> [u8; 2] {
    [operand.first(), operand.last()].map(|byte| byte.copied().unwrap_or(0))
}

#[inline(always)]
fn bit_of(first: u8, last: u8, length: usize) -> u64 {
    let (first, last) = (usize::from(first), usize::from(last));
    1 << (first.wrapping_add(last.wrapping_mul(3)).wrapping_add(length.wrapping_mul(11)) % 64)
}

/// What a field's scalars are looked up in when they are read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FieldEntry {
    /// Kinds of tests that are entries.
    pub(crate) entries: Kinds,
    /// Kinds of all tests of the field.
    pub(in crate::automaton) kinds: Kinds,
    /// The operands of its tests that are decided by look-up, as [`filter_bit`].
    pub(in crate::automaton) filter: u64,
    /// Whether every test is a whole value as the event has it.
    pub(crate) values_only: bool,
    /// Whether every test is an entry, so a scalar that satisfies no entry does not matter at all.
    pub(crate) complete: bool,
    /// The entries that are not decided by look-up.
    pub(crate) set: Optional<SetId>,
    /// Entries to decide whenever the field is present: a part of [`Entries::present_lists`].
    pub(crate) present: Run<Id<ListId>>,
    /// Entries that exclude certain values and nothing else: a part of [`Entries::excluding_lists`].
    pub(crate) excluding_values: Run<Id<ListId>>,
    /// The entries that exclude something else.
    pub(crate) excluding_others: Optional<Id<OtherExclusions>>,
}

impl FieldEntry {
    /// Of a field without tests.
    pub(in crate::automaton) const EMPTY: FieldEntry = FieldEntry {
        entries: Kinds::NONE,
        kinds: Kinds::NONE,
        filter: 0,
        values_only: false,
        complete: false,
        set: Optional::NONE,
        present: Run::EMPTY,
        excluding_values: Run::EMPTY,
        excluding_others: Optional::NONE,
    };

    /// Whether some entry is to be decided for nothing but that the field is there.
    #[inline]
    pub(crate) fn is_decided_when_present(&self) -> bool {
        !self.present.is_empty() || !self.excluding_values.is_empty() || self.excluding_others.is_some()
    }

    /// Whether the text may be one of the operands that are decided by look-up: mostly right, and quick.
    #[inline(always)]
    pub(crate) fn may_be(&self, text: &[u8]) -> bool {
        self.filter & filter_bit(text) != 0
    }

    /// The same for the text in ASCII lower case.
    #[inline(always)]
    pub(crate) fn may_be_lower(&self, text: &[u8]) -> bool {
        let [first, last] = ends(text).map(|byte| byte.to_ascii_lowercase());
        self.filter & bit_of(first, last, text.len()) != 0
    }
}

/// The entries of one field that exclude by something other than whole values: affixes, case, wildcards, blocks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OtherExclusions {
    /// A part of [`Entries::excluding_lists`].
    pub(crate) lists: Run<Id<ListId>>,
    /// The kinds of all that they exclude.
    pub(crate) kinds: Kinds,
    /// What they exclude, as far as it is not decided by look-up.
    pub(crate) set: SetId,
}

/// The buckets that a test opens: none, one, or a run of [`Entries::opened`] from a place on.
#[derive(Clone, Copy, Debug)]
pub(in crate::automaton) struct Opens(u32);

impl Opens {
    /// Marks a place in `opened`, and the last bucket of a run there.
    pub(super) const MARK: u32 = 1 << 31;
    pub(in crate::automaton) const NOTHING: Opens = Opens(u32::MAX);

    /// INVARIANT: bucket ids leave the mark free, see [`Buckets::fit`].
    pub(in crate::automaton) fn one(bucket: BucketId) -> Opens {
        Opens(bucket.raw())
    }

    pub(in crate::automaton) fn is_nothing(self) -> bool {
        self.0 == Opens::NOTHING.0
    }

    pub(in crate::automaton) fn several(place: u32) -> Opens {
        Opens(place | Opens::MARK)
    }
}

/// A bucket that a test opens, and whether it is the last one of the test.
#[derive(Clone, Copy, Debug)]
pub(in crate::automaton) struct Opened(u32);

impl Opened {
    pub(in crate::automaton) fn new(bucket: BucketId, is_last: bool) -> Opened {
        Opened(bucket.raw() | if is_last { Opens::MARK } else { 0 })
    }
}

/// From the scalars of an event to the entries that they satisfy. All of it follows from the other tables.
#[derive(Debug, Default)]
pub(crate) struct Entries {
    pub(crate) fields: Table<FieldId, FieldEntry>,
    pub(in crate::automaton) opens: Table<TestId, Opens>,
    pub(in crate::automaton) opened: Table<Id<Opened>, Opened>,
    pub(crate) present_lists: Table<Id<ListId>, ListId>,
    /// Entries that are satisfied when something is absent: decided for each event.
    pub(crate) absent_lists: Vec<ListId>,
    /// Entries that are one `anything-but`, field by field.
    pub(crate) excluding_lists: Table<Id<ListId>, ListId>,
    pub(crate) others: Table<Id<OtherExclusions>, OtherExclusions>,
    /// For each test the end of its lists in `excluded`, times two; plus one if those are not the lists that exclude it, but,
    /// being fewer, all others of its field. Empty if no entry excludes anything.
    pub(in crate::automaton) excluded_ends: Table<TestId, u32>,
    pub(in crate::automaton) excluded: Table<Id<ListId>, ListId>,
}

/// Among the entries of a test's field that exclude as it does, by value or else:
#[derive(Clone, Copy, Debug)]
pub(crate) enum Excluding<'a> {
    /// those that exclude it,
    These(&'a [ListId]),
    /// or those that do not.
    AllBut(&'a [ListId]),
}

impl Entries {
    /// Calls `open` with the buckets that a test opens.
    #[inline]
    pub(crate) fn each_opened(&self, test: TestId, mut open: impl FnMut(BucketId)) {
        let Opens(word) = self.opens[test];
        if word & Opens::MARK == 0 {
            open(BucketId::from_raw(word));
        } else if word != Opens::NOTHING.0 {
            let mut place = Id::from_raw(word & !Opens::MARK);
            loop {
                let Opened(word) = self.opened[place];
                open(BucketId::from_raw(word & !Opens::MARK));
                if word & Opens::MARK != 0 {
                    break;
                }
                place = place.next();
            }
        }
    }

    /// Which entries exclude a test. INVARIANT: called for tests of fields with entries that exclude.
    pub(crate) fn excluding(&self, test: TestId) -> Excluding<'_> {
        let run: Run<Id<ListId>> = run_of(&self.excluded_ends, test);
        let lists = &self.excluded[Run::new(run.start / 2, run.end / 2)];
        if run.end % 2 == 1 { Excluding::AllBut(lists) } else { Excluding::These(lists) }
    }

    pub(in crate::automaton) fn memory_usage(&self) -> usize {
        self.fields.heap_bytes()
            + self.opens.heap_bytes()
            + self.opened.heap_bytes()
            + self.present_lists.heap_bytes()
            + self.absent_lists.capacity() * size_of::<ListId>()
            + self.excluding_lists.heap_bytes()
            + self.others.heap_bytes()
            + self.excluded_ends.heap_bytes()
            + self.excluded.heap_bytes()
    }

    pub(in crate::automaton) fn shrink(&mut self) {
        self.present_lists.shrink_to_fit();
        self.absent_lists.shrink_to_fit();
        self.excluding_lists.shrink_to_fit();
        self.others.shrink_to_fit();
        self.excluded_ends.shrink_to_fit();
        self.excluded.shrink_to_fit();
    }
}
