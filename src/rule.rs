//! What a pattern means: a conjunction of clauses, each a choice of branches, each a conjunction of fields.
//!
//! The service compiles `$or` by textual overriding into a list of branches, the product of all groups. Groups that
//! name different paths need not be multiplied out: each becomes a clause of its own.

use std::borrow::Cow;

use smallvec::SmallVec;

use crate::base::{ListMap, ListSet};
use crate::limit::Limits;
use crate::pattern::Pattern;
use crate::pattern::ast::{AnythingBut, Ast, Node, NodeKind, TestKind, join_path, object_path};
use crate::value::{Address, AddressBlock, Fold, NumberKey, NumericRange, PatternNumber, Wildcard};

/// Up to this many combinations are always multiplied out: whole branches give the automaton the most selective test
/// of the whole pattern to start from.
const MULTIPLY_OUT: usize = 16;

/// How many fields of an object are allocated for in advance.
const MOST_RESERVED: usize = 32;

/// One pattern, ready to be compiled.
pub(crate) struct Rule<'p> {
    /// Every list of tests, once.
    pub(crate) fields: Vec<Field<'p>>,
    /// All must be satisfied.
    pub(crate) clauses: Vec<Clause>,
}

/// One of the branches must be satisfied.
pub(crate) struct Clause {
    pub(crate) branches: Vec<Branch>,
}

/// Positions in [`Rule::fields`], each path at most once. All must be satisfied, in elements that go together.
pub(crate) type Branch = Vec<u32>;

/// A list of tests at a dotted path; one must be satisfied.
pub(crate) struct Field<'p> {
    pub(crate) path: Cow<'p, str>,
    /// Mostly one, which then needs no memory of its own.
    pub(crate) tests: SmallVec<[Test<'p>; 1]>,
}

/// How an operand that ignores case is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum FoldMode {
    Equals,
    Prefix,
    Suffix,
}

