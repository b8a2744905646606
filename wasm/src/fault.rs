//! What is thrown: an `Error` with a name, a message, and the details as properties.

use eventrie::{BuildError, EventError, PatternError};
use js_sys::{Error, Object};
use serde::Serialize;
use wasm_bindgen::prelude::*;

use crate::object;
use crate::view::{EventFault, PatternFault};

fn error(name: &str, message: &str, details: &impl Serialize) -> JsValue {
    let error = Error::new(message);
    error.set_name(name);
    match object(details) {
        Ok(details) => Object::assign(&error, &Object::from(details)).into(),
        Err(_) => error.into(),
    }
}

/// An error that has nothing to say beside its message.
pub(crate) fn plain(name: &str, message: &str) -> JsValue {
    let error = Error::new(message);
    error.set_name(name);
    error.into()
}

pub(crate) fn of_pattern(fault: &PatternError) -> JsValue {
    error("PatternError", &fault.to_string(), &PatternFault::of(fault))
}

pub(crate) fn of_event(fault: &EventError, event: &str) -> JsValue {
    error("EventError", &fault.to_string(), &EventFault::of(fault, event))
}

pub(crate) fn of_build(fault: &BuildError) -> JsValue {
    #[derive(Serialize)]
    struct Details {
        pattern: Option<usize>,
        limit: Option<&'static str>,
    }
    let details = Details { pattern: fault.pattern().map(|id| id.index()), limit: fault.limit() };
    error("BuildError", &fault.to_string(), &details)
}

/// Says of an error which of several patterns it speaks of.
pub(crate) fn numbered(fault: JsValue, index: usize) -> JsValue {
    #[derive(Serialize)]
    struct Details {
        pattern: usize,
    }
    match object(&Details { pattern: index }) {
        Ok(details) => Object::assign(&Object::from(fault), &Object::from(details)).into(),
        Err(_) => fault,
    }
}
