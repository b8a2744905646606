//! What is proposed for the inputs of a service matches them, as the service reads them.

use eventrie::service::{Decoder, Source, Subscription, SubscriptionScratch, unfiltered};
use eventrie::{Dialect, ParseOptions, Pattern};

/// What people have: events in every shape, and shapes that are nearly those.
const INPUTS: &[&str] = &[
    r"{}",
    r#"{"type":"x"}"#,
    r#"{"type":"x","":{"a":"b"},"a.b":"c","$or":"d","wildcard":"e"}"#,
    r#"{"type":"x","list":[{"kind":"a","state":"b"},{"kind":"c"}],"n":1,"z":null,"t":true}"#,
    r#"{"type":"x","type":"y"}"#,
    r#"{"version":"0","id":"1","source":"shop","detail-type":"order","account":"1","region":"r","detail":{"type":"x"}}"#,
    // Entries of PutEvents and PutRawEvents, and events in three parts.
    r#"{"Source":"s","DetailType":"d","Detail":"{\"type\":\"x\"}"}"#,
    r#"{"Source":"s","DetailType":"d","Detail":"{}","SystemMetadata":{"type":"x","aws:Source":"y"}}"#,
    r#"{"Entries":[{"Source":"s","DetailType":"d","Detail":"{\"type\":\"x\"}"},{"Source":"s","DetailType":"d"}]}"#,
    r#"{"Data":{"type":"x"},"Metadata":{"k":"v","type":"m"},"SystemMetadata":{"aws:EventId":"1","ContentType":"application/json"}}"#,
    r#"{"Data":{"type":"x"},"Metadata":{"type":"m","type":"o"},"SystemMetadata":{"aws:EventId":"1"}}"#,
    r#"{"Data":{"type":"x"},"SystemMetadata":{"aws:EventId":"1","ContentType":"text/plain"}}"#,
    r#"{"Data":[1],"Metadata":{"k":"v"},"SystemMetadata":{"aws:EventId":"1","type":"x"}}"#,
    r#"{"Data":"eyJ0eXBlIjoieCJ9","Metadata":{"k":"v"},"SystemMetadata":{"ContentType":"application/json"}}"#,
    r#"{"Data":"//8=","SystemMetadata":{"ContentType":"application/avro"}}"#,
    // Messages.
    r#"{"Message":"{\"type\":\"x\"}","MessageAttributes":{"type":{"Type":"String","Value":"b"}}}"#,
    r#"{"Type":"Notification","Message":"plain"}"#,
    r#"{"Message":"[1]","MessageAttributes":{"type":{"Type":"Binary","Value":"AA=="}}}"#,
    r#"{"MessageAttributes":{"type":{"Type":"String.Array","Value":"[\"a\",1,null]"},"n":{"Type":"Number","Value":"1"}}}"#,
    r#"{"MessageAttributes":{"type":{"Type":"String","Value":"say \"x\""}}}"#,
    r#"{"MessageAttributes":null,"type":"x"}"#,
    // Records.
    r#"{"messageId":"1","body":"{\"type\":\"x\"}","eventSource":"aws:sqs","awsRegion":"r"}"#,
    r#"{"messageId":"1","body":"plain","eventSource":"aws:sqs"}"#,
    r#"{"body":"[1]","eventSource":"aws:sqs"}"#,
    r#"{"body":{"type":"x"},"type":"y"}"#,
    r#"{"body":5}"#,
    r#"{"Records":[{"body":"{\"type\":\"x\"}"},{"body":"{\"type\":\"x\",\"a\":1}"}]}"#,
    r#"{"data":"eyJ0eXBlIjoieCJ9","partitionKey":"1","type":"y"}"#,
    r#"{"data":"//8=","type":"y"}"#,
    r#"{"data":"cGxhaW4=","type":"y","state":"z"}"#,
    r#"{"kinesis":{"data":"eyJ0eXBlIjoieCJ9","partitionKey":"p"},"eventSource":"aws:kinesis"}"#,
    r#"{"kinesis":{"data":"//8=","kind":"a"},"eventSource":"aws:kinesis"}"#,
    r#"{"eventName":"INSERT","eventSource":"aws:dynamodb","dynamodb":{"NewImage":{"type":{"S":"x"}},"StreamViewType":"KEYS"}}"#,
    r#"{"topic":"t","key":"//8=","value":"eyJ0eXBlIjoieCJ9","timestampType":"CREATE_TIME"}"#,
    r#"{"topic":"t","key":"cGxhaW4=","value":"bm90IGpzb24=","type":"x"}"#,
    r#"{"topic":"t","value":"WzFd","headers":[{"type":[1,2]}]}"#,
];

fn all() -> impl Iterator<Item = (Dialect, Option<Source>)> {
    let sources = |dialect: &Dialect| match dialect {
        Dialect::Pipes | Dialect::Lambda => Source::ALL.iter().copied().map(Some).collect(),
        _ => vec![None],
    };
    Dialect::ALL.iter().flat_map(move |dialect| sources(dialect).into_iter().map(|source| (*dialect, source)))
}

