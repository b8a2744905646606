//! Keys of the caller: matchers that answer in them, and patterns as values.

use eventrie::event::ReadPolicy;
use eventrie::pattern::PatternId;
use eventrie::saved::LoadErrorKind;
use eventrie::{Dialect, Limits, Matcher, Pattern, Scratch, testing};

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

#[test]
fn keys_and_patterns_are_saved() {
    let entries = || {
        [("c", r#"{"a":[1]}"#), ("a", r#"{"a":[1,2]}"#), ("c", r#"{"b":[{"prefix":"x"}]}"#), ("b", r#"{ "b": ["y"] }"#)]
            .map(|(key, text)| (key.to_owned(), pattern(text)))
    };
    let events = [r#"{"a":1,"b":"xy"}"#, r#"{"a":2}"#, r#"{"b":"y"}"#, "{}"];
    let mut scratch = Scratch::default();
    for keep in [false, true] {
        let matcher = Matcher::builder().keep_patterns(keep).build_keyed(entries()).unwrap();
        let bytes = matcher.to_bytes();
        let loaded = Matcher::<String>::keyed_from_bytes(&bytes, &Limits::default()).unwrap();
        for event in events {
            let expected = matcher.matches(event, &mut scratch).unwrap().to_vec();
            assert_eq!(loaded.matches(event, &mut scratch).unwrap().to_vec(), expected, "{event}");
        }
        assert_eq!(loaded.keys(), matcher.keys());
        assert!(loaded.entries().eq(matcher.entries()));
        assert_eq!(loaded.entries().count(), if keep { 4 } else { 0 });
        assert_eq!(loaded.to_bytes(), bytes);
        // Not with other keys, and not without.
        assert_eq!(Matcher::from_bytes(&bytes).unwrap_err().kind(), LoadErrorKind::Keys);
        let other = Matcher::<u64>::keyed_from_bytes(&bytes, &Limits::default()).unwrap_err();
        assert_eq!(other.kind(), LoadErrorKind::Keys);
        // Cut anywhere, even if the checksum is made right.
        for length in (0..bytes.len()).rev().take(200) {
            let mut cut = bytes[..length].to_vec();
            testing::seal(&mut cut);
            assert!(Matcher::<String>::keyed_from_bytes(&cut, &Limits::default()).is_err(), "{length}");
        }
    }
    let positions = Matcher::builder().keep_patterns(true).build(entries().map(|(_, pattern)| pattern)).unwrap();
    let bytes = positions.to_bytes();
    let loaded = Matcher::from_bytes(&bytes).unwrap();
    assert!(loaded.entries().eq(positions.entries()) && loaded.entries().count() == 4);
    let error = Matcher::<String>::keyed_from_bytes(&bytes, &Limits::default()).unwrap_err();
    assert_eq!(error.kind(), LoadErrorKind::Keys);
    // A string that is no pattern.
    let at = bytes.windows(10).rposition(|text| text == br#"{ "b": ["y"]"#[..10].to_vec()).unwrap();
    let mut changed = bytes.clone();
    changed[at] = b'[';
    testing::seal(&mut changed);
    assert_eq!(Matcher::from_bytes(&changed).unwrap_err().kind(), LoadErrorKind::Pattern);
}

#[cfg(feature = "live")]
#[test]
fn replacing_all_says_what_changed() {
    use eventrie::LiveMatcher;

    let set =
        |entries: &[(&'static str, &str)]| entries.iter().map(|(key, text)| (*key, pattern(text))).collect::<Vec<_>>();
    let live = LiveMatcher::new();
    let first = live.replace_all(set(&[("b", r#"{"x":[2]}"#), ("a", r#"{"x":[1]}"#), ("a", r#"{"y":[1]}"#)])).unwrap();
    assert_eq!((first.added, first.removed.len(), first.changed.len()), (vec!["a", "b"], 0, 0));
    let version = live.snapshot().version();
    let same = live.replace_all(set(&[("a", r#"{"x":[1]}"#), ("a", r#"{"y":[1]}"#), ("b", r#"{"x":[2]}"#)])).unwrap();
    assert!(same.is_empty());
    assert_eq!(live.snapshot().version(), version, "nothing is published");
    let next = live.replace_all(set(&[("c", r#"{"z":[1]}"#), ("a", r#"{"x":[1]}"#)])).unwrap();
    assert_eq!((next.added, next.removed, next.changed), (vec!["c"], vec!["b"], vec!["a"]));
    let mut scratch = Scratch::default();
    let snapshot = live.snapshot();
    let mut keys = |event: &str| snapshot.matches(event, &mut scratch).unwrap().copied().collect::<Vec<_>>();
    assert_eq!(keys(r#"{"x":1,"y":1,"z":1}"#), ["a", "c"]);
    assert!(keys(r#"{"x":2,"y":1}"#).is_empty());
    // What fails names the position that was given, and changes nothing.
    let sns = Pattern::parse(r#"{"q":[1]}"#, Dialect::SnsBody).unwrap();
    let error = live.replace_all([("z", sns), ("a", pattern(r#"{"x":[1]}"#))]).unwrap_err();
    assert_eq!(error.pattern().map(PatternId::index), Some(0));
    assert_eq!(live.len(), 2);
    assert_eq!(live.replace_all([]).unwrap().removed, ["a", "c"]);
    assert!(live.is_empty());
}
