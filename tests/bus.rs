//! Subscribers of a Custom Event Bus: the vectors, alone and together, and what explanations say.

use eventrie::event::ReadPolicy;
use eventrie::service::{
    BusEvent, Cause, Equivalence, FilterConfiguration, Migrated, Publisher, Subscription, SubscriptionScratch,
    SubscriptionSet, Unpublished,
};
use eventrie::{Dialect, EventError, ParseOptions, Pattern};
use serde_json::{Value, json};

use crate::row::{files, folder};

fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn subscription(dialect: &str, pattern: &Value) -> Option<Subscription> {
    if dialect == "eventsv2" {
        return FilterConfiguration::parse(&text(pattern)).ok().map(Subscription::subscriber);
    }
    let options = ParseOptions::new(dialect.parse().unwrap()).service_limits(true);
    Subscription::parse(&text(pattern), &options, None).ok()
}

fn word(matched: Result<bool, EventError>) -> &'static str {
    match matched {
        Ok(true) => "match",
        Ok(false) => "no_match",
        Err(_) => "bad_event",
    }
}

/// Each vector alone, next to another subscriber, read early, in a scratch that was used, and explained.
#[test]
fn the_vectors() {
    let (mut checked, mut scratch) = (0, SubscriptionScratch::default());
    let other = FilterConfiguration::parse(
        r#"{"Filters":[{"Scope":"SYSTEM_METADATA","Pattern":"{\"ContentType\":[\"never\"]}"}]}"#,
    );
    let other = Subscription::subscriber(other.unwrap());
    for file in files(&folder("spec-vectors").join("eventsv2")) {
        let rows: Vec<Value> = serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
        for row in rows.iter().filter(|row| row.get("rules").is_none()) {
            let (id, expected) = (row["id"].as_str().unwrap(), row["expect"].as_str().unwrap());
            checked += 1;
            let Some(subscription) = subscription(row["dialect"].as_str().unwrap(), &row["pattern"]) else {
                assert_eq!(expected, "invalid", "{id}");
                continue;
            };
            let event = text(&row["event"]);
            let alone = subscription.judge(&event, &mut scratch).map(|outcome| outcome.matched);
            assert_eq!(word(alone), expected, "{id}");
            if row["dialect"] == "eventsv2-event-source" {
                continue;
            }
            let bare = row["dialect"] != "eventsv2" || expected == "bad_event";
            for policy in [ReadPolicy::Whole, ReadPolicy::Early] {
                let mut subscriptions = vec![("own", subscription.clone())];
                // An event of which only one part is known can serve subscribers of that part only.
                if !bare {
                    subscriptions.push(("other", other.clone()));
                }
                let set = SubscriptionSet::builder().read_policy(policy).build(subscriptions).unwrap();
                let together = set.judge(&event, &mut scratch);
                let own = together.and_then(|verdict| match verdict.fault() {
                    Some(fault) if verdict.undecided().any(|at| at == 0) => Err(fault.clone()),
                    _ => Ok(verdict.keys().any(|key| *key == "own")),
                });
                let incomplete = own.is_err() && !event.contains("SystemMetadata");
                assert!(word(own) == expected || incomplete, "{id} together, {policy:?}");
            }
            match subscription.explain(&event) {
                Ok(report) if expected == "bad_event" => {
                    assert_eq!(report.outcome().cause, Some(Cause::Undecided), "{id}");
                }
                Ok(report) => {
                    assert_eq!(word(Ok(report.outcome().matched)), expected, "{id}: {}", report.summary());
                }
                Err(error) => assert_eq!(expected, "bad_event", "{id}: {error}"),
            }
        }
    }
    assert!(checked > 150, "{checked} vectors");
}

fn subscriber(filters: &[(&str, Value)]) -> Subscription {
    let filters: Vec<Value> =
        filters.iter().map(|(scope, pattern)| json!({"Scope": scope, "Pattern": pattern.to_string()})).collect();
    Subscription::subscriber(FilterConfiguration::parse(&json!({ "Filters": filters }).to_string()).unwrap())
}

fn explained(filters: &[(&str, Value)], event: &Value) -> String {
    let report = subscriber(filters).explain(&event.to_string()).unwrap();
    let lines: Vec<&str> = std::iter::once(report.summary()).chain(report.notes()).collect();
    lines.join("\n")
}

