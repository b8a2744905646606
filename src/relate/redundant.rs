//! Many patterns: which of them others make superfluous.

use super::branches::{Branch, branches};
use super::effort::Effort;
use super::strings::Find;
use super::values::{Sample, Values, sample};
use super::{contains, joined};
use crate::base::{ListMap, PatternId};
use crate::pattern::Pattern;

/// A pattern that another one covers. Made by [`redundant`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Redundant {
    /// The pattern that is covered: its place in what was given.
    pub id: PatternId,
    /// The pattern that matches whatever it matches.
    pub by: PatternId,
    /// Whether both match the same events. Of such a pair the later one is told.
    pub equal: bool,
}

/// One branch of one pattern, with a small value of each path: whatever contains the branch accepts them.
struct Narrow<'p> {
    branch: Branch<'p>,
    samples: Vec<(String, Sample)>,
}

/// The patterns that another one surely covers, in the order given, each with the first that matches the same events, or
/// else with the first that covers it. For sets of rules: a rule that another covers does nothing of its own, if both have
/// the same target.
///
/// Time is that of a quick look at each pair of patterns that name a path in common.
///
/// ```
/// use eventrie::relate::redundant;
/// use eventrie::{Dialect, Pattern};
/// let patterns: Vec<Pattern> = [r#"{"a":["x","y"]}"#, r#"{"b":[1]}"#, r#"{"a":["x"],"b":[1]}"#, r#"{"a":["y","x"]}"#]
///     .into_iter()
///     .map(|text| Pattern::parse(text, Dialect::EventBridge))
///     .collect::<Result<_, _>>()?;
/// let found: Vec<_> = redundant(&patterns).iter().map(|one| (one.id.index(), one.by.index(), one.equal)).collect();
/// assert_eq!(found, [(2, 0, false), (3, 0, true)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn redundant<'p>(patterns: impl IntoIterator<Item = &'p Pattern>) -> Vec<Redundant> {
    let patterns: Vec<&Pattern> = patterns.into_iter().collect();
    let effort = Effort::of_many(patterns.len());
    let wide: Vec<Vec<Branch<'_>>> =
        patterns.iter().map(|pattern| branches(pattern).map(joined).unwrap_or_default()).collect();
    let narrow: Vec<Vec<Narrow<'_>>> = patterns
        .iter()
        .map(|pattern| {
            branches(pattern).unwrap_or_default().into_iter().map(|branch| Narrow::of(branch, &effort)).collect()
        })
        .collect();
    // A branch can only contain what has its rarest path; branches that ask for nothing contain all.
    let mut count: ListMap<&str, usize> = ListMap::new();
    for path in wide.iter().flatten().flat_map(Branch::paths) {
        *count.entry(path, || 0) += 1;
    }
    let mut by_path: ListMap<Option<&str>, Vec<usize>> = ListMap::new();
    for (at, branches) in wide.iter().enumerate() {
        for branch in branches {
            let rarest =
                branch.iter().filter(|(_, values)| !is_everything(values, &effort)).map(|(path, _)| path.as_str());
            let list = by_path.entry(rarest.min_by_key(|path| count.get(path)), Default::default);
            if list.last() != Some(&at) {
                list.push(at);
            }
        }
    }
    let covers = |one: usize, other: usize| {
        let (Some(wide), Some(narrow)) = (wide.get(one), narrow.get(other)) else { return false };
        let same = patterns.get(one).map(|one| one.dialect()) == patterns.get(other).map(|other| other.dialect());
        same && !narrow.is_empty()
            && narrow.iter().all(|narrow| {
                wide.iter().any(|wide| {
                    effort.take(1 + wide.len()) && narrow.may_be_in(wide) && contains(wide, &narrow.branch, &effort)
                })
            })
    };
    // A quick look: whoever matches the same events accepts the other's samples.
    let may_cover = |one: usize, other: usize| {
        let (Some(wide), Some(narrow)) = (wide.get(one), narrow.get(other)) else { return false };
        narrow.iter().all(|narrow| wide.iter().any(|wide| effort.take(1 + wide.len()) && narrow.may_be_in(wide)))
    };
    let mut found = Vec::new();
    for (at, narrows) in narrow.iter().enumerate() {
        let Some(first) = narrows.first() else { continue };
        let mut candidates: Vec<usize> = first
            .branch
            .paths()
            .map(|path| Some(path.as_str()))
            .chain([None])
            .filter_map(|path| by_path.get(&path))
            .flatten()
            .copied()
            .filter(|other| *other != at)
            .collect();
        candidates.sort_unstable();
        candidates.dedup();
        let mut told = None;
        for by in candidates {
            if told.is_some() && (by > at || !may_cover(at, by)) || !covers(by, at) {
                continue;
            }
            let equal = covers(at, by);
            if equal && by > at {
                continue;
            }
            told = told.filter(|_| !equal).or(Some((by, equal)));
            if equal {
                break;
            }
        }
        if let Some((by, equal)) = told
            && let (Some(id), Some(by)) = (PatternId::from_index(at), PatternId::from_index(by))
        {
            found.push(Redundant { id, by, equal });
        }
    }
    found
}

fn is_everything(values: &Values<'_>, effort: &Effort) -> bool {
    values.absent && sample(&[&Values::everything()], &[values], true, effort) == Find::Nothing
}

impl<'p> Narrow<'p> {
    fn of(branch: Branch<'p>, effort: &Effort) -> Narrow<'p> {
        let sampled = branch.iter().filter_map(|(path, values)| match sample(&[values], &[], true, effort) {
            Find::Found(found) => Some((path.clone(), found)),
            Find::Nothing | Find::Unknown => None,
        });
        Narrow { samples: sampled.collect(), branch }
    }

    /// A quick look before the proof.
    fn may_be_in(&self, wide: &Branch<'_>) -> bool {
        self.samples.iter().all(|(path, sample)| wide.get(path).is_none_or(|values| values.accepts(sample)))
    }
}
