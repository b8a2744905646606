//! Filter configurations: what a subscriber of a Custom Event Bus contains.

use std::fmt::{Display, Formatter};

use crate::base::Span;
use crate::base::text::push_json_string;
use crate::diagnostic::{Code, Finding, Severity};
use crate::dialect::limits::SUBSCRIBER_BYTES;
use crate::dialect::{Dialect, wording};
use crate::event::EventError;
use crate::json::{Kind, Tree};
use crate::limit::Limits;
use crate::pattern::{ParseOptions, Pattern, PatternError};

/// The only language of filters.
const LANGUAGE: &str = "EVENT_BRIDGE_PATTERN";

/// The filters of a subscriber, at most one for each scope: an event is delivered if every filter matches. Without any,
/// every event is delivered.
///
/// ```
/// use eventrie::service::FilterConfiguration;
/// let text = r#"{"Language": "EVENT_BRIDGE_PATTERN", "Filters": [{"Scope": "DATA", "Pattern": "{\"state\": [\"paid\"]}"}]}"#;
/// let configuration = FilterConfiguration::parse(text)?;
/// assert_eq!(configuration.filters().len(), 1);
///
/// let text = r#"{"Filters": [{"Scope": "DATA", "Pattern": "{\"a\": [{\"wildcard\": \"*x\"}]}"}]}"#;
/// let error = FilterConfiguration::parse(text).unwrap_err();
/// assert_eq!(
///     error.service_message(),
///     Some("Filter pattern must not contain wildcard matchers (wildcard, anything-but wildcard)")
/// );
/// # Ok::<(), eventrie::service::ConfigurationError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FilterConfiguration {
    filters: Vec<Pattern>,
}

/// Why a filter configuration is invalid: every fault, in the order of the text.
#[derive(Clone, Debug)]
pub struct ConfigurationError {
    faults: Vec<ConfigurationFault>,
}

/// One fault of a filter configuration.
#[derive(Clone, Debug)]
pub struct ConfigurationFault {
    filter: Option<usize>,
    code: Code,
    message: String,
    help: Option<String>,
    service: Option<String>,
    pattern: Option<PatternError>,
}

impl FilterConfiguration {
    /// Reads a configuration as the service's API writes it:
    /// `{"Language"?: "EVENT_BRIDGE_PATTERN", "Filters": [{"Scope": "DATA", "Pattern": "…"}, …]}`. `{}`, with which an
    /// update clears the filter, is a configuration without filters.
    ///
    /// # Errors
    /// If the service would reject it; the error lists everything that is wrong.
    pub fn parse(text: &str) -> Result<FilterConfiguration, ConfigurationError> {
        FilterConfiguration::parse_with(text, &ParseOptions::new(Dialect::EventsV2Data).service_limits(true))
    }

    /// As [`FilterConfiguration::parse`], with options; their dialect is ignored.
    ///
    /// # Errors
    /// As [`FilterConfiguration::parse`].
    pub fn parse_with(text: &str, options: &ParseOptions) -> Result<FilterConfiguration, ConfigurationError> {
        let tree = Tree::parse_value(text, &Limits::default())
            .map_err(|error: EventError| ConfigurationError::one(format!("the configuration is not JSON: {error}")))?;
        let member = |at: usize, name: &str| {
            tree.children(at).filter(|(_, node)| node.key.is_some_and(|key| tree.string(key) == name)).last()
        };
        let string = |at: usize, name: &str| {
            let (_, node) = member(at, name)?;
            (node.kind == Kind::String).then(|| tree.string(node.span).into_owned())
        };
        if tree.nodes.first().is_none_or(|root| root.kind != Kind::Object) {
            return Err(ConfigurationError::one("the configuration must be an object with `Filters`".to_owned()));
        }
        let language = member(0, "Language").map(|(_, node)| match node.kind {
            Kind::String => tree.string(node.span).into_owned(),
            _ => node.span.slice(text).to_owned(),
        });
        let Some((list, node)) = member(0, "Filters") else {
            if tree.children(0).next().is_none() {
                return Ok(FilterConfiguration::default());
            }
            return Err(ConfigurationError { faults: vec![ConfigurationFault::empty()] });
        };
        if node.kind != Kind::Array {
            return Err(ConfigurationError::one("`Filters` must be an array of filters".to_owned()));
        }
        let mut filters = Vec::new();
        for (at, _) in tree.children(list) {
            filters.push((string(at, "Scope"), string(at, "Pattern")));
        }
        let filters: Vec<_> = filters.iter().map(|(scope, pattern)| (scope.as_deref(), pattern.as_deref())).collect();
        FilterConfiguration::of(language.as_deref(), &filters, options)
    }

