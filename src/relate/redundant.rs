//! Many patterns: which of them others make redundant.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::branches::{Branch, branches};
use super::effort::Effort;
use super::strings::Find;
use super::values::{Mark, Sample, Values, sample};
use super::{contains, joined};
use crate::base::{ListMap, PatternId};
use crate::pattern::Pattern;
use crate::value::NumberKey;

/// A pattern that another one covers, as [`redundant`] returns it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Redundant {
    /// The covered pattern's position in the input.
    pub id: PatternId,
    /// The pattern that matches whatever it matches.
    pub by: PatternId,
    /// Whether both match the same events. Of such a pair the later one is reported.
    pub equal: bool,
}

/// One branch of one pattern, with a small value of each path: whatever contains the branch accepts them.
struct Narrow<'p> {
    branch: Branch<'p>,
    samples: Vec<(String, Example)>,
}

/// A value of a path, and the lowest and the highest number there: what contains the one has the others too.
struct Example {
    sample: Sample,
    ends: Option<(NumberKey, NumberKey)>,
}

/// What [`redundancies`] found, and how many pairs it compared.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Redundancies {
    /// The patterns that another one covers, in the order given.
    pub found: Vec<Redundant>,
    /// How many pairs were compared: those that an index could not distinguish.
    pub compared: usize,
    /// How many pairs there were to compare. Larger than `compared` if the work reached its bound.
    pub pairs: usize,
}

/// The patterns that another one is proven to cover, in the order given, each with the first that matches the same
/// events, or else with the first that covers it. In a set of rules, a covered rule is redundant if both have the same
/// target.
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

/// Looks for patterns that another one is proven to cover, and counts the pairs compared.
///
/// Patterns are looked up by a value that they require, or by a literal part of it: only what has a value that the other may
/// accept is compared. Rule sets therefore take about linear time. What has no such part (ranges and strings without case on
/// one field) is compared in pairs, up to a fixed amount of work, a few seconds at most; then [`compared`](Redundancies::compared) is less than
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
    within(&patterns, &Effort::of_many())
}

fn within(patterns: &[&Pattern], effort: &Effort) -> Redundancies {
    let preparing = Effort::of_many();
    let wide: Vec<Vec<Branch<'_>>> =
        patterns.iter().map(|pattern| branches(pattern).map(joined).unwrap_or_default()).collect();
    let narrow: Vec<Vec<Narrow<'_>>> = patterns
        .iter()
        .map(|pattern| {
            branches(pattern).unwrap_or_default().into_iter().map(|branch| Narrow::of(branch, &preparing)).collect()
        })
        .collect();
    let index = Index::of(&wide, &preparing);
    let mut search = Search { patterns, wide: &wide, narrow: &narrow, effort, outcome: Redundancies::default() };
    // First something that covers each pattern. Only then, with what effort is left, something that matches the same events:
    // of many that cover one another, most of the pairs are there.
    let told: Vec<Option<Told<'_>>> =
        narrow.iter().enumerate().map(|(at, branches)| search.first(at, index.candidates(branches.first()?))).collect();
    let found: Vec<_> =
        told.into_iter().enumerate().filter_map(|(at, told)| Some((at, search.best(at, told?)))).collect();
    let mut outcome = search.outcome;
    for (at, (by, equal)) in found {
        if let (Some(id), Some(by)) = (PatternId::from_index(at), PatternId::from_index(by)) {
            outcome.found.push(Redundant { id, by, equal });
        }
    }
    if !effort.is_spent() {
        // What a rule that is reported already would have been compared with is decided too.
        outcome.compared = outcome.pairs;
    }
    outcome
}

/// A pattern that covers another one, and what was not compared yet.
struct Told<'i> {
    by: usize,
    equal: bool,
    others: Candidates<'i>,
}

struct Search<'s, 'p> {
    patterns: &'s [&'p Pattern],
    wide: &'s [Vec<Branch<'p>>],
    narrow: &'s [Vec<Narrow<'p>>],
    effort: &'s Effort,
    outcome: Redundancies,
}

