//! Why bytes could not be loaded as a matcher.

use std::fmt::{Display, Formatter};

use crate::automaton::Broken;
use crate::limit::Limit;

/// Why bytes could not be loaded as a matcher.
///
/// ```
/// use eventrie::saved::LoadErrorKind;
/// use eventrie::Matcher;
/// let error = Matcher::from_bytes(b"{}").unwrap_err();
/// assert_eq!(error.kind(), LoadErrorKind::NotSaved);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoadError {
    kind: LoadErrorKind,
    detail: Detail,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Detail {
    Nothing,
    Version { found: u32, expected: u32 },
    Lengths(u64, u64),
    Table(&'static str),
    Limit(usize, usize),
    Pattern(usize),
}

/// What kind of fault a [`LoadError`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum LoadErrorKind {
    /// The bytes do not begin as a saved matcher does.
    NotSaved,
    /// They were saved in another version of the form: the patterns have to be compiled again.
    Version,
    /// There are fewer or more bytes than were saved.
    Length,
    /// The bytes were changed since they were saved.
    Checksum,
    /// The tables make no sense, although the checksum is right: something else wrote them.
    Malformed,
    /// [`Limits::table_bytes`](crate::Limits::table_bytes) was reached.
    Limit,
    /// The matcher was saved with keys and is loaded without, or the reverse; or its keys are not of this type.
    Keys,
    /// A saved pattern is not one, or reaches a limit.
    Pattern,
}

impl LoadError {
    pub(super) fn new(kind: LoadErrorKind, detail: Detail) -> LoadError {
        LoadError { kind, detail }
    }

    pub(super) fn malformed(what: &'static str) -> LoadError {
        LoadError::new(LoadErrorKind::Malformed, Detail::Table(what))
    }

    /// The limit that was reached, if it was one.
    #[must_use]
    pub fn limit(&self) -> Option<Limit> {
        (self.kind == LoadErrorKind::Limit).then_some(Limit::TableBytes)
    }

    /// The kind of the error.
    #[must_use]
    pub fn kind(&self) -> LoadErrorKind {
        self.kind
    }
}

impl From<Broken> for LoadError {
    fn from(broken: Broken) -> LoadError {
        LoadError::malformed(broken.0)
    }
}

impl std::error::Error for LoadError {}

impl Display for LoadError {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        match (self.kind, &self.detail) {
            (LoadErrorKind::NotSaved, _) => f.write_str("not a saved matcher"),
            (LoadErrorKind::Version, Detail::Version { found, expected }) => {
                write!(f, "unsupported format version {found} (expected {expected})")
            }
            (LoadErrorKind::Length, Detail::Lengths(found, expected)) => {
                write!(f, "the saved matcher has {found} bytes instead of {expected}")
            }
            (LoadErrorKind::Checksum, _) => f.write_str("the saved matcher was damaged: its checksum differs"),
            (LoadErrorKind::Keys, Detail::Table(what)) => write!(f, "the saved matcher cannot be loaded: {what}"),
            (LoadErrorKind::Pattern, Detail::Pattern(position)) => {
                write!(f, "pattern {position} of the saved matcher is not valid")
            }
            (LoadErrorKind::Malformed, Detail::Table(what)) => write!(f, "the saved matcher is malformed: {what}"),
            (LoadErrorKind::Limit, Detail::Limit(taken, limit)) => {
                write!(f, "the tables take {taken} bytes: the limit `table_bytes` is {limit}")
            }
            (_, _) => f.write_str("the saved matcher cannot be loaded"),
        }
    }
}
