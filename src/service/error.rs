//! Why a subscription is invalid, or why a set of them cannot be compiled.

use std::fmt::{Display, Formatter};

use super::bus::ConfigurationError;
use crate::json::EventError;
use crate::limit::BuildError;
use crate::pattern::PatternError;

/// Why a subscription is invalid, or why a set of them cannot be compiled.
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

impl SubscriptionError {
    pub(super) fn shape(filter: Option<usize>, text: String) -> SubscriptionError {
        SubscriptionError { subscription: None, filter, kind: Kinds::Shape(text) }
    }

    pub(super) fn of_pattern(filter: impl Into<Option<usize>>, error: PatternError) -> SubscriptionError {
        SubscriptionError { subscription: None, filter: filter.into(), kind: Kinds::Pattern(Box::new(error)) }
    }

    pub(super) fn build(at: Option<(usize, Option<usize>)>, error: BuildError) -> SubscriptionError {
        let (subscription, filter) = at.map_or((None, None), |(subscription, filter)| (Some(subscription), filter));
        SubscriptionError { subscription, filter, kind: Kinds::Build(error) }
    }

    pub(super) fn of_subscription(self, subscription: usize) -> SubscriptionError {
        SubscriptionError { subscription: Some(subscription), ..self }
    }

    /// The same as an error about the first input, which is when a subscription is compiled.
    pub(super) fn in_event(&self) -> EventError {
        match self.build_error().and_then(BuildError::limit) {
            Some(limit) => EventError::limit_reached(limit, None, "the patterns of the subscription are too large"),
            None => EventError::foreign("the subscription cannot be compiled"),
        }
    }

    /// The position of the subscription at fault in a set, from 0.
    #[must_use]
    pub fn subscription(&self) -> Option<usize> {
        self.subscription
    }

    /// The position of the filter at fault, from 0; none if it is the subscription as a whole.
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
