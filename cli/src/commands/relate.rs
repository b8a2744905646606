//! `eventrie covers`, `eventrie overlaps` and `eventrie sample`: what one or two patterns mean, shown by an event.

use std::io::Write;

use anyhow::bail;
use eventrie::relate::{Covers, Overlaps};
use eventrie::{Dialect, ParseOptions, Pattern};

use crate::args::{CoversArgs, OverlapsArgs, SampleArgs};
use crate::commands::Outcome;
use crate::report::Reporter;
use crate::rules::Rules;
use crate::shown::complain;

const UNDECIDED: &str = "not decided: the patterns are too large, or neither a proof nor an event was found";

pub(crate) fn covers(args: &CoversArgs) -> anyhow::Result<Outcome> {
    let (wide, narrow) = (pattern(&args.wide, args.dialect)?, pattern(&args.narrow, args.dialect)?);
    match wide.covers(&narrow) {
        Covers::Yes => answer("yes: the first pattern matches every event that the second matches", None, Outcome::Yes),
        Covers::No { event } => answer("no: only the second pattern matches this event", Some(&event), Outcome::No),
        _ => answer(UNDECIDED, None, Outcome::Trouble),
    }
}

pub(crate) fn overlaps(args: &OverlapsArgs) -> anyhow::Result<Outcome> {
    let (one, other) = (pattern(&args.one, args.dialect)?, pattern(&args.other, args.dialect)?);
    match one.overlaps(&other) {
        Overlaps::Yes { event } => answer("yes: both patterns match this event", Some(&event), Outcome::Yes),
        Overlaps::OnlyWithLists { event } => {
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
            writeln!(anstream::stdout(), "{event}")?;
            Ok(Outcome::Yes)
        }
        None => answer("no event found that the pattern matches", None, Outcome::No),
    }
}

/// The sentence for people on standard error, the event for programs on standard output.
fn answer(sentence: &str, event: Option<&str>, outcome: Outcome) -> anyhow::Result<Outcome> {
    complain(sentence);
    if let Some(event) = event {
        writeln!(anstream::stdout(), "{event}")?;
    }
    Ok(outcome)
}

/// The one pattern that a word stands for.
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
