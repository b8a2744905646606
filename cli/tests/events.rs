//! Events as people have them: in envelopes, as literals of other languages, in directories, not at all.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

/// Runs in the directory of the tests; what was printed, to standard error too, and the exit status.
fn run(args: &[&str], input: &str) -> (String, String, i32) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_eventrie"));
    command.args(args).current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/envelopes"));
    command.env_remove("CLICOLOR_FORCE").env("COLUMNS", "100");
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    drop(child.stdin.take().unwrap().write_all(input.as_bytes()));
    let output = child.wait_with_output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    (text(&output.stdout), text(&output.stderr), output.status.code().unwrap())
}

/// Compares everything that is seen with the file of this name.
fn golden(name: &str, args: &[&str]) {
    let (out, err, code) = run(args, "");
    crate::common::golden(name, args, &crate::common::Printed { out, err, code }, usize::MAX);
}

const DEMO: &str = r#"{"source":["demo.app"],"detail":{"state":["done"]}}"#;
const STOP: &str = r#"{"source":["aws.ec2"],"detail":{"eventName":["StopInstances"]}}"#;

#[test]
fn events_in_envelopes() {
    for (name, args) in [
        ("put-events-entry", ["explain", "-e", DEMO, "put-events-entry.json"]),
        ("put-events-request", ["explain", "-be", DEMO, "put-events-request.json"]),
        ("trail-file", ["explain", "-be", STOP, "trail-file.json"]),
        ("insights", ["explain", "-be", DEMO, "insights.json"]),
        ("s3-export", ["explain", "-be", DEMO, "s3-export.log"]),
        ("sns-notification", ["explain", "-be", DEMO, "sns-notification.json"]),
        ("sqs-received", ["explain", "-be", DEMO, "sqs-received.json"]),
        ("python-repr", ["explain", "-e", DEMO, "python.txt"]),
        ("javascript-literal", ["explain", "-e", DEMO, "javascript.txt"]),
        ("json5", ["explain", "-e", DEMO, "json5.txt"]),
        ("empty-file", ["explain", "-e", DEMO, "empty.json"]),
    ] {
        golden(&format!("events-{name}"), &args);
    }
}

#[test]
fn every_envelope_is_opened() {
    for (file, pattern, count) in [
        ("put-events-entry.json", DEMO, 1),
        ("put-events-request.json", DEMO, 2),
        ("trail-file.json", STOP, 1),
        ("trail-lookup.json", STOP, 1),
        ("insights.json", DEMO, 1),
        ("filter-log-events.json", DEMO, 1),
        ("s3-export.log", DEMO, 1),
        ("lambda.log", DEMO, 1),
        ("sns-notification.json", DEMO, 1),
        ("sqs-received.json", DEMO, 1),
        ("sqs-record.json", DEMO, 1),
        ("kinesis.json", DEMO, 1),
        ("firehose.json", DEMO, 1),
        ("s3-notification.json", r#"{"source":["aws.s3"],"detail":{"object":{"key":["a b.png"]}}}"#, 1),
        ("replayed.json", DEMO, 1),
    ] {
        let (out, err, code) = run(&["match", "-c", "-e", pattern, file], "");
        assert_eq!((out.trim(), code), (count.to_string().as_str(), 0), "{file}: {err}");
        let is_event = file == "replayed.json";
        assert_eq!(err.contains("unwrapped from") || err.contains("read as"), !is_event, "{file}: {err}");
        let (out, err, code) = run(&["infer", file], "");
        assert_eq!((code, out.contains("\"source\":[")), (0, true), "{file}: {out}{err}");
    }
}

#[test]
fn a_directory_of_events() {
    let directory = tempdir("directory");
    for name in ["trail-file.json", "trail-lookup.json"] {
        let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/envelopes").join(name);
        fs::copy(from, directory.join(name)).unwrap();
    }
    let (out, err, code) = run(&["match", "-c", "-e", STOP, directory.to_str().unwrap()], "");
    assert_eq!((out.as_str(), code), ("2\n", 0), "{err}");
}

fn tempdir(name: &str) -> std::path::PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    drop(fs::remove_dir_all(&path));
    fs::create_dir_all(&path).unwrap();
    path
}

