//! The error of parsing a name from a fixed list of names.

use std::fmt::{Display, Formatter};

/// The error of parsing a name that is not in the list, such as the name of a dialect, source, code or limit.
///
/// ```
/// use eventrie::Dialect;
/// let error = "event-bridge".parse::<Dialect>().unwrap_err().to_string();
/// assert!(error.starts_with("expected a dialect (eventbridge, pipes, lambda-esm, "));
/// assert!(error.ends_with("), found \"event-bridge\""));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownName {
    kind: &'static str,
    expected: String,
    found: String,
}

/// Longer names are shortened.
const SHOWN: usize = 40;

impl UnknownName {
    pub(crate) fn new(kind: &'static str, found: &str, expected: impl Iterator<Item = &'static str>) -> UnknownName {
        let mut shown: String = found.chars().take(SHOWN).collect();
        if shown.len() < found.len() {
            shown.push('…');
        }
        UnknownName { kind, expected: expected.collect::<Vec<_>>().join(", "), found: shown }
    }
}

impl Display for UnknownName {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        write!(f, "expected a {} ({}), found {:?}", self.kind, self.expected, self.found)
    }
}

impl std::error::Error for UnknownName {}

/// `Display` and `FromStr` of an enum with `ALL` and `name`.
macro_rules! named {
    ($type:ty, $kind:literal) => {
        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.name())
            }
        }

        impl std::str::FromStr for $type {
            type Err = $crate::base::UnknownName;

            fn from_str(name: &str) -> Result<Self, Self::Err> {
                let found = Self::ALL.iter().find(|one| one.name() == name);
                let names = || Self::ALL.iter().map(|one| one.name());
                found.copied().ok_or_else(|| $crate::base::UnknownName::new($kind, name, names()))
            }
        }
    };
}

pub(crate) use named;
