//! Files as people have them: what is found in each, and how `check` ends. `inputs/` has files in the shape of public ones; the
//! others are here.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What `check` says of a file: the number of patterns, the findings as `code@line`, and the exit status.
#[derive(Debug, PartialEq, Eq)]
struct Said {
    patterns: usize,
    findings: Vec<String>,
    status: i32,
}

fn check(args: &[&str], input: &str) -> (Said, String) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_eventrie"))
        .args(["check", "--format", "json"])
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdin.take().unwrap().write_all(input.as_bytes()));
    let output = child.wait_with_output().unwrap();
    let out = String::from_utf8(output.stdout).unwrap();
    let findings = out.lines().map(|line| {
        let finding: serde_json::Value = serde_json::from_str(line).unwrap();
        format!("{}@{}", finding["code"].as_str().unwrap(), finding["line"])
    });
    let findings: Vec<String> = findings.collect();
    let err = String::from_utf8(output.stderr).unwrap();
    let patterns = patterns(args, input);
    (Said { patterns, findings, status: output.status.code().unwrap() }, format!("{out}{err}"))
}

/// The number of patterns in the summary.
fn patterns(args: &[&str], input: &str) -> usize {
    let mut child = Command::new(env!("CARGO_BIN_EXE_eventrie"))
        .arg("check")
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdin.take().unwrap().write_all(input.as_bytes()));
    let err = String::from_utf8(child.wait_with_output().unwrap().stderr).unwrap();
    let summaries = err.lines().filter_map(|line| line.strip_prefix("eventrie: ")?.split_once(" pattern"));
    summaries.filter_map(|(count, _)| count.parse().ok()).next().unwrap()
}

fn inputs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/inputs")
}

#[track_caller]
fn file(name: &str, patterns: usize, findings: &[&str], status: i32) {
    let path = inputs().join(name);
    assert!(path.exists(), "{name} is there");
    let (said, text) = check(&[path.to_str().unwrap()], "");
    let findings = findings.iter().map(|finding| (*finding).to_owned()).collect();
    assert_eq!(said, Said { patterns, findings, status }, "{name}: {text}");
}

#[track_caller]
fn text(input: &str, patterns: usize, findings: &[&str], status: i32) {
    let (said, text) = check(&["-"], input);
    let findings = findings.iter().map(|finding| (*finding).to_owned()).collect();
    assert_eq!(said, Said { patterns, findings, status }, "{input}\n{text}");
}

/// A CloudFormation template with one resource.
fn resource(kind: &str, properties: &str) -> String {
    format!("Resources:\n  R:\n    Type: {kind}\n    Properties:\n{properties}")
}

#[test]
fn the_files_of_others() {
    file("r04.yaml", 5, &["E0013@11", "E0006@19", "E0006@26"], 1);
    file("r10.yaml", 0, &[], 0);
    file("r11-crd.yaml", 0, &[], 0);
    file("r11-generator.yaml", 0, &[], 0);
    file("r12-multi-document.yaml", 1, &["E0006@9"], 1);
    file("r13.yaml", 2, &[], 0);
    file("r16.tf.json", 1, &[], 0);
    file("i04.yaml", 6, &["E0006@12", "E0006@17", "E0006@23", "E0006@29", "E0006@36"], 1);
    file("i07.yaml", 0, &["E0021@7", "E0021@12", "E0021@17"], 1);
    file("i08.json", 0, &["E0021@1"], 1);
    file("i35.json", 0, &[], 2);
}

#[test]
fn both_sides_of_a_condition() {
    text(
        &resource(
            "AWS::Events::Rule",
            "      EventPattern: {source: !If [A, !If [B, [x], y], [z]], detail: {a: {'Fn::If': [A, [1], 2]}}}\n",
        ),
        2,
        &["E0006@5"],
        1,
    );
    text(
        &resource(
            "AWS::Lambda::EventSourceMapping",
            "      FilterCriteria: !If [A, {Filters: [{Pattern: '{\"body\":1}'}]}, !Ref AWS::NoValue]\n",
        ),
        1,
        &["E0006@5"],
        1,
    );
    text(
        &resource(
            "AWS::Lambda::EventSourceMapping",
            "      FilterCriteria:\n        Filters:\n          - !If [A, {Pattern: '{\"body\":[1]}'}, {Pattern: '{\"body\":2}'}]\n",
        ),
        2,
        &["E0006@7"],
        1,
    );
    // What a condition removes is not there.
    text(
        &resource(
            "AWS::Events::Rule",
            "      EventPattern: {source: [!If [A, x, !Ref AWS::NoValue], y], detail: !If [A, {a: [1]}, !Ref AWS::NoValue]}\n",
        ),
        2,
        &[],
        0,
    );
}

