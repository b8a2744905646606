//! Compile event patterns once, match raw JSON events against all of them at once, explain every answer.
//!
//! A [`Pattern`] is parsed text of one [`Dialect`]; a [`Matcher`] is any number of them compiled together; a [`Scratch`] is
//! the room of one thread. [`Pattern::explain`] says why, [`Pattern::lint`] what looks like a mistake. Events of SNS, Pipes
//! and Lambda come through [`service`], rule sets that change through `LiveMatcher`.
//!
//! ```
//! use eventrie::{Dialect, Matcher, Pattern, Scratch};
//! let large = Pattern::parse(r#"{"detail":{"size":[{"numeric":[">",100]}]}}"#, Dialect::EventBridge)?;
//! let red = Pattern::parse(r#"{"detail":{"color":["red"]}}"#, Dialect::EventBridge)?;
//! let matcher = Matcher::new([large, red])?;
//! let mut scratch = Scratch::default();
//! let ids = matcher.matches(r#"{"detail":{"size":120,"color":"blue"}}"#, &mut scratch)?;
//! assert_eq!(ids.iter().map(|id| id.index()).collect::<Vec<_>>(), [0]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Untrusted input
//!
//! Patterns may come from tenants, events from the internet, saved matchers from a disk that others write to. Nothing of it
//! makes the library panic, run without end, take memory without bound or answer wrongly: what is too much is an error
//! that names the limit, and a malformed event is an error with its byte offset, never "no match".
//!
//! | input | read by | bounded by |
//! | --- | --- | --- |
//! | patterns | [`Pattern::parse_with`] | `pattern_bytes`, `depth`, `number_bytes`, `key_bytes`, `path_bytes` |
//! | sets of patterns | [`MatcherBuilder::build`] | `or_combinations`, `paths_per_branch`, `table_bytes` |
//! | events, messages, records | [`Matcher::matches`] | `event_bytes`, `depth`, `number_bytes`, `key_bytes`, `join_steps` |
//! | saved matchers | [`Matcher::from_bytes_with`] | `table_bytes` |
//!
//! Compiling takes *n* log *n* in the size of the patterns, matching is linear in the event for a given set of patterns.
//! Hash tables are seeded for each matcher, so that nobody can choose names or values that collide. The defaults of
//! [`Limits`] keep a mistake from taking a machine down; where tenants share one, set what a tenant may take:
//!
//! ```
//! use eventrie::{Dialect, Limit, Limits, Matcher, ParseOptions, Pattern, Scratch};
//! let limits = Limits::default()
//!     .pattern_bytes(16 << 10)
//!     .table_bytes(4 << 20)
//!     .event_bytes(256 << 10)
//!     .depth(32)
//!     .join_steps(100_000);
//! // From a tenant: also what the service itself would refuse, such as wildcards that are too complex.
//! let options = ParseOptions::new(Dialect::EventBridge).limits(limits.clone()).service_limits(true);
//! let pattern = Pattern::parse_with(r#"{"detail":{"path":[{"wildcard":"*/in/*.csv"}]}}"#, &options)?;
//! let matcher = Matcher::builder().limits(limits).build([pattern])?;
//!
//! // From the internet.
//! let mut scratch = Scratch::default();
//! let deep = format!(r#"{{"detail":{}{}}}"#, "[".repeat(50_000), "]".repeat(50_000));
//! assert_eq!(matcher.matches(&deep, &mut scratch).unwrap_err().limit(), Some(Limit::Depth));
//! assert!(matcher.is_match(r#"{"detail":{"path":"a/in/b.csv"}}"#, &mut scratch)?);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Not promised: constant time (how long matching takes may tell what patterns and event have in common), and that a saved
//! matcher is whose it seems to be (a checksum finds damage, not deceit). `SECURITY.md` says all of it.

mod automaton;
mod base;
pub mod diagnostic;
pub mod dialect;
pub mod event;
pub mod explain;
mod json;
mod limit;
mod lint;
#[cfg(feature = "live")]
pub mod live;
mod matcher;
pub mod pattern;
pub mod relate;
mod rule;
pub mod saved;
pub mod service;
#[doc(hidden)]
pub mod testing;
mod value;

pub use base::UnknownName;
pub use dialect::Dialect;
pub use event::{Event, EventError};
pub use explain::Explanation;
pub use limit::{BuildError, Limit, Limits};
#[cfg(feature = "live")]
pub use live::LiveMatcher;
pub use matcher::{Matcher, MatcherBuilder, Matches, Scratch};
pub use pattern::{ParseOptions, Pattern, PatternError};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
