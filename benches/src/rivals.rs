//! What is timed: eventrie in both policies of reading, and its rivals.

use std::panic::{AssertUnwindSafe, catch_unwind};

use eventrie::event::ReadPolicy;
use eventrie::{Dialect, Matcher, Pattern, Scratch};
use quamina::{MatcherBuildMode, Quamina, QuaminaBuilder};
use serde::de::IgnoredAny;

/// Who is timed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rival {
    /// `serde_json` reads and forgets the event: what reading alone costs with a usual, validating reader.
    Skip,
    /// `simd-json` makes a tape of the event (of a copy, for it writes into its input). Matching would come on top.
    Tape,
    /// The crate `quamina`. It stops reading once it has what it wants, as `Early` does.
    Quamina,
    /// The same, with its automata made deterministic before the first event.
    QuaminaSpeed,
    /// eventrie, reading and validating whole events.
    Whole,
    /// eventrie, reading no further than needed.
    Early,
}

impl Rival {
    /// All of them, in the order of the tables; quamina as it is by default.
    pub const ALL: [Rival; 5] = [Rival::Skip, Rival::Tape, Rival::Quamina, Rival::Whole, Rival::Early];

    /// What the tables call it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Rival::Skip => "serde_json skip",
            Rival::Tape => "simd-json tape",
            Rival::Quamina => "quamina",
            Rival::QuaminaSpeed => "quamina, built for speed",
            Rival::Whole => "eventrie Whole",
            Rival::Early => "eventrie Early",
        }
    }

    /// Whether it finds matches, rather than only reading.
    #[must_use]
    pub fn matches(self) -> bool {
        !matches!(self, Rival::Skip | Rival::Tape)
    }
}

/// A rival with its patterns compiled.
pub struct Engine {
    /// Which one it is.
    pub rival: Rival,
    kind: Kind,
}

enum Kind {
    Skip,
    Tape(Vec<u8>, Box<simd_json::Buffers>),
    Quamina(Box<Quamina<u32>>),
    Own(Matcher, Box<Scratch>),
}

impl Engine {
    /// Compiles patterns.
    ///
    /// # Errors
    /// What the rival has against one of them.
    pub fn new(rival: Rival, patterns: &[String]) -> Result<Engine, String> {
        let kind = match rival {
            Rival::Skip => Kind::Skip,
            Rival::Tape => Kind::Tape(Vec::new(), Box::default()),
            Rival::Quamina | Rival::QuaminaSpeed => {
                // Its own bound on a field's automaton, 10 MB, is too low for 10,000 patterns.
                let builder = QuaminaBuilder::new().with_arena_byte_budget(4 << 30);
                let mut quamina = builder.build().map_err(|error| error.to_string())?;
                if rival == Rival::QuaminaSpeed {
                    quamina.set_matcher_build_mode(MatcherBuildMode::BuiltForSpeed);
                }
                let add =
                    || patterns.iter().zip(0..).try_for_each(|(pattern, number)| quamina.add_pattern(number, pattern));
                // It panics at sets that are too large for its tables.
                let hook = std::panic::take_hook();
                std::panic::set_hook(Box::new(|_| ()));
                let added = catch_unwind(AssertUnwindSafe(add));
                std::panic::set_hook(hook);
                match added {
                    Ok(added) => added.map_err(|error| format!("refuses: {error}"))?,
                    Err(_) => return Err("panics".to_owned()),
                }
                Kind::Quamina(Box::new(quamina))
            }
            Rival::Whole | Rival::Early => {
                let policy = if rival == Rival::Whole { ReadPolicy::Whole } else { ReadPolicy::Early };
                // A fixed seed: instructions are counted, and hash tables of another seed take a few more or less.
                let builder = Matcher::builder().read_policy(policy).seed(1);
                let parse =
                    |pattern: &String| Pattern::parse(pattern, Dialect::EventBridge).map_err(|error| error.to_string());
                let patterns = patterns.iter().map(parse).collect::<Result<Vec<_>, _>>()?;
                Kind::Own(builder.build(patterns).map_err(|error| error.to_string())?, Box::default())
            }
        };
        Ok(Engine { rival, kind })
    }

    /// How many patterns match; 0 for those that only read. None if it refuses the event.
    #[inline]
    pub fn count(&mut self, event: &[u8]) -> Option<usize> {
        match &mut self.kind {
            Kind::Skip => serde_json::from_slice::<IgnoredAny>(event).ok().map(|_| 0),
            Kind::Tape(copy, buffers) => {
                copy.clear();
                copy.extend_from_slice(event);
                simd_json::to_tape_with_buffers(copy, buffers).ok().map(|_| 0)
            }
            Kind::Quamina(quamina) => quamina.matches_for_event(event).ok().map(|found| found.len()),
            Kind::Own(matcher, scratch) => matcher.matches(event, scratch).ok().map(|found| found.len()),
        }
    }

    /// How many matches there are in all events; none if one is refused.
    pub fn total(&mut self, events: &[Vec<u8>]) -> Option<usize> {
        events.iter().map(|event| self.count(event)).sum()
    }

    /// The bytes of eventrie's tables.
    #[must_use]
    pub fn memory(&self) -> Option<usize> {
        match &self.kind {
            Kind::Own(matcher, _) => Some(matcher.memory_usage()),
            Kind::Skip | Kind::Tape(..) | Kind::Quamina(_) => None,
        }
    }

    /// The matcher, if it is eventrie.
    #[must_use]
    pub fn matcher(&self) -> Option<&Matcher> {
        match &self.kind {
            Kind::Own(matcher, _) => Some(matcher),
            Kind::Skip | Kind::Tape(..) | Kind::Quamina(_) => None,
        }
    }
}
