//! The library's results for JavaScript: the same fields, with places counted in UTF-16 units. The shapes are declared
//! in `types.d.ts`.

use eventrie::diagnostic::{Finding, Label, Severity, Span};
use eventrie::event::EventErrorKind;
use eventrie::explain::{
    BranchReport, Conflict, Element, FieldReport, GroupReport, NearMiss, Place, SeenValue, TestReport,
};
use eventrie::pattern::Usage;
use eventrie::relate::{Inferred, InferredChoice};
use eventrie::service::{Cause, SubscriptionReport};
use eventrie::{EventError, Explanation, Limit, Pattern, PatternError};

use crate::json::Json;
use crate::position::Positions;

/// The start and the end of a range, as fields of the object at hand.
fn ends(json: &mut Json, at: &Positions<'_>, span: Span) {
    json.key("start").number(at.unit(span.start).into());
    json.key("end").number(at.unit(span.end).into());
}

fn range(json: &mut Json, at: &Positions<'_>, span: Span) {
    json.open('{');
    ends(json, at, span);
    json.close('}');
}

pub(crate) fn findings(json: &mut Json, found: &[Finding], at: &Positions<'_>) {
    json.list(found, |json, found| finding(json, found, at));
}

fn finding(json: &mut Json, found: &Finding, at: &Positions<'_>) {
    json.open('{');
    finding_fields(json, found, at);
    json.close('}');
}

/// The fields of a finding, in the object at hand.
pub(crate) fn finding_fields(json: &mut Json, found: &Finding, at: &Positions<'_>) {
    let severity = match found.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        _ => "note",
    };
    let note = |json: &mut Json, label: &Label| {
        json.open('{');
        ends(json, at, label.span);
        json.key("message").string(&label.message);
        json.close('}');
    };
    json.key("code").string(found.code.as_str());
    json.key("severity").string(severity);
    json.key("message").string(&found.message);
    ends(json, at, found.label.span);
    json.key("label").string(&found.label.message);
    json.key("context").list(&found.context, note);
    json.key("help").text_or_null(found.help.as_deref());
    json.key("fix").or_null(found.fix.as_ref(), |json, fix| {
        json.open('{');
        json.key("title").string(&fix.title);
        ends(json, at, fix.span);
        json.key("replacement").string(&fix.replacement);
        json.key("safe").truth(fix.is_safe());
        json.close('}');
    });
    json.key("service").text_or_null(found.service.as_deref());
}

/// How much of each limit of the service a pattern uses.
pub(crate) fn meters(json: &mut Json, usage: &[Usage]) {
    json.list(usage, |json, usage| {
        json.open('{');
        json.key("limit").string(usage.limit);
        json.key("title").string(usage.title);
        json.key("used").number_or_null(usage.used);
        json.key("most").number(usage.most);
        json.key("unit").string(usage.unit);
        json.close('}');
    });
}

/// What an error object carries besides its message.
pub(crate) fn pattern_error(json: &mut Json, error: &PatternError) {
    json.open('{');
    findings(json.key("findings"), error.findings(), &Positions::new(error.source()));
    json.key("serviceMessage").string(&error.service_message());
    json.close('}');
}

/// What an error object carries besides its message.
pub(crate) fn event_error(json: &mut Json, error: &EventError, event: &str) {
    let kind = match error.kind() {
        EventErrorKind::Syntax => "syntax",
        EventErrorKind::Truncated => "truncated",
        EventErrorKind::Utf8 => "utf8",
        EventErrorKind::NotAnObject => "not-an-object",
        EventErrorKind::Trailing => "trailing",
        EventErrorKind::Limit => "limit",
        _ => "foreign",
    };
    let unit = |offset: usize| Positions::new(event).unit(u32::try_from(offset).unwrap_or(u32::MAX)).into();
    json.open('{');
    json.key("kind").string(kind);
    json.key("offset").number_or_null(error.offset().map(unit));
    json.key("limit").text_or_null(error.limit().map(Limit::name));
    json.close('}');
}

pub(crate) fn inferred(json: &mut Json, inferred: &Inferred) {
    let choice = |json: &mut Json, choice: &InferredChoice| {
        json.open('{');
        json.key("path").string(&choice.path);
        json.key("kept").truth(choice.kept);
        json.key("reason").string(&choice.reason);
        json.close('}');
    };
    json.open('{');
    json.key("pattern").string(&inferred.pattern);
    json.key("choices").list(&inferred.choices, choice);
    json.close('}');
}

