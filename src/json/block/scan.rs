//! From text to tokens, 64 bytes at a time, by arithmetic on bit masks.
//!
//! A token is a bracket, colon or comma outside of strings, the opening quote of a string, or the first byte of a run
//! of other bytes outside of strings (a number or literal). On the way, everything inside of tokens is checked: strings
//! (control characters, escapes, UTF-8), numbers and literals.
//!
//! What one block has to know of those before it is a handful of bits, kept in [`Carry`] and [`NumberCarry`].

use super::Tokens;
use super::machine::Machine;
use crate::limit::Limits;

const EVEN: u64 = 0x5555_5555_5555_5555;

/// Indexed by the lower half of a byte; entries that match nothing hold a byte whose lower half differs from the index.
const SPACES: [u8; 16] = [b' ', 0, 1, 1, 1, 1, 1, 1, 1, b'\t', b'\n', 1, 1, b'\r', 1, 1];
/// As above, of bytes with bit 5 set: `[` and `]` become `{` and `}`.
const STRUCTURE: [u8; 16] = [1, 0, 1, 1, 1, 1, 1, 1, 1, 1, b':', b'{', b',', b'}', 1, 1];

/// What the blocks so far say about the next one. Flags are 0 or 1.
struct Carry {
    /// The first byte is escaped.
    escaped: u64,
    /// All ones if the first byte is inside a string.
    in_string: u64,
    /// The byte before is part of a number or literal.
    scalar: u64,
    /// The first bytes that belong to a literal which began in the block before.
    literal: u64,
    /// The byte before ends a literal.
    literal_end: u64,
    /// The first bytes that must be hexadecimal digits.
    hex: u64,
    /// Where the blocks with non-ASCII bytes begin that reach up to here.
    high_from: usize,
    number: NumberCarry,
    /// Blocks without any token so far, in a row, and the most of them.
    quiet: usize,
    quietest: usize,
    /// Nonzero if anything was wrong.
    bad: u64,
}

/// The same for numbers: of which kind the byte before is.
#[derive(Default)]
struct NumberCarry {
    digit: u64,
    /// A minus that begins a number.
    minus: u64,
    /// A zero that begins a number.
    zero: u64,
    point: u64,
    /// `e`
    exponent: u64,
    /// A sign behind `e`.
    sign: u64,
    /// A digit behind the point, or in the exponent.
    in_fraction: u64,
    in_exponent: u64,
}

/// Where the tokens go.
struct Out<'a> {
    kinds: &'a mut [u8],
    positions: &'a mut [u32],
    count: usize,
    escapes: bool,
}

const NONE: usize = usize::MAX;

impl Tokens {
    /// Fills in the tokens; whether their insides are certainly right.
    #[inline(always)]
    pub(super) fn scan<M: Machine, const UTF8: bool>(&mut self, machine: M, text: &[u8], limits: &Limits) -> bool {
        let mut carry = Carry {
            escaped: 0,
            in_string: 0,
            scalar: 0,
            literal: 0,
            literal_end: 0,
            hex: 0,
            high_from: NONE,
            number: NumberCarry::default(),
            quiet: 0,
            quietest: 0,
            bad: 0,
        };
        let mut out = Out { kinds: &mut self.kinds, positions: &mut self.positions, count: 0, escapes: false };
        let (blocks, rest) = text.as_chunks::<64>();
        let mut base = 0;
        for bytes in blocks {
            block::<M, UTF8>(machine, text, bytes, base, &mut carry, &mut out);
            base += 64;
        }
        let mut last = [b' '; 64];
        if let Some(front) = last.get_mut(..rest.len()) {
            front.copy_from_slice(rest);
        }
        // There always is a last block with white space at its end, so that what is open at the end of the text comes
        // to light: an unfinished number or escape. An unfinished string fails the grammar.
        block::<M, UTF8>(machine, text, &last, base, &mut carry, &mut out);
        self.count = out.count;
        self.escapes = out.escapes;
        if !UTF8 && carry.high_from != NONE {
            carry.bad |= not_utf8(text, carry.high_from, text.len());
        }
        // Lengths are compared without looking at each token: only a number or key that covers this many blocks
        // can be too long, and then the portable walk sees to it.
        let longest = (carry.quietest + 2) * 64;
        carry.bad == 0 && (longest <= limits.number_bytes.min(limits.key_bytes) || self.short(text, limits))
    }

