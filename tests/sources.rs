//! SNS messages and records of queues and streams, against what was recorded, documented and reported.

use eventrie::service::{
    AttributeType, Cause, Effect, Input, SnsCause, SnsMessage, Source, Subscription, SubscriptionScratch,
    SubscriptionSet,
};
use eventrie::{Dialect, ParseOptions, Pattern};
use serde_json::Value;

use crate::row::{Expect, Row, files, folder, read};

/// What happens to a vector's message or record.
pub(crate) fn answer(row: &Row) -> Expect {
    let Ok(subscription) = Subscription::parse(row.pattern(), &row.options(), row.source) else {
        return Expect::Invalid;
    };
    let mut scratch = SubscriptionScratch::default();
    let outcome = if matches!(row.dialect, Dialect::SnsAttributes | Dialect::SnsBody) {
        let message = SnsMessage::new(row.event.as_deref().unwrap_or(""));
        let attributes = row.attributes.iter().cloned();
        let message = attributes.fold(message, |message, (name, kind, value)| message.attribute(name, kind, value));
        agrees(&subscription, Input::from(&message));
        subscription.judge(&message, &mut scratch)
    } else {
        let record = row.event.as_deref().expect("only of refused filters there is no record");
        agrees(&subscription, Input::from(record));
        subscription.judge(record, &mut scratch)
    };
    let matched = outcome.unwrap().matched;
    if matched { Expect::Match } else { Expect::NoMatch }
}

/// The explainer finds the same answer as the automaton.
fn agrees(subscription: &Subscription, input: Input<'_>) {
    let report = subscription.explain(input).unwrap();
    let outcome = subscription.judge(input, &mut SubscriptionScratch::default()).unwrap();
    assert_eq!(report.outcome(), outcome);
    let verdict = if outcome.matched { "match: " } else { "no match: " };
    assert!(report.summary().starts_with(verdict), "{}", report.summary());
    // Kafka and MQ ignore parts of a filter, which its text alone does not say.
    let lenient = matches!(subscription.source(), Some(Source::Kafka | Source::Mq));
    if report.event().is_some() && !lenient && !subscription.patterns().is_empty() && !subscription_drops(outcome.cause)
    {
        assert_eq!(report.explanations().any(|(_, one)| one.matched()), outcome.matched, "{}", report.summary());
    }
}

/// Whether a record was dropped for the kind of its payload.
fn subscription_drops(cause: Option<Cause>) -> bool {
    matches!(cause, Some(Cause::PayloadIsJson { .. } | Cause::PayloadIsNotJson { .. }))
}

