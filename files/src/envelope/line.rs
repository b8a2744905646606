//! Lines of logs: JSON after a time, a level, a name.

use crate::tree::{self, Node};

/// The JSON object at the end of a line that begins with something else.
pub(super) fn json(line: &str) -> Option<(&str, Node)> {
    let line = line.trim();
    let at = line.find('{').filter(|at| *at > 0)?;
    let lead = line.get(..at)?;
    // Of `['a', {` or `"a": {` the words in front are a part of a document, not of a log.
    let is_words = lead.bytes().filter(u8::is_ascii_alphanumeric).count() >= 3;
    if !is_words || lead.contains(['"', '\'', '}']) {
        return None;
    }
    let json = line.get(at..)?;
    let root = tree::parse_json(json).ok().filter(|root| !root.members().is_empty())?;
    Some((json, root))
}

#[cfg(test)]
mod tests {
    use super::json;

    #[test]
    fn words_in_front_of_json() {
        for line in [
            "2026-01-01T00:00:00.000Z {\"a\":1}",
            "2026-01-01T00:00:00.000Z\t7c6b-12\tINFO\t{\"a\":1}\n",
            "[INFO]\t2026-01-01T00:00:00.000Z\t7c6b-12\t{\"a\":1}",
            "Received event: {\"a\":1}",
        ] {
            assert_eq!(json(line).unwrap().0, "{\"a\":1}", "{line}");
        }
        for line in ["{\"a\":1}", "[{\"a\":1}]", "\"a\": {\"a\":1}", "START RequestId: 7c6b", "2026-01-01 {a: 1}", ""] {
            assert!(json(line).is_none(), "{line}");
        }
    }
}
