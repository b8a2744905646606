//! x86-64: AVX2 in two halves, AVX-512 (with VBMI2, so Ice Lake and Zen 4 or later) in one.

use std::arch::x86_64::{
    __m256i, __m512i, _mm_clmulepi64_si128, _mm_cvtsi64_si128, _mm_cvtsi128_si64, _mm_loadl_epi64, _mm_loadu_si128,
    _mm_set_epi64x, _mm_set1_epi8, _mm_shuffle_epi8, _mm_storel_epi64, _mm256_add_epi32, _mm256_broadcastsi128_si256,
    _mm256_cmpeq_epi8, _mm256_cvtepu8_epi32, _mm256_loadu_si256, _mm256_min_epu8, _mm256_movemask_epi8,
    _mm256_or_si256, _mm256_set1_epi8, _mm256_set1_epi32, _mm256_shuffle_epi8, _mm256_storeu_si256, _mm256_sub_epi8,
    _mm512_add_epi32, _mm512_broadcast_i32x4, _mm512_castsi512_si128, _mm512_cmpeq_epi8_mask, _mm512_cmple_epu8_mask,
    _mm512_cvtepu8_epi32, _mm512_extracti32x4_epi32, _mm512_loadu_si512, _mm512_mask_loadu_epi8,
    _mm512_maskz_compress_epi8, _mm512_movepi8_mask, _mm512_or_si512, _mm512_set1_epi8, _mm512_set1_epi32,
    _mm512_shuffle_epi8, _mm512_storeu_si512, _mm512_sub_epi8,
};

use super::super::fault::SyntaxError;
use super::super::forward;
use super::super::sink::Sink;
use super::machine::{Machine, pack_eight, special};
use super::skip;
use super::tokens::Tokens;
use crate::json::strings::Finder;
use crate::limit::Limits;

/// Proof that the processor has AVX2, PCLMULQDQ, BMI1, BMI2, LZCNT and POPCNT.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Avx2(());

/// Proof that the processor has those, and AVX-512 F, BW, VL, VBMI and VBMI2.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Avx512(());