fn judge(filters: &str, source: Source, record: &str) -> Result<Vec<usize>, Cause> {
    let subscription = Subscription::parse(filters, &ParseOptions::new(Dialect::Lambda), source).unwrap();
    let set = SubscriptionSet::new([((), subscription)]).unwrap();
    let mut scratch = SubscriptionScratch::default();
    let verdict = set.judge(record, &mut scratch).unwrap();
    match verdict.outcome().cause {
        None => Ok(verdict.filters().map(|(_, filter)| filter).collect()),
        Some(cause) => {
            assert_eq!(verdict.outcome().effect, source.effect());
            Err(cause)
        }
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
    let field = "body";
    assert_eq!(sqs(plain, "text"), Ok(vec![0]));
    assert_eq!(sqs(plain, "other"), Err(Cause::NoPatternMatched));
    assert_eq!(sqs(plain, r#"{"a":"x"}"#), Err(Cause::PayloadIsJson { field }));
    assert_eq!(sqs(plain, r#""text""#), Err(Cause::PayloadIsJson { field }));
    assert_eq!(sqs(json, "text"), Err(Cause::PayloadIsNotJson { field }));
    assert_eq!(sqs(r#"{"body":{"a":[{"exists":false}]}}"#, "text"), Err(Cause::PayloadIsNotJson { field }));
    assert_eq!(sqs(json, r#" {"a":"x"} "#), Ok(vec![0]));
    assert_eq!(sqs(json, r#"[{"a":"x"}]"#), Err(Cause::NoPatternMatched));
    assert_eq!(sqs(r#"{"messageId":[{"exists":false}]}"#, "{"), Ok(vec![0]));

    let data = r#"{"data":{"a":["x"]}}"#;
    let stream = |pattern: &str, data: &str| {
        judge(
            pattern,
            Source::Kinesis,
            &format!(r#"{{"kinesis":{{"partitionKey":"1","data":"{data}"}},"eventID":"e"}}"#),
        )
    };
    let field = "data";
    assert_eq!(stream(data, "eyJhIjoieCJ9"), Ok(vec![0]));
    assert_eq!(stream(r#"{"kinesis":{"data":{"a":["x"]},"partitionKey":["1"]}}"#, "eyJhIjoieCJ9"), Ok(vec![0]));
    assert_eq!(stream(r#"{"partitionKey":["1"],"eventID":["e"]}"#, "????"), Ok(vec![0]));
    assert_eq!(stream(data, "eA=="), Err(Cause::PayloadIsNotJson { field }));
    assert_eq!(stream(data, "????"), Err(Cause::PayloadIsNotJson { field }));

    let topic = |pattern: &str, key: &str, value: &str| {
        judge(pattern, Source::Kafka, &format!(r#"{{"topic":"t","key":{key},"value":{value}}}"#))
    };
    let (x, a_x, not_text) = (r#""eA==""#, r#""eyJhIjoieCJ9""#, r#""/w==""#);
    assert_eq!(topic(r#"{"value":["x"]}"#, "null", x), Ok(vec![0]));
    assert_eq!(topic(r#"{"value":["y"]}"#, "null", x), Err(Cause::NoPatternMatched));
    assert_eq!(topic(r#"{"value":["y"]}"#, "null", a_x), Ok(vec![0]));
    assert_eq!(topic(r#"{"value":["y"],"topic":["u"]}"#, "null", a_x), Err(Cause::NoPatternMatched));
    assert_eq!(topic(r#"{"value":["y"]}"#, "null", not_text), Ok(vec![0]));
    assert_eq!(topic(r#"{"value":{"a":["y"]}}"#, "null", x), Ok(vec![0]));
    assert_eq!(topic(r#"{"value":{"a":["y"]}}"#, "null", a_x), Err(Cause::NoPatternMatched));
    assert_eq!(topic(r#"{"value":{"a":["x"]},"key":["k"]}"#, x, a_x), Err(Cause::NoPatternMatched));
    assert_eq!(topic(r#"{"value":{"a":["x"]},"key":["x"]}"#, x, a_x), Ok(vec![0]));
    assert_eq!(topic(r#"{"value":{"a":["x"]},"key":["k"]}"#, a_x, a_x), Ok(vec![0]));
    assert_eq!(topic(r#"{"value":{"a":["y"]},"key":["k"]}"#, a_x, x), Ok(vec![0]));
    assert_eq!(topic(r#"{"value":{"a":["x"]}}"#, "null", "null"), Err(Cause::NoPatternMatched));

    let table = |pattern: &str| {
        judge(pattern, Source::DynamoDb, r#"{"eventName":"INSERT","dynamodb":{"Keys":{"id":{"N":"5"}}}}"#)
    };
    assert_eq!(table(r#"{"dynamodb":{"Keys":{"id":{"N":["5"]}}},"eventName":["INSERT"]}"#), Ok(vec![0]));
    assert_eq!(table(r#"{"dynamodb":{"Keys":{"id":{"N":[5]}}}}"#), Err(Cause::NoPatternMatched));
}

#[test]
fn filters_are_alternatives_each_by_its_own_row() {
    let filters = set(&[r#"{"body":{"a":["x"]}}"#, r#"{"body":["text"]}"#, r#"{"messageId":["1"]}"#]);
    let sqs = |record: &str| judge(&filters, Source::Sqs, record);
    assert_eq!(sqs(r#"{"messageId":"1","body":"{\"a\":\"x\"}"}"#), Ok(vec![0, 2]));
    assert_eq!(sqs(r#"{"messageId":"1","body":"text"}"#), Ok(vec![1, 2]));
    assert_eq!(sqs(r#"{"messageId":"2","body":"text"}"#), Ok(vec![1]));
    assert_eq!(sqs(r#"{"messageId":"2","body":"?"}"#), Err(Cause::NoPatternMatched));
    assert_eq!(judge(r#"{"Filters":[]}"#, Source::Sqs, "{}"), Ok(vec![]));
}

#[test]
fn hostile_records_are_errors_or_answers() {
    let options = ParseOptions::new(Dialect::Lambda);
    let filter = Subscription::parse(r#"{"body":{"a":["x"]}}"#, &options, Source::Sqs).unwrap();
    let mut scratch = SubscriptionScratch::default();
    for record in ["", "[]", "{", r#"{"body":"\"}"#, "{\"body\":\"x\"}}", "\u{feff}{}", r#""x""#] {
        assert!(filter.judge(record.as_bytes(), &mut scratch).is_err(), "{record}");
    }
    assert!(filter.judge(b"{\"body\":\"\xff\"}", &mut scratch).is_err());
    for body in [r"\ud800", r"{\u0022a\u0022:\u0022x", &"[".repeat(5_000), &"{\\\"a\\\":".repeat(5_000)] {
        let record = format!(r#"{{"body":"{body}"}}"#);
        assert!(!filter.judge(record.as_bytes(), &mut scratch).unwrap().matched);
    }
    assert!(filter.judge(br#"{"body":"{\u0022a\u0022:\u0022x\u0022}"}"#, &mut scratch).unwrap().matched);
}

#[test]
fn subscriptions_and_their_causes() {
    let options = ParseOptions::new(Dialect::SnsAttributes);
    let parse = |text: &str| Subscription::parse(text, &options, None).unwrap();
    let policy = parse(r#"{"a":["x"]}"#);
    let mut scratch = SubscriptionScratch::default();
    let plain = SnsMessage::new("");
    let string = |value: &str| plain.clone().attribute("a", AttributeType::String, value);
    let number = |value: &str| plain.clone().attribute("a", AttributeType::Number, value);
    let mut judge = |message: &SnsMessage| policy.judge(message, &mut scratch).unwrap().cause;
    assert_eq!(judge(&string("x")), None);
    assert_eq!(judge(&string(r"\u0078")), None);
    assert_eq!(judge(&string("y")), Some(Cause::Sns(SnsCause::MessageAttributes)));
    assert_eq!(judge(&plain), Some(Cause::Sns(SnsCause::NoMessageAttributes)));
    assert_eq!(
        judge(&plain.clone().attribute("a", AttributeType::Binary, "eA==")),
        Some(Cause::Sns(SnsCause::NoMessageAttributes))
    );
    for bad in [string("x\""), string(r"\"), string("\n"), number("x"), number("1,2"), number("01"), number("")] {
        assert_eq!(judge(&bad), Some(Cause::Sns(SnsCause::InvalidAttributes)), "{bad:?}");
    }
    // A value cannot smuggle in another attribute.
    let smuggled = plain.clone().attribute("b", AttributeType::String, r#"","a":"x"#);
    assert_eq!(judge(&smuggled), Some(Cause::Sns(SnsCause::InvalidAttributes)));

    let none = Subscription::new([], &options, None).unwrap();
    let absent = parse(r#"{"a":[{"exists":false}]}"#);
    let set = SubscriptionSet::new([("x", policy.clone()), ("{}", parse("{}")), ("absent", absent), ("none", none)]);
    let set = set.unwrap();
    let keys = |message: &SnsMessage| {
        let mut scratch = SubscriptionScratch::default();
        set.judge(message, &mut scratch).unwrap().keys().copied().collect::<Vec<_>>()
    };
    // SNS does not ask a policy about a message without attributes.
    assert_eq!(keys(&plain), ["{}", "none"]);
    assert_eq!(keys(&string("x")), ["x", "{}", "none"]);
    assert_eq!(keys(&plain.clone().attribute("b", AttributeType::Number, "1")), ["{}", "absent", "none"]);
    let report = parse(r#"{"a":[{"exists":false}]}"#).explain(&plain).unwrap();
    assert!(report.event().is_none() && report.summary().starts_with("no match: the message has no attributes"));
    assert_eq!(report.outcome().effect, Effect::NotDelivered);

    let body = ParseOptions::new(Dialect::SnsBody);
    let body = Subscription::parse(r#"{"a":[{"exists":false}]}"#, &body, None).unwrap();
    let mut scratch = SubscriptionScratch::default();
    let mut judge = |text: &str| body.judge(&SnsMessage::new(text), &mut scratch).unwrap();
    assert!(judge("{}").matched && judge(r#"{"b":1}"#).matched && !judge(r#"{"a":1}"#).matched);
    for text in ["", "plain", "\"text\"", "[]", "5", "{", "{} x"] {
        assert_eq!(judge(text).cause, Some(Cause::Sns(SnsCause::InvalidMessageBody)), "{text}");
    }
    // As delivered to a queue, and the body alone.
    for (text, matched) in [(r#"{"Message":"{\"a\":1}"}"#, false), (r#"{"Message":"{}"}"#, true), (r#"{"a":1}"#, false)]
    {
        assert_eq!(body.judge(text, &mut SubscriptionScratch::default()).unwrap().matched, matched, "{text}");
    }
    let error = SubscriptionSet::new([(0, policy), (1, body)]).unwrap_err();
    assert_eq!(error.subscription(), Some(1));
    assert!(error.to_string().contains("bodies of SNS messages"), "{error}");
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

#[test]
fn nothing_passes_a_set_without_subscriptions() {
    let set = SubscriptionSet::<usize>::new([]).unwrap();
    let mut scratch = SubscriptionScratch::default();
    assert!(!set.judge(&SnsMessage::new("hello"), &mut scratch).unwrap().is_match());
    assert!(!set.judge(r#"{"source": "shop"}"#, &mut scratch).unwrap().is_match());
}
