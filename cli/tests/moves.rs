//! What `test`, `diff`, `migrate` and `infer` say of what they are given.

use crate::common::scene::Scene;

/// A failed test says why, whatever the service.
#[test]
fn failed_tests_say_why() {
    let parts = r#"{"Data":{"a":1},"SystemMetadata":{"aws:EventId":"1"}}"#;
    for (head, pattern, event, cause) in [
        ("dialect: eventbridge", "{a: [1]}", r#"{"a":2}"#, "`a` is 2, but must be 1"),
        ("{dialect: lambda-esm, source: sqs}", "{body: {x: [y]}}", r#"{"body":"{\"x\":1}"}"#, "`body.x` is 1"),
        (
            "{dialect: lambda-esm, source: sqs}",
            "{body: {x: [y]}}",
            r#"{"body":"plain"}"#,
            "`body` is the string \"plain\", so it has no field `x`",
        ),
        ("{dialect: pipes, source: kinesis}", "{data: {x: [y]}}", r#"{"data":"e30="}"#, "`data` has no field `x`"),
        ("dialect: sns-attributes", "{a: [b]}", r#"{"Message":"x"}"#, "the message has no attributes"),
        ("dialect: sns-body", "{a: [b]}", r#"{"a":"c"}"#, "`a` is \"c\""),
        ("dialect: eventsv2-data", "{a: [2]}", parts, "`a` is 1"),
        ("dialect: eventsv2-system-metadata", "{ContentType: [b]}", parts, "`ContentType`"),
    ] {
        let head = head.trim_matches(['{', '}']).replace(", ", "\n");
        let text = format!("{head}\nrules: {{r: {pattern}}}\ntests:\n  - {{event: {event}, match: [r]}}\n");
        let scene = Scene::with("why", &[("why.test.yaml", &text)]);
        let (code, out, err) = scene.run(&["test", "why.test.yaml"]);
        assert_eq!(code, 1, "{text}{out}{err}");
        let lines: Vec<&str> = out.lines().collect();
        assert!(lines.len() == 4 && lines[2].contains(cause), "{text}{out}");
    }
}

/// A rule of this name on this bus, as `aws events list-rules` prints it.
fn rule(name: &str, bus: &str, source: &str) -> String {
    let bus = if bus.is_empty() { String::new() } else { format!(r#""EventBusName":"{bus}","#) };
    format!(r#"{{"Name":"{name}",{bus}"EventPattern":"{{\"source\":[\"{source}\"]}}"}}"#)
}

#[test]
fn rules_of_one_name_are_distinguished_by_their_bus() {
    let rules = |rules: &[String]| format!(r#"{{"Rules":[{}]}}"#, rules.join(","));
    let diff = |old: &[String], new: &[String]| {
        let scene = Scene::with("buses", &[("old.json", &rules(old)), ("new.json", &rules(new))]);
        let (code, out, err) = scene.run(&["diff", "old.json", "new.json"]);
        (code, out + &err)
    };
    let (code, said) = diff(&[rule("a", "A", "x"), rule("a", "B", "y")], &[rule("a", "A", "y"), rule("a", "B", "x")]);
    assert_eq!(code, 1, "{said}");
    assert!(
        said.contains("Rules[a].EventPattern on the event bus A\n")
            && said.contains("EventPattern on the event bus B\n"),
        "{said}"
    );
    assert!(said.ends_with("2 rules before, 2 now: 2 changed\n"), "{said}");
    // A list in another order is the same list, and a file that names no bus is about the default one.
    let both = [rule("a", "A", "x"), rule("a", "B", "y")];
    assert_eq!(diff(&both, &[both[1].clone(), both[0].clone()]).0, 0);
    assert_eq!(diff(&[rule("a", "", "x")], &[rule("a", "default", "x")]).0, 0);
    assert_eq!(diff(&[rule("a", "", "x")], &[rule("a", "orders", "x")]).0, 0);
    let with_default = [rule("a", "default", "x"), rule("a", "orders", "y")];
    assert_eq!(diff(&[rule("a", "", "x"), rule("a", "orders", "y")], &with_default).0, 0);
    // A rule that moved receives other events.
    let (code, said) = diff(&[rule("a", "A", "x")], &[rule("a", "B", "x")]);
    assert_eq!(code, 1, "{said}");
    assert!(
        said.contains("changed   Rules[a].EventPattern\n  it was on the event bus `A` and is on `B` now\n"),
        "{said}"
    );
    let (code, said) = diff(&[rule("a", "A", "x")], &[rule("a", "A", "x"), rule("a", "B", "x")]);
    assert!(code == 1 && said.contains("added     Rules[a].EventPattern on the event bus B\n"), "{said}");
    // What else became of it is not hidden.
    let rejected = rule("a", "B", "x").replace(r#"[\"x\"]"#, r#"\"x\""#);
    let (code, said) = diff(&[rule("a", "A", "x")], &[rejected]);
    assert_eq!(code, 1, "{said}");
    assert!(
        said.contains("rejected  Rules[a].EventPattern\n  it was on the event bus `A` and is on `B` now; the new version is rejected: E0006"),
        "{said}"
    );
    let (code, said) = diff(&[rule("a", "A", "x")], &[rule("a", "B", "y")]);
    assert!(code == 1 && said.contains("now\n  only the old version matches"), "{said}");
    assert!(said.contains("changed   ") && said.contains("  only the new version matches"), "{said}");
    // The same pattern under another name on another bus is another rule.
    let (code, said) = diff(&[rule("a", "A", "x")], &[rule("b", "B", "x")]);
    assert!(code == 1 && said.ends_with("1 rule before, 1 now: 1 added, 1 removed\n"), "{said}");
    assert_eq!(diff(&[rule("a", "A", "x")], &[rule("b", "A", "x")]).0, 0, "renamed");
}

#[test]
fn a_disabled_rule_is_not_migrated_without_a_word() {
    let listed = r#"{"Rules":[{"Name":"a","EventPattern":"{\"source\":[\"x\"]}","State":"DISABLED"},{"Name":"b","EventPattern":"{\"source\":[\"y\"]}","State":"ENABLED"}]}"#;
    let scene = Scene::new("disabled");
    let (code, out, err) = scene.feed(&["migrate", "-"], listed);
    let what =
        "the rule is disabled and receives no events, but its subscriber receives events as soon as you create it";
    assert_eq!(err.matches("disabled").count(), 1, "{err}");
    assert!(code == 1 && err.contains(&format!("eventrie: a: not carried over: {what}\n")), "{err}");
    assert!(err.contains("2 subscribers, 1 of them broader"), "{err}");
    let made: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(made["Subscribers"][0]["Migration"]["NotCarriedOver"], serde_json::json!([what]));
    assert_eq!(made["Subscribers"][1]["Migration"]["NotCarriedOver"], serde_json::json!([]));
}

/// One pattern where rules are expected is never read as rules called like its fields.
#[test]
fn one_pattern_is_not_a_rule_file() {
    let event = r#"{"detail":{"state":"stopped"}}"#;
    let scene =
        Scene::with("one", &[("event.json", event), ("named.json", r#"{"r":{"detail":{"state":["stopped"]}}}"#)]);
    for pattern in [
        r#"{"detail":{"state":["stopped"]}}"#,
        r#"{"source":["aws.ec2"],"detail":{"state":["stopped"]}}"#,
        r#"{"store":["x"],"address":{"city":["y"]}}"#,
        "detail:\n  state: [stopped]\n",
        "store: [x]\n",
    ] {
        let name = if pattern.starts_with('{') { "one.json" } else { "one.yaml" };
        scene.write(name, pattern);
        let sentence = format!("{name}: this is one pattern, not a rule file: name it, as in {{\"NAME\": PATTERN}}");
        let (with_option, args) = (format!("{sentence}, or pass it with `-p` instead of `--rules`"), ["--rules", name]);
        for (args, said) in [
            (["migrate", name, "", ""], &sentence),
            (["match", args[0], args[1], "event.json"], &with_option),
            (["explain", args[0], args[1], "event.json"], &with_option),
            (["check", args[0], args[1], ""], &sentence),
        ] {
            let args: Vec<&str> = args.into_iter().filter(|arg| !arg.is_empty()).collect();
            let (code, out, err) = scene.run(&args);
            assert!(code == 2 && out.is_empty(), "{args:?}: {code} {out}{err}");
            assert!(err.lines().any(|line| line == format!("eventrie: {said}")), "{args:?}: {err}");
        }
    }
    assert_eq!(scene.run(&["match", "-q", "--rules", "named.json", "event.json"]).0, 0);
    let described =
        r#"{"Name":"d","Arn":"x","EventPattern":"{\"detail\":{\"state\":[\"stopped\"]}}","State":"ENABLED"}"#;
    scene.write("described.json", described);
    let (code, out, err) = scene.run(&["match", "--rules", "described.json", "event.json"]);
    assert!(code == 0 && out.contains(r#""rules":["d"]"#), "{out}{err}");
    assert!(scene.run(&["migrate", "described.json"]).1.contains(r#""Name": "d""#));
}

/// An array without events is said to be one, with the exit status of other inputs without events.
#[test]
fn an_array_without_events() {
    let scene = Scene::with("empty", &[("array.json", " [\n] "), ("empty.json", "")]);
    let pattern = r#"{"a":[1]}"#;
    for (args, code) in [
        (&["match", pattern, "-E", "[]"][..], 1),
        (&["match", pattern, "-E", " [ ] "], 1),
        (&["match", pattern, "array.json"], 1),
        (&["explain", pattern, "-E", "[]"], 2),
        (&["explain", pattern, "array.json"], 2),
        (&["infer", "-E", "[]"], 2),
        (&["infer", "array.json"], 2),
    ] {
        let (found, out, err) = scene.run(args);
        assert!(found == code && out.is_empty(), "{args:?}: {found} {out}{err}");
        let name = if args.contains(&"array.json") { "array.json" } else { "<event>" };
        assert!(err.starts_with(&format!("eventrie: {name}: the array has no events\n")), "{args:?}: {err}");
        assert!(!err.contains("empty") && !err.contains("were read"), "{args:?}: {err}");
        let other: Vec<&str> = args.iter().map(|arg| if *arg == "array.json" { "empty.json" } else { arg }).collect();
        assert_eq!(scene.run(&other).0, code, "{other:?}");
    }
    for args in [&["match", pattern][..], &["explain", pattern], &["infer"]] {
        let (code, _, err) = scene.feed(args, "[]");
        assert!(err.starts_with("eventrie: <stdin>: the array has no events\n"), "{args:?}: {err}");
        assert_eq!(code, if args[0] == "match" { 1 } else { 2 }, "{args:?}: {err}");
    }
    let (code, out, _) = scene.run(&["infer", "-q", "-E", r#"[{"type":"x"},{"type":"x","b":1}]"#]);
    assert_eq!((code, out.as_str()), (0, "{\"type\":[\"x\"]}\n"));
}
