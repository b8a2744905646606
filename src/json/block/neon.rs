//! aarch64: NEON, which every such processor has.

use std::arch::aarch64::{
    uint8x16_t, vandq_u8, vceqq_u8, vcleq_u8, vdupq_n_u8, vgetq_lane_u64, vld1q_u8, vmaxvq_u8, vorrq_u8, vpaddq_u8,
    vqtbl1q_u8, vreinterpretq_u64_u8, vsubq_u8,
};

use super::quarters::Quarters;

/// Proof that the program is compiled for NEON.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Neon(());

impl Neon {
    /// This file is compiled only if the feature is always there.
    pub(super) fn detect() -> Neon {
        Neon(())
    }
}

/// One bit for each place in a group of eight.
const BITS: [u8; 16] = [1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128];

// SAFETY of all blocks below: see `Neon`; loads are from arrays of the size of what is loaded.

impl Quarters for Neon {
    type Quarter = uint8x16_t;

    #[inline(always)]
    fn load(self, bytes: &[u8; 16]) -> uint8x16_t {
        // SAFETY: see above.
        unsafe { vld1q_u8(bytes.as_ptr()) }
    }

    #[inline(always)]
    fn splat(self, byte: u8) -> uint8x16_t {
        // SAFETY: see above.
        unsafe { vdupq_n_u8(byte) }
    }

    #[inline(always)]
    fn equal(self, one: uint8x16_t, other: uint8x16_t) -> uint8x16_t {
        // SAFETY: see above.
        unsafe { vceqq_u8(one, other) }
    }

    #[inline(always)]
    fn at_most(self, quarter: uint8x16_t, bounds: uint8x16_t) -> uint8x16_t {
        // SAFETY: see above.
        unsafe { vcleq_u8(quarter, bounds) }
    }

    #[inline(always)]
    fn entries(self, table: uint8x16_t, quarter: uint8x16_t) -> uint8x16_t {
        // SAFETY: see above.
        unsafe { vqtbl1q_u8(table, vandq_u8(quarter, vdupq_n_u8(0x0f))) }
    }

    #[inline(always)]
    fn or(self, one: uint8x16_t, other: uint8x16_t) -> uint8x16_t {
        // SAFETY: see above.
        unsafe { vorrq_u8(one, other) }
    }

    #[inline(always)]
    fn minus(self, quarter: uint8x16_t, less: uint8x16_t) -> uint8x16_t {
        // SAFETY: see above.
        unsafe { vsubq_u8(quarter, less) }
    }

    #[inline(always)]
    fn any(self, quarter: uint8x16_t) -> bool {
        // SAFETY: see above.
        unsafe { vmaxvq_u8(quarter) != 0 }
    }

    #[inline(always)]
    fn mask(self, [a, b, c, d]: [uint8x16_t; 4]) -> u64 {
        let bits = Quarters::load(self, &BITS);
        // SAFETY: see above. Three rounds of pairwise sums bring the eight bits of each group into one byte.
        unsafe {
            let front = vpaddq_u8(vandq_u8(a, bits), vandq_u8(b, bits));
            let back = vpaddq_u8(vandq_u8(c, bits), vandq_u8(d, bits));
            let all = vpaddq_u8(front, back);
            vgetq_lane_u64::<0>(vreinterpretq_u64_u8(vpaddq_u8(all, all)))
        }
    }
}
