//! W0021: content after the pattern, where it is ignored. (Where it is rejected, reading the pattern says so.)

use super::site::{Out, warning};
use crate::base::Span;
use crate::diagnostic::{Applicability, Code};
use crate::dialect::{BusVersion, Dialect};

pub(super) const PAGE: &str = r##"## W0021: content after the pattern

A pattern is one JSON object; it ends with its closing brace. Trailing whitespace is fine.

**Why it matters.** Engine releases up to 2.0.1 ignore what follows, even if it is another pattern; release 2.2.0 rejects the
pattern (`--engine 2026-09`, the default). Pipes, Lambda and SNS ignore it.

```bad eventbridge
{"source": ["shop.orders"]} {"source": ["shop.returns"]}
```

Use instead:

```good eventbridge
{"source": ["shop.orders", "shop.returns"]}
```
"##;

/// Content after the closing brace.
pub(super) fn check(out: &mut Out<'_>) {
    if let Some(at) = out.ast().trailing {
        let span = Span::new(at, out.source().len() as u32);
        let help = if out.dialect() == Dialect::EventBridge {
            format!("remove it: it has no effect, and the engine of {} rejects it", BusVersion::V2026_09)
        } else {
            "remove it: the service ignores it, even if it is a second pattern".to_owned()
        };
        out.push(
            warning(Code::TrailingText, span, "content after the pattern is ignored")
                .label("not part of the pattern")
                .help(help)
                .fix("remove it", span, "", Applicability::Safe),
        );
    }
}
