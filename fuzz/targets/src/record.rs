//! Which filters a record passes, from the table of pattern and payload kinds, written a second time.

use eventrie::service::Source;
use eventrie::{Dialect, Pattern};

use crate::json::{self, Json};
use crate::make::quote;
use crate::matching::limits;

/// What a payload is.
enum Payload {
    None,
    Plain(String),
    Json(Json),
    NotText,
}

/// The filters that a record passes; none if it is not for this table to say.
pub(crate) fn passing(patterns: &[Pattern], dialect: Dialect, source: Source, record: &str) -> Option<Vec<usize>> {
    let Json::Object(mut members) = json::parse(record)? else { return None };
    if source == Source::Kinesis && dialect == Dialect::Lambda {
        // The stream's own part is read as if it stood at the top.
        let at = members.iter().position(|(name, _)| name == "kinesis")?;
        let Json::Object(inner) = members[at].1.clone() else { return None };
        members.splice(0..0, inner);
    }
    let (fields, lenient): (&[&str], bool) = match source {
        Source::Sqs => (&["body"], false),
        Source::Kinesis => (&["data"], false),
        Source::Mq => (&["data"], true),
        Source::Kafka => (&["key", "value"], true),
        _ => (&[], false),
    };
    let filters: Vec<Vec<(String, Json)>> = patterns
        .iter()
        .map(|pattern| match json::parse(pattern.source())? {
            Json::Object(members) => Some(members),
            _ => None,
        })
        .collect::<Option<_>>()?;
    let mut payloads = Vec::new();
    for field in fields {
        let named = filters.iter().flatten().any(|(name, _)| name == field);
        let payload = match members.iter().find(|(name, _)| name == field) {
            Some((_, value)) if named => payload(value, source)?,
            _ => Payload::None,
        };
        if let Some((_, value)) = members.iter_mut().find(|(name, _)| name == field) {
            match &payload {
                Payload::Json(json @ Json::Object(_)) => *value = json.clone(),
                Payload::Json(_) => *value = Json::Object(Vec::new()),
                Payload::Plain(text) => *value = Json::String(text.clone()),
                Payload::None | Payload::NotText => {}
            }
        }
        payloads.push((*field, payload));
    }
    let event = print(&Json::Object(members));
    let mut passing = Vec::new();
    for (at, mut filter) in filters.into_iter().enumerate() {
        let mut dropped = false;
        for (field, payload) in &payloads {
            let is = |list: bool| {
                let own = filter.iter().filter(|(name, _)| name == field);
                own.clone().any(|(_, value)| matches!(value, Json::Array(_)) == list)
            };
            let (plain, json) = (is(true), is(false));
            let fits = match payload {
                Payload::None => true,
                Payload::Plain(_) => plain || !json,
                Payload::Json(_) => json || !plain,
                Payload::NotText => !plain && !json,
            };
            dropped |= !fits && !lenient;
            if !fits {
                filter.retain(|(name, _)| name != field);
            }
        }
        if dropped {
            continue;
        }
        let matched = filter.is_empty() || {
            let pattern = Pattern::parse(&print(&Json::Object(filter)), dialect).ok()?;
            pattern.explain_with(event.as_bytes(), &limits()).ok()?.matched()
        };
        if matched {
            passing.push(at);
        }
    }
    Some(passing)
}

fn payload(value: &Json, source: Source) -> Option<Payload> {
    let text = match value {
        Json::String(text) => text,
        Json::Object(_) => return Some(Payload::Json(value.clone())),
        _ => return Some(Payload::None),
    };
    let bytes = if source == Source::Sqs { text.clone().into_bytes() } else { decode(text)? };
    let Ok(text) = String::from_utf8(bytes) else { return Some(Payload::NotText) };
    let valid = serde_json::from_str::<serde::de::IgnoredAny>(&text).is_ok();
    Some(if valid { Payload::Json(json::parse(text.trim())?) } else { Payload::Plain(text) })
}

fn print(json: &Json) -> String {
    match json {
        Json::Object(members) => {
            let members: Vec<String> =
                members.iter().map(|(name, value)| format!("{}:{}", quote(name), print(value))).collect();
            format!("{{{}}}", members.join(","))
        }
        Json::Array(elements) => format!("[{}]", elements.iter().map(print).collect::<Vec<_>>().join(",")),
        Json::String(text) => quote(text),
        Json::Number(text) => text.clone(),
        Json::Bool(truth) => truth.to_string(),
        Json::Null => "null".to_owned(),
    }
}

const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

pub(crate) fn base64(bytes: &[u8]) -> String {
    let mut out = String::new();
    for three in bytes.chunks(3) {
        let number = three.iter().chain(&[0, 0]).take(3).fold(0, |number, byte| number << 8 | usize::from(*byte));
        for digit in 0..4 {
            let shown = if digit <= three.len() { DIGITS[number >> (18 - 6 * digit) & 63] } else { b'=' };
            out.push(char::from(shown));
        }
    }
    out
}

/// The bytes of a string exactly as [`base64`] writes them; none of any other.
fn decode(text: &str) -> Option<Vec<u8>> {
    let digits = text.trim_end_matches('=').bytes();
    let digits: Vec<usize> = digits.map(|byte| DIGITS.iter().position(|own| *own == byte)).collect::<Option<_>>()?;
    let mut bytes = Vec::new();
    for four in digits.chunks(4) {
        let number = four.iter().chain(&[0, 0, 0]).take(4).fold(0, |number, digit| number << 6 | digit);
        bytes.extend((1..four.len()).map(|at| (number >> (24 - 8 * at) & 255) as u8));
    }
    (base64(&bytes) == text).then_some(bytes)
}
