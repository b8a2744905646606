//! The arguments of a tool, as they are spelled.

use std::borrow::Cow;
use std::collections::BTreeMap;

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
    // An array would be read as the arguments in their order.
    let members: BTreeMap<Cow<'_, str>, &RawValue> =
        serde_json::from_str(text).map_err(|_| "arguments: expected an object".to_owned())?;
    serde_json::from_str(text).map_err(|error| match holder(text, &members, &error) {
        Some(name) => format!("{name}: {error}"),
        None => error.to_string(),
    })
}

/// The argument in which an error was found.
fn holder<'m>(
    text: &str,
    members: &'m BTreeMap<Cow<'_, str>, &RawValue>,
    error: &serde_json::Error,
) -> Option<&'m str> {
    let line: usize = text.split_inclusive('\n').take(error.line().saturating_sub(1)).map(str::len).sum();
    let at = line + error.column();
    let holds = |value: &&RawValue| {
        let start = (value.get().as_ptr() as usize).checked_sub(text.as_ptr() as usize)?;
        Some((start..=start + value.get().len()).contains(&at))
    };
    members.iter().find(|(_, value)| holds(value) == Some(true)).map(|(name, _)| &**name)
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
            format!("the pattern is rejected\n\n{}", findings.collect::<Vec<_>>().join("\n"))
        })
    }

    /// A subscription with one pattern.
    pub(super) fn subscription(&self, text: &str) -> Result<Subscription, String> {
        let options = ParseOptions::new(self.dialect);
        Subscription::new([self.pattern(text)?], &options, self.source).map_err(|error| error.to_string())
    }
}
