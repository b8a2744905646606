//! A rule set as it was at one moment.

use std::borrow::Borrow;
use std::fmt::{Debug, Formatter};
use std::iter::FusedIterator;
use std::sync::Arc;

use super::part::{Entry, Part};
use crate::base::PatternId;
use crate::event::Event;
use crate::json::EventError;
use crate::limit::BuildError;
use crate::matcher::{self, FanOut, Matcher, MatcherBuilder, Scratch, Wanted};
use crate::pattern::Pattern;

/// Everything that readers see. Replaced as a whole, never changed.
#[derive(Debug)]
pub(super) struct State<K> {
    /// At least one, each much larger than those after it together.
    pub(super) parts: Box<[Part<K>]>,
    /// What they listen for.
    pub(super) fan_out: Arc<FanOut>,
    /// How many keys there are.
    pub(super) keys: usize,
    /// Ascends with each change.
    pub(super) version: u64,
}

/// The rules of a [`LiveMatcher`](super::LiveMatcher) at one moment: they do not change while the snapshot exists,
/// whatever happens to the live set. A clone is a reference count.
///
/// ```
/// use eventrie::{Dialect, LiveMatcher, Pattern, Scratch};
/// let live = LiveMatcher::new();
/// live.insert("a", Pattern::parse(r#"{"state":["running"]}"#, Dialect::EventBridge)?)?;
/// let before = live.snapshot();
/// live.remove("a");
///
/// let (event, mut scratch) = (r#"{"state":"running"}"#, Scratch::default());
/// assert!(before.is_match(event, &mut scratch)?);
/// assert!(!live.snapshot().is_match(event, &mut scratch)?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Snapshot<K> {
    pub(super) state: Arc<State<K>>,
}

impl<K> Clone for Snapshot<K> {
    fn clone(&self) -> Snapshot<K> {
        Snapshot { state: Arc::clone(&self.state) }
    }
}

impl<K> Snapshot<K> {
    /// The number of changes before this snapshot: the first rule set has version 0, and each change adds one. Merging
    /// is not a change.
    #[must_use]
    pub fn version(&self) -> u64 {
        self.state.version
    }

    /// How many keys there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.state.keys
    }

    /// Whether there are no keys.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.state.keys == 0
    }

    /// Bytes on the heap that the compiled tables and the lists of entries take. Keys and patterns are not counted: they
    /// are shared between snapshots.
    #[must_use]
    pub fn memory_usage(&self) -> usize {
        let part = |part: &Part<K>| {
            let entries = part.body.entries.len();
            part.body.tables + entries * (size_of::<Arc<Entry<K>>>() + size_of::<Entry<K>>() + 16) + entries / 8
        };
        self.state.fan_out.memory_usage() + self.state.parts.iter().map(part).sum::<usize>()
    }

    /// How many immutable matchers it consists of: one after everything was merged, otherwise a few.
    #[must_use]
    pub fn parts(&self) -> usize {
        self.state.parts.len()
    }

    pub(super) fn targets(&self) -> impl ExactSizeIterator<Item = matcher::Target<'_>> + Clone {
        self.state.parts.iter().map(Part::target)
    }
}

