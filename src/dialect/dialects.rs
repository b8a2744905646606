//! The dialects: one for each service and kind of pattern.

use super::envelope;
use crate::base::named;

/// The service that a pattern is for, which decides the operators and their rules.
///
/// ```
/// use eventrie::Dialect;
/// assert_eq!("lambda-esm".parse(), Ok(Dialect::Lambda));
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
    /// A subscriber's filter of the scope DATA, on a Custom Event Bus. This and the next three are documented as of
    /// 2026-11; no answer of the service has been recorded.
    #[cfg_attr(feature = "serde", serde(rename = "eventsv2-data"))]
    EventsV2Data,
    /// A subscriber's filter of the scope METADATA: literal values only.
    #[cfg_attr(feature = "serde", serde(rename = "eventsv2-metadata"))]
    EventsV2Metadata,
    /// A subscriber's filter of the scope SYSTEM_METADATA: every value of the event is a string.
    #[cfg_attr(feature = "serde", serde(rename = "eventsv2-system-metadata"))]
    EventsV2SystemMetadata,
    /// The pattern of an event source of a Custom Event Bus: an EventBridge pattern that cannot name `source`,
    /// `account` or `region`, which the service sets.
    #[cfg_attr(feature = "serde", serde(rename = "eventsv2-event-source"))]
    EventsV2EventSource,
}

/// Patterns of one family can be in one matcher: they read the same kind of event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Family {
    /// Rules, pipes, event source mappings and event sources.
    EventBridge,
    SnsAttributes,
    SnsBody,
    /// The three parts of an event on a Custom Event Bus.
    EventsV2Data,
    EventsV2Metadata,
    EventsV2SystemMetadata,
}

named!(Dialect, "dialect");

impl Dialect {
    /// All dialects.
    pub const ALL: &'static [Dialect] = &[
        Dialect::EventBridge,
        Dialect::Pipes,
        Dialect::Lambda,
        Dialect::SnsAttributes,
        Dialect::SnsBody,
        Dialect::EventsV2Data,
        Dialect::EventsV2Metadata,
        Dialect::EventsV2SystemMetadata,
        Dialect::EventsV2EventSource,
    ];

    /// The name used on the command line and in vector files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Dialect::EventBridge => "eventbridge",
            Dialect::Pipes => "pipes",
            Dialect::Lambda => "lambda-esm",
            Dialect::SnsAttributes => "sns-attributes",
            Dialect::SnsBody => "sns-body",
            Dialect::EventsV2Data => "eventsv2-data",
            Dialect::EventsV2Metadata => "eventsv2-metadata",
            Dialect::EventsV2SystemMetadata => "eventsv2-system-metadata",
            Dialect::EventsV2EventSource => "eventsv2-event-source",
        }
    }

    /// What people call it.
    pub(crate) fn title(self) -> &'static str {
        match self {
            Dialect::EventBridge => "EventBridge rules",
            Dialect::Pipes => "EventBridge Pipes",
            Dialect::Lambda => "Lambda event source mappings",
            Dialect::SnsAttributes => "SNS filter policies over message attributes",
            Dialect::SnsBody => "SNS filter policies over the message body",
            Dialect::EventsV2Data => "DATA filters of a Custom Event Bus",
            Dialect::EventsV2Metadata => "METADATA filters of a Custom Event Bus",
            Dialect::EventsV2SystemMetadata => "SYSTEM_METADATA filters of a Custom Event Bus",
            Dialect::EventsV2EventSource => "event sources of a Custom Event Bus",
        }
    }

    pub(crate) fn is_sns(self) -> bool {
        matches!(self, Dialect::SnsAttributes | Dialect::SnsBody)
    }

    /// Whether it is the language of one scope of a subscriber's filter.
    pub(crate) fn is_scope(self) -> bool {
        self.scope().is_some()
    }

    /// The scope of a subscriber's filter that is written in this dialect.
    ///
    /// ```
    /// use eventrie::Dialect;
    /// assert_eq!(Dialect::EventsV2Metadata.scope(), Some("METADATA"));
    /// assert_eq!(Dialect::of_scope("SYSTEM_METADATA"), Some(Dialect::EventsV2SystemMetadata));
    /// ```
    #[must_use]
    pub fn scope(self) -> Option<&'static str> {
        match self {
            Dialect::EventsV2Data => Some("DATA"),
            Dialect::EventsV2Metadata => Some("METADATA"),
            Dialect::EventsV2SystemMetadata => Some("SYSTEM_METADATA"),
            Dialect::EventBridge
            | Dialect::Pipes
            | Dialect::Lambda
            | Dialect::SnsAttributes
            | Dialect::SnsBody
            | Dialect::EventsV2EventSource => None,
        }
    }

    /// The dialect of a filter with this [`scope`](Dialect::scope), which is case-sensitive.
    #[must_use]
    pub fn of_scope(scope: &str) -> Option<Dialect> {
        Self::ALL.iter().copied().find(|dialect| dialect.scope() == Some(scope))
    }

    /// The names that events of this dialect's service have at the top level. Empty if the sender chooses all names.
    /// For pipes and event source mappings, the names of all sources.
    ///
    /// ```
    /// use eventrie::Dialect;
    /// assert!(Dialect::EventBridge.envelope_fields().contains(&"detail-type"));
    /// assert!(Dialect::Lambda.envelope_fields().contains(&"body"));
    /// assert!(Dialect::SnsBody.envelope_fields().is_empty());
    /// ```
    #[must_use]
    pub fn envelope_fields(self) -> &'static [&'static str] {
        match self {
            Dialect::EventBridge | Dialect::EventsV2EventSource => &envelope::EVENT,
            Dialect::Pipes | Dialect::Lambda => envelope::RECORD,
            Dialect::EventsV2SystemMetadata => &envelope::SYSTEM_METADATA,
            Dialect::SnsAttributes | Dialect::SnsBody | Dialect::EventsV2Data | Dialect::EventsV2Metadata => &[],
        }
    }

    pub(crate) fn family(self) -> Family {
        match self {
            Dialect::EventBridge | Dialect::Pipes | Dialect::Lambda | Dialect::EventsV2EventSource => {
                Family::EventBridge
            }
            Dialect::SnsAttributes => Family::SnsAttributes,
            Dialect::SnsBody => Family::SnsBody,
            Dialect::EventsV2Data => Family::EventsV2Data,
            Dialect::EventsV2Metadata => Family::EventsV2Metadata,
            Dialect::EventsV2SystemMetadata => Family::EventsV2SystemMetadata,
        }
    }
}
