//! The finished parts, put together: what is stored, and what follows from it.

use super::entries;
use crate::automaton::ids::{BucketId, SetId};
use crate::automaton::intern::HashIndex;
use crate::automaton::loose::Lists;
use crate::automaton::sets::{OperandSet, OperandSetBuilder};
use crate::automaton::tables::{Automaton, Buckets, Lists as FrozenLists, Patterns, next_identity};
use crate::automaton::test::Tests;
use crate::automaton::trie::FieldTrie;
use crate::base::{Optional, Table};

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
    patterns.finish();
    buckets.dispatch = index_dispatch(&buckets, &tests)?;
    let mut sets = Table::new();
    let mut entries = entries::index(&tests, &lists, trie.fields(), &mut sets);
    give_sets(&tests, &mut lists, &mut sets);
    buckets.entries = Table::filled(buckets.first_via.index(), Optional::NONE);
    for (id, list) in lists.lists.enumerate() {
        if let Some(bucket) = list.bucket.get() {
            buckets.entries[bucket] = Optional::some(id);
        }
    }
    let lists = FrozenLists::freeze(&lists, tests.seeded());
    entries.shrink();
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
