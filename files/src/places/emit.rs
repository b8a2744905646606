//! A pattern that is in a template as a structure or a string, as JSON text that knows its places.

use std::ops::Range;

use serde_core::de::IgnoredAny;

use super::align::{align, align_part};
use super::holes::{self, Draft};
use super::known::{self, Known};
use crate::located::{Literal, Located, Opaque, Piece};
use crate::tree::{Node, Spelled, Value};

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
        // HCL says which parts are expressions: `$${` is none.
        Value::String(_) if !node.parts().is_empty() => node.parts().iter().any(|part| part.spelled == Spelled::Later),
        Value::String(text) | Value::Plain(text) => node.tag.is_some() || text.contains("${"),
    }
}

/// Which version of YAML a tool reads: they differ in what some unquoted scalars are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Schema {
    /// YAML 1.1, as CloudFormation reads it: `yes` and `on` are booleans, `017` and `1:30` are numbers.
    One,
    /// YAML 1.2, of which JSON is a part: `0o17` and `1e3` are numbers.
    Two,
}

/// The structure as JSON text. Where a condition chooses between two values, `branch` says which is taken: with several
/// conditions, all take the same. The second answer is whether there is a condition.
/// `file` is the whole file.
pub(super) fn emit(node: &Node, file: &str, known: &Known, schema: Schema, branch: usize) -> (Located, bool) {
    let mut emitter = Emitter::new(file, Some(known), schema, branch);
    emitter.value(node, false);
    (Located::pieces(emitter.text, emitter.pieces).with_opaque(emitter.opaque), emitter.chose)
}

/// A structure that is no template, so there are no intrinsic functions in it.
pub(crate) fn plain_structure(node: &Node) -> Located {
    let mut emitter = Emitter::new("", None, Schema::Two, 0);
    emitter.value(node, false);
    Located::pieces(emitter.text, emitter.pieces)
}

/// A string that is no part of a template.
pub(crate) fn plain_text(node: &Node, file: &str) -> Located {
    let mut emitter = Emitter::new(file, None, Schema::Two, 0);
    emitter.scalar(node);
    for piece in &mut emitter.pieces {
        piece.hole = false;
    }
    Located::in_literals(emitter.text, emitter.pieces, emitter.literals)
}

/// JSON text that is in the template as a string, with what is only known when it is deployed as holes: a scalar,
/// `Fn::Sub` of one, or `Fn::Join`. None if it is something else, or if a hole may be more than a value. `file` is the whole file.
pub(super) fn text(node: &Node, file: &str) -> Option<Located> {
    let (function, argument) = match (&node.value, node.members()) {
        (Value::Map(_), [(name, argument)]) => (name.text()?.strip_prefix("Fn::")?, argument),
        (Value::List(_), _) => (node.tag.as_deref()?, node),
        _ => (node.tag.as_deref().unwrap_or("Sub"), node),
    };
    let mut emitter = Emitter::new(file, None, Schema::Two, 0);
    match (function, &argument.value) {
        ("Sub", Value::String(_) | Value::Plain(_)) => emitter.scalar(argument),
        // The second is a map of what the names in it stand for.
        ("Sub", Value::List(parts)) => emitter.scalar(parts.first()?),
        ("Join", Value::List(parts)) => {
            let [between, parts] = parts.as_slice() else { return None };
            for (at, part) in parts.elements().iter().enumerate() {
                if at > 0 {
                    emitter.piece(between.text()?, between.span.clone(), false);
                }
                match &part.value {
                    Value::String(_) | Value::Plain(_) if part.tag.is_none() => emitter.scalar(part),
                    _ => emitter.piece("${}", part.span.clone(), true),
                }
            }
        }
        _ => return None,
    }
    let Emitter { text, pieces, literals, opaque, .. } = emitter;
    let draft = holes::quoted(Draft { text, pieces, literals, opaque })?;
    Some(Located::in_literals(draft.text, draft.pieces, draft.literals).with_opaque(draft.opaque))
}

/// Where the `${…}` of a string are; `${!…}` represents the text itself.
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

