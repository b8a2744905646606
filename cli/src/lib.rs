//! The command line of eventrie: a library only so that the fuzz targets can call what reads files (see [`readers`]).
//! Without the feature `program` there is nothing but that.

#![cfg_attr(not(feature = "program"), allow(dead_code, reason = "most of it serves the commands"))]

#[cfg(feature = "program")]
mod args;
#[cfg(feature = "program")]
mod commands;
mod document;
#[cfg(feature = "program")]
mod events;
#[cfg(feature = "program")]
mod files;
mod input;
#[cfg(feature = "program")]
mod judge;
mod located;
mod places;
#[cfg(feature = "program")]
mod program;
#[doc(hidden)]
pub mod readers;
#[cfg(feature = "program")]
mod report;
mod rules;
#[cfg(feature = "program")]
mod sight;
mod split;
mod tree;
#[cfg(feature = "program")]
mod vector;

#[cfg(feature = "program")]
pub use program::main;
#[cfg(feature = "program")]
use program::{Outcome, complain, harmless};