    /// Whether all keys and numbers keep their limits, counted in the bytes of the text up to the next token.
    #[cold]
    fn short(&self, text: &[u8], limits: &Limits) -> bool {
        let (kinds, positions, _) = self.parts();
        let following = positions.iter().skip(1).copied().chain([text.len() as u32]);
        let next = kinds.iter().skip(1).copied().chain([b' ']);
        kinds.iter().zip(positions).zip(following.zip(next)).all(|((kind, from), (to, next))| {
            let length = (to - from) as usize;
            match kind {
                b'"' if next == b':' => length.saturating_sub(2) <= limits.key_bytes,
                b'-' | b'0'..=b'9' => length <= limits.number_bytes,
                _ => true,
            }
        })
    }
}

#[inline(always)]
fn block<M: Machine, const UTF8: bool>(
    machine: M,
    text: &[u8],
    bytes: &[u8; 64],
    base: usize,
    carry: &mut Carry,
    out: &mut Out<'_>,
) {
    let vector = machine.load(bytes);
    let quote = machine.equal(vector, b'"');
    let backslash = machine.equal(vector, b'\\');
    let control = machine.at_most(vector, 0x1f);
    let space = machine.in_table(vector, &SPACES);
    let structure = machine.in_table(machine.or(vector, 0x20), &STRUCTURE) & !control;
    let mut bad = 0;

    let mut escaped = carry.escaped;
    if backslash | carry.escaped != 0 {
        out.escapes = true;
        escaped = escapes(backslash, &mut carry.escaped);
    }
    let quotes = quote & !escaped;
    // From each opening quote up to the byte before the closing one.
    let in_string = machine.running_xor(quotes) ^ carry.in_string;
    carry.in_string = 0_u64.wrapping_sub(in_string >> 63);
    bad |= control & in_string;

    let letters = escaped & in_string;
    if letters | carry.hex != 0 {
        bad |= escape_letters(machine, vector, letters, &mut carry.hex);
    }
    if !UTF8 {
        if machine.high(vector) != 0 {
            carry.high_from = carry.high_from.min(base);
        } else if carry.high_from != NONE {
            bad |= not_utf8(text, carry.high_from, base);
            carry.high_from = NONE;
        }
    }

    let scalar = !(in_string | quotes | space | structure);
    let starts = scalar & !(scalar << 1 | carry.scalar);
    if scalar | carry.scalar != 0 {
        bad |= scalars(machine, text, vector, scalar, starts, base, carry);
    }
    carry.scalar = scalar >> 63;
    carry.bad |= bad;

    let tokens = (structure & !in_string) | (quotes & in_string) | starts;
    carry.quiet = if tokens == 0 { carry.quiet + 1 } else { 0 };
    carry.quietest = carry.quietest.max(carry.quiet);
    // INVARIANT: `prepare` has made room for a block behind the last possible token, and offsets fit in 32 bits
    // because of `LONGEST`.
    if let (Some(kinds), Some(positions)) = (
        out.kinds.get_mut(out.count..).and_then(|rest| rest.first_chunk_mut()),
        out.positions.get_mut(out.count..).and_then(|rest| rest.first_chunk_mut()),
    ) {
        machine.pack(bytes, vector, tokens, base as u32, kinds, positions);
        out.count += tokens.count_ones() as usize;
    }
}

/// The bytes behind an odd number of backslashes. `carry`: whether the first byte of this and of the next block is one.
#[inline(always)]
pub(super) fn escapes(backslash: u64, carry: &mut u64) -> u64 {
    let first = *carry;
    // An escaped backslash at the very front is no backslash any more.
    let slashes = backslash & !first;
    let starts = slashes & !(slashes << 1);
    // Adding a run's first bit to the run leaves one bit behind its end. A run that begins at an even place and ends
    // before an odd one has odd length, and the other way round.
    let (even, _) = slashes.overflowing_add(starts & EVEN);
    let (odd, beyond) = slashes.overflowing_add(starts & !EVEN);
    *carry = u64::from(beyond);
    (even & !slashes & !EVEN) | (odd & !slashes & EVEN) | (first & !backslash)
}

