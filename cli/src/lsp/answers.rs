//! What is answered about an open document: diagnostics, quick fixes, descriptions, and explanations against an event.

use std::fs::File;
use std::io::Read;

use eventrie::diagnostic::{Finding, Fix, Label, Severity};
use eventrie::service::{Subscription, SubscriptionReport};
use eventrie::{ParseOptions, Pattern};
use eventrie_files::envelope;
use eventrie_files::tree::parse_json;
use eventrie_files::{EVENT_FILE, Found};
use gen_lsp_types as lsp;
use serde_json::json;

use super::document::{Checked, Open, path};
use super::options::Options;
use super::text::Text;
use super::{operators, place};
use crate::events;
use crate::findings::Placed;

/// Most diagnostics of one document.
const MOST_FINDINGS: usize = 1_000;
/// Most fixes that are tried for one request: each is tried on the whole document.
const MOST_FIXES: usize = 20;
/// The longest event that a file is explained against.
const LONGEST_EVENT: u64 = 4 << 20;

/// The command that explains a pattern against an event.
pub(super) const EXPLAIN: &str = "eventrie.explain";

/// Everything that is wrong in a document.
pub(super) fn diagnostics(uri: &lsp::Uri, open: &mut Open, options: &Options) -> Vec<lsp::Diagnostic> {
    let (text, checked) = open.parts(options);
    let findings = checked.findings.iter().take(MOST_FINDINGS);
    let mut all: Vec<_> = findings.map(|one| diagnostic(uri, text, &one.finding)).collect();
    for (at, message) in &checked.unread {
        let mut diagnostic = lsp::Diagnostic { range: text.range(*at..*at + 1), ..lsp::Diagnostic::default() };
        diagnostic.severity = Some(lsp::DiagnosticSeverity::Warning);
        diagnostic.source = Some("eventrie".to_owned());
        diagnostic.message = format!("not checked: {message}").into();
        all.push(diagnostic);
    }
    all
}

fn diagnostic(uri: &lsp::Uri, text: &Text, finding: &Finding) -> lsp::Diagnostic {
    let severity = match finding.severity {
        Severity::Error => lsp::DiagnosticSeverity::Error,
        Severity::Warning => lsp::DiagnosticSeverity::Warning,
        _ => lsp::DiagnosticSeverity::Information,
    };
    let mut message = finding.message.clone();
    if let Some(help) = &finding.help {
        message.push_str("\nhelp: ");
        message.push_str(help);
    }
    let related = |label: &Label| lsp::DiagnosticRelatedInformation {
        location: lsp::Location::new(uri.clone(), text.range(label.span.start as usize..label.span.end as usize)),
        message: label.message.clone(),
    };
    let related: Vec<_> = finding.context.iter().map(related).collect();
    lsp::Diagnostic {
        range: text.range(range(finding)),
        severity: Some(severity),
        code: Some(lsp::Code::String(finding.code.as_str().to_owned())),
        source: Some("eventrie".to_owned()),
        message: message.into(),
        related_information: (!related.is_empty()).then_some(related),
        ..lsp::Diagnostic::default()
    }
}

fn range(finding: &Finding) -> std::ops::Range<usize> {
    finding.label.span.start as usize..finding.label.span.end as usize
}

/// The fixes of findings in a range. Each was tried on a copy of the file, which then has exactly the fixed pattern.
pub(super) fn actions(uri: &lsp::Uri, open: &mut Open, at: lsp::Range, options: &Options) -> Vec<lsp::CodeAction> {
    let (text, checked) = open.parts(options);
    let Some(document) = &checked.document else { return Vec::new() };
    let wanted = text.offset(at.start)..=text.offset(at.end);
    let touches = |one: &&Placed| {
        let range = range(&one.finding);
        range.start <= *wanted.end() && range.end >= *wanted.start()
    };
    let findings = checked.findings.iter().filter(|one| !one.fixes.is_empty());
    let findings = findings.filter(touches).take(MOST_FIXES);
    let action = |one: &Placed| {
        let fixes: Vec<(usize, &Fix)> = one.fixes.iter().map(|(pattern, fix)| (*pattern, fix)).collect();
        let (_, first) = fixes.first()?;
        let mut edits = Vec::new();
        for outcome in document.apply(&fixes).outcomes {
            let changed = outcome.ok()?;
            edits.extend(changed.into_iter().map(|edit| lsp::TextEdit::new(text.range(edit.range), edit.text)));
        }
        Some(lsp::CodeAction {
            title: capitalized(&first.title),
            kind: Some(lsp::CodeActionKind::QuickFix),
            diagnostics: Some(vec![diagnostic(uri, text, &one.finding)]),
            is_preferred: Some(fixes.iter().all(|(_, fix)| fix.is_safe())),
            edit: Some(lsp::WorkspaceEdit {
                changes: Some([(uri.clone(), edits)].into()),
                ..lsp::WorkspaceEdit::default()
            }),
            ..lsp::CodeAction::default()
        })
    };
    findings.filter_map(action).collect()
}

fn capitalized(title: &str) -> String {
    let mut rest = title.chars();
    rest.next().map_or_else(String::new, |first| first.to_uppercase().chain(rest).collect())
}

