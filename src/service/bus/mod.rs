//! The Custom Event Bus: the filters of its subscribers, and its events in three parts.
//!
//! Everything here is documented as of November 2026; no answer of the service has been recorded.

mod combine;
mod configuration;
mod event;
mod explain;
mod shape;
mod subscribers;

pub use configuration::{ConfigurationError, ConfigurationFault, FilterConfiguration};
pub use event::{BusEvent, Publisher};
pub use shape::Unpublished;

pub(super) use event::Readable;
pub(super) use explain::{Explained, explain};
pub(super) use shape::{bare, entries};
pub(super) use subscribers::{Answers, Subscribers};
