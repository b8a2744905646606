//! Every fix of every page's bad example, in every form that its pattern takes in files: applied, the file has exactly the
//! fixed pattern, the finding is gone, no new one came, and every comment is still there. Applied until nothing is left to
//! fix, another run changes nothing.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod forms;

use std::collections::BTreeMap;

use eventrie::diagnostic::{Code, Finding, Fix, Severity};
use eventrie::{Dialect, Pattern};
use eventrie_files::{Document, Expected, NotApplied, SourceFile, tree};
use forms::FORMS;

fn findings(text: &str, dialect: Dialect) -> Vec<Finding> {
    match Pattern::parse(text, dialect) {
        Ok(pattern) => pattern.lint(),
        Err(error) => error.findings().to_vec(),
    }
}

/// The bad examples of all pages.
fn examples() -> Vec<(Code, Dialect, String)> {
    let mut examples = Vec::new();
    for code in Code::ALL {
        for block in code.page().split("```bad ").skip(1) {
            let (fence, rest) = block.split_once('\n').unwrap();
            let Ok(dialect) = fence.parse::<Dialect>() else { continue };
            examples.push((*code, dialect, rest.split("\n```").next().unwrap().to_owned()));
        }
    }
    examples
}

fn read(name: &str, text: &str) -> Document {
    let expected = if name == "pattern.json" { Expected::Pattern } else { Expected::Anything };
    Document::read(SourceFile::new(name, text), expected).unwrap()
}

fn comments(text: &str) -> usize {
    text.matches(" # ").count() + text.matches("\n#").count() + text.matches("\n//").count()
}

fn count(findings: &[Finding], code: Code) -> usize {
    findings.iter().filter(|finding| finding.code == code).count()
}

/// Applies one fix and says what is wrong with the result.
fn applied(document: &Document, dialect: Dialect, finding: &Finding, fix: &Fix) -> Result<String, NotApplied> {
    let before = document.patterns()[0].pattern().text();
    let applied = document.apply(&[(0, fix)]);
    let edits = applied.outcomes.into_iter().next().unwrap()?;
    assert!(!edits.is_empty() && applied.text != document.file().text(), "{}: changes nothing", finding.code);
    let mut expected = before.to_owned();
    expected.replace_range(fix.span.start as usize..fix.span.end as usize, &fix.replacement);
    let (old, wanted) = (findings(before, dialect), findings(&expected, dialect));
    let after = read(document.file().name(), &applied.text);
    let new = findings(after.patterns()[0].pattern().text(), dialect);
    let codes = |findings: &[Finding]| findings.iter().map(|finding| finding.code).collect::<Vec<_>>();
    assert_eq!(codes(&new), codes(&wanted), "{}\n{}", finding.code, applied.text);
    assert!(count(&new, finding.code) < count(&old, finding.code), "{}\n{}", finding.code, applied.text);
    if !finding.is_error() {
        for one in new.iter().filter(|one| one.severity != Severity::Note) {
            assert!(count(&new, one.code) <= count(&old, one.code), "{} is new\n{}", one.code, applied.text);
        }
    }
    if document.file().name() != "pattern.json" {
        assert_eq!(comments(&applied.text), comments(document.file().text()), "{}\n{}", finding.code, applied.text);
    }
    Ok(applied.text)
}

#[test]
fn every_fix_in_every_form() {
    let (mut tried, mut refused) = (0, BTreeMap::new());
    for (_, dialect, pattern) in examples() {
        for (form, file) in FORMS {
            let Some((name, text)) = file(&pattern, dialect) else { continue };
            let document = read(name, &text);
            let Some(found) = document.patterns().first() else { panic!("{form}: no pattern in\n{text}") };
            for finding in findings(found.pattern().text(), dialect) {
                let Some(fix) = &finding.fix else { continue };
                tried += 1;
                if let Err(why) = applied(&document, dialect, &finding, fix) {
                    refused.insert(format!("{} in {form}", finding.code), why);
                }
            }
        }
    }
    assert!(tried > 150, "only {tried} fixes were tried");
    let refused: Vec<String> = refused.into_iter().map(|(place, why)| format!("{place}: {why}")).collect();
    let expected = [
        "E0010 in hcl jsonencode",
        "E0011 in hcl jsonencode",
        "E0017 in hcl jsonencode",
        "W0002 in hcl jsonencode",
        "W0002 in yaml blocks",
        "W0003 in hcl jsonencode",
        "W0003 in yaml blocks",
        "W0004 in yaml blocks",
        "W0032 in hcl jsonencode",
        "W0032 in yaml blocks",
    ];
    // There the new text replaces several lines, and the form has a comment in each.
    let expected = expected.map(|place| format!("{place}: {}", NotApplied::Comments));
    assert_eq!(refused, expected, "of {tried}");
}

