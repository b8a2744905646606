//! How findings are shown: to people, to programs, to code hosts.

mod github;
mod human;
mod json;
pub(crate) mod page;
mod region;
mod sarif;
mod source;

use std::io::{self, Write};

use eventrie::diagnostic::{Finding, Severity};
pub(crate) use source::{About, Source};

/// The forms that findings can take.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Format {
    /// Text with carets, in the style of rustc
    Human,
    /// One JSON object per line
    Json,
    /// SARIF 2.1.0, for code scanning
    Sarif,
    /// GitHub Actions annotations
    Github,
}

/// Writes findings, in one form, and counts them.
pub(crate) struct Reporter {
    format: Format,
    color: bool,
    out: Box<dyn Write>,
    sarif: sarif::Sarif,
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
        let mut reporter = Reporter {
            format,
            color,
            out,
            sarif: sarif::Sarif::default(),
            failed: None,
            errors: 0,
            warnings: 0,
            notes: 0,
        };
        if format == Format::Sarif {
            reporter.failed = sarif::begin(&mut reporter.out).err();
        }
        reporter
    }

    /// Reports one finding, its places being those of the file; `place` names where in the file the pattern is.
    pub(crate) fn show(&mut self, source: &Source<'_>, finding: &Finding, place: Option<&str>) {
        self.show_with(source, finding, &About { place, ..About::default() });
    }

    /// The same for a finding of which more is known.
    pub(crate) fn show_with(&mut self, source: &Source<'_>, finding: &Finding, about: &About<'_>) {
        match finding.severity {
            Severity::Error => self.errors += 1,
            Severity::Warning => self.warnings += 1,
            _ => self.notes += 1,
        }
        self.write(source, finding, about);
    }

    /// As [`Reporter::show_with`], of what is not counted.
    pub(crate) fn write(&mut self, source: &Source<'_>, finding: &Finding, about: &About<'_>) {
        let out = &mut self.out;
        let written = match self.format {
            Format::Human => human::write(out, source, finding, about, self.color),
            Format::Json => json::write(out, source, finding, about),
            Format::Github => github::write(out, source, finding, about.place),
            Format::Sarif => self.sarif.write(out, source, finding, about),
        };
        if let Err(error) = written {
            self.failed.get_or_insert(error);
        }
    }

    /// Writes what can only be written at the end; returns whether everything could be written.
    pub(crate) fn finish(&mut self) -> io::Result<()> {
        self.finish_with(true)
    }

    /// The same; `is_whole` says whether everything was read that was to be checked.
    pub(crate) fn finish_with(&mut self, is_whole: bool) -> io::Result<()> {
        if let Some(error) = self.failed.take() {
            return Err(error);
        }
        if self.format == Format::Sarif {
            sarif::end(&mut self.out, is_whole)?;
        }
        self.out.flush()
    }
}
