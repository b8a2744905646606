//! What every room may name: spans in a string, typed ids, the hasher, and maps.

mod ids;
mod map;
mod name;
mod piece;
mod seed;
mod table;
pub(crate) mod text;

pub(crate) use ids::{Id, Key, Optional, Run, fits};
pub(crate) use map::{ListMap, ListSet};
pub use name::UnknownName;
pub(crate) use name::named;
pub(crate) use piece::Piece;
pub(crate) use seed::{Seeded, hash, seeded};
pub(crate) use table::{Groups, Table, run_of};

/// A range of bytes in the pattern's text: `start..end`, half open.
///
/// ```
/// use eventrie::diagnostic::Span;
/// let span = Span::new(2, 5);
/// assert_eq!(span.slice("{\"ab\":[1]}"), "ab\"");
/// assert_eq!(span.len(), 3);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Span {
    /// Offset of the first byte.
    pub start: u32,
    /// Offset after the last byte.
    pub end: u32,
}

impl Span {
    /// A span of the bytes `start..end`; an `end` before `start` counts as `start`.
    #[must_use]
    pub fn new(start: u32, end: u32) -> Span {
        Span { start, end: end.max(start) }
    }

    /// The number of bytes covered.
    #[must_use]
    pub fn len(self) -> u32 {
        self.end - self.start
    }

    /// Whether no byte is covered.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.end == self.start
    }

    /// The part of `source` that the span covers; empty if it does not lie inside, on character boundaries.
    #[must_use]
    pub fn slice(self, source: &str) -> &str {
        source.get(self.start as usize..self.end as usize).unwrap_or("")
    }

    /// The smallest span that covers both.
    #[must_use]
    pub fn to(self, other: Span) -> Span {
        Span { start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}

/// The position of a pattern among those that were compiled: its index in your own `Vec`.
///
/// ```
/// use eventrie::pattern::PatternId;
/// assert_eq!(PatternId::from_index(3).unwrap().index(), 3);
/// ```
#[repr(transparent)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct PatternId(u32);

impl PatternId {
    /// The id of position `index`, or none if it does not fit in 32 bits.
    pub fn from_index(index: usize) -> Option<PatternId> {
        u32::try_from(index).ok().map(PatternId)
    }

    /// The position of the pattern, from 0.
    #[must_use]
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl Key for PatternId {
    #[inline(always)]
    fn from_raw(raw: u32) -> PatternId {
        PatternId(raw)
    }

    #[inline(always)]
    fn raw(self) -> u32 {
        self.0
    }
}
