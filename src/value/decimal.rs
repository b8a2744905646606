//! Decimals as tokens spell them, and which binary64 they are: with whole numbers where these are small enough, else by
//! reading back and printing.

/// The smallest number of 18 digits: no binary64 needs so many.
pub(super) const LONGER: u64 = 10_u64.pow(17);

/// `digits × 10^exponent`, digits without trailing zeros if there are more than 15.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Decimal {
    /// The significant digits as an integer; some number of at least [`LONGER`] if there are more than 17.
    pub(super) digits: u64,
    /// None if the explicit exponent, or what it leaves for the places after the point, does not fit in 32 bits.
    pub(super) exponent: Option<i64>,
}

impl Decimal {
    /// Reads a token; most are short and have no exponent.
    #[inline]
    pub(super) fn read(token: &[u8]) -> Option<Decimal> {
        let unsigned = token.strip_prefix(b"-").unwrap_or(token);
        if unsigned.len() > 20 {
            return Decimal::read_long(unsigned);
        }
        let (mut digits, rest) = leading_digits(unsigned, 0);
        let (mut places, mut length) = (0, unsigned.len());
        if let Some((point, fraction)) = rest.split_first() {
            let (all, rest) = leading_digits(fraction, digits);
            if *point != b'.' || !rest.is_empty() {
                return Decimal::read_long(unsigned);
            }
            (digits, places, length) = (all, fraction.len() as i64, length - 1);
        }
        // 20 digits may be too many for 64 bits.
        if length == 20 || length == 0 {
            return Decimal::read_long(unsigned);
        }
        Some(Decimal::new(digits, -places))
    }

    #[inline]
    fn new(mut digits: u64, mut exponent: i64) -> Decimal {
        if digits >= 10_u64.pow(15) {
            while digits.is_multiple_of(10) {
                digits /= 10;
                exponent += 1;
            }
        }
        Decimal { digits, exponent: Some(exponent) }
    }

