//! A walk through a repository with findings: shown, fixed, ignored, clean. Everything that is printed is in
//! `walk/transcript.txt`; `UPDATE_SNAPSHOTS=1` rewrites it.

use std::fs;
use std::path::{Path, PathBuf};

use crate::common::scene::Scene;

fn walk() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/walk")
}

fn repository() -> Scene {
    let scene = Scene::new("walk");
    for entry in fs::read_dir(walk().join("repository")).unwrap() {
        let entry = entry.unwrap();
        scene.write(entry.file_name().to_str().unwrap(), &fs::read_to_string(entry.path()).unwrap());
    }
    scene
}

/// What a person changes by hand after the fixes: the file, the old text and the new one.
const BY_HAND: [(&str, &str, &str); 6] = [
    ("template.yaml", "            - DE # at home\n", ""),
    ("template.yaml", "  Health:\n", "  # eventrie: ignore W0016 the on-call team wants every event\n  Health:\n"),
    (
        "worker.json",
        "      \"Type\": \"AWS::Events::Rule\",\n      \"Properties\": {\"EventPattern\": {\"source\": [\"aws.signin\"]}}",
        "      \"Type\": \"AWS::Events::Rule\",\n      \"Metadata\": {\"eventrie\": {\"ignore\": [\"W0016\"]}},\n      \"Properties\": {\"EventPattern\": {\"source\": [\"aws.signin\"]}}",
    ),
    ("rules.json", "com.example.adit", "com.example.audit"),
    ("eventrie.toml", "\"Order Paid\"]", "\"Order Paid\", \"Order Shipped\"]"),
    (
        "eventrie.toml",
        "\"Order Shipped\"]\n",
        "\"Order Shipped\"]\n\n[[per-path]]\npath = \"rules.json\"\nignore = [\"W0201\"]\nreason = \"two targets, one for each region\"\n",
    ),
];

#[test]
fn from_twelve_findings_to_none() {
    let scene = repository();
    let mut transcript = String::new();
    let mut step = |args: &[&str]| {
        let (code, out, err) = scene.run(args);
        transcript.push_str(&format!("$ eventrie {}\n{out}", args.join(" ")));
        if !err.is_empty() {
            transcript.push_str(&format!("--- standard error\n{err}"));
        }
        transcript.push_str(&format!("--- exit status {code}\n\n"));
        code
    };
    assert_eq!(step(&["check", "."]), 1);
    assert_eq!(step(&["check", "--diff", "."]), 1);
    assert_eq!(step(&["check", "--fix", "."]), 1);
    assert_eq!(step(&["check", "--diff", "--unsafe-fixes", "."]), 1);
    assert_eq!(step(&["check", "--fix", "--unsafe-fixes", "."]), 1);
    for (file, old, new) in BY_HAND {
        scene.change(file, old, new);
    }
    assert_eq!(step(&["check", "."]), 0);
    assert_eq!(step(&["check", "--diff", "--unsafe-fixes", "."]), 0);
    let path = walk().join("transcript.txt");
    if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
        fs::write(&path, &transcript).unwrap();
    }
    assert_eq!(transcript, fs::read_to_string(&path).unwrap_or_default(), "UPDATE_SNAPSHOTS=1 accepts the new text");
    // Nothing but the findings changed.
    let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
    let before = lines(&fs::read_to_string(walk().join("repository/main.tf")).unwrap());
    let after = lines(&scene.read("main.tf"));
    let changed: Vec<&String> = before.iter().zip(&after).filter(|(old, new)| old != new).map(|(_, new)| new).collect();
    assert_eq!(before.len(), after.len());
    assert_eq!(changed.len(), 3, "{changed:?}");
}

