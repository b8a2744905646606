//! Counts for metrics: events, matches and errors.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::EventError;

/// Counts events, matches and errors for metrics; threads may share one.
///
/// There is no count of candidates (patterns that an event came near to): the automaton goes through branches of patterns,
/// merges those that are equal and drops most of them at their first test, so no such number exists while matching.
/// [`closest`](crate::explain::closest) ranks the patterns of a single event.
///
/// ```
/// use eventrie::event::Counters;
/// use eventrie::{Matcher, Pattern, Scratch};
/// let pattern: Pattern = r#"{"state":["running"]}"#.parse()?;
/// let (matcher, mut scratch, counters) = (Matcher::new([pattern])?, Scratch::default(), Counters::default());
/// for event in [r#"{"state":"running"}"#, r#"{"state":"stopped"}"#, "{"] {
///     let _ = counters.count(matcher.matches(event, &mut scratch));
/// }
/// assert_eq!((counters.events(), counters.matched(), counters.matches(), counters.errors()), (3, 1, 1, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Default)]
pub struct Counters {
    events: AtomicU64,
    matched: AtomicU64,
    matches: AtomicU64,
    errors: AtomicU64,
}

impl Counters {
    /// Counts an answer, and returns it unchanged.
    ///
    /// # Errors
    /// Those of the answer.
    pub fn count<M: ExactSizeIterator>(&self, answer: Result<M, EventError>) -> Result<M, EventError> {
        self.events.fetch_add(1, Relaxed);
        match &answer {
            Ok(found) if found.len() > 0 => {
                self.matched.fetch_add(1, Relaxed);
                self.matches.fetch_add(found.len() as u64, Relaxed);
            }
            Ok(_) => {}
            Err(_) => {
                self.errors.fetch_add(1, Relaxed);
            }
        }
        answer
    }

    /// How many events there were, malformed ones included.
    #[must_use]
    pub fn events(&self) -> u64 {
        self.events.load(Relaxed)
    }

    /// How many events some pattern matched.
    #[must_use]
    pub fn matched(&self) -> u64 {
        self.matched.load(Relaxed)
    }

    /// How many keys matched, all events together.
    #[must_use]
    pub fn matches(&self) -> u64 {
        self.matches.load(Relaxed)
    }

    /// How many events were malformed or reached a limit.
    #[must_use]
    pub fn errors(&self) -> u64 {
        self.errors.load(Relaxed)
    }
}
