//! The tokens of JSON: strings with their escapes, numbers, literals. The only place that knows them.
//!
//! The functions that run on every token only say where it ends, or that it is not one; what exactly is wrong is found
//! out by the slow functions, which the fast ones agree with (a property test compares them).

use std::borrow::Cow;

use super::fault::{Expected, NumberFault, SyntaxError, SyntaxKind};

/// A string token: `start` is the opening quote, `end` is after the closing one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Quoted {
    pub(crate) start: usize,
    pub(crate) end: usize,
    /// Whether there is a backslash inside.
    pub(crate) escaped: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Literal {
    True,
    False,
    Null,
}

/// The offset of the first byte from `at` that is not whitespace, or the text's length.
#[inline(always)]
pub(crate) fn skip_space(text: &[u8], at: usize) -> usize {
    // Most inputs have no whitespace, and no token begins with a byte below it.
    match text.get(at) {
        Some(..=b' ') => behind_space(text, at),
        _ => at,
    }
}

/// As [`skip_space`], with the byte that is there, or 0 at the end: no token begins with it.
#[inline(always)]
pub(crate) fn next_token(text: &[u8], at: usize) -> (usize, u8) {
    match text.get(at) {
        Some(byte) if *byte > b' ' => (at, *byte),
        _ => {
            let at = behind_space(text, at);
            (at, text.get(at).copied().unwrap_or(0))
        }
    }
}

#[inline(never)]
fn behind_space(text: &[u8], mut at: usize) -> usize {
    while let Some(b' ' | b'\n' | b'\r' | b'\t') = text.get(at) {
        at += 1;
        // Lines are indented. (Eight bytes at a time with arithmetic is slower: where lines begin can be predicted, and
        // arithmetic has to be waited for.)
        while text.get(at..at + 4) == Some(b"    ") {
            at += 4;
        }
    }
    at
}

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGHS: u64 = 0x8080_8080_8080_8080;

/// Which of eight bytes end or interrupt a string, by their highest bits: quotes, backslashes, control characters and,
/// unless the text is known to be `UTF8`, bytes beyond ASCII. The first that is found is right; a plain byte directly
/// after one that is found may be found as well.
#[inline(always)]
pub(super) fn special<const UTF8: bool>(word: u64) -> u64 {
    // Subtracting borrows in bytes that are smaller. With one bit flipped, quotes lie next to the control characters.
    let low = (word ^ (ONES * 2)).wrapping_sub(ONES * 0x21);
    let slash = (word ^ (ONES * b'\\' as u64)).wrapping_sub(ONES);
    (if UTF8 { (low | slash) & !word } else { low | slash | word }) & HIGHS
}

#[inline(always)]
fn word(text: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_le_bytes(*text.get(at..at + 8)?.first_chunk()?))
}

/// Reads the string whose opening quote is at `start`, of which the bytes before `at` are plain; none if it is
/// malformed or does not end. UTF-8 is not looked into; answers as well whether all bytes are ASCII.
pub(crate) fn string(text: &[u8], start: usize, mut at: usize) -> Option<(Quoted, bool)> {
    let (mut escaped, mut ascii) = (false, true);
    loop {
        if let Some(word) = word(text, at) {
            let bit = special::<false>(word).trailing_zeros();
            at += (bit / 8) as usize;
            if bit == 64 {
                continue;
            }
        }
        match text.get(at)? {
            b'"' => return Some((Quoted { start, end: at + 1, escaped }, ascii)),
            b'\\' => {
                escaped = true;
                at = escape(text, at)?;
            }
            0..=0x1f => return None,
            0x80.. => {
                // Characters beyond ASCII come in rows.
                ascii = false;
                while text.get(at).is_some_and(|byte| !byte.is_ascii()) {
                    at += 1;
                }
            }
            _ => at += 1,
        }
    }
}

/// The offset after the escape whose backslash is at `at`.
#[inline]
fn escape(text: &[u8], at: usize) -> Option<usize> {
    match text.get(at + 1)? {
        b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => Some(at + 2),
        b'u' => text.get(at + 2..at + 6)?.iter().all(u8::is_ascii_hexdigit).then_some(at + 6),
        _ => None,
    }
}

/// The offset after the number that begins at `start` with a minus or a digit; none if it is malformed.
#[inline]
pub(crate) fn number(text: &[u8], start: usize) -> Option<usize> {
    let mut at = start + usize::from(text.get(start) == Some(&b'-'));
    match text.get(at)? {
        b'0' => {
            at += 1;
            if text.get(at).is_some_and(u8::is_ascii_digit) {
                return None;
            }
        }
        b'1'..=b'9' => at = digits(text, at + 1),
        _ => return None,
    }
    if text.get(at) == Some(&b'.') {
        let end = many_digits(text, at + 1);
        if end == at + 1 {
            return None;
        }
        at = end;
    }
    if let Some(b'e' | b'E') = text.get(at) {
        let first = at + 1 + usize::from(matches!(text.get(at + 1), Some(b'+' | b'-')));
        at = digits(text, first);
        if at == first {
            return None;
        }
    }
    Some(at)
}

