//! The dialects: which service's language a pattern is written in.

/// Which service's language a pattern is written in.
///
/// ```
/// use eventrie::Dialect;
/// assert_eq!(Dialect::from_name("lambda-esm"), Some(Dialect::Lambda));
/// assert_eq!(Dialect::SnsBody.name(), "sns-body");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum Dialect {
    /// Rules of an event bus.
    #[default]
    #[cfg_attr(feature = "serde", serde(rename = "eventbridge"))]
    EventBridge,
    /// Filter criteria of an EventBridge pipe.
    Pipes,
    /// Filter criteria of a Lambda event source mapping.
    #[cfg_attr(feature = "serde", serde(rename = "lambda-esm"))]
    Lambda,
    /// SNS filter policy over the message attributes.
    SnsAttributes,
    /// SNS filter policy over the message body.
    SnsBody,
}

/// Patterns of one family can be in one matcher: they read the same kind of event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Family {
    /// Rules, pipes and event source mappings.
    EventBridge,
    SnsAttributes,
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

    /// What people call it.
    pub(crate) fn title(self) -> &'static str {
        match self {
            Dialect::EventBridge => "EventBridge rules",
            Dialect::Pipes => "EventBridge Pipes",
            Dialect::Lambda => "Lambda event source mappings",
            Dialect::SnsAttributes => "SNS filter policies over message attributes",
            Dialect::SnsBody => "SNS filter policies over the message body",
        }
    }

    pub(crate) fn is_sns(self) -> bool {
        self.family() != Family::EventBridge
    }

    pub(crate) fn family(self) -> Family {
        match self {
            Dialect::EventBridge | Dialect::Pipes | Dialect::Lambda => Family::EventBridge,
            Dialect::SnsAttributes => Family::SnsAttributes,
            Dialect::SnsBody => Family::SnsBody,
        }
    }
}
