//! The grammar of JSON, once: it builds the spanned tree, validates what a strict reader skips, and finds the exact
//! fault when a faster path only knows that there is one.

use super::fault::{Expected, SyntaxError, SyntaxKind};
use super::lex::{self, Literal, Quoted};
use super::strings::{Finder, Strings, Words};
use crate::limit::{Limit, Limits, MAX_DEPTH};

/// Receives the tokens of the input, in order.
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

/// Which of the open containers are objects, one bit each, outermost first.
pub(crate) struct Nesting {
    objects: [u64; MAX_DEPTH.div_ceil(64)],
    /// How many there are.
    pub(crate) depth: usize,
}

impl Nesting {
    pub(crate) fn new() -> Nesting {
        Nesting { objects: [0; MAX_DEPTH.div_ceil(64)], depth: 0 }
    }

    #[inline]
    pub(crate) fn push(&mut self, object: bool) {
        if let Some(word) = self.objects.get_mut(self.depth / 64) {
            let bit = 1 << (self.depth % 64);
            *word = if object { *word | bit } else { *word & !bit };
        }
        self.depth += 1;
    }

    /// Closes the innermost one; whether the one around it is an object.
    #[inline]
    pub(crate) fn pop(&mut self) -> bool {
        self.depth = self.depth.wrapping_sub(1);
        self.innermost_is_object()
    }

    #[inline]
    pub(crate) fn innermost_is_object(&self) -> bool {
        let at = self.depth.wrapping_sub(1);
        self.objects.get(at / 64).is_some_and(|word| word >> (at % 64) & 1 == 1)
    }
}

/// Walks over the value that `text` begins with, and returns the offset after it. It checks UTF-8 even where that is
/// known: what is not ASCII is rare, and one copy of the code is enough.
pub(crate) fn walk(text: &[u8], limits: &Limits, visit: &mut impl Visit) -> Result<usize, SyntaxError> {
    let start = lex::skip_space(text, 0);
    Walker::<_, false>::new(Words, limits).walk_on(text, start, Expected::Root, 0, visit)
}

/// A strict reader on its way through the input, which is handed to each step (kept here it costs 3 %: it is no longer known
/// to stay the same). `UTF8` says that the text is known to be UTF-8.
pub(crate) struct Walker<'a, F, const UTF8: bool> {
    pub(crate) limits: &'a Limits,
    pub(crate) strings: Strings<F>,
    /// The containers that it is inside.
    pub(crate) open: Nesting,
}

impl<'a, F: Finder, const UTF8: bool> Walker<'a, F, UTF8> {
    #[inline(always)]
    pub(crate) fn new(finder: F, limits: &'a Limits) -> Self {
        Walker { limits, strings: Strings::new(finder), open: Nesting::new() }
    }

    /// Walks on from `at`, where a value is due (`expected` says what else could have stood there), to the end of the
    /// first value after which no more than `outside` containers are open.
    #[inline(always)]
    pub(crate) fn walk_on(
        &mut self,
        text: &[u8],
        mut at: usize,
        mut expected: Expected,
        outside: usize,
        visit: &mut impl Visit,
    ) -> Result<usize, SyntaxError> {
        let deepest = self.limits.depth;
        let mut object = self.open.innermost_is_object();
        // The byte at `at`.
        let mut byte = text.get(at).copied().unwrap_or(0);
        loop {
            if let Expected::Key | Expected::KeyOrEnd = expected {
                let (token, value, first) = self.key(text, at, byte, expected)?;
                visit.key(text, token);
                (at, byte) = (value, first);
                expected = Expected::Value;
            }
            let start = at;
            match byte {
                b'"' => {
                    let Some((end, escaped)) = self.strings.read::<UTF8>(text, at) else {
                        visit.broken_string(start);
                        return Err(lex::string_fault(text, start, Expected::Value));
                    };
                    visit.string(text, Quoted { start, end, escaped });
                    at = end;
                }
                bracket @ (b'{' | b'[') => {
                    if self.open.depth >= deepest {
                        return Err(SyntaxError::new(SyntaxKind::Limit(Limit::Depth), at, at, at + 1));
                    }
                    object = bracket == b'{';
                    self.open.push(object);
                    visit.begin(at, object);
                    (at, byte) = lex::next_token(text, at + 1);
                    if byte != bracket + 2 {
                        expected = if object { Expected::KeyOrEnd } else { Expected::ElementOrEnd };
                        continue;
                    }
                    at += 1;
                    visit.end(at, object);
                    object = self.open.pop();
                }
                b'-' | b'0'..=b'9' => {
                    at = self.number(text, at)?;
                    visit.number(text, start, at);
                }
                _ => {
                    let (end, literal) = literal(text, at, expected)?;
                    visit.literal(start, end, literal);
                    at = end;
                }
            }
            // After a value: closes what ends here, and goes on to the next.
            loop {
                if self.open.depth == outside {
                    return Ok(at);
                }
                (at, byte) = lex::next_token(text, at);
                match byte {
                    b',' => {
                        (at, byte) = lex::next_token(text, at + 1);
                        expected = if object { Expected::Key } else { Expected::Value };
                        break;
                    }
                    b'}' if object => {}
                    b']' if !object => {}
                    _ => {
                        let expected = if object { Expected::CommaOrObjectEnd } else { Expected::CommaOrArrayEnd };
                        return Err(lex::unexpected(text, at, expected));
                    }
                }
                at += 1;
                visit.end(at, object);
                object = self.open.pop();
            }
        }
    }

