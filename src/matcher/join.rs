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

use super::hits::{Hits, Sorted, collect};
use super::judge;
use super::scratch::{Array, Element, FieldState, Marks, NO, State};
use crate::automaton::{Automaton, FieldTrie, Kind, NONE};
use crate::base::Seeded;

/// Elements of which none lies in another; each stands for itself and all around it.
type Chosen = SmallVec<[u32; 4]>;

/// More steps than the limit allows.
#[derive(Debug)]
pub(super) struct TooManySteps;

#[derive(Debug, Default)]
pub(super) struct JoinScratch {
    /// Whether a list's hits were collected for this event, and where they are.
    pub(super) collected: Marks,
    pub(super) ranges: Vec<Hits>,
    /// Leaves, ascending for each list.
    pub(super) hits: Vec<u32>,
    /// For fields of many leaves their values, sorted, with the leaves: where in `valued`.
    pub(super) sorted: Vec<(u32, u32, u32)>,
    pub(super) valued: Vec<(u32, u32)>,
    /// The lists to be walked.
    goals: Vec<Goal>,
    /// Of goals beside each other the innermost node of the field trie around both, and the goals in better order.
    between: Vec<u32>,
    arranged: Vec<Goal>,
    /// For a pattern of several clauses: the branches of each, as ranges of goals.
    branches: Vec<(u32, u32)>,
    plans: Vec<(u32, u32)>,
    stack: Vec<Step>,
    /// States from which there is no way on.
    failed: HashSet<(u32, Chosen), Seeded>,
}

/// So many hits may be kept for further branches. (More lists than that have room for one each.)
const KEPT: usize = 1 << 18;

/// One list of the walk.
#[derive(Clone, Copy, Debug)]
struct Goal {
    field: FieldState,
    /// Where the field's path ends in the field trie.
    node: u32,
    absent: bool,
    hits: Hits,
}

impl JoinScratch {
    pub(super) fn fit(&mut self, automaton: &Automaton) {
        self.collected.fit(automaton.lists.len());
        self.ranges.clear();
        self.ranges.resize(automaton.lists.len(), Hits::default());
        self.sorted.clear();
        self.sorted.resize(automaton.fields.len(), (0, 0, 0));
        // Which elements an event has is up to its sender: the hasher is the matcher's own.
        self.failed = HashSet::with_hasher(automaton.tests.seeded.clone());
    }

    pub(super) fn forget(&mut self) {
        self.collected.forget();
        self.sorted.fill((0, 0, 0));
    }

    pub(super) fn begin(&mut self) {
        self.hits.clear();
        self.valued.clear();
    }

    /// Forgets the hits of lists before they fill the memory: what a branch needs is found again.
    fn make_room(&mut self) {
        if self.hits.len() > KEPT.max(self.ranges.len()) {
            self.hits.clear();
            self.collected.forget();
        }
    }

    /// Whether the scalars of all goals lie in elements of one array, and in none within them.
    fn lie_in_one_array(&self) -> bool {
        let array = self.goals.first().map_or(NONE, |goal| goal.field.array);
        array != NONE && self.goals.iter().all(|goal| goal.field.array == array)
    }

    /// Puts the goals into an order in which those below one node of the trie follow each other, beginning with the one
    /// of fewest hits: the sooner it shows that there is no way, and what was chosen in an array is forgotten before
    /// elements of another one are.
    fn arrange(&mut self, trie: &FieldTrie) {
        let JoinScratch { goals, between, arranged, .. } = self;
        if goals.len() <= 2 {
            goals.sort_by_key(|goal| goal.hits.count());
            return;
        }
        between.clear();
        between.extend(goals.windows(2).filter_map(|pair| match pair {
            [left, right] => Some(trie.around(left.node, right.node)),
            _ => None,
        }));
        let first = (0..goals.len()).min_by_key(|at| goals.get(*at).map(|goal| goal.hits.count())).unwrap_or(0);
        let (mut left, mut right) = (first, first);
        arranged.clear();
        arranged.extend(goals.get(first));
        while arranged.len() < goals.len() {
            // Whichever shares more of the path; a node is numbered behind those around it.
            let before = left.checked_sub(1).and_then(|at| between.get(at));
            let next = if between.get(right) >= before {
                right += 1;
                right
            } else {
                left -= 1;
                left
            };
            arranged.extend(goals.get(next));
        }
        std::mem::swap(goals, arranged);
    }
}

/// Whether a branch whose lists all hold one by one (or may) holds as a whole.
pub(super) fn branch(automaton: &Automaton, state: &mut State, branch: u32) -> Result<bool, TooManySteps> {
    state.join.make_room();
    add_goals(automaton, state, automaton.lists_of_branch(branch));
    // The order of evaluation is that of the paths, and matters for absence only.
    if !state.join.goals.iter().any(|goal| goal.absent) {
        if state.join.lie_in_one_array() {
            return one_array(automaton, state);
        }
        state.join.arrange(&automaton.trie);
    }
    let end = state.join.goals.len() as u32;
    run(automaton, state, (0, end))
}

