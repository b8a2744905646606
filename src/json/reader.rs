//! Tells a [`Sink`] what an event's text holds: forward only, without recursion, and without allocation once warm.

use super::block::{Level, Tokens};
use super::early;
use super::error::EventError;
use super::fault::SyntaxError;
use super::lex::{self, Quoted};
use super::sink::{Scalar, Sink, Text, Want};
use super::tell::tell;
use super::walk::{self, Literal, Visit};
use crate::limit::Limits;

/// How much of an event is read.
///
/// For every well-formed event in which no path comes twice both policies give the same answer. (A path comes twice if
/// an object has a key twice, or if a key with dots is given beside the nesting that it stands for.)
///
/// ```
/// use eventrie::ReadPolicy;
/// assert_eq!(ReadPolicy::default(), ReadPolicy::Whole);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum ReadPolicy {
    /// The entire event is validated, wherever a fault lies: a malformed event is always an error, never a wrong
    /// answer.
    #[default]
    Whole,
    /// Values that no pattern names are skipped by their brackets and quotes alone, and reading stops when everything
    /// of interest is decided. Several times faster. A fault inside of a skipped value, a limit reached there, a
    /// malformed tail, and duplicate keys behind the end of reading are not seen.
    Early,
}

/// Reads event texts, with buffers that are used again. It lives in the scratch space of a matcher; an
/// [`Event`](crate::Event) implementation of your own that wraps JSON text hands it on to the text.
#[derive(Clone, Debug, Default)]
pub struct Reader {
    policy: ReadPolicy,
    limits: Limits,
    level: Level,
    tokens: Tokens,
    /// The ends of the containers that are being told.
    ends: Vec<u32>,
    /// Holds the unescaped form of the string at hand.
    pub(crate) buffer: Vec<u8>,
}

impl Reader {
    /// A reader, for trying out an [`Event`](crate::Event) implementation by itself; matchers bring their own.
    ///
    /// ```
    /// use eventrie::{Event, Limits, ReadPolicy, Reader, Scalar, Sink, Text, Want};
    ///
    /// #[derive(Default)]
    /// struct Count(usize);
    ///
    /// impl Sink for Count {
    ///     fn key(&mut self, name: Text<'_>) -> Want {
    ///         if name.as_bytes() == b"unwanted" { Want::Skip } else { Want::Read }
    ///     }
    ///     fn scalar(&mut self, _value: Scalar<'_>) {
    ///         self.0 += 1;
    ///     }
    ///     fn begin_object(&mut self) -> Want {
    ///         Want::Read
    ///     }
    ///     fn end_object(&mut self) {}
    ///     fn begin_array(&mut self) -> Want {
    ///         Want::Read
    ///     }
    ///     fn end_array(&mut self) {}
    /// }
    ///
    /// let mut reader = Reader::new(ReadPolicy::Whole, &Limits::default());
    /// let mut count = Count::default();
    /// r#"{"a": [1, true], "unwanted": {"b": 2}, "c": null}"#.read(&mut count, &mut reader)?;
    /// assert_eq!(count.0, 3);
    /// # Ok::<(), eventrie::EventError>(())
    /// ```
    #[must_use]
    pub fn new(policy: ReadPolicy, limits: &Limits) -> Reader {
        Reader { policy, limits: limits.clone(), ..Reader::default() }
    }

    /// Takes on another policy and other limits, and keeps the buffers.
    pub(crate) fn configure(&mut self, policy: ReadPolicy, limits: &Limits) {
        self.policy = policy;
        self.limits.clone_from(limits);
    }

    /// How many levels of instructions this processor has.
    pub(crate) fn levels() -> usize {
        Level::available().count()
    }

    /// Reads with the instructions of a level, from 0 for none.
    pub(crate) fn choose_level(&mut self, level: usize) {
        if let Some(level) = Level::available().nth(level) {
            self.level = level;
        }
    }

    /// Reads with other instructions than the best there are.
    #[cfg(test)]
    pub(crate) fn set_level(&mut self, level: Level) {
        self.level = level;
    }

    /// The policy in force. An event that is not text has nothing to validate and may ignore it.
    #[must_use]
    pub fn policy(&self) -> ReadPolicy {
        self.policy
    }

    /// The limits in force. An event that is not text should keep [`Limits::depth`] when it recurs.
    #[must_use]
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Tells `sink` the event in `text`. `UTF8` says that the text is known to be UTF-8. After an error, what was told
    /// means nothing.
    #[inline]
    pub(crate) fn read<S: Sink, const UTF8: bool>(&mut self, text: &[u8], sink: &mut S) -> Result<(), EventError> {
        let result = walk::check_length(text, &self.limits).and_then(|()| match self.policy {
            ReadPolicy::Whole => self.whole::<S, UTF8>(text, sink),
            ReadPolicy::Early => {
                let Reader { limits, level, buffer, .. } = self;
                match level.read_early::<S, UTF8>(text, limits, buffer, sink) {
                    Some(result) => result,
                    None => early::read_bytes::<S, UTF8>(text, limits, buffer, sink),
                }
            }
        });
        result.map_err(SyntaxError::in_event)
    }

