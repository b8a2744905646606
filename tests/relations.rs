//! What is said about patterns is true for random events: covers, overlaps, samples, inferred patterns; and the
//! explainer and the matcher agree.

use eventrie::explain::closest;
use eventrie::relate::{Covers, Overlaps, infer, redundancies, redundant};
use eventrie::{Dialect, Limit, Limits, Matcher, Pattern, Scratch};
use proptest::prelude::*;
use proptest::sample::select;

const TESTS: &[&str] = &[
    r#""x""#,
    r#""xy""#,
    r#""""#,
    "1",
    "2.0",
    "null",
    "true",
    r#"{"prefix":"x"}"#,
    r#"{"suffix":"y"}"#,
    r#"{"wildcard":"x*y"}"#,
    r#"{"equals-ignore-case":"XY"}"#,
    r#"{"prefix":{"equals-ignore-case":"X"}}"#,
    r#"{"numeric":[">",1]}"#,
    r#"{"numeric":["<=",1]}"#,
    r#"{"numeric":[">=",0,"<",2]}"#,
    r#"{"exists":true}"#,
    r#"{"exists":false}"#,
    r#"{"anything-but":"x"}"#,
    r#"{"anything-but":["x","xy"]}"#,
    r#"{"anything-but":1}"#,
    r#"{"anything-but":{"prefix":"x"}}"#,
    r#"{"anything-but":{"wildcard":"*y"}}"#,
    r#"{"cidr":"10.0.0.0/8"}"#,
    r#""10.0.0.1""#,
];

const VALUES: &[&str] = &[
    r#""x""#,
    r#""xy""#,
    r#""Xy""#,
    r#""""#,
    r#""zy""#,
    "0",
    "1",
    "1.0",
    "2",
    "5",
    "null",
    "true",
    "false",
    r#""010.0.0.1""#,
    "1e999",
];

const KEYS: &[&str] = &["a", "b", "c", "a.b", "-"];

fn tests() -> impl Strategy<Value = String> {
    proptest::collection::vec(select(TESTS), 1..3).prop_map(|tests| format!("[{}]", tests.join(",")))
}

fn members(value: BoxedStrategy<String>, most: usize) -> BoxedStrategy<String> {
    proptest::collection::vec((select(KEYS), value), 1..most)
        .prop_map(|members| {
            let members: Vec<String> = members.into_iter().map(|(key, value)| format!("\"{key}\":{value}")).collect();
            format!("{{{}}}", members.join(","))
        })
        .boxed()
}

/// A pattern; now and then with an `$or`.
fn pattern() -> impl Strategy<Value = String> {
    let leaf = tests().boxed();
    let inner = prop_oneof![4 => leaf.clone(), 1 => members(leaf.clone(), 3)].boxed();
    let object = members(inner, 4);
    let group = proptest::collection::vec(members(leaf, 3), 2..4)
        .prop_map(|branches| format!("\"$or\":[{}]", branches.join(",")));
    (object, proptest::option::weighted(0.4, group), any::<bool>()).prop_map(|(object, group, front)| {
        let inside = &object[1..object.len() - 1];
        match group {
            None => object,
            Some(group) if front => format!("{{{group},{inside}}}"),
            Some(group) => format!("{{{inside},{group}}}"),
        }
    })
}

fn event() -> impl Strategy<Value = String> {
    let scalar = select(VALUES).prop_map(str::to_owned).boxed();
    let value = scalar.clone().prop_recursive(3, 20, 3, move |inner| {
        prop_oneof![
            3 => members(inner.clone().boxed(), 4),
            2 => proptest::collection::vec(inner, 0..3).prop_map(|items| format!("[{}]", items.join(","))),
            2 => scalar.clone(),
        ]
    });
    members(value.boxed(), 5)
}

fn parse(text: &str) -> Pattern {
    Pattern::parse(text, Dialect::EventBridge).unwrap_or_else(|error| panic!("{text}\n{error}"))
}

fn matched(pattern: &Pattern, event: &str) -> bool {
    let matcher = Matcher::new([pattern.clone()]).unwrap();
    matcher.is_match(event, &mut Scratch::default()).unwrap()
}

