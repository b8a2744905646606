//! Which array elements go together.
//!
//! A branch that holds field by field holds only if its scalars can be chosen so that no two of them lie in different
//! elements of one array. The fields are walked in the order of evaluation; on the way the walk carries the elements
//! chosen so far, without those of arrays in which no later field has scalars. Then, unless arrays nest irregularly or
//! keys come twice, all that is carried is one chain of nested elements, so that there are no more states than
//! elements, and each is explored once. `exists: false` holds if no scalar of its field goes together with what the
//! earlier fields chose, which is why the order matters.

use std::collections::HashSet;

use smallvec::SmallVec;

use super::judge;
use super::scratch::{Array, Element, FieldState, Marks, NO, State, UNKNOWN};
use crate::automaton::{Automaton, Kind, NONE};
use crate::base::Seeded;

/// Elements of which none lies in another; each stands for itself and all around it.
type Chosen = SmallVec<[u32; 4]>;

/// More steps than the limit allows.
#[derive(Debug)]
pub(super) struct TooManySteps;

#[derive(Debug, Default)]
pub(super) struct JoinScratch {
    /// Whether a list's hits were collected for this event, and where they are.
    collected: Marks,
    ranges: Vec<Hits>,
    /// Leaves, ascending for each list.
    hits: Vec<u32>,
    /// The lists to be walked.
    goals: Vec<Goal>,
    /// For a pattern of several clauses: the branches of each, as ranges of goals.
    branches: Vec<(u32, u32)>,
    plans: Vec<(u32, u32)>,
    stack: Vec<Step>,
    /// States from which there is no way on.
    failed: HashSet<(u32, Chosen), Seeded>,
}

/// The leaves that satisfy a list, and if it tests absence all leaves of its field: ranges of `JoinScratch::hits`.
#[derive(Clone, Copy, Debug, Default)]
struct Hits {
    start: u32,
    end: u32,
    all_end: u32,
}

/// One list of the walk.
#[derive(Clone, Copy, Debug)]
struct Goal {
    field: FieldState,
    absent: bool,
    hits: Hits,
}

impl JoinScratch {
    pub(super) fn fit(&mut self, automaton: &Automaton) {
        self.collected.fit(automaton.lists.len());
        self.ranges.clear();
        self.ranges.resize(automaton.lists.len(), Hits::default());
        // Which elements an event has is up to its sender: the hasher is the matcher's own.
        self.failed = HashSet::with_hasher(automaton.tests.seeded.clone());
    }

    pub(super) fn forget(&mut self) {
        self.collected.forget();
    }

    pub(super) fn begin(&mut self) {
        self.hits.clear();
    }
}

/// Whether a branch whose lists all hold one by one (or may) holds as a whole.
pub(super) fn branch(automaton: &Automaton, state: &mut State, branch: u32) -> Result<bool, TooManySteps> {
    add_goals(automaton, state, automaton.lists_of_branch(branch));
    let goals = &mut state.join.goals;
    if !goals.iter().any(|goal| goal.absent) {
        // The order matters for absence only: the fewer hits, the sooner it shows that there is no way.
        goals.sort_by_key(|goal| goal.hits.end - goal.hits.start);
    }
    let end = goals.len() as u32;
    run(automaton, state, (0, end))
}

/// The same for a pattern of several clauses, none of which tests absence.
pub(super) fn pattern(automaton: &Automaton, state: &mut State, pattern: u32) -> Result<bool, TooManySteps> {
    for clause in automaton.clauses_of(pattern) {
        let first = state.join.branches.len();
        let mut free = false;
        for branch in automaton.branches_of(clause) {
            let lists = automaton.lists_of_branch(branch);
            if lists.iter().all(|list| judge::list(automaton, state, *list) != NO) {
                let start = state.join.goals.len() as u32;
                add_goals(automaton, state, lists);
                let end = state.join.goals.len() as u32;
                free |= start == end;
                state.join.branches.push((start, end));
            }
        }
        if free {
            // A branch without scalars in elements leaves every choice open: nothing to decide here.
            state.join.branches.truncate(first);
        } else {
            state.join.plans.push((first as u32, state.join.branches.len() as u32));
        }
    }
    let end = state.join.goals.len() as u32;
    run(automaton, state, (end, end))
}

/// Adds the lists whose fields have scalars in elements; the others hold whatever is chosen.
fn add_goals(automaton: &Automaton, state: &mut State, lists: &[u32]) {
    for id in lists {
        let Some(list) = automaton.list(*id) else { continue };
        let field = state.field(list.field);
        if field.in_elements != 0 {
            let absent = list.kinds.has(Kind::Absent);
            let hits = collect(automaton, state, *id, absent);
            state.join.goals.push(Goal { field, absent, hits });
        }
    }
}