    fn whole<S: Sink, const UTF8: bool>(&mut self, text: &[u8], sink: &mut S) -> Result<(), SyntaxError> {
        if self.tokens.read::<UTF8>(self.level, text, &self.limits) {
            tell(text, &self.tokens, &mut self.ends, &mut self.buffer, sink);
            return Ok(());
        }
        let start = lex::skip_space(text, 0);
        if text.get(start) != Some(&b'{') {
            return Err(walk::not_an_object(text, start, &self.limits));
        }
        let mut teller = Teller { sink, buffer: &mut self.buffer, depth: 0, state: State::Telling };
        let end = walk::walk::<UTF8>(text, &self.limits, &mut teller)?;
        walk::check_end(text, end)
    }
}

/// The value of a string token: a part of the text, or unescaped into the buffer.
#[inline]
pub(super) fn inside<'a>(text: &'a [u8], token: Quoted, buffer: &'a mut Vec<u8>) -> Text<'a> {
    let raw = text.get(token.start + 1..token.end - 1).unwrap_or(&[]);
    if !token.escaped {
        return Text::from_valid(raw);
    }
    buffer.clear();
    lex::unescape(raw, buffer);
    Text::from_valid(buffer)
}

#[inline]
pub(super) fn scalar(literal: Literal) -> Scalar<'static> {
    match literal {
        Literal::True => Scalar::Bool(true),
        Literal::False => Scalar::Bool(false),
        Literal::Null => Scalar::Null,
    }
}

/// Passes on what the sink wants to hear of a walk over the whole text.
struct Teller<'a, S> {
    sink: &'a mut S,
    buffer: &'a mut Vec<u8>,
    /// Open containers.
    depth: usize,
    state: State,
}

#[derive(Clone, Copy)]
enum State {
    Telling,
    /// The next value is not told.
    SkipValue,
    /// Nothing is told until so many containers are open again.
    Until(usize),
    /// As `Until`, and the object's end that leads there is told.
    Leaving(usize),
    /// Nothing more is told.
    Stopped,
}

impl<S: Sink> Teller<'_, S> {
    /// Whether the scalar at hand is to be told.
    #[inline]
    fn tells(&mut self) -> bool {
        match self.state {
            State::Telling => true,
            State::SkipValue => {
                self.state = State::Telling;
                false
            }
            State::Until(_) | State::Leaving(_) | State::Stopped => false,
        }
    }
}

impl<S: Sink> Visit for Teller<'_, S> {
    #[inline]
    fn key(&mut self, text: &[u8], token: Quoted) {
        if let State::Telling = self.state {
            self.state = match self.sink.key(inside(text, token, self.buffer)) {
                Want::Read => State::Telling,
                Want::Skip => State::SkipValue,
                Want::Leave => State::Leaving(self.depth - 1),
                Want::Stop => State::Stopped,
            };
        }
    }

    #[inline]
    fn begin(&mut self, _at: usize, object: bool) {
        match self.state {
            State::Telling => {
                let want = if object { self.sink.begin_object() } else { self.sink.begin_array() };
                self.state = match want {
                    Want::Read => State::Telling,
                    Want::Skip | Want::Leave => State::Until(self.depth),
                    Want::Stop => State::Stopped,
                };
            }
            State::SkipValue => self.state = State::Until(self.depth),
            State::Until(_) | State::Leaving(_) | State::Stopped => {}
        }
        self.depth += 1;
    }

    #[inline]
    fn end(&mut self, _end: usize, object: bool) {
        self.depth -= 1;
        match self.state {
            State::Until(depth) if depth == self.depth => self.state = State::Telling,
            State::Leaving(depth) if depth == self.depth => {
                self.state = State::Telling;
                self.sink.end_object();
            }
            State::Telling if object => self.sink.end_object(),
            State::Telling => self.sink.end_array(),
            _ => {}
        }
    }

    #[inline]
    fn string(&mut self, text: &[u8], token: Quoted) {
        if self.tells() {
            self.sink.scalar(Scalar::String(inside(text, token, self.buffer)));
        }
    }

    #[inline]
    fn number(&mut self, text: &[u8], start: usize, end: usize) {
        if self.tells() {
            self.sink.scalar(Scalar::Number(Text::from_valid(text.get(start..end).unwrap_or(&[]))));
        }
    }

    #[inline]
    fn literal(&mut self, _start: usize, _end: usize, literal: Literal) {
        if self.tells() {
            self.sink.scalar(scalar(literal));
        }
    }
}
