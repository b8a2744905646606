//! From text to tokens, 64 bytes at a time, by arithmetic on bit masks.
//!
//! A token is a bracket, colon or comma outside strings, the opening quote of a string, or the first byte of a run
//! of other bytes outside strings (a number or literal). On the way, everything inside tokens is checked: strings
//! (control characters, escapes, UTF-8), numbers and literals.
//!
//! What one block has to know of those before it is kept in [`Carry`].

use super::machine::{Machine, behind};
use super::tokens::{ODD, Tokens};
use crate::limit::Limits;

const EVEN: u64 = 0x5555_5555_5555_5555;

/// Indexed by the lower half of a byte; entries that match nothing contain a byte whose lower half differs from the index.
const SPACES: [u8; 16] = [b' ', 0, 1, 1, 1, 1, 1, 1, 1, b'\t', b'\n', 1, 1, b'\r', 1, 1];
/// As above, of bytes with bit 5 set: `[` and `]` become `{` and `}`.
const STRUCTURE: [u8; 16] = [1, 0, 1, 1, 1, 1, 1, 1, 1, 1, b':', b'{', b',', b'}', 1, 1];

/// What the blocks so far say about the next one.
struct Carry {
    /// 1 if the first byte is escaped.
    escaped: u64,
    /// All ones if the first byte is inside a string.
    in_string: u64,
    /// The first bytes that must be hexadecimal digits.
    hex: u64,
    utf8: Utf8Carry,
    /// Of the last block: the bytes of numbers and literals.
    scalar: u64,
    /// Of the last block: the bytes of literals.
    literal: u64,
    /// The first bytes that belong to a literal which began in the block before.
    literal_begun: u64,
    number: NumberCarry,
    /// Nonzero if `escaped`, `hex` or `utf8` want something of the next block.
    unfinished: u64,
    /// How many blocks in a row up to here are nothing but a part of a number.
    number_blocks: usize,
    /// [`Limits::number_bytes`], and whether a number may be longer.
    number_bytes: usize,
    long: bool,
    /// Nonzero if anything was wrong.
    bad: u64,
}

/// Of the last block: the bytes of numbers by their role.
#[derive(Default)]
struct NumberCarry {
    digit: u64,
    /// A minus that begins a number.
    minus: u64,
    /// A zero that begins a number.
    zero: u64,
    point: u64,
    /// 1 if the last byte is a digit after a point.
    in_fraction: u64,
    power: PowerCarry,
}

/// The same for exponents.
#[derive(Default)]
struct PowerCarry {
    /// `e`
    exponent: u64,
    /// A sign after `e`.
    sign: u64,
    /// 1 if the last byte is a digit of an exponent.
    in_exponent: u64,
}

/// The same for characters beyond ASCII.
#[derive(Default)]
struct Utf8Carry {
    /// The first bytes that continue a character.
    due: u64,
    /// Of the last block: the first bytes of characters that allow not every second one.
    e0: u64,
    ed: u64,
    f0: u64,
    f4: u64,
}

/// Where the tokens go.
struct Out<'a> {
    kinds: &'a mut [u8],
    places: &'a mut [u32],
    count: usize,
    odd: &'a mut [u64],
    any_odd: bool,
}

