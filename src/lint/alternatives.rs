//! W0002: entries of a list that were probably meant to apply together.

use super::site::{LONG, Out, Site, warning};
use crate::base::text::json_string;
use crate::diagnostic::{Applicability, Code};
use crate::pattern::ast::{Test, TestKind};
use crate::relate::Values;

pub(super) const PAGE: &str = r##"## W0002: alternatives that were probably meant to apply together

The entries of a list are alternatives (OR): one of them is enough.

**Why it matters.** The pattern matches far more than was intended.

```bad eventbridge
{"detail": {"key": [{"prefix": "in/"}, {"suffix": ".pdf"}]}}
```

Use instead:

```good eventbridge
{"detail": {"key": [{"wildcard": "in/*.pdf"}]}}
```
"##;

/// Operators side by side that were probably meant to apply together.
pub(super) fn check(site: &Site<'_>, out: &mut Out<'_>) {
    let tests = site.tests;
    if tests.len() < 2 || tests.len() > LONG {
        return;
    }
    let find = |test: &dyn Fn(&TestKind) -> bool| tests.iter().find(|one| test(&one.kind));
    let prefix = find(&|kind| matches!(kind, TestKind::Prefix(_) | TestKind::PrefixIgnoreCase(_)));
    let suffix = find(&|kind| matches!(kind, TestKind::Suffix(_) | TestKind::SuffixIgnoreCase(_)));
    let above = find(&|kind| matches!(kind, TestKind::Numeric(range) if range.low.is_some() && range.high.is_none()));
    let below = find(&|kind| matches!(kind, TestKind::Numeric(range) if range.low.is_none() && range.high.is_some()));
    let excluding = find(&|kind| matches!(kind, TestKind::AnythingBut(_)));
    let choosing = find(&|kind| {
        matches!(
            kind,
            TestKind::Prefix(_)
                | TestKind::Suffix(_)
                | TestKind::Wildcard(_)
                | TestKind::PrefixIgnoreCase(_)
                | TestKind::SuffixIgnoreCase(_)
                | TestKind::Numeric(_)
                | TestKind::Cidr(..)
        )
    });
    let found = |first: &Test, second: &Test, help: String| {
        let (first, second) = if first.span.start < second.span.start { (first, second) } else { (second, first) };
        warning(
            Code::AlternativesNotAnd,
            second.span,
            format!("these tests of `{}` are alternatives: one of them is enough", site.path()),
        )
        .label("or this")
        .context(first.span, "either this")
        .help(help)
    };
    if let (Some(prefix), Some(suffix)) = (prefix, suffix) {
        let mut finding = found(
            prefix,
            suffix,
            "to require both, use one wildcard; two tests of one field cannot be combined with AND".to_owned(),
        );
        if let (TestKind::Prefix(front), TestKind::Suffix(back), 2) = (&prefix.kind, &suffix.kind, tests.len()) {
            let escape = |text: &str| text.replace('\\', "\\\\").replace('*', "\\*");
            let wildcard = json_string(&format!("{}*{}", escape(&front.text), escape(&back.text)));
            let title = "require both";
            let list = format!("[{{\"wildcard\": {wildcard}}}]");
            // The service has no wildcards with two stars in a row, and some dialects have none at all.
            if out.is_accepted(list.trim_matches(['[', ']'])) {
                finding = finding.fix(title, site.node.span, list, Applicability::Unsafe);
            }
        }
        out.push(finding);
    } else if let (Some(above), Some(below)) = (above, below) {
        // Also two that only touch, such as below 5 and from 5 on.
        if Values::of([above, below]).has_every_number() {
            let part = |test: &Test| {
                let text = test.span.slice(out.source());
                text.split_once('[')
                    .and_then(|(_, rest)| rest.rsplit_once(']'))
                    .map(|(inner, _)| inner.trim().to_owned())
            };
            let mut finding = found(
                above,
                below,
                "together they accept every number; write both ends of a range in one `numeric`".to_owned(),
            );
            if let (Some(low), Some(high)) = (part(above), part(below)) {
                let range = format!("{{\"numeric\": [{low}, {high}]}}");
                if tests.len() == 2 && out.is_accepted(&range) {
                    finding =
                        finding.fix("make it one range", site.node.span, format!("[{range}]"), Applicability::Unsafe);
                }
            }
            out.push(finding);
        }
    } else if let (Some(excluding), Some(choosing)) = (excluding, choosing) {
        out.push(found(
            choosing,
            excluding,
            "`anything-but` accepts everything else, so the other test has almost no effect; test one of the two here, and \
             the other where the event is handled"
                .to_owned(),
        ));
    }
}