impl Avx2 {
    pub(super) fn detect() -> Option<Avx2> {
        (is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("pclmulqdq")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt"))
        .then_some(Avx2(()))
    }
}

impl Avx512 {
    pub(super) fn detect() -> Option<Avx512> {
        Avx2::detect()?;
        (is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512vl")
            && is_x86_feature_detected!("avx512vbmi")
            && is_x86_feature_detected!("avx512vbmi2"))
        .then_some(Avx512(()))
    }
}

/// The algorithms, compiled for a machine's features. Everything below them is inlined into them.
macro_rules! entries {
    ($machine:ident, $features:literal) => {
        impl $machine {
            #[inline]
            pub(super) fn read<const UTF8: bool>(self, tokens: &mut Tokens, text: &[u8], limits: &Limits) -> bool {
                #[target_feature(enable = $features)]
                fn read<const UTF8: bool>(
                    machine: $machine,
                    tokens: &mut Tokens,
                    text: &[u8],
                    limits: &Limits,
                ) -> bool {
                    tokens.read_with::<_, UTF8>(machine, text, limits)
                }
                // SAFETY: a machine exists only where `detect` has found the features.
                unsafe { read::<UTF8>(self, tokens, text, limits) }
            }

            #[inline]
            pub(super) fn forward<S: Sink, const UTF8: bool>(
                self,
                whole: bool,
                text: &[u8],
                limits: &Limits,
                buffer: &mut Vec<u8>,
                sink: &mut S,
            ) -> Result<(), SyntaxError> {
                #[target_feature(enable = $features)]
                fn forward<S: Sink, const UTF8: bool>(
                    machine: $machine,
                    whole: bool,
                    text: &[u8],
                    limits: &Limits,
                    buffer: &mut Vec<u8>,
                    sink: &mut S,
                ) -> Result<(), SyntaxError> {
                    forward::read::<_, S, UTF8>(machine, whole, text, limits, buffer, sink)
                }
                // SAFETY: a machine exists only where `detect` has found the features.
                unsafe { forward::<S, UTF8>(self, whole, text, limits, buffer, sink) }
            }
        }

        impl Finder for $machine {
            #[inline(always)]
            fn special<const UTF8: bool>(self, bytes: &[u8; 64]) -> u64 {
                special::<_, UTF8>(self, bytes)
            }

            #[inline]
            fn container_end(self, text: &[u8], at: usize) -> Option<usize> {
                #[target_feature(enable = $features)]
                fn container_end(machine: $machine, text: &[u8], at: usize) -> Option<usize> {
                    skip::container(machine, text, at)
                }
                // SAFETY: a machine exists only where `detect` has found the features.
                unsafe { container_end(self, text, at) }
            }
        }
    };
}

entries!(Avx2, "avx2,pclmulqdq,bmi1,bmi2,lzcnt,popcnt");
entries!(Avx512, "avx2,pclmulqdq,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2");

// SAFETY of all blocks below, unless they say more: `self` is the proof that the instructions exist.

#[inline(always)]
fn multiply_xor(mask: u64) -> u64 {
    // SAFETY: called with a machine at hand; both have PCLMULQDQ.
    unsafe {
        let product = _mm_clmulepi64_si128::<0>(_mm_set_epi64x(0, mask.cast_signed()), _mm_set1_epi8(-1));
        _mm_cvtsi128_si64(product).cast_unsigned()
    }
}

/// The mask of two halves.
macro_rules! halves {
    (|$half:ident| $body:expr, $vector:expr) => {{
        let [low, high] = $vector;
        // SAFETY: see above.
        let (low, high) = unsafe {
            let $half = low;
            let low = _mm256_movemask_epi8($body);
            let $half = high;
            (low, _mm256_movemask_epi8($body))
        };
        u64::from(low.cast_unsigned()) | u64::from(high.cast_unsigned()) << 32
    }};
}

impl Machine for Avx2 {
    type Vector = [__m256i; 2];

    #[inline(always)]
    fn load(self, bytes: &[u8; 64]) -> [__m256i; 2] {
        let from = bytes.as_ptr().cast::<__m256i>();
        // SAFETY: see above; the array has room for two vectors, and the load needs no alignment.
        unsafe { [_mm256_loadu_si256(from), _mm256_loadu_si256(from.add(1))] }
    }

    #[inline(always)]
    fn equal(self, vector: [__m256i; 2], byte: u8) -> u64 {
        halves!(|half| _mm256_cmpeq_epi8(half, _mm256_set1_epi8(byte.cast_signed())), vector)
    }

    #[inline(always)]
    fn at_most(self, vector: [__m256i; 2], byte: u8) -> u64 {
        halves!(|half| _mm256_cmpeq_epi8(half, _mm256_min_epu8(half, _mm256_set1_epi8(byte.cast_signed()))), vector)
    }

    #[inline(always)]
    fn high(self, vector: [__m256i; 2]) -> u64 {
        halves!(|half| half, vector)
    }

    #[inline(always)]
    fn in_table(self, vector: [__m256i; 2], table: &[u8; 16]) -> u64 {
        // SAFETY: see above; the table has room for a vector, and the load needs no alignment.
        let table = unsafe { _mm256_broadcastsi128_si256(_mm_loadu_si128(table.as_ptr().cast())) };
        halves!(|half| _mm256_cmpeq_epi8(half, _mm256_shuffle_epi8(table, half)), vector)
    }

    #[inline(always)]
    fn or(self, [low, high]: [__m256i; 2], byte: u8) -> [__m256i; 2] {
        // SAFETY: see above.
        unsafe {
            let bits = _mm256_set1_epi8(byte.cast_signed());
            [_mm256_or_si256(low, bits), _mm256_or_si256(high, bits)]
        }
    }

