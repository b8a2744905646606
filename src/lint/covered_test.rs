//! W0004: an entry of a list that another entry covers.

use super::site::{LONG, Out, Site, shown, warning};
use crate::base::{ListMap, Span};
use crate::diagnostic::{Applicability, Code};
use crate::pattern::ast::{Test, TestKind};
use crate::relate::{Find, Values, outside};

pub(super) const PAGE: &str = r##"## W0004: an entry adds nothing

Another entry of the list accepts everything that this one does.

**Why it matters.** Either the entry is redundant, or the other one accepts more than was intended.

```bad eventbridge
{"detail": {"state": ["running", {"prefix": "run"}]}}
```

Use instead:

```good eventbridge
{"detail": {"state": [{"prefix": "run"}]}}
```

Both patterns match the same events. If only `running` was meant, remove the prefix instead; that pattern matches less.
"##;

/// Tests that another test of the list makes redundant.
pub(super) fn check(site: &Site<'_>, out: &mut Out<'_>) {
    let tests = site.tests;
    let drop = |at: usize, by: &Test, out: &mut Out<'_>| {
        let Some(test) = tests.get(at) else { return };
        let source = out.source();
        let by_text = shown(by.span.slice(source));
        let span = match at.checked_sub(1).and_then(|before| tests.get(before)) {
            Some(before) => Span::new(before.span.end, test.span.end),
            None => Span::new(test.span.start, tests.get(1).map_or(test.span.end, |next| next.span.start)),
        };
        let same = by.span.slice(source) == test.span.slice(source);
        let message = if same {
            format!("`{by_text}` is in this list twice")
        } else {
            format!("`{}` adds nothing: `{by_text}` accepts it already", shown(test.span.slice(source)))
        };
        out.push(
            warning(Code::CoveredTest, test.span, message)
                .label("redundant")
                .context(by.span, if same { "the same" } else { "accepts everything it does" })
                .fix("remove it from the list", span, "", Applicability::Safe),
        );
    };
    if tests.len() > LONG {
        let mut seen: ListMap<&str, usize> = ListMap::new();
        for (at, test) in tests.iter().enumerate() {
            if let TestKind::String(operand) = &test.kind
                && let Some(first) = seen.insert(&operand.text, at)
                && let Some(by) = tests.get(first)
            {
                drop(at, by, out);
            }
        }
        return;
    }
    let values: Vec<Values<'_>> = tests.iter().map(|test| Values::of([test])).collect();
    let mut gone = vec![false; tests.len()];
    for (at, own) in values.iter().enumerate() {
        // The first of equal ones stays.
        let by = (0..tests.len()).find(|other| {
            let wide = values.get(*other);
            *other != at
                && !gone.get(*other).copied().unwrap_or(true)
                && wide.is_some_and(|wide| quick(own, wide) && outside(own, wide, &out.effort) == Find::Nothing)
                && (*other < at || wide.is_some_and(|wide| outside(wide, own, &out.effort) != Find::Nothing))
        });
        if let Some(by) = by.and_then(|by| tests.get(by)) {
            if let Some(gone) = gone.get_mut(at) {
                *gone = true;
            }
            drop(at, by, out);
        }
    }
}

/// Whether it can be at all, before the search.
fn quick(own: &Values<'_>, wide: &Values<'_>) -> bool {
    (!own.absent || wide.absent)
        && (!own.null || wide.null)
        && (own.texts.parts.is_empty() || !wide.texts.parts.is_empty())
        && (own.numbers.is_empty() || !wide.numbers.is_empty())
}