/// Nonzero if a letter behind a backslash means nothing, or `u` has not four digits behind it.
#[inline(always)]
fn escape_letters<M: Machine>(machine: M, vector: M::Vector, letters: u64, carry: &mut u64) -> u64 {
    let unicode = machine.equal(vector, b'u') & letters;
    let simple = machine.equal(vector, b'n')
        | machine.equal(vector, b'"')
        | machine.equal(vector, b'/')
        | machine.equal(vector, b't')
        | machine.equal(vector, b'r')
        | machine.equal(vector, b'b')
        | machine.equal(vector, b'f');
    let mut bad = letters & !(simple | unicode);
    if unicode | *carry != 0 {
        let digit = machine.at_most(machine.minus(vector, b'0'), 9);
        let letter = machine.at_most(machine.minus(machine.or(vector, 0x20), b'a'), 5);
        let two = unicode << 1 | unicode << 2;
        bad |= (two | two << 2 | *carry) & !(digit | letter);
        let two = unicode >> 63 | unicode >> 62;
        *carry = two | unicode >> 61 | unicode >> 60;
    }
    bad
}

/// Nonzero if a number or literal is malformed.
#[inline(always)]
fn scalars<M: Machine>(
    machine: M,
    text: &[u8],
    vector: M::Vector,
    scalar: u64,
    starts: u64,
    base: usize,
    carry: &mut Carry,
) -> u64 {
    let digit = machine.at_most(machine.minus(vector, b'0'), 9);
    let minus = machine.equal(vector, b'-');
    let mut bad = 0;

    let mut literal = carry.literal;
    let mut words = starts & !(digit | minus);
    carry.literal = 0;
    while words != 0 {
        let place = words.trailing_zeros();
        words &= words - 1;
        let rest = text.get(base + place as usize..).unwrap_or(&[]);
        let length = match rest.first_chunk::<4>() {
            Some(b"true" | b"null") => 4,
            Some(b"fals") if rest.get(4) == Some(&b'e') => 5,
            _ => {
                bad = 1;
                1
            }
        };
        let bits = ((1_u128 << length) - 1) << place;
        literal |= bits as u64;
        carry.literal |= (bits >> 64) as u64;
    }
    // Nothing may follow a literal directly.
    bad |= (literal << 1 | carry.literal_end) & scalar & !literal;
    carry.literal_end = literal >> 63;

    let number = scalar & !literal;
    let last = &mut carry.number;
    if number == 0 {
        bad |= last.minus | last.point | last.exponent | last.sign;
        *last = NumberCarry::default();
        return bad;
    }
    let digit = digit & number;
    let minus = minus & number;
    let plus = machine.equal(vector, b'+') & number;
    let point = machine.equal(vector, b'.') & number;
    let exponent = machine.equal(machine.or(vector, 0x20), b'e') & number;
    let zero = machine.equal(vector, b'0') & number;
    bad |= number & !(digit | minus | plus | point | exponent);

    let behind_digit = digit << 1 | last.digit;
    let behind_point = point << 1 | last.point;
    let behind_exponent = exponent << 1 | last.exponent;
    let first_minus = minus & starts;
    let behind_minus = first_minus << 1 | last.minus;
    let sign = (minus | plus) & behind_exponent;
    let behind_sign = sign << 1 | last.sign;
    let first_zero = zero & (starts | behind_minus);

    // A sign stands in front (a minus) or behind `e`; a point and `e` stand behind a digit.
    bad |= (minus | plus) & !(first_minus | sign);
    bad |= (point | exponent) & !behind_digit;
    // Behind a sign and a point comes a digit, behind `e` a digit or sign, behind a leading zero no digit.
    bad |= (behind_minus | behind_sign | behind_point) & !digit;
    bad |= behind_exponent & !(digit | sign);
    bad |= (first_zero << 1 | last.zero) & digit;
    // The end of a run of digits, again by addition: behind a fraction no point, behind an exponent neither.
    let (fraction, fraction_beyond) = digit.overflowing_add((digit & behind_point) | last.in_fraction);
    bad |= fraction & !digit & point;
    let (power, power_beyond) = digit.overflowing_add((digit & (behind_exponent | behind_sign)) | last.in_exponent);
    bad |= power & !digit & (point | exponent);

    *last = NumberCarry {
        digit: digit >> 63,
        minus: first_minus >> 63,
        zero: first_zero >> 63,
        point: point >> 63,
        exponent: exponent >> 63,
        sign: sign >> 63,
        in_fraction: u64::from(fraction_beyond),
        in_exponent: u64::from(power_beyond),
    };
    bad
}

/// Nonzero if the bytes are not UTF-8. They begin and end next to ASCII.
#[cold]
#[inline(never)]
fn not_utf8(text: &[u8], from: usize, to: usize) -> u64 {
    u64::from(text.get(from..to).is_none_or(|bytes| std::str::from_utf8(bytes).is_err()))
}
