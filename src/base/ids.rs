//! Typed ids, so the id of a list cannot be passed where one of a test is expected.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;

/// What can index a [`Table`].
pub(crate) trait Key: Copy {
    fn from_raw(raw: u32) -> Self;
    fn raw(self) -> u32;
}

/// The position of a `T` in its table.
pub(crate) struct Id<T>(u32, PhantomData<fn() -> T>);

impl<T> Id<T> {
    /// The id of the first entry.
    pub(crate) const FIRST: Id<T> = Id(0, PhantomData);

    /// The position itself.
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }

    #[inline(always)]
    pub(crate) fn next(self) -> Id<T> {
        Id(self.0 + 1, PhantomData)
    }
}

impl<T> Key for Id<T> {
    #[inline(always)]
    fn from_raw(raw: u32) -> Id<T> {
        Id(raw, PhantomData)
    }

    #[inline(always)]
    fn raw(self) -> u32 {
        self.0
    }
}

impl<T> Default for Id<T> {
    fn default() -> Id<T> {
        Id::FIRST
    }
}

// Derived, these would demand the same of `T`.
impl<T> Copy for Id<T> {}

impl<T> Clone for Id<T> {
    #[inline(always)]
    fn clone(&self) -> Id<T> {
        *self
    }
}

impl<T> PartialEq for Id<T> {
    #[inline(always)]
    fn eq(&self, other: &Id<T>) -> bool {
        self.0 == other.0
    }
}

impl<T> Eq for Id<T> {}

impl<T> PartialOrd for Id<T> {
    #[inline(always)]
    fn partial_cmp(&self, other: &Id<T>) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl<T> Ord for Id<T> {
    #[inline(always)]
    fn cmp(&self, other: &Id<T>) -> std::cmp::Ordering {
        self.0.cmp(&other.0)
    }
}

impl<T> Hash for Id<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.hash(state);
    }
}

impl<T> fmt::Debug for Id<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{}", self.0)
    }
}

/// An id or none, in the four bytes of an id (where `Option` takes eight).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Optional<I>(u32, PhantomData<I>);

impl<I: Key> Optional<I> {
    /// No id. Tables stay shorter than this: see [`fits`].
    pub(crate) const NONE: Optional<I> = Optional(u32::MAX, PhantomData);

    #[inline(always)]
    pub(crate) fn some(id: I) -> Optional<I> {
        Optional(id.raw(), PhantomData)
    }

    #[inline(always)]
    pub(crate) fn get(self) -> Option<I> {
        if self.0 == u32::MAX { None } else { Some(I::from_raw(self.0)) }
    }

    #[inline(always)]
    pub(crate) fn is_none(self) -> bool {
        self.0 == u32::MAX
    }

    #[inline(always)]
    pub(crate) fn is_some(self) -> bool {
        self.0 != u32::MAX
    }

    /// As a word to be stored: `u32::MAX` for none.
    pub(crate) fn to_word(self) -> u32 {
        self.0
    }

    /// From a stored word.
    pub(crate) fn from_word(word: u32) -> Optional<I> {
        Optional(word, PhantomData)
    }
}

impl<I: Key> Default for Optional<I> {
    fn default() -> Optional<I> {
        Optional::NONE
    }
}

impl<I: Key> From<Option<I>> for Optional<I> {
    #[inline(always)]
    fn from(id: Option<I>) -> Optional<I> {
        id.map_or(Optional::NONE, Optional::some)
    }
}

impl<I: Key + fmt::Debug> fmt::Debug for Optional<I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.get().fmt(f)
    }
}

/// Whether a table may have so many entries: the two highest numbers are not ids, so tables have words for "none" and
/// "not known yet".
pub(crate) fn fits(count: usize) -> bool {
    count < u32::MAX as usize - 1
}

/// Consecutive ids: `start..end`.
pub(crate) struct Run<I> {
    pub(crate) start: u32,
    pub(crate) end: u32,
    of: PhantomData<fn() -> I>,
}

impl<I: Key> Run<I> {
    pub(crate) const EMPTY: Run<I> = Run { start: 0, end: 0, of: PhantomData };

    #[inline(always)]
    pub(crate) fn new(start: u32, end: u32) -> Run<I> {
        Run { start, end, of: PhantomData }
    }

    #[inline(always)]
    pub(crate) fn len(self) -> usize {
        (self.end - self.start) as usize
    }

    #[inline(always)]
    pub(crate) fn is_empty(self) -> bool {
        self.start == self.end
    }

    #[inline(always)]
    pub(crate) fn ids(self) -> impl ExactSizeIterator<Item = I> + Clone {
        (self.start as usize..self.end as usize).map(|raw| I::from_raw(raw as u32))
    }
}

impl<I: Key> Default for Run<I> {
    fn default() -> Run<I> {
        Run::EMPTY
    }
}

impl<I> Copy for Run<I> {}

impl<I> Clone for Run<I> {
    #[inline(always)]
    fn clone(&self) -> Run<I> {
        *self
    }
}

impl<I> fmt::Debug for Run<I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}..{}", self.start, self.end)
    }
}
