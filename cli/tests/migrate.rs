//! Rules of the classic bus become subscribers that pass `check` and receive the same events.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

fn run(args: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_eventrie"))
        .args(args)
        .current_dir(root())
        .env_remove("CLICOLOR_FORCE")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdin.take().unwrap().write_all(input.as_bytes()));
    child.wait_with_output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// A file that only this test has.
fn file(name: &str, contents: &str) -> String {
    let path = std::env::temp_dir().join(format!("eventrie-{}-{name}", std::process::id()));
    fs::write(&path, contents).unwrap();
    path.display().to_string()
}

/// Migrates, checks that `check` is content, and returns the subscribers by name and the file they are in.
fn migrated(args: &[&str], name: &str) -> (Vec<(String, Value)>, String) {
    let output = run(&[&["migrate"], args].concat(), "");
    let out = text(&output.stdout);
    assert!(output.status.code().unwrap() < 2, "{}", text(&output.stderr));
    let subscribers: Value = serde_json::from_str(&out).unwrap();
    let subscribers = subscribers["Subscribers"].as_array().unwrap().clone();
    let path = file(name, &out);
    let check = run(&["check", &path], "");
    assert_eq!(check.status.code(), Some(0), "{}{}", text(&check.stdout), text(&check.stderr));
    (subscribers.into_iter().map(|one| (one["Name"].as_str().unwrap().to_owned(), one)).collect(), path)
}

/// Which rules match each event, by number.
fn matched(args: &[&str], events: &str) -> Vec<Vec<String>> {
    let output = run(&[&["match"], args, &["-"]].concat(), events);
    let mut found = vec![Vec::new(); events.lines().count()];
    for line in text(&output.stdout).lines() {
        let answer: Value = serde_json::from_str(line).unwrap();
        let names = answer["rules"].as_array().unwrap().iter().map(|name| name.as_str().unwrap().to_owned());
        found[usize::try_from(answer["event"].as_u64().unwrap()).unwrap()] = names.collect();
    }
    found
}

/// The event of a classic bus as a Custom Event Bus delivers it, published with PutEvents.
fn delivered(event: &str) -> String {
    let event: Value = serde_json::from_str(event).unwrap();
    json!({
        "Data": event, "Metadata": {},
        "SystemMetadata": {
            "ContentType": "application/eventbridge+json", "aws:DeliveryType": "LIVE",
            "aws:EventId": event["id"].as_str().unwrap_or("1"),
            "aws:Source": event["source"], "aws:DetailType": event["detail-type"],
        },
    })
    .to_string()
}

/// Subscribers get what their rules match; those that say so may get more.
fn compare(rules: &[Vec<String>], subscribers: &[Vec<String>], all: &[(String, Value)]) -> usize {
    let mut pairs = 0;
    for (rules, subscribers) in rules.iter().zip(subscribers) {
        for (name, details) in all {
            let rule = details["Migration"]["Rule"].as_str().unwrap();
            let of_rule = |found: &str| found == rule || found == format!("Resources.{rule}.Properties.EventPattern");
            let (before, after) = (rules.iter().any(|found| of_rule(found)), subscribers.contains(name));
            let wider = details["Migration"]["Receives"].as_str().unwrap().starts_with("more");
            assert!(before == after || (wider && after), "{name}: {before}, then {after}");
            pairs += usize::from(before);
        }
    }
    pairs
}

#[test]
fn the_example_rules() {
    let (subscribers, path) = migrated(&["examples/rules.json"], "rules.json");
    let wider = |one: &&(String, Value)| one.1["Migration"]["Receives"].as_str().unwrap().starts_with("more");
    let names: Vec<&str> = subscribers.iter().filter(wider).map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["s3-tenant-report", "stepfunctions-not-ok", "payment-retry-exhausted"]);
    assert!(
        subscribers
            .iter()
            .filter(|one| !wider(one))
            .all(|(_, one)| { one["Migration"]["Receives"] == "the same events (proven)" })
    );
    let events = fs::read_to_string(root().join("examples/events.ndjson")).unwrap();
    let new: String = events.lines().map(|event| delivered(event) + "\n").collect();
    let before = matched(&["--rules", "examples/rules.json"], &events);
    assert!(compare(&before, &matched(&["--rules", &path], &new), &subscribers) > 20);
}

