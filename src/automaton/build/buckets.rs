//! Which list leads to a branch, and what remains to decide after it.
//!
//! Each branch is entered by the list that the fewest other branches share, weighted by how costly its kind of test is
//! to look up. Where many branches share even that, a bucket dispatches further by the value of another field, so
//! the cost of an event follows the branches that it nearly matches, not those there are.

use std::collections::HashMap;

use crate::automaton::ids::{BranchId, BucketId, FieldId, ListId, RemainderId, TestId};
use crate::automaton::intern::Interner;
use crate::automaton::kind::Kind;
use crate::automaton::tables::{Bucket, Buckets, FieldsId, Item, List, Lists, Patterns, Via};
use crate::automaton::test::Tests;
use crate::base::{Key, Optional, Run, Seeded, Table};

/// Up to this many branches a bucket is gone through one by one.
const SPLIT: usize = 16;

/// A list of more values than this does not dispatch: the branch would have to be entered under each of them.
const FAN: usize = 8;

/// A dispatch has to leave at most one in this many branches, or going through them is as good.
const GAIN: usize = 4;
const _: () = assert!(GAIN.pow(Buckets::DEEPEST as u32 / 2) >= 1 << 16, "buckets would be deeper");

/// Sorts all branches into buckets. For each list the bucket that it is the entry of comes along.
pub(super) fn sort(tests: &Tests, lists: &Lists, patterns: &Patterns) -> (Buckets, Table<ListId, Optional<BucketId>>) {
    let scores = scores(tests, lists, patterns);
    let mut roots: Vec<(Optional<ListId>, BranchId)> = Vec::with_capacity(patterns.branches.len());
    for branch in patterns.branches.ends.ids() {
        let entry = patterns.lists_of(branch).iter().copied().min_by_key(|list| scores[*list]);
        roots.push((entry.into(), branch));
    }
    roots.sort_unstable();
    let mut sorter = Sorter {
        tests,
        lists,
        patterns,
        scores,
        remainders: Interner::new(tests.seeded().clone()),
        buckets: Buckets::default(),
        queue: Vec::new(),
        sequences: HashMap::with_hasher(tests.seeded().clone()),
        order: Vec::new(),
        bytes: Vec::new(),
    };
    // Most buckets dispatch by nothing, which is the first sequence.
    sorter.fields(Vec::new());
    let mut entered = Table::filled(lists.len(), Optional::NONE);
    for group in roots.chunk_by(|left, right| left.0 == right.0) {
        let Some((entry, _)) = group.first().copied() else { continue };
        let bucket = sorter.buckets.buckets.push(Bucket::default());
        match entry.get() {
            Some(list) => entered[list] = Optional::some(bucket),
            None => sorter.buckets.always = Optional::some(bucket),
        }
        let done: Vec<ListId> = entry.get().into_iter().collect();
        let entrants = group.iter().map(|(_, branch)| Entrant { branch: *branch, done: done.clone() }).collect();
        if group.len() <= SPLIT {
            sorter.place(bucket, entrants);
        } else {
            sorter.queue.push((bucket, entrants));
        }
    }
    sorter.buckets.first_via = sorter.buckets.buckets.next_id();
    // A stack: what a bucket splits into is placed before the next bucket, so little waits at a time.
    while let Some((bucket, entrants)) = sorter.queue.pop() {
        sorter.split(bucket, entrants);
    }
    let Sorter { mut buckets, remainders, .. } = sorter;
    for remainder in remainders.ids() {
        let words = remainders.bytes(remainder).as_chunks::<4>().0;
        buckets.remainders.entries.push_all(words.iter().map(|list| ListId::from_raw(u32::from_le_bytes(*list))));
        buckets.remainders.end_run();
    }
    (buckets, entered)
}

/// A branch on its way into a bucket: the lists already known to be satisfied there.
struct Entrant {
    branch: BranchId,
    done: Vec<ListId>,
}

/// What entering by a test of this kind costs, against an exact value.
fn weight(kind: Kind) -> u64 {
    match kind {
        Kind::Text | Kind::Spelling | Kind::Number => 4,
        Kind::Lower | Kind::Address => 6,
        Kind::Fold | Kind::Prefix | Kind::LowerPrefix | Kind::FoldPrefix => 12,
        Kind::Suffix | Kind::LowerSuffix | Kind::FoldSuffix => 24,
        Kind::Wildcard => 100,
        Kind::Block | Kind::Range => 400,
        Kind::True | Kind::False | Kind::Null => 400,
        Kind::Present => 1 << 24,
        Kind::Not => 1 << 28,
        Kind::Absent => 1 << 32,
    }
}

/// For each list how many branches it is expected to bring up, weighted by kind.
fn scores(tests: &Tests, lists: &Lists, patterns: &Patterns) -> Table<ListId, u64> {
    let mut uses: Table<ListId, u64> = Table::filled(lists.len(), 0);
    for list in patterns.branches.entries.iter() {
        uses[*list] += 1;
    }
    let mut by_test: Table<TestId, u64> = Table::filled(tests.len(), 0);
    for (list, uses) in lists.lists.iter().zip(uses.iter()) {
        for test in lists.tests_of(list) {
            by_test[*test] += uses;
        }
    }
    let score = |list: &List| {
        lists
            .tests_of(list)
            .iter()
            .fold(0_u64, |sum, test| sum.saturating_add(by_test[*test].saturating_mul(weight(tests.kind(*test)))))
    };
    lists.lists.iter().map(score).collect()
}

