//! Machines whose vectors have 16 bytes: a block is four of them.

use super::machine::{Machine, doubling_xor, pack_bits, special};
use super::skip;
use crate::json::strings::Finder;

/// Operations on 16 bytes at a time. What answers a question answers with bytes that are all ones or all zeros.
pub(in crate::json) trait Quarters: Copy {
    type Quarter: Copy;

    fn load(self, bytes: &[u8; 16]) -> Self::Quarter;

    /// The byte 16 times.
    fn splat(self, byte: u8) -> Self::Quarter;

    fn equal(self, one: Self::Quarter, other: Self::Quarter) -> Self::Quarter;

    /// Without sign.
    fn at_most(self, quarter: Self::Quarter, bounds: Self::Quarter) -> Self::Quarter;

    /// The entries of the table that the lower halves of the bytes point to.
    fn entries(self, table: Self::Quarter, quarter: Self::Quarter) -> Self::Quarter;

    fn or(self, one: Self::Quarter, other: Self::Quarter) -> Self::Quarter;

    /// Modulo 256.
    fn minus(self, quarter: Self::Quarter, less: Self::Quarter) -> Self::Quarter;

    /// Whether any bit is set.
    fn any(self, quarter: Self::Quarter) -> bool;

    /// One bit for each answer.
    fn mask(self, answers: [Self::Quarter; 4]) -> u64;
}

impl<Q: Quarters> Finder for Q {
    #[inline(always)]
    fn special<const UTF8: bool>(self, bytes: &[u8; 64]) -> u64 {
        special::<_, UTF8>(self, bytes)
    }

    fn container_end(self, text: &[u8], at: usize) -> Option<usize> {
        skip::container(self, text, at)
    }
}

impl<Q: Quarters> Machine for Q {
    type Vector = [Q::Quarter; 4];

    #[inline(always)]
    fn load(self, bytes: &[u8; 64]) -> Self::Vector {
        let (quarters, _) = bytes.as_chunks::<16>();
        let mut vector = [self.splat(0); 4];
        for (to, from) in vector.iter_mut().zip(quarters) {
            *to = Quarters::load(self, from);
        }
        vector
    }

    #[inline(always)]
    fn equal(self, vector: Self::Vector, byte: u8) -> u64 {
        let byte = self.splat(byte);
        self.mask(vector.map(|quarter| Quarters::equal(self, quarter, byte)))
    }

    #[inline(always)]
    fn at_most(self, vector: Self::Vector, byte: u8) -> u64 {
        let byte = self.splat(byte);
        self.mask(vector.map(|quarter| Quarters::at_most(self, quarter, byte)))
    }

    #[inline(always)]
    fn high(self, vector: Self::Vector) -> u64 {
        let least = self.splat(0x80);
        self.mask(vector.map(|quarter| Quarters::at_most(self, least, quarter)))
    }

    #[inline(always)]
    fn plain<const UTF8: bool>(self, vector: Self::Vector) -> bool {
        let (control, backslash, least) = (self.splat(0x1f), self.splat(b'\\'), self.splat(0x80));
        let odd = vector.map(|quarter| {
            let backslash = Quarters::equal(self, quarter, backslash);
            let odd = Quarters::or(self, backslash, Quarters::at_most(self, quarter, control));
            if UTF8 { odd } else { Quarters::or(self, odd, Quarters::at_most(self, least, quarter)) }
        });
        let [a, b, c, d] = odd;
        !self.any(Quarters::or(self, Quarters::or(self, a, b), Quarters::or(self, c, d)))
    }

    #[inline(always)]
    fn in_table(self, vector: Self::Vector, table: &[u8; 16]) -> u64 {
        let table = Quarters::load(self, table);
        self.mask(vector.map(|quarter| Quarters::equal(self, quarter, self.entries(table, quarter))))
    }

    #[inline(always)]
    fn or(self, vector: Self::Vector, byte: u8) -> Self::Vector {
        let byte = self.splat(byte);
        vector.map(|quarter| Quarters::or(self, quarter, byte))
    }

    #[inline(always)]
    fn minus(self, vector: Self::Vector, byte: u8) -> Self::Vector {
        let byte = self.splat(byte);
        vector.map(|quarter| Quarters::minus(self, quarter, byte))
    }

    #[inline(always)]
    fn running_xor(self, mask: u64) -> u64 {
        doubling_xor(mask)
    }

    #[inline(always)]
    fn pack(
        self,
        bytes: &[u8; 64],
        _vector: Self::Vector,
        mask: u64,
        base: u32,
        kinds: &mut [u8; 64],
        places: &mut [u32; 64],
    ) {
        pack_bits(bytes, mask, base, kinds, places);
    }
}
