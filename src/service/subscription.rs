//! Subscriptions: what one rule, SNS subscription, pipe or event source mapping holds.

use std::fmt::{Display, Formatter};
use std::ops::Range;
use std::sync::OnceLock;

use super::bus::{ConfigurationError, FilterConfiguration};
use super::filters;
use super::input::{Input, Takes};
use super::outcome::{Effect, Outcome};
use super::record::check_shape;
use super::report::{self, SubscriptionReport};
use super::set::{SubscriptionScratch, SubscriptionSet};
use crate::dialect::{Dialect, Source};
use crate::json::EventError;
use crate::limit::BuildError;
use crate::pattern::{ParseOptions, Pattern, PatternError};

/// What one rule, SNS subscription, pipe or event source mapping holds: the patterns, and how its service gets from
/// its raw input to the events that they see.
///
/// One of the patterns must match. A pipe or a mapping without filters passes every record, an SNS subscription
/// without a policy every message. Many subscriptions are matched together by a [`SubscriptionSet`].
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
    /// Compiled by the first call of `judge`.
    alone: OnceLock<Result<SubscriptionSet<()>, SubscriptionError>>,
}

/// Why a subscription is refused, or a set of them cannot be compiled.
///
/// ```
/// use eventrie::service::{Source, Subscription};
/// use eventrie::{Dialect, ParseOptions};
/// let text = r#"{"Filters": [{"Pattern": "{\"body\": [1]}"}, {"Pattern": "{\"body\": 1}"}]}"#;
/// let error = Subscription::parse(text, &ParseOptions::new(Dialect::Pipes), Source::Sqs).unwrap_err();
/// assert_eq!(error.filter(), Some(1));
/// assert!(error.pattern_error().is_some());
/// assert!(error.to_string().starts_with("filter 1: error[E0006]: "));
/// ```
#[derive(Clone, Debug)]
pub struct SubscriptionError {
    subscription: Option<usize>,
    filter: Option<usize>,
    kind: Kinds,
}

#[derive(Clone, Debug)]
enum Kinds {
    Shape(String),
    Pattern(Box<PatternError>),
    Configuration(ConfigurationError),
    Build(BuildError),
}

impl Subscription {
    /// Reads what a subscription holds as its service writes it: an event pattern, a filter policy, or filter criteria
    /// (`{"Filters": [{"Pattern": "…"}, …]}` or a single pattern).
    ///
    /// # Errors
    /// If the text has none of these forms, a pattern is refused, a `source` is missing or does not belong there, a
    /// filter cannot be one of its source, or (with [`service_limits`](ParseOptions::service_limits)) there are more
    /// filters than the service takes.
    pub fn parse(
        text: &str,
        options: &ParseOptions,
        source: impl Into<Option<Source>>,
    ) -> Result<Subscription, SubscriptionError> {
        let patterns =
            match options.dialect() {
                Dialect::Pipes | Dialect::Lambda => filters::parse(text, options)?,
                _ => {
                    let pattern = Pattern::parse_with(text, options);
                    vec![pattern.map_err(|error| SubscriptionError {
                        filter: None,
                        ..SubscriptionError::of_pattern(0, error)
                    })?]
                }
            };
        Subscription::new(patterns, options, source)
    }

    /// A subscription with patterns that were read already; one of them must match. Of a subscriber of a Custom Event Bus,
    /// whose patterns are of different scopes, all must match.
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
        Ok(Subscription { takes, dialect, patterns, alone: OnceLock::new() })
    }

    /// A subscriber of a Custom Event Bus: every filter of the configuration must match. Without any, every event is
    /// delivered.
    #[must_use]
    pub fn subscriber(configuration: FilterConfiguration) -> Subscription {
        let patterns = configuration.filters().to_vec();
        Subscription { takes: Takes::Parts, dialect: Dialect::EventsV2Data, patterns, alone: OnceLock::new() }
    }

    /// Whether an input passes, why not, and what the service does with it. The first call compiles the patterns.
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
            Ok(set) => Ok(set.judge(input, scratch)?.outcome()),
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
            Ok(set) => report::explain(&self.patterns, set, input.into()),
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

    fn alone(&self) -> &Result<SubscriptionSet<()>, SubscriptionError> {
        self.alone.get_or_init(|| SubscriptionSet::new([((), self.clone_patterns())]))
    }

    /// The subscription without what was compiled.
    fn clone_patterns(&self) -> Subscription {
        Subscription {
            takes: self.takes,
            dialect: self.dialect,
            patterns: self.patterns.clone(),
            alone: OnceLock::new(),
        }
    }
}

