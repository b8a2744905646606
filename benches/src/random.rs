//! A small generator of numbers, the same everywhere and always.

/// SplitMix64, with the few distributions that the workloads need.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// A sequence of its own for each seed.
    #[must_use]
    pub fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15))
    }

    /// Any 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ mixed >> 31
    }

    /// A number below `bound`, which is not 0.
    pub fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.bits()) * bound as u128) >> 64) as usize
    }

    /// From `low` to `high`, both included.
    pub fn between(&mut self, low: usize, high: usize) -> usize {
        low + self.below(high - low + 1)
    }

    /// From 0 to 1.
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// True in so many of a hundred cases.
    pub fn percent(&mut self, chance: usize) -> bool {
        self.below(100) < chance
    }

    /// One of a non-empty list.
    pub fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        let index = self.below(list.len());
        list.get(index).copied().unwrap_or_else(|| unreachable!("below the length"))
    }

    /// One of a pool; the lower its place, the more often.
    pub fn common<'a>(&mut self, pool: &'a [String]) -> &'a str {
        let rank = (pool.len() as f64).powf(self.unit()) as usize;
        pool.get(rank.min(pool.len() - 1)).map_or("", String::as_str)
    }

    /// One of a pool, each as often.
    pub fn any<'a>(&mut self, pool: &'a [String]) -> &'a str {
        pool.get(self.below(pool.len())).map_or("", String::as_str)
    }

    /// Up to `count` different ones of a list, in its order turned by some places.
    pub fn some<'a>(&mut self, list: &[&'a str], count: usize) -> Vec<&'a str> {
        let first = self.below(list.len());
        list.iter().cycle().skip(first).take(count.min(list.len())).copied().collect()
    }

    /// Hexadecimal digits.
    pub fn hex(&mut self, digits: usize) -> String {
        (0..digits).filter_map(|_| char::from_digit(self.below(16) as u32, 16)).collect()
    }
}
