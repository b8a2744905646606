//! Decides whether a pattern matches an event.
//!
//! A conjunction splits into independent pieces: fields and `$or` groups that share neither a path (the later list
//! would override the earlier one) nor an array of this event (their values must come from the same element). Each
//! piece is decided on its own, so thirty parallel `$or` groups are thirty small questions. Only where something is
//! shared, and the order of the paths or the overriding matters, the groups of the piece are multiplied out, within the
//! limit `or_combinations`.

use std::cell::Cell;
use std::rc::Rc;

use super::join::{self, Choice, Hits, Program, Step};
use super::leaves::{Leaf, Leaves};
use super::paths::{Conjunction, Field, Group, Item, PathId, Paths};
use super::scalar::{self, Value};
use crate::base::{ListMap, ListSet};
use crate::json::EventError;
use crate::json::Tree;
use crate::limit::{Limit, Limits};
use crate::pattern::ast::{AnythingBut, Ast, Test, TestKind};

/// A pattern and an event, and what has been found out about them.
pub(super) struct Decider<'a> {
    pub(super) ast: &'a Ast,
    pub(super) tree: &'a Tree<'a>,
    pub(super) paths: &'a Paths,
    pub(super) leaves: Rc<Leaves>,
    limits: &'a Limits,
    steps_left: Cell<usize>,
    hits: ListMap<u32, Rc<[Leaf]>>,
    decided: ListMap<u32, bool>,
}

/// Items of a conjunction that must be decided together, in text order.
pub(super) type Piece<'c> = Vec<&'c Item>;

/// The lists of one combination by their paths, and the branches that it is made of.
type Combination = (ListMap<PathId, u32>, Vec<u32>);

/// The combination that is satisfied.
pub(super) struct Won {
    /// By node: the path of each list that counts, and its value (none: the field is absent).
    pub(super) lists: ListMap<u32, (PathId, Option<Leaf>)>,
    /// The list that counts for a path.
    pub(super) by_path: ListMap<PathId, u32>,
    /// The branches that it is made of.
    pub(super) branches: ListSet<u32>,
}

impl Won {
    fn new(choice: &Choice) -> Won {
        let (mut lists, mut by_path) = (ListMap::new(), ListMap::new());
        for (field, leaf) in choice {
            lists.insert(field.node, (field.path, *leaf));
            by_path.insert(field.path, field.node);
        }
        Won { lists, by_path, branches: ListSet::new() }
    }

    /// Finds the branches by their lists, where nothing is overridden: all lists of a branch count, or none.
    fn follow(&mut self, item: &Item) {
        let Item::Group(group) = item else { return };
        let counts = |branch: &Conjunction| {
            let (mut any, mut own) = (false, false);
            branch.items.iter().for_each(|item| {
                item.fields(&mut |field| {
                    any = true;
                    own |= self.lists.contains_key(&field.node);
                });
            });
            own || !any
        };
        let Some(branch) = group.branches.iter().find(|branch| counts(branch)) else { return };
        self.branches.insert(branch.node);
        branch.items.iter().for_each(|item| self.follow(item));
    }
}

impl<'a> Decider<'a> {
    pub(super) fn new(ast: &'a Ast, tree: &'a Tree<'a>, paths: &'a Paths, limits: &'a Limits) -> Decider<'a> {
        let leaves = Rc::new(Leaves::collect(tree, paths));
        let steps_left = Cell::new(limits.join_steps);
        Decider { ast, tree, paths, leaves, limits, steps_left, hits: ListMap::new(), decided: ListMap::new() }
    }

    pub(super) fn tests(&self, field: Field) -> &'a [Test] {
        self.ast.nodes.get(field.node as usize).map_or(&[], |node| self.ast.tests_of(node))
    }

