//! The records inside what a function or a pipe is given.

use super::outcome::Effect;
use crate::base::Span;
use crate::dialect::Source;
use crate::json::{EventError, Kind, Tree};
use crate::limit::Limits;

impl Source {
    /// What the service does with a record that no filter matches.
    ///
    /// ```
    /// use eventrie::service::{Effect, Source};
    /// assert_eq!(Source::Sqs.effect(), Effect::MessageDeleted);
    /// assert_eq!(Source::Sqs.effect().to_string(), "the message is deleted from the queue");
    /// ```
    #[must_use]
    pub fn effect(self) -> Effect {
        match self {
            Source::Sqs => Effect::MessageDeleted,
            Source::Kinesis | Source::DynamoDb => Effect::RecordSkipped,
            Source::Kafka => Effect::OffsetCommitted,
            Source::Mq => Effect::MessageAcknowledged,
        }
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
