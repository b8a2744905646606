//! W0016: only `source` is tested.

use super::impossible_value;
use super::site::{Out, Site, warning};
use crate::diagnostic::Code;
use crate::dialect::Dialect;
use crate::pattern::ast::{Test, TestKind};

pub(super) const PAGE: &str = r##"## W0016: only `source` is tested

The pattern matches every event of an AWS service, including kinds of events that are introduced later.

**Why it matters.** The target is invoked, and billed, for events that it was not written for.

```bad eventbridge
{"source": ["aws.ec2"]}
```

Use instead:

```good eventbridge
{"source": ["aws.ec2"], "detail-type": ["EC2 Instance State-change Notification"]}
```
"##;

/// A pattern that tests only `source`.
pub(super) fn check(sites: &[Site<'_>], out: &mut Out<'_>) {
    if !matches!(out.dialect(), Dialect::EventBridge | Dialect::EventsV2EventSource) {
        return;
    }
    // A partner's source has an event bus of its own: wanting all of its events is usual.
    let service = |test: &Test| {
        matches!(&test.kind, TestKind::String(operand)
            if impossible_value::source_of(&operand.text).is_some()
                || operand.text.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("aws.")) && !impossible_value::is_partner(&operand.text))
    };
    if let [site] = sites
        && site.keys == ["source"]
        && site.tests.iter().all(service)
    {
        out.push(
            warning(Code::OnlySource, site.node.span, "this matches every event of the service")
                .label("only `source` is tested")
                .help("add `detail-type`, and fields of `detail`, unless you want all of them"),
        );
    }
}
