//! How findings are shown: to people, to programs, to code hosts.

mod github;
mod human;
mod json;
mod region;
mod sarif;

use std::io::{self, Write};

use eventrie::diagnostic::{Finding, LineIndex, Severity};
use eventrie_files::SourceFile;

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

/// A file that findings are about, with its lines, which are found once.
pub(crate) struct Source<'a> {
    file: &'a SourceFile,
    lines: LineIndex<'a>,
}

impl<'a> Source<'a> {
    pub(crate) fn new(file: &'a SourceFile) -> Source<'a> {
        Source { file, lines: LineIndex::new(file.text()) }
    }
}

impl Source<'_> {
    /// The part of a range that is on its first line.
    pub(crate) fn first_line(&self, range: &std::ops::Range<usize>) -> std::ops::Range<usize> {
        let text = self.file.text().get(range.clone()).unwrap_or("");
        range.start..range.start + text.lines().next().unwrap_or("").trim_end().len().max(1)
    }
}

/// Writes findings, in one form, and counts them.
pub(crate) struct Reporter {
    format: Format,
    color: bool,
    out: Box<dyn Write>,
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
        let mut reporter = Reporter { format, color, out, failed: None, errors: 0, warnings: 0, notes: 0 };
        if format == Format::Sarif {
            reporter.failed = sarif::begin(&mut reporter.out).err();
        }
        reporter
    }

    /// Reports one finding, its places being those of the file; `place` names where in the file the pattern is.
    pub(crate) fn show(&mut self, source: &Source<'_>, finding: &Finding, place: Option<&str>) {
        let is_first = self.errors + self.warnings + self.notes == 0;
        match finding.severity {
            Severity::Error => self.errors += 1,
            Severity::Warning => self.warnings += 1,
            _ => self.notes += 1,
        }
        let out = &mut self.out;
        let written = match self.format {
            Format::Human => human::write(out, source, finding, place, self.color),
            Format::Json => json::write(out, source, finding, place),
            Format::Github => github::write(out, source, finding, place),
            Format::Sarif => sarif::write(out, source, finding, place, is_first),
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
            sarif::end(&mut self.out)?;
        }
        self.out.flush()
    }
}

/// The message of a finding, and its help.
fn with_help(finding: &Finding) -> String {
    match &finding.help {
        Some(help) => format!("{}\nhelp: {help}", finding.message),
        None => finding.message.clone(),
    }
}

fn word(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        _ => "note",
    }
}
