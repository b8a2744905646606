//! Strings: case-insensitive comparison, and wildcards. Everything works on UTF-8 bytes.

use super::case::{lower, upper};

/// An end of a string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    Front,
    Back,
}

/// A string whose every UTF-16 unit represents its lower-case and its upper-case form, as the service maps them: root
/// locale, one unit at a time, one-sided (the event is compared literally with these alternatives). A half of a
/// character outside the basic plane represents `?`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fold {
    /// The two alternatives of each unit, one after the other.
    bytes: Box<[u8]>,
    /// For each unit: end of the lower-case alternative, end of the upper-case one, in `bytes`.
    ends: Box<[(u32, u32)]>,
    /// Whether each alternative is one ASCII byte. Then `bytes` at even places is the text in lower case.
    ascii: bool,
}

impl Fold {
    pub(crate) fn new(text: &str) -> Fold {
        let (mut bytes, mut ends) = (Vec::with_capacity(text.len() * 2), Vec::with_capacity(text.len()));
        let mut push = |lower: &[u8], upper: &[u8]| {
            bytes.extend_from_slice(lower);
            let middle = bytes.len() as u32;
            bytes.extend_from_slice(upper);
            ends.push((middle, bytes.len() as u32));
        };
        for unit in text.chars() {
            match unit {
                '\u{10000}'.. => {
                    push(b"?", b"?");
                    push(b"?", b"?");
                }
                _ => push(lower(unit).collect::<String>().as_bytes(), upper(unit).collect::<String>().as_bytes()),
            }
        }
        let ascii = text.is_ascii();
        Fold { bytes: bytes.into(), ends: ends.into(), ascii }
    }

    /// The lower-case text if every alternative is a single ASCII byte; then matching is comparing with the event's
    /// text in ASCII lower case.
    pub(crate) fn ascii_lower(&self) -> Option<Vec<u8>> {
        self.ascii.then(|| self.bytes.iter().step_by(2).copied().collect())
    }

    /// What all spellings have in common: the [`Fold::canonical_text`] of each of them.
    pub(crate) fn canonical(&self) -> Vec<u8> {
        let lower: Vec<u8> = self.units().flat_map(|(lower, _)| lower).copied().collect();
        let mut canonical = Vec::with_capacity(lower.len());
        Fold::canonical_text(&lower, &mut canonical);
        canonical
    }

    /// Replaces `into` by a form of the text that does not regard case: for ASCII text its lower case, otherwise
    /// coarse enough that no spelling of an operand differs from another (`SS`, `ß` and `ẞ` all become `ss`). Each
    /// character is mapped alone, so the beginnings and endings of a string keep being those of its form.
    pub(crate) fn canonical_text(text: &[u8], into: &mut Vec<u8>) {
        into.clear();
        if text.is_ascii() {
            into.extend_from_slice(text);
            into.make_ascii_lowercase();
            return;
        }
        let mut buffer = [0; 4];
        for chunk in text.utf8_chunks() {
            for unit in chunk.valid().chars() {
                if unit.is_ascii() {
                    into.push(unit.to_ascii_lowercase() as u8);
                    continue;
                }
                // Twice, because the first round turns `ẞ` into `ß`.
                for mapped in upper(unit).flat_map(lower).flat_map(upper).flat_map(lower) {
                    into.extend_from_slice(mapped.encode_utf8(&mut buffer).as_bytes());
                }
            }
            into.extend_from_slice(chunk.invalid());
        }
    }

    /// Bytes on the heap.
    pub(crate) fn memory_usage(&self) -> usize {
        size_of_val(&*self.bytes) + size_of_val(&*self.ends)
    }

    /// For each unit its two alternatives (they may be the same).
    pub(crate) fn units(&self) -> impl DoubleEndedIterator<Item = (&[u8], &[u8])> {
        (0..self.ends.len()).filter_map(|index| {
            let start = index.checked_sub(1).and_then(|before| self.ends.get(before)).map_or(0, |end| end.1);
            let (middle, end) = *self.ends.get(index)?;
            Some((self.bytes.get(start as usize..middle as usize)?, self.bytes.get(middle as usize..end as usize)?))
        })
    }

    /// Whether the whole text is one of the spellings.
    pub(crate) fn equals(&self, text: &[u8]) -> bool {
        self.after(text).is_some_and(<[u8]>::is_empty)
    }

    /// Whether the text begins with one of the spellings.
    pub(crate) fn starts(&self, text: &[u8]) -> bool {
        self.after(text).is_some()
    }

    /// Whether the text ends with one of the spellings.
    pub(crate) fn ends(&self, text: &[u8]) -> bool {
        // No alternative is a proper suffix of its partner (tested below for every unit), so there is never a choice.
        self.units()
            .rev()
            .try_fold(text, |rest, (lower, upper)| rest.strip_suffix(lower).or_else(|| rest.strip_suffix(upper)))
            .is_some()
    }

    fn after<'t>(&self, text: &'t [u8]) -> Option<&'t [u8]> {
        // No alternative is a proper prefix of its partner, so there is never a choice.
        self.units()
            .try_fold(text, |rest, (lower, upper)| rest.strip_prefix(lower).or_else(|| rest.strip_prefix(upper)))
    }
}

/// Literal pieces with any text between them: `a*b*c` is `a`, `b`, `c`. One piece alone is an exact text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Wildcard {
    pieces: Box<[Box<[u8]>]>,
}

