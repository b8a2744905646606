//! The patterns of subscriptions compiled into one automaton, and what an input of their service passes.

use std::ops::Range;

use super::bus::{Answers, BusEvent, Subscribers, Unpublished};
use super::error::SubscriptionError;
use super::input::{Input, Takes, message, text};
use super::message::Quoting;
use super::outcome::{Cause, Outcome};
use super::policies::Policies;
use super::record::{Buffers, Records};
use crate::base::PatternId;
use crate::json::{EventError, ReadPolicy};
use crate::limit::{BuildError, Limits};
use crate::matcher::{Matcher, Scratch};
use crate::pattern::Pattern;

/// The patterns of one subscription or of many, all of which take the same kind of input.
#[derive(Clone, Debug)]
pub(super) struct Compiled {
    /// None without subscriptions.
    takes: Option<Takes>,
    /// By position of a pattern among all that were compiled.
    slots: Vec<Slot>,
    patterns: Patterns,
}

/// Where a compiled pattern comes from.
#[derive(Clone, Copy, Debug)]
struct Slot {
    subscription: u32,
    /// None if the subscription has no filter at all.
    filter: Option<u32>,
}

#[derive(Clone, Debug)]
enum Patterns {
    Events(Matcher),
    Messages(Policies),
    Records(Records),
    Parts(Subscribers),
}

/// What an input passes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Answer<'s> {
    /// The patterns that match it, at least one; or why none does.
    pub(super) found: Result<&'s [PatternId], Cause>,
    /// The subscriptions that could not be evaluated, ascending.
    pub(super) undecided: &'s [usize],
    /// Why the first of them could not.
    pub(super) fault: Option<&'s EventError>,
}

impl<'s> From<Result<&'s [PatternId], Cause>> for Answer<'s> {
    fn from(found: Result<&'s [PatternId], Cause>) -> Answer<'s> {
        Answer { found, undecided: &[], fault: None }
    }
}

/// How patterns are compiled and inputs are read.
#[derive(Clone, Debug, Default)]
pub(super) struct Settings {
    pub(super) limits: Limits,
    pub(super) policy: ReadPolicy,
    pub(super) quoting: Quoting,
    pub(super) unpublished: Unpublished,
}

/// Reusable buffers for evaluating input; keep one per thread.
#[derive(Debug, Default)]
pub struct SubscriptionScratch {
    scratch: Scratch,
    text: String,
    buffers: Buffers,
    answers: Answers,
}

impl Compiled {
    /// Compiles the patterns of each subscription.
    pub(super) fn new(
        takes: Option<Takes>,
        subscriptions: &[&[Pattern]],
        settings: Settings,
    ) -> Result<Compiled, SubscriptionError> {
        let Settings { limits, policy, quoting, unpublished } = settings;
        let (mut slots, mut patterns): (Vec<Slot>, Vec<Option<&Pattern>>) = (Vec::new(), Vec::new());
        for (at, subscription) in subscriptions.iter().enumerate() {
            let number = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
            if takes == Some(Takes::Parts) {
                // All filters of a subscriber are one pattern.
                slots.push(Slot { subscription: number(at), filter: Some(0) });
                continue;
            }
            for (filter, pattern) in subscription.iter().enumerate() {
                slots.push(Slot { subscription: number(at), filter: Some(number(filter)) });
                patterns.push(Some(pattern));
            }
            if subscription.is_empty() {
                slots.push(Slot { subscription: number(at), filter: None });
                patterns.push(None);
            }
        }
        let refused = |error: BuildError| {
            let slot = error.pattern().and_then(|id| slots.get(id.index()));
            SubscriptionError::build(
                slot.map(|slot| (slot.subscription as usize, slot.filter.map(|at| at as usize))),
                error,
            )
        };
        let patterns = match takes {
            None | Some(Takes::Events) => {
                let builder = Matcher::builder().limits(limits).read_policy(policy);
                let patterns = patterns.into_iter().flatten().cloned();
                Patterns::Events(builder.build(patterns).map_err(refused)?)
            }
            Some(Takes::Messages(scope)) => {
                Patterns::Messages(Policies::new(&patterns, scope, quoting, &limits, policy).map_err(refused)?)
            }
            Some(Takes::Parts) => {
                let filters = subscriptions.iter().copied();
                Patterns::Parts(Subscribers::new(filters, &limits, policy, unpublished).map_err(refused)?)
            }
            Some(Takes::Records(dialect, source)) => {
                Patterns::Records(Records::new(patterns, dialect, source, &limits, policy).map_err(refused)?)
            }
        };
        Ok(Compiled { takes, slots, patterns })
    }

