//! One file for each command.

pub(crate) mod check;
pub(crate) mod completions;
pub(crate) mod matching;
pub(crate) mod vectors;
