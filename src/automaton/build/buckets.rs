//! Which list leads to a branch, and what remains to decide after it.
//!
//! Each branch is entered by the list that the fewest other branches share, weighted by how costly its kind of test is
//! to look up. Where many branches share even that, a bucket dispatches further by the value of another field, so
//! the cost of an event follows the branches that it nearly matches, not those there are.

use std::collections::HashMap;

use crate::automaton::ids::{BranchId, BucketId, FieldId, ListId, TestId};
use crate::automaton::kind::Kind;
use crate::automaton::loose::{List, Lists};
use crate::automaton::tables::{Bucket, Buckets, FieldsId, Item, Patterns, Via};
use crate::automaton::test::Tests;
use crate::base::{Id, Key, Optional, Run, Seeded, Table, run_of};

/// Up to this many branches a bucket is gone through one by one.
const SPLIT: usize = 16;

/// A list of more values than this does not dispatch: the branch would have to be entered under each of them.
const FAN: usize = 8;

/// A dispatch has to leave at most one in this many branches, or going through them is as good.
const GAIN: usize = 4;

/// A field by which fewer branches than this are sent on is not looked up: going through them takes no longer.
const LEAST: usize = 16;

/// Sorts all branches into buckets, and the lists of each branch into the order in which they are decided. Also
/// returns, for each list, the bucket that it is the entry of. None if the buckets take more bytes than `most`.
pub(super) fn sort(
    tests: &Tests,
    lists: &Lists,
    patterns: &mut Patterns,
    most: usize,
) -> Option<(Buckets, Table<ListId, Optional<BucketId>>)> {
    order_lists(tests, lists, patterns);
    let branches = patterns.branches.len();
    let dispatching = lists.lists.iter().map(|list| Dispatching::of(tests, lists, list)).collect();
    let mut sorter = Sorter {
        branches: Branches { lists, patterns, dispatching: &dispatching },
        buckets: Buckets::default(),
        done: Table::filled(branches, Done::ALL),
        queue: Vec::new(),
        counts: Table::filled(tests.len(), 0),
        counted: Vec::new(),
        sequences: HashMap::with_hasher(tests.seeded().clone()),
    };
    // Most buckets dispatch by nothing, which is the first sequence.
    sorter.fields(Vec::new());
    let mut entered = Table::filled(lists.len(), Optional::NONE);
    let (ends, roots) = roots(lists.len(), patterns);
    for entry in ends.ids() {
        let group: &[Entrant] = &roots[run_of(&ends, entry)];
        if !group.is_empty() {
            let bucket = sorter.buckets.buckets.push(Bucket::default());
            // After the last list come the branches without any.
            match entered.checked_mut(entry) {
                Some(entered) => *entered = Optional::some(bucket),
                None => sorter.buckets.always = Optional::some(bucket),
            }
            sorter.fill(bucket, group.iter().copied());
        }
    }
    drop((ends, roots));
    sorter.buckets.first_via = sorter.buckets.buckets.next_id();
    // A stack: what a bucket splits into is placed before the next bucket, so little waits at a time.
    while let Some((bucket, entrants)) = sorter.queue.pop() {
        sorter.split(bucket, &entrants);
        // A branch of many values is in many buckets, so what exceeds the limit must not be built first.
        if sorter.buckets.least_memory() > most {
            return None;
        }
    }
    let Sorter { mut buckets, done, .. } = sorter;
    lead_first(patterns, &done);
    // Before branches get other numbers.
    for item in buckets.items.iter_mut() {
        let left = patterns.lists_of(item.branch).get(done[item.branch].count()..);
        item.first = left.and_then(|left| left.first()).copied().into();
    }
    patterns.number_as_placed(&mut buckets.items);
    Some((buckets, entered))
}

/// Sorts the lists of each branch: the one that the fewest events are expected to satisfy first. It is the entry.
fn order_lists(tests: &Tests, lists: &Lists, patterns: &mut Patterns) {
    let scores = scores(tests, lists, patterns);
    // Among equals, the one evaluated first; products that overflow count as equal.
    let key = |(list, score): (&List, &u64)| {
        (*score).min(u64::MAX >> 16) << 16 | u64::from(patterns.rank(list.field).min(0xFFFF))
    };
    let keys: Table<ListId, u64> = lists.lists.iter().zip(scores.iter()).map(key).collect();
    drop(scores);
    let branches = &mut patterns.branches;
    let mut order: Vec<(u64, ListId)> = Vec::new();
    for branch in branches.ends.ids() {
        let run = run_of(&branches.ends, branch);
        order.clear();
        order.extend(branches.entries[run].iter().map(|list| (keys[*list], *list)));
        order.sort_unstable();
        branches.entries[run].iter_mut().zip(&order).for_each(|(list, (_, sorted))| *list = *sorted);
    }
}

