//! Puts an explanation together: the verdicts, and for what failed the reasons.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use super::join::{Choice, Hits};
use super::leaves::Leaf;
use super::near::{self, near};
use super::paths::{Conjunction, Field, Group, Item, PathId};
use super::place::{self, Map};
use super::report::{
    BranchReport, Conflict, FieldReport, GroupReport, MissKind, NearMiss, Place, SeenValue, TestReport,
};
use super::scalar::{self, Value};
use super::verdict::Decider;
use super::words::{self, plain};
use crate::base::Span;
use crate::json::EventError;
use crate::pattern::Pattern;
use crate::pattern::ast::{Test, TestKind};

/// The most values of a field that are told.
const VALUES: usize = 20;
/// Of long lists, the tests and values that nearness is looked for in, and the comparisons of a whole explanation.
const PAIRS: usize = 2_000;
const ALL_PAIRS: usize = 20_000;
/// The fields of which the whole event is searched for a place that was meant.
const SEARCHES: usize = 50;
/// The most bytes of a path.
const PATH: usize = 1_000;

/// The main reason for the verdict.
#[derive(Clone, Debug, Default)]
pub(super) struct Cause {
    pub(super) message: String,
    pub(super) help: Option<String>,
    pub(super) pattern: Option<Span>,
    pub(super) event: Option<Place>,
}

pub(super) struct Builder<'d, 'a> {
    pattern: &'a Pattern,
    decider: &'d mut Decider<'a>,
    map: Map<'a>,
    pairs_left: usize,
    searches_left: usize,
}

/// What is known of a branch beside its report.
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

/// Lists that come later and replace those of the same path.
type Later = HashMap<PathId, Span>;

impl<'d, 'a> Builder<'d, 'a> {
    pub(super) fn new(pattern: &'a Pattern, decider: &'d mut Decider<'a>) -> Builder<'d, 'a> {
        let map = Map::new(decider.tree);
        Builder { pattern, decider, map, pairs_left: ALL_PAIRS, searches_left: SEARCHES }
    }

    pub(super) fn branch(&mut self, conjunction: &Conjunction, later: &Later) -> Result<Built, EventError> {
        let pieces = self.decider.pieces(&conjunction.items)?;
        let laters = self.laters(conjunction, later);
        let (mut fields, mut groups) = (Vec::new(), Vec::new());
        let (mut cause, mut conflicts) = (None, Vec::new());
        let (mut points, mut weight, mut held, mut failed) = (0, 0, true, 0_usize);
        let empty = Later::new();
        for piece in pieces {
            let (piece_held, choice) = match &*piece {
                [_] => (self.decider.piece(&piece)?, None),
                _ => {
                    let choice = self.decider.together(&piece)?;
                    (choice.is_some(), choice)
                }
            };
            held &= piece_held;
            let chosen: HashSet<u32> =
                choice.iter().flatten().filter_map(|(_, leaf)| Some(leaf.as_ref()?.node)).collect();
            let mut piece_cause: Option<Cause> = None;
            for item in &piece {
                let later = laters.get(&key_of(item)).unwrap_or(&empty);
                match item {
                    Item::Field(field) => {
                        let report = self.field(*field, later.get(&field.path).copied(), &chosen)?;
                        if report.overridden_by.is_none() {
                            weight += 1;
                            points += if report.held {
                                1_000
                            } else {
                                u64::from(report.misses.first().map_or(0, |miss| miss.kind.nearness()))
                            };
                            if !report.held {
                                failed += 1;
                                if !piece_held && piece_cause.is_none() {
                                    piece_cause = Some(field_cause(&report));
                                }
                            }
                        }
                        fields.push(report);
                    }
                    Item::Group(group) => {
                        let (report, built_cause, nearness) = self.group(group, later, piece_held, choice.as_ref())?;
                        weight += 1;
                        points += u64::from(nearness);
                        if !report.held {
                            failed += 1;
                            if piece_cause.is_none() {
                                piece_cause = built_cause;
                            }
                        }
                        groups.push(report);
                    }
                }
            }
            if !piece_held {
                if piece_cause.is_none() {
                    let conflict = self.conflict(&piece)?;
                    failed += 1;
                    weight += 1;
                    points += 500;
                    piece_cause = Some(Cause {
                        message: conflict.message.clone(),
                        help: conflict.help.clone(),
                        pattern: conflict.spans.first().copied(),
                        event: None,
                    });
                    conflicts.push(conflict);
                }
                cause = cause.or(piece_cause);
            }
        }
        if let Some(cause) = cause.as_mut().filter(|_| failed > 1) {
            let more = failed - 1;
            let noun = if more == 1 { "field fails" } else { "fields fail" };
            cause.message.push_str(&format!(" ({more} more {noun})"));
        }
        fields.sort_by_key(|field| field.span.start);
        groups.sort_by_key(|group| group.span.start);
        let report = BranchReport { span: self.span(conjunction.node), held, fields, groups, conflicts };
        Ok(Built { report, cause, points, weight })
    }

