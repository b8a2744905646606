//! Messages as `aws sqs receive-message` prints them, which filters of pipes and mappings see as records.

use std::fmt::Write;

use crate::tree::{Node, Value};

/// The fields of a received message, and what a record calls them.
const FIELDS: [(&str, &str); 6] = [
    ("MessageId", "messageId"),
    ("ReceiptHandle", "receiptHandle"),
    ("Body", "body"),
    ("Attributes", "attributes"),
    ("MD5OfMessageAttributes", "md5OfMessageAttributes"),
    ("MD5OfBody", "md5OfBody"),
];

/// Parts of a message attribute, and what a record calls them.
const PARTS: [(&str, &str); 3] =
    [("StringValue", "stringValue"), ("BinaryValue", "binaryValue"), ("DataType", "dataType")];

/// The printed messages, or the single one, each with its place.
pub(super) fn messages(root: &Node) -> Vec<(String, &Node)> {
    let is_message = |node: &Node| {
        node.get("Body").is_some_and(|body| matches!(body.value, Value::String(_)))
            && ["MessageId", "ReceiptHandle", "MD5OfBody"].iter().any(|name| node.get(name).is_some())
    };
    let listed = root.get("Messages").map_or(&[][..], Node::elements);
    match listed.iter().all(is_message) {
        true if !listed.is_empty() => {
            listed.iter().enumerate().map(|(at, message)| (format!("/Messages/{at}"), message)).collect()
        }
        _ if is_message(root) => vec![(String::new(), root)],
        _ => Vec::new(),
    }
}

/// The record that a message becomes. `text` is what the message was read from.
pub(super) fn record(message: &Node, text: &str) -> String {
    let raw = |node: &Node| text.get(node.span.clone()).unwrap_or("null").to_owned();
    let mut out = "{\"eventSource\":\"aws:sqs\"".to_owned();
    for (from, to) in FIELDS {
        if let Some(value) = message.get(from) {
            let _ = write!(out, ",\"{to}\":{}", raw(value));
        }
    }
    if let Some(attributes) = message.get("MessageAttributes") {
        let attributes = attributes.members().iter().filter_map(|(name, attribute)| {
            let parts = PARTS.iter().filter_map(|(from, to)| Some(format!("\"{to}\":{}", raw(attribute.get(from)?))));
            let name = serde_json::Value::from(name.text()?).to_string();
            Some(format!("{name}:{{{}}}", parts.collect::<Vec<_>>().join(",")))
        });
        let _ = write!(out, ",\"messageAttributes\":{{{}}}", attributes.collect::<Vec<_>>().join(","));
    }
    out.push('}');
    out
}

#[cfg(test)]
mod tests {
    use super::super::{Wanted, open};

    fn opened(text: &str) -> Vec<(String, String)> {
        let opened = open(text.as_bytes(), Wanted::Record);
        let events = opened.iter().flat_map(|opened| opened.events());
        events.map(|inner| (inner.pointer().to_owned(), inner.text().to_owned())).collect()
    }

    #[test]
    fn received_messages_are_records() {
        let printed = r#"{"Messages": [
            {"MessageId": "1", "ReceiptHandle": "r", "MD5OfBody": "m", "Body": "{\"a\":1}"},
            {"MessageId": "2", "Body": "plain", "MessageAttributes": {"k": {"StringValue": "x", "DataType": "String"}}}
        ]}"#;
        let records = [
            r#"{"eventSource":"aws:sqs","messageId":"1","receiptHandle":"r","body":"{\"a\":1}","md5OfBody":"m"}"#,
            r#"{"eventSource":"aws:sqs","messageId":"2","body":"plain","messageAttributes":{"k":{"stringValue":"x","dataType":"String"}}}"#,
        ];
        let pairs: Vec<_> =
            records.iter().enumerate().map(|(at, text)| (format!("/Messages/{at}"), (*text).to_owned())).collect();
        assert_eq!(opened(printed), pairs);
        let one = r#"{"MessageId": "1", "Body": "{}"}"#;
        let record = r#"{"eventSource":"aws:sqs","messageId":"1","body":"{}"}"#;
        assert_eq!(opened(one), [(String::new(), record.to_owned())]);
    }

    #[test]
    fn records_and_other_objects_are_themselves() {
        for text in [
            r#"{"messageId":"1","body":"{}","eventSource":"aws:sqs"}"#,
            r#"{"Records":[{"messageId":"1","body":"{}"}]}"#,
            r#"{"Messages":[]}"#,
            r#"{"Messages":[{"Body":"x"},{"MessageId":"1"}]}"#,
            r#"{"Body":"x"}"#,
            r#"{"MessageId":"1","Body":{"a":1}}"#,
            "2026-01-01 {\"MessageId\":\"1\",\"Body\":\"x\"}",
        ] {
            assert_eq!(opened(text), [], "{text}");
        }
    }
}
