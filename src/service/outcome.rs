//! What a subscription answers: whether the input matches, why not, and what the service does with it.

use std::fmt::{Display, Formatter};

use super::message::SnsCause;

/// Whether one input passes a subscription, why not, and what the service does with it.
///
/// ```
/// use eventrie::service::{Source, Subscription, SubscriptionScratch};
/// use eventrie::{Dialect, ParseOptions};
/// let filter = Subscription::parse(r#"{"body": {"kind": ["a"]}}"#, &ParseOptions::new(Dialect::Lambda), Source::Sqs)?;
/// let outcome = filter.judge(r#"{"body": "kind a"}"#, &mut SubscriptionScratch::default())?;
/// assert!(!outcome.matched);
/// assert_eq!(
///     outcome.to_string(),
///     "`body` is not JSON, but the filter tests fields inside it: the message is deleted from the queue"
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Outcome {
    /// Whether the input passes.
    pub matched: bool,
    /// Why it does not; none if it does.
    pub cause: Option<Cause>,
    /// What the service does with it.
    pub effect: Effect,
}

/// Why an input does not pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Cause {
    /// No pattern matches the event or the record.
    NoPatternMatched,
    /// The policy of an SNS subscription filters the message out.
    Sns(SnsCause),
    /// Custom Event Bus: the data is JSON, but not an object, and all subscribers have a DATA filter.
    DataIsNotAnObject,
    /// Custom Event Bus: a filter tests a part of the event that is malformed or not known. Explanations answer this,
    /// and sets in which others do not match; matching one subscriber is an error.
    Undecided,
    /// Custom Event Bus: no filter can read data of this content type, and all subscribers have a DATA filter.
    DataIsOpaque,
    /// The payload of the record is not JSON, but all filters test fields inside it.
    PayloadIsNotJson {
        /// The payload's field.
        field: &'static str,
    },
    /// The payload of the record is JSON, but all filters compare it as a plain string.
    PayloadIsJson {
        /// The payload's field.
        field: &'static str,
    },
}

/// What a service does with an input: deliver it, drop it, delete it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Effect {
    /// The target, subscriber or function gets it.
    Delivered,
    /// The rule's targets or the subscriber do not receive it.
    NotDelivered,
    /// SQS: the message is deleted from the queue.
    MessageDeleted,
    /// Kinesis and DynamoDB: the record is skipped.
    RecordSkipped,
    /// Kafka: the record is skipped and its offset committed.
    OffsetCommitted,
    /// MQ: the message is acknowledged and discarded.
    MessageAcknowledged,
}

impl Outcome {
    pub(super) fn matched() -> Outcome {
        Outcome { matched: true, cause: None, effect: Effect::Delivered }
    }

    pub(super) fn missed(cause: Cause, effect: Effect) -> Outcome {
        Outcome { matched: false, cause: Some(cause), effect }
    }

    /// The metric of SNS that counts the message as filtered out.
    ///
    /// ```
    /// use eventrie::service::{SnsMessage, Subscription, SubscriptionScratch};
    /// use eventrie::{Dialect, ParseOptions};
    /// let policy = Subscription::parse(r#"{"a": ["x"]}"#, &ParseOptions::new(Dialect::SnsAttributes), None)?;
    /// let outcome = policy.judge(&SnsMessage::new("hello"), &mut SubscriptionScratch::default())?;
    /// assert_eq!(outcome.metric(), Some("NumberOfNotificationsFilteredOut-NoMessageAttributes"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn metric(&self) -> Option<&'static str> {
        self.cause.and_then(Cause::metric)
    }
}

impl Cause {
    /// The metric of SNS that counts this cause.
    #[must_use]
    pub fn metric(self) -> Option<&'static str> {
        match self {
            Cause::Sns(cause) => Some(cause.metric()),
            Cause::NoPatternMatched
            | Cause::DataIsNotAnObject
            | Cause::DataIsOpaque
            | Cause::Undecided
            | Cause::PayloadIsNotJson { .. }
            | Cause::PayloadIsJson { .. } => None,
        }
    }
}

impl Display for Outcome {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        let Some(cause) = self.cause else { return f.write_str("match") };
        match (cause.metric(), self.effect) {
            (Some(metric), _) => write!(f, "{cause} (counted as {metric})"),
            (None, Effect::Delivered | Effect::NotDelivered) => cause.fmt(f),
            (None, effect) => write!(f, "{cause}: {effect}"),
        }
    }
}

impl Display for Cause {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        match self {
            Cause::NoPatternMatched => f.write_str("no pattern matched"),
            Cause::Sns(cause) => cause.fmt(f),
            Cause::DataIsNotAnObject => f.write_str("the data is not an object, so no DATA filter matches it"),
            Cause::Undecided => f.write_str("a filter tests a field whose value is not known"),
            Cause::DataIsOpaque => f.write_str("no DATA filter can read data of this content type"),
            Cause::PayloadIsNotJson { field } => {
                write!(f, "`{field}` is not JSON, but the filter tests fields inside it")
            }
            Cause::PayloadIsJson { field } => {
                write!(f, "`{field}` is JSON, but the filter compares it as a plain string")
            }
        }
    }
}

impl Display for Effect {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Effect::Delivered => "it is delivered",
            Effect::NotDelivered => "it is not delivered",
            Effect::MessageDeleted => "the message is deleted from the queue",
            Effect::RecordSkipped => "the record is skipped",
            Effect::OffsetCommitted => "the record is skipped and its offset committed",
            Effect::MessageAcknowledged => "the message is acknowledged and discarded",
        })
    }
}
