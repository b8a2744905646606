//! Decimals to binary64 and back with whole numbers of any size needed: a few hundred bytes of code instead of the
//! standard library's tables of 25 KB, which the WebAssembly module would have to carry. Slower, and rarely needed.

use std::cmp::Ordering;

/// Words of 32 bits, the lowest first. The largest number here has less than 1,200 bits.
const WORDS: usize = 40;

/// A whole number.
#[derive(Clone)]
struct Wide([u32; WORDS]);

impl Wide {
    fn new(value: u64) -> Wide {
        let mut words = [0; WORDS];
        words[0] = value as u32;
        words[1] = (value >> 32) as u32;
        Wide(words)
    }

    /// How many bits it takes.
    fn bits(&self) -> i32 {
        let above = self.0.iter().rev().take_while(|word| **word == 0).count();
        let top = self.0.iter().rev().find(|word| **word != 0).map_or(0, |word| word.leading_zeros());
        (WORDS - above) as i32 * 32 - top as i32
    }

    fn times(&mut self, factor: u32) {
        let mut carry = 0;
        for word in &mut self.0 {
            let product = u64::from(*word) * u64::from(factor) + carry;
            *word = product as u32;
            carry = product >> 32;
        }
    }

    fn times_power_of_ten(&mut self, power: i64) {
        (0..power).for_each(|_| self.times(10));
    }

    fn times_power_of_two(&mut self, power: i32) {
        for _ in 0..power / 31 {
            self.times(1 << 31);
        }
        self.times(1 << (power % 31));
    }

    fn plus(&self, other: &Wide) -> Wide {
        let (mut sum, mut carry) = (self.clone(), 0);
        for (word, other) in sum.0.iter_mut().zip(&other.0) {
            let both = u64::from(*word) + u64::from(*other) + carry;
            *word = both as u32;
            carry = both >> 32;
        }
        sum
    }

    /// Takes away another one if it is not larger, and says whether it did.
    fn take(&mut self, other: &Wide) -> bool {
        let enough = self.order(other).is_ge();
        if enough {
            let mut borrow = false;
            for (word, other) in self.0.iter_mut().zip(&other.0) {
                let (less, first) = word.overflowing_sub(*other);
                let (less, second) = less.overflowing_sub(u32::from(borrow));
                (*word, borrow) = (less, first || second);
            }
        }
        enough
    }

    fn order(&self, other: &Wide) -> Ordering {
        self.0.iter().rev().cmp(other.0.iter().rev())
    }
}

/// The binary64 next to `digits × 10^exponent`; of two equally near ones the even one. Digits: not zero, at most 17.
pub(super) fn nearest(digits: u64, exponent: i64) -> f64 {
    match exponent + i64::from(digits.ilog10()) {
        309.. => return f64::INFINITY,
        ..-330 => return 0.0,
        _ => {}
    }
    // The decimal is over / under.
    let (mut over, mut under) = (Wide::new(digits), Wide::new(1));
    over.times_power_of_ten(exponent);
    under.times_power_of_ten(-exponent);
    let mut power = over.bits() - under.bits();
    under.times_power_of_two(power.max(0));
    over.times_power_of_two((-power).max(0));
    if over.order(&under).is_lt() {
        over.times(2);
        power -= 1;
    }
    // Now it is over / under × 2^power, and over / under is at least 1 and less than 2. Below 2^-1022, mantissas are
    // shorter.
    let length = (power + 1075).min(53);
    if length < 0 {
        return 0.0;
    }
    if power > 1023 {
        return f64::INFINITY;
    }
    let mut mantissa = 0_u64;
    for _ in 0..length {
        mantissa = mantissa << 1 | u64::from(over.take(&under));
        over.times(2);
    }
    let up = over.order(&under).then(if mantissa & 1 == 1 { Ordering::Greater } else { Ordering::Less });
    mantissa += u64::from(up.is_gt());
    // One bit more in the mantissa is one more in the exponent.
    let exponent = if length == 53 { (power + 1022) as u64 } else { 0 };
    f64::from_bits((exponent << 52) + mantissa)
}

