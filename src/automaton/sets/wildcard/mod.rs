//! One automaton for all wildcards of a field.
//!
//! A wildcard is a sequence of literal pieces. Taking each piece at its first place after the one before never loses a match,
//! so for each beginning of such a row there is one number to know: the first place after it, if it matches at all. The
//! beginnings of all wildcards form a tree; a node of it is *reached* at most once for a string, when its piece occurs
//! after the place at which its parent was reached. One pass over the text finds the occurrences of all pieces; the
//! first pieces are looked up as prefixes, the last ones as suffixes, before anything is scanned.
//!
//! So an event costs one look at each byte of the text, and a step for each node that is reached. Nothing is determinised:
//! no set of wildcards makes it grow beyond the wildcards' own size, in time or in memory, and there is no cache to thrash.
//!
//! What is left to hostile sets is to have nearly all of a large tree reached by a short text. Where many nodes wait for
//! the same pieces, so this can be, the wildcards are kept packed side by side as well, and a string that reaches too
//! many nodes is read again that way.

mod cache;
mod grow;
mod ids;
mod tree;

pub(crate) use cache::WildcardCache;

use super::Value;
use crate::value::Wildcard;
use tree::Tree;

/// Up to this many wildcards are tried one by one, which is faster.
const FEW: usize = 4;

/// A frozen set of wildcards.
#[derive(Debug)]
pub(crate) enum WildcardSet {
    Few(Box<[(Wildcard, Value)]>),
    Many(Box<Tree>),
}

impl WildcardSet {
    /// Freezes a list of wildcards. Sorts, and is linear in their bytes otherwise.
    pub(crate) fn build(wildcards: &[(&Wildcard, Value)]) -> WildcardSet {
        if wildcards.len() <= FEW {
            return WildcardSet::Few(wildcards.iter().map(|(wildcard, value)| ((*wildcard).clone(), *value)).collect());
        }
        WildcardSet::Many(Box::new(Tree::build(wildcards)))
    }

    /// Calls `found` with the value of every wildcard that matches the whole text.
    #[inline]
    pub(crate) fn each(&self, text: &[u8], cache: &mut WildcardCache, found: &mut impl FnMut(Value)) {
        match self {
            WildcardSet::Few(wildcards) => {
                wildcards.iter().filter(|(wildcard, _)| wildcard.matches(text)).for_each(|(_, value)| found(*value));
            }
            WildcardSet::Many(tree) => tree.each(text, cache, found),
        }
    }

    /// Bytes on the heap.
    pub(crate) fn memory_usage(&self) -> usize {
        match self {
            WildcardSet::Few(wildcards) => {
                let pieces = wildcards.iter().map(|(wildcard, _)| wildcard.memory_usage()).sum::<usize>();
                size_of_val(&**wildcards) + pieces
            }
            WildcardSet::Many(tree) => size_of::<Tree>() + tree.memory_usage(),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Value, WildcardCache, WildcardSet};
    use crate::value::Wildcard;

    fn set(wildcards: &[String]) -> WildcardSet {
        let parsed: Vec<_> = wildcards.iter().map(|text| Wildcard::parse(text).unwrap()).collect();
        WildcardSet::build(&parsed.iter().zip(0..).collect::<Vec<_>>())
    }

    fn each(set: &WildcardSet, text: &str, cache: &mut WildcardCache) -> Vec<Value> {
        let mut found = Vec::new();
        set.each(text.as_bytes(), cache, &mut |value| found.push(value));
        found.sort_unstable();
        found
    }

    /// Quadratic, and obviously right.
    fn fits(wildcard: &str, text: &[u8]) -> bool {
        let mut reached = vec![false; text.len() + 1];
        reached[0] = true;
        for byte in wildcard.bytes() {
            if byte == b'*' {
                let first = reached.iter().position(|place| *place).unwrap_or(reached.len());
                reached[first..].fill(true);
            } else {
                let behind = |place: usize| place > 0 && reached[place - 1] && text[place - 1] == byte;
                reached = (0..reached.len()).map(behind).collect();
            }
        }
        reached[text.len()]
    }

    #[test]
    fn each_engine_answers_alike() {
        let wildcards =
            ["a*c", "a*b*c", "*", "abc", "*b*", "a*", "*c", "ab*bc", "*ab*bc*", "", "*b*b*"].map(str::to_owned);
        let mut cache = WildcardCache::default();
        for count in 0..=wildcards.len() {
            let set = set(&wildcards[..count]);
            for text in ["", "abc", "ac", "abbc", "cabbca", "b"] {
                let fitting = (0..count as u32).filter(|at| fits(&wildcards[*at as usize], text.as_bytes()));
                assert_eq!(each(&set, text, &mut cache), fitting.collect::<Vec<_>>(), "{count} {text}");
            }
        }
    }

    #[test]
    fn hostile_sets_stay_small() {
        let wildcards: Vec<_> = (0..2_000).map(|at| format!("*a*b*a{}*{at}", "*ab*a".repeat(at % 9))).collect();
        let set = set(&wildcards);
        let bytes: usize = wildcards.iter().map(String::len).sum();
        assert!(set.memory_usage() < bytes * 32, "{} for {bytes}", set.memory_usage());
        let mut cache = WildcardCache::default();
        let text = format!("{}1999", "ab".repeat(5_000));
        assert_eq!(each(&set, &text, &mut cache), [9, 99, 999, 1999]);
        let warm = cache.memory_usage();
        assert_eq!(each(&set, &text, &mut cache), [9, 99, 999, 1999]);
        assert_eq!(cache.memory_usage(), warm);
    }

    proptest! {
        #[test]
        fn agrees_with_trying_each(
            wildcards in prop::collection::vec("[ab]{0,2}(\\*[ab]{1,2}){0,3}(\\*[ab]{0,2})?", 0..60),
            texts in prop::collection::vec("[ab]{0,9}", 2),
        ) {
            let mut set = set(&wildcards);
            let mut cache = WildcardCache::default();
            for (text, again) in texts.iter().zip([false, true]) {
                if let (WildcardSet::Many(tree), true) = (&mut set, again) {
                    tree.packed = None;
                }
                let fitting: Vec<Value> = wildcards.iter().zip(0..).filter(|(wildcard, _)| fits(wildcard, text.as_bytes()))
                    .map(|(_, value)| value).collect();
                prop_assert_eq!(each(&set, text, &mut cache), fitting);
            }
        }
    }
}