    /// A configuration of filters that were read from elsewhere: scope and pattern of each, if it has them.
    ///
    /// # Errors
    /// As [`FilterConfiguration::parse`].
    ///
    /// ```
    /// use eventrie::service::FilterConfiguration;
    /// use eventrie::{Dialect, ParseOptions};
    /// let options = ParseOptions::new(Dialect::EventsV2Data).service_limits(true);
    /// let twice = [(Some("DATA"), Some(r#"{"a": [1]}"#)), (Some("DATA"), Some(r#"{"b": [1]}"#))];
    /// let error = FilterConfiguration::of(None, &twice, &options).unwrap_err();
    /// assert_eq!(error.service_message(), Some("Duplicate filter scope: DATA"));
    /// assert_eq!(error.faults()[0].filter(), Some(1));
    /// ```
    pub fn of(
        language: Option<&str>,
        filters: &[(Option<&str>, Option<&str>)],
        options: &ParseOptions,
    ) -> Result<FilterConfiguration, ConfigurationError> {
        let (mut read, mut faults) = (Vec::new(), Vec::new());
        if let Some(language) = language.filter(|language| *language != LANGUAGE) {
            let fault = ConfigurationFault::new(None, format!("`Language` must be `{LANGUAGE}`, found `{language}`"));
            faults.push(fault.help(format!("write `{LANGUAGE}`, or remove `Language`")));
        }
        if filters.is_empty() {
            faults.push(ConfigurationFault::empty());
        }
        let (mut scopes, mut bytes): (Vec<&str>, usize) = (Vec::new(), 0);
        for (at, (scope, pattern)) in filters.iter().enumerate() {
            bytes += pattern.map_or(0, str::len);
            let dialect = scope.and_then(Dialect::of_scope);
            match (scope, dialect) {
                (Some(scope), Some(_)) if scopes.contains(scope) => {
                    let message = format!("two filters have the scope `{scope}`; at most one is allowed per scope");
                    let fault = ConfigurationFault::new(Some(at), message);
                    faults.push(
                        fault.service(format!("Duplicate filter scope: {scope}")).help(
                            "write both conditions into one pattern, or create one subscriber for each".to_owned(),
                        ),
                    );
                }
                (Some(scope), Some(_)) => scopes.push(scope),
                (Some(scope), None) => {
                    let near = Dialect::ALL
                        .iter()
                        .filter_map(|dialect| dialect.scope())
                        .find(|name| name.eq_ignore_ascii_case(scope));
                    let fault = ConfigurationFault::new(
                        Some(at),
                        format!("`Scope` must be `DATA`, `METADATA` or `SYSTEM_METADATA`, found `{scope}`"),
                    );
                    faults.push(match near {
                        Some(near) => fault.help(format!("write `{near}`")),
                        None => fault,
                    });
                }
                (None, _) => faults.push(ConfigurationFault::new(Some(at), "the filter has no `Scope`".to_owned())),
            }
            match (pattern, dialect) {
                (None, _) => {
                    let fault = ConfigurationFault::new(Some(at), "the filter has no `Pattern`".to_owned());
                    faults.push(fault.help("add `Pattern`, a string that contains the pattern as JSON".to_owned()));
                }
                (Some(text), Some(dialect)) => {
                    match Pattern::parse_with(text, &options.clone().with_dialect(dialect)) {
                        Ok(pattern) => read.push(pattern),
                        Err(error) => faults.push(ConfigurationFault::of_pattern(at, error)),
                    }
                }
                (Some(_), None) => {}
            }
        }
        if options.has_service_limits() && bytes > SUBSCRIBER_BYTES {
            let message = format!(
                "the filters' patterns have {bytes} bytes together; a subscriber may have at most {SUBSCRIBER_BYTES}"
            );
            let fault = ConfigurationFault::new(None, message);
            let fault = ConfigurationFault { code: Code::LimitExceeded, ..fault };
            faults.push(fault.help("shorten the patterns, or split the subscriber".to_owned()));
        }
        if faults.is_empty() { Ok(FilterConfiguration { filters: read }) } else { Err(ConfigurationError { faults }) }
    }

    /// A configuration of patterns that were read already, each in the dialect of its scope.
    ///
    /// # Errors
    /// If two patterns have the same scope, or one has another dialect.
    pub fn new(filters: impl IntoIterator<Item = Pattern>) -> Result<FilterConfiguration, ConfigurationError> {
        let filters: Vec<Pattern> = filters.into_iter().collect();
        let mut seen: Vec<Dialect> = Vec::new();
        for (at, filter) in filters.iter().enumerate() {
            let dialect = filter.dialect();
            let Some(scope) = dialect.scope() else {
                let message = format!("a pattern of the dialect `{}` has no scope", dialect.name());
                return Err(ConfigurationError { faults: vec![ConfigurationFault::new(Some(at), message)] });
            };
            if seen.contains(&dialect) {
                let message = format!("two filters have the scope `{scope}`; at most one is allowed per scope");
                let fault = ConfigurationFault::new(Some(at), message);
                return Err(ConfigurationError {
                    faults: vec![fault.service(format!("Duplicate filter scope: {scope}"))],
                });
            }
            seen.push(dialect);
        }
        Ok(FilterConfiguration { filters })
    }