    pub(super) fn value(&self, leaf: Leaf) -> Option<Value<'a>> {
        Value::of(self.tree, self.tree.nodes.get(leaf.node as usize)?)
    }

    /// Whether the conjunction matches, taken by itself.
    pub(super) fn conjunction(&mut self, conjunction: &Conjunction) -> Result<bool, EventError> {
        if let Some(decided) = self.decided.get(&conjunction.node) {
            return Ok(*decided);
        }
        let mut all = true;
        for piece in self.pieces(&conjunction.items)? {
            if !self.piece(&piece)? {
                all = false;
                break;
            }
        }
        self.decided.insert(conjunction.node, all);
        Ok(all)
    }

    pub(super) fn group(&mut self, group: &Group) -> Result<bool, EventError> {
        for branch in &group.branches {
            if self.conjunction(branch)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether the field matches when nothing else is tested.
    pub(super) fn field(&mut self, field: Field) -> Result<bool, EventError> {
        Ok(!self.hits(field)?.is_empty() || (self.accepts_absence(field) && self.leaves.at(field.path).is_empty()))
    }

    pub(super) fn piece(&mut self, piece: &[&Item]) -> Result<bool, EventError> {
        match piece {
            [Item::Field(field)] => self.field(*field),
            [Item::Group(group)] => self.group(group),
            _ => self.joined(piece),
        }
    }

    /// Not part of `piece`, which nested groups call once per level: this takes a kilobyte of the stack.
    fn joined(&mut self, piece: &[&Item]) -> Result<bool, EventError> {
        Ok(self.together(piece)?.is_some())
    }

    /// Parts the items into pieces that share nothing.
    pub(super) fn pieces<'c>(&self, items: &'c [Item]) -> Result<Vec<Piece<'c>>, EventError> {
        const NONE: usize = usize::MAX;
        let mut parts = Parts::new(items.len());
        let mut by_path: ListMap<PathId, usize> = ListMap::new();
        // For each array: the first item with values inside, and the last one that was followed up to it.
        let mut by_array = vec![(NONE, NONE); self.leaves.arrays.len()];
        for (at, item) in items.iter().enumerate() {
            let mut steps = 0;
            item.fields(&mut |field| {
                steps += 1;
                let first = *by_path.entry(field.path, || at);
                if first != at {
                    return parts.join(first, at);
                }
                for leaf in self.leaves.at(field.path) {
                    steps += 1;
                    for (_, trail) in self.leaves.chain(leaf.trail) {
                        match by_array.get_mut(trail.array as usize) {
                            Some((owner, visitor)) if *visitor != at => {
                                *visitor = at;
                                *owner = (*owner).min(at);
                                parts.join(*owner, at);
                            }
                            // The arrays around this one were followed with it.
                            _ => break,
                        }
                        steps += 1;
                    }
                }
            });
            self.spend(steps)?;
        }
        let mut pieces: Vec<Piece<'c>> = Vec::new();
        let mut piece_of: ListMap<usize, usize> = ListMap::new();
        for (at, item) in items.iter().enumerate() {
            let piece = *piece_of.entry(parts.top(at), || {
                pieces.push(Vec::new());
                pieces.len() - 1
            });
            if let Some(piece) = pieces.get_mut(piece) {
                piece.push(item);
            }
        }
        Ok(pieces)
    }

    /// Decides items that share paths or arrays; gives the values that satisfy them all, and how.
    pub(super) fn together(&mut self, piece: &[&Item]) -> Result<Option<Won>, EventError> {
        let leaves = Rc::clone(&self.leaves);
        if self.is_plain(piece) {
            let choice = join::search(&program(piece), &leaves, self)?;
            return Ok(choice.map(|choice| {
                let mut won = Won::new(&choice);
                piece.iter().for_each(|item| won.follow(item));
                won
            }));
        }
        for (rule, branches) in self.combinations(piece)? {
            let fields = rule.iter().map(|(path, node)| Field { node: *node, path: *path }).collect();
            let program = join::straight(fields, |path| self.paths.rank(path));
            if let Some(choice) = join::search(&program, &leaves, self)? {
                let mut won = Won::new(&choice);
                won.branches.extend(branches);
                return Ok(Some(won));
            }
        }
        Ok(None)
    }

    /// Whether nothing overrides anything, and no absence depends on the elements that earlier paths fixed.
    fn is_plain(&self, piece: &[&Item]) -> bool {
        let (mut owners, mut plain): (ListMap<PathId, usize>, bool) = (ListMap::new(), true);
        for (at, item) in piece.iter().enumerate() {
            item.fields(&mut |field| {
                plain &= *owners.entry(field.path, || at) == at;
                plain &= !self.accepts_absence(field) || self.leaves.at(field.path).iter().all(|leaf| leaf.trail == 0);
            });
            plain &= match item {
                Item::Field(_) => true,
                Item::Group(group) => group.branches.iter().all(no_overriding),
            };
        }
        plain
    }

    /// Multiplies the groups out as the service's compiler does: later lists override earlier ones of the same path.
    fn combinations(&self, piece: &[&Item]) -> Result<Vec<Combination>, EventError> {
        let mut rules = vec![Combination::default()];
        self.multiply(piece.iter().copied(), &mut rules)?;
        Ok(rules)
    }

    fn multiply<'i>(
        &self,
        items: impl Iterator<Item = &'i Item>,
        rules: &mut Vec<Combination>,
    ) -> Result<(), EventError> {
        for item in items {
            match item {
                Item::Field(field) => {
                    self.spend(rules.len())?;
                    for (rule, _) in rules.iter_mut() {
                        rule.insert(field.path, field.node);
                    }
                }
                Item::Group(group) => {
                    let before = std::mem::take(rules);
                    for branch in &group.branches {
                        let mut inside = before.clone();
                        self.spend(inside.iter().map(|(rule, branches)| rule.len() + branches.len() + 1).sum())?;
                        inside.iter_mut().for_each(|(_, branches)| branches.push(branch.node));
                        self.multiply(branch.items.iter(), &mut inside)?;
                        rules.append(&mut inside);
                        if rules.len() > self.limits.or_combinations {
                            return Err(EventError::limit_reached(
                                Limit::OrCombinations,
                                None,
                                "the `$or` groups depend on each other in this event and multiply out to too many \
                                 combinations",
                            ));
                        }
                    }
                }
            }
        }
        Ok(())
    }

    pub(super) fn accepts_absence(&self, field: Field) -> bool {
        scalar::accepts_absence(self.tests(field))
    }
}

