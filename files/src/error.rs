//! Why a file could not be read, and where.

use eventrie::diagnostic::Position;

/// A file that could not be read: `file:line:column: cause`.
///
/// ```
/// use eventrie_files::{Document, Expected, SourceFile};
///
/// let file = SourceFile::new("rules.json", "{\"a\" 1}");
/// let error = Document::read(file, Expected::Rules).unwrap_err();
/// assert_eq!(error.to_string(), "rules.json:1:6: expected `:`");
/// assert_eq!(error.position().unwrap().column, 6);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}{message}", lead(file, *position))]
pub struct FileError {
    file: String,
    position: Option<Position>,
    message: String,
}

impl FileError {
    /// An error at a byte of a text.
    pub(crate) fn at(file: &str, text: &str, offset: usize, message: impl Into<String>) -> FileError {
        FileError { file: file.to_owned(), position: Some(Position::of(text, offset)), message: message.into() }
    }

    /// An error that concerns the file as a whole.
    pub(crate) fn whole(file: &str, message: impl Into<String>) -> FileError {
        FileError { file: file.to_owned(), position: None, message: message.into() }
    }

    /// The name of the file.
    #[must_use]
    pub fn file(&self) -> &str {
        &self.file
    }

    /// Line and column of the fault; none if it concerns the file as a whole.
    #[must_use]
    pub fn position(&self) -> Option<Position> {
        self.position
    }

    /// The cause, without file and position.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }
}

fn lead(file: &str, position: Option<Position>) -> String {
    match position {
        Some(at) => format!("{file}:{}:{}: ", at.line, at.column),
        None => format!("{file}: "),
    }
}
