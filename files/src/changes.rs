//! What a fix really changes: most fixes wrap a part of the pattern, or unwrap it.

use std::ops::Range;

/// An edit: the bytes to replace, and their replacement.
pub(crate) type Change = (Range<usize>, String);

/// The change as insertions around the old text, or as removals around the new one; none if it is something else.
pub(crate) fn around(span: &Range<usize>, old: &str, new: &str) -> Option<Vec<Change>> {
    if old.is_empty() || new.is_empty() || old == new {
        return None;
    }
    if let Some(at) = new.find(old) {
        let (before, after) = (new.get(..at)?, new.get(at + old.len()..)?);
        let changes = [(span.start..span.start, before.to_owned()), (span.end..span.end, after.to_owned())];
        return Some(changes.into_iter().filter(|(_, text)| !text.is_empty()).collect());
    }
    let at = old.find(new)?;
    let (before, after) = (span.start..span.start + at, span.start + at + new.len()..span.end);
    Some([before, after].into_iter().filter(|range| !range.is_empty()).map(|range| (range, String::new())).collect())
}

/// The change without what both versions begin and end with.
pub(crate) fn narrow(span: &Range<usize>, old: &str, new: &str) -> Change {
    let same = |(a, b): &(char, char)| a == b;
    let before: usize = old.chars().zip(new.chars()).take_while(same).map(|(char, _)| char.len_utf8()).sum();
    let (old_rest, new_rest) = (old.get(before..).unwrap_or(""), new.get(before..).unwrap_or(""));
    let pairs = old_rest.chars().rev().zip(new_rest.chars().rev());
    let after: usize = pairs.take_while(same).map(|(char, _)| char.len_utf8()).sum();
    let text = new_rest.get(..new_rest.len() - after).unwrap_or("");
    (span.start + before..span.end - after, text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_differs() {
        assert_eq!(around(&(5..8), "abc", "[abc]").unwrap(), [(5..5, "[".to_owned()), (8..8, "]".to_owned())]);
        assert_eq!(around(&(5..10), "[abc]", "abc").unwrap(), [(5..6, String::new()), (9..10, String::new())]);
        assert_eq!(around(&(5..8), "abc", "axc"), None);
        assert_eq!(around(&(5..5), "", "a"), None);
        assert_eq!(narrow(&(5..8), "abc", "axc"), (6..7, "x".to_owned()));
        assert_eq!(narrow(&(5..7), "aa", "aaa"), (7..7, "a".to_owned()));
        assert_eq!(narrow(&(0..5), "é1é", "éé"), (2..3, String::new()));
    }
}