impl<K: Ord> Snapshot<K> {
    /// The keys that have a pattern that matches the event: ascending, each once; the same that a
    /// [`Matcher`](crate::Matcher) of the same patterns finds, whatever the history. The event is read once. Nothing is
    /// allocated once `scratch` is warm.
    ///
    /// # Errors
    /// As [`Matcher::matches`](crate::Matcher::matches).
    pub fn matches<'s, E: Event>(
        &'s self,
        event: E,
        scratch: &'s mut Scratch,
    ) -> Result<MatchedKeys<'s, K>, EventError> {
        matcher::run_many(&self.state.fan_out, self.targets(), &event, scratch, Wanted::All)?;
        self.put_in_order(&mut scratch.hits);
        Ok(MatchedKeys { state: &self.state, hits: scratch.hits.iter() })
    }

    /// Whether any pattern matches the event.
    ///
    /// # Errors
    /// As [`Matcher::matches`](crate::Matcher::matches).
    pub fn is_match<E: Event>(&self, event: E, scratch: &mut Scratch) -> Result<bool, EventError> {
        matcher::run_many(&self.state.fan_out, self.targets(), &event, scratch, Wanted::Any)?;
        Ok(!scratch.hits.is_empty())
    }

    /// The patterns under a key, oldest first.
    ///
    /// ```
    /// use eventrie::{Dialect, LiveMatcher, Pattern};
    /// let live = LiveMatcher::new();
    /// live.insert("a".to_owned(), Pattern::parse(r#"{"b":[1]}"#, Dialect::EventBridge)?)?;
    /// live.insert("a".to_owned(), Pattern::parse(r#"{"c":[2]}"#, Dialect::EventBridge)?)?;
    /// let snapshot = live.snapshot();
    /// let sources: Vec<&str> = snapshot.get("a").into_iter().map(|pattern| pattern.source()).collect();
    /// assert_eq!(sources, [r#"{"b":[1]}"#, r#"{"c":[2]}"#]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn get<Q: Ord + ?Sized>(&self, key: &Q) -> Vec<&Pattern>
    where
        K: Borrow<Q>,
    {
        let mut entries: Vec<&Entry<K>> = self.entries_of(key).collect();
        entries.sort_unstable_by_key(|entry| entry.added);
        entries.into_iter().map(|entry| &entry.pattern).collect()
    }

    /// Whether there is a pattern under a key.
    #[must_use]
    pub fn contains_key<Q: Ord + ?Sized>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.entries_of(key).next().is_some()
    }

    fn entries_of<'a, Q: Ord + ?Sized>(&'a self, key: &Q) -> impl Iterator<Item = &'a Entry<K>>
    where
        K: Borrow<Q>,
    {
        let of_part =
            |part: &'a Part<K>| part.places(key).filter_map(|at| part.body.entries.get(at)).map(|entry| &**entry);
        self.state.parts.iter().flat_map(of_part)
    }

    /// All patterns with their keys: by ascending key, then oldest first.
    ///
    /// ```
    /// use eventrie::{Dialect, LiveMatcher, Pattern};
    /// let live = LiveMatcher::new();
    /// for key in [3, 1, 2] {
    ///     live.insert(key, Pattern::parse(r#"{"b":[1]}"#, Dialect::EventBridge)?)?;
    /// }
    /// assert_eq!(live.snapshot().iter().map(|(key, _)| *key).collect::<Vec<_>>(), [1, 2, 3]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn iter(&self) -> impl Iterator<Item = (&K, &Pattern)> {
        let mut rest: Vec<_> = self.state.parts.iter().map(|part| part.live().peekable()).collect();
        std::iter::from_fn(move || {
            let heads = rest.iter_mut().enumerate().filter_map(|(at, part)| Some((at, part.peek().copied()?)));
            let (at, _) = heads.min_by(|left, right| left.1.order(right.1))?;
            let entry = rest.get_mut(at)?.next()?;
            Some((&entry.key, &entry.pattern))
        })
    }

    /// All keys, ascending, each once.
    pub fn keys(&self) -> impl Iterator<Item = &K> {
        let mut last = None;
        self.iter().map(|(key, _)| key).filter(move |key| {
            let new = last != Some(*key);
            last = Some(*key);
            new
        })
    }

    /// One matcher of these rules, which keeps keys and patterns, for a part of a program that needs no changes. Compiles
    /// everything.
    ///
    /// ```
    /// use eventrie::{LiveMatcher, Pattern};
    /// let live = LiveMatcher::new();
    /// live.insert("a", r#"{"x":[1]}"#.parse()?)?;
    /// let matcher = live.snapshot().to_matcher()?;
    /// assert_eq!(matcher.patterns_of(&"a")[0].source(), r#"{"x":[1]}"#);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If a default limit is reached.
    pub fn to_matcher(&self) -> Result<Matcher<K>, BuildError>
    where
        K: Clone,
    {
        self.matcher(Matcher::builder())
    }

    pub(super) fn matcher(&self, builder: MatcherBuilder) -> Result<Matcher<K>, BuildError>
    where
        K: Clone,
    {
        let entries = self.iter().map(|(key, pattern)| (key.clone(), pattern.clone()));
        builder.keep_patterns(true).build_keyed(entries)
    }

    /// One hit for each key, keys ascending.
    fn put_in_order(&self, hits: &mut Vec<(u32, PatternId)>) {
        let parts = &*self.state.parts;
        let group = |hit: &(u32, PatternId)| parts.get(hit.0 as usize).map(|part| (hit.0, part.body.group(hit.1)));
        hits.dedup_by(|left, right| group(left) == group(right));
        let several = hits.first().map(|hit| hit.0) != hits.last().map(|hit| hit.0);
        if several {
            let key = |hit: &(u32, PatternId)| self.state.key(*hit);
            hits.sort_unstable_by(|left, right| key(left).cmp(&key(right)));
            hits.dedup_by(|left, right| key(left) == key(right));
        }
    }
}

impl<K> State<K> {
    fn key(&self, hit: (u32, PatternId)) -> Option<&K> {
        Some(&self.parts.get(hit.0 as usize)?.body.entry(hit.1)?.key)
    }
}

impl<K: Ord> Debug for Snapshot<K> {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        write!(f, "Snapshot({} keys, {} parts)", self.len(), self.parts())
    }
}

/// The keys that match an event, ascending.
pub struct MatchedKeys<'s, K> {
    state: &'s State<K>,
    hits: std::slice::Iter<'s, (u32, PatternId)>,
}

impl<K> Clone for MatchedKeys<'_, K> {
    fn clone(&self) -> Self {
        MatchedKeys { state: self.state, hits: self.hits.clone() }
    }
}

impl<'s, K> Iterator for MatchedKeys<'s, K> {
    type Item = &'s K;

    fn next(&mut self) -> Option<&'s K> {
        self.hits.next().and_then(|hit| self.state.key(*hit))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.hits.size_hint()
    }
}

impl<K> DoubleEndedIterator for MatchedKeys<'_, K> {
    fn next_back(&mut self) -> Option<Self::Item> {
        self.hits.next_back().and_then(|hit| self.state.key(*hit))
    }
}

impl<K> ExactSizeIterator for MatchedKeys<'_, K> {}
impl<K> FusedIterator for MatchedKeys<'_, K> {}

impl<K: Debug> Debug for MatchedKeys<'_, K> {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.clone()).finish()
    }
}
