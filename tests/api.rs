//! Promises of the interface: what may cross threads, what is bounded, what is not allocated, and that bad input is
//! always an error.

use std::panic::{RefUnwindSafe, UnwindSafe};

use eventrie::diagnostic::{Code, Finding, Fix, Span};
use eventrie::event::{EventErrorKind, ReadPolicy, Reader};
use eventrie::explain::{NearMiss, TestReport};
use eventrie::pattern::PatternId;
use eventrie::relate::{Covers, Inferred, Overlaps, Redundant};
use eventrie::saved::LoadError;
use eventrie::service::{
    Decoder, Input, Outcome, SnsMessage, Subscription, SubscriptionError, SubscriptionReport, SubscriptionScratch,
    SubscriptionSet, Verdict,
};
use eventrie::{
    BuildError, Dialect, EventError, Explanation, Limit, Limits, Matcher, MatcherBuilder, Matches, ParseOptions,
    Pattern, PatternError, Scratch,
};

use crate::alloc::counted;

/// Every public type may cross threads and panics; one that no longer does so does not compile here.
const _: () = {
    const fn crosses<T: Send + Sync + UnwindSafe + RefUnwindSafe>() {}
    const fn is_an_error<T: std::error::Error + Send + Sync + 'static>() {}
    crosses::<(Pattern, ParseOptions, Dialect, PatternId, Span, Limits)>();
    crosses::<(Matcher, MatcherBuilder, ReadPolicy, Scratch, Reader)>();
    crosses::<(Finding, Code, Fix, Explanation, NearMiss, TestReport)>();
    crosses::<(Covers, Overlaps, Inferred, Redundant)>();
    crosses::<(Subscription, SubscriptionSet<String>, SubscriptionScratch, Verdict<'_, String>)>();
    crosses::<(SnsMessage, Input<'_>, Decoder, Outcome, SubscriptionReport)>();
    is_an_error::<PatternError>();
    is_an_error::<BuildError>();
    is_an_error::<EventError>();
    is_an_error::<LoadError>();
    is_an_error::<SubscriptionError>();
};

fn eventbridge(text: &str) -> Pattern {
    Pattern::parse(text, Dialect::EventBridge).unwrap()
}

fn matcher(patterns: &[&str], policy: ReadPolicy) -> Matcher {
    let patterns = patterns.iter().map(|pattern| eventbridge(pattern));
    Matcher::builder().read_policy(policy).build(patterns).unwrap()
}

/// The rules of `examples/rules.json`: every kind of test is among them.
fn example_rules() -> Vec<Pattern> {
    let rules: std::collections::BTreeMap<String, Box<serde_json::value::RawValue>> =
        serde_json::from_str(include_str!("../examples/rules.json")).unwrap();
    rules.values().map(|pattern| eventbridge(pattern.get())).collect()
}

const EVENTS: &str = include_str!("../examples/events.ndjson");

#[test]
fn a_matcher_is_shared_without_locks() {
    let matcher = Matcher::new(example_rules()).unwrap();
    let alone: Vec<Vec<PatternId>> = EVENTS.lines().map(|event| answer(&matcher, event)).collect();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            let (matcher, alone) = (matcher.clone(), &alone);
            scope.spawn(move || {
                let mut scratch = Scratch::default();
                for _ in 0..20 {
                    for (event, expected) in EVENTS.lines().zip(alone) {
                        assert_eq!(matcher.matches(event, &mut scratch).unwrap().to_vec(), *expected);
                    }
                }
            });
        }
    });
}

fn answer(matcher: &Matcher, event: &str) -> Vec<PatternId> {
    matcher.matches(event, &mut Scratch::default()).unwrap().to_vec()
}

