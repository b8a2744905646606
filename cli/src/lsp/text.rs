//! The text of an open document, with the places of the protocol: lines, and UTF-16 units in a line.

use std::ops::Range;

use gen_lsp_types as lsp;

/// Bytes between two marks. Units are counted from the mark before.
const STEP: usize = 256;

/// Source whose places are found fast in both directions, however long its lines are.
#[derive(Debug, Default)]
pub(super) struct Text {
    text: String,
    /// Where each line after the first begins.
    starts: Vec<usize>,
    /// The number of UTF-16 units before each step of bytes; none if each byte is one unit.
    marks: Vec<usize>,
}

impl Text {
    pub(super) fn new(text: String) -> Text {
        let bytes = text.as_bytes();
        let ends = memchr::memchr2_iter(b'\n', b'\r', bytes);
        // The first half of CRLF ends nothing.
        let ends = ends.filter(|at| !(bytes.get(*at) == Some(&b'\r') && bytes.get(at + 1) == Some(&b'\n')));
        let starts = ends.map(|at| at + 1).collect();
        let mut marks = Vec::new();
        if !text.is_ascii() {
            let mut count = 0;
            for piece in bytes.chunks(STEP) {
                marks.push(count);
                count += units(piece);
            }
            marks.push(count);
        }
        Text { text, starts, marks }
    }

    pub(super) fn as_str(&self) -> &str {
        &self.text
    }

    /// The place of a byte.
    pub(super) fn position(&self, offset: usize) -> lsp::Position {
        let offset = offset.min(self.text.len());
        let line = self.starts.partition_point(|start| *start <= offset);
        let character = self.units_before(offset) - self.units_before(self.start(line));
        lsp::Position::new(short(line), short(character))
    }

    pub(super) fn range(&self, range: Range<usize>) -> lsp::Range {
        lsp::Range::new(self.position(range.start), self.position(range.end))
    }

    /// The byte at a place. What is after the end of a line is its end, what is inside a character is its beginning.
    pub(super) fn offset(&self, at: lsp::Position) -> usize {
        let line = usize::try_from(at.line).unwrap_or(usize::MAX);
        if line > self.starts.len() {
            return self.text.len();
        }
        let (start, end) = (self.start(line), self.end(line));
        let wanted = self.units_before(start).saturating_add(usize::try_from(at.character).unwrap_or(usize::MAX));
        if self.marks.is_empty() {
            return wanted.min(end);
        }
        let step = self.marks.partition_point(|before| *before <= wanted).saturating_sub(1);
        // A step may begin inside a character, or after the line.
        let mut offset = (step * STEP).clamp(start, end);
        while !self.text.is_char_boundary(offset) {
            offset += 1;
        }
        let mut seen = self.units_before(offset);
        while let Some(char) = self.text.get(offset..end).and_then(|rest| rest.chars().next()) {
            if seen + char.len_utf16() > wanted {
                break;
            }
            seen += char.len_utf16();
            offset += char.len_utf8();
        }
        offset
    }

    /// The byte at a line and a character of it, both from 1.
    pub(super) fn offset_of_character(&self, line: u32, column: u32) -> usize {
        let line = usize::try_from(line).unwrap_or(usize::MAX).saturating_sub(1).min(self.starts.len());
        let (start, end) = (self.start(line), self.end(line));
        let characters = self.text.get(start..end).unwrap_or("").char_indices();
        let column = usize::try_from(column).unwrap_or(usize::MAX).saturating_sub(1);
        characters.map(|(at, _)| start + at).nth(column).unwrap_or(end)
    }

    /// The text with one part replaced.
    pub(super) fn replaced(&self, range: &Range<usize>, new: &str) -> Option<String> {
        let (before, after) = (self.text.get(..range.start)?, self.text.get(range.end..)?);
        Some([before, new, after].concat())
    }

    fn start(&self, line: usize) -> usize {
        line.checked_sub(1).and_then(|before| self.starts.get(before)).copied().unwrap_or(0)
    }

    /// Where a line ends, its own end not included.
    fn end(&self, line: usize) -> usize {
        let Some(next) = self.starts.get(line) else { return self.text.len() };
        let before = self.text.get(..*next).unwrap_or("");
        let before = before.strip_suffix('\n').unwrap_or(before);
        before.strip_suffix('\r').unwrap_or(before).len().max(self.start(line))
    }

    fn units_before(&self, offset: usize) -> usize {
        let Some(mark) = self.marks.get(offset / STEP) else { return offset };
        mark + units(self.text.as_bytes().get(offset / STEP * STEP..offset).unwrap_or(&[]))
    }
}

/// How many UTF-16 units the characters have that begin in these bytes.
fn units(bytes: &[u8]) -> usize {
    bytes.iter().map(|byte| usize::from(byte & 0xc0 != 0x80) + usize::from(*byte >= 0xf0)).sum()
}

fn short(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

    use super::*;

    #[test]
    fn places_lead_there_and_back() {
        let long = format!("{}\r\n{}\r{}\n\n\r\r\n x😀", "é☃😀".repeat(100), "a".repeat(600), "😀b".repeat(300));
        for text in ["", "a", "\n", "\r\n", "a\r\nb\rc\nd", "é\n😀x", long.as_str()] {
            let index = Text::new(text.to_owned());
            for (offset, _) in text.char_indices().chain([(text.len(), ' ')]) {
                let is_inside_crlf = offset > 0 && text[..offset].ends_with('\r') && text[offset..].starts_with('\n');
                let at = index.position(offset);
                let line = text[..offset].rsplit(['\n', '\r']).next().unwrap();
                if !is_inside_crlf {
                    assert_eq!(at.character as usize, line.encode_utf16().count(), "{text:?} at {offset}");
                    assert_eq!(index.offset(at), offset, "{text:?} at {offset}");
                }
            }
        }
    }

    #[test]
    fn places_outside_are_moved_inside() {
        let text = Text::new("é😀\r\nx".to_owned());
        let at = |line, character| text.offset(lsp::Position::new(line, character));
        assert_eq!((at(0, 2), at(0, 3), at(0, 99), at(0, u32::MAX)), (2, 6, 6, 6), "inside the pair, after it, beyond");
        assert_eq!((at(1, 0), at(1, 9), at(2, 0), at(u32::MAX, 7)), (8, 9, 9, 9));
        assert_eq!((text.offset_of_character(1, 2), text.offset_of_character(2, 1)), (2, 8));
        assert_eq!(text.offset_of_character(9, 9), 9);
        assert_eq!(text.replaced(&(2..6), "y").unwrap(), "éy\r\nx");
    }
}
