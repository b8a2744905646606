//! Arguments of the commands that compare patterns.

use clap::Args;
use eventrie::Dialect;

/// Check whether one pattern matches every event that another matches
///
/// If not, prints an event that only the second pattern matches.
#[derive(Debug, Args)]
#[command(after_help = "\
Exit status: 0 if it does, 1 if not, 2 if that could not be decided or a pattern could not be read.

Examples:
  eventrie covers wide.json narrow.json
  eventrie covers '{\"a\": [{\"prefix\": \"x\"}]}' '{\"a\": [\"xy\"]}'")]
pub(crate) struct CoversArgs {
    /// The pattern that may match more: a file or JSON text
    #[arg(value_name = "WIDE")]
    pub(crate) wide: String,
    /// The pattern that may match less: a file or JSON text
    #[arg(value_name = "NARROW")]
    pub(crate) narrow: String,
    /// The service that the patterns are for
    #[arg(short, long, value_name = "NAME", default_value = "eventbridge")]
    pub(crate) dialect: Dialect,
}

/// Check whether two patterns can match the same event
///
/// If they can, prints such an event.
#[derive(Debug, Args)]
#[command(after_help = "\
Exit status: 0 if they can, 1 if not, 2 if that could not be decided or a pattern could not be read.

Examples:
  eventrie overlaps orders.json refunds.json
  eventrie overlaps '{\"a\": [{\"prefix\": \"x\"}]}' '{\"a\": [{\"suffix\": \"y\"}]}'")]
pub(crate) struct OverlapsArgs {
    /// A file or JSON text
    #[arg(value_name = "PATTERN")]
    pub(crate) one: String,
    /// A file or JSON text
    #[arg(value_name = "PATTERN")]
    pub(crate) other: String,
    /// The service that the patterns are for
    #[arg(short, long, value_name = "NAME", default_value = "eventbridge")]
    pub(crate) dialect: Dialect,
}

/// Print an event that a pattern matches
#[derive(Debug, Args)]
#[command(after_help = "\
Exit status: 0 if an event was found, 1 if not, 2 if the pattern could not be read.

Examples:
  eventrie sample pattern.json
  eventrie sample pattern.json | eventrie explain pattern.json -")]
pub(crate) struct SampleArgs {
    /// A file or JSON text
    #[arg(value_name = "PATTERN")]
    pub(crate) pattern: String,
    /// The service that the pattern is for
    #[arg(short, long, value_name = "NAME", default_value = "eventbridge")]
    pub(crate) dialect: Dialect,
}

/// Report which rules changed meaning between two versions of a file
///
/// Reads what `check` reads: patterns, rule files and templates. Rules are compared by name. For each rule that changed,
/// prints an event that only the old or only the new version matches. A rule that is written differently but matches the
/// same events does not count as a difference.
#[derive(Debug, Args)]
#[command(after_help = "\
Exit status: 0 if every rule matches the same events, 1 if not, 2 if a file could not be read.

Examples:
  eventrie diff old/template.yaml template.yaml
  git show main:rules.json | eventrie diff - rules.json
  eventrie diff --format json old.json new.json")]
pub(crate) struct DiffArgs {
    /// The old version (`-`: standard input)
    #[arg(value_name = "OLD")]
    pub(crate) old: String,
    /// The new version (`-`: standard input)
    #[arg(value_name = "NEW")]
    pub(crate) new: String,
    /// The service that bare patterns and rule files are for
    #[arg(short, long, value_name = "NAME", default_value = "eventbridge")]
    pub(crate) dialect: Dialect,
    /// Output format
    #[arg(short, long, value_name = "FORM", default_value = "human")]
    pub(crate) format: DiffFormat,
}

/// The forms of a difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum DiffFormat {
    /// Text
    Human,
    /// One JSON object per rule whose text changed
    Json,
}
