//! The Rust code of the pages, compiled and run as documentation tests.

#[cfg(doctest)]
#[doc = include_str!("../pages/start/rust.md")]
pub struct RustService;