    /// The filters, in the order of the text; [`Pattern::dialect`] says which scope each has.
    #[must_use]
    pub fn filters(&self) -> &[Pattern] {
        &self.filters
    }

    /// The likely mistakes in the filters, each with the position of its filter.
    #[must_use]
    pub fn lint(&self) -> Vec<(usize, Finding)> {
        let all: Vec<&Pattern> = self.filters.iter().collect();
        let found = self.filters.iter().enumerate();
        found.flat_map(|(at, filter)| filter.lint_among(&all).into_iter().map(move |finding| (at, finding))).collect()
    }
}

/// Printed, the configuration is JSON on one line, as the service's API takes it.
impl Display for FilterConfiguration {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        let mut text = String::from("{\"Filters\":[");
        for (at, filter) in self.filters.iter().enumerate() {
            text.push_str(if at > 0 { "," } else { "" });
            text.push_str("{\"Scope\":\"");
            text.push_str(filter.dialect().scope().unwrap_or("DATA"));
            text.push_str("\",\"Pattern\":");
            push_json_string(&mut text, &filter.to_string());
            text.push('}');
        }
        text.push_str("]}");
        f.write_str(&text)
    }
}

impl ConfigurationError {
    fn one(message: String) -> ConfigurationError {
        ConfigurationError { faults: vec![ConfigurationFault::new(None, message)] }
    }

    /// Every fault, in the order of the text.
    #[must_use]
    pub fn faults(&self) -> &[ConfigurationFault] {
        &self.faults
    }

    /// The documented error message of the service for the first fault; none if it is not documented.
    #[must_use]
    pub fn service_message(&self) -> Option<&str> {
        self.faults.first().and_then(ConfigurationFault::service_message)
    }
}

impl ConfigurationFault {
    fn new(filter: Option<usize>, message: String) -> ConfigurationFault {
        ConfigurationFault { filter, code: Code::ShapeNotInDialect, message, help: None, service: None, pattern: None }
    }

    fn empty() -> ConfigurationFault {
        let fault = ConfigurationFault::new(None, "the configuration has no filters".to_owned());
        let help = "add a filter; to receive every event, remove the whole configuration";
        fault.service(wording::AT_LEAST_ONE_FILTER.to_owned()).help(help.to_owned())
    }

    fn of_pattern(filter: usize, error: PatternError) -> ConfigurationFault {
        let service = Some(error.service_message()).filter(|text| !text.is_empty());
        let message = error.findings().first().map(|finding| finding.message.clone()).unwrap_or_default();
        ConfigurationFault { service, pattern: Some(error), ..ConfigurationFault::new(Some(filter), message) }
    }

    fn service(self, text: String) -> ConfigurationFault {
        ConfigurationFault { service: Some(text), ..self }
    }

    fn help(self, text: String) -> ConfigurationFault {
        ConfigurationFault { help: Some(text), ..self }
    }

    /// The position of the filter at fault, from 0; none if it is the configuration as a whole.
    #[must_use]
    pub fn filter(&self) -> Option<usize> {
        self.filter
    }

    /// What is wrong with the pattern, if that is the cause.
    #[must_use]
    pub fn pattern_error(&self) -> Option<&PatternError> {
        self.pattern.as_ref()
    }

    /// The documented error message of the service; none if it is not documented.
    #[must_use]
    pub fn service_message(&self) -> Option<&str> {
        self.service.as_deref()
    }

    /// The fault as a finding about the place that the caller marks for it; none if it is one of a pattern, which has
    /// findings of its own.
    #[must_use]
    pub fn finding(&self, place: Span) -> Option<Finding> {
        if self.pattern.is_some() {
            return None;
        }
        let finding = Finding::new(self.code, Severity::Error, place, self.message.clone());
        Some(match &self.help {
            Some(help) => finding.help(help.clone()),
            None => finding,
        })
    }
}

impl Display for ConfigurationError {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        for (at, fault) in self.faults.iter().enumerate() {
            if at > 0 {
                f.write_str("\n")?;
            }
            fault.fmt(f)?;
        }
        Ok(())
    }
}

impl Display for ConfigurationFault {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        if let Some(filter) = self.filter {
            write!(f, "filter {filter}: ")?;
        }
        match (&self.pattern, &self.help) {
            (Some(error), _) => error.fmt(f),
            (None, Some(help)) => write!(f, "{}; {help}", self.message),
            (None, None) => f.write_str(&self.message),
        }
    }
}

impl std::error::Error for ConfigurationError {}
