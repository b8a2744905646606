//! Why a subscriber of a Custom Event Bus does or does not receive an event: filter by filter, and who published it.

use std::borrow::Cow;

use super::event::{BusEvent, Publisher, Readable};
use crate::dialect::Dialect;
use crate::event::EventError;
use crate::explain::Explanation;
use crate::json::{Kind, Tree};
use crate::limit::Limits;
use crate::pattern::Pattern;
use crate::service::outcome::{Cause, Effect, Outcome};

/// What is known about a subscriber and an event.
pub(in crate::service) struct Explained {
    pub(in crate::service) outcome: Outcome,
    pub(in crate::service) summary: String,
    pub(in crate::service) notes: Vec<String>,
    /// Of the filters that could be judged.
    pub(in crate::service) explanations: Vec<(usize, Explanation)>,
    /// The parts that these saw.
    pub(in crate::service) seen: Vec<(usize, Vec<u8>)>,
    /// Why the others could not be judged.
    pub(in crate::service) unjudged: Vec<(usize, String)>,
}

/// Why one filter does not match.
enum Failed {
    Undecided(&'static str),
    No(Cause, String),
}

pub(in crate::service) fn explain(filters: &[Pattern], event: &BusEvent<'_>) -> Result<Explained, EventError> {
    let (mut explanations, mut failed) = (Vec::new(), Vec::new());
    let (mut seen, mut unjudged) = (Vec::new(), Vec::new());
    for (at, filter) in filters.iter().enumerate() {
        let is_data = filter.dialect() == Dialect::EventsV2Data;
        let scope = filter.dialect().scope().unwrap_or("DATA");
        let names: Vec<Cow<'_, str>> = filter.paths().into_iter().map(Cow::Owned).collect();
        if let Some(what) = event.undecided(is_data, &names) {
            unjudged.push((at, what.to_owned()));
            failed.push((scope, Failed::Undecided(what)));
            continue;
        }
        if is_data {
            let cause = match event.readable(&Limits::default())? {
                Readable::Object => None,
                Readable::Other => Some(Cause::DataIsNotAnObject),
                Readable::Opaque => Some(Cause::DataIsOpaque),
            };
            if let Some(cause) = cause {
                unjudged.push((at, cause.to_string()));
                failed.push((scope, Failed::No(cause, cause.to_string())));
                continue;
            }
        }
        let part = event.part_as_json(scope);
        let explanation = filter.explain(part.as_slice())?;
        seen.push((at, part));
        if !explanation.matched() {
            let summary = explanation.summary();
            let why = summary.strip_prefix("no match: ").unwrap_or(summary).to_owned();
            failed.push((scope, Failed::No(Cause::NoPatternMatched, why)));
        }
        explanations.push((at, explanation));
    }
    let no = failed.iter().find_map(|(scope, failed)| match failed {
        Failed::No(cause, why) => Some((*cause, format!("no match: {scope}: {why}"))),
        Failed::Undecided(_) => None,
    });
    let undecided = failed.iter().find_map(|(scope, failed)| match failed {
        Failed::Undecided(what) => Some((Cause::Undecided, format!("undecided: {scope}: {what}"))),
        Failed::No(..) => None,
    });
    let (outcome, summary) = match no.or(undecided) {
        Some((cause, summary)) => (Outcome::missed(cause, Effect::NotDelivered), summary),
        None => (Outcome::matched(), matched(&explanations)),
    };
    let notes = if outcome.matched { Vec::new() } else { notes(filters, event) };
    // What failed comes first.
    explanations.sort_by_key(|(_, explanation)| explanation.matched());
    Ok(Explained { outcome, summary, notes, explanations, seen, unjudged })
}

fn matched(explanations: &[(usize, Explanation)]) -> String {
    match explanations {
        [] => "match: the subscriber has no filter, so every event is delivered".to_owned(),
        [(_, only)] => only.summary().to_owned(),
        [_, _] => "match: both filters are satisfied".to_owned(),
        _ => format!("match: all {} filters are satisfied", explanations.len()),
    }
}

/// Who made the event, where the fields of the filters are in it, and what never matches.
fn notes(filters: &[Pattern], event: &BusEvent<'_>) -> Vec<String> {
    let mut notes = Vec::new();
    let tree = Tree::parse_event(event.data(), &Limits::default()).ok();
    let has = |path: &str| tree.as_ref().is_some_and(|tree| is_at(tree, 0, path));
    let publisher = match event.publisher() {
        Publisher::Unknown if has("detail-type") && has("source") => Publisher::PutEvents,
        publisher => publisher,
    };
    match publisher {
        Publisher::PutEvents => notes.push(
            "PutEvents made this event: its data is the classic envelope, and the payload is in `detail`".to_owned(),
        ),
        Publisher::PutRawEvents => {
            notes.push("PutRawEvents made this event: its data is the payload as it was sent".to_owned());
        }
        Publisher::Unknown => {}
    }
    for filter in filters {
        if filter.dialect() == Dialect::EventsV2Metadata && publisher == Publisher::PutEvents && !event.has_metadata() {
            notes.push(
                "PutEvents cannot attach metadata: a METADATA filter never matches an event that it published"
                    .to_owned(),
            );
        }
        if filter.dialect() != Dialect::EventsV2Data {
            continue;
        }
        for path in filter.paths().iter().filter(|path| !has(path)).take(3) {
            let inside = format!("detail.{path}");
            let above = path.strip_prefix("detail.").unwrap_or("");
            if has(&inside) {
                notes.push(format!("`{path}` is at `{inside}` in this event"));
            } else if !above.is_empty() && has(above) {
                notes.push(format!("`{path}` is at `{above}` in this event"));
            } else if let ("source" | "detail-type", Publisher::PutRawEvents) = (path.as_str(), publisher) {
                notes.push(format!("PutRawEvents adds no `{path}`: the data has it only if the publisher wrote it"));
            }
        }
    }
    notes
}

/// Whether an object has a value at a path.
fn is_at(tree: &Tree<'_>, node: usize, path: &str) -> bool {
    tree.children(node).any(|(at, child)| {
        let Some(key) = child.key.map(|key| tree.string(key)) else {
            return child.kind == Kind::Object && is_at(tree, at, path);
        };
        match path.strip_prefix(&*key) {
            Some("") => true,
            Some(rest) => rest.strip_prefix('.').is_some_and(|rest| is_at(tree, at, rest)),
            None => false,
        }
    })
}
