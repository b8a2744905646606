//! What a file says of a pattern besides its text: the state and the bus of a rule, the source of records, where it is.
//! The files are in `situations/`, the expected output in `golden/`; `UPDATE_SNAPSHOTS=1` rewrites it.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

/// Runs in the directory of the tests; what was printed, to standard error too, and the exit status.
fn run(args: &[&str]) -> (String, String, i32) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_eventrie"));
    command.args(args).current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/situations"));
    command.env_remove("CLICOLOR_FORCE").env("COLUMNS", "100").stdin(Stdio::null());
    let output = command.output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (text(output.stdout), text(output.stderr), output.status.code().unwrap())
}

/// Compares everything that is seen with the file of this name.
fn golden(name: &str, args: &[&str]) {
    let (out, err, code) = run(args);
    // One screen.
    crate::common::golden(name, args, &crate::common::Printed { out, err, code }, 40);
}

const STOPPED: &str =
    r#"{"source":"aws.ec2","detail-type":"EC2 Instance State-change Notification","detail":{"state":"stopped"}}"#;

/// One screen for each situation in which people are lost before pattern and event meet; those of events are in `events.rs`.
#[test]
fn situations() {
    golden("file-terraform", &["check", "terraform"]);
    golden("file-cdk-tf-json", &["check", "cdk.tf.json"]);
    golden("file-yaml-pattern", &["check", "pattern.yaml"]);
    golden("file-second-document", &["check", "second-document.yaml"]);
    golden("file-condition", &["check", "condition.yaml"]);
    golden("file-sub", &["check", "sub.yaml"]);
    golden("file-disabled", &["explain", "--rules", "disabled.yaml", "-E", STOPPED]);
    golden("file-source", &["check", "source.yaml"]);
    golden(
        "file-received",
        &["explain", "-d", "lambda-esm", "--source", "sqs", "-e", r#"{"body":{"kind":["order"]}}"#, "received.json"],
    );
}

/// A rule that matches and receives nothing, in every command and every form.
#[test]
fn rules_that_match_and_receive_nothing() {
    for file in ["disabled.yaml", "listed-rules.json"] {
        let (out, err, code) = run(&["match", "--rules", file, STOPPED]);
        assert_eq!(code, 0, "{err}");
        let line: serde_json::Value = serde_json::from_str(&out).unwrap();
        assert_eq!(line["silent"].as_array().unwrap().len(), 2, "{out}");
        assert!(err.contains("matches, but it is disabled and receives no events"), "{err}");
        assert!(err.contains("matches, but it is on the event bus `orders`, and events of AWS services"), "{err}");
        assert!(err.contains("if the target still receives nothing, check the rule's state"), "{err}");
        let (out, _, _) = run(&["explain", "--format", "json", "--rules", file, "-E", STOPPED]);
        let line: serde_json::Value = serde_json::from_str(&out).unwrap();
        let causes: Vec<&str> =
            line["silent"].as_array().unwrap().iter().map(|one| one["cause"].as_str().unwrap()).collect();
        assert!(causes[0].contains("disabled") && causes[1].contains("`orders`"), "{out}");
        for format in ["json", "sarif", "github"] {
            let (out, _, code) = run(&["check", "--format", format, file]);
            assert!(out.contains("W0203") && out.contains("the rule is disabled"), "{format}: {out}");
            // SARIF has the pages of all codes before the results.
            let results = out.rsplit("\"results\":[").next().unwrap();
            assert!(!results.contains("event bus"), "the bus is a note: {results}");
            let (noted, _, _) = run(&["check", "-l", "note", "--format", format, file]);
            assert!(noted.contains("this rule is on `orders`"), "{format}: {noted}");
            assert_eq!(code, 0, "a rule may be switched off on purpose: {out}");
        }
    }
}

/// An entry of PutEvents names its bus; an event does not, unless an AWS service sent it.
#[test]
fn events_on_another_bus() {
    let silent = |event: &str| {
        let (out, _, _) = run(&["explain", "--format", "json", "--rules", "listed-rules.json", "-E", event]);
        let line: serde_json::Value = serde_json::from_str(&out).unwrap();
        line["silent"].as_array().map_or(0, Vec::len)
    };
    let entry = |bus: &str| {
        format!(r#"{{"Source":"aws.ec2","DetailType":"EC2 Instance State-change Notification","Detail":"{{}}"{bus}}}"#)
    };
    assert_eq!(silent(&entry(r#","EventBusName":"orders""#)), 0);
    assert_eq!(silent(&entry(r#","EventBusName":"arn:aws:events:eu-west-1:111122223333:event-bus/orders""#)), 0);
    assert_eq!(silent(&entry(r#","EventBusName":"other""#)), 1);
    assert_eq!(silent(&entry("")), 1, "without a name it is the default bus");
    assert_eq!(silent(&STOPPED.replace("stopped", "running")), 1);
}

/// Where to look next is said once, and only of rules of a classic bus.
#[test]
fn after_a_match() {
    let next = |args: &[&str]| run(args).0.matches("= next:").count();
    let (two, pattern) = (format!("{STOPPED}\n{STOPPED}\n"), r#"{"source":["aws.ec2"]}"#);
    let file = std::env::temp_dir().join(format!("eventrie-next-{}.ndjson", std::process::id()));
    fs::write(&file, two).unwrap();
    assert_eq!(next(&["explain", "-e", pattern, file.to_str().unwrap()]), 1);
    fs::remove_file(&file).unwrap();
    assert_eq!(next(&["explain", "-b", "-e", pattern, "-E", STOPPED]), 0);
    assert_eq!(next(&["explain", "-e", r#"{"source":["x"]}"#, "-E", STOPPED]), 0);
    assert_eq!(next(&["explain", "-d", "sns-body", "-e", pattern, "-E", STOPPED]), 0);
}

/// Lambda filters on the payload alone: every command says so.
#[test]
fn fields_that_are_not_filtered_on() {
    let attributes = r#"{"messageAttributes":{"kind":{"stringValue":["x"]}}}"#;
    let record = r#"{"messageId":"1","body":"{}","messageAttributes":{"kind":{"stringValue":"x","dataType":"String"}},"eventSource":"aws:sqs"}"#;
    for args in [
        &["explain", "-b", "-d", "lambda-esm", "--source", "sqs", "-e", attributes, "-E", record][..],
        &["check", "-d", "lambda-esm", "--source", "sqs", "-e", attributes],
        &["check", "-d", "lambda-esm", "-e", attributes],
    ] {
        let (out, err, _) = run(args);
        let records = if args.contains(&"--source") { "SQS" } else { "any" };
        let sentence = format!("Lambda does not filter {records} records on `messageAttributes`");
        assert!(format!("{out}{err}").contains(&sentence), "{args:?}: {out}{err}");
    }
    let nested = r#"{"kinesis":{"data":{"a":["b"]}}}"#;
    let record = r#"{"kinesis":{"partitionKey":"1","data":"eyJhIjoiYiJ9"},"eventSource":"aws:kinesis"}"#;
    let (_, err, _) = run(&["explain", "-b", "-d", "lambda-esm", "--source", "kinesis", "-e", nested, "-E", record]);
    assert!(err.contains("Lambda does not filter Kinesis records on `kinesis`"), "{err}");
    for (source, pattern) in [("sqs", r#"{"body":["x"]}"#), ("kafka", r#"{"value":["x"]}"#)] {
        let (_, err, code) = run(&["check", "-d", "lambda-esm", "--source", source, "-e", pattern]);
        assert_eq!(code, 0, "{err}");
    }
    let (_, _, code) = run(&["check", "-d", "pipes", "--source", "sqs", "-e", attributes]);
    assert_eq!(code, 0, "pipes see whole records");
}

/// DynamoDB has numbers as strings.
#[test]
fn numbers_of_dynamo() {
    let pattern = r#"{"dynamodb":{"NewImage":{"flag":[true],"n":[5],"x":[{"numeric":[">",3]}]}}}"#;
    let (out, _, _) = run(&["check", "-d", "lambda-esm", "-e", pattern]);
    assert!(out.contains(r#"`{"BOOL": [true]}`"#) && out.contains(r#"`{"N": ["5"]}`"#), "{out}");
    assert!(out.contains("numbers are strings in a stream, so `numeric` never matches them"), "{out}");
    assert_eq!(out.matches("= fix:").count(), 2, "{out}");
}

/// A bus takes 30 rules with wildcards.
#[test]
fn rules_with_wildcards_on_one_bus() {
    let rules = |count: usize| {
        let rule = |at: usize| format!(r#""r{at}":{{"source":["s{at}"],"detail":{{"a":[{{"wildcard":"x*{at}"}}]}}}}"#);
        let plain = r#""plain":{"source":["*"]}"#.to_owned();
        format!("{{{}}}", (0..count).map(rule).chain([plain]).collect::<Vec<_>>().join(",\n"))
    };
    let file = std::env::temp_dir().join(format!("eventrie-bus-{}.json", std::process::id()));
    let check = |count: usize| {
        fs::write(&file, rules(count)).unwrap();
        run(&["check", "--format", "json", file.to_str().unwrap()]).0
    };
    assert!(!check(30).contains("E0002"));
    let found = check(31);
    let found: Vec<serde_json::Value> = found.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let found: Vec<_> = found.iter().filter(|one| one["code"] == "E0002").collect();
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0]["line"], 31, "the first that is too many");
    assert_eq!(found[0]["severity"], "warning");
    assert!(found[0]["message"].as_str().unwrap().starts_with("31 rules in this file have wildcards"), "{found:?}");
    fs::remove_file(&file).unwrap();
}

/// The configuration of a subscriber as text: each filter in the dialect of its scope, and the configuration as a whole.
#[test]
fn a_configuration_as_text() {
    let good = r#"{"Filters":[{"Scope":"DATA","Pattern":"{\"detail\":{\"total\":[5]}}"},{"Scope":"METADATA","Pattern":"{\"tenant\":[\"a\"]}"},{"Scope":"SYSTEM_METADATA","Pattern":"{\"aws:DeliveryType\":[\"LIVE\"]}"}]}"#;
    let (out, err, code) = run(&["check", "-d", "eventsv2-data", "-e", good]);
    assert_eq!((code, out.as_str()), (0, ""), "{err}");
    assert!(err.contains("3 patterns"), "{err}");
    let bad = good
        .replace("[5]", r#"[{\"wildcard\":\"a*b\"}]"#)
        .replace(r#"[\"a\"]"#, r#"[{\"prefix\":\"a\"}]"#)
        .replace("METADATA\",\"Pattern\":\"{\\\"aws", "METADATA\",\"Pattern\":\"{\\\"Aws");
    let (out, _, code) = run(&["check", "-e", &bad]);
    assert_eq!(code, 1);
    let codes: Vec<&str> = ["E0020", "W0304"].into_iter().filter(|code| out.contains(code)).collect();
    assert_eq!((codes.len(), out.matches("error[E0020]").count()), (2, 2), "{out}");
    let twice = r#"{"Filters":[{"Scope":"DATA","Pattern":"{\"a\":[1]}"},{"Scope":"DATA","Pattern":"{\"b\":[1]}"}]}"#;
    let (out, _, code) = run(&["check", "-e", twice]);
    assert!(code == 1 && out.contains("two filters have the scope `DATA`"), "{out}");
}

/// Places name the file, its line and column, for patterns and for events.
#[test]
fn places_in_explanations_are_places_in_files() {
    let directory = std::env::temp_dir().join(format!("eventrie-places-{}", std::process::id()));
    fs::create_dir_all(&directory).unwrap();
    let write = |name: &str, text: &str| {
        let path = directory.join(name);
        fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let pattern = write("pattern.json", "{\n  \"detail\": {\n    \"state\": [\"stopped\"]\n  }\n}\n");
    let described = write("rule.json", r#"{"Name":"r","EventPattern":"{\"detail\":{\"state\":[\"stopped\"]}}"}"#);
    let yaml = write("pattern.yaml", "detail:\n  state: [stopped]\n");
    let lines = write("events.ndjson", "{\"detail\":{\"state\":\"stopped\"}}\n{\"detail\":{\"state\":\"Stopped\"}}\n");
    let document = write("event.json", "\n{\n  \"detail\": {\n    \"state\": \"Stopped\"\n  }\n}\n");
    let array = write("events.json", "[{\"detail\":{\"state\":\"x\"}}, {\"detail\":{\"state\":\"Stopped\"}}]\n");
    for (pattern, event, places) in [
        (&pattern, &lines, [format!("{pattern}:3:14"), format!("{lines}:2:20")]),
        (&described, &document, [format!("{described}:1:52"), format!("{document}:4:14")]),
        (&yaml, &array, [format!("{yaml}:2:10"), format!("{array}:1:47")]),
    ] {
        let (out, err, code) = run(&["explain", "-p", pattern, event]);
        assert_eq!(code, 1, "{out}{err}");
        for place in places {
            assert!(out.contains(&format!("--> {place}\n")), "{place} is in\n{out}{err}");
        }
    }
    // What comes from the command line, and what was unwrapped, has no file.
    let entry = write("entry.json", r#"{"Source":"s","DetailType":"t","Detail":"{\"state\":\"Stopped\"}"}"#);
    let (out, _, _) = run(&["explain", "-e", r#"{"detail":{"state":["stopped"]}}"#, &entry]);
    assert!(out.contains("--> pattern:1:20\n") && out.contains("--> event:1:"), "{out}");
    fs::remove_dir_all(&directory).unwrap();
}

/// Messages as `receive-message` prints them are records.
#[test]
fn received_messages_are_records() {
    let of = ["--source", "sqs", "-e", r#"{"body":{"kind":["order"]}}"#, "received.json"];
    for dialect in ["lambda-esm", "pipes"] {
        let (out, err, code) = run(&[&["match", "-c", "-d", dialect][..], &of].concat());
        assert_eq!((out.as_str(), code), ("1\n", 0), "{dialect}: {err}");
        assert!(err.contains("a message as `receive-message` prints it"), "{err}");
    }
    let (out, _, code) = run(&[
        "match",
        "-c",
        "-d",
        "lambda-esm",
        "--source",
        "sqs",
        "-e",
        r#"{"body":["plain text"]}"#,
        "received.json",
    ]);
    assert_eq!((out.as_str(), code), ("1\n", 0));
}

/// An event that only some subscribers can judge: those are answered, and the status says that something was not.
#[test]
fn subscribers_that_cannot_judge_an_event() {
    let directory = std::env::temp_dir().join(format!("eventrie-part-{}", std::process::id()));
    fs::create_dir_all(&directory).unwrap();
    let filter = |scope: &str, pattern: &str| {
        format!(r#"{{"Filters":[{{"Scope":"{scope}","Pattern":{}}}]}}"#, serde_json::to_string(pattern).unwrap())
    };
    let subscribers = format!(
        r#"{{"Subscribers":[{{"Name":"account","FilterConfiguration":{}}},{{"Name":"shop","FilterConfiguration":{}}}]}}"#,
        filter("DATA", r#"{"account":["1"]}"#),
        filter("SYSTEM_METADATA", r#"{"aws:Source":["shop"]}"#),
    );
    let file = directory.join("subscribers.json");
    fs::write(&file, subscribers).unwrap();
    let entry = r#"{"Source":"shop","DetailType":"t","Detail":"{}"}"#;
    let args = ["--rules", file.to_str().unwrap(), "-d", "eventsv2-data"];
    let (out, err, code) = run(&[&["match"][..], &args, &[entry]].concat());
    assert!(out.contains("shop") && !out.contains("account"), "{out}{err}");
    assert!(code == 2 && err.contains("not published yet"), "{code}: {err}");
    let account = ["--entry", "account=1"];
    let (out, err, code) = run(&[&["match"][..], &args, &account, &[entry]].concat());
    assert!(out.contains("shop") && out.contains("account") && code == 0, "{out}{err}");
    fs::remove_dir_all(&directory).unwrap();
}
