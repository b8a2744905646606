//! What matching one event needs to remember: reused from event to event, so that nothing is allocated once warm.

use super::ReadPolicy;
use super::walk::Path;
use crate::automaton::{Automaton, Bucket, NONE, PackScratch};
use crate::base::PatternId;
use crate::json::Reader;
use crate::limit::Limits;

/// Room for matching, one per thread. Works with any matcher, and with several in turn: it refits itself (which costs
/// an allocation, so better keep one per matcher).
///
/// ```
/// use eventrie::{Dialect, Matcher, Pattern, Scratch};
/// let matcher = Matcher::new([Pattern::parse(r#"{"a":[1]}"#, Dialect::EventBridge)?])?;
/// let mut scratch = Scratch::default();
/// for event in [r#"{"a":1}"#, r#"{"a":2}"#] {
///     println!("{:?}", matcher.matches(event, &mut scratch)?);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Default)]
pub struct Scratch {
    pub(super) reader: Reader,
    pub(super) state: State,
    pub(super) found: Vec<PatternId>,
    pub(super) path: Path,
    /// For matching against several parts at once: the states of all parts but the first, and what was found, by part.
    #[cfg(feature = "live")]
    pub(super) others: Vec<State>,
    #[cfg(feature = "live")]
    pub(crate) hits: Vec<(u32, PatternId)>,
}

impl Scratch {
    /// Forgets the last event and fits the tables of `automaton`.
    pub(super) fn begin(&mut self, automaton: &Automaton, policy: ReadPolicy, limits: &Limits) {
        self.found.clear();
        self.state.begin(automaton);
        if self.state.configured != (automaton.identity, policy) {
            self.state.configured = (automaton.identity, policy);
            self.reader.configure(policy, limits);
        }
    }

    /// The same for further parts. A state follows its automaton when the parts around it change.
    #[cfg(feature = "live")]
    pub(super) fn begin_others<'a>(&mut self, automata: impl ExactSizeIterator<Item = &'a Automaton> + Clone) {
        let wanted = |identity: u64| automata.clone().any(|automaton| automaton.identity == identity);
        for (at, automaton) in automata.clone().enumerate() {
            if self.others.get(at).is_none_or(|state| state.identity != automaton.identity) {
                let rest = self.others.get(at..).unwrap_or(&[]);
                let same = rest.iter().position(|state| state.identity == automaton.identity);
                let from = same.or_else(|| rest.iter().position(|state| !wanted(state.identity)));
                let from = from.map_or(self.others.len(), |from| at + from);
                if from == self.others.len() {
                    self.others.push(State::default());
                }
                self.others.swap(at, from);
            }
        }
        self.others.truncate(automata.len().max(KEPT));
        for (state, automaton) in self.others.iter_mut().zip(automata) {
            state.begin(automaton);
        }
    }
}

/// States that are kept for parts that come and go.
#[cfg(feature = "live")]
const KEPT: usize = 8;

/// Marks with the number of the event that set them, so that a new event need not clear them.
#[derive(Debug, Default)]
pub(super) struct Marks(Vec<u32>);

impl Marks {
    #[inline]
    pub(super) fn get(&self, index: u32, epoch: u32) -> u32 {
        match self.0.get(index as usize) {
            Some(mark) if mark & !VERDICT == epoch => mark & VERDICT,
            _ => 0,
        }
    }

    #[inline]
    pub(super) fn set(&mut self, index: u32, epoch: u32, verdict: u32) {
        if let Some(mark) = self.0.get_mut(index as usize) {
            *mark = epoch | verdict;
        }
    }

    /// Whether it was not set yet for this event; sets it.
    #[inline]
    pub(super) fn first(&mut self, index: u32, epoch: u32) -> bool {
        let first = self.get(index, epoch) == 0;
        self.set(index, epoch, YES);
        first
    }

