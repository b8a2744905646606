//! Buckets: the branches that one entry leads to, and where values lead from them.

use super::entries::Opens;
use super::lists::Lists;
use crate::automaton::ids::{BranchId, BucketId, FieldId, ItemId, ListId, RemainderId, TestId};
use crate::automaton::intern::HashIndex;
use crate::base::{Groups, Id, Key, Optional, PatternId, Run, Seeded, Table, hash};

/// The branches of one entry.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Bucket {
    pub(crate) items: Run<ItemId>,
    /// Fields by whose value the rest is found.
    pub(crate) dispatch: Run<Id<FieldId>>,
    /// The buckets that these lead to.
    pub(crate) children: Run<BucketId>,
}

/// A branch in a bucket, and what of it is left to be decided.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Item {
    pub(crate) branch: BranchId,
    pub(crate) remainder: RemainderId,
    /// The list of the remainder that is decided first; none if it has no lists.
    pub(crate) first: Optional<ListId>,
    /// The pattern that the branch is enough for; none if that has several clauses.
    pub(crate) pattern: Optional<PatternId>,
}

/// From where, and by which test, a bucket is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Via {
    pub(in crate::automaton) from: BucketId,
    pub(in crate::automaton) by: TestId,
}

impl Via {
    pub(in crate::automaton) fn hash(self, seeded: &Seeded) -> u64 {
        hash(seeded, u64::from(self.from.raw()) << 32 | u64::from(self.by.raw()), &[])
    }
}

/// All buckets. Those of entries come first, then those reached by dispatch.
#[derive(Debug)]
pub(crate) struct Buckets {
    pub(in crate::automaton) buckets: Table<BucketId, Bucket>,
    pub(crate) items: Table<ItemId, Item>,
    pub(crate) dispatch_fields: Table<Id<FieldId>, FieldId>,
    /// For each bucket reached by dispatch from where, beginning with `first_via`.
    pub(in crate::automaton) via: Table<Id<Via>, Via>,
    pub(in crate::automaton) first_via: BucketId,
    /// The bucket of branches that nothing needs to lead to (patterns without any test).
    pub(crate) always: Optional<BucketId>,
    pub(in crate::automaton) remainders: Groups<RemainderId, Id<ListId>, ListId>,
    /// By the hash of [`Via`].
    pub(in crate::automaton) dispatch: HashIndex<BucketId>,
}

impl Buckets {
    pub(crate) fn len(&self) -> usize {
        self.buckets.len()
    }

    /// Whether so many buckets, and as many entries as these lists have tests, leave the mark of [`Opens`] free.
    pub(in crate::automaton) fn fit(count: usize, lists: &Lists) -> bool {
        count.max(lists.tests.len()) < Opens::MARK as usize - 1
    }

    pub(crate) fn remainders(&self) -> usize {
        self.remainders.len()
    }

    #[inline]
    pub(crate) fn lists_of_remainder(&self, remainder: RemainderId) -> &[ListId] {
        &self.remainders[remainder]
    }

    /// The buckets that are reached by dispatch.
    pub(in crate::automaton) fn reached(&self) -> impl ExactSizeIterator<Item = (BucketId, Via)> {
        let first = self.first_via.raw();
        self.via.enumerate().map(move |(place, via)| (BucketId::from_raw(first + place.raw()), *via))
    }

    /// From where a bucket is reached; none for the bucket of an entry.
    pub(in crate::automaton) fn via(&self, bucket: BucketId) -> Option<Via> {
        let place = bucket.raw().checked_sub(self.first_via.raw())?;
        self.via.checked(Id::from_raw(place)).copied()
    }

    /// By which test a bucket is reached that another one dispatches to.
    pub(crate) fn test_before(&self, child: BucketId) -> TestId {
        // INVARIANT: children are buckets reached by dispatch.
        self.via(child).map_or_else(|| unreachable!("a child has a test"), |via| via.by)
    }

    /// Where a value leads from a bucket.
    #[inline]
    pub(crate) fn dispatched(&self, seeded: &Seeded, from: BucketId, by: TestId) -> Option<BucketId> {
        let via = Via { from, by };
        self.dispatch.find(via.hash(seeded), |to| self.via(to) == Some(via))
    }

    pub(in crate::automaton) fn memory_usage(&self) -> usize {
        self.buckets.heap_bytes()
            + self.items.heap_bytes()
            + self.dispatch_fields.heap_bytes()
            + self.via.heap_bytes()
            + self.remainders.ends.heap_bytes()
            + self.remainders.entries.heap_bytes()
            + self.dispatch.memory_usage()
    }

    pub(in crate::automaton) fn shrink(&mut self) {
        self.buckets.shrink_to_fit();
        self.items.shrink_to_fit();
        self.dispatch_fields.shrink_to_fit();
        self.via.shrink_to_fit();
        self.remainders.shrink_to_fit();
    }
}

impl Default for Buckets {
    fn default() -> Buckets {
        Buckets {
            buckets: Table::new(),
            items: Table::new(),
            dispatch_fields: Table::new(),
            via: Table::new(),
            first_via: BucketId::FIRST,
            always: Optional::NONE,
            remainders: Groups::default(),
            dispatch: HashIndex::empty(),
        }
    }
}

impl std::ops::Index<BucketId> for Buckets {
    type Output = Bucket;

    #[inline(always)]
    fn index(&self, bucket: BucketId) -> &Bucket {
        &self.buckets[bucket]
    }
}
