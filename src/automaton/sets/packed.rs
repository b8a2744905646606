//! Wildcards side by side in one long word, one bit for each of their bytes: a step for a byte of the text is a shift and two
//! masks for 64 bits at once ("Shift-And"), whatever the wildcards are and however many of them are alive.

#![allow(
    clippy::indexing_slicing,
    reason = "INVARIANT: `class_of` has 256 entries below `classes`, `rows` that many times `words` words, every other \
              table `words` words and `values` one value for each set bit of `accept`; groups lie inside the bits"
)]

use std::ops::Range;

use super::Value;

/// The most memory for the rows of all classes of bytes together; wildcards beyond that are not packed.
const ROW_BYTES: usize = 4 << 20;

/// Rows of pieces after a star. A bit is set when everything up to its byte has been found; the bit in front of a piece that
/// follows a star stays set.
#[derive(Debug)]
pub(crate) struct Packed {
    words: usize,
    class_of: Box<[u16]>,
    /// For each class of bytes the bits that it may set.
    rows: Box<[u64]>,
    /// Bits that stay set.
    stay: Box<[u64]>,
    /// Bits that stand in front of a whole row.
    starts: Box<[u64]>,
    /// Bits that come after one.
    accept: Box<[u64]>,
    /// For each word the number of accepting bits before it.
    ranks: Box<[u32]>,
    values: Box<[Value]>,
}

/// The state for one text.
#[derive(Debug, Default)]
pub(crate) struct PackedState {
    now: Vec<u64>,
    next: Vec<u64>,
}

impl Packed {
    /// Packs rows of pieces, each with a star in front, between each two, and none after (an empty last piece makes one).
    /// Says for each row its first bit. None if they are too many.
    pub(crate) fn build<'a>(
        rows: impl Iterator<Item = (&'a [Box<[u8]>], &'a [u8], Value)> + Clone,
    ) -> Option<(Packed, Vec<usize>)> {
        let (mut class_of, mut classes) = (vec![0_u16; 256], 1);
        let (mut bits, mut firsts) = (0_usize, Vec::new());
        for (pieces, last, _) in rows.clone() {
            firsts.push(bits);
            bits += 1;
            for byte in pieces.iter().flat_map(|piece| piece.iter()).chain(last) {
                bits += 1;
                let class = &mut class_of[usize::from(*byte)];
                if *class == 0 {
                    *class = classes;
                    classes += 1;
                }
            }
        }
        firsts.push(bits);
        let words = bits.div_ceil(64);
        if words.checked_mul(usize::from(classes) * 8).is_none_or(|bytes| bytes > ROW_BYTES) {
            return None;
        }
        let mut packed = Packed {
            words,
            class_of: class_of.into(),
            rows: vec![0; words * usize::from(classes)].into(),
            stay: vec![0; words].into(),
            starts: vec![0; words].into(),
            accept: vec![0; words].into(),
            ranks: Box::default(),
            values: rows.clone().map(|(.., value)| value).collect(),
        };
        let mut bit = 0;
        for (pieces, last, _) in rows {
            packed.starts[bit / 64] |= 1 << (bit % 64);
            for piece in pieces.iter().map(|piece| &**piece).chain([last]) {
                packed.stay[bit / 64] |= 1 << (bit % 64);
                for byte in piece {
                    bit += 1;
                    let class = usize::from(packed.class_of[usize::from(*byte)]);
                    packed.rows[class * words + bit / 64] |= 1 << (bit % 64);
                }
            }
            packed.accept[bit / 64] |= 1 << (bit % 64);
            bit += 1;
        }
        packed.ranks = packed
            .accept
            .iter()
            .scan(0, |before, word| Some(std::mem::replace(before, *before + word.count_ones())))
            .collect();
        Some((packed, firsts))
    }

    /// How long [`Packed::each`] takes, in nanoseconds or so.
    pub(crate) fn cost(&self, length: usize, groups: &[(Range<usize>, usize)]) -> isize {
        let words = Packed::words_of_all(groups).map_or(0, |words| words.len());
        isize::try_from(length.saturating_mul(words / 8 + 4)).unwrap_or(isize::MAX)
    }

    fn words_of_all(groups: &[(Range<usize>, usize)]) -> Option<Range<usize>> {
        let words = groups.iter().map(|(bits, _)| Packed::words_of(bits));
        words.reduce(|all, more| all.start.min(more.start)..all.end.max(more.end))
    }

    /// The words that a range of bits takes.
    fn words_of(bits: &Range<usize>) -> Range<usize> {
        bits.start / 64..bits.end.div_ceil(64)
    }

    /// Reports the values of all rows that match the text from some place on. `groups` are ranges of bits of whole rows,
    /// each with that place, in the order of the places.
    pub(crate) fn each(
        &self,
        text: &[u8],
        groups: &[(Range<usize>, usize)],
        state: &mut PackedState,
        found: &mut impl FnMut(Value),
    ) {
        let Some(words) = Packed::words_of_all(groups) else { return };
        let count = words.len();
        // One word in front, from which nothing is carried.
        if state.now.len() <= count {
            state.now.resize(count + 1, 0);
            state.next.resize(count + 1, 0);
        }
        let (mut now, mut next) = (&mut state.now[..=count], &mut state.next[..=count]);
        now.fill(0);
        next[0] = 0;
        let stay = &self.stay[words.clone()];
        let mut groups = groups.iter().peekable();
        let first = groups.peek().map_or(0, |(_, place)| *place);
        for place in first..=text.len() {
            while let Some((bits, _)) = groups.next_if(|(_, from)| *from <= place) {
                for word in Packed::words_of(bits) {
                    let below = bits.end - word * 64;
                    let mask = if below < 64 { (1 << below) - 1 } else { u64::MAX };
                    let above = bits.start.saturating_sub(word * 64);
                    now[word - words.start + 1] |= self.starts[word] & mask & u64::MAX << above;
                }
            }
            let Some(byte) = text.get(place) else { break };
            let row = usize::from(self.class_of[usize::from(*byte)]) * self.words;
            let row = &self.rows[row + words.start..row + words.end];
            let old = now[1..].iter().zip(&now[..count]);
            for ((new, (old, before)), (row, stay)) in next[1..].iter_mut().zip(old).zip(row.iter().zip(stay)) {
                *new = (old << 1 | before >> 63) & row | old & stay;
            }
            std::mem::swap(&mut now, &mut next);
        }
        for (word, bits) in words.zip(&now[1..]) {
            let mut hits = bits & self.accept[word];
            while hits != 0 {
                let below = self.accept[word] & (hits & hits.wrapping_neg()).wrapping_sub(1);
                found(self.values[(self.ranks[word] + below.count_ones()) as usize]);
                hits &= hits - 1;
            }
        }
    }

    /// Bytes on the heap.
    pub(crate) fn memory_usage(&self) -> usize {
        let masks = [&self.rows, &self.stay, &self.starts, &self.accept];
        masks.iter().map(|mask| size_of_val(&***mask)).sum::<usize>()
            + size_of_val(&*self.class_of)
            + size_of_val(&*self.ranks)
            + size_of_val(&*self.values)
    }
}

#[cfg(test)]
impl PackedState {
    /// Bytes on the heap.
    pub(crate) fn memory_usage(&self) -> usize {
        (self.now.capacity() + self.next.capacity()) * size_of::<u64>()
    }
}
