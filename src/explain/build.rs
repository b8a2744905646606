//! Puts an explanation together: the verdicts, and the reasons for what failed.

use super::join::Hits;
use super::leaves::Leaf;
use super::near::{self, near};
use super::paths::{Conjunction, Field, Group, Item, PathId};
use super::place::{self, Map};
use super::report::{
    BranchReport, Conflict, FieldReport, GroupReport, MissKind, NearMiss, Place, SeenValue, TestReport,
};
use super::scalar::{self, Value};
use super::verdict::{Decider, Won};
use super::words::{self, plain};
use crate::base::{ListMap, ListSet, Span};
use crate::json::EventError;
use crate::pattern::Pattern;
use crate::pattern::ast::{Test, TestKind};

/// The most values of a field that are reported.
const VALUES: usize = 20;
/// Of long lists, the tests and values that nearness is looked for in, and the comparisons of a whole explanation.
const PAIRS: usize = 2_000;
const ALL_PAIRS: usize = 20_000;
/// The most fields for which the whole event is searched for the intended place.
pub(super) const SEARCHES: usize = 50;
/// The most bytes of a path.
pub(super) const PATH: usize = 1_000;

/// The main reason for the verdict.
#[derive(Clone, Debug, Default)]
pub(super) struct Cause {
    pub(super) message: String,
    pub(super) help: Option<String>,
    pub(super) pattern: Option<Span>,
    pub(super) event: Option<Place>,
}

pub(super) struct Builder<'d, 'a> {
    pub(super) pattern: &'a Pattern,
    pub(super) decider: &'d mut Decider<'a>,
    pub(super) map: Map<'a>,
    pairs_left: usize,
    searches_left: usize,
    /// How many groups are around what is reported.
    depth: usize,
}

/// Groups inside this many others are evaluated, but not reported: nobody reads that far, and each uses stack.
const NESTED: usize = 32;

/// What is known of a branch besides its report.
pub(super) struct Built {
    pub(super) report: BranchReport,
    pub(super) cause: Option<Cause>,
    /// Thousandths for each field, and their number.
    points: u64,
    weight: u64,
}

impl Built {
    pub(super) fn nearness(&self) -> u32 {
        if self.report.held {
            return 1_000;
        }
        // Not even the nearest miss is a match.
        (self.points / self.weight.max(1)).min(999) as u32
    }
}

/// What is put together of a branch.
#[derive(Default)]
struct Parts {
    fields: Vec<FieldReport>,
    groups: Vec<GroupReport>,
    conflicts: Vec<Conflict>,
    cause: Option<Cause>,
    points: u64,
    weight: u64,
    held: bool,
    failed: usize,
}

impl Parts {
    fn finish(self, span: Span) -> Built {
        let Parts { mut fields, mut groups, conflicts, mut cause, points, weight, held, failed } = self;
        if let Some(cause) = cause.as_mut().filter(|_| failed > 1) {
            let more = failed - 1;
            let noun = if more == 1 { "field fails" } else { "fields fail" };
            cause.message.push_str(&format!(" ({more} more {noun})"));
        }
        fields.sort_unstable_by_key(|field| field.span.start);
        groups.sort_unstable_by_key(|group| group.span.start);
        Built { report: BranchReport { span, held, fields, groups, conflicts }, cause, points, weight }
    }
}

/// Lists that come later and replace those of the same path.
type Later = ListMap<PathId, Span>;

impl<'d, 'a> Builder<'d, 'a> {
    pub(super) fn new(pattern: &'a Pattern, decider: &'d mut Decider<'a>) -> Builder<'d, 'a> {
        let map = Map::new(decider.tree);
        Builder { pattern, decider, map, pairs_left: ALL_PAIRS, searches_left: SEARCHES, depth: 0 }
    }

