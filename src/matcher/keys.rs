//! The keys of a matcher: the caller's names for its patterns, in which the answers come.

use std::fmt::{Debug, Formatter};
use std::iter::FusedIterator;
use std::ops::Range;

use crate::base::PatternId;
use crate::pattern::Pattern;

/// Which key each pattern belongs to. Where the keys are positions there is no table, and nothing is looked up.
pub(crate) struct Keys<K> {
    /// Whether the keys are the caller's.
    keyed: bool,
    /// Ascending, each once; empty if the keys are positions.
    list: Box<[K]>,
    /// For each pattern the place of its key in `list`, ascending; none if no key has several patterns.
    owners: Option<Box<[u32]>>,
    /// The patterns by id, if they are kept.
    patterns: Option<Box<[Pattern]>>,
    /// The key at a place.
    key: for<'k> fn(&'k [K], &'k PatternId) -> Option<&'k K>,
    /// The place of a key.
    place: fn(&[K], &K) -> Option<usize>,
}

impl Keys<PatternId> {
    pub(crate) fn positions(patterns: Option<Box<[Pattern]>>) -> Keys<PatternId> {
        Keys {
            keyed: false,
            list: Box::default(),
            owners: None,
            patterns,
            key: |_, id| Some(id),
            place: |_, id| Some(id.index()),
        }
    }
}

impl<K: Ord> Keys<K> {
    /// Of ascending keys, one for each pattern.
    pub(super) fn ascending(keys: Vec<K>, patterns: Option<Box<[Pattern]>>) -> Keys<K> {
        let mut list: Vec<K> = Vec::with_capacity(keys.len());
        let mut owners = Vec::with_capacity(keys.len());
        for key in keys {
            if list.last() != Some(&key) {
                list.push(key);
            }
            // INVARIANT: ids of patterns fit in 32 bits, or compiling them has failed.
            owners.push(list.len() as u32 - 1);
        }
        Keys::grouped(list, owners, patterns)
    }

    /// Of ascending keys, each once, and for each pattern the place of its key, ascending without gaps.
    pub(crate) fn grouped(list: Vec<K>, owners: Vec<u32>, patterns: Option<Box<[Pattern]>>) -> Keys<K> {
        Keys {
            keyed: true,
            owners: (owners.len() > list.len()).then(|| owners.into()),
            list: list.into(),
            patterns,
            key: |list, place| list.get(place.index()),
            place: |list, key| list.binary_search(key).ok(),
        }
    }
}

impl<K> Keys<K> {
    /// Makes the places of keys out of ascending ids of patterns.
    #[inline]
    pub(super) fn of_patterns(&self, found: &mut Vec<PatternId>) {
        if let Some(owners) = &self.owners {
            for id in &mut *found {
                let owner = owners.get(id.index()).and_then(|owner| PatternId::from_index(*owner as usize));
                debug_assert!(owner.is_some(), "every pattern has a key");
                *id = owner.unwrap_or(*id);
            }
            found.dedup();
        }
    }

    pub(crate) fn list(&self) -> &[K] {
        &self.list
    }

    pub(crate) fn patterns(&self) -> Option<&[Pattern]> {
        self.patterns.as_deref()
    }

    /// The patterns of a key, if they are kept.
    pub(super) fn patterns_of(&self, key: &K) -> &[Pattern] {
        let (Some(patterns), Some(place)) = (&self.patterns, (self.place)(&self.list, key)) else { return &[] };
        patterns.get(self.range_of(place)).unwrap_or(&[])
    }

    /// The ids of the patterns of the key at a place.
    pub(crate) fn range_of(&self, place: usize) -> Range<usize> {
        match &self.owners {
            Some(owners) => {
                let start = owners.partition_point(|owner| (*owner as usize) < place);
                start..owners.partition_point(|owner| *owner as usize <= place)
            }
            None => place..place + 1,
        }
    }

    pub(crate) fn is_keyed(&self) -> bool {
        self.keyed
    }

    /// The key of the pattern with this id.
    pub(super) fn of_pattern<'k>(&'k self, id: &'k PatternId) -> Option<&'k K> {
        match &self.owners {
            Some(owners) => self.list.get(*owners.get(id.index())? as usize),
            None => (self.key)(&self.list, id),
        }
    }

    /// The answer that `found` is: places of keys.
    pub(super) fn matches<'s>(&'s self, found: &'s [PatternId]) -> Matches<'s, K> {
        Matches { keys: self, found: found.iter() }
    }
}

/// The keys that match an event: ascending, each once. An iterator that knows its length.
///
/// ```
/// use eventrie::{Dialect, Matcher, Pattern, Scratch};
/// let pattern = |text: &str| Pattern::parse(text, Dialect::EventBridge);
/// let matcher = Matcher::keyed([("red", pattern(r#"{"color":["red"]}"#)?), ("big", pattern(r#"{"size":[9]}"#)?)])?;
/// let mut scratch = Scratch::default();
/// let keys = matcher.matches(r#"{"color":"red","size":9}"#, &mut scratch)?;
/// assert_eq!(keys.len(), 2);
/// assert_eq!(keys.to_vec(), ["big", "red"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Matches<'s, K = PatternId> {
    keys: &'s Keys<K>,
    found: std::slice::Iter<'s, PatternId>,
}

impl<'s, K> Matches<'s, K> {
    /// Whether no pattern matches.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.found.as_slice().is_empty()
    }

    /// The keys once more, from where this iterator is.
    #[must_use]
    pub fn iter(&self) -> Matches<'s, K> {
        self.clone()
    }

    /// The keys in a `Vec`, to free the scratch space for the next event.
    #[must_use]
    pub fn to_vec(&self) -> Vec<K>
    where
        K: Clone,
    {
        self.iter().cloned().collect()
    }
}

impl<K> Clone for Matches<'_, K> {
    fn clone(&self) -> Self {
        Matches { keys: self.keys, found: self.found.clone() }
    }
}

impl<'s, K> Iterator for Matches<'s, K> {
    type Item = &'s K;

    #[inline]
    fn next(&mut self) -> Option<&'s K> {
        self.found.next().and_then(|place| (self.keys.key)(&self.keys.list, place))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.found.size_hint()
    }
}

impl<K> DoubleEndedIterator for Matches<'_, K> {
    fn next_back(&mut self) -> Option<Self::Item> {
        self.found.next_back().and_then(|place| (self.keys.key)(&self.keys.list, place))
    }
}

impl<K> ExactSizeIterator for Matches<'_, K> {}
impl<K> FusedIterator for Matches<'_, K> {}

impl<K: Debug> Debug for Matches<'_, K> {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.clone()).finish()
    }
}
