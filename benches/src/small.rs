//! Events below 100 bytes: one workload for each row of the table of pattern types in the README of `quamina` 0.7.0 that
//! both languages can express, made from the descriptions there.

use crate::random::Random;

/// A row: patterns, events, and how many matches the events have together.
pub struct Workload {
    /// What the table calls it.
    pub name: &'static str,
    /// Its patterns.
    pub patterns: Vec<String>,
    /// Its events, each below 100 bytes.
    pub events: Vec<Vec<u8>>,
    /// Matches in all of them.
    pub expected: usize,
}

/// So many events in each row. Few: a service sees the same shapes again and again, and all of them stay in the cache.
const EVENTS: usize = 64;

fn workload(
    name: &'static str,
    patterns: Vec<String>,
    mut event: impl FnMut(&mut Random, usize) -> (String, usize),
) -> Workload {
    let mut random = Random::new(57);
    let (events, matches): (Vec<_>, Vec<_>) = (0..EVENTS).map(|at| event(&mut random, at)).unzip();
    let events = events.into_iter().map(String::into_bytes).collect();
    Workload { name, patterns, events, expected: matches.into_iter().sum() }
}

fn letters(random: &mut Random, count: usize) -> String {
    (0..count).map(|_| char::from(b'a' + random.below(26) as u8)).collect()
}

/// All rows.
#[must_use]
pub fn workloads() -> Vec<Workload> {
    let one = |pattern: &str| vec![pattern.to_owned()];
    let state = |at: usize| ["active", "closed", "pending", "deleted"].get(at % 4).copied().unwrap_or_default();
    vec![
        // Three of four events match nothing: what a filter is for.
        workload("one exact value", one(r#"{"status":["active"]}"#), |random, at| {
            let status = state(at);
            let event =
                format!(r#"{{"id":"{}","status":"{status}","count":{}}}"#, letters(random, 8), random.below(900));
            (event, usize::from(status == "active"))
        }),
        workload("one nested value", one(r#"{"detail":{"user":{"state":["active"]}}}"#), |random, at| {
            let state = state(at);
            let name = letters(random, 6);
            let event = format!(r#"{{"kind":"change","detail":{{"user":{{"name":"{name}","state":"{state}"}}}}}}"#);
            (event, usize::from(state == "active"))
        }),
        workload(
            "`anything-but` with three values",
            one(r#"{"status":[{"anything-but":["closed","pending","deleted"]}]}"#),
            |random, at| {
                let status = state(at);
                let event = format!(r#"{{"status":"{status}","id":"{}","code":{}}}"#, letters(random, 8), at);
                (event, usize::from(status == "active"))
            },
        ),
        workload("range with both ends", one(r#"{"value":[{"numeric":[">=",0,"<",100]}]}"#), |random, _| {
            let value = random.below(400);
            let event = format!(r#"{{"sensor":"{}","value":{value},"unit":"C"}}"#, letters(random, 6));
            (event, usize::from(value < 100))
        }),
        workload(
            "100 prefixes",
            (0..100).map(|number| format!(r#"{{"path":[{{"prefix":"p{number:02}-"}}]}}"#)).collect(),
            |random, at| {
                let (known, number) = (at % 2 == 0, random.below(100));
                let path = format!("{}{number:02}-{}", if known { "p" } else { "q" }, letters(random, 12));
                (format!(r#"{{"path":"{path}","size":{}}}"#, random.below(5_000)), usize::from(known))
            },
        ),
        workload(
            "26 wildcards, `A*` to `Z*`",
            (b'A'..=b'Z').map(|letter| format!(r#"{{"name":[{{"wildcard":"{}*"}}]}}"#, char::from(letter))).collect(),
            |random, at| {
                let first = letters(random, 1);
                let upper = at % 2 == 0;
                let first = if upper { first.to_uppercase() } else { first };
                (
                    format!(r#"{{"name":"{first}{}","age":{}}}"#, letters(random, 9), random.below(90)),
                    usize::from(upper),
                )
            },
        ),
        workload(
            "10,000 exact values",
            (0..10_000).map(|number| format!(r#"{{"user":["user-{number}"]}}"#)).collect(),
            |random, _| {
                let number = random.below(20_000);
                let event = format!(r#"{{"user":"user-{number}","action":"{}"}}"#, letters(random, 5));
                (event, usize::from(number < 10_000))
            },
        ),
    ]
}

#[cfg(test)]
mod tests {
    use super::workloads;
    use crate::check::{against_explainer, engines};
    use crate::rivals::{Engine, Rival};

    #[test]
    fn small_events_have_the_answers_they_claim() {
        for small in workloads() {
            assert!(small.events.iter().all(|event| event.len() < 100), "{}", small.name);
            assert!(small.expected > 0, "{}", small.name);
            let mut whole = Engine::new(Rival::Whole, &small.patterns).unwrap();
            against_explainer(&small.patterns, &small.events, &mut whole).unwrap();
            let rivals = [Rival::Whole, Rival::Early, Rival::Quamina, Rival::QuaminaSpeed];
            let note = |rival: Rival, note: &str| panic!("{}: {}: {note}", small.name, rival.name());
            engines(&rivals, &small.patterns, &small.events, Some(small.expected), note).unwrap();
        }
    }
}
