//! The explanation of a subscription: the event, and the result of each pattern.

use super::bus;
use super::compiled::{Compiled, SubscriptionScratch};
use super::elsewhere::elsewhere;
use super::input::Input;
use super::outcome::{Cause, Outcome};
use crate::explain::{Explanation, closest};
use crate::json::EventError;
use crate::pattern::Pattern;

/// Whether an input passes a subscription, and why, as [`Subscription::explain`](super::Subscription::explain) reports it.
#[derive(Clone, Debug)]
pub struct SubscriptionReport {
    outcome: Outcome,
    event: Option<Vec<u8>>,
    summary: String,
    notes: Vec<String>,
    /// With the positions of their patterns, nearest first.
    explanations: Vec<(usize, Explanation)>,
    /// For a subscriber of a Custom Event Bus: the part that each filter tested, and why a filter could not be
    /// evaluated.
    seen: Vec<(usize, Vec<u8>)>,
    unjudged: Vec<(usize, String)>,
}

impl SubscriptionReport {
    /// The answer: matched or not, the cause, and what the service does.
    #[must_use]
    pub fn outcome(&self) -> Outcome {
        self.outcome
    }

    /// One sentence: the verdict and its main cause.
    #[must_use]
    pub fn summary(&self) -> &str {
        &self.summary
    }

    /// Other facts, such as which call published an event of a Custom Event Bus, and where a tested field is.
    /// Sentences, the most important first; often none.
    pub fn notes(&self) -> impl Iterator<Item = &str> {
        self.notes.iter().map(String::as_str)
    }

    /// The event that the patterns were matched against; none if there was none, such as for a message without
    /// attributes.
    #[must_use]
    pub fn event(&self) -> Option<&[u8]> {
        self.event.as_deref()
    }

    /// The positions of the patterns and their explanations; those that match first, then the nearest.
    pub fn explanations(&self) -> impl Iterator<Item = (usize, &Explanation)> {
        self.explanations.iter().map(|(at, explanation)| (*at, explanation))
    }

    /// The text in which the places of this pattern's explanation are: the event, or for a filter of a Custom Event Bus
    /// the part of it that the filter tests. None if the pattern was not evaluated.
    ///
    /// ```
    /// use eventrie::service::{FilterConfiguration, Subscription};
    /// let filters = r#"{"Filters": [
    ///     {"Scope": "SYSTEM_METADATA", "Pattern": "{\"aws:Source\": [\"shop\"]}"},
    ///     {"Scope": "DATA", "Pattern": "{\"total\": [5]}"}
    /// ]}"#;
    /// let subscriber = Subscription::subscriber(FilterConfiguration::parse(filters)?);
    /// let event = r#"{"Data": null, "SystemMetadata": {"ContentType": "text/plain", "aws:Source": "shop"}}"#;
    /// let report = subscriber.explain(event)?;
    /// assert_eq!(report.seen(0), Some(br#"{"ContentType":"text/plain","aws:Source":"shop"}"#.as_slice()));
    /// assert_eq!((report.seen(1), report.unjudged(1)), (None, Some("no DATA filter can read data of this content type")));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn seen(&self, pattern: usize) -> Option<&[u8]> {
        self.explanations.iter().find(|(at, _)| *at == pattern)?;
        let part = self.seen.iter().find(|(at, _)| *at == pattern).map(|(_, part)| part.as_slice());
        part.or(self.event.as_deref())
    }

    /// Why a filter of a subscriber of a Custom Event Bus has no explanation: its part of the event is not known, or cannot be
    /// read. An example is at [`seen`](SubscriptionReport::seen).
    #[must_use]
    pub fn unjudged(&self, pattern: usize) -> Option<&str> {
        self.unjudged.iter().find(|(at, _)| *at == pattern).map(|(_, why)| why.as_str())
    }
}

pub(super) fn explain(
    patterns: &[Pattern],
    compiled: &Compiled,
    input: Input<'_>,
) -> Result<SubscriptionReport, EventError> {
    if let Some(event) = compiled.parts(input)? {
        let bus::Explained { outcome, summary, notes, explanations, seen, unjudged } = bus::explain(patterns, &event)?;
        let event = Some(event.to_json());
        return Ok(SubscriptionReport { outcome, event, summary, notes, explanations, seen, unjudged });
    }
    let outcome = compiled.outcome(&compiled.judge(input, &mut SubscriptionScratch::default())?);
    let event = compiled.event(input)?;
    let explanations = match &event {
        Ok(event) => closest(patterns, event, patterns.len())?,
        Err(_) => Vec::new(),
    };
    let explanations: Vec<_> = explanations.into_iter().map(|one| (one.id.index(), one.explanation)).collect();
    let summary = summary(outcome, event.as_ref().err().copied(), explanations.first().map(|(_, first)| first));
    let notes = match input {
        Input::Text(text) if !outcome.matched => elsewhere(patterns, text).into_iter().collect(),
        _ => Vec::new(),
    };
    let (seen, unjudged) = (Vec::new(), Vec::new());
    Ok(SubscriptionReport { outcome, event: event.ok(), summary, notes, explanations, seen, unjudged })
}

fn summary(outcome: Outcome, unseen: Option<Cause>, nearest: Option<&Explanation>) -> String {
    match (outcome.matched, nearest) {
        (true, None) if unseen.is_some() => "match: the policy has no conditions".to_owned(),
        (true, None) => "match: there are no filters, so every record passes".to_owned(),
        (true, Some(nearest)) if !nearest.matched() => {
            let cause = "the service ignores the filter's payload tests, because the payload is not in the format that they \
                         expect";
            format!("match: {cause}")
        }
        (false, Some(nearest)) if nearest.matched() => format!("no match: {outcome}"),
        (_, Some(nearest)) => nearest.summary().to_owned(),
        (false, None) => format!("no match: {outcome}"),
    }
}
