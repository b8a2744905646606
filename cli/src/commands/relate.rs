//! `eventrie covers`, `eventrie overlaps` and `eventrie sample`: what one or two patterns mean, shown by an event.

use std::collections::BTreeMap;
use std::io::Write;

use anyhow::bail;
use eventrie::relate::{Covers, Overlaps};
use eventrie::{Dialect, ParseOptions, Pattern};
use serde_json::json;
use serde_json::value::RawValue;

use crate::args::{CoversArgs, OverlapsArgs, SampleArgs};
use crate::commands::Outcome;
use crate::report::Reporter;
use crate::rules::Rules;
use crate::shown::complain;

const UNDECIDED: &str = "not decided: the patterns are too large, or no proof and no event was found";

pub(crate) fn covers(args: &CoversArgs) -> anyhow::Result<Outcome> {
    let (wide, narrow) = (pattern(&args.wide, args.dialect)?, pattern(&args.narrow, args.dialect)?);
    match wide.covers(&narrow) {
        Covers::Yes => answer("yes: the first pattern matches every event that the second matches", None, Outcome::Yes),
        Covers::No { event } => {
            let event = as_delivered(event, args.dialect);
            answer("no: only the second pattern matches this event", Some(&event), Outcome::No)
        }
        _ => answer(UNDECIDED, None, Outcome::Trouble),
    }
}

pub(crate) fn overlaps(args: &OverlapsArgs) -> anyhow::Result<Outcome> {
    let (one, other) = (pattern(&args.one, args.dialect)?, pattern(&args.other, args.dialect)?);
    match one.overlaps(&other) {
        Overlaps::Yes { event } => {
            let event = as_delivered(event, args.dialect);
            answer("yes: both patterns match this event", Some(&event), Outcome::Yes)
        }
        Overlaps::OnlyWithLists { event } => {
            let event = as_delivered(event, args.dialect);
            let sentence = "yes, but only where a field has an array of several values, as in this event";
            answer(sentence, Some(&event), Outcome::Yes)
        }
        Overlaps::No => answer("no: no event matches both patterns", None, Outcome::No),
        _ => answer(UNDECIDED, None, Outcome::Trouble),
    }
}

pub(crate) fn sample(args: &SampleArgs) -> anyhow::Result<Outcome> {
    match pattern(&args.pattern, args.dialect)?.sample() {
        Some(event) => {
            writeln!(anstream::stdout(), "{}", as_delivered(event, args.dialect))?;
            Ok(Outcome::Yes)
        }
        None => answer("found no event that the pattern matches", None, Outcome::No),
    }
}

/// The event as `match` and `explain` read it: for message attributes, a message that has them.
pub(crate) fn as_delivered(event: String, dialect: Dialect) -> String {
    if dialect != Dialect::SnsAttributes {
        return event;
    }
    let Ok(values) = serde_json::from_str::<BTreeMap<String, &RawValue>>(&event) else { return event };
    let attributes = values.into_iter().map(|(name, value)| {
        let attribute = match value.get().as_bytes().first() {
            // The service reads the value as what is between the quotes of JSON.
            Some(b'"') => {
                let inner = value.get().strip_prefix('"').and_then(|text| text.strip_suffix('"'));
                json!({"Type": "String", "Value": inner.unwrap_or("")})
            }
            Some(b'-' | b'0'..=b'9') => json!({"Type": "Number", "Value": value.get()}),
            Some(b'[') => json!({"Type": "String.Array", "Value": value.get()}),
            // Only an array has such elements.
            _ => json!({"Type": "String.Array", "Value": format!("[{}]", value.get())}),
        };
        (name, attribute)
    });
    let attributes: serde_json::Map<String, serde_json::Value> = attributes.collect();
    json!({"MessageAttributes": attributes}).to_string()
}

/// The sentence goes to standard error, the event to standard output.
fn answer(sentence: &str, event: Option<&str>, outcome: Outcome) -> anyhow::Result<Outcome> {
    complain(sentence);
    if let Some(event) = event {
        writeln!(anstream::stdout(), "{event}")?;
    }
    Ok(outcome)
}

/// The one pattern that an argument names.
fn pattern(word: &str, dialect: Dialect) -> anyhow::Result<Pattern> {
    let rules = Rules::of_word(word, dialect)?;
    let mut reporter = Reporter::stderr();
    let parsed = rules.parse(&ParseOptions::new(rules.dialect), &mut reporter);
    reporter.finish()?;
    let mut patterns = parsed?;
    match (patterns.pop(), patterns.is_empty()) {
        (Some(pattern), true) => Ok(pattern),
        _ => bail!("{word}: expected one pattern, found {}", rules.rules.len()),
    }
}
