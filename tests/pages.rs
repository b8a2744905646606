//! Every code has a page, its bad example has the code, and its good one has it no more.

use eventrie::diagnostic::Code;
use eventrie::{Dialect, Limits, ParseOptions, Pattern};

/// The codes of what is found in an example, whose fence says how it is to be read.
fn found(fence: &str, text: &str) -> Vec<Code> {
    if fence.ends_with(" rules") {
        let rules: Vec<Pattern> =
            text.lines().map(|line| Pattern::parse(line, Dialect::EventBridge).unwrap()).collect();
        let [first, second] = rules.as_slice() else { panic!("two rules, one a line: {text}") };
        let beside = [first.lint_beside(second), second.lint_beside(first)];
        return beside.into_iter().flatten().map(|finding| finding.code).collect();
    }
    let mut words = fence.split_whitespace().skip(1);
    let dialect = words.next().unwrap().parse::<Dialect>().unwrap();
    let mut options = ParseOptions::new(dialect).service_limits(true);
    for word in words {
        let bytes = word.strip_prefix("pattern_bytes=").unwrap().parse().unwrap();
        options = options.limits(Limits::default().pattern_bytes(bytes));
    }
    let findings = match Pattern::parse_with(text, &options) {
        Ok(pattern) => pattern.lint(),
        Err(error) => error.findings().to_vec(),
    };
    findings.iter().map(|finding| finding.code).collect()
}

#[test]
fn every_code_has_a_page_whose_examples_are_true() {
    for code in Code::ALL {
        let page = code.page();
        assert!(page.starts_with(&format!("## {code}: ")), "{code} has no page");
        assert!(code.title().len() > 10 && !code.title().ends_with('.'), "{code}: {}", code.title());
        let blocks: Vec<(&str, &str)> =
            page.split("```").skip(1).step_by(2).map(|block| block.split_once('\n').unwrap()).collect();
        let (mut bad, mut good) = (0, 0);
        for (fence, text) in blocks {
            let codes = found(fence, text.trim_end());
            if fence.starts_with("bad ") {
                bad += 1;
                assert!(codes.contains(code), "{code}: the bad example has only {codes:?}");
            } else if fence.starts_with("good ") {
                good += 1;
                assert!(!codes.contains(code), "{code}: the good example has it too");
                assert!(!codes.iter().any(|code| code.as_str().starts_with('E')), "{code}: good example has {codes:?}");
            }
        }
        assert!(bad > 0 && good > 0, "{code} lacks an example");
    }
}

#[test]
fn there_is_no_page_without_a_code() {
    let pages = include_str!("../src/diagnostic/pages.md");
    for heading in pages.lines().filter_map(|line| line.strip_prefix("## ")) {
        let code = heading.split(':').next().unwrap();
        assert!(code.parse::<Code>().is_ok(), "{heading}");
    }
}

#[test]
fn a_field_is_a_value_or_an_object() {
    let codes = |text: &str| found("bad eventbridge", text);
    assert!(codes(r#"{"detail":{"a":[{"exists":true}],"a.b":["x"]}}"#).contains(&Code::ObjectField));
    assert!(!codes(r#"{"detail":{"a":[{"exists":false}],"a.b":["x"]}}"#).contains(&Code::ObjectField));
    assert!(!codes(r#"{"detail":{"a":["x"],"ab":{"c":["x"]}}}"#).contains(&Code::ObjectField));
}
