//! Any text as a pattern: read in every dialect, printed and read again, checked, rated.

use std::fmt::{Display, Formatter};

use eventrie::diagnostic::{Code, Finding, Span};
use eventrie::dialect::SnsVersion;
use eventrie::{Dialect, ParseOptions, Pattern, PatternError};

use crate::choices::Choices;
use crate::make::Maker;
use crate::{Case, paste};

/// A string, and how it is read.
pub(crate) struct Text {
    text: String,
    service_limits: bool,
    strict: bool,
    version: SnsVersion,
}

impl Case for Text {
    fn decode(input: &[u8]) -> Option<Text> {
        let mut choices = Choices::new(input);
        let mode = choices.byte();
        let (service_limits, strict) = (mode & 2 != 0, mode & 4 != 0);
        let version = if mode & 8 == 0 { SnsVersion::V2026 } else { SnsVersion::V2024 };
        let text = if mode & 1 == 0 {
            String::from_utf8(choices.rest().to_vec()).ok()?
        } else {
            let edits: Vec<(usize, u8, u8)> =
                (0..mode >> 4 & 3).map(|_| (choices.wide(), choices.byte(), choices.byte())).collect();
            let mut maker = Maker::new(choices);
            let mut text = maker.pattern();
            for (at, token, action) in edits {
                edit(&mut text, at, token, action);
            }
            text
        };
        Some(Text { text, service_limits, strict, version })
    }

    fn check(&self) {
        for &dialect in Dialect::ALL {
            let options = ParseOptions::new(dialect)
                .service_limits(self.service_limits)
                .strict(self.strict)
                .sns_version(self.version);
            match Pattern::parse_with(&self.text, &options) {
                Ok(pattern) => {
                    // What `usage` reports are today's limits.
                    let today = self.version == SnsVersion::default();
                    check_pattern(&pattern, &options, self.service_limits && today);
                }
                Err(error) => check_error(&self.text, &error),
            }
        }
    }
}

const TOKENS: [&str; 16] = [
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "\"",
    "\\",
    "null",
    "-1e5",
    "{\"prefix\":\"a\"}",
    "\"$or\":[{\"a\":[1]},{\"b\":[2]}],",
    "[]",
    "\u{feff}",
    "\u{1}",
    "{\"anything-but\":[\"a\",1]}",
];

/// Replaces, removes or adds something.
fn edit(text: &mut String, at: usize, token: u8, action: u8) {
    let mut at = at % (text.len() + 1);
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    let token = TOKENS[usize::from(token) % TOKENS.len()];
    let next = text[at..].chars().next().map_or(at, |char| at + char.len_utf8());
    match action % 4 {
        0 => text.replace_range(at..next, token),
        1 => text.replace_range(at..next, ""),
        2 => text.truncate(at),
        _ => text.insert_str(at, token),
    }
}

fn check_span(text: &str, span: Span, what: &str) {
    let (start, end) = (span.start as usize, span.end as usize);
    assert!(start <= end && text.get(start..end).is_some(), "{what}: {start}..{end} is not a part of the text");
}

/// All places of a finding lie in the text, and it can be shown.
fn check_finding(text: &str, finding: &Finding) {
    check_span(text, finding.label.span, finding.code.as_str());
    for label in &finding.context {
        check_span(text, label.span, finding.code.as_str());
    }
    if let Some(fix) = &finding.fix {
        check_span(text, fix.span, "a fix");
    }
    assert!(!finding.message.is_empty() && !finding.message.contains('\n'), "{:?}", finding.message);
    assert!(finding.render(text).to_string().contains(finding.code.as_str()));
}

/// The text with a fix applied that is said to be safe.
fn fixed(text: &str, finding: &Finding) -> Option<String> {
    let fix = finding.fix.as_ref().filter(|fix| fix.is_safe())?;
    let mut fixed = text.to_owned();
    fixed.replace_range(fix.span.start as usize..fix.span.end as usize, &fix.replacement);
    assert_ne!(fixed, text, "a fix that changes nothing: {}", fix.title);
    Some(fixed)
}

