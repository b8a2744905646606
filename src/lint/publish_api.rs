//! W0301: a DATA filter for another publish API than the one that the other filters select.

use super::among::Selected;
use super::site::{Out, Site, shown, warning};
use crate::diagnostic::Code;
use crate::dialect::Dialect;
use crate::dialect::envelope::EVENT;

pub(super) const PAGE: &str = r##"## W0301: a DATA filter for the other publish API

PutEvents wraps the payload in an envelope, so a field `order` is at `detail.order`. PutRawEvents delivers the payload as it
is, so the field is at `order`. The other filters of this subscriber select events of one API, and this pattern is written for
the other. The example has one filter per line.

**Why it matters.** The subscriber is valid and receives nothing.

```bad subscriber
DATA {"detail": {"state": ["paid"]}}
SYSTEM_METADATA {"ContentType": ["application/json"]}
```

Use instead:

```good subscriber
DATA {"state": ["paid"]}
SYSTEM_METADATA {"ContentType": ["application/json"]}
```
"##;

/// Fields that are nested too deep or not deep enough for the events that the other filters select.
pub(super) fn check(sites: &[Site<'_>], selected: Selected, out: &mut Out<'_>) {
    if out.dialect() != Dialect::EventsV2Data {
        return;
    }
    // Once for each name at the top level.
    for site in sites {
        let top = site.keys.first().copied().unwrap_or("");
        let envelope = EVENT.contains(&top);
        match selected {
            Selected::RawEvents if matches!(top, "detail" | "detail-type") => {
                let message =
                    format!("an event published with PutRawEvents has no `{top}` unless its publisher adds it");
                let help = match top {
                    "detail" => {
                        "the other filters select PutRawEvents: the payload is at the top level, so remove `detail`"
                    }
                    _ => "the other filters select PutRawEvents, which adds no envelope: test a field of the payload",
                };
                out.push(
                    warning(Code::WrongPublishApi, site.key_span(), message).label("written for PutEvents").help(help),
                );
            }
            Selected::Events if !envelope => {
                let message = format!("an event published with PutEvents has no top-level field `{}`", shown(top));
                out.push(
                    warning(Code::WrongPublishApi, site.key_span(), message).label("written for PutRawEvents").help(
                        format!("the other filters select PutEvents: the payload is under `detail`, so write `\"detail\": {{\"{}\": …}}`", shown(top)),
                    ),
                );
            }
            Selected::Events | Selected::RawEvents | Selected::Unreadable | Selected::Any => {}
        }
    }
}
