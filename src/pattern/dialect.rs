//! The dialects, and THE table: which service takes which operator, since when, and who says so.

use std::fmt::Write as _;

use super::service;

/// Which service's language a pattern is written in.
///
/// ```
/// use eventrie::Dialect;
/// assert_eq!(Dialect::from_name("lambda-esm"), Some(Dialect::Lambda));
/// assert_eq!(Dialect::SnsBody.name(), "sns-body");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum Dialect {
    /// Rules of an event bus.
    #[default]
    #[cfg_attr(feature = "serde", serde(rename = "eventbridge"))]
    EventBridge,
    /// Filter criteria of an EventBridge pipe.
    Pipes,
    /// Filter criteria of a Lambda event source mapping.
    #[cfg_attr(feature = "serde", serde(rename = "lambda-esm"))]
    Lambda,
    /// SNS filter policy over the message attributes.
    SnsAttributes,
    /// SNS filter policy over the message body.
    SnsBody,
}

/// Patterns of one family can be in one matcher: they read the same kind of event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Family {
    /// Rules, pipes and event source mappings.
    EventBridge,
    SnsAttributes,
    SnsBody,
}

/// Which state of SNS is meant. The year names when it was observed; it changes which operators and limits there are.
///
/// ```
/// use eventrie::dialect::SnsVersion;
/// use eventrie::{Dialect, ParseOptions, Pattern};
/// let policy = r#"{"store": [{"anything-but": {"suffix": "-test"}}]}"#;
/// let then = ParseOptions::new(Dialect::SnsAttributes).sns_version(SnsVersion::V2024);
/// assert!(Pattern::parse_with(policy, &then).is_err());
/// assert!(Pattern::parse(policy, Dialect::SnsAttributes).is_ok());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub enum SnsVersion {
    /// As recorded in 2024.
    V2024,
    /// As documented in 2026.
    #[default]
    V2026,
}

impl SnsVersion {
    /// The version with this name: `2024` or `2026`.
    ///
    /// ```
    /// assert_eq!(eventrie::dialect::SnsVersion::from_name("2024"), Some(eventrie::dialect::SnsVersion::V2024));
    /// ```
    #[must_use]
    pub fn from_name(name: &str) -> Option<SnsVersion> {
        match name {
            "2024" => Some(SnsVersion::V2024),
            "2026" => Some(SnsVersion::V2026),
            _ => None,
        }
    }
}

impl Dialect {
    /// All dialects.
    pub const ALL: [Dialect; 5] =
        [Dialect::EventBridge, Dialect::Pipes, Dialect::Lambda, Dialect::SnsAttributes, Dialect::SnsBody];

    /// The name used on the command line and in vector files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Dialect::EventBridge => "eventbridge",
            Dialect::Pipes => "pipes",
            Dialect::Lambda => "lambda-esm",
            Dialect::SnsAttributes => "sns-attributes",
            Dialect::SnsBody => "sns-body",
        }
    }

    /// The dialect with this [`name`](Dialect::name).
    #[must_use]
    pub fn from_name(name: &str) -> Option<Dialect> {
        Self::ALL.into_iter().find(|dialect| dialect.name() == name)
    }

    /// What people call it.
    pub(crate) fn title(self) -> &'static str {
        match self {
            Dialect::EventBridge => "EventBridge rules",
            Dialect::Pipes => "EventBridge Pipes",
            Dialect::Lambda => "Lambda event source mappings",
            Dialect::SnsAttributes => "SNS filter policies over message attributes",
            Dialect::SnsBody => "SNS filter policies over the message body",
        }
    }

    pub(crate) fn is_sns(self) -> bool {
        self.family() != Family::EventBridge
    }

    pub(crate) fn family(self) -> Family {
        match self {
            Dialect::EventBridge | Dialect::Pipes | Dialect::Lambda => Family::EventBridge,
            Dialect::SnsAttributes => Family::SnsAttributes,
            Dialect::SnsBody => Family::SnsBody,
        }
    }

    /// Whether this dialect has `operator`, and who says so.
    ///
    /// ```
    /// use eventrie::dialect::{Operator, Support};
    /// use eventrie::Dialect;
    /// assert_eq!(Dialect::Pipes.support(Operator::Wildcard).support, Support::No);
    /// assert_eq!(Dialect::Lambda.support(Operator::Wildcard).support, Support::Unlisted);
    /// ```
    #[must_use]
    pub fn support(self, operator: Operator) -> Cell {
        let row = operator.row();
        match self {
            Dialect::EventBridge => row.eventbridge,
            Dialect::Pipes => row.pipes,
            Dialect::Lambda => row.lambda,
            Dialect::SnsAttributes => row.sns_attributes,
            Dialect::SnsBody => row.sns_body,
        }
    }

    /// The support in a given state of SNS; the other dialects do not depend on it.
    pub(crate) fn support_in(self, operator: Operator, version: SnsVersion) -> Support {
        let cell = self.support(operator);
        match version {
            SnsVersion::V2024 if cell.since_2026 => Support::No,
            SnsVersion::V2024 | SnsVersion::V2026 => cell.support,
        }
    }

    /// The whole table as Markdown: the operators, the limits of the services, and the sources below. The README's
    /// table is this text.
    ///
    /// ```
    /// assert!(eventrie::Dialect::table().contains("| `wildcard` | yes (1) | no (2) | unlisted (8) |"));
    /// ```
    #[must_use]
    pub fn table() -> String {
        let mut text = String::from("| |");
        let mut rule = String::from("|---|");
        for dialect in Self::ALL {
            let _ = write!(text, " {} |", dialect.name());
            rule.push_str("---|");
        }
        let _ = writeln!(text, "\n{rule}");
        let mut sources: Vec<&str> = Vec::new();
        for operator in Operator::ALL {
            let _ = write!(text, "| {} |", operator.title());
            for dialect in Self::ALL {
                let cell = dialect.support(operator);
                let number = service::number_of(&mut sources, cell.source);
                let since = if cell.since_2026 { ", not in 2024" } else { "" };
                let _ = write!(text, " {}{since} ({}) |", cell.support.word(), number);
            }
            text.push('\n');
        }
        service::limits(&mut text, &mut sources);
        text.push('\n');
        for (number, source) in sources.iter().enumerate() {
            let _ = writeln!(text, "{}. {source}", number + 1);
        }
        text
    }
}

