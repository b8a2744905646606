//! W0009: a test of a field that is an object, or of a field inside one that is not.

use super::impossible_value;
use super::site::{Out, Site, shown, warning};
use crate::base::ListMap;
use crate::diagnostic::Code;
use crate::dialect::Dialect;
use crate::dialect::envelope::EVENT;
use crate::pattern::ast::TestKind;

pub(super) const PAGE: &str = r##"## W0009: a test of an object

Tests read only single values: strings, numbers, booleans and null. An object is none of these, and `exists` counts it as
absent.

**Why it matters.** The test never matches, or with `"exists": false` always does.

```bad eventbridge
{"detail": [{"exists": true}]}
```

Use instead:

```good eventbridge
{"detail": {"id": [{"exists": true}]}}
```

Name a field that is always in the object: if it is present, the object is.
"##;

/// Values that the envelope never has.
pub(super) fn envelope(site: &Site<'_>, out: &mut Out<'_>) {
    if !matches!(out.dialect(), Dialect::EventBridge | Dialect::EventsV2EventSource) {
        return;
    }
    let steps = site.steps(3);
    match *steps {
        ["detail"] => {
            out.push(
                warning(Code::ObjectField, site.node.span, "`detail` is an object, but tests read only single values")
                    .label(if site.tests.iter().any(|test| matches!(test.kind, TestKind::Exists(false))) {
                        "`exists: false` always matches here"
                    } else {
                        "never matches"
                    })
                    .help("name a field inside: \"detail\": {\"state\": [\"running\"]}"),
            );
        }
        [field] if EVENT.contains(&field) && field != "replay-name" => {
            for test in site.tests {
                impossible_value::envelope(field, test, site.decides_alone(), out);
            }
        }
        [field, inner, ..] if EVENT.contains(&field) && field != "detail" => out.push(
            warning(
                Code::ObjectField,
                site.key_span(),
                format!("`{field}` is a string, so it has no field `{}`", shown(inner)),
            )
            .label("never there"),
        ),
        _ => {}
    }
}

/// A list for a field that also has fields inside: it cannot be a value and an object at once.
pub(super) fn value_and_object(sites: &[Site<'_>], out: &mut Out<'_>) {
    const SITES: usize = 1_000;
    let mut objects: ListMap<(u32, Vec<&str>), &Site<'_>> = ListMap::new();
    for site in sites.iter().take(SITES) {
        let absent = site.tests.iter().any(|test| matches!(test.kind, TestKind::Exists(false)));
        let steps = site.steps(16);
        for length in (1..steps.len()).filter(|_| !absent) {
            objects.entry((site.branch, steps.get(..length).unwrap_or(&[]).to_vec()), || site);
        }
    }
    for site in sites.iter().take(SITES) {
        let absent = site.tests.iter().any(|test| matches!(test.kind, TestKind::Exists(false)));
        let Some(inner) = objects.get(&(site.branch, site.steps(16))).filter(|_| !absent) else { continue };
        out.push(
            warning(
                Code::ObjectField,
                site.node.span,
                format!("`{}` cannot be both a single value and an object", site.path()),
            )
            .label("expects a single value")
            .context(inner.key_span(), "expects a field inside it")
            .help("keep this test or the fields inside it, not both: tests read only single values"),
        );
    }
}
