//! Finds the patterns in templates for the page: YAML and JSON, as the command line does.
//!
//! It is a module of its own because few visitors paste a template, and all would wait for it.

use eventrie_files::{Document, Expected, SourceFile};
use serde_json::json;
use wasm_bindgen::prelude::*;

/// The patterns in a string, as JSON: `{"rules": [{"name", "dialect", "text", "holes"}], "notes": ["…"]}`. The dialect is null
/// where the text does not imply one; a pattern with holes has parts that only a deployment resolves.
///
/// # Errors
/// A message with the place, if the text is neither YAML nor JSON, or has no patterns in it.
#[wasm_bindgen]
pub fn patterns(name: &str, text: &str) -> Result<String, JsValue> {
    let read = Document::read(SourceFile::new(name, text), Expected::Anything);
    let document = read.map_err(|error| JsValue::from_str(&error.to_string()))?;
    let rule = |found: &eventrie_files::Found| {
        json!({
            "name": document.name_of(found),
            "dialect": found.dialect().map(|dialect| dialect.to_string()),
            "text": found.pattern().text(),
            "holes": found.pattern().has_holes(),
        })
    };
    let rules: Vec<_> = document.patterns().iter().map(rule).collect();
    Ok(json!({ "rules": rules, "notes": document.notes() }).to_string())
}
