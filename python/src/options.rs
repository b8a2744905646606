//! Parameters that several entry points share: dialects, profiles, limits.

use eventrie::dialect::SnsVersion;
use eventrie::{Dialect, Limit, Limits, ParseOptions};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyMapping, PyString};

use crate::errors;

/// The dialect of that name.
pub(crate) fn dialect(name: &str) -> PyResult<Dialect> {
    name.parse().map_err(|_| {
        let names: Vec<String> = Dialect::ALL.iter().map(ToString::to_string).collect();
        errors::choice("dialect", name, &names.iter().map(String::as_str).collect::<Vec<_>>())
    })
}

/// What patterns are parsed with, in a form that can be pickled.
pub(crate) struct Parsing {
    pub(crate) options: ParseOptions,
    pub(crate) limits: Limits,
    service_limits: bool,
    strict: bool,
    sns_version: Option<String>,
    given: Vec<(String, usize)>,
}

impl Parsing {
    pub(crate) fn new(
        dialect_name: &str,
        service_limits: bool,
        strict: bool,
        sns_version: Option<&str>,
        limits: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Parsing> {
        let mut options = ParseOptions::new(dialect(dialect_name)?).service_limits(service_limits).strict(strict);
        if let Some(version) = sns_version {
            let parsed: Option<SnsVersion> = version.parse().ok();
            let version = parsed.ok_or_else(|| errors::choice("sns_version", version, &["2024", "2026"]))?;
            options = options.sns_version(version);
        }
        let given = limits.map_or_else(|| Ok(Vec::new()), bounds)?;
        let limits = limits_of(&given)?;
        options = options.limits(limits.clone());
        let sns_version = sns_version.map(str::to_owned);
        Ok(Parsing { options, limits, service_limits, strict, sns_version, given })
    }

    /// As keyword arguments.
    pub(crate) fn saved<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let settings = PyDict::new(py);
        settings.set_item("dialect", self.options.dialect().to_string())?;
        settings.set_item("service_limits", self.service_limits)?;
        settings.set_item("strict", self.strict)?;
        settings.set_item("sns_version", &self.sns_version)?;
        settings.set_item("limits", self.given.iter().cloned().collect::<std::collections::BTreeMap<_, _>>())?;
        Ok(settings)
    }

    /// From what [`Parsing::saved`] gave.
    pub(crate) fn load(settings: &Bound<'_, PyDict>) -> PyResult<Parsing> {
        let get = |name: &str| {
            settings.get_item(name)?.ok_or_else(|| PyValueError::new_err(format!("{name} is missing from the pickle")))
        };
        let (dialect, version): (String, Option<String>) = (get("dialect")?.extract()?, get("sns_version")?.extract()?);
        let limits = get("limits")?;
        let limits = limits.cast::<PyDict>()?;
        Parsing::new(
            &dialect,
            get("service_limits")?.extract()?,
            get("strict")?.extract()?,
            version.as_deref(),
            Some(limits),
        )
    }
}

/// Limits by their names.
pub(crate) fn limits(given: Option<&Bound<'_, PyDict>>) -> PyResult<Limits> {
    limits_of(&given.map_or_else(|| Ok(Vec::new()), bounds)?)
}

fn limits_of(given: &[(String, usize)]) -> PyResult<Limits> {
    given.iter().try_fold(Limits::default(), |limits, (name, most)| Ok(limits.set(limit(name)?, *most)))
}

fn bounds(given: &Bound<'_, PyDict>) -> PyResult<Vec<(String, usize)>> {
    let mut bounds = Vec::with_capacity(given.len());
    // A copy: what converts a value may change the dictionary.
    for bound in given.items() {
        let (name, most): (String, Bound<'_, PyAny>) = bound.extract()?;
        limit(&name)?;
        let most =
            most.extract().map_err(|_| PyValueError::new_err(format!("limits: {name} must be a non-negative int")))?;
        bounds.push((name, most));
    }
    Ok(bounds)
}

fn limit(name: &str) -> PyResult<Limit> {
    name.parse().map_err(|_| {
        let names: Vec<&str> = Limit::ALL.iter().map(|limit| limit.name()).collect();
        errors::choice("limits", name, &names)
    })
}

/// The JSON text of a pattern that was given as text or as a mapping.
pub(crate) fn pattern_text(given: &Bound<'_, PyAny>) -> PyResult<String> {
    if let Ok(text) = given.cast::<PyString>() {
        return text.extract().map_err(|_| lone_surrogate("pattern"));
    }
    if given.cast::<PyMapping>().is_err() {
        let class = given.get_type();
        return Err(PyTypeError::new_err(format!("pattern: expected str or a mapping, found {}", class.name()?)));
    }
    json_text(given, "pattern")
}

/// A mapping as JSON text.
pub(crate) fn json_text(mapping: &Bound<'_, PyAny>, parameter: &str) -> PyResult<String> {
    let text = mapping.py().import("eventrie._json")?.call_method1("dumps", (mapping,))?;
    text.extract().map_err(|_| lone_surrogate(parameter))
}

fn lone_surrogate(parameter: &str) -> PyErr {
    PyValueError::new_err(format!("{parameter}: a string contains a lone surrogate and is not valid Unicode"))
}