fn collect(automaton: &Automaton, state: &mut State, id: u32, absent: bool) -> Hits {
    if !state.join.collected.first(id, state.epoch) {
        return state.join.ranges.get(id as usize).copied().unwrap_or_default();
    }
    let start = state.join.hits.len() as u32;
    let Some(list) = automaton.list(id) else { return Hits::default() };
    let first = state.field(list.field).first;
    let mut next = first;
    if let ([only], []) = (automaton.exact_tests(list), automaton.other_tests(list)) {
        // The usual list: one value.
        let values = automaton.kind(*only).is_value();
        while let Some(leaf) = state.leaves.get(next as usize) {
            let leaf_id = next;
            next = leaf.next;
            let known = values && leaf.value != UNKNOWN;
            if if known { leaf.value == *only } else { judge::holds(automaton, state, list, leaf_id) } {
                state.join.hits.push(leaf_id);
            }
        }
    } else {
        while let Some(leaf) = state.leaves.get(next as usize) {
            let leaf_id = next;
            next = leaf.next;
            if judge::holds(automaton, state, list, leaf_id) {
                state.join.hits.push(leaf_id);
            }
        }
    }
    let end = state.join.hits.len() as u32;
    let mut next = if absent { first } else { NONE };
    while let Some(leaf) = state.leaves.get(next as usize) {
        state.join.hits.push(next);
        next = leaf.next;
    }
    let hits = Hits { start, end, all_end: state.join.hits.len() as u32 };
    if let Some(slot) = state.join.ranges.get_mut(id as usize) {
        *slot = hits;
    }
    hits
}

/// Where the walk stands: goals `at..end` are to be met, then a branch of each plan from `plan` on.
#[derive(Debug)]
struct Step {
    plan: u32,
    at: u32,
    end: u32,
    chosen: Chosen,
    cursor: Cursor,
}

/// What a step tries next.
#[derive(Debug)]
enum Cursor {
    /// The goals are met: the branches of the next plan.
    Branch(u32),
    /// The hits of goal `at` that go together with what is chosen, part by part.
    Hit { parts: Parts, part: usize, next: u32, before: Option<Chosen>, mixed: bool },
}

type Parts = SmallVec<[(u32, u32); 8]>;

fn run(automaton: &Automaton, state: &mut State, goals: (u32, u32)) -> Result<bool, TooManySteps> {
    let mut join = std::mem::take(&mut state.join);
    let mut walk = Walk { state, join: &mut join, limit: automaton.join_steps };
    let found = walk.run(goals);
    join.goals.clear();
    join.branches.clear();
    join.plans.clear();
    join.stack.clear();
    join.failed.clear();
    state.join = join;
    found
}

struct Walk<'a> {
    state: &'a mut State,
    join: &'a mut JoinScratch,
    limit: usize,
}

