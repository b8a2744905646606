//! The arguments of the command line.

use clap::{Args, Parser, Subcommand};
use eventrie::Dialect;
use eventrie::diagnostic::{Finding, Severity};
use eventrie::dialect::BusVersion;
use eventrie::service::Source;

use crate::report::Format;

mod choose;
mod relate;
mod test;

pub(crate) use choose::{ChooseArgs, FixArgs};
pub(crate) use relate::{CoversArgs, DiffArgs, DiffFormat, OverlapsArgs, SampleArgs};
pub(crate) use test::{TestArgs, TestFormat};

/// Match, check and explain Amazon EventBridge patterns and SNS, Pipes and Lambda filters
#[derive(Debug, Parser)]
#[command(
    name = "eventrie",
    version,
    max_term_width = 100,
    after_help = "\
Examples:
  eventrie match --rules examples/rules.json examples/events.ndjson
  eventrie match -e '{\"detail\":{\"state\":[\"stopped\"]}}' events.ndjson.gz
  eventrie check pattern.json template.yaml
  eventrie explain -p pattern.json event.json

Every command has its own examples: eventrie match --help"
)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
    /// When to use color: never, always, or auto (if the output is a terminal)
    #[arg(long, global = true, display_order = 900, value_name = "WHEN", default_value = "auto", value_parser = color)]
    pub(crate) color: anstream::ColorChoice,
}

fn color(word: &str) -> Result<anstream::ColorChoice, String> {
    match word {
        "auto" => Ok(anstream::ColorChoice::Auto),
        "always" => Ok(anstream::ColorChoice::Always),
        "never" => Ok(anstream::ColorChoice::Never),
        _ => Err("auto, always or never".to_owned()),
    }
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Match(MatchArgs),
    Explain(ExplainArgs),
    Check(CheckArgs),
    Test(TestArgs),
    Diff(DiffArgs),
    Covers(CoversArgs),
    Overlaps(OverlapsArgs),
    Sample(SampleArgs),
    ExplainCode(ExplainCodeArgs),
    Infer(InferArgs),
    Migrate(MigrateArgs),
    Vectors(VectorsArgs),
    Lsp(LspArgs),
    Mcp(McpArgs),
    Completions(CompletionsArgs),
}

/// Which patterns; without one of these the first argument is the pattern
#[derive(Clone, Debug, Args)]
#[group(required = false, multiple = false)]
pub(crate) struct PatternArgs {
    /// A file that contains one pattern (`-`: standard input)
    #[arg(short, long, value_name = "FILE")]
    pub(crate) pattern: Option<String>,
    /// A pattern, as JSON text
    #[arg(short = 'e', long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) expression: Option<String>,
    /// A file that contains several patterns: an object of name → pattern, the output of `aws events list-rules`, or a template
    #[arg(long, value_name = "FILE")]
    pub(crate) rules: Option<String>,
}

/// The service that the patterns are for, and what it sees
#[derive(Clone, Debug, Args)]
pub(crate) struct LanguageArgs {
    /// The service that the patterns are for: eventbridge, pipes, lambda-esm, sns-attributes, sns-body, and for
    /// Custom Event Buses eventsv2-data, eventsv2-metadata, eventsv2-system-metadata, eventsv2-event-source
    #[arg(short, long, value_name = "NAME", default_value = "eventbridge")]
    pub(crate) dialect: Dialect,
    /// For PutEvents entries that are not published yet: a field that EventBridge will fill in (id, account, region or time)
    #[arg(long, value_name = "NAME=VALUE")]
    pub(crate) entry: Vec<String>,
    /// Where the records of pipes and lambda-esm come from: sqs, kinesis, dynamodb, kafka, mq
    #[arg(long, value_name = "NAME")]
    pub(crate) source: Option<Source>,
    /// The release of EventBridge's engine to follow for the patterns of rules: 2026-07, 2026-09
    #[arg(long, value_name = "NAME", default_value = "2026-09")]
    pub(crate) engine: BusVersion,
}

/// Print the events that match
///
/// Events are read from files or standard input: one JSON event per line, one JSON document over several lines, or a JSON
/// array of events; plain, gzip or zstd. With one pattern, matching events are printed unchanged, as grep does. With
/// rules, one line `{"event":N,"rules":[names]}` is printed for each event that matches any rule. N counts lines (or events
/// in a document or array) from 0; with several files, the line also names the "file".
///
/// Events inside log files, queue messages, notifications, CloudTrail files and PutEvents requests are unwrapped, with a
/// note on stderr. In a directory, all files are read.
///
/// For SNS, an event is a message as SNS delivers it, `{"Message":text,"MessageAttributes":{…}}` (for sns-body, the body
/// alone works too). For pipes and lambda-esm, an event is one record of the source. The input of a Lambda function, with
/// its "Records", is split into records, and the output names the "record".
#[derive(Clone, Debug, Args)]
#[command(after_help = "\
Exit status: 0 if some event matched, 1 if none did, 2 if any event could not be read (with -q and a match: 0).

