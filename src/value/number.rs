//! Numbers: from the spelling in a text to a key that compares as the service compares.
//!
//! A number is *comparable* if its decimal value is the one that the shortest round-trip printing of the nearest
//! binary64 gives; then the binary64 is its key. Any other number equals only its own spelling.

use std::fmt::Write as _;

use crate::base::Span;

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
    /// An explicit exponent outside of 32 bits.
    HugeExponent,
    /// Not a JSON number at all.
    Malformed,
}

impl Spelling {
    /// Reads a JSON number token. Linear in its length.
    pub(crate) fn of(token: &[u8]) -> Spelling {
        let Some(decimal) = Decimal::read(token) else { return Spelling::Malformed };
        let Some(exponent) = decimal.exponent else { return Spelling::HugeExponent };
        if decimal.count == 0 {
            return Spelling::Comparable(NumberKey::from_f64(0.0));
        }
        if decimal.count > 17 {
            return Spelling::Inexact;
        }
        let negative = token.first() == Some(&b'-');
        if let Some(value) = decimal.quickly(exponent) {
            return value.map_or(Spelling::Inexact, |value| {
                Spelling::Comparable(NumberKey::from_f64(if negative { -value } else { value }))
            });
        }
        Spelling::at_length(token, &decimal, exponent)
    }