impl Search<'_, '_> {
    /// The first of the candidates to report as covering a pattern.
    fn first<'i>(&mut self, at: usize, mut others: Candidates<'i>) -> Option<Told<'i>> {
        self.outcome.pairs += others.len_without(at);
        while !self.effort.is_spent() {
            let by = others.next()?;
            if by == at {
                continue;
            }
            self.outcome.compared += 1;
            if !self.covers(by, at) {
                continue;
            }
            let equal = self.covers(at, by);
            // Of two that match the same events the later one is reported.
            if !equal || by < at {
                return Some(Told { by, equal, others });
            }
        }
        None
    }

    /// What was reported, or the first of those that follow which matches the same events.
    fn best(&mut self, at: usize, told: Told<'_>) -> (usize, bool) {
        if told.equal {
            return (told.by, true);
        }
        for by in told.others.take_while(|by| *by < at) {
            if self.effort.is_spent() {
                break;
            }
            self.outcome.compared += 1;
            if self.may_cover(at, by) && self.covers(by, at) && self.covers(at, by) {
                return (by, true);
            }
        }
        (told.by, false)
    }

    fn covers(&self, one: usize, other: usize) -> bool {
        let (Some(wide), Some(narrow)) = (self.wide.get(one), self.narrow.get(other)) else { return false };
        let dialect = |at: usize| self.patterns.get(at).map(|pattern| pattern.dialect());
        dialect(one) == dialect(other)
            && !narrow.is_empty()
            && narrow.iter().all(|narrow| {
                wide.iter().any(|wide| self.looks(wide, narrow) && contains(wide, &narrow.branch, self.effort))
            })
    }

    /// A quick test: a pattern that matches the same events accepts the other's samples.
    fn may_cover(&self, one: usize, other: usize) -> bool {
        let (Some(wide), Some(narrow)) = (self.wide.get(one), self.narrow.get(other)) else { return false };
        narrow.iter().all(|narrow| wide.iter().any(|wide| self.looks(wide, narrow)))
    }

    fn looks(&self, wide: &Branch<'_>, narrow: &Narrow<'_>) -> bool {
        self.effort.take(LOOK + wide.len()) && narrow.may_be_in(wide)
    }
}

/// The cost of comparing one pair, in steps of a search: about a tenth of a microsecond each.
const LOOK: usize = 4;

/// Which patterns can contain a branch: found by a mark of the values that they require, or else by a path.
struct Index<'w> {
    by_mark: ListMap<(&'w str, Mark<'w>), Vec<usize>>,
    by_path: ListMap<Option<&'w str>, Vec<usize>>,
    /// The lengths of the pieces of each path.
    lengths: ListMap<&'w str, Vec<usize>>,
}

