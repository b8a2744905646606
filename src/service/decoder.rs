//! The events that messages and records represent, without any pattern, and a pattern for them.

use std::ops::Range;

use super::bus::{BusEvent, Readable, Unpublished, bare};
use super::compiled::SubscriptionScratch;
use super::error::SubscriptionError;
use super::input::{Input, Takes, message};
use super::message::Quoting;
use super::outcome::Cause;
use super::payload::Projection;
use super::policies::{Scope, body};
use super::subscription::Subscription;
use super::unfiltered::not_filtered;
use crate::dialect::{Dialect, Source};
use crate::json::{EventError, EventErrorKind};
use crate::limit::Limits;
use crate::pattern::{ParseOptions, Pattern};
use crate::relate::{InferError, Inferred, infer_of};

/// Turns the raw input of a service into the events that patterns see, with everything decoded that any pattern could
/// name. Use it to see events before there are patterns; a [`Subscription`](super::Subscription) decodes what its own
/// patterns name.
///
/// ```
/// use eventrie::service::{Decoder, Source};
/// use eventrie::Dialect;
/// let decoder = Decoder::new(Dialect::Lambda, Source::Sqs)?;
/// let events = decoder.events(br#"{"Records": [{"body": "{\"a\": 1}"}, {"body": "plain"}]}"#)?;
/// assert_eq!(events[0].as_deref(), Ok(br#"{"body": {"a": 1}}"#.as_slice()));
/// assert_eq!(events[1].as_deref(), Ok(br#"{"body": "plain"}"#.as_slice()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Decoder {
    takes: Takes,
    dialect: Dialect,
    source: Option<Source>,
}

impl Decoder {
    /// A decoder for the input of patterns of a dialect.
    ///
    /// # Errors
    /// If a `source` is missing, or the dialect has none.
    pub fn new(dialect: Dialect, source: impl Into<Option<Source>>) -> Result<Decoder, SubscriptionError> {
        let source = source.into();
        let takes = Takes::of(dialect, source).map_err(|text| SubscriptionError::shape(None, text.to_owned()))?;
        Ok(Decoder { takes, dialect, source })
    }

    /// The places of the inputs inside what a function or a pipe is given. None if the text is one input itself.
    #[must_use]
    pub fn inputs(self, text: &[u8]) -> Option<Vec<Range<usize>>> {
        self.takes.inputs(text)
    }

    /// The events that the inputs inside a string represent, read as a [`Subscription`](super::Subscription) reads them; or
    /// why an input has none. Of an event of a Custom Event Bus it is the part that the dialect's scope names.
    ///
    /// # Errors
    /// If the text is not what the service takes.
    pub fn events(self, text: &[u8]) -> Result<Vec<Result<Vec<u8>, Cause>>, EventError> {
        match self.inputs(text) {
            Some(places) => places.into_iter().map(|place| self.event(text.get(place).unwrap_or(&[]))).collect(),
            None => Ok(vec![self.event(text)?]),
        }
    }

    /// Proposes a pattern for inputs, as [`infer`](crate::relate::infer) does for events. It matches each input as the service
    /// reads it, and tests no field that the service does not filter on. Each input is one event, message or record: what
    /// [`Decoder::inputs`] finds in a larger one.
    ///
    /// # Errors
    /// If one of the inputs has no event to infer from: the error says which, and [`Decoder::events`] why.
    ///
    /// ```
    /// use eventrie::service::{Decoder, Source};
    /// use eventrie::Dialect;
    /// let decoder = Decoder::new(Dialect::Lambda, Source::Sqs)?;
    /// let record = br#"{"body": "{\"type\": \"order\"}", "eventSource": "aws:sqs"}"#;
    /// assert_eq!(decoder.infer([record.as_slice()])?.pattern, r#"{"body":{"type":["order"]}}"#);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn infer<'i>(self, inputs: impl IntoIterator<Item = &'i [u8]>) -> Result<Inferred, InferError> {
        let (mut raw, mut events): (Vec<&[u8]>, Vec<String>) = (Vec::new(), Vec::new());
        for input in inputs {
            let refused = |error| InferError::new(raw.len(), error);
            let event = self.event(input).map_err(refused)?;
            let event = event.map_err(|_| refused(EventError::foreign("no filter receives an event of it")))?;
            let not_text = |_| refused(EventError::new(EventErrorKind::Utf8, 0, "the event is not valid UTF-8"));
            events.push(String::from_utf8(event).map_err(not_text)?);
            raw.push(input);
        }
        let options = ParseOptions::new(self.dialect);
        let matches = |pattern: &Pattern, first: usize| {
            let mut scratch = SubscriptionScratch::default();
            let mut passes =
                |one: &Subscription, input: &[u8]| one.judge(input, &mut scratch).is_ok_and(|outcome| outcome.matched);
            Subscription::new([pattern.clone()], &options, self.source)
                .is_ok_and(|subscription| raw.iter().take(first).all(|input| passes(&subscription, input)))
        };
        let hidden = |path: &str| not_filtered(self.dialect, self.source, path);
        infer_of(events.iter().map(String::as_str), self.dialect, &hidden, &matches)
    }

    fn event(self, text: &[u8]) -> Result<Result<Vec<u8>, Cause>, EventError> {
        let limits = Limits::default();
        match self.takes {
            Takes::Events => Ok(Ok(text.to_vec())),
            Takes::Parts => part(&bare(text, &Unpublished::default(), self.dialect.scope())?, self.dialect, &limits),
            Takes::Messages(scope @ Scope::Attributes) => {
                let message = message(Input::Text(text), scope)?;
                Ok(message.attributes_as_json(Quoting::Strict).map(String::into_bytes).map_err(Cause::Sns))
            }
            Takes::Messages(scope @ Scope::Body) => Ok(body(&*message(Input::Text(text), scope)?).map_err(Cause::Sns)),
            Takes::Records(dialect, source) => {
                Ok(Ok(Projection { source, dialect, named: [true; 2] }.event(text, &limits)?))
            }
        }
    }
}

/// The part of an event of a Custom Event Bus that filters of a scope see.
fn part(event: &BusEvent<'_>, dialect: Dialect, limits: &Limits) -> Result<Result<Vec<u8>, Cause>, EventError> {
    let is_data = dialect == Dialect::EventsV2Data;
    if let Some(why) = event.undecided(is_data, &[]) {
        return Err(EventError::foreign(why));
    }
    if is_data {
        match event.readable(limits)? {
            Readable::Object => {}
            Readable::Other => return Ok(Err(Cause::DataIsNotAnObject)),
            Readable::Opaque => return Ok(Err(Cause::DataIsOpaque)),
        }
    }
    Ok(Ok(event.part_as_json(dialect.scope().unwrap_or("DATA"))))
}
