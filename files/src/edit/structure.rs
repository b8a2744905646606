//! Changes of a pattern that a file has as a structure: in JSON, in YAML's block and flow styles, in HCL.

use std::ops::Range;

use eventrie::diagnostic::Span;

use super::outcome::{Edit, NotApplied};
use crate::SourceFile;
use crate::changes::around;
use crate::located::Located;
use crate::tree;

/// The ways to write a change, those that keep most of the file first.
pub(super) fn ways(
    pattern: &Located,
    file: &SourceFile,
    span: Range<usize>,
    old: &str,
    new: &str,
) -> Result<Vec<Vec<Edit>>, NotApplied> {
    let mut ways: Vec<Vec<Edit>> = Vec::new();
    let mut why = None;
    if new.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) == Some(old) {
        ways.extend(place(pattern, &span, false).and_then(|place| element(file.text(), &place)));
    }
    if let Some(changes) = around(&span, old, new) {
        let edits = changes.iter().map(|(range, text)| {
            let is_end = range.is_empty() && range.start == span.end;
            place(pattern, range, is_end).map(|range| Edit::new(range, &**text))
        });
        let edits = edits.collect::<Option<Vec<Edit>>>();
        ways.extend(edits.clone());
        ways.extend(edits.and_then(|edits| before_tag(file.text(), edits)));
    }
    let Some(place) = place(pattern, &span, old.is_empty()) else { return Ok(ways) };
    let hole = Span::new(u32::try_from(span.start).unwrap_or(0), u32::try_from(span.end).unwrap_or(0));
    if !span.is_empty() && pattern.touches_hole(hole) {
        why = Some(NotApplied::OnlyKnownLater);
    } else if pattern.is_opaque(&span) {
        why = Some(NotApplied::NoExactPlace);
    } else {
        let raw = file.text().get(place.clone()).unwrap_or("");
        ways.extend(alike(raw, new).map(|text| vec![Edit::new(place.clone(), text)]));
        ways.extend(elements(file.text(), &place, new));
        ways.push(vec![Edit::new(place, new)]);
    }
    // What is removed must not take comments along.
    let all = ways.len();
    let is_terraform = tree::is_terraform(file.name());
    ways.retain(|edits| !edits.iter().any(|edit| loses_comment(file.text(), edit, is_terraform)));
    if ways.len() < all {
        why = Some(NotApplied::Comments);
    }
    match why {
        Some(why) if ways.is_empty() => Err(why),
        _ => Ok(ways),
    }
}

/// The bytes that spell a part of the text. What is between two values, such as a comma, is between them in the file.
fn place(pattern: &Located, range: &Range<usize>, is_end: bool) -> Option<Range<usize>> {
    if range.is_empty() {
        let at = if is_end { pattern.ends(range.start) } else { pattern.begins(range.start) }?;
        return Some(at..at);
    }
    let text = pattern.text().as_bytes();
    let start = match text.get(range.start) {
        Some(b',' | b':') => pattern.ends(range.start)?,
        _ => pattern.begins(range.start)?,
    };
    let end = match text.get(range.end - 1) {
        Some(b',' | b':') => pattern.begins(range.end)?,
        _ => pattern.ends(range.end)?,
    };
    (start <= end).then_some(start..end)
}

/// The same edits, the first of them before the tag of the value: `!Ref Name` is put into a list with its tag.
fn before_tag(file: &str, mut edits: Vec<Edit>) -> Option<Vec<Edit>> {
    let first = edits.first_mut().filter(|edit| edit.range.is_empty())?;
    let before = file.get(..first.range.start)?.trim_end_matches(' ');
    let word = before.rfind([' ', '\n', '[', '{', ',']).map_or(0, |at| at + 1);
    before.get(word..)?.starts_with('!').then_some(())?;
    first.range = word..word;
    Some(edits)
}

/// A string in the quotes of the one that it replaces.
fn alike(raw: &str, new: &str) -> Option<String> {
    let text: String = serde_json::from_str(new).ok()?;
    let is_word = |char: char| char.is_ascii_alphanumeric() || matches!(char, '-' | '_' | '.' | '/');
    match raw.as_bytes().first()? {
        b'\'' => (!text.contains(char::is_control)).then(|| format!("'{}'", text.replace('\'', "''"))),
        b'"' | b'{' | b'[' => None,
        _ => (!text.is_empty() && text.chars().all(is_word)).then_some(text),
    }
}

/// A block of YAML as the only element of a list: a dash before it, and its other lines moved to the right.
fn element(file: &str, place: &Range<usize>) -> Option<Vec<Edit>> {
    let raw = file.get(place.clone())?;
    if raw.starts_with(['{', '[', '"', '\'']) || !raw.contains(':') {
        return None;
    }
    let mut edits = vec![Edit::new(place.start..place.start, "- ")];
    let mut at = place.start;
    for line in raw.split_inclusive('\n') {
        if at > place.start && !line.trim().is_empty() {
            edits.push(Edit::new(at..at, "  "));
        }
        at += line.len();
    }
    Some(edits)
}

/// Several elements instead of one in a block list of YAML: each gets a dash of its own.
fn elements(file: &str, place: &Range<usize>, new: &str) -> Option<Vec<Edit>> {
    let before = file.get(..place.start)?;
    let line = before.get(before.rfind('\n').map_or(0, |end| end + 1)..)?;
    let indent = line.strip_suffix("- ").filter(|indent| indent.bytes().all(|byte| byte == b' '))?;
    let list = format!("[{new}]");
    let root = tree::parse_json(&list).ok().filter(|root| root.elements().len() > 1)?;
    let elements: Vec<&str> = root.elements().iter().filter_map(|element| list.get(element.span.clone())).collect();
    Some(vec![Edit::new(place.clone(), elements.join(&format!("\n{indent}- ")))])
}

/// Whether an edit removes a comment, or removes lines and a comment ends up after something else.
fn loses_comment(file: &str, edit: &Edit, is_terraform: bool) -> bool {
    let removed = file.get(edit.range.clone()).unwrap_or("");
    if has_comment(removed, is_terraform) {
        return true;
    }
    let rest = file.get(edit.range.end..).unwrap_or("").lines().next().unwrap_or("");
    // A value on the line where the removal began has its own comment, if any, in what is removed.
    edit.text.is_empty() && removed.contains('\n') && has_comment(&format!(" {rest}"), is_terraform)
}

/// Whether there is a comment of YAML or Terraform in a part of a file that begins and ends outside strings.
fn has_comment(text: &str, is_terraform: bool) -> bool {
    let (mut quote, mut before) = (None, ' ');
    let mut chars = text.chars().peekable();
    while let Some(char) = chars.next() {
        match (quote, char) {
            (Some('"'), '\\') => drop(chars.next()),
            (Some(open), _) if open == char => quote = None,
            (Some(_), _) => {}
            // In YAML a quote inside a word is part of it.
            (None, '"') | (None, '\'')
                if (is_terraform && char == '"') || (!is_terraform && !before.is_alphanumeric()) =>
            {
                quote = Some(char);
            }
            (None, '#') if is_terraform || before.is_whitespace() => return true,
            (None, '/') if is_terraform && matches!(chars.peek(), Some('/' | '*')) => return true,
            (None, _) => {}
        }
        before = char;
    }
    false
}
