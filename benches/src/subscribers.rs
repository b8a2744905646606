//! Subscribers of a Custom Event Bus with a filter in each scope, made of the rules over events of AWS services; and the same
//! filters as one pattern each, over one text that has the three parts.

use eventrie::service::{BusEvent, FilterConfiguration, Migrated, Publisher, Subscription, SubscriptionSet};
use eventrie::{Dialect, Matcher, Pattern};

type Anything<T> = Result<T, Box<dyn std::error::Error>>;

/// How many tenants share the bus: each subscriber receives the events of one.
const TENANTS: usize = 8;

/// The two ways to match the same filters.
pub struct Ways {
    /// Three parts, as they come.
    pub set: SubscriptionSet,
    /// One text.
    pub matcher: Matcher,
}

/// An event in both forms.
pub struct Delivered {
    /// The data is the event as it was.
    pub parts: BusEvent<'static>,
    /// The three parts as one JSON text.
    pub text: Vec<u8>,
}

/// Makes a subscriber of each rule.
///
/// # Errors
/// If a rule is none, or there are too many.
pub fn ways(rules: &[String]) -> Anything<Ways> {
    let (mut subscribers, mut patterns) = (Vec::with_capacity(rules.len()), Vec::with_capacity(rules.len()));
    for (at, rule) in rules.iter().enumerate() {
        let migrated = Migrated::of(&Pattern::parse(rule, Dialect::EventBridge)?, Publisher::PutEvents)?;
        let mut filters = migrated.configuration().filters().to_vec();
        for (dialect, text) in [
            (Dialect::EventsV2SystemMetadata, r#"{"aws:DeliveryType":["LIVE"]}"#.to_owned()),
            (Dialect::EventsV2Metadata, format!(r#"{{"tenant":["t{}"]}}"#, at % TENANTS)),
            (Dialect::EventsV2Data, r#"{"source":[{"exists":true}]}"#.to_owned()),
        ] {
            if !filters.iter().any(|filter| filter.dialect() == dialect) {
                filters.push(Pattern::parse(&text, dialect)?);
            }
        }
        let named: Vec<String> =
            filters.iter().filter_map(|filter| Some(format!("\"{}\":{filter}", filter.dialect().scope()?))).collect();
        patterns.push(Pattern::parse(&format!("{{{}}}", named.join(",")), Dialect::EventBridge)?);
        subscribers.push((at, Subscription::subscriber(FilterConfiguration::new(filters)?)));
    }
    Ok(Ways { set: SubscriptionSet::new(subscribers)?, matcher: Matcher::new(patterns)? })
}

/// The events as a bus delivers them.
///
/// # Errors
/// If one is not JSON.
pub fn delivered(events: &[Vec<u8>]) -> Anything<Vec<Delivered>> {
    let mut all = Vec::with_capacity(events.len());
    for (at, event) in events.iter().enumerate() {
        let fields: serde_json::Value = serde_json::from_slice(event)?;
        let field = |name: &str| fields.get(name).and_then(serde_json::Value::as_str).unwrap_or("").to_owned();
        let tenant = format!("t{}", at % TENANTS);
        let system = [
            ("ContentType", "application/eventbridge+json".to_owned()),
            ("EventGroupId", format!("g-{}", at % 100)),
            ("aws:EventId", field("id")),
            ("aws:IngestionTime", "2026-11-03T10:15:30.123Z".to_owned()),
            ("aws:SequenceNumber", at.to_string()),
            ("aws:DeliveryType", "LIVE".to_owned()),
            ("aws:Source", field("source")),
            ("aws:DetailType", field("detail-type")),
        ];
        let mut parts = BusEvent::new(event.clone()).metadata("tenant", tenant.clone());
        for (key, value) in &system {
            parts = parts.system_metadata(*key, value.clone());
        }
        let system: serde_json::Map<String, serde_json::Value> =
            system.into_iter().map(|(key, value)| (key.to_owned(), value.into())).collect();
        let (system, metadata) = (serde_json::Value::from(system), serde_json::json!({ "tenant": tenant }));
        let mut text = format!("{{\"SYSTEM_METADATA\":{system},\"METADATA\":{metadata},\"DATA\":").into_bytes();
        text.extend_from_slice(event);
        text.push(b'}');
        all.push(Delivered { parts, text });
    }
    Ok(all)
}
