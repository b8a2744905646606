//! Why a file could not be read, and where.

use std::fmt::{Display, Formatter};

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
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileError {
    file: String,
    position: Option<Position>,
    message: String,
    is_one_pattern: bool,
}

impl FileError {
    /// An error at a byte of a string.
    pub(crate) fn at(file: &str, text: &str, offset: usize, message: impl Into<String>) -> FileError {
        FileError::with_position(file, Position::of(text, offset), message)
    }

    /// An error at a place that is known already.
    pub(crate) fn with_position(file: &str, position: Position, message: impl Into<String>) -> FileError {
        FileError { position: Some(position), ..FileError::whole(file, message) }
    }

    /// An error that concerns the file as a whole.
    pub(crate) fn whole(file: &str, message: impl Into<String>) -> FileError {
        FileError { file: file.to_owned(), position: None, message: message.into(), is_one_pattern: false }
    }

    /// A file of one pattern where rules were expected.
    pub(crate) fn one_pattern(file: &str) -> FileError {
        let message = "this is one pattern, not a rule file: name it, as in {\"NAME\": PATTERN}";
        FileError { is_one_pattern: true, ..FileError::whole(file, message) }
    }

    /// Whether rules were expected, and the file is one pattern.
    ///
    /// ```
    /// use eventrie_files::{Document, Expected, SourceFile};
    /// let file = SourceFile::new("pattern.json", r#"{"detail": {"state": ["stopped"]}}"#);
    /// assert!(Document::read(file, Expected::Rules).unwrap_err().is_one_pattern());
    /// ```
    #[must_use]
    pub fn is_one_pattern(&self) -> bool {
        self.is_one_pattern
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

impl Display for FileError {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        match self.position {
            Some(at) => write!(f, "{}:{}:{}: {}", self.file, at.line, at.column, self.message),
            None => write!(f, "{}: {}", self.file, self.message),
        }
    }
}

impl std::error::Error for FileError {}
