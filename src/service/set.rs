//! Sets of subscriptions: many, with the caller's keys, compiled into one automaton.

use std::ops::Range;

use super::bus::Unpublished;
use super::compiled::{Answer, Compiled, Settings, SubscriptionScratch};
use super::error::SubscriptionError;
use super::input::Input;
use super::message::Quoting;
use super::outcome::{Cause, Outcome};
use super::subscription::Subscription;
use crate::json::{EventError, ReadPolicy};
use crate::limit::Limits;
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
    compiled: Compiled,
}

/// Which subscriptions of a set an input passes.
#[derive(Clone, Copy, Debug)]
pub struct Verdict<'s, K> {
    set: &'s SubscriptionSet<K>,
    answer: Answer<'s>,
}

impl<'s, K> Verdict<'s, K> {
    /// Whether the input passes any subscription.
    #[must_use]
    pub fn is_match(&self) -> bool {
        self.answer.found.is_ok()
    }

    /// The keys of the subscriptions that the input passes, in the order in which they were added.
    pub fn keys(&self) -> impl Iterator<Item = &'s K> + use<'s, K> {
        let set = self.set;
        self.positions().filter_map(move |at| set.keys.get(at))
    }

    /// The positions of these subscriptions, ascending.
    pub fn positions(&self) -> impl Iterator<Item = usize> + use<'s, K> {
        self.set.compiled.subscriptions(&self.answer)
    }

    /// The filters that match, ascending: the position of the subscription, and that of the filter in it. A
    /// subscription that passes because it has none is left out.
    pub fn filters(&self) -> impl Iterator<Item = (usize, usize)> + use<'s, K> {
        self.set.compiled.filters(&self.answer)
    }

    /// The positions of the subscriptions that could not be evaluated, ascending: subscribers of a Custom Event Bus
    /// with a filter on a part of the event that is malformed or not known. The others are answered.
    ///
    /// ```
    /// use eventrie::service::{BusEvent, FilterConfiguration, Subscription, SubscriptionScratch, SubscriptionSet};
    /// let of = |scope: &str, pattern: &str| {
    ///     let filters = format!(r#"{{"Filters": [{{"Scope": "{scope}", "Pattern": "{pattern}"}}]}}"#);
    ///     FilterConfiguration::parse(&filters).map(Subscription::subscriber)
    /// };
    /// let large = of("DATA", r#"{\"total\": [{\"numeric\": [\">\", 100]}]}"#)?;
    /// let ours = of("METADATA", r#"{\"tenant\": [\"a\"]}"#)?;
    /// let set = SubscriptionSet::new([("large", large), ("ours", ours)])?;
    /// let event = BusEvent::new(b"{\"total\": ".as_slice()).metadata("tenant", "a");
    /// let mut scratch = SubscriptionScratch::default();
    /// let verdict = set.judge(&event, &mut scratch)?;
    /// assert_eq!(verdict.keys().collect::<Vec<_>>(), [&"ours"]);
    /// assert_eq!(verdict.undecided().collect::<Vec<_>>(), [0]);
    /// assert!(verdict.fault().is_some());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn undecided(&self) -> impl Iterator<Item = usize> + use<'s, K> {
        self.answer.undecided.iter().copied()
    }

    /// Why some subscriptions could not be evaluated: the cause of the first of them.
    #[must_use]
    pub fn fault(&self) -> Option<&'s EventError> {
        self.answer.fault
    }

    /// The answer of the set as a whole: it matches if any subscription does.
    #[must_use]
    pub fn outcome(&self) -> Outcome {
        self.set.compiled.outcome(&self.answer)
    }
}

impl SubscriptionSet {
    /// A builder, for other limits or another read policy.
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

    /// Finds the subscriptions that an input passes, or why it passes none. Linear in the input for a given set.
    ///
    /// # Errors
    /// If the input is not what the service takes, or a limit is reached. Attributes and bodies of SNS messages that
    /// cannot be read are a cause, not an error. For an event of a Custom Event Bus it is an error only if no
    /// subscription can be evaluated; otherwise see [`Verdict::undecided`].
    pub fn judge<'s, 'a>(
        &'s self,
        input: impl Into<Input<'a>>,
        scratch: &'s mut SubscriptionScratch,
    ) -> Result<Verdict<'s, K>, EventError> {
        Ok(Verdict { set: self, answer: self.compiled.judge(input.into(), scratch)? })
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
        self.compiled.event(input.into())
    }

    /// The places of the inputs inside a string, as [`Subscription::inputs`].
    #[must_use]
    pub fn inputs(&self, text: &[u8]) -> Option<Vec<Range<usize>>> {
        self.compiled.inputs(text)
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
        self.compiled.memory_usage()
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
pub struct SubscriptionSetBuilder(Settings);

impl SubscriptionSetBuilder {
    /// Sets the bounds for compiling and matching.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> SubscriptionSetBuilder {
        self.0.limits = limits;
        self
    }

    /// Sets how much of an event is read.
    #[must_use]
    pub fn read_policy(mut self, policy: ReadPolicy) -> SubscriptionSetBuilder {
        self.0.policy = policy;
        self
    }

    /// Sets how the values of `String` attributes become JSON; as the service does by default.
    #[must_use]
    pub fn quoting(mut self, quoting: Quoting) -> SubscriptionSetBuilder {
        self.0.quoting = quoting;
        self
    }

    /// Sets the fields that the service will fill in for PutEvents entries that are not published yet.
    #[must_use]
    pub fn unpublished(mut self, unpublished: Unpublished) -> SubscriptionSetBuilder {
        self.0.unpublished = unpublished;
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
        let (keys, subscriptions): (Vec<K>, Vec<Subscription>) = subscriptions.into_iter().unzip();
        let takes = subscriptions.first().map(Subscription::takes);
        for (at, subscription) in subscriptions.iter().enumerate() {
            if let Some(takes) = takes.filter(|takes| *takes != subscription.takes()) {
                let text = format!("it takes {}, others take {}", subscription.takes().name(), takes.name());
                return Err(SubscriptionError::shape(None, text).of_subscription(at));
            }
        }
        let patterns: Vec<&[Pattern]> = subscriptions.iter().map(Subscription::patterns).collect();
        Ok(SubscriptionSet { keys, compiled: Compiled::new(takes, &patterns, self.0)? })
    }
}
