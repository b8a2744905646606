//! The command line of eventrie, as a library: other packages carry the same program.

mod args;
mod choose;
mod commands;
mod directory;
mod events;
mod findings;
mod given;
mod judge;
#[cfg(feature = "lsp")]
mod lsp;
#[cfg(feature = "mcp")]
mod mcp;
mod members;
mod open;
mod program;
mod project;
mod replace;
mod report;
mod rules;
mod shown;
mod vector;

pub use findings::check;
pub use program::{command, run};
