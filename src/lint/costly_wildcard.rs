//! W0019: wildcards that are expensive for the service.

use super::site::{Out, Site, warning};
use crate::diagnostic::Code;
use crate::dialect::Dialect;
use crate::dialect::limits::WILDCARD_COMPLEXITY;
use crate::pattern::ast::{AnythingBut, Test, TestKind};

pub(super) const PAGE: &str = r##"## W0019: expensive wildcards

The service rates the wildcards of a rule and rejects a rating above 10. The rating is the largest number of partial
matches that a string can keep open at once. It grows with each `*` after which the same characters can begin again.

**Why it matters.** The service rejects the rule without naming the number, and a small change can push a valid rule over the limit.

```bad eventbridge
{"detail": {"arn": [{"wildcard": "*:*:*:*:bus/*"}]}}
```

Use instead:

```good eventbridge
{"detail": {"arn": [{"wildcard": "arn:aws:events:*:bus/*"}]}}
```

The second pattern is narrower: it names the parts of the ARN that are known.
"##;

pub(super) fn check(sites: &[Site<'_>], out: &mut Out<'_>) {
    if out.dialect().is_sns() {
        return;
    }
    let wildcard =
        |test: &&Test| matches!(test.kind, TestKind::Wildcard(_) | TestKind::AnythingBut(AnythingBut::Wildcard(_)));
    let wildcard = sites.iter().flat_map(|site| site.tests).find(wildcard);
    let Some(test) = wildcard else { return };
    let (rating, span) = match out.pattern.wildcard_complexity() {
        Some(rating) if rating < 8 => return,
        Some(rating) => (format!("{rating}"), test.span),
        None => ("far above that".to_owned(), test.span),
    };
    out.push(
        warning(
            Code::CostlyWildcard,
            span,
            match out.dialect() {
                Dialect::EventBridge => format!(
                    "the wildcards of this pattern are rated {rating}; the service rejects a rating above {WILDCARD_COMPLEXITY}"
                ),
                _ => format!(
                    "the wildcards of this pattern are rated {rating}; EventBridge rejects rules rated above \
                     {WILDCARD_COMPLEXITY}, this service's limit is not documented"
                ),
            },
        )
        .label("the first wildcard")
        .help("the rating grows with each `*` after which the same characters can begin again: use fewer `*`, more distinct characters after each, or several rules"),
    );
}
