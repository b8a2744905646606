//! Entries that are one `anything-but`: a scalar's exclusions show which of them are not satisfied, without testing
//! each.

use crate::automaton::ids::{FieldId, ListId, SetId, TestId};
use crate::automaton::kind::{Kind, Kinds};
use crate::automaton::loose::{List, Lists};
use crate::automaton::sets::{OperandSet, OperandSetBuilder};
use crate::automaton::tables::{Entries, OtherExclusions};
use crate::automaton::test::Tests;
use crate::base::{Key, Optional, Table};

/// How an entry excludes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Excludes {
    /// By whole values.
    Values,
    /// By affixes, case, wildcards or blocks of addresses.
    Others,
}

/// How a list excludes, if it is one `anything-but` and nothing else.
pub(super) fn of(tests: &Tests, lists: &Lists, list: &List) -> Option<Excludes> {
    let excluded = excluded(tests, lists, list)?;
    let values = excluded.iter().filter(|test| tests.kind(**test).is_value()).count();
    match values {
        0 => Some(Excludes::Others),
        _ if values == excluded.len() => Some(Excludes::Values),
        // Seldom enough to be decided one by one.
        _ => None,
    }
}

/// What a list excludes, if it is one `anything-but` and nothing else.
fn excluded<'a>(tests: &Tests, lists: &'a Lists, list: &List) -> Option<&'a [TestId]> {
    let [test] = *lists.tests_of(list) else { return None };
    (tests.kind(test) == Kind::Not).then(|| lists.tests_of(&lists[tests.excluded(test)]))
}

/// Sorts such entries by what they exclude.
pub(super) fn index(
    tests: &Tests,
    lists: &Lists,
    mut excluding: Vec<(FieldId, Excludes, ListId)>,
    sets: &mut Table<SetId, OperandSet>,
    entries: &mut Entries,
) {
    excluding.sort_unstable();
    let mut pairs: Vec<(TestId, ListId)> = Vec::new();
    for group in excluding.chunk_by(|left, right| (left.0, left.1) == (right.0, right.1)) {
        let Some((field, excludes, _)) = group.first().copied() else { continue };
        let first_pair = pairs.len();
        for (_, _, id) in group {
            // INVARIANT: `of` chose the lists that are one `anything-but`.
            let excluded = excluded(tests, lists, &lists[*id]).unwrap_or_else(|| unreachable!("an `anything-but`"));
            pairs.extend(excluded.iter().map(|test| (*test, *id)));
        }
        let run = entries.excluding_lists.push_all(group.iter().map(|entry| entry.2));
        if excludes == Excludes::Values {
            entries.fields[field].excluding_values = run;
            continue;
        }
        let mut excluded: Vec<TestId> = pairs.iter().skip(first_pair).map(|pair| pair.0).collect();
        excluded.sort_unstable();
        excluded.dedup();
        let mut kinds = Kinds::default();
        excluded.iter().for_each(|test| kinds.add(tests.kind(*test)));
        let set = sets.push(OperandSetBuilder::of(tests, excluded.into_iter()).build());
        entries.fields[field].excluding_others =
            Optional::some(entries.others.push(OtherExclusions { lists: run, kinds, set }));
    }
    pairs.sort_unstable();
    if !pairs.is_empty() {
        fill(tests, &pairs, entries);
    }
}

/// Writes down for each test which lists exclude it, or which others of its field do not, if these are fewer.
fn fill(tests: &Tests, pairs: &[(TestId, ListId)], entries: &mut Entries) {
    let Entries { fields, excluding_lists, excluded_ends, excluded, .. } = entries;
    let mut groups = pairs.chunk_by(|left, right| left.0 == right.0).peekable();
    for test in tests.ids() {
        let mut fewer = 0;
        if let Some(group) = groups.next_if(|group| group.first().is_some_and(|pair| pair.0 == test)) {
            let all = &excluding_lists[fields[tests.field(test)].excluding_values];
            if tests.kind(test).is_value() && group.len() * 2 > all.len() {
                fewer = 1;
                let mut excluding = group.iter().map(|pair| pair.1).peekable();
                let others = all.iter().filter(|list| excluding.next_if(|other| other == *list).is_none());
                excluded.push_all(others.copied());
            } else {
                excluded.push_all(group.iter().map(|pair| pair.1));
            }
        }
        excluded_ends.push(excluded.next_id().raw() * 2 + fewer);
    }
}
