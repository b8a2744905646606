//! Counts, in SQL, how many events each rule matches.
//!
//! usage: cargo run --example count_by_rule [RULES EVENTS]
//!
//! RULES is a rule file, a template, or what `aws events list-rules` prints; EVENTS has one JSON event per line.

use std::error::Error;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::sync::Arc;

use datafusion::arrow::array::{ArrayRef, RecordBatch, StringArray};
use datafusion::prelude::SessionContext;
use eventrie::{Dialect, Matcher, Pattern};
use eventrie_datafusion::MatchingRules;
use eventrie_files::{Document, Expected, SourceFile};

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let mut given = std::env::args().skip(1);
    let rules = given.next().unwrap_or_else(|| "../examples/rules.json".to_owned());
    let events = given.next().unwrap_or_else(|| "../examples/events.ndjson".to_owned());

    let context = SessionContext::new();
    context.register_udf(MatchingRules::new(matcher(&rules)?).into());
    // A larger data set comes from Parquet or a table, with one column of JSON text.
    let lines: StringArray =
        BufReader::new(File::open(events)?).lines().map(|line| line.map(Some)).collect::<Result<_, _>>()?;
    context.register_batch("events", RecordBatch::try_from_iter([("event", Arc::new(lines) as ArrayRef)])?)?;

    let counted = context
        .sql(
            "select rule, count(*) as events
             from (select unnest(matching_rules(event)) as rule from events)
             group by rule order by events desc, rule",
        )
        .await?;
    counted.show().await?;
    context.sql("select count(*) as unreadable from events where matching_rules(event) is null").await?.show().await?;
    Ok(())
}

/// The rules of a file, under their names.
fn matcher(path: &str) -> Result<Matcher<String>, Box<dyn Error>> {
    let document = Document::read(SourceFile::from_reader(path, File::open(path)?)?, Expected::Rules)?;
    let mut rules = Vec::new();
    for found in document.patterns() {
        let dialect = found.dialect().unwrap_or(Dialect::EventBridge);
        if dialect == Dialect::EventBridge {
            rules.push((document.name_of(found), Pattern::parse(found.pattern().text(), dialect)?));
        }
    }
    Ok(Matcher::keyed(rules)?)
}
