//! W0025: a string that does not match itself when case is ignored.

use super::site::{Out, quoted, warning};
use crate::diagnostic::Code;
use crate::pattern::ast::Operand;

pub(super) const PAGE: &str = r##"## W0025: a string that does not match itself

`equals-ignore-case` maps one 16-bit unit at a time. A character outside the basic plane, such as an emoji, is two units,
which become two `?`; and some title-case letters map only to other forms.

**Why it matters.** The test never matches the string that it names.

```bad eventbridge
{"detail": {"mood": [{"equals-ignore-case": "😀"}]}}
```

Use instead:

```good eventbridge
{"detail": {"mood": ["😀"]}}
```
"##;

/// A string that does not equal itself when case is ignored.
pub(super) fn check(operand: &Operand, out: &mut Out<'_>) {
    out.push(
        warning(
            Code::FoldsToNothing,
            operand.span,
            format!("{} does not match itself when case is ignored", quoted(&operand.text)),
        )
        .label("the service cannot map its case")
        .help(
            "the service reads a character outside the basic plane (such as an emoji) as two `?`, and maps a few \
             title-case letters to other forms; compare exactly instead",
        ),
    );
}
