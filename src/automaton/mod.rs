//! The frozen tables: what all rules together ask of an event. No JSON, no text, no spans.
//!
//! - A *test* is one operand of one field, interned.
//! - A *list* is a set of tests of one field of which one must hold; interned, so that rules share it.
//! - A *branch* is a conjunction of lists. It is found through its *entry*, the list that fewest events satisfy; the
//!   rest of it, its *remainder*, is interned as well, and judged at most once per event.
//! - A *bucket* holds the branches that have one entry. A large one dispatches by the value of another field.
//! - A *clause* is a choice of branches, a pattern a conjunction of clauses (one, unless it has many `$or` groups).

mod affix;
mod bucket;
mod build;
mod exclude;
mod field;
mod intern;
mod order;
mod pack;
mod packed;
mod pieces;
mod range;
mod store;
mod wildcard;

pub(crate) use build::{Builder, address_operand};
pub(crate) use exclude::Sieve;
pub(crate) use field::FieldTrie;
pub(crate) use pack::{Pack, PackScratch, Seen, block_operand, range_operand};

pub(crate) use store::{Broken, Input};

use intern::{HashIndex, Interner};

use crate::value::{Fold, Wildcard};

/// What a test compares with. The first eight are decided by one look-up of the event's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub(crate) enum Kind {
    Text,
    Number,
    Spelling,
    True,
    False,
    Null,
    Address,
    /// Equal to an ASCII text but for case; the operand is in lower case.
    Lower,
    Prefix,
    Suffix,
    LowerPrefix,
    LowerSuffix,
    Fold,
    FoldPrefix,
    FoldSuffix,
    Wildcard,
    Range,
    Block,
    Present,
    Absent,
    Not,
}

impl Kind {
    const ALL: [Kind; 21] = [
        Kind::Text,
        Kind::Number,
        Kind::Spelling,
        Kind::True,
        Kind::False,
        Kind::Null,
        Kind::Address,
        Kind::Lower,
        Kind::Prefix,
        Kind::Suffix,
        Kind::LowerPrefix,
        Kind::LowerSuffix,
        Kind::Fold,
        Kind::FoldPrefix,
        Kind::FoldSuffix,
        Kind::Wildcard,
        Kind::Range,
        Kind::Block,
        Kind::Present,
        Kind::Absent,
        Kind::Not,
    ];

    /// Whether a look-up of the whole value decides it.
    pub(crate) fn is_exact(self) -> bool {
        self <= Kind::Lower
    }

    /// Whether it is a whole value as the event spells or counts it.
    pub(crate) fn is_value(self) -> bool {
        self <= Kind::Null
    }

    fn bit(self) -> u32 {
        1 << self as u8
    }
}

/// The identity of a test beside its operand: field and kind in one number.
#[inline]
pub(crate) fn owner(field: u32, kind: Kind) -> u32 {
    field << 5 | kind as u32
}

/// Fields beyond this number do not fit into [`owner`].
pub(crate) const MAX_FIELDS: usize = 1 << 27;

/// A set of kinds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Kinds(u32);

impl Kinds {
    #[inline]
    pub(crate) fn is_empty(self) -> bool {
        self.0 == 0
    }

    #[inline]
    pub(crate) fn has(self, kind: Kind) -> bool {
        self.0 & kind.bit() != 0
    }

    pub(crate) fn add(&mut self, kind: Kind) {
        self.0 |= kind.bit();
    }

    /// Whether all of them are whole values as the event spells or counts them.
    pub(crate) fn values_only(self) -> bool {
        const VALUES: u32 = (1 << (Kind::Null as u32 + 1)) - 1;
        self.0 & !VALUES == 0
    }

    /// Whether a scalar that satisfies none of the tests does not matter.
    pub(crate) fn positive(self) -> bool {
        !self.has(Kind::Present) && !self.has(Kind::Absent) && !self.has(Kind::Not)
    }

    /// Whether a number token must be read as a number.
    #[inline]
    pub(crate) fn numeric(self) -> bool {
        self.0 & (Kind::Number.bit() | Kind::Range.bit() | Kind::Spelling.bit()) != 0
    }

