//! SNS messages and records of queues and streams, against what was recorded, documented and reported.

use eventrie::service::{
    AttributeType, FilterSet, RecordFilter, RecordOutcome, RecordReason, RecordScratch, SnsCause, SnsFilter,
    SnsMessage, SnsOutcome, SnsScratch, Source,
};
use eventrie::{Dialect, Pattern};
use serde_json::Value;

use crate::row::{Expect, Row, corpus, files, folder, read};

/// Rows that are only reported and contradict the specification, with the reason. None is needed so far.
const CONTRADICTED: [(&str, &str); 0] = [];

/// What becomes of a vector's message or record.
fn answer(row: &Row) -> Expect {
    let matched = if matches!(row.dialect, Dialect::SnsAttributes | Dialect::SnsBody) {
        let Ok(pattern) = Pattern::parse_with(row.pattern(), &row.options()) else { return Expect::Invalid };
        let filter = SnsFilter::new([pattern]).unwrap();
        let message = SnsMessage::new(row.event.as_deref().unwrap_or(""));
        let attributes = row.attributes.iter().cloned();
        let message = attributes.fold(message, |message, (name, kind, value)| message.attribute(name, kind, value));
        filter.judge(&message, &mut SnsScratch::default()).unwrap().is_match()
    } else {
        let Ok(filters) = FilterSet::parse(row.pattern(), &row.options()) else { return Expect::Invalid };
        let Ok(filter) = RecordFilter::new(&filters, row.source.unwrap()) else { return Expect::Invalid };
        let record = row.event.as_deref().expect("only of refused filters there is no record");
        filter.judge(record.as_bytes(), &mut RecordScratch::default()).unwrap().is_match()
    };
    if matched { Expect::Match } else { Expect::NoMatch }
}

#[test]
fn the_corpus_answers() {
    for name in [
        "sns-recorded.jsonl",
        "records-recorded.jsonl",
        "sns-reported.jsonl",
        "records-reported.jsonl",
        "field-reports.jsonl",
    ] {
        let mut checked = 0;
        for row in corpus(&[name]) {
            if row.dialect != Dialect::EventBridge && !CONTRADICTED.iter().any(|(id, _)| *id == row.id) {
                assert_eq!(answer(&row), row.expect, "{}: {row:?}", row.id);
                checked += 1;
            }
        }
        println!("{name}: {checked} rows");
    }
}

fn judge(filters: &str, source: Source, record: &str) -> Result<Vec<usize>, RecordReason> {
    let filters = FilterSet::parse(filters, &eventrie::ParseOptions::new(Dialect::Lambda)).unwrap();
    let filter = RecordFilter::new(&filters, source).unwrap();
    match filter.judge(record.as_bytes(), &mut RecordScratch::default()).unwrap() {
        RecordOutcome::Matched(filters) => Ok(filters.to_vec()),
        RecordOutcome::Filtered(reason) => Err(reason),
    }
}

fn set(patterns: &[&str]) -> String {
    let filters: Vec<Value> = patterns.iter().map(|pattern| serde_json::json!({ "Pattern": pattern })).collect();
    serde_json::json!({ "Filters": filters }).to_string()
}