Examples:
  eventrie match pattern.json events.ndjson
  eventrie match '{\"source\":[\"aws.ec2\"]}' logs/
  eventrie match -p pattern.json events.ndjson
  eventrie match -p pattern.json -E '{\"source\":\"aws.ec2\"}'
  eventrie match -e '{\"source\":[{\"prefix\":\"aws.\"}]}' events.ndjson.gz
  zcat events.gz | eventrie match -c -p pattern.json -
  eventrie match --rules rules.json events.ndjson
  eventrie match --rules rules.json -c events.ndjson
  aws events list-rules > rules.json && eventrie match --rules rules.json events.ndjson
  eventrie match --rules template.yaml events.ndjson
  eventrie match --dialect sns-attributes -p policy.json messages.ndjson
  eventrie match --dialect lambda-esm --source sqs -p filters.json records.ndjson")]
pub(crate) struct MatchArgs {
    #[command(flatten)]
    pub(crate) patterns: PatternArgs,
    /// The pattern, unless an option names it, then files or directories with events (none, or `-`: standard input)
    #[arg(value_name = "[PATTERN] EVENTS")]
    pub(crate) events: Vec<String>,
    /// An event, as JSON text
    #[arg(short = 'E', long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) event: Option<String>,
    #[command(flatten)]
    pub(crate) language: LanguageArgs,
    /// Print only the number of matching events, or `rule<TAB>count` for each rule
    #[arg(short, long)]
    pub(crate) count: bool,
    /// Print the events that do not match; with rules, those that no rule matches
    #[arg(short = 'v', long)]
    pub(crate) invert: bool,
    /// Print nothing, and stop at the first match
    #[arg(short, long)]
    pub(crate) quiet: bool,
    /// Print run statistics to stderr as one JSON line
    #[arg(long)]
    pub(crate) stats: bool,
    /// Number of threads (default: one per core); the output does not depend on it
    #[arg(short = 'j', long, value_name = "N")]
    pub(crate) threads: Option<std::num::NonZeroUsize>,
    /// Stop reading an event as soon as the answer is known (later syntax errors go unnoticed)
    #[arg(long)]
    pub(crate) early: bool,
    /// Stop at the first event that cannot be read
    #[arg(long)]
    pub(crate) strict: bool,
}

/// Explain why a pattern does or does not match an event
///
/// With rules, reports which of them match and which come closest.
#[derive(Clone, Debug, Args)]
#[command(after_help = "\
Exit status: 0 if every event matched (with --rules: at least one rule), 1 if not, 2 if any event could not be read.

Examples:
  eventrie explain pattern.json event.json
  eventrie explain -p pattern.json event.json
  eventrie explain -e '{\"detail\":{\"state\":[\"stopped\"]}}' -E '{\"detail\":{\"state\":\"Stopped\"}}'
  eventrie explain --rules rules.json --closest 3 event.json
  eventrie explain --format json -p pattern.json events.ndjson
  eventrie explain --dialect lambda-esm --source sqs -p pattern.json record.json")]
pub(crate) struct ExplainArgs {
    #[command(flatten)]
    pub(crate) patterns: PatternArgs,
    /// The pattern, unless an option names it, then files or directories with events (none, or `-`: standard input)
    #[arg(value_name = "[PATTERN] EVENT")]
    pub(crate) events: Vec<String>,
    /// An event, as JSON text
    #[arg(short = 'E', long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) event: Option<String>,
    #[command(flatten)]
    pub(crate) language: LanguageArgs,
    /// With rules: show this many of those that do not match
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub(crate) closest: usize,
    /// Print one line per event: the verdict and its main cause
    #[arg(short, long)]
    pub(crate) brief: bool,
    /// Output format
    #[arg(short, long, value_name = "FORM", default_value = "human")]
    pub(crate) format: ExplainFormat,
}

/// The forms of an explanation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum ExplainFormat {
    /// Prose with carets
    Human,
    /// One JSON object per line
    Json,
}

/// Print the page of a finding's code: what it means, why it matters, what to write instead
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  eventrie explain-code E0006
  eventrie explain-code --list")]
