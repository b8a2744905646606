//! YAML with positions and tags. It uses the parser's events, without a tree in between.

use std::collections::{HashMap, HashSet};

use saphyr_parser::{Event, Parser, ScalarStyle, Tag};

use super::{MAX_DEPTH, Malformed, Named, Node, Value};

/// How much the anchors and aliases of one document may copy, so a few lines cannot demand billions: in bytes, a
/// node counted as [`NODE`] and its text.
const MOST_COPIED: usize = 64 << 20;
const NODE: usize = 128;

/// Reads the first document of a YAML text.
///
/// # Errors
/// If it is malformed, or there is none.
pub fn parse(text: &str) -> Result<Node, Malformed> {
    let mut documents = read(text, 1)?;
    documents.pop().ok_or(Malformed { offset: 0, message: "the file is empty".to_owned() })
}

/// Reads all documents of a YAML text.
///
/// # Errors
/// If one is malformed, or there is none.
pub fn parse_all(text: &str) -> Result<Vec<Node>, Malformed> {
    let documents = read(text, usize::MAX)?;
    if documents.is_empty() {
        return Err(Malformed { offset: 0, message: "the file is empty".to_owned() });
    }
    Ok(documents)
}

fn read(text: &str, most: usize) -> Result<Vec<Node>, Malformed> {
    let mut builder = Builder::new(text);
    builder.documents(most)
}

/// The values that have an anchor, and where they are used. What is malformed has none.
pub(super) fn named(text: &str) -> Vec<Named> {
    let mut builder = Builder { named: Some(HashMap::new()), ..Builder::new(text) };
    match (builder.documents(usize::MAX), builder.named) {
        (Ok(_), Some(named)) => named.into_values().collect(),
        _ => Vec::new(),
    }
}

/// Characters counted by the parser, as bytes.
struct Offsets<'a> {
    text: &'a str,
    /// The byte offset of each 64th character; none if all characters are one byte.
    marks: Option<Vec<usize>>,
}

impl<'a> Offsets<'a> {
    fn new(text: &'a str) -> Offsets<'a> {
        let marks = (!text.is_ascii()).then(|| text.char_indices().step_by(64).map(|(at, _)| at).collect());
        Offsets { text, marks }
    }

    fn byte(&self, char: usize) -> usize {
        let Some(marks) = &self.marks else { return char.min(self.text.len()) };
        let Some(mark) = marks.get(char / 64) else { return self.text.len() };
        let rest = self.text.get(*mark..).unwrap_or("");
        rest.char_indices().nth(char % 64).map_or(self.text.len(), |(at, _)| mark + at)
    }
}

struct Builder<'a> {
    text: &'a str,
    open: Vec<Open>,
    anchors: HashMap<usize, Node>,
    root: Option<Node>,
    copied: usize,
    /// Where the text before the end of the last collection ended, and that end: those around it often end there too.
    trimmed: std::ops::Range<usize>,
    /// The values of anchors, by the parser's numbers, if they are wanted.
    named: Option<HashMap<usize, Named>>,
}

/// A collection that is not closed yet.
struct Open {
    start: usize,
    tag: Option<Box<str>>,
    anchor: usize,
    elements: Vec<Node>,
    is_map: bool,
}

