//! The events that messages and records represent, without any pattern.

use std::ops::Range;

use super::bus::{BusEvent, Unpublished};
use super::error::SubscriptionError;
use super::input::Takes;
use super::message::{Bare, Quoting, SnsMessage};
use super::outcome::Cause;
use super::payload::Projection;
use super::policies::Scope;
use crate::dialect::{Dialect, Source};
use crate::json::EventError;
use crate::limit::Limits;

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
pub struct Decoder(Takes);

impl Decoder {
    /// A decoder for the input of patterns of a dialect.
    ///
    /// # Errors
    /// If a `source` is missing, or the dialect has none.
    pub fn new(dialect: Dialect, source: impl Into<Option<Source>>) -> Result<Decoder, SubscriptionError> {
        let takes = Takes::of(dialect, source.into());
        takes.map(Decoder).map_err(|text| SubscriptionError::shape(None, text.to_owned()))
    }

    /// The places of the inputs inside what a function or a pipe is given. None if the text is one input itself.
    #[must_use]
    pub fn inputs(self, text: &[u8]) -> Option<Vec<Range<usize>>> {
        self.0.inputs(text)
    }

    /// The events that the inputs inside a string represent; or why a message has none. An object without
    /// `MessageAttributes` counts as the attributes themselves, one without `Message` as the body.
    ///
    /// # Errors
    /// If the text is not what the service takes.
    pub fn events(self, text: &[u8]) -> Result<Vec<Result<Vec<u8>, Cause>>, EventError> {
        match self.inputs(text) {
            Some(places) => places.into_iter().map(|place| self.event(text.get(place).unwrap_or(&[]))).collect(),
            None => Ok(vec![self.event(text)?]),
        }
    }

    fn event(self, text: &[u8]) -> Result<Result<Vec<u8>, Cause>, EventError> {
        Ok(match self.0 {
            Takes::Events => Ok(text.to_vec()),
            Takes::Parts => Ok(BusEvent::parse(text, &Unpublished::default())?.data().to_vec()),
            Takes::Messages(Scope::Attributes) => match SnsMessage::with_attributes(text)? {
                Some(message) => {
                    message.attributes_as_json(Quoting::Strict).map(String::into_bytes).map_err(Cause::Sns)
                }
                None => Ok(text.to_vec()),
            },
            Takes::Messages(Scope::Body) => Ok(SnsMessage::read(text, Bare::Body)?.body().as_bytes().to_vec()),
            Takes::Records(dialect, source) => {
                Ok(Projection { source, dialect, named: [true; 2] }.event(text, &Limits::default())?)
            }
        })
    }
}
