//! Lines and columns: what people call a place in a string.

use std::ops::Range;

/// A line and a column, both from 1; a column is one character.
///
/// ```
/// use eventrie::diagnostic::Position;
/// let position = Position::of("{\n  \"é\": 1}", 8);
/// assert_eq!((position.line, position.column), (2, 6));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// The line, from 1. Lines end with LF, CR or CRLF.
    pub line: u32,
    /// The character in the line, from 1.
    pub column: u32,
}

impl Position {
    /// Where byte `offset` of `text` is; after the last character if the text is shorter. Linear in the offset: use a
    /// [`LineIndex`] for many places in one text.
    #[must_use]
    pub fn of(text: &str, offset: usize) -> Position {
        let (mut line, mut column, mut last) = (1, 1, ' ');
        for (at, char) in text.char_indices() {
            if at >= offset {
                break;
            }
            match (last, char) {
                ('\r', '\n') => {}
                (_, '\n' | '\r') => (line, column) = (line + 1, 1),
                _ => column += 1,
            }
            last = char;
        }
        Position { line, column }
    }
}

/// Bytes between two marks. A column is counted from the mark before it.
const STEP: usize = 128;

/// The lines of a string, found once, for any number of places in it.
///
/// Building it is linear in the text; a lookup is logarithmic in the number of lines, however long a line is. It takes
/// about 4 bytes per line, and 4 bytes per 128 bytes of text that is not ASCII.
///
/// ```
/// use eventrie::diagnostic::{LineIndex, Position};
/// let index = LineIndex::new("{\n  \"é\": 1}");
/// assert_eq!(index.position(8), Position { line: 2, column: 6 });
/// assert_eq!(&index.text()[index.line_around(8)], "  \"é\": 1}");
/// ```
#[derive(Clone, Debug)]
pub struct LineIndex<'a> {
    text: &'a str,
    /// Where each line after the first begins.
    starts: Vec<u32>,
    /// For each step of bytes the number of characters before it; none if each character is one byte.
    marks: Vec<u32>,
    /// The number of the first line.
    first: u32,
}

impl<'a> LineIndex<'a> {
    /// Finds the lines of a string.
    #[must_use]
    pub fn new(text: &'a str) -> LineIndex<'a> {
        let bytes = text.as_bytes();
        let ends = memchr::memchr2_iter(b'\n', b'\r', bytes);
        // The first half of CRLF ends nothing.
        let ends = ends.filter(|at| !(bytes.get(*at) == Some(&b'\r') && bytes.get(at + 1) == Some(&b'\n')));
        let starts = ends.map(|at| at as u32 + 1).collect();
        let mut marks = Vec::new();
        if !text.is_ascii() {
            let mut count = 0;
            for piece in bytes.chunks(STEP) {
                marks.push(count as u32);
                count += characters(piece);
            }
            marks.push(count as u32);
        }
        LineIndex { text, starts, marks, first: 1 }
    }

    /// Numbers the lines from `first` instead of 1, for text that is part of a file.
    ///
    /// ```
    /// use eventrie::diagnostic::LineIndex;
    /// assert_eq!(LineIndex::new("{}").first_line(12).position(0).line, 12);
    /// ```
    #[must_use]
    pub fn first_line(mut self, first: u32) -> LineIndex<'a> {
        self.first = first;
        self
    }

    /// The text.
    #[must_use]
    pub fn text(&self) -> &'a str {
        self.text
    }

    /// Where byte `offset` of the text is, as [`Position::of`] says it.
    #[must_use]
    pub fn position(&self, offset: usize) -> Position {
        let bytes = self.text.as_bytes();
        let mut offset = offset.min(bytes.len());
        // The second half of CRLF belongs to the line that it begins.
        if bytes.get(offset) == Some(&b'\n') && offset > 0 && bytes.get(offset - 1) == Some(&b'\r') {
            offset += 1;
        }
        let line = self.line_of(offset);
        let column = self.characters_before(offset) - self.characters_before(self.start(line));
        Position { line: self.first.saturating_add(line as u32), column: column as u32 + 1 }
    }

    /// The bytes of the line that byte `offset` is in, without its end.
    #[must_use]
    pub fn line_around(&self, offset: usize) -> Range<usize> {
        let line = self.line_of(offset);
        let end = match self.starts.get(line) {
            Some(next) => *next as usize - 1,
            None => self.text.len(),
        };
        let bytes = self.text.as_bytes();
        let is_crlf = bytes.get(end) == Some(&b'\n') && end > 0 && bytes.get(end - 1) == Some(&b'\r');
        let end = if is_crlf { end - 1 } else { end };
        self.start(line).min(end)..end
    }

    /// The number of lines that begin after the first and not after `offset`.
    fn line_of(&self, offset: usize) -> usize {
        self.starts.partition_point(|start| *start as usize <= offset)
    }

    fn start(&self, line: usize) -> usize {
        line.checked_sub(1).and_then(|before| self.starts.get(before)).map_or(0, |start| *start as usize)
    }

    fn characters_before(&self, offset: usize) -> usize {
        let Some(mark) = self.marks.get(offset / STEP) else { return offset };
        let rest = self.text.as_bytes().get(offset / STEP * STEP..offset).unwrap_or(&[]);
        *mark as usize + characters(rest)
    }
}

/// How many characters begin in these bytes.
fn characters(bytes: &[u8]) -> usize {
    bytes.iter().filter(|byte| **byte & 0xc0 != 0x80).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_index_says_what_a_walk_says() {
        let long = format!("{}\r\n{}\r{}\n\n\r\r\n x", "é☃".repeat(100), "a".repeat(300), "😀b".repeat(77));
        for text in ["", "a", "\n", "\r\n", "a\r\nb\rc\nd", "\r\r\n\n", "é\né", long.as_str()] {
            let index = LineIndex::new(text);
            for offset in 0..text.len() + 3 {
                assert_eq!(index.position(offset), Position::of(text, offset), "{text:?} at {offset}");
            }
        }
    }

    #[test]
    fn lines_have_no_ends() {
        let text = "ab\r\n\rc\n\nd";
        let index = LineIndex::new(text);
        let line = |offset: usize| &text[index.line_around(offset)];
        assert_eq!((line(0), line(2), line(4), line(5), line(7), line(8)), ("ab", "ab", "", "c", "", "d"));
        assert_eq!((line(9), line(99)), ("d", "d"));
    }
}
