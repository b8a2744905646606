//! `eventrie explain`

use std::collections::BTreeSet;
use std::io::Write;

use anyhow::Context;
use eventrie::diagnostic::{LineIndex, Span};
use eventrie::event::ReadPolicy;
use eventrie::explain::closest;
use eventrie::service::{Effect, elsewhere, unfiltered};
use eventrie::{EventError, Explanation, ParseOptions, Pattern};
use eventrie_files::envelope::Inner;
use serde_json::json;

use crate::args::{ExplainArgs, ExplainFormat};
use crate::commands::Outcome;
use crate::commands::explain_subscribers::{Style, Subscribers};
use crate::events::{Events, Later, One};
use crate::given::Given;
use crate::judge::{Judge, unpublished};
use crate::report::Reporter;
use crate::rules::{Rules, next_steps};
use crate::shown::{complain, harmless};

/// How many kinds of envelopes are named.
const MOST_NOTICES: usize = 20;

pub(crate) fn run(args: &ExplainArgs) -> anyhow::Result<Outcome> {
    let given = Given::of(&args.patterns, &args.events, args.event.as_ref())?;
    let args = &ExplainArgs { patterns: given.patterns, events: given.events, event: given.event, ..args.clone() };
    let rules = Rules::of(&args.patterns, args.language.dialect, args.event.is_none().then_some(&*args.events))?;
    let options = ParseOptions::new(rules.dialect).engine(args.language.engine);
    let mut reporter = Reporter::stderr();
    let patterns = rules.parse(&options, &mut reporter);
    let source = args.language.source;
    for (at, pattern) in patterns.iter().flatten().enumerate() {
        rules.show(at, unfiltered(pattern, source), &mut reporter);
    }
    reporter.finish()?;
    let patterns = patterns?;
    let groups = rules.by_group(patterns.clone());
    let later = Later::new(&args.language.entry, &groups, &rules.names);
    let unpublished = unpublished(&args.language.entry)?;
    let subscribers = Subscribers::new(&rules, &groups, &options, unpublished.clone())?;
    let judge = Judge::new(groups, &options, source, ReadPolicy::Whole, unpublished.clone(), |at| rules.describe(at))?;
    let out = anstream::stdout();
    let color = out.current_choice() != anstream::ColorChoice::Never;
    let mut explain = Explain {
        args,
        rules: &rules,
        patterns,
        judge,
        subscribers,
        out,
        color,
        all: true,
        count: 0,
        bad: 0,
        told: BTreeSet::new(),
    };
    let events = Events::given(&args.events, args.event.clone(), rules.dialect, source)?.later(later);
    let read = events.each(|event| explain.event(event).map(|()| true))?;
    explain.out.flush()?;
    Ok(match (explain.bad + read.bad, explain.all && explain.count > 0) {
        (1.., _) => Outcome::Trouble,
        (0, true) => Outcome::Yes,
        (0, false) => Outcome::No,
    })
}

struct Explain<'a> {
    args: &'a ExplainArgs,
    rules: &'a Rules,
    patterns: Vec<Pattern>,
    judge: Judge,
    /// Those of a Custom Event Bus, if the rules are such.
    subscribers: Option<Subscribers>,
    out: anstream::AutoStream<std::io::Stdout>,
    color: bool,
    /// Whether every event matched so far.
    all: bool,
    count: u64,
    /// Events that could not be read.
    bad: u64,
    /// What was said of envelopes.
    told: BTreeSet<String>,
}

/// What the patterns see of an input, and what the service does with it.
struct Seen {
    /// The event; or why there is none.
    event: Result<Vec<u8>, String>,
    /// What the service does with input that does not match, if that is more than not delivering it.
    effect: Option<String>,
    /// The rules that match.
    found: Vec<usize>,
    /// How many of their patterns do.
    patterns: usize,
    /// Whether anything matches, or there is nothing to match.
    passed: bool,
    /// Where else in the message the field is that a policy tests.
    elsewhere: Option<String>,
}

impl Seen {
    /// The same without the rules that have no answer.
    fn without(mut self, unanswered: &[usize]) -> Seen {
        if !unanswered.is_empty() {
            self.found.retain(|rule| unanswered.binary_search(rule).is_err());
            self.passed = !self.found.is_empty();
        }
        self
    }
}

