//! Closed intervals of numbers or addresses, and which of them a point lies in: a binary search for the innermost one,
//! then one step for each interval reported, however they nest or overlap.
//!
//! Intervals are ordered by their low end, wider ones first. The *parent* of an interval is the last one before it that
//! contains it; children of one parent contain none of each other, so both of their ends grow from left to right. Of
//! all intervals with a given point, let `x` be the last. Each other one is an ancestor of `x`, or lies in the
//! subtree of a left sibling of `x` or of one of its ancestors; and because high ends grow to the right, walking to the
//! left and down the rightmost children stops at the first interval that ends too early. (After J. M. Schmidt,
//! "Interval stabbing problems in small integer ranges", 2009.)

#![allow(
    clippy::indexing_slicing,
    reason = "INVARIANT: `tops` holds NONE or indices of `linked`, those of an interval too; all made by `build`"
)]

use super::Value;

/// No interval.
const NONE: u32 = u32::MAX;

/// What intervals are made of.
pub(crate) trait Point: Ord + Copy {
    /// The point after this one, if there is any.
    fn next(self) -> Option<Self>;
}

impl Point for u64 {
    fn next(self) -> Option<u64> {
        self.checked_add(1)
    }
}

impl Point for u128 {
    fn next(self) -> Option<u128> {
        self.checked_add(1)
    }
}

#[derive(Clone, Copy, Debug)]
struct Interval<K> {
    high: K,
    value: Value,
    parent: u32,
    /// The child of the same parent before this one.
    left: u32,
    /// The last child.
    child: u32,
}

/// A frozen set of closed intervals with values.
#[derive(Debug)]
pub(crate) struct IntervalSet<K> {
    /// Where the innermost interval changes, and to what.
    points: Box<[K]>,
    tops: Box<[u32]>,
    linked: Box<[Interval<K>]>,
}

impl<K: Point> IntervalSet<K> {
    /// Freezes intervals from `low` to `high`, both included; one with `low > high` is empty. Sorts, and is linear
    /// otherwise, in time (but for a heap) and space.
    pub(crate) fn build(mut intervals: Vec<(K, K, Value)>) -> IntervalSet<K> {
        intervals.retain(|(low, high, _)| low <= high);
        intervals.sort_unstable_by(|left, right| (left.0, right.1, left.2).cmp(&(right.0, left.1, right.2)));
        let mut linked = Vec::<Interval<K>>::with_capacity(intervals.len());
        let (mut open, mut last_root) = (Vec::<u32>::new(), NONE);
        for ((_, high, value), index) in intervals.iter().zip(0..) {
            while open.pop_if(|interval| linked[*interval as usize].high < *high).is_some() {}
            let parent = open.last().copied().unwrap_or(NONE);
            let last = if parent == NONE { &mut last_root } else { &mut linked[parent as usize].child };
            let left = std::mem::replace(last, index);
            linked.push(Interval { high: *high, value: *value, parent, left, child: NONE });
            open.push(index);
        }
        let (points, tops) = sweep(&intervals);
        IntervalSet { points: points.into(), tops: tops.into(), linked: linked.into() }
    }

    /// Reports the values of all intervals that the point lies in.
    pub(crate) fn each(&self, point: K, found: &mut impl FnMut(Value)) {
        let Some(segment) = self.points.partition_point(|start| *start <= point).checked_sub(1) else { return };
        // On the way from the innermost interval to the root: everything below or to the right of it is done.
        let mut path = self.tops[segment];
        let mut at = path;
        if at == NONE {
            return;
        }
        let reaches = |interval: u32| interval != NONE && self.linked[interval as usize].high >= point;
        loop {
            let interval = &self.linked[at as usize];
            found(interval.value);
            if at != path && reaches(interval.child) {
                at = interval.child;
                continue;
            }
            loop {
                let interval = &self.linked[at as usize];
                if reaches(interval.left) {
                    at = interval.left;
                    break;
                }
                at = interval.parent;
                if at == self.linked[path as usize].parent {
                    if at == NONE {
                        return;
                    }
                    path = at;
                    break;
                }
            }
        }
    }

