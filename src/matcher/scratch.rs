//! The buffers that callers keep from event to event.

use super::ReadPolicy;
use super::state::State;
use super::walk::Path;
use crate::automaton::Automaton;
use crate::base::PatternId;
use crate::json::Reader;
use crate::limit::Limits;

/// Reusable buffers for matching; keep one per thread.
///
/// A scratch works with any matcher, and with several in turn. Switching costs an allocation, so keep one per matcher
/// if you can.
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
    /// Forgets the last event and resizes to the tables of `automaton`.
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
