//! One file for each command.

pub(crate) mod check;
pub(crate) mod completions;
pub(crate) mod explain;
pub(crate) mod explain_code;
pub(crate) mod infer;
pub(crate) mod matching;
pub(crate) mod vectors;
