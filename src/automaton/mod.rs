//! The frozen tables: what all rules together expect of an event. No JSON, no source text, no spans.
//!
//! - A *test* is one operand of one field, interned.
//! - A *list* is a set of tests of one field of which one must be satisfied; interned, so rules share it.
//! - A *branch* is a conjunction of lists. It is found through its *entry*, the list that the fewest events satisfy; what
//!   remains is decided in the order in which the lists are written down.
//! - A *bucket* has the branches of one entry. A large one dispatches by the value of another field.
//! - A *clause* is a choice of branches, a pattern a conjunction of clauses (one, unless it has many `$or` groups).

mod build;
mod codec;
mod ids;
mod intern;
mod kind;
mod loose;
mod operand;
mod sets;
mod store;
mod tables;
mod test;
mod trie;

pub(crate) use build::Builder;
pub(crate) use codec::{Broken, Input};
pub(crate) use ids::{BranchId, BucketId, ClauseId, FieldId, ListId, NodeId, TestId};
pub(crate) use kind::{Kind, Kinds};
pub(crate) use operand::{address_operand, block_operand, range_operand};
pub(crate) use sets::{OperandSet, Query, QueryScratch};
pub(crate) use tables::{Automaton, Bucket, Excluding, FieldEntry, Item, List, OtherExclusions};
pub(crate) use trie::{FieldTrie, TrieNode};
