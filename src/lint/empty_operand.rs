//! W0015: an operand that accepts every string, or a wildcard without a star.

use super::site::{Out, note, warning};
use crate::diagnostic::Code;
use crate::pattern::ast::Test;

pub(super) const PAGE: &str = r##"## W0015: an operand that accepts every string

An empty prefix or suffix and a lone `*` accept every string, but no number, boolean or null. A wildcard without `*` is an
exact value.

**Why it matters.** The test excludes almost nothing, and it is rarely intended to exclude numbers, booleans and null.

```bad eventbridge
{"detail": {"name": [{"prefix": ""}]}}
```

Use instead:

```good eventbridge
{"detail": {"name": [{"exists": true}]}}
```

The second pattern also accepts numbers, booleans and null.
"##;

pub(super) fn check(test: &Test, text: &str, what: &str, out: &mut Out<'_>) {
    if text.is_empty() {
        out.push(
            warning(
                Code::EmptyOperand,
                test.span,
                match what {
                    "wildcard" => "a lone `*` accepts every string".to_owned(),
                    _ => format!("an empty {what} accepts every string"),
                },
            )
            .label("accepts any string, but no number, boolean or null")
            .help("to accept every value write {\"exists\": true}"),
        );
    }
}

/// A wildcard without a star.
pub(super) fn no_star(test: &Test, out: &mut Out<'_>) {
    out.push(
        note(Code::EmptyOperand, test.span, "a wildcard without `*` is an exact value")
            .label("has no `*`")
            .help("write the value itself, or add `*` where any characters may follow"),
    );
}
