//! What the filters of one subscriber say about each other.

use crate::dialect::Dialect;
use crate::pattern::Pattern;
use crate::pattern::ast::{Test, TestKind};

/// The events that the SYSTEM_METADATA filter of a subscriber selects, as far as it names them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Selected {
    /// Events of PutEvents, of AWS services and of partners: with `aws:Source`, `aws:DetailType`, or their content type.
    Events,
    /// Events of PutRawEvents in JSON.
    RawEvents,
    /// Events whose data no filter can read.
    Unreadable,
    /// It does not say.
    Any,
}

impl Selected {
    pub(super) fn by(others: &[&Pattern]) -> Selected {
        let mut selected = Selected::Any;
        for pattern in others.iter().filter(|other| other.dialect() == Dialect::EventsV2SystemMetadata) {
            for (key, tests) in top_level(pattern) {
                let present = !tests.iter().any(|test| matches!(test.kind, TestKind::Exists(false)));
                let all = |value: &str| {
                    !tests.is_empty()
                        && tests.iter().all(|test| matches!(&test.kind, TestKind::String(text) if &*text.text == value))
                };
                match key {
                    "aws:Source" | "aws:DetailType" if present => return Selected::Events,
                    "ContentType" if all("application/eventbridge+json") => return Selected::Events,
                    "ContentType" if all("application/json") => selected = Selected::RawEvents,
                    "ContentType" if all("application/octet-stream") => selected = Selected::Unreadable,
                    _ => {}
                }
            }
        }
        selected
    }
}

/// Whether a filter of the subscriber tests `aws:Source`.
pub(super) fn proves_source(others: &[&Pattern]) -> bool {
    others
        .iter()
        .filter(|other| other.dialect() == Dialect::EventsV2SystemMetadata)
        .any(|other| top_level(other).any(|(key, _)| key == "aws:Source"))
}

/// The lists at the top level of a pattern, without those in an `$or`.
fn top_level(pattern: &Pattern) -> impl Iterator<Item = (&str, &[Test])> {
    let ast = pattern.ast();
    ast.children(0).filter_map(move |(_, node)| {
        let key = node.key.as_ref()?;
        Some((&*key.text, ast.tests_of(node))).filter(|(_, tests)| !tests.is_empty())
    })
}
