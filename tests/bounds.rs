//! What hostile input may cost, counted in steps and bytes: never by the clock.

use eventrie::{Dialect, Limits, Matcher, Pattern, Scratch};

fn eventbridge(text: &str) -> Pattern {
    Pattern::parse(text, Dialect::EventBridge).unwrap()
}

/// A matcher that may take so many steps to decide which elements go together.
fn within(patterns: &[&str], join_steps: usize) -> Matcher {
    let mut builder = Matcher::builder();
    builder.limits(Limits { join_steps, ..Limits::default() });
    for pattern in patterns {
        builder.add(eventbridge(pattern));
    }
    builder.build().unwrap()
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
    // are goes to and fro between the arrays, so that "fewest first" alone would as well.
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
        // Nothing matches, so that every way is tried.
        let found = within(&[pattern], 20 * n).is_match(event, &mut Scratch::default());
        assert_eq!(found, Ok(false), "{what}");
        assert!(!eventbridge(pattern).explain(event.as_bytes()).unwrap().matched(), "{what}");
    }
    let found = within(&[r#"{"e":["x"],"e.a":["x"],"e.b":["x"],"z":{"c":["n"]}}"#], 20 * n)
        .is_match(&mixed, &mut Scratch::default());
    assert_eq!(found, Ok(true));
}
