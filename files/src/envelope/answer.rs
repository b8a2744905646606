//! What services print that is not an event and contains none: the responses to requests.

use super::layer;
use crate::tree::Node;

/// What the text is, and where its events are; none if it may be an event.
pub(super) fn of(node: &Node) -> Option<&'static str> {
    let string = |name: &str| node.get(name).and_then(Node::text);
    if layer::is_event(node) {
        return None;
    }
    let is_sent = |entry: &Node| ["EventId", "ErrorCode"].iter().any(|name| entry.get(name).is_some());
    let is_list = |entries: &Node| !entries.elements().is_empty() && entries.elements().iter().all(is_sent);
    if node.get("FailedEntryCount").is_some() && node.get("Entries").is_some_and(is_list) {
        return Some("this is a response from PutEvents; the events are in the request");
    }
    if string("MD5OfMessageBody").is_some() && string("MessageId").is_some() {
        return Some("this is a response from SendMessage; the message is in the request");
    }
    let is_rule = string("Arn").is_some_and(|arn| arn.contains(":events:") && arn.contains(":rule/"));
    if is_rule && string("EventPattern").is_some() {
        return Some("this is a rule as `describe-rule` prints it, not an event");
    }
    None
}
