//! The command line's words.

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

/// Which service reads the patterns, and what it sees
#[derive(Clone, Debug, Args)]
pub(crate) struct LanguageArgs {
    /// Which service reads the patterns: eventbridge, pipes, lambda-esm, sns-attributes, sns-body, and for
    /// Custom Event Buses eventsv2-data, eventsv2-metadata, eventsv2-system-metadata, eventsv2-event-source
    #[arg(short, long, value_name = "NAME", default_value = "eventbridge")]
    pub(crate) dialect: Dialect,
    /// What the service will fill in for an entry of PutEvents that is not published yet: id, account, region or time
    #[arg(long, value_name = "NAME=VALUE")]
    pub(crate) entry: Vec<String>,
    /// Where the records of pipes and lambda-esm come from: sqs, kinesis, dynamodb, kafka, mq
    #[arg(long, value_name = "NAME")]
    pub(crate) source: Option<Source>,
    /// Which release of EventBridge's engine reads the patterns of rules: 2026-07, 2026-09
    #[arg(long, value_name = "NAME", default_value = "2026-09")]
    pub(crate) engine: BusVersion,
}

/// Print the events that match
///
/// Events are read from files or standard input: one JSON event per line, one JSON document over several lines, or a JSON
/// array of events; plain, gzip or zstd. With one pattern, matching events are printed unchanged, as grep does. With
/// rules, each event that matches any prints one line `{"event":N,"rules":[names]}`, N being the number of the line
/// (or of the event in a document or array), from 0; with several files, "file" is added.
///
/// Events inside log files, queue messages, notifications, CloudTrail files and PutEvents requests are unwrapped; a note on
/// stderr names what was around them. A directory is read file by file.
///
/// For SNS an event is a message as SNS delivers it, `{"Message":text,"MessageAttributes":{…}}` (for sns-body also the body
/// itself). For pipes and lambda-esm it is a record of the source; what a function is given, with its "Records", is taken
/// apart, and "record" is added.
#[derive(Clone, Debug, Args)]
#[command(after_help = "\
Exit status: 0 if some event matched, 1 if none did, 2 if any event could not be read (with -q and a match: 0).

Examples:
  eventrie match pattern.json events.ndjson
  eventrie match '{\"source\":[\"aws.ec2\"]}' logs/
  eventrie match -p pattern.json events.ndjson
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
    /// Files or directories with events (none, or `-`: standard input); before them the pattern, unless an option names it
    #[arg(value_name = "[PATTERN] EVENTS")]
    pub(crate) events: Vec<String>,
    #[command(flatten)]
    pub(crate) language: LanguageArgs,
    /// Print counts: of the matching events, or `rule<TAB>count` for each rule
    #[arg(short, long)]
    pub(crate) count: bool,
    /// Print the events that do not match; with rules, those that no rule matches
    #[arg(short = 'v', long)]
    pub(crate) invert: bool,
    /// Print nothing, stop at the first match
    #[arg(short, long)]
    pub(crate) quiet: bool,
    /// Print run statistics to stderr as one JSON line
    #[arg(long)]
    pub(crate) stats: bool,
    /// How many threads match (default: one for each core); the output is the same
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
/// With rules: which of them match, and which come closest.
#[derive(Clone, Debug, Args)]
#[command(after_help = "\
Exit status: 0 if every event matched (with rules: some rule), 1 if not, 2 if any event could not be read.

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
    /// Files or directories with events (none, or `-`: standard input); before them the pattern, unless an option names it
    #[arg(value_name = "[PATTERN] EVENT")]
    pub(crate) events: Vec<String>,
    /// An event, as JSON text
    #[arg(short = 'E', long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) event: Option<String>,
    #[command(flatten)]
    pub(crate) language: LanguageArgs,
    /// With rules: how many of those that do not match to show
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub(crate) closest: usize,
    /// Print one line for each event: the verdict and its main cause
    #[arg(short, long)]
    pub(crate) brief: bool,
    /// How explanations are printed
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
/// Prints the pattern to standard output and the reason for each field to standard error. Messages and records are given
/// as to `match`; attributes may also be an object of name → value.
#[derive(Debug, Args)]
#[command(after_help = "\
Exit status: 0 if a pattern was found, 1 if no field is in all events, 2 after an error.

Examples:
  eventrie infer event.json
  eventrie infer -q examples/events.ndjson
  eventrie infer --dialect sns-body body.json
  eventrie infer --dialect lambda-esm --source sqs records.ndjson")]
