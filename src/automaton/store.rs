//! Tables to bytes and back. What is stored are the tables that are costly to find; everything that follows from them is
//! derived again, hash tables foremost, so that no file can hold one that lies or never ends.
//!
//! A loaded automaton is checked before anybody sees it: every number is inside of the table that it indexes, ranges that
//! partition a table do so, and nothing leads back to where it came from. A file that was made to deceive can
//! therefore only mean other rules than its maker says.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use super::intern::HashIndex;
use super::{
    Automaton, Bucket, Clause, FieldEntry, Item, Kind, Kinds, List, MAX_FIELDS, NONE, Pack, Sieve, block_operand,
    build, range_operand,
};
use crate::base::Seeded;
use crate::limit::Limits;
use crate::value::{Fold, Wildcard};

/// Stored bytes that make no sense: where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Broken(pub(crate) &'static str);

/// An error unless the condition holds.
pub(super) fn require(holds: bool, what: &'static str) -> Result<(), Broken> {
    if holds { Ok(()) } else { Err(Broken(what)) }
}

/// Stored bytes that are still to be read.
pub(crate) struct Input<'a> {
    rest: &'a [u8],
    /// Of the hash tables: nobody who wrote the bytes can know it.
    pub(super) seeded: Seeded,
}

impl<'a> Input<'a> {
    pub(crate) fn new(bytes: &'a [u8], seeded: Seeded) -> Input<'a> {
        Input { rest: bytes, seeded }
    }

    pub(super) fn take(&mut self, count: usize) -> Result<&'a [u8], Broken> {
        let (taken, rest) = self.rest.split_at_checked(count).ok_or(Broken("a table is cut off"))?;
        self.rest = rest;
        Ok(taken)
    }

    fn word(&mut self) -> Result<u32, Broken> {
        let word = self.take(4)?.try_into().map_err(|_| Broken("a table is cut off"))?;
        Ok(u32::from_le_bytes(word))
    }

    pub(crate) fn end(&self) -> Result<(), Broken> {
        require(self.rest.is_empty(), "there are bytes behind the last table")
    }
}

/// What a table takes on the heap.
pub(super) trait Heap {
    fn heap(&self) -> usize;
}

impl<T: Heap> Heap for Vec<T> {
    fn heap(&self) -> usize {
        self.capacity() * size_of::<T>() + self.iter().map(Heap::heap).sum::<usize>()
    }
}

macro_rules! nothing_on_the_heap {
    ($($type:ty),*) => {$(impl Heap for $type { fn heap(&self) -> usize { 0 } })*};
}
nothing_on_the_heap!(u8, u32, u64, usize, (u32, u32), List, Bucket, Item, Clause, FieldEntry, Sieve);

macro_rules! knows_its_heap {
    ($($type:ty),*) => {$(impl Heap for $type { fn heap(&self) -> usize { self.memory_usage() } })*};
}
knows_its_heap!(super::FieldTrie, super::Interner, HashIndex, Pack, Wildcard, Fold);

/// A table that is stored.
pub(super) trait Table: Sized {
    fn save(&self, to: &mut Vec<u8>);
    /// Reads it, and checks what can be checked without other tables.
    fn load(from: &mut Input<'_>) -> Result<Self, Broken>;
}

/// An entry of a table, as a few words.
pub(super) trait Flat: Sized {
    fn save_all(entries: &[Self], to: &mut Vec<u8>);
    fn load_all(count: usize, from: &mut Input<'_>) -> Result<Vec<Self>, Broken>;
}

impl<T: Flat> Table for Vec<T> {
    fn save(&self, to: &mut Vec<u8>) {
        // INVARIANT: ids of all tables fit in 32 bits, and so do their lengths.
        (self.len() as u32).save(to);
        T::save_all(self, to);
    }

    fn load(from: &mut Input<'_>) -> Result<Vec<T>, Broken> {
        let count = from.word()?;
        T::load_all(count as usize, from)
    }
}

impl Table for u32 {
    fn save(&self, to: &mut Vec<u8>) {
        to.extend_from_slice(&self.to_le_bytes());
    }

