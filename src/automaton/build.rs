//! Rules to frozen tables: the only writer. Linear in the rules, but for sorting.

use super::bucket;
use super::exclude;
use super::field::FieldTrieBuilder;
use super::intern::Interner;
use super::order;
use super::pack::PackBuilder;
use super::store::next_identity;
use super::{Automaton, Clause, FieldEntry, Kind, Kinds, List, MANY, MAX_FIELDS, NONE, filter_bit, owner};
use crate::base::{PatternId, Seeded};
use crate::limit::{BuildError, Limit, Limits};
use crate::rule::{FoldMode, Rule, Test};
use crate::value::{Family, Fold, Wildcard};

/// Lists with more tests than this, beside those decided by look-up, get a pack of their own.
const SCAN: usize = 8;

/// Collects rules, then freezes them.
pub(crate) struct Builder {
    limits: Limits,
    trie: FieldTrieBuilder,
    tests: Interner,
    side: Vec<u32>,
    wildcards: Vec<Wildcard>,
    folds: Vec<Fold>,
    /// Field, and ids of tests: first those decided by look-up, ascending, then the others.
    lists: Interner,
    list_kinds: Vec<(u32, Kinds)>,
    branch_ends: Vec<u32>,
    branch_lists: Vec<u32>,
    branch_clause: Vec<u32>,
    clauses: Vec<Clause>,
    pattern_ends: Vec<u32>,
    /// Reused for each rule.
    operand: Vec<u8>,
    field_lists: Vec<u32>,
}

/// A table has no room for another 32-bit id.
struct Full;

impl Builder {
    pub(crate) fn new(limits: Limits, seeded: Seeded) -> Builder {
        Builder {
            limits,
            trie: FieldTrieBuilder::new(seeded.clone()),
            tests: Interner::new(seeded.clone()),
            side: Vec::new(),
            wildcards: Vec::new(),
            folds: Vec::new(),
            lists: Interner::new(seeded),
            list_kinds: Vec::new(),
            branch_ends: Vec::new(),
            branch_lists: Vec::new(),
            branch_clause: Vec::new(),
            clauses: Vec::new(),
            pattern_ends: Vec::new(),
            operand: Vec::new(),
            field_lists: Vec::new(),
        }
    }

    /// Adds the next pattern's rule.
    pub(crate) fn add(&mut self, rule: &Rule<'_>) -> Result<(), BuildError> {
        let id = PatternId::from_index(self.pattern_ends.len());
        self.enter(rule, id)?;
        let used = self.tests.memory_usage()
            + self.lists.memory_usage()
            + self.branch_lists.capacity() * size_of::<u32>()
            + self.trie.memory_usage();
        if used > self.limits.table_bytes {
            let what = "does not fit into the tables any more";
            return Err(BuildError::limit_reached(Limit::TableBytes, self.limits.table_bytes, id, what));
        }
        Ok(())
    }

    fn enter(&mut self, rule: &Rule<'_>, id: Option<PatternId>) -> Result<(), BuildError> {
        let full =
            |Full| BuildError::limit_reached(Limit::TableBytes, u32::MAX as usize, id, "needs more than 32-bit ids");
        let mut field_lists = std::mem::take(&mut self.field_lists);
        field_lists.clear();
        for field in &rule.fields {
            field_lists.push(self.list(&field.path, &field.tests).map_err(full)?);
        }
        for clause in &rule.clauses {
            let clause_id = u32::try_from(self.clauses.len()).map_err(|_| full(Full))?;
            for branch in &clause.branches {
                if branch.len() > self.limits.paths_per_branch {
                    let limit = self.limits.paths_per_branch;
                    return Err(BuildError::limit_reached(
                        Limit::PathsPerBranch,
                        limit,
                        id,
                        "names too many paths at once",
                    ));
                }
                let lists = branch.iter().filter_map(|field| field_lists.get(*field as usize));
                self.branch_lists.extend(lists);
                self.branch_ends.push(u32::try_from(self.branch_lists.len()).map_err(|_| full(Full))?);
                self.branch_clause.push(clause_id);
            }
            self.clauses.push(Clause { pattern: self.pattern_ends.len() as u32 });
        }
        self.field_lists = field_lists;
        self.pattern_ends.push(u32::try_from(self.clauses.len()).map_err(|_| full(Full))?);
        Ok(())
    }