proptest! {
    #[test]
    fn the_explainer_and_the_matcher_agree(
        patterns in proptest::collection::vec(pattern(), 1..5),
        events in proptest::collection::vec(event(), 1..10),
    ) {
        let parsed: Vec<Pattern> = patterns.iter().map(|text| parse(text)).collect();
        let matcher = Matcher::new(parsed.clone()).unwrap();
        let mut scratch = Scratch::default();
        for event in &events {
            let ids: Vec<usize> = matcher.matches(event.as_str(), &mut scratch).unwrap().iter().map(|id| id.index()).collect();
            for (index, pattern) in parsed.iter().enumerate() {
                let explanation = pattern.explain(event.as_bytes()).unwrap();
                prop_assert_eq!(ids.contains(&index), explanation.matched(), "{} on {}\n{}", pattern, event, explanation);
                prop_assert_eq!(explanation.matched(), explanation.nearness() == 1_000);
                let verdict = if explanation.matched() { "match: " } else { "no match: " };
                prop_assert!(explanation.summary().starts_with(verdict), "{}", explanation.summary());
                prop_assert!(explanation.summary().len() > 10, "{}", explanation.summary());
            }
            let ranked = closest(&parsed, event.as_bytes(), 2).unwrap();
            prop_assert!(ranked.windows(2).all(|pair| pair[0].explanation.nearness() >= pair[1].explanation.nearness()));
        }
    }

    #[test]
    fn covers_is_true(left in pattern(), right in pattern(), events in proptest::collection::vec(event(), 1..30)) {
        let (wide, narrow) = (parse(&left), parse(&right));
        match wide.covers(&narrow) {
            Covers::Yes => {
                for event in &events {
                    prop_assert!(!matched(&narrow, event) || matched(&wide, event), "{left} does not cover {right}: {event}");
                }
            }
            Covers::No { event } => {
                prop_assert!(matched(&narrow, &event) && !matched(&wide, &event), "{left} {right}: {event}");
            }
            _ => {}
        }
        prop_assert!(!matches!(wide.covers(&wide), Covers::No { .. }), "{left}");
    }

    #[test]
    fn overlaps_is_true(left in pattern(), right in pattern(), events in proptest::collection::vec(event(), 1..30)) {
        let (one, other) = (parse(&left), parse(&right));
        match one.overlaps(&other) {
            Overlaps::Yes { event } | Overlaps::OnlyWithLists { event } => {
                prop_assert!(matched(&one, &event) && matched(&other, &event), "{left} {right}: {event}");
            }
            Overlaps::No => {
                for event in &events {
                    prop_assert!(!(matched(&one, event) && matched(&other, event)), "{left} and {right} overlap: {event}");
                }
            }
            _ => {}
        }
    }

    #[test]
    fn samples_match(text in pattern(), events in proptest::collection::vec(event(), 1..30)) {
        let pattern = parse(&text);
        match pattern.sample() {
            Some(event) => prop_assert!(matched(&pattern, &event), "{text}: {event}"),
            None => {
                for event in &events {
                    prop_assert!(!matched(&pattern, event), "{text} has no sample, but matches {event}");
                }
            }
        }
    }

    #[test]
    fn what_is_redundant_is_covered(
        patterns in proptest::collection::vec(pattern(), 1..8),
        events in proptest::collection::vec(event(), 1..20),
    ) {
        let mut parsed: Vec<Pattern> = patterns.iter().map(|text| parse(text)).collect();
        parsed.push(parsed[0].clone());
        let found = redundant(&parsed);
        prop_assert!(parsed[0].covers(&parsed[0]) != Covers::Yes || found.iter().any(|one| one.id.index() + 1 == parsed.len()));
        for one in found {
            let (narrow, wide) = (&parsed[one.id.index()], &parsed[one.by.index()]);
            prop_assert_eq!(wide.covers(narrow), Covers::Yes);
            for event in &events {
                prop_assert!(!matched(narrow, event) || matched(wide, event), "{} {} {}", wide, narrow, event);
                prop_assert!(!one.equal || matched(narrow, event) == matched(wide, event), "{} {} {}", wide, narrow, event);
            }
        }
    }

    #[test]
    fn inferred_patterns_match_their_events(events in proptest::collection::vec(event(), 1..4)) {
        let inferred = infer(events.iter().map(String::as_str), Dialect::EventBridge).unwrap();
        if inferred.choices.iter().any(|choice| choice.kept) {
            let pattern = parse(&inferred.pattern);
            for event in &events {
                prop_assert!(matched(&pattern, event), "{} on {event}", inferred.pattern);
            }
        }
    }

    #[test]
    fn what_lint_says_is_applicable(text in pattern(), events in proptest::collection::vec(event(), 1..10)) {
        let pattern = parse(&text);
        for found in pattern.lint_with(&eventrie::pattern::LintOptions::default().notes(true)) {
            let Some(fix) = found.fix.as_ref() else { continue };
            let mut mended = text.clone();
            mended.replace_range(fix.span.start as usize..fix.span.end as usize, &fix.replacement);
            let mended_pattern = Pattern::parse(&mended, Dialect::EventBridge);
            prop_assert!(mended_pattern.is_ok(), "{}: {text} becomes {mended}", found.code);
            // What takes away something redundant changes no answer.
            if found.code.as_str() == "W0004" {
                for event in &events {
                    prop_assert_eq!(matched(&pattern, event), matched(mended_pattern.as_ref().unwrap(), event), "{} {}", text, mended);
                }
            }
        }
    }
}

