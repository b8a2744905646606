//! The form of saved matchers: header, checksum, and what follows the tables.

use super::error::{Detail, LoadError, LoadErrorKind};
use crate::json::ReadPolicy;
use crate::limit::Limits;
use crate::pattern::{ParseOptions, Pattern};

/// What saved matchers begin with. The last byte shows damage by what takes them for text.
pub(super) const MAGIC: [u8; 8] = *b"eventri\xEE";

/// The version of the form. To be raised with every change of a stored table.
pub(super) const VERSION: u32 = 4;

/// Magic, version, settings, length of the tables, checksum.
pub(super) const HEADER: usize = 8 + 4 + 4 + 8 + 8;

/// What the header says beside lengths.
#[derive(Clone, Copy)]
pub(super) struct Settings {
    pub(super) policy: ReadPolicy,
    pub(super) keyed: bool,
    pub(super) patterns: bool,
}

impl Settings {
    pub(super) fn to_word(self) -> u32 {
        let policy = match self.policy {
            ReadPolicy::Whole => 0,
            ReadPolicy::Early => 1,
        };
        policy | u32::from(self.keyed) << 1 | u32::from(self.patterns) << 2
    }

    pub(super) fn of_word(word: u32) -> Option<Settings> {
        let policy = if word & 1 == 0 { ReadPolicy::Whole } else { ReadPolicy::Early };
        let bit = |at: u32| word >> at & 1 != 0;
        (word < 8).then_some(Settings { policy, keyed: bit(1), patterns: bit(2) })
    }
}

/// Sums up settings and tables. Each word goes into one of four lanes by steps that can be undone, so whatever changes
/// within eight bytes, and stays within them, is always found; other damage slips through once in 2^64 times.
pub(super) fn checksum(settings: u32, tables: &[u8]) -> u64 {
    const FACTORS: [u64; 4] =
        [0x9E37_79B9_7F4A_7C15, 0xC2B2_AE3D_27D4_EB4F, 0x1656_67B1_9E37_79F9, 0x85EB_CA77_C2B2_AE63];
    fn step(lane: &mut u64, word: [u8; 8], factor: u64) {
        *lane = (*lane ^ u64::from_le_bytes(word)).wrapping_mul(factor).rotate_left(29);
    }
    let mut lanes = FACTORS.map(|factor| factor ^ u64::from(settings));
    let (words, tail) = tables.as_chunks::<8>();
    let (rows, rest) = words.as_chunks::<4>();
    for row in rows {
        for ((lane, word), factor) in lanes.iter_mut().zip(row).zip(FACTORS) {
            step(lane, *word, factor);
        }
    }
    let mut last = [0; 8];
    last.iter_mut().zip(tail).for_each(|(to, from)| *to = *from);
    for ((lane, word), factor) in lanes.iter_mut().zip(rest.iter().chain([&last])).zip(FACTORS) {
        step(lane, *word, factor);
    }
    let length = tables.len() as u64;
    lanes.iter().zip(FACTORS).fold(length, |sum, (lane, factor)| {
        let mixed = (sum ^ lane).wrapping_mul(factor);
        mixed ^ mixed >> 32
    })
}

/// Writes the length and the checksum that belong to the rest, if there is a header to write them in.
pub(crate) fn seal(bytes: &mut [u8]) {
    if let Some((header, tables)) = bytes.split_first_chunk_mut::<HEADER>() {
        let [.., a, b, c, d] = header.first_chunk::<16>().copied().unwrap_or_default();
        let sum = checksum(u32::from_le_bytes([a, b, c, d]), tables);
        let words = [tables.len() as u64, sum].map(u64::to_le_bytes);
        header.iter_mut().skip(16).zip(words.as_flattened()).for_each(|(to, from)| *to = *from);
    }
}

/// What follows the tables: keys and patterns.
pub(super) struct Rest<'b>(pub(super) &'b [u8]);

impl<'b> Rest<'b> {
    fn take(&mut self, count: usize) -> Result<&'b [u8], LoadError> {
        let (taken, rest) =
            self.0.split_at_checked(count).ok_or(LoadError::malformed("keys or patterns are cut off"))?;
        self.0 = rest;
        Ok(taken)
    }

    pub(super) fn word(&mut self) -> Result<u32, LoadError> {
        let word = self.take(4)?.first_chunk().copied().unwrap_or_default();
        Ok(u32::from_le_bytes(word))
    }

    pub(super) fn bytes(&mut self) -> Result<&'b [u8], LoadError> {
        let length = self.word()?;
        self.take(length as usize)
    }

    pub(super) fn patterns(
        &mut self,
        settings: Settings,
        count: usize,
        limits: &Limits,
    ) -> Result<Option<Box<[Pattern]>>, LoadError> {
        if !settings.patterns {
            return Ok(None);
        }
        let mut patterns: Vec<Pattern> = Vec::new();
        for position in 0..count {
            let dialect = std::str::from_utf8(self.bytes()?).ok().and_then(|name| name.parse().ok());
            let text = std::str::from_utf8(self.bytes()?).ok();
            let pattern = dialect.zip(text).and_then(|(dialect, text)| {
                let options = ParseOptions::new(dialect).limits(limits.clone());
                Pattern::parse_with(text, &options).ok()
            });
            let pattern = pattern.ok_or(LoadError::new(LoadErrorKind::Pattern, Detail::Pattern(position)))?;
            let same = patterns.first().is_none_or(|first| first.dialect().family() == pattern.dialect().family());
            if !same {
                return Err(LoadError::malformed("patterns of several services are mixed"));
            }
            patterns.push(pattern);
        }
        Ok(Some(patterns.into()))
    }

    pub(super) fn end(&self) -> Result<(), LoadError> {
        if self.0.is_empty() { Ok(()) } else { Err(LoadError::malformed("there are bytes after the last table")) }
    }
}

pub(super) fn write_word(to: &mut Vec<u8>, word: usize) {
    // INVARIANT: ids of patterns fit in 32 bits, and so do the lengths of strings that spans point into; a longer key of the
    // caller is cut off by its own length and refused when it is loaded.
    to.extend_from_slice(&u32::try_from(word).unwrap_or(u32::MAX).to_le_bytes());
}

pub(super) fn write_bytes(to: &mut Vec<u8>, bytes: &[u8]) {
    write_word(to, bytes.len());
    to.extend_from_slice(bytes);
}
