//! `eventrie completions`

use clap::CommandFactory;

use crate::args::{Cli, CompletionsArgs};
use crate::commands::Outcome;

pub(crate) fn run(args: &CompletionsArgs) -> anyhow::Result<Outcome> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "eventrie", &mut script);
    std::io::Write::write_all(&mut std::io::stdout(), &script)?;
    Ok(Outcome::Yes)
}
