//! The matcher: events in, pattern ids out.

mod decide;
#[cfg(feature = "live")]
mod fan_out;
mod join;
mod keys;
mod lookup;
mod observed;
mod receive;
mod satisfy;
mod scratch;
mod state;
mod verdict;
mod walk;

use std::borrow::Borrow;
use std::sync::Arc;

pub(crate) use keys::Keys;
pub use keys::Matches;
pub use scratch::Scratch;

pub(crate) use decide::Wanted;
#[cfg(feature = "live")]
pub(crate) use fan_out::{FanOut, Target, run as run_many};

use crate::automaton::{Automaton, Builder};
use crate::base::{PatternId, seeded};
use crate::dialect::Dialect;
use crate::event::{Event, EventError, ReadPolicy};
use crate::limit::{BuildError, Limit, Limits};
use crate::pattern::Pattern;
use crate::rule::Rule;
use receive::Receiver;
use walk::Walk;

/// Patterns compiled into one automaton. Immutable; a clone is two reference counts, so share it freely between threads,
/// each with a [`Scratch`] of its own.
///
/// Answers are keys: those that you pass to [`Matcher::keyed`], or positions ([`PatternId`]) with [`Matcher::new`],
/// which take no memory.
///
/// ```
/// use eventrie::{Dialect, Matcher, Pattern, Scratch};
/// let orders = Pattern::parse(r#"{"source":["shop"],"detail":{"total":[{"numeric":[">",100]}]}}"#, Dialect::EventBridge)?;
/// let everything = Pattern::parse(r#"{"source":[{"exists":true}]}"#, Dialect::EventBridge)?;
/// let event = r#"{"source":"shop","detail":{"total":120}}"#;
/// let mut scratch = Scratch::default();
///
/// let matcher = Matcher::keyed([("orders", orders.clone()), ("everything", everything.clone())])?;
/// assert_eq!(matcher.matches(event, &mut scratch)?.to_vec(), ["everything", "orders"]);
///
/// let matcher = Matcher::new([orders, everything])?;
/// let positions: Vec<usize> = matcher.matches(event, &mut scratch)?.map(|id| id.index()).collect();
/// assert_eq!(positions, [0, 1]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Matcher<K = PatternId> {
    automaton: Arc<Automaton>,
    policy: ReadPolicy,
    limits: Arc<Limits>,
    keys: Arc<Keys<K>>,
}

impl<K> Clone for Matcher<K> {
    fn clone(&self) -> Matcher<K> {
        Matcher {
            automaton: Arc::clone(&self.automaton),
            policy: self.policy,
            limits: Arc::clone(&self.limits),
            keys: Arc::clone(&self.keys),
        }
    }
}

impl<K> std::fmt::Debug for Matcher<K> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Matcher({} patterns, {} bytes, {:?})", self.len(), self.memory_usage(), self.policy)
    }
}

impl Matcher {
    /// Compiles patterns with the default [`Limits`] and [`ReadPolicy::Whole`]. Ids follow the order of the patterns.
    /// Linear in the size of the patterns, except for sorting.
    ///
    /// One matcher serves one family: rules, Pipes and Lambda filters, or SNS policies of one scope.
    ///
    /// # Errors
    /// If a limit is reached, or if patterns of different families are mixed.
    pub fn new(patterns: impl IntoIterator<Item = Pattern>) -> Result<Matcher, BuildError> {
        Matcher::builder().build(patterns)
    }

    /// Compiles patterns under keys of your own, as [`Matcher::new`] does. Several patterns may come under one key: it
    /// matches if any of them does.
    ///
    /// ```
    /// use eventrie::{Dialect, Matcher, Pattern, Scratch};
    /// let pattern = |text: &str| Pattern::parse(text, Dialect::EventBridge);
    /// let matcher = Matcher::keyed([
    ///     ("large".to_owned(), pattern(r#"{"size":[{"numeric":[">",100]}]}"#)?),
    ///     ("alarm".to_owned(), pattern(r#"{"color":["red"]}"#)?),
    ///     ("alarm".to_owned(), pattern(r#"{"state":["down"]}"#)?),
    /// ])?;
    /// let keys = matcher.matches(r#"{"color":"red","state":"down"}"#, &mut Scratch::default())?.to_vec();
    /// assert_eq!(keys, ["alarm"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`Matcher::new`]; [`BuildError::pattern`] is then the position among `patterns`.
    pub fn keyed<K: Ord>(patterns: impl IntoIterator<Item = (K, Pattern)>) -> Result<Matcher<K>, BuildError> {
        Matcher::builder().build_keyed(patterns)
    }

