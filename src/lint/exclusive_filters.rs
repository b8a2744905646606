//! W0302: filters of a subscriber that no event satisfies together.

use super::among::Selected;
use super::site::{Out, warning};
use crate::base::Span;
use crate::diagnostic::Code;
use crate::dialect::Dialect;

pub(super) const PAGE: &str = r##"## W0302: filters that exclude each other

An event is delivered only if every filter of the subscriber matches. METADATA is empty for events of PutEvents, and
`aws:Source` and `aws:DetailType` are absent from events of PutRawEvents; data in `application/octet-stream` cannot be read by a
DATA filter. The example has one filter per line.

**Why it matters.** The subscriber is valid and receives nothing that was published directly on this bus. An event that another bus forwards can
have both.

```bad subscriber
METADATA {"tenant": ["a"]}
SYSTEM_METADATA {"aws:Source": ["shop"]}
```

Use instead:

```good subscriber
DATA {"detail": {"tenant": ["a"]}}
SYSTEM_METADATA {"aws:Source": ["shop"]}
```

The second subscriber expects the sender to put the tenant into the detail.
"##;

/// METADATA next to a filter that selects PutEvents, DATA next to one that selects what cannot be read.
pub(super) fn check(selected: Selected, out: &mut Out<'_>) {
    let (message, label, help) = match (out.dialect(), selected) {
        (Dialect::EventsV2Metadata, Selected::Events) => (
            "an event published with PutEvents has no metadata, and the other filters select PutEvents",
            "never both on a directly published event",
            "test a field of the data instead; only an event that another bus forwards can have both",
        ),
        (Dialect::EventsV2Data, Selected::Unreadable) => (
            "a DATA filter never matches `application/octet-stream`, which the other filters select",
            "data that no filter can read",
            "remove the DATA filter, or publish with the content type `application/json`",
        ),
        _ => return,
    };
    let Some(root) = out.ast().nodes.first().map(|node| node.span) else { return };
    let span = Span::new(root.start, root.start + 1);
    out.push(warning(Code::FiltersExcludeEachOther, span, message).label(label).help(help));
}
