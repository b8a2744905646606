//! Everything of one field, or of one long list, that a look-up of the whole value does not decide: affixes, strings that
//! ignore case, wildcards, ranges, blocks. One query finds all tests that a scalar satisfies.

use super::Value;
use super::affix::{PrefixSet, SuffixSet};
use super::fold::FoldSet;
use super::interval::IntervalSet;
use super::wildcard::{WildcardCache, WildcardSet};
use crate::automaton::ids::TestId;
use crate::automaton::kind::Kind;
use crate::automaton::operand::{block_operand, range_operand};
use crate::automaton::test::Tests;
use crate::base::Key;
use crate::rule::FoldMode;
use crate::value::{Address, Family, Fold, NumberKey, Wildcard};

/// A scalar, with what was found out of it.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Query<'a> {
    /// A string. `lower` is its text in ASCII lower case, if requested.
    Text { text: &'a [u8], lower: &'a [u8] },
    /// A number that compares.
    Number(NumberKey),
    /// Anything else.
    Other,
}

/// Room for queries, reused.
#[derive(Debug, Default)]
pub(crate) struct QueryScratch {
    canonical: Vec<u8>,
    wildcards: WildcardCache,
}

#[derive(Debug, Default)]
pub(crate) struct OperandSet {
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
pub(crate) struct OperandSetBuilder<'a> {
    affixes: [Vec<(Vec<u8>, Value)>; 4],
    folds: [Vec<(&'a Fold, Value)>; 3],
    wildcards: Vec<(&'a Wildcard, Value)>,
    ranges: Vec<(u64, u64, Value)>,
    blocks: [Vec<(u128, u128, Value)>; 2],
}

impl<'a> OperandSetBuilder<'a> {
    /// Takes the tests that such a set can have; others are skipped.
    pub(crate) fn of(tests: &'a Tests, chosen: impl Iterator<Item = TestId>) -> OperandSetBuilder<'a> {
        let mut builder = OperandSetBuilder::default();
        for test in chosen {
            builder.add(tests, test);
        }
        builder
    }

    fn add(&mut self, tests: &'a Tests, id: TestId) {
        let (kind, operand, test) = (tests.kind(id), tests.operand(id), id.raw());
        let [prefix, suffix, lower_prefix, lower_suffix] = &mut self.affixes;
        let [equals, fold_prefix, fold_suffix] = &mut self.folds;
        match kind {
            Kind::Prefix => prefix.push((operand.to_vec(), test)),
            Kind::Suffix => suffix.push((operand.to_vec(), test)),
            Kind::LowerPrefix => lower_prefix.push((operand.to_vec(), test)),
            Kind::LowerSuffix => lower_suffix.push((operand.to_vec(), test)),
            Kind::Fold => equals.push((tests.fold(id), test)),
            Kind::FoldPrefix => fold_prefix.push((tests.fold(id), test)),
            Kind::FoldSuffix => fold_suffix.push((tests.fold(id), test)),
            Kind::Wildcard => self.wildcards.push((tests.wildcard(id), test)),
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
            Kind::Text
            | Kind::Number
            | Kind::Spelling
            | Kind::True
            | Kind::False
            | Kind::Null
            | Kind::Address
            | Kind::Lower
            | Kind::Present
            | Kind::Absent
            | Kind::Not => {}
        }
    }

    pub(crate) fn build(self) -> OperandSet {
        let [prefix, suffix, lower_prefix, lower_suffix] = self.affixes;
        let modes = [FoldMode::Equals, FoldMode::Prefix, FoldMode::Suffix];
        let folds = self.folds.iter().zip(modes).filter(|(folds, _)| !folds.is_empty());
        let blocks = self.blocks.map(|blocks| (!blocks.is_empty()).then(|| IntervalSet::build(blocks)));
        OperandSet {
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

impl OperandSet {
    /// Reports every test that the scalar satisfies, in no order.
    #[inline]
    pub(crate) fn each(&self, query: Query<'_>, scratch: &mut QueryScratch, mut found: impl FnMut(TestId)) {
        // The sets below know values, whatever they stand for.
        let found = &mut |value| found(TestId::from_raw(value));
        match query {
            Query::Text { text, lower } => self.each_text(text, lower, scratch, found),
            Query::Number(key) => {
                if let Some(ranges) = &self.ranges {
                    ranges.each(key.bits(), found);
                }
            }
            Query::Other => {}
        }
    }

    fn each_text(&self, text: &[u8], lower: &[u8], scratch: &mut QueryScratch, found: &mut impl FnMut(u32)) {
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
