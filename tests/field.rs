//! Small cases from reports of people who got stuck: what the first line of the answer says. The snapshot is there to
//! be read: each line must name the cause in words that need no documentation. `UPDATE_SNAPSHOTS=1` rewrites it.

use std::fmt::Write as _;
use std::path::Path;

use eventrie::{Dialect, ParseOptions, Pattern};
use serde_json::Value;

#[test]
fn first_lines() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let cases = std::fs::read_to_string(folder.join("field-cases.jsonl")).unwrap();
    let mut text = String::new();
    for line in cases.lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        let get = |key: &str| case[key].as_str().unwrap_or("");
        let dialect = get("dialect").parse::<Dialect>().unwrap();
        writeln!(text, "## {}\n  pattern {}", get("id"), get("pattern")).unwrap();
        match Pattern::parse_with(get("pattern"), &ParseOptions::new(dialect).service_limits(true)) {
            Err(error) => {
                assert_eq!(get("expect"), "invalid", "{}", get("id"));
                let first = &error.findings()[0];
                writeln!(text, "  error[{}]: {}", first.code, first.message).unwrap();
                if let Some(help) = &first.help {
                    writeln!(text, "    help: {help}").unwrap();
                }
                if let Some(fix) = &first.fix {
                    writeln!(text, "    fix: {}: {}", fix.title, fix.replacement).unwrap();
                }
            }
            Ok(pattern) => {
                writeln!(text, "  event {}", get("event")).unwrap();
                match pattern.explain(get("event").as_bytes()) {
                    Ok(explanation) => {
                        let expected = if explanation.matched() { "match" } else { "no_match" };
                        assert_eq!(get("expect"), expected, "{}", get("id"));
                        writeln!(text, "  {}", explanation.summary()).unwrap();
                        if let Some(help) = explanation.help() {
                            writeln!(text, "    help: {help}").unwrap();
                        }
                    }
                    Err(error) => {
                        assert_eq!(get("expect"), "no_match", "{}", get("id"));
                        writeln!(text, "  {error}").unwrap();
                    }
                }
                for found in &pattern.lint_with(&eventrie::pattern::LintOptions::default().notes(true)) {
                    writeln!(text, "  {}[{}]: {}", found.severity, found.code, found.message).unwrap();
                    if let Some(help) = &found.help {
                        writeln!(text, "    help: {help}").unwrap();
                    }
                    if let Some(fix) = &found.fix {
                        writeln!(text, "    fix: {}: {}", fix.title, fix.replacement).unwrap();
                    }
                }
            }
        }
        text.push('\n');
    }
    snapshot(&folder.join("field-cases.snap"), &text);
}

/// Compares with the file, or writes it if `UPDATE_SNAPSHOTS` is set.
pub(crate) fn snapshot(path: &Path, text: &str) {
    if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
        std::fs::write(path, text).unwrap();
        return;
    }
    let stored = std::fs::read_to_string(path).unwrap_or_default();
    for (number, (is, was)) in text.lines().zip(stored.lines()).enumerate() {
        assert_eq!(is, was, "line {} of {} (UPDATE_SNAPSHOTS=1 accepts the new text)", number + 1, path.display());
    }
    assert_eq!(text.lines().count(), stored.lines().count(), "{} has another length", path.display());
}
