//! Reads an event only as far as somebody listens.

use super::block::machine::Machine;
use super::block::scan;
use super::fault::{Expected, SyntaxError, SyntaxKind};
use super::lex;
use super::reader::{inside, scalar};
use super::sink::{Scalar, Sink, Text, Want};
use super::skip;
use super::walk::{self, Nesting};
use crate::limit::Limits;

/// Tells `sink` the event in `text`, with the help of a machine that finds the ends of strings and containers. What is
/// told, and what a fault in between is, is the same as with [`read_bytes`].
#[inline(always)]
pub(crate) fn read<M: Machine, S: Sink, const UTF8: bool>(
    machine: M,
    text: &[u8],
    limits: &Limits,
    buffer: &mut Vec<u8>,
    sink: &mut S,
) -> Result<(), SyntaxError> {
    let mut at = lex::skip_space(text, 0);
    if text.get(at) != Some(&b'{') {
        return Err(walk::not_an_object(text, at, limits));
    }
    let deepest = limits.depth();
    let mut open = Nesting::new();
    let mut object = false;
    let mut expected = Expected::Root;
    let mut strings = Strings { machine, base: usize::MAX / 2, quotes: 0, odd: 0, escaped: 0 };
    loop {
        // Here `at` is where a member or element is due.
        let mut read = true;
        if object {
            if text.get(at) != Some(&b'"') {
                return Err(lex::unexpected(text, at, expected));
            }
            let start = at;
            let (name, end) = strings.value::<UTF8>(text, at, expected, buffer)?;
            if name.as_bytes().len() > limits.key_bytes {
                return Err(SyntaxError::new(SyntaxKind::Limit("key_bytes"), start, start, end));
            }
            at = end;
            if text.get(at) != Some(&b':') {
                at = lex::skip_space(text, at);
                if text.get(at) != Some(&b':') {
                    return Err(lex::unexpected(text, at, Expected::Colon));
                }
            }
            at = lex::skip_space(text, at + 1);
            expected = Expected::Value;
            match sink.key(name) {
                Want::Read => {}
                Want::Skip => {
                    at = match text.get(at) {
                        Some(b'"') => match strings.end(text, at + 1) {
                            Some((end, _)) => end,
                            None => skip::string(text, at)?,
                        },
                        Some(b'{' | b'[') => skip_container(machine, text, at + 1)?,
                        Some(b'-' | b'0'..=b'9') => number(text, at, limits)?,
                        _ => walk::literal(text, at, Expected::Value)?.0,
                    };
                    read = false;
                }
                Want::Leave => {
                    at = skip_container(machine, text, at)? - 1;
                    read = false;
                }
                Want::Stop => return Ok(()),
            }
        }
        if read {
            match text.get(at) {
                Some(b'"') => {
                    let (value, end) = strings.value::<UTF8>(text, at, Expected::Value, buffer)?;
                    sink.scalar(Scalar::String(value));
                    at = end;
                }
                Some(bracket @ (b'{' | b'[')) => {
                    if open.depth >= deepest {
                        return Err(SyntaxError::new(SyntaxKind::Limit("depth"), at, at, at + 1));
                    }
                    let begins = *bracket == b'{';
                    let want = if begins { sink.begin_object() } else { sink.begin_array() };
                    match want {
                        Want::Read => {
                            open.push(begins);
                            object = begins;
                            at = lex::skip_space(text, at + 1);
                            if text.get(at) != Some(&(bracket + 2)) {
                                expected = if object { Expected::KeyOrEnd } else { Expected::ElementOrEnd };
                                continue;
                            }
                        }
                        Want::Skip | Want::Leave => at = skip_container(machine, text, at + 1)?,
                        Want::Stop => return Ok(()),
                    }
                }
                Some(b'-' | b'0'..=b'9') => {
                    let start = at;
                    at = number(text, at, limits)?;
                    sink.scalar(Scalar::Number(Text::from_valid(text.get(start..at).unwrap_or(&[]))));
                }
                _ => {
                    let (end, literal) = walk::literal(text, at, expected)?;
                    sink.scalar(scalar(literal));
                    at = end;
                }
            }
        }
        // Behind a value: closes what ends here, and goes on to the next.
        loop {
            if open.depth == 0 {
                return walk::check_end(text, at);
            }
            at = lex::skip_space(text, at);
            match text.get(at) {
                Some(b',') => {
                    at = lex::skip_space(text, at + 1);
                    expected = if object { Expected::Key } else { Expected::Value };
                    break;
                }
                Some(b'}') if object => sink.end_object(),
                Some(b']') if !object => sink.end_array(),
                _ => {
                    let expected = if object { Expected::CommaOrObjectEnd } else { Expected::CommaOrArrayEnd };
                    return Err(lex::unexpected(text, at, expected));
                }
            }
            at += 1;
            open.depth -= 1;
            object = open.innermost_is_object();
        }
    }
}

