//! From tests to the lists that are entries, and from fields to the tables that their scalars are looked up in.

use super::exclusions::{self, Excludes};
use crate::automaton::ids::{BucketId, FieldId, ListId, SetId, TestId};
use crate::automaton::kind::Kind;
use crate::automaton::loose::Lists;
use crate::automaton::sets::{OperandSet, OperandSetBuilder};
use crate::automaton::tables::{Entries, FieldEntry, Opened, Opens, filter_bit};
use crate::automaton::test::Tests;
use crate::base::{Id, Key, Optional, Run, Table};

/// Indexes all entries. The sets of operands that fields need are added to `sets`.
pub(super) fn index(tests: &Tests, lists: &Lists, fields: usize, sets: &mut Table<SetId, OperandSet>) -> Entries {
    let mut entries = Entries { fields: Table::filled(fields, FieldEntry::EMPTY), ..Entries::default() };
    let mut opens: Vec<(TestId, BucketId)> = Vec::new();
    let mut present: Vec<(FieldId, ListId)> = Vec::new();
    let mut excluding: Vec<(FieldId, Excludes, ListId)> = Vec::new();
    let mut looked_up: Vec<(FieldId, TestId)> = Vec::new();
    for (id, list) in lists.lists.enumerate() {
        let field = &mut entries.fields[list.field];
        field.kinds |= list.kinds;
        let Some(bucket) = list.bucket.get() else { continue };
        if list.kinds.has(Kind::Absent) {
            entries.absent_lists.push(id);
        } else if let Some(excludes) = exclusions::of(tests, lists, list) {
            excluding.push((list.field, excludes, id));
        } else if list.kinds.has(Kind::Present) || list.kinds.has(Kind::Not) {
            present.push((list.field, id));
        } else {
            opens.extend(lists.tests_of(list).iter().map(|test| (*test, bucket)));
            field.entries |= list.kinds;
            looked_up.extend(lists.other_tests(list).iter().map(|test| (list.field, *test)));
        }
    }
    for test in tests.ids().filter(|test| tests.kind(*test).is_exact()) {
        entries.fields[tests.field(test)].filter |= filter_bit(tests.operand(test));
    }
    for field in entries.fields.iter_mut() {
        field.values_only = field.kinds.values_only();
        field.complete = field.kinds.positive();
    }
    for list in lists.lists.iter().filter(|list| list.bucket.is_none()) {
        entries.fields[list.field].complete = false;
    }
    (entries.opens, entries.opened) = place(tests.len(), &opens);
    exclusions::index(tests, lists, excluding, sets, &mut entries);
    present.sort_unstable();
    for group in present.chunk_by(|left, right| left.0 == right.0) {
        let run = entries.present_lists.push_all(group.iter().map(|pair| pair.1));
        if let Some((field, _)) = group.first() {
            entries.fields[*field].present = run;
        }
    }
    looked_up.sort_unstable();
    looked_up.dedup();
    for group in looked_up.chunk_by(|left, right| left.0 == right.0) {
        let set = OperandSetBuilder::of(tests, group.iter().map(|pair| pair.1)).build();
        if let Some((field, _)) = group.first() {
            entries.fields[*field].set = Optional::some(sets.push(set));
        }
    }
    entries
}

/// Writes down which buckets each test opens. Counted, not sorted: tests are dense, and there are many.
fn place(tests: usize, pairs: &[(TestId, BucketId)]) -> (Table<TestId, Opens>, Table<Id<Opened>, Opened>) {
    let mut runs: Table<TestId, Run<Id<Opened>>> = Table::filled(tests, Run::EMPTY);
    for (test, _) in pairs {
        runs[*test].end += 1;
    }
    let mut places = 0;
    for run in runs.iter_mut().filter(|run| run.end > 1) {
        (run.start, run.end, places) = (places, places + run.end, places + run.end);
    }
    let mut opens = Table::filled(tests, Opens::NOTHING);
    let mut opened = Table::filled(places as usize, Opened::new(BucketId::FIRST, false));
    for (test, bucket) in pairs {
        let run = &mut runs[*test];
        if (run.start, run.end) == (0, 1) {
            opens[*test] = Opens::one(*bucket);
            continue;
        }
        if opens[*test].is_nothing() {
            opens[*test] = Opens::several(run.start);
        }
        opened[Id::from_raw(run.start)] = Opened::new(*bucket, run.start + 1 == run.end);
        run.start += 1;
    }
    (opens, opened)
}
