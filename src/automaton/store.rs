//! Automata to bytes and back. What is stored are the tables that are costly to find; everything that follows from them
//! is derived again, above all hash tables, so no file can contain a forged or endless one.
//!
//! A loaded automaton is checked before anybody sees it: every number is inside the table that it indexes, ranges that
//! partition a table do so, and nothing leads back to where it came from. A file that was made to deceive can
//! therefore only mean other rules than its maker says.

use super::build::assemble;
use super::codec::{Broken, Flat, Input, Stored, flat, require};
use super::ids::{BranchId, BucketId, FieldId, RemainderId};
use super::kind::{Kind, Kinds, Owner};
use super::tables::{Automaton, Bucket, Buckets, Item, List, Lists, Patterns, Via};
use super::test::Tests;
use super::trie::FieldTrie;
use crate::base::{Id, Key, Optional, Run, Table, fits};
use crate::limit::Limits;

flat! {
    [] List: 3, |list| [list.field.raw(), list.end, list.bucket.to_word()],
        |[field, end, bucket]| List {
            field: FieldId::from_raw(field),
            start: 0,
            others: 0,
            end,
            kinds: Kinds::default(),
            bucket: Optional::from_word(bucket),
            set: Optional::NONE,
        };
    [] Bucket: 7,
        |b| [b.items.start, b.items.end, b.children.start, b.children.end, b.dispatch.raw(), b.via.from.raw(), b.via.by.raw()],
        |[items, items_end, children, children_end, dispatch, from, by]| Bucket {
            items: Run::new(items, items_end),
            children: Run::new(children, children_end),
            dispatch: Id::from_raw(dispatch),
            known: Id::FIRST,
            via: Via { from: Id::from_raw(from), by: Id::from_raw(by) },
        };
    [] Item: 2, |item| [item.branch.raw(), item.remainder.raw()], |[branch, remainder]| Item {
            branch: BranchId::from_raw(branch),
            remainder: RemainderId::from_raw(remainder),
            first: Optional::NONE,
            pattern: Optional::NONE,
        };
}

impl Automaton {
    /// Appends the stored form.
    pub(crate) fn save(&self, to: &mut Vec<u8>) {
        let Automaton { trie, tests, lists, buckets, patterns, .. } = self;
        trie.save(to);
        tests.save(to);
        lists.lists.save(to);
        lists.tests.save(to);
        buckets.buckets.save(to);
        buckets.items.save(to);
        buckets.dispatch_fields.save(to);
        buckets.first_via.save(to);
        buckets.always.save(to);
        buckets.remainders.save(to);
        patterns.branches.save(to);
        patterns.stored_clauses().save(to);
        patterns.stored_ends().save(to);
    }

    /// Reads the stored form.
    pub(crate) fn load(from: &mut Input<'_>, limits: &Limits) -> Result<Automaton, Broken> {
        let trie = FieldTrie::load(from)?;
        require(trie.fields() < Owner::MAX_FIELDS, "there are too many fields")?;
        let tests = Tests::load(from, trie.fields())?;
        let mut lists = Lists { lists: Stored::load(from)?, tests: Stored::load(from)? };
        let mut buckets = Buckets {
            buckets: Stored::load(from)?,
            items: Stored::load(from)?,
            dispatch_fields: Stored::load(from)?,
            first_via: Stored::load(from)?,
            always: Stored::load(from)?,
            remainders: Stored::load(from)?,
            ..Buckets::default()
        };
        let mut patterns = Patterns {
            branches: Stored::load(from)?,
            clause_of: Stored::load(from)?,
            ends: Stored::load(from)?,
            ..Patterns::default()
        };
        restore_lists(&mut lists, &tests, trie.fields())?;
        restore_patterns(&mut patterns, &lists)?;
        restore_buckets(&mut buckets, &tests, &lists, &patterns, trie.fields())?;
        assemble(trie, tests, lists, buckets, patterns, limits.join_steps).ok_or(Broken("two dispatches are the same"))
    }
}

