//! Walks over the tokens of a well-formed event: reports what a sink wants, and skips everything else.

#![allow(
    clippy::indexing_slicing,
    reason = "INVARIANT: the tokens passed the grammar check: an object ends the stream, each key is followed by a colon \
              and a value, each value by a comma or bracket, and `closing` of an opening bracket is the closing one"
)]

use super::block::{Stream, Tokens};
use super::lex;
use super::sink::{Number, Scalar, Sink, Text, Want};

/// Reports the event with these tokens to `sink`. `ends` is a buffer.
#[inline]
pub(crate) fn tell<S: Sink>(text: &[u8], tokens: &Tokens, ends: &mut Vec<u32>, buffer: &mut Vec<u8>, sink: &mut S) {
    let stream = tokens.stream();
    let Stream { kinds, closing, .. } = stream;
    let closing = &closing[..kinds.len()];
    if sink.begin_object() != Want::Read {
        return;
    }
    ends.clear();
    // The closing bracket of the innermost container that is reported, and whether it is a brace.
    let mut end = closing[0] as usize;
    let mut object = true;
    let mut at = 1;
    loop {
        // Here `at` is the first token of a member or element, or the end.
        if at >= end {
            if object {
                sink.end_object();
            } else {
                sink.end_array();
            }
            let Some(outer) = ends.pop() else { return };
            at = end + 1;
            end = outer as usize;
            object = kinds[end] == b'}';
            at += usize::from(at < end);
            continue;
        }
        if object {
            let want = sink.key(string(text, &stream, at, buffer));
            at += 2;
            match want {
                Want::Read => {}
                Want::Skip => {
                    if matches!(kinds[at], b'{' | b'[') {
                        at = closing[at] as usize;
                    }
                    at += 2;
                    continue;
                }
                Want::Leave => {
                    at = end;
                    continue;
                }
                Want::Stop => return,
            }
        }
        match kinds[at] {
            b'"' => {
                sink.scalar(Scalar::String(string(text, &stream, at, buffer)));
            }
            bracket @ (b'{' | b'[') => {
                let want = if bracket == b'{' { sink.begin_object() } else { sink.begin_array() };
                match want {
                    Want::Read => {
                        ends.push(end as u32);
                        end = closing[at] as usize;
                        object = bracket == b'{';
                        at += 1;
                        continue;
                    }
                    Want::Skip | Want::Leave => at = closing[at] as usize,
                    Want::Stop => return,
                }
            }
            b't' => sink.scalar(Scalar::Bool(true)),
            b'f' => sink.scalar(Scalar::Bool(false)),
            b'n' => sink.scalar(Scalar::Null),
            _ => sink.scalar(Scalar::Number(Number::from_valid(number(text, &stream, at)))),
        }
        // Over the comma; at the end, there is none, and `at` is after the bracket.
        at += 2;
    }
}

/// The value of the string token at `at`: up to the last quote before the next token.
#[inline(always)]
fn string<'a>(text: &'a [u8], stream: &Stream<'_>, at: usize, buffer: &'a mut Vec<u8>) -> Text<'a> {
    let [place, next] = *stream.places[at..at + 2].first_chunk().unwrap_or(&[0, 0]);
    let start = place as usize + 1;
    let mut end = next as usize - 1;
    if text[end] != b'"' {
        end = before_space(text, end);
    }
    let raw = &text[start..end];
    if stream.is_odd(start, end) { unescaped(raw, buffer) } else { Text::from_valid(raw) }
}

/// The last quote before `end`: nothing but whitespace is between them.
#[inline(never)]
fn before_space(text: &[u8], mut end: usize) -> usize {
    while text[end] != b'"' {
        end -= 1;
    }
    end
}

/// The number token at `at`: up to the whitespace before the next token.
#[inline]
fn number<'t>(text: &'t [u8], stream: &Stream<'_>, at: usize) -> &'t [u8] {
    let start = stream.places[at] as usize;
    let mut end = stream.places[at + 1] as usize;
    while matches!(text[end - 1], b' ' | b'\n' | b'\r' | b'\t') {
        end -= 1;
    }
    &text[start..end]
}

#[inline(never)]
fn unescaped<'a>(raw: &'a [u8], buffer: &'a mut Vec<u8>) -> Text<'a> {
    if memchr::memchr(b'\\', raw).is_none() {
        return Text::from_valid(raw);
    }
    buffer.clear();
    lex::unescape(raw, buffer);
    Text::from_valid(buffer)
}
