//! Numbers: from the spelling in a string to a key that compares as the service compares.
//!
//! A number is *comparable* if its decimal value is the one that the shortest round-trip printing of the nearest
//! binary64 gives; then the binary64 is its key. Any other number equals only its own spelling.

use super::decimal::{Decimal, LONGER, Quick, nearest, quickly, shortest, without_zeros};
use crate::base::{Piece, Span};

/// A comparable number. The order of keys is the order of numbers; `-0` and `0` have one key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct NumberKey(u64);

const SIGN: u64 = 1 << 63;

impl NumberKey {
    /// The key of a finite binary64.
    pub(crate) fn from_f64(value: f64) -> NumberKey {
        let bits = if value == 0.0 { 0 } else { value.to_bits() };
        NumberKey(if bits & SIGN == 0 { bits | SIGN } else { !bits })
    }

    /// The binary64 of a key that came from one.
    pub(crate) fn to_f64(self) -> f64 {
        f64::from_bits(if self.0 & SIGN == 0 { !self.0 } else { self.0 & !SIGN })
    }

    /// The shortest decimal of the number: whether it is negative, its digits and its exponent. Not of zero.
    pub(crate) fn decimal(self) -> (bool, u64, i64) {
        let value = self.to_f64();
        // Next to zero, another decimal than the engine prints would not be comparable.
        let (digits, exponent) = if value == 0.0 { (0, 0) } else { shortest(value.abs()) };
        (value < 0.0, digits, exponent)
    }

    /// The key as an integer that orders alike.
    pub(crate) fn bits(self) -> u64 {
        self.0
    }

    /// The inverse of [`NumberKey::bits`].
    pub(crate) fn from_bits(bits: u64) -> NumberKey {
        NumberKey(bits)
    }

    fn above(self) -> NumberKey {
        NumberKey(self.0.saturating_add(1))
    }

    fn below(self) -> NumberKey {
        NumberKey(self.0.saturating_sub(1))
    }
}

/// What a number's spelling amounts to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Spelling {
    Comparable(NumberKey),
    /// More digits or a larger exponent than a binary64 keeps.
    Inexact,
    /// An explicit exponent outside 32 bits.
    HugeExponent,
    /// Not a JSON number at all.
    Malformed,
}

impl Spelling {
    /// Reads a JSON number token. Linear in its length.
    pub(crate) fn of(token: &[u8]) -> Spelling {
        let Some(decimal) = Decimal::read(token) else { return Spelling::Malformed };
        let Some(exponent) = decimal.exponent else { return Spelling::HugeExponent };
        if decimal.digits == 0 {
            return Spelling::Comparable(NumberKey::from_f64(0.0));
        }
        if decimal.digits >= LONGER {
            return Spelling::Inexact;
        }
        match quickly(decimal.digits, exponent) {
            Quick::Comparable(value) => {
                let value = if token.first() == Some(&b'-') { -value } else { value };
                Spelling::Comparable(NumberKey::from_f64(value))
            }
            Quick::Inexact => Spelling::Inexact,
            Quick::Unknown => Spelling::at_length(token, decimal.digits, exponent),
        }
    }

    /// By reading back and printing: takes any number of up to 17 digits, and its time.
    #[cold]
    pub(super) fn at_length(token: &[u8], digits: u64, exponent: i64) -> Spelling {
        let Some(value) = nearest(token, digits, exponent) else { return Spelling::Malformed };
        if value.is_infinite() || value == 0.0 {
            return Spelling::Inexact;
        }
        // Decimals of up to 15 digits are further apart than binary64s (in the normal range), so the shortest
        // printing of the nearest one is the decimal itself.
        let length = digits.ilog10() + 1;
        let few = length <= 15 && (-300..300).contains(&(exponent + i64::from(length)));
        if few || shortest(value) == without_zeros(digits, exponent) {
            Spelling::Comparable(NumberKey::from_f64(if token.first() == Some(&b'-') { -value } else { value }))
        } else {
            Spelling::Inexact
        }
    }

    pub(crate) fn key(self) -> Option<NumberKey> {
        match self {
            Spelling::Comparable(key) => Some(key),
            Spelling::Inexact | Spelling::HugeExponent | Spelling::Malformed => None,
        }
    }
}

/// Whether a number that is not comparable is too large or too close to zero, rather than too long.
pub(crate) fn is_out_of_range(token: &[u8]) -> bool {
    roughly(token).is_none_or(|value| value.is_infinite() || value.abs() < f64::MIN_POSITIVE)
}

