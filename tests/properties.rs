//! What is true for every pattern and every event: random ones, from an alphabet so small that they often meet.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{select, subsequence};
use proptest::test_runner::TestCaseError;

use eventrie::explain::BranchReport;
use eventrie::{Dialect, Limit, Pattern, Scratch};

use crate::modes::Both;

const KEYS: [&str; 4] = ["a", "b", "c", "a.b"];
const STRINGS: [&str; 14] =
    ["", "a", "b", "ab", "ba", "aba", "AB", "a*b", "é", "É", "10.0.0.1", "010.0.0.1", "10.0.0.9", "::1"];
const NUMBERS: [&str; 9] = ["0", "-0.0", "1", "1.0", "10e-1", "2", "-3", "9007199254740993", "1e400"];

fn quoted(text: &str) -> String {
    serde_json::to_string(text).unwrap()
}

fn string() -> impl Strategy<Value = String> {
    select(&STRINGS).prop_map(quoted)
}

fn number() -> impl Strategy<Value = String> {
    select(&NUMBERS).prop_map(str::to_owned)
}

fn scalar() -> impl Strategy<Value = String> {
    prop_oneof![4 => string(), 3 => number(), 1 => select(&["true", "false", "null"]).prop_map(str::to_owned)]
}

/// A string of the given ones, or a list of them.
fn one_or_list(texts: &'static [&'static str]) -> impl Strategy<Value = String> {
    prop_oneof![
        select(texts).prop_map(quoted),
        subsequence(texts, 1..=3)
            .prop_map(|texts| format!("[{}]", texts.into_iter().map(quoted).collect::<Vec<_>>().join(",")))
    ]
}

fn wildcard() -> impl Strategy<Value = String> {
    select(&["*", "a*", "*a", "*b*", "a*a", "ab*ba", "a\\*b", "", "*é"]).prop_map(quoted)
}

fn range() -> impl Strategy<Value = String> {
    let below = select(&["<", "<="]);
    let above = select(&[">", ">="]);
    let bound = select(&[-3, 0, 1, 2]);
    prop_oneof![
        (select(&["=", "<", "<=", ">", ">="]), bound.clone()).prop_map(|(sign, n)| format!("[\"{sign}\",{n}]")),
        (above, bound, below, 1..3).prop_map(|(low, n, high, more)| format!("[\"{low}\",{n},\"{high}\",{}]", n + more)),
    ]
}

fn operator() -> impl Strategy<Value = String> {
    const AFFIXES: &[&str] = &["a", "b", "ab", "é", "10"];
    let texts = one_or_list(&STRINGS);
    prop_oneof![
        string().prop_map(|s| format!("{{\"prefix\":{s}}}")),
        string().prop_map(|s| format!("{{\"suffix\":{s}}}")),
        string().prop_map(|s| format!("{{\"exactly\":{s}}}")),
        string().prop_map(|s| format!("{{\"equals-ignore-case\":{s}}}")),
        string().prop_map(|s| format!("{{\"prefix\":{{\"equals-ignore-case\":{s}}}}}")),
        string().prop_map(|s| format!("{{\"suffix\":{{\"equals-ignore-case\":{s}}}}}")),
        wildcard().prop_map(|s| format!("{{\"wildcard\":{s}}}")),
        range().prop_map(|s| format!("{{\"numeric\":{s}}}")),
        select(&["10.0.0.0/8", "10.0.0.8/29", "0.0.0.0/0", "::/0"]).prop_map(|s| format!("{{\"cidr\":\"{s}\"}}")),
        any::<bool>().prop_map(|exists| format!("{{\"exists\":{exists}}}")),
        texts.prop_map(|s| format!("{{\"anything-but\":{s}}}")),
        select(&["1", "[0,1]", "[2,-3,10e-1]"]).prop_map(|s| format!("{{\"anything-but\":{s}}}")),
        one_or_list(AFFIXES).prop_map(|s| format!("{{\"anything-but\":{{\"prefix\":{s}}}}}")),
        one_or_list(AFFIXES).prop_map(|s| format!("{{\"anything-but\":{{\"suffix\":{s}}}}}")),
        one_or_list(AFFIXES).prop_map(|s| format!("{{\"anything-but\":{{\"equals-ignore-case\":{s}}}}}")),
        wildcard().prop_map(|s| format!("{{\"anything-but\":{{\"wildcard\":{s}}}}}")),
    ]
}

