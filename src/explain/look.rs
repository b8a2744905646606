//! What a string that is not JSON looks like, and how to get JSON from it.

/// How much of a string is read.
const FAR: usize = 1 << 16;

/// What the text looks like and what to do, in one sentence; none if it looks like JSON with a mistake, or like nothing
/// that is known.
pub(super) fn looks_like(text: &[u8]) -> Option<&'static str> {
    let text = text.get(..FAR).unwrap_or(text).trim_ascii();
    let first = *text.first()?;
    match first {
        b'{' | b'[' => literal(text),
        b'<' => Some("this looks like XML or HTML, such as an error page; save the JSON response instead"),
        b'`' if text.starts_with(b"```") => {
            Some("this looks like a Markdown code block; remove its first and last line")
        }
        b'\'' | b'`' => Some("remove the quotes around the JSON, or the line breaks that the shell kept"),
        b'"' => None,
        b'#' => Some("this looks like YAML; print it as JSON, for example with `yq -o json`"),
        b'0'..=b'9' if time(text) => {
            Some(if text.ends_with(b"{") || text.ends_with(b"[") { LOG_START } else { LOG_LINE })
        }
        _ if text.starts_with(b"START RequestId")
            || text.starts_with(b"END RequestId")
            || text.starts_with(b"REPORT ") =>
        {
            Some(LOG_LINE)
        }
        _ if text.starts_with(b"eyJ")
            && text.iter().all(|byte| byte.is_ascii_alphanumeric() || b"+/=\r\n".contains(byte)) =>
        {
            Some("this looks like base64; decode it with `base64 -d`")
        }
        _ if text.starts_with(b"---") => Some("this looks like YAML; print it as JSON, for example with `yq -o json`"),
        _ => yaml(text).then_some("this looks like YAML; print it as JSON, for example with `yq -o json`"),
    }
}

const LOG_LINE: &str =
    "this looks like a log line without an event; pass only lines that contain one, or the event alone";

const LOG_START: &str = "this looks like a log line that begins JSON of several lines; pass the JSON alone";

/// Whether the text begins with a date, as lines of logs do.
fn time(text: &[u8]) -> bool {
    let is = |(byte, shape): (&u8, &u8)| match shape {
        b'0' => byte.is_ascii_digit(),
        _ => byte == shape || (*shape == b'-' && *byte == b'/'),
    };
    text.len() >= 10 && text.iter().zip(b"0000-00-00").all(is)
}

/// Whether the first line is `name: value`.
fn yaml(text: &[u8]) -> bool {
    let line = text.split(|byte| *byte == b'\n').next().unwrap_or(text);
    let name = line.iter().take_while(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(byte)).count();
    name > 0 && line.get(name) == Some(&b':') && matches!(line.get(name + 1), None | Some(b' ' | b'\r'))
}

/// Which language an object or array that is not JSON is a literal of, decided by the first thing that JSON does not
/// have.
fn literal(text: &[u8]) -> Option<&'static str> {
    let (mut at, mut before) = (0, b' ');
    while let Some(&byte) = text.get(at) {
        let rest = text.get(at..).unwrap_or(&[]);
        match byte {
            b'"' => at = string(text, at + 1, b'"')?,
            b'\'' => {
                let end = string(text, at + 1, b'\'');
                let after = end.and_then(|end| text.get(end + 1..)).unwrap_or(&[]).trim_ascii_start();
                // JavaScript quotes few of its keys, Python all of them.
                return Some(match (before, after.first()) {
                    (b'{' | b',', Some(b':')) if !has_bare_key(text) => PYTHON,
                    (b'[', _) if !has_bare_key(text) => PYTHON,
                    _ => JAVASCRIPT,
                });
            }
            b'/' if rest.starts_with(b"//") || rest.starts_with(b"/*") => return Some(COMMENTS),
            b'#' => return Some(COMMENTS),
            b'`' => return Some(JAVASCRIPT),
            b'}' | b']' if before == b',' => {
                return Some("remove the comma before the closing bracket: JSON does not allow trailing commas");
            }
            _ if byte.is_ascii_alphabetic() || byte == b'_' || byte == b'$' => {
                let word = rest.iter().take_while(|byte| byte.is_ascii_alphanumeric() || b"_$.".contains(byte)).count();
                let name = rest.get(..word).unwrap_or(&[]);
                let after = rest.get(word..).unwrap_or(&[]).trim_ascii_start();
                match name {
                    b"True" | b"False" | b"None" | b"datetime.datetime" | b"Decimal" | b"OrderedDict" => {
                        return Some(PYTHON);
                    }
                    b"undefined" | b"new" | b"Object" => return Some(JAVASCRIPT),
                    b"nil" => return Some("this looks like Ruby or Go; print the event as JSON instead"),
                    _ if matches!(before, b'{' | b',') && after.first() == Some(&b':') => return Some(JAVASCRIPT),
                    _ if matches!(before, b'{' | b',') && after.first() == Some(&b'=') => {
                        return Some(
                            "this looks like a map printed by Java or a configuration language; print the event as JSON instead",
                        );
                    }
                    _ => at += word.max(1) - 1,
                }
            }
            _ => {}
        }
        if !byte.is_ascii_whitespace() {
            before = byte;
        }
        at += 1;
    }
    None
}

