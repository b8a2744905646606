//! What JSON is here: strict RFC 8259, with positions, number spelling and duplicate keys kept. Knows nothing of patterns.

mod error;
mod sink;

pub use error::{EventError, EventErrorKind};
pub use sink::{Scalar, Sink, Text, Want};
