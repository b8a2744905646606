//! All tests of the command line from outside, in one binary, which links once.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod commands;
mod common;
mod deployed;
mod entries;
mod events;
mod fix;
mod ignores;
mod inputs;
mod kinds;
#[cfg(feature = "lsp")]
mod lsp;
#[cfg(feature = "mcp")]
mod mcp;
mod migrate;
mod moves;
mod sarif;
mod walk;
#[cfg(feature = "watch")]
mod watch;
