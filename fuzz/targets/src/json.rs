//! JSON as another parser sees it, with duplicate keys and the spelling of numbers.

use eventrie::event::{Scalar, Sink, Want};
use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;

/// A value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Json {
    Object(Vec<(String, Json)>),
    Array(Vec<Json>),
    String(String),
    Number(String),
    Bool(bool),
    Null,
}

/// Deeper values are not looked into: each level is read again for each level around it.
const DEEPEST: usize = 60;

/// Whether the bytes are one JSON object.
pub(crate) fn is_object(bytes: &[u8]) -> bool {
    let object = bytes.iter().find(|byte| !b" \t\r\n".contains(byte)) == Some(&b'{');
    object && std::str::from_utf8(bytes).is_ok_and(|text| serde_json::from_str::<IgnoredAny>(text).is_ok())
}

/// The value of a valid text; none if it is nested deeply.
pub(crate) fn parse(text: &str) -> Option<Json> {
    read(serde_json::from_str(text).ok()?, 0)
}

fn read(raw: &RawValue, depth: usize) -> Option<Json> {
    if depth > DEEPEST {
        return None;
    }
    let text = raw.get();
    Some(match text.as_bytes().first()? {
        b'{' => {
            let Members(members) = serde_json::from_str(text).ok()?;
            let member = |(key, value): (&RawValue, &RawValue)| Some((string(key.get()), read(value, depth + 1)?));
            Json::Object(members.into_iter().map(member).collect::<Option<_>>()?)
        }
        b'[' => {
            let elements: Vec<&RawValue> = serde_json::from_str(text).ok()?;
            Json::Array(elements.into_iter().map(|element| read(element, depth + 1)).collect::<Option<_>>()?)
        }
        b'"' => Json::String(string(text)),
        b't' => Json::Bool(true),
        b'f' => Json::Bool(false),
        b'n' => Json::Null,
        _ => Json::Number(text.to_owned()),
    })
}

/// The members of an object in order, with duplicates, as they are spelled.
struct Members<'a>(Vec<(&'a RawValue, &'a RawValue)>);

impl<'de: 'a, 'a> Deserialize<'de> for Members<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Members<'a>, D::Error> {
        struct Visit<'a>(std::marker::PhantomData<&'a ()>);
        impl<'de: 'a, 'a> Visitor<'de> for Visit<'a> {
            type Value = Members<'a>;
            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("an object")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Members<'a>, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(Visit(std::marker::PhantomData))
    }
}

/// The text of a string literal. Half of a surrogate pair becomes `?`.
fn string(literal: &str) -> String {
    if let Ok(text) = serde_json::from_str(literal) {
        return text;
    }
    let mut units = Vec::new();
    let mut chars = literal[1..literal.len() - 1].chars();
    while let Some(char) = chars.next() {
        if char != '\\' {
            units.extend_from_slice(char.encode_utf16(&mut [0; 2]));
            continue;
        }
        units.push(match chars.next() {
            Some('u') => {
                let digits: String = chars.by_ref().take(4).collect();
                u16::from_str_radix(&digits, 16).unwrap()
            }
            Some('n') => 10,
            Some('t') => 9,
            Some('r') => 13,
            Some('b') => 8,
            Some('f') => 12,
            Some(other) => other as u16,
            None => unreachable!("the literal is valid"),
        });
    }
    char::decode_utf16(units).map(|char| char.unwrap_or('?')).collect()
}

/// How telling goes on.
#[derive(PartialEq)]
enum Told {
    On,
    Stopped,
}

impl Json {
    /// Reports the value to a sink, as the sink's documentation says.
    pub(crate) fn tell<S: Sink>(&self, sink: &mut S) {
        self.go(sink);
    }

    fn go<S: Sink>(&self, sink: &mut S) -> Told {
        match self {
            Json::String(text) => sink.scalar(Scalar::string(text)),
            Json::Number(text) => sink.scalar(Scalar::number(text)),
            Json::Bool(truth) => sink.scalar(Scalar::Bool(*truth)),
            Json::Null => sink.scalar(Scalar::Null),
            Json::Array(elements) => {
                if sink.begin_array() == Want::Read {
                    for element in elements {
                        if element.go(sink) == Told::Stopped {
                            return Told::Stopped;
                        }
                    }
                    sink.end_array();
                }
            }
            Json::Object(members) => {
                if sink.begin_object() == Want::Read {
                    for (name, value) in members {
                        match sink.key(name.as_str().into()) {
                            Want::Read => {
                                if value.go(sink) == Told::Stopped {
                                    return Told::Stopped;
                                }
                            }
                            Want::Skip => {}
                            Want::Leave => break,
                            Want::Stop => return Told::Stopped,
                        }
                    }
                    sink.end_object();
                }
            }
        }
        Told::On
    }
}
