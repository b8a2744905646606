//! The sources of records: what they are called, where they keep payloads, what becomes of what is not wanted.

use crate::base::Span;
use crate::json::{EventError, Kind, Tree};
use crate::limit::Limits;

/// Where records come from.
///
/// ```
/// assert_eq!(eventrie::service::Source::from_name("dynamodb"), Some(eventrie::service::Source::DynamoDb));
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

impl Source {
    /// All sources.
    pub const ALL: [Source; 5] = [Source::Sqs, Source::Kinesis, Source::DynamoDb, Source::Kafka, Source::Mq];

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

    /// The source with this [`name`](Source::name).
    #[must_use]
    pub fn from_name(name: &str) -> Option<Source> {
        Self::ALL.into_iter().find(|source| source.name() == name)
    }

    /// What becomes of a record that no filter matches.
    ///
    /// ```
    /// assert_eq!(eventrie::service::Source::Sqs.fate(), "the message is deleted from the queue");
    /// ```
    #[must_use]
    pub fn fate(self) -> &'static str {
        match self {
            Source::Sqs => "the message is deleted from the queue",
            Source::Kinesis | Source::DynamoDb => "the stream moves on without it",
            Source::Kafka => "its offset is committed without it",
            Source::Mq => "the message is acknowledged and gone",
        }
    }

    /// The fields that hold a payload that has to be decoded.
    pub(super) fn payloads(self) -> &'static [&'static str] {
        match self {
            Source::Sqs => &["body"],
            Source::Kinesis | Source::Mq => &["data"],
            Source::DynamoDb => &[],
            Source::Kafka => &["key", "value"],
        }
    }

    /// The field of which a filter must be an object.
    pub(super) fn json_only(self) -> Option<&'static str> {
        match self {
            Source::Kinesis => Some("data"),
            Source::DynamoDb => Some("dynamodb"),
            Source::Sqs | Source::Kafka | Source::Mq => None,
        }
    }

    /// Whether a filter that does not fit the payload's kind loses the payload's part, in place of dropping the record.
    pub(super) fn lenient(self) -> bool {
        matches!(self, Source::Kafka | Source::Mq)
    }

    /// The records in what a function or a pipe is given: the entries of `Records` (SQS, Kinesis, DynamoDB), of the
    /// lists in `records` (Kafka), of `messages` or the lists in `rmqMessagesByQueue` (MQ), of a list; else the text
    /// itself. As places in the text.
    ///
    /// # Errors
    /// If the text is not JSON, or one of the default [`Limits`] is reached.
    ///
    /// ```
    /// use eventrie::service::Source;
    /// let text = r#"{"Records": [{"body": "a"}, {"body": "b"}]}"#;
    /// let records = Source::Sqs.records(text)?;
    /// assert_eq!(records.iter().map(|place| place.slice(text)).collect::<Vec<_>>(), [r#"{"body": "a"}"#, r#"{"body": "b"}"#]);
    /// # Ok::<(), eventrie::EventError>(())
    /// ```
    pub fn records(self, text: &str) -> Result<Vec<Span>, EventError> {
        let tree = Tree::parse_value(text, &Limits::default())?;
        let Some(root) = tree.nodes.first() else { return Ok(Vec::new()) };
        let spans = |at: usize| tree.children(at).map(|(_, node)| node.span);
        if root.kind == Kind::Array {
            return Ok(spans(0).collect());
        }
        let (flat, grouped): (&str, &str) = match self {
            Source::Sqs | Source::Kinesis | Source::DynamoDb => ("Records", ""),
            Source::Kafka => ("", "records"),
            Source::Mq => ("messages", "rmqMessagesByQueue"),
        };
        for (at, node) in tree.children(0) {
            let Some(key) = node.key.map(|key| tree.string(key)) else { continue };
            if key == flat && node.kind == Kind::Array {
                return Ok(spans(at).collect());
            }
            if key == grouped && node.kind == Kind::Object {
                return Ok(tree.children(at).flat_map(|(list, _)| spans(list)).collect());
            }
        }
        Ok(vec![root.span])
    }
}
