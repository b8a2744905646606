//! A pattern that stands in a template as a structure or a text, as JSON text that knows its places.

use std::ops::Range;

use crate::located::{Located, Piece};
use crate::tree::{Node, Value};

/// Whether the value is only known when the template is deployed.
pub(super) fn is_hole(node: &Node) -> bool {
    let intrinsic = |key: &str| key == "Ref" || key == "Condition" || key.starts_with("Fn::");
    match &node.value {
        Value::Map(members) => {
            node.tag.is_some()
                || matches!(members.as_slice(), [(key, value)] if key.text().is_some_and(intrinsic)
                    && !matches!((key.text(), &value.value), (Some("Ref" | "Condition"), Value::List(_) | Value::Map(_))))
        }
        Value::List(_) => node.tag.is_some(),
        Value::String(text) | Value::Plain(text) => node.tag.is_some() || text.contains("${"),
    }
}

/// The structure as JSON text.
pub(super) fn emit(node: &Node) -> Located {
    let mut emitter = Emitter { text: String::new(), pieces: Vec::new() };
    emitter.value(node, false);
    Located::pieces(emitter.text, emitter.pieces)
}

/// A scalar that holds JSON text, as that text. `file` is the whole file.
pub(super) fn text(node: &Node, text: &str, file: &str) -> Located {
    let raw = file.get(node.span.clone()).unwrap_or("");
    let pieces = align(text, raw, node.span.start);
    let hole = is_hole(node);
    let pieces = pieces.into_iter().map(|piece| Piece { hole, ..piece }).collect();
    Located::pieces(text.to_owned(), pieces)
}

struct Emitter {
    text: String,
    pieces: Vec<Piece>,
}

impl Emitter {
    fn piece(&mut self, text: &str, file: Range<usize>, hole: bool) {
        let start = self.text.len();
        self.text.push_str(text);
        self.pieces.push(Piece { text: start..self.text.len(), file, hole });
    }

    fn value(&mut self, node: &Node, in_list: bool) {
        if is_hole(node) {
            // Whatever will be here: a value where values stand, else a list of them.
            let name = match &node.value {
                Value::String(text) | Value::Plain(text) if text.contains("${") => quoted(text),
                Value::String(text) | Value::Plain(text) => quoted(&format!("${{{text}}}")),
                _ => "\"${}\"".to_owned(),
            };
            let text = if in_list { name } else { format!("[{name}]") };
            return self.piece(&text, node.span.clone(), true);
        }
        let (start, end) = (node.span.start, node.span.end);
        match &node.value {
            Value::String(text) => self.piece(&quoted(text), node.span.clone(), false),
            Value::Plain(text) => self.piece(&plain(text), node.span.clone(), false),
            Value::List(elements) => {
                self.piece("[", start..(start + 1).min(end), false);
                for (at, element) in elements.iter().enumerate() {
                    if at > 0 {
                        self.text.push(',');
                    }
                    self.value(element, true);
                }
                self.piece("]", end.saturating_sub(1).max(start)..end, false);
            }
            Value::Map(members) => {
                self.piece("{", start..(start + 1).min(end), false);
                for (at, (key, value)) in members.iter().enumerate() {
                    if at > 0 {
                        self.text.push(',');
                    }
                    self.piece(&quoted(key.text().unwrap_or("")), key.span.clone(), false);
                    self.text.push(':');
                    self.value(value, in_list);
                }
                self.piece("}", end.saturating_sub(1).max(start)..end, false);
            }
        }
    }
}

fn quoted(text: &str) -> String {
    serde_json::to_string(text).unwrap_or_default()
}

/// What an unquoted scalar means: the core schema of YAML, of which JSON's words and numbers are a part.
fn plain(text: &str) -> String {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => return "null".to_owned(),
        "true" | "True" | "TRUE" => return "true".to_owned(),
        "false" | "False" | "FALSE" => return "false".to_owned(),
        _ => {}
    }
    let numeric = text.starts_with(|first: char| first.is_ascii_digit() || first == '-');
    if numeric && serde_json::from_str::<serde_json::Number>(text).is_ok() {
        return text.to_owned();
    }
    let radix =
        |prefix: &str, radix| text.strip_prefix(prefix).and_then(|digits| u64::from_str_radix(digits, radix).ok());
    match radix("0x", 16).or_else(|| radix("0o", 8)) {
        Some(number) => number.to_string(),
        None => quoted(text),
    }
}

/// Where each character of a scalar's text stands in its spelling: white space may be folded or cut, and escapes are
/// longer than what they stand for.
fn align(text: &str, raw: &str, offset: usize) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::new();
    let mut at = 0;
    for (start, char) in text.char_indices() {
        let end = start + char.len_utf8();
        let rest = raw.get(at..).unwrap_or("");
        let (skip, length) = match rest.find(char) {
            // An escape that comes first stands for the character, unless it spells it itself.
            found if rest.starts_with('\\') && found != Some(1) && found != Some(0) => (0, escape_length(rest)),
            Some(0) if char == '\\' && rest.starts_with("\\\\") => (0, 2),
            Some(1) if rest.starts_with('\\') => (0, 1 + char.len_utf8()),
            Some(found) => (found, char.len_utf8()),
            // A folded line end became a space.
            None => (0, 0),
        };
        let file = offset + at + skip..offset + at + skip + length;
        at += skip + length;
        match pieces.last_mut() {
            Some(last)
                if last.file.end == file.start && last.text.len() == last.file.len() && file.len() == end - start =>
            {
                last.text.end = end;
                last.file.end = file.end;
            }
            _ => pieces.push(Piece { text: start..end, file, hole: false }),
        }
    }
    pieces
}

fn escape_length(rest: &str) -> usize {
    let length = match rest.as_bytes().get(1) {
        Some(b'x') => 4,
        Some(b'u') => 6,
        Some(b'U') => 10,
        Some(_) => 2,
        None => 1,
    };
    length.min(rest.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::parse_yaml;
    use eventrie::Span;

    /// Each word of the text must be found again at its place.
    #[test]
    fn words_map_back() {
        for yaml in [
            "p: '{\"alpha\": [\"beta\"]}'",
            "p: \"{\\\"alpha\\\": [\\\"beta\\\"]}\"",
            "p: |\n  {\n    \"alpha\":\n      [\"beta\"]\n  }\n",
            "p: >-\n  {\"alpha\":\n  [\"beta\"]}\n",
            "p:\n  alpha:\n    - beta\n",
            "p: {alpha: [beta]}",
        ] {
            let root = parse_yaml(yaml).unwrap();
            let node = root.get("p").unwrap();
            let located = match node.text() {
                Some(scalar) => text(node, scalar, yaml),
                None => emit(node),
            };
            for word in ["alpha", "beta"] {
                let at = u32::try_from(located.text.find(word).unwrap()).unwrap();
                let span = Span::new(at, at + u32::try_from(word.len()).unwrap());
                assert_eq!(&yaml[located.range(span)], word, "{yaml}");
            }
        }
    }

    #[test]
    fn scalars_by_their_spelling() {
        let words = ["1", "-1.5e3", "007", "0x1F", "yes", "True", "~", "-", "1.2.3", "${x}"];
        let expected = ["1", "-1.5e3", "\"007\"", "31", "\"yes\"", "true", "null", "\"-\"", "\"1.2.3\"", "\"${x}\""];
        assert_eq!(words.map(plain), expected);
    }
}
