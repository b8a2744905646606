//! Patterns as values: compared, parsed from a string, and read and written by serde.

use std::hash::{Hash, Hasher};
use std::str::FromStr;
use std::sync::Arc;

use super::{Pattern, PatternError};
use crate::dialect::Dialect;

/// Patterns are equal if they have the same dialect and print the same: whitespace and escapes do not count, the order
/// of fields and values and the spelling of numbers do.
///
/// ```
/// use eventrie::{Dialect, Pattern};
/// let pattern = |text| Pattern::parse(text, Dialect::EventBridge);
/// assert_eq!(pattern(r#"{"a":[1,2]}"#)?, pattern(r#"{ "\u0061": [1, 2] }"#)?);
/// assert_ne!(pattern(r#"{"a":[1,2]}"#)?, pattern(r#"{"a":[2,1]}"#)?);
/// # Ok::<(), eventrie::PatternError>(())
/// ```
impl PartialEq for Pattern {
    fn eq(&self, other: &Pattern) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.dialect() == other.dialect() && self.to_string() == other.to_string()
    }
}

impl Eq for Pattern {}

impl Hash for Pattern {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.dialect().hash(state);
        self.to_string().hash(state);
    }
}

/// Parses an EventBridge pattern; the other dialects are named with [`Pattern::parse`].
///
/// ```
/// use eventrie::Pattern;
/// let pattern: Pattern = r#"{"source":["aws.ec2"]}"#.parse()?;
/// assert_eq!(pattern.source(), r#"{"source":["aws.ec2"]}"#);
/// # Ok::<(), eventrie::PatternError>(())
/// ```
impl FromStr for Pattern {
    type Err = PatternError;

    fn from_str(source: &str) -> Result<Pattern, PatternError> {
        Pattern::parse(source, Dialect::default())
    }
}

#[cfg(feature = "serde")]
mod with_serde {
    use std::fmt::Formatter;

    use serde::de::{DeserializeSeed, Error, Visitor};
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use super::Pattern;
    use crate::dialect::Dialect;
    use crate::pattern::ParseOptions;

    /// As its text, a string.
    impl Serialize for Pattern {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.serialize_str(self.source())
        }
    }

    /// From a string with an EventBridge pattern. [`ParseOptions`] is a [`DeserializeSeed`] for other dialects.
    impl<'de> Deserialize<'de> for Pattern {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Pattern, D::Error> {
            ParseOptions::new(Dialect::default()).deserialize(deserializer)
        }
    }

    /// Reads a pattern from a string with these options.
    ///
    /// ```
    /// use eventrie::{Dialect, ParseOptions};
    /// use serde::de::{DeserializeSeed, IntoDeserializer, value::Error};
    /// let text: serde::de::value::StrDeserializer<'_, Error> = r#"{"store":["a"]}"#.into_deserializer();
    /// let pattern = ParseOptions::new(Dialect::SnsBody).deserialize(text)?;
    /// assert_eq!(pattern.dialect(), Dialect::SnsBody);
    /// # Ok::<(), Error>(())
    /// ```
    impl<'de> DeserializeSeed<'de> for ParseOptions {
        type Value = Pattern;

        fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Pattern, D::Error> {
            deserializer.deserialize_str(Text(self))
        }
    }

    struct Text(ParseOptions);

    impl Visitor<'_> for Text {
        type Value = Pattern;

        fn expecting(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
            write!(f, "a string with a pattern of the dialect {}", self.0.dialect())
        }

        fn visit_str<E: Error>(self, source: &str) -> Result<Pattern, E> {
            Pattern::parse_with(source, &self.0).map_err(E::custom)
        }
    }
}