#[test]
fn names_alone_make_no_pattern() {
    // A RUM monitor and an Evidently segment see other events; a macro's parameters are its own.
    text(
        &resource(
            "AWS::RUM::AppMonitor",
            "      CustomEvents: {Status: ENABLED}\n      MetricDestinations: [{MetricDefinitions: [{EventPattern: '{\"event_type\":\"x\"}'}]}]\n",
        ),
        0,
        &[],
        0,
    );
    text(&resource("AWS::Evidently::Segment", "      Pattern: '{\"Price\":[{\"numeric\":[\">\",1]}]}'\n"), 0, &[], 0);
    text(&resource("Custom::Rule", "      EventPattern: {description: not ours}\n"), 0, &[], 0);
    text(
        "openapi: 3.0.0\ncomponents:\n  schemas:\n    Rule:\n      properties:\n        EventPattern: {type: string, description: the pattern}\n",
        0,
        &[],
        0,
    );
    text("Mappings:\n  FilterPolicy:\n    eu-west-1: {Bucket: x}\nResources: {}\n", 0, &[], 0);
}

#[test]
fn other_tools() {
    let pulumi = r#"{"version":3,"deployment":{"resources":[{"urn":"u","type":"aws:cloudwatch/eventRule:EventRule","inputs":{"eventPattern":"{\"source\":\"x\"}"},"outputs":{"eventPattern":"{\"source\":\"x\"}"}}]}}"#;
    text(pulumi, 1, &["E0006@1"], 1);
    let state = r#"{"version":4,"terraform_version":"1.9.0","resources":[{"mode":"managed","type":"aws_sns_topic_subscription","name":"s","instances":[{"attributes":{"filter_policy":"{\"a\":{\"b\":[1]}}","filter_policy_scope":"MessageBody"}}]}]}"#;
    text(state, 1, &[], 0);
    let json = r#"{"resource":{"aws_cloudwatch_event_rule":{"a":[{"event_pattern":"{\"source\":\"x\"}"}],"b":{"event_pattern":"${jsonencode({})}"}},"aws_pipes_pipe":{"p":{"source_parameters":{"filter_criteria":{"filter":[{"pattern":"{\"body\":1}"}]}}}}}}"#;
    text(json, 2, &["E0006@1", "E0006@1"], 1);
    text(
        "apiVersion: sns.aws.upbound.io/v1beta1\nkind: TopicSubscription\nspec:\n  forProvider:\n    filterPolicy: '{\"a\":1}'\n",
        1,
        &["E0006@5"],
        1,
    );
    text(
        "service: s\nfunctions:\n  f:\n    events:\n      - eventBridge:\n        pattern: {source: [x]}\n",
        0,
        &["E0021@6"],
        1,
    );
    text(
        "functions:\n  f:\n    events:\n      - sns: {arn: a, filterPolicy: {pet: dog}}\n      - sqs: {filterPatterns: [{body: 1}]}\n",
        2,
        &["E0006@4", "E0006@5"],
        1,
    );
}

#[test]
fn one_string_where_a_list_must_be() {
    let rule = |pattern: &str| {
        format!(
            "Parameters:\n  One: {{Type: String}}\n  Many: {{Type: 'List<String>'}}\n{}",
            resource("AWS::Events::Rule", pattern)
        )
    };
    text(&rule("      EventPattern: {source: !Ref One}\n"), 1, &["E0006@8"], 1);
    text(&rule("      EventPattern: {account: {Ref: AWS::AccountId}}\n"), 1, &["E0006@8"], 1);
    text(&rule("      EventPattern: {resources: {'Fn::GetAtt': [R, Arn]}}\n"), 1, &["E0006@8"], 1);
    text(&rule("      EventPattern: !Sub '{\"source\": \"x-${One}\"}'\n"), 1, &["E0006@8"], 1);
    // These may be lists.
    text(
        &rule("      EventPattern: {source: !Ref Many, account: !Split [',', x], region: !FindInMap [A, b, c]}\n"),
        1,
        &[],
        0,
    );
    text(&rule("      EventPattern: !Sub '{\"source\": ${Many}}'\n"), 1, &[], 0);
    text(&rule("      EventPattern: {source: [!Ref One, !Sub 'x${One}']}\n"), 1, &[], 0);
}

