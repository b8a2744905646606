//! W0028: a policy that tests only absence.

use super::site::{Out, Site, warning};
use crate::diagnostic::Code;
use crate::dialect::Dialect;
use crate::pattern::ast::TestKind;

pub(super) const PAGE: &str = r##"## W0028: a policy that tests only absence

SNS does not apply a policy to a message that has no attributes at all: such a message is not delivered, even if the policy
requires only that an attribute is absent.

**Why it matters.** Messages without attributes are lost, although the policy seems to accept them.

```bad sns-attributes
{"store": [{"exists": false}]}
```

Use instead:

```good sns-attributes
{"kind": ["order"], "store": [{"exists": false}]}
```

The second policy expects the sender to give every message an attribute `kind`.
"##;

/// A policy that tests only that attributes are absent.
pub(super) fn check(sites: &[Site<'_>], out: &mut Out<'_>) {
    if out.dialect() != Dialect::SnsAttributes {
        return;
    }
    let absent = |site: &Site<'_>| site.tests.iter().all(|test| matches!(test.kind, TestKind::Exists(false)));
    if let Some(site) = sites.first().filter(|_| sites.iter().all(absent)) {
        out.push(
            warning(Code::NoAttributes, site.node.span, "a message without any attributes does not match this")
                .label("needs another attribute to be present")
                .help(
                    "SNS does not apply a policy to messages without attributes: give every message an attribute, and \
                     test it too",
                ),
        );
    }
}
