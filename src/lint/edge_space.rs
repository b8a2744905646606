//! W0031: whitespace, quotes or a line break at the edge of a value.

use super::site::{Out, Site, quoted, warning};
use crate::base::text::json_string;
use crate::diagnostic::{Applicability, Code};
use crate::pattern::ast::{Operand, Test};

pub(super) const PAGE: &str = r##"## W0031: whitespace or quotes at the edge of a value

The value begins or ends with whitespace, a line break or a quote. Values are compared character by character.

**Why it matters.** The pattern is valid and probably never matches. Such characters come from copying, and from templates that quote twice.

```bad eventbridge
{"detail": {"state": ["running\n"]}}
```

Use instead:

```good eventbridge
{"detail": {"state": ["running"]}}
```
"##;

/// A value with whitespace or quotes at its edge, which values of events rarely have.
pub(super) fn check(site: &Site<'_>, test: &Test, operand: &Operand, out: &mut Out<'_>) {
    let text = &*operand.text;
    let unquoted = ['"', '\'', '`']
        .iter()
        .find_map(|quote| text.trim().strip_prefix(*quote)?.strip_suffix(*quote))
        .filter(|inner| !inner.is_empty() && !inner.contains(['"', '\'', '`']));
    let meant = unquoted.unwrap_or(text).trim();
    // A single blank, and JSON in a string, are intentional.
    if meant == text || meant.is_empty() || meant.starts_with(['{', '[']) {
        return;
    }
    let (what, label) = if unquoted.is_some() {
        ("quotes", "includes the quotes")
    } else if text.trim_end_matches(['\n', '\r']) == meant {
        ("a line break", "ends with a line break")
    } else {
        ("whitespace", "leading or trailing whitespace")
    };
    let message = format!("{} begins or ends with {what}, so `{}` must too", quoted(text), site.path());
    out.push(
        warning(Code::EdgeSpace, operand.span, message)
            .label(label)
            .help("values are compared character by character")
            .fix("remove it", test.span, json_string(meant), Applicability::Unsafe),
    );
}
