//! Finds values for fields that must agree on array elements: a search that remembers the states it has seen.
//!
//! What has been chosen so far matters only through the array elements that it fixes, and only those of arrays that
//! a later field has values in. So the search runs over pairs of a place in the program and the elements fixed there,
//! and visits each pair once. Events without duplicate keys keep the pairs to a small multiple of the event.

use smallvec::SmallVec;

use super::leaves::{Leaf, Leaves, NOWHERE};
use super::paths::{Field, PathId};
use crate::base::ListSet;
use crate::json::EventError;

/// A step of the program.
#[derive(Clone, Copy, Debug)]
pub(super) enum Step {
    /// Choose a value for the field, or pass it as absent.
    Field(Field),
    /// Go on at any of the places listed in `targets[first..end]`.
    Split {
        first: u32,
        end: u32,
    },
    /// Go on at this place.
    Jump(u32),
    Accept,
}

#[derive(Debug, Default)]
pub(super) struct Program {
    pub(super) steps: Vec<Step>,
    pub(super) targets: Vec<u32>,
}

/// What the search asks about a field.
pub(super) trait Hits {
    /// The leaves of the field's path that satisfy one of its tests, in text order.
    fn hits(&mut self, field: Field) -> Result<std::rc::Rc<[Leaf]>, EventError>;
    fn accepts_absence(&self, field: Field) -> bool;
    /// Counts work, and ends it at the limit.
    fn spend(&self, steps: usize) -> Result<(), EventError>;
}

/// The elements fixed so far: innermost ones only, ascending.
type Fixed = SmallVec<[u32; 4]>;

struct State {
    place: u32,
    fixed: Fixed,
    /// The state before, and what was chosen on the way from it.
    before: u32,
    chosen: Option<Chosen>,
}

/// The chosen value of each field (none: absent), or none if the program cannot be satisfied.
pub(super) type Choice = Vec<Chosen>;

type Chosen = (Field, Option<Leaf>);

pub(super) fn search(program: &Program, leaves: &Leaves, asked: &mut impl Hits) -> Result<Option<Choice>, EventError> {
    let last = last_use(program, leaves, asked)?;
    let mut states = vec![State { place: 0, fixed: Fixed::new(), before: 0, chosen: None }];
    let mut seen: ListSet<(u32, Fixed)> = ListSet::new();
    let mut stack = vec![0_u32];
    while let Some(at) = stack.pop() {
        let Some(state) = states.get(at as usize) else { break };
        let (place, fixed) = (state.place, state.fixed.clone());
        let mut next: SmallVec<[(u32, Fixed, Option<Chosen>); 2]> = SmallVec::new();
        match program.steps.get(place as usize).copied().unwrap_or(Step::Accept) {
            Step::Accept => return Ok(Some(trace(&states, at))),
            Step::Jump(target) => next.push((target, fixed, None)),
            Step::Split { first, end } => {
                for target in program.targets.get(first as usize..end as usize).unwrap_or(&[]) {
                    next.push((*target, fixed.clone(), None));
                }
            }
            Step::Field(field) => {
                let hits = asked.hits(field)?;
                let gaps = gaps(&fixed, leaves);
                asked.spend(1 + gaps.len())?;
                let mut found = false;
                outside(&hits, &gaps, |leaf| {
                    found = true;
                    asked.spend(1)?;
                    let chosen = project(leaf.trail, place + 1, &last, leaves);
                    // Values of one element come one after the other; they lead to the same state.
                    let repeated = next.last().is_some_and(|(_, _, before)| {
                        before.is_some_and(|(_, before)| {
                            before.is_some_and(|before| project(before.trail, place + 1, &last, leaves) == chosen)
                        })
                    });
                    if !repeated {
                        let mut after = fixed.clone();
                        if chosen != NOWHERE {
                            after.push(chosen);
                        }
                        next.push((place + 1, after, Some((field, Some(*leaf)))));
                    }
                    Ok(true)
                })?;
                if !found && asked.accepts_absence(field) {
                    let mut present = false;
                    outside(leaves.at(field.path), &gaps, |_| {
                        present = true;
                        Ok(false)
                    })?;
                    if !present {
                        next.push((place + 1, fixed, Some((field, None))));
                    }
                }
            }
        }
        // The stack takes the last one first, so the first in the text is tried first.
        for (place, fixed, chosen) in next.into_iter().rev() {
            let fixed = normalize(&fixed, place, &last, leaves);
            if seen.insert((place, fixed.clone())) {
                // A state is kept for good: it weighs more than a step.
                asked.spend(32 + fixed.len())?;
                stack.push(states.len() as u32);
                states.push(State { place, fixed, before: at, chosen });
            }
        }
    }
    Ok(None)
}

