//! The dated profiles: versions of a service whose answers changed over time.

use crate::base::named;

/// SNS as it was observed in one year, which decides the operators and limits.
///
/// ```
/// use eventrie::dialect::SnsVersion;
/// use eventrie::{Dialect, ParseOptions, Pattern};
/// let policy = r#"{"store": [{"anything-but": {"suffix": "-test"}}]}"#;
/// let then = ParseOptions::new(Dialect::SnsAttributes).sns_version(SnsVersion::V2024);
/// assert!(Pattern::parse_with(policy, &then).is_err());
/// assert!(Pattern::parse(policy, Dialect::SnsAttributes).is_ok());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub enum SnsVersion {
    /// As recorded in 2024.
    V2024,
    /// As documented in 2026.
    #[default]
    V2026,
}

impl SnsVersion {
    /// All versions, the oldest first.
    pub const ALL: &'static [SnsVersion] = &[SnsVersion::V2024, SnsVersion::V2026];

    /// The year, which is the name on the command line and in vector files.
    ///
    /// ```
    /// use eventrie::dialect::SnsVersion;
    /// assert_eq!("2024".parse(), Ok(SnsVersion::V2024));
    /// assert_eq!(SnsVersion::default().name(), "2026");
    /// ```
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            SnsVersion::V2024 => "2024",
            SnsVersion::V2026 => "2026",
        }
    }
}

named!(SnsVersion, "version of SNS");
named!(BusVersion, "release of the engine");

/// A release of the engine that evaluates EventBridge rules. The month names when the release came out; which one the
/// service runs is not documented.
///
/// What changed in September 2026: wildcards below a field that must be absent count towards the complexity of a rule,
/// and text after the pattern's closing brace is an error. Pipes, Lambda and SNS keep the former behavior.
///
/// ```
/// use eventrie::dialect::BusVersion;
/// assert_eq!("2026-07".parse(), Ok(BusVersion::V2026_07));
/// assert_eq!(BusVersion::default().name(), "2026-09");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub enum BusVersion {
    /// Releases up to 2.0.1, whose answers were recorded.
    #[cfg_attr(feature = "serde", serde(rename = "2026-07"))]
    V2026_07,
    /// Releases 2.1.0 and 2.2.0.
    #[default]
    #[cfg_attr(feature = "serde", serde(rename = "2026-09"))]
    V2026_09,
}

impl BusVersion {
    /// All versions, the oldest first.
    pub const ALL: &'static [BusVersion] = &[BusVersion::V2026_07, BusVersion::V2026_09];

    /// The name used on the command line and in vector files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            BusVersion::V2026_07 => "2026-07",
            BusVersion::V2026_09 => "2026-09",
        }
    }
}