/// Why a subscriber receives nothing, for the mistakes that people make.
#[test]
fn explanations_name_the_publisher_and_the_place() {
    let entry = json!({"Source": "shop", "DetailType": "order", "Detail": "{\"total\": 120}"});
    let wrong_api = explained(&[("DATA", json!({"total": [{"numeric": [">", 100]}]}))], &entry);
    assert!(wrong_api.starts_with("no match: DATA: "), "{wrong_api}");
    assert!(wrong_api.contains("PutEvents made this event"), "{wrong_api}");
    assert!(wrong_api.contains("`total` is at `detail.total`"), "{wrong_api}");
    let raw =
        json!({"Data": {"total": 120}, "SystemMetadata": {"ContentType": "application/json", "aws:EventId": "1"}});
    let wrong_api = explained(&[("DATA", json!({"detail": {"total": [120]}, "source": ["shop"]}))], &raw);
    assert!(wrong_api.contains("`detail.total` is at `total`"), "{wrong_api}");
    assert!(wrong_api.contains("PutRawEvents adds no `source`"), "{wrong_api}");
    let metadata = explained(&[("METADATA", json!({"tenant": ["a"]}))], &entry);
    assert!(metadata.contains("a METADATA filter never matches"), "{metadata}");
    let numeric = explained(
        &[("SYSTEM_METADATA", json!({"aws:SequenceNumber": [{"numeric": [">", 1]}]}))],
        &json!({
            "Data": {}, "SystemMetadata": {"ContentType": "application/json", "aws:SequenceNumber": "17"}
        }),
    );
    assert!(numeric.contains("numeric"), "{numeric}");
    let undecided = explained(&[("DATA", json!({"account": ["1"]}))], &entry);
    assert!(undecided.starts_with("undecided: DATA: "), "{undecided}");
}

#[test]
fn what_is_filled_in_later_can_be_given() {
    let account = subscriber(&[("DATA", json!({"account": ["1"], "region": ["eu-west-1"]}))]);
    let entry = r#"{"Source": "shop", "DetailType": "order", "Detail": "{}"}"#;
    let mut scratch = SubscriptionScratch::default();
    assert!(account.judge(entry, &mut scratch).is_err());
    let builder = SubscriptionSet::builder().unpublished(Unpublished::default().account("1").region("eu-west-1"));
    assert!(builder.build([("s", account)]).unwrap().judge(entry, &mut scratch).unwrap().is_match());
    let event = BusEvent::parse(entry.as_bytes(), &Unpublished::default().id("7")).unwrap();
    assert_eq!(event.publisher(), Publisher::PutEvents);
    assert!(event.data().starts_with(br#"{"version":"0","id":"7","detail-type":"order","source":"shop""#));
}

#[test]
fn the_entries_of_a_request_are_inputs() {
    let data = subscriber(&[("DATA", json!({"detail": {"n": [2]}}))]);
    let request = r#"{"EventBusArn": "arn", "Entries": [
        {"Source": "s", "DetailType": "t", "Detail": "{\"n\": 1}"}, {"Source": "s", "DetailType": "t", "Detail": "{\"n\": 2}"}]}"#;
    let inputs = data.inputs(request.as_bytes()).unwrap();
    let mut scratch = SubscriptionScratch::default();
    let matched: Vec<bool> =
        inputs.into_iter().map(|place| data.judge(&request[place], &mut scratch).unwrap().matched).collect();
    assert_eq!(matched, [false, true]);
    assert!(data.judge(request, &mut scratch).is_err());
}

/// A configuration reports everything that is wrong with it, and prints what it reads.
#[test]
fn configurations_are_read_and_printed() {
    let text =
        r#"{"Filters":[{"Scope":"DATA","Pattern":"{\"a\":[1]}"},{"Scope":"METADATA","Pattern":"{\"t\":[\"x\"]}"}]}"#;
    let configuration = FilterConfiguration::parse(text).unwrap();
    assert_eq!(configuration.to_string(), text);
    assert_eq!(FilterConfiguration::parse(&configuration.to_string()).unwrap(), configuration);
    let wrong = r#"{"Language":"X","Filters":[{"Scope":"data","Pattern":"{}"},{"Scope":"DATA","Pattern":"{"},{"Pattern":"{}"}]}"#;
    let error = FilterConfiguration::parse(wrong).unwrap_err();
    let filters: Vec<Option<usize>> = error.faults().iter().map(|fault| fault.filter()).collect();
    assert_eq!(filters, [None, Some(0), Some(1), Some(2)], "{error}");
    assert!(error.to_string().contains("write `DATA`"), "{error}");
    assert_eq!(error.service_message(), None);
    assert!(FilterConfiguration::parse("{}").unwrap().filters().is_empty());
    assert!(FilterConfiguration::parse("[]").is_err() && FilterConfiguration::parse("{").is_err());
    assert_eq!(Dialect::of_scope("DATA"), Some(Dialect::EventsV2Data));
}

