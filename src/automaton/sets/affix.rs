//! Prefixes and suffixes: one compressed trie for all operands of a field.
//!
//! The trie is walked *blindly*: only the bytes at which operands part are read, then one comparison with a
//! stored operand shows how far the text really agrees. So `arn:aws:…` in front of a thousand operands costs one
//! comparison, and a string that has nothing in common with any of them usually ends at the first fork. What matches is
//! the chain of operands that are prefixes of each other, from the longest one that agrees upwards.

#![allow(
    clippy::indexing_slicing,
    reason = "INVARIANT: fork, operand and value numbers are made by `AffixSet::build` for the tables they index; \
              `forks` has one entry after the last real fork, so `index + 1` is always there"
)]

use std::cmp::Ordering;
use std::marker::PhantomData;

use super::Value;

/// Operands with which a string may begin.
pub(crate) type PrefixSet = AffixSet<Forward>;
/// Operands with which a string may end. The text is read from its end, not copied.
pub(crate) type SuffixSet = AffixSet<Backward>;

/// No operand.
const NONE: u32 = u32::MAX;

/// From which end strings are read.
pub(crate) trait Direction {
    /// The byte `at` places from the reading end.
    fn byte(text: &[u8], at: usize) -> Option<u8>;
    /// How many bytes from the reading end agree.
    fn common(left: &[u8], right: &[u8]) -> usize;
    fn compare(left: &[u8], right: &[u8]) -> Ordering;
    /// Where a string that is going to be stored at `start` is read from.
    fn anchor(start: usize, length: usize) -> usize;
    /// The first `length` bytes from an anchor.
    fn stored(texts: &[u8], anchor: usize, length: usize) -> &[u8];
    /// The first `length` bytes of a string that has that many.
    fn head(text: &[u8], length: usize) -> &[u8];
}

/// Reads from the front.
#[derive(Debug)]
pub(crate) struct Forward;
/// Reads from the back.
#[derive(Debug)]
pub(crate) struct Backward;

impl Direction for Forward {
    #[inline]
    fn byte(text: &[u8], at: usize) -> Option<u8> {
        text.get(at).copied()
    }

    #[inline]
    fn common(left: &[u8], right: &[u8]) -> usize {
        let mut same = 0;
        for (left, right) in left.chunks_exact(8).zip(right.chunks_exact(8)) {
            if left != right {
                break;
            }
            same += 8;
        }
        same + left[same..].iter().zip(&right[same..]).take_while(|(left, right)| left == right).count()
    }

    fn compare(left: &[u8], right: &[u8]) -> Ordering {
        left.cmp(right)
    }

    fn anchor(start: usize, _length: usize) -> usize {
        start
    }

    #[inline]
    fn stored(texts: &[u8], anchor: usize, length: usize) -> &[u8] {
        &texts[anchor..anchor + length]
    }

    fn head(text: &[u8], length: usize) -> &[u8] {
        &text[..length]
    }
}

impl Direction for Backward {
    #[inline]
    fn byte(text: &[u8], at: usize) -> Option<u8> {
        text.len().checked_sub(at + 1).map(|at| text[at])
    }

    #[inline]
    fn common(left: &[u8], right: &[u8]) -> usize {
        let mut same = 0;
        for (left, right) in left.rchunks_exact(8).zip(right.rchunks_exact(8)) {
            if left != right {
                break;
            }
            same += 8;
        }
        let (left, right) = (&left[..left.len() - same], &right[..right.len() - same]);
        same + left.iter().rev().zip(right.iter().rev()).take_while(|(left, right)| left == right).count()
    }

    fn compare(left: &[u8], right: &[u8]) -> Ordering {
        left.iter().rev().cmp(right.iter().rev())
    }

    fn anchor(start: usize, length: usize) -> usize {
        start + length
    }

    #[inline]
    fn stored(texts: &[u8], anchor: usize, length: usize) -> &[u8] {
        &texts[anchor - length..anchor]
    }

    fn head(text: &[u8], length: usize) -> &[u8] {
        &text[text.len() - length..]
    }
}

/// A place where operands part, or where one ends. Forks lie level by level, so the children of a fork are those
/// from its `first` to the `first` of the fork after it.
#[derive(Clone, Copy, Debug)]
struct Fork {
    /// How many bytes all operands below share.
    depth: u32,
    first: u32,
    /// The longest operand that ends here or above.
    operand: u32,
    /// Where the text of some operand below lies; its first `depth` bytes are those of this fork.
    anchor: usize,
}

#[derive(Clone, Copy, Debug)]
struct Operand {
    length: u32,
    /// The longest other operand that is a prefix of this one.
    above: u32,
    /// Its values are those from here to the `first_value` of the operand after it.
    first_value: u32,
}

/// A frozen set of operands, each with one or more values, read in one direction.
#[derive(Debug)]
pub(crate) struct AffixSet<D> {
    forks: Box<[Fork]>,
    /// For each fork the byte that leads to it.
    labels: Box<[u8]>,
    operands: Box<[Operand]>,
    values: Box<[Value]>,
    /// The operands that are not a prefix of another one.
    texts: Box<[u8]>,
    direction: PhantomData<D>,
}

