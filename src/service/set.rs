//! Sets of subscriptions: many, with the caller's keys, compiled into one automaton.

use std::ops::Range;

use super::bus::{BusEvent, Subscribers, Unpublished};
use super::input::{Input, Takes, message, text};
use super::message::Quoting;
use super::outcome::{Cause, Outcome};
use super::policies::Policies;
use super::record::{Buffers, Records};
use super::subscription::{Subscription, SubscriptionError};
use crate::base::PatternId;
use crate::json::{EventError, ReadPolicy};
use crate::limit::{BuildError, Limits};
use crate::matcher::{Matcher, Scratch};
use crate::pattern::Pattern;

/// Many subscriptions compiled into one automaton, with the caller's keys. All of them take the same kind of input:
/// events, SNS messages of one scope, or the records of one source.
///
/// ```
/// use eventrie::service::{Source, Subscription, SubscriptionScratch, SubscriptionSet};
/// use eventrie::{Dialect, ParseOptions};
/// let options = ParseOptions::new(Dialect::Lambda);
/// let orders = Subscription::parse(r#"{"body": {"kind": ["order"]}}"#, &options, Source::Sqs)?;
/// let large = Subscription::parse(r#"{"body": {"total": [{"numeric": [">", 100]}]}}"#, &options, Source::Sqs)?;
/// let set = SubscriptionSet::new([("orders", orders), ("large", large)])?;
/// let mut scratch = SubscriptionScratch::default();
/// let verdict = set.judge(r#"{"body": "{\"kind\": \"order\", \"total\": 120}"}"#, &mut scratch)?;
/// assert_eq!(verdict.keys().collect::<Vec<_>>(), [&"orders", &"large"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct SubscriptionSet<K = usize> {
    keys: Vec<K>,
    takes: Option<Takes>,
    /// By position of a pattern among all that were compiled.
    slots: Vec<Slot>,
    compiled: Compiled,
}

/// Where a compiled pattern comes from.
#[derive(Clone, Copy, Debug)]
struct Slot {
    subscription: u32,
    /// None if the subscription has no filter at all.
    filter: Option<u32>,
}

#[derive(Clone, Debug)]
enum Compiled {
    Events(Matcher),
    Messages(Policies),
    Records(Records),
    Parts(Subscribers),
}

/// Reusable buffers for judging input; keep one per thread.
#[derive(Debug, Default)]
pub struct SubscriptionScratch {
    scratch: Scratch,
    text: String,
    buffers: Buffers,
    kept: Vec<PatternId>,
}

/// Which subscriptions of a set an input passes.
#[derive(Clone, Copy, Debug)]
pub struct Verdict<'s, K> {
    set: &'s SubscriptionSet<K>,
    found: &'s [PatternId],
    cause: Option<Cause>,
}

impl<'s, K> Verdict<'s, K> {
    /// Whether the input passes any subscription.
    #[must_use]
    pub fn is_match(&self) -> bool {
        !self.found.is_empty()
    }

    /// The keys of the subscriptions that the input passes, in the order in which they were added.
    pub fn keys(&self) -> impl Iterator<Item = &'s K> + use<'s, K> {
        let set = self.set;
        self.positions().filter_map(move |at| set.keys.get(at))
    }

    /// The positions of these subscriptions, ascending.
    pub fn positions(&self) -> impl Iterator<Item = usize> + use<'s, K> {
        let (set, mut last) = (self.set, None);
        // The filters of one subscription follow each other.
        self.found.iter().filter_map(move |id| {
            let slot = set.slots.get(id.index())?;
            (last.replace(slot.subscription) != Some(slot.subscription)).then_some(slot.subscription as usize)
        })
    }

    /// The filters that match, ascending: the position of the subscription, and that of the filter in it. A
    /// subscription that passes because it has none is left out.
    pub fn filters(&self) -> impl Iterator<Item = (usize, usize)> + use<'s, K> {
        let set = self.set;
        self.found.iter().filter_map(move |id| {
            let slot = set.slots.get(id.index())?;
            Some((slot.subscription as usize, slot.filter? as usize))
        })
    }

    /// The answer of the set as a whole: it matches if any subscription does.
    #[must_use]
    pub fn outcome(&self) -> Outcome {
        match (self.cause, self.set.takes) {
            _ if self.is_match() => Outcome::matched(),
            (cause, takes) => {
                let effect = takes.unwrap_or(Takes::Events).effect();
                Outcome::missed(cause.unwrap_or(Cause::NoPatternMatched), effect)
            }
        }
    }
}

impl SubscriptionSet {
    /// Settings for a set: other limits, another way of reading.
    #[must_use]
    pub fn builder() -> SubscriptionSetBuilder {
        SubscriptionSetBuilder::default()
    }
}

