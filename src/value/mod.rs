//! What one scalar means against one operand: shared by checker, compiler and explainer.

mod address;
mod case;
mod decimal;
mod number;
mod text;
#[cfg(any(test, target_family = "wasm"))]
mod wide;

pub(crate) use address::{Address, AddressBlock, AddressError, BlockError, Family};
pub(crate) use case::{lower, lower_text};
pub(crate) use number::{Bound, NumberKey, NumericRange, PatternNumber, Spelling, is_out_of_range, roughly};
pub(crate) use text::{End, Fold, Wildcard, WildcardError};
