//! Everything of one field, or of one long list, that a look-up of the whole value does not decide: affixes, texts that
//! ignore case, wildcards, ranges, blocks. One query tells all tests that a scalar satisfies.

use super::affix::{FoldMode, FoldSet, PrefixSet, SuffixSet};
use super::range::IntervalSet;
use super::wildcard::{WildcardCache, WildcardSet};
use super::{Automaton, Kind};
use crate::value::{Address, Family, Fold, NumberKey, Wildcard};

/// A scalar, with what was found out of it.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Seen<'a> {
    /// A string. `lower` is its text in ASCII lower case, if asked for.
    Text { text: &'a [u8], lower: &'a [u8] },
    /// A number that compares.
    Number(NumberKey),
    /// Anything else.
    Other,
}

/// Room for queries, reused.
#[derive(Debug, Default)]
pub(crate) struct PackScratch {
    canonical: Vec<u8>,
    wildcards: WildcardCache,
}

#[derive(Debug, Default)]
pub(crate) struct Pack {
    prefix: Option<PrefixSet>,
    suffix: Option<SuffixSet>,
    lower_prefix: Option<PrefixSet>,
    lower_suffix: Option<SuffixSet>,
    folds: Vec<FoldSet>,
    wildcards: Option<WildcardSet>,
    ranges: Option<IntervalSet<u64>>,
    blocks: [Option<IntervalSet<u128>>; 2],
}

