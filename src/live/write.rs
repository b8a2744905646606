//! Changing a rule set: the writer's side.

use std::borrow::Borrow;
use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use arc_swap::ArcSwap;

use super::batch::{Batch, Change};
use super::part::{Body, Entry, Part, gather};
use super::plan::{self, Size};
use super::replace::{self, Replaced};
use super::snapshot::{Snapshot, State};
use crate::base::PatternId;
use crate::json::ReadPolicy;
use crate::limit::{BuildError, Limit, Limits};
use crate::matcher::{self, FanOut};
use crate::pattern::Pattern;

/// The most patterns that a change merges itself if another thread merges larger parts.
const SMALL: usize = 256;

/// The same when so many parts follow those being merged: if the work elsewhere does not keep up, changes take
/// longer step by step, and matching does not have to pay for ever more parts.
const WAITING: [(usize, usize); 3] = [(12, usize::MAX), (8, SMALL * 64), (4, SMALL * 8)];

/// How large merges get to another thread.
type Deliver<K> = Arc<dyn Fn(Ticket<K>) + Send + Sync>;

/// What a rule set is made with.
pub(super) struct Settings<K> {
    pub(super) limits: Limits,
    pub(super) policy: ReadPolicy,
    pub(super) ratio: usize,
    pub(super) deliver: Option<Deliver<K>>,
}

impl<K> Default for Settings<K> {
    fn default() -> Settings<K> {
        Settings { limits: Limits::default(), policy: ReadPolicy::default(), ratio: 16, deliver: None }
    }
}

pub(super) struct Shared<K> {
    current: ArcSwap<State<K>>,
    writer: Mutex<Writer>,
    limits: Arc<Limits>,
    policy: ReadPolicy,
    ratio: usize,
    deliver: Option<Deliver<K>>,
}

/// State that only the one writer touches. (Everything that was published is immutable, so a writer that panicked
/// leaves nothing half done.)
#[derive(Debug, Default)]
struct Writer {
    /// How many patterns were added so far.
    added: u64,
    /// Whether work was given away and has not ended.
    delivered: bool,
    /// The parts that are being merged elsewhere. Changes touch only those after them.
    merging: Option<Range<usize>>,
    /// Ascends whenever the parts being merged are replaced, so the merge notices.
    round: u64,
    /// A merge failed at this version; it is not tried again soon.
    failed: Option<u64>,
    /// What the tables take at some version when everything is merged.
    least: Option<(u64, usize)>,
}

/// The right to do the merges that are due.
pub(super) struct Ticket<K> {
    shared: Weak<Shared<K>>,
    ended: bool,
}

impl<K: Ord> Ticket<K> {
    pub(super) fn work(mut self) {
        if let Some(shared) = self.shared.upgrade() {
            while shared.merge_elsewhere() {}
            self.ended = true;
        }
    }
}

impl<K> Drop for Ticket<K> {
    /// The work was not done, or panicked.
    fn drop(&mut self) {
        if let Some(shared) = self.shared.upgrade().filter(|_| !self.ended) {
            let mut writer = shared.lock();
            writer.delivered = false;
            writer.replace_merging();
        }
    }
}

impl Writer {
    fn replace_merging(&mut self) {
        self.merging = None;
        self.round += 1;
    }
}

impl<K> Shared<K> {
    pub(super) fn limits(&self) -> Limits {
        Limits::clone(&self.limits)
    }

    pub(super) fn policy(&self) -> ReadPolicy {
        self.policy
    }

