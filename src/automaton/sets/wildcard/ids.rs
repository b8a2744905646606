//! What is numbered in a set of wildcards.

use crate::base::Id;

/// The beginning of some wildcards.
pub(super) type BeginningId = Id<of::Beginning>;
/// A first piece.
pub(super) type RootId = Id<of::Root>;
/// A piece that leads to many beginnings.
pub(super) type QueueId = Id<of::Queue>;
/// A last piece.
pub(super) type TailId = Id<of::Tail>;

mod of {
    pub(crate) enum Beginning {}
    pub(crate) enum Root {}
    pub(crate) enum Queue {}
    pub(crate) enum Tail {}
}
