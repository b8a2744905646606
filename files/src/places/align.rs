//! Where each character of a scalar is spelled in its file: whitespace may be folded or cut, and escapes are longer than
//! what they spell.

use std::ops::Range;

use crate::located::Piece;

/// The pieces of `text`, which `raw` spells, beginning at byte `offset` of the file. Linear in both: the place in the
/// spelling only moves forward, and what it skips is whitespace, a block's header, and one quote.
pub(super) fn align(text: &str, raw: &str, offset: usize) -> Vec<Piece> {
    let style = match raw.as_bytes().first() {
        Some(b'"') => Style::Double,
        Some(b'\'') => Style::Single,
        // `<<EOF` is Terraform's.
        Some(b'|' | b'>' | b'<') => Style::Block,
        _ => Style::Plain,
    };
    let at = match style {
        Style::Double | Style::Single => 1,
        Style::Block => raw.find('\n').map_or(raw.len(), |end| end + 1),
        Style::Plain => 0,
    };
    pieces(text, Spelling { raw, style, at, has_markers: false }, offset)
}

/// The pieces of a part of a string of HCL, in quotes or in a heredoc, which `raw` spells without its quotes.
pub(super) fn align_part(text: &str, raw: &str, offset: usize, is_quoted: bool) -> Vec<Piece> {
    let style = if is_quoted { Style::Double } else { Style::Block };
    pieces(text, Spelling { raw, style, at: 0, has_markers: true }, offset)
}

fn pieces(text: &str, mut spelling: Spelling<'_>, offset: usize) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::new();
    for (start, char) in text.char_indices() {
        let end = start + char.len_utf8();
        let file = spelling.next(char);
        let file = offset + file.start..offset + file.end;
        match pieces.last_mut() {
            Some(last)
                if last.file.end == file.start && last.text.len() == last.file.len() && file.len() == end - start =>
            {
                last.text.end = end;
                last.file.end = file.end;
            }
            _ => pieces.push(Piece { text: start..end, file, hole: false }),
        }
    }
    pieces
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Style {
    Double,
    Single,
    Plain,
    Block,
}

struct Spelling<'a> {
    raw: &'a str,
    style: Style,
    at: usize,
    /// Whether `$${` and `%%{` spell `${` and `%{`, as in HCL.
    has_markers: bool,
}

impl Spelling<'_> {
    fn rest(&self) -> &str {
        self.raw.get(self.at..).unwrap_or("")
    }

    /// The bytes that spell the next character of the text; none of them where it was folded out of a line end that is
    /// used up.
    fn next(&mut self, char: char) -> Range<usize> {
        let before = self.at;
        if self.style == Style::Double {
            self.skip_escaped_line_ends();
        }
        let length = match self.spelled(char) {
            Some(length) => length,
            None if char == ' ' || char == '\n' => self.folded(),
            None => {
                // Indentation, or whitespace at the end of a line.
                self.at += self.rest().len() - self.rest().trim_start().len();
                if self.style == Style::Double {
                    self.skip_escaped_line_ends();
                }
                self.spelled(char).unwrap_or(0)
            }
        };
        crate::work::note(self.at + length - before);
        let start = self.at;
        self.at += length;
        start..self.at
    }

    /// The length of the spelling of this character, if it comes next.
    fn spelled(&self, char: char) -> Option<usize> {
        let rest = self.rest();
        if self.has_markers && (rest.starts_with("$${") || rest.starts_with("%%{")) {
            return rest.starts_with(char).then_some(2);
        }
        match self.style {
            Style::Double if rest.starts_with('\\') => Some(escape_length(rest)),
            Style::Single if char == '\'' && rest.starts_with("''") => Some(2),
            _ if char == '\n' && rest.starts_with("\r\n") && self.style == Style::Block => Some(2),
            _ if char == '\n' && self.style != Style::Block => None,
            _ => rest.starts_with(char).then(|| char.len_utf8()),
        }
    }

    /// The length of the whitespace around line ends that comes next; what is folded represents all of it.
    fn folded(&self) -> usize {
        let rest = self.rest();
        let length = rest.len() - rest.trim_start_matches([' ', '\t', '\r', '\n']).len();
        crate::work::note(length);
        if rest.get(..length).is_some_and(|space| space.contains('\n')) { length } else { 0 }
    }

    /// In double quotes a line end after a backslash spells nothing, nor does the whitespace after it.
    fn skip_escaped_line_ends(&mut self) {
        while let Some(after) = self.rest().strip_prefix("\\\n").or_else(|| self.rest().strip_prefix("\\\r\n")) {
            self.at = self.raw.len() - after.trim_start_matches([' ', '\t', '\r', '\n']).len();
        }
    }
}

