//! How much work one question about patterns may take.

use std::cell::Cell;

/// Steps that are left for all searches of one question together. A search that finds none left answers "unknown".
#[derive(Debug)]
pub(crate) struct Effort(Cell<usize>);

impl Effort {
    /// For a question about one or two patterns: a few tenths of a second at most.
    pub(crate) fn new() -> Effort {
        Effort::of(10_000_000)
    }

    /// For a question about many, however many: a few seconds.
    pub(super) fn of_many() -> Effort {
        Effort::of(30_000_000)
    }

    pub(super) fn of(steps: usize) -> Effort {
        Effort(Cell::new(steps))
    }

    /// Whether nothing is left.
    pub(super) fn is_spent(&self) -> bool {
        self.0.get() == 0
    }

    /// Takes some steps; false if there are not so many left.
    pub(super) fn take(&self, steps: usize) -> bool {
        let left = self.0.get().checked_sub(steps);
        self.0.set(left.unwrap_or(0));
        left.is_some()
    }
}
