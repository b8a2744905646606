//! How fields stand to each other.

use super::{Out, Site, note, quoted, shown, warning};
use crate::base::{ListMap, Span};
use crate::diagnostic::Code;
use crate::dialect::{Dialect, Word};
use crate::pattern::Pattern;
use crate::pattern::ast::{NodeKind, TestKind};
use crate::relate::{Effort, Find, Values, outside};

pub(super) fn check(sites: &[Site<'_>], out: &mut Out<'_>) {
    operator_as_field(sites, out);
    replaced(sites, out);
    for site in sites {
        dotted(site, out);
    }
    value_and_object(sites, out);
    absence_in_lists(sites, out);
    covered_branches(sites, out);
    if let Some(at) = out.ast().trailing {
        let span = Span::new(at, out.source().len() as u32);
        out.push(
            warning(Code::TrailingText, span, "text behind the pattern is never read")
                .label("ignored")
                .help("the service ignores it too; if it is a second pattern, it has no effect")
                .fix("take it away", span, "", true),
        );
    }
}

/// `"amount": {"numeric": [">", 100]}`: a field called `numeric`.
fn operator_as_field(sites: &[Site<'_>], out: &mut Out<'_>) {
    for site in sites {
        if Word::from_name(site.last()).is_none() || site.keys.len() < 2 {
            continue;
        }
        let operator = site.last();
        let field = site.keys.get(site.keys.len() - 2).copied().unwrap_or("");
        let Some(node) = out.ast().nodes.get(site.object as usize) else { continue };
        if node.key.is_none() || out.ast().children(site.object as usize).nth(1).is_some() {
            continue;
        }
        let text = node.span.slice(out.source());
        let inner = site.node.span.slice(out.source());
        let single = inner.trim_start_matches('[').trim_end_matches(']').trim();
        // `{"prefix": ["a"]}` as a field is `[{"prefix": "a"}]` as a test.
        let candidates = [format!("[{text}]"), format!("[{}]", text.replacen(inner, single, 1))];
        let replacement = candidates
            .into_iter()
            .find(|candidate| Pattern::parse(&format!("{{\"a\": {candidate}}}"), out.dialect()).is_ok());
        let mut found = warning(
            Code::OperatorAsField,
            site.key_span(),
            format!("`{operator}` is read as the name of a field inside `{}`", shown(field)),
        )
        .label("an operator stands inside of a list")
        .help(format!(
            "as it is, the pattern matches events in which `{}` is an object with a field `{operator}`",
            shown(field)
        ));
        if let Some(replacement) = replacement {
            let sure = matches!(operator, "numeric" | "anything-but" | "equals-ignore-case");
            found = found.fix("put the operator into a list", node.span, replacement, sure);
        }
        out.push(found);
    }
}

/// A list that a later one of the same path replaces.
fn replaced(sites: &[Site<'_>], out: &mut Out<'_>) {
    let mut last: ListMap<(u32, Vec<&str>), &Site<'_>> = ListMap::new();
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
    // The same path in an object and in a branch of an `$or` inside of it: of each branch the list that counts.
    let mut paths: ListMap<Vec<&str>, Vec<&Site<'_>>> = ListMap::new();
    let mut counting: Vec<&Site<'_>> = last.values().copied().collect();
    counting.sort_unstable_by_key(|site| site.at);
    for site in counting {
        paths.entry(site.steps(64), Default::default).push(site);
    }
    for sites in paths.values().filter(|sites| sites.len() > 1) {
        for outer in sites {
            let end = out.ast().nodes.get(outer.branch as usize).map_or(0, |node| node.end);
            let from = sites.partition_point(|inner| inner.at <= outer.branch);
            let mut inside = sites.iter().skip(from).take_while(|inner| inner.at < end);
            let Some(inner) = inside.find(|inner| inner.branch != outer.branch) else { continue };
            let (winner, loser, text) = if inner.at > outer.at {
                (inner, outer, "this list is replaced inside of the `$or`")
            } else {
                (outer, inner, "this list has no effect: one behind the `$or` replaces it")
            };
            let found = warning(Code::BranchOverrides, loser.key_span(), text)
                .label(format!("a list for `{}`", loser.path()))
                .context(winner.key_span(), "replaced by this one")
                .help("lists of one field are not combined with AND: in each branch the last one in the text counts");
            out.push(found);
        }
    }
}

fn dotted(site: &Site<'_>, out: &mut Out<'_>) {
    if site.last().contains('.') && !matches!(out.dialect(), Dialect::SnsAttributes) {
        let steps: Vec<&str> = site.last().split('.').take(6).collect();
        let nested: Vec<String> = steps.into_iter().rev().map(quoted).collect();
        out.push(
            note(Code::DottedName, site.key_span(), format!("`{}` is the same as nested fields", shown(site.last())))
                .label("dots separate fields")
                .help(format!("it also matches {}: a name with dots cannot be told apart", nested.join(" inside of "))),
        );
    }
}

/// A list for a field that also has fields inside: it cannot be a value and an object at once.
fn value_and_object(sites: &[Site<'_>], out: &mut Out<'_>) {
    const SITES: usize = 1_000;
    let mut objects: ListMap<(u32, Vec<&str>), &Site<'_>> = ListMap::new();
    for site in sites.iter().take(SITES) {
        let absent = site.tests.iter().any(|test| matches!(test.kind, TestKind::Exists(false)));
        let steps = site.steps(16);
        for length in (1..steps.len()).filter(|_| !absent) {
            objects.entry((site.branch, steps.get(..length).unwrap_or(&[]).to_vec()), || site);
        }
    }
    for site in sites.iter().take(SITES) {
        let absent = site.tests.iter().any(|test| matches!(test.kind, TestKind::Exists(false)));
        let Some(inner) = objects.get(&(site.branch, site.steps(16))).filter(|_| !absent) else { continue };
        out.push(
            warning(
                Code::ObjectField,
                site.node.span,
                format!("`{}` cannot be a single value and have fields", site.path()),
            )
            .label("asks for a single value")
            .context(inner.key_span(), "asks for a field inside of it")
            .help("tests look at single values only; name the fields inside, or leave them out"),
        );
    }
}

/// `exists: false` beside other fields of the same object: in a list of objects the order of the names decides.
fn absence_in_lists(sites: &[Site<'_>], out: &mut Out<'_>) {
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
                    format!("if `{}` is a list of objects, `{}` must be absent from all of them", shown(&holder.join(".")), shown(site.last())),
                )
                .label("decided before the field below, by the alphabet")
                .context(later.key_span(), "this field picks the object only afterwards")
                .help("the service goes through the fields in alphabetical order; absence is judged in the objects picked so far"),
            );
        }
    }
}

/// Branches of an `$or` that another branch makes superfluous.
fn covered_branches(sites: &[Site<'_>], out: &mut Out<'_>) {
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
                        // Of two that are the same the later one is superfluous. Absence depends on the other fields.
                        covers && !absent && (wide.len() < map.len() || *other < at || !same(map, wide, &out.effort))
                    })
            });
            if let (Some((other, _)), Some(span)) =
                (cover, branches.get(at).and_then(|at| ast.nodes.get(*at)).map(|node| node.span))
            {
                let wide = branches.get(other).and_then(|at| ast.nodes.get(*at)).map_or(node.span, |node| node.span);
                found.push(
                    warning(Code::CoveredBranch, span, format!("branch {} of this `$or` adds nothing", at + 1))
                        .label("whatever matches this")
                        .context(wide, "matches this branch too")
                        .help("leave the branch out"),
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
