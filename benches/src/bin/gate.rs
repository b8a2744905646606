//! A fixed piece of work, to be counted in instructions: `gate NAME`. Without a name it lists them. See `gate/run`.

use std::process::ExitCode;

use eventrie_bench::hostile;
use eventrie_bench::rivals::{Engine, Rival};
use eventrie_bench::rules::Mix;
use eventrie_bench::{aws, city, rules};

const WORK: [&str; 8] =
    ["family-mixed", "full-10", "full-1000", "exact-10000", "early-full-10", "wildcards", "arrays", "build-full-1000"];

fn main() -> ExitCode {
    let Some(name) = std::env::args().nth(1) else {
        WORK.iter().for_each(|name| println!("{name}"));
        return ExitCode::SUCCESS;
    };
    match work(&name) {
        Some(matches) => {
            println!("{matches}");
            ExitCode::SUCCESS
        }
        None => {
            eprintln!("no work named `{name}`, or it failed");
            ExitCode::FAILURE
        }
    }
}

fn work(name: &str) -> Option<usize> {
    let (rival, patterns, events) = match name {
        "family-mixed" => {
            let family = city::families().into_iter().find(|family| family.name == "five operators")?;
            (Rival::Whole, family.patterns, city::lots(100))
        }
        "full-10" => (Rival::Whole, rules::patterns(Mix::Full, 10), aws::events(100)),
        "full-1000" => (Rival::Whole, rules::patterns(Mix::Full, 1_000), aws::events(100)),
        "exact-10000" => (Rival::Whole, rules::patterns(Mix::Exact, 10_000), aws::events(100)),
        "early-full-10" => (Rival::Early, rules::patterns(Mix::Full, 10), aws::events(100)),
        "build-full-1000" => (Rival::Whole, rules::patterns(Mix::Full, 1_000), Vec::new()),
        _ => {
            let case = match name {
                "wildcards" => hostile::shared_wildcards(300),
                "arrays" => hostile::SHAPES
                    .iter()
                    .find(|shape| shape.name == "array under 1,000 patterns")
                    .map(|shape| (shape.make)(300))?,
                _ => return None,
            };
            (Rival::Whole, case.patterns, case.events)
        }
    };
    counted(rival, &patterns, &events).ok()
}

/// What is counted, so making the workload is not.
#[inline(never)]
fn counted(rival: Rival, patterns: &[String], events: &[Vec<u8>]) -> Result<usize, String> {
    let mut engine = Engine::new(rival, patterns)?;
    // Building is work too: many rounds make the events dominate.
    let rounds = if events.is_empty() { 1 } else { 20 };
    let mut matches = 0;
    for _ in 0..rounds {
        matches += engine.total(events).ok_or("an event is refused")?;
    }
    Ok(matches)
}
