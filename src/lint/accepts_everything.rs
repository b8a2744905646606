//! W0003: a list that accepts every value.

use super::site::{LONG, Out, Site, warning};
use crate::diagnostic::{Applicability, Code};
use crate::pattern::ast::{AnythingBut, Operand, Test, TestKind};
use crate::relate::{Find, Values, sample};

pub(super) const PAGE: &str = r##"## W0003: the list accepts every value

Together, the entries of the list exclude nothing. The usual cause is two `anything-but`: what one excludes, the other accepts.

**Why it matters.** The test has no effect, and events that should have been excluded are delivered.

```bad eventbridge
{"detail": {"kind": ["order"], "state": [{"anything-but": "draft"}, {"anything-but": "deleted"}]}}
```

Use instead:

```good eventbridge
{"detail": {"kind": ["order"], "state": [{"anything-but": ["draft", "deleted"]}]}}
```
"##;

/// Reports a list that excludes nothing; returns whether it did.
pub(super) fn check(site: &Site<'_>, out: &mut Out<'_>) -> bool {
    if site.tests.len() < 2 || site.tests.len() > LONG {
        return false;
    }
    let plain = site.tests.iter().any(|test| matches!(test.kind, TestKind::Exists(true)));
    let values = Values::of(site.tests);
    let all = Values::everything();
    if sample(&[&all], &[&values], false, &out.effort) != Find::Nothing || (plain && !values.absent) {
        return false;
    }
    let excluded = site.tests.iter().filter(|test| matches!(test.kind, TestKind::AnythingBut(_))).count();
    let message = if values.absent {
        format!("this list accepts everything, even if `{}` is absent", site.path())
    } else {
        format!("this list accepts every value of `{}`", site.path())
    };
    let help = if excluded > 1 {
        "the entries of a list are alternatives (OR): what one `anything-but` excludes, the other accepts; put all \
         exclusions into one: {\"anything-but\": [\"a\", \"b\"]}"
    } else if values.absent {
        "remove the field from the pattern"
    } else {
        "to accept every value write [{\"exists\": true}]"
    };
    let mut found = warning(Code::AcceptsEverything, site.node.span, message).label("excludes nothing").help(help);
    if let Some(one) = one_exclusion(site.tests, out.source()) {
        found = found.fix("exclude all of them", site.node.span, one, Applicability::Unsafe);
    }
    out.push(found);
    true
}

/// Several exclusions of one kind as one.
fn one_exclusion(tests: &[Test], source: &str) -> Option<String> {
    let (mut kind, mut items) = (None, Vec::new());
    for test in tests {
        let TestKind::AnythingBut(excluded) = &test.kind else { return None };
        let texts =
            |list: &[Operand]| list.iter().map(|operand| operand.span.slice(source).to_owned()).collect::<Vec<_>>();
        let (name, list) = match excluded {
            AnythingBut::Strings(list) => ("strings", texts(list)),
            AnythingBut::Numbers(list) => {
                ("numbers", list.iter().map(|(span, _)| span.slice(source).to_owned()).collect())
            }
            AnythingBut::Prefix(list) => ("prefix", texts(list)),
            AnythingBut::Suffix(list) => ("suffix", texts(list)),
            AnythingBut::EqualsIgnoreCase(list) => {
                ("equals-ignore-case", list.iter().map(|fold| fold.operand.span.slice(source).to_owned()).collect())
            }
            AnythingBut::Wildcard(list) => {
                ("wildcard", list.iter().map(|wildcard| wildcard.operand.span.slice(source).to_owned()).collect())
            }
        };
        if kind.is_some_and(|kind| kind != name) {
            return None;
        }
        kind = Some(name);
        items.extend(list);
    }
    let list = items.join(", ");
    Some(match kind? {
        "strings" | "numbers" => format!("[{{\"anything-but\": [{list}]}}]"),
        name => format!("[{{\"anything-but\": {{\"{name}\": [{list}]}}}}]"),
    })
}
