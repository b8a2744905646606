//! Lists of tests while they are sorted and numbered, and as they are stored.

use super::ids::{BucketId, FieldId, ListId, SetId, TestId};
use super::kind::Kinds;
use crate::base::{Id, Optional, Run, Table};

/// Tests of one field of which one must be satisfied; the tests themselves are in [`Lists`].
#[derive(Clone, Copy, Debug)]
pub(super) struct List {
    pub(super) field: FieldId,
    /// Tests decided by look-up, ascending, then the others.
    pub(super) start: u32,
    pub(super) others: u32,
    pub(super) end: u32,
    pub(super) kinds: Kinds,
    /// The bucket of the branches that this list is the entry of.
    pub(super) bucket: Optional<BucketId>,
    /// If there are many other tests: the set that finds those satisfied at once.
    pub(super) set: Optional<SetId>,
}

/// All lists, with their tests side by side.
#[derive(Debug, Default)]
pub(super) struct Lists {
    pub(super) lists: Table<ListId, List>,
    pub(super) tests: Table<Id<TestId>, TestId>,
}

impl Lists {
    pub(super) fn len(&self) -> usize {
        self.lists.len()
    }

    /// All tests of a list.
    pub(super) fn tests_of(&self, list: &List) -> &[TestId] {
        &self.tests[Run::new(list.start, list.end)]
    }

    /// The tests decided by look-up, ascending.
    pub(super) fn exact_tests(&self, list: &List) -> &[TestId] {
        &self.tests[Run::new(list.start, list.others)]
    }

    pub(super) fn other_tests(&self, list: &List) -> &[TestId] {
        &self.tests[Run::new(list.others, list.end)]
    }
}

impl std::ops::Index<ListId> for Lists {
    type Output = List;

    fn index(&self, list: ListId) -> &List {
        &self.lists[list]
    }
}