/// Migrated rules, read back as rules, are the same rules.
#[test]
fn rules_are_carried_over() {
    let of = |text: &str, api| Migrated::of(&Pattern::parse(text, Dialect::EventBridge).unwrap(), api);
    let filters = |text: &str, api| {
        let migrated = of(text, api).unwrap();
        let filters = migrated.configuration().filters().iter();
        (filters.map(ToString::to_string).collect::<Vec<_>>(), migrated.equivalence(), migrated.lost().len())
    };
    let put = |text: &str| filters(text, Publisher::PutEvents);
    let strings = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
    let (proven, wider) = (Equivalence::Proven, Equivalence::Wider);
    for (rule, filters, equivalence) in [
        (r#"{"source":["a"],"detail":{"x":[1]}}"#, &[r#"{"aws:Source":["a"]}"#, r#"{"detail":{"x":[1]}}"#][..], proven),
        (
            r#"{"$or":[{"source":["a"]},{"detail-type":["t"]}]}"#,
            &[r#"{"$or":[{"aws:Source":["a"]},{"aws:DetailType":["t"]}]}"#],
            proven,
        ),
        (
            r#"{"$or":[{"source":["a"]},{"detail":{"x":[1]}}]}"#,
            &[r#"{"$or":[{"source":["a"]},{"detail":{"x":[1]}}]}"#],
            proven,
        ),
        (r#"{"source":[{"wildcard":"shop.*"}]}"#, &[r#"{"aws:Source":[{"prefix":"shop."}]}"#], proven),
        (r#"{"a":[{"wildcard":"x"},{"wildcard":"*y"}]}"#, &[r#"{"a":["x",{"suffix":"y"}]}"#], proven),
        (r#"{"a":[{"wildcard":"x*y"}]}"#, &[r#"{"a":[{"prefix":"x"}]}"#], wider),
        (r#"{"a":[{"wildcard":"*x*"}]}"#, &[r#"{"a":[{"prefix":""}]}"#], wider),
        (r#"{"a":[{"wildcard":"*"}]}"#, &[r#"{"a":[{"prefix":""}]}"#], proven),
        (r#"{"a":[{"wildcard":"a*"},{"wildcard":"\\**"}]}"#, &[r#"{"a":[{"prefix":"a"},{"prefix":"*"}]}"#], proven),
        (r#"{"a":[{"anything-but":{"wildcard":"*"}}]}"#, &[r#"{"a":[{"exists":true}]}"#], wider),
        // A plain string that is an address matches every spelling of it.
        (r#"{"a":[{"wildcard":"10.0.0.1"}]}"#, &[r#"{"a":[{"equals-ignore-case":"10.0.0.1"}]}"#], proven),
        (r#"{"source":[{"wildcard":"::1"}]}"#, &[r#"{"aws:Source":[{"equals-ignore-case":"::1"}]}"#], proven),
        (r#"{"a":[{"wildcard":"fe80::1"}]}"#, &[r#"{"a":[{"equals-ignore-case":"fe80::1"}]}"#], wider),
        (r#"{"a":[{"wildcard":"10.0.0.256"}]}"#, &[r#"{"a":["10.0.0.256"]}"#], proven),
        (r#"{"a":[{"anything-but":{"wildcard":"10.0.0.1"}}]}"#, &[r#"{"a":[{"anything-but":["10.0.0.1"]}]}"#], proven),
        (
            r#"{"a":[{"anything-but":{"wildcard":["x*","y*"]}}]}"#,
            &[r#"{"a":[{"anything-but":{"prefix":["x","y"]}}]}"#],
            proven,
        ),
        (
            r#"{"a":[{"anything-but":{"wildcard":["x*","*y"]}}]}"#,
            &[r#"{"a":[{"anything-but":{"prefix":"x"}}]}"#],
            wider,
        ),
        (r#"{"replay-name":[{"exists":true}]}"#, &[r#"{"aws:DeliveryType":["REPLAY"]}"#], proven),
        (
            r#"{"detail":{"source":["a"],"$or":[{"source":["b"]},{"c":[1]}]}}"#,
            &[r#"{"detail":{"source":["a"],"$or":[{"source":["b"]},{"c":[1]}]}}"#],
            proven,
        ),
    ] {
        let (found, how, _) = put(rule);
        assert_eq!((found, how), (strings(filters), equivalence), "{rule}");
    }
    let raw =
        filters(r#"{"region":["eu-west-1"],"detail":{"x":[1],"$or":[{"y":[1]},{"z":[2]}]}}"#, Publisher::PutRawEvents);
    assert_eq!(raw, (strings(&[r#"{"x":[1],"$or":[{"y":[1]},{"z":[2]}]}"#]), wider, 1));
    assert_eq!(
        of(r#"{"source":["aws.s3",{"prefix":"aws.partner/"}]}"#, Publisher::PutEvents).unwrap().event_sources(),
        ["aws.partner/", "aws.s3"]
    );
    assert!(of(r#"{"a":[1]}"#, Publisher::Unknown).is_err());
    assert!(of(&format!(r#"{{"a":["{}"]}}"#, "x".repeat(4_100)), Publisher::PutEvents).is_err());
}

/// Malformed data, and fields that are filled in later, only concern the filters that test them (§7).
#[test]
fn a_part_that_cannot_be_read_leaves_others_answered() {
    let total = subscriber(&[("DATA", json!({"total": [5]}))]);
    let account = subscriber(&[("DATA", json!({"account": ["1"]}))]);
    let absent = subscriber(&[("DATA", json!({"total": [{"exists": false}]}))]);
    let both = subscriber(&[("DATA", json!({"total": [5]})), ("METADATA", json!({"tenant": ["a"]}))]);
    let tenant = subscriber(&[("METADATA", json!({"tenant": ["a"]}))]);
    let live = subscriber(&[("SYSTEM_METADATA", json!({"aws:DeliveryType": ["LIVE"]}))]);
    let all = Subscription::subscriber(FilterConfiguration::parse("{}").unwrap());
    let named = [
        ("total", total.clone()),
        ("account", account),
        ("absent", absent),
        ("both", both),
        ("tenant", tenant),
        ("live", live),
        ("all", all),
    ];
    for policy in [ReadPolicy::Whole, ReadPolicy::Early] {
        let set = SubscriptionSet::builder().read_policy(policy).build(named.clone()).unwrap();
        let mut scratch = SubscriptionScratch::default();
        let mut ask = |event: &BusEvent<'_>| {
            let verdict = set.judge(event, &mut scratch).unwrap();
            let undecided: Vec<&str> = verdict.undecided().map(|at| set.keys()[at]).collect();
            assert_eq!(undecided.is_empty(), verdict.fault().is_none());
            (verdict.keys().copied().collect::<Vec<&str>>(), undecided)
        };
        let with = |data: &'static [u8], content: &str| {
            let event = BusEvent::new(data).metadata("tenant", "a").system_metadata("aws:DeliveryType", "LIVE");
            event.system_metadata("ContentType", content.to_owned())
        };
        let (others, of_data) = (vec!["tenant", "live", "all"], vec!["total", "account", "absent", "both"]);
        for (data, content) in [
            (&b"{\"total\": "[..], "application/json"),
            (b"{\"total\": tru}", "application/json"),
            (b"total: 5", "application/json"),
            (b"\x02\x0a5", "application/avro"),
        ] {
            assert_eq!(ask(&with(data, content)), (others.clone(), of_data.clone()), "{content}, {policy:?}");
        }
        // What no filter reads matches no DATA filter, and that is certain.
        assert_eq!(ask(&with(b"total: 5", "application/octet-stream")), (others, vec![]));
        let known = ask(&with(b"{\"total\": 5}", "application/json"));
        assert_eq!(known, (vec!["total", "both", "tenant", "live", "all"], vec![]));
        // An entry that is not published yet has no account.
        let entry = br#"{"Source": "shop", "DetailType": "order", "Detail": "{}"}"#;
        let entry = BusEvent::parse(entry, &Unpublished::default()).unwrap();
        assert_eq!(ask(&entry), (vec!["absent", "live", "all"], vec!["account"]));
        // Of a payload alone only the data is known.
        let payload = BusEvent::parse(b"{\"total\": 5}", &Unpublished::default()).unwrap();
        assert_eq!(ask(&payload), (vec!["total", "all"], vec!["both", "tenant", "live"]));
    }
    let error = total.judge(&BusEvent::new(b"{".as_slice()), &mut SubscriptionScratch::default());
    assert!(error.is_err(), "alone it is an error: there is nobody else to answer");
}

/// The pattern of a subscriber is part of a larger one, in which paths begin with the scope: an empty key must mean there
/// what it means alone.
#[test]
fn empty_keys_mean_the_same_in_a_set() {
    let patterns = [
        json!({"": [1]}),
        json!({"": {"a": [1]}}),
        json!({"": {"": {"a": [1]}}}),
        json!({"": {"": [1]}}),
        json!({"": {"b": {"c": [1]}}}),
        json!({"": {"$or": [{"a": [1]}, {"b": {"c": [1]}}]}}),
        json!({"$or": [{"": {"a": [1]}}, {"": {"x": [1], "b": {"c": [{"exists": false}]}}}]}),
        json!({"a": {"": [1]}}),
        json!({"": {"a": [1]}, "b": [{"exists": false}]}),
        json!({"a": [2], "": {"a": [1]}}),
        json!({"": {"a": [1]}, "a": [2]}),
    ];
    let events = [
        json!({"": 1}),
        json!({"a": 1}),
        json!({"a": 2}),
        json!({"a": 1, "b": 1}),
        json!({"x": 1}),
        json!({"": {"a": 1}}),
        json!({"": {"": {"a": 1}}}),
        json!({"": {"": 1}}),
        json!({"": {"b": {"c": 1}}}),
        json!({"b": {"c": 1}}),
        json!({"a": {"": 1}}),
        json!({"x": 1, "": {"b": {"c": 1}}}),
        json!({"DATA": {"a": 1}}),
    ];
    let set = SubscriptionSet::new(patterns.iter().enumerate().map(|(at, pattern)| {
        let pattern = [("DATA", pattern.clone()), ("SYSTEM_METADATA", json!({"ContentType": ["application/json"]}))];
        (at, subscriber(&pattern))
    }))
    .unwrap();
    let (mut scratch, mut matches) = (SubscriptionScratch::default(), 0);
    for event in &events {
        let data = event.to_string();
        let parts = BusEvent::new(data.as_bytes()).system_metadata("ContentType", "application/json");
        let together: Vec<usize> = set.judge(&parts, &mut scratch).unwrap().positions().collect();
        for (at, pattern) in patterns.iter().enumerate() {
            let alone = Pattern::parse(&pattern.to_string(), Dialect::EventsV2Data).unwrap();
            let alone = alone.explain(data.as_bytes()).unwrap().matched();
            assert_eq!(together.contains(&at), alone, "{pattern} {data}");
            matches += usize::from(alone);
        }
    }
    assert!(matches > 10, "{matches}");
}

/// What `spec-vectors/eventsv2/README.md` names for each row of the specification exists.
#[test]
fn every_row_of_the_specification_has_its_vector() {
    let ids: Vec<String> = files(&folder("spec-vectors/eventsv2"))
        .iter()
        .flat_map(|path| serde_json::from_str::<Vec<Value>>(&std::fs::read_to_string(path).unwrap()).unwrap())
        .map(|row| row["id"].as_str().unwrap().strip_prefix("eventsv2/").unwrap().to_owned())
        .collect();
    let readme = std::fs::read_to_string(folder("spec-vectors/eventsv2/README.md")).unwrap();
    let tests = ["tests/bus.rs", "tests/custom_bus.rs", "cli/tests/deployed.rs"];
    let tests: String = tests.iter().map(|path| std::fs::read_to_string(folder(path)).unwrap()).collect();
    let (mut named, mut rows) = (0, 0);
    for line in
        readme.lines().filter(|line| line.starts_with("| ") && !line.starts_with("| row") && !line.starts_with("| ---"))
    {
        rows += 1;
        let (_, evidence) = line.trim_end_matches(" |").rsplit_once(" | ").unwrap();
        for word in evidence.split('`').skip(1).step_by(2) {
            let is_vector = ["scopes/", "parts/", "system-metadata/", "refusals/", "decisions/"];
            if is_vector.iter().any(|file| word.starts_with(file)) {
                assert!(ids.iter().any(|id| id == word), "there is no vector {word}");
                named += 1;
            } else if word.contains('_') && !word.contains(['.', '/']) && word != "WITH_METADATA" {
                assert!(tests.contains(&format!("fn {word}()")), "there is no test {word}");
            }
        }
    }
    assert!(rows > 45 && named > 90, "{rows} rows name {named} vectors");
}
