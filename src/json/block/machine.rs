//! What the algorithms need of a processor.

/// Operations on 64 bytes at a time. Bit `i` of a mask speaks of byte `i`.
pub(in crate::json) trait Machine: Copy {
    type Vector: Copy;

    fn load(self, bytes: &[u8; 64]) -> Self::Vector;

    /// See [`super::skip::container`].
    fn skip_container(self, text: &[u8], at: usize, depth: usize) -> Option<usize>;

    /// Loads fewer than 64 bytes, with white space behind them; `buffer` is white space to begin with, and holds what
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

    /// Each byte with the bits of `byte` set.
    fn or(self, vector: Self::Vector, byte: u8) -> Self::Vector;

    /// Each byte less `byte`, modulo 256.
    fn minus(self, vector: Self::Vector, byte: u8) -> Self::Vector;

    /// Bit `i` of the answer is the exclusive or of bits `0..=i`.
    fn running_xor(self, mask: u64) -> u64;

    /// Writes the bytes that `mask` selects to the front of `kinds`, and `base` plus their offsets in the block
    /// to that of `places`. What comes behind is overwritten with anything.
    fn pack(
        self,
        bytes: &[u8; 64],
        vector: Self::Vector,
        mask: u64,
        base: u16,
        kinds: &mut [u8; 64],
        places: &mut [u16; 64],
    );
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

/// [`Machine::pack`] bit by bit, for machines that cannot compress vectors.
#[inline(always)]
pub(super) fn pack_bits(bytes: &[u8; 64], mut mask: u64, base: u16, kinds: &mut [u8; 64], places: &mut [u16; 64]) {
    // Four at a time whether there are so many or not: one branch to mispredict instead of four.
    let count = mask.count_ones() as usize;
    let mut done = 0;
    while done < count {
        for slot in done..done + 4 {
            // INVARIANT: `slot` is below 64, since `done` is a multiple of four below `count`, which is at most 64.
            let offset = mask.trailing_zeros() & 63;
            mask &= mask.wrapping_sub(1);
            if let (Some(kind), Some(place), Some(byte)) =
                (kinds.get_mut(slot), places.get_mut(slot), bytes.get(offset as usize))
            {
                *kind = *byte;
                *place = base + offset as u16;
            }
        }
        done += 4;
    }
}