/// Remainders belong to nobody.
#[derive(Clone, Copy)]
struct NoOwner;

impl Key for NoOwner {
    fn from_raw(_: u32) -> NoOwner {
        NoOwner
    }

    fn raw(self) -> u32 {
        0
    }
}

struct Sorter<'a> {
    tests: &'a Tests,
    lists: &'a Lists,
    patterns: &'a Patterns,
    scores: Table<ListId, u64>,
    remainders: Interner<NoOwner, RemainderId>,
    buckets: Buckets,
    /// Large buckets that are still to be split.
    queue: Vec<(BucketId, Vec<Entrant>)>,
    sequences: HashMap<Vec<FieldId>, FieldsId, Seeded>,
    /// Reused for each remainder.
    order: Vec<ListId>,
    bytes: Vec<u8>,
}

impl Sorter<'_> {
    /// Writes branches into a bucket, to be gone through one by one. Each bucket is placed once.
    fn place(&mut self, bucket: BucketId, entrants: Vec<Entrant>) {
        let start = self.buckets.items.next_id().raw();
        for entrant in entrants {
            self.order.clear();
            let lists = self.patterns.lists_of(entrant.branch).iter();
            self.order.extend(lists.filter(|list| !entrant.done.contains(list)));
            self.order.sort_by_key(|list| self.scores[*list]);
            self.bytes.clear();
            self.bytes.extend(self.order.iter().flat_map(|list| list.raw().to_le_bytes()));
            // INVARIANT: there are at most as many remainders as branches in buckets, which have 32-bit ids.
            let remainder = self.remainders.intern(NoOwner, &self.bytes);
            let remainder = remainder.unwrap_or_else(|| unreachable!("remainders have 32-bit ids"));
            let pattern = self.patterns.pattern_of_whole(entrant.branch);
            self.buckets.items.push(Item { branch: entrant.branch, remainder, first: Optional::NONE, pattern });
        }
        self.buckets.buckets[bucket].items = Run::new(start, self.buckets.items.next_id().raw());
    }

    /// Sends the branches of a large bucket on by the values of other fields, where that divides them.
    fn split(&mut self, bucket: BucketId, entrants: Vec<Entrant>) {
        let mut counts: HashMap<TestId, usize, Seeded> = HashMap::with_hasher(self.tests.seeded().clone());
        for entrant in &entrants {
            for (_, list) in self.dispatching(entrant) {
                for test in self.lists.exact_tests(list) {
                    *counts.entry(*test).or_default() += 1;
                }
            }
        }
        let limit = entrants.len() / GAIN;
        let mut stay = Vec::new();
        let mut moved: Vec<(FieldId, TestId, Entrant)> = Vec::new();
        for entrant in entrants {
            let best = self
                .dispatching(&entrant)
                .map(|(id, list)| {
                    let tests = self.lists.exact_tests(list).iter();
                    (tests.map(|test| counts.get(test).copied().unwrap_or(0)).sum::<usize>(), id)
                })
                .min();
            match best {
                Some((count, id)) if count <= limit => {
                    let list = &self.lists[id];
                    for test in self.lists.exact_tests(list) {
                        let done = entrant.done.iter().copied().chain([id]).collect();
                        moved.push((list.field, *test, Entrant { branch: entrant.branch, done }));
                    }
                }
                _ => stay.push(entrant),
            }
        }
        self.place(bucket, stay);
        moved.sort_by_key(|(field, test, entrant)| (*field, *test, entrant.branch));
        let children = self.buckets.buckets.next_id().raw();
        let mut fields: Vec<FieldId> = Vec::new();
        let mut moved = moved.into_iter().peekable();
        while let Some((field, test, first)) = moved.next() {
            if fields.last() != Some(&field) {
                fields.push(field);
            }
            let via = Via { from: bucket, by: test };
            let child = self.buckets.buckets.push(Bucket { via, ..Bucket::default() });
            let mut group = vec![first];
            while let Some((.., entrant)) = moved.next_if(|(_, other, _)| *other == test) {
                group.push(entrant);
            }
            if group.len() <= SPLIT {
                self.place(child, group);
            } else {
                self.queue.push((child, group));
            }
        }
        let dispatch = self.fields(fields);
        let children_end = self.buckets.buckets.next_id().raw();
        let slot = &mut self.buckets.buckets[bucket];
        slot.dispatch = dispatch;
        slot.children = Run::new(children, children_end);
    }

    /// The id of a sequence of fields, which is kept once.
    fn fields(&mut self, fields: Vec<FieldId>) -> FieldsId {
        let kept = &mut self.buckets.dispatch_fields;
        *self.sequences.entry(fields).or_insert_with_key(|fields| {
            kept.entries.push_all(fields.iter().copied());
            kept.end_run()
        })
    }

    /// The lists of a branch, not yet known to be satisfied, that name a few values and nothing else.
    fn dispatching<'e>(&'e self, entrant: &'e Entrant) -> impl Iterator<Item = (ListId, &'e List)> {
        self.patterns.lists_of(entrant.branch).iter().filter_map(|id| {
            let list = &self.lists[*id];
            let values = self.lists.exact_tests(list);
            let few = self.lists.other_tests(list).is_empty() && (1..=FAN).contains(&values.len());
            let plain = values.iter().all(|test| self.tests.kind(*test).is_value());
            (few && plain && !entrant.done.contains(id)).then_some((*id, list))
        })
    }
}
