//! What every form shows: the file with its lines, the message with its help.

use eventrie::diagnostic::{Finding, LineIndex, Severity};
use eventrie_files::{Edit, NotApplied, SourceFile};

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

/// What is known of a finding beside itself.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct About<'a> {
    /// Where in the file the pattern is.
    pub(crate) place: Option<&'a str>,
    /// What its fix changes in the file, if it can be applied there.
    pub(crate) edits: Option<&'a [Edit]>,
    /// Whether the file cannot be changed as its fix says, so `--fix` does not.
    pub(crate) is_refused: bool,
    /// Why its fix was not applied.
    pub(crate) why: Option<NotApplied>,
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