impl SubscriptionError {
    pub(super) fn shape(filter: Option<usize>, text: String) -> SubscriptionError {
        SubscriptionError { subscription: None, filter, kind: Kinds::Shape(text) }
    }

    pub(super) fn of_pattern(filter: usize, error: PatternError) -> SubscriptionError {
        SubscriptionError { subscription: None, filter: Some(filter), kind: Kinds::Pattern(Box::new(error)) }
    }

    pub(super) fn build(at: Option<(usize, Option<usize>)>, error: BuildError) -> SubscriptionError {
        let (subscription, filter) = at.map_or((None, None), |(subscription, filter)| (Some(subscription), filter));
        SubscriptionError { subscription, filter, kind: Kinds::Build(error) }
    }

    pub(super) fn of_subscription(self, subscription: usize) -> SubscriptionError {
        SubscriptionError { subscription: Some(subscription), ..self }
    }

    /// As an error of the first input: the subscription could not be compiled before.
    fn in_event(&self) -> EventError {
        match self.build_error().and_then(BuildError::limit) {
            Some(limit) => EventError::limit_reached(limit, None, "the patterns of the subscription are too large"),
            None => EventError::foreign("the subscription cannot be compiled"),
        }
    }

    /// Which subscription of a set is to blame, from 0.
    #[must_use]
    pub fn subscription(&self) -> Option<usize> {
        self.subscription
    }

    /// Which filter is to blame, from 0; none if it is the subscription as a whole.
    #[must_use]
    pub fn filter(&self) -> Option<usize> {
        self.filter
    }

    /// What is wrong with the pattern, if that is the cause.
    #[must_use]
    pub fn pattern_error(&self) -> Option<&PatternError> {
        match &self.kind {
            Kinds::Pattern(error) => Some(error),
            Kinds::Shape(_) | Kinds::Configuration(_) | Kinds::Build(_) => None,
        }
    }

    /// Why the patterns cannot be compiled, if that is the cause.
    ///
    /// ```
    /// use eventrie::service::{Source, Subscription, SubscriptionSet};
    /// use eventrie::{Dialect, Limit, Limits, ParseOptions};
    /// let filters = Subscription::parse(r#"{"body": ["x"]}"#, &ParseOptions::new(Dialect::Lambda), Source::Sqs)?;
    /// let builder = SubscriptionSet::builder().limits(Limits::default().table_bytes(1));
    /// let error = builder.build([("mapping", filters)]).unwrap_err();
    /// assert_eq!(error.build_error().and_then(|error| error.limit()), Some(Limit::TableBytes));
    /// # Ok::<(), eventrie::service::SubscriptionError>(())
    /// ```
    #[must_use]
    pub fn build_error(&self) -> Option<&BuildError> {
        match &self.kind {
            Kinds::Build(error) => Some(error),
            Kinds::Shape(_) | Kinds::Configuration(_) | Kinds::Pattern(_) => None,
        }
    }
}

impl Display for SubscriptionError {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        if let Some(subscription) = self.subscription {
            write!(f, "subscription {subscription}: ")?;
        }
        if let Some(filter) = self.filter {
            write!(f, "filter {filter}: ")?;
        }
        match &self.kind {
            Kinds::Shape(text) => f.write_str(text),
            Kinds::Pattern(error) => error.fmt(f),
            Kinds::Configuration(error) => error.fmt(f),
            Kinds::Build(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for SubscriptionError {}

impl From<ConfigurationError> for SubscriptionError {
    fn from(error: ConfigurationError) -> SubscriptionError {
        let filter = error.faults().first().and_then(|fault| fault.filter());
        SubscriptionError { subscription: None, filter, kind: Kinds::Configuration(error) }
    }
}