    /// The number of the next event. It comes round to that of the first one.
    #[inline]
    pub(super) fn next(epoch: u32) -> u32 {
        epoch.checked_add(VERDICT + 1).unwrap_or(VERDICT + 1)
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    pub(super) fn fit(&mut self, length: usize) {
        self.0.clear();
        self.0.resize(length, 0);
    }

    pub(super) fn forget(&mut self) {
        self.0.fill(0);
    }
}

/// The two low bits of a mark.
const VERDICT: u32 = 3;
pub(super) const NO: u32 = 1;
pub(super) const YES: u32 = 2;
/// Holds only if elements go together in a way that the join has to find out.
pub(super) const MAYBE: u32 = 3;

/// What kind of scalar a leaf is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LeafKind {
    Text,
    Number,
    True,
    False,
    Null,
}

/// A scalar of the event at a field.
#[derive(Clone, Copy, Debug)]
pub(super) struct Leaf {
    pub(super) field: u32,
    /// The innermost array element around it; 0 for none.
    pub(super) element: u32,
    /// The next leaf of the field.
    pub(super) next: u32,
    pub(super) kind: LeafKind,
    /// The text: a range of `State::text`.
    pub(super) start: u32,
    pub(super) end: u32,
    pub(super) known: Known,
}

/// What was found out about a scalar, so that it need not be found out again.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known {
    /// The test that is this very value: UNKNOWN until looked up, NONE if there is none.
    pub(super) value: u32,
    /// The same for the address that the text is, and for the text in lower case.
    pub(super) address: u32,
    pub(super) lower: u32,
    /// The bits of the number's key, or one of the two marks below.
    pub(super) number: u64,
}

impl Known {
    pub(super) const NOTHING: Known =
        Known { value: UNKNOWN, address: UNKNOWN, lower: UNKNOWN, number: NUMBER_UNKNOWN };
}

/// The number was not read yet. (No finite number has this key, nor the next.)
pub(super) const NUMBER_UNKNOWN: u64 = 0;
/// The number does not compare.
pub(super) const NUMBER_INEXACT: u64 = 1;

/// Not looked up yet.
pub(super) const UNKNOWN: u32 = NONE - 1;

/// The leaves of one field.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct FieldState {
    epoch: u32,
    pub(super) first: u32,
    pub(super) last: u32,
    pub(super) count: u32,
    /// How many of them lie in array elements.
    pub(super) in_elements: u32,
    /// The array in whose elements all of them lie, if that array lies in no other; else NONE.
    pub(super) array: u32,
}

/// An object or array inside of an array.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Element {
    pub(super) parent: u32,
    pub(super) array: u32,
    /// The leaves inside: a range of `State::leaves`.
    pub(super) first_leaf: u32,
    pub(super) end_leaf: u32,
}

/// An array that has elements with leaves.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Array {
    pub(super) first_leaf: u32,
    pub(super) end_leaf: u32,
    /// Whether it holds scalars itself: these lie between the leaves of its elements, but in none of them.
    pub(super) direct: bool,
}

#[derive(Debug, Default)]
pub(super) struct State {
    /// The automaton that the marks fit, and the policy that the reader has.
    identity: u64,
    configured: (u64, ReadPolicy),
    /// The number of the event, above the verdict bits.
    pub(super) epoch: u32,
    pub(super) leaves: Vec<Leaf>,
    /// The texts of all leaves.
    pub(super) text: Vec<u8>,
    fields: Vec<FieldState>,
    pub(super) elements: Vec<Element>,
    pub(super) arrays: Vec<Array>,
    /// How many fields have leaves in array elements.
    pub(super) fields_in_elements: u32,
    /// Whether some verdict depends on the elements chosen.
    pub(super) depends_on_elements: bool,
    /// Whether any array has scalars of its own.
    pub(super) has_direct: bool,
    /// Fields that have leaves and lists to judge for that.
    pub(super) present: Vec<u32>,
    pub(super) lists: Marks,
    pub(super) remainders: Marks,
    pub(super) buckets: Marks,
    /// Tests that some value is, for the fields in `valued`.
    pub(super) values: Marks,
    pub(super) valued: Marks,
    /// For patterns of several clauses.
    pub(super) clauses: Marks,
    pub(super) held: Vec<u32>,
    pub(super) touched: Vec<u32>,
    /// Buckets still to be gone through. They are fetched when they are queued, so that by then they are at hand.
    pub(super) queue: Vec<(u32, Bucket)>,
    pub(super) wave: super::decide::Wave,
    pub(super) lower: Vec<u8>,
    pub(super) pack: PackScratch,
    pub(super) join: super::join::JoinScratch,
    pub(super) steps: usize,
}

