//! The crate `a-tree` beside eventrie and a scan: the same rules, with the operators that both have. `a-tree` gets its events
//! typed and ready-made; eventrie reads JSON.
//!
//! ```text
//! cargo run --profile dist --manifest-path benches/tree/Cargo.toml -- [RULES…]
//! ```

use std::process::ExitCode;
use std::time::Duration;

use a_tree::{ATree, AttributeDefinition, Event as Typed};
use cpu_time::ThreadTime;
use eventrie_bench::conjunctions::{Event, Rule, Rules, Value, attributes, events, is_text, name, text};
use eventrie_bench::many::{COMPARED, Size, measure, scan};

fn main() -> ExitCode {
    let sizes: Result<Vec<usize>, _> = std::env::args().skip(1).map(|size| size.parse()).collect();
    let sizes = match sizes {
        Ok(sizes) if sizes.is_empty() => vec![1_000, 3_000, 10_000],
        Ok(sizes) => sizes,
        Err(error) => {
            eprintln!("expected numbers of rules: {error}");
            return ExitCode::FAILURE;
        }
    };
    println!("| rules | matches per event | a-tree found | a-tree build | eventrie build | a-tree | scan | eventrie | × a-tree |");
    println!("| --- | --- | --- | --- | --- | --- | --- | --- | --- |");
    match sizes.into_iter().try_for_each(row) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

/// One in a thousand rules matches an event.
const ONE_IN: usize = 1_000;

/// Times are milliseconds for the build and microseconds per event.
fn row(count: usize) -> Result<(), String> {
    let events = events(ONE_IN);
    let rules: Vec<Rule> = Rules::new(&events).take(count).collect();
    let compared: Vec<&Event> = events.iter().take(COMPARED).collect();
    let (scanned, expected) = scan(&rules, &compared);
    let expected: usize = expected.iter().map(Vec::len).sum();
    let own = measure(Size { rules: count, one_in: ONE_IN, scan: true }, Duration::from_millis(100))?;
    let tree = tree(&rules, &compared)?;
    println!(
        "| {count} | {:.1} | {} of {expected} | {:.0} | {:.1} | {:.1} | {:.1} | {:.2} | {:.0} |",
        own.matches as f64 / own.events as f64,
        tree.found,
        tree.build * 1e3,
        (own.parse + own.compile) * 1e3,
        tree.event * 1e6,
        scanned * 1e6,
        own.whole * 1e6,
        tree.event / own.whole
    );
    Ok(())
}

/// What `a-tree` does, in seconds.
struct Tree {
    /// To insert all expressions.
    build: f64,
    /// Of an event.
    event: f64,
    /// Matches in all events.
    found: usize,
}

fn tree(rules: &[Rule], events: &[&Event]) -> Result<Tree, String> {
    let names: Vec<String> = attributes().map(name).collect();
    let define = |(attribute, name): (usize, &String)| {
        if is_text(attribute) { AttributeDefinition::string(name) } else { AttributeDefinition::integer(name) }
    };
    let definitions: Vec<AttributeDefinition> = names.iter().enumerate().map(define).collect();
    let mut tree = ATree::<usize>::new(&definitions).map_err(|error| error.to_string())?;
    let expressions: Vec<String> = rules.iter().map(Rule::expression).collect();
    let used = ThreadTime::now();
    for (at, expression) in expressions.iter().enumerate() {
        tree.insert(&at, expression).map_err(|error| error.to_string())?;
    }
    let build = used.elapsed().as_secs_f64();
    let typed = events.iter().map(|event| typed(&tree, &names, event)).collect::<Result<Vec<_>, _>>()?;
    let used = ThreadTime::now();
    let mut found = 0;
    for event in &typed {
        found += tree.search(event).map_err(|error| error.to_string())?.matches().len();
    }
    let event = used.elapsed().as_secs_f64() / typed.len() as f64;
    Ok(Tree { build, event, found })
}

fn typed(tree: &ATree<usize>, names: &[String], event: &Event) -> Result<Typed, String> {
    let mut builder = tree.make_event();
    for (attribute, (value, name)) in event.0.iter().zip(names).enumerate() {
        let added = match value {
            Some(Value::Text(rank)) => builder.with_string(name, &text(attribute, *rank)),
            Some(Value::Integer(value)) => builder.with_integer(name, *value as i64),
            None => Ok(()),
        };
        added.map_err(|error| error.to_string())?;
    }
    builder.build().map_err(|error| error.to_string())
}