/// Finds the ends of strings, and remembers the last block that it has looked at.
struct Strings<M> {
    machine: M,
    /// Where the block begins; far behind any text if there is none yet.
    base: usize,
    /// Its quotes that are not escaped.
    quotes: u64,
    /// Its bytes that a string must be looked into for: backslashes, control characters, non-ASCII bytes.
    odd: u64,
    /// Whether the first byte of the next block is escaped.
    escaped: u64,
}

impl<M: Machine> Strings<M> {
    #[inline(always)]
    fn load(&mut self, text: &[u8], base: usize) {
        let rest = text.get(base..).unwrap_or(&[]);
        let vector = match rest.first_chunk::<64>() {
            Some(bytes) => self.machine.load(bytes),
            None => self.machine.load_part(rest, &mut [b' '; 64]),
        };
        let backslash = self.machine.equal(vector, b'\\');
        self.base = base;
        self.quotes = self.machine.equal(vector, b'"');
        self.odd = self.machine.at_most(vector, 0x1f) | self.machine.high(vector) | backslash;
        if backslash | self.escaped != 0 {
            self.quotes &= !scan::escapes(backslash, &mut self.escaped);
        }
    }

    /// Behind the closing quote of the string of which `at` is inside, and whether there is anything odd before it.
    #[inline(always)]
    fn end(&mut self, text: &[u8], at: usize) -> Option<(usize, bool)> {
        let mut offset = at.wrapping_sub(self.base);
        if offset >= 64 {
            // Between here and the last block may lie anything; but no escape begins before a string does.
            self.escaped = 0;
            self.load(text, at);
            offset = 0;
        }
        let mut live = !0_u64 << offset;
        let mut odd = 0;
        loop {
            let quotes = self.quotes & live;
            if quotes != 0 {
                let before = quotes ^ (quotes - 1);
                odd |= self.odd & live & before;
                return Some((self.base + quotes.trailing_zeros() as usize + 1, odd != 0));
            }
            odd |= self.odd & live;
            let next = self.base + 64;
            if next >= text.len() {
                return None;
            }
            self.load(text, next);
            live = !0;
        }
    }

    /// The value of the string that begins at `at`, and the offset behind it.
    #[inline(always)]
    fn value<'a, const UTF8: bool>(
        &mut self,
        text: &'a [u8],
        at: usize,
        expected: Expected,
        buffer: &'a mut Vec<u8>,
    ) -> Result<(Text<'a>, usize), SyntaxError> {
        match self.end(text, at + 1) {
            Some((end, false)) => Ok((Text::from_valid(text.get(at + 1..end - 1).unwrap_or(&[])), end)),
            _ => odd_string::<UTF8>(text, at, expected, buffer),
        }
    }
}

/// The same for a string that must be looked into.
#[inline(never)]
fn odd_string<'a, const UTF8: bool>(
    text: &'a [u8],
    at: usize,
    expected: Expected,
    buffer: &'a mut Vec<u8>,
) -> Result<(Text<'a>, usize), SyntaxError> {
    match walk::string::<UTF8>(text, at) {
        Some(token) => Ok((inside(text, token, buffer), token.end)),
        None => Err(lex::string_fault(text, at, expected)),
    }
}

/// Behind the bracket that closes the container of which `at` is inside.
#[inline(always)]
fn skip_container<M: Machine>(machine: M, text: &[u8], at: usize) -> Result<usize, SyntaxError> {
    match machine.skip_container(text, at, 1) {
        Some(end) => Ok(end),
        None => skip::container(text, at, 1),
    }
}