/// Finds the parts of each list, and checks that its tests are of its field.
fn restore_lists(lists: &mut Lists, tests: &Tests, fields: usize) -> Result<(), Broken> {
    const WHAT: &str = "a list of tests is not valid";
    let Lists { lists, tests: all } = lists;
    require(fits(lists.len()) && fits(all.len()), WHAT)?;
    let mut start = 0;
    for list in lists.iter_mut() {
        require(start <= list.end && list.end as usize <= all.len(), WHAT)?;
        require((list.field.raw() as usize) < fields, WHAT)?;
        list.start = start;
        let mut before = None;
        let mut exact = 0;
        for test in &all[Run::new(start, list.end)] {
            require((test.raw() as usize) < tests.len() && tests.field(*test) == list.field, WHAT)?;
            let kind = tests.kind(*test);
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
    require(start as usize == all.len(), WHAT)?;
    for test in tests.ids().filter(|test| tests.kind(*test) == Kind::Not) {
        // What is excluded are plain tests of the same field: excluding ends there.
        let excluded = lists.checked(tests.excluded(test)).ok_or(Broken(WHAT))?;
        require(excluded.kinds.positive() && excluded.field == tests.field(test), WHAT)?;
    }
    Ok(())
}

fn restore_patterns(patterns: &mut Patterns, lists: &Lists) -> Result<(), Broken> {
    const WHAT: &str = "a pattern is not valid";
    let Patterns { branches, clause_of, ends, pattern_of, .. } = patterns;
    partition(&branches.ends, branches.entries.len(), WHAT)?;
    require(branches.entries.iter().all(|list| (list.raw() as usize) < lists.len()), WHAT)?;
    require(clause_of.len() == branches.len() && clause_of.as_slice().is_sorted(), WHAT)?;
    let clauses = ends.as_slice().last().copied().unwrap_or(0);
    partition(ends, clauses as usize, WHAT)?;
    // Each clause has a branch, so there are no more clauses than bytes.
    let first_free = clause_of.as_slice().last().map_or(0, |last| last.raw().saturating_add(1));
    require(first_free == clauses, WHAT)?;
    let next = |pair: &[Id<_>]| matches!(pair, [left, right] if right.raw() - left.raw() <= 1);
    require(clause_of.as_slice().first().is_none_or(|first| first.raw() == 0), WHAT)?;
    require(clause_of.as_slice().windows(2).all(next), WHAT)?;
    let mut start = 0;
    for (pattern, end) in ends.enumerate() {
        require(*end > start, WHAT)?;
        pattern_of.push_all((start..*end).map(|_| pattern));
        start = *end;
    }
    Ok(())
}

fn restore_buckets(
    buckets: &mut Buckets,
    tests: &Tests,
    lists: &Lists,
    patterns: &Patterns,
    fields: usize,
) -> Result<(), Broken> {
    const WHAT: &str = "a bucket is not valid";
    partition(&buckets.remainders.ends, buckets.remainders.entries.len(), WHAT)?;
    require(buckets.remainders.entries.iter().all(|list| (list.raw() as usize) < lists.len()), WHAT)?;
    let (roots, count) = (buckets.first_via.raw(), buckets.buckets.len());
    require(Buckets::fit(count, lists), WHAT)?;
    require(roots as usize <= count, WHAT)?;
    require(buckets.always.get().is_none_or(|always| always < buckets.first_via), WHAT)?;
    require(lists.lists.iter().all(|list| list.bucket.get().is_none_or(|bucket| bucket < buckets.first_via)), WHAT)?;
    let dispatch = &buckets.dispatch_fields;
    partition(&dispatch.ends, dispatch.entries.len(), WHAT)?;
    require(dispatch.entries.iter().all(|field| (field.raw() as usize) < fields), WHAT)?;
    // Ranges are all inside, and together no longer than what they are ranges of.
    let (mut items, mut children) = (0, 0);
    for (id, bucket) in buckets.buckets.enumerate() {
        require(inside(bucket.items, buckets.items.len()), WHAT)?;
        require(inside(bucket.children, count), WHAT)?;
        // Sequences are shared: each must be paid for by the buckets that it leads to.
        require((bucket.dispatch.raw() as usize) < dispatch.len(), WHAT)?;
        require(dispatch[bucket.dispatch].len() <= bucket.children.len(), WHAT)?;
        items += bucket.items.len();
        for child in bucket.children.ids() {
            let Via { from, by } = buckets.via(child).ok_or(Broken(WHAT))?;
            require(from == id && id < child && (by.raw() as usize) < tests.len(), WHAT)?;
            require(tests.kind(by).is_value(), WHAT)?;
            children += 1;
        }
    }
    require((items, children) == (buckets.items.len(), count - roots as usize), WHAT)?;
    require(are_shallow(buckets), WHAT)?;
    let (branches, remainders) = (patterns.branches.len(), buckets.remainders.len());
    let mut placed: Table<BranchId, bool> = Table::filled(branches, false);
    for item in buckets.items.iter_mut() {
        let known = (item.branch.raw() as usize) < branches && (item.remainder.raw() as usize) < remainders;
        require(known, WHAT)?;
        item.pattern = patterns.pattern_of_whole(item.branch);
        placed[item.branch] = true;
    }
    require(placed.iter().all(|placed| *placed), "a branch is in no bucket")
}

/// Whether no bucket is deeper than those that are built: the fields on the way to each are written down.
fn are_shallow(buckets: &Buckets) -> bool {
    let mut depths: Table<BucketId, u8> = Table::filled(buckets.buckets.len(), 0);
    buckets.reached().all(|(bucket, via)| {
        // It comes after the one that leads to it.
        depths[bucket] = depths[via.from] + 1;
        depths[bucket] <= Buckets::DEEPEST
    })
}

fn inside<I: Key>(run: Run<I>, count: usize) -> bool {
    run.start <= run.end && run.end as usize <= count
}

/// Ends that ascend to the end of a table.
fn partition<I: Key>(ends: &Table<I, u32>, length: usize, what: &'static str) -> Result<(), Broken> {
    let ends = ends.as_slice();
    require(ends.is_sorted() && ends.last().map_or(0, |end| *end as usize) == length, what)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::automaton::tables::Bucket;

    /// A forged chain of buckets would need memory with the square of its length.
    #[test]
    fn chains_of_buckets_end() {
        let chain = |length: u8| {
            let mut buckets = Buckets { first_via: BucketId::from_raw(1), ..Buckets::default() };
            buckets.buckets.push(Bucket::default());
            for from in 0..u32::from(length) {
                let via = Via { from: BucketId::from_raw(from), ..Via::default() };
                buckets.buckets.push(Bucket { via, ..Bucket::default() });
            }
            buckets
        };
        assert!(are_shallow(&chain(0)) && are_shallow(&chain(Buckets::DEEPEST)));
        assert!(!are_shallow(&chain(Buckets::DEEPEST + 1)) && !are_shallow(&chain(255)));
    }
}
