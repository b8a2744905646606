//! How patterns relate: whether one covers another, whether two can match the same event, what a small matching event
//! looks like, and which pattern some events suggest.

mod strings;
mod values;

pub(crate) use strings::Find;
pub(crate) use values::{Values, outside, quote, sample};