    fn lock(&self) -> MutexGuard<'_, Writer> {
        self.writer.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<K: Ord> Shared<K> {
    pub(super) fn new(settings: Settings<K>) -> Shared<K> {
        let Settings { limits, policy, ratio, deliver } = settings;
        // Zero patterns always compile, so there is always a part.
        let boundless = Arc::new(limits.clone().table_bytes(usize::MAX));
        let parts: Box<[_]> =
            Body::build(Vec::new(), &boundless, policy, |_| None).map(Part::new).into_iter().collect();
        let fan_out = Arc::new(fan_out(None, &parts));
        Shared {
            current: ArcSwap::from_pointee(State { parts, fan_out, keys: 0, version: 0 }),
            writer: Mutex::default(),
            limits: Arc::new(limits),
            policy,
            ratio,
            deliver,
        }
    }

    pub(super) fn current(&self) -> Arc<State<K>> {
        self.current.load_full()
    }

    pub(super) fn refresh(&self, state: &mut Arc<State<K>>) -> bool {
        let current = self.current.load();
        let old = !Arc::ptr_eq(&current, state);
        if old {
            *state = Arc::clone(&current);
        }
        old
    }

    /// Compiles what is live in some parts.
    fn merged(&self, parts: &[Part<K>]) -> Result<Part<K>, BuildError> {
        Body::build(gather(parts, Vec::new()), &self.limits, self.policy, |_| None).map(Part::new)
    }

    pub(super) fn remove<Q: Ord + ?Sized>(self: &Arc<Self>, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        let mut writer = self.lock();
        let state = self.current();
        let mut parts = state.parts.to_vec();
        let mut found = false;
        for part in &mut parts {
            let places: Vec<usize> = part.places(key).collect();
            found |= !places.is_empty();
            part.take_away(&places);
        }
        if found {
            self.publish(parts, state.keys - 1, state.version + 1);
            self.keep_up(&mut writer);
            self.deliver(writer);
        }
        found
    }

    pub(super) fn apply(self: &Arc<Self>, batch: Batch<K>) -> Result<(), BuildError> {
        self.apply_locked(self.lock(), batch)
    }

    /// Makes the rule set what `wanted` says. `wanted` is sorted by key and has positions for errors.
    pub(super) fn replace_all(self: &Arc<Self>, wanted: Vec<(usize, (K, Pattern))>) -> Result<Replaced<K>, BuildError>
    where
        K: Clone,
    {
        let writer = self.lock();
        let now = Snapshot { state: self.current() };
        let (batch, replaced, positions) = replace::difference(&now, wanted);
        self.apply_locked(writer, batch).map_err(|error| {
            let position = error.pattern().and_then(|id| positions.get(id.index()).copied());
            error.of_pattern(position.and_then(PatternId::from_index))
        })?;
        Ok(replaced)
    }

    fn apply_locked(self: &Arc<Self>, mut writer: MutexGuard<'_, Writer>, batch: Batch<K>) -> Result<(), BuildError> {
        if batch.changes.is_empty() {
            return Ok(());
        }
        let state = self.current();
        let mut parts = state.parts.to_vec();
        let first = writer.added;
        let (fresh, keys) = draft(batch.changes, &mut parts, first, state.keys);
        if let Some(newest) = fresh.iter().map(|entry| entry.added).max() {
            refuse_mixed(&parts, &fresh, first)?;
            // (A failed change leaves a gap in the numbers, which does no harm.)
            writer.added = newest + 1;
            self.add(&mut writer, &mut parts, fresh, first)?;
        }
        self.publish(parts, keys, state.version + 1);
        self.keep_up(&mut writer);
        self.deliver(writer);
        Ok(())
    }

    /// Compiles new entries, with the parts at the end that are not much larger.
    fn add(
        &self,
        writer: &mut Writer,
        parts: &mut Vec<Part<K>>,
        fresh: Vec<Arc<Entry<K>>>,
        first: u64,
    ) -> Result<(), BuildError> {
        let merging = writer.merging.as_ref().map_or(0, |range| range.end);
        let waiting = parts.len().saturating_sub(merging);
        let most = WAITING.iter().find(|(parts, _)| waiting >= *parts).map_or(SMALL, |(_, most)| *most);
        let most = if self.deliver.is_some() { most } else { usize::MAX };
        let start = plan::tail(&sizes(parts), fresh.len(), self.ratio, most).max(merging);
        let build = |entries| {
            let number = |entry: &Entry<K>| usize::try_from(entry.added.checked_sub(first)?).ok();
            let number = |entry: &Entry<K>| number(entry).and_then(PatternId::from_index);
            Body::build(entries, &self.limits, self.policy, number).map(Part::new)
        };
        let part = build(gather(parts.get(start..).unwrap_or(&[]), fresh.clone()))?;
        let before: usize = parts.iter().take(start).map(|part| part.body.tables).sum();
        if before + part.body.tables <= self.limits.table_bytes {
            parts.truncate(start);
            parts.push(part);
            return Ok(());
        }
        // What is gone, or is in several parts, may take the room that is missing.
        let refused = || {
            let what = "the patterns do not fit into the tables";
            BuildError::limit_reached(Limit::TableBytes, self.limits.table_bytes, None, what)
        };
        let part = build(fresh)?;
        let fits = |least: usize| least + part.body.tables <= self.limits.table_bytes;
        let version = self.current.load().version;
        let untouched = parts.iter().zip(&self.current().parts).all(|(own, old)| own.gone_count == old.gone_count);
        if untouched && writer.least.is_some_and(|(at, least)| at == version && !fits(least)) {
            return Err(refused());
        }
        let merged = self.merged(parts)?;
        if untouched {
            writer.least = Some((version, merged.body.tables));
        }
        if !fits(merged.body.tables) {
            return Err(refused());
        }
        writer.replace_merging();
        *parts = vec![merged, part];
        Ok(())
    }

    fn publish(&self, parts: Vec<Part<K>>, keys: usize, version: u64) {
        let before = self.current.load();
        let same = before.parts.iter().map(|part| &part.body);
        let fan_out = if parts.len() == before.parts.len()
            && parts.iter().zip(same).all(|(part, old)| Arc::ptr_eq(&part.body, old))
        {
            Arc::clone(&before.fan_out)
        } else {
            Arc::new(fan_out(Some(&before.fan_out), &parts))
        };
        self.current.store(Arc::new(State { parts: parts.into(), fan_out, keys, version }));
    }

    /// Does the merges that are due and for this thread.
    fn keep_up(&self, writer: &mut Writer) {
        if self.deliver.is_some() {
            return;
        }
        while let Some(range) = self.due(writer) {
            let state = self.current();
            let Ok(part) = self.merged(state.parts.get(range.clone()).unwrap_or(&[])) else {
                writer.failed = Some(state.version);
                return;
            };
            let mut parts = state.parts.to_vec();
            parts.splice(range, [part]);
            self.publish(parts, state.keys, state.version);
        }
    }

    fn due(&self, writer: &Writer) -> Option<Range<usize>> {
        let state = self.current.load();
        let patience = state.keys as u64 / 8 + 1;
        if writer.failed.is_some_and(|failed| state.version < failed + patience) {
            return None;
        }
        plan::due(&sizes(&state.parts), self.ratio)
    }

    /// Hands off the merges that are due, if another thread does them. Not under the lock: `deliver` may do them at
    /// once.
    fn deliver(self: &Arc<Self>, mut writer: MutexGuard<'_, Writer>) {
        let Some(deliver) = &self.deliver else { return };
        if writer.delivered || self.due(&writer).is_none() {
            return;
        }
        writer.delivered = true;
        drop(writer);
        deliver(Ticket { shared: Arc::downgrade(self), ended: false });
    }

    /// Does one merge that is due, while others write; says whether there may be more.
    fn merge_elsewhere(&self) -> bool {
        let mut writer = self.lock();
        let Some(range) = self.due(&writer) else {
            writer.delivered = false;
            return false;
        };
        let (then, round) = (self.current(), writer.round);
        writer.merging = Some(range.clone());
        drop(writer);

        let merged = then.parts.get(range.clone()).unwrap_or(&[]);
        let part = self.merged(merged);

        let mut writer = self.lock();
        if writer.round != round {
            return true;
        }
        writer.replace_merging();
        let now = self.current();
        match part {
            Ok(mut part) => {
                part.catch_up(merged, now.parts.get(range.clone()).unwrap_or(&[]));
                let mut parts = now.parts.to_vec();
                parts.splice(range, [part]);
                self.publish(parts, now.keys, now.version);
            }
            Err(_) => writer.failed = Some(now.version),
        }
        true
    }

    pub(super) fn settle(&self) -> Result<(), BuildError> {
        let mut writer = self.lock();
        let state = self.current();
        if let [part] = &*state.parts
            && part.gone_count == 0
        {
            return Ok(());
        }
        let part = self.merged(&state.parts)?;
        writer.replace_merging();
        self.publish(vec![part], state.keys, state.version);
        Ok(())
    }
}

fn fan_out<K>(before: Option<&FanOut>, parts: &[Part<K>]) -> FanOut {
    FanOut::new(before, parts.iter().map(|part| &part.body.matcher))
}

fn sizes<K>(parts: &[Part<K>]) -> Vec<Size> {
    parts.iter().map(|part| Size { live: part.live_count(), gone: part.gone_count }).collect()
}

/// Takes away what a batch removes. Answers what it adds, and how many keys there are then.
fn draft<K: Ord>(
    changes: Vec<Change<K>>,
    parts: &mut [Part<K>],
    first: u64,
    mut keys: usize,
) -> (Vec<Arc<Entry<K>>>, usize) {
    let mut fresh = Vec::new();
    let mut places = vec![Vec::new(); parts.len()];
    let mut added = first;
    let mut numbered: Vec<(Change<K>, u64)> = Vec::with_capacity(changes.len());
    for change in changes {
        let number = added;
        added += u64::from(change.pattern.is_some());
        numbered.push((change, number));
    }
    // Stable: the changes of one key stay in their order.
    numbered.sort_by(|left, right| left.0.key.cmp(&right.0.key));
    let mut rest = numbered.into_iter().peekable();
    while let Some((change, number)) = rest.next() {
        let start = fresh.len();
        let (mut removes, mut next) = (false, Some((change, number)));
        let mut was_there = false;
        let mut found: Vec<(usize, usize)> = Vec::new();
        if let Some((change, _)) = &next {
            for (number, part) in parts.iter().enumerate() {
                found.extend(part.places(&change.key).map(|place| (number, place)));
            }
            was_there = !found.is_empty();
        }
        while let Some((Change { key, pattern }, number)) = next.take() {
            next = rest.next_if(|(change, _)| change.key == key);
            match pattern {
                Some(pattern) => fresh.push(Arc::new(Entry { key, added: number, pattern })),
                None => {
                    removes = true;
                    fresh.truncate(start);
                }
            }
        }
        if removes {
            for (part, place) in found {
                if let Some(places) = places.get_mut(part) {
                    places.push(place);
                }
            }
        }
        let is_there = fresh.len() > start || was_there && !removes;
        keys = keys + usize::from(is_there) - usize::from(was_there);
    }
    for (part, places) in parts.iter_mut().zip(&places) {
        part.take_away(places);
    }
    (fresh, keys)
}

/// All patterns have to be of one family.
fn refuse_mixed<K>(parts: &[Part<K>], fresh: &[Arc<Entry<K>>], first: u64) -> Result<(), BuildError> {
    let old = parts.iter().find_map(|part| part.live().next());
    let Some(dialect) = old.or(fresh.first()).map(|entry| entry.pattern.dialect()) else { return Ok(()) };
    let other = |entry: &&Arc<Entry<K>>| entry.pattern.dialect().family() != dialect.family();
    match fresh.iter().filter(other).min_by_key(|entry| entry.added) {
        None => Ok(()),
        Some(entry) => {
            let number = usize::try_from(entry.added - first).ok().and_then(PatternId::from_index);
            Err(matcher::mixed(number, entry.pattern.dialect(), dialect))
        }
    }
}
