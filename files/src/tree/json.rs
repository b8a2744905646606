//! JSON with positions. Lenient where nothing depends on it: the library decides what a pattern may contain.

use serde_core::de::IgnoredAny;

use super::{MAX_DEPTH, Malformed, Node, Value};

/// Reads one JSON document.
pub fn parse(text: &str) -> Result<Node, Malformed> {
    let mut reader = Reader { text, at: 0 };
    let node = reader.value(0)?;
    reader.space();
    if reader.at < text.len() {
        return reader.fail("expected the end of the document");
    }
    Ok(node)
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl Reader<'_> {
    fn fail<T>(&self, message: &str) -> Result<T, Malformed> {
        Err(Malformed { offset: self.at, message: message.to_owned() })
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            crate::work::note(1);
            self.at += 1;
        }
    }

    fn value(&mut self, depth: usize) -> Result<Node, Malformed> {
        self.space();
        if depth > MAX_DEPTH {
            return self.fail("nested too deeply");
        }
        let start = self.at;
        crate::work::note(1);
        let value = match self.peek() {
            Some(b'{') => self.map(depth)?,
            Some(b'[') => self.list(depth)?,
            Some(b'"') => Value::String(self.string()?),
            Some(_) => {
                let rest = self.text.get(start..).unwrap_or("");
                let word = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.');
                let length = rest.bytes().take_while(|byte| word(*byte)).count();
                crate::work::note(length);
                let text = rest.get(..length).unwrap_or("");
                if serde_json::from_str::<IgnoredAny>(text).is_err() {
                    return self.fail("expected a value");
                }
                self.at += length;
                Value::Plain(text.to_owned())
            }
            None => return self.fail("the document is cut off"),
        };
        Ok(Node { span: start..self.at, value, tag: None, parts: None })
    }

    fn list(&mut self, depth: usize) -> Result<Value, Malformed> {
        let mut elements = Vec::new();
        self.at += 1;
        self.space();
        if self.peek() == Some(b']') {
            self.at += 1;
            return Ok(Value::List(elements));
        }
        loop {
            elements.push(self.value(depth + 1)?);
            self.space();
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b']') => {
                    self.at += 1;
                    return Ok(Value::List(elements));
                }
                _ => return self.fail("expected `,` or `]`"),
            }
        }
    }

    fn map(&mut self, depth: usize) -> Result<Value, Malformed> {
        let mut members = Vec::new();
        self.at += 1;
        self.space();
        if self.peek() == Some(b'}') {
            self.at += 1;
            return Ok(Value::Map(members));
        }
        loop {
            self.space();
            let start = self.at;
            if self.peek() != Some(b'"') {
                return self.fail("expected a quoted name");
            }
            let name = self.string()?;
            let key = Node { span: start..self.at, value: Value::String(name), tag: None, parts: None };
            self.space();
            if self.peek() != Some(b':') {
                return self.fail("expected `:`");
            }
            self.at += 1;
            let value = self.value(depth + 1)?;
            members.push((key, value));
            self.space();
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b'}') => {
                    self.at += 1;
                    return Ok(Value::Map(members));
                }
                _ => return self.fail("expected `,` or `}`"),
            }
        }
    }

    /// A string, unescaped. A lone surrogate escape becomes U+FFFD: such text is nobody's name.
    fn string(&mut self) -> Result<String, Malformed> {
        let rest = self.text.get(self.at..).unwrap_or("");
        let mut escaped = false;
        let end = rest.bytes().enumerate().skip(1).find_map(|(at, byte)| {
            let ends = byte == b'"' && !escaped;
            escaped = byte == b'\\' && !escaped;
            ends.then_some(at)
        });
        crate::work::note(end.unwrap_or(rest.len()));
        let Some(end) = end else { return self.fail("the document is cut off inside a string") };
        let raw = rest.get(..=end).unwrap_or("");
        let text = match serde_json::from_str(raw) {
            Ok(text) => text,
            Err(_) => match crate::escape::unescape(raw.get(1..end).unwrap_or("")) {
                Some(text) => text,
                None => return self.fail("a string is malformed"),
            },
        };
        self.at += end + 1;
        Ok(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_places_and_duplicates() {
        let text = r#"{ "a": [1, "x\n"], "a": null }"#;
        let node = parse(text).unwrap();
        let members = node.members();
        assert_eq!(members.len(), 2);
        assert_eq!(&text[members[0].0.span.clone()], "\"a\"");
        assert_eq!(members[0].1.elements()[1].text(), Some("x\n"));
        assert_eq!(&text[members[0].1.elements()[1].span.clone()], r#""x\n""#);
        assert_eq!(node.get("a").unwrap().text(), Some("null"));
    }

    #[test]
    fn says_where_it_is_malformed() {
        for (text, offset) in
            [("", 0), ("{", 1), ("{\"a\" 1}", 5), ("[1 2]", 3), ("[1] 2", 4), ("[tru]", 1), ("\"a", 0)]
        {
            assert_eq!(parse(text).unwrap_err().offset, offset, "{text}");
        }
        assert!(parse(&"[".repeat(100_000)).is_err());
    }
}
