//! How patterns relate: whether one covers another, whether two can match the same event, what a small matching event
//! looks like, and which pattern some events suggest.
//!
//! Every “no” comes with an event that both patterns were matched against, and every “yes” with a proof; if neither is
//! found, the answer is “unknown”.

mod branches;
mod effort;
mod event;
mod infer;
mod paths;
mod redundant;
mod strings;
mod values;

use branches::{Branch, branches, sampled};
use event::{Chosen, choose, event};

use crate::base::ListSet;
use crate::dialect::Dialect;
use crate::pattern::Pattern;

pub use infer::{InferError, Inferred, InferredChoice, infer};
pub use redundant::{Redundancies, Redundant, redundancies, redundant};

pub(crate) use effort::Effort;
pub(crate) use infer::infer_of;
pub(crate) use strings::Find;
pub(crate) use values::{Values, outside, sample};

/// Whether one pattern covers another, as far as that is known: the answer of [`Pattern::covers`].
///
/// ```
/// use eventrie::relate::Covers;
/// use eventrie::{Dialect, Pattern};
/// let parse = |text: &str| Pattern::parse(text, Dialect::EventBridge).unwrap();
/// let (wide, narrow) = (parse(r#"{"a":[{"prefix":"x"}]}"#), parse(r#"{"a":["xy"],"b":[1]}"#));
/// assert_eq!(wide.covers(&narrow), Covers::Yes);
/// assert_eq!(narrow.covers(&wide), Covers::No { event: r#"{"a":"x"}"#.to_owned() });
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum Covers {
    /// Proven.
    Yes,
    /// This event matches the other pattern, but not this one.
    No {
        /// JSON text.
        event: String,
    },
    /// Neither was found.
    Unknown,
}

/// Whether two patterns can match the same event: the answer of [`Pattern::overlaps`].
///
/// ```
/// use eventrie::relate::Overlaps;
/// use eventrie::{Dialect, Pattern};
/// let parse = |text: &str| Pattern::parse(text, Dialect::EventBridge).unwrap();
/// let (prefix, suffix) = (parse(r#"{"a":[{"prefix":"in/"}]}"#), parse(r#"{"a":[{"suffix":".pdf"}]}"#));
/// assert_eq!(prefix.overlaps(&suffix), Overlaps::Yes { event: r#"{"a":"in/.pdf"}"#.to_owned() });
/// let (x, y) = (parse(r#"{"a":["x"]}"#), parse(r#"{"a":["y"]}"#));
/// assert_eq!(x.overlaps(&y), Overlaps::OnlyWithLists { event: r#"{"a":["x","y"]}"#.to_owned() });
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum Overlaps {
    /// This event matches both.
    Yes {
        /// JSON text.
        event: String,
    },
    /// This event matches both, but only because a field has a list of several values; no event in which every field
    /// has one value does.
    OnlyWithLists {
        /// JSON text.
        event: String,
    },
    /// Proven: no event matches both.
    No,
    /// Neither was found.
    Unknown,
}

impl Pattern {
    /// Whether every event that `other` matches is matched by this pattern too.
    ///
    /// Patterns of different services read different events; such pairs, and very large patterns, are `Unknown`.
    /// Example: [`Covers`].
    #[must_use]
    pub fn covers(&self, other: &Pattern) -> Covers {
        if self.dialect() != other.dialect() {
            return Covers::Unknown;
        }
        let (Some(own), Some(others)) = (branches(self), branches(other)) else { return Covers::Unknown };
        let (own, effort) = (joined(own), Effort::new());
        let size = fields(&own) + fields(&others);
        let mut proven = true;
        for branch in &others {
            if own.iter().any(|wide| contains(wide, branch, &effort)) {
                continue;
            }
            let mut candidates = Vec::new();
            breaking(&own, branch, &effort, &mut candidates);
            for chosen in candidates {
                if !effort.take(EXPLAINED * size) {
                    return Covers::Unknown;
                }
                let event = event(&chosen);
                if is_match(other, &event) && !is_match(self, &event) {
                    return Covers::No { event };
                }
            }
            proven &= impossible(branch, &effort);
        }
        if proven { Covers::Yes } else { Covers::Unknown }
    }