    /// The patterns that an input passes, or why it passes none.
    pub(super) fn judge<'s>(
        &'s self,
        input: Input<'_>,
        scratch: &'s mut SubscriptionScratch,
    ) -> Result<Answer<'s>, EventError> {
        if self.takes.is_none() && !matches!(input, Input::Text(_)) {
            // Without subscriptions, any input is accepted, and nothing passes.
            return Ok(Answer::from(Err(Cause::NoPatternMatched)));
        }
        let SubscriptionScratch { scratch, text: projected, buffers, answers } = scratch;
        let answer = match &self.patterns {
            Patterns::Events(matcher) => Ok(matcher.positions(text(input)?, scratch)?),
            Patterns::Messages(policies) => {
                let message = message(input, policies.scope())?;
                policies.judge(&message, scratch, projected)?.map_err(Cause::Sns)
            }
            Patterns::Records(records) => records.judge(text(input)?, scratch, buffers)?,
            Patterns::Parts(subscribers) => {
                let cause = match input {
                    Input::Event(event) => subscribers.judge(event, scratch, answers)?,
                    input => subscribers.judge(&subscribers.read(text(input)?)?, scratch, answers)?,
                };
                let Answers { found, undecided, fault } = answers;
                let found = cause.map_or(Ok(found.as_slice()), Err);
                return Ok(Answer { found, undecided, fault: fault.as_ref() });
            }
        };
        let found = answer.and_then(|found| if found.is_empty() { Err(Cause::NoPatternMatched) } else { Ok(found) });
        Ok(Answer::from(found))
    }

    /// What an answer means: it matches if any subscription does.
    pub(super) fn outcome(&self, answer: &Answer<'_>) -> Outcome {
        match answer.found {
            Ok(_) => Outcome::matched(),
            Err(cause) => Outcome::missed(cause, self.takes.unwrap_or(Takes::Events).effect()),
        }
    }

    /// The positions of the subscriptions that an answer names, ascending.
    pub(super) fn subscriptions<'s>(&'s self, answer: &Answer<'s>) -> impl Iterator<Item = usize> + use<'s> {
        let mut last = None;
        // The filters of one subscription follow each other.
        self.found(answer).filter_map(move |slot| {
            (last.replace(slot.subscription) != Some(slot.subscription)).then_some(slot.subscription as usize)
        })
    }

    /// The filters that an answer names: the position of the subscription, and that of the filter in it.
    pub(super) fn filters<'s>(&'s self, answer: &Answer<'s>) -> impl Iterator<Item = (usize, usize)> + use<'s> {
        self.found(answer).filter_map(|slot| Some((slot.subscription as usize, slot.filter? as usize)))
    }

    fn found<'s>(&'s self, answer: &Answer<'s>) -> impl Iterator<Item = Slot> + use<'s> {
        answer.found.unwrap_or(&[]).iter().filter_map(|id| self.slots.get(id.index()).copied())
    }

    /// The event that the patterns see of an input, or why there is nothing to see.
    pub(super) fn event(&self, input: Input<'_>) -> Result<Result<Vec<u8>, Cause>, EventError> {
        Ok(match &self.patterns {
            Patterns::Events(_) => Ok(text(input)?.to_vec()),
            Patterns::Messages(policies) => policies.event(&*message(input, policies.scope())?).map_err(Cause::Sns),
            Patterns::Records(records) => Ok(records.event(text(input)?)?),
            Patterns::Parts(subscribers) => Ok(match input {
                Input::Event(event) => event.to_json(),
                input => subscribers.read(text(input)?)?.to_json(),
            }),
        })
    }

    /// The event of a Custom Event Bus that an input is; none if the subscriptions take something else.
    pub(super) fn parts<'a>(&self, input: Input<'a>) -> Result<Option<BusEvent<'a>>, EventError> {
        match (&self.patterns, input) {
            (Patterns::Parts(_), Input::Event(event)) => Ok(Some(event.clone())),
            (Patterns::Parts(subscribers), input) => Ok(Some(subscribers.read(text(input)?)?)),
            _ => Ok(None),
        }
    }

    /// The places of the inputs inside a larger one; none if it is one input itself.
    pub(super) fn inputs(&self, text: &[u8]) -> Option<Vec<Range<usize>>> {
        self.takes?.inputs(text)
    }

    /// Bytes on the heap.
    pub(super) fn memory_usage(&self) -> usize {
        let matcher = match &self.patterns {
            Patterns::Events(matcher) => matcher,
            Patterns::Messages(policies) => policies.matcher(),
            Patterns::Records(records) => records.matcher(),
            Patterns::Parts(subscribers) => subscribers.matcher(),
        };
        matcher.memory_usage() + self.slots.len() * size_of::<Slot>()
    }
}