#[test]
fn findings_are_chosen_by_code() {
    let text = "{\"source\": [\"aws.ec2\"], \"detail\": {\"key\": [\"a*b\"], \"load\": {\"numeric\": [\">\", 1]}}}\n";
    let scene = Scene::with("codes", &[("p.json", text)]);
    let codes = |args: &[&str]| {
        let (code, out, _) = scene.run(&[&["check", "--format", "json", "p.json"], args].concat());
        let codes: Vec<String> = out
            .lines()
            .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap()["code"].as_str().unwrap().to_owned())
            .collect();
        assert_eq!(code, i32::from(!codes.is_empty()));
        codes
    };
    assert_eq!(codes(&[]), ["W0005", "W0001"]);
    assert_eq!(codes(&["--select", "W0001"]), ["W0001"]);
    assert_eq!(codes(&["--ignore", "W0001"]), ["W0005"]);
    assert_eq!(codes(&["--ignore", "meaning"]), [""; 0]);
    assert_eq!(codes(&["--select", "errors"]), [""; 0]);
    assert_eq!(codes(&["--ignore", "W", "--select", "W0005"]), ["W0005"]);
    scene.write("eventrie.toml", "ignore = [\"W0005\"]\n");
    assert_eq!(codes(&[]), ["W0001"]);
    assert_eq!(codes(&["--select", "W0005"]), [""; 0]);
    scene.write("eventrie.toml", "dialect = \"sns-body\"\nselect = [\"W0001\"]\nlevel = \"error\"\n");
    assert_eq!(codes(&[]), [""; 0]);
    assert_eq!(codes(&["--level", "warning"]), ["W0001"]);
    scene.write("eventrie.toml", "dialct = \"sns-body\"\n");
    let (code, _, err) = scene.run(&["check", "p.json"]);
    assert_eq!(code, 2);
    assert!(err.contains("eventrie.toml:1:1: unknown key `dialct`; did you mean `dialect`?"), "{err}");
}

#[test]
fn entries_for_paths_that_hide_nothing_are_reported() {
    let toml = "[[per-path]]\npath = \"old/**\"\nignore = [\"W0016\", \"W0005\"]\n";
    let only_source = "{\"source\": [\"aws.health\"]}\n";
    let scene =
        Scene::with("paths", &[("eventrie.toml", toml), ("old/deep/p.json", only_source), ("p.json", only_source)]);
    let (code, out, err) = scene.run(&["check", "old"]);
    assert_eq!(code, 1, "{out}");
    assert!(out.contains("warning[W0401]: this ignore hides nothing in the files of `old/**`"), "{out}");
    assert!(out.contains("> eventrie.toml:3:20"), "{out}");
    assert!(err.contains("1 finding is ignored"), "{err}");
    // What was not read is not judged.
    let (code, out, _) = scene.run(&["check", "p.json"]);
    assert!(code == 1 && out.contains("W0016") && !out.contains("W0401"), "{out}");
}

#[test]
fn the_pages_of_a_projects_findings() {
    let mut pages = 0;
    for code in eventrie::diagnostic::Code::ALL {
        for block in code.page().split("```").skip(1).step_by(2) {
            let (fence, text) = block.split_once('\n').unwrap();
            if !fence.ends_with(" project") {
                continue;
            }
            pages += 1;
            let scene = Scene::new(&format!("page-{}", code.as_str()));
            let mut name = "";
            let mut texts = std::collections::BTreeMap::<&str, String>::new();
            for line in text.lines() {
                match line.strip_prefix("# ").filter(|word| word.contains('.') && !word.contains(' ')) {
                    Some(file) => name = file,
                    None => texts.entry(name).or_default().push_str(&format!("{line}\n")),
                }
            }
            for (name, text) in &texts {
                scene.write(name, text);
            }
            let mut args = vec!["check", "--format", "json", "."];
            if texts.contains_key("events.ndjson") {
                args.extend(["--events", "events.ndjson"]);
            }
            let (_, out, _) = scene.run(&args);
            let found: Vec<&str> = out.lines().map(|line| &line[9..14]).collect();
            let expected: &[&str] = if fence.starts_with("bad") { &[code.as_str()] } else { &[] };
            assert_eq!(found, expected, "{code} {fence}\n{out}");
        }
    }
    assert_eq!(pages, 8);
}

/// A template of about 5,000 lines: 357 rules, each like the others but for its names and numbers.
fn long_template(rule: impl Fn(usize) -> Option<(String, String)>) -> String {
    let mut text = String::from("AWSTemplateFormatVersion: \"2010-09-09\"\nResources:\n");
    for (name, total) in (0..357).filter_map(rule) {
        text.push_str(&format!(
            "  # What {name} is for.\n  {name}:\n    Type: AWS::Events::Rule\n    Properties:\n      Name: {name}\n      \
             EventPattern:\n        source: [com.example.shop]\n        detail-type: [Order Placed]\n        detail:\n          \
             customer: [c-{name}]\n          total: {total}\n      Targets:\n        - Arn: !GetAtt Queue.Arn\n          Id: {name}\n"
        ));
    }
    text
}