impl<'w> Index<'w> {
    fn of(wide: &'w [Vec<Branch<'_>>], effort: &Effort) -> Index<'w> {
        let mut paths: ListMap<&str, usize> = ListMap::new();
        let mut marks: ListMap<(&str, Mark<'w>), usize> = ListMap::new();
        for (path, accepted) in wide.iter().flatten().flat_map(|branch| branch.iter()) {
            *paths.entry(path.as_str(), || 0) += 1;
            for mark in accepted.marks() {
                *marks.entry((path.as_str(), mark), || 0) += 1;
            }
        }
        let mut index = Index { by_mark: ListMap::new(), by_path: ListMap::new(), lengths: ListMap::new() };
        for (at, branches) in wide.iter().enumerate() {
            for branch in branches {
                index.add(at, branch, &paths, &marks, effort);
            }
        }
        index
    }

    /// Adds a branch under the marks of the path where these are rarest, or else under its rarest path. (A branch can only
    /// contain what has that path; branches that test nothing contain all.)
    fn add(
        &mut self,
        at: usize,
        branch: &'w Branch<'_>,
        paths: &ListMap<&'w str, usize>,
        counts: &ListMap<(&'w str, Mark<'w>), usize>,
        effort: &Effort,
    ) {
        let required = branch.iter().filter_map(|(path, accepted)| {
            let count = |mark: &Mark<'w>| counts.get(&(path.as_str(), *mark)).copied().unwrap_or(0);
            let marks = accepted.required(|marks| marks.iter().copied().min_by_key(count))?;
            Some((marks.iter().map(count).sum::<usize>(), path.as_str(), marks))
        });
        if let Some((_, path, marks)) = required.min_by_key(|(shared, ..)| *shared) {
            for mark in marks {
                if let Mark::Piece(piece) = mark {
                    let lengths = self.lengths.entry(path, Vec::new);
                    if !lengths.contains(&piece.len()) {
                        lengths.push(piece.len());
                    }
                }
                push(self.by_mark.entry((path, mark), Vec::new), at);
            }
            return;
        }
        let rarest = branch.iter().filter(|(_, values)| !is_everything(values, effort)).map(|(path, _)| path.as_str());
        push(self.by_path.entry(rarest.min_by_key(|path| paths.get(path)), Vec::new), at);
    }

    /// The patterns that can contain a branch: those that accept the value that it has as an example.
    fn candidates<'i>(&'i self, narrow: &'i Narrow<'_>) -> Candidates<'i> {
        let mut lists: Vec<&[usize]> = Vec::new();
        for (path, example) in &narrow.samples {
            let path = path.as_str();
            let mut take = |mark: Mark<'i>| lists.extend(self.by_mark.get(&(path, mark)).map(Vec::as_slice));
            match &example.sample {
                Sample::Absent => {}
                Sample::Value(json) => take(Mark::Literal(json)),
                Sample::Text(text) => {
                    take(Mark::Text(text.as_bytes()));
                    for length in self.lengths.get(&path).into_iter().flatten() {
                        text.as_bytes().windows(*length).for_each(|piece| take(Mark::Piece(piece)));
                    }
                }
            }
        }
        let pathed = narrow.branch.paths().map(|path| Some(path.as_str())).chain([None]);
        lists.extend(pathed.filter_map(|path| self.by_path.get(&path)).map(Vec::as_slice));
        // A piece can be in the string more than once.
        lists.sort_unstable_by_key(|list| list.as_ptr());
        lists.dedup_by_key(|list| list.as_ptr());
        Candidates(lists.into_iter().map(Reverse).collect())
    }
}

/// The numbers in some ascending lists, ascending, each once: a heap of the lists' rests. They are merged lazily, because the
/// first one is often all that is needed.
struct Candidates<'i>(BinaryHeap<Reverse<&'i [usize]>>);

impl Candidates<'_> {
    /// How many there are at most, one of them left out.
    fn len_without(&self, at: usize) -> usize {
        self.0.iter().map(|Reverse(list)| list.len() - usize::from(list.binary_search(&at).is_ok())).sum()
    }

    fn pop(&mut self) -> Option<usize> {
        let Reverse(list) = self.0.pop()?;
        let (first, rest) = list.split_first()?;
        if !rest.is_empty() {
            self.0.push(Reverse(rest));
        }
        Some(*first)
    }
}

impl Iterator for Candidates<'_> {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        let next = self.pop()?;
        while self.0.peek().is_some_and(|Reverse(list)| list.first() == Some(&next)) {
            self.pop();
        }
        Some(next)
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

impl Example {
    fn of(values: &Values<'_>, sample: Sample) -> Example {
        let ends = values.numbers.first().zip(values.numbers.last()).map(|((low, _), (_, high))| (*low, *high));
        Example { sample, ends }
    }

    fn is_in(&self, values: &Values<'_>) -> bool {
        self.ends.is_none_or(|(low, high)| values.accepts_number(low) && values.accepts_number(high))
            && values.accepts(&self.sample)
    }
}

