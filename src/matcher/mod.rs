//! Running it: events in, pattern ids out.

mod decide;
mod join;
mod lookup;
#[cfg(feature = "live")]
mod many;
mod observed;
mod receive;
mod satisfy;
mod scratch;
mod state;
mod verdict;
mod walk;

use std::sync::Arc;

pub use scratch::Scratch;

#[cfg(feature = "live")]
pub(crate) use many::{Part, Row, run as run_many};

use crate::automaton::{Automaton, Builder};
use crate::base::{PatternId, seeded};
use crate::dialect::Dialect;
use crate::event::{Event, EventError, ReadPolicy, Reader};
use crate::limit::{BuildError, Limit, Limits};
use crate::pattern::Pattern;
use crate::rule::Rule;
use receive::Receiver;
use state::State;
use walk::{Path, Walk};

/// All patterns compiled into one automaton. Immutable; a clone is a reference count, so share it freely between
/// threads, each with a [`Scratch`] of its own.
///
/// ```
/// use eventrie::{Dialect, Matcher, Pattern, Scratch};
/// let orders = Pattern::parse(r#"{"source":["shop"],"detail":{"total":[{"numeric":[">",100]}]}}"#, Dialect::EventBridge)?;
/// let everything = Pattern::parse(r#"{"source":[{"exists":true}]}"#, Dialect::EventBridge)?;
/// let matcher = Matcher::new([orders, everything])?;
/// let mut scratch = Scratch::default();
/// let ids = matcher.matches(r#"{"source":"shop","detail":{"total":120}}"#, &mut scratch)?;
/// assert_eq!(ids.iter().map(|id| id.index()).collect::<Vec<_>>(), [0, 1]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Matcher {
    automaton: Arc<Automaton>,
    policy: ReadPolicy,
    limits: Arc<Limits>,
    /// Whether events are the attributes of messages.
    attributes: bool,
}

impl std::fmt::Debug for Matcher {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Matcher({} patterns, {} bytes, {:?})", self.len(), self.memory_usage(), self.policy)
    }
}

impl Matcher {
    /// Compiles patterns with the default [`Limits`] and [`ReadPolicy::Whole`]. Ids follow the order of the patterns.
    /// Linear in the size of the patterns but for sorting.
    ///
    /// # Errors
    /// If a limit is reached, or if patterns of different services are mixed (see [`MatcherBuilder::add`]).
    pub fn new(patterns: impl IntoIterator<Item = Pattern>) -> Result<Matcher, BuildError> {
        let mut builder = Matcher::builder();
        for pattern in patterns {
            builder.add(pattern);
        }
        builder.build()
    }

    /// A builder, for other limits or another policy of reading.
    #[must_use]
    pub fn builder() -> MatcherBuilder {
        MatcherBuilder::default()
    }

    /// The patterns that match the event: ids ascending, each once. Linear in the event for a given matcher; nothing is
    /// allocated once `scratch` is warm.
    ///
    /// # Errors
    /// If the event is malformed (under [`ReadPolicy::Whole`] wherever the fault lies), or a limit is reached.
    pub fn matches<'s, E: Event>(&self, event: E, scratch: &'s mut Scratch) -> Result<&'s [PatternId], EventError> {
        self.run(&event, scratch, false, &[])?;
        Ok(&scratch.found)
    }

    /// Whether any pattern matches the event.
    ///
    /// ```
    /// use eventrie::{Dialect, Matcher, Pattern, Scratch};
    /// let matcher = Matcher::new([Pattern::parse(r#"{"a":[{"prefix":"x"}]}"#, Dialect::EventBridge)?])?;
    /// assert!(matcher.is_match(r#"{"a":["y","xz"]}"#, &mut Scratch::default())?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`Matcher::matches`].
    pub fn is_match<E: Event>(&self, event: E, scratch: &mut Scratch) -> Result<bool, EventError> {
        self.run(&event, scratch, true, &[])?;
        Ok(!scratch.found.is_empty())
    }

    /// Fills `scratch.found`. `gone` has a bit for each pattern that does not count; empty for none.
    fn run<E: Event>(&self, event: &E, scratch: &mut Scratch, first: bool, gone: &[u64]) -> Result<(), EventError> {
        scratch.begin(&self.automaton, self.policy, &self.limits);
        let Scratch { reader, state, path, found, .. } = scratch;
        let early = self.policy == ReadPolicy::Early;
        let receiver = Receiver::new(&self.automaton, state);
        let mut walk = Walk::new(&self.automaton.trie, path, early, receiver);
        event.read(&mut walk, reader)?;
        if walk.receiver.overflow {
            return Err(overflow());
        }
        decide::decide(&self.automaton, state, found, first && !self.attributes, gone)?;
        self.ask_for_attributes(event, reader, state, path, found)
    }

    /// SNS does not ask a policy about a message without any attribute: only a policy without conditions accepts it. (A walk
    /// like any other finds out, so that the readers need not be compiled for one more kind of sink.)
    fn ask_for_attributes<E: Event>(
        &self,
        event: &E,
        reader: &mut Reader,
        state: &mut State,
        path: &mut Path,
        found: &mut Vec<PatternId>,
    ) -> Result<(), EventError> {
        if self.attributes && !found.is_empty() && state.observed.leaves.is_empty() {
            let receiver = Receiver::new(&self.automaton, state);
            let mut walk = Walk::to_first_key(&self.automaton.trie, path, receiver);
            event.read(&mut walk, reader)?;
            if !walk.stopped {
                found.retain(|id| self.automaton.patterns.is_unconditional(*id));
            }
        }
        Ok(())
    }

    /// Compiles patterns that somebody else keeps.
    pub(crate) fn compile<'p>(
        patterns: impl IntoIterator<Item = &'p Pattern>,
        limits: &Arc<Limits>,
        policy: ReadPolicy,
        seed: Option<u64>,
    ) -> Result<Matcher, BuildError> {
        let mut builder = Builder::new(Limits::clone(limits), seeded(seed));
        let mut first = None;
        for (index, pattern) in patterns.into_iter().enumerate() {
            let id = PatternId::from_index(index);
            let (first, own) = (*first.get_or_insert(pattern.dialect()), pattern.dialect());
            if first.family() != own.family() {
                return Err(mixed(id, own, first));
            }
            let rule = Rule::of(pattern, limits).map_err(|_| {
                let what = "multiplies out to too many combinations of `$or`";
                BuildError::limit_reached(Limit::OrCombinations, limits.or_combinations, id, what)
            })?;
            builder.add(&rule)?;
        }
        let attributes = first == Some(Dialect::SnsAttributes);
        Ok(Matcher { automaton: Arc::new(builder.freeze()?), policy, limits: Arc::clone(limits), attributes })
    }

    /// A matcher over an automaton from elsewhere.
    pub(crate) fn of(automaton: Automaton, policy: ReadPolicy, attributes: bool, limits: &Limits) -> Matcher {
        Matcher { automaton: Arc::new(automaton), policy, limits: Arc::new(limits.clone()), attributes }
    }

    /// Whether events are the attributes of messages.
    pub(crate) fn is_of_attributes(&self) -> bool {
        self.attributes
    }

    pub(crate) fn automaton(&self) -> &Automaton {
        &self.automaton
    }

    /// How many patterns there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.automaton.patterns.len()
    }

    /// Whether there is no pattern at all.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The policy of reading.
    #[must_use]
    pub fn read_policy(&self) -> ReadPolicy {
        self.policy
    }

    /// Bytes on the heap that the compiled tables take (not those of the patterns, which need not be kept).
    #[must_use]
    pub fn memory_usage(&self) -> usize {
        size_of::<Automaton>() + self.automaton.memory_usage()
    }
}

