//! Buckets: the branches that one entry leads to, and where values lead from them.

use super::entries::Opens;
use crate::automaton::ids::{BranchId, BucketId, FieldId, ItemId, ListId, TestId};
use crate::automaton::intern::HashIndex;
use crate::automaton::loose::Lists;
use crate::base::{Groups, Id, Key, Optional, Run, Seeded, Table, hash};

/// The branches of one entry.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Bucket {
    pub(crate) items: Run<ItemId>,
    /// The buckets that its dispatching fields lead to.
    pub(crate) children: Run<BucketId>,
    /// The fields by whose value the rest is found.
    pub(crate) dispatch: FieldsId,
    /// From where a bucket is reached by dispatch, and by which test. After it is compared, the rest of the bucket is read, so
    /// both are in one place.
    pub(in crate::automaton) via: Via,
}

pub(crate) type FieldsId = Id<Fields>;

/// A few fields. Many buckets have the same ones, so each sequence is kept once.
#[derive(Debug)]
pub(crate) enum Fields {}

/// A branch in a bucket, and what of it is left to be decided.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Item {
    pub(crate) branch: BranchId,
    /// The list of the branch that is decided first; those before it led to the bucket. None if none is left.
    pub(crate) first: Optional<ListId>,
}

/// From where, and by which test, a bucket is reached.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
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
    /// What [`Bucket::dispatch`] names; the first one is empty.
    pub(in crate::automaton) dispatch_fields: Groups<FieldsId, Id<FieldId>, FieldId>,
    /// From here on, buckets are reached by dispatch.
    pub(in crate::automaton) first_via: BucketId,
    /// The list that is the entry of each bucket before those: for storing them.
    pub(in crate::automaton) entries: Table<BucketId, Optional<ListId>>,
    /// The bucket of branches that nothing needs to lead to (patterns without any test).
    pub(crate) always: Optional<BucketId>,
    /// By the hash of [`Via`].
    pub(in crate::automaton) dispatch: HashIndex<BucketId>,
}

impl Buckets {
    /// The most lists of a branch that lead to a bucket. Those left are found by going through these.
    pub(in crate::automaton) const MOST_LEADING: usize = 32;

    pub(crate) fn len(&self) -> usize {
        self.buckets.len()
    }

    /// Whether so many buckets, and as many entries as these lists have tests, leave the mark of [`Opens`] free.
    pub(in crate::automaton) fn fit(count: usize, lists: &Lists) -> bool {
        count.max(lists.tests.len()) < Opens::MARK as usize - 1
    }

    /// The fields by whose value a bucket dispatches.
    #[inline]
    pub(crate) fn dispatch_fields(&self, bucket: &Bucket) -> &[FieldId] {
        &self.dispatch_fields[bucket.dispatch]
    }

    /// The buckets that are reached by dispatch.
    pub(in crate::automaton) fn reached(&self) -> impl ExactSizeIterator<Item = (BucketId, Via)> {
        let run: Run<BucketId> = Run::new(self.first_via.raw(), self.buckets.next_id().raw());
        run.ids().map(|bucket| (bucket, self.buckets[bucket].via))
    }

    /// From where a bucket is reached; none for the bucket of an entry.
    #[inline]
    pub(in crate::automaton) fn via(&self, bucket: BucketId) -> Option<Via> {
        (bucket >= self.first_via).then(|| self.buckets[bucket].via)
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
        // INVARIANT: the index has buckets that are reached by dispatch.
        self.dispatch.find(via.hash(seeded), |to| self.buckets[to].via == via)
    }

    /// The bytes of buckets and branches in them, without spare capacity.
    pub(in crate::automaton) fn least_memory(&self) -> usize {
        self.buckets.len() * size_of::<Bucket>() + self.items.len() * size_of::<Item>()
    }

    pub(in crate::automaton) fn memory_usage(&self) -> usize {
        self.buckets.heap_bytes()
            + self.items.heap_bytes()
            + self.dispatch_fields.ends.heap_bytes()
            + self.dispatch_fields.entries.heap_bytes()
            + self.dispatch.memory_usage()
            + self.entries.heap_bytes()
    }

    pub(in crate::automaton) fn shrink(&mut self) {
        self.buckets.shrink_to_fit();
        self.items.shrink_to_fit();
        self.dispatch_fields.shrink_to_fit();
    }
}

impl Default for Buckets {
    fn default() -> Buckets {
        Buckets {
            buckets: Table::new(),
            items: Table::new(),
            dispatch_fields: Groups::default(),
            first_via: BucketId::FIRST,
            entries: Table::new(),
            always: Optional::NONE,
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
