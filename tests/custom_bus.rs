//! The dialects of a Custom Event Bus, as the specification of 2026-11 documents them. No answer was recorded.

use eventrie::diagnostic::{Code, Severity};
use eventrie::{Dialect, ParseOptions, Pattern};

fn refused(text: &str, dialect: Dialect) -> (Vec<Code>, String) {
    let options = ParseOptions::new(dialect).service_limits(true);
    let error = Pattern::parse_with(text, &options).expect_err(text);
    (error.findings().iter().map(|finding| finding.code).collect(), error.service_message())
}

fn accepted(text: &str, dialect: Dialect) -> Pattern {
    let options = ParseOptions::new(dialect).service_limits(true);
    Pattern::parse_with(text, &options).unwrap_or_else(|error| panic!("{text}: {error}"))
}

const NO_WILDCARDS: &str = "Filter pattern must not contain wildcard matchers (wildcard, anything-but wildcard)";
const SCOPES: [Dialect; 3] = [Dialect::EventsV2Data, Dialect::EventsV2Metadata, Dialect::EventsV2SystemMetadata];

#[test]
fn wildcards_are_refused_in_every_scope() {
    for dialect in SCOPES {
        for test in [r#"{"wildcard":"a*b"}"#, r#"{"anything-but":{"wildcard":"a*b"}}"#] {
            let (codes, message) = refused(&format!(r#"{{"key":["x",{test}]}}"#), dialect);
            assert_eq!(codes, [Code::NotInDialect], "{dialect:?} {test}");
            assert_eq!(message, NO_WILDCARDS, "{dialect:?} {test}");
        }
    }
    accepted(r#"{"detail":{"key":[{"wildcard":"a*b"}]}}"#, Dialect::EventsV2EventSource);
}

#[test]
fn data_and_system_metadata_take_all_other_operators() {
    let tests = [
        r#""x""#,
        "5",
        "true",
        "null",
        r#"{"prefix":"a"}"#,
        r#"{"suffix":"a"}"#,
        r#"{"equals-ignore-case":"a"}"#,
        r#"{"prefix":{"equals-ignore-case":"a"}}"#,
        r#"{"numeric":[">",1]}"#,
        r#"{"cidr":"10.0.0.0/8"}"#,
        r#"{"exists":false}"#,
        r#"{"anything-but":["a","b"]}"#,
        r#"{"anything-but":{"prefix":["a","b"]}}"#,
        r#"{"anything-but":{"suffix":"a"}}"#,
        r#"{"anything-but":{"equals-ignore-case":"a"}}"#,
    ];
    for test in tests {
        for dialect in [Dialect::EventsV2Data, Dialect::EventsV2SystemMetadata] {
            accepted(&format!(r#"{{"$or":[{{"a":[{test}]}},{{"b":["x"]}}]}}"#), dialect);
        }
        let metadata = format!(r#"{{"a":[{test}]}}"#);
        match test.starts_with('{') {
            true => {
                assert_eq!(refused(&metadata, Dialect::EventsV2Metadata), (vec![Code::NotInDialect], String::new()))
            }
            false => drop(accepted(&metadata, Dialect::EventsV2Metadata)),
        }
    }
}

#[test]
fn metadata_is_flat() {
    let dialect = Dialect::EventsV2Metadata;
    accepted(r#"{"tenant.id":["a","b"],"x-header":["1"]}"#, dialect);
    assert_eq!(refused(r#"{"a":{"b":["x"]}}"#, dialect), (vec![Code::ShapeNotInDialect], String::new()));
    let or = r#"{"$or":[{"a":["x"]},{"b":["x"]}]}"#;
    assert_eq!(refused(or, dialect), (vec![Code::ShapeNotInDialect], String::new()));
    assert_eq!(refused(r#"{"a":[]}"#, dialect), (vec![Code::EmptyList], String::new()));
    assert_eq!(refused(r#"["a"]"#, dialect), (vec![Code::NotAnObject], String::new()));
    assert_eq!(refused("not json", dialect), (vec![Code::Syntax], String::new()));
    let several = refused(r#"{"a":[{"prefix":"x"}],"b":[{"wildcard":"x*"}],"c":{"d":["x"]}}"#, dialect);
    assert_eq!(several.0, [Code::NotInDialect, Code::NotInDialect, Code::ShapeNotInDialect]);
    assert_eq!(several.1, "", "the wording of the first is not documented");
}

#[test]
fn empty_patterns() {
    for dialect in SCOPES {
        let (_, message) = refused("", dialect);
        assert_eq!(message, "FilterConfiguration must contain at least one Filter");
        let (codes, message) = refused("{}", dialect);
        assert_eq!(codes, [Code::EmptyObject]);
        assert!(message.starts_with("Empty objects are not allowed"), "{message}");
    }
}

#[test]
fn an_array_at_the_root_is_a_note_and_never_a_matcher() {
    let error = Pattern::parse(r#"[{"a":["x"]}]"#, Dialect::EventsV2Data).unwrap_err();
    let [finding] = error.findings() else { panic!("{error}") };
    assert_eq!((finding.code, finding.severity), (Code::RootArray, Severity::Note));
    assert_eq!(error.service_message(), "");
    assert_eq!(refused(r#"[{"a":["x"]}]"#, Dialect::EventsV2SystemMetadata).0, [Code::NotAnObject]);
}

#[test]
fn limits_of_one_filter() {
    let list = |characters: usize| format!(r#"{{"a":["{}"]}}"#, "é".repeat(characters - 10));
    for (dialect, most) in
        SCOPES.map(|dialect| (dialect, 4_096)).into_iter().chain([(Dialect::EventsV2EventSource, 3_753)])
    {
        accepted(&list(most), dialect);
        assert_eq!(refused(&list(most + 1), dialect).0, [Code::LimitExceeded], "{dialect:?}");
    }
    let group = |count: usize, name: &str| {
        let branches: Vec<String> = (0..count).map(|at| format!(r#"{{"{name}":["{at}"]}}"#)).collect();
        format!(r#"[{}]"#, branches.join(","))
    };
    let or = |left, right| format!(r#"{{"$or":{},"x":{{"$or":{}}}}}"#, group(left, "a"), group(right, "b"));
    for dialect in [Dialect::EventsV2Data, Dialect::EventsV2SystemMetadata] {
        accepted(&or(25, 40), dialect);
        assert_eq!(refused(&or(11, 91), dialect).0, [Code::TooComplex], "1,001 combinations");
    }
}

#[test]
fn an_event_source_sets_three_fields_itself() {
    let dialect = Dialect::EventsV2EventSource;
    for name in ["source", "account", "region"] {
        let plain = format!(r#"{{"{name}":["x"],"detail-type":["y"]}}"#);
        assert_eq!(refused(&plain, dialect), (vec![Code::SetByService], String::new()), "{plain}");
        let or = format!(r#"{{"$or":[{{"{name}":["x"]}},{{"$or":[{{"id":["y"]}},{{"{name}":["y"]}}]}}]}}"#);
        assert_eq!(refused(&or, dialect).0, [Code::SetByService, Code::SetByService], "{or}");
        accepted(&format!(r#"{{"detail":{{"{name}":["x"]}}}}"#), dialect);
    }
    assert_eq!(
        refused(r#"{"detail":{"a":[{"wildcard":"*:*:*:*:*:event-bus/*"}]}}"#, dialect).0,
        [Code::TooComplex],
        "rated as on the classic bus"
    );
}
