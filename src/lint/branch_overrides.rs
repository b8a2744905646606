//! W0022: a list inside and outside an `$or` for the same field.

use super::site::{Out, Site, warning};
use crate::base::ListMap;
use crate::diagnostic::Code;

pub(super) const PAGE: &str = r##"## W0022: a list inside and outside `$or`

Several lists for one field are not combined with AND. In each branch, the last list in the text counts: a list in a branch
replaces one before the `$or`, and a list after the `$or` replaces both.

**Why it matters.** The pattern matches events that the replaced list would have excluded.

```bad eventbridge
{"source": ["a", "b"], "$or": [{"source": ["a"]}, {"detail-type": ["c"]}]}
```

Use instead:

```good eventbridge
{"$or": [{"source": ["a"]}, {"source": ["b"], "detail-type": ["c"]}]}
```
"##;

/// The same path in an object and in a branch of an `$or` inside it: in each branch one list counts.
pub(super) fn check(counting: &[&Site<'_>], out: &mut Out<'_>) {
    let mut paths: ListMap<Vec<&str>, Vec<&Site<'_>>> = ListMap::new();
    for site in counting {
        paths.entry(site.steps(64), Default::default).push(*site);
    }
    for sites in paths.values().filter(|sites| sites.len() > 1) {
        for outer in sites {
            let end = out.ast().nodes.get(outer.branch as usize).map_or(0, |node| node.end);
            let from = sites.partition_point(|inner| inner.at <= outer.branch);
            let mut inside = sites.iter().skip(from).take_while(|inner| inner.at < end);
            let Some(inner) = inside.find(|inner| inner.branch != outer.branch) else { continue };
            let (winner, loser, text) = if inner.at > outer.at {
                (inner, outer, "this list is replaced inside the `$or`")
            } else {
                (outer, inner, "this list has no effect: one after the `$or` replaces it")
            };
            let found = warning(Code::BranchOverrides, loser.key_span(), text)
                .label(format!("a list for `{}`", loser.path()))
                .context(winner.key_span(), "replaced by this one")
                .help("several lists for one field are not combined with AND: in each branch, the last one in the text counts");
            out.push(found);
        }
    }
}
