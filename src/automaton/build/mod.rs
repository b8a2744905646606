//! Rules to frozen tables: the only writer. Linear in the rules, but for sorting.

mod assemble;
mod buckets;
mod entries;
mod exclusions;
mod order;

pub(super) use assemble::assemble;

use smallvec::SmallVec;

use super::ids::{BranchId, ClauseId, FieldId, ListId, TestId};
use super::intern::Interner;
use super::kind::{Kind, Kinds, Owner};
use super::loose::{List, Lists};
use super::operand::address_operand;
use super::tables::{Automaton, Buckets, Patterns};
use super::test::{Beside, Tests};
use super::trie::FieldTrieBuilder;
use crate::base::{Key, Optional, PatternId, Seeded, Table, fits};
use crate::limit::{BuildError, Limit, Limits};
use crate::rule::{FoldMode, Rule, Test};

/// Collects rules, then freezes them.
pub(crate) struct Builder {
    limits: Limits,
    trie: FieldTrieBuilder,
    tests: Tests,
    /// Field, and ids of tests: first those decided by look-up, ascending, then the others.
    lists: Interner<FieldId, ListId>,
    /// For each list how many tests are decided by look-up, and the kinds of all.
    list_kinds: Table<ListId, (u32, Kinds)>,
    patterns: Patterns,
    /// For each test the list of it alone, if there is one: most lists are, and need not be looked up by hash.
    sole: Table<TestId, Optional<ListId>>,
    /// Reused for each rule.
    operand: Vec<u8>,
    field_lists: Vec<ListId>,
}

/// The tests of a list; few, as a rule.
type TestIds = SmallVec<[TestId; 8]>;

/// A table has no room for another 32-bit id.
struct Full;

impl Builder {
    pub(crate) fn new(limits: Limits, seeded: Seeded) -> Builder {
        Builder {
            limits,
            trie: FieldTrieBuilder::new(seeded.clone()),
            tests: Tests::new(seeded.clone()),
            lists: Interner::new(seeded),
            list_kinds: Table::new(),
            sole: Table::new(),
            patterns: Patterns::default(),
            operand: Vec::new(),
            field_lists: Vec::new(),
        }
    }

    /// Adds the next pattern's rule.
    pub(crate) fn add(&mut self, rule: &Rule<'_>) -> Result<(), BuildError> {
        let id = PatternId::from_index(self.patterns.ends.len());
        self.enter(rule, id)?;
        let used = self.tests.rough_memory_usage()
            + self.lists.memory_usage()
            + self.patterns.branches.entries.capacity() * size_of::<ListId>()
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
        let patterns = &mut self.patterns;
        let pattern = patterns.ends.next_id();
        for clause in &rule.clauses {
            let clause_id: ClauseId = patterns.pattern_of.push(pattern);
            for branch in &clause.branches {
                if branch.len() > self.limits.paths_per_branch {
                    let limit = self.limits.paths_per_branch;
                    let what = "names too many paths at once";
                    return Err(BuildError::limit_reached(Limit::PathsPerBranch, limit, id, what));
                }
                let lists = branch.iter().filter_map(|field| field_lists.get(*field as usize).copied());
                patterns.branches.entries.push_all(lists);
                let _: BranchId = patterns.branches.end_run();
                patterns.clause_of.push(clause_id);
            }
        }
        patterns.ends.push(patterns.pattern_of.next_id().raw());
        let counts = [patterns.branches.entries.len(), patterns.branches.len(), patterns.pattern_of.len()];
        if !counts.into_iter().all(fits) {
            return Err(full(Full));
        }
        self.field_lists = field_lists;
        Ok(())
    }