    pub(super) fn branch(&mut self, conjunction: &Conjunction, later: &Later) -> Result<Built, EventError> {
        // What a list after the branch replaces does not count.
        let pruned = (!later.is_empty()).then(|| conjunction.without(&|path| later.contains_key(&path)));
        let counted = pruned.as_ref().unwrap_or(conjunction);
        let laters = self.laters(conjunction, later);
        let empty = Later::new();
        let mut parts = Parts { held: true, ..Parts::default() };
        let mut told = ListSet::new();
        let mut whole: ListMap<u32, &Item> = ListMap::new();
        for item in conjunction.items.iter().filter(|_| pruned.is_some()) {
            whole.insert(key_of(item), item);
        }
        for piece in self.decider.pieces(&counted.items)? {
            let won = if piece.len() > 1 { self.decider.together(&piece)? } else { None };
            let failed = parts.failed;
            let mut piece_cause: Option<Cause> = None;
            for item in &piece {
                told.insert(key_of(item));
                // A group is reported with the lists that do not count.
                let item = whole.get(&key_of(item)).copied().unwrap_or(item);
                let later = laters.get(&key_of(item)).unwrap_or(&empty);
                let cause = self.item(item, later, won.as_ref(), &mut parts)?;
                piece_cause = piece_cause.or(cause);
            }
            if piece.len() > 1 && won.is_none() && parts.failed == failed {
                let conflict = self.conflict(&piece)?;
                parts.failed += 1;
                parts.weight += 1;
                parts.points += 500;
                piece_cause = Some(Cause {
                    message: conflict.message.clone(),
                    help: conflict.help.clone(),
                    pattern: conflict.spans.first().copied(),
                    event: None,
                });
                parts.conflicts.push(conflict);
            }
            parts.held &= parts.failed == failed;
            parts.cause = parts.cause.take().or(piece_cause);
        }
        for item in conjunction.items.iter().filter(|item| !told.contains(&key_of(item))) {
            let later = laters.get(&key_of(item)).unwrap_or(&empty);
            self.item(item, later, None, &mut parts)?;
        }
        Ok(parts.finish(self.span(conjunction.node)))
    }

    /// A branch of the combination that is satisfied.
    fn winner(&mut self, conjunction: &Conjunction, later: &Later, won: &Won) -> Result<Built, EventError> {
        let laters = self.laters(conjunction, later);
        let empty = Later::new();
        let mut parts = Parts { held: true, ..Parts::default() };
        for item in &conjunction.items {
            self.item(item, laters.get(&key_of(item)).unwrap_or(&empty), Some(won), &mut parts)?;
        }
        Ok(parts.finish(self.span(conjunction.node)))
    }

    /// Reports an item; returns the reason if it fails.
    fn item(
        &mut self,
        item: &Item,
        later: &Later,
        won: Option<&Won>,
        parts: &mut Parts,
    ) -> Result<Option<Cause>, EventError> {
        match item {
            Item::Field(field) => {
                let instead = won.filter(|won| !won.lists.contains_key(&field.node));
                let instead = instead.and_then(|won| won.by_path.get(&field.path)).map(|node| self.span(*node));
                let value = won.and_then(|won| won.lists.get(&field.node)).map(|(_, leaf)| *leaf);
                let report = self.field(*field, later.get(&field.path).copied().or(instead), value)?;
                let mut cause = None;
                if report.overridden_by.is_none() {
                    parts.weight += 1;
                    if report.held {
                        parts.points += 1_000;
                    } else {
                        parts.points += u64::from(report.misses.first().map_or(0, |miss| miss.kind.nearness()));
                        parts.failed += 1;
                        cause = Some(field_cause(&report));
                    }
                }
                parts.fields.push(report);
                Ok(cause)
            }
            Item::Group(group) => {
                let (report, cause, nearness) = self.group(group, later, won)?;
                parts.weight += 1;
                parts.points += u64::from(nearness);
                parts.failed += usize::from(!report.held);
                parts.groups.push(report);
                Ok(cause)
            }
        }
    }

    pub(super) fn span(&self, node: u32) -> Span {
        self.decider.ast.nodes.get(node as usize).map_or_else(Span::default, |node| node.span)
    }

    /// For each item the later lists that override its own.
    fn laters(&self, conjunction: &Conjunction, later: &Later) -> ListMap<u32, Later> {
        let mut by_path: ListMap<PathId, usize> = ListMap::new();
        for item in &conjunction.items {
            item.fields(&mut |field| *by_path.entry(field.path, || 0) += 1);
        }
        // Only paths that occur more than once matter, so this stays small.
        let mut behind: Later = later.clone();
        let mut all = ListMap::new();
        for item in conjunction.items.iter().rev() {
            let mut own = Later::new();
            item.fields(&mut |field| {
                if let Some(span) = behind.get(&field.path) {
                    own.insert(field.path, *span);
                }
            });
            if !own.is_empty() {
                all.insert(key_of(item), own);
            }
            if let Item::Field(field) = item
                && by_path.get(&field.path).is_some_and(|count| *count > 1)
            {
                behind.entry(field.path, || self.span(field.node));
            }
        }
        all
    }

