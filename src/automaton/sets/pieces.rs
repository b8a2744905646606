//! Finding all of a set of strings in another one: the automaton of Aho and Corasick with sparse transitions, so it
//! takes a few words for each byte of the pieces, whatever they are. Two steps for each byte of the text at most, and one
//! for each piece found. Small automata have all transitions written out on top, and take one step for each byte.

#![allow(
    clippy::indexing_slicing,
    reason = "INVARIANT: state and piece numbers are made by `build` for the tables they index; `states` has one entry \
              behind the last real state, so `state + 1` is always there; `root` has 256 entries"
)]

use std::ops::ControlFlow;

use super::affix::position;
use crate::base::{Id, Key};

/// No piece, no state.
const NONE: u32 = u32::MAX;
const ROOT: u32 = 0;

/// States lie level by level, so the children of a state are those from its `first` to the `first` of the state
/// after it.
#[derive(Clone, Copy, Debug)]
struct Matched {
    first: u32,
    /// The state of the longest proper suffix that is a state.
    fail: u32,
    /// This state, or the first one along `fail`, at which a piece ends.
    output: u32,
    /// The piece that ends here.
    piece: u32,
}

/// The most transitions that are written out: 64 KiB, and state numbers leave a bit free.
const DENSE: usize = 1 << 15;
/// Marks a transition to a state where a piece ends.
const HIT: u16 = 1 << 15;

/// All transitions, by state and class of bytes.
#[derive(Debug)]
struct Dense {
    class_of: Box<[u8]>,
    classes: usize,
    next: Box<[u16]>,
}

/// One of the strings that are searched for.
pub(crate) struct Text;
pub(crate) type PieceId = Id<Text>;

#[derive(Debug)]
pub(crate) struct Pieces {
    states: Box<[Matched]>,
    /// For each state the byte that leads to it.
    labels: Box<[u8]>,
    /// The state after the root for each byte.
    root: Box<[u32]>,
    dense: Option<Dense>,
}

impl Pieces {
    /// Freezes different, sorted, non-empty strings; a piece's number is its place in the list. Linear in their bytes.
    pub(crate) fn build(sorted: &[&[u8]]) -> Pieces {
        let (mut states, mut labels, mut parents) = (Vec::new(), vec![0], vec![ROOT]);
        let mut queue = std::collections::VecDeque::from([(0..sorted.len(), 0)]);
        while let Some((mut range, depth)) = queue.pop_front() {
            let (state, first) = (states.len() as u32, labels.len() as u32);
            let mut piece = NONE;
            if sorted.get(range.start).is_some_and(|text| depth > 0 && text.len() == depth) {
                piece = range.start as u32;
                range.start += 1;
            }
            states.push(Matched { first, fail: ROOT, output: NONE, piece });
            while let Some(label) = sorted[range.clone()].first().and_then(|text| text.get(depth)) {
                let run = sorted[range.clone()].iter().take_while(|text| text.get(depth) == Some(label)).count();
                labels.push(*label);
                parents.push(state);
                queue.push_back((range.start..range.start + run, depth + 1));
                range.start += run;
            }
        }
        states.push(Matched { first: labels.len() as u32, fail: ROOT, output: NONE, piece: NONE });
        let mut root = vec![ROOT; 256];
        for child in states[0].first..states[1].first {
            root[usize::from(labels[child as usize])] = child;
        }
        let mut pieces = Pieces { states: states.into(), labels: labels.into(), root: root.into(), dense: None };
        // Level by level, so shorter states are complete.
        for (state, parent) in parents.into_iter().enumerate().skip(1) {
            let fail = if parent == ROOT {
                ROOT
            } else {
                pieces.step(pieces.states[parent as usize].fail, pieces.labels[state])
            };
            let output =
                if pieces.states[state].piece == NONE { pieces.states[fail as usize].output } else { state as u32 };
            pieces.states[state].fail = fail;
            pieces.states[state].output = output;
        }
        pieces.dense = pieces.write_out();
        pieces
    }

