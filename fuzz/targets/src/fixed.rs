//! Fixes that are applied to a file, against the pattern's text with the fix and against what the file was.

use std::ops::Range;

use eventrie::diagnostic::{Finding, Fix, Span};
use eventrie::{Dialect, Pattern};
use eventrie_files::tree::{self, Node, Value};
use eventrie_files::{Document, Edit, Expected, SourceFile};

use crate::json;
use crate::make::quote;

/// More fixes at once only repeat what these show.
const MOST_FIXES: usize = 12;

/// Applies the fixes of all findings of all patterns.
pub(crate) fn check(document: &Document, expected: Expected) {
    let findings: Vec<(usize, Finding)> = (document.patterns().iter().enumerate())
        .flat_map(|(at, found)| {
            let dialect = found.dialect().unwrap_or(Dialect::EventBridge);
            let findings = match Pattern::parse(found.pattern().text(), dialect) {
                Ok(pattern) => pattern.lint(),
                Err(error) => error.findings().to_vec(),
            };
            findings.into_iter().map(move |finding| (at, finding))
        })
        .collect();
    let fixes: Vec<(usize, &Fix)> =
        findings.iter().filter_map(|(at, finding)| Some((*at, finding.fix.as_ref()?))).take(MOST_FIXES).collect();
    if fixes.is_empty() {
        return;
    }
    let applied = document.apply(&fixes);
    let (name, old) = (document.file().name(), document.file().text());
    assert_eq!(applied.outcomes.len(), fixes.len());
    let done: Vec<(usize, &Fix)> =
        fixes.iter().zip(&applied.outcomes).filter(|(_, outcome)| outcome.is_ok()).map(|(fix, _)| *fix).collect();
    if done.is_empty() {
        assert_eq!(applied.text, old, "{name}: no fix was applied, and the file is another");
        return;
    }
    let edits = edits(applied.outcomes.iter().flatten().flatten());
    assert_eq!(applied.text, edited(old, &edits), "{name}: the text is not that of the edits");

    let after = Document::read(SourceFile::new(name, applied.text.as_str()), expected);
    let Ok(after) = after else { panic!("{name}: the fixed file is not read: {}", applied.text) };
    assert_eq!(after.patterns().len(), document.patterns().len(), "{name}: {}", applied.text);
    for (at, (before, now)) in document.patterns().iter().zip(after.patterns()).enumerate() {
        let mut spans: Vec<(Span, &str)> = done
            .iter()
            .filter(|(pattern, _)| *pattern == at)
            .map(|(_, fix)| (fix.span, fix.replacement.as_str()))
            .collect();
        spans.sort_by_key(|(span, _)| std::cmp::Reverse((span.start, span.end)));
        let mut wanted = before.pattern().text().to_owned();
        for (span, replacement) in spans {
            wanted.replace_range(span.start as usize..span.end as usize, replacement);
        }
        let text = now.pattern().text();
        let is_wanted =
            text == wanted || matches!((json::parse(text), json::parse(&wanted)), (Some(a), Some(b)) if a == b);
        assert!(is_wanted, "{name}: the pattern is {text} and should be {wanted}");
    }
    // A file that is one pattern has nothing around it, or a fix has removed what was around it.
    if let Some(rest) = around(document).filter(|rest| rest != "_" && expected != Expected::Pattern) {
        assert_eq!(Some(rest), around(&after), "{name}: something outside the patterns changed");
    }
}

/// The edits of all fixes in the order of the text; patterns that share bytes list an edit twice.
fn edits<'a>(all: impl Iterator<Item = &'a Edit>) -> Vec<&'a Edit> {
    let mut edits: Vec<&Edit> = all.collect();
    edits.sort_by_key(|edit| (edit.range.start, edit.range.end));
    edits.dedup();
    edits
}

fn edited(old: &str, edits: &[&Edit]) -> String {
    let (mut text, mut from) = (String::new(), 0);
    for edit in edits {
        assert!(from <= edit.range.start, "edits overlap");
        text.push_str(&old[from..edit.range.start]);
        text.push_str(&edit.text);
        from = edit.range.end;
    }
    text + &old[from..]
}

/// The file's tree without its patterns; none for what is not JSON or YAML as a whole.
fn around(document: &Document) -> Option<String> {
    let text = document.file().text();
    let patterns: Vec<Range<usize>> = (document.patterns().iter())
        .filter_map(|found| {
            let end = u32::try_from(found.pattern().text().len()).ok()?;
            Some(found.pattern().range(Span::new(0, end)))
        })
        .collect();
    // A file of either name is JSON if it can be: YAML knows fewer escapes.
    let read = tree::parse_json(text).or_else(|_| tree::parse_yaml(text));
    let mut around = String::new();
    write(&read.ok()?, &patterns, &mut around);
    Some(around)
}

fn write(node: &Node, patterns: &[Range<usize>], out: &mut String) {
    let touches = |one: &Range<usize>| one.start < node.span.end && node.span.start < one.end;
    let contains = |one: &Range<usize>| one.start <= node.span.start && node.span.end <= one.end;
    match &node.value {
        _ if patterns.iter().any(contains) => out.push('_'),
        Value::List(elements) => {
            out.push('[');
            elements.iter().for_each(|element| write(element, patterns, out));
            out.push(']');
        }
        Value::Map(members) => {
            out.push('{');
            for (key, value) in members {
                write(key, patterns, out);
                write(value, patterns, out);
            }
            out.push('}');
        }
        _ if patterns.iter().any(touches) => out.push('_'),
        Value::String(text) => out.push_str(&quote(text)),
        Value::Plain(text) => out.push_str(text),
    }
}
