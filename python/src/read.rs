//! Events as people have them: lines, arrays, packed files, and what services wrap around an event.

use std::io::{Cursor, Read};

use eventrie::Dialect;
use eventrie::service::Source;
use eventrie_files::EventStream;
use eventrie_files::envelope::{Inner, Opened, Wanted, open};
use pyo3::exceptions::{PyOSError, PyUserWarning};
use pyo3::prelude::*;
use pyo3::pybacked::{PyBackedBytes, PyBackedStr};

use crate::event::Input;
use crate::subscription::source_of;
use crate::{errors, options};

/// An event that ``read_events`` found.
#[pyclass(frozen, module = "eventrie", get_all)]
pub(crate) struct ReadEvent {
    /// The event's JSON text: as it was spelled, or as EventBridge builds it from an entry or a record.
    text: String,
    /// The line that it begins on, or that the envelope around it begins on, counted from 1.
    line: u64,
    /// The event's place in its envelope, as a JSON Pointer that also leads into strings that contain JSON.
    pointer: String,
    /// The envelopes around it, from outside to inside, such as ``["an SQS message", "an SNS notification"]``.
    envelopes: Vec<&'static str>,
    /// What the text was and what it is read as, in one sentence; None for an event without an envelope.
    note: Option<String>,
    /// Why EventBridge would not accept this entry of a request; None if it would.
    refused: Option<String>,
    /// The name of the event bus, if the envelope names one.
    bus: Option<String>,
}

#[pymethods]
impl ReadEvent {
    fn __str__(&self) -> &str {
        &self.text
    }

    fn __repr__(&self) -> String {
        match &self.note {
            Some(note) => format!("<ReadEvent line {}: {note}>", self.line),
            None => format!("<ReadEvent line {}>", self.line),
        }
    }
}

/// Finds the events in JSON lines, one or several documents, an array (all of these plain or packed with gzip), and the
/// envelopes of services (a PutEvents request, SQS and SNS messages, log events, trails, Kinesis and Firehose records).
///
/// >>> import eventrie
/// >>> entry = {"Source": "shop", "DetailType": "order", "Detail": '{"total": 5}'}
/// >>> (event,) = eventrie.read_events({"Entries": [entry]})
/// >>> event.envelopes
/// ['a PutEvents request', 'a PutEvents entry']
/// >>> eventrie.Pattern({"detail": {"total": [5]}}).matches(event.text)
/// True
///
/// Matching never unwraps envelopes, because a pattern may be meant for the envelope itself. ``events`` is text, bytes,
/// a mapping such as the ``event`` of a Lambda handler, or a path (``pathlib.Path``) to a file. With an SNS dialect the
/// messages are found instead, and with ``source="sqs"`` the records that a pipe or an event source mapping receives.
///
/// Events are separated here, not validated: a malformed line is an event that raises ``EventError`` when it is matched. Text in
/// which no event can be found raises it here, with the line. Messages in an envelope that are not JSON are skipped with a
/// warning.
#[pyfunction]
#[pyo3(signature = (events, dialect = "eventbridge", *, source = None))]
pub(crate) fn read_events(events: &Bound<'_, PyAny>, dialect: &str, source: Option<&str>) -> PyResult<Vec<ReadEvent>> {
    let py = events.py();
    let (dialect, source) = (options::dialect(dialect)?, source.map(source_of).transpose()?);
    let wanted = match dialect {
        Dialect::EventBridge => Some(Wanted::Event),
        Dialect::Pipes | Dialect::Lambda if source == Some(Source::Sqs) => Some(Wanted::Record),
        Dialect::SnsAttributes | Dialect::SnsBody => Some(Wanted::Message),
        _ => None,
    };
    let given = Given::new(events)?;
    let mut reading = Reading { wanted, found: Vec::new(), warnings: Vec::new() };
    let done = py.detach(|| reading.all(given));
    for warning in &reading.warnings {
        let text = std::ffi::CString::new(warning.as_str())?;
        PyErr::warn(py, &py.get_type::<PyUserWarning>(), &text, 1)?;
    }
    done.map_err(|fault| match fault {
        Fault::Event(message, index) => errors::reading(py, &message, index),
        Fault::File(error) => error.into(),
    })?;
    Ok(reading.found)
}