    /// The key at `at`, where `byte` is, and of its value after the colon the offset and the first byte.
    #[inline(always)]
    pub(crate) fn key(
        &mut self,
        text: &[u8],
        at: usize,
        byte: u8,
        expected: Expected,
    ) -> Result<(Quoted, usize, u8), SyntaxError> {
        if byte != b'"' {
            return Err(lex::unexpected(text, at, expected));
        }
        let Some((end, escaped)) = self.strings.read::<UTF8>(text, at) else {
            return Err(lex::string_fault(text, at, expected));
        };
        let token = Quoted { start: at, end, escaped };
        if end - at - 2 > self.limits.key_bytes {
            key_limit(text, token, self.limits)?;
        }
        let (colon, byte) = lex::next_token(text, end);
        if byte != b':' {
            return Err(lex::unexpected(text, colon, Expected::Colon));
        }
        let (value, byte) = lex::next_token(text, colon + 1);
        Ok((token, value, byte))
    }

    /// The offset after the number at `at`.
    #[inline(always)]
    pub(crate) fn number(&self, text: &[u8], at: usize) -> Result<usize, SyntaxError> {
        let Some(end) = lex::number(text, at) else { return Err(lex::number_fault(text, at)) };
        if end - at > self.limits.number_bytes {
            return Err(SyntaxError::new(SyntaxKind::Limit(Limit::NumberBytes), at, at, end));
        }
        Ok(end)
    }
}

/// The literal at `at`, and the offset after it.
#[inline(always)]
pub(crate) fn literal(text: &[u8], at: usize, expected: Expected) -> Result<(usize, Literal), SyntaxError> {
    lex::literal(text, at).ok_or_else(|| lex::unexpected(text, at, expected))
}

/// Escapes make a key look longer than it is.
#[cold]
fn key_limit(text: &[u8], token: Quoted, limits: &Limits) -> Result<(), SyntaxError> {
    let raw = text.get(token.start + 1..token.end - 1).unwrap_or(&[]);
    if lex::unescaped_len(raw) > limits.key_bytes {
        return Err(SyntaxError::new(SyntaxKind::Limit(Limit::KeyBytes), token.start, token.start, token.end));
    }
    Ok(())
}

/// What an event must be besides JSON: short enough, an object, nothing after it. `end` is the offset after its value.
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
    match walk(text, limits, &mut Nobody) {
        Ok(end) => SyntaxError::new(SyntaxKind::NotAnObject, start, start, end),
        Err(fault) => fault,
    }
}

/// The fault of an event that something else has found to have one.
#[cold]
pub(crate) fn fault(text: &[u8], limits: &Limits) -> SyntaxError {
    match walk(text, limits, &mut Nobody).and_then(|end| check_end(text, end)) {
        Ok(()) => SyntaxError::new(SyntaxKind::Utf8, text.len(), text.len(), text.len()),
        Err(fault) => fault,
    }
}

/// The fault of input that is not an event, if it is where an earlier look found it.
#[cold]
pub(crate) fn fault_at(text: &[u8], at: usize) -> Option<SyntaxError> {
    let limits = Limits::default().event_bytes(usize::MAX);
    check_length(text, &limits).ok()?;
    let start = lex::skip_space(text, 0);
    let error = match text.get(start) {
        Some(b'{') => fault(text, &limits),
        _ => not_an_object(text, start, &limits),
    };
    (error.at as usize == at).then_some(error)
}

/// The longest event whose offsets fit: beyond it the limit `event_bytes` counts as reached, however large it is.
const LONGEST: usize = u32::MAX as usize - 128;

pub(crate) fn check_length(text: &[u8], limits: &Limits) -> Result<(), SyntaxError> {
    let longest = limits.event_bytes.min(LONGEST);
    if text.len() > longest {
        return Err(SyntaxError::new(SyntaxKind::Limit(Limit::EventBytes), longest, longest, longest));
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
