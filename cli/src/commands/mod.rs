//! One file for each command.

mod batch;
pub(crate) mod check;
pub(crate) mod completions;
pub(crate) mod diff;
pub(crate) mod explain;
pub(crate) mod explain_code;
mod explain_subscribers;
pub(crate) mod infer;
pub(crate) mod lsp;
pub(crate) mod matching;
pub(crate) mod mcp;
pub(crate) mod migrate;
pub(crate) mod relate;
pub(crate) mod test;
pub(crate) mod vectors;

/// How a command ended, beside errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// Found, clean, passed.
    Yes,
    /// Nothing found, or findings, or failures.
    No,
    /// Something was in the way; it was reported already.
    Trouble,
}