    /// A group is satisfied if a branch is: that of the combination that is satisfied, or one taken by itself.
    fn group(
        &mut self,
        group: &Group,
        later: &Later,
        won: Option<&Won>,
    ) -> Result<(GroupReport, Option<Cause>, u32), EventError> {
        let mut branches = Vec::with_capacity(group.branches.len());
        let mut nearest: Option<(usize, u32, Option<Cause>)> = None;
        for (at, branch) in group.branches.iter().enumerate() {
            let won = won.filter(|won| won.branches.contains(&branch.node));
            let mut built = if self.depth < NESTED {
                self.depth += 1;
                let built = match won {
                    Some(won) => self.winner(branch, later, won),
                    None => self.branch(branch, later),
                };
                self.depth -= 1;
                built?
            } else {
                self.verdict(branch, later, won.is_some())?
            };
            let nearness = built.nearness();
            if nearest.as_ref().is_none_or(|(_, best, _)| nearness > *best) {
                nearest = Some((at, nearness, built.cause.take()));
            }
            branches.push(built.report);
        }
        let held = branches.iter().any(|branch| branch.held);
        let (at, nearness, cause) = nearest.unwrap_or((0, 0, None));
        let cause = cause.filter(|_| !held).map(|cause| Cause {
            message: format!("no `$or` branch matches; branch {} comes closest: {}", at + 1, cause.message),
            ..cause
        });
        let report = GroupReport { span: self.span(group.node), held, branches };
        Ok((report, cause, if held { 1_000 } else { nearness.min(999) }))
    }

    /// Whether a branch matches, and nothing more.
    fn verdict(&mut self, branch: &Conjunction, later: &Later, won: bool) -> Result<Built, EventError> {
        let held = won || {
            let pruned = (!later.is_empty()).then(|| branch.without(&|path| later.contains_key(&path)));
            self.decider.conjunction(pruned.as_ref().unwrap_or(branch))?
        };
        let (fields, groups, conflicts) = (Vec::new(), Vec::new(), Vec::new());
        let report = BranchReport { span: self.span(branch.node), held, fields, groups, conflicts };
        let cause = Cause { message: "a group inside it fails".to_owned(), ..Cause::default() };
        Ok(Built { report, cause: Some(cause).filter(|_| !held), points: 0, weight: 1 })
    }

    fn field(
        &mut self,
        field: Field,
        overridden_by: Option<Span>,
        value: Option<Option<Leaf>>,
    ) -> Result<FieldReport, EventError> {
        let decider = &mut *self.decider;
        let leaves = std::rc::Rc::clone(&decider.leaves);
        let mut all: Vec<Leaf> = leaves.at(field.path).to_vec();
        all.sort_unstable_by_key(|leaf| leaf.node);
        let hits = decider.hits(field)?;
        let hit: ListSet<u32> = hits.iter().map(|leaf| leaf.node).collect();
        // In the combination that is satisfied an absence may be one in some elements of an array only.
        let held = value.is_some() || decider.field(field)?;
        let chosen = |leaf: &Leaf| value.flatten().is_some_and(|chosen| chosen.node == leaf.node);
        let tests = decider.tests(field);
        let reports = self.tests(tests, &all, &hits)?;
        let mut values: Vec<SeenValue> = Vec::new();
        // Those that count first, if there are too many for all.
        let mut told: Vec<Leaf> = all.iter().copied().filter(chosen).collect();
        told.extend(all.iter().copied().filter(|leaf| hit.contains(&leaf.node) && !chosen(leaf)).take(VALUES));
        told.extend(all.iter().copied().filter(|leaf| !hit.contains(&leaf.node) && !chosen(leaf)).take(VALUES));
        told.truncate(VALUES);
        told.sort_unstable_by_key(|leaf| leaf.node);
        for leaf in told {
            values.push(SeenValue {
                place: self.map.place(leaf.node),
                text: near::shown(self.map.text(leaf.node)),
                held: hit.contains(&leaf.node),
                chosen: chosen(&leaf),
                elements: self.map.elements(leaf.node),
            });
        }
        let path = plain(&self.decider.paths.text(field.path, PATH));
        let misses = if held { Vec::new() } else { self.misses(field, &path, tests, &all) };
        let node = self.decider.ast.nodes.get(field.node as usize);
        let key = node.and_then(|node| node.key.as_ref()).map_or_else(Span::default, |key| key.span);
        Ok(FieldReport {
            path,
            span: self.span(field.node),
            key,
            held,
            overridden_by,
            tests: reports,
            value_count: all.len(),
            values,
            misses,
        })
    }

    /// The verdict of each test by itself.
    fn tests(&mut self, tests: &[Test], all: &[Leaf], hits: &[Leaf]) -> Result<Vec<TestReport>, EventError> {
        let mut texts: ListSet<std::borrow::Cow<'_, str>> = ListSet::new();
        for leaf in hits {
            if let Some(Value::String(text)) = self.decider.value(*leaf) {
                texts.insert(text);
            }
        }
        let mut reports = Vec::with_capacity(tests.len());
        for test in tests {
            let held = match &test.kind {
                TestKind::Exists(false) => all.is_empty(),
                TestKind::String(operand) | TestKind::Exactly(operand) if texts.contains(&*operand.text) => true,
                kind => {
                    let mut held = false;
                    for leaf in hits {
                        self.decider.spend(scalar::cost(kind))?;
                        if self.decider.value(*leaf).is_some_and(|value| scalar::holds(kind, &value)) {
                            held = true;
                            break;
                        }
                    }
                    held
                }
            };
            reports.push(TestReport { span: test.span, held });
        }
        Ok(reports)
    }