#[test]
fn five_thousand_lines_before_and_after() {
    let same = |at: usize| Some((format!("Rule{at}"), format!("[{{numeric: [\">\", {at}]}}]")));
    let before = long_template(same);
    assert_eq!(before.lines().count(), 5_000);
    let after = long_template(|at| match at {
        7 => Some(("Rule7".to_owned(), "[{numeric: [\">=\", 7]}]".to_owned())),
        100 => Some(("Rule100".to_owned(), "[{numeric: [\">\", 100.0]}]".to_owned())),
        200 => None,
        300 => Some(("Rule300Again".to_owned(), "[{numeric: [\">\", 300]}]".to_owned())),
        356 => Some(("Rule356".to_owned(), "[{numeric: [\">\", 356, \"<\", 400]}]".to_owned())),
        _ => same(at),
    });
    let scene = Scene::with("long", &[("old.yaml", &before), ("new.yaml", &after)]);
    let (code, out, err) = scene.run(&["diff", "old.yaml", "new.yaml"]);
    let event = |rule: usize, total: usize| {
        format!(
            "{{\"detail-type\":\"Order Placed\",\"detail\":{{\"customer\":\"c-Rule{rule}\",\"total\":{total}}},\"source\":\"com.example.shop\"}}"
        )
    };
    // The customer of Rule300Again is another one, so it is a new rule.
    let expected = [
        "reworded  Rule100".to_owned(),
        "removed   Rule200".to_owned(),
        "removed   Rule300".to_owned(),
        "added     Rule300Again".to_owned(),
        "changed   Rule356".to_owned(),
        format!("  only the old version matches {}", event(356, 400)),
        "changed   Rule7".to_owned(),
        format!("  only the new version matches {}", event(7, 7)),
    ];
    let out = out.replace("Resources.", "").replace(".Properties.EventPattern", "");
    assert_eq!((code, out.lines().collect::<Vec<_>>()), (1, expected.iter().map(String::as_str).collect()));
    assert!(
        err.contains("357 rules before, 356 now: 1 added, 2 removed, 2 changed, 1 reworded, 352 untouched"),
        "{err}"
    );
}

#[test]
fn five_thousand_lines_are_fixed_in_place() {
    let template = |is_wrong: bool| {
        long_template(|at| {
            let total = match at % 10 {
                3 if is_wrong => at.to_string(),
                3 => format!("[{at}]"),
                _ => format!("[{{numeric: [\">\", {at}]}}]"),
            };
            Some((format!("Rule{at}"), total))
        })
    };
    let scene = Scene::with("long-fix", &[("template.yaml", &template(true))]);
    let (code, _, err) = scene.run(&["check", "--fix", "template.yaml"]);
    assert_eq!(code, 0, "{err}");
    assert!(err.contains("fixed 36 findings"), "{err}");
    assert_eq!(scene.read("template.yaml"), template(false), "36 lines changed, and nothing else");
}

#[test]
fn test_files_with_mistakes() {
    let rules = "rules: {a: {source: [x]}, b: {source: [y]}}\n";
    let test = |text: &str| {
        let scene = Scene::with("suite", &[("t.yaml", text)]);
        let (code, out, err) = scene.run(&["test", "t.yaml"]);
        (code, format!("{out}{err}"))
    };
    for (text, message) in [
        ("tests: []\n", "t.yaml:1:1: expected `rules`"),
        ("rles: x\n", "t.yaml:1:1: unknown key `rles`; did you mean `rules`?"),
        ("rules: none.json\ntests: []\n", "t.yaml:1:8: cannot read none.json"),
        (&format!("{rules}tests: x\n"), "t.yaml:2:8: expected `tests`, a list"),
        (&format!("{rules}tests: [{{match: a}}]\n"), "t.yaml:2:9: expected `event`"),
        (&format!("{rules}tests: [{{event: {{}}, match: c}}]\n"), "t.yaml:2:28: unknown rule `c`"),
        (&format!("{rules}tests: [{{event: {{}}}}]\n"), "t.yaml:2:9: expected `match` or `no-match`"),
        (
            &format!("{rules}tests: [{{event: {{}}, match: a, no-match: [a]}}]\n"),
            "the rule `a` is in both `match` and `no-match`",
        ),
        (&format!("{rules}tests: [{{event: no.json, match: a}}]\n"), "no.json"),
        ("rules: {a: {source: x}}\ntests: [{event: {}, match: a}]\n", "the value of `source` must be a list"),
        ("dialect: sqs\n", "t.yaml:1:10: "),
    ] {
        let (code, output) = test(text);
        assert!(code == 2 && output.contains(message), "{text}: {code}\n{output}");
    }
    let (code, output) = test(&format!("{rules}tests: [{{event: {{source: x}}, match: a, no-match: others}}]\n"));
    assert!(code == 0 && output.contains("1 passed, 0 failed; 1 of 2 rules covered"), "{output}");
    let (code, output) = test(&format!("{rules}tests: [{{event: {{source: x}}, match: [a, b]}}]\n"));
    assert!(code == 1 && output.contains("the rule `b` does not match\n    `source` is \"x\""), "{output}");
    let (code, output) = test(&format!("{rules}tests: [{{event: {{source: x}}, no-match: a}}]\n"));
    assert!(code == 1 && output.contains("the rule `a` matches, but must not"), "{output}");
}

