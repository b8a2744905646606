//! Where events come from: what a service makes of a message or a record before its patterns see it.

mod decode;
mod filters;
mod record;
mod records;
mod sns;

pub use crate::dialect::Source;
pub use filters::{FilterSet, FilterSetError};
pub use record::{RecordFilter, RecordOutcome, RecordReason, RecordScratch};
pub use sns::{AttributeType, Quoting, SnsCause, SnsFilter, SnsMessage, SnsOutcome, SnsScratch};
