//! Many patterns: which of them others make redundant.

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

/// What [`redundancies`] found, and how many pairs it compared.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Redundancies {
    /// The patterns that another one covers, in the order given.
    pub found: Vec<Redundant>,
    /// How many pairs were compared: those that an index could not tell apart.
    pub compared: usize,
    /// How many pairs there were to compare. More than were compared if the work reached its bound.
    pub pairs: usize,
}

/// The patterns that another one surely covers, in the order given, each with the first that matches the same events, or
/// else with the first that covers it. For sets of rules: a rule that another covers does nothing of its own, if both have
/// the same target.
///
/// As [`redundancies`], which also says whether every pair was compared.
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
    redundancies(patterns).found
}

/// Looks for patterns that another one surely covers.
///
/// Patterns are looked up by a value that they require: only what requires a value that the other accepts is compared. Rule
/// sets therefore take about linear time. What has no such value (prefixes, wildcards, ranges on one field) is compared in
/// pairs, up to a fixed amount of work, a few seconds; then [`compared`](Redundancies::compared) is less than
/// [`pairs`](Redundancies::pairs).
///
/// ```
/// use eventrie::relate::redundancies;
/// use eventrie::Pattern;
/// let patterns: Vec<Pattern> =
///     (0..1_000).map(|n| format!(r#"{{"source":["shop"],"detail":{{"id":[{n:?}]}}}}"#, n = n.to_string()).parse()).collect::<Result<_, _>>()?;
/// let outcome = redundancies(&patterns);
/// assert!(outcome.found.is_empty() && outcome.pairs == 0, "no two require the same `detail.id`");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn redundancies<'p>(patterns: impl IntoIterator<Item = &'p Pattern>) -> Redundancies {
    let patterns: Vec<&Pattern> = patterns.into_iter().collect();
    let (effort, preparing) = (Effort::of_many(), Effort::of_many());
    let wide: Vec<Vec<Branch<'_>>> =
        patterns.iter().map(|pattern| branches(pattern).map(joined).unwrap_or_default()).collect();
    let narrow: Vec<Vec<Narrow<'_>>> = patterns
        .iter()
        .map(|pattern| {
            branches(pattern).unwrap_or_default().into_iter().map(|branch| Narrow::of(branch, &preparing)).collect()
        })
        .collect();
    let index = Index::of(&wide, &preparing);
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
    let mut outcome = Redundancies::default();
    for (at, narrows) in narrow.iter().enumerate() {
        let Some(first) = narrows.first() else { continue };
        let mut candidates = index.candidates(first);
        candidates.retain(|other| *other != at);
        outcome.pairs += candidates.len();
        let mut told = None;
        for by in candidates {
            if effort.is_spent() {
                break;
            }
            outcome.compared += 1;
            if told.is_some() && (by > at || !may_cover(at, by)) || !covers(by, at) {
                continue;
            }
            let equal = covers(at, by);
            if equal && by > at {
                continue;
            }
            told = told.filter(|_| !equal).or(Some((by, equal)));
            if equal {
                // Nothing that follows could be told instead.
                break;
            }
        }
        if let Some((by, equal)) = told
            && let (Some(id), Some(by)) = (PatternId::from_index(at), PatternId::from_index(by))
        {
            outcome.found.push(Redundant { id, by, equal });
        }
    }
    if !effort.is_spent() {
        // What a rule that is told already would have been compared with is decided too.
        outcome.compared = outcome.pairs;
    }
    outcome
}

/// Which patterns can contain a branch: found by a value that they require, or else by a path.
struct Index<'w> {
    by_value: ListMap<(&'w str, String), Vec<usize>>,
    by_path: ListMap<Option<&'w str>, Vec<usize>>,
}

impl<'w> Index<'w> {
    fn of(wide: &'w [Vec<Branch<'_>>], effort: &Effort) -> Index<'w> {
        let mut paths: ListMap<&str, usize> = ListMap::new();
        let mut values: ListMap<(&str, String), usize> = ListMap::new();
        for (path, accepted) in wide.iter().flatten().flat_map(|branch| branch.iter()) {
            *paths.entry(path.as_str(), || 0) += 1;
            for value in accepted.required().into_iter().flatten() {
                *values.entry((path.as_str(), value), || 0) += 1;
            }
        }
        let mut index = Index { by_value: ListMap::new(), by_path: ListMap::new() };
        for (at, branches) in wide.iter().enumerate() {
            for branch in branches {
                index.add(at, branch, &paths, &values, effort);
            }
        }
        index
    }

    /// Adds a branch under the values of the path where these are rarest, or else under its rarest path. (A branch can only
    /// contain what has that path; branches that test nothing contain all.)
    fn add(
        &mut self,
        at: usize,
        branch: &'w Branch<'_>,
        paths: &ListMap<&'w str, usize>,
        values: &ListMap<(&'w str, String), usize>,
        effort: &Effort,
    ) {
        let required = branch.iter().filter_map(|(path, accepted)| {
            let keys: Vec<_> = accepted.required()?.into_iter().map(|value| (path.as_str(), value)).collect();
            let shared: usize = keys.iter().filter_map(|key| values.get(key)).sum();
            Some((shared, keys))
        });
        if let Some((_, keys)) = required.min_by_key(|(shared, _)| *shared) {
            for key in keys {
                push(self.by_value.entry(key, Default::default), at);
            }
            return;
        }
        let rarest = branch.iter().filter(|(_, values)| !is_everything(values, effort)).map(|(path, _)| path.as_str());
        push(self.by_path.entry(rarest.min_by_key(|path| paths.get(path)), Default::default), at);
    }

    /// The patterns that can contain a branch, ascending: those that accept the value that it has as an example.
    fn candidates(&self, narrow: &Narrow<'_>) -> Vec<usize> {
        let sampled = narrow.samples.iter().filter_map(|(path, sample)| {
            let value = sample.json()?;
            self.by_value.get(&(path.as_str(), value))
        });
        let pathed = narrow.branch.paths().map(|path| Some(path.as_str())).chain([None]);
        let pathed = pathed.filter_map(|path| self.by_path.get(&path));
        let mut candidates: Vec<usize> = sampled.chain(pathed).flatten().copied().collect();
        candidates.sort_unstable();
        candidates.dedup();
        candidates
    }
}

fn push(list: &mut Vec<usize>, at: usize) {
    if list.last() != Some(&at) {
        list.push(at);
    }
}

fn is_everything(values: &Values<'_>, effort: &Effort) -> bool {
    values.absent && sample(&[&Values::everything()], &[values], true, effort) == Find::Nothing
}

impl<'p> Narrow<'p> {
    fn of(branch: Branch<'p>, effort: &Effort) -> Narrow<'p> {
        let sampled = branch.iter().filter_map(|(path, values)| {
            // Nearly every list names a string; searching for one takes a thousand times as long.
            let named = values.named().map(|text| Sample::Text(text.to_owned()));
            match named.map_or_else(|| sample(&[values], &[], true, effort), Find::Found) {
                Find::Found(found) => Some((path.clone(), found)),
                Find::Nothing | Find::Unknown => None,
            }
        });
        Narrow { samples: sampled.collect(), branch }
    }

    /// A quick look before the proof.
    fn may_be_in(&self, wide: &Branch<'_>) -> bool {
        self.samples.iter().all(|(path, sample)| wide.get(path).is_none_or(|values| values.accepts(sample)))
    }
}
