//! Lists of tests, of which one must be satisfied.

use std::collections::HashMap;
use std::ops::Deref;

use crate::automaton::ids::{BucketId, FieldId, ListId, SetId, TestId};
use crate::automaton::kind::Kinds;
use crate::automaton::loose;
use crate::base::{Id, Key, Optional, Run, Seeded, Table};

/// What many lists have in common. There are few of these, so they stay in the first cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Shape {
    pub(crate) field: FieldId,
    pub(crate) kinds: Kinds,
    /// How many tests are decided by look-up, and how many are not.
    exact: u32,
    others: u32,
    /// The bucket of the branches that a list is the entry of, if it is opened for anything but the test of a scalar.
    pub(crate) bucket: Optional<BucketId>,
    /// If there are many other tests: the set that finds those satisfied at once.
    pub(crate) set: Optional<SetId>,
}

/// A list in its table: eight bytes, since there are more lists than rules.
#[derive(Clone, Copy, Debug)]
struct Entry {
    shape: Id<Shape>,
    /// Its only test, or the place of its first one.
    at: TestId,
}

/// Tests of one field of which one must be satisfied.
#[derive(Clone, Copy, Debug)]
pub(crate) struct List<'a> {
    shape: &'a Shape,
    entry: &'a Entry,
}

impl Deref for List<'_> {
    type Target = Shape;

    #[inline(always)]
    fn deref(&self) -> &Shape {
        self.shape
    }
}

/// All lists.
#[derive(Debug, Default)]
pub(crate) struct Lists {
    entries: Table<ListId, Entry>,
    shapes: Table<Id<Shape>, Shape>,
    /// The tests of lists that have several, side by side: those decided by look-up, ascending, then the others.
    tests: Table<Id<TestId>, TestId>,
}

impl Lists {
    /// INVARIANT: there are no more shapes, and no more tests here, than in the loose form.
    pub(in crate::automaton) fn freeze(lists: &loose::Lists, seeded: &Seeded) -> Lists {
        let mut frozen = Lists::default();
        frozen.entries.reserve(lists.len());
        let several = lists.lists.iter().map(|list| list.end - list.start).filter(|count| *count != 1);
        frozen.tests.reserve(several.map(|count| count as usize).sum());
        let mut known: HashMap<Shape, Id<Shape>, Seeded> = HashMap::with_hasher(seeded.clone());
        for list in lists.lists.iter() {
            let shape = Shape {
                field: list.field,
                kinds: list.kinds,
                exact: list.others - list.start,
                others: list.end - list.others,
                bucket: if list.kinds.positive() { Optional::NONE } else { list.bucket },
                set: list.set,
            };
            let shape = *known.entry(shape).or_insert_with(|| frozen.shapes.push(shape));
            let at = match lists.tests_of(list) {
                [only] => *only,
                tests => TestId::from_raw(frozen.tests.push_all(tests.iter().copied()).start),
            };
            frozen.entries.push(Entry { shape, at });
        }
        frozen.shapes.shrink_to_fit();
        frozen
    }

    /// As they are stored: with the bucket of each list that is an entry.
    pub(in crate::automaton) fn stored(&self, entries: &Table<BucketId, Optional<ListId>>) -> loose::Lists {
        let mut lists = loose::Lists::default();
        for id in self.entries.ids() {
            let list = self.get(id);
            let run: Run<Id<TestId>> = lists.tests.push_all(self.tests_of(list).iter().copied());
            lists.lists.push(loose::List {
                field: list.field,
                start: run.start,
                others: run.start + list.exact,
                end: run.end,
                kinds: list.kinds,
                bucket: Optional::NONE,
                set: list.set,
            });
        }
        for (bucket, list) in entries.enumerate() {
            if let Some(list) = list.get() {
                lists.lists[list].bucket = Optional::some(bucket);
            }
        }
        lists
    }

    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    #[inline(always)]
    pub(crate) fn get(&self, list: ListId) -> List<'_> {
        let entry = &self.entries[list];
        List { shape: &self.shapes[entry.shape], entry }
    }

    /// All tests of a list.
    #[inline]
    pub(crate) fn tests_of<'a>(&'a self, list: List<'a>) -> &'a [TestId] {
        self.part(list, 0, list.exact + list.others)
    }

    /// The tests decided by look-up, ascending.
    #[inline]
    pub(crate) fn exact_tests<'a>(&'a self, list: List<'a>) -> &'a [TestId] {
        self.part(list, 0, list.exact)
    }

    #[inline]
    pub(crate) fn other_tests<'a>(&'a self, list: List<'a>) -> &'a [TestId] {
        self.part(list, list.exact, list.exact + list.others)
    }

    #[inline]
    fn part<'a>(&'a self, list: List<'a>, from: u32, to: u32) -> &'a [TestId] {
        if from == to {
            &[]
        } else if list.exact + list.others == 1 {
            std::slice::from_ref(&list.entry.at)
        } else {
            let start = list.entry.at.raw();
            &self.tests[Run::new(start + from, start + to)]
        }
    }

    pub(in crate::automaton) fn memory_usage(&self) -> usize {
        self.entries.heap_bytes() + self.shapes.heap_bytes() + self.tests.heap_bytes()
    }
}
