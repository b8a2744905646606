//! Events one per line (NDJSON, JSON Lines), read with bounded memory.

use std::fmt::{Display, Formatter};
use std::io::BufRead;

use super::{Event, EventError, Reader, Sink};
use crate::limit::Limit;

/// Reads NDJSON, one event per line, and numbers the lines.
///
/// Blank lines are skipped, and so is a byte order mark before the first.
///
/// A line that is too long is an error of that line: it is skipped without being kept, and the next one follows.
///
/// ```
/// use eventrie::event::Ndjson;
/// use eventrie::{Matcher, Pattern, Scratch};
/// let pattern: Pattern = r#"{"state":["running"]}"#.parse()?;
/// let (matcher, mut scratch) = (Matcher::new([pattern])?, Scratch::default());
/// let text = "{\"state\":\"running\"}\n\n{\"state\":\n{\"state\":\"stopped\"}";
/// let mut lines = Ndjson::new(text.as_bytes());
/// let mut answers = Vec::new();
/// while let Some(line) = lines.next_line() {
///     let line = line?;
///     answers.push((line.number(), matcher.is_match(&line, &mut scratch).ok()));
/// }
/// assert_eq!(answers, [(1, Some(true)), (3, None), (4, Some(false))]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Ndjson<R> {
    from: R,
    line: Vec<u8>,
    number: u64,
    most: usize,
}

impl<R: BufRead> Ndjson<R> {
    /// Reads from `from`. Lines have at most 16 MiB.
    pub fn new(from: R) -> Ndjson<R> {
        Ndjson { from, line: Vec::new(), number: 0, most: 16 << 20 }
    }

    /// Sets the longest line in bytes, without its end.
    #[must_use]
    pub fn max_line_bytes(mut self, most: usize) -> Ndjson<R> {
        self.most = most;
        self
    }

    /// The next line that is not blank; none at the end. After an error of the reader the end follows.
    pub fn next_line(&mut self) -> Option<Result<Line<'_>, NdjsonError>> {
        loop {
            self.line.clear();
            let long = match self.fill() {
                Ok(None) => return None,
                Ok(Some(long)) => long,
                Err(error) => return Some(Err(NdjsonError { line: self.number, fault: Fault::Io(error) })),
            };
            if long {
                return Some(Err(NdjsonError { line: self.number, fault: Fault::TooLong(self.most) }));
            }
            let mark = if self.number == 1 && self.line.starts_with(b"\xEF\xBB\xBF") { 3 } else { 0 };
            if !self.line.iter().skip(mark).all(|byte| matches!(byte, b' ' | b'\t' | b'\r')) {
                let text = self.line.get(mark..).unwrap_or(&[]);
                return Some(Ok(Line { number: self.number, text }));
            }
        }
    }

    /// Reads one line; says whether it was too long, or none at the end.
    fn fill(&mut self) -> std::io::Result<Option<bool>> {
        self.number += 1;
        let (mut any, mut long) = (false, false);
        loop {
            let piece = match self.from.fill_buf() {
                Ok(piece) => piece,
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            if piece.is_empty() {
                return Ok(any.then_some(long));
            }
            any = true;
            let end = memchr::memchr(b'\n', piece);
            let part = piece.get(..end.unwrap_or(piece.len())).unwrap_or(piece);
            if self.line.len() + part.len() > self.most {
                long = true;
            } else if !long {
                self.line.extend_from_slice(part);
            }
            let taken = end.map_or(piece.len(), |end| end + 1);
            self.from.consume(taken);
            if end.is_some() {
                return Ok(Some(long));
            }
        }
    }
}

/// A line with an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line<'a> {
    number: u64,
    text: &'a [u8],
}

impl<'a> Line<'a> {
    /// The number of the line, from 1. Blank lines count.
    #[must_use]
    pub fn number(&self) -> u64 {
        self.number
    }

    /// The line without its end.
    #[must_use]
    pub fn text(&self) -> &'a [u8] {
        self.text
    }
}

impl Event for Line<'_> {
    #[inline]
    fn read<S: Sink>(&self, sink: &mut S, reader: &mut Reader) -> Result<(), EventError> {
        self.text.read(sink, reader)
    }

    fn text(&self) -> Option<&[u8]> {
        Some(self.text)
    }
}

/// Why a line could not be read.
#[derive(Debug)]
pub struct NdjsonError {
    line: u64,
    fault: Fault,
}

#[derive(Debug)]
enum Fault {
    Io(std::io::Error),
    TooLong(usize),
}

impl NdjsonError {
    /// The number of the line, from 1.
    #[must_use]
    pub fn line(&self) -> u64 {
        self.line
    }

    /// The limit that was reached; none if the reader failed.
    #[must_use]
    pub fn limit(&self) -> Option<Limit> {
        match self.fault {
            Fault::TooLong(_) => Some(Limit::EventBytes),
            Fault::Io(_) => None,
        }
    }
}

impl Display for NdjsonError {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        match &self.fault {
            Fault::Io(error) => write!(f, "line {} cannot be read: {error}", self.line),
            Fault::TooLong(most) => write!(f, "line {} has more than {most} bytes", self.line),
        }
    }
}

impl std::error::Error for NdjsonError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.fault {
            Fault::Io(error) => Some(error),
            Fault::TooLong(_) => None,
        }
    }
}