impl<'a> Out<'a> {
    /// Room for the tokens of an input of `length` bytes, or nothing.
    fn new(kinds: &'a mut [u8], places: &'a mut [u32], odd: &'a mut [u64], length: usize) -> Option<Out<'a>> {
        let needed = length.checked_add(64)?;
        (kinds.len() >= needed && places.len() >= needed).then_some(Out {
            kinds,
            places,
            count: 0,
            odd,
            any_odd: false,
        })
    }

    /// Marks the block at `base`.
    #[inline(always)]
    fn mark(&mut self, base: usize) {
        self.any_odd = true;
        if let Some(word) = self.odd.get_mut(base / ODD) {
            *word |= 1 << (base / 64 % 64);
        }
    }

    /// Takes in those bytes of the block at `base` that `tokens` selects.
    ///
    /// # Safety
    ///
    /// There are no more tokens than the text that the room was made for has bytes.
    #[inline(always)]
    unsafe fn push<M: Machine>(&mut self, machine: M, bytes: &[u8; 64], vector: M::Vector, tokens: u64, base: usize) {
        // SAFETY: `count` is at most the text's length, and `new` has seen to 64 places more.
        let (kinds, places) = unsafe {
            let kinds = self.kinds.as_mut_ptr().add(self.count).cast::<[u8; 64]>();
            let places = self.places.as_mut_ptr().add(self.count).cast::<[u32; 64]>();
            (&mut *kinds, &mut *places)
        };
        machine.pack(bytes, vector, tokens, base as u32, kinds, places);
        self.count += tokens.count_ones() as usize;
    }
}

impl Tokens {
    /// Fills in the tokens; whether their insides are certainly right.
    #[inline(always)]
    pub(super) fn scan<M: Machine, const UTF8: bool>(&mut self, machine: M, text: &[u8], limits: &Limits) -> bool {
        let mut carry = Carry {
            escaped: 0,
            in_string: 0,
            hex: 0,
            utf8: Utf8Carry::default(),
            scalar: 0,
            literal: 0,
            literal_begun: 0,
            unfinished: 0,
            number: NumberCarry::default(),
            number_blocks: 0,
            number_bytes: limits.number_bytes,
            long: false,
            bad: 0,
        };
        let Some(mut out) = Out::new(&mut self.kinds, &mut self.places, &mut self.odd, text.len()) else {
            return false;
        };
        let mut buffer = [b' '; 64];
        let mut base = 0;
        while base < text.len() {
            // The last block has whitespace after its end. What is unfinished there (a string, a number, an escape)
            // fails the grammar, where the last token must be a bracket; a literal is compared as a whole.
            let rest = text.get(base..).unwrap_or(&[]);
            let (bytes, vector) = match rest.first_chunk::<64>() {
                Some(bytes) => (bytes, machine.load(bytes)),
                None => {
                    let vector = machine.load_part(rest, &mut buffer);
                    (&buffer, vector)
                }
            };
            // SAFETY: the blocks of the text come once each, and no block has more tokens than bytes of the text. (To check
            // it here costs 4 % of all.)
            unsafe { block::<M, UTF8>(machine, text, bytes, vector, base, &mut carry, &mut out) };
            base += 64;
        }
        self.count = out.count;
        self.any_odd = out.any_odd;
        // Lengths are compared one by one only if one may be too long: a long key means a large gap between two tokens.
        carry.long |=
            limits.number_bytes < 128 || (text.len() > limits.key_bytes && self.longest_way() > limits.key_bytes);
        carry.bad == 0 && (!carry.long || self.short(text, limits))
    }

    /// The most bytes between the beginnings of two tokens. (Vectorized, so thousands of tokens are cheap.)
    #[inline(always)]
    fn longest_way(&self) -> usize {
        let places = self.stream().places;
        let ways = places.iter().zip(places.iter().skip(1)).map(|(from, to)| to.wrapping_sub(*from));
        ways.fold(0, u32::max) as usize
    }

