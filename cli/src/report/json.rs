//! Findings as JSON, one object per line.

use std::io::{self, Write};

use eventrie::diagnostic::Finding;
use eventrie_files::Edit;
use serde_json::{Value, json};

use super::region::Region;
use super::source::{About, Source, word};

/// Writes one finding as a JSON object. The keys are stable.
pub(super) fn write(out: &mut dyn Write, source: &Source<'_>, finding: &Finding, about: &About<'_>) -> io::Result<()> {
    let context: Vec<Value> = finding
        .context
        .iter()
        .map(|label| merged(Region::of(&source.lines, label.span).json(), json!({"message": label.message})))
        .collect();
    let fix = finding.fix.as_ref().map(|fix| {
        let keys = json!({
            "title": fix.title, "replacement": fix.replacement, "safe": fix.is_safe() && !about.is_refused,
            "start": fix.span.start, "end": fix.span.end,
        });
        merged(Region::of(&source.lines, fix.span).json(), keys)
    });
    let edits = about.edits.map(|edits| {
        let edit = |edit: &Edit| json!({"start": edit.range.start, "end": edit.range.end, "text": edit.text});
        edits.iter().map(edit).collect::<Vec<_>>()
    });
    let keys = json!({
        "file": source.file.name(), "start": finding.label.span.start, "end": finding.label.span.end,
        "place": about.place, "code": finding.code.as_str(), "severity": word(finding.severity),
        "message": finding.message, "label": finding.label.message, "help": finding.help,
        "service": finding.service, "context": context, "fix": fix, "edits": edits,
    });
    writeln!(out, "{}", merged(Region::of(&source.lines, finding.label.span).json(), keys))
}

/// The members of both objects.
fn merged(mut object: Value, other: Value) -> Value {
    if let (Some(members), Value::Object(others)) = (object.as_object_mut(), other) {
        members.extend(others);
    }
    object
}
