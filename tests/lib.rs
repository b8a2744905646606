//! One test binary: the verdicts, the properties, the interface.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic, reason = "tests")]

mod field;
#[cfg(feature = "live")]
mod live;
mod oracle;
mod pages;
mod relations;
mod sources;
mod wording;
