//! One rule, SNS subscription, pipe, event source mapping or subscriber, and what its service does with an input.

use std::collections::BTreeMap;

use eventrie::service::{self, Source, SubscriptionScratch};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyDict, PyType};

use crate::explanation::Explanation;
use crate::input::Held;
use crate::options::Parsing;
use crate::scratch::Pool;
use crate::{errors, options, subscriber};

/// One rule, SNS subscription, pipe, event source mapping or subscriber, and what its service does with an input.
///
/// >>> import eventrie
/// >>> mapping = eventrie.Subscription({"body": {"kind": ["a"]}}, "lambda-esm", source="sqs")
/// >>> outcome = mapping.evaluate({"body": '{"kind": "b"}'})
/// >>> outcome.matched, outcome.effect
/// (False, 'the message is deleted from the queue')
///
/// An SNS policy takes a message: ``evaluate(body=…, attributes={"kind": "a"})``, or the JSON text that SNS delivers. A
/// subscriber of a Custom Event Bus, made by ``Subscription.subscriber``, takes the parts of an event
/// (``evaluate(data=…, metadata={…}, system_metadata={…})``) or an event in any shape: as a target with
/// ``WITH_METADATA`` receives it, an entry of ``PutEvents`` or ``PutRawEvents``, or the payload alone.
#[pyclass(frozen, module = "eventrie")]
pub(crate) struct Subscription {
    inner: service::Subscription,
    pool: Pool<SubscriptionScratch>,
}

/// Whether one input passes, why not, and what the service does with it. True in a condition if the input passes.
#[pyclass(frozen, module = "eventrie", get_all, subclass)]
pub(crate) struct Outcome {
    /// Whether the input passes.
    matched: bool,
    /// Why the input does not pass; None if it does.
    cause: Option<String>,
    /// What the service does with the input.
    effect: String,
    /// The SNS metric that counts a message that is filtered out.
    metric: Option<&'static str>,
}

#[pymethods]
impl Outcome {
    fn __bool__(&self) -> bool {
        self.matched
    }

    fn __repr__(&self) -> String {
        self.shown("Outcome")
    }
}

/// Why an input does or does not pass. ``str()`` is the whole report.
#[pyclass(frozen, module = "eventrie")]
pub(crate) struct SubscriptionReport {
    /// Whether the input passes.
    #[pyo3(get)]
    matched: bool,
    /// The answer in one sentence.
    #[pyo3(get)]
    summary: String,
    /// The JSON text that the patterns were matched against; None if there was none.
    #[pyo3(get)]
    event: Option<String>,
    /// What else is worth knowing, such as the field's place in another part of the event.
    #[pyo3(get)]
    notes: Vec<String>,
    /// The explanation of each pattern by its position: patterns that match first, then the nearest.
    #[pyo3(get)]
    explanations: Vec<(usize, Py<Explanation>)>,
    /// The filters of a subscriber that could not be judged, by their position, and why.
    #[pyo3(get)]
    unjudged: BTreeMap<usize, String>,
    rendered: String,
}

#[pymethods]
impl SubscriptionReport {
    fn __str__(&self) -> &str {
        &self.rendered
    }

    fn __repr__(&self) -> String {
        format!("<SubscriptionReport {:?}>", self.summary)
    }
}

