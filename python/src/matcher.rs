//! Many patterns with names, as one automaton.

use eventrie::pattern::PatternId;
use eventrie::{EventError, Matcher as Compiled, Scratch};
use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyBytes, PyDict, PyList, PyString, PyType};

use crate::event::{Input, Walk};
use crate::explanation::Explanation;
use crate::options::Parsing;
use crate::scratch::Pool;
use crate::{arrow, errors, files, pattern};

/// Named patterns, compiled into one automaton that matches an event against all of them at once.
///
/// >>> import eventrie
/// >>> matcher = eventrie.Matcher({"stopped": {"detail": {"state": ["stopped"]}}, "ec2": {"source": ["aws.ec2"]}})
/// >>> matcher.match('{"source": "aws.ec2", "detail": {"state": "stopped"}}')
/// ['stopped', 'ec2']
///
/// Threads may share one matcher. A pickled matcher has its compiled tables and is loaded without compiling again.
#[pyclass(frozen, module = "eventrie")]
pub(crate) struct Matcher {
    compiled: Compiled,
    /// The names, by the position of their pattern.
    names: Vec<Py<PyString>>,
    /// The same as UTF-8, for what is made without Python.
    spelled: Vec<String>,
    /// The patterns' strings, to explain and to pickle.
    texts: Vec<String>,
    parsing: Parsing,
    pool: Pool<Scratch>,
}

impl Matcher {
    /// Compiles `(name, text)` pairs.
    fn build(py: Python<'_>, rules: Vec<(String, String)>, parsing: Parsing) -> PyResult<Matcher> {
        let mut patterns = Vec::with_capacity(rules.len());
        for (name, text) in &rules {
            let parsed = py.detach(|| eventrie::Pattern::parse_with(text, &parsing.options));
            patterns.push(parsed.map_err(|error| errors::named_pattern(py, name, &error))?);
        }
        let limits = parsing.limits.clone();
        let compiled = py.detach(|| Compiled::builder().limits(limits).build(patterns));
        let compiled = compiled.map_err(|error| errors::build(py, &error))?;
        let (spelled, texts) = rules.into_iter().unzip();
        Ok(Matcher::with_names(py, compiled, spelled, texts, parsing))
    }

    fn with_names(
        py: Python<'_>,
        compiled: Compiled,
        spelled: Vec<String>,
        texts: Vec<String>,
        parsing: Parsing,
    ) -> Matcher {
        let names = spelled.iter().map(|name| PyString::new(py, name).unbind()).collect();
        Matcher { compiled, names, spelled, texts, parsing, pool: Pool::default() }
    }

    pub(crate) fn compiled(&self) -> &Compiled {
        &self.compiled
    }

    pub(crate) fn pool(&self) -> &Pool<Scratch> {
        &self.pool
    }

    /// The names, as UTF-8.
    pub(crate) fn names(&self) -> &[String] {
        &self.spelled
    }

    fn list<'py>(&self, py: Python<'py>, found: &[u32]) -> PyResult<Bound<'py, PyList>> {
        let names: Vec<_> =
            found.iter().filter_map(|at| self.names.get(*at as usize)).map(|name| name.bind(py)).collect();
        PyList::new(py, names)
    }

    /// Matches one event and appends the positions of what matches.
    fn one(&self, event: &Input<'_>, index: Option<usize>, py: Python<'_>, found: &mut Vec<u32>) -> PyResult<()> {
        let answer = match event {
            Input::Text(text) => {
                let text: &str = text;
                py.detach(|| self.text(text, found))
            }
            Input::Bytes(bytes) => {
                let bytes: &[u8] = bytes;
                py.detach(|| self.bytes(bytes, found))
            }
            Input::Mapping(mapping) => {
                let walk = Walk::new(mapping);
                let answer = self.pool.with(Scratch::default, |scratch| {
                    self.compiled.matches(&walk, scratch).map(|ids| append(found, ids))
                });
                return answer.map_err(|error| walk.exception(&error, index));
            }
        };
        answer.map_err(|error| errors::event(py, &error, index))
    }

    fn text(&self, text: &str, found: &mut Vec<u32>) -> Result<(), EventError> {
        self.pool.with(Scratch::default, |scratch| self.compiled.matches(text, scratch).map(|ids| append(found, ids)))
    }

    fn bytes(&self, bytes: &[u8], found: &mut Vec<u32>) -> Result<(), EventError> {
        self.pool.with(Scratch::default, |scratch| self.compiled.matches(bytes, scratch).map(|ids| append(found, ids)))
    }
}

