//! The grammar of JSON, once, byte by byte: the walk that the spanned tree and the portable reader share, and that finds
//! the exact fault when a faster path only knows that there is one.

use super::fault::{Expected, SyntaxError, SyntaxKind};
use super::lex::{self, Quoted};
use crate::limit::Limits;

/// Hears the tokens of a text, in order.
pub(crate) trait Visit {
    /// A key; its value follows.
    fn key(&mut self, text: &[u8], token: Quoted);
    /// An object (or else an array) begins at `at`.
    fn begin(&mut self, at: usize, object: bool);
    /// The innermost object or array ends before `end`.
    fn end(&mut self, end: usize, object: bool);
    fn string(&mut self, text: &[u8], token: Quoted);
    fn number(&mut self, text: &[u8], start: usize, end: usize);
    fn literal(&mut self, start: usize, end: usize, literal: Literal);
    /// The fault that ends the walk lies inside the string value that begins at `start`.
    fn broken_string(&mut self, _start: usize) {}
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Literal {
    True,
    False,
    Null,
}

/// Which of the open containers are objects, one bit each, outermost first.
pub(crate) struct Nesting {
    objects: [u64; Limits::MAX_DEPTH.div_ceil(64)],
    /// How many there are.
    pub(crate) depth: usize,
}

impl Nesting {
    pub(crate) fn new() -> Nesting {
        Nesting { objects: [0; Limits::MAX_DEPTH.div_ceil(64)], depth: 0 }
    }

    #[inline]
    pub(crate) fn push(&mut self, object: bool) {
        if let Some(word) = self.objects.get_mut(self.depth / 64) {
            let bit = 1 << (self.depth % 64);
            *word = if object { *word | bit } else { *word & !bit };
        }
        self.depth += 1;
    }

    #[inline]
    pub(crate) fn innermost_is_object(&self) -> bool {
        let at = self.depth.wrapping_sub(1);
        self.objects.get(at / 64).is_some_and(|word| word >> (at % 64) & 1 == 1)
    }
}

/// Walks over the value that `text` begins with and answers the offset behind it. `UTF8` says that the text is known
/// to be UTF-8.
#[inline]
pub(crate) fn walk<const UTF8: bool>(
    text: &[u8],
    limits: &Limits,
    visit: &mut impl Visit,
) -> Result<usize, SyntaxError> {
    let deepest = limits.depth();
    let mut open = Nesting::new();
    let mut at = lex::skip_space(text, 0);
    let mut expected = Expected::Root;
    'value: loop {
        let start = at;
        let Some(byte) = text.get(at) else { return Err(lex::unexpected(text, at, expected)) };
        match byte {
            b'"' => {
                let token = match string::<UTF8>(text, at) {
                    Some(token) => token,
                    None => {
                        visit.broken_string(start);
                        return Err(lex::string_fault(text, start, Expected::Value));
                    }
                };
                visit.string(text, token);
                at = token.end;
            }
            b'{' => {
                if open.depth >= deepest {
                    return Err(SyntaxError::new(SyntaxKind::Limit("depth"), at, at, at + 1));
                }
                open.push(true);
                visit.begin(at, true);
                at = lex::skip_space(text, at + 1);
                if text.get(at) == Some(&b'}') {
                    at += 1;
                    open.depth -= 1;
                    visit.end(at, true);
                } else {
                    let (token, value) = key::<UTF8>(text, at, Expected::KeyOrEnd, limits)?;
                    visit.key(text, token);
                    at = value;
                    expected = Expected::Value;
                    continue 'value;
                }
            }
            b'[' => {
                if open.depth >= deepest {
                    return Err(SyntaxError::new(SyntaxKind::Limit("depth"), at, at, at + 1));
                }
                open.push(false);
                visit.begin(at, false);
                at = lex::skip_space(text, at + 1);
                if text.get(at) == Some(&b']') {
                    at += 1;
                    open.depth -= 1;
                    visit.end(at, false);
                } else {
                    expected = Expected::ElementOrEnd;
                    continue 'value;
                }
            }
            b'-' | b'0'..=b'9' => {
                let Some(end) = lex::number(text, at) else { return Err(lex::number_fault(text, at)) };
                if end - start > limits.number_bytes {
                    return Err(SyntaxError::new(SyntaxKind::Limit("number_bytes"), start, start, end));
                }
                visit.number(text, start, end);
                at = end;
            }
            _ => {
                let (end, literal) = literal(text, at, expected)?;
                visit.literal(start, end, literal);
                at = end;
            }
        }
        // Behind a value: close what ends here, go on to the next value.
        loop {
            if open.depth == 0 {
                return Ok(at);
            }
            at = lex::skip_space(text, at);
            if open.innermost_is_object() {
                match text.get(at) {
                    Some(b',') => {
                        let next = lex::skip_space(text, at + 1);
                        let (token, value) = key::<UTF8>(text, next, Expected::Key, limits)?;
                        visit.key(text, token);
                        at = value;
                        expected = Expected::Value;
                        continue 'value;
                    }
                    Some(b'}') => {
                        at += 1;
                        open.depth -= 1;
                        visit.end(at, true);
                    }
                    _ => return Err(lex::unexpected(text, at, Expected::CommaOrObjectEnd)),
                }
            } else {
                match text.get(at) {
                    Some(b',') => {
                        at = lex::skip_space(text, at + 1);
                        expected = Expected::Value;
                        continue 'value;
                    }
                    Some(b']') => {
                        at += 1;
                        open.depth -= 1;
                        visit.end(at, false);
                    }
                    _ => return Err(lex::unexpected(text, at, Expected::CommaOrArrayEnd)),
                }
            }
        }
    }
}