impl<D: Direction> AffixSet<D> {
    /// Freezes a list of operands and their values; an operand may come with several values. Linear in the bytes of the
    /// operands, but for sorting them.
    pub(crate) fn build(mut entries: Vec<(Vec<u8>, Value)>) -> AffixSet<D> {
        entries.sort_unstable_by(|left, right| D::compare(&left.0, &right.0).then(left.1.cmp(&right.1)));
        entries.dedup();
        let (mut texts, mut operands, mut values) = (Vec::new(), Vec::<Operand>::new(), Vec::new());
        // Of each operand its text, and where that text is going to be stored.
        let (mut sorted, mut anchors) = (Vec::<&[u8]>::new(), Vec::new());
        let mut open = Vec::<u32>::new();
        for (index, (text, value)) in entries.iter().enumerate() {
            if sorted.last() != Some(&text.as_slice()) {
                let is_open = |operand: u32| {
                    let above = sorted[operand as usize];
                    D::common(above, text) == above.len()
                };
                while open.pop_if(|operand| !is_open(*operand)).is_some() {}
                let above = open.last().copied().unwrap_or(NONE);
                open.push(number(operands.len()));
                operands.push(Operand { length: number(text.len()), above, first_value: number(index) });
                sorted.push(text);
            }
            values.push(*value);
        }
        for (index, text) in sorted.iter().enumerate() {
            let kept = operands.get(index + 1).is_none_or(|next| next.above != number(index));
            anchors.push(D::anchor(texts.len(), text.len()));
            if kept {
                texts.extend_from_slice(text);
            }
        }
        let (forks, labels) = plant::<D>(&sorted, &anchors);
        operands.push(Operand { length: 0, above: NONE, first_value: number(values.len()) });
        AffixSet {
            forks: forks.into(),
            labels: labels.into(),
            operands: operands.into(),
            values: values.into(),
            texts: texts.into(),
            direction: PhantomData,
        }
    }

    /// Reports the values of every operand that the text begins (or ends) with.
    #[inline]
    pub(crate) fn each(&self, text: &[u8], found: &mut impl FnMut(Value)) {
        self.each_sized(text, &mut |value, _| found(value));
    }

    /// Reports the values of the operand that is the text.
    #[inline]
    pub(crate) fn whole(&self, text: &[u8], found: &mut impl FnMut(Value)) {
        let longest = self.longest(text);
        if longest != NONE && self.operands[longest as usize].length as usize == text.len() {
            self.values_of(longest).iter().for_each(|value| found(*value));
        }
    }

    /// Whether the text begins (or ends) with any of the operands.
    #[cfg(test)]
    fn any(&self, text: &[u8]) -> bool {
        self.longest(text) != NONE
    }

    /// As [`AffixSet::each`], with the length of the operand.
    #[inline]
    pub(super) fn each_sized(&self, text: &[u8], found: &mut impl FnMut(Value, usize)) {
        let mut operand = self.longest(text);
        while operand != NONE {
            let Operand { length, above, .. } = self.operands[operand as usize];
            self.values_of(operand).iter().for_each(|value| found(*value, length as usize));
            operand = above;
        }
    }

    #[inline]
    fn values_of(&self, operand: u32) -> &[Value] {
        let (this, next) = (self.operands[operand as usize], self.operands[operand as usize + 1]);
        &self.values[this.first_value as usize..next.first_value as usize]
    }

    /// The longest operand that the text begins (or ends) with. At most one step for each byte of the text.
    fn longest(&self, text: &[u8]) -> u32 {
        let mut index = 0;
        let mut fork = self.forks[0];
        while let Some(byte) = D::byte(text, fork.depth as usize) {
            let children = fork.first as usize..self.forks[index + 1].first as usize;
            let Some(child) = position(&self.labels[children], byte) else { break };
            index = fork.first as usize + child;
            fork = self.forks[index];
        }
        let mut operand = fork.operand;
        if operand != NONE {
            let agreed = D::common(text, D::stored(&self.texts, fork.anchor, fork.depth as usize));
            while operand != NONE && self.operands[operand as usize].length as usize > agreed {
                operand = self.operands[operand as usize].above;
            }
        }
        operand
    }

    /// Bytes on the heap.
    pub(crate) fn memory_usage(&self) -> usize {
        size_of_val(&*self.forks)
            + size_of_val(&*self.labels)
            + size_of_val(&*self.operands)
            + size_of_val(&*self.values)
            + size_of_val(&*self.texts)
    }
}

