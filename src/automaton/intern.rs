//! Byte strings to dense ids, by hash.

use std::marker::PhantomData;
use std::ops::Range;

use super::codec::{Broken, Input, Stored, require};
use crate::base::{Key, Seeded, Table, fits, hash};

/// Open addressing, with a byte of the hash for each slot and the ids in a table of their own: a look-up of something unknown
/// touches one cache line of a small table, and compares next to nothing.
#[derive(Clone, Debug)]
pub(crate) struct HashIndex<I> {
    /// Empty, or a power of two at least twice the number of ids. 0 is vacant.
    tags: Vec<u8>,
    /// For each slot its id.
    ids: Vec<u32>,
    used: usize,
    key: PhantomData<fn() -> I>,
}

/// The byte of a hash that stays in the table; its low bits choose the slot.
#[inline(always)]
fn tag(hash: u64) -> u8 {
    (hash >> 56) as u8 | 1
}

impl<I: Key> HashIndex<I> {
    pub(crate) const fn empty() -> HashIndex<I> {
        HashIndex { tags: Vec::new(), ids: Vec::new(), used: 0, key: PhantomData }
    }

    fn with_capacity(ids: usize) -> HashIndex<I> {
        let slots = (ids.max(2) * 2).next_power_of_two();
        HashIndex { tags: vec![0; slots], ids: vec![0; slots], ..HashIndex::empty() }
    }

    /// Enters many different ids at once, each with its hash. None if `same` is true of two of them.
    pub(crate) fn of(
        entries: impl ExactSizeIterator<Item = (u64, I)>,
        mut same: impl FnMut(I, I) -> bool,
    ) -> Option<HashIndex<I>> {
        if entries.len() == 0 {
            return Some(HashIndex::empty());
        }
        let mut index = HashIndex::with_capacity(entries.len());
        for (hash, id) in entries {
            if index.find(hash, |other| same(id, other)).is_some() {
                return None;
            }
            index.place(hash, id);
        }
        Some(index)
    }

    /// Calls `same` with the ids whose byte of the hash agrees, until it says yes.
    #[inline]
    pub(crate) fn find(&self, hash: u64, mut same: impl FnMut(I) -> bool) -> Option<I> {
        let mask = self.tags.len().checked_sub(1)?;
        let tag = tag(hash);
        let mut at = hash as usize & mask;
        loop {
            let found = *self.tags.get(at)?;
            if found == 0 {
                return None;
            }
            if found == tag {
                let id = I::from_raw(*self.ids.get(at)?);
                if same(id) {
                    return Some(id);
                }
            }
            at = (at + 1) & mask;
        }
    }

    /// Enters an id; `hash_of` gives the hashes of those already there when the table grows.
    fn insert(&mut self, hash: u64, id: I, mut hash_of: impl FnMut(I) -> u64) {
        if (self.used + 1) * 2 > self.tags.len() {
            let mut larger = HashIndex::with_capacity(self.used + 1);
            for (tag, id) in self.tags.iter().zip(&self.ids) {
                if *tag != 0 {
                    let id = I::from_raw(*id);
                    larger.place(hash_of(id), id);
                }
            }
            *self = larger;
        }
        self.place(hash, id);
    }

    fn place(&mut self, hash: u64, id: I) {
        let mask = self.tags.len() - 1;
        let mut at = hash as usize & mask;
        while self.tags.get(at).is_some_and(|tag| *tag != 0) {
            at = (at + 1) & mask;
        }
        if let (Some(own), Some(slot)) = (self.tags.get_mut(at), self.ids.get_mut(at)) {
            (*own, *slot) = (tag(hash), id.raw());
            self.used += 1;
        }
    }

    pub(crate) fn memory_usage(&self) -> usize {
        self.tags.capacity() + self.ids.capacity() * size_of::<u32>()
    }
}

/// Byte strings, each with an owner, numbered from 0 in order of appearance.
#[derive(Clone, Debug)]
pub(crate) struct Interner<O, I> {
    seeded: Seeded,
    bytes: Vec<u8>,
    entries: Table<I, Entry>,
    index: HashIndex<I>,
    owner: PhantomData<fn() -> O>,
}

/// Owner, and end of the bytes.
type Entry = (u32, u32);