impl<K> SubscriptionSet<K> {
    /// Compiles subscriptions with the default [`Limits`].
    ///
    /// # Errors
    /// If they take different kinds of input, or a limit is reached.
    pub fn new(
        subscriptions: impl IntoIterator<Item = (K, Subscription)>,
    ) -> Result<SubscriptionSet<K>, SubscriptionError> {
        SubscriptionSetBuilder::default().build(subscriptions)
    }

    /// The subscriptions that an input passes; or why it passes none. Linear in the input for a given set.
    ///
    /// # Errors
    /// If the input is not what the service takes, or a limit is reached. Attributes and bodies of SNS messages that
    /// cannot be read are a cause, not an error.
    pub fn judge<'s, 'a>(
        &'s self,
        input: impl Into<Input<'a>>,
        scratch: &'s mut SubscriptionScratch,
    ) -> Result<Verdict<'s, K>, EventError> {
        let input = input.into();
        if self.takes.is_none() && !matches!(input, Input::Text(_)) {
            // A set without subscriptions takes whatever comes, and nothing passes.
            return Ok(Verdict { set: self, found: &[], cause: Some(Cause::NoPatternMatched) });
        }
        let SubscriptionScratch { scratch, text: projected, buffers, kept } = scratch;
        let answer = match &self.compiled {
            Compiled::Events(matcher) => match matcher.positions(text(input)?, scratch)? {
                [] => Err(Cause::NoPatternMatched),
                found => Ok(found),
            },
            Compiled::Messages(policies) => {
                let message = message(input, policies.scope())?;
                policies.judge(&message, scratch, projected)?.map_err(Cause::Sns)
            }
            Compiled::Records(records) => records.judge(text(input)?, scratch, buffers)?,
            Compiled::Parts(subscribers) => match input {
                Input::Event(event) => subscribers.judge(event, scratch, kept)?,
                input => subscribers.judge(&subscribers.read(text(input)?)?, scratch, kept)?,
            },
        };
        Ok(match answer {
            Ok(found) => Verdict { set: self, found, cause: None },
            Err(cause) => Verdict { set: self, found: &[], cause: Some(cause) },
        })
    }

    /// The event that the patterns see of an input: a record with its payload decoded where a filter names it, the
    /// attributes of a message as an object, its body. Or why there is nothing to see.
    ///
    /// # Errors
    /// If the input is not what the service takes.
    ///
    /// ```
    /// use eventrie::service::{Source, Subscription, SubscriptionSet};
    /// use eventrie::{Dialect, ParseOptions};
    /// let filters = Subscription::parse(r#"{"data": {"city": ["Oslo"]}}"#, &ParseOptions::new(Dialect::Pipes), Source::Kinesis)?;
    /// let set = SubscriptionSet::new([("oslo", filters)])?;
    /// let event = set.event(r#"{"partitionKey": "1", "data": "eyJjaXR5IjoiT3NsbyJ9"}"#)?;
    /// assert_eq!(event.unwrap(), br#"{"partitionKey": "1", "data": {"city":"Oslo"}}"#);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn event<'a>(&self, input: impl Into<Input<'a>>) -> Result<Result<Vec<u8>, Cause>, EventError> {
        let input = input.into();
        Ok(match &self.compiled {
            Compiled::Events(_) => Ok(text(input)?.to_vec()),
            Compiled::Messages(policies) => policies.event(&*message(input, policies.scope())?).map_err(Cause::Sns),
            Compiled::Records(records) => Ok(records.event(text(input)?)?),
            Compiled::Parts(subscribers) => Ok(match input {
                Input::Event(event) => event.to_json(),
                input => subscribers.read(text(input)?)?.to_json(),
            }),
        })
    }

    /// The event of a Custom Event Bus that an input is; none if the set takes something else.
    pub(super) fn parts<'a>(&self, input: Input<'a>) -> Result<Option<BusEvent<'a>>, EventError> {
        match (&self.compiled, input) {
            (Compiled::Parts(_), Input::Event(event)) => Ok(Some(event.clone())),
            (Compiled::Parts(subscribers), input) => Ok(Some(subscribers.read(text(input)?)?)),
            _ => Ok(None),
        }
    }

    /// The places of the inputs inside a text, as [`Subscription::inputs`].
    #[must_use]
    pub fn inputs(&self, text: &[u8]) -> Option<Vec<Range<usize>>> {
        self.takes?.inputs(text)
    }

    /// The keys, in the order in which the subscriptions were added.
    #[must_use]
    pub fn keys(&self) -> &[K] {
        &self.keys
    }

    /// How many subscriptions there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// Whether there is no subscription at all.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// Bytes on the heap that the compiled tables take.
    #[must_use]
    pub fn memory_usage(&self) -> usize {
        let matcher = match &self.compiled {
            Compiled::Events(matcher) => matcher,
            Compiled::Messages(policies) => policies.matcher(),
            Compiled::Records(records) => records.matcher(),
            Compiled::Parts(subscribers) => subscribers.matcher(),
        };
        matcher.memory_usage() + self.slots.len() * size_of::<Slot>()
    }
}

