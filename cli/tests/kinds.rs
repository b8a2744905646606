//! Kinds of inputs that people have, three or more of each, apart from those that were reported (`inputs.rs`, `events.rs`).
//!
//! | kind | reported and recorded | here |
//! | --- | --- | --- |
//! | an entry or a request of PutEvents | 4 | `put_events`: 6 |
//! | envelopes around events | 14 | `envelopes`: 5 |
//! | events that are not JSON | 6 | `not_json`: 6 |
//! | what ends a command, and with which status | 8 | `statuses`: 5 |
//! | files of which nothing was read | 9 | `files_that_were_not_read`: 5 |
//! | Terraform's own language | 7 | `terraform`: 5 |
//! | places that only look like patterns | 9 | `not_a_place`: 7 |
//! | one string where a list must be | 10 | `one_string`: 5 |
//! | filters in the wrong shape | 9 | `filters`: 5 |
//! | the scope of a policy | 3 | `scopes`: 4 |
//! | the source of records | 8 | `sources`: 5 |
//! | rules that match and do not fire | 6 (`deployed.rs` too) | `rules_that_do_not_fire`: 5 |
//! | values that never occur | 10 (pages of W0008, W0030 to W0032) | `values`: 8 |

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// What was printed, to standard error too, and the exit status.
fn run(args: &[&str], input: &str) -> (String, i32) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_eventrie"));
    command.args(args).env_remove("CLICOLOR_FORCE").env("COLUMNS", "100");
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    drop(child.stdin.take().unwrap().write_all(input.as_bytes()));
    let output = child.wait_with_output().unwrap();
    let text = [output.stdout, output.stderr].concat();
    (String::from_utf8(text).unwrap(), output.status.code().unwrap())
}

/// A directory of its own.
fn directory(name: &str) -> PathBuf {
    let directory = std::env::temp_dir().join(format!("eventrie-kinds-{name}-{}", std::process::id()));
    fs::create_dir_all(&directory).unwrap();
    directory
}

/// Checks a string as a file of this name: the findings as `code@line`, the status, and all that was printed.
#[track_caller]
fn check(name: &str, text: &str, findings: &[&str], status: i32) -> String {
    let directory = directory(&format!("{:x}", text.len() * 31 + text.bytes().map(usize::from).sum::<usize>()));
    let file = directory.join(name);
    fs::write(&file, text).unwrap();
    let (out, code) = run(&["check", "--format", "json", file.to_str().unwrap()], "");
    fs::remove_dir_all(&directory).unwrap();
    let found: Vec<String> = out
        .lines()
        .filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok())
        .filter(|finding| finding["code"] != "W0203")
        .map(|finding| format!("{}@{}", finding["code"].as_str().unwrap(), finding["line"]))
        .collect();
    assert_eq!(
        (found.iter().map(String::as_str).collect::<Vec<_>>().as_slice(), code),
        (findings, status),
        "{text}\n{out}"
    );
    out
}

/// Explains an event: whether it matches (none if it could not be read), and a part of what is said.
#[track_caller]
fn explain(event: &str, matched: Option<bool>, said: &str) {
    const PATTERN: &str = r#"{"source":["demo.app"],"detail":{"kind":["a"]}}"#;
    let (out, code) = run(&["explain", "-e", PATTERN, "-"], event);
    let status = match matched {
        Some(true) => 0,
        Some(false) => 1,
        None => 2,
    };
    assert_eq!(code, status, "{event}\n{out}");
    assert!(out.contains(said), "{said} is in\n{out}");
    if matched.is_none() {
        assert!(!out.contains("match:"), "no verdict on what cannot be read\n{out}");
    }
}

const EVENT: &str = r#"{"source":"demo.app","detail-type":"t","detail":{"kind":"a"}}"#;

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

