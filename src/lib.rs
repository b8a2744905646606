//! Compile event patterns once, match raw JSON events against all of them at once, explain every answer.

mod automaton;
mod base;
mod diagnostic;
mod explain;
mod json;
mod limit;
mod lint;
#[cfg(feature = "live")]
mod live;
mod matcher;
mod pattern;
mod relate;
mod rule;
mod saved;
mod source;
#[doc(hidden)]
pub mod testing;
mod value;

pub use base::{PatternId, Span};
pub use diagnostic::{Code, Diagnostic, Fix, Label, Position, Rendered, Severity};
pub use explain::{
    BranchReport, Closest, Conflict, Element, Explanation, FieldReport, GroupReport, MissKind, NearMiss, Place,
    RenderedExplanation, SeenValue, TestReport, closest,
};
pub use json::{EventError, EventErrorKind, ReadPolicy, Reader, Scalar, Sink, Text, Want};
pub use limit::{BuildError, Limits};
#[cfg(feature = "live")]
pub use live::{Batch, LiveBuilder, LiveMatcher, MatchedKeys, Snapshot};
pub use matcher::{Event, Matcher, MatcherBuilder, Scratch};
pub use pattern::{Cell, Dialect, Operator, ParseOptions, Pattern, PatternError, SnsVersion, Support, Usage};
pub use relate::{Covers, Inferred, InferredChoice, Overlaps, Redundant, infer, redundant};
pub use saved::{LoadError, LoadErrorKind};
pub use source::{
    AttributeType, FilterSet, FilterSetError, Quoting, RecordFilter, RecordFilterError, RecordOutcome, RecordReason,
    RecordScratch, SnsCause, SnsFilter, SnsMessage, SnsOutcome, SnsScratch, Source,
};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