/// The table of pattern, payload and source, row by row.
#[test]
fn the_format_table() {
    let (plain, json) = (r#"{"body":["text"]}"#, r#"{"body":{"a":["x"]}}"#);
    let sqs = |pattern: &str, body: &str| judge(pattern, Source::Sqs, &serde_json::json!({ "body": body }).to_string());
    let (source, field) = (Source::Sqs, "body");
    assert_eq!(sqs(plain, "text"), Ok(vec![0]));
    assert_eq!(sqs(plain, "other"), Err(RecordReason::NoPatternMatched { source }));
    assert_eq!(sqs(plain, r#"{"a":"x"}"#), Err(RecordReason::IsJson { source, field }));
    assert_eq!(sqs(plain, r#""text""#), Err(RecordReason::IsJson { source, field }));
    assert_eq!(sqs(json, "text"), Err(RecordReason::NotJson { source, field }));
    assert_eq!(sqs(r#"{"body":{"a":[{"exists":false}]}}"#, "text"), Err(RecordReason::NotJson { source, field }));
    assert_eq!(sqs(json, r#" {"a":"x"} "#), Ok(vec![0]));
    assert_eq!(sqs(json, r#"[{"a":"x"}]"#), Err(RecordReason::NoPatternMatched { source }));
    assert_eq!(sqs(r#"{"messageId":[{"exists":false}]}"#, "{"), Ok(vec![0]));

    let data = r#"{"data":{"a":["x"]}}"#;
    let stream = |pattern: &str, data: &str| {
        judge(
            pattern,
            Source::Kinesis,
            &format!(r#"{{"kinesis":{{"partitionKey":"1","data":"{data}"}},"eventID":"e"}}"#),
        )
    };
    let (source, field) = (Source::Kinesis, "data");
    assert_eq!(stream(data, "eyJhIjoieCJ9"), Ok(vec![0]));
    assert_eq!(stream(r#"{"kinesis":{"data":{"a":["x"]},"partitionKey":["1"]}}"#, "eyJhIjoieCJ9"), Ok(vec![0]));
    assert_eq!(stream(r#"{"partitionKey":["1"],"eventID":["e"]}"#, "????"), Ok(vec![0]));
    assert_eq!(stream(data, "eA=="), Err(RecordReason::NotJson { source, field }));
    assert_eq!(stream(data, "????"), Err(RecordReason::NotJson { source, field }));

    let topic = |pattern: &str, key: &str, value: &str| {
        judge(pattern, Source::Kafka, &format!(r#"{{"topic":"t","key":{key},"value":{value}}}"#))
    };
    let source = Source::Kafka;
    let (x, a_x, not_text) = (r#""eA==""#, r#""eyJhIjoieCJ9""#, r#""/w==""#);
    assert_eq!(topic(r#"{"value":["x"]}"#, "null", x), Ok(vec![0]));
    assert_eq!(topic(r#"{"value":["y"]}"#, "null", x), Err(RecordReason::NoPatternMatched { source }));
    assert_eq!(topic(r#"{"value":["y"]}"#, "null", a_x), Ok(vec![0]));
    assert_eq!(topic(r#"{"value":["y"],"topic":["u"]}"#, "null", a_x), Err(RecordReason::NoPatternMatched { source }));
    assert_eq!(topic(r#"{"value":["y"]}"#, "null", not_text), Ok(vec![0]));
    assert_eq!(topic(r#"{"value":{"a":["y"]}}"#, "null", x), Ok(vec![0]));
    assert_eq!(topic(r#"{"value":{"a":["y"]}}"#, "null", a_x), Err(RecordReason::NoPatternMatched { source }));
    assert_eq!(topic(r#"{"value":{"a":["x"]},"key":["k"]}"#, x, a_x), Err(RecordReason::NoPatternMatched { source }));
    assert_eq!(topic(r#"{"value":{"a":["x"]},"key":["x"]}"#, x, a_x), Ok(vec![0]));
    assert_eq!(topic(r#"{"value":{"a":["x"]},"key":["k"]}"#, a_x, a_x), Ok(vec![0]));
    assert_eq!(topic(r#"{"value":{"a":["y"]},"key":["k"]}"#, a_x, x), Ok(vec![0]));
    assert_eq!(topic(r#"{"value":{"a":["x"]}}"#, "null", "null"), Err(RecordReason::NoPatternMatched { source }));

    let table = |pattern: &str| {
        judge(pattern, Source::DynamoDb, r#"{"eventName":"INSERT","dynamodb":{"Keys":{"id":{"N":"5"}}}}"#)
    };
    assert_eq!(table(r#"{"dynamodb":{"Keys":{"id":{"N":["5"]}}},"eventName":["INSERT"]}"#), Ok(vec![0]));
    assert_eq!(
        table(r#"{"dynamodb":{"Keys":{"id":{"N":[5]}}}}"#),
        Err(RecordReason::NoPatternMatched { source: Source::DynamoDb })
    );
}

#[test]
fn filters_are_alternatives_each_by_its_own_row() {
    let filters = set(&[r#"{"body":{"a":["x"]}}"#, r#"{"body":["text"]}"#, r#"{"messageId":["1"]}"#]);
    let sqs = |record: &str| judge(&filters, Source::Sqs, record);
    assert_eq!(sqs(r#"{"messageId":"1","body":"{\"a\":\"x\"}"}"#), Ok(vec![0, 2]));
    assert_eq!(sqs(r#"{"messageId":"1","body":"text"}"#), Ok(vec![1, 2]));
    assert_eq!(sqs(r#"{"messageId":"2","body":"text"}"#), Ok(vec![1]));
    assert_eq!(sqs(r#"{"messageId":"2","body":"?"}"#), Err(RecordReason::NoPatternMatched { source: Source::Sqs }));
    assert_eq!(judge(r#"{"Filters":[]}"#, Source::Sqs, "{}"), Ok(vec![]));
}

#[test]
fn hostile_records_are_errors_or_answers() {
    let filters = FilterSet::parse(r#"{"body":{"a":["x"]}}"#, &eventrie::ParseOptions::new(Dialect::Lambda)).unwrap();
    let filter = RecordFilter::new(&filters, Source::Sqs).unwrap();
    let mut scratch = RecordScratch::default();
    for record in ["", "[]", "{", r#"{"body":"\"}"#, "{\"body\":\"x\"}}", "\u{feff}{}", r#""x""#] {
        assert!(filter.judge(record.as_bytes(), &mut scratch).is_err(), "{record}");
    }
    assert!(filter.judge(b"{\"body\":\"\xff\"}", &mut scratch).is_err());
    for body in [r"\ud800", r"{\u0022a\u0022:\u0022x", &"[".repeat(5_000), &"{\\\"a\\\":".repeat(5_000)] {
        let record = format!(r#"{{"body":"{body}"}}"#);
        assert!(!filter.judge(record.as_bytes(), &mut scratch).unwrap().is_match());
    }
    assert!(filter.judge(br#"{"body":"{\u0022a\u0022:\u0022x\u0022}"}"#, &mut scratch).unwrap().is_match());
}

#[test]
fn subscriptions_and_their_causes() {
    let parse = |text: &str| Pattern::parse(text, Dialect::SnsAttributes).unwrap();
    let filter = SnsFilter::new([parse(r#"{"a":["x"]}"#)]).unwrap();
    let mut scratch = SnsScratch::default();
    let plain = SnsMessage::new("");
    let string = |value: &str| plain.clone().attribute("a", AttributeType::String, value);
    let number = |value: &str| plain.clone().attribute("a", AttributeType::Number, value);
    let mut judge = |message: &SnsMessage| match filter.judge(message, &mut scratch).unwrap() {
        SnsOutcome::Delivered(_) => None,
        SnsOutcome::FilteredOut(cause) => Some(cause),
    };
    assert_eq!(judge(&string("x")), None);
    assert_eq!(judge(&string(r"\u0078")), None);
    assert_eq!(judge(&string("y")), Some(SnsCause::MessageAttributes));
    assert_eq!(judge(&plain), Some(SnsCause::NoMessageAttributes));
    assert_eq!(
        judge(&plain.clone().attribute("a", AttributeType::Binary, "eA==")),
        Some(SnsCause::NoMessageAttributes)
    );
    for bad in [string("x\""), string(r"\"), string("\n"), number("x"), number("1,2"), number("01"), number("")] {
        assert_eq!(judge(&bad), Some(SnsCause::InvalidAttributes), "{bad:?}");
    }
    // A value cannot smuggle in another attribute.
    let smuggled = plain.clone().attribute("b", AttributeType::String, r#"","a":"x"#);
    assert_eq!(judge(&smuggled), Some(SnsCause::InvalidAttributes));

    let filter = SnsFilter::new([parse(r#"{"a":["x"]}"#), parse("{}")]).unwrap();
    let ids = |outcome: SnsOutcome<'_>| match outcome {
        SnsOutcome::Delivered(ids) => ids.iter().map(|id| id.index()).collect::<Vec<_>>(),
        SnsOutcome::FilteredOut(cause) => panic!("{cause}"),
    };
    assert_eq!(ids(filter.judge(&plain, &mut scratch).unwrap()), [1]);
    assert_eq!(ids(filter.judge(&string("x"), &mut scratch).unwrap()), [0, 1]);
    assert_eq!(ids(filter.judge(&string("y"), &mut scratch).unwrap()), [1]);

    let body = SnsFilter::new([Pattern::parse(r#"{"a":[{"exists":false}]}"#, Dialect::SnsBody).unwrap()]).unwrap();
    let mut judge = |text: &str| body.judge(&SnsMessage::new(text), &mut scratch).unwrap().is_match();
    assert!(judge("{}") && judge(r#"{"b":1}"#) && !judge(r#"{"a":1}"#));
    for text in ["", "plain", "\"text\"", "[]", "5", "{", "{} x"] {
        let outcome = body.judge(&SnsMessage::new(text), &mut scratch).unwrap();
        assert_eq!(outcome, SnsOutcome::FilteredOut(SnsCause::InvalidMessageBody), "{text}");
    }
    assert!(SnsFilter::new([parse("{}"), Pattern::parse("{}", Dialect::SnsBody).unwrap()]).is_err());
}

#[test]
fn sns_takes_the_last_of_two_members_and_falls_back_to_plain_or() {
    let parse = |text: &str| Pattern::parse(text, Dialect::SnsBody);
    assert_eq!(parse(r#"{"d":{"a":[1]},"b":[2],"d":{"c":[3]}}"#).unwrap().to_string(), r#"{"d":{"c":[3]},"b":[2]}"#);
    assert_eq!(parse(r#"{"d":1,"d":[3]}"#).unwrap().to_string(), r#"{"d":[3]}"#);
    for plain in [r#"{"$or":["a","b"]}"#, r#"{"$or":{"a":["1"]}}"#, r#"{"$or":[{"numeric":["=",1]},{"prefix":"a"}]}"#] {
        assert_eq!(parse(plain).unwrap().to_string(), plain);
        assert!(Pattern::parse(plain, Dialect::EventBridge).is_err());
    }
    for (text, wanted) in [
        (r#"{"$or":[{"a":["1"]}]}"#, "Unrecognized match type a"),
        (r#"{"$or":[{"numeric":123},{"prefix":"abc"}]}"#, "Value of numeric must be an array."),
        (r#"{"$or":[]}"#, "Empty arrays are not allowed"),
        (r#"{"a":[]}"#, "Empty arrays are not allowed"),
        // The text is parsed as a whole before anything is compiled.
        (
            r#"{"a":[],x}"#,
            "failed to parse JSON. Unexpected character ('x' (code 120)): was expecting double-quote to start field name",
        ),
    ] {
        let message = parse(text).unwrap_err().service_message();
        assert_eq!(message.lines().next(), Some(&*format!("Invalid parameter: FilterPolicy: {wanted}")));
    }
}

#[test]
fn the_vectors_of_sns_pipes_and_lambda() {
    let (mut checked, mut wrong) = (0, Vec::new());
    for file in ["sns", "pipes", "lambda"].iter().flat_map(|name| files(&folder("spec-vectors").join(name))) {
        for row in read(&file) {
            checked += 1;
            let answer = answer(&row);
            if answer != row.expect {
                wrong.push(format!("{}: {answer:?}", row.id));
            }
            // What is refused for the number of filters has no pattern error.
            if let (Some(error), Err(said)) = (&row.error, Pattern::parse_with(row.pattern(), &row.options()))
                && said.service_message().lines().next() != Some(error)
            {
                wrong.push(format!("{}: {}", row.id, said.service_message()));
            }
        }
    }
    assert!(checked > 100 && wrong.is_empty(), "{} of {checked}:\n{}", wrong.len(), wrong.join("\n"));
}