/// Why a subscriber does or does not receive an event: the answer, and what each filter tested.
pub(crate) fn subscriber(json: &mut Json, filters: &[Pattern], report: &SubscriptionReport) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    json.open('{');
    json.key("matched").truth(report.outcome().matched);
    json.key("undecided").truth(report.outcome().cause == Some(Cause::Undecided));
    json.key("summary").string(report.summary());
    json.key("notes").list(report.notes(), Json::string);
    json.key("event").text_or_null(report.event().map(text).as_deref());
    json.key("filters").list(filters.iter().enumerate(), |json, (at, filter)| {
        let explanation = report.explanations().find(|(filter, _)| *filter == at).map(|(_, explanation)| explanation);
        let seen = report.seen(at).map(text);
        json.open('{');
        json.key("scope").string(filter.dialect().scope().unwrap_or_default());
        json.key("pattern").string(filter.source());
        json.key("matched").truth(explanation.is_some_and(Explanation::matched));
        json.key("reason").text_or_null(report.unjudged(at));
        json.key("seen").text_or_null(seen.as_deref());
        json.key("explanation").or_null(explanation, |json, explanation| {
            Reporter::new(filter.source(), seen.as_deref().unwrap_or_default()).explained(json, explanation);
        });
        json.close('}');
    });
    json.close('}');
}

/// Writes a report of one pattern and one event. Ranges in the pattern and ranges in the event are never in the same
/// object.
pub(crate) struct Reporter<'t> {
    pattern: Positions<'t>,
    event: Positions<'t>,
}

impl<'t> Reporter<'t> {
    pub(crate) fn new(pattern: &'t str, event: &'t str) -> Reporter<'t> {
        Reporter { pattern: Positions::new(pattern), event: Positions::new(event) }
    }

    pub(crate) fn explained(&self, json: &mut Json, explanation: &Explanation) {
        json.open('{');
        json.key("matched").truth(explanation.matched());
        json.key("summary").string(explanation.summary());
        json.key("help").text_or_null(explanation.help());
        json.key("nearness").number(explanation.nearness().into());
        self.range_or_null(json.key("patternPlace"), explanation.pattern_place());
        json.key("eventPlace").or_null(explanation.event_place(), |json, place| self.place(json, place));
        self.branch(json.key("root"), explanation.root());
        json.close('}');
    }

    /// Nested as deep as the `$or` groups of the pattern, which the library bounds.
    fn branch(&self, json: &mut Json, branch: &BranchReport) {
        json.open('{');
        ends(json, &self.pattern, branch.span);
        json.key("held").truth(branch.held);
        json.key("fields").list(&branch.fields, |json, field| self.field(json, field));
        json.key("groups").list(&branch.groups, |json, group| self.group(json, group));
        json.key("conflicts").list(&branch.conflicts, |json, conflict| self.conflict(json, conflict));
        json.close('}');
    }

    fn group(&self, json: &mut Json, group: &GroupReport) {
        json.open('{');
        ends(json, &self.pattern, group.span);
        json.key("held").truth(group.held);
        json.key("branches").list(&group.branches, |json, branch| self.branch(json, branch));
        json.close('}');
    }

    fn field(&self, json: &mut Json, field: &FieldReport) {
        let test = |json: &mut Json, test: &TestReport| {
            json.open('{');
            ends(json, &self.pattern, test.span);
            json.key("held").truth(test.held);
            json.close('}');
        };
        json.open('{');
        json.key("path").string(&field.path);
        ends(json, &self.pattern, field.span);
        range(json.key("key"), &self.pattern, field.key);
        json.key("held").truth(field.held);
        self.range_or_null(json.key("overriddenBy"), field.overridden_by);
        json.key("tests").list(&field.tests, test);
        json.key("values").list(&field.values, |json, value| self.value(json, value));
        json.key("valueCount").number(field.value_count as u64);
        json.key("misses").list(&field.misses, |json, miss| self.miss(json, miss));
        json.close('}');
    }

    fn value(&self, json: &mut Json, value: &SeenValue) {
        let element = |json: &mut Json, element: &Element| {
            json.open('{');
            json.key("array").string(&element.array);
            json.key("index").number(element.index.into());
            json.close('}');
        };
        json.open('{');
        self.place(json.key("place"), &value.place);
        json.key("text").string(&value.text);
        json.key("held").truth(value.held);
        json.key("chosen").truth(value.chosen);
        json.key("elements").list(&value.elements, element);
        json.close('}');
    }

    fn conflict(&self, json: &mut Json, conflict: &Conflict) {
        json.open('{');
        json.key("ranges").list(&conflict.spans, |json, span| range(json, &self.pattern, *span));
        json.key("paths").list(&conflict.paths, |json, path| json.string(path));
        json.key("message").string(&conflict.message);
        json.key("help").text_or_null(conflict.help.as_deref());
        json.close('}');
    }

    fn miss(&self, json: &mut Json, miss: &NearMiss) {
        json.open('{');
        json.key("kind").string(miss.kind.name());
        self.range_or_null(json.key("test"), miss.test);
        json.key("message").string(&miss.message);
        json.key("help").text_or_null(miss.help.as_deref());
        json.key("place").or_null(miss.place.as_ref(), |json, place| self.place(json, place));
        json.close('}');
    }

    fn range_or_null(&self, json: &mut Json, span: Option<Span>) {
        json.or_null(span, |json, span| range(json, &self.pattern, span));
    }

    fn place(&self, json: &mut Json, place: &Place) {
        json.open('{');
        json.key("pointer").string(&place.pointer);
        ends(json, &self.event, place.span);
        json.close('}');
    }
}
