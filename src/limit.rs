//! Every number that bounds work or memory, and the error that names the one that was reached.

use std::fmt::{Display, Formatter};

use crate::base::{PatternId, named};

macro_rules! limits {
    ($($(#[doc = $doc:literal])* $variant:ident, $field:ident, $name:literal, $default:expr, $most:expr;)*) => {
        /// A limit that was reached, as errors report it. Its name is the name of the setter in [`Limits`].
        ///
        /// ```
        /// use eventrie::Limit;
        /// assert_eq!(Limit::TableBytes.to_string(), "table_bytes");
        /// assert_eq!("depth".parse(), Ok(Limit::Depth));
        /// assert_eq!(Limit::ALL.len(), 10);
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "snake_case"))]
        #[non_exhaustive]
        pub enum Limit {
            $($(#[doc = $doc])* $variant,)*
        }

        impl Limit {
            /// All limits, in the order of [`Limits`].
            pub const ALL: &'static [Limit] = &[$(Limit::$variant,)*];

            /// The limit's name.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self {
                    $(Limit::$variant => $name,)*
                }
            }
        }

        /// The bounds that parsing, building and matching keep. Each has a default that prevents hostile input from
        /// hanging or exhausting a machine, and an error names the limit that it comes from.
        ///
        /// The defaults are the engine's own (the service's reader: depth, number and key length) or generous ones of
        /// ours. What the *service* rejects is a narrower profile:
        /// [`ParseOptions::service_limits`](crate::ParseOptions::service_limits).
        ///
        /// ```
        /// use eventrie::{Limit, Limits};
        /// let limits = Limits::default().pattern_bytes(4_096).depth(32);
        /// assert_eq!(limits.get(Limit::PatternBytes), 4_096);
        /// assert_eq!(limits.get(Limit::OrCombinations), 1_000);
        /// ```
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct Limits {
            $(pub(crate) $field: usize,)*
        }

        impl Limits {
            $($(#[doc = $doc])*
            #[must_use]
            pub fn $field(mut self, most: usize) -> Limits {
                self.$field = most.min($most);
                self
            })*

            /// The bound in force.
            #[must_use]
            pub fn get(&self, limit: Limit) -> usize {
                match limit {
                    $(Limit::$variant => self.$field,)*
                }
            }

            /// Sets the bound that `limit` names, as its setter does.
            ///
            /// ```
            /// use eventrie::{Limit, Limits};
            /// let limits = Limits::default().set(Limit::Depth, 1 << 30);
            /// assert_eq!(limits.get(Limit::Depth), 1_000, "deeper than this nothing is read");
            /// ```
            #[must_use]
            pub fn set(self, limit: Limit, most: usize) -> Limits {
                match limit {
                    $(Limit::$variant => self.$field(most),)*
                }
            }
        }

        impl Default for Limits {
            fn default() -> Limits {
                Limits { $($field: $default,)* }
            }
        }
    };
}

/// Deeper than this nothing is read, whatever the limit.
pub(crate) const MAX_DEPTH: usize = 1_000;

limits! {
    /// Longest pattern text in bytes. Default 1 MiB.
    PatternBytes, pattern_bytes, "pattern_bytes", 1 << 20, usize::MAX;
    /// Deepest nesting of objects and arrays in a pattern or an event. Default 1,000, which is also the most that is
    /// accepted: a larger number counts as 1,000.
    Depth, depth, "depth", MAX_DEPTH, MAX_DEPTH;
    /// Longest number token in characters. Default 1,000.
    NumberBytes, number_bytes, "number_bytes", 1_000, usize::MAX;
    /// Longest key in bytes. Default 50,000.
    KeyBytes, key_bytes, "key_bytes", 50_000, usize::MAX;
    /// Longest event text in bytes. Default 1 GiB; more than 4 GiB is never accepted.
    EventBytes, event_bytes, "event_bytes", 1 << 30, usize::MAX;
    /// How many conjunctions the `$or` groups of one pattern may multiply out to, where they cannot be kept apart.
    /// Default 1,000.
    OrCombinations, or_combinations, "or_combinations", 1_000, usize::MAX;
    /// Distinct paths in one conjunction. Default 256, the engine's own.
    PathsPerBranch, paths_per_branch, "paths_per_branch", 256, usize::MAX;
    /// Bytes of all dotted paths of one pattern together, each field's written out from the top. Default 64 MiB: only
    /// names of thousands of characters around thousands of fields reach it.
    PathBytes, path_bytes, "path_bytes", 64 << 20, usize::MAX;
    /// Bytes of all compiled tables together. Default 1 GiB.
    TableBytes, table_bytes, "table_bytes", 1 << 30, usize::MAX;
    /// Steps that deciding which array elements go together may take for one event. Only events with duplicate keys,
    /// or with arrays nested irregularly, can need more than a multiple of their own size. Default 50 million.
    JoinSteps, join_steps, "join_steps", 50_000_000, usize::MAX;
}

named!(Limit, "limit");

/// Why a set of patterns could not be compiled: which limit, and which pattern reached it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BuildError {
    pattern: Option<PatternId>,
    /// The limit and its value.
    limit: Option<(Limit, usize)>,
    what: String,
}

impl std::error::Error for BuildError {}

impl Display for BuildError {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        if let Some(id) = self.pattern {
            write!(f, "pattern {} ", id.index())?;
        }
        f.write_str(&self.what)?;
        match self.limit {
            Some((limit, value)) => write!(f, ": the limit `{limit}` is {value}"),
            None => Ok(()),
        }
    }
}

impl BuildError {
    /// `what` continues the words "pattern 7" if there is a pattern.
    pub(crate) fn limit_reached(limit: Limit, value: usize, pattern: Option<PatternId>, what: &str) -> BuildError {
        BuildError { pattern, limit: Some((limit, value)), what: what.to_owned() }
    }

    /// As [`BuildError::limit_reached`], where no limit is concerned.
    pub(crate) fn refused(pattern: Option<PatternId>, what: String) -> BuildError {
        BuildError { pattern, limit: None, what }
    }

    /// The same error of a pattern that the caller knows by another number.
    pub(crate) fn of_pattern(self, pattern: Option<PatternId>) -> BuildError {
        BuildError { pattern, ..self }
    }

    /// The pattern that could not be compiled, if a single one is the cause.
    #[must_use]
    pub fn pattern(&self) -> Option<PatternId> {
        self.pattern
    }

    /// The limit that was reached, if it was one.
    #[must_use]
    pub fn limit(&self) -> Option<Limit> {
        self.limit.map(|limit| limit.0)
    }
}
