//! How text from users is shown: what is escaped, how it is quoted, and where it is cut.

use std::borrow::Cow;
use std::fmt::{Display, Formatter, Result};

/// Whether a character would disturb the text around it: control characters (which terminals obey), characters that
/// change the direction of writing, line separators, and invisible characters or those that look like a space.
///
/// ```
/// use eventrie::diagnostic::is_disturbing;
/// assert!(is_disturbing('\u{1b}') && is_disturbing('\u{202e}') && is_disturbing('\u{200b}'));
/// assert!(!is_disturbing('é') && !is_disturbing(' '));
/// ```
#[must_use]
pub fn is_disturbing(char: char) -> bool {
    char.is_control() || is_invisible(char) || matches!(char, '\u{2028}' | '\u{2029}' | '\u{a0}')
}

/// Whether a character takes no room, or only turns the direction of writing.
pub(crate) fn is_invisible(char: char) -> bool {
    matches!(char, '\u{ad}' | '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
}

/// Text from a user on one line: characters that would disturb it ([`is_disturbing`]) are escaped as in JSON.
///
/// ```
/// use eventrie::diagnostic::Visible;
/// assert_eq!(Visible("a\u{1b}[2J\n").to_string(), "a\\u001b[2J\\n");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Visible<'a>(pub &'a str);

impl Display for Visible<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        self.0.chars().try_for_each(|char| visible(f, char))
    }
}

fn visible(f: &mut impl std::fmt::Write, char: char) -> Result {
    match char {
        '\n' => f.write_str("\\n"),
        '\r' => f.write_str("\\r"),
        '\t' => f.write_str("\\t"),
        _ if is_disturbing(char) => write!(f, "\\u{:04x}", u32::from(char)),
        _ => f.write_char(char),
    }
}

/// The text on one line, without what disturbs.
pub(crate) fn on_one_line(text: String) -> String {
    if text.contains(is_disturbing) { Visible(&text).to_string() } else { text }
}

/// The text, or of a longer one its beginning and its end, `most` characters in all.
pub(crate) fn shortened(text: &str, most: usize) -> Cow<'_, str> {
    if text.char_indices().nth(most).is_none() {
        return Cow::Borrowed(text);
    }
    let tail = most / 3;
    let head = most.saturating_sub(tail + 1);
    let front = text.char_indices().nth(head).map_or(text, |(at, _)| text.get(..at).unwrap_or(text));
    let back = tail.checked_sub(1).and_then(|tail| text.char_indices().rev().nth(tail));
    let back = back.map_or("", |(at, _)| text.get(at..).unwrap_or(""));
    Cow::Owned(format!("{front}…{back}"))
}

/// A name or a number for a sentence, in which it goes between backticks.
pub(crate) fn shown(text: &str, most: usize) -> String {
    Visible(&shortened(text, most)).to_string()
}

/// A string for a sentence, in quotes.
pub(crate) fn quoted(text: &str, most: usize) -> String {
    let mut out = String::from("\"");
    for char in shortened(text, most).chars() {
        match char {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            _ => drop(visible(&mut out, char)),
        }
    }
    out.push('"');
    out
}

/// A JSON string of exactly this text, as canonical patterns have it.
pub(crate) fn json_string(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    push_json_string(&mut out, text);
    out
}

/// Writes a JSON string of exactly this text.
pub(crate) fn push_json_string(out: &mut String, text: &str) {
    out.push('"');
    for char in text.chars() {
        match char {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            '\0'..'\u{20}' => {
                out.push_str("\\u00");
                for shift in [4, 0] {
                    let digit = (u32::from(char) >> shift) & 15;
                    out.push(char::from_digit(digit, 16).unwrap_or('0').to_ascii_uppercase());
                }
            }
            _ => out.push(char),
        }
    }
    out.push('"');
}

#[cfg(test)]
mod tests {
    use super::{json_string, quoted, shortened, shown};

    #[test]
    fn long_text_is_cut_in_the_middle() {
        assert_eq!(shortened("abcdefghi", 9), "abcdefghi");
        assert_eq!(shortened("abcdefghij", 9), "abcde…hij");
        assert_eq!(shortened("éééééééééé", 4), "éé…é");
        assert_eq!(shortened("abc", 1), "…");
    }

    #[test]
    fn what_disturbs_is_escaped() {
        assert_eq!(shown("a\u{202e}b\u{200b}\n", 20), "a\\u202eb\\u200b\\n");
        assert_eq!(quoted("a\"b\\\u{1b}", 20), "\"a\\\"b\\\\\\u001b\"");
        assert_eq!(json_string("a\u{1b}\u{202e}"), "\"a\\u001B\u{202e}\"", "a replacement says exactly what was there");
    }
}
