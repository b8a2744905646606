//! One test vector: a pattern, an event, and the answer that is expected.

use eventrie::{Dialect, Matcher, ParseOptions, Pattern, PatternError, ReadPolicy, Scratch, SnsVersion};
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::rules::Members;

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
    version: Option<String>,
    expect: Expect,
    error: Option<String>,
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
}

#[derive(PartialEq, Eq)]
struct Key {
    dialect: Dialect,
    version: SnsVersion,
    patterns: Vec<(String, String)>,
}

enum Compiled {
    Matcher(Matcher),
    Refused(PatternError),
    TooMuch(String),
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
        let dialect = Dialect::from_name(&row.dialect).ok_or_else(|| format!("unknown dialect `{}`", row.dialect))?;
        let version = match &row.version {
            Some(name) => SnsVersion::from_name(name).ok_or_else(|| format!("unknown version `{name}`"))?,
            None => SnsVersion::default(),
        };
        let patterns = match (&row.rules, row.pattern) {
            (Some(Members(rules)), _) => {
                rules.iter().map(|(name, text)| Ok((name.clone(), text_of(text)?))).collect::<Result<_, String>>()?
            }
            (None, Some(pattern)) => vec![(String::new(), text_of(pattern)?)],
            (None, None) => return Err("there is neither `pattern` nor `rules`".to_owned()),
        };
        let key = Key { dialect, version, patterns };
        if self.key.as_ref() != Some(&key) {
            self.compiled = Some(compile(&key, self.early));
            self.key = Some(key);
        }
        let matcher = match &self.compiled {
            Some(Compiled::Matcher(matcher)) => matcher,
            Some(Compiled::Refused(error)) => return Ok(Answer::new("invalid", Some(error.service_message()))),
            Some(Compiled::TooMuch(error)) => return Ok(Answer::new("invalid", Some(error.clone()))),
            None => return Err("nothing was compiled".to_owned()),
        };
        let Some(event) = row.event.filter(|event| event.get() != "null") else {
            return Ok(Answer::new("a valid pattern, and there is no event", None));
        };
        let event = text_of(event)?;
        let names: &[(String, String)] = self.key.as_ref().map_or(&[], |key| &key.patterns);
        Ok(match (matcher.matches(event.as_str(), &mut self.scratch), &row.rules) {
            (Err(error), _) => Answer::new("bad_event", Some(error.to_string())),
            (Ok(ids), None) => Answer::new(if ids.is_empty() { "no_match" } else { "match" }, None),
            (Ok(ids), Some(_)) => {
                let found = ids.iter().filter_map(|id| names.get(id.index()));
                let mut found: Vec<&str> = found.map(|(name, _)| name.as_str()).collect();
                found.sort_unstable();
                Answer::new(&format!("[{}]", found.join(", ")), None)
            }
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

    fn said(&self) -> String {
        match &self.message {
            Some(message) => format!("{} ({})", self.word, message.lines().next().unwrap_or("")),
            None => self.word.clone(),
        }
    }
}

fn compile(key: &Key, early: bool) -> Compiled {
    let options = ParseOptions::new(key.dialect).service_limits(true).sns_version(key.version);
    let mut builder = Matcher::builder();
    builder.read_policy(if early { ReadPolicy::Early } else { ReadPolicy::Whole });
    for (_, text) in &key.patterns {
        match Pattern::parse_with(text, &options) {
            Ok(pattern) => builder.add(pattern),
            Err(error) => return Compiled::Refused(error),
        };
    }
    match builder.build() {
        Ok(matcher) => Compiled::Matcher(matcher),
        Err(error) => Compiled::TooMuch(error.to_string()),
    }
}

/// A pattern or event: a string that holds its text, or the text itself.
fn text_of(value: &RawValue) -> Result<String, String> {
    let raw = value.get();
    match raw.strip_prefix('"').and_then(|raw| raw.strip_suffix('"')) {
        Some(inner) => crate::located::unescape(inner).ok_or_else(|| "a string is malformed".to_owned()),
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
