//! Messages and records: what turning a message into an event costs, on top of matching. `cargo bench -p eventrie-bench
//! --bench sources`.

use criterion::{Criterion, criterion_group, criterion_main};
use eventrie::service::{
    AttributeType, Quoting, SnsMessage, Source, Subscription, SubscriptionScratch, SubscriptionSet,
};
use eventrie::{Dialect, Matcher, ParseOptions, Pattern, Scratch};

type Error = Box<dyn std::error::Error>;
type Anything = Result<(), Error>;

fn attributes(criterion: &mut Criterion) -> Anything {
    let message = SnsMessage::new("")
        .attribute("store", AttributeType::String, "example_corp_7")
        .attribute("price", AttributeType::Number, "210.75")
        .attribute("kind", AttributeType::String, "order_placed")
        .attribute("interests", AttributeType::Array, r#"["soccer", "rugby", "hockey"]"#);
    let text = message.attributes_as_json(Quoting::Strict).map_err(|cause| cause.to_string())?;
    let mut group = criterion.benchmark_group("sns-attributes");
    for count in [1, 100] {
        let policy = |number: usize| {
            format!(
                r#"{{"store": ["example_corp_{number}"], "price": [{{"numeric": [">", {number}]}}], "kind": [{{"anything-but": "x"}}]}}"#
            )
        };
        let options = ParseOptions::new(Dialect::SnsAttributes);
        let subscription = |number: usize| Subscription::parse(&policy(number), &options, None);
        let set: Result<Vec<_>, _> = (0..count).map(|number| Ok::<_, Error>((number, subscription(number)?))).collect();
        let set = SubscriptionSet::new(set?)?;
        let mut scratch = SubscriptionScratch::default();
        group.bench_function(format!("{count} policies"), |bencher| {
            bencher.iter(|| set.judge(&message, &mut scratch).is_ok_and(|verdict| verdict.is_match()));
        });
        let patterns: Result<Vec<_>, _> =
            (0..count).map(|number| Pattern::parse(&policy(number), Dialect::SnsAttributes)).collect();
        let (matcher, mut scratch) = (Matcher::new(patterns?)?, Scratch::default());
        group.bench_function(format!("{count} policies/the projected text alone"), |bencher| {
            bencher.iter(|| matcher.is_match(text.as_str(), &mut scratch));
        });
    }
    group.finish();
    Ok(())
}

const SQS: &str = r#"{"messageId": "059f36b4-87a3-44ab-83d2-661975830a7d", "receiptHandle": "AQEBwJnKyrHigUMZj6rYigCgxla",
    "body": "{\"RecordNumber\": 1234, \"RequestCode\": \"AAAA\", \"detail\": {\"a\": [1, 2, 3], \"b\": \"some text\"}}",
    "attributes": {"ApproximateReceiveCount": "1", "SentTimestamp": "1545082649183", "SenderId": "AIDAIENQZJOLO23YVJ4VO"},
    "messageAttributes": {}, "eventSource": "aws:sqs", "eventSourceARN": "arn:aws:sqs:us-east-2:123456789012:queue",
    "awsRegion": "us-east-2"}"#;

const KINESIS: &str = r#"{"kinesis": {"kinesisSchemaVersion": "1.0", "partitionKey": "custom", "sequenceNumber": "1",
    "data": "eyJldmVudF90eXBlIjogImZ1bmN0aW9uXzEiLCAibWVzc2FnZSI6ICJmb28ifQ==", "approximateArrivalTimestamp": 1545084650.987},
    "eventSource": "aws:kinesis", "eventID": "shardId-000000000006:1", "eventName": "aws:kinesis:record"}"#;

fn records(criterion: &mut Criterion) -> Anything {
    let metadata = r#"{"awsRegion": ["us-east-2"]}"#;
    let mut group = criterion.benchmark_group("records");
    for (source, name, pattern, record) in [
        (Source::Sqs, "metadata", metadata, SQS),
        (Source::Sqs, "JSON body", r#"{"body": {"RequestCode": ["AAAA"]}}"#, SQS),
        (Source::Kinesis, "metadata", r#"{"partitionKey": ["custom"]}"#, KINESIS),
        (Source::Kinesis, "JSON data", r#"{"data": {"event_type": ["function_1"]}}"#, KINESIS),
    ] {
        let filter = Subscription::parse(pattern, &ParseOptions::new(Dialect::Lambda), source)?;
        let mut scratch = SubscriptionScratch::default();
        group.bench_function(format!("{}/{name}", source.name()), |bencher| {
            bencher.iter(|| filter.judge(record, &mut scratch).is_ok_and(|outcome| outcome.matched));
        });
    }
    // A filter that names no payload costs what matching the record costs.
    let matcher = Matcher::new([Pattern::parse(metadata, Dialect::Lambda)?])?;
    let mut scratch = Scratch::default();
    group.bench_function("sqs/the record as an event", |bencher| {
        bencher.iter(|| matcher.is_match(SQS.as_bytes(), &mut scratch));
    });
    group.finish();
    Ok(())
}

fn sources(criterion: &mut Criterion) {
    if let Err(error) = attributes(criterion).and_then(|()| records(criterion)) {
        eprintln!("sources: {error}");
        std::process::exit(1);
    }
}

criterion_group!(benches, sources);
criterion_main!(benches);