/// The branches of each entry, which is their first list: counted, not sorted. Those without lists come last.
fn roots(lists: usize, patterns: &Patterns) -> (Table<ListId, u32>, Table<Id<Entrant>, Entrant>) {
    // INVARIANT: ids leave the two highest numbers free.
    let nowhere = ListId::from_raw(lists as u32);
    let entry = |branch: BranchId| patterns.lists_of(branch).first().copied().unwrap_or(nowhere);
    let mut ends: Table<ListId, u32> = Table::filled(lists + 1, 0);
    patterns.branches.ends.ids().for_each(|branch| ends[entry(branch)] += 1);
    let mut start = 0;
    for end in ends.iter_mut() {
        (*end, start) = (start, start + *end);
    }
    let mut roots = Table::filled(patterns.branches.len(), Entrant { branch: BranchId::FIRST, done: Done::NONE });
    for branch in patterns.branches.ends.ids() {
        let end = &mut ends[entry(branch)];
        roots[Id::from_raw(*end)] = Entrant { branch, done: Done::NONE.and(0) };
        *end += 1;
    }
    (ends, roots)
}

/// Puts the lists that lead to every bucket of a branch before the others, which stay in order.
fn lead_first(patterns: &mut Patterns, done: &Table<BranchId, Done>) {
    let branches = &mut patterns.branches;
    let mut others: Vec<ListId> = Vec::new();
    for (branch, done) in done.enumerate().filter(|(_, done)| done.0 & done.0.wrapping_add(1) != 0) {
        let run = run_of(&branches.ends, branch);
        let lists = &mut branches.entries[run];
        others.clear();
        others.extend(lists.iter().enumerate().filter(|(at, _)| !done.has(*at)).map(|(_, list)| *list));
        let mut to = 0;
        for from in 0..lists.len() {
            if done.has(from) {
                lists.swap(to, from);
                to += 1;
            }
        }
        lists.iter_mut().skip(to).zip(&others).for_each(|(list, other)| *list = *other);
    }
}

/// Which lists of a branch are known to be satisfied in a bucket: a bit for each of the first ones.
#[derive(Clone, Copy, Debug)]
struct Done(u32);

impl Done {
    const NONE: Done = Done(0);
    const ALL: Done = Done(u32::MAX);
    /// Only this many lists, the first ones, can dispatch.
    const MOST: usize = Buckets::MOST_LEADING;

    fn has(self, at: usize) -> bool {
        at < Done::MOST && self.0 >> at & 1 != 0
    }

    fn and(self, at: usize) -> Done {
        Done(self.0 | 1 << at)
    }

    fn count(self) -> usize {
        self.0.count_ones() as usize
    }
}

/// A branch on its way into a bucket.
#[derive(Clone, Copy, Debug)]
struct Entrant {
    branch: BranchId,
    done: Done,
}

/// The tests of a list by which a bucket may dispatch: a few values and nothing else. None for other lists.
#[derive(Clone, Copy, Debug)]
struct Dispatching(Run<Id<TestId>>);

impl Dispatching {
    fn of(tests: &Tests, lists: &Lists, list: &List) -> Dispatching {
        let values = lists.exact_tests(list);
        let few = lists.other_tests(list).is_empty() && (1..=FAN).contains(&values.len());
        let plain = few && values.iter().all(|test| tests.kind(*test).is_value());
        Dispatching(if plain { Run::new(list.start, list.others) } else { Run::EMPTY })
    }
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

/// A branch that moves on to where a test leads.
#[derive(Clone, Copy, Debug)]
struct Moved {
    field: FieldId,
    test: TestId,
    entrant: Entrant,
}

/// What branches consist of.
#[derive(Clone, Copy)]
struct Branches<'a> {
    lists: &'a Lists,
    patterns: &'a Patterns,
    dispatching: &'a Table<ListId, Dispatching>,
}

impl<'a> Branches<'a> {
    /// The lists of a branch by which it may be sent on: place, list, values.
    fn dispatching(self, entrant: Entrant) -> impl Iterator<Item = (usize, ListId, &'a [TestId])> {
        let lists = self.patterns.lists_of(entrant.branch).iter().enumerate().take(Done::MOST);
        lists.filter(move |(at, _)| !entrant.done.has(*at)).filter_map(move |(at, list)| {
            let Dispatching(run) = self.dispatching[*list];
            (!run.is_empty()).then(|| (at, *list, &self.lists.tests[run]))
        })
    }
}

