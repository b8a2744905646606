//! One test vector: a pattern, an event, and the answer that is expected.

use std::collections::BTreeMap;

use eventrie::dialect::SnsVersion;
use eventrie::event::ReadPolicy;
use eventrie::service::{
    AttributeType, FilterSet, FilterSetError, RecordFilter, RecordOutcome, RecordScratch, SnsFilter, SnsMessage,
    SnsOutcome, SnsScratch, Source,
};
use eventrie::{Dialect, Matcher, ParseOptions, Pattern, PatternError, Scratch};
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::members::Members;

/// A vector as it stands in its file.
#[derive(Deserialize)]
pub(crate) struct Row<'a> {
    pub(crate) id: String,
    dialect: String,
    #[serde(borrow)]
    pattern: Option<&'a RawValue>,
    #[serde(borrow)]
    rules: Option<Members<'a>>,
    #[serde(borrow)]
    event: Option<&'a RawValue>,
    source: Option<String>,
    attributes: Option<BTreeMap<String, Attribute>>,
    version: Option<String>,
    expect: Expect,
    error: Option<String>,
}

#[derive(Deserialize)]
struct Attribute {
    #[serde(rename = "Type")]
    kind: String,
    #[serde(rename = "Value")]
    value: Option<String>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Expect {
    Word(String),
    Names(Vec<String>),
}

/// Compiled patterns of the row before: rows of the same rules follow each other.
#[derive(Default)]
pub(crate) struct Runner {
    early: bool,
    key: Option<Key>,
    compiled: Option<Compiled>,
    scratch: Scratch,
    messages: SnsScratch,
    records: RecordScratch,
}

#[derive(PartialEq, Eq)]
struct Key {
    dialect: Dialect,
    version: SnsVersion,
    source: Option<Source>,
    patterns: Vec<(String, String)>,
}

enum Compiled {
    Matcher(Matcher),
    Sns(SnsFilter),
    Records(RecordFilter),
    Refused(String),
}

impl Runner {
    pub(crate) fn new(early: bool) -> Runner {
        Runner { early, ..Runner::default() }
    }

    /// Runs a row; what was expected and what came, if that differs.
    pub(crate) fn run(&mut self, row: &Row<'_>) -> Result<(), String> {
        let expected = match &row.expect {
            Expect::Word(word) => word.clone(),
            Expect::Names(names) => format!("[{}]", names.join(", ")),
        };
        let came = self.answer(row)?;
        if came.word != expected {
            return Err(format!("expected {expected}, got {}", came.said()));
        }
        match (&row.error, &came.message) {
            (Some(error), Some(message)) if first_line(error) != first_line(message) => {
                Err(format!("expected the error `{}`, got `{}`", first_line(error), first_line(message)))
            }
            _ => Ok(()),
        }
    }

    fn answer(&mut self, row: &Row<'_>) -> Result<Answer, String> {
        let dialect = row.dialect.parse::<Dialect>().map_err(|error| error.to_string())?;
        let version = match &row.version {
            Some(name) => name.parse::<SnsVersion>().map_err(|error| error.to_string())?,
            None => SnsVersion::default(),
        };
        let patterns = match (&row.rules, row.pattern) {
            (Some(Members(rules)), _) => {
                rules.iter().map(|(name, text)| Ok((name.clone(), text_of(text)?))).collect::<Result<_, String>>()?
            }
            (None, Some(pattern)) => vec![(String::new(), text_of(pattern)?)],
            (None, None) => return Err("there is neither `pattern` nor `rules`".to_owned()),
        };
        let source = match &row.source {
            Some(name) => Some(name.parse::<Source>().map_err(|error| error.to_string())?),
            None => None,
        };
        let key = Key { dialect, version, source, patterns };
        if self.key.as_ref() != Some(&key) {
            self.compiled = Some(compile(&key, self.early));
            self.key = Some(key);
        }
        let Some(compiled) = &self.compiled else { return Err("nothing was compiled".to_owned()) };
        if let Compiled::Refused(message) = compiled {
            return Ok(Answer::new("invalid", Some(message.clone())));
        }
        let event = match row.event.filter(|event| event.get() != "null") {
            Some(event) => text_of(event)?,
            None if dialect == Dialect::SnsAttributes => String::new(),
            None => return Ok(Answer::new("a valid pattern, and there is no event", None)),
        };
        let found = match compiled {
            Compiled::Matcher(matcher) => match matcher.matches(event.as_str(), &mut self.scratch) {
                Ok(ids) => ids.iter().map(|id| id.index()).collect(),
                Err(error) => return Ok(Answer::new("bad_event", Some(error.to_string()))),
            },
            Compiled::Sns(filter) => {
                let mut message = SnsMessage::new(event);
                for (name, attribute) in row.attributes.iter().flatten() {
                    let kind = AttributeType::from_name(&attribute.kind);
                    message = message.attribute(name, kind, attribute.value.as_deref().unwrap_or(""));
                }
                match filter.judge(&message, &mut self.messages) {
                    Ok(SnsOutcome::Delivered(ids)) => ids.iter().map(|id| id.index()).collect(),
                    Ok(SnsOutcome::FilteredOut(cause)) => {
                        return Ok(Answer::of(&row.rules, Vec::new(), Some(cause.to_string())));
                    }
                    Err(error) => return Ok(Answer::new("bad_event", Some(error.to_string()))),
                }
            }
            Compiled::Records(filter) => match filter.judge(event.as_bytes(), &mut self.records) {
                // Without filters every record passes.
                Ok(RecordOutcome::Matched([])) => vec![0],
                Ok(RecordOutcome::Matched(filters)) => filters.to_vec(),
                Ok(RecordOutcome::Filtered(reason)) => {
                    return Ok(Answer::of(&row.rules, Vec::new(), Some(reason.to_string())));
                }
                Err(error) => return Ok(Answer::new("bad_event", Some(error.to_string()))),
            },
            Compiled::Refused(_) => Vec::new(),
        };
        Ok(Answer::of(&row.rules, found, None))
    }
}

struct Answer {
    word: String,
    message: Option<String>,
}

impl Answer {
    fn new(word: &str, message: Option<String>) -> Answer {
        Answer { word: word.to_owned(), message }
    }

