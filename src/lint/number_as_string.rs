//! W0010: a number where DynamoDB has strings.

use super::site::{Out, Site, warning};
use crate::diagnostic::{Applicability, Code};
use crate::pattern::ast::TestKind;

pub(super) const PAGE: &str = r##"## W0010: a number where the event has strings

DynamoDB sends numbers as strings, under `N`. `numeric` and plain numbers never match there.

**Why it matters.** The filter is valid and drops every record.

```bad lambda-esm
{"dynamodb": {"NewImage": {"salary": {"N": [50000]}}}}
```

Use instead:

```good lambda-esm
{"dynamodb": {"NewImage": {"salary": {"N": ["50000"]}}}}
```

This matches one spelling of the number. For a range there is no equivalent: filter in the function.
"##;

/// Numbers where DynamoDB has strings.
pub(super) fn check(site: &Site<'_>, out: &mut Out<'_>) {
    let steps = site.steps(64);
    let Some(last) = steps.last().filter(|last| matches!(**last, "N" | "NS")) else { return };
    if !matches!(steps.iter().position(|step| *step == "dynamodb"), Some(0 | 1)) {
        return;
    }
    for test in site.tests {
        let found = |help| {
            warning(Code::NumberAsText, test.span, format!("DynamoDB stores numbers under `{last}` as strings"))
                .label("never matches")
                .help(help)
        };
        match &test.kind {
            TestKind::Number(number) => {
                let quoted = format!("\"{}\"", number.spelling);
                out.push(found("list the accepted strings").fix(
                    "quote it",
                    test.span,
                    quoted,
                    Applicability::safe_if(site.decides_alone()),
                ));
            }
            TestKind::Numeric(_) => {
                out.push(found(
                    "list the accepted strings; a range of strings is not possible: test it in the function",
                ));
            }
            _ => {}
        }
    }
}