pub(crate) struct ExplainCodeArgs {
    /// The code, such as E0006
    #[arg(value_name = "CODE", required_unless_present = "list")]
    pub(crate) code: Option<String>,
    /// Print all codes, one per line
    #[arg(long)]
    pub(crate) list: bool,
}

/// Propose a pattern that matches these events
///
/// Prints the pattern to standard output and the reason for each field to standard error. Messages and records are read
/// as by `match`; attributes may also be an object of name → value.
#[derive(Debug, Args)]
#[command(after_help = "\
Exit status: 0 if a pattern was found, 1 if the events have no field in common, 2 after an error.

Examples:
  eventrie infer event.json
  eventrie infer -q examples/events.ndjson
  eventrie infer --dialect sns-body body.json
  eventrie infer --dialect lambda-esm --source sqs records.ndjson")]
pub(crate) struct InferArgs {
    /// Files with events (none, or `-`: standard input)
    #[arg(value_name = "EVENT")]
    pub(crate) events: Vec<String>,
    /// An event, as JSON text
    #[arg(short = 'E', long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) event: Option<String>,
    #[command(flatten)]
    pub(crate) language: LanguageArgs,
    /// Print only the pattern
    #[arg(short, long)]
    pub(crate) quiet: bool,
    /// Print the pattern and the reasons as one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

/// Report errors and likely mistakes in patterns
///
/// Reads bare patterns, rule files, and the places where patterns live: CloudFormation and SAM templates (JSON and
/// YAML), `terraform show -json` and *.tf.json, Serverless Framework and Pulumi files, Kubernetes manifests, and the output
/// of the AWS CLI (such as `aws events describe-rule`). The place determines the dialect. In a directory
/// such as cdk.out, all templates, rule files and patterns are checked, and other files are skipped: events, and files
/// without any list of values or operator, unless the name of the file or of its directory contains pattern, rule, policy or filter.
#[derive(Debug, Args)]
#[command(after_help = "\
Exit status: 0 if there are no findings, 1 if there are (after --fix: if any are left; with --diff: including \
those that --fix would fix), 2 if an input could not be read or a file could not be written.

Examples:
  eventrie check pattern.json
  eventrie check --dialect sns-body policy.json
  eventrie check --rules rules.json
  eventrie check template.yaml cdk.out
  terraform show -json plan.out | eventrie check -
  eventrie check --diff template.yaml
  eventrie check --fix template.yaml cdk.out
  eventrie check --ignore W0016,rules template.yaml
  eventrie check --events archive.ndjson.gz template.yaml
  eventrie check --watch templates
  eventrie check --format sarif template.yaml > findings.sarif
  eventrie check --format github template.yaml")]
pub(crate) struct CheckArgs {
    /// Files and directories to check (`-`: standard input)
    #[arg(value_name = "FILE", required_unless_present_any = ["rules", "expression"])]
    pub(crate) files: Vec<String>,
    /// A rule file: an object of name → pattern, or the output of `aws events list-rules`
    #[arg(long, value_name = "FILE")]
    pub(crate) rules: Vec<String>,
    /// A pattern, as JSON text
    #[arg(short = 'e', long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) expression: Option<String>,
    /// The service that bare patterns and rule files are for (default: from eventrie.toml, or eventbridge)
    #[arg(short, long, value_name = "NAME")]
    pub(crate) dialect: Option<Dialect>,
    /// The release of EventBridge's engine to follow for the patterns of rules: 2026-07, 2026-09 (default: from
    /// eventrie.toml, or 2026-09)
    #[arg(long, value_name = "NAME")]
    pub(crate) engine: Option<BusVersion>,
    /// Where the records of pipes and lambda-esm filters come from, unless the file says so: sqs, kinesis, dynamodb, kafka,
    /// mq
    #[arg(long, value_name = "NAME")]
    pub(crate) source: Option<Source>,
    /// Recorded events, as for `match`: report rules that match none of them, and tested fields that none of them has
    #[arg(long, value_name = "FILE")]
    pub(crate) events: Vec<String>,
    /// Exit with status 2 if no pattern was found
    #[arg(long)]
    pub(crate) require_patterns: bool,
    /// Skip files of unknown kinds even if they are named on the command line; for hooks that pass every file
    #[arg(long)]
    pub(crate) skip_unknown: bool,
    /// Check again whenever one of the files or `eventrie.toml` changes, until interrupted
    #[arg(long)]
    pub(crate) watch: bool,
    /// Output format
    #[arg(short, long, value_name = "FORM", default_value = "human")]
    pub(crate) format: Format,
    /// The lowest severity to report (default: from eventrie.toml, or warning)
    #[arg(short, long, value_name = "LEVEL")]
    pub(crate) level: Option<Level>,
    #[command(flatten)]
    pub(crate) choose: ChooseArgs,
    #[command(flatten)]
    pub(crate) fix: FixArgs,
}

/// How serious a finding must be to be reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Level {
    /// Only patterns that the service rejects
    Error,
    /// Also patterns that probably do not do what was intended
    Warning,
    /// Everything
    Note,
}

