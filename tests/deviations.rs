//! Where eventrie deliberately answers differently from the engine inside the service: the one list.
//! `docs/pages/decisions/deviations.md` has the same as a table, and `check` reports every pattern that one applies to.

use std::path::Path;

use eventrie::diagnostic::Code;
use eventrie::{Dialect, Matcher, Pattern, Scratch};

/// What the service's engine does.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Engine {
    Matches,
    MatchesNot,
    /// It accepts the pattern, but fails when a rule with it is added.
    Fails,
    /// It ignores what comes after the event.
    IgnoresTheRest,
}

struct Deviation {
    pattern: &'static str,
    event: &'static str,
    engine: Engine,
    reason: &'static str,
}

const QUOTE: &str = "a prefix or suffix is text of the value; the engine's quotes around it are not part of it";
const ADDRESS: &str = "an address block contains addresses of its own family and nothing else";
const SPELLING: &str = "an address matches only its own spelling";
const NUMBER: &str = "a suffix is for strings, and the engine's internal form of a number is not one";
const EMPTY: &str = "an empty name is a name like any other";
const EXTREME: &str = "a range that begins at the largest number contains this number";
const REST: &str = "a truncated or doubled line must not pass silently";

const DEVIATIONS: &[Deviation] = &[
    of(r#"{"a":[{"prefix":"abc\""}]}"#, r#"{"a":"abc"}"#, Engine::Matches, QUOTE),
    of(r#"{"a":[{"suffix":"\"abc"}]}"#, r#"{"a":"abc"}"#, Engine::Matches, QUOTE),
    of(r#"{"a":[{"prefix":"\""}]}"#, r#"{"a":""}"#, Engine::Matches, QUOTE),
    of(r#"{"a":[{"anything-but":{"prefix":"abc\""}}]}"#, r#"{"a":"abc"}"#, Engine::MatchesNot, QUOTE),
    of(r#"{"a":[{"cidr":"10.0.0.0/8"}]}"#, r#"{"a":"a00::1"}"#, Engine::Matches, ADDRESS),
    of(r#"{"a":[{"cidr":"0.0.0.0/0"}]}"#, r#"{"a":"2001:db8::1"}"#, Engine::Matches, ADDRESS),
    of(r#"{"a":[{"cidr":"::/0"}]}"#, r#"{"a":"10.0.0.1"}"#, Engine::Matches, ADDRESS),
    of(r#"{"a":[{"cidr":"16.0.0.0/4"}]}"#, r#"{"a":15}"#, Engine::Matches, ADDRESS),
    of(r#"{"a":[{"cidr":"10.0.0.1/0"}]}"#, r#"{"a":1}"#, Engine::Matches, ADDRESS),
    of(r#"{"a":["16.0.0.1"]}"#, r#"{"a":10000001}"#, Engine::Matches, SPELLING),
    of(r#"{"a":["16.0.0.1"]}"#, r#"{"a":"1000:1::"}"#, Engine::Matches, SPELLING),
    of(r#"{"a":["0.0.0.0"]}"#, r#"{"a":"::1"}"#, Engine::Matches, SPELLING),
    of(r#"{"a":[10000001,{"cidr":"1.0.0.0/8"}]}"#, r#"{"a":"16.0.0.1"}"#, Engine::Matches, ADDRESS),
    of(r#"{"a":[{"suffix":""},{"numeric":["=",7]}]}"#, r#"{"a":1.0000000000000075}"#, Engine::Matches, NUMBER),
    of(r#"{"a":{"":[1]}}"#, r#"{"a":{"":1}}"#, Engine::MatchesNot, EMPTY),
    of(
        r#"{"a":[{"numeric":[">=",1.7976931348623157e308]}]}"#,
        r#"{"a":1.7976931348623157e308}"#,
        Engine::Fails,
        EXTREME,
    ),
    of(r#"{"a":["x"]}"#, r#"{"a":"x"}]]]"#, Engine::IgnoresTheRest, REST),
];

const fn of(pattern: &'static str, event: &'static str, engine: Engine, reason: &'static str) -> Deviation {
    Deviation { pattern, event, engine, reason }
}

#[test]
fn the_plain_meaning_is_answered_and_check_says_so() {
    let mut scratch = Scratch::default();
    for Deviation { pattern: text, event, engine, .. } in DEVIATIONS {
        let pattern = Pattern::parse(text, Dialect::EventBridge).unwrap();
        let answer = Matcher::new([pattern.clone()]).unwrap().is_match(*event, &mut scratch);
        match engine {
            Engine::Matches => assert!(!answer.unwrap(), "{text} {event}"),
            Engine::MatchesNot | Engine::Fails => assert!(answer.unwrap(), "{text} {event}"),
            Engine::IgnoresTheRest => {
                assert!(answer.is_err(), "{text} {event}");
                continue;
            }
        }
        let said = pattern
            .lint_with(&eventrie::pattern::LintOptions::default().notes(true))
            .iter()
            .any(|found| found.code == Code::EngineDiffers);
        assert!(said, "nothing is said of {text}");
    }
}

#[test]
fn ordinary_patterns_are_not_warned_of() {
    for text in [
        r#"{"a":["abc\"",{"prefix":"\"abc"},{"suffix":"abc\""},{"wildcard":"*\""}]}"#,
        r#"{"a":["1.2.3","::1",10000001,{"suffix":"x"}],"b":[{"numeric":[">",0]},{"suffix":"x"}]}"#,
        r#"{"":[1],"a.b":[1],"c":{"d":[1]}}"#,
    ] {
        let pattern = Pattern::parse(text, Dialect::EventBridge).unwrap();
        let said: Vec<_> = pattern
            .lint_with(&eventrie::pattern::LintOptions::default().notes(true))
            .into_iter()
            .filter(|found| found.code == Code::EngineDiffers)
            .collect();
        assert!(said.is_empty(), "{text}: {said:?}");
    }
}

#[test]
fn the_design_names_them_all() {
    let design =
        std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/pages/decisions/deviations.md"))
            .unwrap();
    for Deviation { pattern, event, reason, .. } in DEVIATIONS {
        assert!(design.contains(&format!("| `{pattern}` | `{event}` |")), "the page lacks {pattern} {event}");
        assert!(design.contains(reason), "the page lacks: {reason}");
    }
}