    #[inline(always)]
    fn minus(self, [low, high]: [__m256i; 2], byte: u8) -> [__m256i; 2] {
        // SAFETY: see above.
        unsafe {
            let less = _mm256_set1_epi8(byte.cast_signed());
            [_mm256_sub_epi8(low, less), _mm256_sub_epi8(high, less)]
        }
    }

    #[inline(always)]
    fn running_xor(self, mask: u64) -> u64 {
        multiply_xor(mask)
    }

    #[inline(always)]
    fn plain<const UTF8: bool>(self, vector: [__m256i; 2]) -> bool {
        // SAFETY: see above.
        unsafe {
            let odd = |half| {
                let control = _mm256_cmpeq_epi8(half, _mm256_min_epu8(half, _mm256_set1_epi8(0x1f)));
                let odd = _mm256_or_si256(control, _mm256_cmpeq_epi8(half, _mm256_set1_epi8(b'\\'.cast_signed())));
                // The mask is made of the high bits.
                if UTF8 { odd } else { _mm256_or_si256(odd, half) }
            };
            let [low, high] = vector;
            _mm256_movemask_epi8(_mm256_or_si256(odd(low), odd(high))) == 0
        }
    }

    /// Few one by one, as in indented text; else eight bytes at a time by a table, whether any of them is selected or not.
    /// Without a branch for each, nothing is mispredicted.
    #[inline(always)]
    fn pack(
        self,
        bytes: &[u8; 64],
        _vector: [__m256i; 2],
        mask: u64,
        base: u32,
        kinds: &mut [u8; 64],
        places: &mut [u32; 64],
    ) {
        if mask.count_ones() <= 8 {
            return pack_eight(bytes, mask, base, kinds, places);
        }
        let (eights, _) = bytes.as_chunks::<8>();
        let mut count = 0;
        // SAFETY: see above. Before the eighth group of eight bytes, at most 56 are selected: the eight places from
        // `count` on are inside the arrays. Neither loads nor stores need alignment.
        unsafe {
            let mut base = _mm256_set1_epi32(base.cast_signed());
            for (eight, bits) in eights.iter().zip(mask.to_le_bytes()) {
                let offsets = SELECTED.get(usize::from(bits)).copied().unwrap_or(0);
                let offsets = _mm_cvtsi64_si128(offsets.cast_signed());
                let selected = _mm_shuffle_epi8(_mm_loadl_epi64(eight.as_ptr().cast()), offsets);
                _mm_storel_epi64(kinds.as_mut_ptr().add(count).cast(), selected);
                let selected = _mm256_add_epi32(_mm256_cvtepu8_epi32(offsets), base);
                _mm256_storeu_si256(places.as_mut_ptr().add(count).cast(), selected);
                count += bits.count_ones() as usize;
                base = _mm256_add_epi32(base, _mm256_set1_epi32(8));
            }
        }
    }
}

/// Which bits are set in each byte that there is, the lowest first, one to a byte.
#[expect(clippy::indexing_slicing, reason = "INVARIANT: the loop ends at the array's length; it runs at compile time")]
static SELECTED: [u64; 256] = {
    let mut selected = [0; 256];
    let mut bits = 0;
    while bits < 256 {
        let (mut bit, mut shift) = (0, 0);
        while bit < 8 {
            if bits >> bit & 1 == 1 {
                selected[bits] |= bit << shift;
                shift += 8;
            }
            bit += 1;
        }
        bits += 1;
    }
    selected
};

/// The numbers 0 to 63.
#[expect(clippy::indexing_slicing, reason = "INVARIANT: the loop ends at the array's length; it runs at compile time")]
const OFFSETS: [u8; 64] = {
    let mut offsets = [0; 64];
    let mut offset = 0;
    while offset < 64 {
        offsets[offset] = offset as u8;
        offset += 1;
    }
    offsets
};

impl Machine for Avx512 {
    type Vector = __m512i;