/// The operands of a pack, collected by kind.
#[derive(Default)]
pub(crate) struct PackBuilder<'a> {
    affixes: [Vec<(Vec<u8>, u32)>; 4],
    folds: [Vec<(&'a Fold, u32)>; 3],
    wildcards: Vec<(&'a Wildcard, u32)>,
    ranges: Vec<(u64, u64, u32)>,
    blocks: [Vec<(u128, u128, u32)>; 2],
}

impl<'a> PackBuilder<'a> {
    /// Takes the tests that a pack can hold; others are passed over.
    pub(crate) fn of(automaton: &'a Automaton, tests: impl Iterator<Item = u32>) -> PackBuilder<'a> {
        let mut builder = PackBuilder::default();
        for test in tests {
            builder.add(automaton, test);
        }
        builder
    }

    fn add(&mut self, automaton: &'a Automaton, test: u32) {
        let operand = automaton.tests.get(test);
        let side = automaton.side.get(test as usize).copied().unwrap_or(super::NONE) as usize;
        let affix = |kind| match kind {
            Kind::Prefix => Some(0),
            Kind::Suffix => Some(1),
            Kind::LowerPrefix => Some(2),
            Kind::LowerSuffix => Some(3),
            _ => None,
        };
        let kind = automaton.kind(test);
        if let Some(list) = affix(kind).and_then(|at: usize| self.affixes.get_mut(at)) {
            list.push((operand.to_vec(), test));
            return;
        }
        let [equals, prefix, suffix] = &mut self.folds;
        match kind {
            Kind::Fold => equals.extend(automaton.folds.get(side).map(|fold| (fold, test))),
            Kind::FoldPrefix => prefix.extend(automaton.folds.get(side).map(|fold| (fold, test))),
            Kind::FoldSuffix => suffix.extend(automaton.folds.get(side).map(|fold| (fold, test))),
            Kind::Wildcard => self.wildcards.extend(automaton.wildcards.get(side).map(|wildcard| (wildcard, test))),
            Kind::Range => {
                if let Some((low, high)) = range_operand(operand) {
                    self.ranges.push((low.bits(), high.bits(), test));
                }
            }
            Kind::Block => {
                if let Some((family, low, high)) = block_operand(operand) {
                    let [v4, v6] = &mut self.blocks;
                    match family {
                        Family::V4 => v4.push((low, high, test)),
                        Family::V6 => v6.push((low, high, test)),
                    }
                }
            }
            _ => {}
        }
    }

    pub(crate) fn build(self) -> Pack {
        let [prefix, suffix, lower_prefix, lower_suffix] = self.affixes;
        let modes = [FoldMode::Whole, FoldMode::Prefix, FoldMode::Suffix];
        let folds = self.folds.iter().zip(modes).filter(|(folds, _)| !folds.is_empty());
        let blocks = self.blocks.map(|blocks| (!blocks.is_empty()).then(|| IntervalSet::build(blocks)));
        Pack {
            prefix: (!prefix.is_empty()).then(|| PrefixSet::build(prefix)),
            suffix: (!suffix.is_empty()).then(|| SuffixSet::build(suffix)),
            lower_prefix: (!lower_prefix.is_empty()).then(|| PrefixSet::build(lower_prefix)),
            lower_suffix: (!lower_suffix.is_empty()).then(|| SuffixSet::build(lower_suffix)),
            folds: folds.map(|(folds, mode)| FoldSet::build(folds, mode)).collect(),
            wildcards: (!self.wildcards.is_empty()).then(|| WildcardSet::build(&self.wildcards)),
            ranges: (!self.ranges.is_empty()).then(|| IntervalSet::build(self.ranges)),
            blocks,
        }
    }
}

/// The two ends of a range, as the operand of a test keeps them.
pub(crate) fn range_operand(operand: &[u8]) -> Option<(NumberKey, NumberKey)> {
    let (low, high) = operand.split_first_chunk::<8>()?;
    let key = |bytes: &[u8; 8]| NumberKey::from_bits(u64::from_le_bytes(*bytes));
    Some((key(low), key(high.first_chunk()?)))
}

/// The ends of a block, as the operand of a test keeps them.
pub(crate) fn block_operand(operand: &[u8]) -> Option<(Family, u128, u128)> {
    let (family, ends) = operand.split_first()?;
    let (low, high) = ends.split_first_chunk::<16>()?;
    let family = if *family == Family::V4 as u8 { Family::V4 } else { Family::V6 };
    Some((family, u128::from_le_bytes(*low), u128::from_le_bytes(*high.first_chunk()?)))
}

impl Pack {
    /// Tells every test that the scalar satisfies, in no order.
    #[inline]
    pub(crate) fn each(&self, seen: Seen<'_>, scratch: &mut PackScratch, found: &mut impl FnMut(u32)) {
        match seen {
            Seen::Text { text, lower } => self.each_text(text, lower, scratch, found),
            Seen::Number(key) => {
                if let Some(ranges) = &self.ranges {
                    ranges.each(key.bits(), found);
                }
            }
            Seen::Other => {}
        }
    }

    fn each_text(&self, text: &[u8], lower: &[u8], scratch: &mut PackScratch, found: &mut impl FnMut(u32)) {
        if let Some(set) = &self.prefix {
            set.each(text, found);
        }
        if let Some(set) = &self.suffix {
            set.each(text, found);
        }
        if let Some(set) = &self.lower_prefix {
            set.each(lower, found);
        }
        if let Some(set) = &self.lower_suffix {
            set.each(lower, found);
        }
        if !self.folds.is_empty() {
            scratch.canonical.clear();
            Fold::canonical_text(text, &mut scratch.canonical);
            for set in &self.folds {
                set.each(text, &scratch.canonical, found);
            }
        }
        if let Some(set) = &self.wildcards {
            set.each(text, &mut scratch.wildcards, found);
        }
        if let [None, None] = self.blocks {
            return;
        }
        if let Ok(Address { family, bits }) = Address::parse(text)
            && let Some(Some(set)) = self.blocks.get(family as usize)
        {
            set.each(bits, found);
        }
    }

    /// Whether the text must be given in lower case as well.
    #[inline]
    pub(crate) fn wants_lower(&self) -> bool {
        self.lower_prefix.is_some() || self.lower_suffix.is_some()
    }

    /// Bytes on the heap.
    pub(crate) fn memory_usage(&self) -> usize {
        let affixes = self.prefix.as_ref().map_or(0, PrefixSet::memory_usage)
            + self.suffix.as_ref().map_or(0, SuffixSet::memory_usage)
            + self.lower_prefix.as_ref().map_or(0, PrefixSet::memory_usage)
            + self.lower_suffix.as_ref().map_or(0, SuffixSet::memory_usage);
        let folds =
            self.folds.capacity() * size_of::<FoldSet>() + self.folds.iter().map(FoldSet::memory_usage).sum::<usize>();
        let ranges = self.ranges.as_ref().map_or(0, IntervalSet::memory_usage);
        let blocks = self.blocks.iter().flatten().map(IntervalSet::memory_usage).sum::<usize>();
        affixes + folds + ranges + blocks + self.wildcards.as_ref().map_or(0, WildcardSet::memory_usage)
    }
}
