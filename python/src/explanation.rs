//! Why a pattern does or does not match an event.

use pyo3::prelude::*;
use pyo3::types::PyAny;

/// Why a pattern does or does not match an event.
///
/// ``str()`` is the text that the command line prints; ``to_dict()`` has every field, test and value. True in a condition if the
/// pattern matches.
#[pyclass(frozen, module = "eventrie")]
pub(crate) struct Explanation {
    /// Whether the pattern matches the event.
    #[pyo3(get)]
    matched: bool,
    /// The answer in one sentence.
    #[pyo3(get)]
    summary: String,
    /// What to change if a match was expected.
    #[pyo3(get)]
    help: Option<String>,
    rendered: String,
    json: String,
}

impl Explanation {
    pub(crate) fn new(explanation: &eventrie::Explanation) -> PyResult<Explanation> {
        let json = serde_json::to_string(explanation)
            .map_err(|error| pyo3::exceptions::PyRuntimeError::new_err(error.to_string()))?;
        Ok(Explanation {
            matched: explanation.matched(),
            summary: explanation.summary().to_owned(),
            help: explanation.help().map(str::to_owned),
            rendered: explanation.render().to_string(),
            json,
        })
    }
}

#[pymethods]
impl Explanation {
    /// The whole explanation as JSON text.
    fn to_json(&self) -> &str {
        &self.json
    }

    /// The whole explanation as a dictionary, with every field, test and value.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        py.import("json")?.call_method1("loads", (&self.json,))
    }

    fn __bool__(&self) -> bool {
        self.matched
    }

    fn __str__(&self) -> &str {
        &self.rendered
    }

    fn __repr__(&self) -> String {
        format!("<Explanation {:?}>", self.summary)
    }
}
