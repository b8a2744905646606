//! Events as Python has them: text, bytes, or mappings, which are walked and not written out as JSON.

use std::borrow::Cow;
use std::cell::RefCell;
use std::ops::ControlFlow::{self, Break, Continue};

use eventrie::event::{Number, Reader, Scalar, Sink, Want};
use eventrie::{Event, EventError};
use pyo3::PyTypeInfo;
#[cfg(not(Py_GIL_DISABLED))]
use pyo3::exceptions::PyRuntimeError;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::pybacked::{PyBackedBytes, PyBackedStr};
use pyo3::types::{PyBool, PyByteArray, PyBytes, PyDict, PyFloat, PyInt, PyList, PyMapping, PyString, PyTuple};

use crate::errors;

/// An event that was passed in.
pub(crate) enum Input<'py> {
    /// Text, borrowed from its `str`.
    Text(PyBackedStr),
    /// Bytes, borrowed from their object.
    Bytes(PyBackedBytes),
    /// A mapping, which is walked.
    Mapping(Bound<'py, PyAny>),
}

impl<'py> Input<'py> {
    /// Takes `str`, `bytes`, `bytearray`, `memoryview` or a mapping.
    pub(crate) fn new(given: &Bound<'py, PyAny>) -> PyResult<Input<'py>> {
        if given.is_instance_of::<PyString>() {
            return Ok(Input::Text(given.extract().map_err(|error: PyErr| surrogate(given.py(), error))?));
        }
        if given.is_instance_of::<PyBytes>() || given.is_instance_of::<PyByteArray>() {
            return Ok(Input::Bytes(given.extract()?));
        }
        if given.is_instance_of::<PyDict>() || given.cast::<PyMapping>().is_ok() {
            return Ok(Input::Mapping(given.clone()));
        }
        let class = given.get_type();
        if class.name()?.to_cow()? == "memoryview" {
            let copied = PyBytes::type_object(given.py()).call1((given,))?;
            return Ok(Input::Bytes(copied.extract()?));
        }
        Err(PyTypeError::new_err(format!("event: expected str, bytes or a mapping, found {}", class.name()?)))
    }
}

impl Input<'_> {
    /// The JSON text, if it is one.
    pub(crate) fn as_bytes(&self) -> Option<&[u8]> {
        match self {
            Input::Text(text) => Some(text.as_bytes()),
            Input::Bytes(bytes) => Some(bytes),
            Input::Mapping(_) => None,
        }
    }
}

/// A `str` with half of a surrogate pair has no UTF-8 form.
fn surrogate(py: Python<'_>, cause: PyErr) -> PyErr {
    let error =
        errors::event(py, &EventError::foreign("the string contains a lone surrogate and is not valid Unicode"), None);
    error.set_cause(py, Some(cause));
    error
}

/// A mapping as an event. What Python raises meanwhile is kept, because an [`EventError`] cannot contain it.
pub(crate) struct Walk<'a, 'py> {
    mapping: &'a Bound<'py, PyAny>,
    raised: RefCell<Option<PyErr>>,
}

impl<'a, 'py> Walk<'a, 'py> {
    pub(crate) fn new(mapping: &'a Bound<'py, PyAny>) -> Walk<'a, 'py> {
        Walk { mapping, raised: RefCell::new(None) }
    }

    /// The exception to raise for `error`.
    pub(crate) fn exception(&self, error: &EventError, index: Option<usize>) -> PyErr {
        self.raised.take().unwrap_or_else(|| errors::event(self.mapping.py(), error, index))
    }

    fn keep(&self, error: PyErr) -> EventError {
        *self.raised.borrow_mut() = Some(error);
        EventError::foreign("Python raised an exception")
    }

