//! W0013: a list that a later one for the same field replaces.

use super::site::{Out, Site, warning};
use crate::base::ListMap;
use crate::diagnostic::Code;

pub(super) const PAGE: &str = r##"## W0013: a list without effect

If a field has several lists, only the last one in the text counts. That includes lists reached by nesting and by dotted
names.

**Why it matters.** The values of the first list are silently ignored.

```bad eventbridge
{"detail": {"state": ["new"], "state": ["paid"]}}
```

Use instead:

```good eventbridge
{"detail": {"state": ["new", "paid"]}}
```
"##;

/// The lists that count: of each path in each branch the last one. Those that a later one replaces are reported.
pub(super) fn check<'s, 'p>(sites: &'s [Site<'p>], out: &mut Out<'_>) -> Vec<&'s Site<'p>> {
    let mut last: ListMap<(u32, Vec<&str>), &'s Site<'p>> = ListMap::new();
    for site in sites {
        let steps = site.steps(64);
        if steps.len() == 64 {
            continue;
        }
        if let Some(first) = last.insert((site.branch, steps), site) {
            out.push(
                warning(
                    Code::ReplacedList,
                    first.key_span(),
                    format!("this list for `{}` has no effect: a later one replaces it", first.path()),
                )
                .label("replaced")
                .context(site.key_span(), "by this one")
                .help("of several lists for one field only the last counts; put all values into one list"),
            );
        }
    }
    let mut counting: Vec<&'s Site<'p>> = last.values().copied().collect();
    counting.sort_unstable_by_key(|site| site.at);
    counting
}