#[test]
fn again_and_again() {
    for (code, dialect, pattern) in examples() {
        for (form, file) in FORMS {
            let Some((name, mut text)) = file(&pattern, dialect) else { continue };
            for round in 0.. {
                assert!(round < 10, "{code} in {form} is never done\n{text}");
                let document = read(name, &text);
                let all = findings(document.patterns()[0].pattern().text(), dialect);
                let fixes: Vec<(usize, &Fix)> =
                    all.iter().filter_map(|finding| Some((0, finding.fix.as_ref()?))).collect();
                let applied = document.apply(&fixes);
                if applied.outcomes.iter().all(Result::is_err) {
                    assert_eq!(applied.text, text);
                    break;
                }
                text = applied.text;
            }
        }
    }
}

/// Applies every fix of every pattern of a document, and returns the text with what was not applied.
fn all_applied(name: &str, text: &str) -> (String, Vec<NotApplied>) {
    let document = read(name, text);
    let found: Vec<(usize, Fix)> = document
        .patterns()
        .iter()
        .enumerate()
        .flat_map(|(at, found)| {
            let findings = findings(found.pattern().text(), found.dialect().unwrap());
            findings.into_iter().filter_map(move |finding| Some((at, finding.fix?)))
        })
        .collect();
    let fixes: Vec<(usize, &Fix)> = found.iter().map(|(at, fix)| (*at, fix)).collect();
    let applied = document.apply(&fixes);
    (applied.text, applied.outcomes.into_iter().filter_map(Result::err).collect())
}

/// A rule in YAML with this pattern, after other lines.
fn rule(before: &str, pattern: &str) -> String {
    format!("{before}Resources:\n  R:\n    Type: AWS::Events::Rule\n    Properties:\n      EventPattern: {pattern}\n")
}

#[test]
fn patterns_that_share_bytes_change_together_or_not_at_all() {
    let two = |first: &str, second: &str| {
        format!(
            "Resources:\n  A:\n    Type: AWS::Events::Rule\n    Properties:\n      EventPattern: {first}\n  B:\n    Type: AWS::Events::Rule\n    Properties:\n      EventPattern: {second}\n"
        )
    };
    let (text, refused) = all_applied("t.yaml", &two("&p {source: aws.ec2}", "*p"));
    assert_eq!((text, refused), (two("&p {source: [aws.ec2]}", "*p"), vec![]));
    // The same bytes mean two things: what fixes one pattern changes the other.
    let (first, second) = ("{detail: &d {state: [{prefx: a}]}}", "{detail: {x: [b], y: *d}}");
    let (text, refused) = all_applied("t.yaml", &two(first, second));
    assert_eq!((text, refused), (two("{detail: &d {state: [{prefix: a}]}}", second), vec![]));
    let condition = |list: &str| rule("", &format!("!If [Prod, {{source: {list}, account: [a]}}, {{source: {list}}}]"));
    let (text, refused) = all_applied("t.yaml", &condition("aws.ec2"));
    assert_eq!((text, refused), (condition("[aws.ec2]"), vec![]));
    let shared = |list: &str| rule("", &format!("{{source: {list}, detail: {{a: !If [P, [b], [c]]}}}}"));
    let (text, refused) = all_applied("t.yaml", &shared("aws.ec2"));
    assert_eq!((text, refused), (shared("[aws.ec2]"), vec![]), "one place on both sides of the condition");
    let local = |list: &str| {
        format!(
            "locals {{\n  ec2 = {{ source = {list} }}\n}}\nresource \"aws_cloudwatch_event_rule\" \"a\" {{\n  event_pattern = jsonencode(local.ec2)\n}}\nresource \"aws_cloudwatch_event_rule\" \"b\" {{\n  event_pattern = jsonencode(local.ec2)\n}}\n"
        )
    };
    let (text, refused) = all_applied("m.tf", &local("\"aws.ec2\""));
    assert_eq!((text, refused), (local("[\"aws.ec2\"]"), vec![]));
}

