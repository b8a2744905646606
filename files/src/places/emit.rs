//! A pattern that stands in a template as a structure or a text, as JSON text that knows its places.

use std::ops::Range;

use super::align::align;
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

/// JSON text that stands in the template as a text, with what is only known when it is deployed as holes: a scalar,
/// `Fn::Sub` of one, or `Fn::Join`. None if it is something else. `file` is the whole file.
pub(super) fn text(node: &Node, file: &str) -> Option<Located> {
    let (function, argument) = match (&node.value, node.members()) {
        (Value::Map(_), [(name, argument)]) => (name.text()?.strip_prefix("Fn::")?, argument),
        (Value::List(_), _) => (node.tag.as_deref()?, node),
        _ => (node.tag.as_deref().unwrap_or("Sub"), node),
    };
    let mut emitter = Emitter { text: String::new(), pieces: Vec::new() };
    match (function, &argument.value) {
        ("Sub", Value::String(_) | Value::Plain(_)) => emitter.scalar(argument, file),
        // The second is a map of what the names in it stand for.
        ("Sub", Value::List(parts)) => emitter.scalar(parts.first()?, file),
        ("Join", Value::List(parts)) => {
            let [between, parts] = parts.as_slice() else { return None };
            for (at, part) in parts.elements().iter().enumerate() {
                if at > 0 {
                    emitter.piece(between.text()?, between.span.clone(), false);
                }
                match &part.value {
                    Value::String(_) | Value::Plain(_) if part.tag.is_none() => emitter.scalar(part, file),
                    _ => emitter.piece("${}", part.span.clone(), true),
                }
            }
        }
        _ => return None,
    }
    Some(Located::pieces(emitter.text, emitter.pieces))
}

/// Where the `${…}` of a text are; `${!…}` stands for the text itself.
fn holes(text: &str) -> Vec<Range<usize>> {
    let (mut holes, mut at) = (Vec::new(), 0);
    while let Some(start) = text.get(at..).and_then(|rest| rest.find("${")).map(|found| at + found) {
        let end = text.get(start..).and_then(|rest| rest.find('}')).map_or(text.len(), |found| start + found + 1);
        crate::work::note(end - at);
        holes.push(start..end);
        at = end;
    }
    holes.retain(|hole| text.get(hole.start + 2..hole.end).is_some_and(|name| !name.starts_with('!')));
    holes
}

struct Emitter {
    text: String,
    pieces: Vec<Piece>,
}

impl Emitter {
    fn piece(&mut self, text: &str, file: Range<usize>, hole: bool) {
        crate::work::note(1 + text.len());
        let start = self.text.len();
        self.text.push_str(text);
        self.pieces.push(Piece { text: start..self.text.len(), file, hole });
    }

    /// The text of a scalar as it is.
    fn scalar(&mut self, node: &Node, file: &str) {
        let Some(text) = node.text() else { return };
        crate::work::note(text.len());
        let raw = file.get(node.span.clone()).unwrap_or("");
        let (start, mut holes) = (self.text.len(), holes(text).into_iter().peekable());
        self.text.push_str(text);
        for piece in align(text, raw, node.span.start) {
            let mut rest = piece;
            while !rest.text.is_empty() {
                while holes.next_if(|hole| hole.end <= rest.text.start).is_some() {}
                let hole = holes.peek().is_some_and(|hole| hole.start <= rest.text.start);
                let end = holes.peek().map_or(rest.text.end, |at| if hole { at.end } else { at.start });
                // Where the spelling is as long as the text, a piece can be cut.
                let end = if rest.text.len() == rest.file.len() { end.min(rest.text.end) } else { rest.text.end };
                let behind =
                    rest.file.start + if end < rest.text.end { end - rest.text.start } else { rest.file.len() };
                let text = start + rest.text.start..start + end;
                self.pieces.push(Piece { text, file: rest.file.start..behind, hole });
                (rest.text.start, rest.file.start) = (end, behind);
            }
        }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::parse_yaml;
    use eventrie::diagnostic::Span;

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
            let located = text(node, yaml).unwrap_or_else(|| emit(node));
            for word in ["alpha", "beta"] {
                let at = u32::try_from(located.text.find(word).unwrap()).unwrap();
                let span = Span::new(at, at + u32::try_from(word.len()).unwrap());
                assert_eq!(&yaml[located.range(span)], word, "{yaml}");
            }
        }
    }

    #[test]
    fn texts_with_holes() {
        for (yaml, expected, holes) in [
            ("p: !Sub '{\"a\": [\"${X}-y\"], \"b\": 1}'", "{\"a\": [\"${X}-y\"], \"b\": 1}", "${X}"),
            ("p: {Fn::Sub: ['{\"a\": ${X}}', {X: 1}]}", "{\"a\": ${X}}", "${X}"),
            ("p: !Sub [\"{\\\"a\\\": [\\\"${X}${!Y}\\\"]}\", {X: 1}]", "{\"a\": [\"${X}${!Y}\"]}", "${X}"),
            ("p: !Join ['', ['{\"a\": [\"', !Ref X, '\"]}']]", "{\"a\": [\"${}\"]}", "${}"),
            ("p: {Fn::Join: [',', ['{\"a\": [1', '2]}']]}", "{\"a\": [1,2]}", ""),
            ("p: '{\"a\": \"${X\"}'", "{\"a\": \"${X\"}", "${X\"}"),
        ] {
            let root = parse_yaml(yaml).unwrap();
            let located = text(root.get("p").unwrap(), yaml).unwrap();
            assert_eq!(located.text, expected, "{yaml}");
            let is_hole = |at: usize| located.touches_hole(Span::new(at as u32, at as u32 + 1));
            let found: String = expected.char_indices().filter(|(at, _)| is_hole(*at)).map(|(_, char)| char).collect();
            assert_eq!(found, holes, "{yaml}");
            if let Some(at) = expected.find("${X}") {
                let at = u32::try_from(at).unwrap();
                assert_eq!(&yaml[located.range(Span::new(at, at + 4))], "${X}", "{yaml}");
            }
        }
        for yaml in ["p: !Ref X", "p: {Ref: X}", "p: [a]", "p: !Join [a]", "p: {Fn::If: [a, b, c]}", "p: !GetAtt '{a}'"]
        {
            let root = parse_yaml(yaml).unwrap();
            assert!(text(root.get("p").unwrap(), yaml).is_none(), "{yaml}");
        }
    }

    #[test]
    fn scalars_by_their_spelling() {
        let words = ["1", "-1.5e3", "007", "0x1F", "yes", "True", "~", "-", "1.2.3", "${x}"];
        let expected = ["1", "-1.5e3", "\"007\"", "31", "\"yes\"", "true", "null", "\"-\"", "\"1.2.3\"", "\"${x}\""];
        assert_eq!(words.map(plain), expected);
    }
}