    fn value<S: Sink>(&self, value: &Bound<'py, PyAny>, sink: &mut S, reader: &Reader, depth: usize) -> Walked {
        if let Ok(text) = value.cast::<PyString>() {
            sink.scalar(Scalar::string(&self.text(text)?));
        } else if value.is_none() {
            sink.scalar(Scalar::Null);
        } else if let Ok(value) = value.cast::<PyBool>() {
            sink.scalar(Scalar::Bool(value.is_true()));
        } else if value.is_instance_of::<PyInt>() || value.is_instance_of::<PyFloat>() {
            self.number(value, sink, reader)?;
        } else if let Ok(members) = value.cast::<PyDict>() {
            return self.object(Members::of(members), sink, reader, depth);
        } else if let Ok(elements) = value.cast::<PyList>() {
            return self.array(elements.iter(), sink, reader, depth);
        } else if let Ok(elements) = value.cast::<PyTuple>() {
            return self.array(elements.iter(), sink, reader, depth);
        } else if let Ok(mapping) = value.cast::<PyMapping>() {
            let items = mapping.items().map_err(|error| self.keep(error))?;
            let mut members = Vec::with_capacity(items.len());
            for item in items {
                members.push(item.extract::<Member<'py>>());
            }
            return self.object(members.into_iter(), sink, reader, depth);
        } else if is_decimal(value) {
            self.number(value, sink, reader)?;
        } else {
            let class = value.get_type().name().map(|name| name.to_string()).unwrap_or_default();
            let message =
                format!("event: a value of type {class} has no JSON form; convert it to str, int, float, list or dict");
            return Err(self.keep(PyTypeError::new_err(message)));
        }
        Ok(Continue(()))
    }

    /// A string. Half of a surrogate pair is read as `?`, as the service reads it from JSON text.
    fn text<'t>(&self, text: &'t Bound<'py, PyString>) -> Result<Cow<'t, str>, EventError> {
        text.to_cow().or_else(|_| {
            let bytes = text.call_method1("encode", ("utf-8", "replace")).and_then(|bytes| bytes.extract::<Vec<u8>>());
            let bytes = bytes.map_err(|error| self.keep(error))?;
            Ok(Cow::Owned(String::from_utf8_lossy(&bytes).into_owned()))
        })
    }

    fn number<S: Sink>(&self, value: &Bound<'py, PyAny>, sink: &mut S, reader: &Reader) -> Result<(), EventError> {
        let float = value.is_instance_of::<PyFloat>();
        let spelled = if float { value.repr() } else { value.str() }.map_err(|error| self.keep(error))?;
        let text = spelled.to_cow().map_err(|error| self.keep(error))?;
        // Subclasses of `int` may print anything, and floats may be no numbers at all.
        match Number::new(&text) {
            Some(number) if text.len() <= reader.limits().get(eventrie::Limit::NumberBytes) => {
                sink.scalar(Scalar::Number(number));
            }
            Some(_) => return Err(EventError::foreign("a number is too long")),
            None if float => return Err(EventError::foreign("NaN and Infinity are not JSON numbers")),
            None => return Err(EventError::foreign("a number does not print as a JSON number")),
        }
        Ok(())
    }

    fn object<S: Sink>(
        &self,
        members: impl Iterator<Item = PyResult<Member<'py>>>,
        sink: &mut S,
        reader: &Reader,
        depth: usize,
    ) -> Walked {
        let inner = deeper(depth)?;
        match sink.begin_object() {
            Want::Read => {}
            Want::Skip | Want::Leave => return Ok(Continue(())),
            Want::Stop => return Ok(Break(())),
        }
        for member in members {
            let (key, value) = member.map_err(|error| self.keep(error))?;
            let Ok(name) = key.cast::<PyString>() else {
                let class = key.get_type().name().map(|name| name.to_string()).unwrap_or_default();
                return Err(self.keep(PyTypeError::new_err(format!("event: keys must be str, found {class}"))));
            };
            let name = self.text(name)?;
            match sink.key(name.as_ref().into()) {
                Want::Read => {
                    if self.value(&value, sink, reader, inner)?.is_break() {
                        return Ok(Break(()));
                    }
                }
                Want::Skip => {}
                Want::Leave => break,
                Want::Stop => return Ok(Break(())),
            }
        }
        sink.end_object();
        Ok(Continue(()))
    }

    fn array<S: Sink>(
        &self,
        elements: impl Iterator<Item = Bound<'py, PyAny>>,
        sink: &mut S,
        reader: &Reader,
        depth: usize,
    ) -> Walked {
        let inner = deeper(depth)?;
        match sink.begin_array() {
            Want::Read => {}
            Want::Skip | Want::Leave => return Ok(Continue(())),
            Want::Stop => return Ok(Break(())),
        }
        for value in elements {
            if self.value(&value, sink, reader, inner)?.is_break() {
                return Ok(Break(()));
            }
        }
        sink.end_array();
        Ok(Continue(()))
    }
}

/// A key and its value.
type Member<'py> = (Bound<'py, PyAny>, Bound<'py, PyAny>);

/// The members of a dictionary, which may change meanwhile: a number's `__str__` can run any code, and without the GIL
/// there are other threads. The iterator of PyO3 panics then.
#[cfg(not(Py_GIL_DISABLED))]
struct Members<'a, 'py> {
    of: &'a Bound<'py, PyDict>,
    members: pyo3::types::dict::BoundDictIterator<'py>,
    length: usize,
    left: usize,
}

#[cfg(not(Py_GIL_DISABLED))]
impl<'a, 'py> Members<'a, 'py> {
    fn of(of: &'a Bound<'py, PyDict>) -> Members<'a, 'py> {
        Members { of, members: of.iter(), length: of.len(), left: of.len() }
    }
}

#[cfg(not(Py_GIL_DISABLED))]
impl<'py> Iterator for Members<'_, 'py> {
    type Item = PyResult<Member<'py>>;

    fn next(&mut self) -> Option<PyResult<Member<'py>>> {
        self.left = self.left.checked_sub(1)?;
        if self.of.len() != self.length {
            return Some(Err(PyRuntimeError::new_err("event: the dictionary changed size while it was read")));
        }
        self.members.next().map(Ok)
    }
}

/// The members of a dictionary at one moment: without the GIL, other threads may change it meanwhile.
#[cfg(Py_GIL_DISABLED)]
struct Members;

#[cfg(Py_GIL_DISABLED)]
impl Members {
    fn of<'py>(of: &Bound<'py, PyDict>) -> impl Iterator<Item = PyResult<Member<'py>>> {
        let members = of.items();
        members.into_iter().map(|member| member.extract())
    }
}

/// `Break` if nothing more is needed.
type Walked = Result<ControlFlow<()>, EventError>;

fn deeper(depth: usize) -> Result<usize, EventError> {
    depth.checked_sub(1).ok_or(EventError::foreign("objects and arrays are nested too deeply, or contain themselves"))
}

/// `decimal.Decimal`, without importing it for others.
fn is_decimal(value: &Bound<'_, PyAny>) -> bool {
    let class = value.get_type();
    class.name().is_ok_and(|name| name == "Decimal")
        && class.module().is_ok_and(|module| module == "decimal" || module == "_pydecimal" || module == "_decimal")
}

impl Event for Walk<'_, '_> {
    fn read<S: Sink>(&self, sink: &mut S, reader: &mut Reader) -> Result<(), EventError> {
        let depth = reader.limits().get(eventrie::Limit::Depth).min(DEEPEST);
        self.value(self.mapping, sink, reader, depth).map(|_| ())
    }
}

/// The deepest mapping that is walked, whatever the limits say: the walk is recursive, as `json` is.
const DEEPEST: usize = 1000;