    /// Any token without its sign.
    #[cold]
    fn read_long(unsigned: &[u8]) -> Option<Decimal> {
        let mantissa_end = unsigned.iter().position(|byte| matches!(byte, b'e' | b'E'));
        let (mantissa, explicit) = match mantissa_end {
            Some(at) => (unsigned.get(..at)?, Some(unsigned.get(at + 1..)?)),
            None => (unsigned, None),
        };
        // Zeros count only once another digit follows.
        let (mut digits, mut zeros, mut fraction, mut any) = (0_u64, 0_u32, None, false);
        for byte in mantissa {
            match byte {
                b'.' if fraction.is_none() => fraction = Some(0_i64),
                b'0'..=b'9' => {
                    any = true;
                    if let Some(places) = &mut fraction {
                        *places += 1;
                    }
                    if *byte == b'0' {
                        zeros = zeros.saturating_add(1);
                        continue;
                    }
                    if digits == 0 {
                        zeros = 0;
                    }
                    for _ in 0..zeros.min(20) {
                        digits = digits.saturating_mul(10);
                    }
                    digits = digits.saturating_mul(10).saturating_add(u64::from(byte - b'0'));
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
        let places = exponent.map(|explicit| explicit - fraction.unwrap_or(0));
        let places = places.filter(|places| explicit.is_none() || i32::try_from(-places).is_ok());
        let exponent = places.map(|places| places + i64::from(zeros));
        Some(Decimal { digits, exponent })
    }
}

/// The number that `digits` become with the digits that `text` begins with appended, and the rest of the text. It wraps
/// around if it gets too large.
#[inline(always)]
fn leading_digits(text: &[u8], mut digits: u64) -> (u64, &[u8]) {
    let mut rest = text;
    while let Some((eight, behind)) = rest.split_first_chunk() {
        let word = u64::from_le_bytes(*eight);
        let others = no_digits(word);
        if others == 0 {
            digits = digits.wrapping_mul(100_000_000).wrapping_add(eight_digits(word));
            rest = behind;
            continue;
        }
        // The digits before the first other byte move to the end, after zeros.
        let count = others.trailing_zeros() / 8;
        if let (Some(power @ 2..), Some(behind)) = (TENS.get(count as usize), rest.get(count as usize..)) {
            let word = word << (64 - 8 * count) | ZEROS >> (8 * count);
            return (digits.wrapping_mul(*power).wrapping_add(eight_digits(word)), behind);
        }
        return (digits, rest);
    }
    // The last few together with those before them, which become zeros.
    if let (Some(eight), Some(power)) = (text.last_chunk(), TENS.get(rest.len())) {
        let before = u64::MAX >> (8 * rest.len());
        let word = u64::from_le_bytes(*eight) & !before | ZEROS & before;
        if no_digits(word) == 0 {
            return (digits.wrapping_mul(*power).wrapping_add(eight_digits(word)), &[]);
        }
    }
    while let Some((byte, behind)) = rest.split_first() {
        let digit = byte.wrapping_sub(b'0');
        if digit > 9 {
            break;
        }
        digits = digits.wrapping_mul(10).wrapping_add(u64::from(digit));
        rest = behind;
    }
    (digits, rest)
}

/// The powers of ten by which less than eight digits move others.
const TENS: [u64; 8] = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000];
/// Eight times the digit zero, and eight times one.
const ZEROS: u64 = 0x3030_3030_3030_3030;
const EACH: u64 = 0x0101_0101_0101_0101;

/// Eight bytes of text, the first one lowest: the high bit of each that is no digit, as far as the first of these.
#[inline]
fn no_digits(text: u64) -> u64 {
    let values = text ^ ZEROS;
    // Adding 0x76 to a byte sets its high bit from 10 on; a byte that has it already is none. Only from there on carries
    // reach the next byte.
    (values | values.wrapping_add(EACH * 0x76)) & (EACH * 0x80)
}

/// The number that eight digits are.
#[inline]
fn eight_digits(text: u64) -> u64 {
    let values = text ^ ZEROS;
    // Neighbors together, three times: tens, hundreds and ones of ten thousands.
    let pairs = (values * 10 + (values >> 8)) & 0x00ff_00ff_00ff_00ff;
    let fours = (pairs * 100 + (pairs >> 16)) & 0x0000_ffff_0000_ffff;
    (fours * 10_000 + (fours >> 32)) & 0xffff_ffff
}

/// What 64-bit numbers can say about a decimal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Quick {
    Comparable(f64),
    Inexact,
    Unknown,
}

/// Decides whether `digits × 10^exponent`, not zero and of up to 17 digits, is comparable.
#[inline]
pub(super) fn quickly(digits: u64, exponent: i64) -> Quick {
    if digits < 10_u64.pow(15) {
        // Both numbers are exact, so the one rounding is the right one.
        let Some(power) = POWERS.get(exponent.unsigned_abs() as usize) else { return Quick::Unknown };
        let digits = digits as f64;
        return Quick::Comparable(if exponent < 0 { digits / power } else { digits * power });
    }
    // The decimal is digits / ten; the nearest binary64 is to be found as mantissa / two, both with whole numbers.
    if !(-17..0).contains(&exponent) {
        return Quick::Unknown;
    }
    let Some(power) = POWERS.get(exponent.unsigned_abs() as usize) else { return Quick::Unknown };
    let near = digits as f64 / power;
    let (bits, ten) = (near.to_bits(), *power as i64);
    // From 10^15 / 10^17 on, hence less than 64; up to 10^17 / 10: then there may be no fraction.
    let Some(shift) = 1075_u32.checked_sub((bits >> 52) as u32).filter(|shift| (1..64).contains(shift)) else {
        return Quick::Unknown;
    };
    let mut mantissa = bits & FRACTION | 1 << 52;
    // How far the decimal lies above the binary64, in units of 1 / (ten * two). Half a step of the binary64 is ten / 2,
    // half a step of decimals of this length is two / 2. After two roundings it is not much more than two steps, below
    // 2^58, so the low 64 bits of the products give it in full.
    let mut above = (digits << shift).wrapping_sub(mantissa.wrapping_mul(ten as u64)) as i64;
    // One step up or down, or none: which, nobody can predict, so it is computed.
    let step = i64::from(2 * above > ten) - i64::from(2 * above < -ten);
    above -= step * ten;
    mantissa = mantissa.wrapping_add_signed(step);
    // It is printed if it is the nearest of its length and none that is shorter reads back to the same binary64: the
    // next ones below and above that end in a zero lie outside. As `ten` is below 2^57, it is all the same whether
    // steps of decimals are 2^58 or more.
    let (two, last) = (1_i64 << shift.min(58), (digits % 10) as i64);
    let half = 2 * above.abs();
    let shorter = (2 * (above - last * two).abs()).min(2 * (above + (10 - last) * two).abs());
    // On a power of two, steps below are smaller; and whatever lies in a middle is left to the long way.
    if mantissa <= 1 << 52 || mantissa >= 1 << 53 || half >= ten || half == two || shorter == ten {
        return Quick::Unknown;
    }
    if half < two && shorter > ten {
        Quick::Comparable(f64::from_bits(bits & !FRACTION | mantissa & FRACTION))
    } else {
        Quick::Inexact
    }
}

/// The bits of a binary64 below its exponent.
const FRACTION: u64 = (1 << 52) - 1;

/// The powers of ten that a binary64 has exactly.
const POWERS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20,
    1e21, 1e22,
];