    fn misses(&mut self, field: Field, path: &str, tests: &[Test], all: &[Leaf]) -> Vec<NearMiss> {
        if all.is_empty() {
            let Some(left) = self.searches_left.checked_sub(1) else {
                let message = format!("the event has no field `{path}`");
                return vec![NearMiss { kind: MissKind::Missing, test: None, message, help: None, place: None }];
            };
            self.searches_left = left;
            let paths = self.decider.paths;
            return vec![place::absent(&self.map, &paths.steps(field.path), tests, self.pattern.dialect())];
        }
        let mut misses: Vec<NearMiss> = Vec::new();
        let mut pairs = PAIRS.min(self.pairs_left);
        'values: for leaf in all {
            let Some(value) = self.decider.value(*leaf) else { continue };
            let mut best: Option<(&Test, near::Near)> = None;
            for test in tests {
                if pairs == 0 {
                    break 'values;
                }
                (pairs, self.pairs_left) = (pairs - 1, self.pairs_left - 1);
                if let Some(found) = near(test, &value)
                    && best.as_ref().is_none_or(|(_, before)| found.kind < before.kind)
                {
                    best = Some((test, found));
                }
            }
            let shown = near::shown(self.map.text(leaf.node));
            let (kind, test, noun, clause, help) = match best {
                Some((test, found)) => (found.kind, Some(test.span), found.noun, found.clause, found.help),
                None => {
                    let expected = words::list(tests, self.pattern.source());
                    (MissKind::Different, None, "", format!("but must be {expected}"), None)
                }
            };
            let name = self.name(path, *leaf);
            let message = format!("{name} is {noun}{shown}, {clause}");
            let dynamo = path.starts_with("dynamodb.") && path.ends_with(".N");
            let help = if dynamo && value.as_text().is_some() && numeric_test(tests) {
                let help =
                    "DynamoDB stores numbers under `N` as strings: list the strings to accept; a range is not possible";
                Some(help.to_owned())
            } else {
                help
            };
            let help = help.or_else(|| {
                let below = leaf.trail != super::leaves::NOWHERE && kind == MissKind::Present;
                below.then(|| {
                    "inside an array, a field must be absent from the elements that satisfy the fields before it (in \
                     alphabetical order of their paths), or from all elements if there are no such fields"
                        .to_owned()
                })
            });
            misses.push(NearMiss {
                kind,
                test: test.filter(|_| tests.len() > 1),
                message,
                help,
                place: Some(self.map.place(leaf.node)),
            });
        }
        misses.sort_by_key(|miss| miss.kind);
        misses.truncate(VALUES);
        if misses.is_empty() {
            // Too many values and tests to compare any.
            let message = format!("none of the {} values of `{path}` matches", all.len());
            misses.push(NearMiss { kind: MissKind::Different, test: None, message, help: None, place: None });
        }
        misses
    }

    /// The field, or where in it the value is.
    fn name(&self, path: &str, leaf: Leaf) -> String {
        let spoken = self.map.spoken(leaf.node);
        if spoken.contains('[') { format!("`{spoken}`") } else { format!("`{path}`") }
    }
}

fn numeric_test(tests: &[Test]) -> bool {
    tests.iter().any(|test| matches!(test.kind, TestKind::Numeric(_) | TestKind::Number(_)))
}

fn key_of(item: &Item) -> u32 {
    match item {
        Item::Field(field) => field.node,
        Item::Group(group) => group.node,
    }
}

fn field_cause(report: &FieldReport) -> Cause {
    match report.misses.first() {
        Some(miss) => Cause {
            message: match report.value_count {
                0 | 1 => miss.message.clone(),
                // A list, or a field in a list of objects.
                count => format!("none of the {count} values of `{}` matches; closest: {}", report.path, miss.message),
            },
            help: miss.help.clone(),
            pattern: miss.test.or(Some(match miss.kind {
                MissKind::SimilarKey | MissKind::Missing | MissKind::OtherPlace | MissKind::OperatorAsField => {
                    report.key
                }
                _ => report.span,
            })),
            event: miss.place.clone(),
        },
        None => Cause { message: format!("`{}` fails", report.path), ..Cause::default() },
    }
}