impl<'a> Builder<'a> {
    fn new(text: &'a str) -> Builder<'a> {
        Builder { text, open: Vec::new(), anchors: HashMap::new(), root: None, copied: 0, trimmed: 0..0, named: None }
    }

    /// Reads so many documents at most.
    fn documents(&mut self, most: usize) -> Result<Vec<Node>, Malformed> {
        let mut documents = Vec::new();
        let offsets = Offsets::new(self.text);
        for event in Parser::new_from_str(self.text) {
            let (event, span) = event.map_err(|error| Malformed {
                offset: offsets.byte(error.marker().index()),
                message: error.info().to_lowercase(),
            })?;
            crate::work::note(1 + span.len());
            let range = offsets.byte(span.start.index())..offsets.byte(span.end.index());
            self.take(event, range)?;
            documents.extend(self.root.take());
            if documents.len() >= most {
                break;
            }
        }
        Ok(documents)
    }

    fn take(&mut self, event: Event<'_>, span: std::ops::Range<usize>) -> Result<(), Malformed> {
        match event {
            Event::Scalar(text, style, anchor, tag) => {
                let value = match style {
                    ScalarStyle::Plain => Value::Plain(text.into_owned()),
                    _ => Value::String(text.into_owned()),
                };
                // Anchors and tags end at commas and brackets as well: then nothing is after them.
                let start = self.behind_tag(span.start).min(span.end);
                let span = start..self.behind_quotes(start, style).unwrap_or(span.end);
                self.put(Node { span, value, tag: name(tag.as_deref()), parts: None }, anchor)?;
            }
            Event::SequenceStart(anchor, tag) => self.begin(span.start, name(tag.as_deref()), anchor, false)?,
            Event::MappingStart(anchor, tag) => self.begin(span.start, name(tag.as_deref()), anchor, true)?,
            Event::SequenceEnd | Event::MappingEnd => {
                // After a closing bracket the parser counts the comment after it too.
                let is_flow = matches!(self.text.as_bytes().get(span.start), Some(b']' | b'}')) && !span.is_empty();
                self.end(if is_flow { span.start + 1 } else { span.end })?;
            }
            Event::Alias(anchor) => {
                let Some(node) = self.anchors.get(&anchor) else {
                    return Err(Malformed { offset: span.start, message: "an alias has no anchor".to_owned() });
                };
                let node = copy(node, &mut self.copied, span.start)?;
                if let Some(named) = self.named.as_mut().and_then(|named| named.get_mut(&anchor)) {
                    named.uses.push(span.start);
                }
                self.put(node, 0)?;
            }
            Event::Nothing | Event::StreamStart | Event::StreamEnd | Event::DocumentStart(_) | Event::DocumentEnd => {}
        }
        Ok(())
    }

    /// Where the value itself begins, if a tag or an anchor is in front.
    fn behind_tag(&self, mut start: usize) -> usize {
        while let Some(rest) = self.text.get(start..).filter(|rest| rest.starts_with(['!', '&'])) {
            // Flow indicators end a tag or an anchor too, except inside `!<…>`.
            let word = match rest.strip_prefix("!<") {
                Some(_) => rest.find(|char: char| char == '>' || char.is_whitespace()).map_or(rest.len(), |at| at + 1),
                None => rest.find(|char: char| char.is_whitespace() || ",[]{}".contains(char)).unwrap_or(rest.len()),
            };
            crate::work::note(word);
            let space = rest.get(word..).map_or(0, |rest| rest.len() - rest.trim_start_matches([' ', '\t']).len());
            crate::work::note(space);
            start += word + space;
        }
        start
    }

    /// Where a scalar in quotes ends: the parser counts the comment after it too.
    fn behind_quotes(&self, start: usize, style: ScalarStyle) -> Option<usize> {
        let mut bytes = self.text.as_bytes().get(start + 1..)?.iter().enumerate();
        while let Some((at, byte)) = bytes.next() {
            let end = match (style, byte) {
                (ScalarStyle::DoubleQuoted, b'\\') => bytes.next().is_none(),
                (ScalarStyle::DoubleQuoted, b'"') => true,
                (ScalarStyle::SingleQuoted, b'\'') => {
                    let is_pair = self.text.as_bytes().get(start + at + 2) == Some(&b'\'');
                    !(is_pair && bytes.next().is_some())
                }
                (ScalarStyle::DoubleQuoted | ScalarStyle::SingleQuoted, _) => false,
                _ => return None,
            };
            if end {
                crate::work::note(at);
                return Some(start + at + 2);
            }
        }
        None
    }

    fn begin(&mut self, start: usize, tag: Option<Box<str>>, anchor: usize, is_map: bool) -> Result<(), Malformed> {
        if self.open.len() >= MAX_DEPTH {
            return Err(Malformed { offset: start, message: "nested too deeply".to_owned() });
        }
        self.open.push(Open { start, tag, anchor, elements: Vec::new(), is_map });
        Ok(())
    }

    fn end(&mut self, end: usize) -> Result<(), Malformed> {
        let Some(open) = self.open.pop() else { return Ok(()) };
        // A block collection ends where the next thing begins; its text ends with its last element.
        let from = if self.trimmed.contains(&end) || self.trimmed.end == end { self.trimmed.start } else { end };
        let trimmed = match self.text.get(open.start..from) {
            Some(text) => {
                let kept = text.trim_end().len();
                crate::work::note(text.len() - kept);
                open.start + kept
            }
            None => end.max(open.start),
        };
        // Comments after the last element are not part of the collection.
        let is_flow = self.text.get(open.start..).is_some_and(|text| text.starts_with(['{', '[']));
        let trimmed = match open.elements.last().map(|last| last.span.end) {
            Some(last) if !is_flow && open.start <= last && last < trimmed => {
                let between = self.text.get(last..trimmed).unwrap_or("");
                crate::work::note(between.len());
                if between.trim_start().starts_with('#') { last } else { trimmed }
            }
            _ => trimmed,
        };
        self.trimmed = trimmed..end.max(trimmed);
        let end = trimmed;
        let value = if open.is_map {
            let mut members = Vec::with_capacity(open.elements.len() / 2);
            let mut elements = open.elements.into_iter();
            while let (Some(key), Some(value)) = (elements.next(), elements.next()) {
                members.push((key, value));
            }
            Value::Map(merged(members))
        } else {
            Value::List(open.elements)
        };
        self.put(Node { span: open.start..end, value, tag: open.tag, parts: None }, open.anchor)
    }

    fn put(&mut self, node: Node, anchor: usize) -> Result<(), Malformed> {
        if anchor > 0 {
            let kept = copy(&node, &mut self.copied, node.span.start)?;
            if let Some(named) = &mut self.named {
                named.insert(anchor, Named { span: node.span.clone(), uses: vec![node.span.start] });
            }
            self.anchors.insert(anchor, kept);
        }
        match self.open.last_mut() {
            Some(open) => open.elements.push(node),
            None => self.root = Some(node),
        }
        Ok(())
    }
}

/// The members of maps under the key `<<`, instead of it, except those that the map has itself.
fn merged(members: Vec<(Node, Node)>) -> Vec<(Node, Node)> {
    let is_merge = |key: &Node| key.value == Value::Plain("<<".to_owned());
    if !members.iter().any(|(key, _)| is_merge(key)) {
        return members;
    }
    let own: HashSet<String> = members.iter().filter_map(|(key, _)| key.text().map(str::to_owned)).collect();
    let is_new = |(key, _): &(Node, Node)| key.text().is_none_or(|name| !own.contains(name));
    crate::work::note(members.len());
    let mut all = Vec::with_capacity(members.len());
    for (key, value) in members {
        match value.value {
            Value::Map(others) if is_merge(&key) => all.extend(others.into_iter().filter(is_new)),
            Value::List(maps) if is_merge(&key) => {
                let others = maps.into_iter().flat_map(|map| match map.value {
                    Value::Map(others) => others,
                    _ => Vec::new(),
                });
                all.extend(others.filter(is_new));
            }
            _ => all.push((key, value)),
        }
    }
    all
}

/// A copy, unless the document has reached the limit of copies.
fn copy(node: &Node, copied: &mut usize, offset: usize) -> Result<Node, Malformed> {
    let mut left = vec![node];
    while let Some(node) = left.pop() {
        crate::work::note(1);
        *copied += NODE + node.text().map_or(0, str::len);
        if *copied > MOST_COPIED {
            return Err(Malformed { offset, message: "aliases make it too large".to_owned() });
        }
        left.extend(node.elements());
        left.extend(node.members().iter().flat_map(|(key, value)| [key, value]));
    }
    Ok(node.clone())
}

/// The name of a tag of the document's own, such as `!Sub`; those of YAML itself say nothing here.
fn name(tag: Option<&Tag>) -> Option<Box<str>> {
    tag.filter(|tag| tag.handle == "!").map(|tag| tag.suffix.as_str().into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_places_tags_and_styles() {
        let text = "é: !Sub \"x-${A}\"\nlist:\n  - 1\n  - 'two'\nblock: |\n  {\"a\": 1}\nend: !GetAtt a.b\n";
        let node = parse(text).unwrap();
        let first = &node.members()[0];
        assert_eq!(&text[first.0.span.clone()], "é");
        assert_eq!((first.1.tag.as_deref(), first.1.text()), (Some("Sub"), Some("x-${A}")));
        assert_eq!(&text[first.1.span.clone()], "\"x-${A}\"");
        let list = node.get("list").unwrap();
        assert_eq!(list.elements()[0].value, Value::Plain("1".to_owned()));
        assert_eq!(list.elements()[1].value, Value::String("two".to_owned()));
        assert_eq!(node.get("block").unwrap().text(), Some("{\"a\": 1}\n"));
        assert_eq!(node.get("end").unwrap().tag.as_deref(), Some("GetAtt"));
    }

    #[test]
    fn nothing_behind_an_anchor_has_a_place_too() {
        let text = "[&a, !Sub, &b , {k: &c, l: !Sub}, &d]";
        let mut nodes = vec![parse(text).unwrap()];
        let mut empty = 0;
        while let Some(node) = nodes.pop() {
            assert!(text.get(node.span.clone()).is_some(), "{node:?}");
            empty += usize::from(node.text() == Some(""));
            nodes.extend(node.elements().iter().cloned());
            nodes.extend(node.members().iter().flat_map(|(key, value)| [key.clone(), value.clone()]));
        }
        assert_eq!(empty, 6);
    }

    #[test]
    fn maps_are_merged() {
        let node = parse("a: &a {k: 1, l: 2}\nb: {<<: *a, l: 3, m: 4}\nc: {'<<': 5}\nd: {<<: [*a, {n: 6}]}\n").unwrap();
        let names = |name: &str| {
            let members = node.get(name).unwrap().members().iter();
            members.map(|(key, value)| (key.text().unwrap(), value.text().unwrap())).collect::<Vec<_>>()
        };
        assert_eq!(names("b"), [("k", "1"), ("l", "3"), ("m", "4")]);
        assert_eq!(names("c"), [("<<", "5")]);
        assert_eq!(names("d"), [("k", "1"), ("l", "2"), ("n", "6")]);
    }

    #[test]
    fn follows_aliases_but_not_forever() {
        let node = parse("a: &x {k: [1]}\nb: *x\n").unwrap();
        assert_eq!(node.get("a").unwrap().value, node.get("b").unwrap().value);
        let mut bomb = String::from("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
        for level in 1..12 {
            let names = vec![format!("*a{}", level - 1); 10].join(", ");
            bomb.push_str(&format!("a{level}: &a{level} [{names}]\n"));
        }
        assert_eq!(parse(&bomb).unwrap_err().message, "aliases make it too large");
        // Few nodes, but of much text.
        let long = format!("a: &a {}\nb: [{}]\n", "x".repeat(100_000), vec!["*a"; 1_000].join(", "));
        assert_eq!(parse(&long).unwrap_err().message, "aliases make it too large");
        // Anchors inside anchors are kept once each.
        let nested = format!("{}{}{}", "&a [".repeat(150), "x, ".repeat(10_000), "]".repeat(150));
        assert_eq!(parse(&nested).unwrap_err().message, "aliases make it too large");
        assert!(parse(&"[".repeat(10_000)).is_err());
        assert!(parse("").is_err());
    }
}
