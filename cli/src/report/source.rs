//! What every form shows: the file with its lines, the message with its help.

use eventrie::diagnostic::{Finding, LineIndex, Severity};
use eventrie_files::SourceFile;

/// A file that findings are about, with its lines, which are found once.
pub(crate) struct Source<'a> {
    pub(super) file: &'a SourceFile,
    pub(super) lines: LineIndex<'a>,
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

/// The message of a finding, and its help.
pub(super) fn with_help(finding: &Finding) -> String {
    match &finding.help {
        Some(help) => format!("{}\nhelp: {help}", finding.message),
        None => finding.message.clone(),
    }
}

/// A severity, as programs write it.
pub(super) fn word(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        _ => "note",
    }
}
