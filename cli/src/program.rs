//! From the words of the command line to an exit code.

use std::borrow::Cow;
use std::io::{self, Write};
use std::process::ExitCode;

use clap::Parser;

use crate::args::{Cli, Command};
use crate::commands;

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

/// Runs the command that the process was started with.
#[must_use]
pub fn main() -> ExitCode {
    let cli = Cli::parse();
    cli.color.write_global();
    let result = match &cli.command {
        Command::Match(args) => commands::matching::run(args),
        Command::Explain(args) => commands::explain::run(args),
        Command::Check(args) => commands::check::run(args),
        Command::ExplainCode(args) => commands::explain_code::run(args),
        Command::Infer(args) => commands::infer::run(args),
        Command::Vectors(args) => commands::vectors::run(args),
        Command::Completions(args) => commands::completions::run(args),
    };
    match result {
        Ok(Outcome::Yes) => ExitCode::SUCCESS,
        Ok(Outcome::No) => ExitCode::from(1),
        Ok(Outcome::Trouble) => ExitCode::from(2),
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            complain(&format!("{error:#}"));
            ExitCode::from(2)
        }
    }
}

/// Whoever reads our output has gone: the work is done.
fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        cause.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
            || cause
                .downcast_ref::<serde_json::Error>()
                .is_some_and(|error| error.io_error_kind() == Some(io::ErrorKind::BrokenPipe))
    })
}

/// A line on standard error; there is nobody to tell if that fails.
pub(crate) fn complain(message: &str) {
    drop(writeln!(anstream::stderr(), "eventrie: {}", harmless(message)));
}

/// A text of ours with names from files and templates in it, which command no terminal.
pub(crate) fn harmless(text: &str) -> Cow<'_, str> {
    let harms = |char: char| char.is_control() && char != '\n';
    if text.contains(harms) { text.replace(harms, "\u{fffd}").into() } else { text.into() }
}