/// One test, with every quirk of notation resolved.
#[derive(Debug, PartialEq)]
pub(crate) enum Test<'p> {
    Text(&'p str),
    Address(Address),
    Number(NumberKey),
    /// A number that equals only a token of the same spelling.
    Spelling(&'p str),
    Bool(bool),
    Null,
    Prefix(&'p str),
    Suffix(&'p str),
    Fold(FoldMode, &'p Fold, &'p str),
    Wildcard(&'p Wildcard, &'p str),
    Range(NumberKey, NumberKey),
    Block(AddressBlock),
    Present,
    Absent,
    /// Present, and none of these.
    Not(Vec<Test<'p>>),
}

/// The pattern multiplies out to more combinations than the limit allows.
#[derive(Debug)]
pub(crate) struct TooManyCombinations;

impl<'p> Rule<'p> {
    pub(crate) fn of(pattern: &'p Pattern, limits: &Limits) -> Result<Rule<'p>, TooManyCombinations> {
        let ast = pattern.ast();
        let fields = Vec::with_capacity(ast.nodes.len());
        let mut reader = Lowering { ast, fields, limit: limits.or_combinations };
        let mut formula = reader.object(0, None);
        let combinations = formula.combinations();
        let apart = combinations > MULTIPLY_OUT && reader.keeps_apart(&formula);
        let clauses = if formula.groups.is_empty() && limits.or_combinations > 0 {
            reader.keep_last(&mut formula.base);
            vec![Clause { branches: vec![formula.base] }]
        } else if apart {
            let Formula { base, groups } = formula;
            let mut clauses = Vec::with_capacity(groups.len() + 1);
            if !base.is_empty() {
                clauses.push(Clause { branches: vec![base] });
            }
            for group in &groups {
                clauses.push(Clause { branches: reader.multiply_group(group)? });
            }
            clauses
        } else if combinations > limits.or_combinations {
            return Err(TooManyCombinations);
        } else {
            vec![Clause { branches: reader.multiply(&formula)? }]
        };
        Ok(Rule { fields: reader.fields, clauses })
    }
}

/// A pattern as nothing but branches, of which one must be satisfied: for questions about patterns, not for the automaton.
pub(crate) struct Branches<'p> {
    /// Every list of tests, once.
    pub(crate) fields: Vec<Field<'p>>,
    /// Positions in `fields`, each path at most once.
    pub(crate) branches: Vec<Branch>,
}

impl<'p> Branches<'p> {
    /// All groups multiplied out; none if there are more than `most` branches, or if their paths have more than `bytes`.
    pub(crate) fn of(pattern: &'p Pattern, most: usize, bytes: usize) -> Option<Branches<'p>> {
        if pattern.ast().path_bytes() > bytes {
            return None;
        }
        let mut reader = Lowering { ast: pattern.ast(), fields: Vec::new(), limit: most };
        let formula = reader.object(0, None);
        if formula.combinations() > most {
            return None;
        }
        let branches = reader.multiply(&formula).ok()?;
        let fields = reader.fields;
        let length = |field: &u32| fields.get(*field as usize).map_or(0, |field| field.path.len() + 1);
        let all: usize = branches.iter().flatten().map(length).sum();
        (all <= bytes).then_some(Branches { fields, branches })
    }
}

/// An object as a formula: fields that must be satisfied, and groups of which an alternative each must be satisfied.
///
/// The service writes each list, in text order, into all sub-rules that are open at that place, over what an earlier
/// list of the same path left there. So a branch is a choice of one alternative per group, and of the lists of one
/// path in it the last one counts. Fields are numbered in text order.
#[derive(Default)]
struct Formula {
    base: Vec<u32>,
    groups: Vec<Vec<Formula>>,
}

impl Formula {
    /// How many branches it multiplies out to (saturating).
    fn combinations(&self) -> usize {
        self.groups.iter().fold(1_usize, |product, group| {
            product
                .saturating_mul(group.iter().fold(0_usize, |sum, formula| sum.saturating_add(formula.combinations())))
        })
    }

    /// Adds what a nested object consists of.
    fn take_in(&mut self, inner: Formula) {
        self.base.extend(inner.base);
        self.groups.extend(inner.groups);
    }

    fn each_field(&self, tell: &mut impl FnMut(u32)) {
        self.base.iter().for_each(|field| tell(*field));
        self.groups.iter().flatten().for_each(|formula| formula.each_field(tell));
    }
}

struct Lowering<'p> {
    ast: &'p Ast,
    fields: Vec<Field<'p>>,
    limit: usize,
}

impl<'p> Lowering<'p> {
    /// The formula of the object at `node`, whose path is `path`. Depth of the recursion: nesting of the pattern,
    /// bounded by [`Limits::MAX_DEPTH`].
    fn object(&mut self, node: usize, path: Option<&str>) -> Formula {
        let mut formula = Formula::default();
        let ast = self.ast;
        let end = ast.nodes.get(node).map_or(0, |node| node.end as usize);
        // Enough for most patterns: every level of nesting allocates this at once.
        formula.base.reserve_exact(end.saturating_sub(node + 1).min(MOST_RESERVED));
        for (at, child) in ast.children(node) {
            let name = child.key.as_ref().map_or("", |key| &key.text);
            match child.kind {
                NodeKind::Field { .. } => {
                    let field = self.field(child, path, name);
                    formula.base.push(field);
                }
                NodeKind::Object => {
                    let inner = self.object(at, Some(&object_path(path, name)));
                    formula.take_in(inner);
                }
                NodeKind::Or => {
                    formula.groups.push(ast.children(at).map(|(branch, _)| self.object(branch, path)).collect());
                }
            }
        }
        formula
    }

    /// Adds the list at a field. (Apart from [`Lowering::object`], whose stack frame is there once per level.)
    fn field(&mut self, node: &'p Node, path: Option<&str>, name: &'p str) -> u32 {
        let field = self.fields.len() as u32;
        let tests = self.ast.tests_of(node).iter().filter_map(|test| lower(&test.kind)).collect();
        let path = match path {
            Some(path) if !path.is_empty() => Cow::Owned(join_path(Some(path), name)),
            _ => Cow::Borrowed(name),
        };
        self.fields.push(Field { path, tests });
        field
    }

    /// Whether groups and base name different paths, so nothing overrides, and no absence is tested, so the
    /// order of evaluation does not matter.
    fn keeps_apart(&self, formula: &Formula) -> bool {
        let mut owners: ListMap<&str, usize> = ListMap::new();
        let mut apart = true;
        let mut visit = |owner: usize, field: u32| {
            let Some(field) = self.fields.get(field as usize) else { return };
            if field.tests.contains(&Test::Absent) || *owners.entry(&field.path, || owner) != owner {
                apart = false;
            }
        };
        for (nth, field) in formula.base.iter().enumerate() {
            // A path twice in the base overrides as well: each occurrence is an owner of its own.
            visit(usize::MAX - nth, *field);
        }
        for (owner, group) in formula.groups.iter().enumerate() {
            group.iter().for_each(|alternative| alternative.each_field(&mut |field| visit(owner, field)));
        }
        apart
    }

    fn multiply_group(&self, group: &[Formula]) -> Result<Vec<Branch>, TooManyCombinations> {
        let mut branches = Vec::new();
        for alternative in group {
            if alternative.combinations() > self.limit {
                return Err(TooManyCombinations);
            }
            branches.extend(self.multiply(alternative)?);
            if branches.len() > self.limit {
                return Err(TooManyCombinations);
            }
        }
        Ok(branches)
    }

    /// All branches of a formula.
    fn multiply(&self, formula: &Formula) -> Result<Vec<Branch>, TooManyCombinations> {
        let mut branches: Vec<Branch> = vec![formula.base.clone()];
        for group in &formula.groups {
            let alternatives = self.multiply_group(group)?;
            if branches.len().saturating_mul(alternatives.len()) > self.limit {
                return Err(TooManyCombinations);
            }
            branches = branches
                .iter()
                .flat_map(|left| alternatives.iter().map(|right| [left.as_slice(), right.as_slice()].concat()))
                .collect();
        }
        for branch in &mut branches {
            branch.sort_unstable();
            self.keep_last(branch);
        }
        Ok(branches)
    }

    /// Of fields with one path, keeps the one written last.
    fn keep_last(&self, branch: &mut Branch) {
        let path = |field: u32| self.fields.get(field as usize).map(|field| &*field.path);
        if branch.len() <= 16 {
            // Paths differ in their length or in their last bytes, as a rule.
            let ends: SmallVec<[u64; 16]> = branch.iter().map(|field| end_of(path(*field))).collect();
            let alike = |at: usize, end: &u64| ends.get(at + 1..).is_some_and(|later| later.contains(end));
            if ends.iter().enumerate().any(|(at, end)| alike(at, end)) {
                let mut at = 0;
                while let Some(field) = branch.get(at).copied() {
                    if branch.iter().skip(at + 1).any(|later| path(*later) == path(field)) {
                        branch.remove(at);
                    } else {
                        at += 1;
                    }
                }
            }
            return;
        }
        let mut seen = ListSet::new();
        branch.reverse();
        branch.retain(|field| seen.insert(path(*field)));
        branch.reverse();
    }
}

/// The last eight bytes of a path, mixed with its length: different for most paths that differ.
fn end_of(path: Option<&str>) -> u64 {
    let bytes = path.unwrap_or("").as_bytes();
    let last = match bytes.last_chunk::<8>() {
        Some(last) => u64::from_le_bytes(*last),
        None => bytes.iter().fold(0, |word, byte| word << 8 | u64::from(*byte)),
    };
    last ^ (bytes.len() as u64) << 56
}

/// The meaning of one test; none if nothing can satisfy it.
pub(crate) fn lower(kind: &TestKind) -> Option<Test<'_>> {
    Some(match kind {
        TestKind::String(operand) => match Address::parse(operand.text.as_bytes()) {
            Ok(address) => Test::Address(address),
            Err(_) => Test::Text(&operand.text),
        },
        TestKind::Number(number) => number_test(number),
        TestKind::Bool(value) => Test::Bool(*value),
        TestKind::Null => Test::Null,
        TestKind::Exactly(operand) => Test::Text(&operand.text),
        TestKind::Prefix(operand) => Test::Prefix(&operand.text),
        TestKind::Suffix(operand) => Test::Suffix(&operand.text),
        TestKind::PrefixIgnoreCase(fold) => Test::Fold(FoldMode::Prefix, &fold.fold, &fold.operand.text),
        TestKind::SuffixIgnoreCase(fold) => Test::Fold(FoldMode::Suffix, &fold.fold, &fold.operand.text),
        TestKind::EqualsIgnoreCase(fold) => Test::Fold(FoldMode::Equals, &fold.fold, &fold.operand.text),
        TestKind::Wildcard(wildcard) => wildcard_test(&wildcard.wildcard, &wildcard.operand.text),
        TestKind::Numeric(range) => range_test(range)?,
        TestKind::Cidr(_, block) => Test::Block(**block),
        TestKind::Exists(true) => Test::Present,
        TestKind::Exists(false) => Test::Absent,
        TestKind::AnythingBut(excluded) => Test::Not(match excluded {
            AnythingBut::Strings(operands) => operands.iter().map(|operand| Test::Text(&operand.text)).collect(),
            AnythingBut::Numbers(numbers) => numbers.iter().map(|(_, number)| number_test(number)).collect(),
            AnythingBut::Prefix(operands) => operands.iter().map(|operand| Test::Prefix(&operand.text)).collect(),
            AnythingBut::Suffix(operands) => operands.iter().map(|operand| Test::Suffix(&operand.text)).collect(),
            AnythingBut::EqualsIgnoreCase(folds) => {
                folds.iter().map(|fold| Test::Fold(FoldMode::Equals, &fold.fold, &fold.operand.text)).collect()
            }
            AnythingBut::Wildcard(wildcards) => {
                wildcards.iter().map(|wildcard| wildcard_test(&wildcard.wildcard, &wildcard.operand.text)).collect()
            }
        }),
    })
}

fn number_test(number: &PatternNumber) -> Test<'_> {
    match number.key {
        Some(key) => Test::Number(key),
        None => Test::Spelling(&number.spelling),
    }
}

fn range_test(range: &NumericRange) -> Option<Test<'_>> {
    let (low, high) = range.interval()?;
    Some(if low == high { Test::Number(low) } else { Test::Range(low, high) })
}

/// A wildcard without a star, or with one at an end only, is a simpler test.
fn wildcard_test<'p>(wildcard: &'p Wildcard, text: &'p str) -> Test<'p> {
    if text.contains('\\') {
        return Test::Wildcard(wildcard, text);
    }
    match text.matches('*').count() {
        0 => Test::Text(text),
        1 => match (text.strip_suffix('*'), text.strip_prefix('*')) {
            (Some(prefix), _) => Test::Prefix(prefix),
            (_, Some(suffix)) => Test::Suffix(suffix),
            _ => Test::Wildcard(wildcard, text),
        },
        _ => Test::Wildcard(wildcard, text),
    }
}