    /// Whether all keys and numbers keep their limits, counted in the bytes of the text up to the next token.
    #[cold]
    fn short(&self, text: &[u8], limits: &Limits) -> bool {
        let stream = self.stream();
        (0..stream.kinds.len()).all(|at| {
            let end = stream.places.get(at + 1).map_or(text.len(), |place| *place as usize);
            let length = end - stream.places.get(at).map_or(0, |place| *place as usize);
            match stream.kinds.get(at) {
                Some(b'"') if stream.kinds.get(at + 1) == Some(&b':') => length.saturating_sub(2) <= limits.key_bytes,
                Some(b'-' | b'0'..=b'9') => length <= limits.number_bytes,
                _ => true,
            }
        })
    }
}

/// Takes in the tokens of one block.
///
/// # Safety
///
/// As for [`Out::push`].
#[inline(always)]
#[allow(clippy::too_many_arguments, reason = "pieces of the state of one loop")]
unsafe fn block<M: Machine, const UTF8: bool>(
    machine: M,
    text: &[u8],
    bytes: &[u8; 64],
    vector: M::Vector,
    base: usize,
    carry: &mut Carry,
    out: &mut Out<'_>,
) {
    let mut quotes = machine.equal(vector, b'"');
    let space = machine.in_table(vector, &SPACES);
    let mut structure = machine.in_table(machine.or(vector, 0x20), &STRUCTURE);
    let plain = machine.plain::<UTF8>(vector) && carry.unfinished == 0;
    let mut bad = 0;
    let (mut control, mut escaped) = (0, 0);
    if !plain {
        control = machine.at_most(vector, 0x1f);
        structure &= !control;
        let backslash = machine.equal(vector, b'\\');
        if backslash | carry.escaped | carry.hex != 0 {
            out.mark(base);
            escaped = escapes(backslash, &mut carry.escaped);
            quotes &= !escaped;
        }
    }
    // From each opening quote up to the byte before the closing one.
    let in_string = machine.running_xor(quotes) ^ carry.in_string;
    carry.in_string = (in_string.cast_signed() >> 63).cast_unsigned();
    if !plain {
        bad |= control & in_string;
        if escaped | carry.hex != 0 {
            bad |= escape_letters(machine, vector, escaped & in_string, &mut carry.hex);
        }
        if !UTF8 {
            let high = machine.high(vector);
            if high | carry.utf8.due != 0 {
                bad |= characters(machine, vector, high, &mut carry.utf8);
            }
        }
        carry.unfinished = carry.escaped | carry.hex | carry.utf8.due;
    }
    let scalar = !(in_string | quotes | space | structure);
    let mut starts = 0;
    if scalar | (carry.scalar >> 63) != 0 {
        starts = scalar & !behind(scalar, carry.scalar);
        bad |= scalars(machine, text, vector, scalar, starts, base, carry);
        if scalar == !0 {
            // A number that covers so many whole blocks is shorter than two more of them.
            carry.number_blocks += 1;
            carry.long |= (carry.number_blocks + 2) * 64 > carry.number_bytes;
        } else {
            carry.number_blocks = 0;
        }
    }
    carry.scalar = scalar;
    carry.bad |= bad;

    let tokens = (structure & !in_string) | (quotes & in_string) | starts;
    // SAFETY: handed on.
    unsafe { out.push(machine, bytes, vector, tokens, base) };
}

/// The bytes after an odd number of backslashes. `carry`: whether the first byte of this and of the next block is one.
#[inline(always)]
pub(in crate::json) fn escapes(backslash: u64, carry: &mut u64) -> u64 {
    let first = *carry;
    // An escaped backslash at the very front is no backslash any more.
    let slashes = backslash & !first;
    let starts = slashes & !(slashes << 1);
    // Adding a run's first bit to the run leaves one bit after its end. A run that begins at an even place and ends
    // before an odd one has odd length, and the other way round.
    let (even, _) = slashes.overflowing_add(starts & EVEN);
    let (odd, beyond) = slashes.overflowing_add(starts & !EVEN);
    *carry = u64::from(beyond);
    (even & !slashes & !EVEN) | (odd & !slashes & EVEN) | (first & !backslash)
}

/// Nonzero if a letter after a backslash means nothing, or `u` has not four digits after it.
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

