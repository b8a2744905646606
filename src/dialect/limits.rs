//! The limits of the services, each with its source, and the table of them.

use std::fmt::Write as _;

use super::dialects::Dialect;

/// Characters of a rule's pattern unless the account's quota was raised.
pub(crate) const RULE_QUOTA: usize = 2_048;
/// Longest pattern of a rule, a pipe or an event source mapping, in characters.
pub(crate) const PATTERN_CHARACTERS: usize = 4_096;
/// Longest pattern of an event source of a Custom Event Bus, in characters.
pub(crate) const EVENT_SOURCE_CHARACTERS: usize = 3_753;
/// Most bytes of all patterns of a subscriber's filter configuration together.
pub(crate) const SUBSCRIBER_BYTES: usize = 4_096;
/// Most rules that the `$or` groups of one pattern multiply out to.
pub(crate) const OR_COMBINATIONS: u64 = 1_000;
/// Highest complexity of the wildcards of a pattern.
pub(crate) const WILDCARD_COMPLEXITY: u32 = 10;
/// Most filters of a pipe or an event source mapping.
pub(crate) const MOST_FILTERS: usize = 5;
/// Most different fields that must all match, in any conjunction of a pattern.
pub(crate) const PATHS: usize = 256;
/// Most different fields of an SNS policy.
pub(crate) const SNS_KEYS: usize = 5;
/// Most combinations of an SNS policy.
pub(crate) const SNS_COMBINATIONS: u64 = 150;
/// Longest SNS policy in bytes.
pub(crate) const SNS_BYTES: usize = 256 * 1_024;
/// Most `*` in one wildcard of an SNS policy.
pub(crate) const SNS_STARS: usize = 3;
/// Most wildcard points of an SNS policy.
pub(crate) const SNS_POINTS: u64 = 100;

const API: &str = "API references, 2026: the parameter's maximum (the quota of rules is 2,048 unless raised)";
const OR: &str =
    "512 recorded as accepted and 1,024 as rejected by EventBridge, with a message that says \"over 1000\"";
const COMPLEXITY: &str = "10 recorded as accepted and 11 as rejected by EventBridge";
const AS_RULES: &str = "not documented for pipes; taken to be as for rules";
const NO_WILDCARDS: &str = "pipes have no wildcards";
const UNKNOWN: &str = "not known, so not judged";
const FILTERS: &str = "user guides, 2026; Lambda raises the quota to 10 on request";
const SNS_REC: &str =
    "recorded against SNS, 2024: 150 accepted and 151 rejected, five fields accepted and six rejected";
const SNS_GUIDE: &str = "SNS developer guide, 2026";
const V2: &str = "user guide and API reference of the Custom Event Bus, documented 2026-11, not recorded";
const NO_WILDCARDS_V2: &str = "subscribers' filters have no wildcards";
const LITERALS: &str = "METADATA filters have no `$or`";
const AS_CLASSIC: &str = "not documented for event sources; taken to be as for rules";
const NONE: &str = "";

/// The table of limits as Markdown rows; sources that are not in `sources` yet are added to it.
pub(super) fn rows(text: &mut String, sources: &mut Vec<&'static str>) {
    let stars = format!("{SNS_STARS} `*` each, {SNS_POINTS} points");
    let (characters, bytes) = (format!("{PATTERN_CHARACTERS} characters"), format!("{} KiB", SNS_BYTES / 1_024));
    let (combinations, sns) = (OR_COMBINATIONS.to_string(), SNS_COMBINATIONS.to_string());
    let (complexity, filters, keys) =
        (format!("complexity {WILDCARD_COMPLEXITY}"), MOST_FILTERS.to_string(), SNS_KEYS.to_string());
    let source = format!("{EVENT_SOURCE_CHARACTERS} characters");
    let rows: [(&str, [(&str, &'static str); Dialect::ALL.len()]); 5] = [
        (
            "length",
            [
                (&characters, API),
                (&characters, API),
                (&characters, API),
                (&bytes, SNS_GUIDE),
                (&bytes, SNS_GUIDE),
                (&characters, V2),
                (&characters, V2),
                (&characters, V2),
                (&source, V2),
            ],
        ),
        (
            "combinations",
            [
                (&combinations, OR),
                (&combinations, AS_RULES),
                ("–", UNKNOWN),
                (&sns, SNS_REC),
                (&sns, SNS_REC),
                (&combinations, V2),
                ("–", LITERALS),
                (&combinations, V2),
                (&combinations, AS_CLASSIC),
            ],
        ),
        (
            "wildcards",
            [
                (&complexity, COMPLEXITY),
                ("–", NO_WILDCARDS),
                ("–", UNKNOWN),
                (&stars, SNS_GUIDE),
                (&stars, SNS_GUIDE),
                ("–", NO_WILDCARDS_V2),
                ("–", NO_WILDCARDS_V2),
                ("–", NO_WILDCARDS_V2),
                (&complexity, AS_CLASSIC),
            ],
        ),
        (
            "different fields",
            [
                ("–", NONE),
                ("–", NONE),
                ("–", NONE),
                (&keys, SNS_REC),
                (&keys, SNS_REC),
                ("–", NONE),
                ("–", NONE),
                ("–", NONE),
                ("–", NONE),
            ],
        ),
        (
            "patterns in a set",
            [
                ("1", NONE),
                (&filters, FILTERS),
                (&filters, FILTERS),
                ("1", NONE),
                ("1", NONE),
                ("1 per scope", V2),
                ("1 per scope", V2),
                ("1 per scope", V2),
                ("1", NONE),
            ],
        ),
    ];
    for (name, cells) in rows {
        let _ = write!(text, "| *{name}* |");
        for (value, source) in cells {
            if source.is_empty() {
                let _ = write!(text, " {value} |");
            } else {
                let number = number_of(sources, source);
                let _ = write!(text, " {value} ({number}) |");
            }
        }
        text.push('\n');
    }
}

/// The number of a source in the list below the table.
pub(super) fn number_of(sources: &mut Vec<&'static str>, source: &'static str) -> usize {
    sources.iter().position(|known| *known == source).unwrap_or_else(|| {
        sources.push(source);
        sources.len() - 1
    }) + 1
}

/// Longest pattern of a dialect in characters, where characters are counted.
pub(crate) fn characters(dialect: Dialect) -> Option<usize> {
    match dialect {
        Dialect::EventBridge
        | Dialect::Pipes
        | Dialect::Lambda
        | Dialect::EventsV2Data
        | Dialect::EventsV2Metadata
        | Dialect::EventsV2SystemMetadata => Some(PATTERN_CHARACTERS),
        Dialect::EventsV2EventSource => Some(EVENT_SOURCE_CHARACTERS),
        Dialect::SnsAttributes | Dialect::SnsBody => None,
    }
}
