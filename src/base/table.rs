//! Tables that are indexed by typed ids.

use std::fmt;
use std::marker::PhantomData;
use std::ops::{Index, IndexMut};

use super::ids::{Key, Run, fits};

/// Entries by id. Indexing is the one checked access: an id that no table gave out means that an invariant of this crate is
/// broken, and that must be loud. An empty answer in its place would be a match that is missing in silence.
pub(crate) struct Table<I, T> {
    entries: Vec<T>,
    key: PhantomData<fn() -> I>,
}

impl<I: Key, T> Table<I, T> {
    pub(crate) const fn new() -> Table<I, T> {
        Table { entries: Vec::new(), key: PhantomData }
    }

    pub(crate) fn filled(count: usize, entry: T) -> Table<I, T>
    where
        T: Clone,
    {
        vec![entry; count].into()
    }

    #[inline(always)]
    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Adds an entry. INVARIANT: code that lets a table grow with its input bounds it by [`fits`].
    #[inline(always)]
    pub(crate) fn push(&mut self, entry: T) -> I {
        let id = self.next_id();
        self.entries.push(entry);
        id
    }

    /// The id of the entry that is added next.
    #[inline(always)]
    pub(crate) fn next_id(&self) -> I {
        debug_assert!(fits(self.entries.len()));
        I::from_raw(self.entries.len() as u32)
    }

    /// Adds entries that follow each other.
    pub(crate) fn push_all(&mut self, entries: impl IntoIterator<Item = T>) -> Run<I> {
        let start = self.next_id().raw();
        self.entries.extend(entries);
        Run::new(start, self.next_id().raw())
    }

    pub(crate) fn reserve(&mut self, count: usize) {
        self.entries.reserve_exact(count);
    }

    /// Adds the entries of a run once more.
    pub(crate) fn repeat(&mut self, run: Run<I>)
    where
        T: Copy,
    {
        self.entries.extend_from_within(run.start as usize..run.end as usize);
    }

    /// The entry of an id that comes from outside, or that need not have one.
    #[inline(always)]
    pub(crate) fn checked(&self, id: I) -> Option<&T> {
        self.entries.get(id.raw() as usize)
    }

    #[inline(always)]
    pub(crate) fn checked_mut(&mut self, id: I) -> Option<&mut T> {
        self.entries.get_mut(id.raw() as usize)
    }

    #[inline(always)]
    pub(crate) fn iter(&self) -> std::slice::Iter<'_, T> {
        self.entries.iter()
    }

    #[inline(always)]
    pub(crate) fn iter_mut(&mut self) -> std::slice::IterMut<'_, T> {
        self.entries.iter_mut()
    }

    /// All ids, ascending.
    pub(crate) fn ids(&self) -> impl DoubleEndedIterator<Item = I> + ExactSizeIterator + Clone + use<I, T> {
        (0..self.entries.len()).map(|index| I::from_raw(index as u32))
    }

    /// All entries with their ids.
    pub(crate) fn enumerate(&self) -> impl DoubleEndedIterator<Item = (I, &T)> + ExactSizeIterator {
        self.entries.iter().enumerate().map(|(index, entry)| (I::from_raw(index as u32), entry))
    }

    #[inline(always)]
    pub(crate) fn as_slice(&self) -> &[T] {
        &self.entries
    }

    pub(crate) fn as_mut_slice(&mut self) -> &mut [T] {
        &mut self.entries
    }

    pub(crate) fn truncate(&mut self, count: usize) {
        self.entries.truncate(count);
    }

    pub(crate) fn clear(&mut self) {
        self.entries.clear();
    }

    pub(crate) fn fill(&mut self, entry: T)
    where
        T: Clone,
    {
        self.entries.fill(entry);
    }

    /// Makes it so long, of this entry alone.
    pub(crate) fn reset(&mut self, count: usize, entry: T)
    where
        T: Clone,
    {
        self.entries.clear();
        self.entries.resize(count, entry);
    }

    /// Makes it so long, with this entry at the end.
    pub(crate) fn grow(&mut self, count: usize, entry: T)
    where
        T: Clone,
    {
        self.entries.resize(count, entry);
    }

    pub(crate) fn capacity(&self) -> usize {
        self.entries.capacity()
    }

    /// What its entries take, without what these have on the heap.
    pub(crate) fn heap_bytes(&self) -> usize {
        self.entries.capacity() * size_of::<T>()
    }

    pub(crate) fn shrink_to_fit(&mut self) {
        self.entries.shrink_to_fit();
    }
}

impl<I: Key, T> Index<I> for Table<I, T> {
    type Output = T;

    #[inline(always)]
    fn index(&self, id: I) -> &T {
        match self.entries.get(id.raw() as usize) {
            Some(entry) => entry,
            None => broken(id.raw(), self.entries.len()),
        }
    }
}

impl<I: Key, T> IndexMut<I> for Table<I, T> {
    #[inline(always)]
    fn index_mut(&mut self, id: I) -> &mut T {
        let count = self.entries.len();
        match self.entries.get_mut(id.raw() as usize) {
            Some(entry) => entry,
            None => broken(id.raw(), count),
        }
    }
}

