//! What a walk has to meet, and the buffers that it uses.

use std::collections::HashSet;

use smallvec::SmallVec;

use super::super::observed::{ElementId, FieldLeaves};
use super::hits::{Collected, HitId, Hits};
use crate::automaton::{Automaton, FieldTrie, NodeId};
use crate::base::{Id, Run, Seeded, Table};

/// Elements of which none lies in another; each represents itself and all around it.
pub(super) type Chosen = SmallVec<[ElementId; 4]>;

/// More steps than the limit allows.
#[derive(Debug)]
pub(in crate::matcher) struct TooManySteps;

/// One list of the walk.
#[derive(Clone, Copy, Debug)]
pub(super) struct Goal {
    pub(super) field: FieldLeaves,
    /// Where the field's path ends in the field trie.
    pub(super) node: NodeId,
    pub(super) absent: bool,
    pub(super) hits: Hits,
}

pub(super) type GoalId = Id<Goal>;
/// A branch of a clause: the goals to be met.
pub(super) type Alternative = Run<GoalId>;
/// A clause of a pattern that has several: one of the alternatives is to be met.
pub(super) type Plan = Run<Id<Alternative>>;
pub(super) type PlanId = Id<Plan>;

/// Where the walk is: goals `at..end` are to be met, then an alternative of each plan from `plan` on.
#[derive(Debug)]
pub(super) struct Stage {
    pub(super) plan: PlanId,
    pub(super) goals: Alternative,
    pub(super) chosen: Chosen,
    pub(super) cursor: Cursor,
}

/// What a stage tries next.
#[derive(Debug)]
pub(super) enum Cursor {
    /// The goals are met: the alternatives of the next plan.
    Alternative(u32),
    /// The hits of the first goal that go together with what is chosen, part by part.
    Hit { parts: Parts, part: usize, next: u32, before: Option<Chosen> },
}

/// Parts of the hits of a list.
pub(super) type Parts = SmallVec<[Run<HitId>; 8]>;

/// The name of a stage among those from which there is no way on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Place {
    Goal(GoalId),
    Plan(PlanId),
}

impl Place {
    pub(super) fn of(plan: PlanId, goals: Alternative) -> Place {
        match goals.ids().next() {
            Some(goal) => Place::Goal(goal),
            None => Place::Plan(plan),
        }
    }
}

/// The search for elements that go together.
#[derive(Debug, Default)]
pub(in crate::matcher) struct Search {
    pub(super) collected: Collected,
    /// The lists to be walked.
    pub(super) goals: Table<GoalId, Goal>,
    /// Of goals next to each other the innermost node of the field trie around both, and the goals in better order.
    between: Vec<NodeId>,
    arranged: Table<GoalId, Goal>,
    pub(super) alternatives: Table<Id<Alternative>, Alternative>,
    pub(super) plans: Table<PlanId, Plan>,
    pub(super) stack: Vec<Stage>,
    pub(super) failed: HashSet<(Place, Chosen), Seeded>,
    /// How many steps were taken for this event.
    pub(in crate::matcher) steps: usize,
}

impl Search {
    /// Makes room for the tables of an automaton.
    pub(in crate::matcher) fn fit(&mut self, automaton: &Automaton) {
        self.collected.fit(automaton);
        // Which elements an event has is up to its sender: the hasher is the matcher's own.
        self.failed = HashSet::with_hasher(automaton.tests.seeded().clone());
    }

    /// Forgets the last event. With `forget` the numbers of events begin again.
    pub(in crate::matcher) fn begin(&mut self, epoch: u32, forget: bool) {
        self.collected.begin(epoch, forget);
        self.steps = 0;
    }

    /// Forgets the goals.
    pub(super) fn clear(&mut self) {
        self.goals.clear();
        self.alternatives.clear();
        self.plans.clear();
        self.stack.clear();
        self.failed.clear();
    }

    /// Whether the scalars of all goals lie in elements of one array, and in none within them.
    pub(super) fn lie_in_one_array(&self) -> bool {
        let mut arrays = self.goals.iter().map(|goal| goal.field.array);
        arrays.next().is_some_and(|array| array.is_some() && arrays.all(|other| other == array))
    }

    /// Puts the goals into an order in which those below one node of the trie follow each other, beginning with the one
    /// of fewest hits: the sooner it shows that there is no way, and what was chosen in an array is forgotten before
    /// elements of another one are.
    pub(super) fn arrange(&mut self, trie: &FieldTrie) {
        let Search { goals, between, arranged, .. } = self;
        if goals.len() <= 2 {
            goals.as_mut_slice().sort_by_key(|goal| goal.hits.count());
            return;
        }
        between.clear();
        between.extend(goals.as_slice().windows(2).filter_map(|pair| match pair {
            [left, right] => Some(trie.around(left.node, right.node)),
            _ => None,
        }));
        let fewest = goals.enumerate().min_by_key(|(_, goal)| goal.hits.count());
        let Some((first, goal)) = fewest else { return };
        arranged.clear();
        arranged.push(*goal);
        let (mut left, mut right) = (first.index(), first.index());
        while arranged.len() < goals.len() {
            // Whichever shares more of the path; a node is numbered after those around it.
            let before = left.checked_sub(1).and_then(|at| between.get(at));
            let next = if between.get(right) >= before {
                right += 1;
                right
            } else {
                left -= 1;
                left
            };
            arranged.push_all(goals.as_slice().get(next).copied());
        }
        std::mem::swap(goals, arranged);
    }
}
