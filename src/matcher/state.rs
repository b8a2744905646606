//! What one automaton remembers of one event: reused from event to event, so nothing is allocated once warm.

use super::join::Search;
use super::observed::Observed;
use super::verdict::{FIRST_EPOCH, Verdicts, next_epoch};
use crate::automaton::{Automaton, Bucket, BucketId, Item, TestId};
use crate::base::Id;
use crate::event::ReadPolicy;

#[derive(Debug, Default)]
pub(super) struct State {
    /// The automaton that the tables fit, and the policy that the reader has.
    pub(super) identity: u64,
    pub(super) configured: (u64, ReadPolicy),
    /// The number of the event.
    epoch: u32,
    pub(super) observed: Observed,
    pub(super) verdicts: Verdicts,
    pub(super) search: Search,
    pub(super) batch: Batch,
}

impl State {
    /// Forgets the last event and resizes to the tables of `automaton`.
    pub(super) fn begin(&mut self, automaton: &Automaton) {
        if self.identity != automaton.identity {
            self.identity = automaton.identity;
            self.epoch = 0;
            self.observed.fit(automaton);
            self.verdicts.fit(automaton);
            self.search.fit(automaton);
        }
        self.epoch = next_epoch(self.epoch);
        // The first event, or after 2^30 of them, when the marks of the first would look fresh.
        let forget = self.epoch == FIRST_EPOCH;
        self.observed.begin(self.epoch, forget);
        self.verdicts.begin(self.epoch, forget);
        self.search.begin(self.epoch, forget);
    }
}

/// All buckets that are queued at one time. What is needed of them lies scattered over the tables, so it is fetched step by
/// step for all of them, and the processor waits for many cache lines at once instead of one after the other: at 100,000
/// rules that is most of the time.
#[derive(Debug, Default)]
pub(super) struct Batch {
    pub(super) buckets: Vec<(BucketId, Bucket)>,
    pub(super) items: Vec<Item>,
    /// The first list of each remainder that is not decided yet: where its tests start, and the first one.
    lists: Vec<(Id<TestId>, Option<TestId>)>,
}

impl Batch {
    pub(super) fn gather(&mut self, automaton: &Automaton, verdicts: &mut Verdicts) {
        self.buckets.clear();
        self.buckets.append(&mut verdicts.queue);
        self.items.clear();
        for (_, bucket) in &self.buckets {
            self.items.extend_from_slice(&automaton.buckets.items[bucket.items]);
        }
        self.lists.clear();
        for list in self.items.iter().filter_map(|item| item.first.get()) {
            if verdicts.known(list).is_none() {
                self.lists.push((automaton.lists[list].first_test(), None));
            }
        }
        for (first, test) in &mut self.lists {
            *test = automaton.lists.touch(*first).copied();
        }
    }
}
