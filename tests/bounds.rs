//! What hostile input may cost, counted in steps and bytes, never in time.

use eventrie::event::EventErrorKind;
use eventrie::saved::LoadErrorKind;
use eventrie::{Dialect, Limit, Limits, Matcher, Pattern, Scratch};

use crate::alloc::counted;

fn eventbridge(text: &str) -> Pattern {
    Pattern::parse(text, Dialect::EventBridge).unwrap()
}

/// A matcher that may take so many steps to decide which elements go together.
fn within(patterns: &[&str], join_steps: usize) -> Matcher {
    let builder = Matcher::builder().limits(Limits::default().join_steps(join_steps));
    builder.build(patterns.iter().map(|pattern| eventbridge(pattern))).unwrap()
}

fn list(count: usize, item: impl Fn(usize) -> String) -> String {
    format!("[{}]", (0..count).map(item).collect::<Vec<_>>().join(","))
}

/// Events whose arrays nest as arrays of records do, and one with scalars between the objects: the fields of a pattern
/// are decided in a few steps for each element, in whichever order their values are frequent.
#[test]
fn joining_is_linear_in_the_elements() {
    let n = 300;
    // Each array has elements that fit one field and elements that fit another, and none that fit both. How many there
    // are goes to and fro between the arrays, so "fewest first" alone would as well.
    let array = |a: usize, b: usize| {
        list(a + b, |at| (if at < a { r#"{"a":"x","b":"n"}"# } else { r#"{"a":"n","b":"x"}"# }).to_owned())
    };
    let two_arrays = format!(r#"{{"e":{},"f":{}}}"#, array(n, n + 2), array(n + 1, n + 3));
    let third = format!(r#"{{"e":{},"f":{}}}"#, array(n, n + 2), array(n + 1, 0));
    let inner = format!(r#"{{"e":[{{"r":{},"o":{}}}]}}"#, array(n, n + 2), array(n + 1, n + 3));
    let mixed = format!(
        r#"{{"e":[{}],"z":[{{"c":"n"}}]}}"#,
        (0..n).map(|_| r#"{"a":"x","b":"x"},"x""#.to_owned()).collect::<Vec<_>>().join(",")
    );
    let half_mixed = format!(
        r#"{{"e":[{}]}}"#,
        (0..n)
            .map(|at| if at.is_multiple_of(2) { r#"{"a":"x","b":"n"},"x""# } else { r#""x",{"a":"n","b":"x"}"# })
            .collect::<Vec<_>>()
            .join(",")
    );
    let cases: [(&str, &str, &str); 6] = [
        ("two arrays, two fields of each", &two_arrays, r#"{"e":{"a":["x"],"b":["x"]},"f":{"a":["x"],"b":["x"]}}"#),
        ("a field of another array", &third, r#"{"e":{"a":["x"],"b":["x"]},"f":{"a":["x"]}}"#),
        ("two arrays inside of one", &inner, r#"{"e":{"r":{"a":["x"],"b":["x"]},"o":{"a":["x"],"b":["x"]}}}"#),
        ("scalars between objects", &half_mixed, r#"{"e":["x"],"e.a":["x"],"e.b":["x"]}"#),
        (
            "the same, and all but one value fit",
            &mixed,
            r#"{"e":["x"],"e.a":["x"],"e.b":["x"],"z":{"c":["n"],"d":[1]}}"#,
        ),
        ("scalars that are absent", &half_mixed, r#"{"e":[{"exists":false}],"e.a":["x"],"e.b":["x"]}"#),
    ];
    for (what, event, pattern) in cases {
        // Nothing matches, so every way is tried.
        let found = within(&[pattern], 20 * n).is_match(event, &mut Scratch::default());
        assert_eq!(found, Ok(false), "{what}");
        assert!(!eventbridge(pattern).explain(event.as_bytes()).unwrap().matched(), "{what}");
    }
    let found = within(&[r#"{"e":["x"],"e.a":["x"],"e.b":["x"],"z":{"c":["n"]}}"#], 20 * n)
        .is_match(&mixed, &mut Scratch::default());
    assert_eq!(found, Ok(true));
}

/// Checks the peak of allocated bytes: so many for each byte of the input, plus what is the same for all.
fn assert_held<T>(what: &str, each: usize, input: usize, work: impl FnOnce() -> T) {
    const ALWAYS: usize = 3 << 20;
    let peak = counted(work).peak as usize;
    assert!(peak < each * input + ALWAYS, "{what}: {peak} bytes held for an input of {input}");
}

fn repeated(before: &str, item: &str, count: usize, after: &str) -> String {
    format!("{before}{}{after}", vec![item; count].join(","))
}

/// Small values, empty ones, faults, letters with many spellings: the most expensive text for its length.
#[test]
fn a_pattern_takes_memory_in_proportion_to_its_text() {
    let n = 30_000;
    let texts = [
        ("numbers", repeated(r#"{"a":["#, "1", n, "]}")),
        ("texts", repeated(r#"{"a":["#, r#""""#, n, "]}")),
        ("fields", repeated("{", r#""":[1]"#, n, "}")),
        ("ranges", repeated(r#"{"a":["#, r#"{"numeric":["<",1]}"#, n / 8, "]}")),
        ("prefixes", repeated(r#"{"a":["#, r#"{"prefix":""}"#, n / 4, "]}")),
        ("without case", repeated(r#"{"a":["#, r#"{"equals-ignore-case":""}"#, n / 4, "]}")),
        ("blocks", repeated(r#"{"a":["#, r#"{"cidr":"::/1"}"#, n / 4, "]}")),
        ("one operand without case", format!(r#"{{"a":[{{"equals-ignore-case":"{}"}}]}}"#, "ΐ".repeat(n))),
        ("one wildcard", format!(r#"{{"a":[{{"wildcard":"{}"}}]}}"#, "*a".repeat(n))),
        ("wildcards", repeated(r#"{"a":["#, r#"{"wildcard":"*"}"#, n / 4, "]}")),
        ("excluded", repeated(r#"{"a":[{"anything-but":["#, "1", n, "]}]}")),
        ("alternatives", repeated(r#"{"$or":["#, r#"{"":[1]}"#, n / 4, "]}")),
        ("faults", repeated(r#"{"a":["#, "{}", n, "]}")),
        ("faulty fields", repeated("{", r#""":1"#, n, "}")),
        ("brackets", format!(r#"{{"a":{}"#, "[".repeat(n))),
        ("nested", format!("{}[1]{}", r#"{"":"#.repeat(990), "}".repeat(990))),
    ];
    for dialect in [Dialect::EventBridge, Dialect::SnsBody] {
        for (what, text) in &texts {
            assert_held(what, 100, text.len(), || Pattern::parse(text, dialect));
        }
    }
}

#[test]
fn an_event_takes_memory_in_proportion_to_its_text() {
    let n = 30_000;
    let patterns = [r#"{"a":[{"exists":true}]}"#, r#"{"a":{"b":[{"exists":true}],"c":[1]}}"#, r#"{"":{"":[1,2]}}"#];
    let matcher = within(&patterns, 50_000_000);
    for (what, event) in [
        ("numbers", repeated(r#"{"a":["#, "1", n, "]}")),
        ("texts", repeated(r#"{"a":["#, r#""""#, n, "]}")),
        ("objects", repeated(r#"{"a":["#, "{}", n, "]}")),
        ("arrays", repeated(r#"{"a":["#, "[]", n, "]}")),
        ("elements", repeated(r#"{"a":["#, r#"{"b":1,"c":2}"#, n / 4, "]}")),
        ("elements that fit half", repeated(r#"{"a":["#, r#"{"b":1},{"c":1}"#, n / 4, "]}")),
        ("members", repeated("{", r#""":1"#, n, "}")),
        ("unknown members", repeated("{", r#""x":1"#, n, "}")),
        ("nested", format!(r#"{{"a":{}1{}}}"#, "[".repeat(990), "]".repeat(990))),
        ("cut off", format!(r#"{{"a":[{}"#, "[1],".repeat(n))),
        ("brackets", format!(r#"{{"a":{}"#, "[".repeat(n))),
    ] {
        assert_held(what, 80, event.len(), || {
            let mut scratch = Scratch::default();
            let _ = matcher.is_match(&event, &mut scratch);
            scratch
        });
        for pattern in patterns {
            let pattern = eventbridge(pattern);
            assert_held(what, 60, event.len(), || pattern.explain(event.as_bytes()));
        }
    }
}

/// Each list that is asked keeps its hits for other branches, up to a bound.
#[test]
fn many_lists_over_many_elements_do_not_fill_the_memory() {
    let patterns: Vec<String> =
        (0..500).map(|at| format!(r#"{{"e":{{"a":[{{"anything-but":"v{at}"}}],"b":["n"],"c":["x"]}}}}"#)).collect();
    let patterns: Vec<&str> = patterns.iter().map(String::as_str).collect();
    let matcher = within(&patterns, 50_000_000);
    let event = format!(
        r#"{{"e":{}}}"#,
        list(3_000, |at| format!(r#"{{"a":"x","b":"{}","c":"{}"}}"#, ["n", "x"][at % 2], ["q", "x"][at % 2]))
    );
    let used = counted(|| {
        let mut scratch = Scratch::default();
        assert!(!matcher.is_match(&event, &mut scratch).unwrap());
        scratch
    });
    // A hit is four bytes, and there are one and a half million of them.
    assert!(used.peak < 6 << 20, "{} bytes", used.peak);
}

#[test]
fn tables_stay_within_their_limit_while_they_are_built() {
    let patterns: Vec<Pattern> = (0..20_000)
        .map(|at| eventbridge(&format!(r#"{{"f{at}":["v{at}",{{"prefix":"p{at}"}},{{"wildcard":"*w{at}*"}}]}}"#)))
        .collect();
    let builder = Matcher::builder().limits(Limits::default().table_bytes(1 << 20));
    let used = counted(|| builder.build(patterns).map(|_| ()));
    assert_eq!(used.value.unwrap_err().limit(), Some(Limit::TableBytes));
    assert!(used.peak < 4 << 20, "{} bytes", used.peak);
}

/// A branch with eight values for each of several fields is in as many buckets as these can be combined.
#[test]
fn buckets_stay_within_the_limit_while_they_are_filled() {
    let block = |at: usize| (at * 8..at * 8 + 8).map(|value| format!("\"{value}\"")).collect::<Vec<_>>().join(",");
    let pattern = |at: usize| {
        let (b, c) = (block(at / 32 % 32), block(at % 32));
        eventbridge(&format!(r#"{{"a":["{}"],"b":[{b}],"c":[{c}]}}"#, at / 1024))
    };
    let patterns: Vec<Pattern> = (0..8 * 1024).map(pattern).collect();
    let builder = Matcher::builder().limits(Limits::default().table_bytes(2 << 20));
    let used = counted(|| builder.build(patterns).map(|_| ()));
    assert_eq!(used.value.unwrap_err().limit(), Some(Limit::TableBytes));
    assert!(used.peak < 8 << 20, "{} bytes", used.peak);
}

#[test]
fn a_saved_matcher_takes_memory_in_proportion_to_its_bytes() {
    let rules: Vec<String> = (0..2_000).map(|at| format!(r#"{{"a":["{at}"],"b":[{{"prefix":"{at}"}}]}}"#)).collect();
    let wildcards: Vec<String> = (0..300).map(|at| format!(r#"{{"a":[{{"wildcard":"*{at}*"}}]}}"#)).collect();
    for patterns in [rules, wildcards] {
        let bytes = Matcher::new(patterns.iter().map(|text| eventbridge(text))).unwrap().to_bytes();
        assert_held("loaded", 20, bytes.len(), || Matcher::from_bytes(&bytes).unwrap());
        let used = counted(|| Matcher::from_bytes_with(&bytes, &Limits::default().table_bytes(1 << 10)));
        assert_eq!(used.value.unwrap_err().kind(), LoadErrorKind::Limit);
        // Lengths that exceed the actual bytes are not trusted.
        let mut cut = bytes.clone();
        cut.truncate(bytes.len() / 2);
        assert!(counted(|| Matcher::from_bytes(&cut).is_err()).peak < 1_000);
    }
}

/// The limit of steps is reached by what is not linear: keys that come twice, so nearly everything combines with everything.
#[test]
fn scattered_elements_reach_the_limit_of_steps() {
    let arrays: Vec<_> = (0..200)
        .flat_map(|_| [r#""r":[{"b":"y"},{"d":"q"}]"#, r#""r":[{"c":"z"},{"d":"q"}]"#])
        .chain([r#""r":[{"a":"x"},{"d":"p"}]"#])
        .collect();
    let event = format!("{{{}}}", arrays.join(","));
    let pattern = r#"{"r":{"a":["x"],"b":["y"],"c":["z"],"d":[{"anything-but":"q"}]}}"#;
    let error = within(&[pattern], 5_000).is_match(&event, &mut Scratch::default()).unwrap_err();
    assert_eq!((error.kind(), error.limit()), (EventErrorKind::Limit, Some(Limit::JoinSteps)));
    assert!(!within(&[pattern], 500_000).is_match(&event, &mut Scratch::default()).unwrap());
}

/// Nesting goes as deep as the limit allows, on half the stack that a thread gets: whatever walks or drops a tree.
#[test]
fn the_deepest_nesting_fits_a_small_stack() {
    let nest = |open: &str, inner: &str, close: &str, levels: usize| {
        format!("{}{inner}{}", open.repeat(levels), close.repeat(levels))
    };
    let objects = nest(r#"{"a":"#, r#"["x"]"#, "}", 999);
    let groups = nest(r#"{"$or":[{"b":["y"]},"#, r#"{"a":["x"]}"#, "]}", 495);
    let arrays = format!(r#"{{"a":{}}}"#, nest(r#"[1,"x","#, r#"{"a":"x"}"#, "]", 990));
    let both = format!(r#"{{"a":{}}}"#, nest(r#"[{"a":"#, r#""x""#, "}]", 495));
    let all = move || {
        for text in [&objects, &groups] {
            let pattern = eventbridge(text);
            assert_eq!(
                Pattern::parse(&pattern.to_string(), Dialect::EventBridge).unwrap().to_string(),
                pattern.to_string()
            );
            drop(pattern.lint_with(&eventrie::pattern::LintOptions::default().notes(true)));
            let _ = (pattern.covers(&pattern), pattern.overlaps(&pattern), pattern.sample());
            let _ = (pattern.wildcard_complexity(), pattern.clone());
            let matcher = Matcher::new([pattern.clone()]).unwrap();
            let matcher = Matcher::from_bytes(&matcher.to_bytes()).unwrap();
            for event in [&objects, &arrays, &both] {
                let explained = pattern.explain(event.as_bytes()).unwrap();
                let _ = (explained.to_string(), explained.clone());
                assert_eq!(matcher.is_match(event, &mut Scratch::default()).unwrap(), explained.matched());
                let _ = eventrie::relate::infer([event.as_str()], Dialect::EventBridge);
            }
        }
        // Faults at the bottom, and trees that are never closed.
        for text in [nest(r#"{"a":"#, "1", "}", 999), nest(r#"{"$or":["#, "1", "]}", 499), "[{\"a\":".repeat(400)] {
            let error = Pattern::parse(&text, Dialect::EventBridge).unwrap_err();
            let _ = (error.to_string(), error.service_message());
        }
    };
    std::thread::Builder::new().stack_size(1 << 20).spawn(all).unwrap().join().unwrap();
}

/// Each comparison of two hostile wildcards may take millions of steps, and there are thousands of pairs: all comparisons
/// of one question share what they may take, or this test would not end within the hour.
#[test]
fn hard_questions_are_given_up() {
    let wildcard = |at: usize, part: usize| {
        let pieces: String =
            (0..60).map(|piece| format!("*{}", ["ab", "ba", "aa", "bb"][(at >> (piece % 7)) % 4])).collect();
        format!(r#"{{"wildcard":"{pieces}{part}*"}}"#)
    };
    let list = |part: usize| format!(r#""f{part}":{}"#, list(64, |at| wildcard(at, part)));
    let text = format!("{{{}}}", (0..3).map(list).collect::<Vec<_>>().join(","));
    let (hard, other) = (eventbridge(&text), eventbridge(&text.replace("bb", "ab")));
    assert!(hard.lint_with(&eventrie::pattern::LintOptions::default().notes(true)).len() <= 1_000);
    let _ = (hard.covers(&other), hard.overlaps(&other));
    // Many fields, none of which the other pattern has: an event for each of them is not made.
    let wide = |name: &str| {
        let fields: Vec<_> = (0..4_000).map(|at| format!(r#""{name}{at}":["x"]"#)).collect();
        eventbridge(&format!("{{{}}}", fields.join(",")))
    };
    let (left, right) = (wide("l"), wide("r"));
    let used = counted(|| assert!(!matches!(left.covers(&right), eventrie::relate::Covers::Yes)));
    assert!(used.peak < 64 << 20, "{} bytes", used.peak);
}

/// What `check` passes, the matcher takes: the engine's limit of fields is a warning before it is an error.
#[test]
fn more_fields_than_the_engine_accepts_are_reported() {
    let text = |count: usize| {
        let fields: Vec<_> = (0..count).map(|at| format!(r#""f{at}":[1]"#)).collect();
        format!(r#"{{"detail":{{{}}}}}"#, fields.join(","))
    };
    for (count, is_reported) in [(256, false), (257, true)] {
        let pattern = eventbridge(&text(count));
        let said = pattern.lint().into_iter().any(|one| one.message.contains("fields that must all match"));
        assert_eq!(said, is_reported, "{count}");
        assert_eq!(Matcher::builder().build([pattern]).is_err(), is_reported, "{count}");
    }
}
