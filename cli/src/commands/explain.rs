//! `eventrie explain`

use std::io::Write;

use anyhow::Context;
use eventrie::{
    Dialect, Explanation, ParseOptions, Pattern, Quoting, ReadPolicy, RecordOutcome, SnsCause, SnsMessage, SnsOutcome,
    closest,
};
use serde_json::json;

use crate::Outcome;
use crate::args::{ExplainArgs, ExplainFormat};
use crate::events::Events;
use crate::judge::Judge;
use crate::report::Reporter;
use crate::rules::{self, Rules, SourceFile};

pub(crate) fn run(args: &ExplainArgs) -> anyhow::Result<Outcome> {
    let rules = match (&args.patterns.rules, &args.patterns.pattern, &args.patterns.expression) {
        (Some(name), ..) => rules::read(name)?,
        (_, Some(name), _) => rules::single(SourceFile::read(name)?),
        (.., text) => {
            let text = text.clone().unwrap_or_default();
            rules::single(SourceFile { name: "<pattern>".to_owned(), text })
        }
    };
    let options = ParseOptions::new(args.language.dialect);
    let mut reporter = Reporter::stderr();
    let patterns = rules.parse(&options, &mut reporter);
    reporter.finish()?;
    let patterns = patterns?;
    let source = args.language.source;
    let judge = Judge::new(patterns.clone(), &options, source, ReadPolicy::Whole, |_| rules.file.name.clone())?;
    let out = anstream::stdout();
    let color = out.current_choice() != anstream::ColorChoice::Never;
    let mut explain = Explain { args, rules: &rules, patterns, judge, out, color, all: true, count: 0 };
    if let Some(text) = &args.event {
        explain.texts("<event>", text.as_bytes())?;
    } else {
        Events::open(&args.events).each(|event| explain.texts(&event.place(), event.text).map(|()| true))?;
    }
    explain.out.flush()?;
    Ok(if explain.all && explain.count > 0 { Outcome::Yes } else { Outcome::No })
}

struct Explain<'a> {
    args: &'a ExplainArgs,
    rules: &'a Rules,
    patterns: Vec<Pattern>,
    judge: Judge,
    out: anstream::AutoStream<std::io::Stdout>,
    color: bool,
    /// Whether every event matched so far.
    all: bool,
    count: u64,
}

/// What the patterns see of a text, and what the service says of it.
struct Seen {
    /// The event; or why there is none.
    event: Result<Vec<u8>, String>,
    /// What becomes of what does not match.
    fate: Option<String>,
    found: Vec<usize>,
}

