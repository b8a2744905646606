//! aarch64: NEON, which every such processor has, in four quarters.

use std::arch::aarch64::{
    uint8x16_t, vandq_u8, vceqq_u8, vcgeq_u8, vcleq_u8, vdupq_n_u8, vgetq_lane_u64, vld1q_u8, vorrq_u8, vpaddq_u8,
    vqtbl1q_u8, vreinterpretq_u64_u8, vsubq_u8,
};

use super::machine::{Machine, doubling_xor, pack_bits, special};
use super::skip;
use crate::json::strings::Finder;

/// Proof that the program is compiled for NEON.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Neon(());

impl Neon {
    /// This file is compiled only if the feature is always there.
    pub(super) fn detect() -> Neon {
        Neon(())
    }
}

type Vector = [uint8x16_t; 4];

/// One bit for each place in a group of eight.
const BITS: [u8; 16] = [1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128];

/// One bit for each byte that is all ones.
#[inline(always)]
fn mask([a, b, c, d]: Vector) -> u64 {
    // SAFETY: see `Neon`. Three rounds of pairwise sums bring the eight bits of each group into one byte.
    unsafe {
        let bits = vld1q_u8(BITS.as_ptr());
        let front = vpaddq_u8(vandq_u8(a, bits), vandq_u8(b, bits));
        let back = vpaddq_u8(vandq_u8(c, bits), vandq_u8(d, bits));
        let all = vpaddq_u8(front, back);
        vgetq_lane_u64::<0>(vreinterpretq_u64_u8(vpaddq_u8(all, all)))
    }
}

// SAFETY of all blocks below: see `Neon`; loads are from arrays of the size of what is loaded.

impl Finder for Neon {
    #[inline(always)]
    fn special<const UTF8: bool>(self, bytes: &[u8; 64]) -> u64 {
        special::<_, UTF8>(self, bytes)
    }

    fn container_end(self, text: &[u8], at: usize) -> Option<usize> {
        skip::container(self, text, at)
    }
}

impl Machine for Neon {
    type Vector = Vector;

    #[inline(always)]
    fn load(self, bytes: &[u8; 64]) -> Vector {
        let from = bytes.as_ptr();
        // SAFETY: see above.
        unsafe { [vld1q_u8(from), vld1q_u8(from.add(16)), vld1q_u8(from.add(32)), vld1q_u8(from.add(48))] }
    }

    #[inline(always)]
    fn equal(self, vector: Vector, byte: u8) -> u64 {
        // SAFETY: see above.
        mask(vector.map(|quarter| unsafe { vceqq_u8(quarter, vdupq_n_u8(byte)) }))
    }

    #[inline(always)]
    fn at_most(self, vector: Vector, byte: u8) -> u64 {
        // SAFETY: see above.
        mask(vector.map(|quarter| unsafe { vcleq_u8(quarter, vdupq_n_u8(byte)) }))
    }

    #[inline(always)]
    fn high(self, vector: Vector) -> u64 {
        // SAFETY: see above.
        mask(vector.map(|quarter| unsafe { vcgeq_u8(quarter, vdupq_n_u8(0x80)) }))
    }

    #[inline(always)]
    fn in_table(self, vector: Vector, table: &[u8; 16]) -> u64 {
        // SAFETY: see above.
        mask(vector.map(|quarter| unsafe {
            let half = vandq_u8(quarter, vdupq_n_u8(0x0f));
            vceqq_u8(quarter, vqtbl1q_u8(vld1q_u8(table.as_ptr()), half))
        }))
    }

    #[inline(always)]
    fn or(self, vector: Vector, byte: u8) -> Vector {
        // SAFETY: see above.
        vector.map(|quarter| unsafe { vorrq_u8(quarter, vdupq_n_u8(byte)) })
    }

    #[inline(always)]
    fn minus(self, vector: Vector, byte: u8) -> Vector {
        // SAFETY: see above.
        vector.map(|quarter| unsafe { vsubq_u8(quarter, vdupq_n_u8(byte)) })
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