    /// A builder, for other limits or another read policy.
    #[must_use]
    pub fn builder() -> MatcherBuilder {
        MatcherBuilder::default()
    }

    /// Compiles patterns one after the other: those that nobody keeps are dropped on the way.
    pub(crate) fn compile(
        patterns: impl IntoIterator<Item = impl Borrow<Pattern>>,
        limits: &Arc<Limits>,
        policy: ReadPolicy,
        seed: Option<u64>,
    ) -> Result<Matcher, BuildError> {
        let mut builder = Builder::new(Limits::clone(limits), seeded(seed));
        let mut first = None;
        for (index, pattern) in patterns.into_iter().enumerate() {
            let pattern = pattern.borrow();
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
        let automaton = Arc::new(builder.freeze()?);
        let keys = Arc::new(Keys::positions(None));
        Ok(Matcher { automaton, policy, limits: Arc::clone(limits), keys })
    }

    /// A matcher over an automaton from elsewhere.
    pub(crate) fn of(automaton: Automaton, policy: ReadPolicy, limits: &Limits) -> Matcher {
        let (automaton, limits) = (Arc::new(automaton), Arc::new(limits.clone()));
        Matcher { automaton, policy, limits, keys: Arc::new(Keys::positions(None)) }
    }

    /// As [`Matcher::matches`], as positions, which only the scratch space is needed for.
    pub(crate) fn positions<'s, E: Event>(
        &self,
        event: E,
        scratch: &'s mut Scratch,
    ) -> Result<&'s [PatternId], EventError> {
        self.run(&event, scratch, Wanted::All, &[])?;
        Ok(&scratch.found)
    }

    pub(crate) fn with_keys<K>(self, keys: Keys<K>) -> Matcher<K> {
        let Matcher { automaton, policy, limits, keys: _ } = self;
        Matcher { automaton, policy, limits, keys: Arc::new(keys) }
    }
}

impl<K> Matcher<K> {
    /// The keys of the patterns that match the event: ascending, each once. Linear in the event for a given matcher;
    /// nothing is allocated once `scratch` is warm.
    ///
    /// # Errors
    /// If the event is malformed (under [`ReadPolicy::Whole`] wherever the fault lies), or a limit is reached.
    pub fn matches<'s, E: Event>(&'s self, event: E, scratch: &'s mut Scratch) -> Result<Matches<'s, K>, EventError> {
        self.run(&event, scratch, Wanted::All, &[])?;
        self.keys.of_patterns(&mut scratch.found);
        Ok(self.keys.matches(&scratch.found))
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
        self.run(&event, scratch, Wanted::Any, &[])?;
        Ok(!scratch.found.is_empty())
    }

    /// Fills `scratch.found`. `gone` has a bit for each pattern that does not count; empty for none.
    fn run<E: Event>(&self, event: &E, scratch: &mut Scratch, wanted: Wanted, gone: &[u64]) -> Result<(), EventError> {
        scratch.begin(&self.automaton, self.policy, &self.limits);
        let Scratch { reader, state, path, found, .. } = scratch;
        let receiver = Receiver::new(&self.automaton, state);
        let mut walk = Walk::new(&self.automaton.trie, path, self.policy, receiver);
        event.read(&mut walk, reader)?;
        if walk.receiver.overflow {
            return Err(overflow());
        }
        decide::decide(&self.automaton, state, found, wanted, gone)
    }

    pub(crate) fn key_table(&self) -> &Keys<K> {
        &self.keys
    }

    pub(crate) fn automaton(&self) -> &Automaton {
        &self.automaton
    }