impl Hits for Decider<'_> {
    fn hits(&mut self, field: Field) -> Result<Rc<[Leaf]>, EventError> {
        if let Some(hits) = self.hits.get(&field.node) {
            return Ok(Rc::clone(hits));
        }
        let list = TestList::new(self.tests(field));
        let mut hits = Vec::new();
        for leaf in self.leaves.at(field.path) {
            self.spend(list.cost())?;
            if self.value(*leaf).is_some_and(|value| list.holds(&value)) {
                hits.push(*leaf);
            }
        }
        let hits: Rc<[Leaf]> = hits.into();
        self.hits.insert(field.node, Rc::clone(&hits));
        Ok(hits)
    }

    fn accepts_absence(&self, field: Field) -> bool {
        Decider::accepts_absence(self, field)
    }

    fn spend(&self, steps: usize) -> Result<(), EventError> {
        match self.steps_left.get().checked_sub(steps) {
            Some(left) => {
                self.steps_left.set(left);
                Ok(())
            }
            None => Err(EventError::limit_reached(
                Limit::JoinSteps,
                None,
                "deciding which values of the event belong together takes too many steps",
            )),
        }
    }
}

/// A list of tests. Long lists are mostly literal strings, also inside `anything-but`; those are looked up.
pub(super) struct TestList<'a> {
    literals: ListSet<&'a str>,
    /// The strings of each `anything-but` of plain strings.
    excluded: Vec<ListSet<&'a str>>,
    others: Vec<&'a Test>,
    cost: usize,
}