/// About which number a token is, however many digits it has: to some fifteen digits.
pub(crate) fn roughly(token: &[u8]) -> Option<f64> {
    let (mantissa, explicit) = match token.iter().position(|byte| matches!(byte, b'e' | b'E')) {
        Some(at) => (token.get(..at)?, std::str::from_utf8(token.get(at + 1..)?).ok()?.parse::<i32>().ok()?),
        None => (token, 0),
    };
    let (mut value, mut exponent, mut fraction) = (0.0, explicit, false);
    for byte in mantissa {
        match byte {
            b'0'..=b'9' => {
                // Later digits change nothing that is needed.
                let counts = value < 1e20;
                if counts {
                    value = value * 10.0 + f64::from(byte - b'0');
                }
                exponent = exponent.saturating_add(i32::from(!counts) - i32::from(fraction));
            }
            b'.' => fraction = true,
            _ => {}
        }
    }
    let sign = if token.first() == Some(&b'-') { -1.0 } else { 1.0 };
    Some(sign * value * 10_f64.powi(exponent))
}

/// A number as a pattern spells it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct PatternNumber {
    pub(crate) spelling: Piece,
    /// None: equals only a token of the same spelling.
    pub(crate) key: Option<NumberKey>,
}

impl PatternNumber {
    pub(crate) fn new(spelling: impl Into<Piece>) -> PatternNumber {
        let spelling = spelling.into();
        let key = Spelling::of(spelling.as_bytes()).key();
        PatternNumber { spelling, key }
    }

    /// Whether an event's number token equals this one.
    pub(crate) fn equals(&self, token: &[u8]) -> bool {
        match self.key {
            Some(key) => Spelling::of(token).key() == Some(key),
            None => self.spelling.as_bytes() == token,
        }
    }
}

/// One end of a range.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Bound {
    pub(crate) number: PatternNumber,
    pub(crate) key: NumberKey,
    pub(crate) inclusive: bool,
    pub(crate) span: Span,
}

/// The numbers that a `numeric` test accepts.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct NumericRange {
    /// Written `=`: then both ends are this number, inclusive.
    pub(crate) equals: bool,
    pub(crate) low: Option<Bound>,
    pub(crate) high: Option<Bound>,
}

impl NumericRange {
    /// First and last key of the range; none if nothing lies in it.
    pub(crate) fn interval(&self) -> Option<(NumberKey, NumberKey)> {
        let low = match &self.low {
            Some(bound) if bound.inclusive => bound.key,
            Some(bound) => bound.key.above(),
            None => NumberKey::from_f64(f64::MIN),
        };
        let high = match &self.high {
            Some(bound) if bound.inclusive => bound.key,
            Some(bound) => bound.key.below(),
            None => NumberKey::from_f64(f64::MAX),
        };
        (low <= high).then_some((low, high))
    }

    pub(crate) fn contains(&self, key: NumberKey) -> bool {
        self.interval().is_some_and(|(low, high)| low <= key && key <= high)
    }
}

#[cfg(test)]
mod tests {
    use super::{NumberKey, Spelling};

    fn same(left: &str, right: &str) -> bool {
        let key = Spelling::of(left.as_bytes()).key();
        key.is_some() && key == Spelling::of(right.as_bytes()).key()
    }

    #[test]
    fn zeros_at_the_end_do_not_count_at_the_edges_either() {
        for (left, right) in
            [("10e-310", "1e-309"), ("1000e305", "1e308"), ("-20.0e-320", "-2e-319"), ("49e-325", "4.9e-324")]
        {
            let key = Spelling::of(left.as_bytes()).key();
            assert!(key.is_some() && key == Spelling::of(right.as_bytes()).key(), "{left} {right}");
        }
        assert_eq!(Spelling::of(b"5e-324").key(), None);
    }

    #[test]
    fn spellings_of_one_value_share_a_key() {
        for (left, right) in [
            ("35", "3.50e1"),
            ("0", "-0.0"),
            ("0", "0e999999999"),
            ("300", "300.0"),
            ("0.1", "0.10"),
            ("9007199254740992", "9.007199254740992e15"),
            ("4.9e-324", "49e-325"),
            ("2e23", "200000000000000000000000"),
            ("1.5e-323", "15e-324"),
            ("1.7976931348623157e308", "17976931348623157e292"),
        ] {
            assert!(same(left, right), "{left} {right}");
        }
    }

    #[test]
    fn what_a_double_does_not_keep_is_not_comparable() {
        for token in ["9007199254740993", "1e400", "5e-324", "0.1000000000000000055", "1e-400", "1.0000000000000001"] {
            assert_eq!(Spelling::of(token.as_bytes()), Spelling::Inexact, "{token}");
        }
        assert_eq!(Spelling::of(b"1e99999999999"), Spelling::HugeExponent);
        for token in ["", "-", "x", "1e", "1e+", "."] {
            assert_eq!(Spelling::of(token.as_bytes()), Spelling::Malformed, "{token}");
        }
    }

    #[test]
    fn keys_order_as_numbers_do() {
        let sorted = [f64::MIN, -1.5, -f64::MIN_POSITIVE, 0.0, 5e-324, 1.0, 1.5, f64::MAX];
        for pair in sorted.windows(2) {
            assert!(NumberKey::from_f64(pair[0]) < NumberKey::from_f64(pair[1]));
            assert_eq!(NumberKey::from_f64(pair[0]).to_f64(), pair[0]);
        }
    }
}
