//! The tables themselves, and the accesses that matching makes to them.

mod buckets;
mod entries;
mod lists;
mod patterns;

use std::sync::atomic::{AtomicU64, Ordering};

use super::ids::{FieldId, SetId, TestId};
use super::kind::Kind;
use super::sets::OperandSet;
use super::test::Tests;
use super::trie::FieldTrie;
use crate::base::Table;
pub(crate) use buckets::{Bucket, Buckets, Item};
pub(super) use buckets::{FieldsId, Via};
pub(crate) use entries::{Entries, Excluding, FieldEntry, OtherExclusions};
pub(super) use entries::{Opened, Opens, filter_bit};
pub(crate) use lists::{List, Lists};
pub(crate) use patterns::Patterns;

/// Everything that matching needs, immutable.
#[derive(Debug)]
pub(crate) struct Automaton {
    /// Never twice the same in one process: lets a scratch notice that it serves another matcher.
    pub(crate) identity: u64,
    pub(crate) trie: FieldTrie,
    pub(crate) tests: Tests,
    pub(crate) lists: Lists,
    pub(crate) buckets: Buckets,
    pub(crate) patterns: Patterns,
    pub(crate) entries: Entries,
    pub(crate) sets: Table<SetId, OperandSet>,
    pub(crate) join_steps: usize,
}

/// A number for each automaton, never twice the same in one process.
pub(super) fn next_identity() -> u64 {
    static IDENTITY: AtomicU64 = AtomicU64::new(1);
    IDENTITY.fetch_add(1, Ordering::Relaxed)
}

impl Automaton {
    /// The test with this identity, if any rule has it.
    #[inline]
    pub(crate) fn test(&self, field: FieldId, kind: Kind, operand: &[u8]) -> Option<TestId> {
        if !self.entries.fields[field].may_be(operand) {
            return None;
        }
        self.tests.find(field, kind, operand)
    }

    /// Bytes of all tables on the heap.
    pub(crate) fn memory_usage(&self) -> usize {
        self.trie.memory_usage()
            + self.tests.memory_usage()
            + self.lists.memory_usage()
            + self.buckets.memory_usage()
            + self.patterns.memory_usage()
            + self.entries.memory_usage()
            + self.sets.heap_bytes()
            + self.sets.iter().map(OperandSet::memory_usage).sum::<usize>()
    }
}
