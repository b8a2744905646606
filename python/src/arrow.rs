//! Columns of events: Arrow arrays in, Arrow arrays out, rows matched without Python.

use std::sync::Arc;

use arrow_array::builder::StringBuilder;
use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, ListArray, StringArray, StructArray};
use arrow_buffer::{NullBufferBuilder, OffsetBuffer};
use arrow_schema::{ArrowError, DataType, Field, FieldRef, Fields};
use eventrie::{EventError, Scratch};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3_arrow::input::AnyArray;
use pyo3_arrow::{PyArray, PyChunkedArray};

use crate::errors;
use crate::matcher::Matcher;

/// What to do with a row that cannot be read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum OnError {
    /// The call fails.
    Raise,
    /// The row is null.
    Null,
    /// Every row is a struct of the rules and the error.
    Struct,
}

/// Matches each row of a column.
pub(crate) fn matches<'py>(
    matcher: &Matcher,
    column: &Bound<'py, PyAny>,
    on_error: &str,
) -> PyResult<Bound<'py, PyAny>> {
    let py = column.py();
    let on_error = match on_error {
        "raise" => OnError::Raise,
        "null" => OnError::Null,
        "struct" => OnError::Struct,
        other => return Err(errors::choice("on_error", other, &["raise", "null", "struct"])),
    };
    let given: AnyArray = column.extract().map_err(|_| {
        let class = column.get_type().name().map(|name| name.to_string()).unwrap_or_default();
        PyTypeError::new_err(format!("column: expected an Arrow array of strings or binary, found {class}"))
    })?;
    let single = matches!(given, AnyArray::Array(_));
    let (chunks, field) = given.into_chunked_array()?.into_inner();
    check(field.data_type())?;
    let names = matcher.names();
    let done = py.detach(|| {
        let mut kernel = Kernel { matcher, names, on_error, before: 0 };
        chunks.iter().map(|chunk| kernel.chunk(chunk)).collect::<Result<Vec<ArrayRef>, Stop>>()
    });
    let results = done.map_err(|stop| match stop {
        Stop::Event(at, error) => errors::event(py, &error, Some(at)),
        Stop::Arrow(ArrowError::ComputeError(message)) => PyValueError::new_err(format!("column: {message}")),
        Stop::Arrow(error) => PyValueError::new_err(error.to_string()),
    })?;
    let field: FieldRef = Arc::new(Field::new(field.name(), result_type(on_error), true));
    // What came from pyarrow goes back to pyarrow; everything else gets an object with the same interface.
    let from_pyarrow =
        column.get_type().module().is_ok_and(|module| module.to_cow().is_ok_and(|name| name.starts_with("pyarrow")));
    let first = results.first().cloned();
    let (array, kind) = match (single, first) {
        (true, Some(array)) => (PyArray::new(array, field).into_pyobject(py)?.into_any(), "array"),
        _ => (PyChunkedArray::try_new(results, field)?.into_pyobject(py)?.into_any(), "chunked_array"),
    };
    if from_pyarrow { py.import("pyarrow")?.call_method1(kind, (array,)) } else { Ok(array) }
}

fn check(kind: &DataType) -> PyResult<()> {
    match kind {
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => Ok(()),
        DataType::Binary | DataType::LargeBinary | DataType::BinaryView => Ok(()),
        DataType::Dictionary(..) => {
            Err(PyTypeError::new_err("column: dictionary-encoded columns are not read; cast to string first"))
        }
        other => Err(PyTypeError::new_err(format!(
            "column: expected strings or binary with one JSON event per row, found {other}"
        ))),
    }
}

fn item() -> FieldRef {
    Arc::new(Field::new("item", DataType::Utf8, false))
}

fn result_type(on_error: OnError) -> DataType {
    match on_error {
        OnError::Raise | OnError::Null => DataType::List(item()),
        OnError::Struct => DataType::Struct(fields()),
    }
}

