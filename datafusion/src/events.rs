//! Arguments: columns of JSON text, whatever their layout.

use datafusion_common::arrow::array::{
    Array, ArrayRef, AsArray, BinaryArray, BinaryViewArray, LargeBinaryArray, LargeStringArray, StringArray,
    StringViewArray,
};
use datafusion_common::arrow::datatypes::DataType;
use datafusion_common::{Result, ScalarValue, exec_err, plan_err};
use datafusion_expr::ColumnarValue;

/// The type that an argument is converted to before the function sees it: itself, but for dictionaries and an untyped null.
pub(crate) fn coerced(function: &str, parameter: &str, given: &DataType, binary: bool) -> Result<DataType> {
    match given {
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => Ok(given.clone()),
        DataType::Binary | DataType::LargeBinary | DataType::BinaryView if binary => Ok(given.clone()),
        DataType::Null => Ok(DataType::Utf8),
        DataType::Dictionary(_, value) => coerced(function, parameter, value, binary),
        other => {
            let expected = if binary { "string or binary" } else { "string" };
            plan_err!("{function}: expected a {expected} as {parameter}, found {other}")
        }
    }
}

/// Applies a function of a column to an argument, which may be one value for all rows.
pub(crate) fn answered(
    argument: &ColumnarValue,
    answer: impl FnOnce(&ArrayRef) -> Result<ArrayRef>,
) -> Result<ColumnarValue> {
    match argument {
        ColumnarValue::Array(column) => Ok(ColumnarValue::Array(answer(column)?)),
        ColumnarValue::Scalar(value) => {
            let answer = answer(&value.to_array()?)?;
            Ok(ColumnarValue::Scalar(ScalarValue::try_from_array(&answer, 0)?))
        }
    }
}

/// A column of text, by row.
pub(crate) enum Texts<'a> {
    Utf8(&'a StringArray),
    LargeUtf8(&'a LargeStringArray),
    Utf8View(&'a StringViewArray),
    Binary(&'a BinaryArray),
    LargeBinary(&'a LargeBinaryArray),
    BinaryView(&'a BinaryViewArray),
}

impl<'a> Texts<'a> {
    pub(crate) fn new(column: &'a ArrayRef) -> Result<Texts<'a>> {
        Ok(match column.data_type() {
            DataType::Utf8 => Texts::Utf8(column.as_string()),
            DataType::LargeUtf8 => Texts::LargeUtf8(column.as_string()),
            DataType::Utf8View => Texts::Utf8View(column.as_string_view()),
            DataType::Binary => Texts::Binary(column.as_binary()),
            DataType::LargeBinary => Texts::LargeBinary(column.as_binary()),
            DataType::BinaryView => Texts::BinaryView(column.as_binary_view()),
            other => return exec_err!("expected a column of JSON text, found {other}"),
        })
    }

    pub(crate) fn len(&self) -> usize {
        match self {
            Texts::Utf8(column) => column.len(),
            Texts::LargeUtf8(column) => column.len(),
            Texts::Utf8View(column) => column.len(),
            Texts::Binary(column) => column.len(),
            Texts::LargeBinary(column) => column.len(),
            Texts::BinaryView(column) => column.len(),
        }
    }

    /// The text of a row below [`Texts::len`]; none if it is null.
    pub(crate) fn get(&self, row: usize) -> Option<&'a [u8]> {
        match *self {
            Texts::Utf8(column) => column.is_valid(row).then(|| column.value(row).as_bytes()),
            Texts::LargeUtf8(column) => column.is_valid(row).then(|| column.value(row).as_bytes()),
            Texts::Utf8View(column) => column.is_valid(row).then(|| column.value(row).as_bytes()),
            Texts::Binary(column) => column.is_valid(row).then(|| column.value(row)),
            Texts::LargeBinary(column) => column.is_valid(row).then(|| column.value(row)),
            Texts::BinaryView(column) => column.is_valid(row).then(|| column.value(row)),
        }
    }
}