    fn list(&mut self, path: &str, tests: &[Test<'_>]) -> Result<u32, Full> {
        let field = self.trie.field(path).filter(|field| (*field as usize) < MAX_FIELDS).ok_or(Full)?;
        self.list_of(field, tests)
    }

    fn list_of(&mut self, field: u32, tests: &[Test<'_>]) -> Result<u32, Full> {
        let mut kinds = Kinds::default();
        let (mut exact, mut others) = (Vec::with_capacity(tests.len()), Vec::new());
        for test in tests {
            let (kind, id) = self.test(field, test)?;
            kinds.add(kind);
            if kind.is_exact() { exact.push(id) } else { others.push(id) }
        }
        for ids in [&mut exact, &mut others] {
            ids.sort_unstable();
            ids.dedup();
        }
        let mut bytes = std::mem::take(&mut self.operand);
        bytes.clear();
        bytes.extend(exact.iter().chain(&others).flat_map(|id| id.to_le_bytes()));
        let list = self.lists.intern(field, &bytes).ok_or(Full);
        self.operand = bytes;
        let list = list?;
        if self.list_kinds.len() < self.lists.len() {
            self.list_kinds.push((exact.len() as u32, kinds));
        }
        Ok(list)
    }

    /// The id of a test. Operands are bytes; what needs more has it aside.
    fn test(&mut self, field: u32, test: &Test<'_>) -> Result<(Kind, u32), Full> {
        let mut operand = std::mem::take(&mut self.operand);
        operand.clear();
        let mut inner = None;
        let kind = match test {
            Test::Text(text) => set(&mut operand, text.as_bytes(), Kind::Text),
            Test::Spelling(text) => set(&mut operand, text.as_bytes(), Kind::Spelling),
            Test::Prefix(text) => set(&mut operand, text.as_bytes(), Kind::Prefix),
            Test::Suffix(text) => set(&mut operand, text.as_bytes(), Kind::Suffix),
            Test::Wildcard(_, text) => set(&mut operand, text.as_bytes(), Kind::Wildcard),
            Test::Number(key) => set(&mut operand, &key.bits().to_le_bytes(), Kind::Number),
            Test::Bool(true) => Kind::True,
            Test::Bool(false) => Kind::False,
            Test::Null => Kind::Null,
            Test::Present => Kind::Present,
            Test::Absent => Kind::Absent,
            Test::Address(address) => {
                operand.extend(address_operand(address.family, address.bits));
                Kind::Address
            }
            Test::Block(block) => {
                operand.extend(address_operand(block.family, block.low));
                operand.extend(block.high.to_le_bytes());
                Kind::Block
            }
            Test::Range(low, high) => {
                operand.extend(low.bits().to_le_bytes());
                operand.extend(high.bits().to_le_bytes());
                Kind::Range
            }
            Test::Fold(mode, fold, text) => {
                match fold.ascii_lower() {
                    Some(lower) => operand.extend(lower),
                    None => operand.extend(text.as_bytes()),
                }
                match (mode, fold.is_ascii()) {
                    (FoldMode::Equals, true) => Kind::Lower,
                    (FoldMode::Prefix, true) => Kind::LowerPrefix,
                    (FoldMode::Suffix, true) => Kind::LowerSuffix,
                    (FoldMode::Equals, false) => Kind::Fold,
                    (FoldMode::Prefix, false) => Kind::FoldPrefix,
                    (FoldMode::Suffix, false) => Kind::FoldSuffix,
                }
            }
            Test::Not(excluded) => {
                let list = self.list_of(field, excluded)?;
                inner = Some(list);
                set(&mut operand, &list.to_le_bytes(), Kind::Not)
            }
        };
        let id = self.tests.intern(owner(field, kind), &operand).ok_or(Full);
        self.operand = operand;
        let id = id?;
        if self.side.len() < self.tests.len() {
            self.side.push(match test {
                Test::Wildcard(wildcard, _) => {
                    self.wildcards.push((*wildcard).clone());
                    self.wildcards.len() as u32 - 1
                }
                Test::Fold(_, fold, _) if !fold.is_ascii() => {
                    self.folds.push((*fold).clone());
                    self.folds.len() as u32 - 1
                }
                _ => inner.unwrap_or(NONE),
            });
        }
        Ok((kind, id))
    }

    /// Chooses entries, sorts branches into buckets, and builds what scalars are looked up in.
    pub(crate) fn freeze(mut self) -> Result<Automaton, BuildError> {
        self.sort_branches();
        let mut lists = Vec::with_capacity(self.lists.len());
        let mut list_tests = Vec::new();
        for id in 0..self.lists.len() as u32 {
            let start = list_tests.len();
            list_tests
                .extend(self.lists.get(id).chunks_exact(4).map(|id| id.try_into().map_or(NONE, u32::from_le_bytes)));
            let (exact, kinds) = self.list_kinds.get(id as usize).copied().unwrap_or_default();
            let [start, end] = [start, list_tests.len()].map(|at| at as u32);
            let others = start + exact;
            lists.push(List { field: self.lists.owner(id), start, others, end, kinds, bucket: NONE, pack: NONE });
        }
        drop(std::mem::replace(&mut self.lists, Interner::new(self.tests.seeded.clone())));
        let fields = self.trie.paths.len();
        self.tests.shrink();
        let mut automaton = Automaton {
            identity: next_identity(),
            trie: self.trie.freeze(),
            fields: vec![FieldEntry::EMPTY; fields],
            tests: self.tests,
            side: self.side,
            wildcards: self.wildcards,
            folds: self.folds,
            lists,
            list_tests,
            packs: Vec::new(),
            doors: Vec::new(),
            postings: Vec::new(),
            present_lists: Vec::new(),
            negative_lists: Vec::new(),
            sieves: Vec::new(),
            exclusion_ends: Vec::new(),
            exclusions: Vec::new(),
            absent_lists: Vec::new(),
            buckets: Vec::new(),
            items: Vec::new(),
            dispatch_fields: Vec::new(),
            dispatch: Default::default(),
            via: Vec::new(),
            first_via: 0,
            always: NONE,
            remainder_ends: Vec::new(),
            remainder_lists: Vec::new(),
            branch_ends: self.branch_ends,
            branch_lists: self.branch_lists,
            branch_clause: self.branch_clause,
            clauses: self.clauses,
            pattern_ends: self.pattern_ends,
            clause_branches: Vec::new(),
            join_steps: self.limits.join_steps,
        };
        bucket::fill(&mut automaton);
        order::by_judging(&mut automaton);
        // INVARIANT: a bucket is filled once, so that no dispatch comes twice.
        let _ = derive(&mut automaton);
        shrink(&mut automaton);
        if automaton.memory_usage() > self.limits.table_bytes {
            let what = "the patterns do not fit into the tables";
            return Err(BuildError::limit_reached(Limit::TableBytes, self.limits.table_bytes, None, what));
        }
        Ok(automaton)
    }

    /// Puts the lists of each branch into the order of evaluation: ascending paths, compared by UTF-16 units.
    fn sort_branches(&mut self) {
        let paths = &self.trie.paths;
        let mut order: Vec<u32> = (0..paths.len() as u32).collect();
        order.sort_unstable_by(|left, right| {
            let units = |field: u32| paths.get(field as usize).into_iter().flat_map(|path| path.encode_utf16());
            units(*left).cmp(units(*right))
        });
        let mut ranks = vec![0_u32; paths.len()];
        for (rank, field) in order.iter().enumerate() {
            if let Some(slot) = ranks.get_mut(*field as usize) {
                *slot = rank as u32;
            }
        }
        let rank = |list: u32| ranks.get(self.lists.owner(list) as usize).copied().unwrap_or(0);
        let mut start = 0;
        for end in &self.branch_ends {
            if let Some(lists) = self.branch_lists.get_mut(start as usize..*end as usize) {
                lists.sort_unstable_by_key(|list| rank(*list));
            }
            start = *end;
        }
    }
}

fn set(operand: &mut Vec<u8>, bytes: &[u8], kind: Kind) -> Kind {
    operand.extend_from_slice(bytes);
    kind
}

/// An address as the operand of a test.
pub(crate) fn address_operand(family: Family, bits: u128) -> impl Iterator<Item = u8> {
    std::iter::once(family as u8).chain(bits.to_le_bytes())
}

/// Makes the tables that follow from the others. None if a bucket is reached twice by one test.
pub(super) fn derive(automaton: &mut Automaton) -> Option<()> {
    if automaton.clauses.len() > automaton.pattern_ends.len() {
        automaton.clause_branches = vec![0; automaton.clauses.len()];
        for (branch, clause) in automaton.branch_clause.iter().enumerate() {
            if let Some(end) = automaton.clause_branches.get_mut(*clause as usize) {
                *end = branch as u32 + 1;
            }
        }
    }
    let mut items = std::mem::take(&mut automaton.items);
    for item in &mut items {
        item.first = automaton.lists_of_remainder(item.remainder).first().copied().unwrap_or(NONE);
    }
    automaton.items = items;
    automaton.doors = vec![NONE; automaton.tests.len()];
    automaton.dispatch = bucket::index_dispatch(automaton)?;
    index_entries(automaton);
    pack_lists(automaton);
    Some(())
}

/// From tests to the lists that are entries, and from fields to what their scalars are looked up in.
fn index_entries(automaton: &mut Automaton) {
    let mut pairs: Vec<(u32, u32)> = Vec::new();
    let mut present: Vec<(u32, u32)> = Vec::new();
    let mut negative = Vec::new();
    let mut looked_up: Vec<(u32, u32)> = Vec::new();
    for (id, list) in automaton.lists.iter().enumerate() {
        let id = id as u32;
        if let Some(field) = automaton.fields.get_mut(list.field as usize) {
            field.kinds.0 |= list.kinds.0;
        }
        if list.bucket == NONE {
            continue;
        }
        if list.kinds.has(Kind::Absent) {
            automaton.absent_lists.push(id);
        } else if let Some(excluding) = exclude::of(automaton, list) {
            negative.push((list.field, excluding, id));
        } else if list.kinds.has(Kind::Present) || list.kinds.has(Kind::Not) {
            present.push((list.field, id));
        } else {
            let tests = automaton.list_tests.get(list.start as usize..list.end as usize).unwrap_or(&[]);
            pairs.extend(tests.iter().map(|test| (*test, list.bucket)));
            if let Some(field) = automaton.fields.get_mut(list.field as usize) {
                field.entries.0 |= list.kinds.0;
            }
            let others = automaton.list_tests.get(list.others as usize..list.end as usize).unwrap_or(&[]);
            looked_up.extend(others.iter().map(|test| (list.field, *test)));
        }
    }
    for test in 0..automaton.tests.len() as u32 {
        let (field, exact) = (automaton.tests.owner(test) >> 5, automaton.kind(test).is_exact());
        if let Some(field) = automaton.fields.get_mut(field as usize).filter(|_| exact) {
            field.filter |= filter_bit(automaton.tests.get(test));
        }
    }
    for field in &mut automaton.fields {
        field.values_only = field.kinds.values_only();
        field.complete = field.kinds.positive();
    }
    for list in automaton.lists.iter().filter(|list| list.bucket == NONE) {
        if let Some(field) = automaton.fields.get_mut(list.field as usize) {
            field.complete = false;
        }
    }
    place_doors(automaton, &pairs);
    present.sort_unstable();
    looked_up.sort_unstable();
    looked_up.dedup();
    exclude::index(automaton, negative);
    for group in present.chunk_by(|left, right| left.0 == right.0) {
        let start = automaton.present_lists.len() as u32;
        automaton.present_lists.extend(group.iter().map(|pair| pair.1));
        let field = group.first().and_then(|pair| automaton.fields.get_mut(pair.0 as usize));
        if let Some(field) = field {
            (field.present, field.present_end) = (start, automaton.present_lists.len() as u32);
        }
    }
    for group in looked_up.chunk_by(|left, right| left.0 == right.0) {
        let pack = PackBuilder::of(automaton, group.iter().map(|pair| pair.1)).build();
        let id = automaton.packs.len() as u32;
        automaton.packs.push(pack);
        if let Some(field) = group.first().and_then(|pair| automaton.fields.get_mut(pair.0 as usize)) {
            field.pack = id;
        }
    }
}

/// Writes down which buckets each test opens. Counted, not sorted: tests are dense, and there are many.
fn place_doors(automaton: &mut Automaton, pairs: &[(u32, u32)]) {
    let Automaton { doors, postings, .. } = automaton;
    let mut counts = vec![0_u32; doors.len()];
    for (test, _) in pairs {
        if let Some(count) = counts.get_mut(*test as usize) {
            *count += 1;
        }
    }
    for (door, count) in doors.iter_mut().zip(&mut counts) {
        if *count > 1 {
            *door = postings.len() as u32 | MANY;
            postings.push(*count);
            postings.resize(postings.len() + *count as usize, NONE);
            // From now on the place of the next bucket.
            *count = 1;
        } else {
            *count = 0;
        }
    }
    for (test, bucket) in pairs {
        let (Some(door), Some(next)) = (doors.get_mut(*test as usize), counts.get_mut(*test as usize)) else {
            continue;
        };
        if *next == 0 {
            *door = *bucket;
        } else if let Some(slot) = postings.get_mut((*door & !MANY) as usize + *next as usize) {
            *slot = *bucket;
            *next += 1;
        }
    }
}

/// Long lists are looked through at once, not test by test.
fn pack_lists(automaton: &mut Automaton) {
    for id in 0..automaton.lists.len() {
        let Some(list) = automaton.lists.get(id).copied() else { continue };
        let others = automaton.other_tests(&list);
        if others.len() > SCAN {
            let pack = PackBuilder::of(automaton, others.iter().copied()).build();
            if let Some(list) = automaton.lists.get_mut(id) {
                list.pack = automaton.packs.len() as u32;
            }
            automaton.packs.push(pack);
        }
    }
}

fn shrink(automaton: &mut Automaton) {
    for table in [
        &mut automaton.side,
        &mut automaton.list_tests,
        &mut automaton.doors,
        &mut automaton.postings,
        &mut automaton.present_lists,
        &mut automaton.negative_lists,
        &mut automaton.exclusion_ends,
        &mut automaton.exclusions,
        &mut automaton.absent_lists,
        &mut automaton.dispatch_fields,
        &mut automaton.remainder_ends,
        &mut automaton.remainder_lists,
        &mut automaton.branch_ends,
        &mut automaton.branch_lists,
        &mut automaton.branch_clause,
        &mut automaton.pattern_ends,
        &mut automaton.clause_branches,
    ] {
        table.shrink_to_fit();
    }
    automaton.wildcards.shrink_to_fit();
    automaton.folds.shrink_to_fit();
    automaton.packs.shrink_to_fit();
    automaton.sieves.shrink_to_fit();
    automaton.buckets.shrink_to_fit();
    automaton.items.shrink_to_fit();
    automaton.via.shrink_to_fit();
    automaton.clauses.shrink_to_fit();
}