const PYTHON: &str = "this looks like Python's repr; print `json.dumps(event)` instead";
const JAVASCRIPT: &str = "this looks like a JavaScript object; print `JSON.stringify(event)` instead";
const COMMENTS: &str = "remove the comments";

/// Whether some key has no quotes.
fn has_bare_key(text: &[u8]) -> bool {
    let mut before = b' ';
    let mut at = 0;
    while let Some(&byte) = text.get(at) {
        if byte == b'"' || byte == b'\'' {
            match string(text, at + 1, byte) {
                Some(end) => at = end,
                None => return false,
            }
        } else if matches!(before, b'{' | b',') && (byte.is_ascii_alphabetic() || byte == b'_' || byte == b'$') {
            return true;
        }
        if !byte.is_ascii_whitespace() {
            before = byte;
        }
        at += 1;
    }
    false
}

/// Where the string that begins here ends.
fn string(text: &[u8], mut at: usize, quote: u8) -> Option<usize> {
    loop {
        at += memchr::memchr2(quote, b'\\', text.get(at..)?)?;
        if text.get(at) == Some(&quote) {
            return Some(at);
        }
        at += 2;
    }
}

#[cfg(test)]
mod tests {
    use super::looks_like;

    #[test]
    fn by_what_json_does_not_have() {
        let like = |text: &str| looks_like(text.as_bytes()).unwrap_or("nothing");
        for text in [
            "{'source': 'aws.s3', 'detail': {'ok': True, 'x': None}}",
            "[{'a': 1}]",
            "{\"a\": True}",
            "{'it': \"it's\"}",
            "{'time': datetime.datetime(2026, 1, 1)}",
        ] {
            assert!(like(text).contains("Python"), "{text}: {}", like(text));
        }
        for text in [
            "{source: 'aws.s3'}",
            "{ a: 1 }",
            "{\n  source: \"x\",\n}",
            "{\"a\": undefined}",
            "{ 'a-b': 1, c: 'x' }",
            "{\"a\": 'x'}",
        ] {
            assert!(like(text).contains("JavaScript"), "{text}: {}", like(text));
        }
        for text in ["{\"a\": 1, // one\n}", "{/* a */\"a\":1}", "{\n# one\n\"a\":1}"] {
            assert!(like(text).contains("comments"), "{text}");
        }
        for text in ["{\"a\":1,}", "[1, 2,\n]"] {
            assert!(like(text).contains("trailing"), "{text}");
        }
        for text in ["source: aws.s3", "---\na: 1", "# x\na: 1", "detail:\n  a: b"] {
            assert!(like(text).contains("YAML"), "{text}");
        }
        for text in ["2026-01-01T00:00:00Z hello", "START RequestId: 7c6b", "2026/01/01 00:00:00 x"] {
            assert!(like(text).contains("log line"), "{text}");
        }
        assert!(like("<html>").contains("XML"));
        assert!(like("eyJhIjoxfQ==").contains("base64"));
        for text in
            ["{\"a\":1", "{\"a\" 1}", "{\"a\":tru}", "", "{\"url\":\"http://x\"}", "{\"a\":1} {\"b\":2}", "nonsense"]
        {
            assert_eq!(like(text), "nothing", "{text}");
        }
    }
}
