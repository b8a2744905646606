//! W0014: a field name with dots.

use super::site::{Out, Site, note, quoted, shown};
use crate::diagnostic::Code;
use crate::dialect::Dialect;

pub(super) const PAGE: &str = r##"## W0014: a field name with dots

In a pattern and in an event, a dot in a name means the same as nesting. EventBridge cannot distinguish the two.

**Why it matters.** The pattern also matches events in which the field is nested.

```bad eventbridge
{"detail": {"state.code": [16]}}
```

Use instead:

```good eventbridge
{"detail": {"state": {"code": [16]}}}
```
"##;

pub(super) fn check(site: &Site<'_>, out: &mut Out<'_>) {
    if site.last().contains('.') && !matches!(out.dialect(), Dialect::SnsAttributes | Dialect::EventsV2Metadata) {
        let steps: Vec<&str> = site.last().split('.').take(6).collect();
        let nested: Vec<String> = steps.into_iter().rev().map(quoted).collect();
        out.push(
            note(Code::DottedName, site.key_span(), format!("`{}` is the same as nested fields", shown(site.last())))
                .label("dots separate fields")
                .help(format!(
                    "also matches {}: EventBridge treats a dot in a name like nesting",
                    nested.join(" inside ")
                )),
        );
    }
}