/// A pattern's object: fields, nested objects and `$or` groups, names given twice now and then.
fn pattern() -> impl Strategy<Value = String> {
    let list = vec(prop_oneof![scalar(), operator()], 1..4).prop_map(|tests| format!("[{}]", tests.join(",")));
    let field = (select(&KEYS), list).prop_map(|(key, list)| format!("\"{key}\":{list}"));
    let object = vec(field.clone(), 1..3).prop_map(|members| format!("{{{}}}", members.join(",")));
    object.prop_recursive(3, 16, 3, move |inner| {
        let nested = (select(&KEYS), inner.clone()).prop_map(|(key, value)| format!("\"{key}\":{value}"));
        let group = vec(inner, 2..4).prop_map(|branches| format!("\"$or\":[{}]", branches.join(",")));
        vec(prop_oneof![3 => field.clone(), 2 => nested, 2 => group], 1..4)
            .prop_map(|members| format!("{{{}}}", members.join(",")))
    })
}

/// An event: objects in arrays in objects, empty ones too, keys given twice now and then.
fn event() -> impl Strategy<Value = String> {
    let value = scalar().prop_recursive(4, 32, 4, |inner| {
        let member = (select(&KEYS), inner.clone()).prop_map(|(key, value)| format!("\"{key}\":{value}"));
        prop_oneof![
            vec(inner, 0..4).prop_map(|elements| format!("[{}]", elements.join(","))),
            vec(member, 0..4).prop_map(|members| format!("{{{}}}", members.join(","))),
        ]
    });
    let member = (select(&KEYS), value).prop_map(|(key, value)| format!("\"{key}\":{value}"));
    vec(member, 0..5).prop_map(|members| format!("{{{}}}", members.join(",")))
}

