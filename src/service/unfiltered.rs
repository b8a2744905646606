//! Fields on which Lambda does not filter the records of a source.

use super::elsewhere::{quoted, top_names};
use crate::diagnostic::{Code, Finding, Severity};
use crate::dialect::{Dialect, Source};
use crate::pattern::Pattern;

/// The fields at the top level that Lambda filters on, the payload first.
fn filterable(source: Source) -> &'static [&'static str] {
    match source {
        Source::Sqs => &["body"],
        Source::Kinesis | Source::Mq => &["data"],
        Source::DynamoDb => &[
            "dynamodb",
            "eventName",
            "eventID",
            "eventSource",
            "eventSourceARN",
            "eventVersion",
            "awsRegion",
            "userIdentity",
        ],
        Source::Kafka => &["value", "key", "topic", "partition", "offset", "timestamp", "timestampType", "headers"],
    }
}

/// All sources.
const ALL: [Source; 5] = [Source::Sqs, Source::Kinesis, Source::DynamoDb, Source::Kafka, Source::Mq];

fn name_of(source: Source) -> &'static str {
    match source {
        Source::Sqs => "SQS",
        Source::Kinesis => "Kinesis",
        Source::DynamoDb => "DynamoDB",
        Source::Kafka => "Kafka",
        Source::Mq => "MQ",
    }
}

/// A warning for each top-level field of a filter that Lambda does not filter on for records of this source, such as
/// `data` for a queue. Without a source: for fields that Lambda filters on for no source. Filters of other services get
/// none: Pipes filters whole records.
///
/// ```
/// use eventrie::service::{Source, unfiltered};
/// use eventrie::{Dialect, Pattern};
/// let filter = Pattern::parse(r#"{"data": {"kind": ["new"]}}"#, Dialect::Lambda)?;
/// let found = unfiltered(&filter, Source::Sqs);
/// assert_eq!(found[0].message, "Lambda does not filter SQS records on `data`");
/// assert_eq!(found[0].help.as_deref(), Some("test the payload of SQS records under `body`"));
/// assert!(unfiltered(&filter, Source::Kinesis).is_empty() && unfiltered(&filter, None).is_empty());
/// # Ok::<(), eventrie::PatternError>(())
/// ```
#[must_use]
pub fn unfiltered(pattern: &Pattern, source: impl Into<Option<Source>>) -> Vec<Finding> {
    if pattern.dialect() != Dialect::Lambda {
        return Vec::new();
    }
    let source = source.into();
    let known = |name: &str| match source {
        Some(source) => filterable(source).contains(&name),
        None => ALL.iter().any(|source| filterable(*source).contains(&name)),
    };
    let names = top_names(pattern.ast());
    let keys = pattern.ast().nodes.iter().filter_map(|node| node.key.as_ref());
    let unknown = keys.filter(|key| names.iter().any(|name| std::ptr::eq(*name, &*key.text)) && !known(&key.text));
    unknown
        .map(|key| {
            let records = source.map_or_else(|| "any".to_owned(), |source| name_of(source).to_owned());
            let message = format!("Lambda does not filter {records} records on {}", quoted(&key.text));
            let mut finding = Finding::new(Code::UnknownField, Severity::Warning, key.span, message);
            finding.label.message = "not a filterable field".to_owned();
            finding.help = Some(match source {
                Some(source) => {
                    let payload = filterable(source).first().copied().unwrap_or("");
                    format!("test the payload of {records} records under `{payload}`")
                }
                None => "test the payload: `body` of SQS, `data` of Kinesis and MQ, `value` of Kafka, `dynamodb` of DynamoDB \
                         records"
                    .to_owned(),
            });
            finding
        })
        .collect()
}

/// Why a filter of this dialect should not test a path, if Lambda does not filter the records of the source on it.
pub(super) fn not_filtered(dialect: Dialect, source: Option<Source>, path: &str) -> Option<String> {
    let source = source.filter(|_| dialect == Dialect::Lambda)?;
    let is_below = |name: &&str| path.strip_prefix(*name).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
    if source == Source::Kinesis && path.starts_with("kinesis.") {
        return Some("filters find it at the top level of the record".to_owned());
    }
    let is_filtered = filterable(source).iter().any(is_below);
    (!is_filtered).then(|| format!("Lambda does not filter {} records on it", name_of(source)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn by_source() {
        for (source, filter, count) in [
            (Source::DynamoDb, r#"{"body":{"eventName":["INSERT"]}}"#, 1),
            (Source::DynamoDb, r#"{"eventName":["INSERT"],"dynamodb":{"Keys":{"id":{"S":["a"]}}}}"#, 0),
            (Source::Sqs, r#"{"data":{"a":["b"]}}"#, 1),
            (Source::Sqs, r#"{"messageAttributes":{"k":{"stringValue":["x"]}}}"#, 1),
            (Source::Sqs, r#"{"body":{"data":["b"]}}"#, 0),
            (Source::Kinesis, r#"{"kinesis":{"data":{"a":["b"]}}}"#, 1),
            (Source::Kafka, r#"{"body":{"a":["b"]}}"#, 1),
            (Source::Kafka, r#"{"eventName":["INSERT"]}"#, 1),
            (Source::Mq, r#"{"value":{"a":["b"]}}"#, 1),
            (Source::Mq, r#"{"$or":[{"data":{"a":["b"]}},{"value":["b"]}]}"#, 1),
        ] {
            let pattern = Pattern::parse(filter, Dialect::Lambda).unwrap();
            assert_eq!(unfiltered(&pattern, source).len(), count, "{source} {filter}");
            let pipes = Pattern::parse(filter, Dialect::Pipes).unwrap();
            assert!(unfiltered(&pipes, source).is_empty());
        }
        let of_any = |filter: &str| unfiltered(&Pattern::parse(filter, Dialect::Lambda).unwrap(), None).len();
        assert_eq!(of_any(r#"{"messageAttributes":{"k":{"stringValue":["x"]}}}"#), 1);
        assert_eq!(of_any(r#"{"kinesis":{"data":["x"]},"data":["x"],"body":["y"],"value":[1],"eventName":["z"]}"#), 1);
    }
}
