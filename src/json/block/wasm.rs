//! WebAssembly with `simd128`.

use std::arch::wasm32::{
    i8x16_bitmask, u8x16_eq, u8x16_le, u8x16_splat, u8x16_sub, u8x16_swizzle, v128, v128_and, v128_any_true, v128_load,
    v128_or,
};

use super::quarters::Quarters;

/// Proof that the program is compiled for `simd128`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Simd128(());

impl Simd128 {
    /// This file is compiled only if the feature is always there.
    pub(super) fn detect() -> Simd128 {
        Simd128(())
    }
}

impl Quarters for Simd128 {
    type Quarter = v128;

    #[inline(always)]
    fn load(self, bytes: &[u8; 16]) -> v128 {
        // SAFETY: the array has the size of the vector, and the load needs no alignment.
        unsafe { v128_load(bytes.as_ptr().cast()) }
    }

    #[inline(always)]
    fn splat(self, byte: u8) -> v128 {
        u8x16_splat(byte)
    }

    #[inline(always)]
    fn equal(self, one: v128, other: v128) -> v128 {
        u8x16_eq(one, other)
    }

    #[inline(always)]
    fn at_most(self, quarter: v128, bounds: v128) -> v128 {
        u8x16_le(quarter, bounds)
    }

    #[inline(always)]
    fn entries(self, table: v128, quarter: v128) -> v128 {
        u8x16_swizzle(table, v128_and(quarter, u8x16_splat(0x0f)))
    }

    #[inline(always)]
    fn or(self, one: v128, other: v128) -> v128 {
        v128_or(one, other)
    }

    #[inline(always)]
    fn minus(self, quarter: v128, less: v128) -> v128 {
        u8x16_sub(quarter, less)
    }

    #[inline(always)]
    fn any(self, quarter: v128) -> bool {
        v128_any_true(quarter)
    }

    #[inline(always)]
    fn mask(self, answers: [v128; 4]) -> u64 {
        let [a, b, c, d] = answers.map(|quarter| u64::from(i8x16_bitmask(quarter)));
        a | b << 16 | c << 32 | d << 48
    }
}