pub(crate) struct InferArgs {
    /// Files with events (none, or `-`: standard input)
    #[arg(value_name = "EVENT")]
    pub(crate) events: Vec<String>,
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
/// YAML), `terraform show -json` and *.tf.json, Serverless Framework and Pulumi files, Kubernetes manifests, and what the
/// services' command lines print (such as `aws events describe-rule`). The place determines the dialect. In a directory
/// such as cdk.out, all templates, rule files and patterns are checked, and other files are skipped.
#[derive(Debug, Args)]
#[command(after_help = "\
Exit status: 0 if there are no findings, 1 if there are (after --fix, if any are left; with --diff, those that would be
fixed count too), 2 if something named was not read or not understood, or could not be written.

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
    /// Which service reads bare patterns and rule files (default: what eventrie.toml says, or eventbridge)
    #[arg(short, long, value_name = "NAME")]
    pub(crate) dialect: Option<Dialect>,
    /// Which release of EventBridge's engine reads the patterns of rules: 2026-07, 2026-09 (default: what eventrie.toml
    /// says, or 2026-09)
    #[arg(long, value_name = "NAME")]
    pub(crate) engine: Option<BusVersion>,
    /// Where the records of bare pipes and lambda-esm filters come from, if the file does not say so: sqs, kinesis, dynamodb,
    /// kafka, mq
    #[arg(long, value_name = "NAME")]
    pub(crate) source: Option<Source>,
    /// Recorded events, as `match` reads them: report rules that none of them matches, and fields that none of them has
    #[arg(long, value_name = "FILE")]
    pub(crate) events: Vec<String>,
    /// Fail with exit status 2 if no pattern was found at all
    #[arg(long)]
    pub(crate) require_patterns: bool,
    /// Skip named files that are not known to contain patterns, as in a directory; for hooks that name every file
    #[arg(long)]
    pub(crate) skip_unknown: bool,
    /// Check again whenever one of the files or `eventrie.toml` changes, until interrupted
    #[arg(long)]
    pub(crate) watch: bool,
    /// How findings are printed
    #[arg(short, long, value_name = "FORM", default_value = "human")]
    pub(crate) format: Format,
    /// The least severe findings that count (default: what eventrie.toml says, or warning)
    #[arg(short, long, value_name = "LEVEL")]
    pub(crate) level: Option<Level>,
    #[command(flatten)]
    pub(crate) choose: ChooseArgs,
    #[command(flatten)]
    pub(crate) fix: FixArgs,
}

/// How bad a finding must be to count.
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
/// The format is described in spec-vectors/README.md. Each failure is a line with the id, what was expected and what
/// came; the last line is `N passed, N failed`.
#[derive(Debug, Args)]
#[command(after_help = "\
Exit status: 0 if all passed, 1 if any failed, 2 if a file could not be read.

Examples:
  eventrie vectors spec-vectors
  eventrie vectors spec-vectors/eventbridge/numbers.json more.jsonl")]
pub(crate) struct VectorsArgs {
    /// Vector files, `.json`, `.jsonl` or these with `.gz`, or directories of them (`-`: standard input)
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<String>,
    /// Stop reading an event as soon as the answer is known
    #[arg(long)]
    pub(crate) early: bool,
}

/// Turn rules of the classic event bus into subscribers of a Custom Event Bus
///
/// Prints one subscriber per target (per rule, where targets are not known) as JSON, and reports on standard error what is
/// written differently, what cannot be carried over, and which event sources the bus needs. `source` and `detail-type`
/// become `aws:Source` and `aws:DetailType`; the rest becomes the DATA filter.
#[derive(Debug, Args)]
#[command(after_help = "\
Exit status: 0 if every rule was carried over, 1 if a subscriber gets more events than its rule, 2 after an error.

Examples:
  eventrie migrate rules.json > subscribers.json && eventrie check subscribers.json
  aws events list-rules | eventrie migrate -
  eventrie migrate --published-with put-raw-events template.yaml")]
pub(crate) struct MigrateArgs {
    /// Rule files, the output of `aws events list-rules`, or templates (`-`: standard input)
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<String>,
    /// The API that your own publishers will use: it decides the shape of the data
    #[arg(long, value_name = "API", value_enum, default_value = "put-events")]
    pub(crate) published_with: PublishedWith,
}

/// An API that publishes events on a Custom Event Bus.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum PublishedWith {
    /// The data is the classic envelope, the payload is in `detail`
    PutEvents,
    /// The data is the payload
    PutRawEvents,
}

/// Serve an editor: a language server on standard input and output
///
/// For JSON, YAML and Terraform: findings, quick fixes, descriptions of findings and operators, completion, and whether
/// the event in NAME.event.json beside a file matches. Editors start it themselves; the documentation has settings for VS Code, Neovim
/// and Helix.
#[derive(Debug, Args)]
#[command(after_help = "\
Exit status: 0 if the client said `shutdown` before `exit`, 1 if not.

Settings (initializationOptions):
  dialect, engine, level   as the options of `check`
  event                    the file with the event that all patterns are explained against
  showMessages             false if the client shows the result of eventrie.explain itself")]
pub(crate) struct LspArgs {
    /// Accepted because some clients pass it; there is no other transport
    #[arg(long)]
    pub(crate) stdio: bool,
}

/// Serve a coding assistant: tools over the Model Context Protocol on standard input and output
///
/// The tools are check, explain, match, infer, migrate and explain_code. Nothing but what is passed to them is read.
#[derive(Debug, Args)]
#[command(after_help = "\
Exit status: 0 when the client disconnects.

Settings of a client:
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
