//! WebAssembly with `simd128`, in four quarters.

use std::arch::wasm32::{
    i8x16_bitmask, u8x16_eq, u8x16_le, u8x16_splat, u8x16_sub, u8x16_swizzle, v128, v128_and, v128_load, v128_or,
};

use super::machine::{Machine, doubling_xor, pack_bits, special};
use super::skip;
use crate::json::strings::Finder;

/// Proof that the program is compiled for `simd128`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Simd128(());

impl Simd128 {
    /// This file is compiled only if the feature is always there.
    pub(super) fn detect() -> Simd128 {
        Simd128(())
    }
}

type Vector = [v128; 4];

/// One bit for each byte whose highest bit is set.
#[inline(always)]
fn mask(vector: Vector) -> u64 {
    let [a, b, c, d] = vector.map(|quarter| u64::from(i8x16_bitmask(quarter)));
    a | b << 16 | c << 32 | d << 48
}

/// Loads the quarter of a block, or a table.
#[inline(always)]
fn quarter(bytes: &[u8; 16]) -> v128 {
    // SAFETY: the array has the size of the vector, and the load needs no alignment.
    unsafe { v128_load(bytes.as_ptr().cast()) }
}

impl Finder for Simd128 {
    #[inline(always)]
    fn special<const UTF8: bool>(self, bytes: &[u8; 64]) -> u64 {
        special::<_, UTF8>(self, bytes)
    }

    fn container_end(self, text: &[u8], at: usize) -> Option<usize> {
        skip::container(self, text, at)
    }
}

impl Machine for Simd128 {
    type Vector = Vector;

    #[inline(always)]
    fn load(self, bytes: &[u8; 64]) -> Vector {
        let from = bytes.as_ptr().cast::<v128>();
        // SAFETY: the array has room for four vectors, and the loads need no alignment.
        unsafe { [v128_load(from), v128_load(from.add(1)), v128_load(from.add(2)), v128_load(from.add(3))] }
    }

    #[inline(always)]
    fn equal(self, vector: Vector, byte: u8) -> u64 {
        mask(vector.map(|quarter| u8x16_eq(quarter, u8x16_splat(byte))))
    }

    #[inline(always)]
    fn at_most(self, vector: Vector, byte: u8) -> u64 {
        mask(vector.map(|quarter| u8x16_le(quarter, u8x16_splat(byte))))
    }

    #[inline(always)]
    fn high(self, vector: Vector) -> u64 {
        mask(vector)
    }

    #[inline(always)]
    fn in_table(self, vector: Vector, table: &[u8; 16]) -> u64 {
        let table = quarter(table);
        mask(vector.map(|quarter| u8x16_eq(quarter, u8x16_swizzle(table, v128_and(quarter, u8x16_splat(0x0f))))))
    }

    #[inline(always)]
    fn or(self, vector: Vector, byte: u8) -> Vector {
        vector.map(|quarter| v128_or(quarter, u8x16_splat(byte)))
    }

    #[inline(always)]
    fn minus(self, vector: Vector, byte: u8) -> Vector {
        vector.map(|quarter| u8x16_sub(quarter, u8x16_splat(byte)))
    }

    #[inline(always)]
    fn running_xor(self, mask: u64) -> u64 {
        doubling_xor(mask)
    }

    #[inline(always)]
    fn pack(
        self,
        bytes: &[u8; 64],
        _vector: Vector,
        mask: u64,
        base: u32,
        kinds: &mut [u8; 64],
        places: &mut [u32; 64],
    ) {
        pack_bits(bytes, mask, base, kinds, places);
    }
}
