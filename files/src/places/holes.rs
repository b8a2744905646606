//! JSON text in a string, with parts that are only known when the template is deployed: where such a part is a whole
//! value, it is written as one, to make the rest readable.

use std::ops::Range;

use crate::located::{Literal, Opaque, Piece};

/// A pattern's text that is being put together.
#[derive(Default)]
pub(super) struct Draft {
    pub(super) text: String,
    pub(super) pieces: Vec<Piece>,
    pub(super) literals: Vec<Literal>,
    pub(super) opaque: Vec<Opaque>,
}

/// A part that is only known later and no part of a JSON string: where it is, and what goes before and after it.
struct Hole {
    text: Range<usize>,
    quotes: (&'static str, &'static str),
}

/// Quotes each hole that is a value; where values go in an object, it becomes a list of one. None if a hole is something
/// else, such as a member or a part of a number: then nothing is known of the text.
pub(super) fn quoted(mut draft: Draft) -> Option<Draft> {
    crate::work::note(draft.text.len());
    let holes = outside_strings(&draft.text, &together(&draft.pieces))?;
    if holes.is_empty() {
        return Some(draft);
    }
    let mut text = String::with_capacity(draft.text.len() + 4 * holes.len());
    let mut at = 0;
    for hole in &holes {
        text.push_str(draft.text.get(at..hole.text.start)?);
        text.push_str(hole.quotes.0);
        text.push_str(draft.text.get(hole.text.clone())?);
        text.push_str(hole.quotes.1);
        at = hole.text.end;
    }
    text.push_str(draft.text.get(at..)?);
    draft.text = text;
    let added: Vec<usize> = std::iter::once(0)
        .chain(holes.iter().scan(0, |sum, hole| {
            *sum += hole.quotes.0.len() + hole.quotes.1.len();
            Some(*sum)
        }))
        .collect();
    // The quotes are a part of the hole.
    let moved = |at: usize| {
        let ended = holes.partition_point(|hole| hole.text.end <= at);
        let inside = holes.get(ended).filter(|hole| hole.text.start < at).map_or(0, |hole| hole.quotes.0.len());
        at + added.get(ended).copied().unwrap_or(0) + inside
    };
    for range in draft.pieces.iter_mut().map(|piece| &mut piece.text) {
        *range = moved(range.start)..moved(range.end);
    }
    for range in draft.opaque.iter_mut().map(|part| &mut part.text) {
        *range = moved(range.start)..moved(range.end);
    }
    for literal in &mut draft.literals {
        literal.text = moved(literal.text);
    }
    Some(draft)
}

/// The holes, those next to each other as one.
fn together(pieces: &[Piece]) -> Vec<Range<usize>> {
    let mut holes: Vec<Range<usize>> = Vec::new();
    for piece in pieces.iter().filter(|piece| piece.hole && !piece.text.is_empty()) {
        match holes.last_mut() {
            Some(last) if last.end == piece.text.start => last.end = piece.text.end,
            _ => holes.push(piece.text.clone()),
        }
    }
    holes
}

/// The holes that are no part of a JSON string; none if one of them is no value.
fn outside_strings(text: &str, holes: &[Range<usize>]) -> Option<Vec<Hole>> {
    let mut found = Vec::new();
    let (mut is_string, mut before, mut open) = (false, b' ', Vec::new());
    let (mut at, mut holes) = (0, holes.iter().peekable());
    while let Some(byte) = text.as_bytes().get(at) {
        if let Some(hole) = holes.next_if(|hole| hole.start <= at) {
            if !is_string {
                found.push(Hole { text: hole.clone(), quotes: quotes(text, hole, before, open.last().copied())? });
                before = b'"';
            }
            at = hole.end;
            continue;
        }
        match byte {
            b'\\' if is_string => at += 1,
            b'"' => is_string = !is_string,
            b'{' | b'[' if !is_string => open.push(*byte),
            b'}' | b']' if !is_string => drop(open.pop()),
            _ => {}
        }
        if !byte.is_ascii_whitespace() {
            before = *byte;
        }
        at += 1;
    }
    Some(found)
}

/// What makes a hole a value, by what is before it and after it.
fn quotes(text: &str, hole: &Range<usize>, before: u8, open: Option<u8>) -> Option<(&'static str, &'static str)> {
    let after = text.get(hole.end..)?.trim_start().bytes().next()?;
    let is_plain = !text.get(hole.clone())?.contains(|char: char| char == '"' || char == '\\' || char.is_control());
    match (open?, before, after) {
        (b'{', b':', b',' | b'}') if is_plain => Some(("[\"", "\"]")),
        (b'[', b'[' | b',', b',' | b']') if is_plain => Some(("\"", "\"")),
        _ => None,
    }
}
