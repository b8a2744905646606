//! Working memory for matching: one for each thread that matches at the same time.

use std::sync::{Mutex, PoisonError};

use eventrie::Scratch;

/// A pool; a batch takes from it once and gives back once.
#[derive(Debug, Default)]
pub(crate) struct Pool(Mutex<Vec<Scratch>>);

impl Pool {
    /// Calls `work` with working memory that no other thread uses meanwhile.
    pub(crate) fn with<R>(&self, work: impl FnOnce(&mut Scratch) -> R) -> R {
        let taken = self.0.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut scratch = taken.unwrap_or_default();
        let result = work(&mut scratch);
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(scratch);
        result
    }
}
