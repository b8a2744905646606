//! Replacing a whole rule set: how it differs from the current one.

use super::batch::Batch;
use super::snapshot::Snapshot;
use crate::pattern::Pattern;

/// The keys that [`LiveMatcher::replace_all`](super::LiveMatcher::replace_all) added, removed and changed, each list ascending.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Replaced<K> {
    /// Keys that were not there.
    pub added: Vec<K>,
    /// Keys that are not there any more.
    pub removed: Vec<K>,
    /// Keys whose patterns changed, or are spelled differently.
    pub changed: Vec<K>,
}

impl<K> Replaced<K> {
    /// Whether nothing changed.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.added.is_empty() && self.removed.is_empty() && self.changed.is_empty()
    }
}

/// The batch that makes `wanted`, sorted by key, out of what is there; what it changes; and for each pattern of the batch
/// its position.
pub(super) fn difference<K: Ord + Clone>(
    now: &Snapshot<K>,
    wanted: Vec<(usize, (K, Pattern))>,
) -> (Batch<K>, Replaced<K>, Vec<usize>) {
    let mut batch = Batch::new();
    let mut replaced = Replaced { added: Vec::new(), removed: Vec::new(), changed: Vec::new() };
    let mut positions = Vec::new();
    let mut old = now.iter().peekable();
    let remove = |key: &K, batch: &mut Batch<K>, replaced: &mut Replaced<K>| {
        if replaced.removed.last() != Some(key) {
            batch.remove(key.clone());
            replaced.removed.push(key.clone());
        }
    };
    let mut rest = wanted.into_iter().peekable();
    while let Some((position, (key, pattern))) = rest.next() {
        let mut patterns = vec![(position, pattern)];
        while let Some((position, (_, pattern))) = rest.next_if(|(_, (other, _))| *other == key) {
            patterns.push((position, pattern));
        }
        while let Some((gone, _)) = old.next_if(|(other, _)| **other < key) {
            remove(gone, &mut batch, &mut replaced);
        }
        let mut before = Vec::new();
        while let Some((_, pattern)) = old.next_if(|(other, _)| **other == key) {
            before.push(pattern);
        }
        let same = |(left, (_, right)): (&&Pattern, &(usize, Pattern))| {
            left.dialect() == right.dialect() && left.source() == right.source()
        };
        if before.len() == patterns.len() && before.iter().zip(&patterns).all(same) {
            continue;
        }
        if before.is_empty() {
            replaced.added.push(key.clone());
        } else {
            batch.remove(key.clone());
            replaced.changed.push(key.clone());
        }
        for (position, pattern) in patterns {
            positions.push(position);
            batch.insert(key.clone(), pattern);
        }
    }
    for (gone, _) in old {
        remove(gone, &mut batch, &mut replaced);
    }
    (batch, replaced, positions)
}
