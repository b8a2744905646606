//! The calls in which any kind of event is reported: keys, scalars, brackets.

use super::lex;

/// A piece of UTF-8 text as bytes. Readers that have validated the event already need not do it twice.
///
/// ```
/// use eventrie::event::Text;
/// assert_eq!(Text::from("aws.ec2").as_bytes(), b"aws.ec2");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Text<'a>(&'a [u8]);

impl<'a> Text<'a> {
    /// INVARIANT of the callers: `bytes` lie in text that was, or is going to be before the answer is given, found to
    /// be valid UTF-8. Nothing unsafe depends on it.
    #[inline]
    pub(crate) fn from_valid(bytes: &'a [u8]) -> Text<'a> {
        Text(bytes)
    }

    /// The UTF-8 bytes.
    #[must_use]
    #[inline]
    pub fn as_bytes(self) -> &'a [u8] {
        self.0
    }
}

impl<'a> From<&'a str> for Text<'a> {
    #[inline]
    fn from(text: &'a str) -> Text<'a> {
        Text(text.as_bytes())
    }
}

/// A string, number, boolean or null.
///
/// Strings are unescaped; a lone surrogate escape becomes `?`, as the service compares it. Numbers keep the spelling of the event (`3.0e2` is not rewritten).
///
/// ```
/// use eventrie::event::Scalar;
/// let scalar = Scalar::string("running");
/// assert!(matches!(scalar, Scalar::String(_)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scalar<'a> {
    /// A string, unescaped.
    String(Text<'a>),
    /// A number, as JSON spells it.
    Number(Number<'a>),
    /// `true` or `false`.
    Bool(bool),
    /// `null`
    Null,
}

impl<'a> Scalar<'a> {
    /// A string scalar.
    #[must_use]
    pub fn string(text: &'a str) -> Scalar<'a> {
        Scalar::String(Text::from(text))
    }

    /// A number scalar from its JSON spelling. A string that is not a JSON number (`007`, `NaN`) makes a number that
    /// nothing equals; [`Number::new`] returns `None` instead.
    ///
    /// ```
    /// use eventrie::event::{Number, Scalar};
    /// assert_eq!(Some(Scalar::number("1e3")), Number::new("1e3").map(Scalar::Number));
    /// assert_eq!(Scalar::number("007"), Scalar::number("NaN"));
    /// ```
    #[must_use]
    pub fn number(spelling: &'a str) -> Scalar<'a> {
        Scalar::Number(Number::new(spelling).unwrap_or(Number(b"")))
    }
}

/// A number as JSON spells it; no other spelling can be made.
///
/// ```
/// use eventrie::event::Number;
/// assert_eq!(Number::new("3.0e2").unwrap().as_bytes(), b"3.0e2");
/// assert_eq!(Number::new("007"), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Number<'a>(&'a [u8]);

impl<'a> Number<'a> {
    /// The number that `spelling` is in JSON, if it is one.
    #[must_use]
    pub fn new(spelling: &'a str) -> Option<Number<'a>> {
        Number::of_bytes(spelling.as_bytes())
    }

    /// As [`Number::new`].
    pub(crate) fn of_bytes(spelling: &'a [u8]) -> Option<Number<'a>> {
        // What compares numbers takes their grammar for granted.
        (lex::number(spelling, 0) == Some(spelling.len())).then_some(Number(spelling))
    }

    /// INVARIANT of the callers: `spelling` was, or is going to be before the answer is given, found to be a JSON number.
    #[inline]
    pub(crate) fn from_valid(spelling: &'a [u8]) -> Number<'a> {
        Number(spelling)
    }

    /// The spelling. Empty for the number that nothing equals.
    #[must_use]
    #[inline]
    pub fn as_bytes(self) -> &'a [u8] {
        self.0
    }
}

/// How much of the next value a [`Sink`] wants to receive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Want {
    /// Nothing of this value: go on after it.
    Skip,
    /// The value, with everything inside.
    Read,
    /// Nothing from here to the end of the enclosing object; its end is reported.
    Leave,
    /// Nothing more at all: everything of interest is decided.
    Stop,
}

/// Receives an event as a stream of calls, in order.
///
/// The first call is `begin_object`, the last `end_object`, for the event itself. In an object each value follows its `key`,
/// and only if `key` answered [`Want::Read`]; in an array, values follow each other. Every `begin_…` that was answered
/// [`Want::Read`] gets its `end_…`; after any other answer the inside and the end are left out.
pub trait Sink {
    /// A key of the innermost open object, unescaped.
    fn key(&mut self, name: Text<'_>) -> Want;
    /// A string, number, boolean or null.
    fn scalar(&mut self, value: Scalar<'_>);
    /// An object begins: `Read` or `Skip` it.
    fn begin_object(&mut self) -> Want;
    /// The innermost object ends.
    fn end_object(&mut self);
    /// An array begins: `Read` or `Skip` it.
    fn begin_array(&mut self) -> Want;
    /// The innermost array ends.
    fn end_array(&mut self);
}
