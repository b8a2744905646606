//! How much of each limit of the service a pattern uses.

use super::Pattern;
use super::check::{fields, sns_combination_count, sns_points};
use super::combinations::or_combinations;
use crate::base::ListSet;
use crate::dialect::limits::{
    OR_COMBINATIONS, PATTERN_CHARACTERS, SNS_BYTES, SNS_COMBINATIONS, SNS_KEYS, SNS_POINTS, WILDCARD_COMPLEXITY,
};
use crate::dialect::{Dialect, limits};

/// How much of one of the service's limits a pattern uses.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Usage {
    /// The stable name of the limit.
    pub limit: &'static str,
    /// What is counted, in words.
    pub title: &'static str,
    /// The pattern's number. None if counting would take unreasonably long; then it is far above [`Usage::most`].
    pub used: Option<u64>,
    /// The largest number that the service takes.
    pub most: u64,
    /// The unit of the numbers, in the plural.
    pub unit: &'static str,
}

impl Usage {
    /// Whether the service rejects the pattern because of it.
    ///
    /// ```
    /// use eventrie::{Dialect, Pattern};
    /// let pattern = Pattern::parse(r#"{"a":[{"wildcard":"*a*a*a*a*a*"}]}"#, Dialect::EventBridge)?;
    /// assert!(pattern.usage().iter().any(|usage| usage.limit == "wildcard-complexity" && usage.is_exceeded()));
    /// # Ok::<(), eventrie::PatternError>(())
    /// ```
    #[must_use]
    pub fn is_exceeded(&self) -> bool {
        self.used.is_none_or(|used| used > self.most)
    }
}

impl Pattern {
    /// The limits of the pattern's service today, and how much of each the pattern uses. Whether a pattern that exceeds
    /// one is refused is chosen by [`ParseOptions::service_limits`](crate::ParseOptions::service_limits).
    ///
    /// ```
    /// use eventrie::{Dialect, Pattern};
    /// let pattern = Pattern::parse(r#"{"store":["a","b"],"size":[1,2,3]}"#, Dialect::SnsBody)?;
    /// let numbers: Vec<_> = pattern.usage().iter().map(|usage| (usage.limit, usage.used, usage.most)).collect();
    /// assert_eq!(numbers[0], ("keys", Some(2), 5));
    /// assert_eq!(numbers[1], ("combinations", Some(6), 150));
    /// # Ok::<(), eventrie::PatternError>(())
    /// ```
    #[must_use]
    pub fn usage(&self) -> Vec<Usage> {
        let usage = |limit, title, used, most, unit| Usage { limit, title, used, most, unit };
        let characters = || Some(self.source().chars().count() as u64);
        let most = limits::characters(self.dialect()).unwrap_or(PATTERN_CHARACTERS) as u64;
        let length = usage("length", "length", characters(), most, "characters");
        let or = || {
            let count = Some(or_combinations(self.ast()));
            usage("or-combinations", "combinations of `$or`", count, OR_COMBINATIONS, "combinations")
        };
        match self.dialect() {
            Dialect::EventBridge | Dialect::Pipes | Dialect::EventsV2EventSource => vec![
                length,
                or(),
                usage(
                    "wildcard-complexity",
                    "complexity of wildcards",
                    self.wildcard_complexity().map(u64::from),
                    u64::from(WILDCARD_COMPLEXITY),
                    "points",
                ),
            ],
            Dialect::Lambda | Dialect::EventsV2Metadata => vec![length],
            Dialect::EventsV2Data | Dialect::EventsV2SystemMetadata => vec![length, or()],
            Dialect::SnsAttributes | Dialect::SnsBody => {
                let paths = fields(self.ast());
                let keys = paths.iter().map(|(path, _)| path.as_str()).collect::<ListSet<_>>().len();
                vec![
                    usage("keys", "different fields", Some(keys as u64), SNS_KEYS as u64, "fields"),
                    usage(
                        "combinations",
                        "combinations",
                        Some(sns_combination_count(self.ast())),
                        SNS_COMBINATIONS,
                        "combinations",
                    ),
                    usage(
                        "wildcard-points",
                        "points of wildcards",
                        Some(sns_points(self.ast()).0),
                        SNS_POINTS,
                        "points",
                    ),
                    usage("length", "length", Some(self.source().len() as u64), SNS_BYTES as u64, "bytes"),
                ]
            }
        }
    }
}
