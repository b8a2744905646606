//! The options for parsing a pattern.

use crate::dialect::{BusVersion, Dialect, SnsVersion};
use crate::limit::Limits;

/// Options for parsing a pattern: its dialect, its limits, and which rules of the service are enforced.
///
/// ```
/// use eventrie::{Dialect, ParseOptions, Pattern};
/// let options = ParseOptions::new(Dialect::EventBridge).service_limits(true);
/// let costly = r#"{"arn": [{"wildcard": "*:*:*:*:*:event-bus/*"}]}"#;
/// assert!(Pattern::parse_with(costly, &options).is_err());
/// assert!(Pattern::parse(costly, Dialect::EventBridge).is_ok());
/// ```
#[derive(Clone, Debug, Default)]
pub struct ParseOptions {
    dialect: Dialect,
    limits: Limits,
    service_limits: bool,
    sns_version: SnsVersion,
    engine: BusVersion,
    strict: bool,
    most_filters: Option<usize>,
}

impl ParseOptions {
    /// A dialect, with the engine's own limits.
    #[must_use]
    pub fn new(dialect: Dialect) -> ParseOptions {
        ParseOptions { dialect, ..ParseOptions::default() }
    }

    /// The engine's limits: longest text, deepest nesting, longest number and field name.
    ///
    /// ```
    /// use eventrie::diagnostic::Code;
    /// use eventrie::{Dialect, Limits, ParseOptions, Pattern};
    /// let limits = Limits::default().pattern_bytes(10);
    /// let error = Pattern::parse_with(r#"{"a": ["b"]}"#, &ParseOptions::new(Dialect::EventBridge).limits(limits));
    /// assert_eq!(error.unwrap_err().findings()[0].code, Code::LimitExceeded);
    /// ```
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> ParseOptions {
        self.limits = limits;
        self
    }

    /// Sets whether patterns beyond the *service's* limits are rejected: length, combinations, complexity, number of
    /// fields. Off by default.
    #[must_use]
    pub fn service_limits(mut self, on: bool) -> ParseOptions {
        self.service_limits = on;
        self
    }

    /// Sets the version of SNS to follow; by default that of 2026.
    #[must_use]
    pub fn sns_version(mut self, version: SnsVersion) -> ParseOptions {
        self.sns_version = version;
        self
    }

    /// Sets the release of the engine to follow for event bus rules; the other dialects do not depend on it. By default
    /// the newest, because a pattern rejected needlessly costs less than a failed deployment.
    ///
    /// ```
    /// use eventrie::dialect::BusVersion;
    /// use eventrie::{Dialect, ParseOptions, Pattern};
    /// let doubled = r#"{"source": ["a"]} {"source": ["b"]}"#;
    /// let options = ParseOptions::new(Dialect::EventBridge);
    /// assert!(Pattern::parse_with(doubled, &options).is_err());
    /// assert!(Pattern::parse_with(doubled, &options.engine(BusVersion::V2026_07)).is_ok());
    /// ```
    #[must_use]
    pub fn engine(mut self, version: BusVersion) -> ParseOptions {
        self.engine = version;
        self
    }

    /// Sets whether operators that the dialect's documentation does not list are errors instead of warnings. Off by
    /// default.
    ///
    /// ```
    /// use eventrie::{Dialect, ParseOptions, Pattern};
    /// let filter = r#"{"body": {"ip": [{"cidr": "10.0.0.0/8"}]}}"#;
    /// assert!(Pattern::parse(filter, Dialect::Lambda).is_ok());
    /// assert!(Pattern::parse_with(filter, &ParseOptions::new(Dialect::Lambda).strict(true)).is_err());
    /// ```
    #[must_use]
    pub fn strict(mut self, strict: bool) -> ParseOptions {
        self.strict = strict;
        self
    }

    /// How many filters the service takes, if the quota of the account was raised: with
    /// [`service_limits`](ParseOptions::service_limits) a [`Subscription`](crate::service::Subscription) with more is
    /// rejected. By default 5; Lambda raises it to 10 at most.
    ///
    /// ```
    /// use eventrie::service::{Source, Subscription};
    /// use eventrie::{Dialect, ParseOptions, Pattern};
    /// let pattern = Pattern::parse(r#"{"body": ["x"]}"#, Dialect::Lambda)?;
    /// let options = ParseOptions::new(Dialect::Lambda).service_limits(true);
    /// assert!(Subscription::new(vec![pattern.clone(); 10], &options, Source::Sqs).is_err());
    /// assert!(Subscription::new(vec![pattern; 10], &options.max_filters(10), Source::Sqs).is_ok());
    /// # Ok::<(), eventrie::PatternError>(())
    /// ```
    #[must_use]
    pub fn max_filters(mut self, most: usize) -> ParseOptions {
        self.most_filters = Some(most);
        self
    }

    /// The same choices for another dialect.
    #[must_use]
    pub(crate) fn with_dialect(mut self, dialect: Dialect) -> ParseOptions {
        self.dialect = dialect;
        self
    }

    /// The dialect that was chosen.
    #[must_use]
    pub fn dialect(&self) -> Dialect {
        self.dialect
    }

    pub(crate) fn engine_limits(&self) -> &Limits {
        &self.limits
    }

    pub(crate) fn most_filters(&self) -> Option<usize> {
        self.most_filters
    }

    pub(crate) fn has_service_limits(&self) -> bool {
        self.service_limits
    }

    pub(crate) fn version(&self) -> SnsVersion {
        self.sns_version
    }

    /// The release whose rules apply: only event bus rules follow the newer ones.
    pub(crate) fn engine_version(&self) -> BusVersion {
        match self.dialect {
            Dialect::EventBridge => self.engine,
            _ => BusVersion::V2026_07,
        }
    }

    pub(crate) fn is_strict(&self) -> bool {
        self.strict
    }
}

/// Options for [`Pattern::lint_with`](super::Pattern::lint_with): which findings it reports.
#[derive(Clone, Debug, Default)]
pub struct LintOptions {
    notes: bool,
}

impl LintOptions {
    /// Sets whether notes are reported too: facts worth knowing about a pattern with which nothing is wrong. Off by
    /// default.
    #[must_use]
    pub fn notes(mut self, on: bool) -> LintOptions {
        self.notes = on;
        self
    }

    pub(crate) fn has_notes(&self) -> bool {
        self.notes
    }
}
