//! What can be wrong with an event.

use crate::limit::Limit;

/// Why an event could not be read, and where.
///
/// ```
/// use eventrie::event::EventErrorKind;
/// use eventrie::{Dialect, Matcher, Pattern, Scratch};
/// let pattern = Pattern::parse(r#"{"a":["x"]}"#, Dialect::EventBridge)?;
/// let matcher = Matcher::new([pattern])?;
/// let error = matcher.matches(r#"{"a":tru}"#, &mut Scratch::default()).unwrap_err();
/// assert_eq!(error.offset(), Some(5));
/// assert_eq!(error.kind(), EventErrorKind::Syntax);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventError {
    offset: Option<usize>,
    kind: EventErrorKind,
    limit: Option<Limit>,
    message: &'static str,
}

/// What kind of fault an [`EventError`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum EventErrorKind {
    /// The text is not JSON.
    Syntax,
    /// The text ends before the event does.
    Truncated,
    /// A string or key is not valid UTF-8.
    Utf8,
    /// The event is JSON, but not an object.
    NotAnObject,
    /// There is text after the event's closing brace.
    Trailing,
    /// One of the [`Limits`](crate::Limits) was reached; [`EventError::limit`] names it.
    Limit,
    /// A foreign [`Event`](crate::Event) reported a failure of its own.
    Foreign,
}

impl EventError {
    pub(crate) fn new(kind: EventErrorKind, offset: usize, message: &'static str) -> EventError {
        EventError { offset: Some(offset), kind, limit: None, message }
    }

    pub(crate) fn limit_reached(limit: Limit, offset: Option<usize>, message: &'static str) -> EventError {
        EventError { offset, kind: EventErrorKind::Limit, limit: Some(limit), message }
    }

    /// For events that are not text.
    #[cfg_attr(
        not(any(feature = "serde_json", feature = "simd-json-0_17")),
        expect(dead_code, reason = "only parsed values")
    )]
    pub(crate) fn not_an_object() -> EventError {
        let message = "the event is not an object";
        EventError { offset: None, kind: EventErrorKind::NotAnObject, limit: None, message }
    }

    /// The error that implementations of [`Event`](crate::Event) return when their source fails.
    ///
    /// ```
    /// use eventrie::event::EventErrorKind;
    /// use eventrie::EventError;
    /// let error = EventError::foreign("the map has a key that is not text");
    /// assert_eq!(error.kind(), EventErrorKind::Foreign);
    /// assert_eq!(error.to_string(), "the map has a key that is not text");
    /// ```
    #[must_use]
    pub fn foreign(message: &'static str) -> EventError {
        EventError { offset: None, kind: EventErrorKind::Foreign, limit: None, message }
    }

    /// The byte of the event text at which the fault was found; none if the event was not text.
    #[must_use]
    pub fn offset(&self) -> Option<usize> {
        self.offset
    }

    /// The message without the place.
    pub(crate) fn without_place(&self) -> String {
        match self.limit {
            Some(limit) => format!("{} (limit `{limit}`)", self.message),
            None => self.message.to_owned(),
        }
    }

    /// What is wrong.
    #[must_use]
    pub fn kind(&self) -> EventErrorKind {
        self.kind
    }

    /// The limit that was reached, if it was one.
    #[must_use]
    pub fn limit(&self) -> Option<Limit> {
        self.limit
    }
}

impl std::error::Error for EventError {}

impl std::fmt::Display for EventError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.message)?;
        if let Some(limit) = self.limit {
            write!(f, " (limit `{limit}`)")?;
        }
        match self.offset {
            Some(offset) => write!(f, " at byte {offset}"),
            None => Ok(()),
        }
    }
}