    /// Whether text in lower case is needed.
    #[inline]
    pub(crate) fn lower(self) -> bool {
        self.0 & (Kind::Lower.bit() | Kind::LowerPrefix.bit() | Kind::LowerSuffix.bit()) != 0
    }
}

/// Marks that there is none.
pub(crate) const NONE: u32 = u32::MAX;

/// Tests of one field of which one must hold; the tests themselves are in `Automaton::list_tests`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct List {
    pub(crate) field: u32,
    /// Tests decided by look-up, ascending, then the others.
    pub(crate) start: u32,
    pub(crate) others: u32,
    pub(crate) end: u32,
    pub(crate) kinds: Kinds,
    /// The bucket of the branches that this list is the entry of.
    pub(crate) bucket: u32,
    /// If there are many other tests: the pack that looks through them at once.
    pub(crate) pack: u32,
}

/// The branches behind one entry.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Bucket {
    pub(crate) items: u32,
    pub(crate) items_end: u32,
    /// Fields by whose value the rest is found.
    pub(crate) dispatch: u32,
    pub(crate) dispatch_end: u32,
    /// The buckets that these lead to.
    pub(crate) children: u32,
    pub(crate) children_end: u32,
}

/// A branch in a bucket, and what of it remains to be judged.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Item {
    pub(crate) branch: u32,
    pub(crate) remainder: u32,
    /// The list of the remainder that is judged first; NONE if it has none.
    pub(crate) first: u32,
    /// The pattern that the branch is enough for; NONE if that has several clauses.
    pub(crate) pattern: u32,
}

/// One of 64 bits for an operand, by length and both ends. What has no bit in common with those that are known need not
/// be hashed.
#[inline(always)]
fn filter_bit(operand: &[u8]) -> u64 {
    let [first, last] = [operand.first(), operand.last()].map(|byte| byte.map_or(0, |byte| usize::from(*byte)));
    1 << (first.wrapping_add(last.wrapping_mul(3)).wrapping_add(operand.len().wrapping_mul(11)) % 64)
}

/// Marks an entry of `Automaton::doors` that stands for several buckets.
const MANY: u32 = 1 << 31;

/// What a field's scalars are looked up in when they are read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FieldEntry {
    /// Kinds of tests that are entries.
    pub(crate) entries: Kinds,
    /// Kinds of all tests of the field.
    pub(crate) kinds: Kinds,
    /// The operands of its tests that are decided by look-up, as [`filter_bit`].
    filter: u64,
    /// Whether every test is a whole value as the event has it.
    pub(crate) values_only: bool,
    /// Whether every test is an entry, so that a scalar that satisfies no entry does not matter at all.
    pub(crate) complete: bool,
    /// The entries that are not decided by look-up.
    pub(crate) pack: u32,
    /// Lists to judge whenever the field is present: `Automaton::present_lists[start..end]`.
    pub(crate) present: u32,
    pub(crate) present_end: u32,
    /// Lists that exclude certain values and nothing else: `Automaton::negative_lists[start..end]`.
    pub(crate) negative: u32,
    pub(crate) negative_end: u32,
    /// The lists that exclude something else, in `Automaton::sieves`.
    pub(crate) sieve: u32,
}

impl FieldEntry {
    /// Of a field without tests.
    const EMPTY: FieldEntry = FieldEntry {
        entries: Kinds(0),
        kinds: Kinds(0),
        filter: 0,
        values_only: false,
        complete: false,
        pack: NONE,
        present: 0,
        present_end: 0,
        negative: 0,
        negative_end: 0,
        sieve: NONE,
    };

    /// Whether some list is to be judged for nothing but that the field is there.
    #[inline]
    pub(crate) fn is_judged(&self) -> bool {
        self.present != self.present_end || self.negative != self.negative_end || self.sieve != NONE
    }

    /// Whether the text may be one of the operands that are decided by look-up: mostly right, and quick.
    #[inline(always)]
    pub(crate) fn may_be(&self, text: &[u8]) -> bool {
        self.filter & filter_bit(text) != 0
    }
}