#[test]
fn nothing_is_allocated_once_warm() {
    for policy in [ReadPolicy::Whole, ReadPolicy::Early] {
        // Arrays, wildcards and groups that share paths are the parts that need room.
        let more = [
            eventbridge(r#"{"detail":{"items":{"sku":[{"wildcard":"*T-1*"}],"quantity":[{"exists":true}]}}}"#),
            eventbridge(r#"{"detail":{"items":{"$or":[{"sku":["x"]},{"category":["lamp"]}],"quantity":[6]}}}"#),
        ];
        let patterns = example_rules().into_iter().chain(more);
        let matcher = Matcher::builder().read_policy(policy).build(patterns).unwrap();
        let mut scratch = Scratch::default();
        let mut run = || {
            let mut found = 0;
            for event in EVENTS.lines() {
                found += matcher.matches(event, &mut scratch).unwrap().len();
            }
            assert!(matcher.matches("{\"a\":tru}", &mut scratch).is_err());
            found
        };
        let first = run();
        let used = counted(run);
        assert!(used.value == first && first > 20);
        assert_eq!(used.allocations, 0, "{policy:?}");
    }
}

#[test]
fn a_scratch_fits_every_matcher() {
    let small = matcher(&[r#"{"a":[1]}"#], ReadPolicy::Whole);
    let large = Matcher::new(example_rules()).unwrap();
    let mut scratch = Scratch::default();
    for _ in 0..3 {
        for event in EVENTS.lines() {
            let expected = answer(&large, event);
            assert_eq!(large.matches(event, &mut scratch).unwrap().to_vec(), expected);
            assert!(!small.is_match(event, &mut scratch).unwrap());
            assert_eq!(small.matches(r#"{"a":1.0}"#, &mut scratch).unwrap().len(), 1);
        }
    }
}

#[test]
fn memory_usage_is_what_is_held() {
    let rules: Vec<Pattern> = (0..3000)
        .map(|n| {
            eventbridge(&format!(
                r#"{{"source":["app.{}"],"detail":{{"id":["id-{n}",{{"prefix":"p{n}-"}},{{"wildcard":"*w{n}*x"}}],"n":[{{"numeric":[">",{n}]}}]}}}}"#,
                n % 50
            ))
        })
        .collect();
    let used = counted(|| Matcher::new(rules.clone()).unwrap());
    let (held, told) = (used.held as f64, used.value.memory_usage() as f64);
    // The patterns themselves belong to their creator, here the test.
    assert!(told > 100_000.0, "{told}");
    assert!((0.9..1.1).contains(&(told / held)), "memory_usage() says {told}, {held} bytes are held");
}

#[test]
fn nesting_is_bounded_everywhere() {
    let deep = 100_000;
    for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
        let pattern = format!("{{\"a\":{}{}}}", open.repeat(deep), close.repeat(deep));
        let error = Pattern::parse(&pattern, Dialect::EventBridge).unwrap_err();
        assert!(error.findings().iter().any(|found| found.code == Code::LimitExceeded), "{}", error.findings().len());
        let inner = if open == "[" { "" } else { "1" };
        let event = format!("{{\"a\":{}{inner}{}}}", open.repeat(deep), close.repeat(deep));
        for asked in ["a", "b"] {
            let pattern = format!("{{\"{asked}\":[1]}}");
            let error = matcher(&[&pattern], ReadPolicy::Whole).matches(&event, &mut Scratch::default()).unwrap_err();
            assert_eq!((error.kind(), error.limit()), (EventErrorKind::Limit, Some(Limit::Depth)));
            assert_eq!(eventbridge(&pattern).explain(event.as_bytes()).unwrap_err().limit(), Some(Limit::Depth));
        }
    }
    // What is allowed works.
    let event = format!("{{\"a\":{}1{}}}", "[".repeat(999), "]".repeat(999));
    assert!(matcher(&[r#"{"a":[1]}"#], ReadPolicy::Whole).is_match(&event, &mut Scratch::default()).unwrap());
    assert!(eventbridge(r#"{"a":[1]}"#).explain(event.as_bytes()).unwrap().matched());
}

#[test]
fn a_pattern_of_ten_megabytes_is_refused_or_read() {
    let long = format!(r#"{{"a":["{}"]}}"#, "x".repeat(10 << 20));
    let error = Pattern::parse(&long, Dialect::EventBridge).unwrap_err();
    assert_eq!(error.findings()[0].code, Code::LimitExceeded);
    assert!(error.to_string().len() < 10_000, "the text is not repeated in the message");
    let options = ParseOptions::new(Dialect::EventBridge).limits(Limits::default().pattern_bytes(20 << 20));
    let matcher = Matcher::new([Pattern::parse_with(&long, &options).unwrap()]).unwrap();
    assert!(!matcher.is_match(r#"{"a":"x"}"#, &mut Scratch::default()).unwrap());
    let errors = format!(r#"{{{}}}"#, vec![r#""a":1"#; 100_000].join(","));
    let error = Pattern::parse(&errors, Dialect::EventBridge).unwrap_err();
    assert_eq!(error.findings().len(), 1000, "memory for findings is bounded too");
    assert!(error.to_string().ends_with(" more"));
}

#[test]
fn fifty_thousand_values_in_one_list() {
    let values: Vec<String> = (0..50_000).map(|n| format!("\"value-{n}\"")).collect();
    let pattern = format!(r#"{{"a":[{}]}}"#, values.join(","));
    let matcher = matcher(&[&pattern], ReadPolicy::Whole);
    let mut scratch = Scratch::default();
    assert!(matcher.is_match(r#"{"a":"value-49999"}"#, &mut scratch).unwrap());
    assert!(!matcher.is_match(r#"{"a":"value-50000"}"#, &mut scratch).unwrap());
    let event = format!(r#"{{"a":[{}]}}"#, values.join(","));
    assert_eq!(matcher.matches(&event, &mut scratch).unwrap().len(), 1);
}

/// Strings that are no events, with the byte at which that is found out.
const BAD_EVENTS: [(&[u8], EventErrorKind, usize); 22] = [
    (b"", EventErrorKind::Truncated, 0),
    (b" \n\t", EventErrorKind::Truncated, 3),
    (b"{", EventErrorKind::Truncated, 1),
    (br#"{"a""#, EventErrorKind::Truncated, 4),
    (br#"{"a":"#, EventErrorKind::Truncated, 5),
    (br#"{"a":"x"#, EventErrorKind::Truncated, 7),
    (br#"{"a":"x""#, EventErrorKind::Truncated, 8),
    (br#"{"a":[1"#, EventErrorKind::Truncated, 7),
    (br#"{"a":"x"}}"#, EventErrorKind::Trailing, 9),
    (br#"{"a":"x"} 1"#, EventErrorKind::Trailing, 10),
    (b"[]", EventErrorKind::NotAnObject, 0),
    (b"null", EventErrorKind::NotAnObject, 0),
    (b"5", EventErrorKind::NotAnObject, 0),
    (b"\xef\xbb\xbf{}", EventErrorKind::Syntax, 0),
    (br#"{"a":NaN}"#, EventErrorKind::Syntax, 5),
    (br#"{"a":-Infinity}"#, EventErrorKind::Syntax, 5),
    (br#"{"a":01}"#, EventErrorKind::Syntax, 6),
    (br#"{"a":'x'}"#, EventErrorKind::Syntax, 5),
    (b"{\"a\":\"\xff\"}", EventErrorKind::Utf8, 6),
    (b"{\"a\":\"\xc0\xaf\"}", EventErrorKind::Utf8, 6),
    (b"{\"a\":\"\xed\xa0\x80\"}", EventErrorKind::Utf8, 6),
    (b"{\"\xf8\":1}", EventErrorKind::Utf8, 2),
];

#[test]
fn bad_events_are_errors_with_their_place() {
    let asked = matcher(&[r#"{"a":["x"]}"#], ReadPolicy::Whole);
    let not_asked = matcher(&[r#"{"z":["x"]}"#], ReadPolicy::Whole);
    let mut scratch = Scratch::default();
    for (event, kind, offset) in BAD_EVENTS {
        let shown = String::from_utf8_lossy(event);
        for matcher in [&asked, &not_asked] {
            let error = matcher.matches(event, &mut scratch).unwrap_err();
            assert_eq!((error.kind(), error.offset()), (kind, Some(offset)), "{shown}");
            assert!(matcher.is_match(event, &mut scratch).is_err(), "{shown}");
        }
        assert!(eventbridge(r#"{"a":["x"]}"#).explain(event).is_err(), "{shown}");
    }
}

#[test]
fn nothing_is_not_taken_for_something_cut_off() {
    let matcher = matcher(&[r#"{"a":["x"]}"#], ReadPolicy::Whole);
    let mut scratch = Scratch::default();
    for (event, message) in
        [("", "the event is empty"), (" \n", "the event is empty"), ("tru", "cut off"), ("{", "cut off")]
    {
        let error = matcher.matches(event, &mut scratch).unwrap_err().to_string();
        assert!(error.contains(message), "{event:?}: {error}");
    }
}

#[test]
fn an_event_cut_anywhere_is_an_error() {
    let matcher = Matcher::new(example_rules()).unwrap();
    let early = Matcher::builder().read_policy(ReadPolicy::Early).build(example_rules()).unwrap();
    let mut scratch = Scratch::default();
    for event in EVENTS.lines().take(8) {
        for end in 0..event.len() {
            let error = matcher.matches(&event.as_bytes()[..end], &mut scratch).unwrap_err();
            assert!(error.offset().is_some_and(|offset| offset <= end), "cut at {end}: {event}");
            let _ = early.matches(&event.as_bytes()[..end], &mut scratch);
        }
    }
}

#[test]
fn no_byte_makes_it_panic() {
    let matcher = Matcher::new(example_rules()).unwrap();
    let mut scratch = Scratch::default();
    let event = EVENTS.lines().next().unwrap().as_bytes();
    for at in 0..event.len() {
        for byte in [0, b'"', b'\\', b'{', b']', b',', b'0', b'e', 0x80, 0xff] {
            let mut changed = event.to_vec();
            changed[at] = byte;
            let valid = std::str::from_utf8(&changed).is_ok()
                && serde_json::from_slice::<serde::de::IgnoredAny>(&changed).is_ok();
            assert_eq!(matcher.matches(&changed, &mut scratch).is_ok(), valid, "{}", String::from_utf8_lossy(&changed));
        }
    }
}

#[test]
fn every_limit_is_kept_and_named() {
    let mut scratch = Scratch::default();
    let limited = |limits: Limits| Matcher::builder().limits(limits).build([eventbridge(r#"{"a":["x"]}"#)]).unwrap();
    let number = format!(r#"{{"b":{}}}"#, "1".repeat(1001));
    let key = format!(r#"{{"{}":1}}"#, "k".repeat(50_001));
    for (event, limits, name) in [
        (number.as_str(), Limits::default(), Limit::NumberBytes),
        (key.as_str(), Limits::default(), Limit::KeyBytes),
        (r#"{"b":[[]]}"#, Limits::default().depth(2), Limit::Depth),
        (r#"{"b":"12345"}"#, Limits::default().event_bytes(10), Limit::EventBytes),
        (r#"{"b":12345}"#, Limits::default().number_bytes(4), Limit::NumberBytes),
        (r#"{"long":1}"#, Limits::default().key_bytes(3), Limit::KeyBytes),
    ] {
        let error = limited(limits).matches(event, &mut scratch).unwrap_err();
        assert_eq!((error.kind(), error.limit()), (EventErrorKind::Limit, Some(name)));
        assert!(error.to_string().contains(name.name()), "{error}");
    }
    let builder = Matcher::builder().limits(Limits::default().table_bytes(1000));
    let error = builder.build(example_rules()).unwrap_err();
    assert_eq!(error.limit(), Some(Limit::TableBytes));
    let paths: Vec<String> = (0..257).map(|n| format!("\"f{n}\":[1]")).collect();
    let error =
        Matcher::new([eventbridge(r#"{"a":[1]}"#), eventbridge(&format!("{{{}}}", paths.join(",")))]).unwrap_err();
    assert_eq!((error.limit(), error.pattern().unwrap().index()), (Some(Limit::PathsPerBranch), 1));
}

#[test]
fn many_groups_cost_their_sum_unless_they_share() {
    let group = |n: usize| format!(r#""$or":[{{"a{n}":[1]}},{{"b{n}":[2]}}]"#);
    let apart: Vec<String> = (0..30).map(group).collect();
    let matcher = matcher(&[&format!("{{{}}}", apart.join(","))], ReadPolicy::Whole);
    assert!(matcher.memory_usage() < 1 << 20);
    let event = |value: u32| {
        let members: Vec<String> = (0..30).map(|n| format!("\"b{n}\":{}", if n == 29 { value } else { 2 })).collect();
        format!("{{{}}}", members.join(","))
    };
    let mut scratch = Scratch::default();
    assert!(matcher.is_match(event(2), &mut scratch).unwrap());
    assert!(!matcher.is_match(event(3), &mut scratch).unwrap());
    let shared: Vec<String> = (0..30).map(|n| format!(r#""$or":[{{"a{n}":[1],"s":[{n}]}},{{"b{n}":[2]}}]"#)).collect();
    let error = Matcher::new([eventbridge(&format!("{{{}}}", shared.join(",")))]).unwrap_err();
    assert_eq!(error.limit(), Some(Limit::OrCombinations));
}

#[test]
fn ids_are_positions_and_nothing_is_kept_of_the_last_event() {
    let matcher = matcher(&[r#"{"a":["x"]}"#, r#"{"b":["x"]}"#, r#"{"a":["x"]}"#], ReadPolicy::Whole);
    let mut scratch = Scratch::default();
    let ids = |ids: Matches<'_>| ids.iter().map(|id| id.index()).collect::<Vec<_>>();
    assert_eq!(ids(matcher.matches(r#"{"a":["x","x"]}"#, &mut scratch).unwrap()), [0, 2]);
    assert_eq!(ids(matcher.matches(r#"{"b":"x"}"#, &mut scratch).unwrap()), [1]);
    assert!(matcher.matches(r#"{"a":"x""#, &mut scratch).is_err());
    assert!(matcher.matches("{}", &mut scratch).unwrap().is_empty());
}

/// Each path is written out from the top, so long names around many fields would take unbounded memory.
#[test]
fn long_names_around_many_fields_are_refused() {
    let fields: Vec<String> = (0..3_000).map(|number| format!("\"f{number}\":[1]")).collect();
    let pattern = format!("{{\"{}\":{{{}}}}}", "k".repeat(40_000), fields.join(","));
    let error = Pattern::parse(&pattern, Dialect::EventBridge).unwrap_err();
    let help = error.findings()[0].help.as_deref().unwrap_or("");
    assert!(help.contains("`path_bytes`"), "{error}");
}
