//! W0032: a field of an S3 event under the wrong name.

use super::site::{Out, Site, warning};
use crate::diagnostic::{Applicability, Code};
use crate::dialect::Dialect;
use crate::pattern::ast::{Test, TestKind};

pub(super) const PAGE: &str = r##"## W0032: an S3 detail under the wrong name

The events that S3 sends to EventBridge name the bucket `bucket.name` and the object `object.key`. Notifications to queues and
functions use other names (`s3.bucket.name`, `Records`), and so does CloudTrail (`requestParameters.bucketName`).

**Why it matters.** The pattern is valid and never matches.

```bad eventbridge
{"source": ["aws.s3"], "detail-type": ["Object Created"], "detail": {"requestParameters": {"bucketName": ["in"]}}}
```

Use instead:

```good eventbridge
{"source": ["aws.s3"], "detail-type": ["Object Created"], "detail": {"bucket": {"name": ["in"]}}}
```
"##;

/// The kinds of events that S3 sends to EventBridge itself; calls that CloudTrail records have another form.
const KINDS: [&str; 3] = ["Object Created", "Object Deleted", "Object Tags Added"];

/// Details of S3's own events under the names that notifications or CloudTrail have for them.
pub(super) fn check(sites: &[Site<'_>], out: &mut Out<'_>) {
    let values = |keys: &[&str], all: &dyn Fn(&str) -> bool| {
        sites.iter().any(|site| {
            let plain = |test: &Test| matches!(&test.kind, TestKind::String(operand) if all(&operand.text));
            site.keys == keys && !site.tests.is_empty() && site.tests.iter().all(plain)
        })
    };
    let own = values(&["source"], &|text| text == "aws.s3")
        && values(&["detail-type"], &|text| KINDS.contains(&text) || text.starts_with("Object "));
    if !own || !matches!(out.dialect(), Dialect::EventBridge | Dialect::EventsV2EventSource) {
        return;
    }
    for site in sites {
        let Some(("detail", path)) = site.keys.split_first().map(|(first, rest)| (*first, rest)) else { continue };
        let meant = match *path {
            ["bucketName" | "bucket-name" | "bucket_name"]
            | ["bucket"]
            | ["requestParameters", "bucketName"]
            | ["s3", "bucket", "name"]
            | ["Records", "s3", "bucket", "name"] => ["bucket", "name"],
            ["key" | "objectKey" | "object-key" | "object_key"]
            | ["object"]
            | ["requestParameters", "key"]
            | ["s3", "object", "key"]
            | ["Records", "s3", "object", "key"] => ["object", "key"],
            _ => continue,
        };
        let [outer, inner] = meant;
        let list = site.node.span.slice(out.source());
        let mut found =
            warning(Code::S3Detail, site.key_span(), format!("S3's events have no field `{}`", site.path()))
                .label("never there")
                .help(format!("write `\"detail\": {{\"{outer}\": {{\"{inner}\": […]}}}}`"));
        // The field alone can be put right in its place, unless its new name is there already.
        let alone = !sites.iter().any(|other| other.keys.get(1) == Some(&outer) && other.at != site.at);
        let span = match path.len() {
            1 => Some(site.key_span().to(site.node.span)),
            _ => out.ast().nodes.get(site.object as usize).and_then(|node| {
                let single = path.len() == 2 && out.ast().children(site.object as usize).nth(1).is_none();
                node.key.as_ref().filter(|_| single).map(|key| key.span.to(node.span))
            }),
        };
        if let Some(span) = span.filter(|_| alone) {
            let replacement = format!("\"{outer}\": {{\"{inner}\": {list}}}");
            found = found.fix(format!("write `{outer}.{inner}`"), span, replacement, Applicability::Unsafe);
        }
        out.push(found);
    }
}
