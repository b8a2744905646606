//! Arguments of `test`.

use clap::Args;

/// Test rules with events that they must match and must not match
///
/// A test file is YAML or JSON:
///
///   rules: template.yaml            # a file, by its path from here, or an object of name → pattern
///   dialect: eventbridge            # which service reads them (default: eventbridge)
///   source: sqs                     # for pipes and lambda-esm: where records come from
///   tests:
///     - name: an instance stops     # optional
///       event: {source: aws.ec2}    # an event, or a string: a file with one or more events
///       match: [Stopped]            # rules that must match every one of the events
///       no-match: [Started]         # rules that must match none; `others`: all not named above
///
/// A rule is named as `match` prints it; one part of a path, such as Stopped of
/// Resources.Stopped.Properties.EventPattern, is enough if no other rule has it.
/// Rules that no event of any test matches are reported.
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
    /// Fail if no event of any test matches some rule
    #[arg(long)]
    pub(crate) require_coverage: bool,
    /// How results are printed
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
