//! Places for editors: bytes of UTF-8 become units of UTF-16, which is what JavaScript counts in.

/// Converts places of one text. An input of ASCII alone needs no table.
pub(crate) struct Positions<'t> {
    text: &'t str,
    /// For each [`STEP`] bytes of the text the units before it; empty where bytes and units are the same.
    marks: Vec<u32>,
}

/// How many bytes lie between two marks: a look-up counts through at most so many.
const STEP: usize = 64;

impl<'t> Positions<'t> {
    pub(crate) fn new(text: &'t str) -> Positions<'t> {
        let mut marks = Vec::new();
        if !text.is_ascii() {
            let mut units = 0;
            for block in text.as_bytes().chunks(STEP) {
                marks.push(units);
                units += block.iter().copied().map(units_begun).sum::<u32>();
            }
            marks.push(units);
        }
        Positions { text, marks }
    }

    /// The unit at the byte `offset`; after the last one if it is outside the text.
    pub(crate) fn unit(&self, offset: u32) -> u32 {
        let offset = (offset as usize).min(self.text.len());
        let Some(&before) = self.marks.get(offset / STEP) else { return u32::try_from(offset).unwrap_or(u32::MAX) };
        let block = self.text.as_bytes().get(offset - offset % STEP..offset).unwrap_or_default();
        before + block.iter().copied().map(units_begun).sum::<u32>()
    }
}

/// How many units the character has whose first byte this is; none for the bytes after the first.
fn units_begun(byte: u8) -> u32 {
    match byte {
        0x80..=0xBF => 0,
        0xF0.. => 2,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::*;

    #[test]
    fn every_character_starts_where_javascript_says() {
        for text in ["", "plain", "é", "a\u{10FFFF}b", &"x€😀é".repeat(60), &"😀".repeat(16), &"a".repeat(200)]
        {
            let positions = Positions::new(text);
            let mut units = 0;
            for (at, char) in text.char_indices() {
                assert_eq!(positions.unit(u32::try_from(at).unwrap()), units, "{at} of {text:?}");
                units += u32::try_from(char.len_utf16()).unwrap();
            }
            assert_eq!(positions.unit(u32::try_from(text.len()).unwrap()), units);
            assert_eq!(positions.unit(u32::MAX), units, "outside");
        }
    }
}
