//! The operators: their names, and the one table of which service accepts which, since when, and with which source.

use super::dialects::Dialect;
use super::profile::SnsVersion;

/// The name that begins an operator: the key of an object in a field's list.
///
/// A new operator begins here: the compiler then leads through reading, printing and everything after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Word {
    Exactly,
    Prefix,
    Suffix,
    EqualsIgnoreCase,
    Wildcard,
    Numeric,
    AnythingBut,
    Exists,
    Cidr,
}

impl Word {
    /// All names. `exactly` comes first: the engine accepts it, and no documentation lists it.
    pub(crate) const ALL: [Word; 9] = [
        Word::Exactly,
        Word::Prefix,
        Word::Suffix,
        Word::Wildcard,
        Word::EqualsIgnoreCase,
        Word::AnythingBut,
        Word::Numeric,
        Word::Exists,
        Word::Cidr,
    ];

    /// How it is spelled.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Word::Exactly => "exactly",
            Word::Prefix => "prefix",
            Word::Suffix => "suffix",
            Word::EqualsIgnoreCase => "equals-ignore-case",
            Word::Wildcard => "wildcard",
            Word::Numeric => "numeric",
            Word::AnythingBut => "anything-but",
            Word::Exists => "exists",
            Word::Cidr => "cidr",
        }
    }

    /// The operator with this name.
    pub(crate) fn from_name(name: &str) -> Option<Word> {
        Self::ALL.into_iter().find(|word| word.name() == name)
    }

    /// The names that documentation lists, to be offered to people.
    pub(crate) fn documented() -> impl Iterator<Item = Word> {
        Self::ALL.into_iter().filter(|word| *word != Word::Exactly)
    }

    /// What it makes inside `anything-but`; none if it cannot be nested there.
    pub(crate) fn inside_anything_but(self) -> Option<Operator> {
        match self {
            Word::Prefix => Some(Operator::AnythingButPrefix),
            Word::Suffix => Some(Operator::AnythingButSuffix),
            Word::EqualsIgnoreCase => Some(Operator::AnythingButIgnoreCase),
            Word::Wildcard => Some(Operator::AnythingButWildcard),
            Word::Exactly | Word::Numeric | Word::AnythingBut | Word::Exists | Word::Cidr => None,
        }
    }
}

/// Names that the engine reserves for operators it does not have (yet).
const RESERVED: [&str; 10] = [
    "regex",
    "not-wildcard",
    "not-equals-ignore-case",
    "date-after",
    "date-on-or-after",
    "date-before",
    "date-on-or-before",
    "in-date-range",
    "ip-address-in-range",
    "ip-address-not-in-range",
];

/// The comparisons of `numeric`.
const COMPARISONS: [&str; 5] = ["=", "<", "<=", ">", ">="];

/// Whether a field inside `$or` cannot have this name.
pub(crate) fn is_reserved_in_or(name: &str) -> bool {
    Word::from_name(name).is_some() || COMPARISONS.contains(&name) || RESERVED.contains(&name)
}

/// An operator or form of the pattern language: a row of the table of dialects.
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
    /// It rejects the pattern.
    No,
    /// Its documentation does not list the operator, and nobody has recorded an answer. Accepted, with a warning;
    /// rejected by [`ParseOptions::strict`](crate::ParseOptions::strict).
    Unlisted,
}

impl Support {
    pub(super) fn word(self) -> &'static str {
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
    /// Whether SNS rejected it as late as 2024.
    pub since_2026: bool,
    /// The source of this answer, with its year.
    pub source: &'static str,
}

struct Row {
    eventbridge: Cell,
    pipes: Cell,
    lambda: Cell,
    sns_attributes: Cell,
    sns_body: Cell,
    data: Cell,
    metadata: Cell,
    system_metadata: Cell,
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
const SNS_NEW: &str = "SNS developer guide, 2026; rejected in a recording of May 2024";
const SNS_NOT: &str = "the SNS developer guide of 2026 does not list it, and event-ruler 1.0.4, the engine of SNS in 2024, \
                       rejects it";
const SNS_FLAT: &str = "rejected in a recording of 2024; the scope MessageBody has it";
const V2: &str = "user guide of the Custom Event Bus, documented 2026-11, not recorded";
const V2_LITERALS: &str = "METADATA filters take literal values only: user guide, documented 2026-11, not recorded";
const V2_NOT: &str = "the user guide of the Custom Event Bus does not list it";
const V2_SOURCE: &str = "the pattern of an event source is one of the classic bus, documented 2026-11, not recorded";
const RULER_104: &str = "event-ruler 1.0.4, the engine of SNS in 2024; not in the documentation";

impl Operator {
    /// All operators, in the order of the table.
    pub const ALL: &'static [Operator] = &[
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

    /// The operator as Markdown, such as `` `prefix` ``.
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

    /// What the scopes DATA and SYSTEM_METADATA of a subscriber's filter accept.
    fn on_a_custom_bus(self) -> Cell {
        match self {
            Operator::Wildcard | Operator::AnythingButWildcard => no(V2),
            Operator::Exactly => unlisted(V2_NOT),
            Operator::Literal
            | Operator::Nesting
            | Operator::Or
            | Operator::Prefix
            | Operator::Suffix
            | Operator::EqualsIgnoreCase
            | Operator::PrefixIgnoreCase
            | Operator::SuffixIgnoreCase
            | Operator::Numeric
            | Operator::Cidr
            | Operator::Exists
            | Operator::AnythingBut
            | Operator::AnythingButPrefix
            | Operator::AnythingButSuffix
            | Operator::AnythingButIgnoreCase
            | Operator::AnythingButList => yes(V2),
        }
    }

    fn row(self) -> Row {
        let row = |eventbridge, pipes, lambda, sns_attributes, sns_body| Row {
            eventbridge,
            pipes,
            lambda,
            sns_attributes,
            sns_body,
            data: self.on_a_custom_bus(),
            metadata: if self == Operator::Literal { yes(V2) } else { no(V2_LITERALS) },
            system_metadata: self.on_a_custom_bus(),
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

impl Dialect {
    /// Whether this dialect has `operator`, and the source of that answer.
    ///
    /// ```
    /// use eventrie::Dialect;
    /// use eventrie::dialect::{Operator, Support};
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
            Dialect::EventsV2Data => row.data,
            Dialect::EventsV2Metadata => row.metadata,
            Dialect::EventsV2SystemMetadata => row.system_metadata,
            Dialect::EventsV2EventSource => Cell { source: V2_SOURCE, ..row.eventbridge },
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
}