    /// Whether some event matches both patterns. Example: [`Overlaps`].
    #[must_use]
    pub fn overlaps(&self, other: &Pattern) -> Overlaps {
        if self.dialect() != other.dialect() {
            return Overlaps::Unknown;
        }
        let (Some(own), Some(others)) = (branches(self), branches(other)) else { return Overlaps::Unknown };
        let (mut unknown, mut with_lists) = (false, None);
        let (effort, size) = (Effort::new(), fields(&own) + fields(&others));
        for left in &own {
            for right in &others {
                if !effort.take(left.len() + right.len()) {
                    unknown = true;
                    continue;
                }
                let (chosen, single) = match together(left, right, &effort) {
                    Together::Single(chosen) => (chosen, true),
                    Together::Lists(chosen) => (chosen, false),
                    Together::Never => continue,
                    Together::Unknown => {
                        unknown = true;
                        continue;
                    }
                };
                if !effort.take(EXPLAINED * size) {
                    unknown = true;
                    continue;
                }
                let event = alive(self, &chosen);
                if !(is_match(self, &event) && is_match(other, &event)) {
                    unknown = true;
                } else if single {
                    return Overlaps::Yes { event };
                } else {
                    with_lists.get_or_insert(event);
                }
            }
        }
        match with_lists {
            // A pair about which nothing is known may have single values in common.
            Some(event) if unknown => Overlaps::Yes { event },
            Some(event) => Overlaps::OnlyWithLists { event },
            None if unknown => Overlaps::Unknown,
            None => Overlaps::No,
        }
    }

    /// A small event that matches, as JSON; none if there is none, or none was found.
    ///
    /// ```
    /// use eventrie::{Dialect, Pattern};
    /// let text = r#"{"source":["shop"],"detail":{"n":[{"numeric":[">",10]}],"x":[{"anything-but":""}]}}"#;
    /// let pattern = Pattern::parse(text, Dialect::EventBridge)?;
    /// assert_eq!(pattern.sample().as_deref(), Some(r#"{"detail":{"n":11,"x":0},"source":"shop"}"#));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn sample(&self) -> Option<String> {
        let mut best: Option<String> = None;
        let (branches, effort) = (sampled(self)?, Effort::new());
        let size = fields(&branches);
        for branch in branches {
            let Some(chosen) = smallest(&branch, &effort) else { continue };
            if !effort.take(EXPLAINED * size) {
                break;
            }
            let event = alive(self, &chosen);
            if best.as_ref().is_none_or(|best| event.len() < best.len()) && is_match(self, &event) {
                best = Some(event);
            }
        }
        best
    }
}

/// The most values in all events together that are made to find one that distinguishes two patterns.
const CHOSEN: usize = 1 << 18;

/// What matching an event costs for each field, in steps of a search.
const EXPLAINED: usize = 16;