impl State {
    fn begin(&mut self, automaton: &Automaton) {
        if self.identity != automaton.identity {
            self.identity = automaton.identity;
            self.epoch = 0;
            self.fields.clear();
            self.fields.resize(automaton.fields.len(), FieldState::default());
            self.lists.fit(automaton.lists.len());
            self.remainders.fit(automaton.remainder_ends.len());
            self.buckets.fit(automaton.buckets.len());
            // Made when the first event needs it.
            self.values.fit(0);
            self.valued.fit(automaton.fields.len());
            self.join.fit(automaton);
            let several = if automaton.clause_branches.is_empty() { 0 } else { automaton.clauses.len() };
            self.clauses.fit(several);
            self.held.clear();
            self.held.resize(if several == 0 { 0 } else { automaton.patterns() }, 0);
        }
        self.epoch = Marks::next(self.epoch);
        if self.epoch == Marks::next(0) {
            // The first event, or after 2^30 of them, when the marks of the first would look fresh.
            for marks in [
                &mut self.lists,
                &mut self.remainders,
                &mut self.buckets,
                &mut self.values,
                &mut self.valued,
                &mut self.clauses,
            ] {
                marks.forget();
            }
            self.fields.fill(FieldState::default());
            self.join.forget();
        }
        self.leaves.clear();
        self.text.clear();
        self.elements.clear();
        self.arrays.clear();
        self.fields_in_elements = 0;
        self.depends_on_elements = false;
        self.has_direct = false;
        self.present.clear();
        self.queue.clear();
        self.steps = 0;
        for pattern in self.touched.drain(..) {
            if let Some(held) = self.held.get_mut(pattern as usize) {
                *held = 0;
            }
        }
        self.join.begin();
    }

    /// The leaves of a field; none if the event has none.
    #[inline]
    pub(super) fn field(&self, field: u32) -> FieldState {
        match self.fields.get(field as usize) {
            Some(state) if state.epoch == self.epoch => *state,
            _ => FieldState { first: NONE, last: NONE, ..FieldState::default() },
        }
    }

    /// Queues a bucket, once.
    #[inline]
    pub(super) fn open(&mut self, automaton: &Automaton, bucket: u32) {
        if self.buckets.first(bucket, self.epoch) {
            self.queue.push((bucket, automaton.bucket(bucket)));
        }
    }

    /// Enters a leaf behind the others of its field; says whether it is the first.
    #[inline]
    pub(super) fn push(&mut self, leaf: Leaf) -> bool {
        let id = self.leaves.len() as u32;
        let (field, element) = (leaf.field, leaf.element);
        self.leaves.push(leaf);
        let Some(state) = self.fields.get_mut(field as usize) else { return false };
        let first = state.epoch != self.epoch;
        let array = match self.elements.get(element as usize) {
            Some(Element { parent: 0, array, .. }) if element != 0 => *array,
            _ => NONE,
        };
        if first {
            *state = FieldState { epoch: self.epoch, first: id, last: id, count: 1, in_elements: 0, array };
        } else {
            if state.array != array {
                state.array = NONE;
            }
            if let Some(last) = self.leaves.get_mut(state.last as usize) {
                last.next = id;
            }
            state.last = id;
            state.count += 1;
        }
        if element != 0 {
            self.fields_in_elements += u32::from(state.in_elements == 0);
            state.in_elements += 1;
        }
        first
    }

    #[inline]
    pub(super) fn text_of(&self, leaf: &Leaf) -> &[u8] {
        self.text.get(leaf.start as usize..leaf.end as usize).unwrap_or(&[])
    }
}
