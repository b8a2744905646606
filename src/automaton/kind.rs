//! What tests compare with, and what identifies a test: its field, its kind, its operand.

use super::ids::FieldId;
use crate::base::Key;

/// What a test compares with. The first eight are decided by one look-up of the event's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub(crate) enum Kind {
    Text,
    Number,
    Spelling,
    True,
    False,
    Null,
    Address,
    /// Equal to an ASCII text but for case; the operand is in lower case.
    Lower,
    Prefix,
    Suffix,
    LowerPrefix,
    LowerSuffix,
    Fold,
    FoldPrefix,
    FoldSuffix,
    Wildcard,
    Range,
    Block,
    Present,
    Absent,
    Not,
}

impl Kind {
    const ALL: [Kind; 21] = [
        Kind::Text,
        Kind::Number,
        Kind::Spelling,
        Kind::True,
        Kind::False,
        Kind::Null,
        Kind::Address,
        Kind::Lower,
        Kind::Prefix,
        Kind::Suffix,
        Kind::LowerPrefix,
        Kind::LowerSuffix,
        Kind::Fold,
        Kind::FoldPrefix,
        Kind::FoldSuffix,
        Kind::Wildcard,
        Kind::Range,
        Kind::Block,
        Kind::Present,
        Kind::Absent,
        Kind::Not,
    ];

    /// Whether a look-up of the whole value decides it.
    pub(crate) fn is_exact(self) -> bool {
        self <= Kind::Lower
    }

    /// Whether it is a whole value as the event spells or counts it.
    pub(crate) fn is_value(self) -> bool {
        self <= Kind::Null
    }

    fn bit(self) -> u32 {
        1 << self as u8
    }
}

/// The identity of a test next to its operand: field and kind in one number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Owner(u32);

impl Owner {
    /// Fields from this number on do not fit.
    pub(crate) const MAX_FIELDS: usize = 1 << 27;

    #[inline(always)]
    pub(crate) fn new(field: FieldId, kind: Kind) -> Owner {
        Owner(field.raw() << 5 | kind as u32)
    }

    #[inline(always)]
    pub(crate) fn field(self) -> FieldId {
        FieldId::from_raw(self.0 >> 5)
    }

    /// The kind, unless the number comes from outside and is wrong.
    #[inline(always)]
    pub(crate) fn kind(self) -> Option<Kind> {
        Kind::ALL.get((self.0 & 31) as usize).copied()
    }
}

impl Key for Owner {
    fn from_raw(raw: u32) -> Owner {
        Owner(raw)
    }

    #[inline(always)]
    fn raw(self) -> u32 {
        self.0
    }
}

/// A set of kinds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Kinds(u32);

impl Kinds {
    pub(super) const NONE: Kinds = Kinds(0);

    #[inline]
    pub(crate) fn is_empty(self) -> bool {
        self.0 == 0
    }

    #[inline]
    pub(crate) fn has(self, kind: Kind) -> bool {
        self.0 & kind.bit() != 0
    }

    pub(crate) fn add(&mut self, kind: Kind) {
        self.0 |= kind.bit();
    }

    /// Whether all of them are whole values as the event spells or counts them.
    pub(crate) fn values_only(self) -> bool {
        const VALUES: u32 = (1 << (Kind::Null as u32 + 1)) - 1;
        self.0 & !VALUES == 0
    }

    /// Whether a scalar that satisfies none of the tests does not matter.
    pub(crate) fn positive(self) -> bool {
        !self.has(Kind::Present) && !self.has(Kind::Absent) && !self.has(Kind::Not)
    }

    /// Whether a number token must be read as a number.
    #[inline]
    pub(crate) fn numeric(self) -> bool {
        self.0 & (Kind::Number.bit() | Kind::Range.bit() | Kind::Spelling.bit()) != 0
    }

    /// Whether text in lower case is needed.
    #[inline]
    pub(crate) fn lower(self) -> bool {
        self.has(Kind::Lower) || self.lower_ends()
    }

    /// Whether an end of the text in lower case is needed.
    #[inline]
    pub(crate) fn lower_ends(self) -> bool {
        self.0 & (Kind::LowerPrefix.bit() | Kind::LowerSuffix.bit()) != 0
    }
}

impl std::ops::BitOrAssign for Kinds {
    fn bitor_assign(&mut self, other: Kinds) {
        self.0 |= other.0;
    }
}
