//! Automata to bytes and back. What is stored are the tables that are costly to find; everything that follows from them
//! is derived again, above all hash tables, so no file can contain a forged or endless one.
//!
//! A loaded automaton is checked before anybody sees it: every number is inside the table that it indexes, ranges that
//! partition a table do so, and nothing leads back to where it came from. A file that was made to deceive can
//! therefore only mean other rules than its maker says.

use super::build::assemble;
use super::codec::{Broken, Flat, Input, Stored, flat, require};
use super::ids::{BranchId, BucketId, ClauseId, FieldId, ItemId, ListId};
use super::kind::{Kind, Kinds, Owner};
use super::loose::{List, Lists};
use super::tables::{Automaton, Bucket, Buckets, Item, Patterns, Via};
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
            via: Via { from: Id::from_raw(from), by: Id::from_raw(by) },
        };
}

impl Automaton {
    /// Appends the stored form.
    pub(crate) fn save(&self, to: &mut Vec<u8>) {
        let Automaton { trie, tests, lists, buckets, patterns, .. } = self;
        trie.save(to);
        tests.save(to);
        let lists = lists.stored(&buckets.entries);
        lists.lists.save(to);
        lists.tests.save(to);
        buckets.buckets.save(to);
        stored_items(buckets, patterns).save(to);
        buckets.dispatch_fields.save(to);
        buckets.first_via.save(to);
        buckets.always.save(to);
        patterns.ranks.save(to);
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
        let buckets: Table<BucketId, Bucket> = Stored::load(from)?;
        let items: Table<ItemId, (u32, u32)> = Stored::load(from)?;
        let mut buckets = Buckets {
            buckets,
            dispatch_fields: Stored::load(from)?,
            first_via: Stored::load(from)?,
            always: Stored::load(from)?,
            ..Buckets::default()
        };
        let mut patterns = Patterns {
            ranks: Stored::load(from)?,
            branches: Stored::load(from)?,
            clause_of: Stored::load(from)?,
            ends: Stored::load(from)?,
            ..Patterns::default()
        };
        restore_lists(&mut lists, &tests, trie.fields())?;
        restore_patterns(&mut patterns, &lists, trie.fields())?;
        restore_items(&mut buckets, &items, &patterns)?;
        restore_buckets(&buckets, &tests, &lists, trie.fields())?;
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

fn restore_patterns(patterns: &mut Patterns, lists: &Lists, fields: usize) -> Result<(), Broken> {
    const WHAT: &str = "a pattern is not valid";
    let Patterns { branches, clause_of, ends, pattern_of, ranks, .. } = patterns;
    // Equal ranks would only change the order of evaluation.
    require(ranks.len() == fields, WHAT)?;
    partition(&branches.ends, branches.entries.len(), WHAT)?;
    require(branches.entries.iter().all(|list| (list.raw() as usize) < lists.len()), WHAT)?;
    require(clause_of.len() == branches.len(), WHAT)?;
    let clauses = ends.as_slice().last().copied().unwrap_or(0);
    partition(ends, clauses as usize, WHAT)?;
    // Each clause has a branch, so there are no more clauses than branches.
    require(clauses as usize <= branches.len(), WHAT)?;
    let mut chosen: Table<ClauseId, bool> = Table::filled(clauses as usize, false);
    for clause in clause_of.iter() {
        *chosen.checked_mut(*clause).ok_or(Broken(WHAT))? = true;
    }
    require(chosen.iter().all(|chosen| *chosen), WHAT)?;
    let mut start = 0;
    for (pattern, end) in ends.enumerate() {
        require(*end > start, WHAT)?;
        pattern_of.push_all((start..*end).map(|_| pattern));
        start = *end;
    }
    Ok(())
}

/// The branch of each item, and how many of its lists led there.
fn stored_items(buckets: &Buckets, patterns: &Patterns) -> Table<ItemId, (u32, u32)> {
    let stored = |item: &Item| {
        let lists = patterns.lists_of(item.branch).len() - patterns.left_of(item).len();
        // INVARIANT: there are fewer lists than ids.
        (item.branch.raw(), lists as u32)
    };
    buckets.items.iter().map(stored).collect()
}

fn restore_items(buckets: &mut Buckets, items: &Table<ItemId, (u32, u32)>, patterns: &Patterns) -> Result<(), Broken> {
    const WHAT: &str = "a bucket is not valid";
    let branches = patterns.branches.len();
    let mut placed: Table<BranchId, bool> = Table::filled(branches, false);
    for (branch, done) in items.iter() {
        require((*branch as usize) < branches, WHAT)?;
        // Otherwise an event would walk a long branch once for each item that names only its end.
        require(*done as usize <= Buckets::MOST_LEADING, WHAT)?;
        let branch = BranchId::from_raw(*branch);
        let first: Option<ListId> = patterns.lists_of(branch).get(*done as usize).copied();
        buckets.items.push(Item { branch, first: first.into() });
        placed[branch] = true;
    }
    require(placed.iter().all(|placed| *placed), "a branch is missing from the buckets")
}

fn restore_buckets(buckets: &Buckets, tests: &Tests, lists: &Lists, fields: usize) -> Result<(), Broken> {
    const WHAT: &str = "a bucket is not valid";
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
    require((items, children) == (buckets.items.len(), count - roots as usize), WHAT)
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

    /// A forged item at the end of a long branch would have the whole branch gone through, again and again.
    #[test]
    fn items_begin_near_the_first_list() {
        let mut patterns = Patterns::default();
        patterns.branches.entries.push_all((0..100).map(ListId::from_raw));
        let _: BranchId = patterns.branches.end_run();
        let restored = |done: u32| {
            let mut buckets = Buckets::default();
            let items: Table<ItemId, (u32, u32)> = vec![(0, done)].into();
            restore_items(&mut buckets, &items, &patterns).ok()?;
            Some(patterns.left_of(buckets.items.iter().next()?).len())
        };
        assert_eq!(restored(0), Some(100));
        assert_eq!(restored(32), Some(68));
        assert_eq!((restored(33), restored(99), restored(u32::MAX)), (None, None, None));
    }
}