struct Emitter<'a> {
    /// The whole file.
    file: &'a str,
    text: String,
    pieces: Vec<Piece>,
    /// The string literals that spell the text.
    literals: Vec<Literal>,
    /// The parts that the file spells by expressions.
    opaque: Vec<Opaque>,
    /// What is known of the template's names; none if there are no intrinsic functions.
    known: Option<&'a Known>,
    schema: Schema,
    branch: usize,
    chose: bool,
}

impl<'a> Emitter<'a> {
    fn new(file: &'a str, known: Option<&'a Known>, schema: Schema, branch: usize) -> Emitter<'a> {
        Emitter {
            file,
            text: String::new(),
            pieces: Vec::new(),
            literals: Vec::new(),
            opaque: Vec::new(),
            known,
            schema,
            branch,
            chose: false,
        }
    }

    /// The value that a node represents, after conditions; none if that is nothing.
    fn chosen<'n>(&mut self, mut node: &'n Node) -> Option<&'n Node> {
        if self.known.is_some() {
            while let Some(branches) = known::branches(node) {
                self.chose = true;
                node = branches.get(self.branch)?;
            }
            if known::is_no_value(node) {
                return None;
            }
        }
        Some(node)
    }

    fn piece(&mut self, text: &str, file: Range<usize>, hole: bool) {
        crate::work::note(1 + text.len());
        let start = self.text.len();
        self.text.push_str(text);
        self.pieces.push(Piece { text: start..self.text.len(), file, hole });
    }

    /// The text of a scalar as it is.
    fn scalar(&mut self, node: &Node) {
        let Some(text) = node.text() else { return };
        crate::work::note(text.len());
        let raw = self.raw(&node.span);
        self.literals.push(Literal { text: self.text.len(), file: node.span.clone() });
        if !node.parts().is_empty() {
            return self.parts(node, text, raw.starts_with('"'));
        }
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

    /// The text of a string of HCL that is not spelled in one piece.
    fn parts(&mut self, node: &Node, text: &str, is_quoted: bool) {
        for part in node.parts() {
            let (start, text) = (self.text.len(), text.get(part.text.clone()).unwrap_or(""));
            if part.spelled != Spelled::Escaped {
                self.opaque(&part.file, |emitter| {
                    emitter.piece(text, part.file.clone(), part.spelled == Spelled::Later)
                });
                continue;
            }
            self.text.push_str(text);
            for piece in align_part(text, self.raw(&part.file), part.file.start, is_quoted) {
                let (text, raw) = (start + piece.text.start..start + piece.text.end, self.raw(&piece.file));
                // Unescaped, a marker would begin an expression.
                if matches!(raw, "$$" | "%%") && text.len() == 1 {
                    self.opaque.push(Opaque { text: text.clone(), raw: raw.to_owned() });
                }
                self.pieces.push(Piece { text, ..piece });
            }
        }
    }

    /// Does something, and notes that the file spells what it emits by an expression.
    fn opaque(&mut self, file: &Range<usize>, task: impl FnOnce(&mut Self)) {
        let start = self.text.len();
        task(self);
        if start < self.text.len() {
            let raw = self.raw(file).to_owned();
            self.opaque.push(Opaque { text: start..self.text.len(), raw });
        }
    }

    fn raw(&self, span: &Range<usize>) -> &'a str {
        self.file.get(span.clone()).unwrap_or("")
    }

    /// The JSON of a value. A string of HCL that is not spelled in one piece is spelled by its template.
    fn value(&mut self, node: &Node, in_list: bool) {
        self.noting(node, |emitter| emitter.inner(node, in_list));
    }

    /// Does something, and notes if the string that it emits is spelled by a template.
    fn noting(&mut self, node: &Node, task: impl FnOnce(&mut Self)) {
        match node.parts().is_empty() {
            true => task(self),
            false => self.opaque(&node.span, task),
        }
    }

    fn inner(&mut self, node: &Node, in_list: bool) {
        let Some(node) = self.chosen(node) else { return self.piece("null", node.span.clone(), true) };
        let is_unknown = is_hole(node) && (self.known.is_some() || node.tag.is_some());
        if let (true, Some(known)) = (is_unknown && !in_list, self.known)
            && known.is_string(node)
        {
            // Certainly one string: the library reports that it must be in a list.
            return self.piece(&hole_text(node), node.span.clone(), false);
        }
        if is_unknown {
            // An unknown value: a single one where values go, else a list of them.
            let name = hole_text(node);
            let text = if in_list { name } else { format!("[{name}]") };
            return self.piece(&text, node.span.clone(), true);
        }
        let (start, end) = (node.span.start, node.span.end);
        match &node.value {
            Value::String(text) => self.piece(&quoted(text), node.span.clone(), false),
            Value::Plain(text) => self.piece(&plain(text, self.schema), node.span.clone(), false),
            Value::List(elements) => {
                self.piece("[", start..(start + 1).min(end), false);
                let mut is_first = true;
                for element in elements {
                    let Some(element) = self.chosen(element) else { continue };
                    if !std::mem::take(&mut is_first) {
                        self.text.push(',');
                    }
                    self.value(element, true);
                }
                self.piece("]", end.saturating_sub(1).max(start)..end, false);
            }
            Value::Map(members) => {
                self.piece("{", start..(start + 1).min(end), false);
                let mut is_first = true;
                for (key, value) in members {
                    let Some(value) = self.chosen(value) else { continue };
                    if !std::mem::take(&mut is_first) {
                        self.text.push(',');
                    }
                    let name = quoted(key.text().unwrap_or(""));
                    self.noting(key, |emitter| emitter.piece(&name, key.span.clone(), false));
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

/// The placeholder for what is only known when the template is deployed.
fn hole_text(node: &Node) -> String {
    match &node.value {
        Value::String(text) | Value::Plain(text) if text.contains("${") => quoted(text),
        Value::String(text) | Value::Plain(text) => quoted(&format!("${{{text}}}")),
        Value::List(_) | Value::Map(_) => "\"${}\"".to_owned(),
    }
}

/// What an unquoted scalar means, as JSON.
pub(super) fn plain(text: &str, schema: Schema) -> String {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => return "null".to_owned(),
        "true" | "True" | "TRUE" => return "true".to_owned(),
        "false" | "False" | "FALSE" => return "false".to_owned(),
        "yes" | "Yes" | "YES" | "on" | "On" | "ON" if schema == Schema::One => return "true".to_owned(),
        "no" | "No" | "NO" | "off" | "Off" | "OFF" if schema == Schema::One => return "false".to_owned(),
        _ => {}
    }
    let number = match schema {
        Schema::One => number_of_one(text),
        Schema::Two => number_of_two(text),
    };
    number.unwrap_or_else(|| quoted(text))
}

/// Whether the two versions of YAML read an unquoted scalar differently.
pub(super) fn is_ambiguous(text: &str) -> bool {
    plain(text, Schema::One) != plain(text, Schema::Two)
}

fn number_of_two(text: &str) -> Option<String> {
    if is_number(text) {
        return Some(text.to_owned());
    }
    let radix = |prefix: &str, radix| u64::from_str_radix(text.strip_prefix(prefix)?, radix).ok();
    radix("0x", 16).or_else(|| radix("0o", 8)).map(|number| number.to_string())
}

fn number_of_one(text: &str) -> Option<String> {
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => ("-", digits),
        None => ("", text.strip_prefix('+').unwrap_or(text)),
    };
    if !digits.starts_with(|first: char| first.is_ascii_digit()) {
        return None;
    }
    let plain = digits.replace('_', "");
    let number = |number: u64| Some(format!("{sign}{number}"));
    if let Some(parts) = digits.contains(':').then(|| plain.split(':').map(str::parse::<u64>)) {
        // Base 60: every part after the first is below it.
        let parts: Vec<u64> = parts.collect::<Result<_, _>>().ok()?;
        let rest_is_small = parts.iter().skip(1).all(|part| *part < 60);
        let total = parts.iter().try_fold(0_u64, |total, part| total.checked_mul(60)?.checked_add(*part))?;
        return if rest_is_small { number(total) } else { None };
    }
    for (prefix, radix) in [("0x", 16), ("0b", 2)] {
        if let Some(digits) = plain.strip_prefix(prefix) {
            return number(u64::from_str_radix(digits, radix).ok()?);
        }
    }
    if plain.len() > 1 && plain.starts_with('0') && plain.bytes().all(|byte| byte.is_ascii_digit()) {
        return number(u64::from_str_radix(&plain, 8).ok()?);
    }
    // An exponent needs a point and a sign there.
    let has_exponent = plain.contains(['e', 'E']);
    if has_exponent && !(plain.contains('.') && plain.contains(['+', '-'])) {
        return None;
    }
    let text = format!("{sign}{plain}");
    is_number(&text).then_some(text)
}

/// Whether this is a number of JSON, however large.
fn is_number(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_digit() || first == '-')
        && serde_json::from_str::<IgnoredAny>(text).is_ok()
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
            let located = text(node, yaml).unwrap_or_else(|| emit(node, yaml, &Known::default(), Schema::Two, 0).0);
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
            ("p: {Fn::Sub: ['{\"a\": ${X}}', {X: 1}]}", "{\"a\": [\"${X}\"]}", "[\"${X}\"]"),
            (
                "p: !Sub '{\"a\": [1, ${X} ], \"b\":${X}, \"c\": \"d\"}'",
                "{\"a\": [1, \"${X}\" ], \"b\":[\"${X}\"], \"c\": \"d\"}",
                "\"${X}\"[\"${X}\"]",
            ),
            ("p: !Sub '{\"a\": ${X}${Y}}'", "{\"a\": [\"${X}${Y}\"]}", "[\"${X}${Y}\"]"),
            (
                "p: !Join ['', ['{\"a\": ', !Ref X, ', \"b\": [\"c\"]}']]",
                "{\"a\": [\"${}\"], \"b\": [\"c\"]}",
                "[\"${}\"]",
            ),
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
        let partial = [
            "p: !Sub '{\"a\": [1], ${X}}'",
            "p: !Sub '{\"a\": [1${X}]}'",
            "p: !Sub '{${X}: [1]}'",
            "p: !Sub '{\"a\": [1]}${X}'",
        ];
        for yaml in partial {
            assert!(text(parse_yaml(yaml).unwrap().get("p").unwrap(), yaml).is_none(), "{yaml}");
        }
        for yaml in ["p: !Ref X", "p: {Ref: X}", "p: [a]", "p: !Join [a]", "p: {Fn::If: [a, b, c]}", "p: !GetAtt '{a}'"]
        {
            let root = parse_yaml(yaml).unwrap();
            assert!(text(root.get("p").unwrap(), yaml).is_none(), "{yaml}");
        }
    }

    #[test]
    fn scalars_by_their_spelling() {
        let cases = [
            ("1", "1", "1"),
            ("-1.5e3", "\"-1.5e3\"", "-1.5e3"),
            ("1.5e+3", "1.5e+3", "1.5e+3"),
            ("1e3", "\"1e3\"", "1e3"),
            ("007", "7", "\"007\""),
            ("017", "15", "\"017\""),
            ("089", "\"089\"", "\"089\""),
            ("0o17", "\"0o17\"", "15"),
            ("0x1F", "31", "31"),
            ("0b11", "3", "\"0b11\""),
            ("1:30", "90", "\"1:30\""),
            ("1:30:05", "5405", "\"1:30:05\""),
            ("12:99", "\"12:99\"", "\"12:99\""),
            ("1_000", "1000", "\"1_000\""),
            ("+5", "5", "\"+5\""),
            ("yes", "true", "\"yes\""),
            ("Off", "false", "\"Off\""),
            ("y", "\"y\"", "\"y\""),
            ("True", "true", "true"),
            ("~", "null", "null"),
            ("-", "\"-\"", "\"-\""),
            ("1.2.3", "\"1.2.3\"", "\"1.2.3\""),
            ("2026-01-01", "\"2026-01-01\"", "\"2026-01-01\""),
            ("${x}", "\"${x}\"", "\"${x}\""),
        ];
        for (text, one, two) in cases {
            assert_eq!((plain(text, Schema::One).as_str(), plain(text, Schema::Two).as_str()), (one, two), "{text}");
            assert_eq!(is_ambiguous(text), one != two, "{text}");
        }
    }
}
