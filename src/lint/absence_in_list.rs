//! W0023: absence in an array of objects.

use super::site::{Out, Site, note, shown};
use crate::diagnostic::Code;
use crate::pattern::ast::TestKind;

pub(super) const PAGE: &str = r##"## W0023: absence in an array of objects

In an array of objects, the service tests the fields in alphabetical order, and tests absence only against the objects that
are left so far. `"exists": false` on a field that comes first in the alphabet therefore means “absent from every object”.

**Why it matters.** The pattern misses events in which one object matches and another one has the field.

```bad eventbridge
{"detail": {"items": {"error": [{"exists": false}], "sku": ["A1"]}}}
```

Use instead:

```good eventbridge
{"detail": {"items": {"sku": ["A1"], "zz-error": [{"exists": false}]}}}
```

The order of the names decides, not their order in the text, so the sender has to rename the field. There is no equivalent in
the pattern alone.
"##;

/// `exists: false` next to other fields of the same object: in an array of objects the order of the names decides.
pub(super) fn check(sites: &[Site<'_>], out: &mut Out<'_>) {
    for site in sites.iter().take(1_000) {
        let absent = site.tests.iter().find(|test| matches!(test.kind, TestKind::Exists(false)));
        let Some(absent) = absent else { continue };
        let Some((_, holder)) = site.keys.split_last() else { continue };
        if holder.is_empty() || (holder.len() == 1 && matches!(holder, ["detail" | "body" | "dynamodb" | "data"])) {
            continue;
        }
        let units = |key: &str| key.encode_utf16().collect::<Vec<u16>>();
        let later = sites.iter().take(1_000).find(|other| {
            other.branch == site.branch
                && other.keys.split_last().is_some_and(|(_, keys)| keys == holder)
                && units(other.last()) > units(site.last())
        });
        if let Some(later) = later {
            out.push(
                note(
                    Code::AbsenceInList,
                    absent.span,
                    format!("if `{}` is an array of objects, `{}` must be absent from all of them", shown(&holder.join(".")), shown(site.last())),
                )
                .label("tested first: alphabetical order")
                .context(later.key_span(), "this field selects the object later")
                .help("the service tests fields in alphabetical order, and absence only against the objects that are left so far"),
            );
        }
    }
}
