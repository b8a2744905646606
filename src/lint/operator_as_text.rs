//! W0030: an operator written as a string.

use super::site::{Out, warning};
use crate::diagnostic::{Applicability, Code};
use crate::dialect::Word;
use crate::pattern::Pattern;
use crate::pattern::ast::{Operand, Test};

pub(super) const PAGE: &str = r##"## W0030: an operator written as a string

The entry is a string that contains JSON: it matches only events whose value is that very string.

**Why it matters.** The pattern is valid and never matches. A template or a program turned the operator into a string.

```bad eventbridge
{"detail": {"key": ["{\"wildcard\": \"in/*.pdf\"}"]}}
```

Use instead:

```good eventbridge
{"detail": {"key": [{"wildcard": "in/*.pdf"}]}}
```
"##;

/// `"{\"wildcard\": \"a*\"}"`: a string in which there is an operator. Returns whether it was reported.
pub(super) fn check(test: &Test, operand: &Operand, out: &mut Out<'_>) -> bool {
    let text = operand.text.trim();
    if !text.starts_with('{') || !Word::ALL.iter().any(|word| text.contains(word.name())) {
        return false;
    }
    if Pattern::parse(&format!("{{\"a\": [{text}]}}"), out.dialect()).is_err() {
        return false;
    }
    let found =
        warning(Code::OperatorAsText, test.span, "this string contains an operator, but it is compared as a string")
            .label("never matches")
            .help("write the operator as an object, without quotes and backslashes");
    let offered = out.is_accepted(text);
    out.push(if offered { found.fix("unwrap it", test.span, text.to_owned(), Applicability::Unsafe) } else { found });
    true
}
