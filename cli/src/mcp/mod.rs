//! The server for coding assistants: the Model Context Protocol over standard input and output, one message per line.
//!
//! Every answer follows from what the request contains: no file is read, nothing is kept from one request to the next.

mod describe;
mod given;
mod tools;

use std::io::{self, BufRead, Read, Write};

use serde::de::IgnoredAny;
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;
use serde_json::{Value, json};

/// The versions of the protocol, newest first. Clients of the first one send `server/discover`, others `initialize`.
const VERSIONS: [&str; 5] = ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];
/// The newest version in which a session begins with `initialize`.
const NEWEST_WITH_SESSION: &str = "2025-11-25";
/// The longest message. A longer one is skipped without being kept.
const LONGEST: u64 = 64 << 20;

const PARSE_ERROR: i32 = -32700;
const INVALID_REQUEST: i32 = -32600;
const METHOD_NOT_FOUND: i32 = -32601;

#[derive(Deserialize)]
struct Request<'a> {
    /// None if there is no such member; `null` is a value.
    #[serde(default, deserialize_with = "present")]
    id: Option<Value>,
    #[serde(default)]
    method: Option<String>,
    /// That of an answer.
    #[serde(default, deserialize_with = "present")]
    result: Option<IgnoredAny>,
    #[serde(default, deserialize_with = "present")]
    error: Option<IgnoredAny>,
    /// As it is spelled: patterns are compared by their text.
    #[serde(borrow, default)]
    params: Option<&'a RawValue>,
}

/// A member that is there, whatever its value.
fn present<'de, T: Deserialize<'de>, D: Deserializer<'de>>(value: D) -> Result<Option<T>, D::Error> {
    T::deserialize(value).map(Some)
}

/// Serves one client until its messages end.
pub(crate) fn serve() -> io::Result<()> {
    let (mut input, mut output) = (io::stdin().lock(), io::stdout().lock());
    while let Some(line) = line(&mut input)? {
        let answer = match line {
            Ok(line) if line.iter().all(u8::is_ascii_whitespace) => None,
            Ok(line) => answer(&line),
            Err(message) => Some(refused(&Value::Null, PARSE_ERROR, &message)),
        };
        if let Some(answer) = answer {
            writeln!(output, "{answer}")?;
            output.flush()?;
        }
    }
    Ok(())
}

/// The next line, or why it is not read; none at the end.
fn line(input: &mut impl BufRead) -> io::Result<Option<Result<Vec<u8>, String>>> {
    let mut line = Vec::new();
    if input.take(LONGEST).read_until(b'\n', &mut line)? == 0 {
        return Ok(None);
    }
    if line.ends_with(b"\n") || (line.len() as u64) < LONGEST {
        return Ok(Some(Ok(line)));
    }
    loop {
        let (found, used) = {
            let buffer = input.fill_buf()?;
            let end = memchr::memchr(b'\n', buffer);
            (end.is_some() || buffer.is_empty(), end.map_or(buffer.len(), |end| end + 1))
        };
        input.consume(used);
        if found {
            return Ok(Some(Err(format!("a message is longer than {LONGEST} bytes"))));
        }
    }
}

/// The answer to a message; none to a notification.
fn answer(line: &[u8]) -> Option<Value> {
    // An array would be read as the members of a request in their order.
    if line.trim_ascii_start().first() != Some(&b'{') {
        return Some(match serde_json::from_slice::<IgnoredAny>(line) {
            Ok(_) => refused(&Value::Null, INVALID_REQUEST, "expected a request, which is a JSON object"),
            Err(error) => refused(&Value::Null, PARSE_ERROR, &error.to_string()),
        });
    }
    let request: Request<'_> = match serde_json::from_slice(line) {
        Ok(request) => request,
        Err(error) if error.is_data() => return Some(refused(&Value::Null, INVALID_REQUEST, &error.to_string())),
        Err(error) => return Some(refused(&Value::Null, PARSE_ERROR, &error.to_string())),
    };
    let Some(method) = request.method else {
        // Answers to requests that were never made are skipped.
        let is_answer = request.result.is_some() || request.error.is_some();
        let id = request.id.unwrap_or_default();
        return (!is_answer).then(|| refused(&id, INVALID_REQUEST, "expected a request, which has a `method`"));
    };
    let id = request.id?;
    if !(id.is_string() || id.is_number()) {
        let message = "the `id` of a request must be a string or a number";
        return Some(refused(&Value::Null, INVALID_REQUEST, message));
    }
    let params = request.params.map_or("null", RawValue::get);
    let done = match method.as_str() {
        "initialize" => Ok(initialized(params)),
        "server/discover" => Ok(discovered()),
        "ping" => Ok(json!({})),
        "tools/list" => Ok(json!({"tools": describe::tools(), "ttlMs": 3_600_000, "cacheScope": "public"})),
        "tools/call" => tools::call(params),
        _ => Err((METHOD_NOT_FOUND, format!("unknown method `{method}`"))),
    };
    Some(match done {
        Ok(mut result) => {
            if let Some(result) = result.as_object_mut() {
                result.insert("resultType".to_owned(), json!("complete"));
            }
            json!({"jsonrpc": "2.0", "id": id, "result": result})
        }
        Err((code, message)) => refused(&id, code, &message),
    })
}

fn initialized(params: &str) -> Value {
    let params: Value = serde_json::from_str(params).unwrap_or_default();
    let asked = params.get("protocolVersion").and_then(Value::as_str);
    let has_session = |version: &&str| VERSIONS.get(1..).is_some_and(|versions| versions.contains(version));
    let version = asked.filter(has_session).unwrap_or(NEWEST_WITH_SESSION);
    json!({
        "protocolVersion": version,
        "capabilities": {"tools": {}},
        "serverInfo": server(),
        "instructions": describe::INSTRUCTIONS,
    })
}

fn discovered() -> Value {
    json!({
        "supportedVersions": VERSIONS,
        "capabilities": {"tools": {}},
        "instructions": describe::INSTRUCTIONS,
        "ttlMs": 3_600_000,
        "cacheScope": "public",
        "_meta": {"io.modelcontextprotocol/serverInfo": server()},
    })
}

fn server() -> Value {
    json!({"name": "eventrie", "title": "eventrie", "version": env!("CARGO_PKG_VERSION")})
}

fn refused(id: &Value, code: i32, message: &str) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": message}})
}
