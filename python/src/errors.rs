//! The exceptions of the package, which `eventrie/_errors.py` defines.

use eventrie::saved::LoadError;
use eventrie::service::ConfigurationError;
use eventrie::{BuildError, EventError, PatternError};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::finding;

/// A `PatternError`: the findings, the service's wording, and all of it as readable text.
pub(crate) fn pattern(py: Python<'_>, error: &PatternError) -> PyErr {
    let findings = finding::all(error.findings(), error.source());
    raised(py, "PatternError", |class| class.call1((error.to_string(), findings, error.service_message())))
}

/// As [`pattern`], for a pattern with a name.
pub(crate) fn named_pattern(py: Python<'_>, name: &str, error: &PatternError) -> PyErr {
    let findings = finding::all(error.findings(), error.source());
    let message = format!("the pattern {name:?} is invalid\n{error}");
    raised(py, "PatternError", |class| class.call1((message, findings, error.service_message(), name)))
}

/// A `ConfigurationError`: the filters of a subscriber are refused.
pub(crate) fn configuration(py: Python<'_>, error: &ConfigurationError) -> PyErr {
    let faults: Vec<_> = error
        .faults()
        .iter()
        .map(|fault| {
            let findings = fault.pattern_error().map(|error| finding::all(error.findings(), error.source()));
            let (message, service) = (fault.to_string(), fault.service_message().map(str::to_owned));
            (fault.filter(), message, service, findings.unwrap_or_default())
        })
        .collect();
    raised(py, "ConfigurationError", |class| class.call1((error.to_string(), faults, error.service_message())))
}

/// An `EventError` about text that contains events.
pub(crate) fn reading(py: Python<'_>, message: &str, index: Option<u64>) -> PyErr {
    let none: Option<usize> = None;
    raised(py, "EventError", |class| class.call1((message, none, none, index)))
}

/// An `EventError`, with the position of the event where there were several.
pub(crate) fn event(py: Python<'_>, error: &EventError, index: Option<usize>) -> PyErr {
    let message = match index {
        Some(index) => format!("event {index}: {error}"),
        None => error.to_string(),
    };
    let limit = error.limit().map(|limit| limit.to_string());
    raised(py, "EventError", |class| class.call1((message, error.offset(), limit, index)))
}

/// A `BuildError`.
pub(crate) fn build(py: Python<'_>, error: &BuildError) -> PyErr {
    raised(py, "BuildError", |class| class.call1((error.to_string(), error.limit().map(|limit| limit.to_string()))))
}

/// A `LoadError`: the bytes are not a saved matcher.
pub(crate) fn load(py: Python<'_>, error: &LoadError) -> PyErr {
    raised(py, "LoadError", |class| class.call1((error.to_string(),)))
}

/// A `LoadError` of our own.
pub(crate) fn load_text(py: Python<'_>, message: &str) -> PyErr {
    raised(py, "LoadError", |class| class.call1((message,)))
}

fn raised<'py>(
    py: Python<'py>,
    name: &str,
    make: impl FnOnce(&Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>>,
) -> PyErr {
    let made = py.import("eventrie._errors").and_then(|module| module.getattr(name)).and_then(|class| make(&class));
    match made {
        Ok(error) => PyErr::from_value(error),
        Err(error) => error,
    }
}

/// A `ValueError` that names the parameter, what was given, and what is possible.
pub(crate) fn choice(parameter: &str, given: &str, possible: &[&str]) -> PyErr {
    PyValueError::new_err(format!("{parameter}: unknown value {given:?}; expected one of {}", possible.join(", ")))
}
