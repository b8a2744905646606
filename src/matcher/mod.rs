//! Running it.

mod event;

pub use event::Event;
