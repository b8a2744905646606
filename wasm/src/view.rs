//! What the library says, as JavaScript sees it: the same fields, with places counted in UTF-16 units.

use eventrie::{
    BranchReport, Conflict, Diagnostic, Element, EventError, EventErrorKind, Explanation, FieldReport, GroupReport,
    Label, NearMiss, PatternError, Place, SeenValue, Severity, TestReport, Usage,
};
use serde::Serialize;

use crate::position::{Positions, Range};

#[derive(Serialize)]
pub(crate) struct Finding {
    code: &'static str,
    severity: &'static str,
    message: String,
    #[serde(flatten)]
    range: Range,
    label: String,
    context: Vec<Note>,
    help: Option<String>,
    fix: Option<Change>,
    service: Option<String>,
}

#[derive(Serialize)]
struct Note {
    #[serde(flatten)]
    range: Range,
    message: String,
}

#[derive(Serialize)]
struct Change {
    title: String,
    #[serde(flatten)]
    range: Range,
    replacement: String,
    safe: bool,
}

impl Finding {
    pub(crate) fn all(found: &[Diagnostic], at: &Positions<'_>) -> Vec<Finding> {
        found.iter().map(|one| Finding::of(one, at)).collect()
    }

    fn of(found: &Diagnostic, at: &Positions<'_>) -> Finding {
        let note = |label: &Label| Note { range: at.range(label.span), message: label.message.clone() };
        Finding {
            code: found.code.as_str(),
            severity: match found.severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
                _ => "note",
            },
            message: found.message.clone(),
            range: at.range(found.label.span),
            label: found.label.message.clone(),
            context: found.context.iter().map(note).collect(),
            help: found.help.clone(),
            fix: found.fix.as_ref().map(|fix| Change {
                title: fix.title.clone(),
                range: at.range(fix.span),
                replacement: fix.replacement.clone(),
                safe: fix.safe,
            }),
            service: found.service.clone(),
        }
    }
}

/// All that can be said of a pattern without an event.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Check {
    pub(crate) valid: bool,
    pub(crate) findings: Vec<Finding>,
    pub(crate) service_message: Option<String>,
    pub(crate) canonical: Option<String>,
    pub(crate) usage: Vec<Meter>,
}

/// How much of a limit of the service a pattern takes.
#[derive(Serialize)]
pub(crate) struct Meter {
    limit: &'static str,
    title: &'static str,
    used: Option<u64>,
    most: u64,
    unit: &'static str,
}

impl Meter {
    pub(crate) fn of(usage: &Usage) -> Meter {
        let Usage { limit, title, used, most, unit, .. } = usage;
        Meter { limit, title, used: *used, most: *most, unit }
    }
}

/// What an error object carries beside its message.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PatternFault {
    findings: Vec<Finding>,
    service_message: String,
}

impl PatternFault {
    pub(crate) fn of(error: &PatternError) -> PatternFault {
        let at = Positions::new(error.source());
        PatternFault { findings: Finding::all(error.diagnostics(), &at), service_message: error.service_message() }
    }
}

/// What an error object carries beside its message.
#[derive(Serialize)]
pub(crate) struct EventFault {
    kind: &'static str,
    offset: Option<u32>,
    limit: Option<&'static str>,
}

impl EventFault {
    pub(crate) fn of(error: &EventError, event: &str) -> EventFault {
        let offset = error.offset().map(|offset| u32::try_from(offset).unwrap_or(u32::MAX));
        EventFault {
            kind: match error.kind() {
                EventErrorKind::Syntax => "syntax",
                EventErrorKind::Truncated => "truncated",
                EventErrorKind::Utf8 => "utf8",
                EventErrorKind::NotAnObject => "not-an-object",
                EventErrorKind::Trailing => "trailing",
                EventErrorKind::Limit => "limit",
                _ => "foreign",
            },
            offset: offset.map(|offset| Positions::new(event).unit(offset)),
            limit: error.limit(),
        }
    }
}

/// An explanation. Ranges in the pattern and ranges in the event are never in the same object.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Explained {
    matched: bool,
    summary: String,
    help: Option<String>,
    nearness: u32,
    pattern_place: Option<Range>,
    event_place: Option<Spot>,
    root: Branch,
}

#[derive(Serialize)]
struct Branch {
    #[serde(flatten)]
    range: Range,
    held: bool,
    fields: Vec<Field>,
    groups: Vec<Group>,
    conflicts: Vec<Clash>,
}

