//! Lists numbered in the order in which they are decided, to keep what one event needs close together.

use crate::automaton::ids::ListId;
use crate::automaton::kind::Kind;
use crate::automaton::loose::Lists;
use crate::automaton::tables::{Buckets, Patterns};
use crate::automaton::test::Tests;
use crate::base::{Id, Optional, Table};

/// New numbers for the lists: those decided first after an entry, item by item, then the others. Candidates of one bucket
/// then share cache lines instead of having one each; at 100,000 rules that is most of an event's time.
///
/// Lists that an `anything-but` excludes keep their numbers, since the operand of the test is such a number.
pub(super) fn by_use(tests: &Tests, lists: &Lists, patterns: &Patterns, buckets: &Buckets) -> Table<ListId, ListId> {
    let mut numbers: Table<ListId, Optional<ListId>> = Table::filled(lists.len(), Optional::NONE);
    let mut taken: Table<ListId, bool> = Table::filled(lists.len(), false);
    for test in tests.ids().filter(|test| tests.kind(*test) == Kind::Not) {
        let list = tests.excluded(test);
        (numbers[list], taken[list]) = (Optional::some(list), true);
    }
    let mut free = taken.enumerate().filter_map(|(number, taken)| (!taken).then_some(number));
    let mut place = |list: ListId| {
        if numbers[list].is_none() {
            numbers[list] = free.next().into();
        }
    };
    buckets.items.iter().filter_map(|item| item.first.get()).for_each(&mut place);
    buckets.items.iter().flat_map(|item| patterns.left_of(item)).for_each(|list| place(*list));
    lists.lists.ids().for_each(place);
    // INVARIANT: as many are free as lists are not placed.
    numbers.iter().map(|number| number.get().unwrap_or_else(|| unreachable!("each list has a number"))).collect()
}

/// The lists under new numbers, with their tests in that order.
pub(super) fn renumbered(lists: &Lists, numbers: &Table<ListId, ListId>) -> Lists {
    let mut moved = Lists { lists: lists.lists.clone(), tests: Table::new() };
    for (list, number) in lists.lists.iter().zip(numbers.iter()) {
        moved.lists[*number] = *list;
    }
    for list in moved.lists.iter_mut() {
        let exact = list.others - list.start;
        let run: crate::base::Run<Id<_>> = moved.tests.push_all(lists.tests_of(list).iter().copied());
        (list.start, list.others, list.end) = (run.start, run.start + exact, run.end);
    }
    moved
}
