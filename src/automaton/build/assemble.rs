//! The finished parts, put together: what is stored, and what follows from it.

use std::collections::HashMap;

use super::entries;
use crate::automaton::ids::{BucketId, FieldId, SetId};
use crate::automaton::intern::HashIndex;
use crate::automaton::sets::{OperandSet, OperandSetBuilder};
use crate::automaton::tables::{Automaton, Buckets, FieldsId, Lists, Patterns, next_identity};
use crate::automaton::test::Tests;
use crate::automaton::trie::FieldTrie;
use crate::base::{Optional, Seeded, Table, run_of};

/// Lists with more tests than this, besides those decided by look-up, get a set of their own: up to here, one
/// comparison after the other is quicker.
const SCAN: usize = 8;

/// Makes the tables that follow from the stored ones. None if a bucket is reached twice by one test.
pub(in crate::automaton) fn assemble(
    trie: FieldTrie,
    tests: Tests,
    mut lists: Lists,
    mut buckets: Buckets,
    mut patterns: Patterns,
    join_steps: usize,
) -> Option<Automaton> {
    patterns.find_clause_ends();
    patterns.forget_the_plain();
    let Buckets { items, remainders, .. } = &mut buckets;
    for item in items.iter_mut() {
        item.first = remainders[item.remainder].first().copied().into();
    }
    buckets.dispatch = index_dispatch(&buckets, &tests)?;
    know_fields(&mut buckets, &tests, &lists);
    let mut sets = Table::new();
    let mut entries = entries::index(&tests, &lists, trie.fields(), &mut sets);
    give_sets(&tests, &mut lists, &mut sets);
    entries.shrink();
    lists.shrink();
    buckets.shrink();
    patterns.shrink();
    sets.shrink_to_fit();
    Some(Automaton { identity: next_identity(), trie, tests, lists, buckets, patterns, entries, sets, join_steps })
}

/// Finds buckets by where they are reached from. None if one is reached twice by one test.
fn index_dispatch(buckets: &Buckets, tests: &Tests) -> Option<HashIndex<BucketId>> {
    let reached = buckets.reached();
    HashIndex::of(reached.map(|(bucket, via)| (via.hash(tests.seeded()), bucket)), |one, other| {
        buckets.via(one) == buckets.via(other)
    })
}

/// Writes down by which fields each bucket is reached.
fn know_fields(buckets: &mut Buckets, tests: &Tests, lists: &Lists) {
    // From the way to a bucket, and the field that leads on, to the way to the next one.
    let mut ways: HashMap<(FieldsId, FieldId), FieldsId, Seeded> = HashMap::with_hasher(tests.seeded().clone());
    let nowhere = buckets.known.end_run();
    let mut on = |buckets: &mut Buckets, before: FieldsId, field: FieldId| {
        *ways.entry((before, field)).or_insert_with(|| {
            let run = run_of(&buckets.known.ends, before);
            buckets.known.entries.repeat(run);
            buckets.known.entries.push(field);
            buckets.known.end_run()
        })
    };
    buckets.buckets.iter_mut().for_each(|bucket| bucket.known = nowhere);
    for list in lists.lists.iter() {
        if let Some(bucket) = list.bucket.get() {
            buckets.buckets[bucket].known = on(buckets, nowhere, list.field);
        }
    }
    for bucket in buckets.buckets.ids() {
        // A bucket comes after the one that leads to it.
        if let Some(via) = buckets.via(bucket) {
            let before = buckets.buckets[via.from].known;
            buckets.buckets[bucket].known = on(buckets, before, tests.field(via.by));
        }
    }
}

/// Long lists are looked through at once, not test by test.
fn give_sets(tests: &Tests, lists: &mut Lists, sets: &mut Table<SetId, OperandSet>) {
    for id in lists.lists.ids() {
        let others = lists.other_tests(&lists[id]);
        if others.len() > SCAN {
            let set = OperandSetBuilder::of(tests, others.iter().copied()).build();
            lists.lists[id].set = Optional::some(sets.push(set));
        }
    }
}