/// The same decimal without zeros at the end of its digits.
pub(super) fn without_zeros(mut digits: u64, mut exponent: i64) -> (u64, i64) {
    while digits != 0 && digits.is_multiple_of(10) {
        digits /= 10;
        exponent += 1;
    }
    (digits, exponent)
}

/// The decimal that the service's JVM prints for a finite, positive value: the shortest that reads back, except that
/// next to the smallest value it uses two digits at least (`4.9E-324`, not `5e-324`).
pub(super) fn shortest(value: f64) -> (u64, i64) {
    let (digits, exponent) = shortest_decimal(value);
    if digits >= 10 || value >= 1e-321 {
        return (digits, exponent);
    }
    // So many steps of 4.940656458412465e-324.
    let (mut two, mut exponent) = (value.to_bits() as f64 * 4.940656458412465, -324);
    while two < 10.0 {
        (two, exponent) = (two * 10.0, exponent - 1);
    }
    while two >= 99.5 {
        (two, exponent) = (two / 10.0, exponent + 1);
    }
    let two = (two + 0.5) as u64;
    without_zeros(two, exponent)
}

/// The binary64 next to a number: a token, and what it amounts to without its sign.
#[cfg(not(target_family = "wasm"))]
pub(super) fn nearest(token: &[u8], _digits: u64, _exponent: i64) -> Option<f64> {
    std::str::from_utf8(token).ok()?.parse().ok().map(f64::abs)
}

#[cfg(target_family = "wasm")]
pub(super) fn nearest(_token: &[u8], digits: u64, exponent: i64) -> Option<f64> {
    Some(super::wide::nearest(digits, exponent))
}

/// The digits and the exponent of the shortest decimal that reads back to a finite, positive value.
#[cfg(not(target_family = "wasm"))]
fn shortest_decimal(value: f64) -> (u64, i64) {
    use std::fmt::Write;

    let mut text = Small::default();
    // INVARIANT: what is printed has room, and can be read.
    _ = write!(text, "{value:e}");
    let decimal = Decimal::read_long(text.as_bytes());
    decimal.map_or((0, 0), |decimal| without_zeros(decimal.digits, decimal.exponent.unwrap_or(0)))
}