    fn write_out(&self) -> Option<Dense> {
        let (mut class_of, mut classes) = (vec![0_u8; 256], 1);
        for label in &self.labels[1..] {
            let class = &mut class_of[usize::from(*label)];
            if *class == 0 {
                *class = u8::try_from(classes).ok()?;
                classes += 1;
            }
        }
        let states = self.labels.len();
        if states * classes > DENSE {
            return None;
        }
        let mut next = vec![0_u16; states * classes];
        for (state, pair) in self.states.windows(2).enumerate() {
            // Level by level: the row of `fail` is complete.
            let fail = pair[0].fail as usize * classes;
            next.copy_within(fail..fail + classes, state * classes);
            for child in pair[0].first as usize..pair[1].first as usize {
                let hit = if self.states[child].output == NONE { 0 } else { HIT };
                next[state * classes + usize::from(class_of[usize::from(self.labels[child])])] = child as u16 | hit;
            }
        }
        Some(Dense { class_of: class_of.into(), classes, next: next.into() })
    }

    #[inline]
    fn step(&self, mut state: u32, byte: u8) -> u32 {
        while state != ROOT {
            let Matched { first, fail, .. } = self.states[state as usize];
            let children = first as usize..self.states[state as usize + 1].first as usize;
            if let Some(child) = position(&self.labels[children], byte) {
                return first + child as u32;
            }
            state = fail;
        }
        self.root[usize::from(byte)]
    }

    /// Reports each piece that occurs in the text, with the place after it, in the order of these places, until `found`
    /// breaks off; whether it did not.
    #[inline]
    pub(crate) fn scan(&self, text: &[u8], mut found: impl FnMut(PieceId, usize) -> ControlFlow<()>) -> bool {
        if let Some(Dense { class_of, classes, next }) = &self.dense {
            let mut state = 0;
            for (byte, end) in text.iter().zip(1..) {
                let to = next[state * classes + usize::from(class_of[usize::from(*byte)])];
                state = usize::from(to & !HIT);
                if to & HIT != 0 && self.report(self.states[state].output, end, &mut found).is_break() {
                    return false;
                }
            }
            return true;
        }
        let mut state = ROOT;
        for (byte, end) in text.iter().zip(1..) {
            state = self.step(state, *byte);
            if self.report(self.states[state as usize].output, end, &mut found).is_break() {
                return false;
            }
        }
        true
    }

    #[inline]
    fn report(
        &self,
        mut hit: u32,
        end: usize,
        found: &mut impl FnMut(PieceId, usize) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        while hit != NONE {
            let Matched { fail, piece, .. } = self.states[hit as usize];
            found(PieceId::from_raw(piece), end)?;
            hit = self.states[fail as usize].output;
        }
        ControlFlow::Continue(())
    }

    /// Bytes on the heap.
    pub(crate) fn memory_usage(&self) -> usize {
        let dense = self.dense.as_ref().map_or(0, |dense| size_of_val(&*dense.class_of) + size_of_val(&*dense.next));
        size_of_val(&*self.states) + size_of_val(&*self.labels) + size_of_val(&*self.root) + dense
    }
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use proptest::prelude::*;

    use super::Pieces;
    use crate::base::Key;

    proptest! {
        #[test]
        fn agrees_with_searching_each(mut pieces in prop::collection::vec("[abc]{1,4}", 0..12), text in "[abc]{0,20}") {
            pieces.sort_unstable();
            pieces.dedup();
            let mut automaton = Pieces::build(&pieces.iter().map(String::as_bytes).collect::<Vec<_>>());
            let mut found = Vec::new();
            let completed = automaton.scan(text.as_bytes(), |piece, end| {
                found.push((end, piece.raw()));
                ControlFlow::Continue(())
            });
            prop_assert!(completed);
            prop_assert!(found.is_sorted_by_key(|(end, _)| *end));
            found.sort_unstable();
            let mut each = Vec::new();
            for end in 1..=text.len() {
                let fits = pieces.iter().zip(0..).filter(|(piece, _)| text[..end].ends_with(piece.as_str()));
                each.extend(fits.map(|(_, number)| (end, number)));
            }
            prop_assert_eq!(&found, &each);
            automaton.dense = None;
            let mut sparse = Vec::new();
            automaton.scan(text.as_bytes(), |piece, end| {
                sparse.push((end, piece.raw()));
                ControlFlow::Continue(())
            });
            sparse.sort_unstable();
            prop_assert_eq!(sparse, each);
        }
    }
}