#[pymethods]
impl Subscription {
    #[new]
    #[pyo3(signature = (pattern, dialect = "eventbridge", *, source = None, service_limits = false, strict = false, sns_version = None, limits = None))]
    #[expect(clippy::too_many_arguments, reason = "keyword arguments of Python")]
    fn new(
        pattern: &Bound<'_, PyAny>,
        dialect: &str,
        source: Option<&str>,
        service_limits: bool,
        strict: bool,
        sns_version: Option<&str>,
        limits: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Subscription> {
        let py = pattern.py();
        let text = options::pattern_text(pattern)?;
        let parsing = Parsing::new(dialect, service_limits, strict, sns_version, limits)?;
        let source = source.map(source_of).transpose()?;
        let parsed = py.detach(|| service::Subscription::parse(&text, &parsing.options, source));
        let inner = parsed.map_err(|error| match error.pattern_error() {
            Some(error) => errors::pattern(py, error),
            None => PyValueError::new_err(error.to_string()),
        })?;
        Ok(Subscription { inner, pool: Pool::default() })
    }

    /// A subscriber of a Custom Event Bus, which receives an event if every filter matches.
    ///
    /// The filters are a configuration as the service's API takes it (JSON text or a mapping with ``Filters``), or one pattern
    /// for each scope. Without any, every event is delivered.
    ///
    /// >>> import eventrie
    /// >>> large = eventrie.Subscription.subscriber(
    /// ...     data={"total": [{"numeric": [">", 100]}]}, metadata={"tenant": ["a"]}
    /// ... )
    /// >>> large.evaluate(data={"total": 120}, metadata={"tenant": "a"}).matched
    /// True
    /// >>> large.explain(data={"total": 120}, metadata={"tenant": "b"}).summary
    /// 'no match: METADATA: `tenant` is "b"...'
    ///
    /// An entry that is not published yet lacks what the service fills in; ``unpublished`` supplies it, with the keys ``id``,
    /// ``account``, ``region`` and ``time``. Raises ``ConfigurationError`` if the service would refuse the filters.
    #[classmethod]
    #[pyo3(signature = (configuration = None, *, data = None, metadata = None, system_metadata = None, unpublished = None, service_limits = true))]
    #[expect(clippy::too_many_arguments, reason = "keyword arguments of Python")]
    fn subscriber(
        class: &Bound<'_, PyType>,
        configuration: Option<&Bound<'_, PyAny>>,
        data: Option<&Bound<'_, PyAny>>,
        metadata: Option<&Bound<'_, PyAny>>,
        system_metadata: Option<&Bound<'_, PyAny>>,
        unpublished: Option<&Bound<'_, PyAny>>,
        service_limits: bool,
    ) -> PyResult<Subscription> {
        let scoped = [("DATA", data), ("METADATA", metadata), ("SYSTEM_METADATA", system_metadata)];
        let configuration = subscriber::configuration(class.py(), configuration, scoped, service_limits)?;
        let inner = service::Subscription::subscriber(configuration);
        let inner = match unpublished {
            Some(given) => inner.unpublished(subscriber::unpublished(given)?),
            None => inner,
        };
        Ok(Subscription { inner, pool: Pool::default() })
    }

    /// The dialect of the patterns; of a subscriber, ``eventsv2-data``.
    #[getter]
    fn dialect(&self) -> String {
        self.inner.dialect().to_string()
    }

    /// The patterns as JSON text, in their order.
    #[getter]
    fn patterns(&self) -> Vec<&str> {
        self.inner.patterns().iter().map(eventrie::Pattern::source).collect()
    }

    /// Whether an input passes, why not, and what the service does with it.
    ///
    /// The input is an event, a record or a message as text or a mapping; or the ``body`` and ``attributes`` of an SNS message;
    /// or the ``data``, ``metadata`` and ``system_metadata`` of an event of a Custom Event Bus.
    #[pyo3(signature = (event = None, **parts), text_signature = "($self, event=None, *, body=None, attributes=None, data=None, metadata=None, system_metadata=None)")]
    fn evaluate(
        &self,
        py: Python<'_>,
        event: Option<&Bound<'_, PyAny>>,
        parts: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Outcome> {
        Held::new(event, parts)?.with(|input| {
            let judged =
                py.detach(|| self.pool.with(SubscriptionScratch::default, |scratch| self.inner.judge(input, scratch)));
            judged.map(Outcome::new).map_err(|error| errors::event(py, &error, None))
        })
    }

    /// Why an input does or does not pass; the input is that of ``evaluate``.
    #[pyo3(signature = (event = None, **parts), text_signature = "($self, event=None, *, body=None, attributes=None, data=None, metadata=None, system_metadata=None)")]
    pub(crate) fn explain(
        &self,
        py: Python<'_>,
        event: Option<&Bound<'_, PyAny>>,
        parts: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<SubscriptionReport> {
        Held::new(event, parts)?.with(|input| {
            let explained = py.detach(|| self.inner.explain(input)).map_err(|error| errors::event(py, &error, None))?;
            SubscriptionReport::new(py, &explained, self.inner.patterns().len())
        })
    }

    fn __repr__(&self) -> String {
        format!("<eventrie.Subscription of dialect {}>", self.inner.dialect())
    }
}

impl Subscription {
    pub(crate) fn inner(&self) -> &service::Subscription {
        &self.inner
    }
}

impl Outcome {
    pub(crate) fn new(outcome: service::Outcome) -> Outcome {
        Outcome {
            matched: outcome.matched,
            cause: outcome.cause.map(|cause| cause.to_string()),
            effect: outcome.effect.to_string(),
            metric: outcome.metric(),
        }
    }

    pub(crate) fn matched(&self) -> bool {
        self.matched
    }

    /// The answer as `repr` shows it, under the name of the class.
    pub(crate) fn shown(&self, class: &str) -> String {
        match &self.cause {
            Some(cause) => format!("<{class} no match: {cause}; {}>", self.effect),
            None => format!("<{class} match; {}>", self.effect),
        }
    }
}

impl SubscriptionReport {
    fn new(py: Python<'_>, report: &service::SubscriptionReport, patterns: usize) -> PyResult<SubscriptionReport> {
        let mut rendered = report.summary().to_owned();
        let mut explanations = Vec::new();
        for (at, explanation) in report.explanations() {
            rendered.push('\n');
            rendered.push_str(&explanation.render().to_string());
            explanations.push((at, Py::new(py, Explanation::new(explanation)?)?));
        }
        let notes: Vec<String> = report.notes().map(str::to_owned).collect();
        for note in &notes {
            rendered.push_str("\n  = ");
            rendered.push_str(note);
        }
        Ok(SubscriptionReport {
            matched: report.outcome().matched,
            summary: report.summary().to_owned(),
            event: report.event().map(|event| String::from_utf8_lossy(event).into_owned()),
            unjudged: (0..patterns).filter_map(|at| Some((at, report.unjudged(at)?.to_owned()))).collect(),
            notes,
            explanations,
            rendered,
        })
    }
}

pub(crate) fn source_of(name: &str) -> PyResult<Source> {
    name.parse().map_err(|_| {
        let names: Vec<String> = Source::ALL.iter().map(ToString::to_string).collect();
        errors::choice("source", name, &names.iter().map(String::as_str).collect::<Vec<_>>())
    })
}