    /// How many patterns there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.automaton.patterns.len()
    }

    /// Whether there are no patterns.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The read policy.
    #[must_use]
    pub fn read_policy(&self) -> ReadPolicy {
        self.policy
    }

    /// The keys, ascending, each once. Empty where positions are the keys.
    #[must_use]
    pub fn keys(&self) -> &[K] {
        self.keys.list()
    }

    /// The patterns under a key, in the order in which they were given; none if patterns are not
    /// [kept](MatcherBuilder::keep_patterns).
    ///
    /// ```
    /// use eventrie::{Dialect, Matcher, Pattern};
    /// let red = Pattern::parse(r#"{"color":["red"]}"#, Dialect::EventBridge)?;
    /// let matcher = Matcher::builder().keep_patterns(true).build_keyed([("red", red)])?;
    /// let explained = matcher.patterns_of(&"red")[0].explain(br#"{"color":"blue"}"#)?;
    /// assert!(!explained.matched());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn patterns_of(&self, key: &K) -> &[Pattern] {
        self.keys.patterns_of(key)
    }

    /// All patterns with their keys, keys ascending; none if patterns are not [kept](MatcherBuilder::keep_patterns). A
    /// [`Batch`](crate::live::Batch) for a live set can be collected from them.
    pub fn entries(&self) -> impl Iterator<Item = (K, Pattern)>
    where
        K: Clone,
    {
        let patterns = self.keys.patterns().unwrap_or(&[]);
        patterns.iter().enumerate().filter_map(|(index, pattern)| {
            let id = PatternId::from_index(index)?;
            Some((self.keys.of_pattern(&id)?.clone(), pattern.clone()))
        })
    }

    /// Bytes on the heap that the compiled tables take, without keys and kept patterns.
    #[must_use]
    pub fn memory_usage(&self) -> usize {
        size_of::<Automaton>() + self.automaton.memory_usage()
    }
}

/// Settings for a [`Matcher`].
///
/// ```
/// use eventrie::event::ReadPolicy;
/// use eventrie::{Dialect, Limits, Matcher, Pattern};
/// let pattern = Pattern::parse(r#"{"a":[1]}"#, Dialect::EventBridge)?;
/// let limits = Limits::default().table_bytes(1 << 20);
/// let matcher = Matcher::builder().limits(limits).read_policy(ReadPolicy::Early).build([pattern])?;
/// assert_eq!(matcher.len(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct MatcherBuilder {
    limits: Limits,
    policy: ReadPolicy,
    seed: Option<u64>,
    keep: bool,
}

impl MatcherBuilder {
    /// Sets the bounds for compiling and matching.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> MatcherBuilder {
        self.limits = limits;
        self
    }

    /// Sets how much of an event is read.
    #[must_use]
    pub fn read_policy(mut self, policy: ReadPolicy) -> MatcherBuilder {
        self.policy = policy;
        self
    }

    /// Sets the seed of the hash tables, which makes them the same in every process. By default each matcher takes a
    /// random seed, which keeps attackers from choosing names and values that collide.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> MatcherBuilder {
        self.seed = Some(seed);
        self
    }

    /// Sets whether the matcher keeps its patterns, for [`Matcher::patterns_of`] and [`Matcher::entries`]. Off by
    /// default: matching does not need them.
    #[must_use]
    pub fn keep_patterns(mut self, keep: bool) -> MatcherBuilder {
        self.keep = keep;
        self
    }

    /// Compiles patterns; their keys are their positions. Unless patterns are [kept](MatcherBuilder::keep_patterns), each is
    /// dropped when the next one is drawn from the iterator.
    ///
    /// # Errors
    /// As [`Matcher::new`]; the error names the limit and the pattern.
    pub fn build(self, patterns: impl IntoIterator<Item = Pattern>) -> Result<Matcher, BuildError> {
        let limits = Arc::new(self.limits);
        if !self.keep {
            return Matcher::compile(patterns, &limits, self.policy, self.seed);
        }
        let patterns: Vec<Pattern> = patterns.into_iter().collect();
        let matcher = Matcher::compile(&patterns, &limits, self.policy, self.seed)?;
        Ok(matcher.with_keys(Keys::positions(Some(patterns.into()))))
    }

    /// Compiles patterns under keys of your own.
    ///
    /// # Errors
    /// As [`Matcher::keyed`].
    pub fn build_keyed<K: Ord>(
        self,
        patterns: impl IntoIterator<Item = (K, Pattern)>,
    ) -> Result<Matcher<K>, BuildError> {
        let mut entries: Vec<(usize, (K, Pattern))> = patterns.into_iter().enumerate().collect();
        entries.sort_by(|(_, left), (_, right)| left.0.cmp(&right.0));
        let compiled = entries.iter().map(|(_, (_, pattern))| pattern);
        let matcher = Matcher::compile(compiled, &Arc::new(self.limits), self.policy, self.seed).map_err(|error| {
            let entry = error.pattern().and_then(|id| entries.get(id.index()));
            let given = entry.and_then(|(position, _)| PatternId::from_index(*position));
            error.of_pattern(given)
        })?;
        let (keys, patterns): (Vec<K>, Vec<Pattern>) = entries.into_iter().map(|(_, entry)| entry).unzip();
        Ok(matcher.with_keys(Keys::ascending(keys, self.keep.then(|| patterns.into()))))
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