/// A pattern whose groups and lists override each other often: few names, few values.
fn overriding() -> impl Strategy<Value = String> {
    let list =
        select(&[r#"["x"]"#, r#"["y"]"#, "[1]", r#"["x",1]"#, r#"[{"exists":false}]"#, r#"[{"anything-but":"x"}]"#]);
    let field = (select(&["a", "b", "c.d"]), list).prop_map(|(key, list)| format!("\"{key}\":{list}"));
    let object = vec(field.clone(), 1..3).prop_map(|members| format!("{{{}}}", members.join(",")));
    object.prop_recursive(3, 20, 3, move |inner| {
        let nested = inner.clone().prop_map(|value| format!("\"c\":{value}"));
        let group = vec(inner, 2..4).prop_map(|branches| format!("\"$or\":[{}]", branches.join(",")));
        vec(prop_oneof![3 => field.clone(), 1 => nested, 3 => group], 1..4)
            .prop_map(|members| format!("{{{}}}", members.join(",")))
    })
}

/// An event for such patterns.
fn plain_event() -> impl Strategy<Value = String> {
    let value = select(&["\"x\"", "\"y\"", "1", "[\"x\",\"y\"]", "[]"]);
    let d = value.clone().prop_map(|value| format!("{{\"d\":{value}}}"));
    let c = prop_oneof![d.clone(), vec(d, 0..3).prop_map(|elements| format!("[{}]", elements.join(",")))];
    let members = (proptest::option::of(value.clone()), proptest::option::of(value), proptest::option::of(c));
    members.prop_map(|(a, b, c)| {
        let members = [("a", a.map(str::to_owned)), ("b", b.map(str::to_owned)), ("c", c)];
        let members = members.into_iter().filter_map(|(key, value)| Some(format!("\"{key}\":{}", value?)));
        format!("{{{}}}", members.collect::<Vec<_>>().join(","))
    })
}

/// An event with empty names and names with dots at their edges.
fn dotted_event() -> impl Strategy<Value = String> {
    let value = select(&["\"x\"", "1", "[\"x\"]"]).prop_map(str::to_owned).prop_recursive(3, 8, 2, |inner| {
        vec((select(&["", "a", ".", "a.", ".d"]), inner), 1..3).prop_map(|members| {
            let members = members.into_iter().map(|(key, value)| format!("\"{key}\":{value}"));
            format!("{{{}}}", members.collect::<Vec<_>>().join(","))
        })
    });
    value.prop_map(|value| if value.starts_with('{') { value } else { format!("{{\"\":{value}}}") })
}

/// What a report says of the whole must follow from what it says of the parts.
fn consistent(branch: &BranchReport, trail: &str) -> Result<(), TestCaseError> {
    let counted = branch.fields.iter().filter(|field| field.overridden_by.is_none());
    let mut parts = counted.map(|field| field.held).chain(branch.groups.iter().map(|group| group.held));
    let all = parts.all(|held| held) && branch.conflicts.is_empty();
    prop_assert_eq!(branch.held, all, "{}: {:?}", trail, branch);
    for field in &branch.fields {
        let mut places: Vec<u32> = field.values.iter().map(|value| value.place.span.start).collect();
        let told = places.len();
        places.sort_unstable();
        places.dedup();
        prop_assert_eq!(places.len(), told, "a value is told twice: {}", trail);
        prop_assert!(field.held || !field.values.iter().any(|value| value.chosen), "{}", trail);
    }
    for group in &branch.groups {
        prop_assert_eq!(group.held, group.branches.iter().any(|branch| branch.held), "{}: {:?}", trail, group);
        for branch in &group.branches {
            consistent(branch, trail)?;
        }
    }
    Ok(())
}

/// The pattern, if it is not one of the few that contradict the grammar of `$or`, or that multiply out to more
/// combinations than the limit allows.
fn parsed(text: &str) -> Option<Pattern> {
    let pattern = Pattern::parse(text, Dialect::EventBridge).ok()?;
    match eventrie::Matcher::new([pattern.clone()]) {
        Ok(_) => Some(pattern),
        Err(error) => {
            assert_eq!(error.limit(), Some(Limit::OrCombinations), "{error}");
            None
        }
    }
}

/// How many cases a property is tested with: as many as the environment says, for slow processors.
pub(crate) fn cases(usual: u32) -> u32 {
    std::env::var("PROPTEST_CASES").map_or(usual, |count| count.parse().expect("PROPTEST_CASES is a number"))
}

fn config() -> ProptestConfig {
    ProptestConfig { cases: cases(400), failure_persistence: None, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(config())]

    /// The matcher and the explainer share nothing, and agree; in every mode.
    #[test]
    fn the_matcher_agrees_with_explain(texts in vec(pattern(), 1..6), events in vec(event(), 1..6)) {
        let patterns: Vec<Pattern> = texts.iter().filter_map(|text| parsed(text)).collect();
        let all = Both::new(&patterns);
        let mut scratch = Scratch::default();
        for event in &events {
            let together = all.ask(event, &mut scratch).unwrap();
            for (at, pattern) in patterns.iter().enumerate() {
                let alone = Both::new(std::slice::from_ref(pattern)).ask(event, &mut scratch).unwrap();
                let explained = pattern.explain(event.as_bytes()).unwrap().matched();
                prop_assert_eq!(together.contains(&at), explained, "{} over {}", pattern.source(), event);
                prop_assert_eq!(alone.len() == 1, explained, "alone: {} over {}", pattern.source(), event);
            }
        }
    }

    /// An explanation does not contradict itself: what is satisfied follows from the parts, and the verdict is the root's.
    #[test]
    fn explanations_do_not_contradict_themselves(
        (text, event) in prop_oneof![(overriding(), plain_event()), (pattern(), event())],
    ) {
        let Some(pattern) = parsed(&text) else { return Ok(()) };
        let explanation = pattern.explain(event.as_bytes()).unwrap();
        let matched = Both::new(std::slice::from_ref(&pattern)).ask(&event, &mut Scratch::default()).unwrap().len() == 1;
        prop_assert_eq!(explanation.matched(), matched, "{} over {}", text, event);
        prop_assert_eq!(explanation.root().held, matched, "{} over {}", text, event);
        consistent(explanation.root(), &format!("{text} over {event}"))?;
    }

    /// A pattern proposed for events matches them.
    #[test]
    fn what_is_inferred_matches(events in vec(prop_oneof![event(), plain_event(), dotted_event()], 1..3)) {
        let inferred = eventrie::relate::infer(events.iter().map(String::as_str), Dialect::EventBridge).unwrap();
        if inferred.pattern == "{}" {
            return Ok(());
        }
        let pattern = Pattern::parse(&inferred.pattern, Dialect::EventBridge).unwrap();
        for event in &events {
            prop_assert!(pattern.explain(event.as_bytes()).unwrap().matched(), "{} for {}", inferred.pattern, event);
        }
    }

    /// Adding a pattern changes no other pattern's answer.
    #[test]
    fn adding_a_pattern_changes_no_other(texts in vec(pattern(), 2..8), event in event()) {
        let patterns: Vec<Pattern> = texts.iter().filter_map(|text| parsed(text)).collect();
        prop_assume!(patterns.len() > 1);
        let mut scratch = Scratch::default();
        let all = Both::new(&patterns).ask(&event, &mut scratch).unwrap();
        let fewer = Both::new(&patterns[..patterns.len() - 1]).ask(&event, &mut scratch).unwrap();
        let kept: Vec<usize> = all.into_iter().filter(|id| *id < patterns.len() - 1).collect();
        prop_assert_eq!(kept, fewer);
    }

    /// What is printed reads as the same pattern, and prints the same.
    #[test]
    fn printing_and_reading_gives_the_pattern_back(text in pattern(), event in event()) {
        let Some(pattern) = parsed(&text) else { return Ok(()) };
        let printed = pattern.to_string();
        let again = Pattern::parse(&printed, Dialect::EventBridge).unwrap();
        prop_assert_eq!(again.to_string(), printed);
        let explained = |pattern: &Pattern| pattern.explain(event.as_bytes()).unwrap().matched();
        prop_assert_eq!(explained(&again), explained(&pattern));
    }

    /// Any text is a pattern or an error whose places lie in the text.
    #[test]
    fn any_text_is_a_pattern_or_an_error(text in "[{}\\[\\]:,\"a$or0-9eE.\\\\ *-]{0,40}") {
        for &dialect in Dialect::ALL {
            if let Err(error) = Pattern::parse(&text, dialect) {
                for found in error.findings() {
                    let (start, end) = (found.label.span.start as usize, found.label.span.end as usize);
                    prop_assert!(start <= end && end <= text.len());
                    prop_assert!(text.is_char_boundary(start) && text.is_char_boundary(end));
                }
                // Few messages of the Custom Event Bus are documented.
                let undocumented = dialect.name().starts_with("eventsv2");
                prop_assert!(!error.to_string().is_empty() && (undocumented || !error.service_message().is_empty()));
            }
        }
    }

    /// Any bytes are an event or an error, as `serde_json` says.
    #[test]
    fn any_bytes_are_an_event_or_an_error(bytes in vec(select(b"{}[]:,\"a0-1eE.\\utrfn \xc3\xa9\xff".as_slice()), 0..24)) {
        let patterns = [parsed(r#"{"a":["0"]}"#).unwrap()];
        let mut inner = b"{\"a\":".to_vec();
        inner.extend(&bytes);
        inner.push(b'}');
        for event in [&bytes, &inner] {
            let valid = event_is_valid(event);
            let matcher = eventrie::Matcher::new(patterns.clone()).unwrap();
            prop_assert_eq!(matcher.matches(event, &mut Scratch::default()).is_ok(), valid);
            prop_assert_eq!(patterns[0].explain(event).is_ok(), valid);
        }
    }
}

/// Whether another parser takes the bytes for one JSON object. It rejects lone surrogates, which eventrie accepts.
fn event_is_valid(event: &[u8]) -> bool {
    let object = event.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'{');
    let text = std::str::from_utf8(event);
    object && text.is_ok_and(|text| serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok())
}

#[test]
fn the_strategies_make_what_they_should() {
    use proptest::strategy::ValueTree;
    use proptest::test_runner::TestRunner;
    let mut runner = TestRunner::deterministic();
    let (mut valid, mut matched) = (0, 0);
    for _ in 0..500 {
        let text = pattern().new_tree(&mut runner).unwrap().current();
        let event = event().new_tree(&mut runner).unwrap().current();
        serde_json::from_str::<serde::de::IgnoredAny>(&event).unwrap();
        if let Some(pattern) = parsed(&text) {
            valid += 1;
            matched += usize::from(pattern.explain(event.as_bytes()).unwrap().matched());
        }
    }
    // If almost none were valid or matched, the properties would say little.
    assert!(valid > 400, "{valid} of 500 patterns are valid");
    assert!(matched > 15 && matched < 400, "{matched} of {valid} match");
}
