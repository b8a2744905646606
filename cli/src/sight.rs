//! The events that the text of a message or record stands for, without any pattern at hand.

use eventrie::event::ReadPolicy;
use eventrie::service::{FilterSet, Quoting, RecordFilter, SnsMessage, Source};
use eventrie::{Dialect, ParseOptions};

use crate::judge::{Judge, member, message, messages, records};

/// What patterns see of messages and records.
pub(crate) enum Sight {
    Events,
    Messages(Dialect),
    Records(Box<RecordFilter>),
}

impl Sight {
    pub(crate) fn new(dialect: Dialect, source: Option<Source>) -> anyhow::Result<Sight> {
        let options = ParseOptions::new(dialect);
        // Which dialects want a source is known there.
        let judge = Judge::new(Vec::new(), &options, source, ReadPolicy::Whole, |_| String::new())?;
        let filter = match judge {
            Judge::Events { .. } => return Ok(Sight::Events),
            Judge::Messages { dialect, .. } => return Ok(Sight::Messages(dialect)),
            Judge::Records { filter, .. } => filter,
        };
        // Payloads are decoded where a filter looks into them.
        let fields = match filter.source() {
            Source::Sqs => r#"{"body":{"x":[1]}}"#,
            Source::DynamoDb => r#"{"dynamodb":{"x":[1]}}"#,
            Source::Kafka => r#"{"key":{"x":[1]},"value":{"x":[1]}}"#,
            _ => r#"{"data":{"x":[1]}}"#,
        };
        let filters = FilterSet::parse(fields, &options)?;
        Ok(Sight::Records(Box::new(RecordFilter::new(&filters, filter.source())?)))
    }

    /// The events that a text stands for.
    pub(crate) fn events(&self, text: &[u8]) -> anyhow::Result<Vec<String>> {
        let one = |text: &[u8]| -> anyhow::Result<String> {
            Ok(match self {
                Sight::Messages(Dialect::SnsAttributes) if member(text, "MessageAttributes").is_some() => {
                    let seen = SnsMessage::parse(text)?.attributes_as_json(Quoting::Strict);
                    seen.map_err(|cause| anyhow::anyhow!("{cause}"))?
                }
                Sight::Messages(dialect @ Dialect::SnsBody) => message(text, *dialect)?.body().to_owned(),
                Sight::Records(filter) => String::from_utf8(filter.record_as_event(text)?)?,
                Sight::Events | Sight::Messages(_) => std::str::from_utf8(text)?.to_owned(),
            })
        };
        let inside = match self {
            Sight::Events => None,
            Sight::Messages(_) => messages(text),
            Sight::Records(filter) => records(text, filter.source()),
        };
        match inside {
            Some(places) => places.into_iter().map(|place| one(text.get(place).unwrap_or(&[]))).collect(),
            None => Ok(vec![one(text)?]),
        }
    }
}