#[test]
fn what_is_only_known_later_stays() {
    let pattern = |text: &str| {
        format!(
            "Resources:\n  M:\n    Type: AWS::Lambda::EventSourceMapping\n    Properties:\n      FilterCriteria: {{Filters: [{{Pattern: {text}}}]}}\n"
        )
    };
    let (text, refused) = all_applied("t.yaml", &pattern("!Sub '{\"body\": {\"a\": \"${X}\"}}'"));
    assert_eq!(
        (text, refused),
        (pattern("!Sub '{\"body\": {\"a\": [\"${X}\"]}}'"), vec![]),
        "put into a list as it is"
    );
    let join =
        |list: &str| pattern(&format!("!Join ['', ['{{\"body\": {{\"a\": {list}, \"b\": [\"', !Ref X, '\"]}}}}']]"));
    let (text, refused) = all_applied("t.yaml", &join("\"x\""));
    assert_eq!((text, refused), (join("[\"x\"]"), vec![]));
    let (text, refused) = all_applied("t.yaml", &rule("", "{source: !Sub 'a-${X}'}"));
    assert_eq!((text, refused), (rule("", "{source: [!Sub 'a-${X}']}"), vec![]));
    // Removing the quotes would read what the template puts there.
    let numeric = pattern("!Sub '{\"body\": {\"a\": [{\"numeric\": [\">\", \"${X}\"]}]}}'");
    let (text, _) = all_applied("t.yaml", &numeric);
    assert_eq!(text, numeric);
}

#[test]
fn many_fixes_are_tried_in_few_reads() {
    // One of 600 cannot be applied: its comments would be lost.
    let rule = |at: usize| {
        let total = if at == 300 { "\n            - 5 # five\n            - 5 # again" } else { " 5" };
        format!(
            "  R{at}:\n    Type: AWS::Events::Rule\n    Properties:\n      EventPattern:\n        detail:\n          total:{total}\n"
        )
    };
    let text = format!("Resources:\n{}", (0..600).map(rule).collect::<String>());
    let (changed, refused) = all_applied("t.yaml", &text);
    assert_eq!(refused, [NotApplied::Comments]);
    assert_eq!(changed.matches("total: [5]\n").count(), 599);
}

#[test]
fn a_value_that_something_else_uses_stays() {
    let queue =
        |rule: &str, name: &str| format!("{rule}  Q:\n    Type: AWS::SQS::Queue\n    Properties: {{Name: {name}}}\n");
    let used = |text: &str| {
        let (changed, refused) = all_applied(if text.contains("resource \"") { "m.tf" } else { "t.yaml" }, text);
        assert_eq!(changed, text);
        assert!(
            !refused.is_empty() && refused.iter().all(|why| *why == NotApplied::UsedElsewhere),
            "{text}{refused:?}"
        );
    };
    used(&queue(&rule("", "{source: &a aws.ec2}"), "*a"));
    used(&queue(&rule("", "&a {source: aws.ec2}"), "*a"));
    used(&queue(&rule("", "{detail: &a {b: c}}"), "[*a]"));
    used(&queue(&rule("", "{detail: &a {b: [{prefx: c}]}}"), "{<<: *a}"));
    // Through another name.
    used(&queue(&rule("", "{detail: {a: [&a {prefx: x}], b: &b {c: [*a]}}}"), "*b"));
    // The definition itself is outside.
    used(&rule("x: &a aws.ec2\n", "{source: *a}"));
    used(&rule("x: &a {source: aws.ec2}\n", "*a"));
    used(&rule("x: {y: &a {z: &b aws.ec2}}\n", "{source: *b}"));
    // Another use of something next to it does not matter.
    let (text, refused) = all_applied("t.yaml", &queue(&rule("", "{source: aws.ec2, account: &a ['1']}"), "*a"));
    assert_eq!((text, refused), (queue(&rule("", "{source: [aws.ec2], account: &a ['1']}"), "*a"), vec![]));
    let (text, refused) = all_applied("t.yaml", &rule("", "{source: &a aws.ec2, detail: {b: *a}}"));
    assert_eq!((text, refused), (rule("", "{source: &a [aws.ec2], detail: {b: *a}}"), vec![]));

    let terraform = |before: &str, pattern: &str, name: &str| {
        format!(
            "{before}\nresource \"aws_cloudwatch_event_rule\" \"a\" {{\n  name = {name}\n  event_pattern = jsonencode({pattern})\n}}\n"
        )
    };
    let local = |value: &str| format!("locals {{\n  a = {value}\n}}");
    used(&terraform(&local("\"aws.ec2\""), "{ source = local.a }", "local.a"));
    used(&terraform(&local("\"aws.ec2\""), "{ source = local.a }", "\"x-${local.a}\""));
    used(&terraform(&local("{ source = \"aws.ec2\" }"), "local.a", "local.a.source"));
    used(&terraform("variable \"a\" {\n  default = \"aws.ec2\"\n}", "{ source = var.a }", "\"x\""));
    // Other files of the module may use what is only a part of a pattern.
    used(&terraform(&local("\"aws.ec2\""), "{ source = local.a, detail = { x = local.a } }", "local.ab"));
    let whole = |list: &str| terraform(&local(&format!("{{ source = {list} }}")), "local.a", "local.ab");
    let (text, refused) = all_applied("m.tf", &whole("\"aws.ec2\""));
    assert_eq!((text, refused), (whole("[\"aws.ec2\"]"), vec![]));
}