/// The input, to read without Python.
enum Given {
    Text(PyBackedStr),
    Bytes(PyBackedBytes),
    Written(String),
    File(std::fs::File),
}

impl Given {
    fn new(events: &Bound<'_, PyAny>) -> PyResult<Given> {
        if events.hasattr("__fspath__")? {
            let path: std::path::PathBuf = events.extract()?;
            return match std::fs::File::open(&path) {
                Ok(file) => Ok(Given::File(file)),
                Err(error) => {
                    let name = path.display().to_string();
                    Err(PyOSError::new_err((error.raw_os_error(), error.to_string(), name)))
                }
            };
        }
        Ok(match Input::new(events)? {
            Input::Text(text) => Given::Text(text),
            Input::Bytes(bytes) => Given::Bytes(bytes),
            Input::Mapping(mapping) => Given::Written(options::json_text(&mapping, "events")?),
        })
    }

    fn reader(self) -> Box<dyn Read> {
        match self {
            Given::Text(text) => Box::new(Cursor::new(Utf8(text))),
            Given::Bytes(bytes) => Box::new(Cursor::new(bytes)),
            Given::Written(text) => Box::new(Cursor::new(text)),
            Given::File(file) => Box::new(file),
        }
    }
}

struct Utf8(PyBackedStr);

impl AsRef<[u8]> for Utf8 {
    fn as_ref(&self) -> &[u8] {
        self.0.as_bytes()
    }
}

/// Why reading stopped.
enum Fault {
    /// What is wrong, and at which event.
    Event(String, Option<u64>),
    /// The file cannot be read.
    File(std::io::Error),
}

impl From<std::io::Error> for Fault {
    /// Errors that are not the system's are about the text: a damaged archive, an event that is too long.
    fn from(error: std::io::Error) -> Fault {
        match error.raw_os_error() {
            Some(_) => Fault::File(error),
            None => Fault::Event(error.to_string(), None),
        }
    }
}

struct Reading {
    wanted: Option<Wanted>,
    found: Vec<ReadEvent>,
    warnings: Vec<String>,
}

impl Reading {
    fn all(&mut self, given: Given) -> Result<(), Fault> {
        let mut stream = EventStream::from_reader("events", given.reader())?;
        while let Some((text, items)) = stream.next_batch()? {
            for item in items {
                let at = |message: &str| Fault::Event(format!("line {}: {message}", item.line), Some(item.number));
                if let Some(fault) = item.fault {
                    return Err(at(fault));
                }
                let bytes = text.get(item.range.clone()).unwrap_or_default().trim_ascii();
                match self.wanted.and_then(|wanted| open(bytes, wanted)) {
                    None => {
                        let text = std::str::from_utf8(bytes).map_err(|_| at("the event is not UTF-8"))?;
                        self.found.push(plain(text, item.line));
                    }
                    Some(opened) => self.envelope(&opened, item.line).map_err(|why| at(&why))?,
                }
            }
        }
        Ok(())
    }

    fn envelope(&mut self, opened: &Opened, line: u64) -> Result<(), String> {
        if let Some(why) = opened.why_empty() {
            return Err(format!("no events found: {why}"));
        }
        if opened.is_cut() {
            return Err("more than 256 MiB of events in one document; split the document".to_owned());
        }
        match opened.skipped() {
            0 => {}
            1 => self.warnings.push(format!("line {line}: 1 message inside is not JSON; skipped")),
            count => self.warnings.push(format!("line {line}: {count} messages inside are not JSON; skipped")),
        }
        self.found.extend(opened.events().iter().map(|inner| unwrapped(inner, line)));
        Ok(())
    }
}

fn plain(text: &str, line: u64) -> ReadEvent {
    let (pointer, envelopes) = (String::new(), Vec::new());
    ReadEvent { text: text.to_owned(), line, pointer, envelopes, note: None, refused: None, bus: None }
}

fn unwrapped(inner: &Inner, line: u64) -> ReadEvent {
    ReadEvent {
        text: inner.text().to_owned(),
        line,
        pointer: inner.pointer().to_owned(),
        envelopes: inner.layers().iter().map(|layer| layer.name()).collect(),
        note: Some(inner.sentence()),
        refused: inner.refused().map(str::to_owned),
        bus: inner.bus().map(str::to_owned),
    }
}
