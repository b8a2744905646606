//! Files with patterns in them: templates, plans, rule files.

use eventrie::{Dialect, ParseOptions};
use eventrie_files::{Document, Expected, FileError, SourceFile};
use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;

use crate::finding::{self, Characters, Finding};
use crate::options;

/// Checks every pattern in a template, plan, rule file or pattern file.
///
/// Raises ``OSError`` if the file cannot be opened, and ``ValueError`` if it is not a file with patterns.
#[pyfunction]
#[pyo3(signature = (path, dialect = "eventbridge"))]
pub(crate) fn check_file(path: &Bound<'_, PyAny>, dialect: &str) -> PyResult<Vec<Finding>> {
    let dialect = options::dialect(dialect)?;
    let py = path.py();
    let file = open(path)?;
    py.detach(|| check(file, dialect)).map_err(|error| malformed(&error))
}

/// Checks every pattern in the text of a file; ``name`` says in which language it is (``template.yaml``).
#[pyfunction]
#[pyo3(signature = (text, name = "pattern.json", dialect = "eventbridge"))]
pub(crate) fn check_text(py: Python<'_>, text: &str, name: &str, dialect: &str) -> PyResult<Vec<Finding>> {
    let dialect = options::dialect(dialect)?;
    let file = SourceFile::new(name, text);
    py.detach(|| check(file, dialect)).map_err(|error| malformed(&error))
}

/// The rules of a file, by name.
pub(crate) fn rules(path: &Bound<'_, PyAny>, dialect: Dialect) -> PyResult<Vec<(String, String)>> {
    let py = path.py();
    let file = open(path)?;
    let document = py.detach(|| Document::read(file, Expected::Rules)).map_err(|error| malformed(&error))?;
    let mut rules = Vec::new();
    for found in document.patterns() {
        if found.dialect().is_some_and(|other| other != dialect) {
            continue;
        }
        rules.push((document.name_of(found), found.pattern().text().to_owned()));
    }
    Ok(rules)
}

fn open(path: &Bound<'_, PyAny>) -> PyResult<SourceFile> {
    let path: std::path::PathBuf = path.extract()?;
    let name = path.display().to_string();
    let file = std::fs::File::open(&path)
        .map_err(|error| PyOSError::new_err((error.raw_os_error(), error.to_string(), name.clone())))?;
    SourceFile::from_reader(name, file).map_err(|error| malformed(&error))
}

fn malformed(error: &FileError) -> PyErr {
    PyValueError::new_err(error.to_string())
}

fn check(file: SourceFile, fallback: Dialect) -> Result<Vec<Finding>, FileError> {
    let document = Document::read(file, Expected::Anything)?;
    let (text, name) = (document.file().text(), document.file().name());
    let places = Characters::new(text);
    let mut all = Vec::new();
    for found in document.patterns() {
        let options = ParseOptions::new(found.dialect().unwrap_or(fallback)).service_limits(true);
        let findings = match eventrie::Pattern::parse_with(found.pattern().text(), &options) {
            Ok(pattern) => pattern.lint(),
            Err(error) => error.findings().to_vec(),
        };
        let place = document.name_of(found);
        for one in findings {
            all.push(finding::one(&found.pattern().in_file(&one), text, &places, Some(name), Some(&place)));
        }
    }
    Ok(all)
}
