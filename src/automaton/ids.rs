//! What is numbered in an automaton, each with a type of its own.

use crate::base::Id;

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident: $of:ident;)*) => {$(
        $(#[$doc])*
        pub(crate) type $name = Id<of::$of>;
    )*
        /// What the ids are ids of.
        mod of {
            $(pub(crate) enum $of {})*
        }
    };
}

ids! {
    /// A path that some rule names.
    FieldId: Field;
    /// One operand of one field.
    TestId: Test;
    /// Tests of one field of which one must be satisfied.
    ListId: List;
    /// A conjunction of lists.
    BranchId: Branch;
    /// A choice of branches.
    ClauseId: Clause;
    /// The branches of one entry.
    BucketId: Bucket;
    /// A branch in a bucket.
    ItemId: Item;
    /// A set of operands that is queried at once.
    SetId: Set;
    /// A node of the field trie.
    NodeId: Node;
}
