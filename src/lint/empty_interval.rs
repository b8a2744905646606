//! W0017: a range in which there is no number.

use super::site::{Out, warning};
use crate::diagnostic::Code;
use crate::pattern::ast::Test;

pub(super) const PAGE: &str = r##"## W0017: no number is in the range

No number that 64-bit floating point can represent is between the two ends.

**Why it matters.** The test never matches, although the service accepts it.

```bad eventbridge
{"detail": {"n": [{"numeric": [">", 9007199254740992, "<", 9007199254740994]}]}}
```

Use instead:

```good eventbridge
{"detail": {"n": [{"numeric": [">=", 9007199254740992, "<=", 9007199254740994]}]}}
```

The second range includes its ends. Send larger numbers as strings to distinguish them.
"##;

/// A range without a number in it.
pub(super) fn check(test: &Test, out: &mut Out<'_>) {
    out.push(
        warning(Code::EmptyInterval, test.span, "no number is in this range")
            .label("never matches")
            .help("numbers are compared as 64-bit floating point, and none of those is between the two ends"),
    );
}
