//! What is thrown: an `Error` with a name, a message, and the details as properties.

use eventrie::{BuildError, EventError, Limit, PatternError};
use js_sys::{Error, Object};
use wasm_bindgen::prelude::*;

use crate::json::Json;
use crate::object;
use crate::view;

/// An error with the details that `details` writes.
pub(crate) fn error(name: &str, message: &str, details: impl FnOnce(&mut Json)) -> JsValue {
    let error = Error::new(message);
    error.set_name(name);
    match object(details) {
        Ok(details) => Object::assign(&error, &Object::from(details)).into(),
        Err(_) => error.into(),
    }
}

/// An error that has nothing to say besides its message.
pub(crate) fn plain(name: &str, message: &str) -> JsValue {
    let error = Error::new(message);
    error.set_name(name);
    error.into()
}

pub(crate) fn of_pattern(fault: &PatternError) -> JsValue {
    error("PatternError", &fault.to_string(), |json| view::pattern_error(json, fault))
}

pub(crate) fn of_event(fault: &EventError, event: &str) -> JsValue {
    error("EventError", &fault.to_string(), |json| view::event_error(json, fault, event))
}

/// As [`of_event`]; bytes before the fault count as the units that they decode to.
pub(crate) fn of_bytes(fault: &EventError, event: &[u8]) -> JsValue {
    let before = event.utf8_chunks().next().map_or("", |chunk| chunk.valid());
    of_event(fault, before)
}

pub(crate) fn of_build(fault: &BuildError) -> JsValue {
    error("BuildError", &fault.to_string(), |json| {
        json.open('{');
        json.key("pattern").number_or_null(fault.pattern().map(|id| id.index() as u64));
        json.key("limit").text_or_null(fault.limit().map(Limit::name));
        json.close('}');
    })
}

/// Says of an error which of several patterns or events it speaks of.
pub(crate) fn placed(fault: JsValue, what: &str, index: usize) -> JsValue {
    let details = object(|json| {
        json.open('{');
        json.key(what).number(index as u64);
        json.close('}');
    });
    match details {
        Ok(details) => Object::assign(&Object::from(fault), &Object::from(details)).into(),
        Err(_) => fault,
    }
}
