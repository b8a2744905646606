//! Fields whose values are known: the envelope of events, the records of queues, streams and tables.

use super::{Out, Site, note, quoted, shown, warning};
use crate::base::Span;
use crate::diagnostic::Code;
use crate::dialect::Dialect;
use crate::dialect::envelope::{DYNAMO_TYPES, EVENT, RECORD};
use crate::pattern::ast::{Test, TestKind};
use crate::value::lower_text;

pub(super) fn check<'p>(site: &Site<'p>, out: &mut Out<'p>) {
    match out.dialect() {
        Dialect::EventBridge | Dialect::EventsV2EventSource => {
            unknown(site, &EVENT, out);
            envelope(site, out);
        }
        Dialect::Pipes | Dialect::Lambda => {
            unknown(site, RECORD, out);
            misplaced(site, out);
            changes(site, out);
        }
        Dialect::SnsAttributes => attribute(site, out),
        Dialect::SnsBody | Dialect::EventsV2Data | Dialect::EventsV2Metadata | Dialect::EventsV2SystemMetadata => {}
    }
    dynamo(site, out);
}

/// A field at the top that no event has.
fn unknown<'p>(site: &Site<'p>, known: &[&str], out: &mut Out<'p>) {
    let Some(top) = site.steps(1).first().copied() else { return };
    if known.contains(&top) || !out.tops.insert(top) {
        return;
    }
    // The whole pattern may be for something else than the service's events.
    let plain = |text: &str| -> String { lower_text(text).chars().filter(|char| char.is_alphanumeric()).collect() };
    let same = known.iter().find(|name| plain(name) == plain(top));
    let near = same.or_else(|| known.iter().find(|name| name.len() > 4 && one_edit(&plain(name), &plain(top))));
    let span = top_key(site, out);
    let eventbridge = matches!(out.dialect(), Dialect::EventBridge | Dialect::EventsV2EventSource);
    let what = if eventbridge { "events of an event bus" } else { "the records of a source" };
    let mut found = warning(Code::UnknownField, span, format!("{what} have no field `{}` at their top", shown(top)));
    found = match near {
        Some(name) => {
            let own = span.slice(out.source()).trim_matches('"') == top;
            let found = found.label(format!("did you mean `{name}`?")).help("field names must be the same to the letter");
            if own { found.fix(format!("write `{name}`"), span, format!("\"{name}\""), same.is_some()) } else { found }
        }
        None if eventbridge => found
            .label("never there")
            .help(format!("what the sender puts into an event is under `detail`: {{\"detail\": {{{}: …}}}}", quoted(top))),
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

/// The key at the top of the pattern (or of the `$or` branch) that the field lies under.
fn top_key(site: &Site<'_>, out: &Out<'_>) -> Span {
    let top = out.ast().nodes.get(site.top as usize);
    top.and_then(|node| node.key.as_ref()).map_or_else(|| site.key_span(), |key| key.span)
}

/// Values that the envelope never has.
fn envelope(site: &Site<'_>, out: &mut Out<'_>) {
    let steps = site.steps(3);
    match *steps {
        ["detail"] => {
            out.push(
                warning(
                    Code::ObjectField,
                    site.node.span,
                    "`detail` is an object, and tests look at single values only",
                )
                .label(if site.tests.iter().any(|test| matches!(test.kind, TestKind::Exists(false))) {
                    "`exists: false` always holds here"
                } else {
                    "never holds"
                })
                .help("name a field inside: \"detail\": {\"state\": [\"running\"]}"),
            );
        }
        [field] if EVENT.contains(&field) && field != "replay-name" => {
            for test in site.tests {
                value(field, test, out);
            }
        }
        [field, inner, ..] if EVENT.contains(&field) && field != "detail" => out.push(
            warning(
                Code::ObjectField,
                site.key_span(),
                format!("`{field}` is a text, so there is no field `{}` inside", shown(inner)),
            )
            .label("never there"),
        ),
        _ => {}
    }
}

fn value(field: &str, test: &Test, out: &mut Out<'_>) {
    let impossible = |message: String| warning(Code::ImpossibleValue, test.span, message).label("never holds");
    match &test.kind {
        TestKind::Number(number) => {
            let mut found = impossible(format!("`{field}` is a text in every event, never a number"));
            if !number.spelling.contains(['.', 'e', 'E', '-']) {
                let digits =
                    if field == "account" { format!("{:0>12}", number.spelling) } else { number.spelling.to_string() };
                found = found.fix("write it in quotes", test.span, format!("\"{digits}\""), true);
            }
            out.push(found);
        }
        TestKind::Numeric(_) | TestKind::Bool(_) | TestKind::Null => {
            out.push(impossible(format!("`{field}` is a text in every event")));
        }
        TestKind::Exists(wanted) if field != "resources" => out.push(
            warning(Code::ImpossibleValue, test.span, format!("every event has `{field}`")).label(if *wanted {
                "always holds"
            } else {
                "never holds"
            }),
        ),
        TestKind::String(operand) => {
            if let Some(why) = wrong_text(field, &operand.text) {
                let mut found = impossible(why);
                if field == "source" {
                    found = found.fix(
                        "write it in lower case",
                        test.span,
                        format!("\"{}\"", lower_text(&operand.text)),
                        false,
                    );
                }
                out.push(found);
            }
        }
        TestKind::Prefix(operand) => {
            let text = &*operand.text;
            let wrong = match field {
                "account" => !text.bytes().all(|byte| byte.is_ascii_digit()) || text.len() > 12,
                "region" => {
                    !text.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
                }
                "source" => text.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("aws.")) && !lower(text),
                _ => false,
            };
            if wrong {
                out.push(impossible(format!("no `{field}` begins with {}", quoted(text))));
            }
        }
        _ => {}
    }
}

