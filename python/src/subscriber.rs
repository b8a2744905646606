//! Subscribers of a Custom Event Bus: their filters, and what the service fills in.

use eventrie::service::{FilterConfiguration, Unpublished};
use eventrie::{Dialect, ParseOptions};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyAny;

use crate::{errors, input, options, pattern};

/// The filters: a configuration as the service's API expects it, or a pattern for each scope.
pub(crate) fn configuration(
    py: Python<'_>,
    whole: Option<&Bound<'_, PyAny>>,
    scoped: [(&'static str, Option<&Bound<'_, PyAny>>); 3],
    service_limits: bool,
) -> PyResult<FilterConfiguration> {
    let options = ParseOptions::new(Dialect::EventsV2Data).service_limits(service_limits);
    let mut filters = Vec::new();
    for (scope, given) in scoped {
        if let Some(given) = given {
            filters.push((scope, pattern::text_of(given)?));
        }
    }
    let read = match whole {
        Some(_) if !filters.is_empty() => {
            return Err(PyTypeError::new_err("expected either a configuration or patterns by scope, found both"));
        }
        Some(whole) => {
            let text = options::pattern_text(whole)?;
            py.detach(|| FilterConfiguration::parse_with(&text, &options))
        }
        None if filters.is_empty() => return Ok(FilterConfiguration::default()),
        None => {
            let filters: Vec<_> = filters.iter().map(|(scope, text)| (Some(*scope), Some(text.as_str()))).collect();
            py.detach(|| FilterConfiguration::of(None, &filters, &options))
        }
    };
    read.map_err(|error| errors::configuration(py, &error))
}

/// The fields that the service will fill in for an entry that is not published yet.
pub(crate) fn unpublished(given: &Bound<'_, PyAny>) -> PyResult<Unpublished> {
    let mut unpublished = Unpublished::default();
    for (key, value) in input::strings(Some(given), "unpublished")? {
        unpublished = match key.as_str() {
            "id" => unpublished.id(value),
            "account" => unpublished.account(value),
            "region" => unpublished.region(value),
            "time" => unpublished.time(value),
            other => return Err(errors::choice("unpublished", other, &["id", "account", "region", "time"])),
        };
    }
    Ok(unpublished)
}
