use super::*;

const EVENT: &str = r#"{"version":"0","detail-type":"t","source":"s","detail":{"a":1.50}}"#;

/// Pointer and text of each event, and how many were skipped.
fn opened(text: &str) -> (Vec<(String, String)>, usize) {
    let opened = open(text.as_bytes(), Wanted::Event).unwrap_or_else(|| panic!("not opened: {text}"));
    let events = opened.events().iter().map(|event| (event.pointer().to_owned(), event.text().to_owned()));
    (events.collect(), opened.skipped())
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// A pointer at which the text contains `EVENT` and nothing else.
fn holds(text: &str, pointer: &str) {
    assert_eq!(opened(text), (vec![(pointer.to_owned(), EVENT.to_owned())], 0), "{text}");
}

#[test]
fn what_logs_hold() {
    let event = quoted(EVENT);
    holds(
        &format!(
            r#"{{"events":[{{"logStreamName":"l","timestamp":1,"message":{event},"eventId":"3"}}],"searchedLogStreams":[]}}"#
        ),
        "/events/0/message",
    );
    holds(
        &format!(r#"{{"events":[{{"timestamp":1,"message":{event},"ingestionTime":2}}],"nextForwardToken":"f"}}"#),
        "/events/0/message",
    );
    holds(&format!(r#"{{"timestamp":1,"message":{event},"ingestionTime":2}}"#), "/message");
    let line = quoted(&format!("2026-01-01T00:00:00.000Z\t7c6b-12\tINFO\t{EVENT}\n"));
    holds(&format!(r#"{{"events":[{{"timestamp":1,"message":{line}}}]}}"#), "/events/0/message");
    holds(
        &format!(
            r#"{{"results":[[{{"field":"@timestamp","value":"2026"}},{{"field":"@message","value":{event}}},{{"field":"@ptr","value":"x"}}]],"status":"Complete"}}"#
        ),
        "/results/0/1/value",
    );
    holds(&format!(r#"{{"@timestamp":"2026","@message":{event}}}"#), "/@message");
    holds(&format!(r#"{{"@timestamp":"2026","@message":{EVENT}}}"#), "/@message");
    holds(&format!("2026-01-01T00:00:00.000Z {EVENT}"), "");
    holds(&format!("[INFO]\t2026-01-01T00:00:00.000Z\t7c6b-12\t{EVENT}"), "");
    holds(&format!("Received event: {EVENT}"), "");
    holds(&format!(r#"{{"timestamp":"2026","level":"INFO","requestId":"7c6b","message":{EVENT}}}"#), "/message");
    holds(
        &format!(
            r#"{{"messageType":"DATA_MESSAGE","logGroup":"g","logEvents":[{{"id":"1","timestamp":1,"message":{event}}}]}}"#
        ),
        "/logEvents/0/message",
    );
}

#[test]
fn what_queues_streams_and_topics_hold() {
    let event = quoted(EVENT);
    holds(&format!(r#"{{"Messages":[{{"MessageId":"m","ReceiptHandle":"r","Body":{event}}}]}}"#), "/Messages/0/Body");
    holds(&format!(r#"{{"MessageId":"m","ReceiptHandle":"r","MD5OfBody":"x","Body":{event}}}"#), "/Body");
    holds(&format!(r#"{{"Records":[{{"messageId":"m","body":{event},"eventSource":"aws:sqs"}}]}}"#), "/Records/0/body");
    holds(&format!(r#"{{"Type":"Notification","TopicArn":"t","Message":{event}}}"#), "/Message");
    holds(
        &format!(r#"{{"Records":[{{"EventSource":"aws:sns","Sns":{{"Type":"Notification","Message":{event}}}}}]}}"#),
        "/Records/0/Sns/Message",
    );
    let notification = quoted(&format!(r#"{{"Type":"Notification","TopicArn":"t","Message":{event}}}"#));
    holds(
        &format!(r#"{{"Records":[{{"messageId":"m","body":{notification},"eventSource":"aws:sqs"}}]}}"#),
        "/Records/0/body/Message",
    );
    holds(&quoted(EVENT), "");
    let data = "eyJ2ZXJzaW9uIjoiMCIsImRldGFpbC10eXBlIjoidCIsInNvdXJjZSI6InMiLCJkZXRhaWwiOnsiYSI6MS41MH19";
    holds(
        &format!(r#"{{"Records":[{{"kinesis":{{"partitionKey":"1","data":"{data}"}},"eventSource":"aws:kinesis"}}]}}"#),
        "/Records/0/kinesis/data",
    );
    holds(
        &format!(
            r#"{{"Records":[{{"SequenceNumber":"1","Data":"{data}","PartitionKey":"1"}}],"MillisBehindLatest":0}}"#
        ),
        "/Records/0/Data",
    );
    holds(
        &format!(r#"{{"invocationId":"i","deliveryStreamArn":"a","records":[{{"recordId":"1","data":"{data}"}}]}}"#),
        "/records/0/data",
    );
}

#[test]
fn requests_become_the_events_they_ask_for() {
    let entry =
        r#"{"Source":"demo.app","DetailType":"t","Detail":"{\"a\":1.50}","Resources":["arn:x"],"EventBusName":"dev"}"#;
    let event = r#"{"version":"0","detail-type":"t","source":"demo.app","resources":["arn:x"],"detail":{"a":1.50}}"#;
    assert_eq!(opened(entry).0, [(String::new(), event.to_owned())]);
    assert_eq!(
        opened(&format!(r#"{{"Entries":[{entry},{entry}]}}"#)).0[1],
        ("/Entries/1".to_owned(), event.to_owned())
    );
    for (entry, cause) in [
        (r#"{"Source":"aws.ec2","DetailType":"t","Detail":"{}"}"#, Some("begins with `aws.`")),
        (r#"{"Source":"a","DetailType":"t","Detail":{"a":1}}"#, Some("must be a string")),
        (r#"{"Source":"a","DetailType":"t","Detail":"[1]"}"#, Some("MalformedDetail")),
        (r#"{"Source":"a","DetailType":"t"}"#, Some("`Detail` is required")),
        (r#"{"Source":"a","DetailType":"t","Detail":"{}"}"#, None),
    ] {
        let opened = open(entry.as_bytes(), Wanted::Event).unwrap();
        match (opened.events()[0].refused(), cause) {
            (Some(refused), Some(cause)) => assert!(refused.contains(cause), "{entry}: {refused}"),
            (refused, cause) => assert_eq!(refused, cause, "{entry}"),
        }
    }
    // Fields of these names next to others belong to an ordinary event.
    assert_eq!(open(br#"{"Source":"a","Detail":"b","Total":1}"#, Wanted::Event), None);
    assert_eq!(open(br#"{"Source":"a"}"#, Wanted::Event), None);
}

#[test]
fn records_of_trails_and_buckets_become_events() {
    let record = r#"{"eventVersion":"1.08","userIdentity":{"accountId":"111122223333"},"eventTime":"2026-01-01T00:00:00Z","eventSource":"ec2.amazonaws.com","eventName":"StopInstances","awsRegion":"eu-west-1","eventType":"AwsApiCall"}"#;
    let event = format!(
        r#"{{"version":"0","detail-type":"AWS API Call via CloudTrail","source":"aws.ec2","account":"111122223333","time":"2026-01-01T00:00:00Z","region":"eu-west-1","resources":[],"detail":{record}}}"#
    );
    assert_eq!(opened(record).0, [(String::new(), event.clone())]);
    assert_eq!(opened(&format!(r#"{{"Records":[{record}]}}"#)).0, [("/Records/0".to_owned(), event.clone())]);
    let looked_up = format!(r#"{{"Events":[{{"EventId":"e","CloudTrailEvent":{}}}]}}"#, quoted(record));
    assert_eq!(opened(&looked_up).0, [("/Events/0/CloudTrailEvent".to_owned(), event)]);
    let sign_in = record.replace("AwsApiCall", "AwsConsoleSignIn");
    assert!(opened(&sign_in).0[0].1.contains(r#""detail-type":"AWS Console Sign In via CloudTrail""#));
    let bucket = r#"{"Records":[{"eventVersion":"2.1","eventSource":"aws:s3","awsRegion":"eu-west-1","eventName":"ObjectCreated:Put","s3":{"bucket":{"name":"demo","arn":"arn:aws:s3:::demo"},"object":{"key":"a+b%2Fc.png","size":5,"eTag":"e"}}}]}"#;
    let event = r#"{"version":"0","detail-type":"Object Created","source":"aws.s3","region":"eu-west-1","resources":["arn:aws:s3:::demo"],"detail":{"version":"0","bucket":{"name":"demo"},"object":{"key":"a b/c.png","size":5,"etag":"e"},"reason":"PutObject"}}"#;
    assert_eq!(opened(bucket).0, [("/Records/0".to_owned(), event.to_owned())]);
    let sentence = open(bucket.as_bytes(), Wanted::Event).unwrap().events()[0].sentence();
    assert!(
        sentence.starts_with(
            "this is an S3 notification record, not an event: read as EventBridge delivers it: under `detail`"
        ),
        "{sentence}"
    );
}

#[test]
fn messages_are_wanted_by_policies() {
    let notification = r#"{"Type":"Notification","TopicArn":"t","Message":"{\"a\":1}","MessageAttributes":{}}"#;
    assert_eq!(open(notification.as_bytes(), Wanted::Message), None);
    let queue = format!(r#"{{"Messages":[{{"MessageId":"m","Body":{}}}]}}"#, quoted(notification));
    let opened = open(queue.as_bytes(), Wanted::Message).unwrap();
    assert_eq!(opened.events()[0].text(), notification);
    assert_eq!(opened.events()[0].sentence(), "unwrapped from an SQS message");
}

#[test]
fn answers_contain_no_events() {
    for (answer, why) in [
        (r#"{"FailedEntryCount":0,"Entries":[{"EventId":"11710aed"}]}"#, "PutEvents"),
        (
            r#"{"Entries":[{"EventId":"1"},{"ErrorCode":"InternalFailure","ErrorMessage":"m"}],"FailedEntryCount":1}"#,
            "PutEvents",
        ),
        (r#"{"MD5OfMessageBody":"6a1559560f67c5e7a7d5d838bf0272ee","MessageId":"8fb68b2d"}"#, "SendMessage"),
        (r#"{"Name":"r","Arn":"arn:aws:events:eu-west-1:123456789012:rule/r","EventPattern":"{}"}"#, "describe-rule"),
    ] {
        let opened = open(answer.as_bytes(), Wanted::Event).unwrap_or_else(|| panic!("taken for an event: {answer}"));
        assert!(opened.events().is_empty() && opened.why_empty().unwrap().contains(why), "{answer}");
    }
    // A request keeps its events, whatever else it has.
    let request = r#"{"Entries":[{"Source":"s","DetailType":"t","Detail":"{}"}],"FailedEntryCount":0}"#;
    assert_eq!(opened(request).0.len(), 1);
}

#[test]
fn what_is_no_envelope_stays() {
    for text in [
        r#"{"FailedEntryCount":0,"Entries":[]}"#,
        r#"{"FailedEntryCount":0,"Entries":[{"a":1}]}"#,
        r#"{"MessageId":"8fb68b2d"}"#,
        r#"{"EventPattern":"{}"}"#,
        r#"{"FailedEntryCount":0,"Entries":[{"EventId":"1"}],"detail-type":"t","source":"s"}"#,
        EVENT,
        r#"{"message":"hello","level":"INFO"}"#,
        r#"{"Records":[]}"#,
        r#"{"Records":[{"a":1}]}"#,
        r#"{"body":"{\"a\":1}"}"#,
        r#"{"Message":"x"}"#,
        r#"{"results":[1]}"#,
        r#"{"detail":{"Entries":[{"Source":"a"}]}}"#,
        "START RequestId: 7c6b-12",
        "5",
        "",
    ] {
        assert_eq!(open(text.as_bytes(), Wanted::Event), None, "{text}");
    }
}

#[test]
fn what_is_not_json_is_counted() {
    let log = r#"{"events":[{"timestamp":1,"message":"START RequestId: 7c6b"},{"timestamp":2,"message":"{\"a\":1}"}]}"#;
    assert_eq!(opened(log), (vec![("/events/1/message".to_owned(), "{\"a\":1}".to_owned())], 1));
}

#[test]
fn hostile_envelopes_end() {
    let mut text = EVENT.to_owned();
    for _ in 0..12 {
        text = format!(r#"{{"Type":"Notification","TopicArn":"t","Message":{}}}"#, quoted(&text));
    }
    let opened = open(text.as_bytes(), Wanted::Event).unwrap();
    assert!(opened.events().iter().all(|event| event.layers().len() <= DEEPEST));
    let deep = format!(r#"{{"Records":{}1{}}}"#, "[".repeat(10_000), "]".repeat(10_000));
    assert_eq!(open(deep.as_bytes(), Wanted::Event), None);
}