/// Whether the text, which begins with `aws.` in some letter case, is written as sources are. Partners choose the
/// rest of theirs.
fn lower(text: &str) -> bool {
    is_partner(text) || text.get(..4) == Some("aws.") && !text.bytes().any(|byte| byte.is_ascii_uppercase())
}

fn is_partner(text: &str) -> bool {
    text.starts_with("aws.partner/")
}

fn wrong_text(field: &str, text: &str) -> Option<String> {
    let wildcard = text.contains('*');
    match field {
        // Stars have their own warning.
        _ if wildcard => None,
        "account" if text.len() != 12 || !text.bytes().all(|byte| byte.is_ascii_digit()) => {
            Some(format!("an account id has 12 digits, and {} has not", quoted(text)))
        }
        "region" if !is_region(text) => Some(format!("{} is not the name of a region", quoted(text))),
        "version" if text != "0" => Some("the `version` of every event is \"0\"".to_owned()),
        "source" if text.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("aws.")) && !lower(text) => {
            Some(format!("the service writes its sources in lower case, never {}", quoted(text)))
        }
        "source" if text.is_empty() => Some("the `source` of an event is never empty".to_owned()),
        "time" if !text.contains('T') && text.len() >= 8 => {
            Some(format!("the `time` of an event looks like \"2026-01-31T12:00:00Z\", never like {}", quoted(text)))
        }
        _ => None,
    }
}

/// `eu-west-1`, `us-gov-west-1`, `us-iso-east-1`.
fn is_region(text: &str) -> bool {
    let parts: Vec<&str> = text.split('-').collect();
    let (Some(first), Some(last)) = (parts.first(), parts.last()) else { return false };
    text == "global"
        || (parts.len() >= 3
            && first.len() >= 2
            && last.len() <= 2
            && last.bytes().all(|byte| byte.is_ascii_digit())
            && !last.is_empty()
            && parts.iter().rev().skip(1).all(|part| {
                !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
            }))
}

/// The names of changes of a table.
const CHANGES: [&str; 3] = ["INSERT", "MODIFY", "REMOVE"];

/// What is said of a record, looked for in its payload. Payloads have names of their own, which may be the same: only
/// the record's own values tell.
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
            .label(format!("looked for inside of `{top}`"))
            .help(format!("leave `{top}` out: the record has `{inner}` at its top")),
        );
    }
}

/// `eventName` of a stream, in another spelling than the stream's.
fn changes(site: &Site<'_>, out: &mut Out<'_>) {
    if site.keys != ["eventName"] {
        return;
    }
    for test in site.tests {
        let TestKind::String(operand) = &test.kind else { continue };
        let meant = match lower_text(&operand.text).as_str() {
            "insert" | "create" | "created" | "inserted" => "INSERT",
            "modify" | "update" | "updated" | "modified" => "MODIFY",
            "remove" | "delete" | "deleted" | "removed" => "REMOVE",
            _ => continue,
        };
        if *operand.text != *meant {
            let message =
                format!("the `eventName` of a change is INSERT, MODIFY or REMOVE, never {}", quoted(&operand.text));
            let found = warning(Code::ImpossibleValue, test.span, message).label("never holds");
            out.push(found.fix(format!("write {meant}"), test.span, format!("\"{meant}\""), false));
        }
    }
}

