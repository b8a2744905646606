//! From the arguments of the command line to an exit code.

use std::ffi::OsString;
use std::io;

use clap::{CommandFactory, Parser};

use crate::args::{Cli, Command};
use crate::commands::{self, Outcome};
use crate::shown::complain;

/// Runs the command line with these words, the program's name first, and returns the exit code: 0 if the answer is yes, 1
/// if it is no, 2 if something went wrong. Reads standard input and writes to standard output and standard error.
///
/// ```
/// assert_eq!(eventrie_cli::run(["eventrie", "explain-code", "E0006"]), 0);
/// assert_eq!(eventrie_cli::run(["eventrie", "no-such-command"]), 2);
/// ```
pub fn run(words: impl IntoIterator<Item = impl Into<OsString> + Clone>) -> u8 {
    let cli = match Cli::try_parse_from(words) {
        Ok(cli) => cli,
        Err(error) => {
            // Help and version are such "errors" too; if nobody reads them, nothing is left to say.
            let _ = error.print();
            return u8::try_from(error.exit_code()).unwrap_or(2);
        }
    };
    cli.color.write_global();
    let result = match &cli.command {
        Command::Match(args) => commands::matching::run(args),
        Command::Explain(args) => commands::explain::run(args),
        Command::Check(args) => commands::check::run(args),
        Command::Test(args) => commands::test::run(args),
        Command::Diff(args) => commands::diff::run(args),
        Command::Covers(args) => commands::relate::covers(args),
        Command::Overlaps(args) => commands::relate::overlaps(args),
        Command::Sample(args) => commands::relate::sample(args),
        Command::ExplainCode(args) => commands::explain_code::run(args),
        Command::Infer(args) => commands::infer::run(args),
        Command::Migrate(args) => commands::migrate::run(args),
        Command::Vectors(args) => commands::vectors::run(args),
        Command::Lsp(_) => return commands::lsp::run(),
        Command::Mcp(_) => return commands::mcp::run(),
        Command::Completions(args) => commands::completions::run(args),
    };
    match result {
        Ok(Outcome::Yes) => 0,
        Ok(Outcome::No) => 1,
        Ok(Outcome::Trouble) => 2,
        Err(error) if is_broken_pipe(&error) => 0,
        Err(error) => {
            complain(&format!("{error:#}"));
            2
        }
    }
}

/// The definition of the command line, for man pages and other documentation.
///
/// ```
/// assert_eq!(eventrie_cli::command().get_name(), "eventrie");
/// ```
#[must_use]
pub fn command() -> clap::Command {
    Cli::command()
}

/// Anyone who reads our output has gone: the work is done.
fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        cause.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
            || cause
                .downcast_ref::<serde_json::Error>()
                .is_some_and(|error| error.io_error_kind() == Some(io::ErrorKind::BrokenPipe))
    })
}