/// As [`digits`], of which there are many in the fractions that programs print: eight at a time.
#[inline]
fn many_digits(text: &[u8], mut at: usize) -> usize {
    while let Some(word) = word(text, at) {
        let values = word ^ (ONES * u64::from(b'0'));
        // Adding 0x76 sets the high bit from 10 on; what is set already is no digit. Carries come only from such bytes.
        let others = (values | values.wrapping_add(ONES * 0x76)) & HIGHS;
        at += (others.trailing_zeros() / 8) as usize;
        if others != 0 {
            return at;
        }
    }
    digits(text, at)
}

/// The offset of the first byte from `at` that is not a digit, or the text's length.
#[inline]
fn digits(text: &[u8], mut at: usize) -> usize {
    while text.get(at).is_some_and(u8::is_ascii_digit) {
        at += 1;
    }
    at
}

/// The offset after `true`, `false` or `null` if it is at `start` and no longer word does, and which it is.
#[inline]
pub(crate) fn literal(text: &[u8], start: usize) -> Option<(usize, Literal)> {
    let rest = text.get(start..)?;
    let (length, literal) = match rest.first_chunk::<4>()? {
        b"true" => (4, Literal::True),
        b"null" => (4, Literal::Null),
        b"fals" if rest.get(4) == Some(&b'e') => (5, Literal::False),
        _ => return None,
    };
    (!rest.get(length).is_some_and(|byte| is_word(*byte))).then_some((start + length, literal))
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || byte >= 0x80
}

/// The value of a string token's inside, escapes resolved. `raw` was read by [`string`].
pub(crate) fn unescape(raw: &[u8], out: &mut Vec<u8>) {
    let mut rest = raw;
    while let Some(at) = memchr::memchr(b'\\', rest) {
        let (plain, escaped) = rest.split_at(at);
        out.extend_from_slice(plain);
        let byte = match escaped.get(1) {
            Some(b'u') => {
                let first = hex(escaped.get(2..6));
                let second = match escaped.get(6..8) {
                    Some(b"\\u") => hex(escaped.get(8..12)),
                    _ => 0,
                };
                let (code, used) = match (first, second) {
                    (0xd800..=0xdbff, 0xdc00..=0xdfff) => (0x1_0000 + ((first - 0xd800) << 10) + (second - 0xdc00), 12),
                    _ => (first, 6),
                };
                // A lone half of a pair is no character; the service compares it as a question mark.
                let character = char::from_u32(code).unwrap_or('?');
                out.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
                rest = escaped.get(used..).unwrap_or(&[]);
                continue;
            }
            Some(b'b') => 0x08,
            Some(b'f') => 0x0c,
            Some(b'n') => b'\n',
            Some(b'r') => b'\r',
            Some(b't') => b'\t',
            Some(other) => *other,
            None => b'\\',
        };
        out.push(byte);
        rest = escaped.get(2..).unwrap_or(&[]);
    }
    out.extend_from_slice(rest);
}

fn hex(digits: Option<&[u8]>) -> u32 {
    digits.unwrap_or(&[]).iter().fold(0, |value, digit| value * 16 + char::from(*digit).to_digit(16).unwrap_or(0))
}

/// How many bytes [`unescape`] would write.
pub(crate) fn unescaped_len(raw: &[u8]) -> usize {
    let mut out = Vec::new();
    unescape(raw, &mut out);
    out.len()
}

/// The value of a string token with its quotes; empty if `token` is not one.
pub(crate) fn string_value(token: &str) -> Cow<'_, str> {
    let raw = token.strip_prefix('"').unwrap_or(token);
    let raw = raw.strip_suffix('"').unwrap_or(raw);
    if memchr::memchr(b'\\', raw.as_bytes()).is_none() {
        return Cow::Borrowed(raw);
    }
    let mut out = Vec::with_capacity(raw.len());
    unescape(raw.as_bytes(), &mut out);
    Cow::Owned(String::from_utf8(out).unwrap_or_default())
}

/// What is wrong with the string that begins at `start`, which [`string`] refused or which is not UTF-8.
#[cold]
pub(crate) fn string_fault(text: &[u8], start: usize, expected: Expected) -> SyntaxError {
    let cut_off = SyntaxError::new(SyntaxKind::UnterminatedString(expected), text.len(), start, text.len());
    let mut at = start + 1;
    let fault = loop {
        match text.get(at) {
            None => break cut_off,
            Some(b'"') => break SyntaxError::new(SyntaxKind::Utf8, at, at, at + 1),
            Some(0..=0x1f) => break SyntaxError::new(SyntaxKind::ControlCharacter, at, at, at + 1),
            Some(b'\\') => match escape(text, at) {
                Some(end) => at = end,
                None => break escape_fault(text, at).unwrap_or(cut_off),
            },
            Some(_) => at += 1,
        }
    };
    // Whichever comes first; but a character that the end of the text cuts off counts as the text's end.
    let stop = fault.at as usize;
    match std::str::from_utf8(text.get(start..stop).unwrap_or(&[])) {
        Err(error) if error.error_len().is_some() || stop < text.len() => {
            let bad = start + error.valid_up_to();
            SyntaxError::new(SyntaxKind::Utf8, bad, bad, bad + error.error_len().unwrap_or(stop - bad))
        }
        _ => fault,
    }
}

