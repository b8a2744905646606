//! What a token of the event text says: strings unescaped, literals as scalars.

#![allow(clippy::indexing_slicing, reason = "INVARIANT: tokens lie in the text, those of strings with two quotes")]

use super::lex::{self, Literal, Quoted};
use super::sink::{Scalar, Text};

/// The value of a string token of this text: a part of the text, or unescaped into the buffer.
#[inline(always)]
pub(super) fn inside<'a>(text: &'a [u8], token: Quoted, buffer: &'a mut Vec<u8>) -> Text<'a> {
    let raw = &text[token.start + 1..token.end - 1];
    if !token.escaped {
        return Text::from_valid(raw);
    }
    buffer.clear();
    lex::unescape(raw, buffer);
    Text::from_valid(buffer)
}

#[inline]
pub(super) fn scalar(literal: Literal) -> Scalar<'static> {
    match literal {
        Literal::True => Scalar::Bool(true),
        Literal::False => Scalar::Bool(false),
        Literal::Null => Scalar::Null,
    }
}