#[derive(Serialize)]
struct Group {
    #[serde(flatten)]
    range: Range,
    held: bool,
    branches: Vec<Branch>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Field {
    path: String,
    #[serde(flatten)]
    range: Range,
    key: Range,
    held: bool,
    overridden_by: Option<Range>,
    tests: Vec<Test>,
    values: Vec<Value>,
    value_count: usize,
    misses: Vec<Miss>,
}

#[derive(Serialize)]
struct Test {
    #[serde(flatten)]
    range: Range,
    held: bool,
}

#[derive(Serialize)]
struct Value {
    place: Spot,
    text: String,
    held: bool,
    chosen: bool,
    elements: Vec<Element>,
}

#[derive(Serialize)]
struct Spot {
    pointer: String,
    #[serde(flatten)]
    range: Range,
}

#[derive(Serialize)]
struct Clash {
    ranges: Vec<Range>,
    paths: Vec<String>,
    message: String,
    help: Option<String>,
}

#[derive(Serialize)]
struct Miss {
    kind: eventrie::MissKind,
    test: Option<Range>,
    message: String,
    help: Option<String>,
    place: Option<Spot>,
}

/// Converts a report of one pattern and one event.
pub(crate) struct Reporter<'t> {
    pattern: Positions<'t>,
    event: Positions<'t>,
}

impl<'t> Reporter<'t> {
    pub(crate) fn new(pattern: &'t str, event: &'t str) -> Reporter<'t> {
        Reporter { pattern: Positions::new(pattern), event: Positions::new(event) }
    }

    pub(crate) fn explained(&self, explanation: &Explanation) -> Explained {
        Explained {
            matched: explanation.matched(),
            summary: explanation.summary().to_owned(),
            help: explanation.help().map(str::to_owned),
            nearness: explanation.nearness(),
            pattern_place: explanation.pattern_place().map(|span| self.pattern.range(span)),
            event_place: explanation.event_place().map(|place| self.spot(place)),
            root: self.branch(explanation.root()),
        }
    }

    /// Nested as deep as the `$or` groups of the pattern, which the library bounds.
    fn branch(&self, branch: &BranchReport) -> Branch {
        Branch {
            range: self.pattern.range(branch.span),
            held: branch.held,
            fields: branch.fields.iter().map(|field| self.field(field)).collect(),
            groups: branch.groups.iter().map(|group| self.group(group)).collect(),
            conflicts: branch.conflicts.iter().map(|conflict| self.clash(conflict)).collect(),
        }
    }

    fn group(&self, group: &GroupReport) -> Group {
        Group {
            range: self.pattern.range(group.span),
            held: group.held,
            branches: group.branches.iter().map(|branch| self.branch(branch)).collect(),
        }
    }

    fn field(&self, field: &FieldReport) -> Field {
        let test = |test: &TestReport| Test { range: self.pattern.range(test.span), held: test.held };
        Field {
            path: field.path.clone(),
            range: self.pattern.range(field.span),
            key: self.pattern.range(field.key),
            held: field.held,
            overridden_by: field.overridden_by.map(|span| self.pattern.range(span)),
            tests: field.tests.iter().map(test).collect(),
            values: field.values.iter().map(|value| self.value(value)).collect(),
            value_count: field.value_count,
            misses: field.misses.iter().map(|miss| self.miss(miss)).collect(),
        }
    }

    fn value(&self, value: &SeenValue) -> Value {
        Value {
            place: self.spot(&value.place),
            text: value.text.clone(),
            held: value.held,
            chosen: value.chosen,
            elements: value.elements.clone(),
        }
    }

    fn clash(&self, conflict: &Conflict) -> Clash {
        Clash {
            ranges: conflict.spans.iter().map(|span| self.pattern.range(*span)).collect(),
            paths: conflict.paths.clone(),
            message: conflict.message.clone(),
            help: conflict.help.clone(),
        }
    }

    fn miss(&self, miss: &NearMiss) -> Miss {
        Miss {
            kind: miss.kind,
            test: miss.test.map(|span| self.pattern.range(span)),
            message: miss.message.clone(),
            help: miss.help.clone(),
            place: miss.place.as_ref().map(|place| self.spot(place)),
        }
    }

    fn spot(&self, place: &Place) -> Spot {
        Spot { pointer: place.pointer.clone(), range: self.event.range(place.span) }
    }
}
