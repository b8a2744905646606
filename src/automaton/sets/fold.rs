//! Operands that ignore case, all of one mode.

use super::Value;
use super::affix::{Backward, Direction, Forward, PrefixSet, SuffixSet, number};
use crate::rule::FoldMode;
use crate::value::Fold;

/// Operands that ignore case, all of one mode.
///
/// All spellings of an operand have one canonical form (see [`Fold::canonical_text`]), which is looked up. Where
/// everything is ASCII, that decides; otherwise the few operands with the right canonical form are compared one by one.
#[derive(Debug)]
pub(crate) struct FoldSet {
    mode: FoldMode,
    /// ASCII operands, by their values.
    plain: Ends,
    /// The others, by their place in `folds`.
    wide: Ends,
    folds: Box<[(Fold, Value)]>,
}

#[derive(Debug)]
enum Ends {
    Front(PrefixSet),
    Back(SuffixSet),
}

impl FoldSet {
    pub(crate) fn build(operands: &[(&Fold, Value)], mode: FoldMode) -> FoldSet {
        let (mut plain, mut wide, mut folds) = (Vec::new(), Vec::new(), Vec::new());
        for (fold, value) in operands {
            if let Some(lower) = fold.ascii_lower() {
                plain.push((lower, *value));
            } else {
                wide.push((fold.canonical(), number(folds.len())));
                folds.push(((*fold).clone(), *value));
            }
        }
        let ends = |entries| match mode {
            FoldMode::Equals | FoldMode::Prefix => Ends::Front(PrefixSet::build(entries)),
            FoldMode::Suffix => Ends::Back(SuffixSet::build(entries)),
        };
        FoldSet { mode, plain: ends(plain), wide: ends(wide), folds: folds.into() }
    }

    /// Reports the value of every operand that matches. `canonical` is the [`Fold::canonical_text`] of `text`.
    #[inline]
    pub(crate) fn each(&self, text: &[u8], canonical: &[u8], found: &mut impl FnMut(Value)) {
        let ascii = text.is_ascii();
        let whole = self.mode == FoldMode::Equals;
        self.plain.each_sized(canonical, &mut |value, length, head| {
            if whole && length != canonical.len() {
                return;
            }
            // `ſ` has the canonical form of `s`, but is no spelling of it: an ASCII operand has ASCII spellings only.
            if ascii || (length <= text.len() && head(text, length).is_ascii()) {
                found(value);
            }
        });
        if !self.folds.is_empty() {
            self.wide.each_sized(canonical, &mut |place, length, _| {
                if whole && length != canonical.len() {
                    return;
                }
                // INVARIANT: places are made by `build`.
                let Some((fold, value)) = self.folds.get(place as usize) else { unreachable!("a place in `folds`") };
                let fits = match self.mode {
                    FoldMode::Equals => fold.equals(text),
                    FoldMode::Prefix => fold.starts(text),
                    FoldMode::Suffix => fold.ends(text),
                };
                if fits {
                    found(*value);
                }
            });
        }
    }

    /// Bytes on the heap.
    pub(crate) fn memory_usage(&self) -> usize {
        let folds = self.folds.iter().map(|(fold, _)| fold.memory_usage()).sum::<usize>();
        self.plain.memory_usage() + self.wide.memory_usage() + size_of_val(&*self.folds) + folds
    }
}

impl Ends {
    #[inline]
    fn each_sized(&self, text: &[u8], found: &mut impl FnMut(Value, usize, fn(&[u8], usize) -> &[u8])) {
        match self {
            Ends::Front(set) => set.each_sized(text, &mut |value, length| found(value, length, Forward::head)),
            Ends::Back(set) => set.each_sized(text, &mut |value, length| found(value, length, Backward::head)),
        }
    }

    fn memory_usage(&self) -> usize {
        match self {
            Ends::Front(set) => set.memory_usage(),
            Ends::Back(set) => set.memory_usage(),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{FoldMode, FoldSet};
    use crate::value::Fold;

    fn folded(operands: &[String], mode: FoldMode, text: &str) -> Vec<u32> {
        let folds: Vec<Fold> = operands.iter().map(|text| Fold::new(text)).collect();
        let set = FoldSet::build(&folds.iter().zip(0..).collect::<Vec<_>>(), mode);
        let mut canonical = Vec::new();
        Fold::canonical_text(text.as_bytes(), &mut canonical);
        let mut found = Vec::new();
        set.each(text.as_bytes(), &canonical, &mut |value| found.push(value));
        found.sort_unstable();
        found
    }

    #[test]
    fn one_sided_case() {
        let operands = ["k", "\u{212a}", "ß", "ss", "straße", "😀"].map(str::to_owned);
        assert_eq!(folded(&operands, FoldMode::Equals, "K"), [0]);
        assert_eq!(folded(&operands, FoldMode::Equals, "k"), [0, 1]);
        assert_eq!(folded(&operands, FoldMode::Equals, "\u{212a}"), [1]);
        assert_eq!(folded(&operands, FoldMode::Equals, "SS"), [2, 3]);
        assert_eq!(folded(&operands, FoldMode::Prefix, "STRASSE 1"), [4]);
        assert_eq!(folded(&operands, FoldMode::Suffix, "x??"), [5]);
        assert_eq!(folded(&operands, FoldMode::Equals, "😀"), [0_u32; 0]);
    }

    proptest! {
        #[test]
        fn folding_agrees_with_scanning(
            operands in prop::collection::vec("[aksKßSſıIiİʼnΣςσfiFI\u{212a}\u{1c5}😀?]{0,4}", 0..20),
            text in "[aksKßSſıIi\u{307}İʼnNΣςσfiFI\u{212a}\u{1c4}😀?]{0,5}",
        ) {
            let scan = |fits: &dyn Fn(Fold) -> bool| -> Vec<u32> {
                operands.iter().zip(0..).filter(|(operand, _)| fits(Fold::new(operand))).map(|(_, value)| value).collect()
            };
            let bytes = text.as_bytes();
            prop_assert_eq!(folded(&operands, FoldMode::Equals, &text), scan(&|fold| fold.equals(bytes)));
            prop_assert_eq!(folded(&operands, FoldMode::Prefix, &text), scan(&|fold| fold.starts(bytes)));
            prop_assert_eq!(folded(&operands, FoldMode::Suffix, &text), scan(&|fold| fold.ends(bytes)));
        }
    }
}
