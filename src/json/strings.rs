//! Where strings end: 64 bytes are examined together, and the result kept for the strings that follow.

use super::lex;

/// Finds where strings and containers end, 64 bytes at a time.
pub(crate) trait Finder: Copy {
    /// Which bytes are quotes, backslashes or control characters, or, unless the text is known to be `UTF8`, not ASCII.
    /// A plain byte directly after one of these may be found as well.
    fn special<const UTF8: bool>(self, bytes: &[u8; 64]) -> u64;

    /// The offset after the bracket that closes the container of which `at` is inside (but not inside a string); none
    /// if it does not end, or if only the walk over bytes can decide.
    fn container_end(self, text: &[u8], at: usize) -> Option<usize>;
}

/// Without vectors: eight bytes to a word.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Words;

impl Finder for Words {
    #[inline(always)]
    fn container_end(self, _text: &[u8], _at: usize) -> Option<usize> {
        None
    }

    #[inline(always)]
    fn special<const UTF8: bool>(self, bytes: &[u8; 64]) -> u64 {
        let (words, _) = bytes.as_chunks::<8>();
        words.iter().rev().fold(0, |mask, word| {
            let special = lex::special::<UTF8>(u64::from_le_bytes(*word));
            // The product gathers one bit of each byte in the highest one.
            mask << 8 | special.wrapping_mul(0x0002_0408_1020_4081) >> 56
        })
    }
}

/// Reads strings, and remembers the last block that it has read.
#[derive(Debug)]
pub(crate) struct Strings<F> {
    pub(crate) finder: F,
    /// Where the block begins; far after any text if there is none yet.
    base: usize,
    special: u64,
}

impl<F: Finder> Strings<F> {
    #[inline(always)]
    pub(crate) fn new(finder: F) -> Strings<F> {
        Strings { finder, base: usize::MAX / 2, special: 0 }
    }

    #[inline(always)]
    fn load<const UTF8: bool>(&mut self, text: &[u8], base: usize) {
        self.base = base;
        let rest = text.get(base..).unwrap_or(&[]);
        self.special = match rest.first_chunk::<64>() {
            Some(bytes) => self.finder.special::<UTF8>(bytes),
            None => match text.last_chunk::<64>() {
                Some(bytes) => (self.finder.special::<UTF8>(bytes) >> 1) >> (63 - rest.len()),
                None => {
                    let mut bytes = [0; 64];
                    if let Some(front) = bytes.get_mut(..rest.len()) {
                        front.copy_from_slice(rest);
                    }
                    self.finder.special::<UTF8>(&bytes)
                }
            },
        };
    }

    /// The offset of the first special byte from `at`; after the text if there is none.
    #[inline(always)]
    pub(crate) fn next<const UTF8: bool>(&mut self, text: &[u8], at: usize) -> usize {
        let mut offset = at.wrapping_sub(self.base);
        if offset >= 64 {
            self.load::<UTF8>(text, at);
            offset = 0;
        }
        let mut special = self.special & !0 << offset;
        while special == 0 {
            let next = self.base + 64;
            if next >= text.len() {
                return text.len();
            }
            self.load::<UTF8>(text, next);
            special = self.special;
        }
        self.base + special.trailing_zeros() as usize
    }

    /// The end of the string whose opening quote is at `start`; none if it is malformed or does not end.
    #[inline(always)]
    pub(crate) fn read<const UTF8: bool>(&mut self, text: &[u8], start: usize) -> Option<End> {
        let at = self.next::<UTF8>(text, start + 1);
        if text.get(at) == Some(&b'"') {
            return Some((at + 1, false));
        }
        odd::<UTF8>(text, start, at)
    }
}

/// The offset after the closing quote, and whether there is a backslash inside. (Of this size it is returned in registers: read
/// back from memory, each string would have to wait.)
pub(crate) type End = (usize, bool);

/// The same for a string with something in it, of which the bytes before `at` are plain.
#[inline(never)]
pub(crate) fn odd<const UTF8: bool>(text: &[u8], start: usize, at: usize) -> Option<End> {
    let (token, ascii) = lex::string(text, start, at)?;
    if !UTF8 && !ascii {
        std::str::from_utf8(text.get(token.start..token.end)?).ok()?;
    }
    Some((token.end, token.escaped))
}