    #[inline(always)]
    fn load(self, bytes: &[u8; 64]) -> __m512i {
        // SAFETY: see above; the array has room for the vector, and the load needs no alignment.
        unsafe { _mm512_loadu_si512(bytes.as_ptr().cast()) }
    }

    #[inline(always)]
    fn load_part(self, part: &[u8], _buffer: &mut [u8; 64]) -> __m512i {
        let mask = if part.len() < 64 { (1 << part.len()) - 1 } else { !0 };
        // SAFETY: see above; bytes that the mask leaves out are not touched, and the load needs no alignment.
        unsafe { _mm512_mask_loadu_epi8(_mm512_set1_epi8(b' '.cast_signed()), mask, part.as_ptr().cast()) }
    }

    #[inline(always)]
    fn equal(self, vector: __m512i, byte: u8) -> u64 {
        // SAFETY: see above.
        unsafe { _mm512_cmpeq_epi8_mask(vector, _mm512_set1_epi8(byte.cast_signed())) }
    }

    #[inline(always)]
    fn at_most(self, vector: __m512i, byte: u8) -> u64 {
        // SAFETY: see above.
        unsafe { _mm512_cmple_epu8_mask(vector, _mm512_set1_epi8(byte.cast_signed())) }
    }

    #[inline(always)]
    fn high(self, vector: __m512i) -> u64 {
        // SAFETY: see above.
        unsafe { _mm512_movepi8_mask(vector) }
    }

    #[inline(always)]
    fn in_table(self, vector: __m512i, table: &[u8; 16]) -> u64 {
        // SAFETY: see above; the table has room for a vector, and the load needs no alignment.
        unsafe {
            let table = _mm512_broadcast_i32x4(_mm_loadu_si128(table.as_ptr().cast()));
            _mm512_cmpeq_epi8_mask(vector, _mm512_shuffle_epi8(table, vector))
        }
    }

    #[inline(always)]
    fn or(self, vector: __m512i, byte: u8) -> __m512i {
        // SAFETY: see above.
        unsafe { _mm512_or_si512(vector, _mm512_set1_epi8(byte.cast_signed())) }
    }

    #[inline(always)]
    fn minus(self, vector: __m512i, byte: u8) -> __m512i {
        // SAFETY: see above.
        unsafe { _mm512_sub_epi8(vector, _mm512_set1_epi8(byte.cast_signed())) }
    }

    #[inline(always)]
    fn running_xor(self, mask: u64) -> u64 {
        multiply_xor(mask)
    }

    #[inline(always)]
    fn pack(
        self,
        _bytes: &[u8; 64],
        vector: __m512i,
        mask: u64,
        base: u32,
        kinds: &mut [u8; 64],
        places: &mut [u32; 64],
    ) {
        let (quarters, _) = places.as_chunks_mut::<16>();
        // SAFETY: see above; the arrays have room for the vectors that are stored (a quarter contains 16 places), and neither
        // loads nor stores need alignment.
        unsafe {
            _mm512_storeu_si512(kinds.as_mut_ptr().cast(), _mm512_maskz_compress_epi8(mask, vector));
            let offsets = _mm512_maskz_compress_epi8(mask, _mm512_loadu_si512(OFFSETS.as_ptr().cast()));
            let base = _mm512_set1_epi32(base.cast_signed());
            let mut store = |quarter: usize, offsets| {
                if let Some(quarter) = quarters.get_mut(quarter) {
                    let places = _mm512_add_epi32(_mm512_cvtepu8_epi32(offsets), base);
                    _mm512_storeu_si512(quarter.as_mut_ptr().cast(), places);
                }
            };
            // Which blocks have more than 16 tokens is not to be predicted, and storing them is cheaper than a guess.
            store(0, _mm512_castsi512_si128(offsets));
            store(1, _mm512_extracti32x4_epi32::<1>(offsets));
            if mask.count_ones() > 32 {
                store(2, _mm512_extracti32x4_epi32::<2>(offsets));
                store(3, _mm512_extracti32x4_epi32::<3>(offsets));
            }
        }
    }
}
