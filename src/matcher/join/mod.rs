//! Which array elements go together.
//!
//! A branch that is satisfied field by field is satisfied only if its scalars can be chosen such that no two of them lie in
//! different elements of one array. The fields are walked in the order of evaluation; on the way the walk carries the
//! elements chosen so far, without those of arrays in which no later field has scalars. Then, unless arrays nest irregularly
//! or keys come twice, all that is carried is one chain of nested elements, so there are no more states than
//! elements, and each is explored once. `exists: false` is satisfied if no scalar of its field goes together with what the
//! earlier fields chose, which is why the order matters.

mod chain;
mod hits;
mod search;
mod walk;

pub(super) use search::{Search, TooManySteps};

use smallvec::SmallVec;

use super::observed::{ElementId, LeafId, Observed};
use super::verdict::{Verdict, Verdicts};
use crate::automaton::{Automaton, BranchId, Kind, ListId};
use crate::base::{PatternId, Run};
use search::Goal;

/// Whether a branch whose lists are all satisfied one by one (or may be) is satisfied as a whole.
pub(super) fn branch(
    automaton: &Automaton,
    observed: &mut Observed,
    search: &mut Search,
    branch: BranchId,
) -> Result<bool, TooManySteps> {
    search.collected.make_room();
    add_goals(automaton, observed, search, automaton.patterns.lists_of(branch));
    // The order of evaluation is that of the paths, and matters for absence only.
    if !search.goals.iter().any(|goal| goal.absent) {
        if search.lie_in_one_array() {
            return one_array(automaton, observed, search);
        }
        search.arrange(&automaton.trie);
    }
    let goals = Run::new(0, search.goals.len() as u32);
    walk::run(automaton, observed, search, goals)
}

/// Whether one element of the array has a hit of each goal. Both goals and hits are in the order of the elements, so
/// one pass finds it.
fn one_array(automaton: &Automaton, observed: &Observed, search: &mut Search) -> Result<bool, TooManySteps> {
    let Search { goals, collected, steps, .. } = search;
    goals.as_mut_slice().sort_by_key(|goal| goal.hits.count());
    *steps += goals.iter().map(|goal| goal.hits.count()).sum::<usize>();
    let mut rest: SmallVec<[&[LeafId]; 8]> = goals.iter().map(|goal| &collected.hits[goal.hits.own.leaves]).collect();
    // The element that is tried; every goal has to have a hit there.
    let mut wanted = ElementId::FIRST;
    let found = 'element: loop {
        for hits in &mut rest {
            let found = loop {
                match hits.split_first() {
                    None => break 'element false,
                    Some((hit, others)) => {
                        let element = observed.element_of(*hit);
                        if element >= wanted {
                            break element;
                        }
                        *hits = others;
                    }
                }
            };
            if found > wanted {
                wanted = found;
                continue 'element;
            }
        }
        break true;
    };
    goals.clear();
    if *steps > automaton.join_steps { Err(TooManySteps) } else { Ok(found) }
}

/// The same for a pattern of several clauses, none of which tests absence.
pub(super) fn pattern(
    automaton: &Automaton,
    observed: &mut Observed,
    verdicts: &mut Verdicts,
    search: &mut Search,
    pattern: PatternId,
) -> Result<bool, TooManySteps> {
    search.collected.make_room();
    for clause in automaton.patterns.clauses_of(pattern).ids() {
        let first = search.alternatives.len();
        let mut free = false;
        for branch in automaton.patterns.branches_of(clause) {
            let lists = automaton.patterns.lists_of(*branch);
            if lists.iter().all(|list| verdicts.list(automaton, observed, *list) != Verdict::No) {
                let start = search.goals.len() as u32;
                add_goals(automaton, observed, search, lists);
                let goals = Run::new(start, search.goals.len() as u32);
                free |= goals.is_empty();
                search.alternatives.push(goals);
            }
        }
        if free {
            // A branch without scalars in elements leaves every choice open: nothing to decide here.
            search.alternatives.truncate(first);
        } else {
            search.plans.push(Run::new(first as u32, search.alternatives.len() as u32));
        }
    }
    let end = search.goals.len() as u32;
    walk::run(automaton, observed, search, Run::new(end, end))
}

/// Adds the lists whose fields have scalars in elements, in the order of evaluation; the others are satisfied whatever is
/// chosen.
fn add_goals(automaton: &Automaton, observed: &mut Observed, search: &mut Search, lists: &[ListId]) {
    let mut inside: SmallVec<[(u32, ListId); 16]> = SmallVec::new();
    for id in lists {
        let field = automaton.lists.get(*id).field;
        if observed.field(field).in_elements != 0 {
            inside.push((automaton.patterns.rank(field), *id));
        }
    }
    inside.sort_unstable();
    for (_, id) in inside {
        let list = automaton.lists.get(id);
        let field = observed.field(list.field);
        let absent = list.kinds.has(Kind::Absent);
        let hits = search.collected.collect(automaton, observed, id, absent);
        search.goals.push(Goal { field, node: automaton.trie.end_of(list.field), absent, hits });
    }
}
