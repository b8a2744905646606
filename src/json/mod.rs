//! JSON: strict RFC 8259, with positions, number spelling and duplicate keys kept. Knows nothing of patterns.

mod block;
mod error;
mod fault;
mod forward;
mod lex;
mod reader;
mod sink;
mod skip;
mod strings;
mod tell;
#[cfg(test)]
mod tests;
mod token;
mod tree;
mod walk;

pub use error::{EventError, EventErrorKind};
pub use reader::{ReadPolicy, Reader};
pub use sink::{Number, Scalar, Sink, Text, Want};

pub(crate) use fault::{Expected, NumberFault, SyntaxError, SyntaxKind};
pub(crate) use tree::{Kind, Node, Tree, kind_of};
pub(crate) use walk::fault_at;
