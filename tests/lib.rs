//! All tests of the crate from outside, in one binary, which links once.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic, reason = "tests")]

mod alloc;
mod api;
mod bounds;
mod bus;
mod complexity;
mod custom_bus;
mod cycles;
mod deviations;
mod emulate;
mod explain;
mod field;
mod fixes;
mod inferred;
mod kept;
mod keys;
mod layers;
#[cfg(feature = "live")]
mod live;
mod malformed;
mod modes;
mod pages;
mod properties;
mod prose;
mod readme;
mod relations;
mod row;
mod sources;
mod surface;
mod vectors;
mod wording;
