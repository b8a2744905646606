//! Inputs of subscriptions as Python passes them: text, a mapping, a message of SNS, the parts of an event.

use eventrie::service::{self, AttributeType, BusEvent, SnsMessage};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyDict, PyMapping, PyString};

use crate::event::Input;
use crate::options;

/// An input with its text or message kept alive.
pub(crate) enum Held<'py> {
    Text(Input<'py>),
    Written(String),
    Message(SnsMessage),
    Parts(Parts<'py>),
}

/// The parts of an event of a Custom Event Bus.
pub(crate) struct Parts<'py> {
    data: Option<Box<Held<'py>>>,
    metadata: Vec<(String, String)>,
    system_metadata: Vec<(String, String)>,
}

/// The keywords of `evaluate` and `explain`.
const KEYWORDS: [&str; 5] = ["body", "attributes", "data", "metadata", "system_metadata"];

impl<'py> Held<'py> {
    /// Takes an event, or what the keywords give.
    pub(crate) fn new(event: Option<&Bound<'py, PyAny>>, keywords: Option<&Bound<'py, PyDict>>) -> PyResult<Held<'py>> {
        let mut given: [Option<Bound<'py, PyAny>>; 5] = Default::default();
        for (name, value) in keywords.into_iter().flatten() {
            let name: String = name.extract()?;
            let Some((_, slot)) = KEYWORDS.iter().zip(&mut given).find(|(known, _)| **known == name) else {
                let text = format!("unexpected keyword argument {name:?}; expected one of {}", KEYWORDS.join(", "));
                return Err(PyTypeError::new_err(text));
            };
            *slot = Some(value).filter(|value| !value.is_none());
        }
        let [body, attributes, data, metadata, system_metadata] = given;
        let message = body.is_some() || attributes.is_some();
        let parts = data.is_some() || metadata.is_some() || system_metadata.is_some();
        match (event, message, parts) {
            (Some(event), false, false) => Held::of(event, "event"),
            (None, true, false) => Ok(Held::Message(self::message(body.as_ref(), attributes.as_ref())?)),
            (None, false, true) => Ok(Held::Parts(Parts {
                data: data.map(|data| Held::of(&data, "data").map(Box::new)).transpose()?,
                metadata: strings(metadata.as_ref(), "metadata")?,
                system_metadata: strings(system_metadata.as_ref(), "system_metadata")?,
            })),
            (None, false, false) => Err(PyTypeError::new_err(
                "expected an event; the body or attributes of an SNS message; or the parts of an event",
            )),
            _ => Err(PyTypeError::new_err(
                "expected only one of: an event; `body` and `attributes`; `data`, `metadata` and `system_metadata`",
            )),
        }
    }

    fn of(given: &Bound<'py, PyAny>, parameter: &str) -> PyResult<Held<'py>> {
        match Input::new(given)? {
            Input::Mapping(mapping) => Ok(Held::Written(options::json_text(&mapping, parameter)?)),
            text => Ok(Held::Text(text)),
        }
    }

    fn bytes(&self) -> &[u8] {
        match self {
            Held::Text(text) => text.as_bytes().unwrap_or_default(),
            Held::Written(text) => text.as_bytes(),
            Held::Message(_) | Held::Parts(_) => &[],
        }
    }

    /// Hands the input to `work`.
    pub(crate) fn with<R>(&self, work: impl FnOnce(service::Input<'_>) -> R) -> R {
        match self {
            Held::Text(_) | Held::Written(_) => work(self.bytes().into()),
            Held::Message(message) => work(message.into()),
            Held::Parts(parts) => {
                let mut event = BusEvent::new(parts.data.as_ref().map_or(&[][..], |data| data.bytes()));
                for (key, value) in &parts.metadata {
                    event = event.metadata(key.as_str(), value.as_str());
                }
                for (key, value) in &parts.system_metadata {
                    event = event.system_metadata(key.as_str(), value.as_str());
                }
                work((&event).into())
            }
        }
    }
}

/// The members of a mapping whose keys are strings; `expected` says what the parameter is to be, with its article.
pub(crate) fn members<'py>(
    given: &Bound<'py, PyAny>,
    parameter: &str,
    expected: &str,
) -> PyResult<Vec<(String, Bound<'py, PyAny>)>> {
    let fault = |what: &str, found: &Bound<'py, PyAny>| {
        let class = found.get_type().name().map(|name| name.to_string()).unwrap_or_default();
        PyTypeError::new_err(format!("{parameter}: expected {expected}, found {what}{class}"))
    };
    let mapping = given.cast::<PyMapping>().map_err(|_| fault("", given))?;
    let mut members = Vec::with_capacity(mapping.len()?);
    for item in mapping.items()? {
        let (key, value): (Bound<'py, PyAny>, Bound<'py, PyAny>) = item.extract()?;
        let name = key.cast::<PyString>().map_err(|_| fault("a key of type ", &key))?.extract()?;
        members.push((name, value));
    }
    Ok(members)
}

/// A mapping from strings to strings.
pub(crate) fn strings(given: Option<&Bound<'_, PyAny>>, parameter: &str) -> PyResult<Vec<(String, String)>> {
    let Some(given) = given else { return Ok(Vec::new()) };
    let expected = "a mapping from str to str";
    let members = members(given, parameter, expected)?.into_iter();
    let strings = members.map(|(name, value)| match value.extract() {
        Ok(value) => Ok((name, value)),
        Err(_) => {
            let class = value.get_type().name()?;
            Err(PyTypeError::new_err(format!("{parameter}: expected {expected}, found a value of type {class}")))
        }
    });
    strings.collect()
}

fn message(body: Option<&Bound<'_, PyAny>>, attributes: Option<&Bound<'_, PyAny>>) -> PyResult<SnsMessage> {
    let mut message = SnsMessage::new(body.map_or_else(|| Ok(String::new()), |body| text(body, "body"))?);
    let Some(attributes) = attributes else { return Ok(message) };
    for (name, given) in members(attributes, "attributes", "a mapping from names to values")? {
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