    /// The answer in the row's own terms: names of rules, or whether the pattern matches.
    fn of(rules: &Option<Members<'_>>, found: Vec<usize>, message: Option<String>) -> Answer {
        let Some(Members(rules)) = rules else {
            return Answer::new(if found.is_empty() { "no_match" } else { "match" }, message);
        };
        let names = found.iter().filter_map(|at| rules.get(*at));
        let mut names: Vec<&str> = names.map(|(name, _)| name.as_str()).collect();
        names.sort_unstable();
        Answer::new(&format!("[{}]", names.join(", ")), message)
    }

    fn said(&self) -> String {
        match &self.message {
            Some(message) => format!("{} ({})", self.word, message.lines().next().unwrap_or("")),
            None => self.word.clone(),
        }
    }
}

fn compile(key: &Key, early: bool) -> Compiled {
    let options = ParseOptions::new(key.dialect).service_limits(true).sns_version(key.version);
    try_compile(key, &options, early).unwrap_or_else(Compiled::Refused)
}

fn try_compile(key: &Key, options: &ParseOptions, early: bool) -> Result<Compiled, String> {
    let words = |error: PatternError| error.service_message();
    let set_words = |error: FilterSetError| match error.pattern_error() {
        Some(error) => error.service_message(),
        None => error.to_string(),
    };
    if let Some(source) = key.source {
        let mut patterns = Vec::new();
        for (_, text) in &key.patterns {
            let filters = FilterSet::parse(text, options).map_err(set_words)?;
            patterns.extend_from_slice(filters.patterns());
        }
        let filters = FilterSet::new(patterns, options).map_err(|error| error.to_string())?;
        let filter = RecordFilter::new(&filters, source).map_err(set_words)?;
        return Ok(Compiled::Records(filter));
    }
    let patterns = key.patterns.iter().map(|(_, text)| Pattern::parse_with(text, options).map_err(words));
    let patterns: Vec<Pattern> = patterns.collect::<Result<_, _>>()?;
    if matches!(key.dialect, Dialect::SnsAttributes | Dialect::SnsBody) {
        return SnsFilter::new(patterns).map(Compiled::Sns).map_err(|error| error.to_string());
    }
    let mut builder = Matcher::builder();
    builder.read_policy(if early { ReadPolicy::Early } else { ReadPolicy::Whole });
    for pattern in patterns {
        builder.add(pattern);
    }
    builder.build().map(Compiled::Matcher).map_err(|error| error.to_string())
}

/// A pattern or event: a string that holds its text, or the text itself.
fn text_of(value: &RawValue) -> Result<String, String> {
    let raw = value.get();
    match raw.strip_prefix('"').and_then(|raw| raw.strip_suffix('"')) {
        Some(inner) => eventrie_files::unescape(inner).ok_or_else(|| "a string is malformed".to_owned()),
        None => Ok(raw.to_owned()),
    }
}

/// The first line of the service's text without its envelope.
fn first_line(text: &str) -> &str {
    const ENVELOPES: [&str; 5] = [
        "Event pattern is not valid. Reason: ",
        "Invalid parameter: FilterPolicy: ",
        "Invalid parameter: Attributes Reason: FilterPolicy: ",
        "Invalid parameter: Attributes Reason: ",
        "Invalid parameter: ",
    ];
    let line = text.lines().next().unwrap_or("");
    ENVELOPES.iter().find_map(|envelope| line.strip_prefix(envelope)).unwrap_or(line)
}