fn fields(branches: &[Branch<'_>]) -> usize {
    branches.iter().map(|branch| branch.len() + 1).sum()
}

fn is_match(pattern: &Pattern, event: &str) -> bool {
    pattern.explain(event.as_bytes()).is_ok_and(|explanation| explanation.matched())
}

/// The event of the choice. SNS delivers no message without attributes to a policy that tests any, so it gets one.
fn alive(pattern: &Pattern, chosen: &Chosen) -> String {
    let event = event(chosen);
    let starved = pattern.dialect() == Dialect::SnsAttributes && !pattern.is_everything();
    if event == "{}" && starved { r#"{"other":0}"#.to_owned() } else { event }
}

/// Branches that differ in one path only, as one.
fn joined(mut branches: Vec<Branch<'_>>) -> Vec<Branch<'_>> {
    let mut at = 0;
    while at < branches.len() {
        let mut other = at + 1;
        while other < branches.len() {
            let differing = match (branches.get(at), branches.get(other)) {
                (Some(left), Some(right)) if left.len() == right.len() => {
                    let mut differing = Vec::new();
                    for (path, values) in left.iter() {
                        match right.get(path) {
                            Some(own) if own == values => {}
                            Some(_) => differing.push(path.clone()),
                            None => differing.extend([path.clone(), path.clone()]),
                        }
                    }
                    differing
                }
                _ => vec![String::new(); 2],
            };
            if differing.len() > 1 {
                other += 1;
                continue;
            }
            let removed = branches.remove(other);
            if let (Some(path), Some(branch)) = (differing.first(), branches.get_mut(at))
                && let (Some(left), Some(right)) = (branch.get_mut(path), removed.get(path))
            {
                *left = std::mem::take(left).with(right.clone());
            }
        }
        at += 1;
    }
    branches
}

/// Whether everything that satisfies `narrow` satisfies `wide`; false if that is not proven.
///
/// Where narrow's fields choose values, wide's choose the same. Two things can still part them, both only among paths
/// that begin with one step, since only these can lie in one list of the event: narrow's absence may be judged in
/// elements that a field of narrow alone has fixed; and where wide requires more, even for anything at all, a value that
/// happens to be there must be chosen, and fixes an element for the fields after it.
fn contains(wide: &Branch<'_>, narrow: &Branch<'_>, effort: &Effort) -> bool {
    let own_steps = std::cell::OnceCell::new();
    let fixed_by_others = |path: &str| {
        let steps: &ListSet<&str> = own_steps.get_or_init(|| {
            let own = narrow.paths().filter(|path| wide.get(path).is_none());
            own.filter_map(|path| path.split('.').next()).collect()
        });
        path.split_once('.').is_some_and(|(step, _)| steps.contains(step))
    };
    wide.iter().all(|(path, accepted)| {
        let free = || outside(&Values::everything(), accepted, effort) == Find::Nothing && !wide.has_beside(path);
        match narrow.get(path) {
            None => free(),
            Some(own) => {
                outside(own, accepted, effort) == Find::Nothing && (!own.absent || !fixed_by_others(path) || free())
            }
        }
    })
}

/// Whether no event satisfies the branch.
fn impossible(branch: &Branch<'_>, effort: &Effort) -> bool {
    branch.values().any(|values| sample(&[values], &[], true, effort) == Find::Nothing)
}

/// The smallest value of each path.
fn smallest(branch: &Branch<'_>, effort: &Effort) -> Option<Chosen> {
    let mut chosen = Chosen::default();
    for (path, values) in branch.iter() {
        match sample(&[values], &[], true, effort) {
            Find::Found(found) => choose(&mut chosen, path, &found),
            Find::Nothing | Find::Unknown => return None,
        }
    }
    Some(chosen)
}

/// Choices that satisfy `narrow`, and as little as possible of the branches `own`.
fn breaking(own: &[Branch<'_>], narrow: &Branch<'_>, effort: &Effort, candidates: &mut Vec<Chosen>) {
    let Some(base) = smallest(narrow, effort) else { return };
    let nothing = Values::everything();
    let mut all = base.clone();
    let mut paths: Vec<&String> = own.iter().flat_map(Branch::paths).collect();
    paths.sort_unstable();
    paths.dedup();
    for path in paths {
        let inside = narrow.get(path).unwrap_or(&nothing);
        let accepted: Vec<&Values<'_>> = own.iter().filter_map(|branch| branch.get(path)).collect();
        // A value that none of them accepts; else one that the first does not, and so on.
        let lists = std::iter::once(accepted.clone()).chain(accepted.iter().map(|one| vec![*one]));
        for (at, outside) in lists.take(8).enumerate() {
            if let Find::Found(found) = sample(&[inside], &outside, true, effort) {
                if (candidates.len() + 1) * base.len() > CHOSEN {
                    break;
                }
                let mut one = base.clone();
                choose(&mut one, path, &found);
                candidates.push(one);
                if at == 0 {
                    choose(&mut all, path, &found);
                    break;
                }
                choose(&mut all, path, &found);
            }
        }
    }
    candidates.insert(0, base);
    candidates.push(all);
}

enum Together {
    /// One value for each path.
    Single(Chosen),
    /// Some paths need two.
    Lists(Chosen),
    Never,
    Unknown,
}

/// Values that satisfy both branches.
fn together(left: &Branch<'_>, right: &Branch<'_>, effort: &Effort) -> Together {
    let (mut chosen, mut lists, mut unknown) = (Chosen::default(), false, false);
    let mut paths: Vec<&String> = left.paths().chain(right.paths()).collect();
    paths.sort_unstable();
    paths.dedup();
    for path in paths {
        let both: Vec<&Values<'_>> = [left.get(path), right.get(path)].into_iter().flatten().collect();
        match sample(&both, &[], true, effort) {
            Find::Found(found) => choose(&mut chosen, path, &found),
            Find::Unknown => unknown = true,
            Find::Nothing => {
                let mut values = Vec::new();
                for one in &both {
                    match sample(&[one], &[], false, effort) {
                        Find::Found(found) => match found.json() {
                            Some(json) => values.push(json),
                            None => unknown = true,
                        },
                        Find::Unknown => unknown = true,
                        // Only absence satisfies it; present and absent at once is possible in different elements of
                        // a list, if another field picks the element.
                        Find::Nothing if one.absent && path.contains('.') => unknown = true,
                        Find::Nothing => return Together::Never,
                    }
                }
                lists = true;
                chosen.insert(path, values);
            }
        }
    }
    match (unknown, lists) {
        (true, _) => Together::Unknown,
        (false, true) => Together::Lists(chosen),
        (false, false) => Together::Single(chosen),
    }
}
