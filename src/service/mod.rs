//! Where events come from: what a service makes of a message or a record before its patterns see it.

mod decode;
mod filters;
mod origin;
mod record;
mod sns;

pub use filters::{FilterSet, FilterSetError};
pub use origin::Source;
pub use record::{RecordFilter, RecordOutcome, RecordReason, RecordScratch};
pub use sns::{AttributeType, Quoting, SnsCause, SnsFilter, SnsMessage, SnsOutcome, SnsScratch};
