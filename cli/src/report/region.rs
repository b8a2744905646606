//! Where a finding is, in lines and columns.

use eventrie::diagnostic::{LineIndex, Span};
use serde_json::{Value, json};

/// Line and column, both from 1, of both ends; columns are characters.
pub(super) struct Region {
    pub(super) start: (u32, u32),
    pub(super) end: (u32, u32),
}

impl Region {
    pub(super) fn of(lines: &LineIndex<'_>, span: Span) -> Region {
        let place = |offset: u32| {
            let position = lines.position(offset as usize);
            (position.line, position.column)
        };
        Region { start: place(span.start), end: place(span.end) }
    }

    /// The keys of a JSON object that say it.
    pub(super) fn json(&self) -> Value {
        json!({"line": self.start.0, "column": self.start.1, "end_line": self.end.0, "end_column": self.end.1})
    }
}