fn escape_length(rest: &str) -> usize {
    let length = match rest.as_bytes().get(1) {
        Some(b'x') => 4,
        Some(b'u') if is_pair(rest) => 12,
        Some(b'u') => 6,
        Some(b'U') => 10,
        Some(_) => 1 + rest.chars().nth(1).map_or(1, char::len_utf8),
        None => 1,
    };
    length.min(rest.len())
}

/// Whether two escapes spell one character together.
fn is_pair(rest: &str) -> bool {
    let unit = |at: usize| rest.get(at..at + 4).and_then(|digits| u32::from_str_radix(digits, 16).ok());
    matches!(unit(2), Some(0xd800..=0xdbff))
        && rest.get(6..8) == Some("\\u")
        && matches!(unit(8), Some(0xdc00..=0xdfff))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::{parse_json, parse_yaml};

    /// The spelling of each character that is not whitespace.
    fn spelled(text: &str, raw: &str) -> Vec<(char, String)> {
        let pieces = align(text, raw, 0);
        let place = |at: usize, length: usize| {
            let piece = pieces.iter().find(|piece| piece.text.contains(&at)).unwrap();
            match piece.text.len() == piece.file.len() {
                true => raw[piece.file.start + at - piece.text.start..][..length].to_owned(),
                false => raw[piece.file.clone()].to_owned(),
            }
        };
        let chars = text.char_indices().filter(|(_, char)| !char.is_whitespace());
        chars.map(|(at, char)| (char, place(at, char.len_utf8()))).collect()
    }

    #[test]
    fn every_style_of_yaml_maps_back() {
        for yaml in [
            "p: it is 'plain' \\n\n  over é lines\n\n   and more\n",
            "p: 'it''s single\n  quoted ☃\n\n\n  and folded'\n",
            "p: |2\n    more indented\n  less # no comment\n\n  \tend\n",
            "p: >- # a {comment}\n  {folded\n  text}\n\n    kept\n  end\n",
            "p: |+\r\n  windows\r\n  line 'ends'\r\n\r\n",
        ] {
            let root = parse_yaml(yaml).unwrap();
            let node = root.get("p").unwrap();
            for (char, spelling) in spelled(node.text().unwrap(), &yaml[node.span.clone()]) {
                let quoted = char == '\'' && spelling == "''";
                assert!(spelling == char.to_string() || quoted, "{yaml:?}: {char:?} is spelled {spelling:?}");
            }
        }
    }

    #[test]
    fn escapes_stand_for_their_characters() {
        let yaml = "p: \"a\\x41\\u00e9\\U0001f600\\\"\\\\ b\\\n   c \\tn\\\n\n  d\n  e\"\n";
        let root = parse_yaml(yaml).unwrap();
        let node = root.get("p").unwrap();
        let found = spelled(node.text().unwrap(), &yaml[node.span.clone()]);
        let expected = [
            ('a', "a"),
            ('A', "\\x41"),
            ('é', "\\u00e9"),
            ('😀', "\\U0001f600"),
            ('"', "\\\""),
            ('\\', "\\\\"),
            ('b', "b"),
            ('c', "c"),
            ('n', "n"),
            ('d', "d"),
            ('e', "e"),
        ];
        assert_eq!(found, expected.map(|(char, spelling)| (char, spelling.to_owned())));
        let json = r#""x\ud83d\ude00\/y""#;
        let root = parse_json(json).unwrap();
        let found = spelled(root.text().unwrap(), json);
        let expected = [('x', "x"), ('😀', r"\ud83d\ude00"), ('/', r"\/"), ('y', "y")];
        assert_eq!(found, expected.map(|(char, spelling)| (char, spelling.to_owned())));
    }
}
