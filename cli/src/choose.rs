//! Which findings count: by code, by prefix of a code, or by group.

use std::str::FromStr;

use eventrie::diagnostic::Code;

/// Names for the codes of one kind.
const GROUPS: [(&str, &str); 8] = [
    ("all", ""),
    ("errors", "E"),
    ("warnings", "W"),
    ("meaning", "W00"),
    ("engine", "W01"),
    ("rules", "W02"),
    ("custom-bus", "W03"),
    ("project", "W04"),
];

/// Codes that begin alike.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Selector {
    prefix: String,
}

impl Selector {
    /// Whether the code is one of them.
    pub(crate) fn has(&self, code: Code) -> bool {
        code.as_str().starts_with(&self.prefix)
    }
}

impl FromStr for Selector {
    type Err = String;

    fn from_str(word: &str) -> Result<Selector, String> {
        if let Some((_, prefix)) = GROUPS.iter().find(|(name, _)| name.eq_ignore_ascii_case(word)) {
            return Ok(Selector { prefix: (*prefix).to_owned() });
        }
        let prefix = word.to_ascii_uppercase();
        if !prefix.is_empty() && Code::ALL.iter().any(|code| code.as_str().starts_with(&prefix)) {
            return Ok(Selector { prefix });
        }
        let groups = GROUPS.map(|(name, _)| name).join(", ");
        Err(format!("expected a code such as W0016, the beginning of one, or a group ({groups}), found `{word}`"))
    }
}

/// The findings that count.
#[derive(Clone, Debug, Default)]
pub(crate) struct Selection {
    /// None: all.
    pub(crate) select: Vec<Selector>,
    pub(crate) ignore: Vec<Selector>,
}

impl Selection {
    /// Whether findings of this code count: the longer prefix decides, and of equal ones `ignore`.
    pub(crate) fn has(&self, code: Code) -> bool {
        let longest = |selectors: &[Selector]| {
            selectors.iter().filter(|selector| selector.has(code)).map(|selector| selector.prefix.len()).max()
        };
        let selected = if self.select.is_empty() { Some(0) } else { longest(&self.select) };
        match (selected, longest(&self.ignore)) {
            (Some(selected), Some(ignored)) => selected > ignored,
            (Some(_), None) => true,
            (None, _) => false,
        }
    }
}

/// The name in a list that is nearest to a word: at most every third letter differs.
pub(crate) fn nearest<'a>(word: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let near = names.into_iter().map(|name| (distance(word, name), name)).min_by_key(|(distance, _)| *distance)?;
    (near.0 * 3 <= near.1.chars().count().max(3)).then_some(near.1)
}

/// How many characters must be inserted, removed or replaced. Names are short: of longer ones the beginning counts.
fn distance(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().take(100).collect();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (at, char) in one.chars().take(100).enumerate() {
        let mut before = at;
        let mut left = at + 1;
        for (cell, wanted) in row.iter_mut().skip(1).zip(&other) {
            let up = *cell;
            left = (left + 1).min(up + 1).min(before + usize::from(char != *wanted));
            before = up;
            *cell = left;
        }
        if let Some(first) = row.first_mut() {
            *first = at + 1;
        }
    }
    row.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn selectors(words: &[&str]) -> Vec<Selector> {
        words.iter().map(|word| word.parse().unwrap()).collect()
    }

    #[test]
    fn the_longer_prefix_decides() {
        let has = |select: &[&str], ignore: &[&str], code: Code| {
            Selection { select: selectors(select), ignore: selectors(ignore) }.has(code)
        };
        assert!(has(&[], &[], Code::OnlySource));
        assert!(!has(&[], &["w0016"], Code::OnlySource));
        assert!(!has(&["W0016"], &["W0016"], Code::OnlySource));
        assert!(has(&["W0016"], &["W00"], Code::OnlySource));
        assert!(!has(&["W"], &["meaning"], Code::OnlySource));
        assert!(!has(&["errors"], &[], Code::OnlySource));
        assert!(has(&["all"], &["engine"], Code::OnlySource));
        assert!("W9".parse::<Selector>().unwrap_err().contains("found `W9`"));
        assert!("".parse::<Selector>().is_err());
    }

    #[test]
    fn near_names() {
        let distances =
            [("abc", "abc", 0), ("abc", "abd", 1), ("", "ab", 2), ("kitten", "sitting", 3), ("ab", "ba", 2)];
        for (one, other, expected) in distances {
            assert_eq!((distance(one, other), distance(other, one)), (expected, expected), "{one} {other}");
        }
        assert_eq!(nearest("dialct", ["select", "dialect"]), Some("dialect"));
        assert_eq!(nearest("x", ["select", "dialect"]), None);
    }
}
