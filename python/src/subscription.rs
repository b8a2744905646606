//! What a rule, an SNS subscription, a pipe or an event source mapping holds.

use eventrie::service::{self, AttributeType, SnsMessage, Source, SubscriptionScratch};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyDict, PyMapping};

use crate::event::Input;
use crate::options::Parsing;
use crate::scratch::Pool;
use crate::{errors, options};

/// What a rule, an SNS subscription, a pipe or an event source mapping holds, and what its service does with an input.
///
/// >>> import eventrie
/// >>> mapping = eventrie.Subscription({"body": {"kind": ["a"]}}, "lambda-esm", source="sqs")
/// >>> outcome = mapping.evaluate({"body": '{"kind": "b"}'})
/// >>> outcome.matched, outcome.effect
/// (False, 'the message is deleted from the queue')
///
/// SNS policies take a message: ``evaluate(body=…, attributes={"kind": "a"})``, or the JSON text that SNS delivers.
#[pyclass(frozen, module = "eventrie")]
pub(crate) struct Subscription {
    inner: service::Subscription,
    pool: Pool<SubscriptionScratch>,
}

/// What a subscription answers about one input.
#[pyclass(frozen, module = "eventrie", get_all)]
pub(crate) struct Outcome {
    /// Whether the input passes.
    matched: bool,
    /// Why it does not.
    cause: Option<String>,
    /// What the service does with it.
    effect: String,
    /// The metric of SNS that counts it.
    metric: Option<&'static str>,
}

#[pymethods]
impl Outcome {
    fn __bool__(&self) -> bool {
        self.matched
    }

    fn __repr__(&self) -> String {
        match &self.cause {
            Some(cause) => format!("<Outcome no match: {cause}; {}>", self.effect),
            None => format!("<Outcome match; {}>", self.effect),
        }
    }
}

/// Why an input does or does not pass.
#[pyclass(frozen, module = "eventrie", get_all)]
pub(crate) struct SubscriptionReport {
    /// Whether the input passes.
    matched: bool,
    /// The answer in one sentence.
    summary: String,
    /// The JSON text that the patterns saw; None if there was nothing to see.
    event: Option<String>,
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

/// An input with its text or message kept alive.
enum Held<'py> {
    Text(Input<'py>),
    Written(String),
    Message(SnsMessage),
}

impl Held<'_> {
    fn input(&self) -> service::Input<'_> {
        match self {
            Held::Text(text) => text.as_bytes().unwrap_or_default().into(),
            Held::Written(text) => text.into(),
            Held::Message(message) => message.into(),
        }
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

    /// The dialect of the patterns.
    #[getter]
    fn dialect(&self) -> String {
        self.inner.dialect().to_string()
    }

