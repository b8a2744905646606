//! How findings are shown: to people, to programs, to code hosts.

use std::io::{self, Write};

use eventrie::diagnostic::{Code, Finding, Position, Severity, Span};
use eventrie_files::SourceFile;
use serde_json::{Value, json};

use crate::shown::harmless;

/// The forms that findings can take.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Format {
    /// Text with carets, as rustc prints it
    Human,
    /// One JSON object a line
    Json,
    /// SARIF 2.1.0, for code scanning
    Sarif,
    /// Annotations of GitHub Actions
    Github,
}

/// Writes findings, in one form, and counts them.
pub(crate) struct Reporter {
    format: Format,
    color: bool,
    out: Box<dyn Write>,
    results: Vec<Value>,
    failed: Option<io::Error>,
    pub(crate) errors: usize,
    pub(crate) warnings: usize,
    pub(crate) notes: usize,
}

impl Reporter {
    /// Findings on standard output.
    pub(crate) fn stdout(format: Format) -> Reporter {
        let out = anstream::stdout();
        let color = out.current_choice() != anstream::ColorChoice::Never;
        Reporter::new(format, color, Box::new(out))
    }

    /// Findings beside something else: to people, on standard error.
    pub(crate) fn stderr() -> Reporter {
        let out = anstream::stderr();
        let color = out.current_choice() != anstream::ColorChoice::Never;
        Reporter::new(Format::Human, color, Box::new(out))
    }

    fn new(format: Format, color: bool, out: Box<dyn Write>) -> Reporter {
        Reporter { format, color, out, results: Vec::new(), failed: None, errors: 0, warnings: 0, notes: 0 }
    }

    /// Reports one finding, its places being those of the file; `place` names where in the file the pattern is.
    pub(crate) fn show(&mut self, file: &SourceFile, finding: &Finding, place: Option<&str>) {
        match finding.severity {
            Severity::Error => self.errors += 1,
            Severity::Warning => self.warnings += 1,
            _ => self.notes += 1,
        }
        let written = match self.format {
            Format::Human => self.human(file, finding, place),
            Format::Json => writeln!(self.out, "{}", record(file, finding, place)),
            Format::Github => self.github(file, finding, place),
            Format::Sarif => {
                self.results.push(sarif_result(file, finding, place));
                Ok(())
            }
        };
        if let Err(error) = written {
            self.failed.get_or_insert(error);
        }
    }

    /// Writes what can only be written at the end; tells whether everything could be written.
    pub(crate) fn finish(&mut self) -> io::Result<()> {
        if let Some(error) = self.failed.take() {
            return Err(error);
        }
        if self.format == Format::Sarif {
            let results = std::mem::take(&mut self.results);
            serde_json::to_writer_pretty(&mut self.out, &sarif(results))?;
            writeln!(self.out)?;
        }
        self.out.flush()
    }

    fn human(&mut self, file: &SourceFile, finding: &Finding, place: Option<&str>) -> io::Result<()> {
        writeln!(self.out, "{}", finding.render(file.text()).name(file.name()).color(self.color))?;
        if let Some(place) = place {
            // Below the other notes, which stand behind the line numbers.
            let plain = finding.render(file.text()).to_string();
            let bar = plain.lines().filter_map(|line| line.split_once('|')).find(|(lead, _)| lead.trim().is_empty());
            writeln!(self.out, "{}= in: {}", bar.map_or("  ", |(lead, _)| lead), harmless(place))?;
        }
        writeln!(self.out)
    }

    fn github(&mut self, file: &SourceFile, finding: &Finding, place: Option<&str>) -> io::Result<()> {
        let property = |text: &str| message(text).replace(':', "%3A").replace(',', "%2C");
        let level = match finding.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            _ => "notice",
        };
        let region = region(file.text(), finding.label.span);
        let mut text = finding.message.clone();
        if let Some(help) = &finding.help {
            text.push_str("\nhelp: ");
            text.push_str(help);
        }
        if let Some(place) = place {
            text.push_str("\nin: ");
            text.push_str(place);
        }
        writeln!(
            self.out,
            "::{level} file={},line={},col={},endLine={},endColumn={},title={}::{}",
            property(file.name()),
            region.start.0,
            region.start.1,
            region.end.0,
            region.end.1,
            property(finding.code.as_str()),
            message(&text),
        )
    }
}

/// Text for the message of a GitHub annotation.
fn message(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// Line and column, both from 1, of both ends; columns are characters.
struct Region {
    start: (u32, u32),
    end: (u32, u32),
}

fn region(text: &str, span: Span) -> Region {
    let start = Position::of(text, span.start as usize);
    // The second end is found from the first, so that a long file is not walked twice.
    let rest = text.get(span.start as usize..).unwrap_or("");
    let end = Position::of(rest, span.len() as usize);
    let column = if end.line == 1 { start.column + end.column - 1 } else { end.column };
    Region { start: (start.line, start.column), end: (start.line + end.line - 1, column) }
}

fn severity(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        _ => "note",
    }
}

/// One finding as a JSON object. The keys are stable.
fn record(file: &SourceFile, finding: &Finding, place: Option<&str>) -> Value {
    let at = region(file.text(), finding.label.span);
    let context: Vec<Value> = finding
        .context
        .iter()
        .map(|label| {
            let at = region(file.text(), label.span);
            json!({"line": at.start.0, "column": at.start.1, "end_line": at.end.0, "end_column": at.end.1, "message": label.message})
        })
        .collect();
    let fix = finding.fix.as_ref().map(|fix| {
        let at = region(file.text(), fix.span);
        json!({
            "title": fix.title, "replacement": fix.replacement, "safe": fix.safe,
            "start": fix.span.start, "end": fix.span.end,
            "line": at.start.0, "column": at.start.1, "end_line": at.end.0, "end_column": at.end.1,
        })
    });
    json!({
        "file": file.name(), "line": at.start.0, "column": at.start.1, "end_line": at.end.0, "end_column": at.end.1,
        "start": finding.label.span.start, "end": finding.label.span.end,
        "place": place, "code": finding.code.as_str(), "severity": severity(finding.severity),
        "message": finding.message, "label": finding.label.message, "help": finding.help,
        "service": finding.service, "context": context, "fix": fix,
    })
}

fn sarif_result(file: &SourceFile, finding: &Finding, place: Option<&str>) -> Value {
    let at = region(file.text(), finding.label.span);
    let mut text = finding.message.clone();
    if let Some(help) = &finding.help {
        text.push_str("\nhelp: ");
        text.push_str(help);
    }
    let mut location = json!({
        "physicalLocation": {
            "artifactLocation": {"uri": uri(file.name())},
            "region": {"startLine": at.start.0, "startColumn": at.start.1, "endLine": at.end.0, "endColumn": at.end.1},
        },
    });
    if let (Some(place), Some(location)) = (place, location.as_object_mut()) {
        location.insert("logicalLocations".to_owned(), json!([{"fullyQualifiedName": place}]));
    }
    json!({
        "ruleId": finding.code.as_str(),
        "level": severity(finding.severity),
        "message": {"text": text},
        "locations": [location],
    })
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

fn sarif(results: Vec<Value>) -> Value {
    let rules: Vec<Value> = Code::all().iter().map(|code| json!({"id": code.as_str()})).collect();
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {
                "name": "eventrie",
                "version": env!("CARGO_PKG_VERSION"),
                "informationUri": env!("CARGO_PKG_REPOSITORY"),
                "rules": rules,
            }},
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    })
}
