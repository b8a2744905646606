//! Reports an event to a sink in one pass over its text: early, where there are no vectors to read it in blocks, and where that
//! finds a fault.

use super::fault::{Expected, SyntaxError, SyntaxKind};
use super::lex::{self, Quoted};
use super::sink::{Number, Scalar, Sink, Want};
use super::skip;
use super::strings::{self, Finder};
use super::token::{inside, scalar};
use super::walk::{self, Nobody, Walker};
use crate::limit::{Limit, Limits};

/// Reports the event in `text` to `sink`. `whole` says that what nobody needs is checked against the grammar as well; else
/// it is skipped by its brackets and quotes alone. `UTF8` says that the text is known to be UTF-8.
#[inline(always)]
pub(crate) fn read<F: Finder, S: Sink, const UTF8: bool>(
    finder: F,
    whole: bool,
    text: &[u8],
    limits: &Limits,
    buffer: &mut Vec<u8>,
    sink: &mut S,
) -> Result<(), SyntaxError> {
    // Where a member or element is due, and the byte there.
    let (mut at, mut byte) = lex::next_token(text, 0);
    if byte != b'{' {
        return Err(walk::not_an_object(text, at, limits));
    }
    let deepest = limits.depth;
    let mut object = false;
    let mut expected = Expected::Root;
    let mut walker = Walker::<F, UTF8>::new(finder, limits);
    loop {
        let want = if object {
            let (token, value, first) = walker.key(text, at, byte, expected)?;
            (at, byte) = (value, first);
            expected = Expected::Value;
            sink.key(inside(text, token, buffer))
        } else {
            Want::Read
        };
        match want {
            Want::Read => match byte {
                b'"' => {
                    let Some((end, escaped)) = walker.strings.read::<UTF8>(text, at) else {
                        return Err(lex::string_fault(text, at, Expected::Value));
                    };
                    sink.scalar(Scalar::String(inside(text, Quoted { start: at, end, escaped }, buffer)));
                    at = end;
                }
                bracket @ (b'{' | b'[') => {
                    if walker.open.depth >= deepest {
                        return Err(SyntaxError::new(SyntaxKind::Limit(Limit::Depth), at, at, at + 1));
                    }
                    let begins = bracket == b'{';
                    let want = if begins { sink.begin_object() } else { sink.begin_array() };
                    match want {
                        Want::Read => {
                            walker.open.push(begins);
                            object = begins;
                            (at, byte) = lex::next_token(text, at + 1);
                            if byte != bracket + 2 {
                                expected = if object { Expected::KeyOrEnd } else { Expected::ElementOrEnd };
                                continue;
                            }
                        }
                        Want::Skip | Want::Leave => at = skip_value(&mut walker, text, at, byte, whole)?,
                        Want::Stop => return rest(&mut walker, text, at, whole),
                    }
                }
                b'-' | b'0'..=b'9' => {
                    let start = at;
                    at = walker.number(text, at)?;
                    sink.scalar(Scalar::Number(Number::from_valid(text.get(start..at).unwrap_or(&[]))));
                }
                _ => {
                    let (end, literal) = walk::literal(text, at, expected)?;
                    sink.scalar(scalar(literal));
                    at = end;
                }
            },
            Want::Skip => at = skip_value(&mut walker, text, at, byte, whole)?,
            Want::Leave => at = leave(&mut walker, text, at, whole)?,
            Want::Stop => return rest(&mut walker, text, at, whole),
        }
        // After a value: closes what ends here, and goes on to the next.
        loop {
            if walker.open.depth == 0 {
                return walk::check_end(text, at);
            }
            (at, byte) = lex::next_token(text, at);
            match byte {
                b',' => {
                    (at, byte) = lex::next_token(text, at + 1);
                    expected = if object { Expected::Key } else { Expected::Value };
                    break;
                }
                b'}' if object => sink.end_object(),
                b']' if !object => sink.end_array(),
                _ => {
                    let expected = if object { Expected::CommaOrObjectEnd } else { Expected::CommaOrArrayEnd };
                    return Err(lex::unexpected(text, at, expected));
                }
            }
            at += 1;
            object = walker.open.pop();
        }
    }
}

/// The offset after the value at `at`, where `byte` is.
#[inline(always)]
fn skip_value<F: Finder, const UTF8: bool>(
    walker: &mut Walker<'_, F, UTF8>,
    text: &[u8],
    at: usize,
    byte: u8,
    whole: bool,
) -> Result<usize, SyntaxError> {
    match byte {
        b'"' => {
            let end = walker.strings.next::<UTF8>(text, at + 1);
            match text.get(end) {
                Some(b'"') => Ok(end + 1),
                _ if whole => match strings::odd::<UTF8>(text, at, end) {
                    Some((end, _)) => Ok(end),
                    None => Err(lex::string_fault(text, at, Expected::Value)),
                },
                _ => skip::string(text, at),
            }
        }
        b'{' | b'[' if whole => {
            let outside = walker.open.depth;
            strict(walker, text, at, outside)
        }
        b'{' | b'[' => container(walker, text, at + 1),
        b'-' | b'0'..=b'9' => walker.number(text, at),
        _ => Ok(walk::literal(text, at, Expected::Value)?.0),
    }
}

/// The offset of the brace that ends the object to which the value at `at` belongs.
#[inline]
fn leave<F: Finder, const UTF8: bool>(
    walker: &mut Walker<'_, F, UTF8>,
    text: &[u8],
    at: usize,
    whole: bool,
) -> Result<usize, SyntaxError> {
    if !whole {
        return Ok(container(walker, text, at)? - 1);
    }
    let outside = walker.open.depth - 1;
    let end = strict(walker, text, at, outside)?;
    walker.open.push(true);
    Ok(end - 1)
}

/// Reads on from the value at `at` when nobody listens any more.
#[inline]
fn rest<F: Finder, const UTF8: bool>(
    walker: &mut Walker<'_, F, UTF8>,
    text: &[u8],
    at: usize,
    whole: bool,
) -> Result<(), SyntaxError> {
    if !whole {
        return Ok(());
    }
    let end = strict(walker, text, at, 0)?;
    walk::check_end(text, end)
}

/// After the bracket that closes the container of which `at` is inside.
#[inline(always)]
fn container<F: Finder, const UTF8: bool>(
    walker: &Walker<'_, F, UTF8>,
    text: &[u8],
    at: usize,
) -> Result<usize, SyntaxError> {
    match walker.strings.finder.container_end(text, at) {
        Some(end) => Ok(end),
        None => skip::container(text, at),
    }
}

/// Walks on from the value at `at` until no more than `outside` containers are open.
fn strict<F: Finder, const UTF8: bool>(
    walker: &mut Walker<'_, F, UTF8>,
    text: &[u8],
    at: usize,
    outside: usize,
) -> Result<usize, SyntaxError> {
    walker.walk_on(text, at, Expected::Value, outside, &mut Nobody)
}
