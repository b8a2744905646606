//! Changes of a pattern whose text a file spells as it is, or inside string literals.

use std::ops::Range;

use super::outcome::{Edit, NotApplied};
use crate::changes::{around, narrow};
use crate::located::{Literal, Located};

/// The change of a pattern that is in the file as it is.
pub(super) fn verbatim(pattern: &Located, span: Range<usize>, old: &str, new: &str) -> Option<Vec<Edit>> {
    let changes = around(&span, old, new).unwrap_or_else(|| vec![(span, new.to_owned())]);
    let place = |(range, text): (Range<usize>, String)| {
        Some(Edit::new(pattern.begins(range.start)?..pattern.ends(range.end)?, text))
    };
    changes.into_iter().map(place).collect()
}

/// The change of a pattern inside string literals, written with the escapes of each.
pub(super) fn ways(
    pattern: &Located,
    literals: &[Literal],
    file: &str,
    span: Range<usize>,
    old: &str,
    new: &str,
) -> Result<Vec<Vec<Edit>>, NotApplied> {
    let changes = around(&span, old, new).unwrap_or_else(|| vec![narrow(&span, old, new)]);
    let mut edits = Vec::with_capacity(changes.len());
    for (range, text) in changes {
        let hole = eventrie::diagnostic::Span::new(short(range.start), short(range.end));
        if !range.is_empty() && pattern.touches_hole(hole) {
            return Err(NotApplied::OnlyKnownLater);
        }
        if pattern.is_opaque(&range) {
            return Err(NotApplied::NoExactPlace);
        }
        let Some(edit) = edit(pattern, literals, file, &range, &text) else { return Err(NotApplied::NoExactPlace) };
        edits.push(edit);
    }
    Ok(vec![edits])
}

fn edit(pattern: &Located, literals: &[Literal], file: &str, range: &Range<usize>, text: &str) -> Option<Edit> {
    let of = |at: usize| literals.iter().rev().find(|literal| literal.text <= at);
    let literal = of(range.start)?;
    if !range.is_empty() && of(range.end - 1)?.text != literal.text {
        return None;
    }
    let (start, end) = if range.is_empty() {
        // Before what comes next; at the very end, after what is last.
        let at = pattern.begins(range.start).or_else(|| pattern.ends(range.start))?;
        (at, at)
    } else {
        (pattern.begins(range.start)?, pattern.ends(range.end)?)
    };
    let raw = file.get(literal.file.clone())?;
    let is_inside = literal.file.start <= start && start <= end && end <= literal.file.end;
    is_inside.then_some(())?;
    Some(Edit::new(start..end, escaped(text, raw)?))
}

/// A string with the escapes of the literal that it is put into.
fn escaped(text: &str, raw: &str) -> Option<String> {
    let has_control = text.contains(|char: char| char.is_control());
    match raw.as_bytes().first()? {
        b'"' => {
            let quoted = serde_json::to_string(text).ok()?;
            Some(quoted.strip_prefix('"')?.strip_suffix('"')?.to_owned())
        }
        b'\'' => (!has_control).then(|| text.replace('\'', "''")),
        _ => (!has_control).then(|| text.to_owned()),
    }
}

fn short(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}
