//! The tools: each answers with text for the assistant, and with the same as data.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use eventrie::diagnostic::{Code, LineIndex};
use eventrie::service::{Decoder, Migrated, Publisher, SubscriptionScratch, SubscriptionSet};
use eventrie_files::{Document, Expected, SourceFile};
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::given::{INVALID_PARAMS, Json, Refusal, Service, arguments};
use crate::findings::{Findings, Reading};
use crate::judge;
use crate::shown::{NOTHING_IN_COMMON, counted};

/// Most events of one request.
const MOST_EVENTS: usize = 10_000;
/// Most findings that are answered; the rest is counted.
const MOST_FINDINGS: usize = 200;

#[derive(Deserialize)]
struct Call<'a> {
    name: String,
    #[serde(borrow, default)]
    arguments: Option<&'a RawValue>,
}

/// Text and data of an answer.
type Answer = Result<(String, Value), String>;

/// Calls a tool. What is wrong with its arguments is an answer too, so the assistant can correct it.
pub(super) fn call(params: &str) -> Result<Value, Refusal> {
    if !params.trim_start().starts_with('{') {
        return Err((INVALID_PARAMS, "expected an object with `name` and `arguments`".to_owned()));
    }
    let call: Call<'_> = serde_json::from_str(params).map_err(|error| (INVALID_PARAMS, error.to_string()))?;
    let given = call.arguments.map_or("{}", RawValue::get);
    let answer = match call.name.as_str() {
        "check" => check(given),
        "explain" => explain(given),
        "match" => matching(given),
        "infer" => inferred(given),
        "migrate" => migrate(given),
        "explain_code" => explain_code(given),
        name => return Err((INVALID_PARAMS, format!("unknown tool `{name}`"))),
    };
    Ok(match answer {
        Ok((text, data)) => {
            json!({"content": [{"type": "text", "text": text}], "structuredContent": data, "isError": false})
        }
        Err(message) => json!({"content": [{"type": "text", "text": message}], "isError": true}),
    })
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CheckGiven {
    text: String,
    language: Option<String>,
    dialect: Option<String>,
}

fn check(given: &str) -> Answer {
    let given: CheckGiven = arguments(given)?;
    let name = match given.language.as_deref() {
        None | Some("json") => "input.json",
        Some("yaml") => "input.yaml",
        Some("terraform") => "input.tf",
        Some(other) => return Err(format!("language: expected json, yaml or terraform, found `{other}`")),
    };
    let dialect = Service::of(given.dialect.as_deref(), None)?.dialect;
    let document = Document::read(SourceFile::new(name, given.text), Expected::Anything);
    let document = document.map_err(|error| error.to_string())?;
    let all = Findings::of(&document, Reading { dialect, ..Reading::default() }).all;
    let lines = LineIndex::new(document.file().text());
    let mut text = format!("{}, {}\n", counted(document.patterns().len(), "pattern"), counted(all.len(), "finding"));
    for error in document.unread() {
        writeln!(text, "{error}").map_err(|error| error.to_string())?;
    }
    for note in document.notes() {
        writeln!(text, "{note}").map_err(|error| error.to_string())?;
    }
    let mut findings = Vec::new();
    for one in all.iter().take(MOST_FINDINGS) {
        let finding = &one.finding;
        let shown = finding.render_in(&lines).name(name).to_string();
        writeln!(text, "\n{shown}").map_err(|error| error.to_string())?;
        let at = lines.position(finding.label.span.start as usize);
        let fixes: Vec<_> = one.fixes.iter().map(|(pattern, fix)| (*pattern, fix)).collect();
        let applied = (!fixes.is_empty()).then(|| document.apply(&fixes));
        let fixed = applied.filter(|applied| applied.outcomes.iter().all(Result::is_ok)).map(|applied| applied.text);
        // What cannot be written into the text is not safe to write.
        let is_safe = fixed.is_some() && one.fixes.iter().all(|(_, fix)| fix.is_safe());
        let fix = finding.fix.as_ref().map(|fix| json!({"title": fix.title, "safe": is_safe, "fixed_text": fixed}));
        findings.push(json!({
            "code": finding.code, "severity": finding.severity, "message": finding.message, "help": finding.help,
            "line": at.line, "column": at.column, "place": one.place, "fix": fix,
        }));
    }
    let data = json!({"patterns": document.patterns().len(), "findings": findings, "count": all.len()});
    Ok((text, data))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ExplainGiven {
    pattern: Json,
    event: Json,
    dialect: Option<String>,
    source: Option<String>,
}

fn explain(given: &str) -> Answer {
    let given: ExplainGiven = arguments(given)?;
    let service = Service::of(given.dialect.as_deref(), given.source.as_deref())?;
    let subscription = service.subscription(&given.pattern.text())?;
    let event = given.event.text();
    let report = subscription.explain(event.as_str()).map_err(|error| format!("the event cannot be read: {error}"))?;
    let mut text = match report.explanations().next() {
        Some((_, explanation)) => explanation.render().to_string(),
        None => report.summary().to_owned(),
    };
    for note in report.notes() {
        write!(text, "\n  = {note}").map_err(|error| error.to_string())?;
    }
    let explanations: Vec<_> = report.explanations().map(|(_, explanation)| explanation).collect();
    let data = json!({
        "matched": report.outcome().matched, "summary": report.summary(), "explanation": explanations.first(),
    });
    Ok((text, data))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MatchGiven {
    patterns: BTreeMap<String, Json>,
    events: Vec<Json>,
    dialect: Option<String>,
    source: Option<String>,
}

fn matching(given: &str) -> Answer {
    let given: MatchGiven = arguments(given)?;
    let service = Service::of(given.dialect.as_deref(), given.source.as_deref())?;
    let mut subscriptions = Vec::new();
    for (name, pattern) in &given.patterns {
        let subscription = service.subscription(&pattern.text()).map_err(|error| format!("{name}: {error}"))?;
        subscriptions.push((name.as_str(), subscription));
    }
    let set = SubscriptionSet::new(subscriptions).map_err(|error| error.to_string())?;
    let mut scratch = SubscriptionScratch::default();
    let (mut text, mut answers) = (String::new(), Vec::new());
    for (at, event) in few(&given.events)?.iter().enumerate() {
        let event = event.text();
        let names: Vec<&str> = match set.judge(event.as_str(), &mut scratch) {
            Ok(verdict) => verdict.keys().copied().collect(),
            Err(error) => {
                answers.push(json!({"event": at, "error": error.to_string()}));
                writeln!(text, "event {at}: cannot be read: {error}").map_err(|error| error.to_string())?;
                continue;
            }
        };
        let shown = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
        writeln!(text, "event {at}: {shown}").map_err(|error| error.to_string())?;
        answers.push(json!({"event": at, "matched": names}));
    }
    Ok((text, json!({"events": answers})))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct InferGiven {
    events: Vec<Json>,
    dialect: Option<String>,
    source: Option<String>,
}

fn inferred(given: &str) -> Answer {
    let given: InferGiven = arguments(given)?;
    let service = Service::of(given.dialect.as_deref(), given.source.as_deref())?;
    let decoder = Decoder::new(service.dialect, service.source).map_err(|error| error.to_string())?;
    let (mut inputs, mut numbers) = (Vec::new(), Vec::new());
    for (at, event) in few(&given.events)?.iter().enumerate() {
        let unread = |cause: &dyn std::fmt::Display| format!("event {at} cannot be read: {cause}");
        let event = event.text();
        let found = judge::inputs(decoder, event.as_bytes()).map_err(|error| unread(&error))?;
        for input in found.map_err(|cause| unread(&cause))? {
            inputs.push(input.to_vec());
            numbers.push(at);
        }
    }
    if inputs.is_empty() {
        return Err("there are no events to infer a pattern from".to_owned());
    }
    let inferred = decoder.infer(inputs.iter().map(Vec::as_slice));
    let inferred = inferred.map_err(|error| {
        let at = numbers.get(error.event()).copied().unwrap_or_default();
        format!("event {at} cannot be read: {}", error.error())
    })?;
    if inferred.pattern == "{}" {
        return Err(NOTHING_IN_COMMON.to_owned());
    }
    let data = serde_json::to_value(&inferred).map_err(|error| error.to_string())?;
    Ok((format!("{}\n\n{data:#}", inferred.pattern), data))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MigrateGiven {
    pattern: Json,
    published_with: Option<String>,
}

fn migrate(given: &str) -> Answer {
    let given: MigrateGiven = arguments(given)?;
    let publisher = match given.published_with.as_deref() {
        None | Some("put-events") => Publisher::PutEvents,
        Some("put-raw-events") => Publisher::PutRawEvents,
        Some(other) => return Err(format!("published_with: expected put-events or put-raw-events, found `{other}`")),
    };
    let rule = Service::default().pattern(&given.pattern.text())?;
    let migrated = Migrated::of(&rule, publisher).map_err(|error| error.to_string())?;
    let filters = migrated.configuration().filters().iter();
    let filters = filters.map(|one| json!({"Scope": one.dialect().scope(), "Pattern": one.to_string()}));
    let filters: Vec<Value> = filters.collect();
    let data = json!({
        "FilterConfiguration": if filters.is_empty() { Value::Null } else { json!({"Filters": filters}) },
        "receives": migrated.equivalence().to_string(), "changes": migrated.changes(), "not_carried_over": migrated.lost(),
        "event_sources": migrated.event_sources(),
    });
    Ok((format!("{data:#}"), data))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CodeGiven {
    code: String,
}

fn explain_code(given: &str) -> Answer {
    let given: CodeGiven = arguments(given)?;
    let code: Code = given.code.parse().map_err(|_| {
        let all: Vec<&str> = Code::ALL.iter().map(|code| code.as_str()).collect();
        format!("unknown code `{}`; the codes are {}", given.code, all.join(", "))
    })?;
    Ok((code.page().to_owned(), json!({"code": code, "title": code.title(), "page": code.page()})))
}

fn few(events: &[Json]) -> Result<&[Json], String> {
    match events.len() {
        0..=MOST_EVENTS => Ok(events),
        more => Err(format!("{more} events; the limit is {MOST_EVENTS} per call")),
    }
}
