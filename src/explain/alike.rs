//! How two strings that differ are alike.

use super::compose::decompose;
use crate::value::{lower, lower_text};

/// The ways in which two different strings can be nearly the same, nearest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Likeness {
    LetterCase,
    /// Whitespace around it, or of another kind or amount inside; invisible characters.
    WhiteSpace,
    /// The same letters, differently encoded.
    UnicodeForm,
    /// Dashes, quotes or full-width letters that look the same.
    LookAlike,
    /// A few characters.
    Spelling {
        /// Where they first differ, in characters from 0.
        at: usize,
        edits: usize,
    },
}

type Map = fn(&str) -> String;

/// Strings longer than this, in bytes, are only compared for equality after mapping.
const LONGEST: usize = 4_096;

/// The likeness of two strings, or none if they have little in common (or are the same).
pub(super) fn likeness(left: &str, right: &str) -> Option<Likeness> {
    if left == right || left.len() > LONGEST || right.len() > LONGEST {
        return None;
    }
    let maps: [(Likeness, Map); 4] = [
        (Likeness::LetterCase, lower_text),
        (Likeness::WhiteSpace, spaces),
        (Likeness::UnicodeForm, decompose),
        (Likeness::LookAlike, looks),
    ];
    for (likeness, map) in maps {
        if map(left) == map(right) {
            return Some(likeness);
        }
    }
    // Several at once: name the one that is hardest to see.
    let all = |text: &str| looks(&spaces(&decompose(&lower_text(text))));
    if all(left) == all(right) {
        for (likeness, map) in maps.into_iter().skip(1) {
            if map(left) != left || map(right) != right {
                return Some(likeness);
            }
        }
    }
    spelling(left, right)
}

fn spelling(left: &str, right: &str) -> Option<Likeness> {
    let (a, b): (Vec<char>, Vec<char>) = (left.chars().collect(), right.chars().collect());
    let shorter = a.len().min(b.len());
    let allowed = match shorter {
        0..=3 => return None,
        4..=7 => 1,
        8..=15 => 2,
        _ => 3,
    };
    let edits = edits(&a, &b, allowed)?;
    let at = a.iter().zip(&b).take_while(|(left, right)| left == right).count();
    Some(Likeness::Spelling { at, edits })
}

/// Whitespace at the ends dropped, any run inside as one blank, invisible characters dropped.
fn spaces(text: &str) -> String {
    let visible: String = text.chars().filter(|char| !crate::base::text::is_invisible(*char)).collect();
    visible.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn looks(text: &str) -> String {
    text.chars()
        .map(|char| match char {
            '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{fe58}' | '\u{fe63}' => '-',
            '\u{2018}'..='\u{201b}' | '\u{2032}' | '\u{b4}' => '\'',
            '\u{201c}'..='\u{201f}' | '\u{2033}' => '"',
            '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(char) - 0xfee0).unwrap_or(char),
            // Cyrillic and Greek letters that have the shape of Latin ones.
            'а' | 'α' => 'a',
            'е' | 'ε' => 'e',
            'о' | 'ο' => 'o',
            'р' | 'ρ' => 'p',
            'с' => 'c',
            'х' => 'x',
            'у' => 'y',
            'і' | 'ι' => 'i',
            'А' | 'Α' => 'A',
            'В' | 'Β' => 'B',
            'Е' | 'Ε' => 'E',
            'К' | 'Κ' => 'K',
            'М' | 'Μ' => 'M',
            'Н' | 'Η' => 'H',
            'О' | 'Ο' => 'O',
            'Р' | 'Ρ' => 'P',
            'С' => 'C',
            'Т' | 'Τ' => 'T',
            'Х' | 'Χ' => 'X',
            _ => char,
        })
        .collect()
}

/// The number of single characters to insert, drop, change or swap, if it is at most `allowed`.
pub(super) fn edits(a: &[char], b: &[char], allowed: usize) -> Option<usize> {
    if a.len().abs_diff(b.len()) > allowed {
        return None;
    }
    if allowed == 0 {
        return (a == b).then_some(0);
    }
    // What is the same at both ends needs no table.
    let front = a.iter().zip(b).take_while(|(left, right)| left == right).count();
    let (a, b) = (a.get(front..).unwrap_or(&[]), b.get(front..).unwrap_or(&[]));
    let back = a.iter().rev().zip(b.iter().rev()).take_while(|(left, right)| left == right).count();
    let (a, b) = (a.get(..a.len() - back).unwrap_or(&[]), b.get(..b.len() - back).unwrap_or(&[]));
    // Only the band of `allowed` around the diagonal can stay within it.
    const FAR: usize = usize::MAX / 2;
    let (mut before, mut above): (Vec<usize>, Vec<usize>) = (vec![FAR; b.len() + 1], (0..=b.len()).collect());
    for (i, left) in a.iter().enumerate() {
        let mut row = vec![FAR; b.len() + 1];
        if let Some(first) = row.first_mut() {
            *first = i + 1;
        }
        let (from, to) = (i.saturating_sub(allowed), (i + allowed + 1).min(b.len()));
        let get = |row: &[usize], at: usize| row.get(at).copied().unwrap_or(FAR);
        for j in from..to {
            let same = b.get(j) == Some(left);
            let mut best = (get(&above, j) + usize::from(!same)).min(get(&above, j + 1) + 1).min(get(&row, j) + 1);
            if i > 0 && j > 0 && b.get(j - 1) == Some(left) && b.get(j) == a.get(i - 1) {
                best = best.min(get(&before, j - 1) + 1);
            }
            if let Some(cell) = row.get_mut(j + 1) {
                *cell = best;
            }
        }
        let least = |row: &[usize]| row.iter().copied().min().unwrap_or(FAR);
        if least(&row) > allowed && least(&above) > allowed {
            return None;
        }
        before = std::mem::replace(&mut above, row);
    }
    above.last().copied().filter(|edits| *edits <= allowed)
}

/// A key to be compared with many others.
pub(super) struct Similar<'k> {
    key: &'k str,
    plain: Vec<char>,
    buffer: Vec<char>,
}

