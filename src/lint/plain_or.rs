//! W0103: `$or` as a plain field name.

use crate::diagnostic::{Code, Finding, Severity};
use crate::pattern::ast::Node;

pub(super) const PAGE: &str = r##"## W0103: `$or` is a plain field name

SNS reads `$or` as a field like any other, unless it is a list of at least two objects without operator names.

**Why it matters.** The policy is valid and never matches: no message has a field `$or`.

```bad sns-body
{"$or": [{"exists": true}]}
```

Use instead:

```good sns-body
{"$or": [{"kind": ["a"]}, {"state": ["b"]}]}
```

The branches are examples: each names a field and its accepted values.
"##;

/// `$or` that is no group.
pub(super) fn check(node: &Node, notes: &mut Vec<Finding>) {
    if let Some(key) = node.key.as_ref().filter(|key| &*key.text == "$or") {
        notes.push(
            Finding::new(Code::PlainOr, Severity::Warning, key.span, "`$or` is a plain field name here")
                .label("read as a field of this name")
                .help("as a group, `$or` needs a list of at least two objects, without operator names as fields"),
        );
    }
}
