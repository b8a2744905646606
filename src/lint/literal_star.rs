//! W0005: a star where it is an ordinary character.

use super::site::{Out, Site, warning};
use crate::base::text::json_string;
use crate::diagnostic::{Applicability, Code};
use crate::pattern::ast::{Operand, Test, TestKind};

pub(super) const PAGE: &str = r##"## W0005: a `*` that is a literal character

`*` is special only in `wildcard`. In a plain value, a prefix or a suffix it matches a literal `*`.

**Why it matters.** The pattern is valid and never matches, because values rarely contain `*`.

```bad eventbridge
{"detail": {"key": ["logs/*.gz"]}}
```

Use instead:

```good eventbridge
{"detail": {"key": [{"wildcard": "logs/*.gz"}]}}
```
"##;

pub(super) fn check(site: &Site<'_>, test: &Test, operand: &Operand, what: &str, out: &mut Out<'_>) {
    let text = &*operand.text;
    // JSON in a string has a finding of its own, and was not meant as a wildcard.
    let json = text.trim_start().starts_with(['{', '[']);
    if json || !text.contains('*') || text.len() < 2 && what != "an exact value" {
        return;
    }
    let mut found = warning(Code::LiteralStar, operand.span, format!("`*` in {what} is a literal character"))
        .label(format!("matches only a literal `*` in `{}`", site.path()));
    let wildcard = |text: &str| format!("{{\"wildcard\": {}}}", json_string(text));
    let (body, stars) = (text.trim_matches('*'), text.matches('*').count());
    let replacement = match &test.kind {
        TestKind::Prefix(_) if text.ends_with('*') && stars == 1 => {
            Some(("remove the `*`", format!("{{\"prefix\": {}}}", json_string(body))))
        }
        TestKind::Suffix(_) if text.starts_with('*') && stars == 1 => {
            Some(("remove the `*`", format!("{{\"suffix\": {}}}", json_string(body))))
        }
        TestKind::Prefix(_) | TestKind::Suffix(_) => None,
        _ if text == "*" && site.is_envelope(out.dialect()) => None,
        _ if text == "*" => Some(("accept every value", "{\"exists\": true}".to_owned())),
        _ => Some(("make it a wildcard", wildcard(&single_stars(&text.replace('\\', "\\\\"))))),
    };
    if let Some((title, replacement)) = replacement
        && out.is_accepted(&replacement)
    {
        found = found.fix(title, test.span, replacement, Applicability::Unsafe);
    }
    out.push(found);
}

/// The wildcard with each run of stars as one.
fn single_stars(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for char in text.chars() {
        if char != '*' || !out.ends_with('*') {
            out.push(char);
        }
    }
    out
}
