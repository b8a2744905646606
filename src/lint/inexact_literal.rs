//! W0024: a number with too many digits.

use super::site::{Out, shown, warning};
use crate::diagnostic::Code;
use crate::pattern::ast::Test;
use crate::value::is_out_of_range;

pub(super) const PAGE: &str = r##"## W0024: a number with too many digits

A number that 64-bit floating point cannot represent matches only the same digits, not another spelling of the same value.

**Why it matters.** Senders often round such a number, and then the pattern never matches.

```bad eventbridge
{"detail": {"lat": [37.807807921694092]}}
```

Use instead:

```good eventbridge
{"detail": {"lat": [{"numeric": [">=", 37.8078, "<=", 37.8079]}]}}
```

The range matches numbers near the value too.
"##;

/// A number that cannot be represented exactly.
pub(super) fn check(test: &Test, spelling: &str, out: &mut Out<'_>) {
    let (what, help) = match is_out_of_range(spelling.as_bytes()) {
        true => (
            "is too large or too close to zero to be compared",
            "numbers are compared as 64-bit floating point, from about 2.2e-308 to 1.8e308; check the exponent",
        ),
        false => (
            "has more digits than can be compared",
            "numbers are compared as 64-bit floating point (about 16 digits); write fewer digits, or a `numeric` range \
             around the value",
        ),
    };
    let message = format!("`{}` {what}", shown(spelling));
    out.push(warning(Code::InexactLiteral, test.span, message).label("equals only the same digits").help(help));
}