/// A clause of a pattern.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clause {
    pub(crate) pattern: u32,
}

/// Everything that matching needs, immutable.
#[derive(Debug)]
pub(crate) struct Automaton {
    /// Never twice the same in one process: lets a scratch notice that it serves another matcher.
    pub(crate) identity: u64,
    pub(crate) trie: FieldTrie,
    pub(crate) fields: Vec<FieldEntry>,
    /// Operands by field and kind; the id is the test.
    pub(crate) tests: Interner,
    /// For a wildcard, an ignore-case text or a `Not`: its place in `wildcards`, `folds` or `lists`.
    pub(crate) side: Vec<u32>,
    pub(crate) wildcards: Vec<Wildcard>,
    pub(crate) folds: Vec<Fold>,
    pub(crate) lists: Vec<List>,
    pub(crate) list_tests: Vec<u32>,
    pub(crate) packs: Vec<Pack>,
    /// For each test the bucket that it opens: NONE, one, or MANY and the place in `postings` where their number stands,
    /// followed by them.
    pub(crate) doors: Vec<u32>,
    pub(crate) postings: Vec<u32>,
    pub(crate) present_lists: Vec<u32>,
    /// Entries that are one `anything-but`, field by field.
    pub(crate) negative_lists: Vec<u32>,
    pub(crate) sieves: Vec<Sieve>,
    /// For each test, the end of its entry lists in `exclusions`, times two; plus one if those are not the lists that
    /// exclude it, but, being fewer, all others of its field.
    pub(crate) exclusion_ends: Vec<u32>,
    pub(crate) exclusions: Vec<u32>,
    /// Entries that hold when something is absent: judged for each event.
    pub(crate) absent_lists: Vec<u32>,
    pub(crate) buckets: Vec<Bucket>,
    pub(crate) items: Vec<Item>,
    pub(crate) dispatch_fields: Vec<u32>,
    /// (bucket, test) → bucket.
    dispatch: HashIndex,
    /// For each bucket reached by dispatch, from where and by which test.
    via: Vec<(u32, u32)>,
    first_via: u32,
    /// The bucket of branches that nothing needs to lead to (patterns without any test).
    pub(crate) always: u32,
    pub(crate) remainder_ends: Vec<u32>,
    pub(crate) remainder_lists: Vec<u32>,
    pub(crate) branch_ends: Vec<u32>,
    pub(crate) branch_lists: Vec<u32>,
    pub(crate) branch_clause: Vec<u32>,
    pub(crate) clauses: Vec<Clause>,
    /// For each pattern the end of its clauses.
    pub(crate) pattern_ends: Vec<u32>,
    /// For each clause the end of its branches, if some pattern has several clauses; else empty.
    pub(crate) clause_branches: Vec<u32>,
    pub(crate) join_steps: usize,
}

impl Automaton {
    /// The test of this identity, if any rule has it.
    #[inline]
    pub(crate) fn test(&self, field: u32, kind: Kind, operand: &[u8]) -> Option<u32> {
        if !self.fields.get(field as usize)?.may_be(operand) {
            return None;
        }
        self.tests.find(owner(field, kind), operand)
    }

    #[inline]
    pub(crate) fn kind(&self, test: u32) -> Kind {
        Kind::ALL.get((self.tests.owner(test) & 31) as usize).copied().unwrap_or(Kind::Absent)
    }

    #[inline]
    pub(crate) fn bucket(&self, bucket: u32) -> Bucket {
        self.buckets.get(bucket as usize).copied().unwrap_or_default()
    }

    #[inline]
    pub(crate) fn list(&self, list: u32) -> Option<&List> {
        self.lists.get(list as usize)
    }

    /// The tests decided by look-up, ascending.
    #[inline]
    pub(crate) fn exact_tests(&self, list: &List) -> &[u32] {
        self.list_tests.get(list.start as usize..list.others as usize).unwrap_or(&[])
    }

