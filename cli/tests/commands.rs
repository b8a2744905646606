//! The command line from outside: what it prints, and how it ends. The expected output is in `golden/`;
//! `UPDATE_SNAPSHOTS=1` rewrites it.

use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

fn command(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_eventrie"));
    command.args(args).current_dir(root()).env_remove("CLICOLOR_FORCE").env("COLUMNS", "100").stdin(Stdio::null());
    command
}

fn run(args: &[&str]) -> Output {
    command(args).output().unwrap()
}

fn with_input(args: &[&str], input: &str) -> Output {
    let mut child = command(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // It may end before it has read everything; that is for the test to judge.
    drop(child.stdin.take().unwrap().write_all(input.as_bytes()));
    child.wait_with_output().unwrap()
}

fn texts(output: &Output) -> (i32, String, String) {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    (output.status.code().unwrap(), text(&output.stdout), text(&output.stderr))
}

/// Runs and compares everything that is seen with the file of this name.
fn golden(name: &str, args: &[&str]) {
    let (code, out, err) = texts(&run(args));
    crate::common::golden(name, args, &crate::common::Printed { out, err, code }, usize::MAX);
}

const STOPPED: &str = r#"{"detail":{"state":["stopped"]}}"#;
/// An entry of PutEvents, and one of PutRawEvents with the same payload.
const ENTRY: &str = r#"{"Source":"shop","DetailType":"Order Placed","Detail":"{\"total\": 120}"}"#;
const RAW_ENTRY: &str = r#"{"Data":"eyJ0b3RhbCI6IDEyMH0=","SystemMetadata":{"ContentType":"application/json"}}"#;
const STATES: &str = "cli/tests/data/states.ndjson";

#[test]
fn what_is_printed() {
    golden("match-rules", &["match", "--rules", "examples/rules.json", "examples/events.ndjson"]);
    golden("match-count-rules", &["match", "-c", "--rules", "cli/tests/data/listed.json", STATES]);
    golden("match-lines", &["match", "-e", STOPPED, STATES]);
    golden("match-gzip", &["match", "-e", STOPPED, "cli/tests/data/states.ndjson.gz"]);
    golden("match-template", &["match", "--rules", "cli/tests/data/bus.yaml", STATES]);
    golden("match-text", &["match", "-e", STOPPED, "-E", r#"{"detail":{"state":"stopped"}}"#]);
    golden("match-text-and-file", &["match", "-e", STOPPED, "-E", "{}", STATES]);
    golden("match-log-line", &["match", "-e", STOPPED, "-E", r#"Received event: {"detail":{"state":"stopped"}}"#]);
    golden("match-nothing", &["match"]);
    golden("infer-text-and-file", &["infer", "-E", "{}", STATES]);
    golden("infer-text", &["infer", "-E", r#"{"number":1}"#]);
    golden(
        "match-template-holes",
        &[
            "match",
            "-d",
            "lambda-esm",
            "--source",
            "sqs",
            "--rules",
            "cli/tests/data/substituted.yaml",
            "cli/tests/data/records.ndjson",
        ],
    );
    golden("match-template-as-pattern", &["match", "-p", "cli/tests/data/template.yaml", STATES]);
    golden("match-template-other-dialect", &["match", "-d", "sns-body", "--rules", "cli/tests/data/plan.json", STATES]);
    golden("match-strict", &["match", "--strict", "-e", STOPPED, STATES]);
    golden("match-several-files", &["match", "--rules", "cli/tests/data/listed.json", STATES, STATES]);
    golden("match-refused", &["match", "-p", "cli/tests/data/bad-pattern.json", STATES]);
    golden(
        "match-attributes",
        &["match", "-d", "sns-attributes", "-e", r#"{"store":["example"]}"#, "cli/tests/data/messages.ndjson"],
    );
    let filters = r#"{"Filters":[{"Pattern":"{\"body\":{\"kind\":[\"new\"]}}"},{"Pattern":"{\"body\":[\"plain\"]}"}]}"#;
    golden(
        "match-records",
        &["match", "-d", "lambda-esm", "--source", "sqs", "-e", filters, "cli/tests/data/records.ndjson"],
    );
    golden("match-no-source", &["match", "-d", "lambda-esm", "-e", filters, "cli/tests/data/records.ndjson"]);
    golden("check-pattern", &["check", "cli/tests/data/bad-pattern.json"]);
    golden("check-template", &["check", "cli/tests/data/template.yaml", "cli/tests/data/plan.json"]);
    golden("check-substituted", &["check", "cli/tests/data/substituted.yaml"]);
    golden("check-json", &["check", "--format", "json", "cli/tests/data/template.yaml"]);
    golden("check-github", &["check", "--format", "github", "./cli/tests/data/template.yaml"]);
    golden("check-custom-bus", &["check", "--level", "note", "cli/tests/data/custom-bus.yaml"]);
    let subscriber = "cli/tests/data/subscriber.json";
    golden("explain-bus-wrong-api", &["explain", "-p", subscriber, "-E", ENTRY]);
    golden("explain-bus-match", &["explain", "--brief", "-p", subscriber, "-E", RAW_ENTRY]);
    let metadata = r#"{"Filters":[{"Scope":"METADATA","Pattern":"{\"tenant\":[\"a\"]}"}]}"#;
    golden("explain-bus-metadata", &["explain", "-e", metadata, "-E", ENTRY]);
    let system = ["explain", "-d", "eventsv2-system-metadata", "-e"];
    let sequence = r#"{"aws:SequenceNumber":[{"numeric":[">",1]}]}"#;
    let delivered = r#"{"Data":{},"SystemMetadata":{"ContentType":"application/json","aws:SequenceNumber":"17"}}"#;
    golden("explain-bus-numeric", &[&system[..], &[sequence, "-E", delivered]].concat());
    let wildcard = r#"{"detail":{"key":[{"wildcard":"*.csv"}]}}"#;
    golden("explain-bus-wildcard", &["explain", "-d", "eventsv2-data", "-e", wildcard, "-E", ENTRY]);
    golden("migrate", &["migrate", "cli/tests/data/bus.yaml"]);
    golden("check-clean", &["check", "-e", r#"{"source":["com.example.shop"],"detail":{"state":["new"]}}"#]);
    golden(
        "check-lint",
        &["check", "-e", r#"{"source":["aws.ec2"],"detail":{"state":[{"anything-but":"a"},{"anything-but":"b"}]}}"#],
    );
    golden("check-rules", &["check", "--rules", "examples/rules.json"]);
    golden("check-relations", &["check", "--rules", "cli/tests/data/overlapping.json"]);
    golden("explain", &["explain", "-e", STOPPED, "-E", r#"{"detail":{"state":"Stopped"}}"#]);
    golden(
        "explain-rules",
        &["explain", "--rules", "cli/tests/data/listed.json", "-E", r#"{"detail":{"state":"Stopped"}}"#],
    );
    golden(
        "explain-record",
        &[
            "explain",
            "-d",
            "lambda-esm",
            "--source",
            "sqs",
            "-b",
            "-e",
            r#"{"body":{"kind":["new"]}}"#,
            "cli/tests/data/records.ndjson",
        ],
    );
    golden(
        "explain-attributes",
        &["explain", "-d", "sns-attributes", "-b", "-e", r#"{"store":["example"]}"#, "cli/tests/data/messages.ndjson"],
    );
    let sets = ["explain", "-d", "lambda-esm", "--source", "kafka", "--rules", "cli/tests/data/filters.json"];
    let plain = r#"{"topic":"orders","value":"cGxhaW4="}"#;
    golden("explain-filters", &[&sets[..], &["-E", r#"{"topic":"orders","value":"eyJraW5kIjoib2xkIn0="}"#]].concat());
    golden(
        "explain-left-out",
        &["explain", "-d", "lambda-esm", "--source", "kafka", "-e", r#"{"value":{"kind":["new"]}}"#, "-E", plain],
    );
    golden(
        "explain-no-filters",
        &["explain", "-d", "lambda-esm", "--source", "sqs", "-e", r#"{"Filters":[]}"#, "-E", plain],
    );
    golden("explain-code", &["explain-code", "e0006"]);
    golden("test-examples", &["test", "examples/rules.test.yaml"]);
    golden("test-template", &["test", "cli/tests/walk/twenty/tests.yaml"]);
    golden("test-junit", &["test", "--format", "junit", "--require-coverage", "cli/tests/walk/twenty/tests.yaml"]);
    let (old, new) = ("cli/tests/walk/twenty/old.yaml", "cli/tests/walk/twenty/new.yaml");
    golden("diff-template", &["diff", old, new]);
    golden("diff-json", &["diff", "--format", "json", old, new]);
    golden("diff-same", &["diff", old, old]);
    golden("check-events-template", &["check", "--events", "cli/tests/walk/twenty/events.ndjson", new]);
    let examples = "examples/rules.json";
    golden("check-events-examples", &["check", "--events", "examples/events.ndjson", "--rules", examples]);
    let (wide, narrow) = (r#"{"a":[{"prefix":"x"}]}"#, r#"{"a":["xy"],"b":[1]}"#);
    golden("covers-yes", &["covers", wide, narrow]);
    golden("covers-no", &["covers", narrow, wide]);
    golden("overlaps-yes", &["overlaps", wide, r#"{"a":[{"suffix":"y"}]}"#]);
    golden("overlaps-lists", &["overlaps", r#"{"a":["x"]}"#, r#"{"a":["y"]}"#]);
    golden("overlaps-no", &["overlaps", r#"{"a":[{"exists":false}]}"#, wide]);
    golden("sample", &["sample", "-d", "sns-attributes", r#"{"price":[{"numeric":[">",5]}]}"#]);
    golden("sample-rejected", &["sample", r#"{"a":"x"}"#]);
    golden("infer", &["infer", STATES_OK]);
    golden("unknown-code", &["explain-code", "E9999"]);
    golden("no-such-file", &["match", "-e", STOPPED, "no/such/file"]);
}

const STATES_OK: &str = "cli/tests/data/listed-events.ndjson";

#[test]
fn help_and_version() {
    golden("help", &["--help"]);
    for name in [
        "match",
        "check",
        "test",
        "diff",
        "covers",
        "overlaps",
        "sample",
        "explain",
        "explain-code",
        "infer",
        "migrate",
        "vectors",
        "lsp",
        "mcp",
        "completions",
    ] {
        golden(&format!("help-{name}"), &[name, "--help"]);
    }
    let (code, out, _) = texts(&run(&["--version"]));
    assert_eq!((code, out), (0, format!("eventrie {}\n", env!("CARGO_PKG_VERSION"))));
}

#[test]
fn how_match_ends() {
    let code = |args: &[&str], input: &str| texts(&with_input(args, input)).0;
    assert_eq!(code(&["match", "-q", "-e", STOPPED], r#"{"detail":{"state":"stopped"}}"#), 0);
    assert_eq!(code(&["match", "-q", "-e", STOPPED], r#"{"detail":{"state":"other"}}"#), 1);
    assert_eq!(code(&["match", "-q", "-v", "-e", STOPPED], r#"{"detail":{"state":"other"}}"#), 0);
    assert_eq!(code(&["match", "-e", STOPPED], ""), 1);
    assert_eq!(code(&["match", "-e", STOPPED], "nonsense"), 2);
    assert_eq!(code(&["match", "--strict", "-e", STOPPED], "nonsense"), 2);
    assert_eq!(code(&["match", "-e", "{}"], ""), 2);
    assert_eq!(code(&["match"], ""), 2);
    assert_eq!(code(&["match", "-e", STOPPED, "-p", "x"], ""), 2);
    // Standard input is one thing or the other, and no file is taken for nothing.
    assert_eq!(code(&["match", "-p", "-"], STOPPED), 2);
    assert_eq!(code(&["match", "-p", "-", STATES], STOPPED), 2);
    assert_eq!(code(&["vectors", "fuzz/targets/src"], ""), 2);
    assert_eq!(code(&["check", "infra.tf"], ""), 2);
}

#[test]
fn a_body_alone_is_a_message() {
    let policy = r#"{"state":["new"]}"#;
    for event in [r#"{"state":"new"}"#, r#"{"Message":"{\"state\":\"new\"}"}"#] {
        assert_eq!(texts(&with_input(&["match", "-d", "sns-body", "-e", policy], event)).0, 0, "{event}");
    }
    let policy = r#"{"Message":["new"]}"#;
    assert_eq!(texts(&with_input(&["match", "-d", "sns-body", "-e", policy], r#"{"Message":""}"#)).0, 1);
}

#[test]
fn patterns_are_inferred_from_what_the_service_sees() {
    let infer = |args: &[&str], input: &str| {
        let (code, out, _) = texts(&with_input(&[&["infer", "-q", "-d"], args].concat(), input));
        (code, out.trim().to_owned())
    };
    let message = r#"{"Message":"{\"kind\":\"a\"}","MessageAttributes":{"type":{"Type":"String","Value":"b"}}}"#;
    assert_eq!(infer(&["sns-attributes"], message), (0, r#"{"type":["b"]}"#.to_owned()));
    // Attributes may be an object; a message without attributes matches no policy on attributes.
    assert_eq!(infer(&["sns-attributes"], r#"{"type":"b"}"#), (0, r#"{"type":["b"]}"#.to_owned()));
    assert_eq!(infer(&["sns-attributes"], r#"{"Message":"b"}"#), (2, String::new()));
    assert_eq!(infer(&["sns-body"], message), (0, r#"{"kind":["a"]}"#.to_owned()));
    assert_eq!(infer(&["sns-body"], r#"{"kind":"a"}"#), (0, r#"{"kind":["a"]}"#.to_owned()));
    let records =
        r#"{"Records":[{"messageId":"1","body":"{\"kind\":\"a\"}"},{"messageId":"2","body":"{\"kind\":\"a\"}"}]}"#;
    assert_eq!(infer(&["lambda-esm", "--source", "sqs"], records), (0, r#"{"body":{"kind":["a"]}}"#.to_owned()));
    let records = r#"{"Records":[{"kinesis":{"data":"eyJraW5kIjoiYSJ9","partitionKey":"1"}}]}"#;
    assert_eq!(infer(&["lambda-esm", "--source", "kinesis"], records), (0, r#"{"data":{"kind":["a"]}}"#.to_owned()));
    let record = r#"{"messageId":"1","body":"{\"type\":\"x\"}","eventSource":"aws:sqs"}"#;
    assert_eq!(infer(&["lambda-esm", "--source", "sqs"], record), (0, r#"{"body":{"type":["x"]}}"#.to_owned()));
    let entries = r#"{"Entries":[{"Source":"s","DetailType":"d","Detail":"{\"type\":\"x\"}"}]}"#;
    let of_system = r#"{"ContentType":["application/eventbridge+json"],"aws:DetailType":["d"],"aws:Source":["s"]}"#;
    assert_eq!(infer(&["eventsv2-system-metadata"], entries), (0, of_system.to_owned()));
    assert_eq!(infer(&["eventsv2-data"], entries), (0, r#"{"detail-type":["d"],"detail":{"type":["x"]}}"#.to_owned()));
    assert_eq!(infer(&["eventsv2-metadata"], entries), (1, String::new()));
    assert_eq!(infer(&["lambda-esm"], records).0, 2);
    assert_eq!(infer(&["eventbridge"], r#"{"detail":{}}"#), (1, String::new()));
}

#[test]
fn no_rules_match_nothing() {
    let args = ["match", "-d", "lambda-esm", "--source", "sqs", "--rules"];
    let none = Path::new(env!("CARGO_TARGET_TMPDIR")).join("none.json");
    fs::write(&none, r#"{"all":{"Filters":[]}}"#).unwrap();
    let (code, out, err) = texts(&with_input(&[&args[..], &[none.to_str().unwrap()]].concat(), r#"{"body":"x"}"#));
    assert_eq!((code, out.as_str()), (1, ""), "{err}");
    let all = ["match", "-c", "-d", "lambda-esm", "--source", "sqs", "-e", r#"{"Filters":[]}"#];
    assert_eq!(texts(&with_input(&all, r#"{"body":"x"}"#)).1, "1\n");
}

#[test]
fn what_a_function_is_given_is_taken_apart() {
    let given = r#"{"Records":[{"Sns":{"Message":"{\"state\":\"new\"}"}},{"Sns":{"Message":"{\"state\":\"old\"}"}}]}"#;
    let args = ["match", "-d", "sns-body", "-e", r#"{"state":["old"]}"#];
    let (code, out, err) = texts(&with_input(&args, given));
    assert_eq!((code, out.as_str(), err.as_str()), (0, "{\"Message\":\"{\\\"state\\\":\\\"old\\\"}\"}\n", ""));
}

#[test]
fn directories_are_searched_for_templates() {
    let (code, out, err) = texts(&run(&["check", "cli/tests/data"]));
    let found = |name: &str| out.contains(&format!("--> cli/tests/data/{name}:"));
    assert!(code == 1 && found("template.yaml") && found("plan.json") && found("substituted.yaml"), "{out}{err}");
    // Bare patterns are recognized by their fields.
    assert!(found("bad-pattern.json") && !found("filters.json") && !err.contains("cannot read"), "{out}{err}");
    assert!(err.contains("cli/tests/data: 9 of 10 files have patterns; 1 is of another kind"), "{err}");
    let (code, _, err) = texts(&run(&["check", "fuzz/targets/src"]));
    assert!(code == 0 && err.contains("fuzz/targets/src: no patterns found in 0 files"), "{err}");
}

/// A clean exit although nobody read what was found would let a build pass.
#[test]
fn findings_count_although_nobody_reads_them() {
    let patterns =
        format!("{{{}}}", (0..9_000).map(|n| format!(r#""r{n}":{{"source":"x"}}"#)).collect::<Vec<_>>().join(","));
    let mut child = command(&["check", "--rules", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    drop(child.stdin.take().unwrap().write_all(patterns.as_bytes()));
    assert_eq!(child.wait().unwrap().code(), Some(1));
}

#[test]
fn the_shapes_of_events() {
    let out = |args: &[&str], input: &str| texts(&with_input(args, input)).1;
    let event = "{\n  \"detail\": {\n    \"state\": \"stopped\"\n  }\n}";
    assert_eq!(out(&["match", "-e", STOPPED], event), format!("{event}\n"));
    let array = r#"[{"detail":{"state":"x"}}, {"detail":{"state":"stopped"}}]"#;
    assert_eq!(out(&["match", "-e", STOPPED, "-"], array), "{\"detail\":{\"state\":\"stopped\"}}\n");
    let rules = ["match", "--rules", "cli/tests/data/listed.json"];
    assert_eq!(
        out(&rules, array),
        "{\"event\":0,\"rules\":[\"any\"]}\n{\"event\":1,\"rules\":[\"stopped\",\"any\"]}\n"
    );
    assert_eq!(out(&["match", "-c", "-v", "-e", STOPPED], array), "1\n");
}

#[test]
fn stats_are_one_line_of_json() {
    let (_, out, err) =
        texts(&run(&["match", "--stats", "-c", "--early", "--rules", "examples/rules.json", "examples/events.ndjson"]));
    assert_eq!(out.lines().count(), 34);
    let stats: serde_json::Value = serde_json::from_str(err.trim()).unwrap();
    let keys: Vec<&str> = stats.as_object().unwrap().keys().map(String::as_str).collect();
    for key in ["rules", "build_ms", "events", "bytes", "matches", "match_ms", "bad_events", "table_bytes"] {
        assert!(keys.contains(&key), "{key}");
    }
    let counted: u64 = out.lines().map(|line| line.split('\t').nth(1).unwrap().parse::<u64>().unwrap()).sum();
    assert_eq!((&stats["matches"], &stats["events"], &stats["bad_events"]), (&counted.into(), &29.into(), &0.into()));
}

#[test]
fn sarif_has_its_form() {
    let (code, out, _) = texts(&run(&["check", "--format", "sarif", "cli/tests/data/template.yaml"]));
    assert_eq!(code, 1);
    let log: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(log["version"], "2.1.0");
    let run = &log["runs"][0];
    let rules: Vec<&str> =
        run["tool"]["driver"]["rules"].as_array().unwrap().iter().map(|rule| rule["id"].as_str().unwrap()).collect();
    let results = run["results"].as_array().unwrap();
    assert!(results.len() >= 3);
    for result in results {
        assert!(rules.contains(&result["ruleId"].as_str().unwrap()));
        assert!(["error", "warning", "note"].contains(&result["level"].as_str().unwrap()));
        let place = &result["locations"][0];
        assert_eq!(place["physicalLocation"]["artifactLocation"]["uri"], "cli/tests/data/template.yaml");
        assert!(place["physicalLocation"]["region"]["startLine"].as_u64().unwrap() > 5);
        assert!(place["logicalLocations"][0]["fullyQualifiedName"].as_str().unwrap().starts_with("Resources."));
    }
}

#[test]
fn a_closed_pipe_ends_quietly() {
    let events = "{\"detail\":{\"state\":\"stopped\"}}\n".repeat(100_000);
    let mut child = command(&["match", "-e", STOPPED])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let writer = std::thread::spawn(move || drop(stdin.write_all(events.as_bytes())));
    let mut begin = [0; 10];
    child.stdout.take().unwrap().read_exact(&mut begin).unwrap();
    writer.join().unwrap();
    let (code, _, err) = texts(&child.wait_with_output().unwrap());
    assert_eq!((code, err.as_str()), (0, ""));
}

#[test]
fn colors_only_where_wanted() {
    let plain = texts(&run(&["check", "cli/tests/data/bad-pattern.json"])).1;
    assert!(!plain.contains('\x1b'));
    let colored = texts(&run(&["check", "--color", "always", "cli/tests/data/bad-pattern.json"])).1;
    assert!(colored.contains("\x1b[1;31m"));
}

#[test]
fn vectors_pass_and_fail() {
    let passed = |paths: &[&str]| -> u64 {
        let (code, out, _) = texts(&run(&[&["vectors"], paths].concat()));
        let last = out.lines().last().unwrap();
        assert!(code == 0 && last.ends_with(" passed, 0 failed"), "{out}");
        last.split(' ').next().unwrap().parse().unwrap()
    };
    // Compressed rows, and what is read twice counts once.
    assert_eq!(passed(&["spec-vectors/engine/orv.jsonl.gz", "spec-vectors/engine/orv.jsonl.gz"]), 1993);
    let directories: Vec<String> = fs::read_dir(root().join("spec-vectors"))
        .unwrap()
        .map(|entry| entry.unwrap())
        .filter(|entry| entry.path().is_dir() && entry.file_name() != "engine")
        .map(|entry| entry.path().display().to_string())
        .collect();
    let count = passed(&directories.iter().map(String::as_str).collect::<Vec<_>>());
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    let own = readme.lines().find(|line| line.starts_with("| this repository's own vectors |")).unwrap();
    let shown = format!("{},{:03}", count / 1000, count % 1000);
    let shown = if count < 1000 { count.to_string() } else { shown };
    assert!(own.contains(&format!("| {shown} | 0 |")), "the README says {own}, there are {count}");
    let rows = r#"{"id":"a","dialect":"eventbridge","pattern":{"a":[1]},"event":{"a":2},"expect":"match"}
{"id":"b","dialect":"eventbridge","pattern":{"a":[1]},"event":{"a":1},"expect":"match"}
{"id":"b","dialect":"eventbridge","pattern":{"a":[1]},"event":{"a":1},"expect":"match"}
{"id":"b","dialect":"eventbridge","pattern":{"a":[1]},"event":{"a":2},"expect":"no_match"}
{"id":"c","dialect":"eventbridge","pattern":{"a":1},"event":null,"expect":"invalid","error":"Event pattern is not valid. Reason: other"}
{"id":"d","dialect":"eventbridge","rules":{"x":{"a":[1]},"y":{"a":[2]}},"event":{"a":1},"expect":["y"]}
{"id":"e"}"#;
    let (code, out, _) = texts(&with_input(&["vectors", "-"], rows));
    assert_eq!(code, 1);
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(lines[0], "a: expected match, got no_match");
    assert_eq!(lines[1], "b: duplicate id");
    assert_eq!(lines[2], "c: expected the error `other`, got `\"a\" must be an object or an array`");
    assert_eq!(lines[3], "d: expected [y], got [x]");
    assert!(lines[4].starts_with("{\"id\":\"e\"}: not a vector: "));
    assert_eq!(lines[5], "1 passed, 5 failed");
}

#[test]
fn completions_for_every_shell() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let (code, out, _) = texts(&run(&["completions", shell]));
        assert!(code == 0 && out.contains("explain-code"), "{shell}");
    }
}

/// Every `eventrie` command of the help and the README that names only shipped files is run.
#[test]
fn examples_of_the_readme() {
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    let block = readme.split("```console\n").nth(1).unwrap().split("\n```").next().unwrap();
    let (line, expected) = block.split_once('\n').unwrap();
    let args = words(line.strip_prefix("$ eventrie ").unwrap());
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    assert_eq!(texts(&run(&args)).1.trim_end(), expected);
    let main = readme.lines().find(|line| line.starts_with("cargo run -p eventrie-cli -- ")).unwrap();
    let args = words(main.split(" -- ").nth(1).unwrap());
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let shown = readme.split("```text\n").nth(1).unwrap().split("```").next().unwrap();
    assert!(texts(&run(&args)).1.starts_with(shown));
}

/// The words of a command, as a shell would cut it.
fn words(line: &str) -> Vec<String> {
    let (mut words, mut word, mut quoted) = (Vec::new(), String::new(), false);
    for char in line.chars() {
        match char {
            '\'' => quoted = !quoted,
            ' ' if !quoted => words.push(std::mem::take(&mut word)),
            _ => word.push(char),
        }
    }
    words.push(word);
    words
}

#[test]
fn a_large_template_is_checked() {
    let mut template = String::from("Resources:\n");
    for n in 0..500 {
        template.push_str(&format!(
            "  Rule{n}:\n    Type: AWS::Events::Rule\n    Properties:\n      EventPattern:\n        source: [com.example.app{n}]\n        detail-type:\n          - Changed\n        detail:\n          state:\n            - new\n"
        ));
    }
    assert!(template.lines().count() > 5000);
    let (code, out, err) = texts(&with_input(&["check", "-"], &template));
    assert_eq!((code, out.as_str()), (0, ""), "{err}");
    assert!(err.contains("500 patterns"), "{err}");
}

/// The answers, and what is said of bad events, do not depend on how many threads there are.
#[test]
fn threads_change_nothing() {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("threads.ndjson");
    let mut text = String::new();
    for n in 0..20_000 {
        match n % 4_001 {
            4_000 => text.push_str("{\"detail\": {\n"),
            2_000 => text.push_str("{\"Records\": []}\n"),
            _ => text.push_str(&format!(
                "{{\"source\":\"shop\",\"detail\":{{\"state\":\"{}\",\"n\":{n},\"note\":\"{}\"}}}}\n",
                if n % 3 == 0 { "stopped" } else { "running" },
                "x".repeat(n % 200)
            )),
        }
    }
    assert!(text.len() > 3 << 20, "several batches");
    fs::write(&path, text).unwrap();
    let path = path.to_str().unwrap();
    for words in [
        &["-e", STOPPED][..],
        &["-c", "-e", STOPPED],
        &["-v", "-e", STOPPED],
        &["--strict", "-e", STOPPED],
        &["--rules", "cli/tests/data/listed.json"],
    ] {
        let with = |threads: &str| texts(&run(&[&["match", "-j", threads], words, &[path]].concat()));
        let alone = with("1");
        assert!(alone.1.len() > 4, "{words:?}");
        for threads in ["2", "7"] {
            assert!(with(threads) == alone, "{words:?} with {threads} threads");
        }
    }
    assert_eq!(texts(&run(&["match", "-j", "0", "-e", STOPPED, path])).0, 2);
}

#[test]
#[cfg(feature = "zstd")]
fn zstd_is_unpacked() {
    let plain = texts(&run(&["match", "-e", STOPPED, STATES])).1;
    let packed = texts(&run(&["match", "-e", STOPPED, "cli/tests/data/states.ndjson.zst"]));
    assert_eq!(packed.1, plain.repeat(2), "two frames");
    let bytes = fs::read(root().join("cli/tests/data/states.ndjson.zst")).unwrap();
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cut.zst");
    fs::write(&path, &bytes[..bytes.len() - 20]).unwrap();
    let (code, _, err) = texts(&run(&["match", "-e", STOPPED, path.to_str().unwrap()]));
    assert!(code == 2 && err.contains("cut.zst: the file ends inside its zstd data: it is incomplete"), "{err}");
}

#[test]
fn packed_files_that_are_cut_or_damaged_are_named_so() {
    let bytes = fs::read(root().join("cli/tests/data/states.ndjson.gz")).unwrap();
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("damaged.gz");
    let message = |bytes: &[u8]| {
        fs::write(&path, bytes).unwrap();
        let (code, _, err) = texts(&run(&["match", "-e", STOPPED, path.to_str().unwrap()]));
        assert_eq!(code, 2, "{err}");
        err
    };
    for cut in [bytes.len() / 2, bytes.len() - 1, 12] {
        let err = message(&bytes[..cut]);
        assert!(err.contains("damaged.gz: the file ends inside its gzip data: it is incomplete"), "{cut}: {err}");
    }
    let mut other = bytes.clone();
    let last = other.len() - 6;
    other[last] ^= 1;
    let err = message(&other);
    assert!(err.contains("damaged.gz: not valid gzip: "), "{err}");
}

/// What a pre-commit hook passes: every file of the language.
#[test]
fn unknown_files_are_passed_over_if_asked() {
    let files = ["wasm/package.json", "docs/mkdocs.yml", "cli/tests/data/bad-pattern.json", "cli/tests/data/bus.yaml"];
    let (code, out, err) = texts(&run(&[&["check", "--skip-unknown"], &files[..]].concat()));
    assert_eq!(code, 1, "{err}");
    assert!(
        out.contains("bad-pattern.json") && !out.contains("package.json") && !err.contains("mkdocs.yml"),
        "{out}{err}"
    );
    assert_eq!(texts(&run(&["check", "--skip-unknown", "wasm/package.json"])).0, 0);
    assert_eq!(texts(&run(&["check", "wasm/package.json"])).0, 2);
}