impl Walk<'_> {
    fn run(&mut self, goals: (u32, u32)) -> Result<bool, TooManySteps> {
        if goals.0 == goals.1 && self.join.plans.is_empty() {
            return Ok(true);
        }
        let first = self.stand(0, goals.0, goals.1, Chosen::new());
        self.join.stack.push(first);
        while let Some(mut step) = self.join.stack.pop() {
            match self.advance(&mut step)? {
                None => {
                    self.join.failed.insert((key(&step), step.chosen));
                }
                Some((plan, at, end, chosen)) => {
                    if at == end && plan as usize == self.join.plans.len() {
                        return Ok(true);
                    }
                    let next = self.stand(plan, at, end, chosen);
                    self.join.stack.push(step);
                    self.join.stack.push(next);
                }
            }
        }
        Ok(false)
    }

    fn stand(&self, plan: u32, at: u32, end: u32, chosen: Chosen) -> Step {
        let cursor = match self.join.goals.get(at as usize).filter(|_| at < end) {
            None => Cursor::Branch(0),
            Some(goal) => {
                let (parts, mixed) = self.together((goal.hits.start, goal.hits.end), &chosen);
                let next = parts.first().map_or(0, |part| part.0);
                Cursor::Hit { parts, part: 0, next, before: None, mixed }
            }
        };
        Step { plan, at, end, chosen, cursor }
    }

    /// The next state to try from here, if there is any.
    fn advance(&mut self, step: &mut Step) -> Result<Option<(u32, u32, u32, Chosen)>, TooManySteps> {
        let Step { plan, at, end, chosen, cursor } = step;
        match cursor {
            Cursor::Branch(next) => {
                let Some((first, last)) = self.join.plans.get(*plan as usize).copied() else { return Ok(None) };
                while first + *next < last {
                    let branch = self.join.branches.get((first + *next) as usize).copied().unwrap_or_default();
                    *next += 1;
                    self.count(1)?;
                    let kept = self.project(*plan + 1, branch.0, branch.1, chosen);
                    if !self.join.failed.contains(&(branch.0, kept.clone())) {
                        return Ok(Some((*plan + 1, branch.0, branch.1, kept)));
                    }
                }
                Ok(None)
            }
            Cursor::Hit { parts, part, next, before, mixed } => {
                let Some(goal) = self.join.goals.get(*at as usize).copied() else { return Ok(None) };
                while let Some((_, part_end)) = parts.get(*part).copied() {
                    while *next < part_end {
                        let leaf = self.join.hits.get(*next as usize).copied().unwrap_or(NONE);
                        *next += 1;
                        self.count(1)?;
                        let element = self.state.leaves.get(leaf as usize).map_or(0, |leaf| leaf.element);
                        if !self.all_together(chosen, element, *mixed) {
                            continue;
                        }
                        if *at + 1 == *end && *plan as usize == self.join.plans.len() {
                            return Ok(Some((*plan, *end, *end, Chosen::new())));
                        }
                        let kept = self.project(*plan, *at + 1, *end, &with(chosen, element));
                        if before.as_ref() == Some(&kept) {
                            continue;
                        }
                        if *at + 2 == *end && *plan as usize == self.join.plans.len() {
                            match self.last_goal(*at + 1, &kept) {
                                Some(true) => return Ok(Some((*plan, *end, *end, Chosen::new()))),
                                Some(false) => {
                                    *before = Some(kept);
                                    continue;
                                }
                                None => {}
                            }
                        }
                        *before = Some(kept.clone());
                        let key = if *at + 1 == *end { boundary(*plan) } else { *at + 1 };
                        if !self.join.failed.contains(&(key, kept.clone())) {
                            return Ok(Some((*plan, *at + 1, *end, kept)));
                        }
                    }
                    *part += 1;
                    *next = parts.get(*part).map_or(0, |part| part.0);
                }
                // Absence comes last, and once: `part` moves behind the end.
                if goal.absent && *part == parts.len() {
                    *part += 1;
                    if !self.any_together(&goal, chosen)? {
                        let kept = self.project(*plan, *at + 1, *end, chosen);
                        return Ok(Some((*plan, *at + 1, *end, kept)));
                    }
                }
                Ok(None)
            }
        }
    }

    /// Whether the last goal of all can be met, where that is plain: one chain of elements, and no absence.
    fn last_goal(&self, at: u32, chosen: &Chosen) -> Option<bool> {
        let goal = self.join.goals.get(at as usize)?;
        if chosen.len() > 1 || goal.absent {
            return None;
        }
        let innermost = chosen.first().copied().unwrap_or(0);
        let mut at = innermost;
        while at != 0 {
            if self.array(self.element(at).array).direct {
                return None;
            }
            at = self.element(at).parent;
        }
        Some(self.any_hit((goal.hits.start, goal.hits.end), innermost))
    }

    /// Whether some hit of a range goes together with a chain of elements: as [`Walk::together`], from the inside.
    fn any_hit(&self, hits: (u32, u32), innermost: u32) -> bool {
        let all = self.join.hits.get(hits.0 as usize..hits.1 as usize).unwrap_or(&[]);
        let within = |first: u32, end: u32| {
            let from = all.partition_point(|hit| *hit < first);
            (from, all.get(from).is_some_and(|hit| *hit < end))
        };
        let mut at = innermost;
        // The hits inside of the innermost element, then around: what lies outside of each array.
        let (mut low, mut high) = (0, all.len());
        if at != 0 {
            let element = self.element(at);
            if within(element.first_leaf, element.end_leaf).1 {
                return true;
            }
        }
        while at != 0 {
            let element = self.element(at);
            let array = self.array(element.array);
            let outer = self.element(element.parent);
            (low, high) = match element.parent {
                0 => (0, all.len()),
                _ => (within(outer.first_leaf, 0).0, within(outer.end_leaf, 0).0),
            };
            let inside = (within(array.first_leaf, 0).0, within(array.end_leaf, 0).0);
            if low < inside.0 || inside.1 < high {
                return true;
            }
            at = element.parent;
        }
        innermost == 0 && low < high
    }

    fn count(&mut self, steps: usize) -> Result<(), TooManySteps> {
        self.state.steps += steps;
        if self.state.steps > self.limit { Err(TooManySteps) } else { Ok(()) }
    }

    fn element(&self, element: u32) -> Element {
        self.state.elements.get(element as usize).copied().unwrap_or_default()
    }

    fn array(&self, array: u32) -> Array {
        self.state.arrays.get(array as usize).copied().unwrap_or_default()
    }

    /// The parts of a range of ascending hits that go together with the first chosen chain: from the outermost element
    /// inwards, what lies outside of its array goes, what lies in other elements of the array does not. If an array
    /// holds scalars itself, these go too, and lie between those that do not: then (the second answer) each hit has to
    /// be asked.
    fn together(&self, hits: (u32, u32), chosen: &Chosen) -> (Parts, bool) {
        let mut parts = Parts::new();
        let mut chain: SmallVec<[u32; 8]> = SmallVec::new();
        let mut at = chosen.first().copied().unwrap_or(0);
        while at != 0 {
            chain.push(at);
            at = self.element(at).parent;
        }
        if chain.iter().any(|id| self.array(self.element(*id).array).direct) {
            parts.push(hits);
            return (parts, true);
        }
        let (mut low, mut high) = hits;
        for id in chain.iter().rev() {
            let element = self.element(*id);
            let array = self.array(element.array);
            let part = self.join.hits.get(low as usize..high as usize).unwrap_or(&[]);
            let place = |leaf: u32| low + part.partition_point(|hit| *hit < leaf) as u32;
            let outside = [(low, place(array.first_leaf)), (place(array.end_leaf), high)];
            let inside = (place(element.first_leaf), place(element.end_leaf));
            parts.extend(outside.into_iter().filter(|part| part.0 < part.1));
            (low, high) = inside;
        }
        if low < high {
            parts.push((low, high));
        }
        (parts, false)
    }

    /// Whether an element goes together with all chosen chains; `first`: the first one is still to be asked, too.
    fn all_together(&self, chosen: &Chosen, element: u32, first: bool) -> bool {
        chosen.iter().skip(usize::from(!first)).all(|other| self.go_together(*other, element))
    }

    /// Whether no array around both elements has them in different elements of its own.
    fn go_together(&self, left: u32, right: u32) -> bool {
        let (mut left, mut right) = (left, right);
        let (mut below_left, mut below_right) = (None, None);
        // Elements are numbered behind those around them.
        while left != right {
            if left > right {
                below_left = Some(left);
                left = self.element(left).parent;
            } else {
                below_right = Some(right);
                right = self.element(right).parent;
            }
        }
        match (below_left, below_right) {
            (Some(left), Some(right)) => self.element(left).array != self.element(right).array,
            _ => true,
        }
    }

    /// Whether any scalar of the field goes together with what is chosen.
    fn any_together(&mut self, goal: &Goal, chosen: &Chosen) -> Result<bool, TooManySteps> {
        let (parts, mixed) = self.together((goal.hits.end, goal.hits.all_end), chosen);
        if chosen.len() <= 1 && !mixed {
            self.count(1)?;
            return Ok(!parts.is_empty());
        }
        for leaf in parts.iter().flat_map(|part| part.0..part.1) {
            self.count(1)?;
            let leaf = self.join.hits.get(leaf as usize).and_then(|leaf| self.state.leaves.get(*leaf as usize));
            if leaf.is_some_and(|leaf| self.all_together(chosen, leaf.element, mixed)) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn inside(&self, inner: u32, outer: u32) -> bool {
        let mut at = inner;
        while at > outer {
            at = self.element(at).parent;
        }
        at == outer
    }

    /// What of the chosen elements matters to goals `from..to` and to the plans from `plan` on.
    fn project(&self, plan: u32, from: u32, to: u32, chosen: &Chosen) -> Chosen {
        let mut kept = Chosen::new();
        for element in chosen {
            let mut at = *element;
            while at != 0 && !self.matters(plan, from, to, self.element(at).array) {
                at = self.element(at).parent;
            }
            if at == 0 || kept.iter().any(|other| self.inside(*other, at)) {
                continue;
            }
            kept.retain(|other| !self.inside(at, *other));
            kept.push(at);
        }
        kept.sort_unstable();
        kept
    }

    /// Whether one of those goals may have scalars inside of the array.
    fn matters(&self, plan: u32, from: u32, to: u32, array: u32) -> bool {
        let array = self.array(array);
        let touches = |(from, to): (u32, u32)| {
            let goals = self.join.goals.get(from as usize..to as usize).unwrap_or(&[]);
            goals.iter().any(|goal| goal.field.first < array.end_leaf && goal.field.last >= array.first_leaf)
        };
        let later = self.join.plans.get(plan as usize..).unwrap_or(&[]).iter();
        touches((from, to))
            || later
                .flat_map(|plan| plan.0..plan.1)
                .any(|branch| self.join.branches.get(branch as usize).is_some_and(|branch| touches(*branch)))
    }
}

fn with(chosen: &Chosen, element: u32) -> Chosen {
    let mut chosen = chosen.clone();
    chosen.push(element);
    chosen
}

/// The name of a state in `failed`.
fn key(step: &Step) -> u32 {
    if step.at == step.end { boundary(step.plan) } else { step.at }
}

fn boundary(plan: u32) -> u32 {
    NONE - plan
}
