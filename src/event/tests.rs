#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use super::*;
use crate::json::{Number, ReadPolicy, Scalar, Text, Want};
use crate::limit::{Limit, Limits};

/// All scalars with the keys above them, sorted; skips, leaves and stops at keys of these names.
#[derive(Default)]
struct Leaves {
    path: Vec<String>,
    open: Vec<bool>,
    found: Vec<String>,
}

impl Leaves {
    fn value_ends(&mut self) {
        if self.open.last() == Some(&true) {
            self.path.pop();
        }
    }
}

impl Sink for Leaves {
    fn key(&mut self, name: Text<'_>) -> Want {
        match name.as_bytes() {
            b"skip" => Want::Skip,
            b"leave" => Want::Leave,
            b"stop" => Want::Stop,
            name => {
                self.path.push(String::from_utf8(name.to_vec()).unwrap());
                Want::Read
            }
        }
    }

    fn scalar(&mut self, value: Scalar<'_>) {
        let value = match value {
            Scalar::String(text) => format!("{:?}", std::str::from_utf8(text.as_bytes()).unwrap()),
            Scalar::Number(text) => {
                format!("{:?}", std::str::from_utf8(text.as_bytes()).unwrap().parse::<f64>().unwrap())
            }
            Scalar::Bool(value) => value.to_string(),
            Scalar::Null => "null".to_owned(),
        };
        self.found.push(format!("{}={value}", self.path.join("/")));
        self.value_ends();
    }

    fn begin_object(&mut self) -> Want {
        self.open.push(true);
        Want::Read
    }

    fn end_object(&mut self) {
        self.open.pop();
        self.value_ends();
    }

    fn begin_array(&mut self) -> Want {
        self.open.push(false);
        Want::Read
    }

    fn end_array(&mut self) {
        self.open.pop();
        self.value_ends();
    }
}

fn leaves(event: impl Event, policy: ReadPolicy) -> Result<Vec<String>, EventError> {
    let mut sink = Leaves::default();
    event.read(&mut sink, &mut Reader::new(policy, &Limits::default().depth(4).key_bytes(8)))?;
    sink.found.sort();
    Ok(sink.found)
}

const EVENT: &str =
    r#" {"a": [1, -2.5e3, {"b": "xé\n"}, [true]], "skip": {"a": [7]}, "n": null, "e": {}, "f": [], "z": 10000000000} "#;