impl Level {
    /// Whether a finding is serious enough.
    pub(crate) fn counts(self, finding: &Finding) -> bool {
        match self {
            Level::Error => finding.severity == Severity::Error,
            Level::Warning => matches!(finding.severity, Severity::Error | Severity::Warning),
            Level::Note => true,
        }
    }
}

/// Run vector files: patterns, events and the expected answers
///
/// The format is described in spec-vectors/README.md. Each failure is one line with the id, the expected answer and the
/// actual one; the last line is `N passed, N failed`.
#[derive(Debug, Args)]
#[command(after_help = "\
Exit status: 0 if all passed, 1 if any failed, 2 if a file could not be read.

Examples:
  eventrie vectors spec-vectors
  eventrie vectors spec-vectors/eventbridge/numbers.json more.jsonl")]
pub(crate) struct VectorsArgs {
    /// Vector files (`.json` or `.jsonl`, plain or `.gz`), or directories of them (`-`: standard input)
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<String>,
    /// Stop reading an event as soon as the answer is known
    #[arg(long)]
    pub(crate) early: bool,
}

/// Convert rules of the classic event bus into subscribers of a Custom Event Bus
///
/// Prints one subscriber per target (per rule, if the targets are not known) as JSON. Standard error reports what is
/// written differently, what cannot be carried over, and which event sources the bus needs. `source` and `detail-type`
/// become `aws:Source` and `aws:DetailType`; the rest becomes the DATA filter.
#[derive(Debug, Args)]
#[command(after_help = "\
Exit status: 0 if every rule was carried over, 1 if a subscriber receives more events than its rule, 2 after an error.

Examples:
  eventrie migrate rules.json > subscribers.json && eventrie check subscribers.json
  aws events list-rules | eventrie migrate -
  eventrie migrate --published-with put-raw-events template.yaml")]
pub(crate) struct MigrateArgs {
    /// Rule files, the output of `aws events list-rules`, or templates (`-`: standard input)
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<String>,
    /// The API that your publishers will use, which determines the shape of the data
    #[arg(long, value_name = "API", value_enum, default_value = "put-events")]
    pub(crate) published_with: PublishedWith,
}

/// An API that publishes events on a Custom Event Bus.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum PublishedWith {
    /// The data is the classic envelope, with the payload in `detail`
    PutEvents,
    /// The data is the payload
    PutRawEvents,
}

/// Run a language server for editors on standard input and output
///
/// For JSON, YAML and Terraform files, it provides findings, quick fixes, descriptions of findings and operators, and
/// completion, and shows whether the event in NAME.event.json next to a file matches. Editors start it themselves; the
/// documentation has settings for VS Code, Neovim and Helix.
#[derive(Debug, Args)]
#[command(after_help = "\
Exit status: 0 if the client sent `shutdown` before `exit`, 1 if not.

Settings (initializationOptions):
  dialect, engine, level   as for `check`
  event                    a file with the event to explain all patterns against
  showMessages             false if the client shows the result of eventrie.explain itself")]
pub(crate) struct LspArgs {
    /// Accepted because some clients pass it; there is no other transport
    #[arg(long)]
    pub(crate) stdio: bool,
}

/// Run a Model Context Protocol server for coding assistants on standard input and output
///
/// Its tools are check, explain, match, infer, migrate and explain_code. They open no files: the client passes all input.
#[derive(Debug, Args)]
#[command(after_help = "\
Exit status: 0 when the client disconnects.

Client settings:
  {\"mcpServers\": {\"eventrie\": {\"command\": \"eventrie\", \"args\": [\"mcp\"]}}}")]
pub(crate) struct McpArgs {}

/// Print a completion script for a shell
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  eventrie completions bash > ~/.local/share/bash-completion/completions/eventrie
  eventrie completions zsh > ~/.zfunc/_eventrie
  eventrie completions fish > ~/.config/fish/completions/eventrie.fish")]
pub(crate) struct CompletionsArgs {
    /// The shell
    #[arg(value_name = "SHELL")]
    pub(crate) shell: clap_complete::Shell,
}
