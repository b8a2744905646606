//! Values with a name, which other parts of the file use as well: anchors of YAML, locals and variables of Terraform.
//!
//! A fix that changes such a value changes every use of it. That is right only where each use is part of a pattern.

use std::collections::HashSet;
use std::ops::Range;

use super::outcome::Edit;
use crate::document::Document;
use crate::located::Form;
use crate::tree::{Named, named};

/// The named values of a file, and the patterns that may use them.
pub(super) struct Uses {
    /// By their first byte, an outer value before those inside it.
    named: Vec<Named>,
    /// For each, the named value around it.
    outer: Vec<Option<usize>>,
    /// The bytes of each pattern, with its rule; by their first byte.
    patterns: Vec<(Range<usize>, usize)>,
    /// How far any pattern up to here reaches.
    reach: Vec<usize>,
}

impl Uses {
    pub(super) fn of(document: &Document) -> Uses {
        let mut uses = Uses { named: Vec::new(), outer: Vec::new(), patterns: Vec::new(), reach: Vec::new() };
        // What is in the file as it is has no names.
        if document.patterns().iter().all(|found| matches!(found.pattern().form(), Form::Verbatim)) {
            return uses;
        }
        uses.named = named::of(document.file().name(), document.file().text());
        if uses.named.is_empty() {
            return uses;
        }
        uses.named.sort_by_key(|named| (named.span.start, std::cmp::Reverse(named.span.end)));
        let mut around: Vec<usize> = Vec::new();
        for (at, named) in uses.named.iter().enumerate() {
            while around
                .pop_if(|outer| uses.named.get(*outer).is_some_and(|outer| outer.span.end < named.span.end))
                .is_some()
            {}
            uses.outer.push(around.last().copied());
            around.push(at);
        }
        uses.patterns = document.patterns().iter().map(|found| (found.pattern().whole(), found.group())).collect();
        uses.patterns.sort_by_key(|(range, _)| range.start);
        let mut reach = 0;
        for (range, _) in &uses.patterns {
            reach = reach.max(range.end);
            uses.reach.push(reach);
        }
        uses
    }

    /// Whether edits change a value that something besides patterns uses.
    pub(super) fn are_elsewhere(&self, edits: &[Edit]) -> bool {
        let mut seen = HashSet::new();
        let mut left: Vec<Range<usize>> = edits.iter().map(|edit| edit.range.clone()).collect();
        while let Some(range) = left.pop() {
            for at in [range.start, range.end].into_iter().flat_map(|byte| self.around(byte)) {
                let Some(named) = self.named.get(at).filter(|_| seen.insert(at)) else { continue };
                let (inside, outside): (Vec<usize>, Vec<usize>) =
                    named.uses.iter().partition(|at| self.is_in_pattern(**at, &named.span));
                // Each use that is in no pattern must be one, or have one in it.
                let rules = self.patterns.iter().filter(|(pattern, _)| {
                    let is_within = named.span.start <= pattern.start && pattern.end <= named.span.end;
                    is_within && pattern.start <= range.start && range.end <= pattern.end
                });
                if outside.len() > rules.map(|(_, rule)| rule).collect::<HashSet<_>>().len() {
                    return true;
                }
                left.extend(inside.into_iter().map(|at| at..at));
            }
        }
        false
    }

    /// The named values that a byte is in, from the innermost.
    fn around(&self, byte: usize) -> impl Iterator<Item = usize> {
        let last = self.named.partition_point(|named| named.span.start <= byte).checked_sub(1);
        let chain = std::iter::successors(last, |at| self.outer.get(*at).copied().flatten());
        chain.filter(move |at| self.named.get(*at).is_some_and(|named| byte <= named.span.end))
    }

    /// Whether a use is inside a pattern, not around one.
    fn is_in_pattern(&self, at: usize, named: &Range<usize>) -> bool {
        let before = match at == named.start {
            true => self.patterns.partition_point(|(range, _)| range.start < at),
            false => self.patterns.partition_point(|(range, _)| range.start <= at),
        };
        before.checked_sub(1).and_then(|last| self.reach.get(last)).is_some_and(|reach| at < *reach)
    }
}
