//! Counts the work of reading for tests and fuzzing: bytes and nodes that were read. Costs nothing without the feature
//! `count-work`.

#[cfg(feature = "count-work")]
use std::cell::Cell;

#[cfg(feature = "count-work")]
thread_local! {
    static DONE: Cell<u64> = const { Cell::new(0) };
}

/// Notes that so many bytes or nodes were read.
#[inline(always)]
pub(crate) fn note(amount: usize) {
    #[cfg(feature = "count-work")]
    DONE.with(|done| done.set(done.get() + amount as u64));
    #[cfg(not(feature = "count-work"))]
    let _ = amount;
}

/// Runs `task` and says how many bytes and nodes this thread read meanwhile.
///
/// ```
/// use eventrie_files::{Document, Expected, SourceFile, counted};
///
/// let file = SourceFile::new("rule.json", r#"{"source": ["aws.ec2"]}"#);
/// let (document, work) = counted(|| Document::read(file, Expected::Anything));
/// assert!(document.is_ok() && work < 200);
/// ```
#[cfg(feature = "count-work")]
pub fn counted<T>(task: impl FnOnce() -> T) -> (T, u64) {
    let before = DONE.get();
    let value = task();
    (value, DONE.get() - before)
}