/// Whether one element of the array has a hit of each goal. Both goals and hits are in the order of the elements, so that
/// one pass finds it.
fn one_array(automaton: &Automaton, state: &mut State) -> Result<bool, TooManySteps> {
    let State { join, leaves, steps, .. } = state;
    let JoinScratch { goals, hits, .. } = join;
    goals.sort_by_key(|goal| goal.hits.count());
    *steps += goals.iter().map(|goal| goal.hits.count() as usize).sum::<usize>();
    let element = |hit: u32| leaves.get(hit as usize).map_or(NONE, |leaf| leaf.element);
    let mut rest: SmallVec<[&[u32]; 8]> = goals
        .iter()
        .map(|goal| hits.get(goal.hits.own.start as usize..goal.hits.own.end as usize).unwrap_or(&[]))
        .collect();
    // The element that is tried; every goal has to have a hit there.
    let mut wanted = 0;
    let found = 'element: loop {
        for hits in &mut rest {
            let found = loop {
                match hits.first() {
                    Some(hit) if element(*hit) < wanted => *hits = hits.get(1..).unwrap_or(&[]),
                    hit => break hit,
                }
            };
            match found {
                None => break 'element false,
                Some(hit) if element(*hit) > wanted => {
                    wanted = element(*hit);
                    continue 'element;
                }
                Some(_) => {}
            }
        }
        break true;
    };
    goals.clear();
    if *steps > automaton.join_steps { Err(TooManySteps) } else { Ok(found) }
}

/// The same for a pattern of several clauses, none of which tests absence.
pub(super) fn pattern(automaton: &Automaton, state: &mut State, pattern: u32) -> Result<bool, TooManySteps> {
    state.join.make_room();
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
            state.join.goals.push(Goal { field, node: automaton.trie.end_of(list.field), absent, hits });
        }
    }
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
    Hit { parts: Parts, part: usize, next: u32, before: Option<Chosen> },
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
                let parts = self.together(goal.hits.own, &chosen);
                let next = parts.first().map_or(0, |part| part.0);
                Cursor::Hit { parts, part: 0, next, before: None }
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
            Cursor::Hit { parts, part, next, before } => {
                let Some(goal) = self.join.goals.get(*at as usize).copied() else { return Ok(None) };
                while let Some((_, part_end)) = parts.get(*part).copied() {
                    while *next < part_end {
                        let leaf = self.join.hits.get(*next as usize).copied().unwrap_or(NONE);
                        *next += 1;
                        self.count(1)?;
                        let element = self.state.leaves.get(leaf as usize).map_or(0, |leaf| leaf.element);
                        if !self.all_together(chosen, element) {
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
        Some(self.any_hit(goal.hits.own, chosen.first().copied().unwrap_or(0)))
    }

    /// Whether some hit of a range goes together with a chain of elements: as [`Walk::together`], from the inside.
    fn any_hit(&self, hits: Sorted, innermost: u32) -> bool {
        let all = self.join.hits.get(hits.start as usize..hits.end as usize).unwrap_or(&[]);
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
            if low < inside.0 || inside.1 < high || self.direct(hits, element.parent, array).is_some() {
                return true;
            }
            at = element.parent;
        }
        innermost == 0 && low < high
    }

    /// The first hit, as a range of one, that is a scalar of the array itself, which lies in element `outer`.
    fn direct(&self, hits: Sorted, outer: u32, array: Array) -> Option<(u32, u32)> {
        if !array.direct {
            return None;
        }
        let from = hits.by_element;
        let sorted = self.join.hits.get(from as usize..(from + hits.end - hits.start) as usize)?;
        let place = |hit: u32| (self.state.leaves.get(hit as usize).map_or(0, |leaf| leaf.element), hit);
        let at = sorted.partition_point(|hit| place(*hit) < (outer, array.first_leaf));
        let found = sorted.get(at).is_some_and(|hit| place(*hit) < (outer, array.end_leaf));
        found.then_some((from + at as u32, from + at as u32 + 1))
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
    /// holds scalars itself, these go too; they lie between those that do not, but in one element, so that one of them
    /// stands for all.
    fn together(&self, hits: Sorted, chosen: &Chosen) -> Parts {
        let mut parts = Parts::new();
        let mut chain: SmallVec<[u32; 8]> = SmallVec::new();
        let mut at = chosen.first().copied().unwrap_or(0);
        while at != 0 {
            chain.push(at);
            at = self.element(at).parent;
        }
        let (mut low, mut high) = (hits.start, hits.end);
        for id in chain.iter().rev() {
            let element = self.element(*id);
            let array = self.array(element.array);
            let part = self.join.hits.get(low as usize..high as usize).unwrap_or(&[]);
            let place = |leaf: u32| low + part.partition_point(|hit| *hit < leaf) as u32;
            let outside = [(low, place(array.first_leaf)), (place(array.end_leaf), high)];
            let inside = (place(element.first_leaf), place(element.end_leaf));
            parts.extend(outside.into_iter().filter(|part| part.0 < part.1));
            parts.extend(self.direct(hits, element.parent, array));
            (low, high) = inside;
        }
        if low < high {
            parts.push((low, high));
        }
        parts
    }

    /// Whether an element that goes together with the first chosen chain does so with the others.
    fn all_together(&self, chosen: &Chosen, element: u32) -> bool {
        chosen.iter().skip(1).all(|other| self.go_together(*other, element))
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
        let parts = self.together(goal.hits.all, chosen);
        if chosen.len() <= 1 {
            self.count(1)?;
            return Ok(!parts.is_empty());
        }
        for leaf in parts.iter().flat_map(|part| part.0..part.1) {
            self.count(1)?;
            let leaf = self.join.hits.get(leaf as usize).and_then(|leaf| self.state.leaves.get(*leaf as usize));
            if leaf.is_some_and(|leaf| self.all_together(chosen, leaf.element)) {
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
