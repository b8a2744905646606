//! What can be wrong with JSON text, in enough detail for good messages.

use super::error::{EventError, EventErrorKind};
use crate::base::Span;
use crate::limit::Limit;

/// The first fault of the input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SyntaxError {
    pub(crate) kind: SyntaxKind,
    /// The first byte that cannot be right; the text's length where the text ends too early. For a whole token that
    /// is wrong (a word, a limit) its first byte.
    pub(crate) at: u32,
    /// The token or character to point at. Empty at the end of the text.
    pub(crate) span: Span,
}

/// The kinds of fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SyntaxKind {
    /// A character where something else was expected; `span` covers it.
    Character(Expected),
    /// The text ends where something was expected. `span` covers a literal that was begun, or nothing.
    Truncated(Expected),
    /// The text ends inside the string `span`: a key or a value.
    UnterminatedString(Expected),
    /// The text ends inside the number `span`.
    UnfinishedNumber,
    /// A word that is not `true`, `false` or `null`; `span` covers it.
    Word,
    /// `NaN`, `Infinity`, `-Infinity`: a number to others, not in JSON.
    NonFinite,
    /// A malformed number; `span` reaches from its begin over the offending character.
    Number(NumberFault),
    /// A raw control character inside a string.
    ControlCharacter,
    /// A backslash before a letter that means nothing; `span` covers both.
    Escape,
    /// `\u` without four hexadecimal digits; `span` reaches from the backslash over the offending character.
    UnicodeEscape,
    /// Bytes that are not UTF-8.
    Utf8,
    /// A limit was reached.
    Limit(Limit),
    /// Something comes after the root value (only where that is refused).
    Trailing,
    /// The root is not an object (only where that is refused).
    NotAnObject,
}

/// What could have stood at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Expected {
    /// The root value.
    Root,
    /// A member's value, or an element after a comma.
    Value,
    /// The first element or `]`.
    ElementOrEnd,
    /// A key, after a comma.
    Key,
    /// The first key or `}`.
    KeyOrEnd,
    /// The colon after a key.
    Colon,
    /// `,` or `}`
    CommaOrObjectEnd,
    /// `,` or `]`
    CommaOrArrayEnd,
}

impl Expected {
    /// What was expected, as the beginning of a sentence about an event.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Expected::Root | Expected::Value => "expected a value",
            Expected::ElementOrEnd => "expected a value or `]`",
            Expected::Key => "expected a double-quoted key",
            Expected::KeyOrEnd => "expected a double-quoted key or `}`",
            Expected::Colon => "expected `:` between a key and its value",
            Expected::CommaOrObjectEnd => "expected `,` or `}`",
            Expected::CommaOrArrayEnd => "expected `,` or `]`",
        }
    }

    /// Whether a value could have stood there.
    pub(crate) fn value(self) -> bool {
        match self {
            Expected::Root | Expected::Value | Expected::ElementOrEnd => true,
            Expected::Key
            | Expected::KeyOrEnd
            | Expected::Colon
            | Expected::CommaOrObjectEnd
            | Expected::CommaOrArrayEnd => false,
        }
    }
}

/// Where a number breaks its grammar: no digit follows, or one too many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NumberFault {
    AfterMinus,
    LeadingZero,
    AfterPoint,
    AfterExponent,
}

impl NumberFault {
    /// What is wrong with the number.
    pub(crate) fn message(self) -> &'static str {
        match self {
            NumberFault::AfterMinus => "expected a digit after the minus of a number",
            NumberFault::LeadingZero => "a number must not begin with a zero before other digits",
            NumberFault::AfterPoint => "expected a digit after the decimal point of a number",
            NumberFault::AfterExponent => "expected a digit in the exponent of a number",
        }
    }
}

impl SyntaxError {
    #[cold]
    pub(crate) fn new(kind: SyntaxKind, at: usize, start: usize, end: usize) -> SyntaxError {
        SyntaxError { kind, at: clamp(at), span: Span::new(clamp(start), clamp(end)) }
    }

    /// The same fault as one of an event.
    #[cold]
    pub(crate) fn in_event(self) -> EventError {
        let at = self.at as usize;
        let syntax = |message| EventError::new(EventErrorKind::Syntax, at, message);
        match self.kind {
            SyntaxKind::Character(expected) => syntax(expected.name()),
            // Of `tru` as well it is the root that is missing, but there is something.
            SyntaxKind::Truncated(Expected::Root) if self.span.is_empty() => {
                EventError::new(EventErrorKind::Truncated, at, "the event is empty")
            }
            SyntaxKind::Truncated(_) => EventError::new(EventErrorKind::Truncated, at, "the event is cut off"),
            SyntaxKind::UnterminatedString(_) => {
                EventError::new(EventErrorKind::Truncated, at, "the event is cut off inside a string")
            }
            SyntaxKind::UnfinishedNumber => {
                EventError::new(EventErrorKind::Truncated, at, "the event is cut off inside a number")
            }
            SyntaxKind::Word => syntax("expected a value, found a word that is not `true`, `false` or `null`"),
            SyntaxKind::NonFinite => syntax("expected a value, found NaN or an infinite number"),
            SyntaxKind::Number(fault) => syntax(fault.message()),
            SyntaxKind::ControlCharacter => syntax("expected an escape, found a control character in a string"),
            SyntaxKind::Escape => syntax("expected a JSON escape after the backslash"),
            SyntaxKind::UnicodeEscape => syntax("expected four hexadecimal digits after `\\u`"),
            SyntaxKind::Utf8 => EventError::new(EventErrorKind::Utf8, at, "the event is not valid UTF-8"),
            SyntaxKind::Limit(limit) => EventError::limit_reached(
                limit,
                Some(at),
                match limit {
                    Limit::Depth => "objects and arrays are nested too deeply",
                    Limit::NumberBytes => "a number is too long",
                    Limit::KeyBytes => "a key is too long",
                    Limit::PatternBytes
                    | Limit::EventBytes
                    | Limit::OrCombinations
                    | Limit::PathsPerBranch
                    | Limit::PathBytes
                    | Limit::TableBytes
                    | Limit::JoinSteps => "the event is too long",
                },
            ),
            SyntaxKind::Trailing => EventError::new(EventErrorKind::Trailing, at, "expected the end of the event"),
            SyntaxKind::NotAnObject => EventError::new(EventErrorKind::NotAnObject, at, "the event is not an object"),
        }
    }
}

fn clamp(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}
