//! What one automaton remembers of one event: reused from event to event, so nothing is allocated once warm.

use super::join::Search;
use super::observed::Observed;
use super::verdict::{FIRST_EPOCH, Verdicts, next_epoch};
use crate::automaton::{Automaton, Bucket, BucketId};
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
    /// A reusable buffer for the queue of buckets that is being processed.
    pub(super) queued: Vec<(BucketId, Bucket)>,
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