/// What a pattern can be made of: the rows of the table of dialects.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum Operator {
    /// Strings, numbers, `true`, `false` and `null` as they are.
    Literal,
    /// Objects inside objects.
    Nesting,
    /// `$or`
    Or,
    /// `prefix`
    Prefix,
    /// `suffix`
    Suffix,
    /// `equals-ignore-case`
    EqualsIgnoreCase,
    /// `prefix` with `equals-ignore-case`.
    PrefixIgnoreCase,
    /// `suffix` with `equals-ignore-case`.
    SuffixIgnoreCase,
    /// `wildcard`
    Wildcard,
    /// `numeric`
    Numeric,
    /// `cidr`
    Cidr,
    /// `exists`
    Exists,
    /// `anything-but` with a value or a list of values.
    AnythingBut,
    /// `anything-but` with `prefix`.
    AnythingButPrefix,
    /// `anything-but` with `suffix`.
    AnythingButSuffix,
    /// `anything-but` with `equals-ignore-case`.
    AnythingButIgnoreCase,
    /// `anything-but` with `wildcard`.
    AnythingButWildcard,
    /// A list inside `anything-but` with `prefix`, `suffix` or `wildcard`.
    AnythingButList,
    /// `exactly`
    Exactly,
}

/// Whether a dialect has an operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Support {
    /// It has.
    Yes,
    /// It refuses the pattern.
    No,
    /// Its documentation does not list the operator, and nobody has recorded an answer. Accepted, with a warning;
    /// refused by [`ParseOptions::strict`](crate::ParseOptions::strict).
    Unlisted,
}

impl Support {
    fn word(self) -> &'static str {
        match self {
            Support::Yes => "yes",
            Support::No => "no",
            Support::Unlisted => "unlisted",
        }
    }
}

/// One cell of the table of dialects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Cell {
    /// Whether the dialect has the operator.
    pub support: Support,
    /// Whether SNS refused it still in 2024.
    pub since_2026: bool,
    /// Who says so, and when.
    pub source: &'static str,
}

struct Row {
    eventbridge: Cell,
    pipes: Cell,
    lambda: Cell,
    sns_attributes: Cell,
    sns_body: Cell,
}

const fn yes(source: &'static str) -> Cell {
    Cell { support: Support::Yes, since_2026: false, source }
}

const fn no(source: &'static str) -> Cell {
    Cell { support: Support::No, since_2026: false, source }
}

const fn unlisted(source: &'static str) -> Cell {
    Cell { support: Support::Unlisted, since_2026: false, source }
}

/// Not in 2024, but in 2026.
const fn newer(source: &'static str) -> Cell {
    Cell { support: Support::Yes, since_2026: true, source }
}

const EB: &str = "answers recorded from EventBridge, September 2026";
const RULER: &str = "event-ruler 2.0.1, the service's engine, run in 2026; not in the documentation";
const PIPES: &str = "EventBridge user guide, table of operators with its column for pipes, 2026";
const PIPES_CIDR: &str = "not in the table for pipes of 2026; its own section does not restrict it to buses";
const LAMBDA: &str = "Lambda developer guide, event filtering, 2026";
const LAMBDA_REC: &str = "filters recorded against Lambda event source mappings, October 2024 to November 2025";
const LAMBDA_NOT: &str = "the Lambda developer guide of 2026 does not list it";
const SNS: &str = "SNS developer guide, filter policies, 2026";
const SNS_REC: &str = "policies recorded against SNS, May 2024 to March 2025";
const SNS_NEW: &str = "SNS developer guide, 2026; refused in a recording of May 2024";
const SNS_NOT: &str = "the SNS developer guide of 2026 does not list it, and event-ruler 1.0.4, the engine of SNS in 2024, \
                       refuses it";
const SNS_FLAT: &str = "refused in a recording of 2024; the scope MessageBody has it";
const RULER_104: &str = "event-ruler 1.0.4, the engine of SNS in 2024; not in the documentation";

