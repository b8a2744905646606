//! The functions in SQL, on DataFusion itself.

use std::sync::Arc;

use datafusion::arrow::array::{
    ArrayRef, AsArray, BinaryArray, BinaryViewArray, BooleanArray, DictionaryArray, Int32Array, LargeBinaryArray,
    LargeStringArray, RecordBatch, StringArray, StringViewArray,
};
use datafusion::arrow::datatypes::{DataType, Field, Int32Type, Schema};
use datafusion::common::{Result, ScalarValue};
use datafusion::prelude::{SessionConfig, SessionContext};
use eventrie::{Dialect, Matcher, ParseOptions, Pattern};
use eventrie_datafusion::{EventMatches, MatchingRules};

const RULES: [(&str, &str); 3] = [
    ("large", r#"{"detail": {"total": [{"numeric": [">", 100]}]}}"#),
    ("shop", r#"{"source": ["shop"]}"#),
    ("other", r#"{"source": [{"anything-but": "shop"}]}"#),
];

/// Two events that can be read, one of them with three fields; a cut one, a null, text after an event, an array, no UTF-8.
const EVENTS: [Option<&[u8]>; 7] = [
    Some(br#"{"source": "shop", "detail": {"total": 120}}"#),
    Some(br#"{"source": "bank"}"#),
    Some(br#"{"source": "shop""#),
    None,
    Some(br#"{"source": "shop"} {}"#),
    Some(b"[]"),
    Some(b"{\"source\": \"\xff\"}"),
];

fn rules() -> Matcher<&'static str> {
    let rules = RULES.map(|(name, text)| (name, Pattern::parse(text, Dialect::EventBridge).unwrap()));
    Matcher::keyed(rules).unwrap()
}

/// The text columns can contain all events but the last.
fn texts() -> Vec<Option<&'static str>> {
    EVENTS[..6].iter().map(|event| event.map(|event| std::str::from_utf8(event).unwrap())).collect()
}

fn context(columns: Vec<(&str, ArrayRef)>) -> SessionContext {
    let context = SessionContext::new_with_config(SessionConfig::new().with_target_partitions(2));
    context.register_udf(MatchingRules::new(rules()).into());
    context.register_udf(EventMatches::default().into());
    context
        .register_batch(
            "events",
            RecordBatch::try_from_iter_with_nullable(columns.into_iter().map(|(name, column)| (name, column, true)))
                .unwrap(),
        )
        .unwrap();
    context
}

fn strings() -> SessionContext {
    context(vec![
        ("row", Arc::new(Int32Array::from_iter_values(0..6))),
        ("event", Arc::new(StringArray::from(texts()))),
    ])
}

async fn column(context: &SessionContext, query: &str) -> Result<ArrayRef> {
    let batches = context.sql(query).await?.collect().await?;
    let columns: Vec<&dyn datafusion::arrow::array::Array> =
        batches.iter().map(|batch| batch.column(batch.num_columns() - 1).as_ref()).collect();
    Ok(datafusion::arrow::compute::concat(&columns)?)
}

fn lists(column: &ArrayRef) -> Vec<Option<Vec<String>>> {
    let lists = column.as_list::<i32>();
    let texts = |list: ArrayRef| list.as_string::<i32>().iter().map(|name| name.unwrap().to_owned()).collect();
    lists.iter().map(|list| list.map(texts)).collect()
}

fn booleans(column: &ArrayRef) -> Vec<Option<bool>> {
    column.as_boolean().iter().collect()
}

fn names(names: &[&str]) -> Option<Vec<String>> {
    Some(names.iter().map(ToString::to_string).collect())
}

/// Why a query is refused before anything runs.
async fn refused(context: &SessionContext, query: &str) -> String {
    let planned = match context.sql(query).await {
        Ok(frame) => frame.create_physical_plan().await.map(|_| ()),
        Err(error) => Err(error),
    };
    planned.expect_err("the query is planned").to_string()
}

#[tokio::test]
async fn rules_of_each_row_and_null_for_what_cannot_be_read() {
    let found = column(&strings(), "select row, matching_rules(event) from events order by row").await.unwrap();
    let expected = [names(&["large", "shop"]), names(&["other"]), None, None, None, None];
    assert_eq!(lists(&found), expected);
    assert_eq!(found.data_type(), &DataType::new_list(DataType::Utf8, true));
}

#[tokio::test]
async fn a_pattern_for_all_rows() {
    let query = r#"select row, event_matches('{"source": ["shop"]}', event) from events order by row"#;
    let found = column(&strings(), query).await.unwrap();
    assert_eq!(booleans(&found), [Some(true), Some(false), None, None, None, None]);
    // In a filter, null is no match.
    let query = r#"select row from events where event_matches('{"source": ["shop"]}', event)"#;
    assert_eq!(column(&strings(), query).await.unwrap().len(), 1);
}

#[tokio::test]
async fn every_layout_of_text_and_binary() {
    let texts = texts();
    let columns: [ArrayRef; 7] = [
        Arc::new(StringArray::from(texts.clone())),
        Arc::new(LargeStringArray::from(texts.clone())),
        Arc::new(StringViewArray::from(texts.clone())),
        Arc::new(texts.into_iter().collect::<DictionaryArray<Int32Type>>()),
        Arc::new(BinaryArray::from_iter(EVENTS)),
        Arc::new(LargeBinaryArray::from_iter(EVENTS)),
        Arc::new(BinaryViewArray::from_iter(EVENTS)),
    ];
    for events in columns {
        let (kind, rows) = (events.data_type().clone(), events.len());
        let context = context(vec![("event", events)]);
        let found = lists(&column(&context, "select matching_rules(event) from events").await.unwrap());
        let mut expected = vec![names(&["large", "shop"]), names(&["other"])];
        expected.resize(rows, None);
        assert_eq!(found, expected, "{kind}");
        let query = r#"select event_matches('{"source": ["bank"]}', event) from events"#;
        let mut expected = vec![Some(false), Some(true)];
        expected.resize(rows, None);
        assert_eq!(booleans(&column(&context, query).await.unwrap()), expected, "{kind}");
    }
}

#[tokio::test]
async fn an_invalid_literal_is_an_error_of_planning_with_the_finding() {
    let context = strings();
    let error = refused(&context, r#"select event_matches('{"source": "shop"}', event) from events"#).await;
    assert!(error.starts_with("Error during planning: event_matches: error[E0006]: "), "{error}");
    assert!(error.contains(r#"{"source": "shop"}"#), "the pattern with its caret: {error}");
    let error = refused(&context, "select row from events where event_matches('', event)").await;
    assert!(error.contains("Error during planning") && error.contains("E0003"), "{error}");
    // Constants in other places of a query.
    let error = refused(&context, r#"select count(*) from events group by event_matches('{"a": []}', event)"#).await;
    assert!(error.contains("Error during planning"), "{error}");
}

#[tokio::test]
async fn arguments_of_other_types_are_refused() {
    let context = strings();
    let error = refused(&context, "select matching_rules(row) from events").await;
    assert!(error.contains("matching_rules: expected a string or binary as the event, found Int32"), "{error}");
    let error = refused(&context, "select event_matches(row, event) from events").await;
    assert!(error.contains("event_matches: expected a string as the pattern, found Int32"), "{error}");
    let error = refused(&context, "select matching_rules(event, event) from events").await;
    assert!(error.contains("expected one argument, found 2"), "{error}");
    let error = refused(&context, "select event_matches(event) from events").await;
    assert!(error.contains("expected a pattern and an event, found 1"), "{error}");
}

#[tokio::test]
async fn null_and_constants() {
    let context = strings();
    for query in [
        "select event_matches(null, event) from events limit 1",
        r#"select event_matches('{"source": ["shop"]}', null)"#,
        "select event_matches(null, null)",
        r#"select event_matches('{"source": ["shop"]}', '{"source": ')"#,
    ] {
        assert_eq!(booleans(&column(&context, query).await.unwrap()), [None], "{query}");
    }
    for query in ["select matching_rules(null)", "select matching_rules('{')"] {
        assert_eq!(lists(&column(&context, query).await.unwrap()), [None], "{query}");
    }
    let query = r#"select event_matches('{"source": ["shop"]}', '{"source": "shop"}')"#;
    assert_eq!(booleans(&column(&context, query).await.unwrap()), [Some(true)]);
    let query = r#"select matching_rules('{"source": "shop"}')"#;
    assert_eq!(lists(&column(&context, query).await.unwrap()), [names(&["shop"])]);
    let query = "select matching_rules('{}')";
    assert_eq!(lists(&column(&context, query).await.unwrap()), [names(&[])]);
}

#[tokio::test]
async fn a_pattern_per_row() {
    let shop = r#"{"source": ["shop"]}"#;
    let patterns = [Some(shop), Some(shop), Some(shop), Some(shop), None, Some(r#"{"source": ["bank"]}"#)];
    let mut events = texts();
    (events[4], events[5]) = (events[0], events[1]);
    let context = context(vec![
        ("pattern", Arc::new(StringArray::from(patterns.to_vec()))),
        ("event", Arc::new(StringArray::from(events))),
    ]);
    let found = column(&context, "select event_matches(pattern, event) from events").await.unwrap();
    assert_eq!(booleans(&found), [Some(true), Some(false), None, None, None, Some(true)]);
    // One event for all patterns.
    let found = column(&context, r#"select event_matches(pattern, '{"source": "bank"}') from events"#).await.unwrap();
    assert_eq!(booleans(&found), [Some(false), Some(false), Some(false), Some(false), None, Some(true)]);

    let error = column(&context, "select event_matches(event, event) from events").await.unwrap_err().to_string();
    assert!(error.contains("event_matches: the pattern in row 0 of a batch is invalid"), "{error}");
    assert!(error.contains("E0006"), "{error}");
}

#[tokio::test]
async fn a_parameter_is_a_pattern_too() {
    let context = strings();
    let frame = context.sql("select row from events where event_matches($1, event)").await.unwrap();
    let given = |text: &str| vec![ScalarValue::from(text)];
    let valid = frame.clone().with_param_values(given(r#"{"source": ["bank"]}"#)).unwrap();
    assert_eq!(valid.count().await.unwrap(), 1);
    let invalid = match frame.with_param_values(given(r#"{"source": "bank"}"#)) {
        Ok(frame) => frame.create_physical_plan().await.map(|_| ()),
        Err(error) => Err(error),
    };
    let error = invalid.expect_err("the pattern is invalid").to_string();
    assert!(error.contains("Error during planning") && error.contains("E0006"), "{error}");
}

#[tokio::test]
async fn rules_are_counted_over_partitions() {
    let context = SessionContext::new_with_config(SessionConfig::new().with_target_partitions(4).with_batch_size(100));
    context.register_udf(MatchingRules::new(rules()).into());
    let schema = Arc::new(Schema::new(vec![Field::new("event", DataType::Utf8, false)]));
    let partition = |first: usize| {
        let events = (first..first + 1000).map(|n| {
            let source = if n % 3 == 0 { "shop" } else { "bank" };
            format!(r#"{{"source": "{source}", "detail": {{"total": {n}}}}}"#)
        });
        let events = StringArray::from_iter_values(events);
        vec![RecordBatch::try_new(Arc::clone(&schema), vec![Arc::new(events)]).unwrap()]
    };
    let table =
        datafusion::datasource::MemTable::try_new(Arc::clone(&schema), (0..4).map(|n| partition(n * 1000)).collect());
    context.register_table("events", Arc::new(table.unwrap())).unwrap();
    let query = "select rule, count(*) from (select unnest(matching_rules(event)) as rule from events) group by rule order by rule";
    let batches = context.sql(query).await.unwrap().collect().await.unwrap();
    let printed = datafusion::arrow::util::pretty::pretty_format_batches(&batches).unwrap().to_string();
    let rows: Vec<&str> = printed.lines().filter(|line| line.starts_with("| ")).skip(1).collect();
    let counts: Vec<Vec<&str>> =
        rows.iter().map(|row| row.split('|').map(str::trim).filter(|cell| !cell.is_empty()).collect()).collect();
    assert_eq!(counts, [["large", "3899"], ["other", "2666"], ["shop", "1334"]]);
}

#[tokio::test]
async fn two_sets_and_two_ways_of_reading_patterns_in_one_context() {
    let context = strings();
    let second = Matcher::keyed([("bank", Pattern::parse(r#"{"source": ["bank"]}"#, Dialect::EventBridge).unwrap())]);
    context.register_udf(MatchingRules::new(second.unwrap()).named("banks").into());
    let options = ParseOptions::new(Dialect::EventBridge).service_limits(true);
    context.register_udf(EventMatches::new(options).named("deployable_matches").into());
    let query = "select banks(event) from events where row = 1";
    assert_eq!(lists(&column(&context, query).await.unwrap()), [names(&["bank"])]);
    // The service refuses this pattern as too complex, the engine does not.
    let query =
        r#"select event_matches('{"arn": [{"wildcard": "*:*:*:*:*:event-bus/*"}]}', event) from events where row = 1"#;
    assert_eq!(booleans(&column(&context, query).await.unwrap()), [Some(false)]);
    let error = refused(&context, &query.replace("event_matches", "deployable_matches")).await;
    assert!(error.starts_with("Error during planning: deployable_matches: "), "{error}");
}

#[tokio::test]
async fn an_empty_table() {
    let context = context(vec![("event", Arc::new(StringArray::from(Vec::<&str>::new())))]);
    assert_eq!(lists(&column(&context, "select matching_rules(event) from events").await.unwrap()), []);
    let query = r#"select event_matches('{"source": ["shop"]}', event) from events"#;
    assert_eq!(
        column(&context, query).await.unwrap().as_ref(),
        &BooleanArray::from(Vec::<bool>::new()) as &dyn datafusion::arrow::array::Array
    );
}
