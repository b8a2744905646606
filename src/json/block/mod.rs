//! Reads events in blocks of 64 bytes, the fast way. This is the only place with unsafe code.
//!
//! [`Tokens::scan`] turns the input into a stream of tokens, [`scan`] says how; [`Tokens::check`] checks the stream
//! against the grammar, [`grammar`] says how. Both only answer yes or no: when it is no, [`Level::forward`] reads the
//! event again and finds the fault, so every machine reports the same one. It goes over the input in one pass, without
//! tokens, and needs the machine for the ends of strings, and of containers that nobody needs.
//!
//! # Why this is sound
//!
//! The algorithms are safe code over the trait [`Machine`], whose methods map one to one to vector instructions.
//! Memory is only read and written through references to arrays of the exact size of the vectors, so the one
//! obligation is that the instructions exist on the processor that runs. A value of a machine's type is the proof of
//! it: there is no way to get one but its `detect`, which asks the processor. Each `unsafe` block is either
//! an intrinsic that takes a machine as witness, or the call of a function that is compiled for the features that the
//! machine passed to it has witnessed.

#![allow(unsafe_code, reason = "the one island of vector instructions; the argument is in the module's text")]
#![cfg_attr(
    not(any(
        target_arch = "x86_64",
        all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"),
        all(target_arch = "wasm32", target_feature = "simd128")
    )),
    allow(dead_code, unused_variables, reason = "without vectors nobody reads tokens")
)]

mod grammar;
pub(super) mod machine;
#[cfg(all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"))]
mod neon;
#[cfg(any(
    all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"),
    all(target_arch = "wasm32", target_feature = "simd128")
))]
mod quarters;
pub(super) mod scan;
mod skip;
mod tokens;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod wasm;
#[cfg(target_arch = "x86_64")]
mod x86;

pub(crate) use tokens::{Stream, Tokens};

use super::fault::SyntaxError;
use super::forward;
use super::sink::Sink;
use super::strings::Words;
use crate::limit::Limits;

/// Inputs beyond this length are read in one pass, since the token stream takes up to nine times their size.
const LONGEST: usize = 4 << 20;

/// Which instructions there are.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Level {
    /// No vectors: everything is read in one pass.
    Portable,
    #[cfg(target_arch = "x86_64")]
    Avx2(x86::Avx2),
    #[cfg(target_arch = "x86_64")]
    Avx512(x86::Avx512),
    #[cfg(all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"))]
    Neon(neon::Neon),
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    Simd128(wasm::Simd128),
}

impl Default for Level {
    /// The best there is. Compiled with `--cfg eventrie_level`, the one whose number is in the environment, so each
    /// can be measured and all tests run with it.
    ///
    /// # Panics
    /// With `--cfg eventrie_level`, if this processor does not have the level: falling back would test another one.
    #[cfg_attr(eventrie_level, allow(clippy::panic, reason = "only where tests and benches choose the level"))]
    fn default() -> Level {
        #[cfg(eventrie_level)]
        if let Ok(number) = std::env::var("EVENTRIE_LEVEL") {
            let level = number.parse().ok().and_then(|number| Level::available().nth(number));
            return level.unwrap_or_else(|| {
                panic!("EVENTRIE_LEVEL={number}: expected a number below {}", Level::available().count())
            });
        }
        Level::available().next_back().unwrap_or(Level::Portable)
    }
}

impl Level {
    /// All that this processor can do, the best last.
    pub(crate) fn available() -> impl DoubleEndedIterator<Item = Level> {
        let levels: [Option<Level>; 3] = [
            Some(Level::Portable),
            #[cfg(target_arch = "x86_64")]
            x86::Avx2::detect().map(Level::Avx2),
            #[cfg(target_arch = "x86_64")]
            x86::Avx512::detect().map(Level::Avx512),
            #[cfg(all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"))]
            Some(Level::Neon(neon::Neon::detect())),
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Some(Level::Simd128(wasm::Simd128::detect())),
            #[cfg(not(target_arch = "x86_64"))]
            None,
            #[cfg(not(any(
                target_arch = "x86_64",
                all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"),
                all(target_arch = "wasm32", target_feature = "simd128")
            )))]
            None,
        ];
        levels.into_iter().flatten()
    }

    /// Events up to this length are read in one pass: tokens pay off only beyond it, and later where vectors cannot be
    /// compressed.
    pub(crate) fn short(self) -> usize {
        match self {
            #[cfg(target_arch = "x86_64")]
            Level::Avx512(_) => 128,
            #[cfg(target_arch = "x86_64")]
            Level::Avx2(_) => 256,
            _ => 512,
        }
    }

    /// Reads an event in one pass; see [`read`](forward::read).
    #[inline]
    pub(crate) fn forward<S: Sink, const UTF8: bool>(
        self,
        whole: bool,
        text: &[u8],
        limits: &Limits,
        buffer: &mut Vec<u8>,
        sink: &mut S,
    ) -> Result<(), SyntaxError> {
        match self {
            // Here UTF-8 is only checked in strings that are not ASCII: not worth another copy of the code.
            Level::Portable => forward::read::<_, S, false>(Words, whole, text, limits, buffer, sink),
            #[cfg(target_arch = "x86_64")]
            Level::Avx2(machine) => machine.forward::<S, UTF8>(whole, text, limits, buffer, sink),
            #[cfg(target_arch = "x86_64")]
            Level::Avx512(machine) => machine.forward::<S, UTF8>(whole, text, limits, buffer, sink),
            #[cfg(all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"))]
            Level::Neon(machine) => forward::read::<_, S, UTF8>(machine, whole, text, limits, buffer, sink),
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Level::Simd128(machine) => forward::read::<_, S, UTF8>(machine, whole, text, limits, buffer, sink),
        }
    }
}

impl Tokens {
    /// Takes in the tokens of an event text. Whether it is certainly well-formed, keeps the limits, and is an object; if
    /// not, the tokens are meaningless. `UTF8` says that the text is known to be UTF-8.
    #[inline]
    pub(crate) fn read<const UTF8: bool>(&mut self, level: Level, text: &[u8], limits: &Limits) -> bool {
        if text.len() > LONGEST {
            return false;
        }
        match level {
            Level::Portable => false,
            #[cfg(target_arch = "x86_64")]
            Level::Avx2(machine) => machine.read::<UTF8>(self, text, limits),
            #[cfg(target_arch = "x86_64")]
            Level::Avx512(machine) => machine.read::<UTF8>(self, text, limits),
            #[cfg(all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"))]
            Level::Neon(machine) => self.read_with::<_, UTF8>(machine, text, limits),
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Level::Simd128(machine) => self.read_with::<_, UTF8>(machine, text, limits),
        }
    }
}
