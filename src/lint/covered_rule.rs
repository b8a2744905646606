//! W0202: a rule that another covers.

use super::site::warning;
use crate::base::Span;
use crate::diagnostic::{Code, Finding};

pub(super) const PAGE: &str = r##"## W0202: a rule that another covers

Every event that this rule matches, the other rule matches too. The example has one rule per line.

**Why it matters.** If both have the same target, this rule only causes a second delivery.

```bad rules
{"source": ["shop"], "detail": {"state": [{"prefix": "re"}]}}
{"source": ["shop"], "detail": {"state": ["refunded", "returned"]}}
```

Keep the wider rule only, or narrow it:

```good rules
{"source": ["shop"], "detail": {"state": [{"prefix": "reopen"}]}}
{"source": ["shop"], "detail": {"state": ["refunded", "returned"]}}
```

The first rule is narrower now.
"##;

/// The finding, for the whole pattern.
pub(super) fn finding(whole: Span) -> Finding {
    warning(Code::CoveredRule, whole, "another rule matches every event that this rule matches")
        .help("if both have the same target, remove this rule; otherwise nothing is wrong")
}
