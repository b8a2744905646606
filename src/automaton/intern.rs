//! Byte strings to dense ids, by hash.

use super::store::{Broken, Input, Table, require};
use crate::base::{Seeded, hash};

/// Open addressing over 8-byte slots: the upper half of a hash beside an id, so that a look-up of something unknown
/// touches one cache line and compares nothing.
#[derive(Clone, Debug, Default)]
pub(crate) struct HashIndex {
    /// Empty, or a power of two at least twice the number of ids. 0 is vacant; else hash half and id + 1.
    slots: Vec<u64>,
    used: usize,
}

impl HashIndex {
    pub(crate) fn with_capacity(ids: usize) -> HashIndex {
        HashIndex { slots: vec![0; (ids.max(2) * 2).next_power_of_two()], used: 0 }
    }

    /// Enters many different ids at once: `entry` tells hash and id of each. None if `same` holds for two of them.
    pub(crate) fn of(
        count: usize,
        mut entry: impl FnMut(u32) -> Option<(u64, u32)>,
        mut same: impl FnMut(u32, u32) -> bool,
    ) -> Option<HashIndex> {
        if count == 0 {
            return Some(HashIndex::default());
        }
        let mut index = HashIndex::with_capacity(count);
        for number in 0..u32::try_from(count).ok()? {
            let (hash, id) = entry(number)?;
            if index.find(hash, |other| same(id, other)).is_some() {
                return None;
            }
            index.place(hash, id);
        }
        Some(index)
    }

    /// Calls `same` with the ids whose hash half agrees, until it says yes.
    #[inline]
    pub(crate) fn find(&self, hash: u64, mut same: impl FnMut(u32) -> bool) -> Option<u32> {
        let mask = self.slots.len().checked_sub(1)?;
        let mut at = hash as usize & mask;
        loop {
            let slot = *self.slots.get(at)?;
            if slot == 0 {
                return None;
            }
            if slot >> 32 == hash >> 32 && same(slot as u32 - 1) {
                return Some(slot as u32 - 1);
            }
            at = (at + 1) & mask;
        }
    }

    /// Enters an id; `hash_of` tells the hashes of those already there when the table grows.
    pub(crate) fn insert(&mut self, hash: u64, id: u32, mut hash_of: impl FnMut(u32) -> u64) {
        if (self.used + 1) * 2 > self.slots.len() {
            let mut larger = HashIndex::with_capacity((self.used + 1) * 2);
            for slot in self.slots.iter().filter(|slot| **slot != 0) {
                let id = *slot as u32 - 1;
                larger.place(hash_of(id), id);
            }
            *self = larger;
        }
        self.place(hash, id);
    }

    fn place(&mut self, hash: u64, id: u32) {
        let mask = self.slots.len() - 1;
        let mut at = hash as usize & mask;
        while self.slots.get(at).is_some_and(|slot| *slot != 0) {
            at = (at + 1) & mask;
        }
        if let Some(slot) = self.slots.get_mut(at) {
            *slot = (hash >> 32) << 32 | (u64::from(id) + 1);
            self.used += 1;
        }
    }

    pub(crate) fn memory_usage(&self) -> usize {
        self.slots.capacity() * size_of::<u64>()
    }
}

/// Byte strings, each with an owner, numbered from 0 in order of appearance.
#[derive(Clone, Debug)]
pub(crate) struct Interner {
    pub(crate) seeded: Seeded,
    bytes: Vec<u8>,
    /// Owner, and end of the bytes.
    entries: Vec<(u32, u32)>,
    index: HashIndex,
}

impl Interner {
    pub(crate) fn new(seeded: Seeded) -> Interner {
        Interner { seeded, bytes: Vec::new(), entries: Vec::new(), index: HashIndex::default() }
    }

    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    /// The id of the pair. None if ids or bytes no longer fit in 32 bits.
    pub(crate) fn intern(&mut self, owner: u32, bytes: &[u8]) -> Option<u32> {
        let hash = hash(&self.seeded, u64::from(owner), bytes);
        if let Some(id) = self.find_hashed(hash, owner, bytes) {
            return Some(id);
        }
        let id = u32::try_from(self.entries.len()).ok().filter(|id| *id < u32::MAX - 1)?;
        self.bytes.extend_from_slice(bytes);
        self.entries.push((owner, u32::try_from(self.bytes.len()).ok()?));
        let Interner { seeded, bytes, entries, index } = self;
        index.insert(hash, id, |id| {
            let (owner, span) = entry(entries, id);
            crate::base::hash(seeded, u64::from(owner), bytes.get(span).unwrap_or(&[]))
        });
        Some(id)
    }

    #[inline]
    pub(crate) fn find(&self, owner: u32, bytes: &[u8]) -> Option<u32> {
        self.find_hashed(hash(&self.seeded, u64::from(owner), bytes), owner, bytes)
    }

    #[inline]
    fn find_hashed(&self, hash: u64, owner: u32, bytes: &[u8]) -> Option<u32> {
        self.index.find(hash, |id| {
            let (of, span) = entry(&self.entries, id);
            of == owner && self.bytes.get(span).is_some_and(|own| own == bytes)
        })
    }

    #[inline]
    pub(crate) fn owner(&self, id: u32) -> u32 {
        self.entries.get(id as usize).map_or(0, |entry| entry.0)
    }

    #[inline]
    pub(crate) fn get(&self, id: u32) -> &[u8] {
        self.bytes.get(entry(&self.entries, id).1).unwrap_or(&[])
    }

    pub(crate) fn memory_usage(&self) -> usize {
        self.bytes.capacity() + self.entries.capacity() * size_of::<(u32, u32)>() + self.index.memory_usage()
    }

    pub(crate) fn shrink(&mut self) {
        self.bytes.shrink_to_fit();
        self.entries.shrink_to_fit();
    }
}

impl Table for Interner {
    fn save(&self, to: &mut Vec<u8>) {
        self.bytes.save(to);
        self.entries.save(to);
    }

    fn load(from: &mut Input<'_>) -> Result<Interner, Broken> {
        const WHAT: &str = "a test is not valid";
        let (bytes, entries) = (Vec::<u8>::load(from)?, Vec::<(u32, u32)>::load(from)?);
        require(entries.is_sorted_by_key(|entry| entry.1), WHAT)?;
        require(entries.last().map_or(0, |entry| entry.1 as usize) == bytes.len(), WHAT)?;
        require(entries.len() < u32::MAX as usize - 1, WHAT)?;
        let seeded = from.seeded.clone();
        let get = |id: u32| {
            let (owner, span) = entry(&entries, id);
            (owner, bytes.get(span).unwrap_or(&[]))
        };
        let hash = |id: u32| {
            let (owner, bytes) = get(id);
            (crate::base::hash(&seeded, u64::from(owner), bytes), id)
        };
        let index = HashIndex::of(entries.len(), |id| Some(hash(id)), |one, other| get(one) == get(other));
        let index = index.ok_or(Broken("a test comes twice"))?;
        Ok(Interner { seeded, bytes, entries, index })
    }
}

#[inline]
fn entry(entries: &[(u32, u32)], id: u32) -> (u32, std::ops::Range<usize>) {
    let id = id as usize;
    let start = id.checked_sub(1).and_then(|before| entries.get(before)).map_or(0, |entry| entry.1);
    let (owner, end) = entries.get(id).copied().unwrap_or((0, start));
    (owner, start as usize..end as usize)
}
