//! Every number that bounds work or memory, and the error that names the one that was reached.

use crate::base::PatternId;

/// The bounds that parsing, building and matching keep. Every one has a default that hostile input cannot turn into
/// a hang or an exhausted machine; an error that comes from one names it.
///
/// The defaults are the engine's own (the service's reader: depth, number and key length) or generous ones of ours.
/// What the *service* refuses beyond them is a narrower profile:
/// [`ParseOptions::service_limits`](crate::ParseOptions::service_limits).
///
/// ```
/// use eventrie::Limits;
/// let limits = Limits { pattern_bytes: 4_096, ..Limits::default() };
/// assert_eq!(limits.or_combinations, 1_000);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Longest pattern text in bytes. Default 1 MiB.
    pub pattern_bytes: usize,
    /// Deepest nesting of objects and arrays in a pattern or an event. Default 1,000, which is also the most that is
    /// accepted: a larger number counts as 1,000.
    pub depth: usize,
    /// Longest number token in characters. Default 1,000.
    pub number_bytes: usize,
    /// Longest key in bytes. Default 50,000.
    pub key_bytes: usize,
    /// Longest event text in bytes. Default 1 GiB; more than 4 GiB is never accepted.
    pub event_bytes: usize,
    /// How many conjunctions the `$or` groups of one pattern may multiply out to, where they cannot be kept apart.
    /// Default 1,000.
    pub or_combinations: usize,
    /// Distinct paths in one conjunction. Default 256, the engine's own.
    pub paths_per_branch: usize,
    /// Bytes of all dotted paths of one pattern together, each field's written out from the top. Default 64 MiB: only
    /// names of thousands of characters around thousands of fields reach it.
    pub path_bytes: usize,
    /// Bytes of all compiled tables together. Default 1 GiB.
    pub table_bytes: usize,
    /// Steps that deciding which array elements go together may take for one event. Only events with duplicate keys,
    /// or with arrays nested irregularly, can need more than a multiple of their own size. Default 50 million.
    pub join_steps: usize,
}

impl Limits {
    /// The most that [`Limits::depth`] can be set to.
    pub const MAX_DEPTH: usize = 1_000;

    /// The nesting bound in force: [`Limits::depth`], at most [`Limits::MAX_DEPTH`].
    #[must_use]
    pub fn depth(&self) -> usize {
        self.depth.min(Self::MAX_DEPTH)
    }
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            pattern_bytes: 1 << 20,
            depth: Self::MAX_DEPTH,
            number_bytes: 1_000,
            key_bytes: 50_000,
            path_bytes: 64 << 20,
            event_bytes: 1 << 30,
            or_combinations: 1_000,
            paths_per_branch: 256,
            table_bytes: 1 << 30,
            join_steps: 50_000_000,
        }
    }
}

/// Why a set of patterns could not be compiled: which limit, and which pattern reached it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BuildError {
    pattern: Option<PatternId>,
    /// The limit's name and value.
    limit: Option<(&'static str, usize)>,
    what: String,
}

impl std::error::Error for BuildError {}

impl std::fmt::Display for BuildError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
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
    pub(crate) fn limit_reached(
        limit: &'static str,
        value: usize,
        pattern: Option<PatternId>,
        what: &str,
    ) -> BuildError {
        BuildError { pattern, limit: Some((limit, value)), what: what.to_owned() }
    }

    /// As [`BuildError::limit_reached`], where no limit is concerned.
    pub(crate) fn refused(pattern: Option<PatternId>, what: String) -> BuildError {
        BuildError { pattern, limit: None, what }
    }

    #[cfg(feature = "live")]
    /// The same error of a pattern that the caller knows by another number.
    pub(crate) fn of_pattern(self, pattern: Option<PatternId>) -> BuildError {
        BuildError { pattern, ..self }
    }

    /// The pattern that could not be compiled, if one is to blame.
    #[must_use]
    pub fn pattern(&self) -> Option<PatternId> {
        self.pattern
    }

    /// The name of the [`Limits`] field that was reached, if it was one.
    #[must_use]
    pub fn limit(&self) -> Option<&'static str> {
        self.limit.map(|limit| limit.0)
    }
}
