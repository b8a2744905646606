//! `eventrie explain` for subscribers of a Custom Event Bus: filter by filter, and who published the event.

use std::io::Write;

use eventrie::diagnostic::LineIndex;
use eventrie::service::{BusEvent, Subscription, SubscriptionReport, Unpublished};
use eventrie::{ParseOptions, Pattern};
use serde_json::json;

use crate::args::ExplainFormat;
use crate::rules::Rules;
use crate::shown::{complain, harmless};

/// The subscribers that were named, each with its name.
pub(crate) struct Subscribers {
    all: Vec<(String, Subscription)>,
    unpublished: Unpublished,
}

/// How explanations are printed.
pub(crate) struct Style<'a> {
    pub(crate) format: ExplainFormat,
    pub(crate) brief: bool,
    pub(crate) color: bool,
    /// What to call the event.
    pub(crate) place: Option<&'a str>,
    /// Of several subscribers, how many that do not match are explained.
    pub(crate) closest: Option<usize>,
    pub(crate) rules: &'a Rules,
}

impl Subscribers {
    /// None if the rules are something else.
    pub(crate) fn new(
        rules: &Rules,
        groups: &[Vec<Pattern>],
        options: &ParseOptions,
        unpublished: Unpublished,
    ) -> anyhow::Result<Option<Subscribers>> {
        if rules.dialect.scope().is_none() {
            return Ok(None);
        }
        let all = rules.names.iter().zip(groups);
        let all = all.map(|(name, filters)| Ok((name.clone(), Subscription::new(filters.clone(), options, None)?)));
        Ok(Some(Subscribers { all: all.collect::<anyhow::Result<_>>()?, unpublished }))
    }

    /// Explains one event: whether any subscriber receives it, and how many could not be evaluated.
    ///
    /// # Errors
    /// If no subscriber can be judged.
    pub(crate) fn explain(&self, text: &[u8], style: &Style<'_>, out: &mut impl Write) -> anyhow::Result<(bool, u64)> {
        let (mut reports, mut undecided) = (Vec::with_capacity(self.all.len()), Vec::new());
        for (name, subscription) in &self.all {
            let report = if self.unpublished == Unpublished::default() {
                subscription.explain(text)
            } else {
                BusEvent::parse(text, &self.unpublished).and_then(|event| subscription.explain(&event))
            };
            match report {
                Ok(report) => reports.push((name.as_str(), report)),
                Err(error) => undecided.push((name, error)),
            }
        }
        if let (true, Some((_, error))) = (reports.is_empty(), undecided.first()) {
            return Err(error.clone().into());
        }
        for (name, error) in &undecided {
            complain(&format!("cannot evaluate the subscriber `{name}`: {error}"));
        }
        let passed = reports.iter().any(|(_, report)| report.outcome().matched);
        match (style.closest, reports.first()) {
            (None, Some((_, report))) => single(report, style, out)?,
            (Some(most), _) => several(reports, most, style, out)?,
            (None, None) => {}
        }
        Ok((passed, undecided.len() as u64))
    }
}

fn single(report: &SubscriptionReport, style: &Style<'_>, out: &mut impl Write) -> anyhow::Result<()> {
    let matched = report.outcome().matched;
    let notes: Vec<&str> = report.notes().collect();
    if style.format == ExplainFormat::Json {
        let filters: Vec<_> = report.explanations().map(|(_, explanation)| explanation).collect();
        let line = json!({
            "event": style.place, "matched": matched, "summary": report.summary(), "notes": notes, "filters": filters
        });
        return Ok(writeln!(out, "{line}")?);
    }
    match style.place {
        Some(place) => writeln!(out, "{place}: {}", report.summary())?,
        None => writeln!(out, "{}", report.summary())?,
    }
    if !style.brief {
        for (at, explanation) in report.explanations().filter(|(_, explanation)| !explanation.matched() || matched) {
            let pattern = explanation.pattern_place().and_then(|span| style.rules.in_file(at, span));
            let lines = pattern.as_ref().map(|(_, text, _)| LineIndex::new(text));
            let mut rendered = explanation.render().color(style.color);
            if let (Some((name, _, span)), Some(lines)) = (&pattern, &lines) {
                rendered = rendered.pattern_in(name, lines, *span);
            }
            writeln!(out, "{rendered}")?;
        }
    }
    for note in notes {
        writeln!(out, "  = {note}")?;
    }
    Ok(())
}

fn several(
    mut reports: Vec<(&str, SubscriptionReport)>,
    most: usize,
    style: &Style<'_>,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let all = reports.len();
    let (matched, mut missed): (Vec<_>, Vec<_>) = reports.drain(..).partition(|(_, report)| report.outcome().matched);
    // What lacks least comes first.
    let lack = |report: &SubscriptionReport| {
        report.explanations().map(|(_, explanation)| 1_000 - u64::from(explanation.nearness())).sum::<u64>()
    };
    missed.sort_by_key(|(_, report)| lack(report));
    missed.truncate(most);
    if style.format == ExplainFormat::Json {
        let names: Vec<&str> = matched.iter().map(|(name, _)| *name).collect();
        let missed = missed.iter().map(|(name, report)| {
            json!({"rule": name, "summary": report.summary(), "notes": report.notes().collect::<Vec<_>>()})
        });
        let line = json!({"event": style.place, "matched": names, "closest": missed.collect::<Vec<_>>()});
        return Ok(writeln!(out, "{line}")?);
    }
    writeln!(out, "{}: {} of {all} subscribers receive it", style.place.unwrap_or("<event>"), matched.len())?;
    for (name, _) in &matched {
        writeln!(out, "  matches: {}", harmless(name))?;
    }
    for (name, report) in &missed {
        let why = report.summary().strip_prefix("no match: ").unwrap_or(report.summary());
        writeln!(out, "  close: {}: no match: {why}", harmless(name))?;
    }
    Ok(())
}
