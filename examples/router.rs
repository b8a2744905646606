//! A router: named rules, a scratch per worker, a reload while events flow, counters, and an explanation.
//!
//! `cargo run --example router`

use std::error::Error;

use eventrie::event::{Counters, Ndjson};
use eventrie::{LiveMatcher, Pattern, Scratch};

const EVENTS: &str = r#"{"source":"shop","detail":{"state":"paid","total":120}}
{"source":"shop","detail":{"state":"Paid","total":80}}
{"source":"shop","detail":{"state":
"#;

fn rules(texts: &[(&str, &str)]) -> Result<Vec<(String, Pattern)>, Box<dyn Error>> {
    texts.iter().map(|(name, text)| Ok(((*name).to_owned(), text.parse()?))).collect()
}

/// What each worker does: its own scratch, the rule set shared.
fn work(live: &LiveMatcher<String>, counters: &Counters) -> Result<(), Box<dyn Error + Send + Sync>> {
    let (mut scratch, mut snapshot, mut lines) = (Scratch::default(), live.snapshot(), Ndjson::new(EVENTS.as_bytes()));
    while let Some(line) = lines.next_line() {
        let line = line?;
        live.refresh(&mut snapshot);
        match counters.count(snapshot.matches(line, &mut scratch)) {
            Ok(names) => println!("line {}: {names:?}", line.number()),
            Err(error) => println!("line {}: {error}", line.number()),
        }
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let (live, counters) = (LiveMatcher::new(), Counters::default());
    live.replace_all(rules(&[("paid", r#"{"detail":{"state":["paid"]}}"#), ("all", r#"{"source":["shop"]}"#)])?)?;
    let workers = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..2).map(|_| scope.spawn(|| work(&live, &counters))).collect();
        workers.into_iter().all(|worker| worker.join().is_ok_and(|answer| answer.is_ok()))
    });
    assert!(workers, "the text is read from memory");

    // A reload: only what differs is compiled.
    let large = r#"{"detail":{"total":[{"numeric":[">",100]}]}}"#;
    let replaced = live.replace_all(rules(&[("paid", r#"{"detail":{"state":["paid"]}}"#), ("large", large)])?)?;
    println!("added {:?}, removed {:?}", replaced.added, replaced.removed);
    println!("saved: {} bytes", live.to_bytes()?.len());
    for pattern in live.get("paid") {
        println!("{}", pattern.explain(r#"{"detail":{"state":"Paid"}}"#)?);
    }
    println!("{} events, {} matched, {} malformed", counters.events(), counters.matched(), counters.errors());
    Ok(())
}