#[test]
fn filters_and_archives() {
    text(&resource("AWS::Events::Archive", "      EventPattern: '{\"source\":[\"x\"]}'\n"), 0, &["E0021@5"], 1);
    text(
        &resource("AWS::Pipes::Pipe", "      SourceParameters: {FilterCriteria: {Filters: [{pattern2: x}]}}\n"),
        0,
        &["E0021@5"],
        1,
    );
    text(&resource("AWS::Lambda::EventSourceMapping", "      FilterCriteria: {Filters: []}\n"), 0, &["E0021@5"], 1);
    text(&resource("AWS::Events::Rule", "      EventPattern:\n"), 0, &["E0021@5"], 1);
    text(r#"{"EventPattern": {"source": ["x"]}}"#, 1, &["E0021@1"], 1);
}

#[test]
fn nothing_is_read_as_nothing() {
    // A policy under a name that does not exist.
    text(&resource("AWS::SNS::Subscription", "      FilterPolicies: {a: [x]}\n"), 0, &[], 2);
    // Patterns and rules in YAML, and later documents.
    text("source: aws.ec2\ndetail:\n  state: [stopped]\n", 1, &["E0006@1"], 1);
    text("first:\n  source: [x]\nsecond:\n  detail: {a: 1}\n", 2, &["E0006@4"], 1);
    text(
        "a: 1\n---\nb: 2\n---\nResources: {R: {Type: AWS::Events::Rule, Properties: {EventPattern: {source: x}}}}\n",
        1,
        &["E0006@5"],
        1,
    );
    text("", 1, &["E0003@1"], 1);
    let schema = format!(
        "{{\"version\":\"2.0\",{}}}",
        (0..30).map(|at| format!(r#""m{at}":"x""#)).collect::<Vec<_>>().join(",")
    );
    text(&schema, 0, &[], 2);
    let (said, text) = check(&["--require-patterns", "-"], "a: 1\n");
    assert_eq!((said.patterns, said.status), (0, 2), "{text}");
    assert!(text.contains("--require-patterns"), "{text}");
    let (said, _) = check(&["--require-patterns", "-"], "source: [x]\n");
    assert_eq!((said.patterns, said.status), (1, 0));
}

#[test]
fn what_is_named_and_not_read_counts_more_than_findings() {
    let input = inputs().join("i07.yaml");
    let (said, _) = check(&[input.to_str().unwrap(), "no-such-file.yaml"], "");
    assert_eq!((said.findings.len(), said.status), (3, 2));
    let directory = std::env::temp_dir().join(format!("eventrie-{}", std::process::id()));
    std::fs::create_dir_all(&directory).unwrap();
    let name = directory.to_str().unwrap();
    std::fs::write(directory.join("pattern.json"), r#"{"source":["x"],"detail":{"a":[1]}}"#).unwrap();
    std::fs::write(directory.join("package.json"), r#"{"name":"x","files":["a"]}"#).unwrap();
    std::fs::write(directory.join("event.json"), r#"{"source":"x","detail-type":"y","detail":{}}"#).unwrap();
    let (said, text) = check(&[name], "");
    assert_eq!((said.patterns, said.status), (1, 0), "{text}");
    std::fs::write(directory.join("main.tf"), "resource \"aws_sns_topic\" \"t\" {}\n").unwrap();
    let (said, text) = check(&[name], "");
    assert_eq!((said.patterns, said.status), (1, 0), "{text}");
    std::fs::write(directory.join("main.tf"), "resource \"aws_sns_topic\" \"t\" {\n").unwrap();
    let (said, text) = check(&[name], "");
    std::fs::remove_dir_all(&directory).unwrap();
    assert_eq!(said.status, 2, "{text}");
    assert!(text.contains("main.tf:"), "{text}");
}

/// A directory of Terraform's own language, and the file alone.
#[test]
fn terraform() {
    let directory = inputs().join("r15");
    for input in [directory.clone(), directory.join("main.tf")] {
        let (said, text) = check(&[input.to_str().unwrap()], "");
        assert_eq!(said, Said { patterns: 1, findings: vec!["E0006@3".to_owned()], status: 1 }, "{text}");
        assert!(text.contains("\"column\":41"), "{text}");
        assert!(text.contains("aws_sns_topic_subscription.demo.filter_policy"), "{text}");
    }
}

/// Heredocs, names that are only known later, and what a module is given: only what is certain is a finding.
#[test]
fn spellings_of_terraform() {
    file("spellings.tf", 5, &["E0006@46", "E0006@53"], 1);
}

/// CloudFormation reads YAML 1.1, others 1.2; where an unquoted scalar differs, people mean the string.
#[test]
fn versions_of_yaml() {
    let rule =
        |pattern: &str| resource("AWS::Events::Rule", &format!("      EventPattern: {{detail: {{a: [{pattern}]}}}}\n"));
    for scalar in ["yes", "Off", "017", "1:30", "0o17", "1e3", "1_000"] {
        text(&rule(scalar), 1, &["E0021@5"], 1);
        text(&rule(&format!("'{scalar}'")), 1, &[], 0);
    }
    text(&rule("1, 1.5, -3, true, x, null, 2026-01-01"), 1, &[], 0);
    let (_, shown) = check(&["-"], &rule("017"));
    assert!(shown.contains("15 in YAML 1.1 (CloudFormation) and the string \\\"017\\\" in YAML 1.2"), "{shown}");
}

/// The file names the source of each mapping.
#[test]
fn records_of_the_source_in_the_file() {
    let input = inputs().join("i23-i24.yaml");
    let (said, text) = check(&[input.to_str().unwrap()], "");
    let lines: Vec<&str> = said.findings.iter().map(String::as_str).collect();
    assert_eq!(lines, ["W0007@8", "W0007@9", "W0007@10", "W0007@11", "W0007@11", "W0007@12"], "{text}");
    for name in ["DynamoDB", "SQS", "Kinesis", "Kafka", "MQ"] {
        assert!(text.contains(&format!("Lambda does not filter {name} records on")), "{name}: {text}");
    }
    let mapping = |source: &str, pattern: &str| {
        let body =
            format!("      EventSourceArn: {source}\n      FilterCriteria: {{Filters: [{{Pattern: '{pattern}'}}]}}\n");
        resource("AWS::Lambda::EventSourceMapping", &body)
    };
    text_of(&mapping("arn:aws:sqs:us-east-1:111122223333:q", r#"{"data":["x"]}"#), &["W0007@6"]);
    text_of(&mapping("arn:aws:sqs:us-east-1:111122223333:q", r#"{"body":["x"]}"#), &[]);
    text_of(&mapping("arn:aws:kinesis:us-east-1:111122223333:stream/s", r#"{"body":{"a":["x"]}}"#), &["W0007@6"]);
}

fn text_of(input: &str, findings: &[&str]) {
    let (said, text) = check(&["-"], input);
    assert_eq!(said.findings, findings, "{input}{text}");
}

/// Read-only calls need another state, and a disabled rule is said to be one.
#[test]
fn states_of_rules() {
    let input = inputs().join("r09.yaml");
    let (said, text) = check(&[input.to_str().unwrap()], "");
    assert_eq!(said.findings, ["W0008@11"], "{text}");
    assert!(text.contains("ENABLED_WITH_ALL_CLOUDTRAIL_MANAGEMENT_EVENTS"), "{text}");
    let yaml = std::fs::read_to_string(&input).unwrap();
    let all = yaml.replace("State: ENABLED", "State: ENABLED_WITH_ALL_CLOUDTRAIL_MANAGEMENT_EVENTS");
    text_of(&all, &[]);
    text_of(&yaml.replace("GetAccount", "PutAccount"), &[]);
    let directory = std::env::temp_dir().join(format!("eventrie-state-{}", std::process::id()));
    std::fs::create_dir_all(&directory).unwrap();
    let file = directory.join("disabled.yaml");
    std::fs::write(&file, yaml.replace("State: ENABLED", "State: DISABLED")).unwrap();
    let event = r#"{"source":"aws.iam","detail-type":"AWS API Call via CloudTrail","detail":{"eventName":"GetAccountAuthorizationDetails"}}"#;
    for command in ["match", "explain"] {
        let output = Command::new(env!("CARGO_BIN_EXE_eventrie"))
            .args([command, "--rules", file.to_str().unwrap(), event])
            .output()
            .unwrap();
        let text = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap()).concat();
        assert!(text.contains("disabled") && output.status.code() == Some(0), "{command}: {text}");
    }
    let output = Command::new(env!("CARGO_BIN_EXE_eventrie")).arg("check").arg(&file).output().unwrap();
    assert!(String::from_utf8(output.stderr).unwrap().contains("the rule is disabled"));
    std::fs::remove_dir_all(&directory).unwrap();
}
