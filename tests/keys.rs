//! Keys of the caller: matchers that answer in them, and patterns as values.

use eventrie::event::ReadPolicy;
use eventrie::pattern::PatternId;
use eventrie::{Dialect, Matcher, Pattern, Scratch};

fn pattern(text: &str) -> Pattern {
    Pattern::parse(text, Dialect::EventBridge).unwrap()
}

#[test]
fn keys_come_out_ascending_and_once() {
    let entries =
        [("c", r#"{"a":[1]}"#), ("a", r#"{"a":[1,2]}"#), ("c", r#"{"a":[1],"b":[1]}"#), ("b", r#"{"b":[1]}"#)];
    let mut scratch = Scratch::default();
    for policy in [ReadPolicy::Whole, ReadPolicy::Early] {
        let entries = entries.map(|(key, text)| (key.to_owned(), pattern(text)));
        let matcher = Matcher::builder().read_policy(policy).keep_patterns(true).build_keyed(entries).unwrap();
        let mut keys = |event: &str| matcher.matches(event, &mut scratch).unwrap().to_vec();
        assert_eq!(keys(r#"{"a":1,"b":1}"#), ["a", "b", "c"]);
        assert_eq!(keys(r#"{"a":1}"#), ["a", "c"]);
        assert_eq!(keys(r#"{"a":2}"#), ["a"]);
        assert!(keys(r#"{"a":3}"#).is_empty());
        assert_eq!(matcher.keys(), ["a", "b", "c"]);
        assert_eq!(matcher.len(), 4);
        let of = |key: &str| matcher.patterns_of(&key.to_owned()).iter().map(Pattern::source).collect::<Vec<_>>();
        assert_eq!(of("c"), [r#"{"a":[1]}"#, r#"{"a":[1],"b":[1]}"#]);
        assert_eq!(of("b"), [r#"{"b":[1]}"#]);
        assert!(of("d").is_empty());
        let names: Vec<String> = matcher.entries().map(|(key, _)| key).collect();
        assert_eq!(names, ["a", "b", "c", "c"]);
        let event = r#"{"a":1,"b":1}"#;
        let mut backwards = matcher.matches(event, &mut scratch).unwrap();
        assert_eq!(backwards.len(), 3);
        assert_eq!(backwards.next_back().map(String::as_str), Some("c"));
        assert_eq!(format!("{backwards:?}"), r#"["a", "b"]"#);
    }
}

#[test]
fn keys_that_are_ids_of_another_matcher_stay_apart_from_positions() {
    let id = |index| PatternId::from_index(index).unwrap();
    let entries = [(id(70), pattern(r#"{"a":[1]}"#)), (id(7), pattern(r#"{"a":[1]}"#))];
    let matcher = Matcher::keyed(entries).unwrap();
    let found = matcher.matches(r#"{"a":1}"#, &mut Scratch::default()).unwrap().to_vec();
    assert_eq!(found, [id(7), id(70)]);
}

#[test]
fn an_error_names_the_position_that_was_given() {
    let sns = Pattern::parse(r#"{"a":[1]}"#, Dialect::SnsBody).unwrap();
    let entries = [("z", pattern(r#"{"a":[1]}"#)), ("a", pattern(r#"{"b":[1]}"#)), ("b", sns)];
    let error = Matcher::keyed(entries).unwrap_err();
    assert_eq!(error.pattern().map(PatternId::index), Some(2));
}

#[test]
fn positions_keep_their_patterns_if_asked() {
    let patterns = [pattern(r#"{"b":[1]}"#), pattern(r#"{"a":[1]}"#)];
    let matcher = Matcher::builder().keep_patterns(true).build(patterns.clone()).unwrap();
    for (index, pattern) in patterns.iter().enumerate() {
        assert_eq!(matcher.patterns_of(&PatternId::from_index(index).unwrap()), std::slice::from_ref(pattern));
    }
    assert!(matcher.patterns_of(&PatternId::from_index(2).unwrap()).is_empty());
    assert!(Matcher::new(patterns).unwrap().entries().next().is_none());
}

#[test]
fn debug_is_one_line() {
    let matcher = Matcher::keyed([("a", pattern(r#"{"a":[1]}"#))]).unwrap();
    let shown = format!("{matcher:#?}");
    assert!(shown.starts_with("Matcher(1 patterns, ") && !shown.contains('\n'), "{shown}");
    assert_eq!(format!("{:?}", pattern(r#"{"a": [1]}"#)), r#"Pattern(eventbridge, {"a":[1]})"#);
}

#[cfg(feature = "serde")]
#[test]
fn patterns_are_strings_to_serde() {
    let text = r#"{ "a": [1] }"#;
    let json = serde_json::to_string(&pattern(text)).unwrap();
    assert_eq!(json, r#""{ \"a\": [1] }""#);
    let back: Pattern = serde_json::from_str(&json).unwrap();
    assert_eq!((back.source(), &back), (text, &pattern(text)));
    let error = serde_json::from_str::<Pattern>(r#""{\"a\":1}""#).unwrap_err();
    assert!(error.to_string().contains("E0006"), "{error}");
}
