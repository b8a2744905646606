//! One pattern.

use eventrie::{Matcher, ParseOptions, Scratch};
use pyo3::exceptions::{PyKeyError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::event::{Input, Walk};
use crate::explanation::Explanation;
use crate::finding::{self, Finding};
use crate::options::Parsing;
use crate::scratch::Pool;
use crate::{errors, input, options};

/// An event pattern, filter policy or filter.
///
/// >>> import eventrie
/// >>> pattern = eventrie.Pattern({"detail": {"state": ["stopped"]}})
/// >>> pattern.matches({"detail": {"state": "stopped"}})
/// True
#[pyclass(frozen, module = "eventrie")]
pub(crate) struct Pattern {
    inner: eventrie::Pattern,
    parsing: Parsing,
    matcher: Matcher,
    pool: Pool<Scratch>,
}

#[pymethods]
impl Pattern {
    #[new]
    #[pyo3(signature = (pattern, dialect = "eventbridge", *, service_limits = false, strict = false, sns_version = None, limits = None))]
    fn new(
        pattern: &Bound<'_, PyAny>,
        dialect: &str,
        service_limits: bool,
        strict: bool,
        sns_version: Option<&str>,
        limits: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Pattern> {
        let py = pattern.py();
        let text = options::pattern_text(pattern)?;
        let parsing = Parsing::new(dialect, service_limits, strict, sns_version, limits)?;
        let inner = parse(py, &text, &parsing.options)?;
        let limits = parsing.limits.clone();
        let built = py.detach(|| Matcher::builder().limits(limits).build([inner.clone()]));
        let matcher = built.map_err(|error| errors::build(py, &error))?;
        Ok(Pattern { inner, parsing, matcher, pool: Pool::default() })
    }

    /// The pattern's text, as it was given or as JSON of the mapping.
    #[getter]
    fn source(&self) -> &str {
        self.inner.source()
    }

    /// The pattern's dialect.
    #[getter]
    fn dialect(&self) -> String {
        self.inner.dialect().to_string()
    }

    /// Whether the pattern matches the event, which is JSON text (``str``, ``bytes``) or a mapping.
    ///
    /// Raises ``EventError`` if the event is not a JSON object or exceeds a limit.
    fn matches(&self, event: &Bound<'_, PyAny>) -> PyResult<bool> {
        let py = event.py();
        match Input::new(event)? {
            Input::Text(text) => {
                let text: &str = &text;
                py.detach(|| self.pool.with(Scratch::default, |scratch| self.matcher.is_match(text, scratch)))
            }
            Input::Bytes(bytes) => {
                let bytes: &[u8] = &bytes;
                py.detach(|| self.pool.with(Scratch::default, |scratch| self.matcher.is_match(bytes, scratch)))
            }
            Input::Mapping(mapping) => {
                let walk = Walk::new(&mapping);
                let answer = self.pool.with(Scratch::default, |scratch| self.matcher.is_match(&walk, scratch));
                return answer.map_err(|error| walk.exception(&error, None));
            }
        }
        .map_err(|error| errors::event(py, &error, None))
    }

    /// Why the pattern does or does not match the event.
    fn explain(&self, event: &Bound<'_, PyAny>) -> PyResult<Explanation> {
        explain(&self.inner, event)
    }

    /// Likely mistakes in this valid pattern. ``notes=True`` adds remarks that need no change.
    #[pyo3(signature = (*, notes = false))]
    fn lint(&self, py: Python<'_>, notes: bool) -> Vec<Finding> {
        let found = py.detach(|| self.inner.lint());
        let found: Vec<_> =
            found.into_iter().filter(|one| notes || one.severity != eventrie::diagnostic::Severity::Note).collect();
        finding::all(&found, self.inner.source())
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Pattern>().is_ok_and(|other| self.inner == other.get().inner)
    }

    fn __hash__(&self) -> u64 {
        use std::hash::{DefaultHasher, Hash, Hasher};
        let mut hasher = DefaultHasher::new();
        self.inner.source().hash(&mut hasher);
        hasher.finish()
    }

    fn __str__(&self) -> String {
        self.inner.to_string()
    }

    fn __repr__(&self) -> String {
        format!("eventrie.Pattern({:?}, {:?})", self.inner.source(), self.dialect())
    }

    fn __getnewargs_ex__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyTuple>, Bound<'py, PyDict>)> {
        Ok((PyTuple::new(py, [self.source()])?, self.parsing.saved(py)?))
    }
}

pub(crate) fn parse(py: Python<'_>, text: &str, options: &ParseOptions) -> PyResult<eventrie::Pattern> {
    let parsed = py.detach(|| eventrie::Pattern::parse_with(text, options));
    parsed.map_err(|error| errors::pattern(py, &error))
}

/// Explains an event that was passed in. The places in an explanation are those of JSON text, so a mapping is written out.
pub(crate) fn explain(pattern: &eventrie::Pattern, event: &Bound<'_, PyAny>) -> PyResult<Explanation> {
    let py = event.py();
    match Input::new(event)? {
        Input::Text(text) => explain_text(py, pattern, text.as_bytes()),
        Input::Bytes(bytes) => explain_text(py, pattern, &bytes),
        Input::Mapping(mapping) => explain_text(py, pattern, options::json_text(&mapping, "event")?.as_bytes()),
    }
}

fn explain_text(py: Python<'_>, pattern: &eventrie::Pattern, event: &[u8]) -> PyResult<Explanation> {
    let explained = py.detach(|| pattern.explain(event));
    Explanation::new(&explained.map_err(|error| errors::event(py, &error, None))?)
}

/// The text of a pattern that was given as text, as a mapping, or parsed already.
pub(crate) fn text_of(given: &Bound<'_, PyAny>) -> PyResult<String> {
    match given.cast::<Pattern>() {
        Ok(pattern) => Ok(pattern.get().inner.source().to_owned()),
        Err(_) => options::pattern_text(given),
    }
}

/// The names and JSON of several patterns, in the order of their mapping.
pub(crate) fn named(patterns: &Bound<'_, PyAny>) -> PyResult<Vec<(String, String)>> {
    let members = input::members(patterns, "patterns", "a mapping from names to patterns")?;
    members.into_iter().map(|(name, given)| Ok((name, text_of(&given)?))).collect()
}

/// The page about a finding's code, such as ``E0006``: what it means, why it matters, and what to write instead.
#[pyfunction]
pub(crate) fn explain_code(code: &str) -> PyResult<&'static str> {
    let parsed: Option<eventrie::diagnostic::Code> = code.parse().ok();
    match parsed {
        Some(code) => Ok(code.page()),
        None => Err(PyKeyError::new_err(format!(
            "code: unknown finding {code:?}; `eventrie explain-code --list` prints all codes"
        ))),
    }
}

/// Proposes a pattern that matches all the events, as JSON text.
///
/// >>> import eventrie
/// >>> eventrie.infer([{"source": "shop", "detail": {"id": 1}}, {"source": "shop", "detail": {"id": 2}}])
/// '{"source":["shop"]}'
#[pyfunction]
#[pyo3(signature = (events, dialect = "eventbridge"))]
pub(crate) fn infer(events: &Bound<'_, PyAny>, dialect: &str) -> PyResult<String> {
    let py = events.py();
    let dialect = options::dialect(dialect)?;
    let mut texts = Vec::new();
    for event in events.try_iter()? {
        texts.push(match Input::new(&event?)? {
            Input::Text(text) => text.to_string(),
            Input::Bytes(bytes) => match std::str::from_utf8(&bytes) {
                Ok(text) => text.to_owned(),
                Err(_) => return Err(PyValueError::new_err("event: the bytes are not UTF-8")),
            },
            Input::Mapping(mapping) => options::json_text(&mapping, "event")?,
        });
    }
    let inferred = py.detach(|| eventrie::relate::infer(texts.iter().map(String::as_str), dialect));
    inferred
        .map(|inferred| inferred.pattern.to_string())
        .map_err(|error| errors::event(py, error.error(), Some(error.event())))
}