fn append<'m>(found: &mut Vec<u32>, ids: impl Iterator<Item = &'m PatternId>) {
    found.extend(ids.map(|id| id.index() as u32));
}

/// How many events are matched between two checks of the interpreter: long enough that releasing it costs nothing.
const BATCH: usize = 1024;

#[pymethods]
impl Matcher {
    #[new]
    #[pyo3(signature = (patterns, dialect = "eventbridge", *, service_limits = false, strict = false, sns_version = None, limits = None))]
    fn new(
        patterns: &Bound<'_, PyAny>,
        dialect: &str,
        service_limits: bool,
        strict: bool,
        sns_version: Option<&str>,
        limits: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Matcher> {
        let rules = pattern::named(patterns)?;
        let parsing = Parsing::new(dialect, service_limits, strict, sns_version, limits)?;
        Matcher::build(patterns.py(), rules, parsing)
    }

    /// Compiles the rules in a file: a rule file, a template, or the output of ``aws events list-rules``.
    ///
    /// Patterns in the file that belong to another dialect are left out.
    #[classmethod]
    #[pyo3(signature = (path, dialect = "eventbridge"))]
    fn from_file(class: &Bound<'_, PyType>, path: &Bound<'_, PyAny>, dialect: &str) -> PyResult<Matcher> {
        let py = class.py();
        let parsing = Parsing::new(dialect, false, false, None, None)?;
        let rules = files::rules(path, parsing.options.dialect())?;
        Matcher::build(py, rules, parsing)
    }

    /// The names of the patterns that match the event, in the order of the mapping.
    #[pyo3(name = "match")]
    fn matching<'py>(&self, event: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyList>> {
        let py = event.py();
        let mut found = Vec::new();
        self.one(&Input::new(event)?, None, py, &mut found)?;
        self.list(py, &found)
    }

    /// Whether any pattern matches the event.
    fn any(&self, event: &Bound<'_, PyAny>) -> PyResult<bool> {
        let py = event.py();
        let answer = match Input::new(event)? {
            Input::Text(text) => {
                let text: &str = &text;
                py.detach(|| self.pool.with(Scratch::default, |scratch| self.compiled.is_match(text, scratch)))
            }
            Input::Bytes(bytes) => {
                let bytes: &[u8] = &bytes;
                py.detach(|| self.pool.with(Scratch::default, |scratch| self.compiled.is_match(bytes, scratch)))
            }
            Input::Mapping(mapping) => {
                let walk = Walk::new(&mapping);
                let answer = self.pool.with(Scratch::default, |scratch| self.compiled.is_match(&walk, scratch));
                return answer.map_err(|error| walk.exception(&error, None));
            }
        };
        answer.map_err(|error| errors::event(py, &error, None))
    }

