//! Findings and fixes, with places as indices into a Python `str`.

use eventrie::diagnostic::{self, Position, Severity};
use pyo3::prelude::*;

/// One problem in a pattern: what is wrong, where, and how to fix it. ``str()`` shows it with its place in the text.
#[pyclass(frozen, module = "eventrie", eq, hash)]
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Finding {
    /// The stable code, such as ``E0006``; ``eventrie.explain_code`` prints its page.
    #[pyo3(get)]
    code: String,
    /// ``"error"``, ``"warning"`` or ``"note"``.
    #[pyo3(get)]
    severity: &'static str,
    /// What is wrong.
    #[pyo3(get)]
    message: String,
    /// How to fix it.
    #[pyo3(get)]
    help: Option<String>,
    /// Where the problem begins, as an index into the text.
    #[pyo3(get)]
    start: usize,
    /// Where the problem ends, as an index into the text.
    #[pyo3(get)]
    end: usize,
    /// The line, counted from 1.
    #[pyo3(get)]
    line: u32,
    /// The column in characters, counted from 1.
    #[pyo3(get)]
    column: u32,
    /// A few words for the place itself; may be empty.
    #[pyo3(get)]
    label: String,
    /// A change of the text that fixes the problem.
    #[pyo3(get)]
    fix: Option<Fix>,
    /// The refusal as the service words it.
    #[pyo3(get)]
    service: Option<String>,
    /// The name of the file, if the pattern came from one.
    #[pyo3(get)]
    file: Option<String>,
    /// The rule's name or its place in the template, if the file has several patterns.
    #[pyo3(get)]
    name: Option<String>,
    rendered: String,
}

#[pymethods]
impl Finding {
    fn __str__(&self) -> &str {
        &self.rendered
    }

    fn __repr__(&self) -> String {
        format!("<Finding {} {}:{} {:?}>", self.code, self.line, self.column, self.message)
    }
}

/// An edit: the characters from ``start`` to ``end`` are replaced with ``replacement``.
#[pyclass(frozen, module = "eventrie", eq, hash)]
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Fix {
    /// What the change does, in the imperative.
    #[pyo3(get)]
    title: String,
    /// Where the replaced part begins, as an index into the text.
    #[pyo3(get)]
    start: usize,
    /// Where it ends.
    #[pyo3(get)]
    end: usize,
    /// What to put there.
    #[pyo3(get)]
    replacement: String,
    /// Whether the text can be read in no other way; a tool may then apply the fix without asking.
    #[pyo3(get)]
    safe: bool,
}

#[pymethods]
impl Fix {
    /// The text with the change made.
    fn apply(&self, text: &str) -> String {
        let before = text.chars().take(self.start);
        let after = text.chars().skip(self.end);
        before.chain(self.replacement.chars()).chain(after).collect()
    }

    fn __repr__(&self) -> String {
        format!("<Fix {:?}>", self.title)
    }
}

/// Findings about `text`.
pub(crate) fn all(findings: &[diagnostic::Finding], text: &str) -> Vec<Finding> {
    let places = Characters::new(text);
    findings.iter().map(|finding| one(finding, text, &places, None, None)).collect()
}

/// A finding about `text`, which is a file's if it has a name.
pub(crate) fn one(
    finding: &diagnostic::Finding,
    text: &str,
    places: &Characters<'_>,
    file: Option<&str>,
    name: Option<&str>,
) -> Finding {
    let span = finding.label.span;
    let position = Position::of(text, span.start as usize);
    let rendered = finding.render(text);
    Finding {
        code: finding.code.to_string(),
        severity: match finding.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            _ => "note",
        },
        message: finding.message.clone(),
        help: finding.help.clone(),
        start: places.index(span.start as usize),
        end: places.index(span.end as usize),
        line: position.line,
        column: position.column,
        label: finding.label.message.clone(),
        fix: finding.fix.as_ref().map(|fix| Fix {
            title: fix.title.clone(),
            start: places.index(fix.span.start as usize),
            end: places.index(fix.span.end as usize),
            replacement: fix.replacement.clone(),
            safe: fix.is_safe(),
        }),
        service: finding.service.clone(),
        file: file.map(str::to_owned),
        name: name.map(str::to_owned),
        rendered: match file {
            Some(file) => rendered.name(file).to_string(),
            None => rendered.to_string(),
        },
    }
}

/// Turns byte offsets into indices of characters, with a mark every so often, so many places in one file are cheap.
pub(crate) struct Characters<'t> {
    text: &'t str,
    /// The number of characters before byte `n * EVERY` (rounded down to a character's start).
    marks: Vec<usize>,
}

const EVERY: usize = 1024;

impl<'t> Characters<'t> {
    pub(crate) fn new(text: &'t str) -> Characters<'t> {
        let mut marks = Vec::with_capacity(text.len() / EVERY + 1);
        let mut count = 0;
        for (at, byte) in text.bytes().enumerate() {
            if at % EVERY == 0 {
                marks.push(count);
            }
            count += usize::from(starts(byte));
        }
        Characters { text, marks }
    }

    fn index(&self, offset: usize) -> usize {
        let offset = offset.min(self.text.len());
        let mark = (offset / EVERY).min(self.marks.len().saturating_sub(1));
        let before = self.marks.get(mark).copied().unwrap_or(0);
        let rest = self.text.as_bytes().get(mark * EVERY..offset).unwrap_or_default();
        before + rest.iter().filter(|byte| starts(**byte)).count()
    }
}

/// Whether a byte begins a character in UTF-8.
fn starts(byte: u8) -> bool {
    byte & 0xC0 != 0x80
}
