//! Messages on standard input, one after the other. What is malformed is reported and skipped: one bad message ends no
//! session.

use std::io::{self, BufRead, Read, Write};

use lsp_server::Message;
use serde_json::json;

/// The longest message that is read. A longer one is skipped without being kept.
const LONGEST: u64 = 64 << 20;
/// The longest line of a header.
const LONGEST_LINE: u64 = 4 << 10;

/// What arrived.
#[derive(Debug)]
pub(super) enum Received {
    Message(Message),
    /// Something that is not a message, and why.
    Malformed(String),
}

/// Reads the next message; none at the end of the input.
pub(super) fn read(input: &mut impl BufRead) -> io::Result<Option<Received>> {
    let Some(length) = header(input)? else { return Ok(None) };
    if length > LONGEST {
        io::copy(&mut input.take(length), &mut io::sink())?;
        return Ok(Some(Received::Malformed(format!(
            "a message of {length} bytes is too long; the limit is {LONGEST}"
        ))));
    }
    let mut body = Vec::new();
    if input.take(length).read_to_end(&mut body)? as u64 != length {
        return Ok(None);
    }
    Ok(Some(match serde_json::from_slice(&body) {
        Ok(message) => Received::Message(message),
        Err(error) => Received::Malformed(format!("not a message of the protocol: {error}")),
    }))
}

/// The length of the message that follows. Lines before it that belong to no header are skipped.
fn header(input: &mut impl BufRead) -> io::Result<Option<u64>> {
    let mut length = None;
    loop {
        let mut line = Vec::new();
        if input.take(LONGEST_LINE).read_until(b'\n', &mut line)? == 0 {
            return Ok(None);
        }
        let line = String::from_utf8_lossy(&line);
        match (line.trim().split_once(':'), length) {
            (Some((name, value)), _) if name.trim().eq_ignore_ascii_case("content-length") => {
                length = value.trim().parse().ok().or(length);
            }
            (None, Some(length)) if line.trim().is_empty() => return Ok(Some(length)),
            _ => {}
        }
    }
}

/// Answers something that is not a message, and so names no request.
pub(super) fn refuse(output: &mut impl Write, reason: &str) -> io::Result<()> {
    let answer = json!({"jsonrpc": "2.0", "id": null, "error": {"code": -32700, "message": reason}}).to_string();
    write!(output, "Content-Length: {}\r\n\r\n{answer}", answer.len())?;
    output.flush()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

    use super::*;

    fn all(mut input: &[u8]) -> Vec<String> {
        let mut found = Vec::new();
        while let Some(received) = read(&mut input).unwrap() {
            found.push(match received {
                Received::Message(Message::Notification(one)) => one.method,
                Received::Message(other) => panic!("{other:?}"),
                Received::Malformed(_) => "malformed".to_owned(),
            });
        }
        found
    }

    #[test]
    fn bad_messages_are_passed_over() {
        let message = |body: &str| format!("Content-Length: {}\r\nContent-Type: x\r\n\r\n{body}", body.len());
        let good = message(r#"{"jsonrpc":"2.0","method":"a"}"#);
        for bad in [message("{"), message("[1]"), message(""), "garbage\r\n\r\nmore\n".to_owned()] {
            let found = all(format!("{good}{bad}{good}").as_bytes());
            let is_counted = bad.starts_with("Content");
            let expected: &[&str] = if is_counted { &["a", "malformed", "a"] } else { &["a", "a"] };
            assert_eq!(found, expected, "{bad:?}");
        }
        assert_eq!(all(format!("Content-Length: x\r\n\r\n{good}").as_bytes()), ["a"]);
        assert_eq!(all(b"Content-Length: 9\r\n\r\n{"), [""; 0], "cut short");
        assert_eq!(all(b"Content-Length: 99999999999999\r\n\r\n{"), ["malformed"], "nothing is kept of it");
        let line = "x".repeat(10_000);
        assert_eq!(all(format!("{line}\r\n{good}").as_bytes()), ["a"]);
    }
}
