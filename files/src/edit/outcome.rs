//! The outcome of a fix: the edits of the file, or why there are none.

use std::fmt::{Display, Formatter};
use std::ops::Range;

/// A change of a file: these bytes are replaced by this text.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Edit {
    /// The bytes of the file that are replaced; an empty range is an insertion.
    pub range: Range<usize>,
    /// What is put there.
    pub text: String,
}

impl Edit {
    pub(super) fn new(range: Range<usize>, text: impl Into<String>) -> Edit {
        Edit { range, text: text.into() }
    }
}

/// Why a fix was not applied to a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum NotApplied {
    /// Another fix changes the same place.
    Overlaps,
    /// The fix changes something that is only known when the template is deployed.
    OnlyKnownLater,
    /// The fix would remove comments.
    Comments,
    /// The bytes are part of another pattern too, which would change with them.
    Shared,
    /// The value has a name, such as a YAML anchor or a Terraform variable, and is, or may be, used outside patterns.
    UsedElsewhere,
    /// No change of the file was found that is exactly the change of the pattern.
    NoExactPlace,
    /// Too many fixes were tried; the rest is left for another run.
    TooMany,
}

impl Display for NotApplied {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            NotApplied::Overlaps => "another fix changes the same place",
            NotApplied::OnlyKnownLater => "a part of it is only known when the template is deployed",
            NotApplied::Comments => "there are comments inside the part to replace",
            NotApplied::Shared => "another pattern shares these bytes of the file",
            NotApplied::UsedElsewhere => "this value is, or may be, used elsewhere; change it by hand",
            NotApplied::NoExactPlace => "this part is written in a form that cannot be edited exactly",
            NotApplied::TooMany => "too many fixes at once; run again for the rest",
        })
    }
}