    /// Whether an input passes, why not, and what the service does with it.
    #[pyo3(signature = (event = None, *, body = None, attributes = None))]
    fn evaluate(
        &self,
        py: Python<'_>,
        event: Option<&Bound<'_, PyAny>>,
        body: Option<&Bound<'_, PyAny>>,
        attributes: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Outcome> {
        let held = held(event, body, attributes)?;
        let input = held.input();
        let judged =
            py.detach(|| self.pool.with(SubscriptionScratch::default, |scratch| self.inner.judge(input, scratch)));
        let outcome = judged.map_err(|error| errors::event(py, &error, None))?;
        Ok(Outcome {
            matched: outcome.matched,
            cause: outcome.cause.map(|cause| cause.to_string()),
            effect: outcome.effect.to_string(),
            metric: outcome.metric(),
        })
    }

    /// Why an input does or does not pass.
    #[pyo3(signature = (event = None, *, body = None, attributes = None))]
    fn explain(
        &self,
        py: Python<'_>,
        event: Option<&Bound<'_, PyAny>>,
        body: Option<&Bound<'_, PyAny>>,
        attributes: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<SubscriptionReport> {
        let held = held(event, body, attributes)?;
        let input = held.input();
        let explained = py.detach(|| self.inner.explain(input)).map_err(|error| errors::event(py, &error, None))?;
        let mut rendered = explained.summary().to_owned();
        for (_, explanation) in explained.explanations() {
            rendered.push('\n');
            rendered.push_str(&explanation.render().to_string());
        }
        Ok(SubscriptionReport {
            matched: explained.outcome().matched,
            summary: explained.summary().to_owned(),
            event: explained.event().map(|event| String::from_utf8_lossy(event).into_owned()),
            rendered,
        })
    }

    fn __repr__(&self) -> String {
        format!("<eventrie.Subscription of dialect {}>", self.inner.dialect())
    }
}

fn source_of(name: &str) -> PyResult<Source> {
    name.parse().map_err(|_| {
        let names: Vec<String> = Source::ALL.iter().map(ToString::to_string).collect();
        errors::choice("source", name, &names.iter().map(String::as_str).collect::<Vec<_>>())
    })
}

fn held<'py>(
    event: Option<&Bound<'py, PyAny>>,
    body: Option<&Bound<'py, PyAny>>,
    attributes: Option<&Bound<'py, PyAny>>,
) -> PyResult<Held<'py>> {
    match (event, body, attributes) {
        (Some(event), None, None) => match Input::new(event)? {
            Input::Mapping(mapping) => Ok(Held::Written(options::json_text(&mapping, "event")?)),
            text => Ok(Held::Text(text)),
        },
        (None, None, None) => Err(PyTypeError::new_err("expected an event, or a body and attributes")),
        (Some(_), _, _) => Err(PyTypeError::new_err("expected either an event or a body and attributes, found both")),
        (None, body, attributes) => Ok(Held::Message(message(body, attributes)?)),
    }
}

fn message(body: Option<&Bound<'_, PyAny>>, attributes: Option<&Bound<'_, PyAny>>) -> PyResult<SnsMessage> {
    let mut message = SnsMessage::new(body.map_or_else(|| Ok(String::new()), |body| text(body, "body"))?);
    let Some(attributes) = attributes else { return Ok(message) };
    let mapping = attributes
        .cast::<PyMapping>()
        .map_err(|_| PyTypeError::new_err("attributes: expected a mapping from names to values"))?;
    for item in mapping.items()? {
        let (name, given): (String, Bound<'_, PyAny>) = item.extract()?;
        let (kind, value) = attribute(&name, &given)?;
        message = message.attribute(name, kind, value);
    }
    Ok(message)
}

/// A value of Python, or what SNS and its clients write: `{"Type" or "DataType": …, "Value" or "StringValue": …}`.
fn attribute(name: &str, given: &Bound<'_, PyAny>) -> PyResult<(AttributeType, String)> {
    if let Ok(written) = given.cast::<PyDict>() {
        let member = |one: &str, other: &str| match written.get_item(one)? {
            Some(found) => Ok::<_, PyErr>(Some(found)),
            None => written.get_item(other),
        };
        let kind: Option<String> = member("DataType", "Type")?.map(|kind| kind.extract()).transpose()?;
        let kind = AttributeType::from_name(kind.as_deref().unwrap_or("String"));
        if kind == AttributeType::Binary {
            return Ok((kind, String::new()));
        }
        let value = member("StringValue", "Value")?
            .ok_or_else(|| PyValueError::new_err(format!("attributes: {name:?} has no StringValue")))?;
        return Ok((kind, text(&value, name)?));
    }
    if let Ok(value) = given.extract::<String>() {
        return Ok((AttributeType::String, value));
    }
    let dumped = given.py().import("json")?.call_method1("dumps", (given,))?.extract()?;
    let is_list = given.is_instance_of::<pyo3::types::PyList>() || given.is_instance_of::<pyo3::types::PyTuple>();
    Ok((if is_list { AttributeType::Array } else { AttributeType::Number }, dumped))
}

fn text(given: &Bound<'_, PyAny>, parameter: &str) -> PyResult<String> {
    match Input::new(given) {
        Ok(Input::Text(text)) => Ok(text.to_string()),
        Ok(Input::Mapping(mapping)) => options::json_text(&mapping, parameter),
        _ => Err(PyTypeError::new_err(format!("{parameter}: expected str, found {}", given.get_type().name()?))),
    }
}