/// The inputs inside a string; none if the service cannot read all of them.
fn readable(decoder: Decoder, text: &str) -> Option<Vec<&[u8]>> {
    let bytes = text.as_bytes();
    if decoder.events(bytes).ok()?.iter().any(Result::is_err) {
        return None;
    }
    let places = decoder.inputs(bytes).unwrap_or_else(|| std::iter::once(0..bytes.len()).collect());
    Some(places.into_iter().map(|place| &bytes[place]).collect())
}

#[test]
fn a_proposal_matches_its_inputs_as_the_service_reads_them() {
    for (dialect, source) in all() {
        let decoder = Decoder::new(dialect, source).unwrap();
        let options = ParseOptions::new(dialect).service_limits(true);
        let groups: Vec<Vec<&[u8]>> = INPUTS.iter().filter_map(|text| readable(decoder, text)).collect();
        let mut proposals = 0;
        for (at, one) in groups.iter().enumerate() {
            for other in &groups[at..] {
                let inputs: Vec<&[u8]> = one.iter().chain(other).copied().collect();
                let shown = || inputs.iter().map(|input| String::from_utf8_lossy(input)).collect::<Vec<_>>();
                let inferred = decoder.infer(inputs.iter().copied()).unwrap();
                assert_eq!(inferred.pattern == "{}", !inferred.choices.iter().any(|choice| choice.kept));
                if inferred.pattern == "{}" {
                    continue;
                }
                proposals += 1;
                let pattern = Pattern::parse_with(&inferred.pattern, &options);
                let pattern = pattern.unwrap_or_else(|error| panic!("{dialect} {}: {error}", inferred.pattern));
                if let Some(source) = source {
                    assert_eq!(unfiltered(&pattern, source), [], "{dialect} {source} {}", inferred.pattern);
                }
                let subscription = Subscription::new([pattern], &options, source).unwrap();
                for input in &inputs {
                    let outcome = subscription.judge(*input, &mut SubscriptionScratch::default());
                    assert!(
                        outcome.is_ok_and(|outcome| outcome.matched),
                        "{dialect} {source:?}: {} misses {}; all of {:?}",
                        inferred.pattern,
                        String::from_utf8_lossy(input),
                        shown(),
                    );
                }
            }
        }
        assert!(proposals >= 3, "{dialect} {source:?}: {proposals} of {} groups", groups.len());
    }
}

#[test]
fn the_part_of_an_event_that_the_scope_names() {
    let infer = |dialect, texts: &[&str]| {
        let decoder = Decoder::new(dialect, None).unwrap();
        decoder.infer(texts.iter().map(|text| text.as_bytes())).map(|inferred| inferred.pattern)
    };
    let (data, metadata, system) = (Dialect::EventsV2Data, Dialect::EventsV2Metadata, Dialect::EventsV2SystemMetadata);
    let entry = |source: &str| format!(r#"{{"Source":"{source}","DetailType":"d","Detail":"{{\"type\":\"x\"}}"}}"#);
    let (one, two) = (entry("s"), entry("s"));
    let of_system = infer(system, &[&one, &two]).unwrap();
    assert_eq!(
        of_system,
        r#"{"ContentType":["application/eventbridge+json"],"aws:DetailType":["d"],"aws:Source":["s"]}"#
    );
    assert_eq!(infer(system, &[&one]).unwrap(), of_system);
    assert_eq!(infer(data, &[&one, &two]).unwrap(), r#"{"source":["s"],"detail-type":["d"],"detail":{"type":["x"]}}"#);
    assert_eq!(infer(metadata, &[&one, &two]).unwrap(), "{}", "PutEvents adds no metadata");
    let parts = r#"{"Data":{"m":"x"},"Metadata":{"k":"v"},"SystemMetadata":{"aws:EventId":"1","ContentType":"application/json"}}"#;
    assert_eq!(infer(metadata, &[parts]).unwrap(), r#"{"k":["v"]}"#);
    assert_eq!(infer(data, &[parts, parts]).unwrap(), r#"{"m":["x"]}"#);
    assert_eq!(infer(system, &[parts]).unwrap(), r#"{"ContentType":["application/json"]}"#);
    let opaque = r#"{"Data":{"m":"x"},"SystemMetadata":{"aws:EventId":"1","ContentType":"text/plain"}}"#;
    assert_eq!(infer(data, &[parts, opaque]).unwrap_err().event(), 1);
}

/// Fields that Lambda does not filter on are no part of a proposal, and the reason is said.
#[test]
fn fields_that_are_not_filtered() {
    let decoder = Decoder::new(Dialect::Lambda, Source::Sqs).unwrap();
    let record = r#"{"messageId":"1","body":"{\"type\":\"x\"}","eventSource":"aws:sqs"}"#;
    let inferred = decoder.infer([record.as_bytes()]).unwrap();
    assert_eq!(inferred.pattern, r#"{"body":{"type":["x"]}}"#);
    let choice = inferred.choices.iter().find(|choice| choice.path == "eventSource").unwrap();
    assert_eq!((choice.kept, choice.reason.as_str()), (false, "Lambda does not filter SQS records on it"));
    let pipes = Decoder::new(Dialect::Pipes, Source::Sqs).unwrap().infer([record.as_bytes()]).unwrap();
    assert_eq!(pipes.pattern, r#"{"body":{"type":["x"]},"eventSource":["aws:sqs"]}"#);
}