impl<O: Key, I: Key> Interner<O, I> {
    pub(crate) fn new(seeded: Seeded) -> Interner<O, I> {
        let (bytes, entries, index) = (Vec::new(), Table::new(), HashIndex::empty());
        Interner { seeded, bytes, entries, index, owner: PhantomData }
    }

    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    pub(crate) fn ids(&self) -> impl ExactSizeIterator<Item = I> + Clone + use<O, I> {
        self.entries.ids()
    }

    pub(crate) fn seeded(&self) -> &Seeded {
        &self.seeded
    }

    /// The id of the pair. None if ids or bytes no longer fit in 32 bits.
    pub(crate) fn intern(&mut self, owner: O, bytes: &[u8]) -> Option<I> {
        let hash = hash(&self.seeded, u64::from(owner.raw()), bytes);
        if let Some(id) = self.find_hashed(hash, owner, bytes) {
            return Some(id);
        }
        if !fits(self.entries.len() + 1) {
            return None;
        }
        self.bytes.extend_from_slice(bytes);
        let id = self.entries.push((owner.raw(), u32::try_from(self.bytes.len()).ok()?));
        let Interner { seeded, bytes, entries, index, .. } = self;
        index.insert(hash, id, |id| hash_of(seeded, bytes, entries, id));
        Some(id)
    }

    #[inline]
    pub(crate) fn find(&self, owner: O, bytes: &[u8]) -> Option<I> {
        self.find_hashed(hash(&self.seeded, u64::from(owner.raw()), bytes), owner, bytes)
    }

    #[inline]
    fn find_hashed(&self, hash: u64, owner: O, bytes: &[u8]) -> Option<I> {
        self.index.find(hash, |id| {
            let (of, span) = entry(&self.entries, id);
            of == owner.raw() && self.bytes.get(span).is_some_and(|own| own == bytes)
        })
    }

    #[inline]
    pub(crate) fn owner(&self, id: I) -> O {
        O::from_raw(self.entries[id].0)
    }

    #[inline]
    #[allow(clippy::indexing_slicing, reason = "INVARIANT: ends ascend up to the number of bytes; checked when loaded")]
    pub(crate) fn bytes(&self, id: I) -> &[u8] {
        &self.bytes[entry(&self.entries, id).1]
    }

    pub(crate) fn memory_usage(&self) -> usize {
        self.bytes.capacity() + self.entries.capacity() * size_of::<Entry>() + self.index.memory_usage()
    }

    pub(crate) fn shrink(&mut self) {
        self.bytes.shrink_to_fit();
        self.entries.shrink_to_fit();
    }
}

impl<O: Key, I: Key> Stored for Interner<O, I> {
    fn save(&self, to: &mut Vec<u8>) {
        self.bytes.save(to);
        self.entries.save(to);
    }

    fn load(from: &mut Input<'_>) -> Result<Interner<O, I>, Broken> {
        const WHAT: &str = "a test is not valid";
        let (bytes, entries) = (Vec::<u8>::load(from)?, Table::<I, Entry>::load(from)?);
        require(entries.as_slice().is_sorted_by_key(|entry| entry.1), WHAT)?;
        require(entries.as_slice().last().map_or(0, |entry| entry.1 as usize) == bytes.len(), WHAT)?;
        require(fits(entries.len()), WHAT)?;
        let seeded = from.seeded.clone();
        let get = |id: I| {
            let (owner, span) = entry(&entries, id);
            (owner, bytes.get(span))
        };
        let hashes = entries.ids().map(|id| (hash_of(&seeded, &bytes, &entries, id), id));
        let index = HashIndex::of(hashes, |one, other| get(one) == get(other));
        let index = index.ok_or(Broken("a test comes twice"))?;
        Ok(Interner { seeded, bytes, entries, index, owner: PhantomData })
    }
}

#[allow(clippy::indexing_slicing, reason = "INVARIANT: as for `Interner::bytes`")]
fn hash_of<I: Key>(seeded: &Seeded, bytes: &[u8], entries: &Table<I, Entry>, id: I) -> u64 {
    let (owner, span) = entry(entries, id);
    hash(seeded, u64::from(owner), &bytes[span])
}

#[inline]
fn entry<I: Key>(entries: &Table<I, Entry>, id: I) -> (u32, Range<usize>) {
    let start = match id.raw().checked_sub(1) {
        Some(before) => entries[I::from_raw(before)].1,
        None => 0,
    };
    let (owner, end) = entries[id];
    (owner, start as usize..end as usize)
}
