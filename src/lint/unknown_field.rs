//! W0007: a field that no event of the service has.

use super::site::{Out, Site, quoted, shown, top_key, warning};
use crate::diagnostic::{Applicability, Code};
use crate::dialect::Dialect;
use crate::dialect::envelope::{EVENT, RECORD};
use crate::pattern::ast::TestKind;
use crate::value::lower_text;

pub(super) const PAGE: &str = r##"## W0007: a field that no event has

The top level of an event has only the fields of the envelope: `version`, `id`, `detail-type`, `source`, `account`,
`time`, `region`, `resources` and `detail`. What the sender wrote is under `detail`. In records of queues and streams the
payload is under `body`, `data`, `value` or `dynamodb`.

**Why it matters.** The pattern is valid and never matches.

```bad eventbridge
{"detailType": ["Order Placed"]}
```

Use instead:

```good eventbridge
{"detail-type": ["Order Placed"]}
```
"##;

/// The names of changes of a table.
const CHANGES: [&str; 3] = ["INSERT", "MODIFY", "REMOVE"];

/// A field that no event of the dialect's service has.
pub(super) fn check<'p>(site: &Site<'p>, out: &mut Out<'p>) {
    match out.dialect() {
        Dialect::EventBridge | Dialect::EventsV2EventSource => top(site, &EVENT, out),
        Dialect::Pipes | Dialect::Lambda => {
            top(site, RECORD, out);
            misplaced(site, out);
        }
        Dialect::SnsAttributes
        | Dialect::SnsBody
        | Dialect::EventsV2Data
        | Dialect::EventsV2Metadata
        | Dialect::EventsV2SystemMetadata => {}
    }
}

/// A field at the top that no event has.
fn top<'p>(site: &Site<'p>, known: &[&str], out: &mut Out<'p>) {
    let Some(top) = site.steps(1).first().copied() else { return };
    if known.contains(&top) || !out.tops.insert(top) {
        return;
    }
    // The whole pattern may be for something other than the service's events.
    let plain = |text: &str| -> String { lower_text(text).chars().filter(|char| char.is_alphanumeric()).collect() };
    let same = known.iter().find(|name| plain(name) == plain(top));
    let near = same.or_else(|| known.iter().find(|name| name.len() > 4 && one_edit(&plain(name), &plain(top))));
    let span = top_key(site, out);
    let eventbridge = matches!(out.dialect(), Dialect::EventBridge | Dialect::EventsV2EventSource);
    let what = if eventbridge { "events on an event bus" } else { "records" };
    // A field that is never there satisfies only `exists: false`.
    let matches_nothing =
        site.branch == 0 && !site.tests.iter().any(|test| matches!(test.kind, TestKind::Exists(false)));
    let mut found = warning(Code::UnknownField, span, format!("{what} have no top-level field `{}`", shown(top)));
    found = match near {
        Some(name) => {
            let own = span.slice(out.source()).trim_matches('"') == top;
            let found = found.label(format!("did you mean `{name}`?"));
            let found = if name.eq_ignore_ascii_case(top) { found.help("field names are case-sensitive") } else { found };
            if own { found.fix(format!("write `{name}`"), span, format!("\"{name}\""), Applicability::safe_if(same.is_some() && matches_nothing)) } else { found }
        }
        None if eventbridge => found
            .label("never there")
            .help(format!("what the sender wrote is under `detail`: {{\"detail\": {{{}: …}}}}", quoted(top))),
        None => found.label("never there").help(format!(
            "the payload is under `body` (SQS), `data` (Kinesis, MQ), `value` (Kafka) or `dynamodb`: {{\"body\": {{{}: …}}}}",
            quoted(top)
        )),
    };
    out.push(found);
}

fn one_edit(left: &str, right: &str) -> bool {
    let (a, b): (Vec<char>, Vec<char>) = (left.chars().collect(), right.chars().collect());
    let front = a.iter().zip(&b).take_while(|(left, right)| left == right).count();
    let back = a.iter().rev().zip(b.iter().rev()).take_while(|(left, right)| left == right).count();
    let longest = a.len().max(b.len());
    let swapped = a.len() == b.len()
        && front + back + 2 == longest
        && a.get(front) == b.get(front + 1)
        && a.get(front + 1) == b.get(front);
    swapped || (a.len().abs_diff(b.len()) <= 1 && front + back + 1 >= longest)
}

/// A field of the record, looked up in its payload. Payloads have names of their own, which may be the same: only
/// the record's own values decide.
fn misplaced(site: &Site<'_>, out: &mut Out<'_>) {
    let steps = site.steps(3);
    let some_text = |is: &dyn Fn(&str) -> bool| {
        site.tests.iter().any(|test| match &test.kind {
            TestKind::String(operand) | TestKind::Prefix(operand) => is(&operand.text),
            _ => false,
        })
    };
    let of_the_record = match *steps {
        ["body" | "data" | "value", "dynamodb", "NewImage" | "OldImage" | "Keys" | "ApproximateCreationDateTime"] => {
            true
        }
        ["body" | "data" | "value", "eventName"] => some_text(&|text| CHANGES.contains(&text)),
        ["body" | "data" | "value", "eventSource"] => {
            some_text(&|text| matches!(text, "aws:sqs" | "aws:kinesis" | "aws:dynamodb" | "aws:kafka" | "aws:mq"))
        }
        _ => false,
    };
    if of_the_record {
        let (top, inner) = (steps.first().copied().unwrap_or(""), steps.get(1).copied().unwrap_or(""));
        out.push(
            warning(
                Code::UnknownField,
                site.key_span(),
                format!("`{inner}` is a field of the record itself, not of its `{top}`"),
            )
            .label(format!("looked up inside `{top}`"))
            .help(format!("remove `{top}`: the record has `{inner}` at the top level")),
        );
    }
}
