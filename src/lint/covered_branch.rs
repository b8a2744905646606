//! W0018: a branch of an `$or` that another branch covers.

use super::site::{Out, Site, warning};
use crate::base::ListMap;
use crate::diagnostic::Code;
use crate::pattern::ast::NodeKind;
use crate::relate::{Effort, Find, Values, outside};

pub(super) const PAGE: &str = r##"## W0018: a branch that adds nothing

Every event that matches this branch of `$or` also matches another branch.

**Why it matters.** Either the branch is redundant, or the other one accepts more than was intended.

```bad eventbridge
{"$or": [{"source": ["shop.orders"]}, {"source": ["shop.orders"], "detail-type": ["Paid"]}]}
```

Use instead:

```good eventbridge
{"source": ["shop.orders"]}
```
"##;

/// Branches of an `$or` that another branch makes redundant.
pub(super) fn check(sites: &[Site<'_>], out: &mut Out<'_>) {
    const BRANCHES: usize = 40;
    let ast = out.ast();
    let mut found = Vec::new();
    for (group, node) in ast.nodes.iter().enumerate().filter(|(_, node)| node.kind == NodeKind::Or).take(50) {
        let branches: Vec<usize> = ast.children(group).map(|(at, _)| at).take(BRANCHES).collect();
        // Only branches without groups of their own.
        let fields = |branch: usize| -> Option<ListMap<Vec<&str>, Values<'_>>> {
            let end = ast.nodes.get(branch)?.end;
            let inside = sites.iter().filter(|site| (branch as u32..end).contains(&site.at));
            let mut map = ListMap::new();
            for site in inside {
                if site.branch != branch as u32 || site.tests.len() > 100 {
                    return None;
                }
                map.insert(site.steps(64), Values::of(site.tests));
            }
            Some(map)
        };
        let maps: Vec<_> = branches.iter().map(|branch| fields(*branch)).collect();
        for (at, map) in maps.iter().enumerate() {
            let Some(map) = map else { continue };
            let cover = maps.iter().enumerate().find(|(other, wide)| {
                *other != at
                    && wide.as_ref().is_some_and(|wide| {
                        let absent = wide.values().any(|values| values.absent);
                        let covers = wide.iter().all(|(path, values)| {
                            map.get(path).is_some_and(|own| outside(own, values, &out.effort) == Find::Nothing)
                        });
                        // Of two that are the same the later one is redundant. Absence depends on the other fields.
                        covers && !absent && (wide.len() < map.len() || *other < at || !same(map, wide, &out.effort))
                    })
            });
            if let (Some((other, _)), Some(span)) =
                (cover, branches.get(at).and_then(|at| ast.nodes.get(*at)).map(|node| node.span))
            {
                let wide = branches.get(other).and_then(|at| ast.nodes.get(*at)).map_or(node.span, |node| node.span);
                found.push(
                    warning(Code::CoveredBranch, span, format!("branch {} of this `$or` adds nothing", at + 1))
                        .label("every event that matches this")
                        .context(wide, "matches this branch too")
                        .help("remove the branch"),
                );
            }
        }
    }
    for finding in found {
        out.push(finding);
    }
}

fn same(left: &ListMap<Vec<&str>, Values<'_>>, right: &ListMap<Vec<&str>, Values<'_>>, effort: &Effort) -> bool {
    left.len() == right.len()
        && left
            .iter()
            .all(|(path, values)| right.get(path).is_some_and(|other| outside(other, values, effort) == Find::Nothing))
}
