//! Arguments of `test`.

use clap::Args;

/// Test rules against events that they must or must not match
///
/// A test file is YAML or JSON:
///
///   rules: template.yaml            # a path relative to this file, or an object of name → pattern
///   dialect: eventbridge            # the service they are for (default: eventbridge)
///   source: sqs                     # for pipes and lambda-esm: where records come from
///   tests:
///     - name: an instance stops     # optional
///       event: {source: aws.ec2}    # an event, or the name of a file with one or more events
///       match: [Stopped]            # rules that must match every event
///       no-match: [Started]         # rules that must match none of them; `others`: all other rules
///
/// Name a rule as `match` prints it. One part of the path is enough if it is unique:
/// Stopped means Resources.Stopped.Properties.EventPattern.
/// Rules that match no test event are reported.
#[derive(Debug, Args)]
#[command(
    verbatim_doc_comment,
    after_help = "\
Exit status: 0 if all tests passed, 1 if any failed, 2 if a file could not be read.

Examples:
  eventrie test tests/orders.yaml
  eventrie test --require-coverage tests/*.yaml
  eventrie test --format junit tests/*.yaml > report.xml"
)]
pub(crate) struct TestArgs {
    /// Test files
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<String>,
    /// Fail if a rule matches no test event
    #[arg(long)]
    pub(crate) require_coverage: bool,
    /// Output format
    #[arg(short, long, value_name = "FORM", default_value = "human")]
    pub(crate) format: TestFormat,
}

/// The forms of results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum TestFormat {
    /// One line per failure, with its cause
    Human,
    /// JUnit XML, for CI
    Junit,
}
