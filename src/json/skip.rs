//! Skips values that nobody needs, by quotes and brackets alone.

use super::fault::{Expected, SyntaxError, SyntaxKind};

/// The offset after the string whose opening quote is at `start`.
pub(crate) fn string(text: &[u8], start: usize) -> Result<usize, SyntaxError> {
    match string_end(text, start + 1) {
        Some(end) => Ok(end),
        None => Err(unterminated(text, start)),
    }
}

/// The offset after the bracket that closes the container of which `at` is inside, but not inside a string.
pub(crate) fn container(text: &[u8], mut at: usize) -> Result<usize, SyntaxError> {
    let mut depth = 1_usize;
    loop {
        let Some(byte) = text.get(at) else { return Err(truncated(text)) };
        at += 1;
        match byte {
            b'"' => match string_end(text, at) {
                Some(end) => at = end,
                None => return Err(unterminated(text, at - 1)),
            },
            b'{' | b'[' => depth += 1,
            b'}' | b']' => {
                depth -= 1;
                if depth == 0 {
                    return Ok(at);
                }
            }
            _ => {}
        }
    }
}

/// After the closing quote of the string of which `at` is inside.
fn string_end(text: &[u8], mut at: usize) -> Option<usize> {
    loop {
        at += memchr::memchr2(b'"', b'\\', text.get(at..)?)?;
        match text.get(at) {
            Some(b'"') => return Some(at + 1),
            _ => at += 2,
        }
    }
}

#[cold]
fn unterminated(text: &[u8], start: usize) -> SyntaxError {
    SyntaxError::new(SyntaxKind::UnterminatedString(Expected::Value), text.len(), start, text.len())
}

#[cold]
fn truncated(text: &[u8]) -> SyntaxError {
    SyntaxError::new(SyntaxKind::Truncated(Expected::Value), text.len(), text.len(), text.len())
}
