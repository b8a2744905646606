//! The JSON text of an event that has none: for explanations, which walk over text.

use std::borrow::Cow;

use super::{Event, EventError, ReadPolicy, Reader, Scalar, Sink, Text, Want};
use crate::limit::{Limit, Limits};

/// The text of an event, and whether it is the event's own: only then its places mean something to the caller.
pub(crate) fn text<'e, E: Event + ?Sized>(event: &'e E, limits: &Limits) -> Result<(Cow<'e, [u8]>, bool), EventError> {
    if let Some(text) = event.text() {
        return Ok((Cow::Borrowed(text), true));
    }
    let mut writer = Writer { out: Vec::new(), most: limits.event_bytes, fault: None, ends: Vec::new(), first: true };
    event.read(&mut writer, &mut Reader::new(ReadPolicy::Whole, limits))?;
    match writer.fault {
        Some(fault) => Err(fault),
        None => Ok((Cow::Owned(writer.out), false)),
    }
}

struct Writer {
    out: Vec<u8>,
    most: usize,
    fault: Option<EventError>,
    /// The open containers, by what closes them.
    ends: Vec<u8>,
    /// Whether the next entry is the first of its container.
    first: bool,
}

impl Writer {
    fn fail(&mut self, fault: EventError) {
        self.fault.get_or_insert(fault);
    }

    /// What comes before an element; a value after a key has it already.
    fn begin(&mut self) {
        if self.ends.last() == Some(&b']') {
            self.comma();
        }
        if self.out.len() > self.most {
            self.fail(EventError::limit_reached(Limit::EventBytes, None, "the event is too long"));
        }
    }

    fn comma(&mut self) {
        if !self.first {
            self.out.push(b',');
        }
        self.first = false;
    }

    fn open(&mut self, start: u8, end: u8) -> Want {
        self.begin();
        if self.fault.is_some() {
            return Want::Stop;
        }
        self.out.push(start);
        self.ends.push(end);
        self.first = true;
        Want::Read
    }

    fn close(&mut self) {
        self.out.extend(self.ends.pop());
        self.first = false;
    }

    fn string(&mut self, text: Text<'_>) {
        const HEX: &[u8; 16] = b"0123456789abcdef";
        self.out.push(b'"');
        for &byte in text.as_bytes() {
            match byte {
                b'"' | b'\\' => self.out.extend([b'\\', byte]),
                0..0x20 => {
                    let digit = |at: u8| HEX.get(usize::from(at)).copied().unwrap_or(b'0');
                    self.out.extend_from_slice(b"\\u00");
                    self.out.extend([digit(byte >> 4), digit(byte & 15)]);
                }
                _ => self.out.push(byte),
            }
        }
        self.out.push(b'"');
    }
}

impl Sink for Writer {
    fn key(&mut self, name: Text<'_>) -> Want {
        self.comma();
        self.string(name);
        self.out.push(b':');
        if self.fault.is_some() { Want::Stop } else { Want::Read }
    }

    fn scalar(&mut self, value: Scalar<'_>) {
        self.begin();
        match value {
            Scalar::String(text) => self.string(text),
            Scalar::Number(number) if number.as_bytes().is_empty() => {
                self.fail(EventError::foreign("expected a JSON number: one without a spelling cannot be explained"));
            }
            Scalar::Number(number) => self.out.extend_from_slice(number.as_bytes()),
            Scalar::Bool(value) => self.out.extend_from_slice(if value { b"true" } else { b"false" }),
            Scalar::Null => self.out.extend_from_slice(b"null"),
        }
    }

    fn begin_object(&mut self) -> Want {
        self.open(b'{', b'}')
    }

    fn end_object(&mut self) {
        self.close();
    }

    fn begin_array(&mut self) -> Want {
        self.open(b'[', b']')
    }

    fn end_array(&mut self) {
        self.close();
    }
}
