//! W0011: a DynamoDB attribute without its type.

use super::site::{Out, Site, shown, warning};
use crate::diagnostic::{Applicability, Code};
use crate::dialect::envelope::DYNAMO_TYPES;
use crate::pattern::ast::{AnythingBut, Test, TestKind};

pub(super) const PAGE: &str = r##"## W0011: a DynamoDB attribute without its type

DynamoDB puts each value under its type: `{"state": {"S": "DONE"}}`.

**Why it matters.** The attribute itself is an object, so tests of it never match, and `"exists": false` always does.

```bad lambda-esm
{"dynamodb": {"NewImage": {"state": ["DONE"]}}}
```

Use instead:

```good lambda-esm
{"dynamodb": {"NewImage": {"state": {"S": ["DONE"]}}}}
```

A number is a string in a stream, `{"total": {"N": "5"}}`: list numbers as strings. `numeric` never matches them.
"##;

const TYPES: &str =
    "the types are S (string), N (number, kept as a string), BOOL, NULL, L (list), M (map), B, SS, NS and BS";

/// There is no test for it: a stream has numbers as strings.
const RANGES: &str = "numbers are strings in a stream, so `numeric` never matches them: list the accepted strings under `N`, \
                      or test the range in the function";

/// A test of a DynamoDB attribute itself, not of its value under its type.
pub(super) fn check(site: &Site<'_>, out: &mut Out<'_>) {
    let steps = site.steps(64);
    let Some(at @ (0 | 1)) = steps.iter().position(|step| *step == "dynamodb") else { return };
    let last = steps.last().copied().unwrap_or("");
    let image = steps.get(at + 1).is_some_and(|step| matches!(*step, "NewImage" | "OldImage" | "Keys"));
    if !image || steps.len() != at + 3 || DYNAMO_TYPES.contains(&last) {
        return;
    }
    let absent = site.tests.iter().any(|test| matches!(test.kind, TestKind::Exists(false)));
    let label =
        if absent { "`exists: false` always matches here, with or without the attribute" } else { "never matches" };
    let mut found = warning(
        Code::DynamoType,
        site.node.span,
        format!("the value of the DynamoDB attribute `{}` is one level deeper, under its type", shown(last)),
    )
    .label(label)
    .help(if site.tests.iter().any(|test| matches!(test.kind, TestKind::Numeric(_))) { RANGES } else { TYPES });
    if let Some((name, list)) = under_its_type(site, out.source()) {
        found = found.fix(
            format!("test it under `{name}`"),
            site.node.span,
            format!("{{\"{name}\": {list}}}"),
            Applicability::Unsafe,
        );
    }
    out.push(found);
}

/// The one type that all entries of the list are of, and the list as it is written there.
fn under_its_type(site: &Site<'_>, source: &str) -> Option<(&'static str, String)> {
    let type_of = |test: &Test| match &test.kind {
        TestKind::String(_)
        | TestKind::Exactly(_)
        | TestKind::Prefix(_)
        | TestKind::Suffix(_)
        | TestKind::PrefixIgnoreCase(_)
        | TestKind::SuffixIgnoreCase(_)
        | TestKind::EqualsIgnoreCase(_)
        | TestKind::Wildcard(_)
        | TestKind::Cidr(..) => Some("S"),
        TestKind::AnythingBut(AnythingBut::Numbers(_)) => None,
        TestKind::AnythingBut(_) => Some("S"),
        TestKind::Number(_) => Some("N"),
        TestKind::Bool(_) => Some("BOOL"),
        TestKind::Null => Some("NULL"),
        TestKind::Numeric(_) | TestKind::Exists(_) => None,
    };
    let name = type_of(site.tests.first()?)?;
    if !site.tests.iter().all(|test| type_of(test) == Some(name)) {
        return None;
    }
    let list = site.node.span.slice(source);
    let quoted = |test: &Test| format!("\"{}\"", test.span.slice(source));
    Some(match name {
        "N" => (name, format!("[{}]", site.tests.iter().map(quoted).collect::<Vec<_>>().join(", "))),
        "NULL" => (name, "[true]".to_owned()),
        _ => (name, list.to_owned()),
    })
}
