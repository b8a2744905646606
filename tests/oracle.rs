//! The explainer's verdict against answers recorded from the engine inside the service and from the service itself.
//! The corpus is not part of the repository; without it these tests say so and pass.

use std::path::Path;

use eventrie::{Dialect, Pattern};
use serde_json::Value;

/// The rows of a corpus file; none if there is no corpus here.
fn rows(file: &str) -> Option<Vec<Value>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpus").join(file);
    let text = match std::fs::read_to_string(&path) {
        Ok(text) => text,
        Err(_) => {
            eprintln!("skipped: there is no corpus at {}", path.display());
            return None;
        }
    };
    Some(text.lines().map(|line| serde_json::from_str(line).unwrap()).collect())
}

fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// Checks each row and gives the number of verdicts that were compared.
fn check(file: &str) -> usize {
    let Some(rows) = rows(file) else { return 0 };
    let (mut compared, mut wrong) = (0, Vec::new());
    for row in &rows {
        let (id, dialect) =
            (row["id"].as_str().unwrap(), Dialect::from_name(row["dialect"].as_str().unwrap()).unwrap());
        let event = text(&row["event"]);
        let mut verdict = |pattern: &Value, expected: bool| {
            let pattern = text(pattern);
            compared += 1;
            match Pattern::parse(&pattern, dialect) {
                Err(error) => wrong.push(format!("{id}: refused {pattern}\n{error}")),
                Ok(parsed) => match parsed.explain(event.as_bytes()) {
                    Err(error) => wrong.push(format!("{id}: {error}\n  {pattern}\n  {event}")),
                    Ok(explanation) if explanation.matched() != expected => {
                        wrong.push(format!(
                            "{id}: expected {expected}\n  {pattern}\n  {event}\n  {}",
                            explanation.summary()
                        ));
                    }
                    Ok(_) => {}
                },
            }
        };
        match &row["expect"] {
            Value::Array(names) => {
                for (name, pattern) in row["rules"].as_object().unwrap() {
                    verdict(pattern, names.iter().any(|matched| matched == name));
                }
            }
            Value::String(expect) if expect == "match" => verdict(&row["pattern"], true),
            Value::String(expect) if expect == "no_match" => verdict(&row["pattern"], false),
            _ => {}
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {compared} wrong in {file}, such as\n{}",
        wrong.len(),
        wrong.iter().take(10).cloned().collect::<Vec<_>>().join("\n")
    );
    println!("{file}: {compared} verdicts agree");
    compared
}

macro_rules! corpus {
    ($($name:ident: $file:literal, $least:literal;)*) => {$(
        #[test]
        fn $name() {
            let compared = check($file);
            assert!(compared == 0 || compared >= $least, "only {compared} rows of {} were compared", $file);
        }
    )*};
}

corpus! {
    values: "engine-value.jsonl", 8_000;
    structure: "engine-struct.jsonl", 5_000;
    or: "engine-or.jsonl", 4_000;
    or_values: "engine-orv.jsonl", 1_000;
    real: "engine-real.jsonl", 7_000;
    several_rules: "engine-multi.jsonl", 7_000;
    recorded: "eventbridge-recorded.jsonl", 60;
}
