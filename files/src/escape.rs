//! JSON string literals: what their escapes spell.

use std::ops::Range;

/// The text inside a string literal without its quotes; none if an escape is malformed.
pub fn unescape(inner: &str) -> Option<String> {
    unescape_with(inner, |_, _| ())
}

/// Unescapes, and reports each stretch: of the result, and of `inner`.
pub(crate) fn unescape_with(inner: &str, mut tell: impl FnMut(Range<usize>, Range<usize>)) -> Option<String> {
    let mut text = String::with_capacity(inner.len());
    let mut at = 0;
    while let Some(rest) = inner.get(at..).filter(|rest| !rest.is_empty()) {
        let plain = rest.find('\\').unwrap_or(rest.len());
        crate::work::note(plain + 1);
        if plain > 0 {
            tell(text.len()..text.len() + plain, at..at + plain);
            text.push_str(rest.get(..plain)?);
            at += plain;
            continue;
        }
        let start = text.len();
        let (char, length) = escape(rest)?;
        text.push(char);
        tell(start..text.len(), at..at + length);
        at += length;
    }
    Some(text)
}

/// The character of the escape at the beginning of `rest`, and the escape's length.
fn escape(rest: &str) -> Option<(char, usize)> {
    let simple = match rest.as_bytes().get(1)? {
        b'n' => '\n',
        b't' => '\t',
        b'r' => '\r',
        b'b' => '\u{8}',
        b'f' => '\u{c}',
        plain @ (b'"' | b'\\' | b'/') => char::from(*plain),
        b'u' => {
            let unit = |at: usize| u32::from_str_radix(rest.get(at..at + 4)?, 16).ok();
            let high = unit(2)?;
            let paired = (0xd800..0xdc00).contains(&high) && rest.get(6..8) == Some("\\u");
            if let (true, Some(low @ 0xdc00..=0xdfff)) = (paired, unit(8)) {
                return Some((char::from_u32(0x1_0000 + ((high - 0xd800) << 10) + (low - 0xdc00))?, 12));
            }
            return Some((char::from_u32(high).unwrap_or('?'), 6));
        }
        _ => return None,
    };
    Some((simple, 2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes() {
        assert_eq!(unescape(r"a\n\ud83d\ude00\ud800\/").as_deref(), Some("a\n😀?/"));
        assert_eq!(unescape(r"\x"), None);
        assert_eq!(unescape(r"\u12"), None);
        assert_eq!(unescape("\\"), None);
    }
}