    fn load(from: &mut Input<'_>) -> Result<u32, Broken> {
        from.word()
    }
}

impl Flat for u8 {
    fn save_all(entries: &[u8], to: &mut Vec<u8>) {
        to.extend_from_slice(entries);
    }

    fn load_all(count: usize, from: &mut Input<'_>) -> Result<Vec<u8>, Broken> {
        from.take(count).map(<[u8]>::to_vec)
    }
}

/// Says which words an entry is stored as, and how it is made of them.
macro_rules! flat {
    ($($type:ty: $count:literal, |$entry:ident| [$($word:expr),*], |[$($name:ident),*]| $make:expr;)*) => {$(
        impl Flat for $type {
            fn save_all(entries: &[$type], to: &mut Vec<u8>) {
                to.reserve(entries.len() * $count * 4);
                for $entry in entries {
                    let words: [u32; $count] = [$($word),*];
                    to.extend_from_slice(words.map(u32::to_le_bytes).as_flattened());
                }
            }

            fn load_all(count: usize, from: &mut Input<'_>) -> Result<Vec<$type>, Broken> {
                let bytes = from.take(count.checked_mul($count * 4).ok_or(Broken("a table is cut off"))?)?;
                let entries = bytes.as_chunks::<4>().0.as_chunks::<$count>().0.iter();
                Ok(entries.map(|words| { let [$($name),*] = words.map(u32::from_le_bytes); $make }).collect())
            }
        }
    )*};
}

pub(super) use flat;

flat! {
    u32: 1, |word| [*word], |[word]| word;
    (u32, u32): 2, |pair| [pair.0, pair.1], |[first, second]| (first, second);
    List: 3, |list| [list.field, list.end, list.bucket],
        |[field, end, bucket]| List { field, start: 0, others: 0, end, kinds: Kinds(0), bucket, pack: NONE };
    Bucket: 6, |b| [b.items, b.items_end, b.dispatch, b.dispatch_end, b.children, b.children_end],
        |[items, items_end, dispatch, dispatch_end, children, children_end]|
        Bucket { items, items_end, dispatch, dispatch_end, children, children_end };
    Item: 2, |item| [item.branch, item.remainder], |[branch, remainder]| Item { branch, remainder, first: NONE, pattern: NONE };
}

/// All tables of the automaton: those that are stored, in this order, and those that follow from them. A table that is
/// added is added here.
macro_rules! tables {
    (stored: $($stored:ident),*; derived: $($derived:ident),*; set: $($set:ident = $value:expr),*;) => {
        impl Automaton {
            /// Appends the stored form.
            pub(crate) fn save(&self, to: &mut Vec<u8>) {
                $(self.$stored.save(to);)*
            }

            fn stored(from: &mut Input<'_>) -> Result<Automaton, Broken> {
                Ok(Automaton {
                    $($stored: Table::load(from)?,)*
                    $($derived: Default::default(),)*
                    $($set: $value,)*
                })
            }

            /// Bytes of all tables on the heap.
            pub(crate) fn memory_usage(&self) -> usize {
                0 $(+ self.$stored.heap())* $(+ self.$derived.heap())*
            }
        }
    };
}

tables! {
    stored: trie, tests, lists, list_tests, buckets, items, dispatch_fields, via, first_via, always,
        remainder_ends, remainder_lists, branch_ends, branch_lists, branch_clause, pattern_ends;
    derived: fields, side, wildcards, folds, packs, doors, postings, present_lists, negative_lists, sieves, exclusion_ends,
        exclusions, absent_lists, dispatch, clauses, clause_branches;
    set: identity = next_identity(), join_steps = 0;
}

/// A number for each automaton, never twice the same in one process.
pub(super) fn next_identity() -> u64 {
    static IDENTITY: AtomicU64 = AtomicU64::new(1);
    IDENTITY.fetch_add(1, Ordering::Relaxed)
}

impl Automaton {
    /// Reads the stored form.
    pub(crate) fn load(from: &mut Input<'_>, limits: &Limits) -> Result<Automaton, Broken> {
        let mut automaton = Automaton::stored(from)?;
        automaton.join_steps = limits.join_steps;
        let fields = automaton.trie.node(0).below as usize;
        require(fields < MAX_FIELDS, "there are too many fields")?;
        automaton.fields = vec![FieldEntry::EMPTY; fields];
        automaton.restore_tests()?;
        automaton.restore_lists()?;
        automaton.restore_patterns()?;
        automaton.restore_buckets()?;
        build::derive(&mut automaton).ok_or(Broken("two dispatches are the same"))?;
        Ok(automaton)
    }

