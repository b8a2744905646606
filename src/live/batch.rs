//! Changes that belong together.

use crate::pattern::Pattern;

/// Changes that are made together or not at all, in the order in which they were added.
///
/// A batch is a collection that is filled, not a set of settings: its methods take `&mut self`, as those of `Vec` do.
///
/// ```
/// use eventrie::live::Batch;
/// use eventrie::{Dialect, LiveMatcher, Pattern};
/// let pattern = |text: &str| Pattern::parse(text, Dialect::EventBridge);
/// let live = LiveMatcher::new();
/// live.insert("old", pattern(r#"{"a":[1]}"#)?)?;
///
/// let mut batch = Batch::new();
/// batch.remove("old");
/// batch.insert("new", pattern(r#"{"a":[2]}"#)?);
/// batch.replace("both", [pattern(r#"{"a":[3]}"#)?, pattern(r#"{"b":[3]}"#)?]);
/// live.apply(batch)?;
/// assert_eq!(live.snapshot().keys().copied().collect::<Vec<_>>(), ["both", "new"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Batch<K> {
    pub(super) changes: Vec<Change<K>>,
}

/// A pattern is added under a key, or all patterns of a key are removed.
#[derive(Clone, Debug)]
pub(super) struct Change<K> {
    pub(super) key: K,
    pub(super) pattern: Option<Pattern>,
}

impl<K> Batch<K> {
    /// A batch without changes.
    #[must_use]
    pub fn new() -> Batch<K> {
        Batch { changes: Vec::new() }
    }

    /// Adds a pattern under a key, in addition to its other patterns.
    pub fn insert(&mut self, key: K, pattern: Pattern) -> &mut Batch<K> {
        self.changes.push(Change { key, pattern: Some(pattern) });
        self
    }

    /// Removes a key with all its patterns.
    pub fn remove(&mut self, key: K) -> &mut Batch<K> {
        self.changes.push(Change { key, pattern: None });
        self
    }

    /// Replaces the patterns of a key. No patterns at all is the same as [`remove`](Batch::remove).
    pub fn replace(&mut self, key: K, patterns: impl IntoIterator<Item = Pattern>) -> &mut Batch<K>
    where
        K: Clone,
    {
        self.remove(key.clone());
        for pattern in patterns {
            self.insert(key.clone(), pattern);
        }
        self
    }
}

impl<K> Default for Batch<K> {
    fn default() -> Batch<K> {
        Batch::new()
    }
}

impl<K> FromIterator<(K, Pattern)> for Batch<K> {
    /// A batch of insertions.
    fn from_iter<I: IntoIterator<Item = (K, Pattern)>>(patterns: I) -> Batch<K> {
        let changes = patterns.into_iter().map(|(key, pattern)| Change { key, pattern: Some(pattern) });
        Batch { changes: changes.collect() }
    }
}

impl<K> Extend<(K, Pattern)> for Batch<K> {
    /// Adds insertions.
    fn extend<I: IntoIterator<Item = (K, Pattern)>>(&mut self, patterns: I) {
        patterns.into_iter().for_each(|(key, pattern)| _ = self.insert(key, pattern));
    }
}
