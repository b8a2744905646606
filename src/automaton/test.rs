//! The tests of all rules, each once.

use super::codec::{Broken, Input, Stored, require};
use super::ids::{FieldId, ListId, TestId};
use super::intern::Interner;
use super::kind::{Kind, Owner};
use super::operand::{block_operand, range_operand};
use crate::base::{Id, Key, Seeded, Table};
use crate::value::{Fold, Wildcard};

/// Tests by field, kind and operand. Operands are bytes; what takes more is kept next to them.
#[derive(Debug)]
pub(crate) struct Tests {
    interner: Interner<Owner, TestId>,
    /// For a wildcard, an operand that ignores case or an `anything-but`: the place in `wildcards`, in `folds`, or the list
    /// of what is excluded. The kind says which; other tests have a place that is none.
    beside: Table<TestId, u32>,
    wildcards: Table<Id<Wildcard>, Wildcard>,
    folds: Table<Id<Fold>, Fold>,
}

/// Of tests that have nothing beside their operand.
const NOTHING: u32 = u32::MAX;

/// What a test has besides its operand.
pub(crate) enum Beside<'a> {
    Nothing,
    Wildcard(&'a Wildcard),
    Fold(&'a Fold),
    Excluded(ListId),
}

impl Tests {
    pub(crate) fn new(seeded: Seeded) -> Tests {
        let (beside, wildcards, folds) = (Table::new(), Table::new(), Table::new());
        Tests { interner: Interner::new(seeded), beside, wildcards, folds }
    }

    /// The test with this identity. None if there is no room for another one.
    pub(crate) fn intern(&mut self, owner: Owner, operand: &[u8], beside: &Beside<'_>) -> Option<TestId> {
        let test = self.interner.intern(owner, operand)?;
        if self.beside.len() < self.interner.len() {
            self.beside.push(match beside {
                Beside::Nothing => NOTHING,
                Beside::Wildcard(wildcard) => self.wildcards.push((*wildcard).clone()).raw(),
                Beside::Fold(fold) => self.folds.push((*fold).clone()).raw(),
                Beside::Excluded(list) => list.raw(),
            });
        }
        Some(test)
    }

    pub(crate) fn len(&self) -> usize {
        self.interner.len()
    }

    pub(crate) fn ids(&self) -> impl ExactSizeIterator<Item = TestId> + Clone + use<> {
        self.interner.ids()
    }

    pub(crate) fn seeded(&self) -> &Seeded {
        self.interner.seeded()
    }

    /// The test with this identity, if any rule has it.
    #[inline]
    pub(crate) fn find(&self, field: FieldId, kind: Kind, operand: &[u8]) -> Option<TestId> {
        self.interner.find(Owner::new(field, kind), operand)
    }

    #[inline]
    pub(crate) fn kind(&self, test: TestId) -> Kind {
        // INVARIANT: owners are made of a kind, or checked when they are loaded.
        self.interner.owner(test).kind().unwrap_or_else(|| unreachable!("owners have kinds"))
    }

    #[inline]
    pub(crate) fn field(&self, test: TestId) -> FieldId {
        self.interner.owner(test).field()
    }

    #[inline]
    pub(crate) fn operand(&self, test: TestId) -> &[u8] {
        self.interner.bytes(test)
    }

    /// The wildcard that a test of [`Kind::Wildcard`] is.
    #[inline]
    pub(crate) fn wildcard(&self, test: TestId) -> &Wildcard {
        &self.wildcards[Id::from_raw(self.beside[test])]
    }

    /// The operand of a test that ignores case, if it is not ASCII.
    #[inline]
    pub(crate) fn fold(&self, test: TestId) -> &Fold {
        &self.folds[Id::from_raw(self.beside[test])]
    }

    /// What a test of [`Kind::Not`] excludes.
    #[inline]
    pub(crate) fn excluded(&self, test: TestId) -> ListId {
        ListId::from_raw(self.beside[test])
    }

    /// Bytes on the heap without what is kept beside operands, in no time.
    pub(crate) fn rough_memory_usage(&self) -> usize {
        self.interner.memory_usage()
    }

    /// Bytes on the heap.
    pub(crate) fn memory_usage(&self) -> usize {
        self.interner.memory_usage()
            + self.beside.capacity() * size_of::<u32>()
            + self.wildcards.capacity() * size_of::<Wildcard>()
            + self.wildcards.iter().map(Wildcard::memory_usage).sum::<usize>()
            + self.folds.capacity() * size_of::<Fold>()
            + self.folds.iter().map(Fold::memory_usage).sum::<usize>()
    }

    pub(crate) fn shrink(&mut self) {
        self.interner.shrink();
        self.beside.shrink_to_fit();
        self.wildcards.shrink_to_fit();
        self.folds.shrink_to_fit();
    }

    pub(super) fn save(&self, to: &mut Vec<u8>) {
        self.interner.save(to);
    }

    /// Reads the tests of so many fields, checks their operands, and makes what is kept next to them.
    pub(super) fn load(from: &mut Input<'_>, fields: usize) -> Result<Tests, Broken> {
        const TEXT: Broken = Broken("a string of a test is not valid");
        const OPERAND: &str = "an operand of a test is not valid";
        let seeded = from.seeded.clone();
        let mut tests = Tests { interner: Interner::load(from)?, ..Tests::new(seeded) };
        for id in tests.interner.ids() {
            let (owner, operand) = (tests.interner.owner(id), tests.interner.bytes(id));
            require((owner.field().raw() as usize) < fields, "a test has no field")?;
            let kind = owner.kind().ok_or(Broken("a test has no kind"))?;
            let text = || std::str::from_utf8(operand).map_err(|_| TEXT);
            let mut beside = NOTHING;
            match kind {
                Kind::Text
                | Kind::Spelling
                | Kind::Prefix
                | Kind::Suffix
                | Kind::Lower
                | Kind::LowerPrefix
                | Kind::LowerSuffix => {}
                Kind::True | Kind::False | Kind::Null | Kind::Present | Kind::Absent => {
                    require(operand.is_empty(), OPERAND)?;
                }
                Kind::Number => require(operand.len() == 8, OPERAND)?,
                Kind::Address => require(operand.len() == 17, OPERAND)?,
                Kind::Range => require(operand.len() == 16 && range_operand(operand).is_some(), OPERAND)?,
                Kind::Block => require(operand.len() == 33 && block_operand(operand).is_some(), OPERAND)?,
                Kind::Fold | Kind::FoldPrefix | Kind::FoldSuffix => {
                    beside = tests.folds.push(Fold::new(text()?)).raw();
                }
                Kind::Wildcard => {
                    beside = tests.wildcards.push(Wildcard::parse(text()?).map_err(|_| TEXT)?).raw();
                }
                // That there is such a list is checked with the lists.
                Kind::Not => beside = operand.try_into().map(u32::from_le_bytes).map_err(|_| Broken(OPERAND))?,
            }
            tests.beside.push(beside);
        }
        tests.shrink();
        Ok(tests)
    }
}