impl<'a> TestList<'a> {
    pub(super) fn new(tests: &'a [Test]) -> TestList<'a> {
        let mut list = TestList { literals: ListSet::new(), excluded: Vec::new(), others: Vec::new(), cost: 1 };
        for test in tests {
            match &test.kind {
                TestKind::Exactly(operand) => _ = list.literals.insert(&operand.text),
                TestKind::String(operand) if crate::value::Address::parse(operand.text.as_bytes()).is_err() => {
                    list.literals.insert(&operand.text);
                }
                TestKind::AnythingBut(AnythingBut::Strings(excluded)) => {
                    let mut texts = ListSet::new();
                    for operand in excluded {
                        texts.insert(&*operand.text);
                    }
                    list.excluded.push(texts);
                    list.cost += 1;
                }
                kind => {
                    list.others.push(test);
                    list.cost += scalar::cost(kind);
                }
            }
        }
        list
    }

    /// How many steps one value takes.
    fn cost(&self) -> usize {
        self.cost
    }

    pub(super) fn holds(&self, value: &Value<'_>) -> bool {
        let text = value.as_text();
        text.is_some_and(|text| self.literals.contains(text))
            || self.excluded.iter().any(|excluded| !text.is_some_and(|text| excluded.contains(text)))
            || self.others.iter().any(|test| scalar::holds(&test.kind, value))
    }
}

/// Whether no path occurs twice in what the conjunction tests at the same time.
fn no_overriding(conjunction: &Conjunction) -> bool {
    let (mut owners, mut plain): (ListMap<PathId, usize>, bool) = (ListMap::new(), true);
    for (at, item) in conjunction.items.iter().enumerate() {
        item.fields(&mut |field| match item {
            Item::Field(_) => plain &= owners.insert(field.path, at).is_none(),
            Item::Group(_) => plain &= *owners.entry(field.path, || at) == at,
        });
        if let Item::Group(group) = item {
            plain = plain && group.branches.iter().all(no_overriding);
        }
    }
    plain
}

/// The items as a program: fields one after the other, the branches of a group as alternatives.
fn program(piece: &[&Item]) -> Program {
    let mut program = Program::default();
    for item in piece {
        emit(item, &mut program);
    }
    program.steps.push(Step::Accept);
    program
}

fn emit(item: &Item, program: &mut Program) {
    match item {
        Item::Field(field) => program.steps.push(Step::Field(*field)),
        Item::Group(group) => {
            let split = program.steps.len();
            program.steps.push(Step::Accept);
            let (mut starts, mut jumps) = (Vec::new(), Vec::new());
            for branch in &group.branches {
                starts.push(program.steps.len() as u32);
                for item in &branch.items {
                    emit(item, program);
                }
                jumps.push(program.steps.len());
                program.steps.push(Step::Accept);
            }
            let behind = program.steps.len() as u32;
            for jump in jumps {
                if let Some(step) = program.steps.get_mut(jump) {
                    *step = Step::Jump(behind);
                }
            }
            let first = program.targets.len() as u32;
            program.targets.append(&mut starts);
            if let Some(step) = program.steps.get_mut(split) {
                *step = Step::Split { first, end: program.targets.len() as u32 };
            }
        }
    }
}

/// Union of items that belong together.
struct Parts(Vec<usize>);

impl Parts {
    fn new(count: usize) -> Parts {
        Parts((0..count).collect())
    }

    fn top(&mut self, mut at: usize) -> usize {
        while let Some(&parent) = self.0.get(at) {
            if parent == at {
                break;
            }
            let above = self.0.get(parent).copied().unwrap_or(parent);
            if let Some(slot) = self.0.get_mut(at) {
                *slot = above;
            }
            at = above;
        }
        at
    }

    fn join(&mut self, left: usize, right: usize) {
        let (left, right) = (self.top(left), self.top(right));
        if let Some(slot) = self.0.get_mut(left.max(right)) {
            *slot = left.min(right);
        }
    }
}
