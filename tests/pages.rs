//! Every code has a page. Its bad example has exactly that finding, its good example has none, and the page says why
//! the finding matters.

use std::collections::BTreeSet;

use eventrie::diagnostic::{Code, Finding};
use eventrie::{Dialect, Limits, ParseOptions, Pattern};

/// What is found in an example, whose fence says how to read it.
fn found(fence: &str, text: &str) -> Vec<Code> {
    let codes = |findings: Vec<Finding>| findings.iter().map(|finding| finding.code).collect::<Vec<_>>();
    let mut words = fence.split_whitespace().skip(1);
    match words.next().unwrap() {
        "rules" => {
            let parse = |line: &str| Pattern::parse(line, Dialect::EventBridge).unwrap();
            let rules: Vec<Pattern> = text.lines().map(parse).collect();
            let [first, second] = rules.as_slice() else { panic!("two rules, one per line: {text}") };
            let mut found: Vec<Code> = rules.iter().flat_map(|rule| codes(rule.lint_among(&[]))).collect();
            found.extend(codes([first.lint_beside(second), second.lint_beside(first)].into_iter().flatten().collect()));
            found
        }
        "rule" => {
            let rule = Pattern::parse(text, Dialect::EventBridge).unwrap();
            let mut found = codes(rule.lint_among(&[]));
            for word in words {
                let bus = word.strip_prefix("bus=");
                found.extend(codes(rule.lint_deployed(word == "disabled", bus).into_iter().collect()));
            }
            found
        }
        "subscriber" => {
            let filters: Vec<Pattern> = text
                .lines()
                .map(|line| {
                    let (scope, pattern) = line.split_once(' ').unwrap();
                    Pattern::parse(pattern, Dialect::of_scope(scope).unwrap()).unwrap()
                })
                .collect();
            let all: Vec<&Pattern> = filters.iter().collect();
            filters.iter().flat_map(|filter| codes(filter.lint_among(&all))).collect()
        }
        name => {
            let mut options = ParseOptions::new(name.parse::<Dialect>().unwrap()).service_limits(true);
            for word in words {
                options = if let Some(engine) = word.strip_prefix("engine=") {
                    options.engine(engine.parse().unwrap())
                } else {
                    let bytes = word.strip_prefix("pattern_bytes=").unwrap().parse().unwrap();
                    options.limits(Limits::default().pattern_bytes(bytes))
                };
            }
            match Pattern::parse_with(text, &options) {
                Ok(pattern) => codes(pattern.lint_among(&[])),
                Err(error) => codes(error.findings().to_vec()),
            }
        }
    }
}

/// The fenced examples of a page: fence and text.
fn examples(page: &str) -> Vec<(&str, &str)> {
    page.split("```").skip(1).step_by(2).map(|block| block.split_once('\n').unwrap()).collect()
}

#[test]
fn every_page_says_what_why_and_how() {
    for code in Code::ALL {
        let page = code.page();
        assert!(page.starts_with(&format!("## {code}: ")), "{code} has no page");
        assert!(code.title().len() > 10 && !code.title().ends_with('.'), "{code}: {}", code.title());
        assert!(page.contains("\n**Why it matters.** "), "{code} does not say why it matters");
        let kinds: Vec<&str> = examples(page).iter().map(|(fence, _)| fence.split(' ').next().unwrap()).collect();
        assert_eq!(kinds, ["bad", "good"], "{code}");
    }
}

#[test]
fn a_bad_example_has_exactly_its_finding_and_a_good_one_has_none() {
    let mut wrong = Vec::new();
    for code in Code::ALL {
        for (fence, text) in examples(code.page()) {
            // What depends on a project's files is checked with the command line.
            if fence.ends_with(" project") {
                continue;
            }
            let mut codes = found(fence, text.trim_end());
            // Every address block has the note on the engine's quirks: that is what the note is about.
            if *code == Code::HostBits {
                codes.retain(|code| *code != Code::EngineDiffers);
            }
            // Two rules that match the same events are found from both sides.
            let codes: BTreeSet<Code> = codes.into_iter().collect();
            let expected = if fence.starts_with("bad ") { BTreeSet::from([*code]) } else { BTreeSet::new() };
            if codes != expected {
                wrong.push(format!("{code}: {fence}\n{text}has {codes:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn a_field_is_a_value_or_an_object() {
    let codes = |text: &str| found("bad eventbridge", text);
    assert!(codes(r#"{"detail":{"a":[{"exists":true}],"a.b":["x"]}}"#).contains(&Code::ObjectField));
    assert!(!codes(r#"{"detail":{"a":[{"exists":false}],"a.b":["x"]}}"#).contains(&Code::ObjectField));
    assert!(!codes(r#"{"detail":{"a":["x"],"ab":{"c":["x"]}}}"#).contains(&Code::ObjectField));
}
