//! Whether a changed file has exactly the patterns that it should have.

use crate::document::Document;
use crate::located::Form;
use crate::source::SourceFile;
use crate::tree::{self, Node, Value};

/// Reads the changed file and compares its patterns with what they should be.
pub(super) fn is_exact(document: &Document, text: String, patterns: &[String]) -> bool {
    let file = SourceFile::new(document.file().name(), text);
    let Ok(changed) = Document::read(file, document.expected()) else { return false };
    changed.kind() == document.kind()
        && changed.names() == document.names()
        && changed.unread().len() == document.unread().len()
        && changed.findings().len() == document.findings().len()
        && changed.patterns().len() == patterns.len()
        && document.patterns().iter().zip(changed.patterns()).zip(patterns).all(|((before, after), pattern)| {
            before.group() == after.group()
                && before.dialect() == after.dialect()
                && match before.pattern().form() {
                    Form::Structure => is_same(after.pattern().text(), pattern),
                    Form::Verbatim | Form::Literals(_) => after.pattern().text() == pattern,
                }
        })
}

/// Whether two strings are the same JSON, spelled alike but for whitespace and escapes.
fn is_same(one: &str, other: &str) -> bool {
    one == other
        || matches!((tree::parse_json(one), tree::parse_json(other)), (Ok(one), Ok(other)) if alike(&one, &other))
}

/// Recursion is bounded by [`tree::MAX_DEPTH`].
fn alike(one: &Node, other: &Node) -> bool {
    match (&one.value, &other.value) {
        (Value::List(one), Value::List(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| alike(one, other))
        }
        (Value::Map(one), Value::Map(other)) => {
            let same = |((key, value), (other_key, other_value)): (&(Node, Node), &(Node, Node))| {
                key.text() == other_key.text() && alike(value, other_value)
            };
            one.len() == other.len() && one.iter().zip(other).all(same)
        }
        (one, other) => one == other,
    }
}
