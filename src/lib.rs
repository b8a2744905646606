//! Compile event patterns once, match raw JSON events against all of them at once, explain every answer.

mod automaton;
mod base;
mod diagnostic;
mod json;
mod limit;
mod pattern;
mod value;

pub use base::{PatternId, Span};
pub use diagnostic::{Code, Diagnostic, Fix, Label, Position, Rendered, Severity};
pub use json::{EventError, EventErrorKind, Scalar, Sink, Text, Want};
pub use limit::{BuildError, Limits};
pub use pattern::{Dialect, Pattern};