/// The trie over different, sorted operands. Each round reads one byte of each operand of its range, and no byte of
/// an operand twice.
fn plant<D: Direction>(sorted: &[&[u8]], anchors: &[usize]) -> (Vec<Fork>, Vec<u8>) {
    let mut forks = Vec::with_capacity(sorted.len() + 2);
    let mut labels = vec![0];
    let mut queue = std::collections::VecDeque::from([(0..sorted.len(), NONE)]);
    while let Some((mut range, mut operand)) = queue.pop_front() {
        let first = number(labels.len());
        let Some(last) = range.end.checked_sub(1).filter(|_| !range.is_empty()) else {
            forks.push(Fork { depth: 0, first, operand, anchor: 0 });
            continue;
        };
        // Sorted, so what the outermost share, all share.
        let depth = D::common(sorted[range.start], sorted[last]);
        if sorted[range.start].len() == depth {
            operand = number(range.start);
            range.start += 1;
        }
        // The last one of a range is not a prefix of any other, so its text is stored.
        forks.push(Fork { depth: number(depth), first, operand, anchor: anchors[last] });
        while let Some(label) = sorted[range.clone()].first().and_then(|text| D::byte(text, depth)) {
            let run = sorted[range.clone()].iter().take_while(|text| D::byte(text, depth) == Some(label)).count();
            labels.push(label);
            queue.push_back((range.start..range.start + run, operand));
            range.start += run;
        }
    }
    forks.push(Fork { depth: 0, first: number(labels.len()), operand: NONE, anchor: 0 });
    (forks, labels)
}

#[inline]
pub(super) fn position(labels: &[u8], byte: u8) -> Option<usize> {
    if labels.len() <= 8 { labels.iter().position(|label| *label == byte) } else { memchr::memchr(byte, labels) }
}

/// INVARIANT: pattern strings are bounded by `u32` spans and values are distinct `u32`s, so neither lengths nor
/// counts leave the range.
pub(super) fn number(count: usize) -> u32 {
    debug_assert!(u32::try_from(count).is_ok());
    count as u32
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{PrefixSet, SuffixSet};

    fn sorted(tell: impl FnOnce(&mut dyn FnMut(u32))) -> Vec<u32> {
        let mut found = Vec::new();
        tell(&mut |value| found.push(value));
        found.sort_unstable();
        found
    }

    fn numbered(operands: &[&str]) -> Vec<(Vec<u8>, u32)> {
        operands.iter().zip(0..).map(|(text, value)| (text.as_bytes().to_vec(), value)).collect()
    }

    #[test]
    fn prefixes_and_suffixes() {
        let set = PrefixSet::build(numbered(&["arn:aws:s3", "arn:aws:", "", "b", "arn:aws:s3:::x", "arn:aws:"]));
        let each = |text: &str| sorted(|found| set.each(text.as_bytes(), &mut |value| found(value)));
        assert_eq!(each("arn:aws:s3:::"), [0, 1, 2, 5]);
        assert_eq!(each("arn:aws_s3:::x"), [2]);
        assert_eq!(each(""), [2]);
        assert_eq!(sorted(|found| set.whole(b"arn:aws:", &mut |value| found(value))), [1, 5]);
        let set = SuffixSet::build(numbered(&[".json.gz", ".gz", "x.gz", "é"]));
        let each = |text: &str| sorted(|found| set.each(text.as_bytes(), &mut |value| found(value)));
        assert_eq!(each("a.json.gz"), [0, 1]);
        assert_eq!(each("é"), [3]);
        assert!(set.any(b"x.gz") && !set.any(b"gz"));
        let none = PrefixSet::build(Vec::new());
        assert!(!none.any(b"") && !none.any(b"x"));
    }

    #[test]
    fn chains_stay_linear() {
        let operands: Vec<_> = (0..3_000).map(|length| (vec![b'a'; length], length as u32)).collect();
        let bytes: usize = operands.iter().map(|(text, _)| text.len()).sum();
        let set = PrefixSet::build(operands);
        assert_eq!(sorted(|found| set.each(&[b'a'; 2_000], &mut |value| found(value))).len(), 2_001);
        assert!(set.memory_usage() < bytes / 10, "only the longest of a chain is stored");
    }

    proptest! {
        #[test]
        fn affixes_agree_with_scanning(
            operands in prop::collection::vec(("[ab]{0,5}|arn:aws:[ab]{0,3}", 0_u32..9), 0..20),
            text in "[ab]{0,7}|arn:aws:[ab]{0,5}",
        ) {
            let mut entries: Vec<_> = operands.iter().map(|(text, value)| (text.clone().into_bytes(), *value)).collect();
            let (front, back) = (PrefixSet::build(entries.clone()), SuffixSet::build(entries.clone()));
            entries.sort_unstable();
            entries.dedup();
            let scan = |fits: &dyn Fn(&[u8]) -> bool| {
                let mut values: Vec<_> = entries.iter().filter(|(text, _)| fits(text)).map(|(_, value)| *value).collect();
                values.sort_unstable();
                values
            };
            let text = text.as_bytes();
            let begins = scan(&|operand| text.starts_with(operand));
            prop_assert_eq!(front.any(text), !begins.is_empty());
            prop_assert_eq!(sorted(|found| front.each(text, &mut |value| found(value))), begins);
            prop_assert_eq!(sorted(|found| back.each(text, &mut |value| found(value))), scan(&|operand| text.ends_with(operand)));
            prop_assert_eq!(sorted(|found| back.whole(text, &mut |value| found(value))), scan(&|operand| text == operand));
        }
    }
}
