//! The dialects: the services, their names for things, what they accept, and the source of each answer.

mod dialects;
pub(crate) mod envelope;
pub(crate) mod limits;
mod operators;
mod profile;
mod source;
mod table;
pub(crate) mod wording;

pub use dialects::Dialect;
pub use operators::{Cell, Operator, Support};
pub use profile::{BusVersion, SnsVersion};
pub use source::Source;

pub(crate) use operators::{Word, is_reserved_in_or};