#[test]
fn comments_stay_with_what_they_are_about() {
    let stays = |name: &str, text: &str| {
        let (changed, refused) = all_applied(name, text);
        assert_eq!((changed.as_str(), refused.as_slice()), (text, [NotApplied::Comments].as_slice()));
    };
    let blocks = |elements: &str| {
        rule("", &format!("\n        source:\n{elements}")).replace("EventPattern: \n", "EventPattern:\n")
    };
    let list = |elements: [&str; 3]| blocks(&elements.map(|element| format!("          - {element}")).join("\n"));
    stays("t.yaml", &list(["a # one", "b", "a # two"]));
    stays("t.yaml", &list(["a", "b", "a\t# two"]));
    stays("t.yaml", &list(["a", "b\t# two", "a"]));
    let (text, refused) = all_applied("t.yaml", &list(["'a #b'", "b # b", "'a #b'"]).replace(" # b", ""));
    assert!(refused.is_empty() && text.matches("'a #b'").count() == 1, "{text}{refused:?}");
    let terraform = |list: &str| {
        format!(
            "resource \"aws_cloudwatch_event_rule\" \"a\" {{\n  event_pattern = jsonencode({{ source = {list} }})\n}}\n"
        )
    };
    stays("m.tf", &terraform("[\"a\", \"b\", /* two */ \"a\"]"));
    stays("m.tf", &terraform("[\"a\", \"b\", // two\n \"a\"]"));
    stays("m.tf", &terraform("[\"a\", \"b\",# two\n \"a\"]"));
    stays("m.tf", &terraform("[\"a\", \"b\",\n \"a\" // two\n]"));
    let (text, refused) = all_applied("m.tf", &terraform("[\"a//#\", \"b\", \"a//#\"] /* c */"));
    assert_eq!((text, refused), (terraform("[\"a//#\", \"b\"] /* c */"), vec![]));
}

/// A number beyond the range of a double is still JSON, whatever features `serde_json` has: the file is not read as YAML.
#[test]
fn numbers_of_any_size_are_json() {
    let text = r#"{"a":"x","b":[1.7976931348623158e308,-1e999]}"#;
    let document = read("pattern.json", text);
    let found = findings(document.patterns()[0].pattern().text(), Dialect::EventBridge);
    let fixes: Vec<(usize, &Fix)> = found.iter().filter_map(|finding| Some((0, finding.fix.as_ref()?))).collect();
    let applied = document.apply(&fixes);
    assert_eq!(applied.text, r#"{"a":["x"],"b":[1.7976931348623158e308,-1e999]}"#);
    for tree in [tree::parse_json(text), tree::parse_json("[1e400]"), tree::parse_json("1e-400")] {
        assert!(tree.is_ok(), "{tree:?}");
    }
    assert!(tree::parse_json("[01]").is_err() && tree::parse_json("[1.]").is_err());
    let template = "Resources:\n  R:\n    Type: AWS::Events::Rule\n    Properties:\n      EventPattern:\n        a: [1.5e+400, -2e+999]\n";
    let document = read("template.yaml", template);
    assert_eq!(document.patterns()[0].pattern().text(), r#"{"a":[1.5e+400,"-2e+999"]}"#);
}
