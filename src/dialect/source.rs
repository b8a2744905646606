//! The sources of records: what they are called, where they keep payloads, what happens to records that do not match.

use crate::base::named;

/// The service that records come from, such as SQS or Kinesis.
///
/// ```
/// use eventrie::service::Source;
/// assert_eq!("dynamodb".parse(), Ok(Source::DynamoDb));
/// assert_eq!(Source::Sqs.to_string(), "sqs");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Source {
    /// A queue: the payload is `body`, text.
    Sqs,
    /// A stream: the payload is `data`, base64. The records of Lambda have it under `kinesis`.
    Kinesis,
    /// The stream of a table: `dynamodb` is JSON already.
    DynamoDb,
    /// A topic: the payloads are `key` and `value`, base64.
    Kafka,
    /// A message broker: the payload is `data`, base64.
    Mq,
}

named!(Source, "source of records");

impl Source {
    /// All sources.
    pub const ALL: &'static [Source] = &[Source::Sqs, Source::Kinesis, Source::DynamoDb, Source::Kafka, Source::Mq];

    /// The name used on the command line and in vector files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Source::Sqs => "sqs",
            Source::Kinesis => "kinesis",
            Source::DynamoDb => "dynamodb",
            Source::Kafka => "kafka",
            Source::Mq => "mq",
        }
    }

    /// The fields that contain a payload that has to be decoded.
    pub(crate) fn payloads(self) -> &'static [&'static str] {
        match self {
            Source::Sqs => &["body"],
            Source::Kinesis | Source::Mq => &["data"],
            Source::DynamoDb => &[],
            Source::Kafka => &["key", "value"],
        }
    }

    /// The field of which a filter must be an object.
    pub(crate) fn json_only(self) -> Option<&'static str> {
        match self {
            Source::Kinesis => Some("data"),
            Source::DynamoDb => Some("dynamodb"),
            Source::Sqs | Source::Kafka | Source::Mq => None,
        }
    }

    /// Whether a filter that does not suit the kind of the payload loses the test of the payload, instead of dropping the record.
    pub(crate) fn lenient(self) -> bool {
        matches!(self, Source::Kafka | Source::Mq)
    }
}
