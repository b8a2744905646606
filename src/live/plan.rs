//! Which parts are merged when.
//!
//! Parts lie one after the other, each much larger than all those after it together. What comes new is merged with
//! the parts at the end that would break this; so a pattern is compiled again a few times for each power of the
//! ratio that the rule set is large, and there are no more parts than such powers.

use std::ops::Range;

/// How many patterns of a part count, and how many are gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Size {
    pub(super) live: usize,
    pub(super) gone: usize,
}

/// Parts of at most this many patterns are always merged with what follows them: a matcher of their own costs each
/// event more than they do.
const FLOOR: usize = 64;

/// A part is compiled again when this fraction of its patterns is gone: one in four.
const WASTE: usize = 4;

/// The first of the parts that are to be merged with `fresh` new patterns into a part of at most `most`.
pub(super) fn tail(sizes: &[Size], fresh: usize, ratio: usize, most: usize) -> usize {
    let (mut start, mut behind) = (sizes.len(), fresh);
    for (at, size) in sizes.iter().enumerate().rev() {
        let close = size.live <= behind.saturating_mul(ratio).max(FLOOR);
        behind = behind.saturating_add(size.live);
        if behind > most && size.live > 0 {
            break;
        }
        if close {
            start = at;
        }
    }
    start
}

/// The parts that are to be made one, if any.
pub(super) fn due(sizes: &[Size], ratio: usize) -> Option<Range<usize>> {
    let mut behind = 0_usize;
    let mut start = sizes.len();
    for (at, size) in sizes.iter().enumerate().rev() {
        if size.live <= behind.saturating_mul(ratio).max(FLOOR) {
            start = at;
        }
        behind = behind.saturating_add(size.live);
    }
    if sizes.len() - start > 1 {
        return Some(start..sizes.len());
    }
    let wasteful = |size: &Size| {
        size.gone > 0 && size.live == 0 || size.gone > FLOOR && size.gone * WASTE >= size.live + size.gone
    };
    sizes.iter().position(wasteful).map(|at| at..at + 1)
}

#[cfg(test)]
mod tests {
    use super::{FLOOR, Size, due, tail};

    fn simulate(steps: usize, ratio: usize) -> (usize, usize) {
        let (mut sizes, mut compiled, mut most) = (Vec::<Size>::new(), 0, 0);
        for _ in 0..steps {
            let start = tail(&sizes, 1, ratio, usize::MAX);
            let live = 1 + sizes.drain(start..).map(|size| size.live).sum::<usize>();
            sizes.push(Size { live, gone: 0 });
            assert_eq!(due(&sizes, ratio), None);
            compiled += live;
            most = most.max(sizes.len());
        }
        assert_eq!(sizes.iter().map(|size| size.live).sum::<usize>(), steps);
        (compiled, most)
    }

    #[test]
    fn work_and_parts_grow_with_the_logarithm() {
        let (compiled, parts) = simulate(100_000, 8);
        assert!(parts <= 5, "{parts} parts");
        assert!(compiled <= 64 * 100_000, "{compiled} patterns compiled");
    }

    #[test]
    fn what_is_gone_is_swept_out() {
        let size = |live, gone| Size { live, gone };
        assert_eq!(due(&[size(1000, 300), size(50, 0)], 8), None);
        assert_eq!(due(&[size(1000, 400), size(50, 0)], 8), Some(0..1));
        assert_eq!(due(&[size(0, 3)], 8), Some(0..1));
        assert_eq!(due(&[size(0, 0)], 8), None);
        assert_eq!(due(&[size(400, 9), size(50, 0)], 8), Some(0..2));
        assert_eq!(due(&[size(10_000, 0), size(400, 0), size(50, 0)], 8), Some(1..3));
    }

    #[test]
    fn a_bound_keeps_large_parts_out() {
        let sizes = [Size { live: 1000, gone: 0 }, Size { live: 200, gone: 0 }, Size { live: FLOOR, gone: 0 }];
        assert_eq!(tail(&sizes, 1, 8, usize::MAX), 0);
        assert_eq!(tail(&sizes, 1, 8, 300), 1);
        assert_eq!(tail(&sizes, 1, 8, 100), 2);
        assert_eq!(tail(&sizes, 1, 8, 10), 3);
        assert_eq!(tail(&[Size { live: 0, gone: 7 }], 1000, 8, 10), 0);
    }
}
