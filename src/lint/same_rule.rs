//! W0201: two rules that match the same events.

use super::site::warning;
use crate::base::Span;
use crate::diagnostic::{Code, Finding};

pub(super) const PAGE: &str = r##"## W0201: two rules that match the same events

Both patterns match exactly the same events, even if they are spelled differently. The example has one rule per line.

**Why it matters.** If one is a forgotten copy, every event is handled twice. If their targets differ on purpose, nothing is wrong.

```bad rules
{"source": ["shop"], "detail": {"state": ["new", "paid"]}}
{"detail": {"state": ["paid", "new"]}, "source": ["shop"]}
```

Use one rule with both targets, or make the two differ:

```good rules
{"source": ["shop"], "detail": {"state": ["new"]}}
{"source": ["shop"], "detail": {"state": ["paid"]}}
```
"##;

/// The finding, for the whole pattern.
pub(super) fn finding(whole: Span) -> Finding {
    warning(Code::SameRule, whole, "this rule and another match the same events")
        .help("if that is not intended, keep one of them")
}
