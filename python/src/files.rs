//! Files with patterns in them: templates, plans, rule files.

use eventrie::Dialect;
use eventrie_files::{Document, Expected, FileError, SourceFile};
use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;

use crate::finding::{self, Characters, Finding};
use crate::options;

/// Checks a template, plan, rule file or pattern file as ``eventrie check`` does: every pattern on its own, the filters
/// of each subscriber together, and in a rule file every rule against the others (a redundant rule is a finding).
///
/// Notes are included; select by ``finding.severity``. ``eventrie.toml`` and comments that ignore a finding are read by the
/// command line only. Raises ``OSError`` if the file cannot be opened, and ``ValueError`` if it contains no patterns.
#[pyfunction]
#[pyo3(signature = (path, dialect = "eventbridge"))]
pub(crate) fn check_file(path: &Bound<'_, PyAny>, dialect: &str) -> PyResult<Vec<Finding>> {
    let dialect = options::dialect(dialect)?;
    let py = path.py();
    let file = open(path)?;
    py.detach(|| check(file, dialect)).map_err(|error| malformed(&error))
}

/// Checks the text of a file, as ``check_file`` does. The extension of ``name`` selects the language
/// (``template.yaml``).
///
/// >>> import eventrie
/// >>> rules = '{"all": {"source": ["shop"]}, "orders": {"source": ["shop"], "detail-type": ["order"]}}'
/// >>> [finding.message for finding in eventrie.check_text(rules, "rules.json")]
/// ['the rule `all` matches every event that `orders` matches']
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

fn check(file: SourceFile, dialect: Dialect) -> Result<Vec<Finding>, FileError> {
    let document = Document::read(file, Expected::Anything)?;
    let (text, name) = (document.file().text(), document.file().name());
    let places = Characters::new(text);
    let found = eventrie_cli::check(&document, dialect);
    Ok(found.iter().map(|(one, place)| finding::one(one, text, &places, Some(name), place.as_deref())).collect())
}
