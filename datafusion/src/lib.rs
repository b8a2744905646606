//! eventrie in SQL: scalar functions for [Apache DataFusion](https://datafusion.apache.org) that match a column of JSON events
//! against Amazon EventBridge patterns, SNS filter policies, and Pipes and Lambda filters.
//!
//! | function | result |
//! | --- | --- |
//! | `event_matches(pattern, event)`, [`EventMatches`] | `Boolean`: whether the pattern matches |
//! | `matching_rules(event)`, [`MatchingRules`] | `List<Utf8>`: the names of the rules that match, of a set compiled beforehand |
//!
//! ```
//! use datafusion::prelude::SessionContext;
//! use eventrie::{Dialect, Matcher, Pattern};
//! use eventrie_datafusion::{EventMatches, MatchingRules};
//!
//! # tokio::runtime::Builder::new_current_thread().build()?.block_on(async {
//! let orders = Pattern::parse(r#"{"source": ["shop"], "detail": {"total": [{"numeric": [">", 100]}]}}"#, Dialect::EventBridge)?;
//! let context = SessionContext::new();
//! context.register_udf(EventMatches::default().into());
//! context.register_udf(MatchingRules::new(Matcher::keyed([("large orders", orders)])?).into());
//!
//! let query = r#"select matching_rules(event), event_matches('{"source": ["shop"]}', event)
//!                from (values ('{"source": "shop", "detail": {"total": 120}}'), ('{"source": ')) as events(event)"#;
//! let batches = context.sql(query).await?.collect().await?;
//! let printed = datafusion::arrow::util::pretty::pretty_format_batches(&batches)?.to_string();
//! assert!(printed.contains("| [large orders] "));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! # })?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Rows
//! An event is a string or binary (`Utf8`, `LargeUtf8`, `Utf8View`, `Binary`, `LargeBinary`, `BinaryView`) with one JSON object.
//! The answer is null if the event is null, and if it cannot be read: a malformed event never fails a query. To find such rows,
//! select those where the event is not null and the answer is.
//!
//! # Patterns
//! A literal pattern is parsed and compiled while the query is planned; if it is invalid, planning fails with the finding and its
//! place in the pattern. A pattern may also come from a column. It is then compiled when it is first met, and an invalid one
//! fails the query.
//!
//! # Cost
//! Compiling takes some microseconds per pattern, matching about a microsecond per kilobyte of event. Partitions run at the same
//! time on one compiled set, each with working memory of its own.
#![forbid(unsafe_code)]

mod compiled;
mod event_matches;
mod events;
mod matching_rules;
mod pool;

pub use event_matches::EventMatches;
pub use matching_rules::MatchingRules;