    let mut literal = carry.literal_begun;
    let mut words = starts & !(digit | minus);
    carry.literal_begun = 0;
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
        carry.literal_begun |= (bits >> 64) as u64;
    }
    // Nothing may follow a literal directly.
    bad |= behind(literal, carry.literal) & scalar & !literal;
    carry.literal = literal;

    let number = scalar & !literal;
    let last = &mut carry.number;
    if number == 0 {
        bad |= (last.minus | last.point | last.power.exponent | last.power.sign) >> 63;
        *last = NumberCarry::default();
        return bad;
    }
    let digit = digit & number;
    let minus = minus & number;
    let point = machine.equal(vector, b'.') & number;
    let zero = machine.equal(vector, b'0') & number;
    let first_minus = minus & starts;
    let behind_minus = behind(first_minus, last.minus);
    let behind_point = behind(point, last.point);
    let behind_digit = behind(digit, last.digit);
    let first_zero = zero & (starts | behind_minus);

    // A point comes after a digit. After a point and a minus comes a digit, after a leading zero none.
    bad |= point & !behind_digit;
    bad |= (behind_minus | behind_point) & !digit;
    bad |= behind(first_zero, last.zero) & digit;
    // Adding the first bit of a run of digits leaves one bit after its end: there is no point after a fraction.
    let (fraction, beyond) = digit.overflowing_add((digit & behind_point) | last.in_fraction);
    bad |= fraction & !digit & point;
    last.digit = digit;
    last.minus = first_minus;
    last.zero = first_zero;
    last.point = point;
    last.in_fraction = u64::from(beyond);

    // Exponents are rare.
    let other = number & !(digit | first_minus | point);
    if other | (last.power.exponent | last.power.sign) >> 63 | last.power.in_exponent != 0 {
        let exponent = machine.equal(machine.or(vector, 0x20), b'e') & number;
        let plus = machine.equal(vector, b'+') & number;
        bad |= powers(digit, behind_digit, point, exponent, other & !exponent, minus | plus, &mut last.power);
    }
    bad
}

/// Nonzero if an exponent is malformed. `others` are the bytes that must be signs after `e`.
#[inline(always)]
fn powers(
    digit: u64,
    behind_digit: u64,
    point: u64,
    exponent: u64,
    others: u64,
    signs: u64,
    last: &mut PowerCarry,
) -> u64 {
    let behind_exponent = behind(exponent, last.exponent);
    let sign = signs & behind_exponent;
    let behind_sign = behind(sign, last.sign);
    let mut bad = others & !sign;
    bad |= exponent & !behind_digit;
    bad |= behind_exponent & !(digit | sign);
    bad |= behind_sign & !digit;
    // As for fractions: after the digits of an exponent there is neither a point nor another one.
    let (power, beyond) = digit.overflowing_add((digit & (behind_exponent | behind_sign)) | last.in_exponent);
    bad |= power & !digit & (point | exponent);
    *last = PowerCarry { exponent, sign, in_exponent: u64::from(beyond) };
    bad
}

/// Nonzero if the bytes are not UTF-8.
#[inline(always)]
fn characters<M: Machine>(machine: M, vector: M::Vector, high: u64, carry: &mut Utf8Carry) -> u64 {
    let next = machine.at_most(machine.minus(vector, 0x80), 0x3f);
    let two = machine.at_most(machine.minus(vector, 0xc2), 0x1d);
    let three = machine.at_most(machine.minus(vector, 0xe0), 0x0f);
    let four = machine.at_most(machine.minus(vector, 0xf0), 0x04);
    let (from_two, from_three) = (two | three | four, three | four);
    let due = from_two << 1 | from_three << 2 | four << 3 | carry.due;
    carry.due = from_two >> 63 | from_three >> 62 | four >> 61;
    let mut bad = (due ^ next) | (high & !(next | from_two));

    // The shortest form, no surrogates, nothing beyond the last plane: all a matter of the second byte.
    let (e0, ed) = (machine.equal(vector, 0xe0), machine.equal(vector, 0xed));
    let (f0, f4) = (machine.equal(vector, 0xf0), machine.equal(vector, 0xf4));
    let (to_9f, to_8f) = (machine.at_most(vector, 0x9f), machine.at_most(vector, 0x8f));
    bad |= (behind(e0, carry.e0) & to_9f) | (behind(ed, carry.ed) & !to_9f);
    bad |= (behind(f0, carry.f0) & to_8f) | (behind(f4, carry.f4) & !to_8f);
    (carry.e0, carry.ed, carry.f0, carry.f4) = (e0, ed, f0, f4);
    bad
}
