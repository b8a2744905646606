//! W0021: text after the pattern.

use super::site::{Out, warning};
use crate::base::Span;
use crate::diagnostic::Code;

pub(super) const PAGE: &str = r##"## W0021: text after the pattern

The pattern ends with its closing brace. What follows is not part of it.

**Why it matters.** Older releases of the engine ignore the text, even if it is another pattern; newer ones reject it.

```bad eventbridge
{"source": ["shop.orders"]} {"source": ["shop.returns"]}
```

Use instead:

```good eventbridge
{"source": ["shop.orders", "shop.returns"]}
```
"##;

/// Text after the closing brace.
pub(super) fn check(out: &mut Out<'_>) {
    if let Some(at) = out.ast().trailing {
        let span = Span::new(at, out.source().len() as u32);
        out.push(
            warning(Code::TrailingText, span, "text after the pattern is never read")
                .label("ignored")
                .help("the service ignores it too; if it is a second pattern, that pattern has no effect")
                .fix("remove it", span, "", true),
        );
    }
}
