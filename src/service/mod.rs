//! Subscriptions of SNS, Pipes, Lambda and buses: what they hold, take and answer.

mod bus;
mod decode;
mod decoder;
mod elsewhere;
mod filters;
mod input;
mod management;
mod message;
mod migrate;
mod outcome;
mod payload;
mod policies;
mod record;
mod records;
mod report;
mod set;
mod subscription;
mod test_event_pattern;
mod unfiltered;

pub use crate::dialect::Source;
pub use bus::{BusEvent, ConfigurationError, ConfigurationFault, FilterConfiguration, Publisher, Unpublished};
pub use decoder::Decoder;
pub use elsewhere::elsewhere;
pub use input::Input;
pub use management::read_only_calls;
pub use message::{AttributeType, Quoting, SnsCause, SnsMessage};
pub use migrate::{Equivalence, Migrated, MigrationError};
pub use outcome::{Cause, Effect, Outcome};
pub use report::SubscriptionReport;
pub use set::{SubscriptionScratch, SubscriptionSet, SubscriptionSetBuilder, Verdict};
pub use subscription::{Subscription, SubscriptionError};
pub use test_event_pattern::{TestEventPatternError, test_event_pattern};
pub use unfiltered::unfiltered;
