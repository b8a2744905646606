//! W0006: a number, a boolean or null in quotes.

use super::site::{Out, Site, note, shown, warning};
use crate::diagnostic::{Applicability, Code};
use crate::dialect::Dialect;
use crate::pattern::ast::{Operand, Test, TestKind};
use crate::value::Spelling;

pub(super) const PAGE: &str = r##"## W0006: a number, boolean or null in quotes

`"true"` is a string and never equals `true`; `"5"` never equals `5`.

**Why it matters.** Template languages, YAML above all, add quotes around values or remove them, and the pattern stays valid.

```bad eventbridge
{"detail": {"dryRun": ["true"]}}
```

Use instead:

```good eventbridge
{"detail": {"dryRun": [true]}}
```
"##;

/// `"true"`, `"null"`, `"5"`: strings, where probably the value was meant.
pub(super) fn check(site: &Site<'_>, test: &Test, operand: &Operand, out: &mut Out<'_>) {
    let text = &*operand.text;
    // The service's own strings and DynamoDB's numbers are in quotes.
    let known = matches!(site.steps(1).first(), Some(&("account" | "version" | "id" | "messageId" | "partitionKey")));
    let dynamo = site.keys.contains(&"dynamodb") || matches!(site.last(), "N" | "NS");
    // Attributes of SNS and metadata are strings, and so is all that DynamoDB keeps under these types.
    let metadata = matches!(out.dialect(), Dialect::EventsV2Metadata | Dialect::EventsV2SystemMetadata);
    let texts =
        out.dialect() == Dialect::SnsAttributes || metadata || dynamo && matches!(site.last(), "S" | "SS" | "N" | "NS");
    if texts || site.is_envelope(out.dialect()) {
        return;
    }
    if matches!(text, "true" | "false" | "null") {
        let beside = site.tests.iter().any(|other| matches!(other.kind, TestKind::Bool(_) | TestKind::Null));
        if !beside {
            out.push(
                warning(Code::QuotedScalar, operand.span, format!("\"{text}\" is a string, not {text}"))
                    .label("matches only the string")
                    .help("YAML templates and their tools often quote true and false")
                    .fix("remove the quotes", test.span, text.to_owned(), Applicability::Unsafe),
            );
        }
    } else if !known && !dynamo && is_small_number(text) {
        out.push(
            note(Code::QuotedScalar, operand.span, format!("\"{}\" is a string, not a number", shown(text)))
                .label("matches only the string")
                .fix("remove the quotes", test.span, text.to_owned(), Applicability::Unsafe),
        );
    }
}

/// Numbers that people count or measure with; long ones are ids.
fn is_small_number(text: &str) -> bool {
    text.len() < 10
        && (text == "0" || text.contains('.') || !text.starts_with('0'))
        && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.' || byte == b'-')
        && Spelling::of(text.as_bytes()).key().is_some()
        && serde_like_number(text)
}

/// Whether JSON would take the text as a number.
fn serde_like_number(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let (whole, fraction) = digits.split_once('.').map_or((digits, None), |(whole, fraction)| (whole, Some(fraction)));
    !whole.is_empty()
        && (whole == "0" || !whole.starts_with('0'))
        && whole.bytes().all(|byte| byte.is_ascii_digit())
        && fraction.is_none_or(|fraction| !fraction.is_empty() && fraction.bytes().all(|byte| byte.is_ascii_digit()))
}