/// A template with 20 rules, one of them with two targets.
fn template() -> String {
    let mut text = String::from("AWSTemplateFormatVersion: '2010-09-09'\nResources:\n");
    for at in 0..20 {
        let detail = match at % 5 {
            0 => format!("kind: ['k{at}']"),
            1 => format!("file: [{{wildcard: '*.t{at}'}}]"),
            2 => format!("file: [{{wildcard: 'in/{at}/*'}}]"),
            3 => format!("total: [{{numeric: ['>', {at}]}}]"),
            _ => format!("file: [{{anything-but: {{wildcard: ['tmp/*', 'out/*']}}}}], n: [{at}]"),
        };
        text.push_str(&format!(
            "  Rule{at}:\n    Type: AWS::Events::Rule\n    Properties:\n      EventPattern:\n        source: [shop{}]\n        \
             detail: {{{detail}}}\n      Targets:\n        - {{Id: first, Arn: !GetAtt First.Arn}}\n",
            at % 3
        ));
        if at == 7 {
            text.push_str("        - {Id: second, Arn: !GetAtt Second.Arn}\n");
        }
    }
    text
}

#[test]
fn a_template_with_twenty_rules() {
    let template = file("template.yaml", &template());
    let (subscribers, path) = migrated(&[&template], "subscribers.json");
    assert_eq!(subscribers.len(), 21, "one for each target");
    assert!(subscribers.iter().any(|(name, _)| name == "Rule7-second"));
    assert!(subscribers.iter().all(|(_, one)| one["Migration"]["Receives"] == "the same events (proven)"));
    let events: Vec<String> = (0..60)
        .map(|at| {
            let detail = json!({
                "kind": format!("k{}", at % 20), "file": format!("in/{}/a.t{}", at % 20, (at + 3) % 20), "total": at % 7, "n": at % 20
            });
            json!({"source": format!("shop{}", at % 3), "detail-type": "t", "detail": detail}).to_string() + "\n"
        })
        .collect();
    let (events, new): (String, String) =
        (events.concat(), events.iter().map(|event| delivered(event) + "\n").collect());
    let before = matched(&["--rules", &template], &events);
    let pairs = compare(&before, &matched(&["--rules", &path], &new), &subscribers);
    assert!(pairs > 20, "{pairs}");
}

#[test]
fn raw_events_have_no_envelope() {
    let rules = json!({
        "payload": {"detail": {"total": [{"numeric": [">", 5]}]}},
        "source": {"source": ["shop"], "detail": {"total": [1]}},
        "aws": {"source": ["aws.s3"], "detail": {"object": {"key": [{"wildcard": "*.csv"}]}}},
        "replay": {"replay-name": [{"exists": false}], "detail": {"a": ["x"]}},
    });
    let path = file("raw-rules.json", &rules.to_string());
    let (subscribers, path) = migrated(&["--published-with", "put-raw-events", &path], "raw.json");
    let of = |name: &str| &subscribers.iter().find(|(found, _)| found == name).unwrap().1;
    let filters = |name: &str| of(name)["FilterConfiguration"]["Filters"].to_string();
    assert!(filters("payload").contains(r#"{\"total\":[{\"numeric\":[\">\",5]}]}"#), "{}", filters("payload"));
    assert_eq!(of("source")["Migration"]["Receives"], "more events than the rule matches");
    assert_eq!(of("aws")["Migration"]["PublishedWith"], "put-events", "AWS services publish no raw events");
    assert_eq!(of("aws")["Migration"]["EventSources"], json!(["aws.s3"]));
    assert!(filters("replay").contains("aws:DeliveryType"), "{}", filters("replay"));
    let raw = r#"{"Data":{"total":6},"SystemMetadata":{"ContentType":"application/json","aws:EventId":"1"}}"#;
    assert_eq!(matched(&["--rules", &path], raw), [["payload"]]);
}
