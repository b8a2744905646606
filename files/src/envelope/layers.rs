//! The envelopes that are known, and how each is opened.

use super::base64;
use super::layer::{Layer, is_notification, is_trail_record};
use super::visit::{Here, LARGEST, Open};
use crate::tree::Node;

fn string<'n>(node: &'n Node, name: &str) -> Option<&'n Node> {
    node.get(name).filter(|value| value.text().is_some())
}

fn list<'n>(node: &'n Node, name: &str, is: impl Fn(&Node) -> bool) -> Option<&'n Node> {
    node.get(name).filter(|value| value.elements().first().is_some_and(is))
}

/// Opens the node, if it is an envelope that is known. `text` is what the node was read from.
pub(super) fn open(opener: &mut impl Open, node: &Node, text: &str, here: &Here) -> bool {
    if let Some(inner) = node.text().filter(|inner| inner.trim_start().starts_with(['{', '['])) {
        return opener.text(inner, &here.step("", Some(Layer::JsonString)), false);
    }
    lists(opener, node, text, here) || single(opener, node, text, here)
}

/// Envelopes that contain several events.
fn lists(opener: &mut impl Open, node: &Node, text: &str, here: &Here) -> bool {
    let is_entry = |entry: &Node| {
        ["Source", "DetailType", "Detail", "detailType", "detail"].iter().any(|name| entry.get(name).is_some())
    };
    for (name, pointer) in [("Entries", "/Entries"), ("entries", "/entries")] {
        if let Some(entries) = list(node, name, is_entry) {
            return opener.elements(entries, text, here, pointer, Some(Layer::PutEventsRequest));
        }
    }
    let is_log = |event: &Node| string(event, "message").is_some() && event.get("timestamp").is_some();
    for (name, layer) in [("events", Layer::LogEvent), ("logEvents", Layer::LogSubscription)] {
        if let Some(events) = list(node, name, is_log) {
            for (at, event) in events.elements().iter().enumerate() {
                let here = here.step(&format!("/{name}/{at}/message"), Some(layer));
                if let Some(message) = event.get("message") {
                    opener.value(message, text, &here, true);
                }
            }
            return true;
        }
    }
    let is_field = |row: &Node| row.elements().first().is_some_and(|field| field.get("field").is_some());
    if let Some(rows) = list(node, "results", is_field) {
        return insights(opener, rows, text, here);
    }
    if let Some(events) = list(node, "Events", |event| string(event, "CloudTrailEvent").is_some()) {
        return opener.elements(events, text, here, "/Events", None);
    }
    if let Some(messages) = list(node, "Messages", |message| string(message, "Body").is_some()) {
        for (at, message) in messages.elements().iter().enumerate() {
            let here = here.step(&format!("/Messages/{at}/Body"), Some(Layer::SqsMessage));
            match string(message, "Body") {
                Some(body) => opener.value(body, text, &here, true),
                None => opener.skip(true),
            };
        }
        return true;
    }
    if let Some(records) = list(node, "Records", is_trail_record) {
        return opener.elements(records, text, here, "/Records", Some(Layer::CloudTrailFile));
    }
    let is_record = |record: &Node| {
        let names = ["body", "Sns", "s3", "kinesis", "Data"];
        names.iter().any(|name| record.get(name).is_some()) && !record.members().is_empty()
    };
    if let Some(records) = list(node, "Records", is_record) {
        return opener.elements(records, text, here, "/Records", None);
    }
    if let Some(records) = list(node, "records", |record| record.get("recordId").is_some()) {
        return opener.elements(records, text, here, "/records", None);
    }
    false
}

/// The messages that a query of Logs Insights found: one list of fields for each.
fn insights(opener: &mut impl Open, rows: &Node, text: &str, here: &Here) -> bool {
    for (at, row) in rows.elements().iter().enumerate() {
        let message = row.elements().iter().enumerate().find_map(|(field, value)| {
            let is = string(value, "field")?.text() == Some("@message");
            is.then_some((field, value.get("value")?))
        });
        match message {
            Some((field, value)) => {
                let here = here.step(&format!("/results/{at}/{field}/value"), Some(Layer::InsightsResult));
                opener.value(value, text, &here, true);
            }
            None => {
                opener.skip(true);
            }
        }
    }
    true
}

/// Envelopes that contain one event.
fn single(opener: &mut impl Open, node: &Node, text: &str, here: &Here) -> bool {
    let has = |name: &str| node.get(name).is_some();
    let string = |name: &str| string(node, name);
    let step = |name: &str, layer: Layer| here.step(&format!("/{name}"), Some(layer));
    if let Some(event) = string("CloudTrailEvent") {
        return opener.value(event, text, &step("CloudTrailEvent", Layer::CloudTrailLookup), true);
    }
    if let Some(message) = node.get("@message") {
        return opener.value(message, text, &step("@message", Layer::InsightsResult), true);
    }
    if let Some(body) = string("Body").filter(|_| has("MessageId") || has("ReceiptHandle") || has("MD5OfBody")) {
        return opener.value(body, text, &step("Body", Layer::SqsMessage), true);
    }
    if let Some(body) = string("body").filter(|_| has("messageId") || has("receiptHandle") || has("eventSourceARN")) {
        return opener.value(body, text, &step("body", Layer::SqsMessage), true);
    }
    if is_notification(node)
        && (has("Type") || has("TopicArn"))
        && let Some(message) = node.get("Message")
    {
        return opener.value(message, text, &step("Message", Layer::SnsNotification), true);
    }
    if let Some(notification) = node.get("Sns").filter(|value| value.get("Message").is_some()) {
        return opener.node(notification, text, &here.step("/Sns", None));
    }
    let kinesis = node.get("kinesis").and_then(|record| record.get("data"));
    let kinesis = kinesis.map(|data| ("/kinesis/data", data, Some(Layer::KinesisRecord)));
    let is_stream = has("SequenceNumber") || has("PartitionKey") || has("ApproximateArrivalTimestamp");
    let received = string("Data").filter(|_| is_stream).map(|data| ("/Data", data, Some(Layer::KinesisRecord)));
    let logs = node.get("awslogs").and_then(|logs| logs.get("data"));
    // What is in it says what it is.
    let logs = logs.map(|data| ("/awslogs/data", data, None));
    let firehose = string("data").filter(|_| has("recordId")).map(|data| ("/data", data, Some(Layer::FirehoseRecord)));
    if let Some((pointer, data, layer)) = kinesis.or(received).or(logs).or(firehose) {
        let here = here.step(pointer, layer);
        return match data.text().and_then(|data| base64::payload(data, LARGEST)) {
            Some(payload) => opener.text(&payload, &here, true),
            None => opener.skip(true),
        };
    }
    if let Some(payload) = node.get("requestPayload").filter(|_| has("requestContext")) {
        return opener.value(payload, text, &step("requestPayload", Layer::DestinationRecord), true);
    }
    // Any event may have a field of this name: it is opened only if it contains an event.
    if let Some(message) = node.get("message").filter(|_| has("timestamp") || has("level") || has("time")) {
        let is_function = has("level") || has("requestId");
        let layer = if is_function { Layer::LambdaLog } else { Layer::LogEvent };
        return opener.value(message, text, &step("message", layer), false);
    }
    false
}