#[test]
fn exit_statuses() {
    let a = r#"{"a":["x"]}"#;
    for (command, input, code) in [
        (&["match", "-e", a][..], "{\"a\":\"x\"}\n", 0),
        (&["match", "-e", a], "{\"a\":\"y\"}\n", 1),
        (&["match", "-e", a], "{\"a\":\"x\"}\n{a}\n", 2),
        (&["match", "-e", a], "{a}\n", 2),
        (&["match", "-q", "-e", a], "{a}\n{\"a\":\"x\"}\n", 0),
        (&["match", "-q", "-e", a], "{a}\n{\"a\":\"y\"}\n", 2),
        (&["match", "-e", a], "", 1),
        (&["match", "-e", a], " \n\n", 1),
        (&["match", "-e", a, "empty.json"], "", 1),
        (&["match", "-e", a, "no-such-file.json"], "", 2),
        (&["explain", "-e", a, "empty.json"], "", 2),
        (&["explain", "-e", a, "no-such-file.json"], "", 2),
        (&["explain", "-e", a], "{\"a\":\"x\"}\n", 0),
        (&["explain", "-e", a], "{\"a\":\"y\"}\n", 1),
        (&["explain", "-e", a], "{a}\n{\"a\":\"x\"}\n", 2),
        (&["explain", "-e", a, "-E", "{a"], "", 2),
        (&["infer"], "", 2),
        (&["infer"], "{\"a\":1}\n{a}\n", 2),
    ] {
        let (out, err, found) = run(command, input);
        assert_eq!(found, code, "{command:?} {input:?}: {out}{err}");
        let is_empty = input.trim().is_empty() && !command.contains(&"-E") && !command.contains(&"no-such-file.json");
        assert_eq!(err.contains("no events were read"), is_empty, "{command:?} {input:?}: {err}");
        if input.contains("{a}") {
            assert!(err.contains("JavaScript") || err.contains("<stdin>:"), "{err}");
        }
    }
}

#[test]
fn no_verdict_without_an_event() {
    for text in ["{'a': 'x'}", "{a: 1}", "a: x", "2026-01-01 nothing", "{\"a\":1,}", "{\"a\":\"x\"} {\"a\":\"x\"}", ""]
    {
        let (out, err, code) = run(&["explain", "-e", r#"{"a":["x"]}"#, "-E", text], "");
        assert_eq!((out.contains("match"), code), (false, 2), "{text}: {out}{err}");
        assert!(err.contains("<event>:"), "{text}: {err}");
    }
}

#[test]
fn words_without_options() {
    let directory = tempdir("words");
    let file = |name: &str, text: &str| {
        let path = directory.join(name);
        fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let pattern = r#"{"a":["x"]}"#;
    let (in_file, event) = (file("pattern.json", pattern), file("event.json", r#"{"a":"x"}"#));
    for (args, code) in [
        (&["explain", "-b", &in_file, &event][..], 0),
        (&["explain", "-b", pattern, &event], 0),
        (&["explain", "-b", pattern, r#"{"a":"x"}"#], 0),
        (&["explain", "-b", &in_file, r#"{"a":"y"}"#], 1),
        (&["explain", "-b", "-e", &in_file, "-E", &event], 0),
        (&["explain", "-b", "-p", pattern, &event], 0),
        (&["explain", "-b", "-e", pattern, r#"{"a":"x"}"#], 0),
        (&["match", &in_file, &event], 0),
        (&["match", pattern, &event, &event], 0),
        (&["match", pattern, r#"{"a":"y"}"#], 1),
        (&["match"], 2),
        (&["explain"], 2),
        (&["explain", directory.to_str().unwrap(), &event], 2),
        (&["explain", "-e", pattern, "-E", r#"{"a":"x"}"#, &event], 2),
    ] {
        let (out, err, found) = run(args, "");
        assert_eq!(found, code, "{args:?}: {out}{err}");
    }
}

#[test]
fn swapped() {
    let event = r#"{"source":"demo.app","detail-type":"t","detail":{}}"#;
    let directory = tempdir("swapped");
    let (event_file, pattern_file) = (directory.join("event.json"), directory.join("pattern.json"));
    fs::write(&event_file, event).unwrap();
    fs::write(&pattern_file, DEMO).unwrap();
    let (event_file, pattern_file) = (event_file.to_str().unwrap(), pattern_file.to_str().unwrap());
    for args in [
        &["explain", event, DEMO][..],
        &["explain", event_file, pattern_file],
        &["explain", "-p", event_file, pattern_file],
        &["explain", "-e", event, "-E", DEMO],
        &["match", event_file, pattern_file],
    ] {
        let (out, err, code) = run(args, "");
        assert_eq!((out.as_str(), code), ("", 2), "{args:?}: {out}{err}");
        assert!(err.contains("the pattern and the event are swapped"), "{args:?}: {err}");
    }
    let entry = r#"{"Source":"demo.app","DetailType":"t","Detail":"{}"}"#;
    let (_, err, code) = run(&["explain", entry, event], "");
    assert!(code == 2 && err.contains("this is a PutEvents entry, not a pattern"), "{err}");
    golden("events-swapped", &["explain", "-e", event, "-E", DEMO]);
}

#[test]
fn the_scope_of_a_policy() {
    for (name, dialect, message) in [
        ("body", "sns-attributes", r#"{"Message":"{\"id\":1,\"type\":\"a.created\"}","MessageAttributes":{}}"#),
        (
            "attribute",
            "sns-body",
            r#"{"Message":"{\"id\":1}","MessageAttributes":{"type":{"Type":"String","Value":"a.created"}}}"#,
        ),
    ] {
        golden(
            &format!("events-scope-{name}"),
            &["explain", "-d", dialect, "-e", r#"{"type":["a.created"]}"#, "-E", message],
        );
    }
    let bare = r#"{"store":{"DataType":"String","StringValue":"x"}}"#;
    let (out, _, code) = run(&["explain", "-d", "sns-attributes", "-e", r#"{"store":["x"]}"#, "-E", bare], "");
    assert!(code == 1 && out.contains("only message attributes"), "{out}");
}
