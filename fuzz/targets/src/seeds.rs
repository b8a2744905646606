//! First inputs, made from the vectors.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use eventrie::{Dialect, Matcher, Pattern};
use serde_json::Value;

use crate::matching::Matching;

/// What the vectors contain that targets can begin with.
pub(crate) struct Vector {
    pub(crate) dialect: Dialect,
    pub(crate) patterns: Vec<String>,
    pub(crate) event: Option<String>,
}

/// A pattern or event, given as a string that contains it or as it is.
fn text(value: &Value) -> Option<String> {
    match value {
        Value::Null => None,
        Value::String(text) => Some(text.clone()),
        other => Some(other.to_string()),
    }
}

fn vector(row: Value) -> Option<Vector> {
    let dialect = row["dialect"].as_str()?.parse::<Dialect>().ok()?;
    let patterns = match row["rules"].as_object() {
        Some(rules) => rules.values().filter_map(text).collect(),
        None => vec![text(&row["pattern"])?],
    };
    Some(Vector { dialect, patterns, event: text(&row["event"]) })
}

/// All vectors of a directory.
pub(crate) fn vectors(folder: &Path) -> io::Result<Vec<Vector>> {
    let mut found = Vec::new();
    let mut entries: Vec<PathBuf> = fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<io::Result<_>>()?;
    entries.sort();
    for path in entries {
        if path.is_dir() {
            found.extend(vectors(&path)?);
        } else if path.extension().is_some_and(|end| end == "json") {
            let rows: Vec<Value> = serde_json::from_str(&fs::read_to_string(&path)?)?;
            found.extend(rows.into_iter().filter_map(vector));
        }
    }
    Ok(found)
}

/// The inputs that a target begins with.
fn inputs(target: &str, vectors: &[Vector]) -> Vec<Vec<u8>> {
    match target {
        "matching" => {
            let one = |vector: &Vector| Matching::encode(vector.dialect, &vector.patterns, vector.event.as_slice());
            vectors.iter().filter(|vector| vector.event.is_some()).map(one).collect()
        }
        "event" => {
            let events = vectors.iter().filter_map(|vector| vector.event.as_ref());
            events.map(|event| [&[0, 7], event.as_bytes()].concat()).collect()
        }
        "pattern" => {
            let texts = vectors.iter().flat_map(|vector| &vector.patterns);
            texts.map(|text| [&[2], text.as_bytes()].concat()).collect()
        }
        "saved" => {
            let valid = vectors.iter().filter(|vector| vector.dialect == Dialect::EventBridge);
            let parsed = |vector: &Vector| -> Option<Matcher> {
                let parse = |text: &String| Pattern::parse(text, vector.dialect);
                Matcher::new(vector.patterns.iter().map(parse).collect::<Result<Vec<_>, _>>().ok()?).ok()
            };
            // A few of each size: all of them contain much the same.
            let saved = valid.filter_map(parsed).step_by(8).map(|matcher| matcher.to_bytes());
            saved.map(|bytes| [&[0], bytes.as_slice()].concat()).collect()
        }
        // The fuzzer finds out by itself which decisions matter.
        _ => vec![(0..=255).collect()],
    }
}

/// Writes the seeds of a target into a directory, and says how many there are.
///
/// # Errors
/// If the vectors cannot be read or the seeds cannot be written.
pub fn write_seeds(target: &str, spec_vectors: &Path, folder: &Path) -> io::Result<usize> {
    fs::create_dir_all(folder)?;
    let mut inputs = inputs(target, &vectors(spec_vectors)?);
    inputs.sort();
    inputs.dedup();
    for (number, input) in inputs.iter().enumerate() {
        fs::write(folder.join(format!("seed-{number:04}")), input)?;
    }
    Ok(inputs.len())
}
