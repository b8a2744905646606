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

/// A text of ours with names from files and templates in it, which commands no terminal and does not turn the direction of
/// writing: what the library replaces in its own messages.
pub(crate) fn harmless(text: &str) -> Cow<'_, str> {
    let turns =
        |char| matches!(char, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200e}' | '\u{200f}' | '\u{61c}');
    let harms = |char: char| (char.is_control() && char != '\n') || turns(char);
    if text.contains(harms) { text.replace(harms, "\u{fffd}").into() } else { text.into() }
}

#[cfg(test)]
mod tests {
    use super::harmless;

    #[test]
    fn names_stay_names() {
        assert_eq!(harmless("a\u{1b}[2Jb\u{202e}c\u{200f}\nd"), "a\u{fffd}[2Jb\u{fffd}c\u{fffd}\nd");
        assert_eq!(harmless("é ☃ d"), "é ☃ d");
    }
}
