//! What `TestEventPattern` answers: recorded checks of the event, rounded numbers, and the engine's quirks.

use eventrie::dialect::BusVersion;
use eventrie::service::test_event_pattern;

const ENVELOPE: &str =
    r#""id":"1","detail-type":"t","source":"s","account":"1","time":"2022-07-13T13:48:01Z","region":"r""#;

fn test(pattern: &str, members: &str) -> bool {
    let event = format!("{{{ENVELOPE},{}", &members[1..]);
    test_event_pattern(pattern, &event, BusVersion::V2026_07).unwrap()
}

#[test]
fn a_pattern_that_is_refused() {
    let location =
        |pattern: &str, column: u32| format!("\n at [Source: (String)\"{pattern}\"; line: 1, column: {column}]");
    for (pattern, message, column) in [
        (r#"{"resources": []}"#, "Empty arrays are not allowed", 17),
        (
            "{'bad': 'quotation'}",
            "Unexpected character (''' (code 39)): was expecting double-quote to start field name",
            2,
        ),
    ] {
        let error = test_event_pattern(pattern, &format!("{{{ENVELOPE}}}"), BusVersion::V2026_07).unwrap_err();
        assert_eq!(error.code(), "InvalidEventPatternException");
        let said = format!("Event pattern is not valid. Reason: {message}{}", location(pattern, column));
        assert_eq!(error.to_string(), said);
    }
}

#[test]
fn the_envelope() {
    let said = |event: &str| {
        let error = test_event_pattern(r#"{"source":["s"]}"#, event, BusVersion::default()).unwrap_err();
        assert_eq!(error.code(), "ValidationException");
        error.to_string()
    };
    let all = format!("{{{ENVELOPE}}}");
    assert_eq!(test_event_pattern(r#"{"source":["s"]}"#, &all, BusVersion::default()), Ok(true));
    for name in ["id", "detail-type", "source", "account", "time", "region"] {
        assert_eq!(said(&all.replace(&format!("\"{name}\""), "\"other\"")), "Parameter Event is not valid.", "{name}");
    }
    for event in ["plain string", "[\"plain string\"]", "", "{"] {
        assert_eq!(said(event), "Parameter Event is not valid.", "{event}");
    }
    for time in ["\"yesterday\"", "5", "null"] {
        let event = all.replace("\"2022-07-13T13:48:01Z\"", time);
        assert_eq!(said(&event), "Parameter Event is not valid. Reason: Invalid time.", "{time}");
    }
    // Other types are not checked.
    assert_eq!(
        test_event_pattern(r#"{"id":[5]}"#, &all.replace("\"id\":\"1\"", "\"id\":5"), BusVersion::default()),
        Ok(true)
    );
}

#[test]
fn numbers_are_rounded() {
    for (pattern, event, answer) in [
        ("1.0000000000000001", "1.0000000000000001", false),
        ("1", "1.0000000000000001", true),
        ("1e309", "1e309", false),
        ("1e-400", "1e-400", false),
        ("0", "1e-400", true),
        ("0.1234567890123456789", "0.1234567890123456789", false),
        ("9007199254740993", "9007199254740993", true),
    ] {
        assert_eq!(
            test(&format!(r#"{{"a":[{pattern}]}}"#), &format!(r#"{{"a":{event}}}"#)),
            answer,
            "{pattern} {event}"
        );
    }
}

#[test]
fn the_accidents_of_the_engine() {
    for (pattern, event, answer) in [
        (r#"{"a":[{"cidr":"10.0.0.0/8"}]}"#, r#"{"a":"a00::1"}"#, true),
        (r#"{"a":[{"cidr":"10.0.0.0/8"}]}"#, r#"{"a":"b00::1"}"#, false),
        (r#"{"a":[{"cidr":"10.0.0.0/24"}]}"#, r#"{"a":"10.0.0.255"}"#, true),
        (r#"{"a":[{"cidr":"10.0.0.0/24"}]}"#, r#"{"a":"10.0.1.0"}"#, false),
        (r#"{"a":[{"cidr":"0.0.0.0/0"}]}"#, r#"{"a":"2001:db8::1"}"#, true),
        (r#"{"a":[{"cidr":"::/0"}]}"#, r#"{"a":"10.0.0.1"}"#, true),
        (r#"{"a":[{"cidr":"16.0.0.0/4"}]}"#, r#"{"a":15}"#, true),
        (r#"{"a":[{"cidr":"16.0.0.0/4"},{"numeric":["=",7]}]}"#, r#"{"a":15}"#, false),
        (r#"{"a":[{"cidr":"10.0.0.1/0"}]}"#, r#"{"a":1}"#, true),
        (r#"{"a":["16.0.0.1"]}"#, r#"{"a":10000001}"#, true),
        (r#"{"a":["16.0.0.1"]}"#, r#"{"a":"1000:1::"}"#, true),
        (r#"{"a":["0.0.0.0"]}"#, r#"{"a":"::1"}"#, true),
        (r#"{"a":["10.0.0.1"]}"#, r#"{"a":"10.0.0.2"}"#, false),
        (r#"{"a":[10000001,{"cidr":"1.0.0.0/8"}]}"#, r#"{"a":"16.0.0.1"}"#, true),
        (r#"{"a":[{"prefix":"abc\""}]}"#, r#"{"a":"abc"}"#, true),
        (r#"{"a":[{"prefix":"abc\""}]}"#, r#"{"a":"abcd"}"#, false),
        (r#"{"a":[{"suffix":"\"abc"}]}"#, r#"{"a":"abc"}"#, true),
        (r#"{"a":[{"prefix":"\""}]}"#, r#"{"a":""}"#, true),
        (r#"{"a":[{"anything-but":{"prefix":"abc\""}}]}"#, r#"{"a":"abc"}"#, false),
        (r#"{"a":[{"anything-but":{"prefix":"abc\""}}]}"#, r#"{"a":"abc\"d"}"#, false),
        (r#"{"a":[{"anything-but":{"prefix":"abc\""}}]}"#, r#"{"a":"abcd"}"#, true),
    ] {
        assert_eq!(test(pattern, event), answer, "{pattern} {event}");
    }
}