    /// Whether the point lies in any interval.
    #[cfg(test)]
    fn any(&self, point: K) -> bool {
        let segment = self.points.partition_point(|start| *start <= point).checked_sub(1);
        segment.is_some_and(|segment| self.tops[segment] != NONE)
    }

    /// Bytes on the heap.
    pub(crate) fn memory_usage(&self) -> usize {
        size_of_val(&*self.points) + size_of_val(&*self.tops) + size_of_val(&*self.linked)
    }
}

/// From which point on which interval is the last one that contains the points.
fn sweep<K: Point>(intervals: &[(K, K, Value)]) -> (Vec<K>, Vec<u32>) {
    let mut starts: Vec<K> = intervals.iter().flat_map(|(low, high, _)| [Some(*low), high.next()]).flatten().collect();
    starts.sort_unstable();
    starts.dedup();
    let (mut points, mut tops) = (Vec::new(), Vec::new());
    let mut waiting = intervals.iter().zip(0_u32..).peekable();
    let mut open = std::collections::BinaryHeap::new();
    for start in starts {
        while let Some((_, index)) = waiting.next_if(|((low, _, _), _)| *low <= start) {
            open.push(index);
        }
        while open.peek().is_some_and(|index| intervals[*index as usize].1 < start) {
            open.pop();
        }
        let top = open.peek().copied().unwrap_or(NONE);
        if tops.last() != Some(&top) {
            points.push(start);
            tops.push(top);
        }
    }
    (points, tops)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::IntervalSet;

    fn stab(set: &IntervalSet<u64>, point: u64) -> Vec<u32> {
        let mut found = Vec::new();
        set.each(point, &mut |value| found.push(value));
        found.sort_unstable();
        found
    }

    #[test]
    fn edges() {
        let all = (0, u64::MAX, 7);
        let set = IntervalSet::build(vec![all, (3, 5, 1), (5, 5, 2), (9, 8, 3), (3, 5, 4), (u64::MAX, u64::MAX, 5)]);
        assert_eq!(stab(&set, 0), [7]);
        assert_eq!(stab(&set, 3), [1, 4, 7]);
        assert_eq!(stab(&set, 5), [1, 2, 4, 7]);
        assert_eq!(stab(&set, 9), [7]);
        assert_eq!(stab(&set, u64::MAX), [5, 7]);
        assert!(!IntervalSet::<u128>::build(Vec::new()).any(0));
        assert!(IntervalSet::<u128>::build(vec![(1, 1, 0)]).any(1));
    }

    #[test]
    fn nesting_and_overlap_stay_linear() {
        const N: u64 = 100_000;
        let nested: Vec<_> = (0..N).map(|at| (at, 2 * N - at, at as u32)).collect();
        let set = IntervalSet::build(nested);
        assert_eq!(stab(&set, N).len(), N as usize);
        assert_eq!(stab(&set, 1), [0, 1]);
        assert!(set.memory_usage() <= N as usize * 48);
        let staggered = IntervalSet::build((0..N).map(|at| (at, at + N, at as u32)).collect());
        assert_eq!(stab(&staggered, N).len(), N as usize);
        assert_eq!(stab(&staggered, 2 * N - 2), [N as u32 - 2, N as u32 - 1]);
    }

    proptest! {
        #[test]
        fn agrees_with_scanning(intervals in prop::collection::vec((0_u64..24, 0_u64..24), 0..24), scale in 0_u32..2) {
            let widen = |end: u64| if scale == 1 && end == 23 { u64::MAX } else { end };
            let intervals: Vec<_> =
                intervals.iter().zip(0..).map(|((low, high), value)| (widen(*low), widen(*high), value)).collect();
            let set = IntervalSet::build(intervals.clone());
            for point in (0..25).chain([u64::MAX - 1, u64::MAX]) {
                let scan: Vec<u32> =
                    intervals.iter().filter(|(low, high, _)| (*low..=*high).contains(&point)).map(|entry| entry.2).collect();
                prop_assert_eq!(set.any(point), !scan.is_empty());
                prop_assert_eq!(stab(&set, point), scan);
            }
        }
    }
}