#[test]
fn put_events() {
    let entry = r#"{"Source":"demo.app","DetailType":"t","Detail":"{\"kind\":\"a\"}"}"#;
    explain(&format!("[{entry}]"), Some(true), "this is a PutEvents entry, not an event");
    explain(
        &entry.replace(r#""DetailType":"t","#, ""),
        Some(true),
        "EventBridge rejects this entry: `DetailType` is required",
    );
    // SDKs that begin names with a small letter.
    let small = r#"{"source":"demo.app","detailType":"t","detail":"{\"kind\":\"a\"}"}"#;
    explain(small, Some(true), "this is a PutEvents entry, not an event");
    explain(&format!(r#"{{"entries":[{small}]}}"#), Some(true), "a PutEvents entry in a PutEvents request");
    explain(
        &entry.replace("demo.app", "aws.demo"),
        Some(false),
        "only AWS services may use a source that begins with `aws.`",
    );
    // What the request is answered with.
    let answer = r#"{"FailedEntryCount":0,"Entries":[{"EventId":"11710aed-b79e-4468-a20b-bb3c0c3b4860"}]}"#;
    explain(answer, None, "no events found: this is a response from PutEvents; the events are in the request");
}

#[test]
fn envelopes() {
    let in_sns = format!(r#"{{"Type":"Notification","TopicArn":"arn","Message":{}}}"#, quoted(EVENT));
    explain(
        &format!(r#"{{"Records":[{{"messageId":"1","body":{}}}]}}"#, quoted(&in_sns)),
        Some(true),
        "in an SQS message",
    );
    explain(&quoted(EVENT), Some(true), "unwrapped from a JSON string");
    explain(
        &format!(r#"{{"version":"1.0","requestContext":{{"condition":"RetriesExhausted"}},"requestPayload":{EVENT}}}"#),
        Some(true),
        "a record of a Lambda destination",
    );
    explain(&format!("2026-01-01T00:00:00Z\t1111-2222\tINFO\t{EVENT}"), Some(true), "a log line");
    explain(
        &format!(r#"{{"@timestamp":"2026-01-01 00:00:00.000","@message":{}}}"#, quoted(EVENT)),
        Some(true),
        "Insights",
    );
    explain(&format!(r#"{{"Messages":[{{"Body":{}}}]}}"#, quoted(EVENT)), Some(true), "unwrapped from an SQS message");
    // One log event with EVENT, as a function receives it: gzip in base64.
    let data = "H4sIAAAAAAACA02NsQoCMRBE/2XqKFybLmCwsrrrjEgwyxG8XIJZBQn5d9cDwXLfm5ltSFSrn2l6F4LGwUzmerLjaI4WCkue7YtWrtDnhhgkMQjmKC32qUAP6rcgrjnU/HzcyEE7BEp570txUN+DfVx2LG82yX9UgDTvcQ2b8g69o1/6B7EUprmdAAAA";
    let said = "unwrapped from a CloudWatch Logs subscription record\n";
    explain(&format!(r#"{{"awslogs":{{"data":"{data}"}}}}"#), Some(true), said);
}

#[test]
fn not_json() {
    explain(r#"{"source":"demo.app","detail":{"kind":"a""#, None, "the event is cut off");
    explain(r#"{"source":"demo.app","detail":{"kind":NaN}}"#, None, "JSON has no such number");
    explain("<html><body>403</body></html>", None, "XML or HTML");
    explain("source: demo.app\ndetail:\n  kind: a\n", None, "this looks like YAML");
    explain(&format!("{EVENT}{EVENT}"), None, "these are several events");
    let (out, code) = run(&["match", "-e", r#"{"source":["demo.app"]}"#], &format!("```json\n{EVENT}\n```"));
    assert!(code == 2 && out.contains("this looks like a Markdown code block"), "{out}");
    explain("2026-12-01 10:00:00 INFO {\n\"source\": \"demo.app\"}", None, "begins JSON of several lines");
    explain("Source=demo.app,DetailType=t,Detail={}", None, "expected a value");
}

#[test]
fn statuses() {
    let directory = directory("statuses");
    fs::write(directory.join("one.json"), EVENT).unwrap();
    fs::write(directory.join("two.json"), EVENT.replace("demo", "other")).unwrap();
    let (name, pattern) = (directory.to_str().unwrap(), r#"{"source":["demo.app"]}"#);
    assert_eq!(run(&["match", "-c", pattern, name], ""), ("1\n".to_owned(), 0));
    assert_eq!(run(&["explain", "-b", pattern, name], "").1, 1, "one of two does not match");
    fs::write(directory.join("three.json"), "{'a'}").unwrap();
    assert_eq!(run(&["match", "-c", pattern, name], "").1, 2);
    assert_eq!(run(&["match", "-q", pattern, name], "").1, 0, "a match, and nothing else was asked");
    fs::remove_dir_all(&directory).unwrap();
    assert_eq!(run(&["match", pattern, name], "").1, 2, "the directory is gone");
}

#[test]
fn files_that_were_not_read() {
    let misnamed =
        "Resources:\n  S:\n    Type: AWS::SNS::Subscription\n    Properties: {FilterPolicyDocument: {a: [x]}}\n";
    assert!(check("t.yaml", misnamed, &[], 2).contains("patterns go in `FilterPolicy`"));
    let later =
        "Resources: {}\n---\nResources: {R: {Type: AWS::Events::Rule, Properties: {EventPattern: {source: x}}}}\n";
    check("t.yaml", later, &["E0006@3"], 1);
    let branches = r#"{"Resources":{"R":{"Type":"AWS::Events::Rule","Properties":{"EventPattern":{"Fn::If":["A",{"source":["x"],"detail":{"a":1}},{"source":"y"}]}}}}}"#;
    check("t.json", branches, &["E0006@1", "E0006@1"], 1);
    check(
        "t.yaml",
        "Resources:\n  R:\n    Type: AWS::Pipes::Pipe\n    Properties: {SourceParameters: {FilterCriteria: {}}}\n",
        &["E0021@4"],
        1,
    );
    check(
        "serverless.yml",
        "functions:\n  f:\n    events:\n      - eventBridge:\n        eventBus: x\n        pattern: {source: [x]}\n",
        &["E0021@6"],
        1,
    );
}

#[test]
fn terraform() {
    let rule =
        |pattern: &str| format!("resource \"aws_cloudwatch_event_rule\" \"r\" {{\n  event_pattern = {pattern}\n}}\n");
    check("main.tf", &rule("jsonencode({\n    source = \"x\"\n  })"), &["E0006@3"], 1);
    check(
        "main.tf",
        &format!(
            "locals {{\n  source = \"x\"\n}}\n{}",
            rule("jsonencode({ source = local.source, detail-type = [\"t\"] })")
        ),
        &["E0006@2"],
        1,
    );
    check(
        "main.tf",
        &rule("jsonencode({ source = [var.source], detail = { n = [{ numeric = [\">\", \"5\"] }] } })"),
        &["E0013@2"],
        1,
    );
    check("main.tofu", &rule("<<-EOT\n    {\"source\": \"x\"}\n  EOT"), &["E0006@3"], 1);
    let pipe = "resource \"aws_pipes_pipe\" \"p\" {\n  source_parameters {\n    filter_criteria {\n      filter {\n        pattern = jsonencode({ body = \"x\" })\n      }\n    }\n  }\n}\n";
    check("pipe.tf", pipe, &["E0006@5"], 1);
}

#[test]
fn not_a_place() {
    // The usage data of a construct library, with values blanked out, and its tree of constructs.
    let manifest = r#"{"version":"36.0.0","artifacts":{"s":{"type":"aws:cloudformation:stack","metadata":{"/s/Rule":[{"type":"aws:cdk:analytics:construct","data":{"eventPattern":{"source":"*"},"targets":[{"id":"*"}]}}]}}}}"#;
    let found = check("manifest.json", manifest, &[], 2);
    assert!(!found.contains("E0"), "{found}");
    let tree = r#"{"version":"tree-0.1","tree":{"id":"App","path":"","attributes":{"props":{"eventPattern":{"source":"x"}}}}}"#;
    check("tree.json", tree, &[], 2);
    let iam = "Resources:\n  P:\n    Type: AWS::IAM::Policy\n    Properties: {PolicyDocument: {Statement: [{Action: 'events:PutRule', Condition: {Null: {'events:source': 'false'}}}]}}\n";
    check("iam.yaml", iam, &[], 0);
    check("t.yaml", "Parameters:\n  FilterPolicy: {Type: String, Default: '{}'}\nResources: {}\n", &[], 0);
    check(
        "t.yaml",
        "Resources:\n  M:\n    Type: AWS::CloudFormation::Macro\n    Properties: {EventPattern: {source: x}}\n",
        &[],
        0,
    );
    check(
        "t.yaml",
        "Resources:\n  D:\n    Type: AWS::SSM::Document\n    Properties: {Content: {mainSteps: [{inputs: {EventPattern: 'x'}}]}}\n",
        &[],
        0,
    );
    check(
        "main.tf",
        "variable \"filter_policy\" {\n  default = \"x\"\n}\nresource \"aws_sns_topic\" \"t\" {\n  event_pattern = \"x\"\n}\n",
        &[],
        0,
    );
}

#[test]
fn one_string() {
    let rule = |pattern: &str| {
        format!(
            "Parameters:\n  One: {{Type: String}}\nResources:\n  R:\n    Type: AWS::Events::Rule\n    Properties:\n      EventPattern: {pattern}\n"
        )
    };
    check("t.yaml", &rule("{detail: {a: {'Fn::Sub': 'x-${One}'}}}"), &["E0006@7"], 1);
    check("t.yaml", &rule("{detail: {a: !Join ['', [x, !Ref One]]}}"), &["E0006@7"], 1);
    check("t.yaml", &rule("{region: !Ref AWS::Region}"), &["E0006@7"], 1);
    check("t.yaml", &rule("{detail: {a: [!Ref One, {prefix: !Ref One}]}}"), &[], 0);
    let json = r#"{"Parameters":{"One":{"Type":"String"}},"Resources":{"S":{"Type":"AWS::SNS::Subscription","Properties":{"FilterPolicy":{"a":{"Ref":"One"}}}}}}"#;
    let found = check("t.json", json, &["E0006@1"], 1);
    assert!(found.contains("\"fix\":null"), "a list in the place of the function would not be what was meant: {found}");
}

/// What contains patterns may be given as text, as it may be in a file.
#[test]
fn patterns_in_something_as_text() {
    let set = r#"{"Filters":[{"Pattern":"{\"body\":{\"a\":[\"x\"]}}"}]}"#;
    assert_eq!(run(&["check", "-d", "lambda-esm", "-e", set], ""), ("eventrie: 1 pattern\n".to_owned(), 0));
    let rule = r#"{"Name":"x","EventPattern":"{\"source\":\"a\"}"}"#;
    let (out, code) = run(&["check", "-e", rule], "");
    assert_eq!(code, 1, "{out}");
    assert!(out.contains("error[E0006]") && out.contains("<pattern>:1:41"), "{out}");
}

#[test]
fn filters() {
    let mapping = |criteria: &str| {
        format!(
            "Resources:\n  M:\n    Type: AWS::Lambda::EventSourceMapping\n    Properties:\n      FilterCriteria: {criteria}\n"
        )
    };
    check("t.yaml", &mapping("{Filters: [{Pattern: 5}]}"), &["E0003@5"], 1);
    check("t.yaml", &mapping("{Filters: [x]}"), &["E0021@5"], 1);
    check("t.yaml", &mapping("{Filters: [{Pattern: '{\"body\":[1]}'}, {}]}"), &["E0021@5"], 1);
    check("t.yaml", &mapping("{Filters: [[{Pattern: '{}'}]]}"), &["E0021@5"], 1);
    check("pattern.json", r#"{"EventPattern": {"source": ["x"], "detail": {"a": [1]}}}"#, &["E0021@1"], 1);
}

#[test]
fn scopes() {
    let said = |dialect: &str, policy: &str, message: &str| {
        run(&["explain", "-d", dialect, "-e", policy, "-E", message], "").0
    };
    let body = r#"{"Message":"{\"store\":{\"city\":\"Oslo\"},\"kind\":\"a\"}","MessageAttributes":{}}"#;
    assert!(said("sns-attributes", r#"{"kind":["a"]}"#, body).contains("set `FilterPolicyScope` to `MessageBody`"));
    assert!(
        said("sns-attributes", r#"{"$or":[{"kind":["a"]},{"x":["y"]}]}"#, body).contains("the message body has `kind`")
    );
    let attribute = r#"{"Message":"{}","MessageAttributes":{"size":{"Type":"Number","Value":"5"}}}"#;
    assert!(said("sns-body", r#"{"size":[5]}"#, attribute).contains("a message attribute `size` exists"));
    // In the half that the policy sees, only the value is wrong.
    assert!(!said("sns-body", r#"{"kind":["b"]}"#, body).contains("FilterPolicyScope"));
}

#[test]
fn sources() {
    let of = |source: &str, pattern: &str| {
        format!(
            "Resources:\n  M:\n    Type: AWS::Lambda::EventSourceMapping\n    Properties:\n      EventSourceArn: {source}\n      FilterCriteria: {{Filters: [{{Pattern: '{pattern}'}}]}}\n"
        )
    };
    check("t.yaml", &of("arn:aws:dynamodb:eu-west-1:1:table/t/stream/x", r#"{"data":{"a":["b"]}}"#), &["W0007@6"], 1);
    check("t.yaml", &of("arn:aws:kafka:eu-west-1:1:cluster/c/1", r#"{"data":{"a":["b"]}}"#), &["W0007@6"], 1);
    check("t.yaml", &of("arn:aws:mq:eu-west-1:1:broker:b:1", r#"{"data":{"a":["b"]}}"#), &[], 0);
    check("t.yaml", &of("!GetAtt Queue.Arn", r#"{"messageAttributes":{"a":{"stringValue":["b"]}}}"#), &["W0007@6"], 1);
    check("t.yaml", &of("arn:aws:kinesis:eu-west-1:1:stream/s", r#"{"data":{"a":["b"]}}"#), &[], 0);
}

#[test]
fn rules_that_do_not_fire() {
    let directory = directory("fire");
    let said = |name: &str, text: &str| {
        let file = directory.join(name);
        fs::write(&file, text).unwrap();
        run(&["match", "--rules", file.to_str().unwrap(), r#"{"source":"aws.ec2","detail-type":"t","detail":{}}"#], "")
            .0
    };
    let rule = |more: &str| {
        format!(
            "resource \"aws_cloudwatch_event_rule\" \"r\" {{\n  event_pattern = jsonencode({{ source = [\"aws.ec2\"] }})\n{more}}}\n"
        )
    };
    let disabled = "matches, but it is disabled";
    assert!(said("state.tf", &rule("  state = \"DISABLED\"\n")).contains(disabled));
    assert!(said("enabled.tf", &rule("  is_enabled = false\n")).contains(disabled));
    assert!(said("bus.tf", &rule("  event_bus_name = \"orders\"\n")).contains("it is on the event bus `orders`"));
    assert!(
        !said("unknown.tf", &rule("  event_bus_name = aws_cloudwatch_event_bus.b.name\n")).contains("matches, but")
    );
    let described =
        r#"{"Name":"r","State":"DISABLED","EventBusName":"default","EventPattern":"{\"source\":[\"aws.ec2\"]}"}"#;
    assert!(said("rules.json", &format!(r#"{{"Rules":[{described}]}}"#)).contains(disabled));
    fs::remove_dir_all(&directory).unwrap();
}

#[test]
fn values() {
    for (pattern, code) in [
        (r#"{"source":["s3.amazonaws.com"],"detail-type":["t"]}"#, "W0008"),
        (r#"{"detail-type":["AWS API Call via CloudTrail"],"detail":{"eventSource":["aws.s3"]}}"#, "W0008"),
        (r#"{"detail":{"a":["x ","y"]}}"#, "W0031"),
        (r#"{"detail":{"a":["'x'"]}}"#, "W0031"),
        (r#"{"detail":{"a":["x\r\n"]}}"#, "W0031"),
        (r#"{"detail":{"a":["{\"anything-but\":[\"x\"]}"]}}"#, "W0030"),
        (r#"{"source":["aws.s3"],"detail-type":["Object Created"],"detail":{"bucketName":["x"]}}"#, "W0032"),
        (r#"{"detail":{"n":[{"numeric":["<",5]},{"numeric":[">=",5]}]}}"#, "together they accept every number"),
    ] {
        let (out, _) = run(&["check", "-l", "note", "-e", pattern], "");
        assert!(out.contains(code), "{code} for {pattern}: {out}");
    }
}