impl Operator {
    /// All operators, in the order of the table.
    pub const ALL: [Operator; 19] = [
        Operator::Literal,
        Operator::Nesting,
        Operator::Or,
        Operator::Prefix,
        Operator::Suffix,
        Operator::EqualsIgnoreCase,
        Operator::PrefixIgnoreCase,
        Operator::SuffixIgnoreCase,
        Operator::Wildcard,
        Operator::Numeric,
        Operator::Cidr,
        Operator::Exists,
        Operator::AnythingBut,
        Operator::AnythingButPrefix,
        Operator::AnythingButSuffix,
        Operator::AnythingButIgnoreCase,
        Operator::AnythingButWildcard,
        Operator::AnythingButList,
        Operator::Exactly,
    ];

    /// How it is written, as Markdown.
    ///
    /// ```
    /// assert_eq!(eventrie::dialect::Operator::Prefix.title(), "`prefix`");
    /// ```
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Operator::Literal => "values",
            Operator::Nesting => "objects inside objects",
            Operator::Or => "`$or`",
            Operator::Prefix => "`prefix`",
            Operator::Suffix => "`suffix`",
            Operator::EqualsIgnoreCase => "`equals-ignore-case`",
            Operator::PrefixIgnoreCase => "`prefix` with `equals-ignore-case`",
            Operator::SuffixIgnoreCase => "`suffix` with `equals-ignore-case`",
            Operator::Wildcard => "`wildcard`",
            Operator::Numeric => "`numeric`",
            Operator::Cidr => "`cidr`",
            Operator::Exists => "`exists`",
            Operator::AnythingBut => "`anything-but` with values",
            Operator::AnythingButPrefix => "`anything-but` with `prefix`",
            Operator::AnythingButSuffix => "`anything-but` with `suffix`",
            Operator::AnythingButIgnoreCase => "`anything-but` with `equals-ignore-case`",
            Operator::AnythingButWildcard => "`anything-but` with `wildcard`",
            Operator::AnythingButList => "a list inside `anything-but` with `prefix`, `suffix` or `wildcard`",
            Operator::Exactly => "`exactly`",
        }
    }

    fn row(self) -> Row {
        let row = |eventbridge, pipes, lambda, sns_attributes, sns_body| Row {
            eventbridge,
            pipes,
            lambda,
            sns_attributes,
            sns_body,
        };
        match self {
            Operator::Literal => row(yes(EB), yes(PIPES), yes(LAMBDA_REC), yes(SNS_REC), yes(SNS_REC)),
            Operator::Nesting => row(yes(EB), yes(PIPES), yes(LAMBDA_REC), no(SNS_FLAT), yes(SNS_REC)),
            Operator::Or => row(yes(EB), yes(PIPES), yes(LAMBDA), yes(SNS_REC), yes(SNS_REC)),
            Operator::Prefix => row(yes(EB), yes(PIPES), yes(LAMBDA_REC), yes(SNS), yes(SNS_REC)),
            Operator::Suffix => row(yes(EB), yes(PIPES), yes(LAMBDA), yes(SNS_REC), yes(SNS)),
            Operator::EqualsIgnoreCase => row(yes(EB), yes(PIPES), yes(LAMBDA), yes(SNS), yes(SNS)),
            Operator::PrefixIgnoreCase | Operator::SuffixIgnoreCase => {
                row(yes(EB), yes(PIPES), unlisted(LAMBDA_NOT), no(SNS_NOT), no(SNS_NOT))
            }
            Operator::Wildcard => row(yes(EB), no(PIPES), unlisted(LAMBDA_NOT), yes(SNS), yes(SNS)),
            Operator::Numeric => row(yes(EB), yes(PIPES), yes(LAMBDA_REC), yes(SNS_REC), yes(SNS_REC)),
            Operator::Cidr => row(yes(EB), unlisted(PIPES_CIDR), unlisted(LAMBDA_NOT), yes(SNS_REC), yes(SNS_REC)),
            Operator::Exists => row(yes(EB), yes(PIPES), yes(LAMBDA_REC), yes(SNS_REC), yes(SNS_REC)),
            Operator::AnythingBut => row(yes(EB), yes(PIPES), yes(LAMBDA_REC), yes(SNS_REC), yes(SNS_REC)),
            Operator::AnythingButPrefix => row(yes(EB), no(PIPES), unlisted(LAMBDA_NOT), yes(SNS_REC), yes(SNS)),
            Operator::AnythingButSuffix | Operator::AnythingButWildcard => {
                row(yes(EB), no(PIPES), unlisted(LAMBDA_NOT), newer(SNS_NEW), newer(SNS_NEW))
            }
            Operator::AnythingButIgnoreCase | Operator::AnythingButList => {
                row(yes(EB), no(PIPES), unlisted(LAMBDA_NOT), no(SNS_NOT), no(SNS_NOT))
            }
            Operator::Exactly => row(yes(RULER), unlisted(RULER), unlisted(LAMBDA_NOT), yes(RULER_104), yes(RULER_104)),
        }
    }
}
