//! A rejected pattern, and the service's message for it.

use std::fmt::{Display, Formatter};

use super::location::wording;
use super::options::ParseOptions;
use super::sns;
use crate::base::Span;
use crate::diagnostic::{Code, Finding};
use crate::dialect::Dialect;

/// Why a string is not a valid pattern: the text, and every finding about it.
///
/// ```
/// use eventrie::diagnostic::Code;
/// use eventrie::{Dialect, Pattern};
/// let source = r#"{"source": "aws.ec2", "detail": {"state": [{"anything_but": "stopped"}]}}"#;
/// let error = Pattern::parse(source, Dialect::EventBridge).unwrap_err();
/// let codes: Vec<Code> = error.findings().iter().map(|found| found.code).collect();
/// assert_eq!(codes, [Code::BareValue, Code::UnknownOperator]);
/// assert!(error.to_string().contains("help: `anything_but` is spelled `anything-but`"));
/// assert_eq!(
///     error.service_message(),
///     "Event pattern is not valid. Reason: \"source\" must be an object or an array\n at [Source: (String)\
///      \"{\"source\": \"aws.ec2\", \"detail\": {\"state\": [{\"anything_but\": \"stopped\"}]}}\"; line: 1, column: 13]",
/// );
/// ```
#[derive(Clone, Debug)]
pub struct PatternError(Box<Inner>);

#[derive(Clone, Debug)]
struct Inner {
    source: Box<str>,
    options: ParseOptions,
    findings: Vec<Finding>,
}

impl PatternError {
    pub(super) fn new(source: &str, options: &ParseOptions, mut findings: Vec<Finding>) -> PatternError {
        if findings.is_empty() {
            let whole = Span::new(0, u32::try_from(source.len()).unwrap_or(u32::MAX));
            let severity = crate::diagnostic::Severity::Error;
            findings.push(Finding::new(Code::Syntax, severity, whole, "the text is not a pattern"));
        }
        PatternError(Box::new(Inner { source: source.into(), options: options.clone(), findings }))
    }

    /// The text that was refused.
    #[must_use]
    pub fn source(&self) -> &str {
        &self.0.source
    }

    /// The dialect it was read in.
    #[must_use]
    pub fn dialect(&self) -> Dialect {
        self.0.options.dialect()
    }

    /// Everything that is wrong (at most a thousand findings), in the order in which the service's parser would find
    /// it. Never empty.
    #[must_use]
    pub fn findings(&self) -> &[Finding] {
        &self.0.findings
    }

    /// The service's answer to this text: the first problem in its own words, with the position of its parser (how far
    /// it had read, not where the mistake is).
    ///
    /// The envelope is that of `PutRule` and `TestEventPattern`, for SNS that of `SetSubscriptionAttributes`; for
    /// Lambda it is all that the service says. For rejections that only eventrie makes, and where the service's words
    /// are not recorded, the text is eventrie's message. The answers of pipes are not recorded: they are worded like
    /// those of rules. The Custom Event Bus documents few of its messages: for the others this is empty.
    ///
    /// ```
    /// use eventrie::{Dialect, Pattern};
    /// let error = Pattern::parse(r#"{"eventName": "INSERT"}"#, Dialect::Lambda).unwrap_err();
    /// assert_eq!(error.service_message(), "Invalid filter pattern definition.");
    /// let error = Pattern::parse(r#"{"a": [{"exists": 1}]}"#, Dialect::SnsBody).unwrap_err();
    /// assert_eq!(
    ///     error.service_message().lines().next(),
    ///     Some("Invalid parameter: FilterPolicy: exists match pattern must be either true or false."),
    /// );
    /// ```
    #[must_use]
    pub fn service_message(&self) -> String {
        if self.dialect() == Dialect::Lambda {
            return "Invalid filter pattern definition.".to_owned();
        }
        if self.dialect().is_scope() || self.dialect() == Dialect::EventsV2EventSource {
            let first = self.0.findings.iter().min_by_key(|finding| finding.label.span.start);
            let documented = first.filter(|finding| finding.service.is_some());
            return documented.map(|finding| wording(&self.0.source, finding)).unwrap_or_default();
        }
        if self.dialect().is_sns() {
            return sns::service_message(&self.0.source, &self.0.options, &self.0.findings);
        }
        let mut message = String::from("Event pattern is not valid. Reason: ");
        if let Some(first) = self.0.findings.first() {
            message.push_str(&wording(&self.0.source, first));
        }
        message
    }
}

/// How many findings the error's own text shows.
const SHOWN_FINDINGS: usize = 50;

impl Display for PatternError {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        for (number, finding) in self.0.findings.iter().take(SHOWN_FINDINGS).enumerate() {
            if number > 0 {
                f.write_str("\n\n")?;
            }
            finding.render(&self.0.source).fmt(f)?;
        }
        match self.0.findings.len().checked_sub(SHOWN_FINDINGS) {
            None | Some(0) => Ok(()),
            Some(more) => write!(f, "\n\nand {more} more"),
        }
    }
}

impl std::error::Error for PatternError {}