/// Collects patterns and settings for a [`Matcher`].
///
/// ```
/// use eventrie::event::ReadPolicy;
/// use eventrie::{Dialect, Limits, Matcher, Pattern};
/// let mut builder = Matcher::builder();
/// builder.read_policy(ReadPolicy::Early).limits(Limits::default().table_bytes(1 << 20));
/// let id = builder.add(Pattern::parse(r#"{"a":[1]}"#, Dialect::EventBridge)?);
/// assert_eq!(id.index(), 0);
/// let matcher = builder.build()?;
/// assert_eq!(matcher.len(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Default)]
pub struct MatcherBuilder {
    patterns: Vec<Pattern>,
    limits: Limits,
    policy: ReadPolicy,
    seed: Option<u64>,
}

impl MatcherBuilder {
    /// Sets the bounds for compiling and matching.
    pub fn limits(&mut self, limits: Limits) -> &mut MatcherBuilder {
        self.limits = limits;
        self
    }

    /// Sets how much of an event is read.
    pub fn read_policy(&mut self, policy: ReadPolicy) -> &mut MatcherBuilder {
        self.policy = policy;
        self
    }

    /// Sets the seed of the hash tables, which then are the same in every process. Without it each matcher takes a random
    /// one: only so can nobody outside choose names and values that collide.
    pub fn seed(&mut self, seed: u64) -> &mut MatcherBuilder {
        self.seed = Some(seed);
        self
    }

    /// Adds a pattern; its id is the number of patterns added before.
    ///
    /// One matcher serves one family: rules, Pipes and Lambda filters, or SNS policies of one scope. Mixing them is an
    /// error of [`MatcherBuilder::build`].
    ///
    /// # Panics
    /// Never in practice: if there were 2^32 patterns.
    pub fn add(&mut self, pattern: Pattern) -> PatternId {
        // INVARIANT: a pattern takes more than one byte of memory, and `build` refuses more than 32-bit ids.
        let id = PatternId::from_index(self.patterns.len().min(u32::MAX as usize - 1));
        self.patterns.push(pattern);
        id.unwrap_or_else(|| unreachable!("bounded above"))
    }

    /// Compiles the patterns.
    ///
    /// # Errors
    /// If a limit is reached or families are mixed; the error names the limit and the pattern.
    pub fn build(&self) -> Result<Matcher, BuildError> {
        Matcher::compile(&self.patterns, &Arc::new(self.limits.clone()), self.policy, self.seed)
    }
}

/// Patterns of two families cannot serve the same events.
pub(crate) fn mixed(pattern: Option<PatternId>, own: Dialect, first: Dialect) -> BuildError {
    let (own, first) = (own.name(), first.name());
    let what = format!("is of the dialect `{own}`, others are of `{first}`: one matcher serves one kind of event");
    BuildError::refused(pattern, what)
}

#[cold]
fn overflow() -> EventError {
    EventError::limit_reached(Limit::EventBytes, None, "the scalars of the event are too long to be kept")
}
