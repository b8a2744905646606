//! Entries of PutEvents that are not sent yet: a rule that tests what EventBridge will set has no answer, whatever is asked.

use crate::common::scene::Scene;

const ENTRY: &str = r#"{"Source":"shop","DetailType":"order","Detail":"{\"a\":1}"}"#;
const DELIVERED: &str = r#"{"source":"shop","detail-type":"order","account":"2","detail":{"a":1}}"#;
const UNKNOWN: &str = "`account` is not known until the entry is sent, and";
/// One rule with an answer and one without.
const RULES: &str = r#"{"r1":{"source":["shop"]},"r2":{"source":["zzz"],"account":["1"]}}"#;

/// What EventBridge sets when an entry is sent is not known before: no verdict on it, unless it is given.
#[test]
fn one_pattern_and_an_entry() {
    let scene = Scene::with("entry", &[]);
    let request = format!(r#"{{"Entries":[{ENTRY}]}}"#);
    for command in ["match", "explain"] {
        for (pattern, unset) in [
            (r#"{"account":["111122223333"]}"#, Some("account")),
            (r#"{"source":["shop"],"region":[{"exists":false}]}"#, Some("region")),
            (r#"{"$or":[{"id":["1"]},{"source":["shop"]}]}"#, Some("id")),
            (r#"{"\u0074ime":[{"exists":true}]}"#, Some("time")),
            (r#"{"source":["shop"],"detail":{"account":[{"exists":false}]}}"#, None),
        ] {
            for event in [ENTRY, &request] {
                let (code, out, err) = scene.run(&[command, "-e", pattern, "-E", event]);
                let out = out + &err;
                match unset {
                    Some(name) => {
                        assert_eq!(code, 2, "{command} {pattern}\n{out}");
                        assert!(out.contains(&format!("give it with `--entry {name}=VALUE`")), "{out}");
                    }
                    None => assert_eq!(code, 0, "{command} {pattern}\n{out}"),
                }
            }
        }
        let given = |account: &str| {
            let entry = format!("account={account}");
            let args = [command, "-e", r#"{"account":["1\"1"]}"#, "--entry", &entry, "-E", ENTRY];
            let (code, out, err) = scene.run(&args);
            assert!((out + &err).contains("`time`, `id` and `region` are not known"), "{err}");
            code
        };
        assert_eq!((given("1\"1"), given("2")), (0, 1), "{command}");
    }
}

#[test]
fn tests_of_what_is_not_known() {
    let suite = |rules: &str, event: &str, expected: &str| {
        let text = format!("rules: {{{rules}}}\ntests:\n  - {{event: {event}, {expected}}}\n");
        let scene = Scene::with("unsent", &[("a.test.yaml", &text), ("en.json", ENTRY), ("whole.json", DELIVERED)]);
        let (code, out, err) = scene.run(&["test", "a.test.yaml"]);
        assert!(!err.contains("--entry"), "{err}");
        (code, out + &err)
    };
    let (with, without) = ("r: {source: [shop], account: ['1']}", "s: {source: [shop]}");
    let both = format!("{with}, {without}");
    let entry = ENTRY.replace('\\', "\\\\").replace('"', "\\\"");
    for event in ["en.json", &format!("\"{entry}\""), ENTRY] {
        for (rules, expected) in [(with, "no-match: [r]"), (with, "match: [r]"), (&both, "no-match: [r], match: [s]")] {
            let (code, said) = suite(rules, event, expected);
            // A string names a file.
            let is_name = event.starts_with('"');
            assert!(code == 2 && (is_name || said.contains(UNKNOWN)), "{event} {expected}: {code} {said}");
            assert!(is_name || said.contains("give the event as EventBridge delivers it\n"), "{said}");
            assert!(!said.contains("does not match"), "{said}");
        }
        if !event.starts_with('"') {
            let (code, said) = suite(&both, event, "match: [s]");
            assert!(code == 0 && !said.contains(UNKNOWN), "{event}: {code} {said}");
        }
    }
    assert_eq!(suite(&both, "whole.json", "no-match: [r], match: [s]").0, 0);
}

#[test]
fn recorded_entries_against_rules() {
    let scene = Scene::with("recorded", &[("rules.json", RULES), ("en.json", ENTRY), ("whole.json", DELIVERED)]);
    scene.write("one.json", r#"{"source":["shop"],"account":["1"]}"#);
    for rules in ["rules.json", "one.json"] {
        let (code, out, err) = scene.run(&["check", rules, "--events", "en.json"]);
        assert!(code == 2 && err.contains(UNKNOWN) && !err.contains("--entry"), "{rules}: {code} {out}{err}");
        assert!(!(out + &err).contains("W040"), "{rules}");
        let (code, out, err) = scene.run(&["check", rules, "--events", "whole.json"]);
        assert!(code < 2 && (out.clone() + &err).contains("W0403") && !err.contains(UNKNOWN), "{rules}: {code}");
    }
}

#[test]
fn the_other_rules_keep_their_answers() {
    let scene = Scene::with("others", &[("rules.json", RULES), ("en.json", ENTRY)]);
    let why = format!("en.json:1: {UNKNOWN} the rule `r2` tests it: give it with `--entry account=VALUE`\n");
    let (code, out, err) = scene.run(&["match", "--rules", "rules.json", "en.json"]);
    assert_eq!((code, out.as_str()), (2, "{\"event\":0,\"rules\":[\"r1\"]}\n"), "{err}");
    assert!(err.contains(&why), "{err}");
    let (code, out, err) = scene.run(&["match", "-c", "--rules", "rules.json", "en.json"]);
    assert_eq!((code, out.as_str()), (2, "r1\t1\nr2\t0\n"), "{err}");
    let (code, out, err) =
        scene.feed(&["match", "-cv", "--rules", "rules.json", "-"], &format!("{ENTRY}\n{DELIVERED}\n{{}}\n"));
    assert_eq!((code, out.as_str()), (2, "r1\t1\nr2\t2\n"), "{err}");
    let (code, out, err) = scene.run(&["match", "--strict", "--rules", "rules.json", "en.json"]);
    assert!(code == 2 && out.is_empty() && err.contains(&why), "{out}{err}");
    let (code, out, err) = scene.run(&["explain", "--rules", "rules.json", "en.json"]);
    assert!(code == 2 && out.contains("1 of 2 rules matches\n  matches: r1\n"), "{code} {out}{err}");
    assert!(!out.contains("r2") && err.contains(&why), "{out}{err}");
    let all = ["match", "--rules", "rules.json", "en.json", "--entry", "account=1"];
    assert_eq!(scene.run(&all).0, 0);
    // Whether no rule matches is not known.
    scene.write("rules.json", &RULES.replace("shop", "other"));
    for args in
        [&["match", "--rules", "rules.json", "en.json"][..], &["match", "-v", "--rules", "rules.json", "en.json"]]
    {
        let (code, out, err) = scene.run(args);
        assert!(code == 2 && out.is_empty() && err.contains(&why), "{args:?} {out}{err}");
    }
}

#[test]
fn what_is_said_of_entries_is_heard() {
    let scene = Scene::with("said", &[("en.json", ENTRY)]);
    for command in [&["match", r#"{"account":["2"]}"#][..], &["explain", r#"{"account":["2"]}"#], &["infer"]] {
        let with = |entry: &[&str]| scene.run(&[command, &["en.json"], entry].concat());
        let (code, out, err) = with(&["--entry", "account=1", "--entry", "account=2"]);
        assert!(code == 2 && out.is_empty(), "{command:?} {out}{err}");
        assert_eq!(err, "eventrie: `--entry` sets `account` more than once\n", "{command:?}");
        assert_eq!(with(&["--entry", "name=1"]).0, 2, "{command:?}");
        assert_eq!(with(&["--entry", "account=2"]).0, 0, "{command:?}");
    }
    assert!(scene.run(&["infer", "en.json", "--entry", "account=1"]).2.contains("- account: "));
    assert!(!scene.run(&["infer", "en.json"]).2.contains("- account: "));
    let (code, _, err) = scene.run(&["infer", "-d", "sns-body", "en.json", "--entry", "account=1"]);
    assert!(code == 2 && err.contains("only for the events of rules"), "{err}");
}

/// An event is printed on one line, even if the program that wrote its entry used several.
#[test]
fn an_entry_is_printed_on_one_line() {
    let scene = Scene::new("line");
    for detail in [r#""{\"a\":1} \n ""#, r#""\n{\n\"a\":\r\n1}""#, "{\n\"a\":1\n}"] {
        let entry = ENTRY.replace(r#""{\"a\":1}""#, detail);
        let (code, out, err) = scene.feed(&["match", r#"{"detail":{"a":[1]}}"#, "-E", &entry], "");
        assert!(code == 0 && out.ends_with("}\n") && out.lines().count() == 1, "{detail}: {out:?} {err}");
    }
}

#[test]
fn attributes_as_an_object() {
    let scene = Scene::new("attributes");
    let infer = |text: &str| scene.feed(&["infer", "-q", "-d", "sns-attributes", "-"], text);
    let both = r#"{"k":"a \"b\"","n":5,"l":["x"]}"#;
    for (text, pattern) in [
        (r#"{"k":"v"}"#, r#"{"k":[{"exists":true}]}"#),
        (r#"{"type":"v","n":1}"#, r#"{"type":["v"]}"#),
        (&format!("{both}\n{both}\n"), r#"{"k":["a \"b\""]}"#),
        ("{\"k\":\"v\"}\n{\"MessageAttributes\":{\"k\":{\"Type\":\"String\",\"Value\":\"v\"}}}\n", r#"{"k":["v"]}"#),
    ] {
        let (code, out, err) = infer(text);
        assert_eq!((code, out.trim_end()), (0, pattern), "{text}: {err}");
    }
    for text in [r#"{"Message":"x"}"#, r#"{"MessageId":"x"}"#, "{}", r#"{"k":{"a":1}}"#] {
        let (code, out, err) = infer(text);
        assert!(code == 2 && out.is_empty() && err.contains("has no attributes"), "{text}: {out}{err}");
    }
}
