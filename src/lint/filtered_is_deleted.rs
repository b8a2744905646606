//! W0027: messages that do not match are deleted.

use super::site::{Out, Site, note, top_key};
use crate::diagnostic::Code;
use crate::dialect::Dialect;

pub(super) const PAGE: &str = r##"## W0027: what does not match is deleted

A filter on a queue does not leave the other messages there: Lambda and Pipes delete them, even if another consumer of the
queue wants them.

**Why it matters.** Messages are lost without an error.

```bad lambda-esm
{"body": {"kind": ["order"]}}
```

On a stream nothing is deleted:

```good lambda-esm
{"data": {"kind": ["order"]}}
```

This one filters a stream, where other records are only skipped. On a queue, give each consumer a queue of its own; there is no
equivalent filter.
"##;

/// A filter of a queue.
pub(super) fn check(sites: &[Site<'_>], out: &mut Out<'_>) {
    if !matches!(out.dialect(), Dialect::Lambda | Dialect::Pipes) {
        return;
    }
    if let Some(site) = sites.iter().find(|site| site.steps(1).first() == Some(&"body")) {
        out.push(
            note(
                Code::FilteredIsDeleted,
                top_key(site, out),
                "a message that does not match is deleted from the queue",
            )
            .label("filters an SQS queue")
            .help("give each consumer of the messages a queue of its own"),
        );
    }
}
