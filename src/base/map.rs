//! Maps and sets where speed does not matter: entries in the order in which they came, so nothing depends on chance,
//! and one copy of the code for keys and values of all types.

use std::borrow::Borrow;
use std::hash::{BuildHasher, Hash, RandomState};

/// Finds entries by their hashes: a table of places in a list. Twice as large as the list at least.
#[derive(Clone, Debug, Default)]
struct Index {
    /// For each entry its hash.
    hashes: Vec<u32>,
    /// Entries with one added, 0 where none is; searched on from the place that the hash names.
    slots: Vec<u32>,
}

impl Index {
    /// The entry with this hash that `is` accepts, or the slot where it would be (if there are any slots).
    fn find(&self, hash: u32, is: &mut dyn FnMut(usize) -> bool) -> Result<usize, usize> {
        let mask = self.slots.len().wrapping_sub(1);
        let mut at = hash as usize & mask;
        while let Some(entry) = self.slots.get(at).and_then(|slot| slot.checked_sub(1)) {
            let entry = entry as usize;
            if self.hashes.get(entry) == Some(&hash) && is(entry) {
                return Ok(entry);
            }
            at = (at + 1) & mask;
        }
        Err(at)
    }

    /// Adds the next entry.
    fn add(&mut self, hash: u32, slot: usize) {
        self.hashes.push(hash);
        if self.slots.len() < 2 * self.hashes.len() {
            self.slots = vec![0; (4 * self.hashes.len()).next_power_of_two()];
            for entry in 0..self.hashes.len() {
                self.place(entry);
            }
        } else if let Some(slot) = self.slots.get_mut(slot) {
            *slot = self.hashes.len() as u32;
        }
    }

    fn place(&mut self, entry: usize) {
        let hash = self.hashes.get(entry).copied().unwrap_or(0);
        if let Err(at) = self.find(hash, &mut |_| false)
            && let Some(slot) = self.slots.get_mut(at)
        {
            *slot = entry as u32 + 1;
        }
    }
}

/// A hash map whose entries stay in the order in which they came. Nothing is taken out of it.
#[derive(Clone, Debug)]
pub(crate) struct ListMap<K, V> {
    entries: Vec<(K, V)>,
    index: Index,
    hasher: RandomState,
}

impl<K, V> Default for ListMap<K, V> {
    fn default() -> ListMap<K, V> {
        ListMap { entries: Vec::new(), index: Index::default(), hasher: RandomState::new() }
    }
}

impl<K: Hash + Eq, V> ListMap<K, V> {
    pub(crate) fn new() -> ListMap<K, V> {
        ListMap::default()
    }

    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    fn find<Q: Hash + Eq + ?Sized>(&self, key: &Q) -> (u32, Result<usize, usize>)
    where
        K: Borrow<Q>,
    {
        let hash = self.hasher.hash_one(key) as u32;
        let mut is = |at: usize| self.entries.get(at).is_some_and(|(other, _)| other.borrow() == key);
        (hash, self.index.find(hash, &mut is))
    }

    pub(crate) fn get<Q: Hash + Eq + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        self.find(key).1.ok().and_then(|at| self.entries.get(at)).map(|(_, value)| value)
    }

    pub(crate) fn contains_key<Q: Hash + Eq + ?Sized>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.find(key).1.is_ok()
    }

    /// The value of the key, which becomes `make()` if there is none.
    pub(crate) fn entry(&mut self, key: K, make: impl FnOnce() -> V) -> &mut V {
        let at = match self.find(&key) {
            (_, Ok(at)) => at,
            (hash, Err(slot)) => {
                self.index.add(hash, slot);
                self.entries.push((key, make()));
                self.entries.len() - 1
            }
        };
        #[allow(clippy::indexing_slicing, reason = "INVARIANT: found, or just added")]
        &mut self.entries[at].1
    }

    /// Sets the value of a key, and gives back the one before.
    pub(crate) fn insert(&mut self, key: K, value: V) -> Option<V> {
        let mut value = Some(value);
        // INVARIANT: `make` is called at most once.
        let slot = self.entry(key, || value.take().unwrap_or_else(|| unreachable!("called once")));
        value.map(|value| std::mem::replace(slot, value))
    }

    pub(crate) fn iter(&self) -> impl ExactSizeIterator<Item = (&K, &V)> {
        self.entries.iter().map(|(key, value)| (key, value))
    }

    pub(crate) fn values(&self) -> impl ExactSizeIterator<Item = &V> {
        self.entries.iter().map(|(_, value)| value)
    }

    pub(crate) fn into_entries(self) -> Vec<(K, V)> {
        self.entries
    }
}

/// A hash set whose entries stay in the order in which they came.
#[derive(Clone, Debug)]
pub(crate) struct ListSet<K>(ListMap<K, ()>);

impl<K> Default for ListSet<K> {
    fn default() -> ListSet<K> {
        ListSet(ListMap::default())
    }
}

impl<K: Hash + Eq> ListSet<K> {
    pub(crate) fn new() -> ListSet<K> {
        ListSet::default()
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// Adds a key, and says whether it is new.
    pub(crate) fn insert(&mut self, key: K) -> bool {
        self.0.insert(key, ()).is_none()
    }

    pub(crate) fn contains<Q: Hash + Eq + ?Sized>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.0.contains_key(key)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &K> {
        self.0.iter().map(|(key, ())| key)
    }
}

impl<K: Hash + Eq> Extend<K> for ListSet<K> {
    fn extend<I: IntoIterator<Item = K>>(&mut self, keys: I) {
        keys.into_iter().for_each(|key| _ = self.insert(key));
    }
}

impl<K: Hash + Eq> FromIterator<K> for ListSet<K> {
    fn from_iter<I: IntoIterator<Item = K>>(keys: I) -> ListSet<K> {
        let mut set = ListSet::new();
        set.extend(keys);
        set
    }
}

#[cfg(test)]
mod tests {
    use super::{ListMap, ListSet};

    #[test]
    fn as_a_map_of_the_standard_library() {
        let (mut map, mut model) = (ListMap::new(), std::collections::HashMap::new());
        let mut seed = 1_u64;
        for _ in 0..2_000 {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let (key, value) = ((seed >> 40) % 700, seed);
            if seed >> 63 == 0 {
                assert_eq!(map.insert(key, value), model.insert(key, value));
            } else {
                assert_eq!(*map.entry(key, || value), *model.entry(key).or_insert(value));
            }
            assert_eq!((map.len(), map.get(&(key ^ 1))), (model.len(), model.get(&(key ^ 1))));
        }
        assert!(map.iter().all(|(key, value)| model.get(key) == Some(value)));
        assert_eq!(map.values().count(), model.len());
    }

    #[test]
    fn in_the_order_of_coming() {
        let set: ListSet<&str> = ["b", "a", "c", "a", "b"].into_iter().collect();
        assert!(set.len() == 3 && set.contains("c") && !set.contains("d") && set.iter().eq(&["b", "a", "c"]));
        assert!(set.iter().eq(&["b", "a", "c"]));
        assert!(ListMap::<u32, u32>::new().get(&0).is_none());
    }
}
