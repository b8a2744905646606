//! Places as the service's parser writes them after its messages.

use crate::diagnostic::Finding;

/// A finding in the service's words, with its location.
pub(super) fn wording(source: &str, finding: &Finding) -> String {
    let Some(service) = &finding.service else { return finding.message.clone() };
    let mut text = service.clone();
    for _ in 0..finding.located {
        text.push_str("\n at ");
        text.push_str(&location(source, finding.raised_at));
    }
    text
}

/// A place as the service's parser writes it: the text, its line, and the UTF-16 units read on that line.
pub(super) fn location(source: &str, offset: u32) -> String {
    let (line, column) = line_and_column(source, offset);
    let mut shown = String::new();
    let mut units = 0;
    let total: usize = source.chars().map(char::len_utf16).sum();
    for char in source.chars() {
        units += char.len_utf16();
        if units > SHOWN {
            // A pair that does not fit is cut in the middle; its first half cannot be written as text.
            if units - char.len_utf16() < SHOWN {
                shown.push('?');
            }
            break;
        }
        match char {
            '\r' | '\n' => shown.push(char),
            _ if char.is_control() => shown.push_str(&format!("\\u{:04X}", u32::from(char))),
            _ => shown.push(char),
        }
    }
    let truncated = if total > SHOWN { format!("[truncated {} chars]", total - SHOWN) } else { String::new() };
    format!("[Source: (String)\"{shown}\"{truncated}; line: {line}, column: {column}]")
}

/// A place as SNS writes it: without the text.
pub(super) fn redacted(source: &str, offset: u32) -> String {
    let (line, column) = line_and_column(source, offset);
    format!(
        "[Source: REDACTED (`StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION` disabled); line: {line}, column: {column}]"
    )
}

/// How many UTF-16 units of the text a location quotes.
const SHOWN: usize = 500;

fn line_and_column(source: &str, offset: u32) -> (usize, usize) {
    let (mut line, mut column, mut last) = (1, 1, ' ');
    for (at, char) in source.char_indices() {
        if at >= offset as usize {
            break;
        }
        match (last, char) {
            ('\r', '\n') => {}
            (_, '\r' | '\n') => (line, column) = (line + 1, 1),
            _ => column += char.len_utf16(),
        }
        last = char;
    }
    (line, column)
}