    /// The names that match, for each event of an iterable; the GIL is released while a batch is matched.
    ///
    /// Raises ``EventError`` with the ``index`` of an event that cannot be read.
    fn match_many<'py>(&self, events: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyList>> {
        let py = events.py();
        let results = PyList::empty(py);
        let mut batch = Vec::with_capacity(BATCH);
        let mut done = 0;
        let mut flush = |batch: &mut Vec<Input<'py>>| -> PyResult<()> {
            let (mut found, mut ends) = (Vec::new(), Vec::with_capacity(batch.len()));
            self.batch(py, batch, done, &mut found, &mut ends)?;
            let mut start = 0;
            for end in ends {
                results.append(self.list(py, found.get(start..end).unwrap_or_default())?)?;
                start = end;
            }
            done += batch.len();
            batch.clear();
            Ok(())
        };
        for event in events.try_iter()? {
            batch.push(Input::new(&event?)?);
            if batch.len() == BATCH {
                flush(&mut batch)?;
            }
        }
        flush(&mut batch)?;
        Ok(results)
    }

    /// The names that match, for each row of a column of JSON text, as an Arrow ``list<string>`` column.
    ///
    /// ``column`` is anything with the Arrow PyCapsule interface (an array or chunked array of pyarrow, a Polars series, …)
    /// of strings or binary; its buffers are not copied. A null row stays null. A row that cannot be read raises
    /// ``EventError`` with its ``index``; with ``on_error="null"`` it is null; with ``on_error="struct"`` every row is
    /// ``{"rules": list<string>, "error": string}``.
    #[pyo3(signature = (column, *, on_error = "raise"))]
    fn match_arrow<'py>(&self, column: &Bound<'py, PyAny>, on_error: &str) -> PyResult<Bound<'py, PyAny>> {
        arrow::matches(self, column, on_error)
    }

    /// Why the pattern with that name does or does not match the event.
    fn explain(&self, py: Python<'_>, name: &str, event: &Bound<'_, PyAny>) -> PyResult<Explanation> {
        let text = self.spelled.iter().position(|known| known == name).and_then(|at| self.texts.get(at));
        let text = text.ok_or_else(|| PyKeyError::new_err(format!("name: unknown pattern {name:?}")))?;
        let parsed = pattern::parse(py, text, &self.parsing.options)?;
        pattern::explain(&parsed, event)
    }

    /// The names, in order.
    #[getter]
    fn keys<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        PyList::new(py, self.names.iter().map(|name| name.bind(py)))
    }

    fn __len__(&self) -> usize {
        self.names.len()
    }

    fn __contains__(&self, name: &str) -> bool {
        self.spelled.iter().any(|known| known == name)
    }

    fn __repr__(&self) -> String {
        let count = self.names.len();
        format!("<eventrie.Matcher of {count} pattern{}>", if count == 1 { "" } else { "s" })
    }

    fn __reduce__<'py>(slf: &Bound<'py, Matcher>) -> PyResult<(Bound<'py, PyAny>, Saved<'py>)> {
        let (py, this) = (slf.py(), slf.get());
        let load = py.get_type::<Matcher>().getattr("_load")?;
        let bytes = py.detach(|| this.compiled.to_bytes());
        let texts = PyList::new(py, &this.texts)?;
        Ok((load, (PyBytes::new(py, &bytes), this.keys(py)?, texts, this.parsing.saved(py)?)))
    }

    /// Restores what ``pickle`` stored.
    #[staticmethod]
    fn _load(
        py: Python<'_>,
        bytes: &[u8],
        names: Vec<String>,
        texts: Vec<String>,
        parsing: &Bound<'_, PyDict>,
    ) -> PyResult<Matcher> {
        let parsing = Parsing::load(parsing)?;
        let loaded = py.detach(|| Compiled::from_bytes_with(bytes, &parsing.limits));
        let compiled = loaded.map_err(|error| errors::load(py, &error))?;
        if compiled.len() != names.len() || names.len() != texts.len() {
            return Err(errors::load_text(py, "the saved matcher does not have as many patterns as names"));
        }
        Ok(Matcher::with_names(py, compiled, names, texts, parsing))
    }
}

type Saved<'py> = (Bound<'py, PyBytes>, Bound<'py, PyList>, Bound<'py, PyList>, Bound<'py, PyDict>);

impl Matcher {
    /// Matches a batch: with Python released where it is text alone.
    fn batch(
        &self,
        py: Python<'_>,
        batch: &[Input<'_>],
        done: usize,
        found: &mut Vec<u32>,
        ends: &mut Vec<usize>,
    ) -> PyResult<()> {
        let texts: Option<Vec<&[u8]>> = batch.iter().map(Input::as_bytes).collect();
        let Some(texts) = texts else {
            for (at, event) in batch.iter().enumerate() {
                self.one(event, Some(done + at), py, found)?;
                ends.push(found.len());
            }
            return Ok(());
        };
        let answer = py.detach(|| {
            self.pool.with(Scratch::default, |scratch| {
                for (at, text) in texts.iter().enumerate() {
                    append(found, self.compiled.matches(*text, scratch).map_err(|error| (done + at, error))?);
                    ends.push(found.len());
                }
                Ok(())
            })
        });
        answer.map_err(|(at, error)| errors::event(py, &error, Some(at)))
    }
}