fn fields() -> Fields {
    vec![Field::new("rules", DataType::List(item()), true), Field::new("error", DataType::Utf8, true)].into()
}

/// Why the work ended early.
enum Stop {
    Event(usize, EventError),
    Arrow(ArrowError),
}

impl From<ArrowError> for Stop {
    fn from(error: ArrowError) -> Stop {
        Stop::Arrow(error)
    }
}

/// The matching of one column.
struct Kernel<'a> {
    matcher: &'a Matcher,
    names: &'a [String],
    on_error: OnError,
    /// Rows of the chunks before.
    before: usize,
}

impl Kernel<'_> {
    fn chunk(&mut self, chunk: &ArrayRef) -> Result<ArrayRef, Stop> {
        let result = match chunk.data_type() {
            DataType::Utf8 => self.rows(chunk.as_string::<i32>().iter().map(|row| row.map(str::as_bytes))),
            DataType::LargeUtf8 => self.rows(chunk.as_string::<i64>().iter().map(|row| row.map(str::as_bytes))),
            DataType::Utf8View => self.rows(chunk.as_string_view().iter().map(|row| row.map(str::as_bytes))),
            DataType::Binary => self.rows(chunk.as_binary::<i32>().iter()),
            DataType::LargeBinary => self.rows(chunk.as_binary::<i64>().iter()),
            DataType::BinaryView => self.rows(chunk.as_binary_view().iter()),
            other => Err(Stop::Arrow(ArrowError::CastError(format!("not a column of JSON text: {other}")))),
        };
        self.before += chunk.len();
        result
    }

    fn rows<'r>(&self, rows: impl Iterator<Item = Option<&'r [u8]>>) -> Result<ArrayRef, Stop> {
        let (count, _) = rows.size_hint();
        let mut found: Vec<u32> = Vec::new();
        let mut lengths = Vec::with_capacity(count);
        let mut valid = NullBufferBuilder::new(count);
        let mut errors = StringBuilder::new();
        self.matcher.pool().with(Scratch::default, |scratch| {
            for (at, row) in rows.enumerate() {
                let Some(row) = row else {
                    lengths.push(0);
                    valid.append_null();
                    errors.append_null();
                    continue;
                };
                match self.matcher.compiled().matches(row, scratch) {
                    Ok(ids) => {
                        lengths.push(ids.len());
                        found.extend(ids.map(|id| id.index() as u32));
                        valid.append_non_null();
                        errors.append_null();
                    }
                    Err(error) if self.on_error == OnError::Raise => return Err(Stop::Event(self.before + at, error)),
                    Err(error) => {
                        lengths.push(0);
                        valid.append_null();
                        errors.append_value(error.to_string());
                    }
                }
            }
            Ok(())
        })?;
        let values = self.named(&found)?;
        let rules = ListArray::try_new(item(), OffsetBuffer::from_lengths(lengths), Arc::new(values), valid.finish())?;
        match self.on_error {
            OnError::Raise | OnError::Null => Ok(Arc::new(rules)),
            OnError::Struct => {
                let columns: Vec<ArrayRef> = vec![Arc::new(rules), Arc::new(errors.finish())];
                Ok(Arc::new(StructArray::try_new(fields(), columns, None)?))
            }
        }
    }

    /// The names of the rules that were found. Arrow counts both the names and their bytes with 31 bits.
    fn named(&self, found: &[u32]) -> Result<StringArray, Stop> {
        let names = || found.iter().filter_map(|at| self.names.get(*at as usize)).map(String::as_str);
        let bytes: usize = names().map(str::len).sum();
        if i32::try_from(bytes.max(found.len())).is_err() {
            let message = "the names of one chunk exceed 2 GB; pass the column in smaller chunks";
            return Err(Stop::Arrow(ArrowError::ComputeError(message.to_owned())));
        }
        let mut values = StringBuilder::with_capacity(found.len(), bytes);
        names().for_each(|name| values.append_value(name));
        Ok(values.finish())
    }
}