/// The pages of the findings at a place, or what the operator there means.
pub(super) fn hover(open: &mut Open, at: lsp::Position, options: &Options) -> Option<lsp::Hover> {
    let offset = open.text.offset(at);
    let (text, checked) = open.parts(options);
    let is_here = |finding: &&Finding| (range(finding).start..=range(finding).end).contains(&offset);
    let findings: Vec<&Finding> = checked.findings.iter().map(|one| &one.finding).filter(is_here).collect();
    let operator = operator(checked, offset);
    let mut pages: Vec<String> = operator.iter().map(|(text, _)| text.clone()).collect();
    for (at, finding) in findings.iter().enumerate() {
        if findings.get(..at).is_some_and(|before| before.iter().all(|other| other.code != finding.code)) {
            pages.push(page(finding.code.page()));
        }
    }
    let range = match findings.first() {
        Some(finding) => range(finding),
        None => operator?.1,
    };
    let contents = lsp::MarkupContent::new(lsp::MarkupKind::Markdown, pages.join("\n\n---\n\n"));
    Some(lsp::Hover { contents: contents.into(), range: Some(text.range(range)) })
}

/// The description of the operator at a byte, and where its name is.
fn operator(checked: &Checked, offset: usize) -> Option<(String, std::ops::Range<usize>)> {
    let (found, at) = checked.pattern_at(offset)?;
    let pattern = found.pattern();
    let place = place::find(&parse_json(pattern.text()).ok()?, at)?;
    let dialect = checked.dialect(found);
    let text = match &place.here {
        place::Here::Operator(within) => operators::described(&place.text, within, dialect)?,
        place::Here::Field if place.text == "$or" => operators::described("$or", &[], dialect)?,
        _ => return None,
    };
    let short = |offset: usize| u32::try_from(offset).unwrap_or(u32::MAX);
    let span = eventrie::diagnostic::Span::new(short(place.span.start), short(place.span.end));
    Some((text, pattern.range(span)))
}

/// The page of a finding as editors show it: its examples are JSON.
fn page(page: &str) -> String {
    let lines =
        page.lines().map(|line| match line.strip_prefix("```").map(|fence| fence.split(' ').next().unwrap_or("")) {
            Some("bad" | "good") => "```json",
            _ => line,
        });
    lines.collect::<Vec<_>>().join("\n")
}

/// The event that a file's patterns are explained against: what it is called, and its text.
pub(super) struct Event {
    pub(super) name: String,
    pub(super) text: Vec<u8>,
}

/// Where the event of a document is: the one that is set, or `NAME.event.json` next to the file.
pub(super) fn event_path(uri: &str, options: &Options) -> Option<String> {
    if let Some(event) = &options.event {
        return Some(event.clone());
    }
    let path = path(uri)?;
    let dot = path.rfind('.').filter(|dot| path.rfind(['/', '\\']).is_none_or(|slash| slash < *dot))?;
    let stem = path.get(..dot)?;
    (!path.ends_with(EVENT_FILE)).then(|| format!("{stem}{EVENT_FILE}"))
}

/// Reads a file with an event, if it is there and not longer than an event is.
pub(super) fn event_of(path: &str) -> Option<Event> {
    let mut text = Vec::new();
    File::open(path).ok()?.take(LONGEST_EVENT + 1).read_to_end(&mut text).ok()?;
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path).to_owned();
    (text.len() as u64 <= LONGEST_EVENT).then_some(Event { name, text })
}

/// A line above each pattern that says whether it matches the event, and why.
pub(super) fn lenses(uri: &str, open: &mut Open, event: &Event, options: &Options) -> Vec<lsp::CodeLens> {
    let checked = open.checked(options);
    let patterns = checked.document.iter().flat_map(|document| document.patterns().iter().enumerate());
    let patterns = patterns.take(MOST_FINDINGS);
    let verdicts = patterns.filter_map(|(at, found)| {
        let verdict = match explained(checked, found, event)? {
            Ok(report) => report.summary().to_owned(),
            Err(message) => message,
        };
        let start = found.pattern().range(eventrie::diagnostic::Span::new(0, 1)).start;
        Some((at, start, verdict))
    });
    let verdicts: Vec<_> = verdicts.collect();
    let lens = |(at, start, verdict): (usize, usize, String)| lsp::CodeLens {
        range: open.text.range(start..start),
        command: Some(lsp::Command {
            title: format!("{}: {verdict}", event.name),
            tooltip: None,
            command: EXPLAIN.to_owned(),
            arguments: Some(vec![json!(uri), json!(at)]),
        }),
        data: None,
    };
    verdicts.into_iter().map(lens).collect()
}

/// The explanation of the pattern at a position, in full.
pub(super) fn explanation(open: &mut Open, at: usize, event: &Event, options: &Options) -> Option<String> {
    let checked = open.checked(options);
    let found = checked.document.as_ref()?.patterns().get(at)?;
    let report = match explained(checked, found, event)? {
        Ok(report) => report,
        Err(message) => return Some(message),
    };
    let mut text = match report.explanations().next() {
        Some((_, explanation)) => explanation.render().to_string(),
        None => report.summary().to_owned(),
    };
    for note in report.notes() {
        text.push_str("\n= ");
        text.push_str(note);
    }
    Some(text)
}

/// Whether the event matches; none if the pattern is invalid, or only known when the template is deployed.
fn explained(checked: &Checked, found: &Found, event: &Event) -> Option<Result<SubscriptionReport, String>> {
    if found.is_open() {
        return None;
    }
    let dialect = checked.dialect(found);
    let reading = ParseOptions::new(dialect).engine(checked.reading().engine);
    let pattern = Pattern::parse_with(found.pattern().text(), &reading).ok()?;
    let subscription = Subscription::new([pattern], &reading, found.source()).ok()?;
    let opened = events::wanted(dialect, found.source()).and_then(|wanted| envelope::open(&event.text, wanted));
    let inner = opened.as_ref().and_then(|opened| opened.events().first());
    let text = inner.map_or(event.text.as_slice(), |inner| inner.text().as_bytes());
    Some(subscription.explain(text).map_err(|error| format!("cannot be read: {error}")))
}