fn is_json(text: &str) -> bool {
    serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok()
}

/// An array at the root of a DATA pattern has no documented meaning, so it is no pattern, but not an error either.
fn root_array(error: &PatternError) -> bool {
    error.findings().iter().all(|finding| finding.code == Code::RootArray)
}

fn check_error(text: &str, error: &PatternError) {
    assert!(!error.findings().is_empty() && (error.findings().iter().any(Finding::is_error) || root_array(error)));
    for finding in error.findings() {
        check_finding(text, finding);
        if let (Some(fixed), true) = (fixed(text, finding), is_json(text)) {
            assert!(is_json(&fixed), "a safe fix ({}) makes {fixed}, which is not JSON", finding.code.as_str());
        }
    }
    // Few messages of the Custom Event Bus are documented.
    let undocumented = error.dialect().name().starts_with("eventsv2");
    assert!(!error.to_string().is_empty() && (undocumented || !error.service_message().is_empty()));
    assert_eq!(error.source(), text);
}

fn check_pattern(pattern: &Pattern, options: &ParseOptions, limited: bool) {
    let findings = pattern.lint_with(&eventrie::pattern::LintOptions::default().notes(true));
    let exceeded = pattern.usage().into_iter().find(|usage| usage.is_exceeded());
    assert!(!limited || exceeded.is_none(), "accepted under the service's limits, but {exceeded:?}");
    for finding in &findings {
        check_finding(pattern.source(), finding);
        assert!(!finding.is_error(), "a valid pattern has errors: {}", finding.message);
    }
    for fixed in findings.iter().filter_map(|finding| fixed(pattern.source(), finding)) {
        // It may mean something else: `detail-Type` is misspelled.
        let again = Pattern::parse_with(&fixed, &options.clone().service_limits(false));
        assert!(again.is_ok(), "safely fixed to {fixed}, which is refused: {}", again.unwrap_err());
    }
    // Printing may lengthen a string; its meaning is what counts.
    let options = options.clone().service_limits(false);
    let printed = pattern.to_string();
    let again = Pattern::parse_with(&printed, &options)
        .unwrap_or_else(|error| panic!("printed as {printed}, which is refused: {error}"));
    assert_eq!(again.to_string(), printed, "printing what was printed gives another text");
    assert_eq!(again.wildcard_complexity(), pattern.wildcard_complexity(), "{printed} has another complexity");
    let codes = |findings: &[Finding]| {
        let mut codes: Vec<Code> = findings.iter().map(|finding| finding.code).collect();
        codes.sort_unstable();
        codes.dedup();
        // These are about the text alone.
        codes.retain(|code| !NOT_PRINTED.contains(&code.as_str()));
        codes
    };
    assert_eq!(
        codes(&again.lint_with(&eventrie::pattern::LintOptions::default().notes(true))),
        codes(&findings),
        "{printed} has other findings"
    );
    if let Some(sample) = pattern.sample() {
        for one in [pattern, &again] {
            let found = one.explain(sample.as_bytes()).unwrap();
            assert!(found.matched(), "{one} does not match its sample {sample}: {}", found.summary());
        }
    }
}

/// Findings about the spelling of a string: what follows it, and its length.
const NOT_PRINTED: [&str; 2] = ["W0020", "W0021"];

impl Display for Text {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        for &dialect in Dialect::ALL {
            let (name, text) = (dialect.name(), paste::shell(self.text.as_bytes()));
            writeln!(f, "cargo run -q -p eventrie-cli -- check -d {name} -e {text}")?;
        }
        let (text, limits, strict) = (paste::rust(self.text.as_bytes()), self.service_limits, self.strict);
        write!(
            f,
            "let text = {text};\nfor &dialect in Dialect::ALL {{\n    let options = \
             ParseOptions::new(dialect).service_limits({limits}).strict({strict}).sns_version({:?}.parse().unwrap());\n    \
             println!(\"{{dialect:?}} {{:?}}\", Pattern::parse_with(text, &options).map(|pattern| pattern.to_string()));\n}}",
            if self.version == SnsVersion::default() { "2026" } else { "2024" },
        )
    }
}