struct Sorter<'a> {
    branches: Branches<'a>,
    buckets: Buckets,
    /// For each branch the lists that lead to all of its buckets.
    done: Table<BranchId, Done>,
    /// Large buckets that are still to be split.
    queue: Vec<(BucketId, Vec<Entrant>)>,
    /// For each test how many branches of the bucket at hand it leads on; zero except for those in `counted`.
    counts: Table<TestId, u32>,
    counted: Vec<TestId>,
    sequences: HashMap<Vec<FieldId>, FieldsId, Seeded>,
}

impl Sorter<'_> {
    /// Writes branches into a bucket, to be gone through one by one. Each bucket is placed once.
    fn place(&mut self, bucket: BucketId, entrants: impl Iterator<Item = Entrant>) {
        let (items, done) = (&mut self.buckets.items, &mut self.done);
        let run = items.push_all(entrants.map(|Entrant { branch, done: own }| {
            done[branch].0 &= own.0;
            Item { branch, first: Optional::NONE }
        }));
        self.buckets.buckets[bucket].items = run;
    }

    /// Sends the branches of a large bucket on by the values of other fields, where that divides them.
    fn split(&mut self, bucket: BucketId, entrants: &[Entrant]) {
        let branches = self.branches;
        for test in entrants.iter().flat_map(|entrant| branches.dispatching(*entrant)).flat_map(|(.., tests)| tests) {
            let count = &mut self.counts[*test];
            if *count == 0 {
                self.counted.push(*test);
            }
            *count += 1;
        }
        let limit = entrants.len() / GAIN;
        let sum = |tests: &[TestId]| tests.iter().map(|test| self.counts[*test] as usize).sum::<usize>();
        // The list that leaves the fewest branches, of those whose field is accepted.
        let best = |entrant: &Entrant, accepts: &dyn Fn(FieldId) -> bool| {
            let counted = branches.dispatching(*entrant).map(|(at, list, tests)| (sum(tests), at, list, tests));
            let accepted =
                counted.filter(|(count, _, list, _)| *count <= limit && accepts(branches.lists[*list].field));
            accepted.min_by_key(|(count, at, ..)| (*count, *at))
        };
        let firsts = entrants.iter().filter_map(|entrant| best(entrant, &|_| true));
        let mut fields: Vec<FieldId> = firsts.map(|(_, _, list, _)| branches.lists[list].field).collect();
        fields.sort_unstable();
        let worthwhile = fields.chunk_by(|left, right| left == right).filter(|same| same.len() >= LEAST);
        let worthwhile: Vec<FieldId> = worthwhile.filter_map(|same| same.first().copied()).collect();
        let mut stay = Vec::new();
        let mut moved: Vec<Moved> = Vec::new();
        for entrant in entrants {
            match best(entrant, &|field| worthwhile.binary_search(&field).is_ok()) {
                Some((_, at, list, tests)) => {
                    let field = branches.lists[list].field;
                    let entrant = Entrant { branch: entrant.branch, done: entrant.done.and(at) };
                    moved.extend(tests.iter().map(|test| Moved { field, test: *test, entrant }));
                }
                None => stay.push(*entrant),
            }
        }
        self.counted.drain(..).for_each(|test| self.counts[test] = 0);
        self.place(bucket, stay.into_iter());
        moved.sort_unstable_by_key(|moved| (moved.field, moved.test, moved.entrant.branch));
        let children = self.buckets.buckets.next_id().raw();
        let mut fields: Vec<FieldId> = Vec::new();
        for group in moved.chunk_by(|left, right| left.test == right.test) {
            let Some(Moved { field, test, .. }) = group.first().copied() else { continue };
            if fields.last() != Some(&field) {
                fields.push(field);
            }
            let via = Via { from: bucket, by: test };
            let child = self.buckets.buckets.push(Bucket { via, ..Bucket::default() });
            self.fill(child, group.iter().map(|moved| moved.entrant));
        }
        let dispatch = self.fields(fields);
        let children_end = self.buckets.buckets.next_id().raw();
        let slot = &mut self.buckets.buckets[bucket];
        slot.dispatch = dispatch;
        slot.children = Run::new(children, children_end);
    }

    /// Writes branches into a bucket, or has it split later if there are many.
    fn fill(&mut self, bucket: BucketId, entrants: impl ExactSizeIterator<Item = Entrant>) {
        if entrants.len() <= SPLIT {
            self.place(bucket, entrants);
        } else {
            self.queue.push((bucket, entrants.collect()));
        }
    }

    /// The id of a sequence of fields, which is kept once.
    fn fields(&mut self, fields: Vec<FieldId>) -> FieldsId {
        let kept = &mut self.buckets.dispatch_fields;
        *self.sequences.entry(fields).or_insert_with_key(|fields| {
            kept.entries.push_all(fields.iter().copied());
            kept.end_run()
        })
    }
}
