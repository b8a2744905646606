//! What subscriptions take: the raw input of their service, and the inputs that one text contains.

use std::borrow::Cow;
use std::ops::Range;

use super::bus::{BusEvent, entries};
use super::message::{Bare, SnsMessage};
use super::outcome::Effect;
use super::policies::Scope;
use crate::base::Span;
use crate::dialect::{Dialect, Source};
use crate::json::{EventError, Kind, Tree};
use crate::limit::Limits;

/// The raw input of a subscription.
///
/// ```
/// use eventrie::service::{Input, SnsMessage};
/// let message = SnsMessage::new("hello");
/// assert!(matches!(Input::from(&message), Input::Message(_)));
/// assert!(matches!(Input::from(r#"{"source": "shop"}"#), Input::Text(_)));
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Input<'a> {
    /// An event, a record, or a message as SNS delivers it to queues; for a policy over the body also the body alone.
    /// For a subscriber of a Custom Event Bus an event in any shape that [`BusEvent::parse`] reads.
    Text(&'a [u8]),
    /// A message of SNS.
    Message(&'a SnsMessage),
    /// An event of a Custom Event Bus.
    Event(&'a BusEvent<'a>),
}

impl<'a> From<&'a [u8]> for Input<'a> {
    fn from(text: &'a [u8]) -> Input<'a> {
        Input::Text(text)
    }
}

impl<'a, const N: usize> From<&'a [u8; N]> for Input<'a> {
    fn from(text: &'a [u8; N]) -> Input<'a> {
        Input::Text(text)
    }
}

impl<'a> From<&'a Vec<u8>> for Input<'a> {
    fn from(text: &'a Vec<u8>) -> Input<'a> {
        Input::Text(text)
    }
}

impl<'a> From<&'a str> for Input<'a> {
    fn from(text: &'a str) -> Input<'a> {
        Input::Text(text.as_bytes())
    }
}

impl<'a> From<&'a String> for Input<'a> {
    fn from(text: &'a String) -> Input<'a> {
        Input::Text(text.as_bytes())
    }
}

impl<'a> From<&'a SnsMessage> for Input<'a> {
    fn from(message: &'a SnsMessage) -> Input<'a> {
        Input::Message(message)
    }
}

impl<'a> From<&'a BusEvent<'a>> for Input<'a> {
    fn from(event: &'a BusEvent<'a>) -> Input<'a> {
        Input::Event(event)
    }
}

/// What a subscription takes, and so which subscriptions can be in one set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Takes {
    Events,
    Messages(Scope),
    Records(Dialect, Source),
    /// Events of a Custom Event Bus in three parts.
    Parts,
}

impl Takes {
    /// What subscriptions of a dialect take; none if it needs a source that is not given, or has none.
    pub(super) fn of(dialect: Dialect, source: Option<Source>) -> Result<Takes, &'static str> {
        match (dialect, source) {
            (Dialect::SnsAttributes, None) => Ok(Takes::Messages(Scope::Attributes)),
            (Dialect::SnsBody, None) => Ok(Takes::Messages(Scope::Body)),
            (Dialect::EventBridge | Dialect::EventsV2EventSource, None) => Ok(Takes::Events),
            (Dialect::EventsV2Data | Dialect::EventsV2Metadata | Dialect::EventsV2SystemMetadata, None) => {
                Ok(Takes::Parts)
            }
            (Dialect::Pipes | Dialect::Lambda, Some(source)) => Ok(Takes::Records(dialect, source)),
            (Dialect::Pipes | Dialect::Lambda, None) => Err("records differ between sources: name the source"),
            (_, Some(_)) => Err("only the filters of pipes and event source mappings have a source"),
        }
    }

    /// What the service does with an input that does not pass.
    pub(super) fn effect(self) -> Effect {
        match self {
            Takes::Events | Takes::Messages(_) | Takes::Parts => Effect::NotDelivered,
            Takes::Records(_, source) => source.effect(),
        }
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Takes::Events => "events",
            Takes::Messages(Scope::Attributes) => "the attributes of SNS messages",
            Takes::Messages(Scope::Body) => "the bodies of SNS messages",
            Takes::Records(..) => "records",
            Takes::Parts => "events of a Custom Event Bus",
        }
    }

    /// The inputs inside a string: the messages or records of what a function or a pipe was given. None if the text is one
    /// input itself.
    pub(super) fn inputs(self, text: &[u8]) -> Option<Vec<Range<usize>>> {
        match self {
            Takes::Events => None,
            Takes::Messages(_) => messages(text),
            Takes::Parts => entries(text),
            Takes::Records(_, source) => {
                let text = std::str::from_utf8(text).ok()?;
                let spans = source.records(text).ok()?;
                let whole = matches!(spans.as_slice(), [span] if span.slice(text).len() == text.trim().len());
                (!whole).then(|| spans.iter().copied().map(range).collect())
            }
        }
    }
}

/// The message that an input is.
pub(super) fn message(input: Input<'_>, scope: Scope) -> Result<Cow<'_, SnsMessage>, EventError> {
    match input {
        Input::Message(message) => Ok(Cow::Borrowed(message)),
        Input::Event(_) => Err(EventError::foreign("an SNS policy does not accept events of a Custom Event Bus")),
        Input::Text(text) => {
            let bare = if scope == Scope::Body { Bare::Body } else { Bare::No };
            SnsMessage::read(text, bare).map(Cow::Owned)
        }
    }
}

/// The text that an input is.
pub(super) fn text(input: Input<'_>) -> Result<&[u8], EventError> {
    match input {
        Input::Text(text) => Ok(text),
        Input::Message(_) => Err(EventError::foreign("this subscription does not accept SNS messages")),
        Input::Event(_) => Err(EventError::foreign("this subscription does not accept events of a Custom Event Bus")),
    }
}

fn range(span: Span) -> Range<usize> {
    span.start as usize..span.end as usize
}

/// The messages in `{"Records":[{"Sns":{…}}]}`.
fn messages(text: &[u8]) -> Option<Vec<Range<usize>>> {
    // The beginning decides: messages come by the thousand, and such events one by one.
    if !text.get(..200.min(text.len()))?.windows(9).any(|window| window == b"\"Records\"") {
        return None;
    }
    let tree = Tree::parse_event(text, &Limits::default()).ok()?;
    let member = |at: usize, name: &str| {
        tree.children(at).filter(|(_, node)| node.key.is_some_and(|key| tree.string(key) == name)).last()
    };
    let (list, _) = member(0, "Records").filter(|(_, node)| node.kind == Kind::Array)?;
    tree.children(list).map(|(record, _)| Some(range(member(record, "Sns")?.1.span))).collect()
}
