//! Arguments of `check` that say which findings count, and what to do about them.

use clap::Args;

use crate::choose::Selector;

/// Which findings count
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Choosing findings")]
pub(crate) struct ChooseArgs {
    /// Report only these: codes (W0016), beginnings of codes (W02), or groups (all, errors, warnings, meaning, engine,
    /// rules, custom-bus, project)
    #[arg(long, value_name = "CODES", value_delimiter = ',')]
    pub(crate) select: Vec<Selector>,
    /// Do not report these; if a code is in both lists, the longer spelling decides
    #[arg(long, value_name = "CODES", value_delimiter = ',')]
    pub(crate) ignore: Vec<Selector>,
    /// Use this file instead of the eventrie.toml found in the directory of each file or above it
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<String>,
}

/// What to do about findings
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Fixing")]
pub(crate) struct FixArgs {
    /// Apply the safe fixes to the files: those of patterns that are rejected or can match nothing, and of redundant parts. Of -e
    /// and standard input, print the fixed text
    #[arg(long)]
    pub(crate) fix: bool,
    /// Print what --fix would change as a unified diff, and change nothing
    #[arg(long, conflicts_with = "fix")]
    pub(crate) diff: bool,
    /// With --fix or --diff: also apply fixes that change which events a valid pattern matches
    #[arg(long)]
    pub(crate) unsafe_fixes: bool,
}
