//! SNS fan-out: one topic, many subscriptions with filter policies, compiled into one automaton.
//!
//! `cargo run --example sns_fan_out`

use std::error::Error;

use eventrie::service::{AttributeType, SnsMessage, Subscription, SubscriptionScratch, SubscriptionSet};
use eventrie::{Dialect, ParseOptions};

/// The queues of the topic with their filter policies (`FilterPolicyScope` is `MessageAttributes`).
const POLICIES: [(&str, &str); 3] = [
    ("billing", r#"{"kind": ["order", "refund"]}"#),
    ("fraud", r#"{"kind": ["order"], "total": [{"numeric": [">=", 1000]}]}"#),
    ("europe", r#"{"region": [{"prefix": "eu-"}]}"#),
];

fn main() -> Result<(), Box<dyn Error>> {
    let options = ParseOptions::new(Dialect::SnsAttributes).service_limits(true);
    let mut subscriptions = Vec::new();
    for (queue, policy) in POLICIES {
        subscriptions.push((queue, Subscription::parse(policy, &options, None)?));
    }
    let explained = subscriptions.clone();
    let topic = SubscriptionSet::new(subscriptions)?;
    let mut scratch = SubscriptionScratch::default();

    let order = SnsMessage::new("{}").attribute("kind", AttributeType::String, "order").attribute(
        "total",
        AttributeType::Number,
        "1250.50",
    );
    let queues: Vec<&str> = topic.judge(&order, &mut scratch)?.keys().copied().collect();
    println!("order of 1250.50: {queues:?}");
    assert_eq!(queues, ["billing", "fraud"]);

    // What SNS counts is known too: a message that no subscription takes is filtered out, and the metric says why.
    let bare = SnsMessage::new("no attributes");
    let outcome = topic.judge(&bare, &mut scratch)?.outcome();
    println!("no attributes: {outcome}");
    assert_eq!(outcome.metric(), Some("NumberOfNotificationsFilteredOut-NoMessageAttributes"));

    // Why did a queue not get the message?
    for (queue, subscription) in explained {
        let report = subscription.explain(&order)?;
        println!("{queue}: {}", report.summary());
    }
    Ok(())
}
