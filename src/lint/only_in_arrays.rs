//! W0029: a value that only attributes of one type can have.

use super::site::{Out, Site, note};
use crate::diagnostic::Code;
use crate::dialect::Dialect;
use crate::pattern::ast::TestKind;

pub(super) const PAGE: &str = r##"## W0029: a value that only arrays can have

An attribute of the type String is always a string, one of the type Number a number. `true`, `false` and `null` can only be
elements of a String.Array.

**Why it matters.** The test never matches an attribute of the type String whose value is `true`.

```bad sns-attributes
{"urgent": [true]}
```

Use instead:

```good sns-attributes
{"urgent": ["true"]}
```

The second policy matches an attribute of the type String.
"##;

/// Booleans and null, which no plain attribute has.
pub(super) fn check(site: &Site<'_>, out: &mut Out<'_>) {
    if out.dialect() != Dialect::SnsAttributes {
        return;
    }
    for test in site.tests {
        if matches!(test.kind, TestKind::Bool(_) | TestKind::Null) {
            let value = test.span.slice(out.source());
            let message = format!("only an attribute of the type String.Array can contain `{value}`");
            out.push(
                note(Code::OnlyInArrays, test.span, message)
                    .label("never equals a plain attribute")
                    .help("for an absent attribute write {\"exists\": false}; for the string \"true\" quote it"),
            );
        }
    }
}