impl Explain<'_> {
    /// One event, or the records that a function was given.
    fn texts(&mut self, place: &str, text: &[u8]) -> anyhow::Result<()> {
        match self.judge.records(text) {
            None => self.one(place, text),
            Some(records) => {
                for (at, record) in records.into_iter().enumerate() {
                    self.one(&format!("{place} record {at}"), text.get(record).unwrap_or(&[]))?;
                }
                Ok(())
            }
        }
    }

    fn one(&mut self, place: &str, text: &[u8]) -> anyhow::Result<()> {
        let seen = self.see(text).with_context(|| place.to_owned())?;
        self.all &= !seen.found.is_empty();
        self.count += 1;
        let event = match &seen.event {
            Ok(event) => event,
            Err(cause) => {
                return match self.args.format {
                    ExplainFormat::Human => Ok(writeln!(self.out, "no match: {cause}")?),
                    ExplainFormat::Json => {
                        Ok(writeln!(self.out, "{}", json!({"event": place, "matched": false, "summary": cause}))?)
                    }
                };
            }
        };
        let most = seen.found.len() + if self.args.patterns.rules.is_some() { self.args.closest } else { 1 };
        let ranked = closest(&self.patterns, event, most).with_context(|| place.to_owned())?;
        match self.args.patterns.rules {
            Some(_) => self.many(place, &seen, ranked)?,
            None => {
                if let Some(nearest) = ranked.first() {
                    self.single(place, &seen, &nearest.explanation)?;
                }
            }
        }
        Ok(())
    }

    fn single(&mut self, place: &str, seen: &Seen, explanation: &Explanation) -> anyhow::Result<()> {
        let fate = seen.fate.as_deref().filter(|_| seen.found.is_empty());
        if self.args.format == ExplainFormat::Json {
            let line = json!({"event": place, "matched": !seen.found.is_empty(), "summary": explanation.summary(), "fate": fate, "explanation": explanation});
            return Ok(writeln!(self.out, "{line}")?);
        }
        if self.args.brief {
            writeln!(self.out, "{place}: {}", explanation.summary())?;
        } else {
            if self.args.event.is_none() {
                writeln!(self.out, "{place}:")?;
            }
            writeln!(self.out, "{}", explanation.render().color(self.color))?;
        }
        if let Some(fate) = fate {
            writeln!(self.out, "  = {fate}")?;
        }
        Ok(())
    }

    fn many(&mut self, place: &str, seen: &Seen, ranked: Vec<eventrie::Closest>) -> anyhow::Result<()> {
        let name = |at: usize| self.rules.rules.get(at).map_or("", |rule| rule.name.as_str());
        let matched: Vec<&str> = seen.found.iter().map(|at| name(*at)).collect();
        let missed: Vec<_> = ranked.iter().filter(|one| !seen.found.contains(&one.id.index())).collect();
        if self.args.format == ExplainFormat::Json {
            let missed = missed.iter().map(|one| json!({"rule": name(one.id.index()), "summary": one.explanation.summary(), "explanation": one.explanation}));
            let line = json!({"event": place, "matched": matched, "closest": missed.collect::<Vec<_>>()});
            return Ok(writeln!(self.out, "{line}")?);
        }
        writeln!(self.out, "{place}: {} of {} rules match", matched.len(), self.rules.rules.len())?;
        for name in &matched {
            writeln!(self.out, "  matches: {name}")?;
        }
        for one in missed.iter().take(self.args.closest) {
            writeln!(self.out, "  close: {}: {}", name(one.id.index()), one.explanation.summary())?;
        }
        if let (true, Some(fate)) = (matched.is_empty(), &seen.fate) {
            writeln!(self.out, "  = {fate}")?;
        }
        if !self.args.brief && self.args.event.is_none() {
            writeln!(self.out)?;
        }
        Ok(())
    }

    fn see(&mut self, text: &[u8]) -> anyhow::Result<Seen> {
        Ok(match &mut self.judge {
            Judge::Events { matcher, scratch } => {
                let found = matcher.matches(text, scratch)?.iter().map(|id| id.index()).collect();
                Seen { event: Ok(text.to_vec()), fate: None, found }
            }
            Judge::Messages { filter, scratch } => {
                let message = SnsMessage::parse(text)?;
                let (found, cause) = match filter.judge(&message, scratch)? {
                    SnsOutcome::Delivered(ids) => (ids.iter().map(|id| id.index()).collect(), None),
                    SnsOutcome::FilteredOut(cause) => (Vec::new(), Some(cause)),
                };
                let counted = |cause: SnsCause| format!("{cause} (counted as {})", cause.metric());
                let event = match (self.args.language.dialect, cause) {
                    (Dialect::SnsAttributes, _) => {
                        message.attributes_as_json(Quoting::Strict).map(String::into_bytes).map_err(counted)
                    }
                    (_, Some(cause @ SnsCause::InvalidMessageBody)) => Err(counted(cause)),
                    _ => Ok(message.body().as_bytes().to_vec()),
                };
                let fate = cause.map(|cause| format!("counted as {}", cause.metric()));
                Seen { event, fate, found }
            }
            Judge::Records { filter, scratch } => {
                let (found, fate) = match filter.judge(text, scratch)? {
                    RecordOutcome::Matched(filters) => (filters.to_vec(), None),
                    RecordOutcome::Filtered(reason) => (Vec::new(), Some(reason.to_string())),
                };
                Seen { event: Ok(filter.record_as_event(text)?), fate, found }
            }
        })
    }
}
