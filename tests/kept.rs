//! What another parser keeps of an event's text. Also used by the fuzz targets.

use std::collections::BTreeMap;

use serde_json::Value;

/// What a parsed value keeps of an event's text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Kept {
    /// No object has a key twice.
    pub(crate) keys: bool,
    /// No path is given twice, one spelled nested and one dotted, say.
    pub(crate) paths: bool,
    /// All numbers are the same after `serde_json` has read them.
    pub(crate) numbers: bool,
}

/// What a parsed value would keep of a valid event's text.
pub(crate) fn kept(event: &str) -> Kept {
    let keys = serde_json::from_str::<Distinct>(event).is_ok();
    let paths = keys
        && serde_json::from_str(event).is_ok_and(|event| {
            let mut counts = BTreeMap::new();
            count_paths(&event, "", &mut counts);
            counts.values().all(|count| *count == 1)
        });
    Kept { keys, paths, numbers: numbers(event).all(is_kept) }
}

/// How many times each path is given; in the elements of one array it may be given again.
fn count_paths(value: &Value, path: &str, counts: &mut BTreeMap<String, u32>) {
    match value {
        Value::Object(members) => {
            for (key, value) in members {
                let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
                *counts.entry(path.clone()).or_default() += 1;
                count_paths(value, &path, counts);
            }
        }
        Value::Array(elements) => {
            let mut most: BTreeMap<String, u32> = BTreeMap::new();
            for element in elements {
                let mut inner = BTreeMap::new();
                count_paths(element, path, &mut inner);
                for (path, count) in inner {
                    let known = most.entry(path).or_default();
                    *known = count.max(*known);
                }
            }
            for (path, count) in most {
                *counts.entry(path).or_default() += count;
            }
        }
        _ => {}
    }
}

/// The number tokens of a JSON text.
fn numbers(text: &str) -> impl Iterator<Item = &str> {
    let bytes = text.as_bytes();
    let mut at = 0;
    std::iter::from_fn(move || {
        while let Some(byte) = bytes.get(at) {
            match byte {
                b'"' => {
                    at += 1;
                    while bytes.get(at).is_some_and(|byte| *byte != b'"') {
                        at += if bytes[at] == b'\\' { 2 } else { 1 };
                    }
                    at += 1;
                }
                b'-' | b'0'..=b'9' => {
                    let start = at;
                    while bytes.get(at).is_some_and(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(byte)) {
                        at += 1;
                    }
                    return text.get(start..at);
                }
                _ => at += 1,
            }
        }
        None
    })
}

/// Whether parsing a number and printing it again says the same.
fn is_kept(token: &str) -> bool {
    if token.parse::<i64>().is_ok_and(|number| number.to_string() == token) {
        return true;
    }
    let Ok(float) = token.parse::<f64>() else { return false };
    // The smallest numbers have a form of their own, and the parser of `serde_json` may be off by the last bit.
    let parsed = serde_json::from_str::<f64>(token).ok();
    float.is_finite()
        && (float == 0.0 || float.abs() > 1e-300)
        && parsed.is_some_and(|parsed| parsed.to_bits() == float.to_bits())
        && digits(token) == digits(&format!("{float:e}"))
}

/// Sign, significant digits and exponent of the last digit.
fn digits(token: &str) -> Option<(bool, String, i64)> {
    let negative = token.starts_with('-');
    let token = token.trim_start_matches('-').to_ascii_lowercase();
    let (mantissa, exponent) = token.split_once('e').unwrap_or((&token, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let all = format!("{whole}{fraction}");
    let trimmed = all.trim_end_matches('0');
    let zeros = i64::try_from(all.len() - trimmed.len()).ok()?;
    // Where the exponent does not fit in 32 bits the spelling alone counts, even of a zero.
    let exponent = i64::from(exponent.parse::<i32>().ok()?) - i64::try_from(fraction.len()).ok()? + zeros;
    let digits = trimmed.trim_start_matches('0');
    if digits.is_empty() { Some((false, String::new(), 0)) } else { Some((negative, digits.to_owned(), exponent)) }
}

/// Any JSON value in which no object has a key twice.
struct Distinct;

impl<'de> serde::Deserialize<'de> for Distinct {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Distinct, D::Error> {
        deserializer.deserialize_any(Distinct)
    }
}

impl<'de> serde::de::Visitor<'de> for Distinct {
    type Value = Distinct;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("JSON without duplicate keys")
    }

    fn visit_bool<E>(self, _: bool) -> Result<Distinct, E> {
        Ok(Distinct)
    }

    fn visit_i64<E>(self, _: i64) -> Result<Distinct, E> {
        Ok(Distinct)
    }

    fn visit_u64<E>(self, _: u64) -> Result<Distinct, E> {
        Ok(Distinct)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Distinct, E> {
        Ok(Distinct)
    }

    fn visit_str<E>(self, _: &str) -> Result<Distinct, E> {
        Ok(Distinct)
    }

    fn visit_unit<E>(self) -> Result<Distinct, E> {
        Ok(Distinct)
    }

    fn visit_seq<A: serde::de::SeqAccess<'de>>(self, mut seq: A) -> Result<Distinct, A::Error> {
        while seq.next_element::<Distinct>()?.is_some() {}
        Ok(Distinct)
    }

    fn visit_map<A: serde::de::MapAccess<'de>>(self, mut map: A) -> Result<Distinct, A::Error> {
        let mut seen = std::collections::HashSet::new();
        while let Some((key, _)) = map.next_entry::<String, Distinct>()? {
            if !seen.insert(key) {
                return Err(serde::de::Error::custom("a key is given twice"));
            }
        }
        Ok(Distinct)
    }
}

#[test]
fn what_a_parsed_value_keeps() {
    let kept = |event| {
        let kept = kept(event);
        (kept.keys, kept.paths, kept.numbers)
    };
    assert_eq!(kept(r#"{"a":[1,-2,3.50,1e3,{"b":"9007199254740993"}]}"#), (true, true, true));
    assert_eq!(kept(r#"{"a":9007199254740993}"#), (true, true, true));
    assert_eq!(kept(r#"{"a":36893488147419103233}"#), (true, true, false));
    assert_eq!(kept(r#"{"a":9007199254740993.0}"#), (true, true, false));
    assert_eq!(kept(r#"{"a":1e400}"#), (false, false, false));
    assert_eq!(kept(r#"{"a":0e2147483647}"#), (true, true, true));
    assert_eq!(kept(r#"{"a":0E+2147483648}"#), (true, true, false));
    assert_eq!(kept(r#"{"a":{"b":1,"b":2}}"#), (false, false, true));
    assert_eq!(kept(r#"{"a":[{"b":1},{"b":2}],"c":{"b":1}}"#), (true, true, true));
    assert_eq!(kept(r#"{"a":[{"b":1}],"a.b":2}"#), (true, false, true));
}