#[test]
fn text_in_all_shapes() {
    let expected = ["a/b=\"xé\\n\"", "a=-2500.0", "a=1.0", "a=true", "n=null", "z=10000000000.0"];
    for policy in [ReadPolicy::Whole, ReadPolicy::Early] {
        assert_eq!(leaves(EVENT, policy).unwrap(), expected);
        assert_eq!(leaves(EVENT.as_bytes(), policy).unwrap(), expected);
        assert_eq!(leaves(EVENT.to_owned(), policy).unwrap(), expected);
        assert_eq!(leaves(EVENT.as_bytes().to_vec(), policy).unwrap(), expected);
        assert_eq!(leaves(b"{\"a\":1}", policy).unwrap(), ["a=1.0"]);
        assert_eq!(leaves(r#"{"o":{"a":1,"leave":2,"b":3},"c":4}"#, policy).unwrap(), ["c=4.0", "o/a=1.0"]);
        assert_eq!(leaves(r#"{"a":1,"o":[{"stop":2}],"c":4}"#, policy).unwrap(), ["a=1.0"]);
    }
}

#[test]
#[cfg(all(feature = "serde_json", feature = "simd-json-0_17"))]
fn parsed_values_tell_what_their_text_tells() {
    for text in
        [EVENT, r#"{"a":{"skip":1,"b":[{"c":1},{"skip":2}]}}"#, r#"{"o":{"leave":2}}"#, r#"{"o":{"stop":2}}"#, "{}"]
    {
        let expected = leaves(text, ReadPolicy::Whole);
        let value: serde_json::Value = serde_json::from_str(text).unwrap();
        assert_eq!(leaves(&value, ReadPolicy::Whole), expected);
        let bytes = || text.as_bytes().to_vec();
        assert_eq!(leaves(simd_json::to_owned_value(&mut bytes()).unwrap(), ReadPolicy::Whole), expected);
        assert_eq!(leaves(simd_json::to_borrowed_value(&mut bytes()).unwrap(), ReadPolicy::Early), expected);
        assert_eq!(leaves(simd_json::to_tape(&mut bytes()).unwrap(), ReadPolicy::Whole), expected);
    }
}

#[test]
#[cfg(all(feature = "serde_json", feature = "simd-json-0_17"))]
fn parsed_values_keep_the_limits() {
    use crate::json::EventErrorKind;

    for (text, kind, limit) in [
        ("[1]", EventErrorKind::NotAnObject, None),
        ("\"a\"", EventErrorKind::NotAnObject, None),
        (r#"{"a":[[[[1]]]]}"#, EventErrorKind::Limit, Some(Limit::Depth)),
        (r#"{"a":{"a":{"a":{"a":{}}}}}"#, EventErrorKind::Limit, Some(Limit::Depth)),
        (r#"{"a-long-key":1}"#, EventErrorKind::Limit, Some(Limit::KeyBytes)),
    ] {
        let of_text = leaves(text, ReadPolicy::Whole).unwrap_err();
        assert_eq!((of_text.kind(), of_text.limit()), (kind, limit), "{text}");
        let value: serde_json::Value = serde_json::from_str(text).unwrap();
        let mut bytes = text.as_bytes().to_vec();
        for error in [
            leaves(&value, ReadPolicy::Whole).unwrap_err(),
            leaves(simd_json::to_owned_value(&mut bytes.clone()).unwrap(), ReadPolicy::Whole).unwrap_err(),
            leaves(simd_json::to_tape(&mut bytes).unwrap(), ReadPolicy::Whole).unwrap_err(),
        ] {
            assert_eq!((error.kind(), error.limit(), error.offset()), (kind, limit, None), "{text}");
        }
    }
}

#[test]
fn what_is_not_a_json_number_equals_none() {
    use crate::{Dialect, Event, Matcher, Pattern, Scratch};

    struct Spelled(&'static str);
    impl Event for Spelled {
        fn read<S: Sink>(&self, sink: &mut S, _reader: &mut Reader) -> Result<(), EventError> {
            if sink.begin_object() == Want::Read {
                if sink.key("n".into()) == Want::Read {
                    sink.scalar(Scalar::number(self.0));
                }
                sink.end_object();
            }
            Ok(())
        }
    }

    let pattern = Pattern::parse(r#"{"n":[7,{"numeric":["<",9]}]}"#, Dialect::EventBridge).unwrap();
    let matcher = Matcher::new([pattern]).unwrap();
    let mut scratch = Scratch::default();
    assert!(matcher.is_match(Spelled("7.0"), &mut scratch).unwrap());
    for spelling in ["007", "+7", "7.", ".7", "7e", "NaN", "-inf", "0x7", " 7", "7 ", "", "-"] {
        assert_eq!(Number::new(spelling), None, "{spelling:?}");
        assert!(!matcher.is_match(Spelled(spelling), &mut scratch).unwrap(), "{spelling:?}");
    }
    #[cfg(feature = "simd-json-0_17")]
    for float in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let value = simd_json::json!({ "n": 7 });
        assert!(matcher.is_match(&value, &mut scratch).unwrap());
        let mut members = simd_json::owned::Object::default();
        members.insert("n".to_owned(), simd_json::OwnedValue::Static(simd_json::StaticNode::F64(float)));
        let value = simd_json::OwnedValue::Object(Box::new(members));
        // What is not a number in JSON is spelled as `null` or refused; it is never compared.
        assert!(!matcher.is_match(&value, &mut scratch).unwrap_or(false), "{float}");
    }
}

/// The smallest doubles are spelled as other parsed values spell them, so they equal what a pattern writes.
#[cfg(all(feature = "serde_json", feature = "simd-json-0_17"))]
#[test]
fn parsed_floats_are_spelled_shortly() {
    use crate::{Dialect, Matcher, Pattern, Scratch};

    for spelling in ["5e-324", "1e-323", "1.5e-7", "1e300", "0.00001", "1.5", "-0.25", "123456789012345.6"] {
        let matcher =
            Matcher::new([Pattern::parse(&format!(r#"{{"n":[{spelling}]}}"#), Dialect::EventBridge).unwrap()]).unwrap();
        let mut scratch = Scratch::default();
        let text = format!(r#"{{"n":{spelling}}}"#);
        let mut bytes = text.clone().into_bytes();
        let parsed: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert!(matcher.is_match(&text, &mut scratch).unwrap(), "{spelling}");
        assert!(matcher.is_match(&parsed, &mut scratch).unwrap(), "{spelling}");
        assert!(
            matcher.is_match(simd_json::to_owned_value(&mut bytes.clone()).unwrap(), &mut scratch).unwrap(),
            "{spelling}"
        );
        assert!(matcher.is_match(simd_json::to_tape(&mut bytes).unwrap(), &mut scratch).unwrap(), "{spelling}");
    }
}

/// An event of somebody else's making may close more than it opens.
#[test]
fn what_was_never_opened_may_be_closed() {
    use crate::{Dialect, Event, Matcher, Pattern, Scratch};

    struct Unbalanced;
    impl Event for Unbalanced {
        fn read<S: Sink>(&self, sink: &mut S, _reader: &mut Reader) -> Result<(), EventError> {
            sink.end_array();
            sink.end_object();
            _ = sink.begin_object();
            _ = sink.key("a".into());
            sink.end_array();
            sink.end_array();
            _ = sink.begin_object();
            _ = sink.key("a".into());
            sink.scalar(Scalar::number("1"));
            sink.end_object();
            sink.end_object();
            sink.end_array();
            Ok(())
        }
    }

    for policy in [ReadPolicy::Whole, ReadPolicy::Early] {
        let pattern = Pattern::parse(r#"{"a":[1],"b":[{"exists":false}]}"#, Dialect::EventBridge).unwrap();
        let matcher = Matcher::builder().read_policy(policy).build([pattern]).unwrap();
        // What it says is up to the event; that it ends is not.
        _ = matcher.is_match(Unbalanced, &mut Scratch::default());
    }
}

#[test]
fn an_event_without_text_is_explained_as_its_text_is() {
    use crate::{Dialect, Event, Pattern};

    /// The event, but not where it is in the text.
    struct Hidden<'a>(&'a str);
    impl Event for Hidden<'_> {
        fn read<S: Sink>(&self, sink: &mut S, reader: &mut Reader) -> Result<(), EventError> {
            self.0.read(sink, reader)
        }
    }

    let pattern = Pattern::parse(
        r#"{"a":[{"numeric":[">",2]}],"b":{"c":["x\"y\\z\u0001"],"d":[{"exists":false}]}}"#,
        Dialect::EventBridge,
    )
    .unwrap();
    for event in [
        r#"{"a":1e1,"b":[{"c":"x\"y\\z\u0001"},[],{}]}"#,
        r#"{"a":[1,{"k":[null,true]},false],"b":[[{"c":"x"},{"d":{}}]]}"#,
        r#"{"a":3,"b":{"c":"é\ud83d\ude00","d":null}}"#,
        "{}",
    ] {
        let text = pattern.explain(compact(event)).unwrap();
        let hidden = pattern.explain(Hidden(event)).unwrap();
        assert_eq!((hidden.matched(), hidden.summary()), (text.matched(), text.summary()), "{event}");
        let pointer = |explanation: &crate::Explanation| explanation.event_place().map(|place| place.pointer.clone());
        assert_eq!(pointer(&hidden), pointer(&text), "{event}");
        assert!(!hidden.to_string().contains("--> event"), "{hidden}");
        assert_eq!(super::text(&Hidden(event), &Limits::default()).unwrap().0, Vec::from(compact(event)), "{event}");
    }
    let error = pattern.explain_with(Hidden(r#"{"a":[1,2,3,4,5,6,7,8,9]}"#), &Limits::default().event_bytes(30)).err();
    assert_eq!(error.and_then(|error| error.limit()), None, "25 bytes");
    let error = pattern.explain_with(Hidden(r#"{"a":[1,2,3,4,5,6,7,8,9]}"#), &Limits::default().event_bytes(10)).err();
    assert_eq!(error.and_then(|error| error.limit()), Some(Limit::EventBytes));
    struct Unspelled;
    impl Event for Unspelled {
        fn read<S: Sink>(&self, sink: &mut S, _reader: &mut Reader) -> Result<(), EventError> {
            if sink.begin_object() == Want::Read {
                if sink.key("a".into()) == Want::Read {
                    sink.scalar(Scalar::number("007"));
                }
                sink.end_object();
            }
            Ok(())
        }
    }
    assert_eq!(pattern.explain(Unspelled).unwrap_err().kind(), EventErrorKind::Foreign);
}

/// As `Writer` writes it, for strings without whitespace between tokens.
fn compact(event: &str) -> String {
    event.replace("\\ud83d\\ude00", "😀")
}

#[test]
fn lines_are_numbered_and_bounded() {
    let lines = |text: &[u8], most: usize| {
        let mut reader = Ndjson::new(std::io::BufReader::with_capacity(3, text)).max_line_bytes(most);
        let mut found = Vec::new();
        while let Some(line) = reader.next_line() {
            found.push(match line {
                Ok(line) => (line.number(), Some(String::from_utf8(line.text().to_vec()).unwrap())),
                Err(error) => {
                    assert_eq!(error.limit(), Some(Limit::EventBytes));
                    (error.line(), None)
                }
            });
        }
        found
    };
    let own = |number, text: &str| (number, Some(text.to_owned()));
    assert_eq!(lines(b"", 9), []);
    assert_eq!(lines(b"\n \t\r\n", 9), []);
    assert_eq!(lines(b"\xEF\xBB\xBF{}\r\n\n{\"a\":1}", 9), [own(1, "{}\r"), own(3, "{\"a\":1}")]);
    assert_eq!(lines(b"{}\n{\"a\":123456}\n{ }\n", 9), [own(1, "{}"), (2, None), own(3, "{ }")]);
    assert_eq!(lines(b"123456789\n1234567890", 9), [own(1, "123456789"), (2, None)]);
}

#[test]
fn whatever_owns_a_text_is_an_event() {
    use std::borrow::Cow;
    use std::sync::Arc;

    let expected = ["a=1.0"];
    let text = r#"{"a":1}"#;
    let bytes: Arc<[u8]> = Arc::from(text.as_bytes());
    let boxed: Box<str> = Box::from(text);
    assert_eq!(leaves(bytes, ReadPolicy::Whole).unwrap(), expected);
    assert_eq!(leaves(boxed, ReadPolicy::Whole).unwrap(), expected);
    assert_eq!(leaves(Cow::Borrowed(text), ReadPolicy::Whole).unwrap(), expected);
    assert_eq!(leaves(Cow::Borrowed(text.as_bytes()), ReadPolicy::Early).unwrap(), expected);
    #[cfg(feature = "bytes")]
    assert_eq!(leaves(bytes::Bytes::from_static(text.as_bytes()), ReadPolicy::Whole).unwrap(), expected);
    #[cfg(feature = "raw_value")]
    {
        let raw: Box<serde_json::value::RawValue> = serde_json::from_str(text).unwrap();
        assert_eq!(crate::Event::text(&raw), Some(text.as_bytes()));
        assert_eq!(leaves(raw, ReadPolicy::Whole).unwrap(), expected);
    }
}
