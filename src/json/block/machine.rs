//! What the algorithms need of a processor.

use crate::json::strings::Finder;

/// Operations on 64 bytes at a time. Bit `i` of a mask speaks of byte `i`.
pub(in crate::json) trait Machine: Finder {
    type Vector: Copy;

    fn load(self, bytes: &[u8; 64]) -> Self::Vector;

    /// Loads fewer than 64 bytes, with whitespace after them; `buffer` is whitespace to begin with, and contains what
    /// [`Machine::pack`] may look at.
    #[inline(always)]
    fn load_part(self, part: &[u8], buffer: &mut [u8; 64]) -> Self::Vector {
        if let Some(front) = buffer.get_mut(..part.len()) {
            front.copy_from_slice(part);
        }
        self.load(buffer)
    }

    /// Which bytes are `byte`.
    fn equal(self, vector: Self::Vector, byte: u8) -> u64;

    /// Which bytes are at most `byte`, without sign.
    fn at_most(self, vector: Self::Vector, byte: u8) -> u64;

    /// Which bytes are 0x80 or more.
    fn high(self, vector: Self::Vector) -> u64;

    /// Which bytes are the entry of `table` that their lower half points to.
    fn in_table(self, vector: Self::Vector, table: &[u8; 16]) -> u64;

    /// Whether there is neither a control character nor a backslash, nor, unless the text is known to be `UTF8`, a byte
    /// beyond ASCII: so it is with most blocks.
    #[inline(always)]
    fn plain<const UTF8: bool>(self, vector: Self::Vector) -> bool {
        let odd = self.at_most(vector, 0x1f) | self.equal(vector, b'\\');
        if UTF8 { odd == 0 } else { odd | self.high(vector) == 0 }
    }

    /// Each byte with the bits of `byte` set.
    fn or(self, vector: Self::Vector, byte: u8) -> Self::Vector;

    /// Each byte less `byte`, modulo 256.
    fn minus(self, vector: Self::Vector, byte: u8) -> Self::Vector;

    /// Bit `i` of the answer is the exclusive or of bits `0..=i`.
    fn running_xor(self, mask: u64) -> u64;

    /// Writes the bytes that `mask` selects to the front of `kinds`, and `base` plus their offsets in the block
    /// to that of `places`. What comes after is overwritten with anything.
    fn pack(
        self,
        bytes: &[u8; 64],
        vector: Self::Vector,
        mask: u64,
        base: u32,
        kinds: &mut [u8; 64],
        places: &mut [u32; 64],
    );
}

/// [`Finder::special`].
#[inline(always)]
pub(super) fn special<M: Machine, const UTF8: bool>(machine: M, bytes: &[u8; 64]) -> u64 {
    let vector = machine.load(bytes);
    let ends = machine.equal(vector, b'"') | machine.equal(vector, b'\\') | machine.at_most(vector, 0x1f);
    if UTF8 { ends } else { ends | machine.high(vector) }
}

/// The mask, one place further, with the last place of the block before in front.
#[inline(always)]
pub(super) fn behind(mask: u64, before: u64) -> u64 {
    mask << 1 | before >> 63
}

/// [`Machine::running_xor`] by doubling, for machines without a better way.
#[allow(dead_code, reason = "x86 multiplies without carry")]
#[inline(always)]
pub(super) fn doubling_xor(mut mask: u64) -> u64 {
    mask ^= mask << 1;
    mask ^= mask << 2;
    mask ^= mask << 4;
    mask ^= mask << 8;
    mask ^= mask << 16;
    mask ^ (mask << 32)
}

/// [`Machine::pack`] for up to eight bits, of which it does not matter how many there are.
#[allow(dead_code, reason = "machines may have better ways")]
#[inline(always)]
pub(super) fn pack_eight(bytes: &[u8; 64], mut mask: u64, base: u32, kinds: &mut [u8; 64], places: &mut [u32; 64]) {
    for (kind, place) in kinds.iter_mut().zip(places).take(8) {
        let offset = mask.trailing_zeros() & 63;
        mask &= mask.wrapping_sub(1);
        *kind = *bytes.get(offset as usize).unwrap_or(&0);
        *place = base + offset;
    }
}

/// [`Machine::pack`] bit by bit, for machines that can do it no better.
#[allow(dead_code, reason = "x86 has better ways")]
#[inline(always)]
pub(super) fn pack_bits(bytes: &[u8; 64], mut mask: u64, base: u32, kinds: &mut [u8; 64], places: &mut [u32; 64]) {
    // Four at a time whether there are so many or not: one branch to mispredict instead of four.
    let fours = mask.count_ones().div_ceil(4) as usize;
    let (kinds, _) = kinds.as_chunks_mut::<4>();
    let (places, _) = places.as_chunks_mut::<4>();
    for (kinds, places) in kinds.iter_mut().zip(places).take(fours) {
        for (kind, place) in kinds.iter_mut().zip(places) {
            let offset = mask.trailing_zeros() & 63;
            mask &= mask.wrapping_sub(1);
            *kind = *bytes.get(offset as usize).unwrap_or(&0);
            *place = base + offset;
        }
    }
}
