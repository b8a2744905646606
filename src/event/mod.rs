//! What can be matched: JSON text, parsed values, and any type that implements [`Event`].

mod counters;
mod ndjson;
#[cfg(any(feature = "serde_json", feature = "simd-json-0_17"))]
mod parsed;
#[cfg(test)]
mod tests;
mod texts;
mod writer;

pub use counters::Counters;
pub use ndjson::{Line, Ndjson, NdjsonError};

pub(crate) use writer::text;

pub use crate::json::{EventError, EventErrorKind, Number, ReadPolicy, Reader, Scalar, Sink, Text, Want};

/// Anything that can be matched: JSON text, a parsed value, or a type of your own that reports itself as one object.
///
/// Implemented for JSON text (`[u8]`, `str` and what owns or borrows them), which is read at its fastest, and by feature
/// for parsed values of `serde_json` and `simd-json`. Duplicate keys and the spelling of numbers are only seen in text.
///
/// # Implementing it
///
/// [`read`](Event::read) passes the object to the sink in order, and heeds what it answers, as the documentation of
/// [`Sink`] describes. `reader` serves implementations that have JSON text, which pass it on; others may
/// ignore it, or take the nesting limit from it. A source that fails reports [`EventError::foreign`].
///
/// ```
/// use eventrie::event::{Reader, Scalar, Sink, Want};
/// use eventrie::{Event, EventError};
///
/// struct Temperature(i32);
///
/// impl Event for Temperature {
///     fn read<S: Sink>(&self, sink: &mut S, _reader: &mut Reader) -> Result<(), EventError> {
///         if sink.begin_object() == Want::Read {
///             if sink.key("celsius".into()) == Want::Read {
///                 sink.scalar(Scalar::number(&self.0.to_string()));
///             }
///             sink.end_object();
///         }
///         Ok(())
///     }
/// }
///
/// /// JSON text with something in front.
/// struct Framed<'a>(&'a [u8]);
///
/// impl Event for Framed<'_> {
///     fn read<S: Sink>(&self, sink: &mut S, reader: &mut Reader) -> Result<(), EventError> {
///         let text = self.0.get(4..).ok_or(EventError::foreign("the frame is too short"))?;
///         text.read(sink, reader)
///     }
/// }
/// # let _ = (Temperature(3), Framed(b""));
/// ```
pub trait Event {
    /// Passes the event to `sink`, key by key. After an error, what was passed means nothing.
    ///
    /// # Errors
    ///
    /// The event is malformed, is not an object, or reaches a limit.
    fn read<S: Sink>(&self, sink: &mut S, reader: &mut Reader) -> Result<(), EventError>;

    /// The event's JSON text, if that is what the event is: explanations then point at places in it. Without one they
    /// name places by JSON pointer.
    fn text(&self) -> Option<&[u8]> {
        None
    }
}
