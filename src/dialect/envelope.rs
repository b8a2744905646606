//! The fields that every event or record of a service has, and the values that their names imply.

/// The fields at the top level of an event on an event bus.
pub(crate) const EVENT: [&str; 10] =
    ["version", "id", "detail-type", "source", "account", "time", "region", "resources", "detail", "replay-name"];

/// The fields at the top level of a record, of all sources together.
pub(crate) const RECORD: &[&str] = &[
    "messageId",
    "receiptHandle",
    "body",
    "attributes",
    "messageAttributes",
    "md5OfBody",
    "md5OfMessageAttributes",
    "eventSource",
    "eventSourceARN",
    "eventSourceArn",
    "awsRegion",
    "eventVersion",
    "eventID",
    "eventName",
    "invokeIdentityArn",
    "userIdentity",
    "kinesisSchemaVersion",
    "partitionKey",
    "sequenceNumber",
    "data",
    "approximateArrivalTimestamp",
    "encryptionType",
    "kinesis",
    "dynamodb",
    "topic",
    "partition",
    "offset",
    "timestamp",
    "timestampType",
    "key",
    "value",
    "headers",
    "eventSourceKey",
    "bootstrapServers",
    "messageID",
    "messageType",
    "deliveryMode",
    "replyTo",
    "type",
    "expiration",
    "priority",
    "correlationId",
    "redelivered",
    "destination",
    "brokerInTime",
    "brokerOutTime",
    "properties",
    "basicProperties",
];

/// The names under which DynamoDB keeps a value by its type.
pub(crate) const DYNAMO_TYPES: [&str; 10] = ["S", "N", "B", "BOOL", "NULL", "L", "M", "SS", "NS", "BS"];

/// The fields of an event that an event source sets itself, so its pattern cannot name them.
pub(crate) const SET_BY_EVENT_SOURCE: [&str; 3] = ["source", "account", "region"];

/// The fields that the service sets in the SYSTEM_METADATA of an event.
pub(crate) const SYSTEM_METADATA: [&str; 11] = [
    "ContentType",
    "DeduplicationId",
    "EventGroupId",
    "aws:EventId",
    "aws:IngestionTime",
    "aws:SequenceNumber",
    "aws:DeliveryType",
    "aws:Source",
    "aws:DetailType",
    "aws:SchemaId",
    "aws:RegistryType",
];

/// The values of `aws:DeliveryType`.
pub(crate) const DELIVERY_TYPES: [&str; 2] = ["LIVE", "REPLAY"];

/// The values of `ContentType` that the publish APIs document.
pub(crate) const CONTENT_TYPES: [&str; 5] = [
    "application/json",
    "application/avro",
    "application/protobuf",
    "application/octet-stream",
    "application/eventbridge+json",
];
