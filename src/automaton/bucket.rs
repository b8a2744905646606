//! Which list leads to a branch, and what is judged behind it.
//!
//! Each branch is entered by the list that the fewest other branches share, weighted by how costly its kind of test is
//! to look up. Where many branches share even that, a bucket dispatches further by the value of another field, so that
//! the cost of an event follows the branches that it nearly matches, not those there are.

use std::collections::HashMap;

use super::intern::{HashIndex, Interner};
use super::{Automaton, Bucket, Item, Kind, List, NONE};
use crate::base::{Seeded, hash};

/// Up to this many branches a bucket is gone through one by one.
const SPLIT: usize = 8;

/// A list of more values than this does not dispatch: the branch would have to be entered under each of them.
const FAN: usize = 8;

/// A dispatch has to leave at most one in this many branches, or going through them is as good.
const GAIN: usize = 4;

pub(crate) fn hash_dispatch(seeded: &Seeded, bucket: u32, test: u32) -> u64 {
    hash(seeded, u64::from(bucket) << 32 | u64::from(test), &[])
}

/// A branch on its way into a bucket: the lists already known to hold there.
struct Entrant {
    branch: u32,
    done: Vec<u32>,
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

pub(crate) fn fill(automaton: &mut Automaton) {
    let scores = scores(automaton);
    let mut roots: Vec<(u32, u32)> = Vec::with_capacity(automaton.branch_ends.len());
    for branch in 0..automaton.branch_ends.len() as u32 {
        let lists = automaton.lists_of_branch(branch).iter();
        let entry = lists.min_by_key(|list| scores.get(**list as usize)).copied().unwrap_or(NONE);
        roots.push((entry, branch));
    }
    roots.sort_unstable();
    let mut filler = Filler {
        remainders: Interner::new(automaton.tests.seeded.clone()),
        scores,
        queue: Vec::new(),
        order: Vec::new(),
        bytes: Vec::new(),
    };
    for group in roots.chunk_by(|left, right| left.0 == right.0) {
        let Some((entry, _)) = group.first().copied() else { continue };
        let bucket = automaton.buckets.len() as u32;
        automaton.buckets.push(Bucket::default());
        match automaton.lists.get_mut(entry as usize) {
            Some(list) => list.bucket = bucket,
            None => automaton.always = bucket,
        }
        let done = if entry == NONE { Vec::new() } else { vec![entry] };
        let entrants = group.iter().map(|(_, branch)| Entrant { branch: *branch, done: done.clone() }).collect();
        if group.len() <= SPLIT {
            filler.place(automaton, bucket, entrants);
        } else {
            filler.queue.push((bucket, entrants));
        }
    }
    automaton.first_via = automaton.buckets.len() as u32;
    // A stack: what a bucket splits into is placed before the next bucket, so that little waits at a time.
    while let Some((bucket, entrants)) = filler.queue.pop() {
        filler.split(automaton, bucket, entrants);
    }
    for remainder in 0..filler.remainders.len() as u32 {
        let lists = filler.remainders.get(remainder).chunks_exact(4);
        automaton.remainder_lists.extend(lists.map(|list| list.try_into().map_or(NONE, u32::from_le_bytes)));
        automaton.remainder_ends.push(automaton.remainder_lists.len() as u32);
    }
}

/// For each list how many branches it is expected to bring up, weighted by kind.
fn scores(automaton: &Automaton) -> Vec<u64> {
    let mut uses = vec![0_u64; automaton.lists.len()];
    for list in &automaton.branch_lists {
        if let Some(uses) = uses.get_mut(*list as usize) {
            *uses += 1;
        }
    }
    let mut by_test = vec![0_u64; automaton.tests.len()];
    for (list, uses) in automaton.lists.iter().zip(&uses) {
        for test in tests(automaton, list) {
            if let Some(count) = by_test.get_mut(*test as usize) {
                *count += uses;
            }
        }
    }
    let score = |list: &List| {
        tests(automaton, list).iter().fold(0_u64, |sum, test| {
            let count = by_test.get(*test as usize).copied().unwrap_or(0);
            sum.saturating_add(count.saturating_mul(weight(automaton.kind(*test))))
        })
    };
    automaton.lists.iter().map(score).collect()
}

fn tests<'a>(automaton: &'a Automaton, list: &List) -> &'a [u32] {
    automaton.list_tests.get(list.start as usize..list.end as usize).unwrap_or(&[])
}

struct Filler {
    remainders: Interner,
    scores: Vec<u64>,
    queue: Vec<(u32, Vec<Entrant>)>,
    order: Vec<u32>,
    bytes: Vec<u8>,
}