/// For each array the last place of the program with a field that has values inside.
fn last_use(program: &Program, leaves: &Leaves, asked: &mut impl Hits) -> Result<Vec<u32>, EventError> {
    let mut last = vec![0; leaves.arrays.len()];
    for (place, step) in program.steps.iter().enumerate() {
        let Step::Field(field) = step else { continue };
        for leaf in leaves.at(field.path) {
            asked.spend(1)?;
            for (_, trail) in leaves.chain(leaf.trail) {
                match last.get_mut(trail.array as usize) {
                    // One more than the place, so 0 means never. The arrays around were set with this one.
                    Some(used) if *used != place as u32 + 1 => *used = place as u32 + 1,
                    _ => break,
                }
            }
        }
    }
    Ok(last)
}

/// The innermost element around `trail` of an array that matters at `place` or later.
fn project(trail: u32, place: u32, last: &[u32], leaves: &Leaves) -> u32 {
    leaves
        .chain(trail)
        .find(|(_, element)| last.get(element.array as usize).is_some_and(|used| *used > place))
        .map_or(NOWHERE, |(at, _)| at)
}

fn normalize(fixed: &Fixed, place: u32, last: &[u32], leaves: &Leaves) -> Fixed {
    let mut all: Fixed =
        fixed.iter().map(|trail| project(*trail, place, last, leaves)).filter(|trail| *trail != NOWHERE).collect();
    if all.len() < 2 {
        return all;
    }
    all.sort_unstable();
    all.dedup();
    // Elements are numbered in text order: one around another comes right before what it contains.
    let inner = |outer: u32, inner: u32| inner < leaves.trail(outer).end;
    let kept = (0..all.len()).filter_map(|at| {
        let this = *all.get(at)?;
        match all.get(at + 1) {
            Some(next) if inner(this, *next) => None,
            _ => Some(this),
        }
    });
    kept.collect()
}

/// The elements that the fixed ones rule out: the others of their arrays. Ascending, disjoint.
fn gaps(fixed: &Fixed, leaves: &Leaves) -> Vec<(u32, u32)> {
    let mut elements: SmallVec<[u32; 8]> = SmallVec::new();
    for trail in fixed {
        elements.extend(leaves.chain(*trail).map(|(at, _)| at));
    }
    elements.sort_unstable();
    elements.dedup();
    let mut gaps = Vec::with_capacity(elements.len() * 2);
    for element in elements {
        let trail = leaves.trail(element);
        if let Some(array) = leaves.arrays.get(trail.array as usize) {
            gaps.push((array.first, element));
            gaps.push((trail.end, array.end));
        }
    }
    gaps.sort_unstable();
    gaps
}

/// Calls `visit` for the leaves that lie in no gap, until it says that it has enough.
fn outside(
    list: &[Leaf],
    gaps: &[(u32, u32)],
    mut visit: impl FnMut(&Leaf) -> Result<bool, EventError>,
) -> Result<(), EventError> {
    let mut at = 0;
    for &(start, end) in gaps.iter().chain(std::iter::once(&(u32::MAX, u32::MAX))) {
        let rest = list.get(at..).unwrap_or(&[]);
        let before = rest.partition_point(|leaf| leaf.trail < start);
        for leaf in rest.get(..before).unwrap_or(&[]) {
            if !visit(leaf)? {
                return Ok(());
            }
        }
        at += before;
        at += list.get(at..).unwrap_or(&[]).partition_point(|leaf| leaf.trail < end);
    }
    Ok(())
}

fn trace(states: &[State], end: u32) -> Choice {
    let (mut choice, mut at) = (Vec::new(), end);
    while let Some(state) = states.get(at as usize) {
        choice.extend(state.chosen);
        if at == 0 {
            break;
        }
        at = state.before;
    }
    choice.reverse();
    choice
}

/// The fields that a path of a program names, for callers that build one from a list.
pub(super) fn straight(mut fields: Vec<Field>, rank: impl Fn(PathId) -> u32) -> Program {
    fields.sort_unstable_by_key(|field| (rank(field.path), field.node));
    let steps = fields.into_iter().map(Step::Field).chain(std::iter::once(Step::Accept)).collect();
    Program { steps, targets: Vec::new() }
}