fn attribute(site: &Site<'_>, out: &mut Out<'_>) {
    for test in site.tests {
        if matches!(test.kind, TestKind::Bool(_) | TestKind::Null) {
            out.push(
                note(Code::OnlyInArrays, test.span, format!("only an attribute of the type String.Array can have `{}`", shown(test.span.slice(out.source()))))
                    .label("never equals an attribute of the type String")
                    .help("for an attribute that is not there write {\"exists\": false}; for the text \"true\" put it in quotes"),
            );
        }
    }
}

fn dynamo(site: &Site<'_>, out: &mut Out<'_>) {
    let steps = site.steps(64);
    let Some(at) = steps.iter().position(|step| *step == "dynamodb") else { return };
    if at > 1 {
        return;
    }
    let last = steps.last().copied().unwrap_or("");
    let image = steps.get(at + 1).is_some_and(|step| matches!(*step, "NewImage" | "OldImage" | "Keys"));
    if matches!(last, "N" | "NS") {
        for test in site.tests {
            if matches!(test.kind, TestKind::Numeric(_) | TestKind::Number(_)) {
                let mut found =
                    warning(Code::NumberAsText, test.span, format!("under `{last}` DynamoDB keeps numbers as texts"))
                        .label("never holds")
                        .help("list the texts that are accepted; a range is not possible");
                if let TestKind::Number(number) = &test.kind {
                    found = found.fix("write it in quotes", test.span, format!("\"{}\"", number.spelling), true);
                }
                out.push(found);
            }
        }
    } else if image && steps.len() == at + 3 && !DYNAMO_TYPES.contains(&last) {
        let absent = site.tests.iter().any(|test| matches!(test.kind, TestKind::Exists(false)));
        let label =
            if absent { "`exists: false` always holds here, with or without the attribute" } else { "never holds" };
        out.push(
            warning(
                Code::DynamoType,
                site.node.span,
                format!("the value of the DynamoDB attribute `{}` is one level deeper, under its type", shown(last)),
            )
            .label(label)
            .help("the types are S (text), N (number, kept as text), BOOL, NULL, L (list), M (map), B, SS, NS, BS")
            .fix(
                "look under `S`",
                site.node.span,
                format!("{{\"S\": {}}}", site.node.span.slice(out.source())),
                false,
            ),
        );
    }
}

/// The pattern as a whole.
pub(super) fn whole(sites: &[Site<'_>], out: &mut Out<'_>) {
    match out.dialect() {
        Dialect::EventBridge | Dialect::EventsV2EventSource => {
            let sources = |site: &Site<'_>| {
                site.keys == ["source"]
                    && site
                        .tests
                        .iter()
                        // A partner's source is an event bus of its own: to want all of it is usual.
                        .all(|test| {
                            matches!(&test.kind, TestKind::String(operand)
                            if operand.text.starts_with("aws.") && !is_partner(&operand.text))
                        })
            };
            if let [site] = sites
                && sources(site)
            {
                out.push(
                    warning(Code::OnlySource, site.node.span, "this matches every event of the service")
                        .label("nothing but the source is asked")
                        .help("add `detail-type`, and fields of `detail`, unless all of them are wanted"),
                );
            }
        }
        Dialect::Lambda | Dialect::Pipes => {
            if let Some(site) = sites.iter().find(|site| site.steps(1).first() == Some(&"body")) {
                out.push(
                    note(
                        Code::FilteredIsDeleted,
                        top_key(site, out),
                        "a message that does not match is deleted from the queue",
                    )
                    .label("filters of an SQS source")
                    .help("also if another consumer of the same queue wants it: give each consumer a queue of its own"),
                );
            }
        }
        Dialect::SnsAttributes => {
            let absent = |site: &Site<'_>| site.tests.iter().all(|test| matches!(test.kind, TestKind::Exists(false)));
            if let Some(site) = sites.first().filter(|_| sites.iter().all(absent)) {
                out.push(
                    warning(Code::NoAttributes, site.node.span, "a message without any attributes does not match this")
                        .label("`exists: false` needs some other attribute to be there")
                        .help("SNS does not ask a policy about messages without attributes; give every message one"),
                );
            }
        }
        Dialect::SnsBody | Dialect::EventsV2Data | Dialect::EventsV2Metadata | Dialect::EventsV2SystemMetadata => {}
    }
}