    /// Checks operands, and makes what stands beside them.
    fn restore_tests(&mut self) -> Result<(), Broken> {
        const TEXT: Broken = Broken("a text of a test is not valid");
        const OPERAND: &str = "an operand of a test is not valid";
        self.side = vec![NONE; self.tests.len()];
        for (id, side) in (0..).zip(&mut self.side) {
            let (owner, operand) = (self.tests.owner(id), self.tests.get(id));
            require(((owner >> 5) as usize) < self.fields.len(), "a test has no field")?;
            let kind = *Kind::ALL.get((owner & 31) as usize).ok_or(Broken("a test has no kind"))?;
            let text = || std::str::from_utf8(operand).map_err(|_| TEXT);
            match kind {
                Kind::Text
                | Kind::Spelling
                | Kind::Prefix
                | Kind::Suffix
                | Kind::Lower
                | Kind::LowerPrefix
                | Kind::LowerSuffix => {}
                Kind::True | Kind::False | Kind::Null | Kind::Present | Kind::Absent => {
                    require(operand.is_empty(), OPERAND)?;
                }
                Kind::Number => require(operand.len() == 8, OPERAND)?,
                Kind::Address => require(operand.len() == 17, OPERAND)?,
                Kind::Range => require(operand.len() == 16 && range_operand(operand).is_some(), OPERAND)?,
                Kind::Block => require(operand.len() == 33 && block_operand(operand).is_some(), OPERAND)?,
                Kind::Fold | Kind::FoldPrefix | Kind::FoldSuffix => {
                    *side = self.folds.len() as u32;
                    self.folds.push(Fold::new(text()?));
                }
                Kind::Wildcard => {
                    *side = self.wildcards.len() as u32;
                    self.wildcards.push(Wildcard::parse(text()?).map_err(|_| TEXT)?);
                }
                Kind::Not => *side = operand.try_into().map(u32::from_le_bytes).map_err(|_| Broken(OPERAND))?,
            }
        }
        Ok(())
    }

    /// Finds the parts of each list, and checks that its tests are of its field.
    fn restore_lists(&mut self) -> Result<(), Broken> {
        const WHAT: &str = "a list of tests is not valid";
        let mut lists = std::mem::take(&mut self.lists);
        let mut start = 0;
        for list in &mut lists {
            let tests = self.list_tests.get(start as usize..list.end as usize).ok_or(Broken(WHAT))?;
            require((list.field as usize) < self.fields.len(), WHAT)?;
            list.start = start;
            let mut before = None;
            let mut exact = 0;
            for test in tests {
                require((*test as usize) < self.tests.len() && self.tests.owner(*test) >> 5 == list.field, WHAT)?;
                let kind = self.kind(*test);
                exact += u32::from(kind.is_exact());
                list.kinds.add(kind);
                // Those decided by look-up come first; both kinds ascend.
                let place = (!kind.is_exact(), *test);
                require(before < Some(place), WHAT)?;
                before = Some(place);
            }
            list.others = start + exact;
            start = list.end;
        }
        require(start as usize == self.list_tests.len(), WHAT)?;
        for (test, side) in (0..).zip(&self.side) {
            if self.kind(test) == Kind::Not {
                // What is excluded are plain tests of the same field: excluding ends there.
                let excluded = lists.get(*side as usize).ok_or(Broken(WHAT))?;
                require(excluded.kinds.positive() && excluded.field == self.tests.owner(test) >> 5, WHAT)?;
            }
        }
        self.lists = lists;
        Ok(())
    }