#[test]
fn tests_of_other_services() {
    let sns = "dialect: sns-attributes\nrules: {big: {price: [{numeric: [\">\", 5]}]}}\ntests:\n  - event: {Message: m, MessageAttributes: {price: {Type: Number, Value: \"7\"}}}\n    match: big\n";
    let sqs = "dialect: lambda-esm\nsource: sqs\nrules: {new: {body: {kind: [new]}}}\ntests:\n  - event: {body: '{\"kind\": \"new\"}', messageId: a}\n    match: new\n";
    let scene = Scene::with("services", &[("sns.yaml", sns), ("sqs.yaml", sqs)]);
    let (code, out, err) = scene.run(&["test", "--require-coverage", "sns.yaml", "sqs.yaml"]);
    assert_eq!((code, out.as_str()), (0, ""), "{err}");
    assert!(err.contains("2 passed, 0 failed; 2 of 2 rules covered"), "{err}");
}

#[test]
fn differences_that_are_no_meaning() {
    let scene = Scene::new("differences");
    let diff = |old: &str, new: &str| {
        scene.write("old.json", old);
        scene.write("new.json", new);
        let (code, out, _) = scene.run(&["diff", "old.json", "new.json"]);
        (code, out)
    };
    assert_eq!(diff(r#"{"source":["a","b"]}"#, r#"{"source": ["b", "a"]}"#), (0, "reworded  the pattern\n".to_owned()));
    let (code, out) = diff(r#"{"source":["a"]}"#, r#"{"source":"a"}"#);
    assert!(code == 1 && out.starts_with("rejected  the pattern\n  the new version is rejected: "), "{out}");
    let (code, out) = diff(r#"{"r":{"source":["a"]}}"#, r#"{"s":{"source":["a"]}}"#);
    assert_eq!((code, out.as_str()), (0, "renamed   s\n  was r\n"));
    let set = |patterns: &[&str]| {
        let filters: Vec<String> =
            patterns.iter().map(|text| format!("{{\"Pattern\":{}}}", serde_json::to_string(text).unwrap())).collect();
        format!(
            "{{\"Resources\":{{\"M\":{{\"Type\":\"AWS::Lambda::EventSourceMapping\",\"Properties\":{{\"FilterCriteria\":{{\"Filters\":[{}]}}}}}}}}}}",
            filters.join(",")
        )
    };
    let (code, out) = diff(&set(&[r#"{"body":{"a":[1]}}"#]), &set(&[r#"{"body":{"a":[1,2]}}"#]));
    assert!(code == 1 && out.contains("only the new version matches {\"body\":{\"a\":2}}"), "{out}");
    // What cannot be read is no new rule, and nothing is no sameness.
    let (code, out) = diff(r#"{"r":{"source":["a"]}}"#, "{");
    assert!(code == 1 && out.starts_with("rejected  new.json\n  the new version is rejected: E0001"), "{out}");
    let (code, out) = diff(r#"{"r":{"source":["a"]}}"#, r#"{"r":{"source":["a"]},"s":{"source":"b"}}"#);
    assert!(code == 1 && out.starts_with("rejected  s\n  the new version is rejected: E0006"), "{out}");
    assert_eq!(diff("", " \n").0, 2);
    scene.write("old.json", "{}");
    scene.write("none.yaml", "a: 1\n");
    let (code, _, err) = scene.run(&["diff", "none.yaml", "none.yaml"]);
    assert!(code == 0 && err.contains("no patterns found in none.yaml and none.yaml"), "{err}");
    let (code, _, err) = scene.run(&["diff", "old.json", "missing.json"]);
    assert!(code == 2 && err.contains("cannot read missing.json"), "{err}");
}

#[test]
#[cfg(unix)]
fn what_is_no_file_is_passed_over_in_directories() {
    let scene =
        Scene::with("devices", &[("t.json", "{\"source\": [\"aws.ec2\"], \"detail\": {\"state\": [\"stopped\"]}}\n")]);
    std::os::unix::fs::symlink("/dev/null", scene.0.join("s.json")).unwrap();
    let (code, _, err) = scene.run(&["check", "--ignore", "W0016", "."]);
    assert!(err.contains("1 of 1 file has patterns"), "{code} {err}");
}

#[test]
fn no_tests_are_not_a_success() {
    let scene = Scene::with("no-tests", &[("t.yaml", "rules: {a: {source: [x]}}\ntests: []\n")]);
    let (code, _, err) = scene.run(&["test", "t.yaml"]);
    assert!(code == 2 && err.contains("t.yaml:2:8: expected at least one test"), "{err}");
}

#[test]
fn samples_are_events_that_the_other_commands_read() {
    let scene = Scene::new("samples");
    for (dialect, pattern) in [
        ("eventbridge", r#"{"a": [5, {"prefix": "x"}]}"#),
        ("sns-body", r#"{"a": ["x\n"]}"#),
        ("sns-attributes", r#"{"a": ["x\"\n"], "b": [{"numeric": [">", 1e3]}]}"#),
        ("sns-attributes", r#"{"a": [{"exists": false}], "b": [true], "c": [null]}"#),
        ("sns-attributes", r#"{"a": [{"anything-but": ["x"]}], "b": [{"exists": true}], "c": [""]}"#),
    ] {
        scene.write("p.json", pattern);
        let (code, event, err) = scene.run(&["sample", "-d", dialect, "p.json"]);
        assert_eq!(code, 0, "{err}");
        scene.write("event.json", &event);
        let (code, out, err) = scene.run(&["match", "-d", dialect, "-p", "p.json", "event.json"]);
        assert_eq!((code, out), (0, event), "{pattern}: {err}");
    }
    let (wide, narrow) = (r#"{"a": ["x", "y"]}"#, r#"{"a": ["x", 7]}"#);
    let message = "{\"MessageAttributes\":{\"a\":{\"Type\":\"Number\",\"Value\":\"7\"}}}\n";
    let (code, out, _) = scene.run(&["covers", "-d", "sns-attributes", wide, narrow]);
    assert_eq!((code, out.as_str()), (1, message));
}

/// What the page of the documentation shows is what the program prints, or what is in the files of the walk.
#[test]
fn the_page_shows_what_is_printed() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let page = fs::read_to_string(root.join("docs/pages/repository.md")).unwrap();
    let mut printed = fs::read_to_string(walk().join("transcript.txt")).unwrap();
    for name in ["test-template", "diff-template", "check-events-template"] {
        printed += &fs::read_to_string(root.join(format!("cli/tests/golden/{name}.txt"))).unwrap();
    }
    let by_hand: String = BY_HAND.iter().map(|(_, _, new)| *new).collect();
    printed += &format!("{by_hand}\n    Type: AWS::Events::Rule\n");
    let health =
        "  # eventrie: ignore W0016 the on-call team wants every event\n  Health:\n    Type: AWS::Events::Rule\n";
    assert!(repository().read("template.yaml").contains("  Health:\n    Type: AWS::Events::Rule\n"));
    printed += health;
    printed += &fs::read_to_string(walk().join("twenty/tests.yaml")).unwrap();
    let mut blocks = 0;
    for block in page.split("```").skip(1).step_by(2) {
        let (kind, text) = block.split_once('\n').unwrap();
        match kind {
            "toml" => {
                let scene = Scene::with("page", &[("eventrie.toml", text), ("p.json", "{\"source\": [\"aws.ec2\"]}")]);
                let (code, _, err) = scene.run(&["check", "p.json"]);
                assert_eq!(code, 0, "{err}");
            }
            "yaml" if text.contains("- run:") => continue,
            _ => assert!(printed.contains(text.trim_end()), "not printed:\n{text}"),
        }
        blocks += 1;
    }
    assert!(blocks > 10, "only {blocks} blocks");
}
