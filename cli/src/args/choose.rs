//! Arguments of `check` that choose findings and fixes.

use clap::Args;

use crate::choose::Selector;

/// Which findings count
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Selecting findings")]
pub(crate) struct ChooseArgs {
    /// Report only these: codes (W0016), prefixes of codes (W02), or groups (all, errors, warnings, meaning, engine,
    /// rules, custom-bus, project)
    #[arg(long, value_name = "CODES", value_delimiter = ',')]
    pub(crate) select: Vec<Selector>,
    /// Do not report these; if both options match a code, the longer prefix wins
    #[arg(long, value_name = "CODES", value_delimiter = ',')]
    pub(crate) ignore: Vec<Selector>,
    /// Use this file instead of the nearest eventrie.toml in the directory of each file or its parents
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<String>,
}

/// What to do about findings
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Fixing")]
pub(crate) struct FixArgs {
    /// Apply the safe fixes to the files: for patterns that are rejected or can match nothing, and for redundant parts. With -e or
    /// standard input, print the fixed text
    #[arg(long)]
    pub(crate) fix: bool,
    /// Print what --fix would change as a unified diff, and change nothing
    #[arg(long, conflicts_with = "fix")]
    pub(crate) diff: bool,
    /// With --fix or --diff: also apply fixes that change which events a valid pattern matches
    #[arg(long)]
    pub(crate) unsafe_fixes: bool,
}