/// What is wrong with a wildcard. Positions count bytes from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WildcardError {
    /// Two stars in a row; the place of the first.
    Consecutive { position: usize },
    /// A backslash before anything but a star or a backslash.
    Escape { position: usize },
}

impl Wildcard {
    /// Reads `*`, `\*` and `\\`.
    pub(crate) fn parse(text: &str) -> Result<Wildcard, WildcardError> {
        let (mut pieces, mut piece, mut star_at) = (Vec::new(), Vec::new(), None);
        let mut bytes = text.bytes().enumerate();
        while let Some((at, byte)) = bytes.next() {
            match byte {
                b'*' => {
                    if star_at.is_some_and(|star| star + 1 == at) {
                        return Err(WildcardError::Consecutive { position: at });
                    }
                    star_at = Some(at);
                    pieces.push(std::mem::take(&mut piece).into_boxed_slice());
                }
                b'\\' => match bytes.next() {
                    Some((_, escaped @ (b'*' | b'\\'))) => piece.push(escaped),
                    _ => return Err(WildcardError::Escape { position: at + 1 }),
                },
                _ => piece.push(byte),
            }
        }
        pieces.push(piece.into_boxed_slice());
        Ok(Wildcard { pieces: pieces.into() })
    }

    /// The literal pieces; a star is between each two.
    pub(crate) fn pieces(&self) -> &[Box<[u8]>] {
        &self.pieces
    }

    /// Bytes on the heap.
    pub(crate) fn memory_usage(&self) -> usize {
        size_of_val(&*self.pieces) + self.pieces.iter().map(|piece| piece.len()).sum::<usize>()
    }

    /// Whether the whole text matches. Linear in the text: each piece is taken at its first place after the one before.
    pub(crate) fn matches(&self, text: &[u8]) -> bool {
        let (first, last, middle) = match &*self.pieces {
            [] => return false,
            [only] => return **only == *text,
            [first, middle @ .., last] => (first, last, middle),
        };
        let Some(rest) = text.strip_prefix(&**first) else { return false };
        let Some(mut rest) = rest.strip_suffix(&**last) else { return false };
        for piece in middle {
            match memchr::memmem::find(rest, piece).and_then(|at| rest.get(at + piece.len()..)) {
                Some(behind) => rest = behind,
                None => return false,
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::{Fold, Wildcard, WildcardError};

    #[test]
    fn no_alternative_begins_or_ends_with_its_partner() {
        for unit in ('\0'..='\u{FFFF}').filter(|unit| unit.len_utf16() == 1) {
            let fold = Fold::new(unit.encode_utf8(&mut [0; 4]));
            let (lower, upper) = fold.units().next().unwrap();
            if lower != upper {
                assert!(!lower.starts_with(upper) && !upper.starts_with(lower), "{unit:?}");
                assert!(!lower.ends_with(upper) && !upper.ends_with(lower), "{unit:?}");
            }
        }
    }

    #[test]
    fn all_spellings_have_one_canonical_form() {
        let canonical = |text: &[u8]| {
            let mut into = Vec::new();
            Fold::canonical_text(text, &mut into);
            into
        };
        for unit in '\0'..=char::MAX {
            let fold = Fold::new(unit.encode_utf8(&mut [0; 4]));
            for (lower, upper) in fold.units() {
                assert_eq!(canonical(lower), canonical(upper), "{unit:?}");
            }
        }
        assert_eq!(canonical("ẞK\u{212a}İ".as_bytes()), "sskki\u{307}".as_bytes());
        assert_eq!(Fold::new("Straße").canonical(), b"strasse");
    }

    #[test]
    fn folding_is_one_sided() {
        let equals = |pattern: &str, text: &str| Fold::new(pattern).equals(text.as_bytes());
        assert!(equals("ß", "SS") && !equals("ß", "ss") && !equals("SS", "ß") && !equals("ß", "ẞ"));
        assert!(equals("\u{212a}", "k") && !equals("\u{212a}", "K") && !equals("k", "\u{212a}"));
        assert!(!equals("\u{1c5}", "\u{1c5}") && equals("\u{1c5}", "\u{1c4}"));
        assert!(equals("😀", "??") && !equals("😀", "😀"));
        assert!(Fold::new("ßx").ends("zSSX".as_bytes()) && Fold::new("AB").starts(b"abz"));
        assert_eq!(Fold::new("aB-").ascii_lower().unwrap(), b"ab-");
        assert_eq!(Fold::new("é").ascii_lower(), None);
    }

    #[test]
    fn wildcards() {
        let matches = |pattern: &str, text: &str| Wildcard::parse(pattern).unwrap().matches(text.as_bytes());
        assert!(matches("a*c", "ac") && matches("a*c", "a/b\n\"c") && !matches("a*c", "acx"));
        assert!(matches(r"a\*c", "a*c") && !matches(r"a\*c", "abc") && matches(r"a\\*", "a\\b"));
        assert!(matches("", "") && matches("*", "") && matches(r"*\**", "a*b") && !matches("ab*ba", "aba"));
        assert_eq!(Wildcard::parse("é**"), Err(WildcardError::Consecutive { position: 3 }));
        assert_eq!(Wildcard::parse("a\\b"), Err(WildcardError::Escape { position: 2 }));
        assert_eq!(Wildcard::parse("a\\"), Err(WildcardError::Escape { position: 2 }));
    }
}
