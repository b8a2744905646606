//! The service's wording of refusals, against what was recorded and what its engine says.

use std::path::Path;

use eventrie::{Dialect, ParseOptions, Pattern, SnsVersion};
use serde_json::Value;

/// The rows of a corpus file; none if the corpus is not there.
pub(super) fn rows(name: &str) -> Option<Vec<Value>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpus").join(name);
    match std::fs::read_to_string(&path) {
        Ok(text) => Some(text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()),
        Err(_) => {
            eprintln!("skipped: there is no corpus file {name} beside this checkout");
            None
        }
    }
}

pub(super) fn options(row: &Value) -> ParseOptions {
    let dialect = Dialect::from_name(row["dialect"].as_str().unwrap()).unwrap();
    let version = SnsVersion::from_name(row["version"].as_str().unwrap_or("2026")).unwrap();
    ParseOptions::new(dialect).service_limits(true).sns_version(version)
}

/// The text behind the envelope.
fn bare(message: &str) -> &str {
    for envelope in [
        "Event pattern is not valid. Reason: ",
        "Invalid parameter: FilterPolicy: ",
        "Invalid parameter: Attributes Reason: FilterPolicy: ",
        "Invalid parameter: Attributes Reason: ",
        "Invalid parameter: ",
    ] {
        if let Some(text) = message.strip_prefix(envelope) {
            return text;
        }
    }
    message
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or("")
}

#[test]
fn the_engines_messages_are_byte_identical() {
    let Some(rows) = rows("engine-invalid.jsonl") else { return };
    let mut different = Vec::new();
    for row in &rows {
        let source = row["pattern"].as_str().unwrap();
        let wanted = row["error"].as_str().unwrap();
        match Pattern::parse_with(source, &options(row)) {
            Err(error) if bare(&error.service_message()) == wanted => {}
            Err(error) => different.push(format!("{source}\n  wanted {wanted}\n  said   {}", error.service_message())),
            Ok(_) => different.push(format!("{source}\n  wanted {wanted}\n  accepted")),
        }
    }
    assert!(different.is_empty(), "{} of {} differ:\n{}", different.len(), rows.len(), different.join("\n"));
    println!("{} messages of the engine are reproduced byte for byte", rows.len());
}

#[test]
fn recorded_messages_are_reproduced() {
    let mut checked = 0;
    for name in ["eventbridge-recorded.jsonl", "sns-recorded.jsonl", "records-recorded.jsonl"] {
        for row in rows(name).unwrap_or_default() {
            let Some(wanted) = row["error"].as_str() else { continue };
            let id = &row["id"];
            let source = row["pattern"].as_str().unwrap();
            let error = Pattern::parse_with(source, &options(&row)).expect_err("refused by the service");
            let said = error.service_message();
            if wanted.contains('\n') {
                assert_eq!(bare(&said), bare(wanted), "{id}");
            } else {
                assert_eq!(first_line(bare(&said)), bare(wanted), "{id}");
            }
            checked += 1;
        }
    }
    println!("{checked} recorded messages are reproduced");
}

#[test]
fn what_is_refused_and_what_is_not() {
    for name in [
        "eventbridge-recorded.jsonl",
        "sns-recorded.jsonl",
        "records-recorded.jsonl",
        "sns-reported.jsonl",
        "records-reported.jsonl",
        "field-reports.jsonl",
        "engine-value.jsonl",
        "engine-struct.jsonl",
        "engine-or.jsonl",
        "engine-orv.jsonl",
        "engine-real.jsonl",
    ] {
        for row in rows(name).unwrap_or_default() {
            let Some(source) = row["pattern"].as_str() else { continue };
            if source.contains("\"Filters\"") {
                continue;
            }
            let refused = row["expect"] == "invalid";
            let result = Pattern::parse_with(source, &options(&row));
            assert_eq!(
                result.is_err(),
                refused,
                "{name} {}: {source}\n{:?}",
                row["id"],
                result.err().map(|error| error.to_string())
            );
        }
    }
}