/// What is proposed for a service is what the service takes.
#[test]
fn proposals_keep_to_the_dialect() {
    let many: Vec<String> = (0..12).map(|n| format!(r#""k{n}":"v","n{n}.x":"w""#)).collect();
    let event = format!(r#"{{"deep":{{"a":"x"}},{}}}"#, many.join(","));
    for &dialect in Dialect::ALL {
        let inferred = infer([&*event, &*event], dialect).unwrap();
        let pattern =
            Pattern::parse_with(&inferred.pattern, &eventrie::ParseOptions::new(dialect).service_limits(true));
        let pattern = pattern.unwrap_or_else(|error| panic!("{}: {error}", inferred.pattern));
        assert!(pattern.explain(event.as_bytes()).unwrap().matched(), "{}", inferred.pattern);
        let kept = inferred.choices.iter().filter(|choice| choice.kept).count();
        assert_eq!(kept, if dialect.name().starts_with("sns") { 5 } else { 25 }, "{}", inferred.pattern);
    }
    for event in ["{}", r#"{"detail":{}}"#] {
        assert_eq!(infer([event], Dialect::EventBridge).unwrap().pattern, "{}");
    }
}

/// In a list of objects a field that accepts anything still picks an object, if it finds a value.
#[test]
fn a_field_that_accepts_everything_may_pick_an_element() {
    for (wide, narrow, event) in [
        (
            r#"{"e":{"a":[{"exists":true},{"exists":false}],"b":[1]}}"#,
            r#"{"e":{"b":[1]}}"#,
            r#"{"e":[{"a":1},{"b":1}]}"#,
        ),
        (r#"{"a":[{"exists":true},{"exists":false}],"a.x":[1]}"#, r#"{"a.x":[1]}"#, r#"{"a":[{"x":1},[5]]}"#),
        (
            r#"{"e":{"b":[{"exists":true},{"exists":false}],"c":[1]}}"#,
            r#"{"e":{"a":[1],"b":[{"exists":false}],"c":[1]}}"#,
            r#"{"e":[{"a":1,"c":1},{"b":1}]}"#,
        ),
        // A value in a list inside the list picks an element as well.
        (r#"{"b.a":[{"exists":false}]}"#, r#"{"b":[2],"b.a":[{"exists":false}]}"#, r#"{"b":[{"a":1},[2]]}"#),
    ] {
        let (wide, narrow) = (parse(wide), parse(narrow));
        assert!(matched(&narrow, event) && !matched(&wide, event), "{wide} {narrow}");
        assert_ne!(wide.covers(&narrow), Covers::Yes, "{wide} {narrow}");
        assert!(redundant([&wide, &narrow]).iter().all(|one| one.id.index() == 0), "{wide} {narrow}");
    }
    let (wide, narrow) = (parse(r#"{"e":[{"exists":true},{"exists":false}],"f":[1]}"#), parse(r#"{"f":[1]}"#));
    assert_eq!(wide.covers(&narrow), Covers::Yes);
}

#[test]
fn a_thousand_rules_are_compared() {
    let rules: Vec<Pattern> = (0..1_000)
        .map(|n| parse(&format!(r#"{{"source":["s{}"],"detail-type":["t{}",{{"prefix":"p{n:04}"}}],"detail":{{"n":[{{"numeric":[">",{n}]}}]}}}}"#, n % 50, n % 7)))
        .collect();
    let found = redundant(&rules);
    assert!(found.is_empty(), "{found:?}");
    let mut rules = rules;
    rules.push(parse(r#"{"source":["s3"],"detail-type":["t3"],"detail":{"n":[1000]}}"#));
    let found = redundant(&rules);
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].id.index(), found[0].by.index(), found[0].equal), (1_000, 3, false));
}

#[test]
fn rules_are_looked_up_by_what_they_require() {
    let mut rules: Vec<Pattern> = (0..5_000)
        .map(|n| parse(&format!(r#"{{"source":["s"],"account":["{n}"],"detail":{{"n":[{{"numeric":[">",{n}]}}]}}}}"#)))
        .collect();
    rules.push(parse(r#"{"account":["7","8"],"source":["s","t"]}"#));
    let outcome = redundancies(&rules);
    let found: Vec<_> = outcome.found.iter().map(|one| (one.id.index(), one.by.index(), one.equal)).collect();
    assert_eq!(found, [(7, 5_000, false), (8, 5_000, false)]);
    assert!(outcome.pairs < 10, "{}", outcome.pairs);
    assert_eq!(outcome.compared, outcome.pairs);
}

/// As many combinations as the service accepts.
#[test]
fn patterns_of_many_combinations_have_samples() {
    let groups = |count: usize| -> String {
        let group = |n: usize| format!(r#"{{"$or":[{{"a{n}":["x"]}},{{"b{n}":["y"]}}]}}"#);
        (0..count)
            .rev()
            .fold(r#"{"z":[1]}"#.to_owned(), |inner, n| format!(r#"{{"g{n}":{},"in{n}":{inner}}}"#, group(n)))
    };
    for count in [6, 9] {
        let pattern = parse(&groups(count));
        let sample = pattern.sample().unwrap_or_else(|| panic!("{count} groups: no sample"));
        assert!(matched(&pattern, &sample), "{sample}");
    }
}

/// Next to zero the engine prints numbers with two digits, and compares only what it prints.
#[test]
fn the_smallest_numbers_have_samples() {
    for number in ["4.9e-324", "9.9e-324", "1.5e-323", "-4.9e-324", "2.2250738585072014e-308", "1.7976931348623157e308"]
    {
        for test in [
            number.to_owned(),
            format!(r#"{{"numeric":["=",{number}]}}"#),
            format!(r#"{{"numeric":[">=",{number},"<=",{number}]}}"#),
        ] {
            let pattern = format!(r#"{{"a":[{test}]}}"#);
            let Ok(pattern) = Pattern::parse(&pattern, Dialect::EventBridge) else { continue };
            let sample = pattern.sample().unwrap_or_else(|| panic!("{number}: no sample"));
            assert!(pattern.explain(&sample).unwrap().matched(), "{number}: {sample}");
        }
    }
}

/// Every pair of lists over one field, decided without luck.
#[test]
fn most_pairs_of_lists_are_decided() {
    let (mut decided, mut all) = (0, 0);
    for left in TESTS {
        for right in TESTS {
            let (wide, narrow) = (parse(&format!(r#"{{"k":[{left}]}}"#)), parse(&format!(r#"{{"k":[{right}]}}"#)));
            all += 1;
            decided +=
                usize::from(wide.covers(&narrow) != Covers::Unknown && wide.overlaps(&narrow) != Overlaps::Unknown);
            if left == right {
                assert_eq!(wide.covers(&narrow), Covers::Yes, "{left}");
            }
        }
    }
    assert!(decided * 100 >= all * 95, "{decided} of {all}");
}

#[test]
fn hostile_patterns_and_events_end() {
    // Thirty parallel groups on fields of one list of objects.
    let groups: Vec<String> = (0..30).map(|n| format!(r#""$or":[{{"a{n}":[1]}},{{"b{n}":[1]}}]"#)).collect();
    let pattern = parse(&format!(r#"{{"e":{{{}}}}}"#, groups.join(",")));
    let members = |last: u32| -> String {
        let members: Vec<String> = (0..30).map(|n| format!(r#""b{n}":{}"#, if n == 29 { last } else { 1 })).collect();
        format!("{{{}}}", members.join(","))
    };
    let event = |last: u32| format!(r#"{{"e":[{},{}]}}"#, members(0), members(last));
    assert!(pattern.explain(event(1).as_bytes()).unwrap().matched());
    assert!(!pattern.explain(event(0).as_bytes()).unwrap().matched());

    // Duplicate keys: many lists of objects at one path, from which each field may choose another.
    let fields: Vec<String> = (0..12).map(|n| format!(r#""f{n}":[1]"#)).collect();
    let pattern = parse(&format!(r#"{{"e":{{{},"z":[1]}}}}"#, fields.join(",")));
    let object = |_| format!("{{{}}}", (0..12).map(|n| format!(r#""f{n}":1"#)).collect::<Vec<_>>().join(","));
    let list = format!(r#""e":[{}]"#, (0..12).map(object).collect::<Vec<_>>().join(","));
    let event = format!("{{{}}}", vec![list; 12].join(","));
    let limits = Limits::default().join_steps(200_000);
    match pattern.explain_with(event.as_bytes(), &limits) {
        Ok(explanation) => assert!(!explanation.matched()),
        Err(error) => assert_eq!(error.limit(), Some(Limit::JoinSteps)),
    }
}
