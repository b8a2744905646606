//! Reports to a [`Sink`] what an event's text contains: forward only, without recursion, and without allocation once warm.

use super::block::{Level, Tokens};
use super::error::EventError;
use super::fault::SyntaxError;
use super::sink::Sink;
use super::tell::tell;
use super::walk;
use crate::limit::Limits;

/// How much of an event is read.
///
/// For every well-formed event in which no path comes twice both policies give the same answer. (A path comes twice if
/// an object has a key twice, or if a key with dots is given next to the nesting that it represents.)
///
/// ```
/// use eventrie::event::ReadPolicy;
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
    /// of interest is decided. Several times faster. A fault inside a skipped value, a limit reached there, a
    /// malformed tail, and duplicate keys after the end of reading are not seen.
    Early,
}

/// Reads the JSON text of events, with reusable buffers. It lives in the scratch space of a matcher; an
/// [`Event`](crate::Event) implementation of your own that wraps JSON text hands it on to the text.
#[derive(Clone, Debug)]
pub struct Reader {
    policy: ReadPolicy,
    limits: Limits,
    level: Level,
    /// Events up to this length are read in one pass.
    short: usize,
    tokens: Tokens,
    /// The ends of the containers that are being reported.
    ends: Vec<u32>,
    /// Contains the unescaped form of the string at hand.
    pub(crate) buffer: Vec<u8>,
}

impl Default for Reader {
    fn default() -> Reader {
        let level = Level::default();
        Reader {
            policy: ReadPolicy::default(),
            limits: Limits::default(),
            level,
            short: level.short(),
            tokens: Tokens::default(),
            ends: Vec::new(),
            buffer: Vec::new(),
        }
    }
}

impl Reader {
    /// A reader for trying out an [`Event`](crate::Event) implementation by itself; matchers have their own.
    ///
    /// ```
    /// use eventrie::event::{ReadPolicy, Reader, Scalar, Sink, Text, Want};
    /// use eventrie::{Event, Limits};
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

    /// Reads with other instructions than the best there are, and events up to some length in one pass.
    #[cfg(test)]
    pub(crate) fn set_level(&mut self, level: Level, short: usize) {
        (self.level, self.short) = (level, short);
    }

    /// The read policy. An event that is not text has nothing to validate and may ignore it.
    #[must_use]
    pub fn policy(&self) -> ReadPolicy {
        self.policy
    }

    /// The limits in force. An event that is not text should respect [`Limits::depth`] when it recurses.
    #[must_use]
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Reports the event in `text` to `sink`. `UTF8` says that the text is known to be UTF-8. After an error, what was reported
    /// means nothing.
    #[inline]
    pub(crate) fn read<S: Sink, const UTF8: bool>(&mut self, text: &[u8], sink: &mut S) -> Result<(), EventError> {
        self.read_text::<S, UTF8>(text, sink).map_err(SyntaxError::in_event)
    }

    #[inline]
    fn read_text<S: Sink, const UTF8: bool>(&mut self, text: &[u8], sink: &mut S) -> Result<(), SyntaxError> {
        walk::check_length(text, &self.limits)?;
        let Reader { policy, limits, level, short, tokens, ends, buffer } = self;
        let whole = *policy == ReadPolicy::Whole;
        if whole && text.len() > *short && tokens.read::<UTF8>(*level, text, limits) {
            tell(text, tokens, ends, buffer, sink);
            return Ok(());
        }
        // Early, short, without vectors, or to find a fault.
        level.forward::<S, UTF8>(whole, text, limits, buffer, sink)
    }
}