impl Filler {
    /// Writes branches into a bucket, to be gone through one by one. Each bucket is placed once.
    fn place(&mut self, automaton: &mut Automaton, bucket: u32, entrants: Vec<Entrant>) {
        let items = automaton.items.len() as u32;
        for entrant in entrants {
            self.order.clear();
            let lists = automaton.lists_of_branch(entrant.branch).iter();
            self.order.extend(lists.filter(|list| !entrant.done.contains(list)));
            self.order.sort_by_key(|list| self.scores.get(*list as usize));
            self.bytes.clear();
            self.bytes.extend(self.order.iter().flat_map(|list| list.to_le_bytes()));
            // INVARIANT: there are at most as many remainders as branches in buckets, which have 32-bit ids.
            let remainder = self.remainders.intern(0, &self.bytes).unwrap_or(NONE);
            let pattern = automaton.pattern_of_whole(entrant.branch);
            automaton.items.push(Item { branch: entrant.branch, remainder, first: NONE, pattern });
        }
        if let Some(slot) = automaton.buckets.get_mut(bucket as usize) {
            (slot.items, slot.items_end) = (items, automaton.items.len() as u32);
        }
    }

    /// Sends the branches of a large bucket on by the values of other fields, where that divides them.
    fn split(&mut self, automaton: &mut Automaton, bucket: u32, entrants: Vec<Entrant>) {
        let mut counts: HashMap<u32, u32, Seeded> = HashMap::with_hasher(automaton.tests.seeded.clone());
        for entrant in &entrants {
            for (_, list) in dispatching(automaton, entrant) {
                for test in automaton.exact_tests(list) {
                    *counts.entry(*test).or_default() += 1;
                }
            }
        }
        let limit = entrants.len() / GAIN;
        let mut stay = Vec::new();
        let mut moved: Vec<(u32, u32, Entrant)> = Vec::new();
        for entrant in entrants {
            let best = dispatching(automaton, &entrant)
                .map(|(id, list)| {
                    let tests = automaton.exact_tests(list).iter();
                    (tests.map(|test| counts.get(test).copied().unwrap_or(0) as usize).sum::<usize>(), id)
                })
                .min();
            match best {
                Some((count, list)) if count <= limit => {
                    let tests: Vec<u32> =
                        automaton.list(list).map_or(Vec::new(), |list| automaton.exact_tests(list).to_vec());
                    let field = automaton.list(list).map_or(NONE, |list| list.field);
                    for test in tests {
                        let done = entrant.done.iter().copied().chain([list]).collect();
                        moved.push((field, test, Entrant { branch: entrant.branch, done }));
                    }
                }
                _ => stay.push(entrant),
            }
        }
        self.place(automaton, bucket, stay);
        moved.sort_by_key(|(field, test, entrant)| (*field, *test, entrant.branch));
        let dispatch = automaton.dispatch_fields.len() as u32;
        let children = automaton.buckets.len() as u32;
        let mut moved = moved.into_iter().peekable();
        while let Some((field, test, first)) = moved.next() {
            let known =
                automaton.dispatch_fields.get(dispatch as usize..).is_some_and(|fields| fields.contains(&field));
            if !known {
                automaton.dispatch_fields.push(field);
            }
            let child = automaton.buckets.len() as u32;
            automaton.buckets.push(Bucket::default());
            automaton.via.push((bucket, test));
            let mut group = vec![first];
            while let Some((.., entrant)) = moved.next_if(|(_, other, _)| *other == test) {
                group.push(entrant);
            }
            if group.len() <= SPLIT {
                self.place(automaton, child, group);
            } else {
                self.queue.push((child, group));
            }
        }
        let buckets = automaton.buckets.len() as u32;
        if let Some(slot) = automaton.buckets.get_mut(bucket as usize) {
            (slot.dispatch, slot.dispatch_end) = (dispatch, automaton.dispatch_fields.len() as u32);
            (slot.children, slot.children_end) = (children, buckets);
        }
    }
}

/// The lists of a branch, not yet known to hold, that name a few values and nothing else.
fn dispatching<'a>(automaton: &'a Automaton, entrant: &'a Entrant) -> impl Iterator<Item = (u32, &'a List)> {
    automaton.lists_of_branch(entrant.branch).iter().filter_map(|id| {
        let list = automaton.list(*id)?;
        let values = automaton.exact_tests(list);
        let fits = list.others == list.end && (1..=FAN).contains(&values.len());
        let plain = values.iter().all(|test| automaton.kind(*test).is_value());
        (fits && plain && !entrant.done.contains(id)).then_some((*id, list))
    })
}

/// None if a bucket is reached twice by one test.
pub(super) fn index_dispatch(automaton: &Automaton) -> Option<HashIndex> {
    HashIndex::of(
        automaton.via.len(),
        |place| {
            let (bucket, test) = *automaton.via.get(place as usize)?;
            Some((hash_dispatch(&automaton.tests.seeded, bucket, test), automaton.first_via + place))
        },
        |one, other| {
            let via = |id: u32| automaton.via.get((id - automaton.first_via) as usize);
            via(one) == via(other)
        },
    )
}
