//! Findings as SARIF 2.1.0, written as they come: one document, one line per finding.

use std::io::{self, Write};

use eventrie::diagnostic::{Code, Finding};
use serde_json::{Value, json};

use super::region::Region;
use super::source::{Source, with_help, word};

/// Writes what is before the findings.
pub(super) fn begin(out: &mut dyn Write) -> io::Result<()> {
    let rules: Vec<Value> = Code::ALL.iter().map(|code| json!({"id": code.as_str()})).collect();
    let driver = json!({
        "name": "eventrie",
        "version": env!("CARGO_PKG_VERSION"),
        "informationUri": env!("CARGO_PKG_REPOSITORY"),
        "rules": rules,
    });
    write!(
        out,
        "{{\"$schema\":\"https://json.schemastore.org/sarif-2.1.0.json\",\"version\":\"2.1.0\",\"runs\":[{{\n\
         \"tool\":{{\"driver\":{driver}}},\n\"columnKind\":\"unicodeCodePoints\",\n\"results\":["
    )
}

/// Writes what is after the findings.
pub(super) fn end(out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "\n]}}]}}")
}

pub(super) fn write(
    out: &mut dyn Write,
    source: &Source<'_>,
    finding: &Finding,
    place: Option<&str>,
    is_first: bool,
) -> io::Result<()> {
    let at = Region::of(&source.lines, finding.label.span);
    let mut location = json!({
        "physicalLocation": {
            "artifactLocation": {"uri": uri(source.file.name())},
            "region": {"startLine": at.start.0, "startColumn": at.start.1, "endLine": at.end.0, "endColumn": at.end.1},
        },
    });
    if let (Some(place), Some(location)) = (place, location.as_object_mut()) {
        location.insert("logicalLocations".to_owned(), json!([{"fullyQualifiedName": place}]));
    }
    let result = json!({
        "ruleId": finding.code.as_str(),
        "level": word(finding.severity),
        "message": {"text": with_help(finding)},
        "locations": [location],
    });
    write!(out, "{}\n{result}", if is_first { "" } else { "," })
}

/// A file name as a relative URI reference.
fn uri(name: &str) -> String {
    let mut uri = String::with_capacity(name.len());
    for byte in name.replace('\\', "/").bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' | b'~' => uri.push(char::from(byte)),
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}