    fn span(&self, node: u32) -> Span {
        self.decider.ast.nodes.get(node as usize).map_or_else(Span::default, |node| node.span)
    }

    /// For each item the lists behind it that override its own.
    fn laters(&self, conjunction: &Conjunction, later: &Later) -> HashMap<u32, Later> {
        let mut by_path: HashMap<PathId, usize> = HashMap::new();
        for item in &conjunction.items {
            item.fields(&mut |field| *by_path.entry(field.path).or_insert(0) += 1);
        }
        // Only paths that occur more than once matter, so that this stays small.
        let mut behind: Later = later.clone();
        let mut all = HashMap::new();
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
                behind.entry(field.path).or_insert_with(|| self.span(field.node));
            }
        }
        all
    }

    fn group(
        &mut self,
        group: &Group,
        later: &Later,
        piece_held: bool,
        choice: Option<&Choice>,
    ) -> Result<(GroupReport, Option<Cause>, u32), EventError> {
        let mut branches = Vec::with_capacity(group.branches.len());
        let mut nearest: Option<(usize, u32, Option<Cause>)> = None;
        for (at, branch) in group.branches.iter().enumerate() {
            let mut built = self.branch(branch, later)?;
            if let Some(choice) = choice.filter(|_| piece_held) {
                // What counts is the combination that was found.
                let mut used = false;
                for item in &branch.items {
                    item.fields(&mut |field| used |= choice.iter().any(|(chosen, _)| chosen.node == field.node));
                }
                built.report.held |= used;
            }
            let nearness = built.nearness();
            if nearest.as_ref().is_none_or(|(_, best, _)| nearness > *best) {
                nearest = Some((at, nearness, built.cause.take()));
            }
            branches.push(built.report);
        }
        let held = piece_held || branches.iter().any(|branch| branch.held);
        let (at, nearness, cause) = nearest.unwrap_or((0, 0, None));
        let cause = cause.filter(|_| !held).map(|cause| Cause {
            message: format!("no branch of `$or` holds; nearest is branch {}: {}", at + 1, cause.message),
            ..cause
        });
        let report = GroupReport { span: self.span(group.node), held, branches };
        Ok((report, cause, if held { 1_000 } else { nearness.min(999) }))
    }

    fn field(
        &mut self,
        field: Field,
        overridden_by: Option<Span>,
        chosen: &HashSet<u32>,
    ) -> Result<FieldReport, EventError> {
        let decider = &mut *self.decider;
        let leaves = std::rc::Rc::clone(&decider.leaves);
        let mut all: Vec<Leaf> = leaves.at(field.path).to_vec();
        all.sort_by_key(|leaf| leaf.node);
        let hits = decider.hits(field)?;
        let hit: HashSet<u32> = hits.iter().map(|leaf| leaf.node).collect();
        let held = decider.field(field)?;
        let tests = decider.tests(field);
        let reports = self.tests(tests, &all, &hits)?;
        let mut values: Vec<SeenValue> = Vec::new();
        // Those that count first, if there are too many for all.
        let mut told: Vec<Leaf> = all.iter().copied().filter(|leaf| chosen.contains(&leaf.node)).take(VALUES).collect();
        told.extend(
            all.iter().copied().filter(|leaf| hit.contains(&leaf.node) && !chosen.contains(&leaf.node)).take(VALUES),
        );
        told.extend(all.iter().copied().filter(|leaf| !hit.contains(&leaf.node)).take(VALUES));
        told.truncate(VALUES);
        told.sort_by_key(|leaf| leaf.node);
        for leaf in told {
            values.push(SeenValue {
                place: self.map.place(leaf.node),
                text: near::shown(self.map.text(leaf.node)),
                held: hit.contains(&leaf.node),
                chosen: chosen.contains(&leaf.node),
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
        let mut texts: HashSet<std::borrow::Cow<'_, str>> = HashSet::new();
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
                        self.decider.spend(1)?;
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
            let (kind, test, clause, help) = match best {
                Some((test, found)) => (found.kind, Some(test.span), found.clause, found.help),
                None => {
                    let asks = words::list(tests, self.pattern.source());
                    (MissKind::Different, None, format!("but must be {asks}"), None)
                }
            };
            let name = self.name(path, *leaf);
            let message = format!("{name} is {shown}, {clause}");
            let dynamo = path.starts_with("dynamodb.") && path.ends_with(".N");
            let help = if dynamo && value.as_text().is_some() && numeric_test(tests) {
                let help = "under `N` DynamoDB keeps numbers as texts: list the texts that are accepted; a range is not possible";
                Some(help.to_owned())
            } else {
                help
            };
            let help = help.or_else(|| {
                let below = leaf.trail != super::leaves::NOWHERE && kind == MissKind::Present;
                below.then(|| {
                    "below an array, absence is judged in the elements that paths before this one, in alphabetical order, \
                     have fixed; if there are none, in all elements"
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
            // So many values and tests that none was compared.
            let message = format!("none of the {} values of `{path}` is accepted", all.len());
            misses.push(NearMiss { kind: MissKind::Different, test: None, message, help: None, place: None });
        }
        misses
    }

    /// The field, or where in it the value is.
    fn name(&self, path: &str, leaf: Leaf) -> String {
        let spoken = self.map.spoken(leaf.node);
        if spoken.contains('[') { format!("`{spoken}`") } else { format!("`{path}`") }
    }

    /// Fields that hold one by one, but not together.
    fn conflict(&mut self, piece: &[&Item]) -> Result<Conflict, EventError> {
        let leaves = std::rc::Rc::clone(&self.decider.leaves);
        let fields: Vec<Field> = piece
            .iter()
            .filter_map(|item| match item {
                Item::Field(field) => Some(*field),
                Item::Group(_) => None,
            })
            .collect();
        // For each array: each field's elements that hold a value for it.
        let mut arrays: BTreeMap<u32, BTreeMap<usize, BTreeSet<u32>>> = BTreeMap::new();
        for (at, field) in fields.iter().enumerate() {
            for leaf in self.decider.hits(*field)?.iter() {
                for (_, trail) in leaves.chain(leaf.trail) {
                    arrays.entry(trail.array).or_default().entry(at).or_default().insert(trail.index);
                }
            }
        }
        let names: Vec<String> = fields.iter().map(|field| plain(&self.decider.paths.text(field.path, PATH))).collect();
        let split = arrays.iter().find(|(_, by_field)| {
            let mut common: Option<BTreeSet<u32>> = None;
            for elements in by_field.values() {
                common = Some(match common {
                    None => elements.clone(),
                    Some(common) => common.intersection(elements).copied().collect(),
                });
            }
            by_field.len() > 1 && common.is_some_and(|common| common.is_empty())
        });
        let involved = |at: &usize| split.is_none_or(|(_, by_field)| by_field.contains_key(at));
        let spans = fields.iter().enumerate().filter(|(at, _)| involved(at)).map(|(_, field)| self.span(field.node));
        let spans: Vec<Span> = spans.collect();
        let paths: Vec<String> =
            names.iter().enumerate().filter(|(at, _)| involved(at)).map(|(_, name)| name.clone()).collect();
        let message = match split {
            Some((array, by_field)) => {
                let node = leaves.arrays.get(*array as usize).map_or(0, |array| array.node);
                let array = self.map.spoken(node);
                let last = array.rsplit('.').next().unwrap_or(&array).to_owned();
                let told = by_field.iter().filter_map(|(at, elements)| {
                    let name = names.get(*at)?;
                    let short = name.rsplit('.').next().unwrap_or(name);
                    let mut places: Vec<String> =
                        elements.iter().take(3).map(|index| format!("{last}[{index}]")).collect();
                    if elements.len() > 3 {
                        places.push(format!("{} more", elements.len() - 3));
                    }
                    Some(format!("`{short}` fits in {}", words::join(places, "and")))
                });
                let told: Vec<String> = told.collect();
                let both = if told.len() == 2 { "both" } else { "all" };
                format!("no single element of `{array}` has {both}: {}", words::join(told, "and"))
            }
            None => format!(
                "{} hold one by one, but not together in the same elements of the event's arrays",
                words::join(paths.iter().map(|name| format!("`{name}`")).collect(), "and")
            ),
        };
        let help = Some("fields of a list of objects must all fit in the same object of the list".to_owned());
        Ok(Conflict { spans, paths, message, help })
    }

    /// Why it matches, where that is worth a sentence.
    pub(super) fn success(&mut self, conjunction: &Conjunction, built: &Built) -> Cause {
        let report = &built.report;
        let live: Vec<&FieldReport> = report.fields.iter().filter(|field| field.overridden_by.is_none()).collect();
        // An absence that is none to the eye.
        for field in live.iter().filter(|field| field.value_count == 0) {
            let Some(path) = self.path_of(conjunction, field.span) else { continue };
            let miss = place::absent(&self.map, &self.decider.paths.steps(path), &[], self.pattern.dialect());
            if matches!(miss.kind, MissKind::IsObject | MissKind::IsEmpty) {
                let what = if miss.kind == MissKind::IsObject { "an object" } else { "empty" };
                return Cause {
                    message: format!(
                        "`{}` counts as absent: it is {what}, and `exists` looks at single values only",
                        field.path
                    ),
                    help: miss.help,
                    pattern: Some(field.span),
                    event: miss.place,
                };
            }
        }
        let groups = report.groups.iter().filter_map(|group| group.branches.iter().position(|branch| branch.held));
        let branches: Vec<String> = groups.map(|at| format!("branch {} of `$or`", at + 1)).collect();
        match (&*live, &*branches) {
            ([], []) => Cause { message: "the pattern asks for nothing".to_owned(), ..Cause::default() },
            ([field], []) => self.because(field),
            (fields, branches) => {
                let mut parts = Vec::new();
                match fields {
                    [] => {}
                    [field] => parts.push(format!("`{}` holds", field.path)),
                    [_, _] => parts.push("both fields hold".to_owned()),
                    fields => parts.push(format!("all {} fields hold", fields.len())),
                }
                let elements: BTreeSet<String> = fields
                    .iter()
                    .flat_map(|field| &field.values)
                    .filter(|value| value.chosen)
                    .filter_map(|value| {
                        value.elements.iter().rev().find(|element| {
                            !value.place.pointer.ends_with(&format!("{}/{}", element.array, element.index))
                        })
                    })
                    .map(|element| {
                        format!("`{}[{}]`", element.array.trim_start_matches('/').replace('/', "."), element.index)
                    })
                    .collect();
                if elements.len() == 1
                    && let Some(element) = elements.first()
                    && let Some(part) = parts.first_mut()
                {
                    part.push_str(&format!(" in the same element, {element}"));
                }
                if !branches.is_empty() {
                    parts.push(format!("{} holds", words::join(branches.to_vec(), "and")));
                }
                Cause { message: words::join(parts, "and"), ..Cause::default() }
            }
        }
    }

    fn path_of(&self, conjunction: &Conjunction, span: Span) -> Option<PathId> {
        conjunction.items.iter().find_map(|item| match item {
            Item::Field(field) if self.span(field.node) == span => Some(field.path),
            Item::Field(_) | Item::Group(_) => None,
        })
    }

    fn because(&self, field: &FieldReport) -> Cause {
        let at = field.tests.iter().position(|test| test.held).unwrap_or(0);
        let tests =
            self.decider.ast.tests.iter().find(|test| Some(test.span) == field.tests.get(at).map(|test| test.span));
        let mut message = match field.values.iter().find(|value| value.held) {
            None => format!("`{}` is absent, which the pattern accepts", field.path),
            Some(value) => {
                let place = if value.elements.is_empty() {
                    field.path.clone()
                } else {
                    spoken_pointer(&value.place.pointer, &value.elements)
                };
                format!("`{place}` is {}{}", value.text, tests.map_or_else(String::new, fits))
            }
        };
        if field.tests.len() > 1 {
            message.push_str(&format!(" (alternative {} of {})", at + 1, field.tests.len()));
        }
        let event = field.values.iter().find(|value| value.held).map(|value| value.place.clone());
        Cause { message, help: None, pattern: field.tests.get(at).map(|test| test.span), event }
    }
}

fn numeric_test(tests: &[Test]) -> bool {
    tests.iter().any(|test| matches!(test.kind, TestKind::Numeric(_) | TestKind::Number(_)))
}

fn spoken_pointer(pointer: &str, elements: &[super::report::Element]) -> String {
    let mut out = String::new();
    let mut so_far = String::new();
    for step in pointer.split('/').skip(1) {
        let is_index = elements.iter().any(|element| element.array == so_far && element.index.to_string() == step);
        if is_index {
            out.push_str(&format!("[{step}]"));
        } else {
            if !out.is_empty() {
                out.push('.');
            }
            out.push_str(&step.replace("~1", "/").replace("~0", "~"));
        }
        so_far.push('/');
        so_far.push_str(step);
    }
    plain(&out)
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
            message: miss.message.clone(),
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

/// How a value satisfies a test, as a clause.
fn fits(test: &Test) -> String {
    use words::quoted;
    match &test.kind {
        TestKind::String(_)
        | TestKind::Number(_)
        | TestKind::Bool(_)
        | TestKind::Null
        | TestKind::Exactly(_)
        | TestKind::Exists(_) => String::new(),
        TestKind::Prefix(operand) => format!(", which begins with {}", quoted(&operand.text)),
        TestKind::Suffix(operand) => format!(", which ends with {}", quoted(&operand.text)),
        TestKind::PrefixIgnoreCase(fold) => {
            format!(", which begins with {} in some letter case", quoted(&fold.operand.text))
        }
        TestKind::SuffixIgnoreCase(fold) => {
            format!(", which ends with {} in some letter case", quoted(&fold.operand.text))
        }
        TestKind::EqualsIgnoreCase(fold) => format!(", which is {} in some letter case", quoted(&fold.operand.text)),
        TestKind::Wildcard(wildcard) => format!(", which has the form {}", quoted(&wildcard.operand.text)),
        TestKind::Numeric(_) => format!(", which is {}", words::wanted(test, "").trim_start_matches("a number ")),
        TestKind::Cidr(operand, _) => format!(", which lies in {}", plain(&operand.text)),
        TestKind::AnythingBut(_) => ", which is none of the values that are shut out".to_owned(),
    }
}
