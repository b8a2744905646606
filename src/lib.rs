//! Compile event patterns once, match raw JSON events against all of them at once, explain every answer.
//!
//! eventrie gives the same answers as Amazon EventBridge, SNS, Pipes and Lambda event filters. A [`Pattern`] is the
//! parsed form of a pattern in one [`Dialect`]; a [`Matcher`] is any number of patterns compiled together; a
//! [`Scratch`] is one thread's working memory, reused from event to event.
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
//! Chapters: [the pattern language](#the-pattern-language), [many rules](#many-rules), [services](#services),
//! [explaining](#explaining), [live sets](#live-sets), [untrusted input](#untrusted-input), [features](#features).
//!
//! # The pattern language
//!
//! A pattern has the shape of the events it matches. Each field lists the values it accepts; a field matches if its value
//! in the event is one of them, and the pattern matches if all of its fields match. Fields that the pattern does not name
//! are ignored. [`FromStr`](std::str::FromStr) parses the language of EventBridge.
//!
//! ```
//! use eventrie::Pattern;
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let matches = |pattern: &str, event: &str| -> Result<bool, Box<dyn std::error::Error>> {
//!     Ok(pattern.parse::<Pattern>()?.explain(event)?.matched())
//! };
//! // Values of one list are alternatives; fields must match together.
//! assert!(matches(r#"{"state": ["paid", "shipped"], "total": [120]}"#, r#"{"state": "paid", "total": 120, "id": 7}"#)?);
//!
//! // Operators are objects in the list.
//! assert!(matches(r#"{"path": [{"prefix": "in/"}, {"wildcard": "*/new/*.csv"}]}"#, r#"{"path": "a/new/b.csv"}"#)?);
//! assert!(matches(r#"{"error": [{"exists": false}]}"#, r#"{"state": "paid"}"#)?);
//! # Ok(()) }
//! ```
//!
//! **Arrays.** An array in the event matches if any of its elements does. In an array of objects, one object must match
//! all fields that the pattern tests inside it.
//!
//! ```
//! # use eventrie::Pattern;
//! let pattern: Pattern = r#"{"items": {"kind": ["book"], "count": [2]}}"#.parse()?;
//! assert!(pattern.explain(r#"{"items": [{"kind": "pen", "count": 1}, {"kind": "book", "count": 2}]}"#)?.matched());
//! assert!(!pattern.explain(r#"{"items": [{"kind": "pen", "count": 2}, {"kind": "book", "count": 1}]}"#)?.matched());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! **`$or`.** Its branches are alternatives; the fields next to it must match as well.
//!
//! ```
//! # use eventrie::Pattern;
//! let pattern: Pattern =
//!     r#"{"source": ["shop"], "$or": [{"total": [{"numeric": [">", 100]}]}, {"express": [true]}]}"#.parse()?;
//! assert!(pattern.explain(r#"{"source": "shop", "total": 5, "express": true}"#)?.matched());
//! assert!(!pattern.explain(r#"{"source": "shop", "total": 5}"#)?.matched());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! **Numbers and strings.** A number never matches a string. Use `numeric` to compare by value: it is exact, for as many
//! digits as the service compares.
//!
//! ```
//! # use eventrie::Pattern;
//! let pattern: Pattern = r#"{"load": [{"numeric": [">=", 0.9, "<", 1]}]}"#.parse()?;
//! assert!(pattern.explain(r#"{"load": 9.0e-1}"#)?.matched());
//! assert!(!pattern.explain(r#"{"load": "0.95"}"#)?.matched());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! **Case.** Everything is case-sensitive, except `equals-ignore-case`, alone or inside `prefix`, `suffix` and
//! `anything-but`.
//!
//! ```
//! # use eventrie::Pattern;
//! let pattern: Pattern = r#"{"file": [{"suffix": {"equals-ignore-case": ".PNG"}}]}"#.parse()?;
//! assert!(pattern.explain(r#"{"file": "cat.png"}"#)?.matched());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Not every service has every operator: see [`Dialect`] and [`dialect`]. [`Pattern::lint`] reports likely mistakes.
//!
//! # Many rules
//!
//! A [`MatcherBuilder`] takes patterns under your own keys, and the matcher answers with them. The cost of an event
//! depends on what nearly matches, not on how many patterns there are. A matcher is `Send + Sync` and cheap to clone;
//! [`Matcher::to_bytes`] saves it, with its keys and, if asked, its patterns.
//!
//! ```
//! use eventrie::{Matcher, Pattern, Scratch};
//! let rules: [(&str, Pattern); 2] = [
//!     ("paid", r#"{"state": ["paid"]}"#.parse()?),
//!     ("large", r#"{"total": [{"numeric": [">", 100]}]}"#.parse()?),
//! ];
//! let matcher = Matcher::keyed(rules)?;
//! let mut scratch = Scratch::default(); // one per thread
//! let names = matcher.matches(r#"{"state": "paid", "total": 120}"#, &mut scratch)?;
//! assert_eq!(names.to_vec(), ["large", "paid"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Parsed values and other formats than JSON implement [`Event`]; [`event::Ndjson`] reads one event per line, and
//! [`event::Counters`] counts answers for metrics.
//!
//! # Services
//!
//! A [`service::Subscription`] represents one SNS subscription, pipe or event source mapping. It takes the raw input of
//! its service and says what happens to it, and why. A [`service::SubscriptionSet`] is many of them in one automaton.
//!
//! ```
//! use eventrie::service::{Effect, Source, Subscription, SubscriptionScratch};
//! use eventrie::{Dialect, ParseOptions};
//! let options = ParseOptions::new(Dialect::Lambda);
//! let filter = Subscription::parse(r#"{"body": {"kind": ["order"]}}"#, &options, Source::Sqs)?;
//! let outcome = filter.judge(r#"{"body": "{\"kind\": \"refund\"}"}"#, &mut SubscriptionScratch::default())?;
//! assert!(!outcome.matched);
//! assert_eq!(outcome.effect, Effect::MessageDeleted);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Explaining
//!
//! [`Pattern::explain`] says why a pattern matches an event, or what comes closest. What is wrong with a pattern is a
//! [`Finding`](diagnostic::Finding), what is wrong with an event an [`EventError`]; both are shown with line, column, caret
//! and help.
//!
//! ```
//! use eventrie::Pattern;
//! let pattern: Pattern = r#"{"detail": {"state": ["stopped"]}}"#.parse()?;
//! let why = pattern.explain(r#"{"detail": {"state": "running"}}"#)?;
//! assert_eq!(why.summary(), "no match: `detail.state` is \"running\", but must be \"stopped\"");
//!
//! let event = r#"{"detail": {"state": "stopped",}}"#;
//! let error = pattern.explain(event).unwrap_err();
//! assert_eq!(error.render(event).message(), "expected another key after `,`, found `}`");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Live sets
//!
//! A `LiveMatcher` (feature `live`, on by default) changes while events flow: readers take a snapshot without a lock, and a
//! change compiles only what differs.
//!
//! ```
//! # #[cfg(feature = "live")] {
//! use eventrie::{LiveMatcher, Pattern, Scratch};
//! let live = LiveMatcher::new();
//! live.insert("paid", r#"{"state": ["paid"]}"#.parse::<Pattern>()?)?;
//! let mut scratch = Scratch::default();
//! assert!(live.snapshot().matches(r#"{"state": "paid"}"#, &mut scratch)?.next().is_some());
//! live.remove("paid");
//! assert!(live.snapshot().matches(r#"{"state": "paid"}"#, &mut scratch)?.next().is_none());
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Untrusted input
//!
//! Patterns may come from tenants, events from the internet, saved matchers from a disk that others write to. No input
//! can make the library panic, run forever, use unbounded memory or answer wrongly: what exceeds a limit is an error
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
//! Hash tables are seeded for each matcher: an attacker cannot choose names or values that collide. The defaults of
//! [`Limits`] keep a mistake from taking a machine down; where tenants share one, set what a tenant may use:
//!
//! ```
//! use eventrie::{Dialect, Limit, Limits, Matcher, ParseOptions, Pattern, Scratch};
//! let limits = Limits::default()
//!     .pattern_bytes(16 << 10)
//!     .table_bytes(4 << 20)
//!     .event_bytes(256 << 10)
//!     .depth(32)
//!     .join_steps(100_000);
//! // From a tenant: also reject what the service would reject, such as wildcards that are too complex.
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
//! Not promised: constant time (how long matching takes may reveal what patterns and event have in common), and that a
//! saved matcher comes from where it seems to come from (a checksum detects damage, not tampering). `SECURITY.md` has
//! the details.
//!
//! # Features
//!
//! | feature | adds |
//! | --- | --- |
//! | `live` (default) | rule sets that change while events flow: `LiveMatcher` |
//! | `serde_json` | [`Event`] for a parsed `serde_json::Value`, which keeps neither duplicate keys nor the spelling of numbers |
//! | `raw_value` | [`Event`] for `serde_json::value::RawValue` |
//! | `bytes` | [`Event`] for `bytes::Bytes` |
//! | `simd-json-0_17` | [`Event`] for the parsed values of `simd-json` 0.17, with the same losses as `serde_json` |
//! | `serde` | `Serialize` for findings, explanations and statistics; patterns as their text |
//!
//! ```
//! # #[cfg(feature = "serde_json")] {
//! use eventrie::Pattern;
//! let pattern: Pattern = r#"{"state": ["paid"]}"#.parse()?;
//! assert!(pattern.explain(serde_json::json!({"state": "paid"}))?.matched());
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![cfg_attr(docsrs, feature(doc_cfg))]

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
