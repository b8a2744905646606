//! Tests of a Lambda event filter: what reaches the function, and what happens to the rest.
//!
//! `cargo run --example lambda_filter`; in a package of your own each case is a `#[test]`.

use std::error::Error;

use eventrie::service::{Cause, Effect, Source, Subscription, SubscriptionScratch};
use eventrie::{Dialect, ParseOptions};

/// The `FilterCriteria` of the event source mapping, as in its template.
const FILTER_CRITERIA: &str = r#"{"Filters": [
    {"Pattern": "{\"body\": {\"kind\": [\"order\"], \"total\": [{\"numeric\": [\">\", 0]}]}}"}
]}"#;

fn main() -> Result<(), Box<dyn Error>> {
    // `service_limits`: what Lambda would reject on deployment is an error here.
    let options = ParseOptions::new(Dialect::Lambda).service_limits(true);
    let filter = Subscription::parse(FILTER_CRITERIA, &options, Source::Sqs)?;
    let mut scratch = SubscriptionScratch::default();

    let order = r#"{"messageId": "1", "body": "{\"kind\": \"order\", \"total\": 12.5}"}"#;
    let outcome = filter.judge(order, &mut scratch)?;
    assert!(outcome.matched, "{}", filter.explain(order)?.summary());

    // SQS deletes what the filter rejects: a test that names the effect shows it to the next reader.
    let free = r#"{"messageId": "2", "body": "{\"kind\": \"order\", \"total\": 0}"}"#;
    let outcome = filter.judge(free, &mut scratch)?;
    assert_eq!((outcome.matched, outcome.effect), (false, Effect::MessageDeleted));
    println!("free order: {}", filter.explain(free)?.summary());

    // A body that is not JSON never matches a filter that tests fields inside it.
    let plain = r#"{"messageId": "3", "body": "order 12.5"}"#;
    let outcome = filter.judge(plain, &mut scratch)?;
    assert_eq!(outcome.cause, Some(Cause::PayloadIsNotJson { field: "body" }));
    println!("plain text: {outcome}");
    Ok(())
}
