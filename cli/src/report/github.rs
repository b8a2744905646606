//! Findings as annotations of GitHub Actions.

use std::io::{self, Write};

use eventrie::diagnostic::{Finding, Severity};

use super::region::Region;
use super::source::{Source, with_help};

pub(super) fn write(
    out: &mut dyn Write,
    source: &Source<'_>,
    finding: &Finding,
    place: Option<&str>,
) -> io::Result<()> {
    let property = |text: &str| message(text).replace(':', "%3A").replace(',', "%2C");
    let level = match finding.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        _ => "notice",
    };
    let region = Region::of(&source.lines, finding.label.span);
    let mut text = with_help(finding);
    if let Some(place) = place {
        text.push_str("\nin: ");
        text.push_str(place);
    }
    writeln!(
        out,
        "::{level} file={},line={},col={},endLine={},endColumn={},title={}::{}",
        property(relative(source.file.name())),
        region.start.0,
        region.start.1,
        region.end.0,
        region.end.1,
        property(finding.code.as_str()),
        message(&text),
    )
}

/// A file as GitHub names it: with `./` in front it would be another file, and the annotation would be at no line.
fn relative(name: &str) -> &str {
    name.strip_prefix("./").unwrap_or(name)
}

/// Text for the message of an annotation.
fn message(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}