/// A string that is UTF-8 as well.
#[inline(always)]
pub(crate) fn string<const UTF8: bool>(text: &[u8], at: usize) -> Option<Quoted> {
    let token = lex::string(text, at)?;
    if !UTF8 && !token.ascii {
        std::str::from_utf8(text.get(token.start..token.end)?).ok()?;
    }
    Some(token)
}

/// The literal at `at`, and the offset behind it.
#[inline(always)]
pub(crate) fn literal(text: &[u8], at: usize, expected: Expected) -> Result<(usize, Literal), SyntaxError> {
    let (word, literal) = match text.get(at) {
        Some(b't') => (&b"true"[..], Literal::True),
        Some(b'f') => (&b"false"[..], Literal::False),
        _ => (&b"null"[..], Literal::Null),
    };
    match lex::literal(text, at, word) {
        Some(end) => Ok((end, literal)),
        None => Err(lex::unexpected(text, at, expected)),
    }
}

/// The key at `at`, and the offset of its value behind the colon.
#[inline(always)]
pub(crate) fn key<const UTF8: bool>(
    text: &[u8],
    at: usize,
    expected: Expected,
    limits: &Limits,
) -> Result<(Quoted, usize), SyntaxError> {
    if text.get(at) != Some(&b'"') {
        return Err(lex::unexpected(text, at, expected));
    }
    let Some(token) = string::<UTF8>(text, at) else { return Err(lex::string_fault(text, at, expected)) };
    if token.end - at - 2 > limits.key_bytes {
        key_limit(text, token, limits)?;
    }
    let colon = lex::skip_space(text, token.end);
    if text.get(colon) != Some(&b':') {
        return Err(lex::unexpected(text, colon, Expected::Colon));
    }
    Ok((token, lex::skip_space(text, colon + 1)))
}

/// Escapes make a key look longer than it is.
#[cold]
fn key_limit(text: &[u8], token: Quoted, limits: &Limits) -> Result<(), SyntaxError> {
    let raw = text.get(token.start + 1..token.end - 1).unwrap_or(&[]);
    if lex::unescaped_len(raw) > limits.key_bytes {
        return Err(SyntaxError::new(SyntaxKind::Limit("key_bytes"), token.start, token.start, token.end));
    }
    Ok(())
}

/// What an event must be besides JSON: short enough, an object, nothing behind it. `end` is the offset behind its value.
pub(crate) fn check_end(text: &[u8], end: usize) -> Result<(), SyntaxError> {
    let at = lex::skip_space(text, end);
    if at < text.len() {
        let end = text.len().min(at + 1);
        return Err(SyntaxError::new(SyntaxKind::Trailing, at, at, end));
    }
    Ok(())
}

/// Why the text that does not begin with a brace, but with something else at `start`, is no event.
#[cold]
pub(crate) fn not_an_object(text: &[u8], start: usize, limits: &Limits) -> SyntaxError {
    match walk::<false>(text, limits, &mut Nobody) {
        Ok(end) => SyntaxError::new(SyntaxKind::NotAnObject, start, start, end),
        Err(fault) => fault,
    }
}

/// The fault of an event that something else has found to have one.
#[cold]
pub(crate) fn fault(text: &[u8], limits: &Limits) -> SyntaxError {
    match walk::<false>(text, limits, &mut Nobody).and_then(|end| check_end(text, end)) {
        Ok(()) => SyntaxError::new(SyntaxKind::Utf8, text.len(), text.len(), text.len()),
        Err(fault) => fault,
    }
}

/// The longest event whose offsets fit: beyond it the limit `event_bytes` counts as reached, however large it is.
const LONGEST: usize = u32::MAX as usize - 128;

pub(crate) fn check_length(text: &[u8], limits: &Limits) -> Result<(), SyntaxError> {
    let longest = limits.event_bytes.min(LONGEST);
    if text.len() > longest {
        return Err(SyntaxError::new(SyntaxKind::Limit("event_bytes"), longest, longest, longest));
    }
    Ok(())
}

/// Listens to nothing: for validation, and for finding a fault.
pub(crate) struct Nobody;

impl Visit for Nobody {
    fn key(&mut self, _text: &[u8], _token: Quoted) {}
    fn begin(&mut self, _at: usize, _object: bool) {}
    fn end(&mut self, _end: usize, _object: bool) {}
    fn string(&mut self, _text: &[u8], _token: Quoted) {}
    fn number(&mut self, _text: &[u8], _start: usize, _end: usize) {}
    fn literal(&mut self, _start: usize, _end: usize, _literal: Literal) {}
}