/// Settings for a [`SubscriptionSet`]; ends in [`build`](SubscriptionSetBuilder::build).
///
/// ```
/// use eventrie::Limits;
/// use eventrie::service::{Subscription, SubscriptionSet};
/// use eventrie::{Dialect, ParseOptions};
/// let rule = Subscription::parse(r#"{"source": ["shop"]}"#, &ParseOptions::new(Dialect::EventBridge), None)?;
/// let set = SubscriptionSet::builder().limits(Limits::default().event_bytes(1 << 18)).build([("shop", rule)])?;
/// assert_eq!(set.keys(), ["shop"]);
/// # Ok::<(), eventrie::service::SubscriptionError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct SubscriptionSetBuilder {
    limits: Limits,
    policy: ReadPolicy,
    quoting: Quoting,
    unpublished: Unpublished,
}

impl SubscriptionSetBuilder {
    /// Sets the bounds for compiling and matching.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> SubscriptionSetBuilder {
        self.limits = limits;
        self
    }

    /// Sets how much of an event is read.
    #[must_use]
    pub fn read_policy(mut self, policy: ReadPolicy) -> SubscriptionSetBuilder {
        self.policy = policy;
        self
    }

    /// Sets how the values of `String` attributes become JSON; as the service does by default.
    #[must_use]
    pub fn quoting(mut self, quoting: Quoting) -> SubscriptionSetBuilder {
        self.quoting = quoting;
        self
    }

    /// Sets what the service will fill in for entries of PutEvents that are not published yet.
    #[must_use]
    pub fn unpublished(mut self, unpublished: Unpublished) -> SubscriptionSetBuilder {
        self.unpublished = unpublished;
        self
    }

    /// Compiles subscriptions under the caller's keys, which need not differ.
    ///
    /// # Errors
    /// If they take different kinds of input, or a limit is reached.
    pub fn build<K>(
        self,
        subscriptions: impl IntoIterator<Item = (K, Subscription)>,
    ) -> Result<SubscriptionSet<K>, SubscriptionError> {
        let SubscriptionSetBuilder { limits, policy, quoting, unpublished } = self;
        let (keys, subscriptions): (Vec<K>, Vec<Subscription>) = subscriptions.into_iter().unzip();
        let takes = subscriptions.first().map(Subscription::takes);
        let (mut slots, mut patterns): (Vec<Slot>, Vec<Option<&Pattern>>) = (Vec::new(), Vec::new());
        for (at, subscription) in subscriptions.iter().enumerate() {
            if let Some(takes) = takes.filter(|takes| *takes != subscription.takes()) {
                let text = format!("it takes {}, others take {}", subscription.takes().name(), takes.name());
                return Err(SubscriptionError::shape(None, text).of_subscription(at));
            }
            let number = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
            if takes == Some(Takes::Parts) {
                // All filters of a subscriber are one pattern.
                slots.push(Slot { subscription: number(at), filter: Some(0) });
                continue;
            }
            for (filter, pattern) in subscription.patterns().iter().enumerate() {
                slots.push(Slot { subscription: number(at), filter: Some(number(filter)) });
                patterns.push(Some(pattern));
            }
            if subscription.patterns().is_empty() {
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
        let compiled = match takes {
            None | Some(Takes::Events) => {
                let builder = Matcher::builder().limits(limits).read_policy(policy);
                let patterns = patterns.into_iter().flatten().cloned();
                Compiled::Events(builder.build(patterns).map_err(refused)?)
            }
            Some(Takes::Messages(scope)) => {
                Compiled::Messages(Policies::new(&patterns, scope, quoting, &limits, policy).map_err(refused)?)
            }
            Some(Takes::Parts) => {
                let filters = subscriptions.iter().map(Subscription::patterns);
                Compiled::Parts(Subscribers::new(filters, &limits, policy, unpublished).map_err(refused)?)
            }
            Some(Takes::Records(dialect, source)) => {
                Compiled::Records(Records::new(patterns, dialect, source, &limits, policy).map_err(refused)?)
            }
        };
        Ok(SubscriptionSet { keys, takes, slots, compiled })
    }
}
