//! One test vector: a pattern, an event, and the answer that is expected.

use std::collections::BTreeMap;

use eventrie::dialect::{BusVersion, SnsVersion};
use eventrie::event::ReadPolicy;
use eventrie::service::{
    AttributeType, Cause, FilterConfiguration, Input, SnsMessage, Source, Subscription, SubscriptionError,
    SubscriptionScratch, SubscriptionSet,
};
use eventrie::{Dialect, ParseOptions};
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::members::Members;

/// A vector as it is in its file.
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
    evidence: Option<String>,
    expect: Expect,
    #[serde(borrow)]
    error: Option<&'a RawValue>,
    #[serde(default)]
    whole_text: bool,
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
    /// Or the error's text.
    compiled: Option<Result<SubscriptionSet, String>>,
    scratch: SubscriptionScratch,
}

#[derive(PartialEq, Eq)]
struct Key {
    /// None for the filter configuration of a subscriber.
    dialect: Option<Dialect>,
    version: SnsVersion,
    engine: BusVersion,
    /// Whether the engine alone answered, which rates no wildcards unless it is asked to.
    unrated: bool,
    source: Option<Source>,
    patterns: Vec<(String, String)>,
}

impl Runner {
    pub(crate) fn new(early: bool) -> Runner {
        Runner { early, ..Runner::default() }
    }

    /// Runs a row; what was expected and what was found, if that differs.
    pub(crate) fn run(&mut self, row: &Row<'_>) -> Result<(), String> {
        let expected = match &row.expect {
            Expect::Word(word) => word.clone(),
            Expect::Names(names) => format!("[{}]", names.join(", ")),
        };
        let came = self.answer(row)?;
        if came.word != expected {
            return Err(format!("expected {expected}, got {}", came.said()));
        }
        match (row.error.map(text_of).transpose()?, &came.message) {
            (Some(error), Some(message)) => {
                let (wanted, said) = (compared(&error, row.whole_text), compared(message, row.whole_text));
                if wanted == said {
                    Ok(())
                } else {
                    Err(format!("expected the error `{}`, got `{}`", on_one_line(wanted), on_one_line(said)))
                }
            }
            _ => Ok(()),
        }
    }

    fn answer(&mut self, row: &Row<'_>) -> Result<Answer, String> {
        let dialect = match row.dialect.as_str() {
            "eventsv2" => None,
            name => Some(name.parse::<Dialect>().map_err(|error| error.to_string())?),
        };
        let (mut version, mut engine) = (SnsVersion::default(), BusVersion::default());
        match &row.version {
            Some(name) if dialect == Some(Dialect::EventBridge) => {
                engine = name.parse::<BusVersion>().map_err(|error| error.to_string())?;
            }
            Some(name) => version = name.parse::<SnsVersion>().map_err(|error| error.to_string())?,
            // What the engine or the service was seen to answer, it answered before September.
            None if matches!(row.evidence.as_deref(), Some("engine" | "recorded")) => engine = BusVersion::V2026_07,
            None => {}
        }
        let unrated = row.evidence.as_deref() == Some("engine");
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
        let key = Key { dialect, version, engine, unrated, source, patterns };
        if self.key.as_ref() != Some(&key) {
            let compiled = match compile(&key, self.early, true) {
                Err(message) if key.unrated && compared(&message, false).starts_with("Rule is too complex") => {
                    compile(&key, self.early, false)
                }
                compiled => compiled,
            };
            self.compiled = Some(compiled);
            self.key = Some(key);
        }
        let set = match &self.compiled {
            Some(Ok(set)) => set,
            Some(Err(message)) => return Ok(Answer::new("invalid", Some(message.clone()))),
            None => return Err("nothing was compiled".to_owned()),
        };
        let event = match row.event.filter(|event| event.get() != "null") {
            Some(event) => text_of(event)?,
            None if dialect == Some(Dialect::SnsAttributes) => String::new(),
            None => return Ok(Answer::new("a valid pattern, and there is no event", None)),
        };
        let message;
        let input = if matches!(dialect, Some(Dialect::SnsAttributes | Dialect::SnsBody)) {
            message = row.attributes.iter().flatten().fold(SnsMessage::new(event), |message, (name, attribute)| {
                let kind = AttributeType::from_name(&attribute.kind);
                message.attribute(name, kind, attribute.value.as_deref().unwrap_or(""))
            });
            Input::from(&message)
        } else {
            Input::from(&event)
        };
        Ok(match set.judge(input, &mut self.scratch) {
            Ok(verdict) => {
                let cause = verdict.outcome().cause.filter(|cause| *cause != Cause::NoPatternMatched);
                let cause = cause.map(|cause| cause.to_string());
                Answer::of(&row.rules, verdict.positions(), cause)
            }
            Err(error) => Answer::new("bad_event", Some(error.to_string())),
        })
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
    fn of(rules: &Option<Members<'_>>, mut found: impl Iterator<Item = usize>, message: Option<String>) -> Answer {
        let Some(Members(rules)) = rules else {
            return Answer::new(if found.next().is_some() { "match" } else { "no_match" }, message);
        };
        let names = found.filter_map(|at| rules.get(at));
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

/// Compiles the patterns; or says why they are refused, in the service's words where it has any.
fn compile(key: &Key, early: bool, limited: bool) -> Result<SubscriptionSet, String> {
    let dialect = key.dialect.unwrap_or(Dialect::EventsV2Data);
    let options = ParseOptions::new(dialect).service_limits(limited).sns_version(key.version).engine(key.engine);
    let words = |error: SubscriptionError| match error.pattern_error() {
        Some(error) => error.service_message(),
        None => error.to_string(),
    };
    let builder = SubscriptionSet::builder().read_policy(if early { ReadPolicy::Early } else { ReadPolicy::Whole });
    let mut subscriptions = Vec::new();
    for (at, (_, text)) in key.patterns.iter().enumerate() {
        let subscription = match key.dialect {
            Some(_) => Subscription::parse(text, &options, key.source).map_err(words)?,
            None => Subscription::subscriber(
                FilterConfiguration::parse_with(text, &options)
                    .map_err(|error| error.service_message().map_or_else(|| error.to_string(), str::to_owned))?,
            ),
        };
        subscriptions.push((at, subscription));
    }
    builder.build(subscriptions).map_err(words)
}

/// A pattern or event: a string that contains its text, or the text itself.
fn text_of(value: &RawValue) -> Result<String, String> {
    let raw = value.get();
    match raw.strip_prefix('"').and_then(|raw| raw.strip_suffix('"')) {
        Some(inner) => eventrie_files::unescape(inner).ok_or_else(|| "a string is malformed".to_owned()),
        None => Ok(raw.to_owned()),
    }
}

/// What of the service's text counts, without its envelope: the first line, or all of it.
fn compared(text: &str, whole: bool) -> &str {
    const ENVELOPES: [&str; 5] = [
        "Event pattern is not valid. Reason: ",
        "Invalid parameter: FilterPolicy: ",
        "Invalid parameter: Attributes Reason: FilterPolicy: ",
        "Invalid parameter: Attributes Reason: ",
        "Invalid parameter: ",
    ];
    let text = ENVELOPES.iter().find_map(|envelope| text.strip_prefix(envelope)).unwrap_or(text);
    if whole { text } else { text.lines().next().unwrap_or("") }
}

/// A string of several lines on one.
fn on_one_line(text: &str) -> String {
    text.replace('\r', "\\r").replace('\n', "\\n")
}
