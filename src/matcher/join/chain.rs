//! Which hits go together with the elements chosen so far.

use smallvec::SmallVec;

use super::super::observed::{Array, ArrayId, Element, ElementId, LeafId, Observed};
use super::hits::{HitId, Sorted};
use super::search::{Alternative, Chosen, Parts, PlanId, Search};
use crate::base::{Key, Optional, Run};

/// What was observed, and the hits and goals of a walk.
#[derive(Clone, Copy)]
pub(super) struct Chains<'a> {
    pub(super) observed: &'a Observed,
    pub(super) search: &'a Search,
}

impl Chains<'_> {
    fn element(self, element: ElementId) -> Element {
        self.observed.elements[element]
    }

    fn array(self, array: ArrayId) -> Array {
        self.observed.arrays[array]
    }

    /// Whether some hit of a range goes together with a chain of elements: as [`Chains::together`], from the inside.
    pub(super) fn any_hit(self, hits: Sorted, innermost: ElementId) -> bool {
        let all = &self.search.collected.hits[hits.leaves];
        let place = |leaf: u32| all.partition_point(|hit| hit.raw() < leaf);
        if innermost == Element::OUTSIDE {
            return !all.is_empty();
        }
        let inner = self.element(innermost).leaves;
        if all.get(place(inner.start)).is_some_and(|hit| hit.raw() < inner.end) {
            return true;
        }
        // Then around: what lies outside each array.
        let mut at = innermost;
        while at != Element::OUTSIDE {
            let element = self.element(at);
            let array = self.array(element.array);
            let (low, high) = if element.parent == Element::OUTSIDE {
                (0, all.len())
            } else {
                let outer = self.element(element.parent).leaves;
                (place(outer.start), place(outer.end))
            };
            if low < place(array.leaves.start)
                || place(array.leaves.end) < high
                || self.direct(hits, element.parent, array).is_some()
            {
                return true;
            }
            at = element.parent;
        }
        false
    }

    /// The first hit, as a range of one, that is a scalar of the array itself, which lies in element `outer`.
    fn direct(self, hits: Sorted, outer: ElementId, array: Array) -> Option<Run<HitId>> {
        if !array.direct {
            return None;
        }
        let sorted = &self.search.collected.hits[hits.by_element];
        let place = |hit: LeafId| (self.observed.element_of(hit), hit.raw());
        let at = sorted.partition_point(|hit| place(*hit) < (outer, array.leaves.start));
        let found = sorted.get(at).is_some_and(|hit| place(*hit) < (outer, array.leaves.end));
        let from = hits.by_element.start + at as u32;
        found.then(|| Run::new(from, from + 1))
    }

    /// The parts of a range of ascending hits that go together with the first chosen chain: from the outermost element
    /// inwards, what lies outside its array goes, what lies in other elements of the array does not. If an array
    /// has scalars itself, these go too; they lie between those that do not, but in one element, so one of them
    /// represents all.
    pub(super) fn together(self, hits: Sorted, chosen: &Chosen) -> Parts {
        let mut parts = Parts::new();
        let mut chain: SmallVec<[ElementId; 8]> = SmallVec::new();
        let mut at = chosen.first().copied().unwrap_or(Element::OUTSIDE);
        while at != Element::OUTSIDE {
            chain.push(at);
            at = self.element(at).parent;
        }
        let mut rest = hits.leaves;
        for id in chain.iter().rev() {
            let element = self.element(*id);
            let array = self.array(element.array);
            let part = &self.search.collected.hits[rest];
            let place = |leaf: u32| rest.start + part.partition_point(|hit| hit.raw() < leaf) as u32;
            let before = Run::new(rest.start, place(array.leaves.start));
            let after = Run::new(place(array.leaves.end), rest.end);
            let inside = Run::new(place(element.leaves.start), place(element.leaves.end));
            parts.extend([before, after].into_iter().filter(|part| !part.is_empty()));
            parts.extend(self.direct(hits, element.parent, array));
            rest = inside;
        }
        if !rest.is_empty() {
            parts.push(rest);
        }
        parts
    }

    /// Whether an element that goes together with the first chosen chain does so with the others.
    pub(super) fn all_together(self, chosen: &Chosen, element: ElementId) -> bool {
        chosen.iter().skip(1).all(|other| self.go_together(*other, element))
    }

    /// Whether no array around both elements has them in different elements of its own.
    fn go_together(self, left: ElementId, right: ElementId) -> bool {
        let (mut left, mut right) = (left, right);
        let (mut below_left, mut below_right) = (None, None);
        // Elements are numbered after those around them.
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

    fn inside(self, inner: ElementId, outer: ElementId) -> bool {
        let mut at = inner;
        while at > outer {
            at = self.element(at).parent;
        }
        at == outer
    }

    /// What of the chosen elements matters to these goals and to the plans from `plan` on.
    pub(super) fn project(self, plan: PlanId, goals: Alternative, chosen: &Chosen) -> Chosen {
        let mut kept = Chosen::new();
        for element in chosen {
            let mut at = *element;
            while at != Element::OUTSIDE && !self.matters(plan, goals, self.element(at).array) {
                at = self.element(at).parent;
            }
            if at == Element::OUTSIDE || kept.iter().any(|other| self.inside(*other, at)) {
                continue;
            }
            kept.retain(|other| !self.inside(at, *other));
            kept.push(at);
        }
        kept.sort_unstable();
        kept
    }

    /// Whether one of those goals may have scalars inside the array.
    fn matters(self, plan: PlanId, goals: Alternative, array: ArrayId) -> bool {
        let leaves = self.array(array).leaves;
        // A goal has leaves, so its first and last one are there.
        let (start, end) =
            (Optional::some(LeafId::from_raw(leaves.start)), Optional::some(LeafId::from_raw(leaves.end)));
        let touches = |goals: Alternative| {
            self.search.goals[goals].iter().any(|goal| goal.field.first < end && goal.field.last >= start)
        };
        let plans = &self.search.plans;
        let later = &plans[Run::new(plan.raw().min(plans.len() as u32), plans.len() as u32)];
        touches(goals)
            || later.iter().flat_map(|plan| &self.search.alternatives[*plan]).any(|alternative| touches(*alternative))
    }
}

pub(super) fn with(chosen: &Chosen, element: ElementId) -> Chosen {
    let mut chosen = chosen.clone();
    chosen.push(element);
    chosen
}
