//! Patterns by their text, compiled once.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use eventrie::{Matcher, ParseOptions, Pattern};

/// The compiled patterns of one function. A query has few of them as literals, a column may have many: what exceeds
/// [`MOST`] is compiled again.
#[derive(Debug, Default)]
pub(crate) struct Compiled {
    options: ParseOptions,
    known: Mutex<HashMap<Box<str>, Arc<Matcher>>>,
}

/// About a megabyte of ordinary patterns.
const MOST: usize = 1024;

impl Compiled {
    pub(crate) fn new(options: ParseOptions) -> Compiled {
        Compiled { options, known: Mutex::default() }
    }

    /// The pattern of that text, or what is wrong with it, as text with carets.
    pub(crate) fn get(&self, text: &str) -> Result<Arc<Matcher>, String> {
        if let Some(known) = self.known.lock().unwrap_or_else(PoisonError::into_inner).get(text) {
            return Ok(Arc::clone(known));
        }
        let pattern = Pattern::parse_with(text, &self.options).map_err(|error| error.to_string())?;
        let matcher = Arc::new(Matcher::new([pattern]).map_err(|error| error.to_string())?);
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= MOST {
            known.clear();
        }
        Ok(Arc::clone(known.entry(text.into()).or_insert(matcher)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_compiled_once_and_many_are_forgotten() {
        let compiled = Compiled::default();
        let first = compiled.get(r#"{"a": [1]}"#).unwrap();
        assert!(Arc::ptr_eq(&first, &compiled.get(r#"{"a": [1]}"#).unwrap()));
        for value in 0..2 * MOST {
            compiled.get(&format!(r#"{{"b": [{value}]}}"#)).unwrap();
            assert!(compiled.known.lock().unwrap().len() <= MOST);
        }
        assert!(!Arc::ptr_eq(&first, &compiled.get(r#"{"a": [1]}"#).unwrap()));
    }

    #[test]
    fn what_is_wrong_is_the_finding() {
        let error = Compiled::default().get(r#"{"a": "b"}"#).unwrap_err();
        assert!(error.contains("E0006"), "{error}");
    }
}