    /// By reading back and printing: takes any number, and its time.
    fn at_length(token: &[u8], decimal: &Decimal, exponent: i64) -> Spelling {
        let Some(value) = std::str::from_utf8(token).ok().and_then(|text| text.parse::<f64>().ok()) else {
            return Spelling::Malformed;
        };
        if value.is_infinite() || value == 0.0 {
            return Spelling::Inexact;
        }
        // Decimals of up to 15 digits are further apart than binary64s (in the normal range), so that the shortest
        // printing of the nearest one is the decimal itself.
        let leading = exponent + i64::from(decimal.count);
        if decimal.count <= 15 && (-300..300).contains(&leading) {
            return Spelling::Comparable(NumberKey::from_f64(value));
        }
        if shortest(value) == Some((decimal.digits, exponent)) {
            Spelling::Comparable(NumberKey::from_f64(value))
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

/// `digits × 10^exponent`, digits without trailing zeros.
struct Decimal {
    /// The significant digits as an integer; meaningless above 19 digits.
    digits: u64,
    /// How many significant digits there are.
    count: u32,
    /// None if the explicit exponent does not fit in 32 bits.
    exponent: Option<i64>,
}

impl Decimal {
    /// Reads a token; most are short and have no exponent.
    #[inline]
    fn read(token: &[u8]) -> Option<Decimal> {
        let unsigned = token.strip_prefix(b"-").unwrap_or(token);
        if unsigned.len() > 20 {
            return Decimal::read_long(unsigned);
        }
        let (mut digits, mut point) = (0_u64, None);
        for (at, byte) in unsigned.iter().enumerate() {
            let digit = byte.wrapping_sub(b'0');
            if digit < 10 {
                digits = digits.wrapping_mul(10).wrapping_add(u64::from(digit));
            } else if *byte == b'.' && point.is_none() {
                point = Some(at);
            } else {
                return Decimal::read_long(unsigned);
            }
        }
        let read = unsigned.len() - usize::from(point.is_some());
        if read == 0 || read == 20 {
            return Decimal::read_long(unsigned);
        }
        if digits == 0 {
            return Some(Decimal { digits, count: 0, exponent: Some(0) });
        }
        let mut exponent = point.map_or(0, |at| at as i64 + 1 - unsigned.len() as i64);
        while digits % 10 == 0 {
            digits /= 10;
            exponent += 1;
        }
        Some(Decimal { digits, count: digits.ilog10() + 1, exponent: Some(exponent) })
    }

    /// The binary64 of these digits times `10^exponent`, if it is comparable, or that it is not; nothing where it takes
    /// larger numbers to tell. At most 17 digits, not zero.
    #[inline]
    fn quickly(&self, exponent: i64) -> Option<Option<f64>> {
        if self.count <= 15 {
            // Both numbers are exact, so that the one rounding is the right one.
            let power = *POWERS.get(usize::try_from(exponent.abs()).ok()?)?;
            let digits = self.digits as f64;
            return Some(Some(if exponent < 0 { digits / power } else { digits * power }));
        }
        // The decimal is digits / ten; the nearest binary64 is to be found as mantissa / two, both with whole numbers.
        let places = usize::try_from(-exponent).ok().filter(|places| (1..=19).contains(places))?;
        let power = *POWERS.get(places)?;
        let near = self.digits as f64 / power;
        let bits = near.to_bits();
        let shift = 1075_u32.checked_sub((bits >> 52) as u32).filter(|shift| (1..=70).contains(shift))?;
        let mut mantissa = bits & ((1 << 52) - 1) | 1 << 52;
        // Less than 2^53 * 10^19 and 10^17 * 2^70: both below 2^127.
        let (ten, two) = (i128::from(power as u64), 1_i128 << shift);
        // How far the decimal lies above the binary64, in units of 1 / (ten * two). Half a step of the binary64 is
        // ten / 2, half a step of decimals of this length is two / 2.
        let mut above = (i128::from(self.digits) << shift) - i128::from(mantissa) * ten;
        // Two roundings: off by one at most.
        if 2 * above > ten {
            above -= ten;
            mantissa += 1;
        } else if 2 * above < -ten {
            above += ten;
            mantissa -= 1;
        }
        // On a power of two, steps below are smaller; and who lies just in the middle is left to the long way.
        if mantissa <= 1 << 52 || mantissa >= 1 << 53 || 2 * above.abs() >= ten {
            return None;
        }
        // It is printed if it is the nearest of its length and none that is shorter reads back to the same binary64.
        let last = i128::from(self.digits % 10);
        let (down, up) = (above - last * two, above + (10 - last) * two);
        let middle = 2 * above.abs() == two || 2 * down.abs() == ten || 2 * up.abs() == ten;
        if middle {
            return None;
        }
        let comparable = 2 * above.abs() < two && 2 * down.abs() > ten && 2 * up.abs() > ten;
        Some(comparable.then(|| f64::from_bits(bits & !((1 << 52) - 1) | mantissa & ((1 << 52) - 1))))
    }

    /// Any token without its sign.
    fn read_long(unsigned: &[u8]) -> Option<Decimal> {
        let mantissa_end = unsigned.iter().position(|byte| matches!(byte, b'e' | b'E'));
        let (mantissa, explicit) = match mantissa_end {
            Some(at) => (unsigned.get(..at)?, Some(unsigned.get(at + 1..)?)),
            None => (unsigned, None),
        };
        let (mut digits, mut count, mut zeros, mut fraction, mut any) = (0_u64, 0_u32, 0_u32, None, false);
        for byte in mantissa {
            match byte {
                b'.' if fraction.is_none() => fraction = Some(0_i64),
                b'0'..=b'9' => {
                    any = true;
                    if let Some(places) = &mut fraction {
                        *places += 1;
                    }
                    if *byte == b'0' {
                        zeros += 1;
                        continue;
                    }
                    if count == 0 {
                        zeros = 0;
                    }
                    for _ in 0..zeros {
                        digits = digits.wrapping_mul(10);
                    }
                    count = count.saturating_add(zeros).saturating_add(1);
                    digits = digits.wrapping_mul(10).wrapping_add(u64::from(byte - b'0'));
                    zeros = 0;
                }
                _ => return None,
            }
        }
        if !any {
            return None;
        }
        let exponent = match explicit {
            None => Some(0),
            Some(text) => {
                let text = std::str::from_utf8(text).ok()?;
                let plain = text.strip_prefix(['+', '-']).unwrap_or(text);
                if plain.is_empty() || !plain.bytes().all(|byte| byte.is_ascii_digit()) {
                    return None;
                }
                text.parse::<i32>().ok().map(i64::from)
            }
        };
        let exponent = exponent.map(|explicit| explicit - fraction.unwrap_or(0) + i64::from(zeros));
        Some(Decimal { digits, count, exponent })
    }
}

/// The powers of ten that a binary64 has exactly.
const POWERS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20,
    1e21, 1e22,
];

/// The decimal that the service's JVM prints for a finite, non-zero value: the shortest that reads back, except that
/// next to the smallest value it uses two digits at least (`4.9E-324`, not `5e-324`).
fn shortest(value: f64) -> Option<(u64, i64)> {
    let magnitude = value.abs();
    let mut text = Small::default();
    write!(text, "{magnitude:e}").ok()?;
    if magnitude < 1e-321 && text.as_bytes().iter().position(|byte| *byte == b'e') == Some(1) {
        text = Small::default();
        write!(text, "{magnitude:.1e}").ok()?;
    }
    let decimal = Decimal::read(text.as_bytes())?;
    Some((decimal.digits, decimal.exponent?))
}

/// Room for one printed number, so that printing allocates nothing.
#[derive(Default)]
struct Small {
    bytes: [u8; 32],
    used: usize,
}

impl Small {
    fn as_bytes(&self) -> &[u8] {
        self.bytes.get(..self.used).unwrap_or(&[])
    }
}

impl std::fmt::Write for Small {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        let end = self.used + text.len();
        self.bytes.get_mut(self.used..end).ok_or(std::fmt::Error)?.copy_from_slice(text.as_bytes());
        self.used = end;
        Ok(())
    }
}

/// A number as a pattern spells it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct PatternNumber {
    pub(crate) spelling: Box<str>,
    /// None: equals only a token of the same spelling.
    pub(crate) key: Option<NumberKey>,
}

