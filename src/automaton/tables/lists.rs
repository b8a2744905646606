//! Lists of tests, of which one must be satisfied.

use crate::automaton::ids::{BucketId, FieldId, ListId, SetId, TestId};
use crate::automaton::kind::Kinds;
use crate::base::{Id, Optional, Run, Table};

/// Tests of one field of which one must be satisfied; the tests themselves are in [`Lists`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct List {
    pub(crate) field: FieldId,
    /// Tests decided by look-up, ascending, then the others.
    pub(in crate::automaton) start: u32,
    pub(in crate::automaton) others: u32,
    pub(in crate::automaton) end: u32,
    pub(crate) kinds: Kinds,
    /// The bucket of the branches that this list is the entry of.
    pub(crate) bucket: Optional<BucketId>,
    /// If there are many other tests: the set that finds those satisfied at once.
    pub(crate) set: Optional<SetId>,
}

/// All lists, with their tests side by side.
#[derive(Debug, Default)]
pub(crate) struct Lists {
    pub(in crate::automaton) lists: Table<ListId, List>,
    pub(in crate::automaton) tests: Table<Id<TestId>, TestId>,
}

impl Lists {
    pub(crate) fn len(&self) -> usize {
        self.lists.len()
    }

    /// All tests of a list.
    #[inline]
    pub(crate) fn tests_of(&self, list: &List) -> &[TestId] {
        &self.tests[Run::new(list.start, list.end)]
    }

    /// The tests decided by look-up, ascending.
    #[inline]
    pub(crate) fn exact_tests(&self, list: &List) -> &[TestId] {
        &self.tests[Run::new(list.start, list.others)]
    }

    #[inline]
    pub(crate) fn other_tests(&self, list: &List) -> &[TestId] {
        &self.tests[Run::new(list.others, list.end)]
    }

    pub(in crate::automaton) fn memory_usage(&self) -> usize {
        self.lists.heap_bytes() + self.tests.heap_bytes()
    }

    pub(in crate::automaton) fn shrink(&mut self) {
        self.lists.shrink_to_fit();
        self.tests.shrink_to_fit();
    }
}

impl std::ops::Index<ListId> for Lists {
    type Output = List;

    #[inline(always)]
    fn index(&self, list: ListId) -> &List {
        &self.lists[list]
    }
}
