//! The tokens of an event text: what [`scan`](super::scan) finds, [`grammar`](super::grammar) checks, and the walk reads.

use super::machine::Machine;
use crate::limit::Limits;

/// How many bytes of the text one word of `Tokens::odd` covers.
pub(super) const ODD: usize = 64 * 64;

/// One bit for each open bracket is kept in a word. Deeper events are read in one pass instead.
pub(super) const DEEPEST: usize = 64;
/// Where the stack of open brackets begins. It cannot fall below zero before it is checked, once per 64 tokens.
pub(super) const BASE: usize = 128;
/// The room it needs: beyond the deepest nesting, another 64 before it is checked. A power of two, so indexes can
/// be cut to it for free.
pub(super) const OPEN: usize = (BASE + DEEPEST + 64).next_power_of_two();

/// The tokens of the input, in buffers that are used again.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tokens {
    /// The first byte of each token: a bracket, a colon, a comma, an opening quote, or the first byte of a number or
    /// literal. Only the first `count` count.
    pub(super) kinds: Vec<u8>,
    /// Where it is.
    pub(super) places: Vec<u32>,
    /// Of an opening bracket: the index of the closing one. Otherwise meaningless.
    pub(super) closing: Vec<u32>,
    pub(super) count: usize,
    /// The brackets that are open at some point of the check.
    pub(super) open: Vec<u32>,
    /// One bit for each 64 bytes of the text: whether there is a backslash. And whether there is any such bit.
    pub(super) odd: Vec<u64>,
    pub(super) any_odd: bool,
}

impl Tokens {
    #[inline(always)]
    pub(super) fn read_with<M: Machine, const UTF8: bool>(&mut self, machine: M, text: &[u8], limits: &Limits) -> bool {
        self.prepare(text.len());
        self.scan::<M, UTF8>(machine, text, limits) && self.check(machine, limits)
    }

    /// Makes room for the tokens of an input of `length` bytes: each byte may be one, and a block is stored as a whole.
    #[inline(always)]
    pub(super) fn prepare(&mut self, length: usize) {
        if self.kinds.len() < length + 128 {
            self.grow(length + 128);
        }
        self.count = 0;
        if self.any_odd || self.odd.len() <= length / ODD {
            self.odd.clear();
            self.odd.resize(length / ODD + 1, 0);
            self.any_odd = false;
        }
    }

    #[cold]
    fn grow(&mut self, needed: usize) {
        let size = needed.next_power_of_two();
        self.kinds.resize(size, 0);
        self.places.resize(size, 0);
        self.closing.resize(size, 0);
        self.open.resize(OPEN, 0);
    }

    /// What the last text is made of.
    #[inline]
    pub(crate) fn stream(&self) -> Stream<'_> {
        let range = ..self.count;
        match (self.kinds.get(range), self.places.get(range), self.closing.get(range)) {
            (Some(kinds), Some(places), Some(closing)) => {
                let odd = if self.any_odd { self.odd.as_slice() } else { &[] };
                Stream { kinds, places, odd, closing }
            }
            _ => Stream { kinds: &[], places: &[], odd: &[], closing: &[] },
        }
    }
}

/// The tokens of the input; see [`Tokens`].
#[derive(Clone, Copy)]
pub(crate) struct Stream<'a> {
    pub(crate) kinds: &'a [u8],
    pub(crate) places: &'a [u32],
    pub(crate) closing: &'a [u32],
    odd: &'a [u64],
}

impl Stream<'_> {
    /// Whether the part of the text may have backslashes.
    #[inline(always)]
    pub(crate) fn is_odd(&self, from: usize, to: usize) -> bool {
        !self.odd.is_empty() && is_odd(self.odd, from, to)
    }
}

/// Whether any block that the range of text touches is marked.
#[inline]
fn is_odd(odd: &[u64], from: usize, to: usize) -> bool {
    let bit = |at: usize| odd.get(at / ODD).is_some_and(|word| word >> (at / 64 % 64) & 1 == 1);
    // Nearly all strings lie within two blocks.
    bit(from) || bit(to) || (to - from > 64 && (from..to).step_by(64).any(bit))
}
