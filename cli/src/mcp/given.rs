//! The arguments of a tool, as they are spelled.

use eventrie::service::{Source, Subscription};
use eventrie::{Dialect, ParseOptions, Pattern};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

/// The code of an error: the parameters are not those of the method.
pub(super) const INVALID_PARAMS: i32 = -32602;

/// Why a request is not answered: a code and a sentence.
pub(super) type Refusal = (i32, String);

/// The arguments of one tool, or what is wrong with them.
pub(super) fn arguments<T: DeserializeOwned>(text: &str) -> Result<T, String> {
    serde_json::from_str(text).map_err(|error| error.to_string())
}

/// JSON that is passed as a value or as its text.
#[derive(Debug, Deserialize)]
#[serde(transparent)]
pub(super) struct Json(Box<RawValue>);

impl Json {
    /// Its text: that of a value is as it was spelled.
    pub(super) fn text(&self) -> String {
        serde_json::from_str(self.0.get()).unwrap_or_else(|_| self.0.get().to_owned())
    }
}

/// The service, and where its records come from.
#[derive(Debug, Default)]
pub(super) struct Service {
    pub(super) dialect: Dialect,
    pub(super) source: Option<Source>,
}

impl Service {
    pub(super) fn of(dialect: Option<&str>, source: Option<&str>) -> Result<Service, String> {
        let dialect: Dialect =
            dialect.map(str::parse).transpose().map_err(|error| format!("dialect: {error}"))?.unwrap_or_default();
        let source = source.map(str::parse).transpose().map_err(|error| format!("source: {error}"))?;
        Ok(Service { dialect, source })
    }

    /// A pattern of the service; with every finding if it is refused.
    pub(super) fn pattern(&self, text: &str) -> Result<Pattern, String> {
        Pattern::parse(text, self.dialect).map_err(|error| {
            let findings = error.findings().iter().map(|finding| finding.render(text).to_string());
            format!("the pattern is refused\n\n{}", findings.collect::<Vec<_>>().join("\n"))
        })
    }

    /// A subscription with one pattern.
    pub(super) fn subscription(&self, text: &str) -> Result<Subscription, String> {
        let options = ParseOptions::new(self.dialect);
        Subscription::new([self.pattern(text)?], &options, self.source).map_err(|error| error.to_string())
    }
}
