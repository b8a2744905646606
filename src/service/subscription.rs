//! Subscriptions: what one rule, SNS subscription, pipe or event source mapping contains.

use std::ops::Range;
use std::sync::OnceLock;

use super::bus::{FilterConfiguration, Unpublished};
use super::compiled::{Compiled, Settings, SubscriptionScratch};
use super::error::SubscriptionError;
use super::filters;
use super::input::{Input, Takes};
use super::outcome::{Effect, Outcome};
use super::record::check_shape;
use super::report::{self, SubscriptionReport};
use crate::dialect::{Dialect, Source};
use crate::json::EventError;
use crate::pattern::{ParseOptions, Pattern};

/// The patterns of one rule, SNS subscription, pipe, event source mapping or subscriber, and the way from its raw input
/// to the events that they match.
///
/// One of the patterns must match. A pipe or a mapping without filters passes every record, an SNS subscription
/// without a policy every message. Many subscriptions are matched together by a
/// [`SubscriptionSet`](super::SubscriptionSet).
///
/// ```
/// use eventrie::service::{AttributeType, SnsMessage, Subscription, SubscriptionScratch};
/// use eventrie::{Dialect, ParseOptions};
/// let policy = r#"{"store": ["example_corp"], "price": [{"numeric": [">=", 100]}]}"#;
/// let subscription = Subscription::parse(policy, &ParseOptions::new(Dialect::SnsAttributes), None)?;
/// let message = SnsMessage::new("ordered")
///     .attribute("store", AttributeType::String, "example_corp")
///     .attribute("price", AttributeType::Number, "99.5");
/// let outcome = subscription.judge(&message, &mut SubscriptionScratch::default())?;
/// assert!(!outcome.matched);
/// assert_eq!(outcome.metric(), Some("NumberOfNotificationsFilteredOut-MessageAttributes"));
/// assert!(subscription.explain(&message)?.summary().starts_with("no match: `price` is 99.5"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Subscription {
    takes: Takes,
    dialect: Dialect,
    patterns: Vec<Pattern>,
    unpublished: Unpublished,
    /// Compiled by the first call of `judge`.
    alone: OnceLock<Result<Compiled, SubscriptionError>>,
}

impl Subscription {
    /// Reads what a subscription contains as its service writes it: an event pattern, a filter policy, or filter criteria
    /// (`{"Filters": [{"Pattern": "…"}, …]}` or a single pattern).
    ///
    /// # Errors
    /// If the text has none of these forms, a pattern is invalid, a `source` is missing or the dialect has none, a
    /// filter is not possible for its source, or (with [`service_limits`](ParseOptions::service_limits)) there are more
    /// filters than the service takes.
    pub fn parse(
        text: &str,
        options: &ParseOptions,
        source: impl Into<Option<Source>>,
    ) -> Result<Subscription, SubscriptionError> {
        let patterns = match options.dialect() {
            Dialect::Pipes | Dialect::Lambda => filters::parse(text, options)?,
            _ => {
                let pattern = Pattern::parse_with(text, options);
                vec![pattern.map_err(|error| SubscriptionError::of_pattern(None, error))?]
            }
        };
        Subscription::new(patterns, options, source)
    }

    /// A subscription with patterns that were read already; one of them must match. For a subscriber of a Custom Event
    /// Bus, whose patterns have different scopes, all must match.
    ///
    /// # Errors
    /// As [`Subscription::parse`], and if a pattern is not of the dialect that `options` name.
    ///
    /// ```
    /// use eventrie::service::{Source, Subscription};
    /// use eventrie::{Dialect, ParseOptions, Pattern};
    /// let options = ParseOptions::new(Dialect::Pipes).service_limits(true);
    /// let pattern = Pattern::parse(r#"{"body": ["x"]}"#, Dialect::Pipes)?;
    /// assert!(Subscription::new(vec![pattern.clone(); 5], &options, Source::Sqs).is_ok());
    /// assert!(Subscription::new(vec![pattern; 6], &options, Source::Sqs).is_err());
    /// # Ok::<(), eventrie::PatternError>(())
    /// ```
    pub fn new(
        patterns: impl IntoIterator<Item = Pattern>,
        options: &ParseOptions,
        source: impl Into<Option<Source>>,
    ) -> Result<Subscription, SubscriptionError> {
        let patterns: Vec<Pattern> = patterns.into_iter().collect();
        let (dialect, source) = (options.dialect(), source.into());
        let takes = Takes::of(dialect, source).map_err(|text| SubscriptionError::shape(None, text.to_owned()))?;
        let other = |pattern: &Pattern| {
            pattern.dialect() != dialect && !(takes == Takes::Parts && pattern.dialect().is_scope())
        };
        if let Some(filter) = patterns.iter().position(other) {
            let text = format!("the pattern is not of the dialect `{}`", dialect.name());
            return Err(SubscriptionError::shape(Some(filter), text));
        }
        match takes {
            Takes::Events if patterns.is_empty() => {
                return Err(SubscriptionError::shape(None, "a rule has an event pattern".to_owned()));
            }
            Takes::Events | Takes::Messages(_) => {}
            Takes::Parts => {
                FilterConfiguration::new(patterns.iter().cloned())?;
            }
            Takes::Records(_, source) => {
                filters::check_number(patterns.len(), options)?;
                for (filter, pattern) in patterns.iter().enumerate() {
                    check_shape(pattern, source).map_err(|error| SubscriptionError::of_pattern(filter, error))?;
                }
            }
        }
        Ok(Subscription { takes, dialect, patterns, unpublished: Unpublished::default(), alone: OnceLock::new() })
    }