impl<I: Key, T> Index<Run<I>> for Table<I, T> {
    type Output = [T];

    #[inline(always)]
    fn index(&self, run: Run<I>) -> &[T] {
        match self.entries.get(run.start as usize..run.end as usize) {
            Some(entries) => entries,
            None => broken(run.end, self.entries.len()),
        }
    }
}

impl<I: Key, T> IndexMut<Run<I>> for Table<I, T> {
    #[inline(always)]
    fn index_mut(&mut self, run: Run<I>) -> &mut [T] {
        let count = self.entries.len();
        match self.entries.get_mut(run.start as usize..run.end as usize) {
            Some(entries) => entries,
            None => broken(run.end, count),
        }
    }
}

/// INVARIANT: never reached. Ids come from the table that they index, or are checked when they are loaded.
#[cold]
#[inline(never)]
#[allow(clippy::panic, reason = "a broken invariant must not become a missing match")]
fn broken(id: u32, count: usize) -> ! {
    panic!("internal error: id {id} of a table of {count} entries")
}

impl<I: Key, T> From<Vec<T>> for Table<I, T> {
    fn from(entries: Vec<T>) -> Table<I, T> {
        Table { entries, key: PhantomData }
    }
}

impl<I: Key, T> FromIterator<T> for Table<I, T> {
    fn from_iter<E: IntoIterator<Item = T>>(entries: E) -> Table<I, T> {
        Vec::from_iter(entries).into()
    }
}

impl<I: Key, T> Default for Table<I, T> {
    fn default() -> Table<I, T> {
        Table::new()
    }
}

impl<I, T: Clone> Clone for Table<I, T> {
    fn clone(&self) -> Table<I, T> {
        Table { entries: self.entries.clone(), key: PhantomData }
    }
}

impl<I, T: fmt::Debug> fmt::Debug for Table<I, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.entries.fmt(f)
    }
}

/// A table cut into consecutive runs, one for each id: the end of each is stored.
#[derive(Clone, Debug)]
pub(crate) struct Groups<I, J, T> {
    pub(crate) ends: Table<I, u32>,
    pub(crate) entries: Table<J, T>,
}

impl<I: Key, J: Key, T> Groups<I, J, T> {
    /// How many runs there are.
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    pub(crate) fn shrink_to_fit(&mut self) {
        self.ends.shrink_to_fit();
        self.entries.shrink_to_fit();
    }

    /// Adds the run of the next id, which is what was added to `entries` since the last one.
    pub(crate) fn end_run(&mut self) -> I {
        self.ends.push(self.entries.next_id().raw())
    }
}

impl<I: Key, J: Key, T> Default for Groups<I, J, T> {
    fn default() -> Groups<I, J, T> {
        Groups { ends: Table::new(), entries: Table::new() }
    }
}

impl<I: Key, J: Key, T> Index<I> for Groups<I, J, T> {
    type Output = [T];

    #[inline(always)]
    fn index(&self, id: I) -> &[T] {
        &self.entries[run_of(&self.ends, id)]
    }
}

/// The run of an id in a table of ends.
#[inline(always)]
pub(crate) fn run_of<I: Key, J: Key>(ends: &Table<I, u32>, id: I) -> Run<J> {
    let start = match id.raw().checked_sub(1) {
        Some(before) => ends[I::from_raw(before)],
        None => 0,
    };
    Run::new(start, ends[id])
}

#[cfg(test)]
mod tests {
    use super::{Groups, Table};
    use crate::base::{Id, Key, Optional, Run};

    struct Apple;
    type AppleId = Id<Apple>;

    #[test]
    fn ids_come_from_tables() {
        let mut table: Table<AppleId, &str> = Table::new();
        let (first, run) = (table.push("a"), table.push_all(["b", "c"]));
        assert_eq!((table[first], &table[run], first), ("a", &["b", "c"][..], Id::FIRST));
        assert!(run.ids().eq([Id::from_raw(1), Id::from_raw(2)]) && run.len() == 2);
        assert_eq!(table.checked(Id::from_raw(3)), None);
        assert_eq!(Optional::some(first).get(), Some(first));
        assert_eq!((Optional::<AppleId>::NONE.get(), size_of::<Optional<AppleId>>()), (None, 4));
    }

    #[test]
    fn groups_are_cut_by_their_ends() {
        let mut groups: Groups<AppleId, AppleId, u8> = Groups::default();
        let first = groups.end_run();
        groups.entries.push_all([1, 2]);
        let second = groups.end_run();
        assert_eq!((&groups[first], &groups[second], groups.len()), (&[][..], &[1, 2][..], 2));
    }

    #[test]
    #[should_panic(expected = "internal error: id 1 of a table of 1 entries")]
    fn a_broken_invariant_is_loud() {
        let table = Table::<AppleId, u8>::filled(1, 0);
        _ = table[AppleId::FIRST.next()];
    }

    #[test]
    #[should_panic(expected = "internal error")]
    fn so_is_a_run_past_the_end() {
        let table = Table::<AppleId, u8>::filled(1, 0);
        _ = &table[Run::new(1, 2)];
    }
}
