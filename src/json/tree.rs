//! The spanned tree of the input: order, duplicate keys and the spelling of numbers are kept.

use std::borrow::Cow;

use super::error::EventError;
use super::fault::{SyntaxError, SyntaxKind};
use super::lex::{self, Literal, Quoted};
use super::walk::{self, Nobody, Visit};
use crate::base::Span;
use crate::limit::{Limit, Limits};

/// The values of the input in text order (preorder). If the text is faulty, it contains all that was read before the fault.
#[derive(Clone, Debug)]
pub(crate) struct Tree<'t> {
    text: &'t str,
    pub(crate) nodes: Vec<Node>,
    pub(crate) error: Option<SyntaxError>,
    /// Offset after the root value. Text after it is not read.
    pub(crate) end: u32,
}

/// One value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Node {
    pub(crate) kind: Kind,
    /// The whole value, with quotes or brackets. An unclosed one ends where reading stopped.
    pub(crate) span: Span,
    /// The key with its quotes, if this is a member of an object.
    pub(crate) key: Option<Span>,
    /// Index after the subtree. While the container is open: the index of the one around it.
    pub(crate) end: u32,
    /// False for a container that the fault left open, and for a string value that the fault lies in.
    pub(crate) closed: bool,
    /// Whether key and value, if they are strings, are closed and without escapes: the text between their quotes.
    pub(crate) plain: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Object,
    Array,
    String,
    Number,
    True,
    False,
    Null,
}

