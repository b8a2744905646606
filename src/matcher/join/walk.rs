//! The walk from goal to goal, depth first, each stage once.

use super::super::observed::{Element, Observed};
use super::chain::{Chains, with};
use super::search::{Alternative, Chosen, Cursor, Goal, GoalId, Place, PlanId, Search, Stage, TooManySteps};
use crate::automaton::Automaton;
use crate::base::{Id, Key, Run};

/// Whether elements can be chosen such that these goals, and all plans of the search, are met.
pub(super) fn run(
    automaton: &Automaton,
    observed: &Observed,
    search: &mut Search,
    goals: Alternative,
) -> Result<bool, TooManySteps> {
    let found = Walk { observed, search, limit: automaton.join_steps }.run(goals);
    search.clear();
    found
}

struct Walk<'a> {
    observed: &'a Observed,
    search: &'a mut Search,
    limit: usize,
}

/// The goals and plans that are left, and what is chosen.
type Next = (PlanId, Alternative, Chosen);

impl Walk<'_> {
    fn chains(&self) -> Chains<'_> {
        Chains { observed: self.observed, search: self.search }
    }

    /// Whether no plan is left.
    fn is_last(&self, plan: PlanId) -> bool {
        plan == self.search.plans.next_id()
    }

    fn run(&mut self, goals: Alternative) -> Result<bool, TooManySteps> {
        if goals.is_empty() && self.search.plans.is_empty() {
            return Ok(true);
        }
        let first = self.stage(PlanId::FIRST, goals, Chosen::new());
        self.search.stack.push(first);
        while let Some(mut stage) = self.search.stack.pop() {
            match self.advance(&mut stage)? {
                None => {
                    self.search.failed.insert((Place::of(stage.plan, stage.goals), stage.chosen));
                }
                Some((plan, goals, chosen)) => {
                    if goals.is_empty() && self.is_last(plan) {
                        return Ok(true);
                    }
                    let next = self.stage(plan, goals, chosen);
                    self.search.stack.push(stage);
                    self.search.stack.push(next);
                }
            }
        }
        Ok(false)
    }

    fn stage(&self, plan: PlanId, goals: Alternative, chosen: Chosen) -> Stage {
        let cursor = match goals.ids().next() {
            None => Cursor::Alternative(0),
            Some(goal) => {
                let parts = self.chains().together(self.search.goals[goal].hits.own, &chosen);
                let next = parts.first().map_or(0, |part| part.start);
                Cursor::Hit { parts, part: 0, next, before: None }
            }
        };
        Stage { plan, goals, chosen, cursor }
    }

    /// The next state to try from here, if there is any.
    fn advance(&mut self, stage: &mut Stage) -> Result<Option<Next>, TooManySteps> {
        let Stage { plan, goals, chosen, cursor } = stage;
        match cursor {
            Cursor::Alternative(next) => {
                let Some(alternatives) = self.search.plans.checked(*plan).copied() else { return Ok(None) };
                while alternatives.start + *next < alternatives.end {
                    let alternative = self.search.alternatives[Id::from_raw(alternatives.start + *next)];
                    *next += 1;
                    self.count(1)?;
                    let kept = self.chains().project(plan.next(), alternative, chosen);
                    if !self.search.failed.contains(&(Place::of(plan.next(), alternative), kept.clone())) {
                        return Ok(Some((plan.next(), alternative, kept)));
                    }
                }
                Ok(None)
            }
            Cursor::Hit { parts, part, next, before } => {
                let goal = self.search.goals[GoalId::from_raw(goals.start)];
                let later = Run::new(goals.start + 1, goals.end);
                let is_last = self.is_last(*plan);
                let done = |plan: PlanId| Some((plan, Run::EMPTY, Chosen::new()));
                while let Some(this) = parts.get(*part).copied() {
                    while *next < this.end {
                        let leaf = self.search.collected.hits[Id::from_raw(*next)];
                        *next += 1;
                        self.count(1)?;
                        let element = self.observed.element_of(leaf);
                        if !self.chains().all_together(chosen, element) {
                            continue;
                        }
                        if later.is_empty() && is_last {
                            return Ok(done(*plan));
                        }
                        let kept = self.chains().project(*plan, later, &with(chosen, element));
                        if before.as_ref() == Some(&kept) {
                            continue;
                        }
                        if later.len() == 1 && is_last {
                            match self.last_goal(GoalId::from_raw(later.start), &kept) {
                                Some(true) => return Ok(done(*plan)),
                                Some(false) => {
                                    *before = Some(kept);
                                    continue;
                                }
                                None => {}
                            }
                        }
                        *before = Some(kept.clone());
                        if !self.search.failed.contains(&(Place::of(*plan, later), kept.clone())) {
                            return Ok(Some((*plan, later, kept)));
                        }
                    }
                    *part += 1;
                    *next = parts.get(*part).map_or(0, |part| part.start);
                }
                // Absence comes last, and once: `part` moves past the end.
                if goal.absent && *part == parts.len() {
                    *part += 1;
                    if !self.any_together(&goal, chosen)? {
                        let kept = self.chains().project(*plan, later, chosen);
                        return Ok(Some((*plan, later, kept)));
                    }
                }
                Ok(None)
            }
        }
    }

    /// Whether the last goal of all can be met, where that is plain: one chain of elements, and no absence.
    fn last_goal(&self, goal: GoalId, chosen: &Chosen) -> Option<bool> {
        let goal = &self.search.goals[goal];
        if chosen.len() > 1 || goal.absent {
            return None;
        }
        Some(self.chains().any_hit(goal.hits.own, chosen.first().copied().unwrap_or(Element::OUTSIDE)))
    }

    fn count(&mut self, steps: usize) -> Result<(), TooManySteps> {
        self.search.steps += steps;
        if self.search.steps > self.limit { Err(TooManySteps) } else { Ok(()) }
    }

    /// Whether any scalar of the field goes together with what is chosen.
    fn any_together(&mut self, goal: &Goal, chosen: &Chosen) -> Result<bool, TooManySteps> {
        let parts = self.chains().together(goal.hits.all, chosen);
        if chosen.len() <= 1 {
            self.count(1)?;
            return Ok(!parts.is_empty());
        }
        for hit in parts.iter().flat_map(|part| part.ids()) {
            self.count(1)?;
            let element = self.observed.element_of(self.search.collected.hits[hit]);
            if self.chains().all_together(chosen, element) {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
