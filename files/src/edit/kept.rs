//! The fixes that are kept, found by the bytes of the file and of their pattern that they change.

use std::collections::{BTreeMap, HashSet};
use std::ops::Range;

use super::outcome::Edit;

/// A fix that could be applied: its number, the span in its pattern's text, and the edits of the file.
#[derive(Clone, Debug)]
pub(super) struct Change {
    pub(super) number: usize,
    pub(super) pattern: usize,
    pub(super) span: Range<usize>,
    pub(super) edits: Vec<Edit>,
}

/// Changes that do not touch one another, except those of several patterns that share bytes of the file.
#[derive(Default)]
pub(super) struct Kept {
    changes: Vec<Change>,
    numbers: HashSet<usize>,
    /// Start and end of an edit → the changes that have it. None overlap, so the ends ascend as well.
    places: BTreeMap<(usize, usize), Vec<usize>>,
    /// Pattern and start of a span in its text → the end of the span.
    spans: BTreeMap<(usize, usize), usize>,
}

impl Kept {
    pub(super) fn changes(&self) -> &[Change] {
        &self.changes
    }

    pub(super) fn has(&self, number: usize) -> bool {
        self.numbers.contains(&number)
    }

    /// Whether a change touches none of these, in the file or in its pattern's text. The same edits may come from another
    /// pattern.
    pub(super) fn admits(&self, change: &Change) -> bool {
        let touched = self.spans.range(..=(change.pattern, change.span.end)).next_back();
        if touched.is_some_and(|(&(pattern, _), &end)| pattern == change.pattern && change.span.start <= end) {
            return false;
        }
        change.edits.iter().all(|edit| {
            let last = self.places.range(..=(edit.range.end, usize::MAX)).next_back();
            let Some((_, owners)) = last.filter(|((_, end), _)| edit.range.start <= *end) else { return true };
            owners
                .iter()
                .filter_map(|owner| self.changes.get(*owner))
                .all(|other| other.edits == change.edits && other.pattern != change.pattern)
        })
    }

    pub(super) fn add(&mut self, change: Change) {
        let owner = self.changes.len();
        for edit in &change.edits {
            self.places.entry((edit.range.start, edit.range.end)).or_default().push(owner);
        }
        self.spans.insert((change.pattern, change.span.start), change.span.end);
        self.numbers.insert(change.number);
        self.changes.push(change);
    }
}
