//! W0303: tests of metadata that no string satisfies.

use super::site::{Out, Site, warning};
use crate::diagnostic::{Applicability, Code};
use crate::dialect::Dialect;
use crate::pattern::ast::TestKind;

pub(super) const PAGE: &str = r##"## W0303: metadata values are strings

Every value of METADATA and SYSTEM_METADATA is a string. A number, a boolean, null or `numeric` never matches one.

**Why it matters.** The filter is valid and matches nothing.

```bad eventsv2-system-metadata
{"EventGroupId": [7]}
```

Use instead:

```good eventsv2-system-metadata
{"EventGroupId": ["7"]}
```
"##;

/// Numbers, booleans, null and `numeric` where every value is a string.
pub(super) fn check(site: &Site<'_>, out: &mut Out<'_>) {
    if !matches!(out.dialect(), Dialect::EventsV2Metadata | Dialect::EventsV2SystemMetadata) {
        return;
    }
    let applicability = Applicability::safe_if(site.decides_alone());
    for test in site.tests {
        let what = match &test.kind {
            TestKind::Number(_) => "a number",
            TestKind::Bool(_) => "a boolean",
            TestKind::Null => "null",
            TestKind::Numeric(_) => "`numeric`",
            _ => continue,
        };
        let message = format!("metadata values are strings, which {what} never matches");
        let mut found = warning(Code::MetadataIsStrings, test.span, message).label("never matches");
        found = match &test.kind {
            TestKind::Number(number) => {
                found.fix("quote it", test.span, format!("\"{}\"", number.spelling), applicability)
            }
            TestKind::Bool(value) => found.fix("quote it", test.span, format!("\"{value}\""), applicability),
            TestKind::Null => found.help("a field without a value is absent: to test that write {\"exists\": false}"),
            _ => found.help("list the accepted strings; a range of strings is not possible"),
        };
        out.push(found);
    }
}