impl<'k> Similar<'k> {
    pub(super) fn to(key: &'k str) -> Similar<'k> {
        let mut plain = Vec::new();
        plain_key(key, &mut plain);
        Similar { key, plain, buffer: Vec::new() }
    }

    /// Whether the two are probably meant to be the same: equal but for case, `-`, `_`, blanks and dots, one the
    /// plural of the other, or a typing error apart.
    pub(super) fn is(&mut self, other: &str) -> bool {
        // Most keys differ much in length; separators may account for a few characters.
        if other == self.key || other.len() > 200 || self.key.len().abs_diff(other.len()) > 6 || self.key.len() > 200 {
            return false;
        }
        plain_key(other, &mut self.buffer);
        let (left, right) = (&*self.plain, &*self.buffer);
        let shorter = left.len().min(right.len());
        let allowed = match shorter {
            0 => return false,
            1..=3 => 0,
            4..=6 => 1,
            _ => 2,
        };
        let plural = |one: &[char], many: &[char]| many.len() > 2 && many.split_last() == Some((&'s', one));
        left == right || plural(left, right) || plural(right, left) || edits(left, right, allowed).is_some()
    }
}

fn plain_key(key: &str, out: &mut Vec<char>) {
    out.clear();
    out.extend(key.chars().filter(|char| !matches!(char, '-' | '_' | ' ' | '.')).flat_map(lower));
}

#[cfg(test)]
mod tests {
    use super::{Likeness, Similar, likeness};

    #[test]
    fn texts_that_are_nearly_the_same() {
        assert_eq!(likeness("Running", "running"), Some(Likeness::LetterCase));
        assert_eq!(likeness(" running\n", "running"), Some(Likeness::WhiteSpace));
        assert_eq!(likeness("a\u{a0}b", "a b"), Some(Likeness::WhiteSpace));
        assert_eq!(likeness("Malmö", "Malmo\u{308}"), Some(Likeness::UnicodeForm));
        assert_eq!(likeness("a–b", "a-b"), Some(Likeness::LookAlike));
        assert_eq!(likeness("MALMÖ ", "malmo\u{308}"), Some(Likeness::WhiteSpace));
        assert_eq!(
            likeness("arn:aws:states:x:execution/flow:1", "arn:aws:states:x:execution:flow:1"),
            Some(Likeness::Spelling { at: 26, edits: 1 })
        );
        assert_eq!(likeness("cart", "care"), Some(Likeness::Spelling { at: 3, edits: 1 }));
        assert_eq!(likeness("running", "stopped"), None);
        assert_eq!(likeness("abc", "abd"), None);
    }

    #[test]
    fn keys_that_were_meant() {
        for (left, right) in [
            ("detailType", "detail-type"),
            ("Source", "source"),
            ("item", "items"),
            ("detial", "detail"),
            ("user_id", "userId"),
        ] {
            assert!(Similar::to(left).is(right), "{left} {right}");
        }
        for (left, right) in [("id", "ip"), ("source", "region"), ("detail", "detail-type"), ("a", "b")] {
            assert!(!Similar::to(left).is(right), "{left} {right}");
        }
    }
}