/// The digits and the exponent of the shortest decimal that reads back to `value`, the nearest of them; a positive
/// number. Steele and White's way.
pub(super) fn shortest(value: f64) -> (u64, i64) {
    let (exponent, fraction) = ((value.to_bits() >> 52) as i32, value.to_bits() & ((1 << 52) - 1));
    let (mantissa, power) = if exponent == 0 { (fraction, -1074) } else { (fraction | 1 << 52, exponent - 1075) };
    // Steps below a power of two are half as large.
    let uneven = i32::from(fraction == 0 && exponent > 1);
    // The value is over / under; half the steps to its neighbors are up / under and down / under.
    let (mut over, mut under) = (Wide::new(mantissa), Wide::new(1));
    let (mut up, mut down) = (Wide::new(1), Wide::new(1));
    over.times_power_of_two(power.max(0) + 1 + uneven);
    up.times_power_of_two(power.max(0) + uneven);
    down.times_power_of_two(power.max(0));
    under.times_power_of_two((-power).max(0) + 1 + uneven);
    // Decimals in the very middle between two values read back to the even one.
    let beyond = |left: &Wide, right: &Wide| match left.order(right) {
        Ordering::Equal => mantissa & 1 == 0,
        order => order.is_gt(),
    };
    // A first guess of the number of digits before the point, at most one too small.
    let mut places = (i64::from(over.bits() - under.bits() - 1) * 1_233) >> 12;
    under.times_power_of_ten(places);
    for wide in [&mut over, &mut up, &mut down] {
        wide.times_power_of_ten(-places);
    }
    while beyond(&over.plus(&up), &under) {
        under.times(10);
        places += 1;
    }
    let mut digits = 0;
    loop {
        for wide in [&mut over, &mut up, &mut down] {
            wide.times(10);
        }
        digits *= 10;
        places -= 1;
        while over.take(&under) {
            digits += 1;
        }
        let (low, high) = (beyond(&down, &over), beyond(&over.plus(&up), &under));
        if low || high {
            let rest = over.plus(&over);
            digits += u64::from(high && (!low || rest.order(&under).is_ge()));
            break;
        }
    }
    while digits % 10 == 0 {
        digits /= 10;
        places += 1;
    }
    (digits, places)
}

#[cfg(test)]
mod tests {
    use super::{nearest, shortest};

    fn check(value: f64) {
        let text = format!("{value:e}");
        let (digits, exponent) = text.split_once('e').unwrap();
        let places = digits.split_once('.').map_or(0, |(_, places)| places.len()) as i64;
        let printed: u64 = digits.replace('.', "").parse().unwrap();
        let exponent = exponent.parse::<i64>().unwrap() - places;
        assert_eq!(shortest(value), (printed, exponent), "{text}");
        assert_eq!(nearest(printed, exponent), value, "{text}");
        // Neighbors in the last digits, which lie between values.
        for (more, digits) in [(1, printed * 10 + 5), (0, printed + 1), (0, printed - 1), (1, printed * 10 + 4)] {
            if (1..100_000_000_000_000_000).contains(&digits) {
                let text = format!("{digits}e{}", exponent - more);
                assert_eq!(nearest(digits, exponent - more), text.parse::<f64>().unwrap(), "{text}");
            }
        }
    }

    #[test]
    fn as_the_standard_library() {
        let mut seed = 0x9e37_79b9_7f4a_7c15_u64;
        for _ in 0..1_000 {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            let value = f64::from_bits(seed >> 1);
            if value.is_finite() {
                check(value);
            }
            // Few digits.
            let (digits, exponent) = (1 + seed % 10_000, (seed >> 20) as i64 % 345 - 340 + (seed >> 60) as i64);
            assert_eq!(nearest(digits, exponent), format!("{digits}e{exponent}").parse::<f64>().unwrap());
        }
        for power in (-1074..1024).step_by(13) {
            let value = f64::from(power).exp2();
            [value, value.next_up()].into_iter().for_each(check);
            if value > f64::from_bits(1) {
                check(value.next_down());
            }
        }
        (1..=210).step_by(9).map(f64::from_bits).for_each(check);
        [f64::MAX, f64::MIN_POSITIVE, 9007199254740993.0, 1e23, 5e-324, 4.5, 0.1].into_iter().for_each(check);
        for (digits, exponent) in [(17976931348623158, 292), (17976931348623159, 292), (24703282292062327, -340)] {
            let text = format!("{digits}e{exponent}");
            assert_eq!(nearest(digits, exponent), text.parse::<f64>().unwrap(), "{text}");
        }
    }
}