/// The same byte by byte.
pub(crate) fn read_bytes<S: Sink, const UTF8: bool>(
    text: &[u8],
    limits: &Limits,
    buffer: &mut Vec<u8>,
    sink: &mut S,
) -> Result<(), SyntaxError> {
    let deepest = limits.depth();
    let mut open = Nesting::new();
    let mut at = lex::skip_space(text, 0);
    if text.get(at) != Some(&b'{') {
        return Err(walk::not_an_object(text, at, limits));
    }
    let mut expected = Expected::Root;
    let mut step = Step::Value;
    loop {
        match step {
            Step::Value => {
                step = Step::Behind;
                match text.get(at) {
                    Some(b'"') => {
                        let Some(token) = walk::string::<UTF8>(text, at) else {
                            return Err(lex::string_fault(text, at, Expected::Value));
                        };
                        sink.scalar(Scalar::String(inside(text, token, buffer)));
                        at = token.end;
                    }
                    Some(byte @ (b'{' | b'[')) => {
                        let object = *byte == b'{';
                        if open.depth >= deepest {
                            return Err(SyntaxError::new(SyntaxKind::Limit("depth"), at, at, at + 1));
                        }
                        let want = if object { sink.begin_object() } else { sink.begin_array() };
                        match want {
                            Want::Read => {}
                            Want::Skip | Want::Leave => {
                                at = skip::container(text, at + 1, 1)?;
                                continue;
                            }
                            Want::Stop => return Ok(()),
                        }
                        open.push(object);
                        at = lex::skip_space(text, at + 1);
                        match (object, text.get(at)) {
                            (true, Some(b'}')) | (false, Some(b']')) => step = Step::Close,
                            (true, _) => step = Step::Key(Expected::KeyOrEnd),
                            (false, _) => {
                                expected = Expected::ElementOrEnd;
                                step = Step::Value;
                            }
                        }
                    }
                    Some(b'-' | b'0'..=b'9') => {
                        let start = at;
                        at = number(text, at, limits)?;
                        sink.scalar(Scalar::Number(Text::from_valid(text.get(start..at).unwrap_or(&[]))));
                    }
                    _ => {
                        let (end, literal) = walk::literal(text, at, expected)?;
                        sink.scalar(scalar(literal));
                        at = end;
                    }
                }
            }
            Step::Key(expected_key) => {
                let (token, value) = walk::key::<UTF8>(text, at, expected_key, limits)?;
                at = value;
                match sink.key(inside(text, token, buffer)) {
                    Want::Read => {
                        expected = Expected::Value;
                        step = Step::Value;
                    }
                    Want::Skip => {
                        at = skip_value(text, at, limits)?;
                        step = Step::Behind;
                    }
                    Want::Leave => {
                        at = skip::container(text, at, 1)? - 1;
                        step = Step::Close;
                    }
                    Want::Stop => return Ok(()),
                }
            }
            Step::Close => {
                at += 1;
                if open.innermost_is_object() {
                    sink.end_object();
                } else {
                    sink.end_array();
                }
                open.depth -= 1;
                step = Step::Behind;
            }
            Step::Behind => {
                if open.depth == 0 {
                    return walk::check_end(text, at);
                }
                at = lex::skip_space(text, at);
                match (open.innermost_is_object(), text.get(at)) {
                    (true, Some(b'}')) | (false, Some(b']')) => step = Step::Close,
                    (true, Some(b',')) => {
                        at = lex::skip_space(text, at + 1);
                        step = Step::Key(Expected::Key);
                    }
                    (false, Some(b',')) => {
                        at = lex::skip_space(text, at + 1);
                        expected = Expected::Value;
                        step = Step::Value;
                    }
                    (true, _) => return Err(lex::unexpected(text, at, Expected::CommaOrObjectEnd)),
                    (false, _) => return Err(lex::unexpected(text, at, Expected::CommaOrArrayEnd)),
                }
            }
        }
    }
}

/// What comes next.
#[derive(Clone, Copy)]
enum Step {
    /// Reads the value at hand.
    Value,
    /// Reads the key at hand, of which the place says what else it could have been.
    Key(Expected),
    /// Takes the closing bracket at hand.
    Close,
    /// Looks for what follows a value.
    Behind,
}

/// Behind the value at `at`, looked at only as far as needed to find its end.
fn skip_value(text: &[u8], at: usize, limits: &Limits) -> Result<usize, SyntaxError> {
    match text.get(at) {
        Some(b'"') => skip::string(text, at),
        Some(b'{' | b'[') => skip::container(text, at + 1, 1),
        Some(b'-' | b'0'..=b'9') => number(text, at, limits),
        _ => walk::literal(text, at, Expected::Value).map(|(end, _)| end),
    }
}

fn number(text: &[u8], at: usize, limits: &Limits) -> Result<usize, SyntaxError> {
    let Some(end) = lex::number(text, at) else { return Err(lex::number_fault(text, at)) };
    if end - at > limits.number_bytes {
        return Err(SyntaxError::new(SyntaxKind::Limit("number_bytes"), at, at, end));
    }
    Ok(end)
}