/// What is wrong with the escape whose backslash is at `at`; none if the text ends inside.
fn escape_fault(text: &[u8], at: usize) -> Option<SyntaxError> {
    if *text.get(at + 1)? != b'u' {
        return Some(SyntaxError::new(SyntaxKind::Escape, at + 1, at, next_character(text, at + 1)));
    }
    let digits = text.get(at + 2..)?;
    let digit = at + 2 + digits.iter().position(|byte| !byte.is_ascii_hexdigit())?;
    Some(SyntaxError::new(SyntaxKind::UnicodeEscape, digit, at, next_character(text, digit)))
}

/// What is wrong with the number that begins at `start`, which [`number`] refused.
#[cold]
pub(crate) fn number_fault(text: &[u8], start: usize) -> SyntaxError {
    let is_digit = |at: usize| text.get(at).is_some_and(u8::is_ascii_digit);
    let fault = |kind: NumberFault, at: usize| {
        if at >= text.len() {
            return SyntaxError::new(SyntaxKind::UnfinishedNumber, text.len(), start, text.len());
        }
        SyntaxError::new(SyntaxKind::Number(kind), at, start, next_character(text, at))
    };
    let mut at = start + usize::from(text.get(start) == Some(&b'-'));
    if !is_digit(at) {
        if text.get(at..).is_some_and(|rest| rest.starts_with(b"Infinity") || rest.starts_with(b"INF")) {
            return SyntaxError::new(SyntaxKind::NonFinite, start, start, word_end(text, at));
        }
        return fault(NumberFault::AfterMinus, at);
    }
    if text.get(at) == Some(&b'0') && is_digit(at + 1) {
        return fault(NumberFault::LeadingZero, at + 1);
    }
    while is_digit(at) {
        at += 1;
    }
    if text.get(at) == Some(&b'.') {
        at += 1;
        if !is_digit(at) {
            return fault(NumberFault::AfterPoint, at);
        }
        while is_digit(at) {
            at += 1;
        }
    }
    at += 1 + usize::from(matches!(text.get(at + 1), Some(b'+' | b'-')));
    fault(NumberFault::AfterExponent, at)
}

/// What is wrong with what is at `at`, where something else was expected.
#[cold]
pub(crate) fn unexpected(text: &[u8], at: usize, expected: Expected) -> SyntaxError {
    let Some(byte) = text.get(at).copied() else {
        return SyntaxError::new(SyntaxKind::Truncated(expected), text.len(), text.len(), text.len());
    };
    let end = next_character(text, at);
    let Some(character) = text.get(at..end).and_then(|bytes| std::str::from_utf8(bytes).ok()) else {
        return SyntaxError::new(SyntaxKind::Utf8, at, at, end);
    };
    let begins_word = byte.is_ascii_alphabetic() || matches!(byte, b'_' | b'$');
    if expected.value() && (begins_word || character.chars().all(char::is_alphabetic)) {
        let end = word_end(text, at);
        let word = text.get(at..end).unwrap_or(&[]);
        if let b"NaN" | b"Infinity" | b"INF" = word {
            return SyntaxError::new(SyntaxKind::NonFinite, at, at, end);
        }
        if end == text.len() && [&b"true"[..], b"false", b"null"].iter().any(|known| known.starts_with(word)) {
            return SyntaxError::new(SyntaxKind::Truncated(expected), text.len(), at, end);
        }
        return SyntaxError::new(SyntaxKind::Word, at, at, end);
    }
    SyntaxError::new(SyntaxKind::Character(expected), at, at, end)
}

/// After the word at `at`: letters, digits, `_`, `$`.
fn word_end(text: &[u8], mut at: usize) -> usize {
    while let Some(byte) = text.get(at) {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$') {
            at += 1;
            continue;
        }
        let end = next_character(text, at);
        match text.get(at..end).and_then(|bytes| std::str::from_utf8(bytes).ok()) {
            Some(character) if character.chars().all(char::is_alphanumeric) => at = end,
            _ => break,
        }
    }
    at
}

/// After the character at `at`; after the byte if it begins none.
fn next_character(text: &[u8], at: usize) -> usize {
    let length = match text.get(at) {
        None => return text.len(),
        Some(0..=0xbf) => 1,
        Some(0xc0..=0xdf) => 2,
        Some(0xe0..=0xef) => 3,
        Some(0xf0..) => 4,
    };
    match text.get(at..at + length) {
        Some(bytes) if std::str::from_utf8(bytes).is_ok() => at + length,
        _ => at + 1,
    }
}
