//! Event texts in blocks of 64 bytes: the fast way of reading. This is the one place with unsafe code.
//!
//! [`Tokens::scan`] turns a text into a stream of tokens, [`scan`] says how; [`Tokens::check`] holds the stream
//! against the grammar, [`grammar`] says how. Both only answer yes or no: when it is no, the portable walk reads the
//! event again and finds the fault, so that every machine reports the same one. [`Level::skip_container`]
//! finds the end of a value that nobody asked for.
//!
//! # Why this is sound
//!
//! The algorithms are safe code over the trait [`Machine`], whose methods map one to one to vector instructions.
//! Memory is only read and written through references to arrays of the exact size of the vectors, so that the one
//! obligation is that the instructions exist on the processor that runs. A value of a machine's type is the proof of
//! it: there is no way to get one but its `detect`, which asks the processor. Each `unsafe` block is either
//! an intrinsic that takes a machine as witness, or the call of a function that is compiled for the features that the
//! machine passed to it has witnessed.

#![allow(unsafe_code, reason = "the one island of vector instructions; the argument is in the module's text")]

mod grammar;
mod machine;
#[cfg(all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"))]
mod neon;
mod scan;
mod skip;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod wasm;
#[cfg(target_arch = "x86_64")]
mod x86;

use crate::limit::Limits;

/// Places are kept in 16 bits, since most events are short: a turn is as much text as these can count.
const TURN: usize = 1 << 16;

/// Texts beyond this length are read by the portable walk, since the token stream takes up to seven times their size.
const LONGEST: usize = 4 << 20;

/// Which instructions there are.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Level {
    /// No vectors: the byte-wise walk reads everything.
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
    fn default() -> Level {
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

    /// The offset behind the bracket that closes the container of which `at` is inside (but not inside a string);
    /// none if it does not end, or if this level cannot tell.
    #[inline]
    pub(crate) fn skip_container(self, text: &[u8], at: usize) -> Option<usize> {
        match self {
            Level::Portable => None,
            #[cfg(target_arch = "x86_64")]
            Level::Avx2(machine) => machine.skip_container(text, at),
            #[cfg(target_arch = "x86_64")]
            Level::Avx512(machine) => machine.skip_container(text, at),
            #[cfg(all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"))]
            Level::Neon(machine) => skip::container(machine, text, at),
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Level::Simd128(machine) => skip::container(machine, text, at),
        }
    }
}

/// The tokens of a text, in buffers that are used again.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tokens {
    /// The first byte of each token: a bracket, a colon, a comma, an opening quote, or the first byte of a number or
    /// literal. Only the first `count` count.
    kinds: Vec<u8>,
    /// Where it stands, within its turn of the text.
    places: Vec<u16>,
    /// The first tokens of the second and each further turn.
    turns: Vec<u32>,
    /// Of an opening bracket: the index of the closing one. Otherwise meaningless.
    closing: Vec<u32>,
    count: usize,
    /// The brackets that are open at some point of the check.
    open: Vec<u32>,
    /// Whether there is any backslash in the text.
    pub(crate) escapes: bool,
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

    #[inline(always)]
    fn read_with<M: machine::Machine, const UTF8: bool>(&mut self, machine: M, text: &[u8], limits: &Limits) -> bool {
        self.prepare(text.len());
        self.scan::<M, UTF8>(machine, text, limits) && self.check(machine, limits)
    }

    /// Makes room for the tokens of a text of `length` bytes: each byte may be one, and a block is stored as a whole.
    #[inline(always)]
    fn prepare(&mut self, length: usize) {
        if self.kinds.len() < length + 128 {
            self.grow(length + 128);
        }
        self.count = 0;
    }

    #[cold]
    fn grow(&mut self, needed: usize) {
        let size = needed.next_power_of_two();
        self.kinds.resize(size, 0);
        self.places.resize(size, 0);
        self.closing.resize(size, 0);
        self.open.resize(grammar::OPEN, 0);
    }

    /// What the last text is made of.
    #[inline]
    pub(crate) fn stream(&self) -> Stream<'_> {
        let range = ..self.count;
        match (self.kinds.get(range), self.places.get(range), self.closing.get(range)) {
            (Some(kinds), Some(places), Some(closing)) => Stream { kinds, places, turns: &self.turns, closing },
            _ => Stream { kinds: &[], places: &[], turns: &[], closing: &[] },
        }
    }
}

/// The tokens of a text; see [`Tokens`].
#[derive(Clone, Copy)]
pub(crate) struct Stream<'a> {
    pub(crate) kinds: &'a [u8],
    places: &'a [u16],
    turns: &'a [u32],
    pub(crate) closing: &'a [u32],
}

impl Stream<'_> {
    /// Where token `at` stands in the text.
    #[inline]
    #[allow(clippy::indexing_slicing, reason = "INVARIANT of the callers: there is such a token")]
    pub(crate) fn position(&self, at: usize) -> usize {
        let place = usize::from(self.places[at]);
        if self.turns.is_empty() {
            return place;
        }
        place + TURN * self.turns.partition_point(|first| *first as usize <= at)
    }
}