    #[inline]
    pub(crate) fn other_tests(&self, list: &List) -> &[u32] {
        self.list_tests.get(list.others as usize..list.end as usize).unwrap_or(&[])
    }

    /// The buckets that a test opens.
    #[inline]
    pub(crate) fn opened_by(&self, test: u32) -> &[u32] {
        match self.doors.get(test as usize) {
            None | Some(&NONE) => &[],
            Some(door) if door & MANY == 0 => std::slice::from_ref(door),
            Some(door) => {
                let at = (door & !MANY) as usize;
                let count = self.postings.get(at).copied().unwrap_or(0) as usize;
                self.postings.get(at + 1..at + 1 + count).unwrap_or(&[])
            }
        }
    }

    /// Among the entries of the test's field that exclude as it does, by value or else, those that exclude it (false) or
    /// those that do not (true).
    pub(crate) fn exclusions_of(&self, test: u32) -> (&[u32], bool) {
        let start = start_of(&self.exclusion_ends, test) / 2;
        let end = self.exclusion_ends.get(test as usize).copied().unwrap_or(0);
        (self.exclusions.get(start as usize..end as usize / 2).unwrap_or(&[]), end % 2 == 1)
    }

    /// By which test a bucket is reached from another one.
    pub(crate) fn test_before(&self, bucket: u32) -> u32 {
        bucket.checked_sub(self.first_via).and_then(|at| self.via.get(at as usize)).map_or(NONE, |via| via.1)
    }

    #[inline]
    pub(crate) fn lists_of_branch(&self, branch: u32) -> &[u32] {
        range(&self.branch_ends, &self.branch_lists, branch)
    }

    #[inline]
    pub(crate) fn lists_of_remainder(&self, remainder: u32) -> &[u32] {
        range(&self.remainder_ends, &self.remainder_lists, remainder)
    }

    pub(crate) fn clauses_of(&self, pattern: u32) -> std::ops::Range<u32> {
        let start = start_of(&self.pattern_ends, pattern);
        start..self.pattern_ends.get(pattern as usize).copied().unwrap_or(start)
    }

    /// The pattern that a branch is enough for, or NONE.
    fn pattern_of_whole(&self, branch: u32) -> u32 {
        let clause = self.branch_clause.get(branch as usize).and_then(|clause| self.clauses.get(*clause as usize));
        clause.map(|clause| clause.pattern).filter(|pattern| self.clauses_of(*pattern).len() == 1).unwrap_or(NONE)
    }

    /// Whether a pattern has a branch without any list.
    pub(crate) fn is_unconditional(&self, pattern: u32) -> bool {
        let clauses = self.clauses_of(pattern);
        let first = self.branch_clause.partition_point(|clause| *clause < clauses.start);
        let end = self.branch_clause.partition_point(|clause| *clause < clauses.end);
        (first as u32..end as u32).any(|branch| self.lists_of_branch(branch).is_empty())
    }

    /// The branches of a clause; meaningful if some pattern has several clauses.
    pub(crate) fn branches_of(&self, clause: u32) -> std::ops::Range<u32> {
        let start = start_of(&self.clause_branches, clause);
        start..self.clause_branches.get(clause as usize).copied().unwrap_or(start)
    }

    /// Where a value leads from a bucket.
    #[inline]
    pub(crate) fn dispatched(&self, bucket: u32, test: u32) -> Option<u32> {
        self.dispatch.find(bucket::hash_dispatch(&self.tests.seeded, bucket, test), |to| {
            self.via.get((to - self.first_via) as usize) == Some(&(bucket, test))
        })
    }

    pub(crate) fn patterns(&self) -> usize {
        self.pattern_ends.len()
    }
}

#[inline]
fn start_of(ends: &[u32], index: u32) -> u32 {
    index.checked_sub(1).and_then(|before| ends.get(before as usize)).copied().unwrap_or(0)
}

#[inline]
fn range<'t>(ends: &[u32], table: &'t [u32], index: u32) -> &'t [u32] {
    let end = ends.get(index as usize).copied().unwrap_or(0);
    table.get(start_of(ends, index) as usize..end as usize).unwrap_or(&[])
}