impl PatternNumber {
    pub(crate) fn new(spelling: &str) -> PatternNumber {
        PatternNumber { spelling: spelling.into(), key: Spelling::of(spelling.as_bytes()).key() }
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
    use super::{Decimal, NumberKey, Spelling};

    fn same(left: &str, right: &str) -> bool {
        let key = Spelling::of(left.as_bytes()).key();
        key.is_some() && key == Spelling::of(right.as_bytes()).key()
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

    /// The quick way against reading back and printing.
    #[test]
    fn quick_and_long_way_agree() {
        let mut state = 0x9e37_79b9_7f4a_7c15_u64;
        let mut next = move || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state
        };
        let mut decided = [0_u32; 3];
        let mut check = |token: &str| {
            let decimal = Decimal::read(token.as_bytes()).unwrap();
            let exponent = decimal.exponent.unwrap();
            if decimal.count == 0 || decimal.count > 17 {
                return;
            }
            let quickly = match decimal.quickly(exponent) {
                Some(Some(value)) => Spelling::Comparable(NumberKey::from_f64(value)),
                Some(None) => Spelling::Inexact,
                None => return decided[2] += 1,
            };
            assert_eq!(quickly, Spelling::at_length(token.as_bytes(), &decimal, exponent), "{token}");
            decided[usize::from(quickly == Spelling::Inexact)] += 1;
        };
        for _ in 0..20_000 {
            let digits = next() % 10_u64.pow(1 + (next() % 17) as u32);
            check(&format!("{digits}e{}", (next() % 50) as i64 - 25));
            // What a program prints, and its neighbours.
            let value = f64::from_bits(next() >> 12 | (1000 + next() % 80) << 52);
            let (digits, exponent) = super::shortest(value).unwrap();
            for digits in [digits, digits + 1, digits - 1] {
                check(&format!("{digits}e{exponent}"));
            }
            let cut = 10_u64.pow((next() % 4) as u32);
            check(&format!("{}e{}", digits / cut, exponent + i64::from(cut.ilog10())));
        }
        // Powers of two, where steps change, and halves of steps.
        for power in -20..60 {
            let value = 2_f64.powi(power);
            for value in [value, value.next_up(), value.next_down(), value * 1.5] {
                check(&format!("{value}"));
                check(&format!("{value:.16}"));
            }
        }
        assert!(decided[0] > 20_000 && decided[1] > 2_000, "{decided:?}");
    }

    #[test]
    fn tokens_of_any_length_are_read_alike() {
        for token in
            ["0", "7", "10.50", "0.000", "000.5", "12345678901234567890", "1234567890123456789.5", "1.", ".5", "0.1e3"]
        {
            let (short, long) = (Decimal::read(token.as_bytes()), Decimal::read_long(token.as_bytes()));
            let parts = |decimal: Option<Decimal>| {
                decimal
                    .filter(|decimal| decimal.count <= 19)
                    .map(|decimal| (decimal.digits, decimal.count, decimal.exponent.filter(|_| decimal.count > 0)))
            };
            assert_eq!(parts(short), parts(long), "{token}");
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
