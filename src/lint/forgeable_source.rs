//! W0305: a source inside the data, which its publisher can forge.

use super::site::{Out, Site, note, warning};
use crate::diagnostic::Code;
use crate::dialect::Dialect;
use crate::pattern::ast::{Test, TestKind};

pub(super) const PAGE: &str = r##"## W0305: a source that can be forged

`source` and `detail-type` inside the data are what the publisher wrote: anyone who may publish can write `aws.s3` there. The
service sets `aws:Source` and `aws:DetailType` of SYSTEM_METADATA itself.

**Why it matters.** A subscriber that trusts `source` in the data can be fooled.

```bad eventsv2-data
{"source": ["aws.s3"], "detail": {"bucket": {"name": ["in"]}}}
```

Use instead:

```good eventsv2-system-metadata
{"aws:Source": ["aws.s3"]}
```

The second pattern is a filter of another scope: add it to the subscriber and keep the fields of `detail` in DATA.
"##;

/// `source` or `detail-type` of the data with a value that only AWS sends. `proven` says that `aws:Source` is tested too.
pub(super) fn check(site: &Site<'_>, proven: bool, out: &mut Out<'_>) {
    if out.dialect() != Dialect::EventsV2Data || site.keys != ["source"] {
        return;
    }
    let aws = |test: &&Test| match &test.kind {
        TestKind::String(operand) | TestKind::Prefix(operand) => operand.text.starts_with("aws."),
        _ => false,
    };
    let Some(test) = site.tests.iter().find(aws) else { return };
    let message = "`source` in the data is what the publisher wrote, and can be forged";
    let found = if proven {
        note(Code::ForgeableSource, test.span, message).help("`aws:Source` is tested too, so this test is redundant")
    } else {
        warning(Code::ForgeableSource, test.span, message)
            .help("test `aws:Source` in a SYSTEM_METADATA filter of this subscriber: only AWS can send a source that begins with `aws.`")
    };
    out.push(found.label("not proof of the source"));
}