impl<'p> Narrow<'p> {
    fn of(branch: Branch<'p>, effort: &Effort) -> Narrow<'p> {
        let sampled = branch.iter().filter_map(|(path, values)| {
            // Nearly every list names a value; searching for one takes a thousand times as long.
            match values.named().map_or_else(|| sample(&[values], &[], true, effort), Find::Found) {
                Find::Found(found) => Some((path.clone(), Example::of(values, found))),
                Find::Nothing | Find::Unknown => None,
            }
        });
        Narrow { samples: sampled.collect(), branch }
    }

    /// A quick look before the proof.
    fn may_be_in(&self, wide: &Branch<'_>) -> bool {
        self.samples.iter().all(|(path, example)| wide.get(path).is_none_or(|values| example.is_in(values)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Dialect;

    /// Works even if the effort is spent: a value that a list names is an example of it, without a search.
    #[test]
    fn lists_of_values_need_no_effort() {
        let spent = Effort::of_many();
        assert!(!spent.take(usize::MAX) && spent.is_spent());
        for (narrow, wide) in [
            (r#"{"flag":[true]}"#, r#"{"flag":[true,null]}"#),
            (r#"{"flag":[null]}"#, r#"{"flag":[false,null]}"#),
            (r#"{"flag":[false]}"#, r#"{"flag":["x",false]}"#),
            (r#"{"flag":["x"]}"#, r#"{"flag":["y","x"]}"#),
        ] {
            let parse = |text| Pattern::parse(text, Dialect::EventBridge).expect("a valid pattern");
            let (narrow, wide) = (parse(narrow), parse(wide));
            let wide = [branches(&wide).map(joined).expect("one branch")];
            let narrow = branches(&narrow).expect("one branch").remove(0);
            let index = Index::of(&wide, &spent);
            assert!(index.candidates(&Narrow::of(narrow, &spent)).eq([0]));
        }
    }

    fn nested(count: usize) -> Vec<Pattern> {
        let texts = (0..count).map(|n| format!(r#"{{"a":[{{"numeric":[">=",{n},"<=",{}]}}]}}"#, 2 * count - n));
        texts.map(|text| Pattern::parse(&text, Dialect::EventBridge).expect("a valid pattern")).collect()
    }

    /// Wildcards that begin alike are compared only where a piece of the one is in the other.
    #[test]
    fn wildcards_are_found_by_their_rarest_piece() {
        const COUNT: usize = 1000;
        let texts = (0..COUNT).map(|n| format!(r#"{{"source":["s"],"path":[{{"wildcard":"/var/log/*/{n}-*.txt"}}]}}"#));
        let narrow = r#"{"source":["s"],"path":[{"wildcard":"/var/log/*/app/7-error-*.txt"}, "/var/log/a/7-b.txt"]}"#;
        let patterns: Vec<Pattern> = (texts.chain([narrow.to_owned()]))
            .map(|text| Pattern::parse(&text, Dialect::EventBridge).expect("a valid pattern"))
            .collect();
        let outcome = redundancies(&patterns);
        let found: Vec<_> = outcome.found.iter().map(|one| (one.id.index(), one.by.index(), one.equal)).collect();
        assert_eq!(found, [(COUNT, 7, false)]);
        assert!(outcome.compared == outcome.pairs && outcome.pairs < 2 * COUNT, "{outcome:?}");
    }

    /// The coverer of each comes first, and the amount compared is reported.
    #[test]
    fn work_that_ends_early_is_said() {
        const COUNT: usize = 200;
        let patterns = nested(COUNT);
        let mut patterns: Vec<&Pattern> = patterns.iter().collect();
        let all = within(&patterns, &Effort::of_many());
        assert_eq!((all.compared, all.pairs, all.found.len()), (COUNT * (COUNT - 1), COUNT * (COUNT - 1), COUNT - 1));
        let some = within(&patterns, &Effort::of(20_000));
        assert!(some.compared < some.pairs && some.pairs == all.pairs, "{} of {}", some.compared, some.pairs);
        assert_eq!(some.found.len(), COUNT - 1, "the widest comes first, and covers each");
        // The narrowest first: each pair has to be compared to see that the one that covers comes later.
        patterns.reverse();
        let reversed = within(&patterns, &Effort::of(20_000));
        assert!(reversed.compared < reversed.pairs && reversed.found.len() < COUNT - 1, "{reversed:?}");
        assert!(!reversed.found.is_empty() && reversed.found.iter().all(|one| one.by > one.id && !one.equal));
    }
}