impl Explain<'_> {
    /// One event, or the records that a function was given.
    fn event(&mut self, event: &One<'_>) -> anyhow::Result<()> {
        let place = event.place();
        match self.judge.records(event.text) {
            None => self.one(&place, event, event.text),
            Some(records) => {
                for (at, record) in records.into_iter().enumerate() {
                    self.one(&format!("{place} record {at}"), event, event.text.get(record).unwrap_or(&[]))?;
                }
                Ok(())
            }
        }
    }

    /// The verdict on one text; on what cannot be read there is none.
    fn one(&mut self, place: &str, event: &One<'_>, text: &[u8]) -> anyhow::Result<()> {
        if let Some(subscribers) = &self.subscribers {
            let style = Style {
                format: self.args.format,
                brief: self.args.brief,
                color: self.color,
                place: (self.args.event.is_none() || self.args.brief).then_some(place),
                closest: self.args.patterns.rules.is_some().then_some(self.args.closest),
                rules: self.rules,
            };
            let (passed, bad) = subscribers.explain(text, &style, &mut self.out).with_context(|| place.to_owned())?;
            self.bad += bad;
            self.all &= passed;
            self.count += 1;
            return Ok(());
        }
        let seen = match self.see(text) {
            Ok(seen) => seen.without(event.unanswered()),
            Err(error) => {
                self.out.flush()?;
                self.bad += 1;
                match text.len() == event.text.len() {
                    true => event.fault(&error).report(false),
                    false => complain(&format!("{place}: {error}")),
                }
                return Ok(());
            }
        };
        self.unwrapped(place, event)?;
        let bus = event.inner().and_then(Inner::bus);
        self.all &= seen.passed;
        self.count += 1;
        let one = event;
        let event = match &seen.event {
            Ok(event) => event,
            Err(_) if seen.passed => return self.sentence(place, true, "the policy has no conditions"),
            Err(cause) => {
                self.sentence(place, false, cause)?;
                return self.elsewhere(&seen);
            }
        };
        let several = self.args.patterns.rules.is_some();
        let of_a_rule = self.rules.rules.chunk_by(|left, right| left.group == right.group).map(<[_]>::len).max();
        let others = if several { self.args.closest.saturating_add(one.unanswered().len()) } else { 1 };
        let others = others.saturating_mul(of_a_rule.filter(|_| several).unwrap_or(1));
        let most = seen.patterns.saturating_add(others);
        let ranked = closest(&self.patterns, event, most).with_context(|| place.to_owned())?;
        match ranked.first() {
            _ if several => self.many(place, &seen, (text, bus, one.unanswered()), ranked),
            None => self.sentence(place, true, "there are no filters, so every record passes"),
            // The service ignores the part of the filter that does not suit the payload.
            Some(nearest) if seen.passed && !nearest.explanation.matched() => {
                let cause = "the service ignores the filter's test of the payload, because the payload is not in the \
                             format that it tests; the rest matches";
                self.sentence(place, true, cause)
            }
            Some(nearest) => {
                // A record or a message is not shown as it is in its file.
                let whole = event.as_slice() == one.text;
                self.single(place, &seen, nearest.id.index(), &nearest.explanation, whole.then_some(one))?;
                self.elsewhere(&seen)
            }
        }
    }

    /// Says that the field is in the other half of the message.
    fn elsewhere(&mut self, seen: &Seen) -> anyhow::Result<()> {
        if let Some(sentence) = seen.elsewhere.as_deref().filter(|_| self.args.format == ExplainFormat::Human) {
            writeln!(self.out, "  = help: {}", harmless(sentence))?;
        }
        Ok(())
    }

    /// Says what the event was in, and what EventBridge would say of it.
    fn unwrapped(&mut self, place: &str, event: &One<'_>) -> anyhow::Result<()> {
        let Some(inner) = event.inner().filter(|_| self.args.format == ExplainFormat::Human) else { return Ok(()) };
        // In a large file it is the same for each record.
        if self.told.len() < MOST_NOTICES && self.told.insert(inner.sentence()) {
            writeln!(self.out, "{}: note: {}", harmless(place), harmless(&inner.sentence()))?;
        }
        if let Some(refused) = inner.refused() {
            writeln!(self.out, "{}: note: {refused}", harmless(place))?;
        }
        Ok(())
    }

    /// A verdict that no explanation is needed for.
    fn sentence(&mut self, place: &str, matched: bool, cause: &str) -> anyhow::Result<()> {
        let summary = format!("{}: {cause}", if matched { "match" } else { "no match" });
        match self.args.format {
            ExplainFormat::Json => {
                writeln!(self.out, "{}", json!({"event": place, "matched": matched, "summary": summary}))?;
            }
            ExplainFormat::Human if self.args.brief || self.args.event.is_none() => {
                writeln!(self.out, "{place}: {summary}")?;
            }
            ExplainFormat::Human => writeln!(self.out, "{summary}")?,
        }
        Ok(())
    }

    fn single(
        &mut self,
        place: &str,
        seen: &Seen,
        at: usize,
        explanation: &Explanation,
        event: Option<&One<'_>>,
    ) -> anyhow::Result<()> {
        let effect = seen.effect.as_deref().filter(|_| !seen.passed);
        if self.args.format == ExplainFormat::Json {
            let line = json!({"event": place, "matched": seen.passed, "summary": explanation.summary(), "effect": effect, "explanation": explanation});
            return Ok(writeln!(self.out, "{line}")?);
        }
        if self.args.brief {
            writeln!(self.out, "{place}: {}", explanation.summary())?;
        } else {
            if self.args.event.is_none() {
                writeln!(self.out, "{place}:")?;
            }
            let pattern = explanation.pattern_place().and_then(|span| self.rules.in_file(at, span));
            let lines = pattern.as_ref().map(|(_, text, _)| LineIndex::new(text));
            let mut rendered = explanation.render().color(self.color);
            if let (Some((name, _, span)), Some(lines)) = (&pattern, &lines) {
                rendered = rendered.pattern_in(name, lines, *span);
            }
            let event = event.and_then(One::in_file).zip(explanation.event_place());
            let lines = event.as_ref().map(|((_, text, _, line), _)| LineIndex::new(text).first_line(*line));
            if let (Some(((name, _, before, _), place)), Some(lines)) = (&event, &lines) {
                let at = |offset: u32| offset.saturating_add(u32::try_from(*before).unwrap_or(u32::MAX));
                rendered = rendered.event_in(name, lines, Span::new(at(place.span.start), at(place.span.end)));
            }
            writeln!(self.out, "{rendered}")?;
        }
        if let Some(effect) = effect {
            writeln!(self.out, "  = {effect}")?;
        }
        self.next(seen.passed)
    }

    /// After the first match: where to look if it is not enough.
    fn next(&mut self, matched: bool) -> anyhow::Result<()> {
        if let Some(next) = next_steps(self.rules.dialect).filter(|_| matched && !self.args.brief)
            && self.told.insert(next.to_owned())
        {
            writeln!(self.out, "  = next: {next}")?;
        }
        Ok(())
    }

    fn many(
        &mut self,
        place: &str,
        seen: &Seen,
        (text, bus, unanswered): (&[u8], Option<&str>, &[usize]),
        ranked: Vec<eventrie::explain::Closest>,
    ) -> anyhow::Result<()> {
        let group = |at: usize| self.rules.rules.get(at).map_or(at, |rule| rule.group);
        let name = |group: usize| self.rules.names.get(group).map_or("", String::as_str);
        let mut told = [&seen.found, unanswered].concat();
        let silent = |group: usize| self.rules.deployed.get(group).and_then(|rule| rule.silent(text, bus));
        let silent: Vec<Option<String>> = seen.found.iter().map(|group| silent(*group)).collect();
        let matched: Vec<&str> = seen.found.iter().map(|group| name(*group)).collect();
        let mut missed = Vec::new();
        for one in &ranked {
            // Of a set of filters the nearest one is enough.
            let group = group(one.id.index());
            if missed.len() < self.args.closest && !told.contains(&group) {
                told.push(group);
                missed.push((name(group), &one.explanation));
            }
        }
        if self.args.format == ExplainFormat::Json {
            let missed = missed.iter().map(|(name, explanation)| json!({"rule": name, "summary": explanation.summary(), "explanation": explanation}));
            let mut line = json!({"event": place, "matched": matched, "closest": missed.collect::<Vec<_>>()});
            let silent = matched.iter().zip(&silent);
            let silent = silent.filter_map(|(name, why)| Some(json!({"rule": name, "cause": why.as_ref()?})));
            let silent: Vec<_> = silent.collect();
            if let (Some(members), false) = (line.as_object_mut(), silent.is_empty()) {
                members.insert("silent".to_owned(), silent.into());
            }
            return Ok(writeln!(self.out, "{line}")?);
        }
        let verb = if matched.len() == 1 { "matches" } else { "match" };
        writeln!(self.out, "{place}: {} of {} rules {verb}", matched.len(), self.rules.names.len())?;
        for (name, silent) in matched.iter().zip(&silent) {
            match silent {
                Some(why) => writeln!(self.out, "  matches: {}, but {}", harmless(name), harmless(why))?,
                None => writeln!(self.out, "  matches: {}", harmless(name))?,
            }
        }
        for (name, explanation) in missed {
            writeln!(self.out, "  close: {}: {}", harmless(name), explanation.summary())?;
        }
        if let (true, Some(effect)) = (matched.is_empty(), &seen.effect) {
            writeln!(self.out, "  = {effect}")?;
        }
        self.next(!matched.is_empty())?;
        if !self.args.brief && self.args.event.is_none() {
            writeln!(self.out)?;
        }
        Ok(())
    }

    fn see(&mut self, text: &[u8]) -> Result<Seen, EventError> {
        let event = self.judge.set().event(text)?;
        let verdict = self.judge.judge(text)?;
        let outcome = verdict.outcome();
        let elsewhere = if outcome.matched { None } else { elsewhere(&self.patterns, text) };
        Ok(Seen {
            elsewhere,
            event: event.map_err(|cause| match cause.metric() {
                Some(metric) => format!("{cause} (counted as {metric})"),
                None => cause.to_string(),
            }),
            effect: effect(outcome),
            found: verdict.positions().collect(),
            patterns: verdict.filters().count(),
            passed: outcome.matched,
        })
    }
}

/// What the service does with input that does not match, if that is more than not delivering it.
fn effect(outcome: eventrie::service::Outcome) -> Option<String> {
    match (outcome.metric(), outcome.effect) {
        (Some(metric), _) => Some(format!("counted as {metric}")),
        (None, Effect::Delivered | Effect::NotDelivered) => None,
        (None, _) => Some(outcome.to_string()),
    }
}
