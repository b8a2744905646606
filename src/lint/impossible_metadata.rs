//! W0306: metadata keys and values that can never be present.

use super::site::{Out, Site, warning};
use crate::diagnostic::Code;
use crate::dialect::Dialect;
use crate::pattern::ast::TestKind;

pub(super) const PAGE: &str = r##"## W0306: metadata that can never be present

A metadata key contains no `/` and has at most 128 characters, and a metadata value is never empty.

**Why it matters.** The filter is valid and matches nothing.

```bad eventsv2-metadata
{"shop/tenant": ["a"]}
```

Use instead:

```good eventsv2-metadata
{"shop-tenant": ["a"]}
```

The second filter expects the publisher to use that key.
"##;

/// The longest key of metadata, in characters.
const LONGEST_KEY: usize = 128;

/// A key with a slash or of more than 128 characters, and the empty value.
pub(super) fn check(site: &Site<'_>, out: &mut Out<'_>) {
    if out.dialect() != Dialect::EventsV2Metadata {
        return;
    }
    let key = site.last();
    let why = if key.contains('/') {
        Some("contains no `/`")
    } else if key.chars().count() > LONGEST_KEY {
        Some("has at most 128 characters")
    } else {
        None
    };
    if let Some(why) = why {
        out.push(
            warning(Code::ImpossibleMetadata, site.key_span(), format!("a metadata key {why}"))
                .label("never present")
                .help("use the key that the publisher sends"),
        );
    }
    for test in site.tests {
        if matches!(&test.kind, TestKind::String(operand) if operand.text.is_empty()) {
            out.push(
                warning(Code::ImpossibleMetadata, test.span, "a metadata value is never empty")
                    .label("never present")
                    .help("list the values that the publisher sends"),
            );
        }
    }
}
