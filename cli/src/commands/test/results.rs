//! The results of a test file.

/// The results of one test file.
pub(super) struct Results {
    pub(super) name: String,
    pub(super) cases: Vec<Case>,
    /// The names of rules that no event matches.
    pub(super) uncovered: Vec<String>,
    pub(super) rules: usize,
}

/// The result of one test.
pub(super) struct Case {
    pub(super) name: String,
    pub(super) line: u32,
    pub(super) failures: Vec<String>,
}
