//! The dialects: which service reads the pattern.

/// Which service's language a pattern is written in.
///
/// ```
/// use eventrie::Dialect;
/// assert_eq!(Dialect::from_name("lambda-esm"), Some(Dialect::Lambda));
/// assert_eq!(Dialect::SnsBody.name(), "sns-body");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Dialect {
    /// Rules of an event bus.
    #[default]
    EventBridge,
    /// Filter criteria of an EventBridge pipe.
    Pipes,
    /// Filter criteria of a Lambda event source mapping.
    Lambda,
    /// SNS filter policy over the message attributes.
    SnsAttributes,
    /// SNS filter policy over the message body.
    SnsBody,
}

impl Dialect {
    /// All dialects.
    pub const ALL: [Dialect; 5] =
        [Dialect::EventBridge, Dialect::Pipes, Dialect::Lambda, Dialect::SnsAttributes, Dialect::SnsBody];

    /// The name used on the command line and in vector files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Dialect::EventBridge => "eventbridge",
            Dialect::Pipes => "pipes",
            Dialect::Lambda => "lambda-esm",
            Dialect::SnsAttributes => "sns-attributes",
            Dialect::SnsBody => "sns-body",
        }
    }

    /// The dialect with this [`name`](Dialect::name).
    #[must_use]
    pub fn from_name(name: &str) -> Option<Dialect> {
        Self::ALL.into_iter().find(|dialect| dialect.name() == name)
    }
}
