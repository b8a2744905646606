//! From the words of the command line to an exit code.

use std::io;
use std::process::ExitCode;

use clap::Parser;

use crate::args::{Cli, Command};
use crate::commands::{self, Outcome};
use crate::shown::complain;

/// Runs the command that the process was started with.
pub(crate) fn main() -> ExitCode {
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