    fn list(&mut self, path: &str, tests: &[Test<'_>]) -> Result<ListId, Full> {
        let field = self.trie.field(path).filter(|field| (field.raw() as usize) < Owner::MAX_FIELDS).ok_or(Full)?;
        self.list_of(field, tests)
    }

    fn list_of(&mut self, field: FieldId, tests: &[Test<'_>]) -> Result<ListId, Full> {
        let mut kinds = Kinds::default();
        let (mut exact, mut others): (TestIds, TestIds) = (SmallVec::new(), SmallVec::new());
        for test in tests {
            let (kind, id) = self.test(field, test)?;
            kinds.add(kind);
            if kind.is_exact() { exact.push(id) } else { others.push(id) }
        }
        let sole = match (exact.as_slice(), others.as_slice()) {
            ([test], []) | ([], [test]) => Some(*test),
            _ => None,
        };
        if let Some(list) = sole.and_then(|test| self.sole.checked(test).and_then(|list| list.get())) {
            return Ok(list);
        }
        for ids in [&mut exact, &mut others] {
            ids.sort_unstable();
            ids.dedup();
        }
        self.operand.clear();
        self.operand.extend(exact.iter().chain(&others).flat_map(|id| id.raw().to_le_bytes()));
        let list = self.lists.intern(field, &self.operand).ok_or(Full)?;
        if self.list_kinds.len() < self.lists.len() {
            self.list_kinds.push((exact.len() as u32, kinds));
        }
        if let Some(test) = sole {
            if self.sole.len() < self.tests.len() {
                self.sole.grow(self.tests.len(), Optional::NONE);
            }
            self.sole[test] = Optional::some(list);
        }
        Ok(list)
    }

    /// The id of a test.
    fn test(&mut self, field: FieldId, test: &Test<'_>) -> Result<(Kind, TestId), Full> {
        let mut beside = Beside::Nothing;
        if let Test::Not(excluded) = test {
            beside = Beside::Excluded(self.list_of(field, excluded)?);
        }
        let operand = &mut self.operand;
        operand.clear();
        let kind = match test {
            Test::Text(text) => set(operand, text.as_bytes(), Kind::Text),
            Test::Spelling(text) => set(operand, text.as_bytes(), Kind::Spelling),
            Test::Prefix(text) => set(operand, text.as_bytes(), Kind::Prefix),
            Test::Suffix(text) => set(operand, text.as_bytes(), Kind::Suffix),
            Test::Wildcard(wildcard, text) => {
                beside = Beside::Wildcard(wildcard);
                set(operand, text.as_bytes(), Kind::Wildcard)
            }
            Test::Number(key) => set(operand, &key.bits().to_le_bytes(), Kind::Number),
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
            Test::Fold(mode, fold, text) => match fold.ascii_lower() {
                Some(lower) => {
                    operand.extend(lower);
                    match mode {
                        FoldMode::Equals => Kind::Lower,
                        FoldMode::Prefix => Kind::LowerPrefix,
                        FoldMode::Suffix => Kind::LowerSuffix,
                    }
                }
                None => {
                    beside = Beside::Fold(fold);
                    operand.extend(text.as_bytes());
                    match mode {
                        FoldMode::Equals => Kind::Fold,
                        FoldMode::Prefix => Kind::FoldPrefix,
                        FoldMode::Suffix => Kind::FoldSuffix,
                    }
                }
            },
            Test::Not(_) => {
                if let Beside::Excluded(list) = beside {
                    operand.extend(list.raw().to_le_bytes());
                }
                Kind::Not
            }
        };
        Ok((kind, self.tests.intern(Owner::new(field, kind), operand, &beside).ok_or(Full)?))
    }

    /// Chooses entries, sorts branches into buckets, and builds what scalars are looked up in.
    pub(crate) fn freeze(mut self) -> Result<Automaton, BuildError> {
        self.patterns.ranks = self.ranks();
        let Builder { limits, trie, mut tests, lists: interned, list_kinds, mut patterns, .. } = self;
        let mut lists = Lists::default();
        for (id, (exact, kinds)) in list_kinds.enumerate() {
            let words = interned.bytes(id).as_chunks::<4>().0;
            let run = lists.tests.push_all(words.iter().map(|id| TestId::from_raw(u32::from_le_bytes(*id))));
            lists.lists.push(List {
                field: interned.owner(id),
                start: run.start,
                others: run.start + exact,
                end: run.end,
                kinds: *kinds,
                bucket: Optional::NONE,
                set: Optional::NONE,
            });
        }
        drop((interned, list_kinds));
        tests.shrink();
        let full = || {
            let what = "the patterns do not fit into the tables";
            BuildError::limit_reached(Limit::TableBytes, limits.table_bytes, None, what)
        };
        let sorted = buckets::sort(&tests, &lists, &mut patterns, limits.table_bytes);
        let (mut buckets, entered) = sorted.ok_or_else(full)?;
        if !Buckets::fit(buckets.len(), &lists) {
            let what = "the patterns need more than 31-bit ids";
            return Err(BuildError::limit_reached(Limit::TableBytes, limits.table_bytes, None, what));
        }
        for (list, bucket) in lists.lists.iter_mut().zip(entered.iter()) {
            list.bucket = *bucket;
        }
        let numbers = order::by_use(&tests, &lists, &patterns, &buckets);
        lists = order::renumbered(&lists, &numbers);
        patterns.branches.entries.iter_mut().for_each(|list| *list = numbers[*list]);
        buckets.items.iter_mut().for_each(|item| item.first = item.first.get().map(|list| numbers[list]).into());
        // INVARIANT: a bucket is filled once, so no dispatch comes twice.
        let automaton = assemble(trie.freeze(), tests, lists, buckets, patterns, limits.join_steps)
            .unwrap_or_else(|| unreachable!("a dispatch comes twice"));
        if automaton.memory_usage() > limits.table_bytes {
            return Err(full());
        }
        Ok(automaton)
    }

    /// The order of evaluation: ascending paths, compared by UTF-16 units.
    fn ranks(&self) -> Table<FieldId, u32> {
        let paths = &self.trie.paths;
        let mut order: Vec<FieldId> = paths.ids().collect();
        order.sort_unstable_by(|left, right| paths[*left].encode_utf16().cmp(paths[*right].encode_utf16()));
        let mut ranks: Table<FieldId, u32> = Table::filled(paths.len(), 0);
        for (rank, field) in order.into_iter().enumerate() {
            ranks[field] = rank as u32;
        }
        ranks
    }
}

fn set(operand: &mut Vec<u8>, bytes: &[u8], kind: Kind) -> Kind {
    operand.extend_from_slice(bytes);
    kind
}
