//! What a rule set that changes is made of: an immutable matcher over some entries, and which of them are gone.

use std::borrow::Borrow;
use std::cmp::Ordering;
use std::ops::Range;
use std::sync::Arc;

use crate::base::PatternId;
use crate::json::ReadPolicy;
use crate::limit::{BuildError, Limits};
use crate::matcher::{self, Matcher};
use crate::pattern::Pattern;

/// One pattern under a key. Shared by all parts that it ever gets into, so keys are not copied.
#[derive(Debug)]
pub(super) struct Entry<K> {
    pub(super) key: K,
    /// Ascends with every pattern ever added: distinguishes the patterns of one key, and sorts them.
    pub(super) added: u64,
    pub(super) pattern: Pattern,
}

impl<K: Ord> Entry<K> {
    pub(super) fn order(&self, other: &Entry<K>) -> Ordering {
        self.key.cmp(&other.key).then(self.added.cmp(&other.added))
    }
}

/// The immutable side of a part. Entry `n` is pattern `n` of the matcher.
#[derive(Debug)]
pub(super) struct Body<K> {
    /// Ascending by key, then by age.
    pub(super) entries: Box<[Arc<Entry<K>>]>,
    pub(super) matcher: Matcher,
    /// For each entry the first one of its key, if some key has several.
    groups: Option<Box<[u32]>>,
    /// What the matcher's tables take.
    pub(super) tables: usize,
}

impl<K: Ord> Body<K> {
    /// Compiles sorted entries. An error names the entry by `number`.
    pub(super) fn build(
        entries: Vec<Arc<Entry<K>>>,
        limits: &Arc<Limits>,
        policy: ReadPolicy,
        number: impl Fn(&Entry<K>) -> Option<PatternId>,
    ) -> Result<Body<K>, BuildError> {
        let patterns = entries.iter().map(|entry| &entry.pattern);
        let matcher = Matcher::compile(patterns, limits, policy, None).map_err(|error| {
            let entry = error.pattern().and_then(|id| entries.get(id.index()));
            let number = entry.and_then(|entry| number(entry));
            error.of_pattern(number)
        })?;
        let same = |pair: &[Arc<Entry<K>>]| matches!(pair, [left, right] if left.key == right.key);
        let groups = entries.windows(2).any(same).then(|| {
            let mut groups = Vec::with_capacity(entries.len());
            for group in entries.chunk_by(|left, right| left.key == right.key) {
                let first = groups.len() as u32;
                groups.resize(groups.len() + group.len(), first);
            }
            groups.into()
        });
        let tables = matcher.memory_usage();
        Ok(Body { entries: entries.into(), matcher, groups, tables })
    }

    /// Where the entries of a key are.
    pub(super) fn range<Q: Ord + ?Sized>(&self, key: &Q) -> Range<usize>
    where
        K: Borrow<Q>,
    {
        let start = self.entries.partition_point(|entry| entry.key.borrow() < key);
        let rest = self.entries.get(start..).unwrap_or(&[]);
        start..start + rest.iter().take_while(|entry| entry.key.borrow() == key).count()
    }

    fn find(&self, wanted: &Entry<K>) -> Option<usize> {
        self.entries.binary_search_by(|entry| entry.order(wanted)).ok()
    }
}

impl<K> Body<K> {
    pub(super) fn entry(&self, id: PatternId) -> Option<&Entry<K>> {
        self.entries.get(id.index()).map(|entry| &**entry)
    }

    /// A number that two entries share if and only if their keys are the same.
    pub(super) fn group(&self, id: PatternId) -> u32 {
        match &self.groups {
            Some(groups) => groups.get(id.index()).copied().unwrap_or(u32::MAX),
            None => id.index() as u32,
        }
    }
}

/// A part of a rule set. Cheap to clone.
#[derive(Debug)]
pub(super) struct Part<K> {
    pub(super) body: Arc<Body<K>>,
    /// One bit for each entry that was removed; empty if there is none.
    gone: Arc<[u64]>,
    pub(super) gone_count: usize,
}

impl<K> Clone for Part<K> {
    fn clone(&self) -> Part<K> {
        Part { body: Arc::clone(&self.body), gone: Arc::clone(&self.gone), gone_count: self.gone_count }
    }
}

impl<K> Part<K> {
    pub(super) fn new(body: Body<K>) -> Part<K> {
        Part { body: Arc::new(body), gone: Arc::from([]), gone_count: 0 }
    }

    /// As the matching sees it.
    pub(super) fn target(&self) -> matcher::Target<'_> {
        matcher::Target { matcher: &self.body.matcher, gone: &self.gone }
    }

    pub(super) fn live_count(&self) -> usize {
        self.body.entries.len() - self.gone_count
    }

    pub(super) fn is_gone(&self, at: usize) -> bool {
        self.gone.get(at / 64).is_some_and(|bits| bits >> (at % 64) & 1 != 0)
    }

    /// The entries that are not gone, ascending.
    pub(super) fn live(&self) -> impl Iterator<Item = &Arc<Entry<K>>> {
        self.body.entries.iter().enumerate().filter(|(at, _)| !self.is_gone(*at)).map(|(_, entry)| entry)
    }

    /// Takes away entries that are not gone yet.
    pub(super) fn take_away(&mut self, places: &[usize]) {
        if places.is_empty() {
            return;
        }
        let mut gone = self.gone.to_vec();
        gone.resize(self.body.entries.len().div_ceil(64), 0);
        for place in places {
            if let Some(bits) = gone.get_mut(place / 64) {
                *bits |= 1 << (place % 64);
            }
        }
        self.gone = gone.into();
        self.gone_count += places.len();
    }

    /// Entries that are gone here, but were not `then`.
    fn gone_since<'a>(&'a self, then: &'a Part<K>) -> impl Iterator<Item = &'a Arc<Entry<K>>> {
        self.gone.iter().enumerate().flat_map(move |(word, now)| {
            let mut news = now & !then.gone.get(word).copied().unwrap_or(0);
            std::iter::from_fn(move || {
                let bit = (news != 0).then(|| news.trailing_zeros() as usize)?;
                news &= news - 1;
                Some(word * 64 + bit)
            })
            .filter_map(|at| self.body.entries.get(at))
        })
    }
}

impl<K: Ord> Part<K> {
    /// Where the entries of a key are that are not gone.
    pub(super) fn places<Q: Ord + ?Sized>(&self, key: &Q) -> impl Iterator<Item = usize>
    where
        K: Borrow<Q>,
    {
        self.body.range(key).filter(|at| !self.is_gone(*at))
    }

    /// Takes away what went from `now` since they were as `then`: the parts of which this one was made.
    pub(super) fn catch_up(&mut self, then: &[Part<K>], now: &[Part<K>]) {
        let news = now.iter().zip(then).flat_map(|(now, then)| now.gone_since(then));
        let places: Vec<usize> = news.filter_map(|entry| self.body.find(entry)).collect();
        self.take_away(&places);
    }
}

/// The live entries of several parts and some new ones, sorted.
pub(super) fn gather<K: Ord>(parts: &[Part<K>], fresh: Vec<Arc<Entry<K>>>) -> Vec<Arc<Entry<K>>> {
    let length = parts.iter().map(Part::live_count).sum::<usize>() + fresh.len();
    let mut entries = Vec::with_capacity(length);
    for part in parts {
        entries.extend(part.live().cloned());
    }
    entries.extend(fresh);
    // Sorted runs one after the other, which this sort is fast at.
    entries.sort_by(|left, right| left.order(right));
    entries
}