    fn restore_patterns(&mut self) -> Result<(), Broken> {
        const WHAT: &str = "a pattern is not valid";
        let lists = self.lists.len() as u32;
        let below = |table: &[u32], end: u32| require(table.iter().all(|entry| *entry < end), WHAT);
        partition(&self.branch_ends, self.branch_lists.len(), WHAT)?;
        below(&self.branch_lists, lists)?;
        partition(&self.remainder_ends, self.remainder_lists.len(), WHAT)?;
        below(&self.remainder_lists, lists)?;
        require(self.branch_clause.len() == self.branch_ends.len() && self.branch_clause.is_sorted(), WHAT)?;
        let clauses = self.pattern_ends.last().copied().unwrap_or(0);
        partition(&self.pattern_ends, clauses as usize, WHAT)?;
        // Each clause has a branch, so that there are no more clauses than bytes.
        require(self.branch_clause.last().map_or(0, |last| last.saturating_add(1)) == clauses, WHAT)?;
        let next = |pair: &[u32]| matches!(pair, [left, right] if right - left <= 1);
        require(self.branch_clause.first().is_none_or(|first| *first == 0), WHAT)?;
        require(self.branch_clause.windows(2).all(next), WHAT)?;
        let mut start = 0;
        for (pattern, end) in (0..).zip(&self.pattern_ends) {
            require(*end > start, WHAT)?;
            self.clauses.extend((start..*end).map(|_| Clause { pattern }));
            start = *end;
        }
        Ok(())
    }

    fn restore_buckets(&mut self) -> Result<(), Broken> {
        const WHAT: &str = "a bucket is not valid";
        let (roots, buckets) = (self.first_via, self.buckets.len() as u32);
        require(roots <= buckets && self.via.len() as u32 == buckets - roots, WHAT)?;
        require(self.always == NONE || self.always < roots, WHAT)?;
        require(self.lists.iter().all(|list| list.bucket == NONE || list.bucket < roots), WHAT)?;
        require(self.dispatch_fields.iter().all(|field| (*field as usize) < self.fields.len()), WHAT)?;
        let inside = |range: Range<u32>, table: usize| range.start <= range.end && range.end as usize <= table;
        // Ranges are all inside, and together no longer than what they are ranges of.
        let (mut items, mut dispatches, mut children) = (0, 0, 0);
        for (id, bucket) in (0..).zip(&self.buckets) {
            require(inside(bucket.items..bucket.items_end, self.items.len()), WHAT)?;
            require(inside(bucket.dispatch..bucket.dispatch_end, self.dispatch_fields.len()), WHAT)?;
            require(inside(bucket.children..bucket.children_end, self.buckets.len()), WHAT)?;
            items += (bucket.items_end - bucket.items) as usize;
            dispatches += (bucket.dispatch_end - bucket.dispatch) as usize;
            for child in bucket.children..bucket.children_end {
                let via = child.checked_sub(roots).and_then(|place| self.via.get(place as usize));
                let (from, test) = *via.ok_or(Broken(WHAT))?;
                require(from == id && id < child && (test as usize) < self.tests.len(), WHAT)?;
                require(self.kind(test).is_value(), WHAT)?;
                children += 1;
            }
        }
        let all = (self.items.len(), self.dispatch_fields.len(), self.via.len());
        require((items, dispatches, children) == all, WHAT)?;
        let (branches, remainders) = (self.branch_ends.len() as u32, self.remainder_ends.len() as u32);
        let mut placed = vec![false; self.branch_ends.len()];
        let plain = self.clauses.len() == self.pattern_ends.len();
        let mut items = std::mem::take(&mut self.items);
        for item in &mut items {
            require(item.branch < branches && item.remainder < remainders, WHAT)?;
            // Where no pattern has several clauses, clauses are numbered as patterns are.
            item.pattern = match self.branch_clause.get(item.branch as usize) {
                Some(clause) if plain => *clause,
                _ => self.pattern_of_whole(item.branch),
            };
            if let Some(placed) = placed.get_mut(item.branch as usize) {
                *placed = true;
            }
        }
        self.items = items;
        require(placed.into_iter().all(|placed| placed), "a branch is in no bucket")
    }
}

/// Ends that ascend to the end of a table.
fn partition(ends: &[u32], length: usize, what: &'static str) -> Result<(), Broken> {
    require(ends.is_sorted() && ends.last().map_or(0, |end| *end as usize) == length, what)
}
