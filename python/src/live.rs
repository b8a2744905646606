//! A rule set that changes while other threads match.

use std::sync::Arc;

use eventrie::live::{Batch, Snapshot};
use eventrie::{LiveMatcher as Live, Scratch};
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyDict};

use crate::event::{Input, Walk};
use crate::options::Parsing;
use crate::scratch::Pool;
use crate::{errors, pattern};

/// A rule set that changes while other threads match events against it; readers never wait.
///
/// >>> import eventrie
/// >>> rules = eventrie.LiveMatcher({"a": {"source": ["shop"]}})
/// >>> rules.insert("b", {"detail": {"total": [{"numeric": [">", 100]}]}})
/// >>> rules.match({"source": "shop", "detail": {"total": 120}})
/// ['a', 'b']
/// >>> rules.remove("a")
/// True
#[pyclass(frozen, module = "eventrie")]
pub(crate) struct LiveMatcher {
    live: Live<Arc<str>>,
    parsing: Parsing,
    pool: Pool<(Snapshot<Arc<str>>, Scratch)>,
}

impl LiveMatcher {
    fn pattern(&self, given: &Bound<'_, PyAny>) -> PyResult<eventrie::Pattern> {
        pattern::parse(given.py(), &pattern::text_of(given)?, &self.parsing.options)
    }

    fn rules(&self, patterns: &Bound<'_, PyAny>) -> PyResult<Vec<(Arc<str>, eventrie::Pattern)>> {
        let py = patterns.py();
        let mut rules = Vec::new();
        for (name, text) in pattern::named(patterns)? {
            rules.push((Arc::from(name), pattern::parse(py, &text, &self.parsing.options)?));
        }
        Ok(rules)
    }

    /// Works on an up-to-date snapshot.
    fn with<R>(&self, work: impl FnOnce(&Snapshot<Arc<str>>, &mut Scratch) -> R) -> R {
        self.pool.with(
            || (self.live.snapshot(), Scratch::default()),
            |(snapshot, scratch)| {
                self.live.refresh(snapshot);
                work(snapshot, scratch)
            },
        )
    }
}

fn names(found: eventrie::live::MatchedKeys<'_, Arc<str>>) -> Vec<Arc<str>> {
    found.into_iter().cloned().collect()
}

#[pymethods]
impl LiveMatcher {
    #[new]
    #[pyo3(signature = (patterns = None, dialect = "eventbridge", *, service_limits = false, strict = false, sns_version = None, limits = None))]
    fn new(
        py: Python<'_>,
        patterns: Option<&Bound<'_, PyAny>>,
        dialect: &str,
        service_limits: bool,
        strict: bool,
        sns_version: Option<&str>,
        limits: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<LiveMatcher> {
        let parsing = Parsing::new(dialect, service_limits, strict, sns_version, limits)?;
        let live = Live::builder().limits(parsing.limits.clone()).build();
        let made = LiveMatcher { live, parsing, pool: Pool::default() };
        if let Some(patterns) = patterns {
            let rules = made.rules(patterns)?;
            let mut batch = Batch::new();
            for (name, pattern) in rules {
                batch.insert(name, pattern);
            }
            py.detach(|| made.live.apply(batch)).map_err(|error| errors::build(py, &error))?;
        }
        Ok(made)
    }

    /// Adds a pattern under a name, which may have several.
    fn insert(&self, py: Python<'_>, name: &str, pattern: &Bound<'_, PyAny>) -> PyResult<()> {
        let pattern = self.pattern(pattern)?;
        py.detach(|| self.live.insert(Arc::from(name), pattern)).map_err(|error| errors::build(py, &error))
    }

    /// Replaces all patterns of a name with one.
    fn replace(&self, py: Python<'_>, name: &str, pattern: &Bound<'_, PyAny>) -> PyResult<()> {
        let pattern = self.pattern(pattern)?;
        py.detach(|| self.live.replace(Arc::from(name), [pattern])).map_err(|error| errors::build(py, &error))
    }

    /// Removes a name and its patterns. False if there is no such name.
    fn remove(&self, py: Python<'_>, name: &str) -> bool {
        py.detach(|| self.live.remove(name))
    }

    /// Replaces the whole set in one step, and returns which names were ``added``, ``removed`` and ``changed``.
    ///
    /// Only patterns that differ are compiled; a reader sees either the old set or the new one.
    fn replace_all<'py>(&self, py: Python<'py>, patterns: &Bound<'_, PyAny>) -> PyResult<Bound<'py, PyDict>> {
        let rules = self.rules(patterns)?;
        let change = py.detach(|| self.live.replace_all(rules)).map_err(|error| errors::build(py, &error))?;
        let answer = PyDict::new(py);
        let texts = |names: &[Arc<str>]| names.iter().map(|name| name.to_string()).collect::<Vec<_>>();
        answer.set_item("added", texts(&change.added))?;
        answer.set_item("removed", texts(&change.removed))?;
        answer.set_item("changed", texts(&change.changed))?;
        Ok(answer)
    }

    /// The names of the patterns that match the event, in alphabetical order.
    #[pyo3(name = "match")]
    fn matching(&self, event: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
        let py = event.py();
        let answer = match Input::new(event)? {
            Input::Text(text) => {
                let text: &str = &text;
                py.detach(|| self.with(|snapshot, scratch| snapshot.matches(text, scratch).map(names)))
            }
            Input::Bytes(bytes) => {
                let bytes: &[u8] = &bytes;
                py.detach(|| self.with(|snapshot, scratch| snapshot.matches(bytes, scratch).map(names)))
            }
            Input::Mapping(mapping) => {
                let walk = Walk::new(&mapping);
                let found = self.with(|snapshot, scratch| snapshot.matches(&walk, scratch).map(names));
                Ok(found.map_err(|error| walk.exception(&error, None))?)
            }
        };
        let mut found = answer.map_err(|error| errors::event(py, &error, None))?;
        found.sort_unstable();
        Ok(found.into_iter().map(|name| name.to_string()).collect())
    }

    fn __len__(&self) -> usize {
        self.live.len()
    }

    fn __repr__(&self) -> String {
        let count = self.live.len();
        format!("<eventrie.LiveMatcher of {count} pattern{}>", if count == 1 { "" } else { "s" })
    }
}