impl<'t> Tree<'t> {
    /// Reads the value that `text` begins with.
    pub(crate) fn parse(text: &'t str, limits: &Limits) -> Tree<'t> {
        // About what a pattern or an event has of values for its length.
        Tree::parse_into(text, limits, Vec::with_capacity((text.len() / 12).min(1 << 16)))
    }

    /// As [`Tree::parse`], with the node vector of an earlier tree.
    pub(crate) fn parse_into(text: &'t str, limits: &Limits, mut nodes: Vec<Node>) -> Tree<'t> {
        nodes.clear();
        let longest = limits.pattern_bytes.min(u32::MAX as usize - 1);
        if text.len() > longest {
            let error = SyntaxError::new(SyntaxKind::Limit(Limit::PatternBytes), longest, longest, text.len());
            return Tree { text, nodes, error: Some(error), end: 0 };
        }
        Tree::grow(text, limits, nodes)
    }

    /// Reads the value that `text` begins with, as an event: bounded by `event_bytes`.
    pub(crate) fn parse_value(text: &'t str, limits: &Limits) -> Result<Tree<'t>, EventError> {
        walk::check_length(text.as_bytes(), limits).map_err(SyntaxError::in_event)?;
        let tree = Tree::grow(text, limits, Vec::with_capacity((text.len() / 16).min(1 << 16)));
        match tree.error {
            Some(error) => Err(error.in_event()),
            None => Ok(tree),
        }
    }

    /// Reads an event: an object with nothing after it, in UTF-8. Answers and offsets are those of the reader.
    pub(crate) fn parse_event(bytes: &'t [u8], limits: &Limits) -> Result<Tree<'t>, EventError> {
        walk::check_length(bytes, limits).map_err(SyntaxError::in_event)?;
        let start = lex::skip_space(bytes, 0);
        if bytes.get(start) != Some(&b'{') {
            return Err(walk::not_an_object(bytes, start, limits).in_event());
        }
        let Ok(text) = std::str::from_utf8(bytes) else {
            // Another fault may come before the first byte that is not UTF-8; the walk over the bytes decides.
            return Err(walk::fault(bytes, limits).in_event());
        };
        let tree = Tree::grow(text, limits, Vec::with_capacity((text.len() / 16).min(1 << 16)));
        if let Some(error) = tree.error {
            return Err(error.in_event());
        }
        walk::check_end(bytes, tree.end as usize).map_err(SyntaxError::in_event)?;
        Ok(tree)
    }

    fn grow(text: &'t str, limits: &Limits, nodes: Vec<Node>) -> Tree<'t> {
        let mut grower = Grower { nodes, open: NONE, key: None, plain: true, string: None };
        let result = walk::walk(text.as_bytes(), limits, &mut grower);
        let Grower { mut nodes, mut open, key, string, .. } = grower;
        match result {
            Ok(end) => Tree { text, nodes, error: None, end: offset(end) },
            Err(error) => {
                if let Some(start) = string {
                    let span = Span::new(start, error.at);
                    let end = offset(nodes.len() + 1);
                    nodes.push(Node { kind: Kind::String, span, key, end, closed: false, plain: false });
                }
                let last = offset(nodes.len());
                while let Some(node) = nodes.get_mut(open as usize) {
                    open = std::mem::replace(&mut node.end, last);
                    node.span.end = error.at;
                }
                Tree { text, nodes, end: error.at, error: Some(error) }
            }
        }
    }

    /// The text that was read.
    pub(crate) fn text(&self) -> &'t str {
        self.text
    }

    /// The value of a string or key, escapes resolved; `span` with its quotes. A lone surrogate escape is a `?`.
    pub(crate) fn string(&self, span: Span) -> Cow<'t, str> {
        lex::string_value(span.slice(self.text))
    }

    /// As [`Tree::string`], of the key or the string value of a node.
    #[inline]
    pub(crate) fn string_of(&self, node: &Node, span: Span) -> Cow<'t, str> {
        if node.plain {
            return Cow::Borrowed(Span { start: span.start + 1, end: span.end - 1 }.slice(self.text));
        }
        self.string(span)
    }

    /// The children of node `parent` with their indexes, in text order.
    pub(crate) fn children(&self, parent: usize) -> impl Iterator<Item = (usize, &Node)> {
        let end = self.nodes.get(parent).map_or(0, |node| node.end as usize);
        let mut next = parent + 1;
        std::iter::from_fn(move || {
            let at = next;
            let node = self.nodes.get(at).filter(|_| at < end)?;
            next = node.end as usize;
            Some((at, node))
        })
    }
}

/// What kind of value the text is, with nothing but whitespace around it; none if it is not JSON. Allocates nothing.
pub(crate) fn kind_of(text: &str, limits: &Limits) -> Option<Kind> {
    let bytes = text.as_bytes();
    let kind = match bytes.get(lex::skip_space(bytes, 0))? {
        b'{' => Kind::Object,
        b'[' => Kind::Array,
        b'"' => Kind::String,
        b't' => Kind::True,
        b'f' => Kind::False,
        b'n' => Kind::Null,
        b'-' | b'0'..=b'9' => Kind::Number,
        _ => return None,
    };
    let end = walk::walk(bytes, limits, &mut Nobody).ok()?;
    walk::check_end(bytes, end).ok().map(|()| kind)
}

const NONE: u32 = u32::MAX;

/// INVARIANT: offsets and indexes fit, since the text is shorter than 4 GiB and no node is shorter than one byte.
fn offset(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(NONE)
}

struct Grower {
    nodes: Vec<Node>,
    /// The innermost open container; those around it are linked through `Node::end`.
    open: u32,
    key: Option<Span>,
    /// Whether the key has no escapes.
    plain: bool,
    /// Where the string value begins that the fault lies in.
    string: Option<u32>,
}

impl Grower {
    #[inline]
    fn leaf(&mut self, kind: Kind, start: usize, end: usize, plain: bool) {
        let (key, behind) = (self.key.take(), offset(self.nodes.len() + 1));
        let span = Span { start: offset(start), end: offset(end) };
        let plain = std::mem::replace(&mut self.plain, true) && plain;
        self.nodes.push(Node { kind, span, key, end: behind, closed: true, plain });
    }
}

impl Visit for Grower {
    #[inline]
    fn key(&mut self, _text: &[u8], token: Quoted) {
        self.key = Some(Span { start: offset(token.start), end: offset(token.end) });
        self.plain = !token.escaped;
    }

    #[inline]
    fn begin(&mut self, at: usize, object: bool) {
        let index = offset(self.nodes.len());
        let key = self.key.take();
        let kind = if object { Kind::Object } else { Kind::Array };
        let span = Span { start: offset(at), end: offset(at + 1) };
        let plain = std::mem::replace(&mut self.plain, true);
        self.nodes.push(Node { kind, span, key, end: self.open, closed: false, plain });
        self.open = index;
    }

    #[inline]
    fn end(&mut self, end: usize, _object: bool) {
        let behind = offset(self.nodes.len());
        if let Some(node) = self.nodes.get_mut(self.open as usize) {
            self.open = std::mem::replace(&mut node.end, behind);
            node.span.end = offset(end);
            node.closed = true;
        }
    }

    #[inline]
    fn string(&mut self, _text: &[u8], token: Quoted) {
        self.leaf(Kind::String, token.start, token.end, !token.escaped);
    }

    #[inline]
    fn number(&mut self, _text: &[u8], start: usize, end: usize) {
        self.leaf(Kind::Number, start, end, true);
    }

    #[inline]
    fn literal(&mut self, start: usize, end: usize, literal: Literal) {
        let kind = match literal {
            Literal::True => Kind::True,
            Literal::False => Kind::False,
            Literal::Null => Kind::Null,
        };
        self.leaf(kind, start, end, true);
    }

    fn broken_string(&mut self, start: usize) {
        self.string = Some(offset(start));
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing)]
mod tests {
    use super::*;
    use crate::json::fault::{Expected, NumberFault};

    fn parse(text: &str) -> Tree<'_> {
        Tree::parse(text, &Limits::default())
    }

    #[test]
    fn nodes_are_in_text_order_with_spans() {
        let text = r#" {"a":[1, "xé"],"a" : {"b":true}} tail"#;
        let tree = parse(text);
        assert_eq!(tree.error, None);
        let seen: Vec<_> = tree
            .nodes
            .iter()
            .map(|node| (node.kind, node.span.slice(text), node.key.map(|key| key.slice(text)), node.end))
            .collect();
        assert_eq!(
            seen,
            [
                (Kind::Object, r#"{"a":[1, "xé"],"a" : {"b":true}}"#, None, 6),
                (Kind::Array, r#"[1, "xé"]"#, Some("\"a\""), 4),
                (Kind::Number, "1", None, 3),
                (Kind::String, "\"xé\"", None, 4),
                (Kind::Object, r#"{"b":true}"#, Some("\"a\""), 6),
                (Kind::True, "true", Some("\"b\""), 6),
            ]
        );
        assert_eq!(&text[tree.end as usize..], " tail");
        assert_eq!(tree.children(0).map(|(at, _)| at).collect::<Vec<_>>(), [1, 4]);
        assert_eq!(tree.children(1).map(|(at, _)| at).collect::<Vec<_>>(), [2, 3]);
        assert_eq!(tree.children(5).count(), 0);
    }

    #[test]
    fn strings_are_unescaped() {
        for (text, value) in [
            (r#""plain""#, "plain"),
            (r#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{c}\n\r\t"),
            (r#""\u0041\u00e9\u20AC""#, "Aé€"),
            (r#""\ud83d\ude00!""#, "😀!"),
            (r#""\ud83d""#, "?"),
            (r#""\ude00\ud83d\ud83d\ude00""#, "??😀"),
            (r#""\ud83dx\u0000""#, "?x\0"),
        ] {
            let tree = parse(text);
            assert_eq!(tree.error, None, "{text}");
            assert_eq!(tree.string(tree.nodes[0].span), value, "{text}");
        }
    }

    #[test]
    fn a_fault_keeps_what_was_read() {
        let text = r#"{"a":["x",{"b":1,"c":01"#;
        let tree = parse(text);
        let error = tree.error.unwrap();
        assert_eq!((error.kind, error.at), (SyntaxKind::Number(NumberFault::LeadingZero), 22));
        assert_eq!(error.span.slice(text), "01");
        let seen: Vec<_> = tree.nodes.iter().map(|node| (node.kind, node.end, node.closed)).collect();
        assert_eq!(
            seen,
            [
                (Kind::Object, 5, false),
                (Kind::Array, 5, false),
                (Kind::String, 3, true),
                (Kind::Object, 5, false),
                (Kind::Number, 5, true)
            ]
        );
        assert!(tree.nodes.iter().filter(|node| !node.closed).all(|node| node.span.end == 22));
        let tree = parse(r#"{"a":"abc"#);
        assert_eq!((tree.nodes[1].kind, tree.nodes[1].closed), (Kind::String, false));
        assert_eq!(tree.nodes[1].key.unwrap().slice(tree.text()), "\"a\"");
        assert_eq!(tree.nodes[0].end, 2);
    }

    #[test]
    fn faults_say_what_and_where() {
        use Expected::*;
        use SyntaxKind::*;
        for (text, kind, at, span) in [
            ("", Truncated(Root), 0, ""),
            ("  ", Truncated(Root), 2, ""),
            ("\u{feff}{}", Character(Root), 0, "\u{feff}"),
            ("'a'", Character(Root), 0, "'"),
            ("{a:1}", Character(KeyOrEnd), 1, "a"),
            ("{\"a\":1,}", Character(Key), 7, "}"),
            ("{\"a\" 1}", Character(Colon), 5, "1"),
            ("{\"a\":1 \"b\"", Character(CommaOrObjectEnd), 7, "\""),
            ("{\"a\":1]", Character(CommaOrObjectEnd), 6, "]"),
            ("[1}", Character(CommaOrArrayEnd), 2, "}"),
            ("[,1]", Character(ElementOrEnd), 1, ","),
            ("[1,]", Character(Value), 3, "]"),
            ("[+1]", Character(ElementOrEnd), 1, "+"),
            ("[.5]", Character(ElementOrEnd), 1, "."),
            ("[tru]", Word, 1, "tru"),
            ("[trueish]", Word, 1, "trueish"),
            ("[größe]", Word, 1, "größe"),
            ("[éa]", Word, 1, "éa"),
            ("[\"a\",tru", Truncated(Value), 8, "tru"),
            ("[NaN]", NonFinite, 1, "NaN"),
            ("[-Infinity]", NonFinite, 1, "-Infinity"),
            ("[-a]", Number(NumberFault::AfterMinus), 2, "-a"),
            ("[1.]", Number(NumberFault::AfterPoint), 3, "1.]"),
            ("[1.5e+x]", Number(NumberFault::AfterExponent), 6, "1.5e+x"),
            ("[1e", UnfinishedNumber, 3, "1e"),
            ("[1 ", Truncated(CommaOrArrayEnd), 3, ""),
            ("\"a\nb\"", ControlCharacter, 2, "\n"),
            ("\"a\\x\"", Escape, 3, "\\x"),
            ("\"a\\é\"", Escape, 3, "\\é"),
            ("\"a\\u12g4\"", UnicodeEscape, 6, "\\u12g"),
            ("\"a\\u12", UnterminatedString(Value), 6, "\"a\\u12"),
            ("{\"a", UnterminatedString(KeyOrEnd), 3, "\"a"),
        ] {
            let error = parse(text).error.unwrap();
            assert_eq!((error.kind, error.at, error.span.slice(text)), (kind, at, span), "{text}");
        }
    }

    #[test]
    fn limits_are_kept() {
        let limits = Limits::default().depth(2).number_bytes(3).key_bytes(2).pattern_bytes(30);
        let fault = |text: &str| Tree::parse(text, &limits).error.map(|error| (error.kind, error.at));
        assert_eq!(fault("[[123]]"), None);
        assert_eq!(fault("[[[]]]"), Some((SyntaxKind::Limit(Limit::Depth), 2)));
        assert_eq!(fault("[[1234]]"), Some((SyntaxKind::Limit(Limit::NumberBytes), 2)));
        assert_eq!(fault("{\"ab\":1}"), None);
        assert_eq!(fault("{\"\\u0061b\":1}"), None);
        assert_eq!(fault("{ \"\\u0061bc\":1}"), Some((SyntaxKind::Limit(Limit::KeyBytes), 2)));
        assert_eq!(fault(&" ".repeat(31)), Some((SyntaxKind::Limit(Limit::PatternBytes), 30)));
        let deep = "[".repeat(100_000);
        let error = Tree::parse(&deep, &Limits::default().depth(1 << 30)).error.unwrap();
        assert_eq!((error.kind, error.at), (SyntaxKind::Limit(Limit::Depth), 1_000));
    }

    #[test]
    fn an_event_is_an_object_alone_in_utf8() {
        use crate::json::EventErrorKind as Kind;
        let fault = |bytes: &[u8]| {
            Tree::parse_event(bytes, &Limits::default()).err().map(|error| (error.kind(), error.offset().unwrap()))
        };
        assert_eq!(fault(b" {\"a\":1} \n"), None);
        assert_eq!(fault(b"{}x"), Some((Kind::Trailing, 2)));
        assert_eq!(fault(b" [1]"), Some((Kind::NotAnObject, 1)));
        assert_eq!(fault(b"{\"a\":tru}"), Some((Kind::Syntax, 5)));
        assert_eq!(fault(b"{\"a\":\"\xff\"}"), Some((Kind::Utf8, 6)));
        assert_eq!(fault(b"{\"a\":\"x\xc3\"}"), Some((Kind::Utf8, 7)));
        assert_eq!(fault(b"{\"a\":\"x\xc3"), Some((Kind::Truncated, 8)));
        assert_eq!(fault(b"{\"a\":\"x\xc3\n"), Some((Kind::Utf8, 7)));
        assert_eq!(fault(b"{\"a\":\"\n\xff\"}"), Some((Kind::Syntax, 6)));
        assert_eq!(fault(b"{\"a\":1 \xff}"), Some((Kind::Utf8, 7)));
        assert_eq!(fault(b"{}\xff"), Some((Kind::Trailing, 2)));
        assert_eq!(fault(b"{\"a\":1"), Some((Kind::Truncated, 6)));
    }
}
