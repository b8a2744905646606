//! W0008: a value that the service never sends in this field.

use super::site::{Out, Site, quoted, shown, warning};
use crate::base::text::json_string;
use crate::diagnostic::{Applicability, Code};
use crate::dialect::Dialect;
use crate::pattern::ast::{Test, TestKind};
use crate::value::lower_text;

pub(super) const PAGE: &str = r##"## W0008: a value that is never sent

Some fields have a known form: the fields of the envelope are strings, an account id has 12 digits, and AWS services use
sources such as `aws.ec2` (`ec2.amazonaws.com` is the name that CloudTrail uses).

**Why it matters.** The pattern is valid and never matches.

```bad eventbridge
{"source": ["ec2.amazonaws.com"], "detail": {"state": ["running"]}}
```

Use instead:

```good eventbridge
{"source": ["aws.ec2"], "detail": {"state": ["running"]}}
```
"##;

/// `alone` says whether the pattern can match nothing if this test cannot.
pub(super) fn envelope(field: &str, test: &Test, alone: bool, out: &mut Out<'_>) {
    let impossible = |message: String| warning(Code::ImpossibleValue, test.span, message).label("never matches");
    match &test.kind {
        TestKind::Number(number) => {
            let mut found = impossible(format!("`{field}` is a string in every event, never a number"));
            let plain = !number.spelling.contains(['.', 'e', 'E', '-']);
            if plain
                && (field != "account" || number.spelling.len() <= 12)
                && wrong_text(field, &number.spelling).is_none_or(|_| field == "account")
            {
                let digits =
                    if field == "account" { format!("{:0>12}", number.spelling) } else { number.spelling.to_string() };
                found = found.fix("quote it", test.span, format!("\"{digits}\""), Applicability::safe_if(alone));
            }
            out.push(found);
        }
        TestKind::Numeric(_) | TestKind::Bool(_) | TestKind::Null => {
            out.push(impossible(format!("`{field}` is a string in every event")));
        }
        TestKind::Exists(wanted) if field != "resources" => out.push(
            warning(Code::ImpossibleValue, test.span, format!("every event has `{field}`")).label(if *wanted {
                "always matches"
            } else {
                "never matches"
            }),
        ),
        TestKind::String(operand) => {
            if let Some(why) = wrong_text(field, &operand.text) {
                let mut found = impossible(why);
                if field == "source" && !operand.text.is_empty() {
                    let meant = source_of(&operand.text).unwrap_or_else(|| lower_text(&operand.text));
                    found = found.fix(
                        format!("write `{}`", shown(&meant)),
                        test.span,
                        json_string(&meant),
                        Applicability::Unsafe,
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

/// Whether the text, which begins with `aws.` in some case, is written as sources are. Partners choose the
/// rest of theirs.
fn lower(text: &str) -> bool {
    is_partner(text) || text.get(..4) == Some("aws.") && !text.bytes().any(|byte| byte.is_ascii_uppercase())
}

pub(super) fn is_partner(text: &str) -> bool {
    text.starts_with("aws.partner/")
}

fn wrong_text(field: &str, text: &str) -> Option<String> {
    let wildcard = text.contains('*');
    match field {
        // Stars have their own warning.
        _ if wildcard => None,
        "account" if text.len() != 12 || !text.bytes().all(|byte| byte.is_ascii_digit()) => {
            Some(format!("an account id has 12 digits, found {}", quoted(text)))
        }
        "region" if !is_region(text) => Some(format!("{} is not the name of a region", quoted(text))),
        "version" if text != "0" => Some("the `version` of every event is \"0\"".to_owned()),
        "source" if text.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("aws.")) && !lower(text) => {
            Some(format!("AWS services use a lowercase `source`, never {}", quoted(text)))
        }
        "source" if source_of(text).is_some() => Some(format!(
            "{} is a service's name in CloudTrail; as the `source` of an event it is {}",
            quoted(text),
            quoted(&source_of(text).unwrap_or_default())
        )),
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

/// `eventName` of a stream, in another spelling than the stream's.
pub(super) fn changes(site: &Site<'_>, out: &mut Out<'_>) {
    if !matches!(out.dialect(), Dialect::Pipes | Dialect::Lambda) {
        return;
    }
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
            let found = warning(Code::ImpossibleValue, test.span, message).label("never matches");
            out.push(found.fix(format!("write {meant}"), test.span, format!("\"{meant}\""), Applicability::Unsafe));
        }
    }
}

/// The `source` of a service that CloudTrail calls so: `ec2.amazonaws.com` sends as `aws.ec2`.
pub(super) fn source_of(text: &str) -> Option<String> {
    let name = text.strip_suffix(".amazonaws.com")?;
    let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    (!name.is_empty() && name.bytes().all(plain)).then(|| format!("aws.{name}"))
}

/// `eventSource` of a call recorded by CloudTrail, written like the `source` of an event.
pub(super) fn event_source(site: &Site<'_>, out: &mut Out<'_>) {
    if !matches!(out.dialect(), Dialect::EventBridge | Dialect::EventsV2EventSource) {
        return;
    }
    if site.keys != ["detail", "eventSource"] {
        return;
    }
    for test in site.tests {
        let TestKind::String(operand) = &test.kind else { continue };
        let Some(name) = operand.text.strip_prefix("aws.").filter(|name| !name.is_empty() && !name.contains('/'))
        else {
            continue;
        };
        let meant = format!("{}.amazonaws.com", lower_text(name));
        let message = format!("CloudTrail's `eventSource` is {}, never {}", quoted(&meant), quoted(&operand.text));
        let found = warning(Code::ImpossibleValue, test.span, message).label("never matches");
        out.push(found.fix(
            format!("write `{}`", shown(&meant)),
            test.span,
            json_string(&meant),
            Applicability::Unsafe,
        ));
    }
}