#[cfg(target_family = "wasm")]
fn shortest_decimal(value: f64) -> (u64, i64) {
    super::wide::shortest(value)
}

/// Room for one printed number, so printing allocates nothing.
#[cfg(not(target_family = "wasm"))]
#[derive(Default)]
struct Small {
    bytes: [u8; 32],
    used: usize,
}

#[cfg(not(target_family = "wasm"))]
impl Small {
    fn as_bytes(&self) -> &[u8] {
        self.bytes.get(..self.used).unwrap_or(&[])
    }
}

#[cfg(not(target_family = "wasm"))]
impl std::fmt::Write for Small {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        let end = self.used + text.len();
        self.bytes.get_mut(self.used..end).ok_or(std::fmt::Error)?.copy_from_slice(text.as_bytes());
        self.used = end;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::number::{NumberKey, Spelling};
    use super::{Decimal, LONGER, Quick, eight_digits, leading_digits, no_digits, quickly, shortest};

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
            let (digits, exponent) = (decimal.digits, decimal.exponent.unwrap());
            if digits == 0 || digits >= LONGER {
                return;
            }
            let quickly = match quickly(digits, exponent) {
                Quick::Comparable(value) => Spelling::Comparable(NumberKey::from_f64(value)),
                Quick::Inexact => Spelling::Inexact,
                Quick::Unknown => return decided[2] += 1,
            };
            assert_eq!(quickly, Spelling::at_length(token.as_bytes(), digits, exponent), "{token}");
            decided[usize::from(quickly == Spelling::Inexact)] += 1;
        };
        for _ in 0..20_000 {
            let digits = next() % 10_u64.pow(1 + (next() % 17) as u32);
            check(&format!("{digits}e{}", (next() % 50) as i64 - 25));
            // What a program prints, and its neighbors.
            let value = f64::from_bits(next() >> 12 | (1000 + next() % 80) << 52);
            let (digits, exponent) = shortest(value);
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
        let long = "12345678901234567890";
        let mut tokens =
            vec!["".to_string(), ".".into(), "1.".into(), ".5".into(), "1..2".into(), "1x".into(), "1e3".into()];
        for end in 0..=long.len() {
            for point in 0..=end {
                for zeros in 0..3 {
                    let zeros = &"00"[..zeros];
                    tokens.push(format!("{zeros}{}.{}{zeros}", &long[..point], &long[point..end]));
                    tokens.push(format!("{}{}", &long[..end], "0".repeat(point)));
                }
            }
        }
        for token in tokens {
            let value = |decimal: Option<Decimal>| {
                let Decimal { mut digits, exponent } = decimal?;
                let mut exponent = exponent?;
                if digits == 0 || digits >= LONGER {
                    return Some((digits.min(LONGER), 0));
                }
                while digits % 10 == 0 {
                    (digits, exponent) = (digits / 10, exponent + 1);
                }
                Some((digits, exponent))
            };
            assert_eq!(value(Decimal::read(token.as_bytes())), value(Decimal::read_long(token.as_bytes())), "{token}");
        }
    }

    #[test]
    fn eight_bytes_at_once() {
        let word = |text: &[u8; 8]| u64::from_le_bytes(*text);
        for (text, number) in [(b"12345678", 12_345_678), (b"00000000", 0), (b"99999999", 99_999_999)] {
            assert_eq!((no_digits(word(text)), eight_digits(word(text))), (0, number));
        }
        for byte in (0..=255_u8).filter(|byte| !byte.is_ascii_digit()) {
            for at in 0..8 {
                let mut text = *b"90909090";
                text[at] = byte;
                assert_eq!(no_digits(word(&text)).trailing_zeros() as usize / 8, at, "{text:?}");
                let (number, rest) = leading_digits(&text, 7);
                assert_eq!((number.to_string().as_bytes(), rest), (&[b"7", &text[..at]].concat()[..], &text[at..]));
            }
        }
    }
}