    /// A subscriber of a Custom Event Bus: every filter of the configuration must match. Without any, every event is
    /// delivered.
    #[must_use]
    pub fn subscriber(configuration: FilterConfiguration) -> Subscription {
        let patterns = configuration.filters().to_vec();
        Subscription {
            takes: Takes::Parts,
            dialect: Dialect::EventsV2Data,
            patterns,
            unpublished: Unpublished::default(),
            alone: OnceLock::new(),
        }
    }

    /// Sets the fields that the service will fill in for PutEvents entries that are not published yet. In a set,
    /// [`SubscriptionSetBuilder::unpublished`](super::SubscriptionSetBuilder::unpublished) sets it for all.
    ///
    /// ```
    /// use eventrie::service::{FilterConfiguration, Subscription, Unpublished};
    /// let filters = r#"{"Filters": [{"Scope": "DATA", "Pattern": "{\"region\": [\"eu-west-1\"]}"}]}"#;
    /// let subscriber = Subscription::subscriber(FilterConfiguration::parse(filters)?);
    /// let entry = r#"{"Source": "shop", "DetailType": "order", "Detail": "{}"}"#;
    /// assert!(subscriber.explain(entry)?.summary().starts_with("undecided: "));
    /// let there = subscriber.unpublished(Unpublished::default().region("eu-west-1"));
    /// assert!(there.explain(entry)?.outcome().matched);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn unpublished(self, unpublished: Unpublished) -> Subscription {
        Subscription { unpublished, alone: OnceLock::new(), ..self }
    }

    /// Evaluates an input: whether it passes, why not, and what the service does with it. The first call compiles the
    /// patterns.
    ///
    /// # Errors
    /// If the input is not what the service takes, or a limit is reached. Attributes and bodies of SNS messages that
    /// cannot be read are an outcome, not an error.
    pub fn judge<'a>(
        &self,
        input: impl Into<Input<'a>>,
        scratch: &mut SubscriptionScratch,
    ) -> Result<Outcome, EventError> {
        match self.alone() {
            Ok(compiled) => Ok(compiled.outcome(&compiled.judge(input.into(), scratch)?)),
            Err(error) => Err(error.in_event()),
        }
    }

    /// Whether an input passes and why, with every pattern explained over the event that it sees.
    ///
    /// # Errors
    /// As [`Subscription::judge`].
    ///
    /// ```
    /// use eventrie::service::{Source, Subscription};
    /// use eventrie::{Dialect, ParseOptions};
    /// let filters = Subscription::parse(r#"{"data": {"city": ["Oslo"]}}"#, &ParseOptions::new(Dialect::Pipes), Source::Kinesis)?;
    /// let report = filters.explain(r#"{"partitionKey": "1", "data": "eyJjaXR5IjoiUGFyaXMifQ=="}"#)?;
    /// assert!(!report.outcome().matched);
    /// assert_eq!(report.event(), Some(br#"{"partitionKey": "1", "data": {"city":"Paris"}}"#.as_slice()));
    /// assert!(report.summary().starts_with("no match: `data.city` is \"Paris\""));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn explain<'a>(&self, input: impl Into<Input<'a>>) -> Result<SubscriptionReport, EventError> {
        match self.alone() {
            Ok(compiled) => report::explain(&self.patterns, compiled, input.into()),
            Err(error) => Err(error.in_event()),
        }
    }

    /// The places of the inputs inside what a function or a pipe is given: the records of a batch, the messages of
    /// `{"Records": [{"Sns": {…}}]}`. None if the text is one input itself.
    ///
    /// ```
    /// use eventrie::service::{Source, Subscription};
    /// use eventrie::{Dialect, ParseOptions};
    /// let filter = Subscription::parse(r#"{"body": ["a"]}"#, &ParseOptions::new(Dialect::Lambda), Source::Sqs)?;
    /// let batch = r#"{"Records": [{"body": "a"}, {"body": "b"}]}"#;
    /// let inputs = filter.inputs(batch.as_bytes()).unwrap();
    /// assert_eq!(inputs.into_iter().map(|place| &batch[place]).collect::<Vec<_>>(), [r#"{"body": "a"}"#, r#"{"body": "b"}"#]);
    /// assert_eq!(filter.inputs(br#"{"body": "a"}"#), None);
    /// # Ok::<(), eventrie::service::SubscriptionError>(())
    /// ```
    #[must_use]
    pub fn inputs(&self, text: &[u8]) -> Option<Vec<Range<usize>>> {
        self.takes.inputs(text)
    }

    /// The patterns, in the order of the text.
    #[must_use]
    pub fn patterns(&self) -> &[Pattern] {
        &self.patterns
    }

    /// The dialect of all patterns.
    #[must_use]
    pub fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// Where the records of a pipe or an event source mapping come from.
    #[must_use]
    pub fn source(&self) -> Option<Source> {
        match self.takes {
            Takes::Records(_, source) => Some(source),
            Takes::Events | Takes::Messages(_) | Takes::Parts => None,
        }
    }

    /// What the service does with an input that does not pass.
    #[must_use]
    pub fn effect_of_a_miss(&self) -> Effect {
        self.takes.effect()
    }

    pub(super) fn takes(&self) -> Takes {
        self.takes
    }

    fn alone(&self) -> &Result<Compiled, SubscriptionError> {
        let settings = || Settings { unpublished: self.unpublished.clone(), ..Settings::default() };
        self.alone.get_or_init(|| Compiled::new(Some(self.takes), &[&self.patterns], settings()))
    }
}
