//! What can be around an event, and what distinguishes events, messages and records.

use crate::tree::Node;

/// What was around an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Layer {
    /// `{"Entries":[…]}`, the request of PutEvents.
    PutEventsRequest,
    /// `{"Source":…,"DetailType":…,"Detail":…}`
    PutEventsEntry,
    /// What `filter-log-events` and `get-log-events` print, and one event of it.
    LogEvent,
    /// What a Logs Insights query finds.
    InsightsResult,
    /// What a subscription of CloudWatch Logs delivers.
    LogSubscription,
    /// A line with words before its JSON.
    LogLine,
    /// A line of a function's log in JSON.
    LambdaLog,
    /// A message of a queue, as received or as a function is given it.
    SqsMessage,
    /// A message of a queue, as `receive-message` prints it, where records are expected.
    ReceivedMessage,
    /// A notification, as SNS delivers it.
    SnsNotification,
    /// What `cloudtrail lookup-events` prints.
    CloudTrailLookup,
    /// A file that CloudTrail writes.
    CloudTrailFile,
    /// One record of a trail.
    CloudTrailRecord,
    /// A record of the notification that a bucket sends.
    S3Notification,
    /// A record of a stream.
    KinesisRecord,
    /// A record of a delivery stream.
    FirehoseRecord,
    /// What a destination of a function receives, with the event in `requestPayload`.
    DestinationRecord,
    /// A JSON string that contains JSON.
    JsonString,
}

impl Layer {
    /// What to call it in a sentence.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Layer::PutEventsRequest => "a PutEvents request",
            Layer::PutEventsEntry => "a PutEvents entry",
            Layer::LogEvent => "a CloudWatch Logs event",
            Layer::InsightsResult => "a Logs Insights result",
            Layer::LogSubscription => "a CloudWatch Logs subscription record",
            Layer::LogLine => "a log line",
            Layer::LambdaLog => "a Lambda log line",
            Layer::SqsMessage => "an SQS message",
            Layer::ReceivedMessage => "a message as `receive-message` prints it",
            Layer::SnsNotification => "an SNS notification",
            Layer::CloudTrailLookup => "a result of CloudTrail lookup-events",
            Layer::CloudTrailFile => "a CloudTrail log file",
            Layer::CloudTrailRecord => "a CloudTrail record",
            Layer::S3Notification => "an S3 notification record",
            Layer::KinesisRecord => "a Kinesis record",
            Layer::FirehoseRecord => "a Firehose record",
            Layer::DestinationRecord => "a record of a Lambda destination",
            Layer::JsonString => "a JSON string",
        }
    }
}

/// Whether this is an event as EventBridge delivers it.
pub(super) fn is_event(node: &Node) -> bool {
    node.get("detail-type").is_some() && (node.get("source").is_some() || node.get("detail").is_some())
}

/// Whether this is a message as SNS delivers it.
pub(super) fn is_notification(node: &Node) -> bool {
    let is = node.get("Type").and_then(Node::text) == Some("Notification") || node.get("TopicArn").is_some();
    node.get("Message").is_some_and(|message| message.text().is_some())
        && (is || node.get("MessageAttributes").is_some())
}

/// Whether this is a record of a trail.
pub(super) fn is_trail_record(node: &Node) -> bool {
    let service = node.get("eventSource").and_then(Node::text);
    service.is_some_and(|service| service.ends_with(".amazonaws.com")) && node.get("eventName").is_some()
}
