//! Sets of operands: which of many prefixes, suffixes, wildcards, ranges or blocks one scalar satisfies, found at once.

mod affix;
mod fold;
mod interval;
mod operands;
mod packed;
mod pieces;
mod wildcard;

pub(crate) use operands::{OperandSet, OperandSetBuilder, Query, QueryScratch};

/// What a set answers: a number that means something to the caller only.
pub(crate) type Value = u32;
