//! Conjunctions by the million: building them, and matching beside a scan. What the crate `a-tree` does with them is measured
//! by a program of its own, `benches/tree`, since that crate builds a parser generator first.

use std::time::{Duration, Instant};

use cpu_time::ThreadTime;
use eventrie::{Dialect, Limits, Matcher, MatcherBuilder, Pattern, PatternError, Scratch};
use serde::de::IgnoredAny;

use crate::conjunctions::{Event, Rule, Rules, events};
use crate::measure::median;

/// How many rules, and what share of them matches an event.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    /// Rules.
    pub rules: usize,
    /// An event matches one rule in so many.
    pub one_in: usize,
    /// Whether the scan is measured, which keeps all rules as they were made.
    pub scan: bool,
}

/// What was measured. Times are seconds of processor time.
#[derive(Clone, Debug)]
pub struct Measured {
    /// To parse all patterns, and to compile what was parsed.
    pub parse: f64,
    /// See `parse`.
    pub compile: f64,
    /// To do both in two threads, one of which parses what the other one compiles: that of the slower one.
    pub in_two: f64,
    /// Of the tables.
    pub bytes: usize,
    /// Matches of all events, and events.
    pub matches: usize,
    /// See `matches`.
    pub events: usize,
    /// Of an event: reading it with `serde_json`, and matching it.
    pub skip: f64,
    /// See `skip`.
    pub whole: f64,
    /// Of an event in the scan.
    pub scan: Option<f64>,
}

/// So many events are compared with the scan.
pub const COMPARED: usize = 20;

/// Builds and matches.
///
/// # Errors
/// If eventrie finds something else than the scan does, or a rival refuses a rule.
pub fn measure(size: Size, turn: Duration) -> Result<Measured, String> {
    let events = events(size.one_in);
    let texts: Vec<String> = Rules::new(&events).take(size.rules).map(|rule| rule.pattern()).collect();
    let (parse, in_two) = (parsing(&texts)?, building_in_two(&texts)?);
    let used = ThreadTime::now();
    let mut failed = None;
    let parsed = texts.iter().map_while(|text| keep_error(Pattern::parse(text, Dialect::EventBridge), &mut failed));
    let matcher = builder().build(parsed).map_err(|error| error.to_string())?;
    let both = used.elapsed().as_secs_f64();
    if let Some(error) = failed {
        return Err(error.to_string());
    }
    drop(texts);
    let lines: Vec<Vec<u8>> = events.iter().map(Event::json).collect();
    let (skip, whole, matches) = matching(&matcher, &lines, turn)?;
    let mut measured = Measured {
        parse,
        compile: both - parse,
        in_two,
        bytes: matcher.memory_usage(),
        matches,
        events: events.len(),
        skip,
        whole,
        scan: None,
    };
    if size.scan {
        let rules: Vec<Rule> = Rules::new(&events).take(size.rules).collect();
        let compared: Vec<&Event> = events.iter().take(COMPARED).collect();
        let (time, expected) = scan(&rules, &compared);
        let mut scratch = Scratch::default();
        for (line, expected) in lines.iter().zip(&expected) {
            let found = matcher.matches(line.as_slice(), &mut scratch).map_err(|error| error.to_string())?;
            if !found.map(|id| id.index()).eq(expected.iter().copied()) {
                return Err("the scan finds something else".to_owned());
            }
        }
        measured.scan = Some(time);
    }
    Ok(measured)
}

fn keep_error(parsed: Result<Pattern, PatternError>, failed: &mut Option<PatternError>) -> Option<Pattern> {
    parsed.map_err(|error| *failed = Some(error)).ok()
}

fn parsing(texts: &[String]) -> Result<f64, String> {
    let used = ThreadTime::now();
    for text in texts {
        Pattern::parse(text, Dialect::EventBridge).map_err(|error| error.to_string())?;
    }
    Ok(used.elapsed().as_secs_f64())
}

fn builder() -> MatcherBuilder {
    Matcher::builder().limits(Limits::default().table_bytes(usize::MAX))
}

/// The slower one of two threads: one parses, the other compiles what comes.
fn building_in_two(texts: &[String]) -> Result<f64, String> {
    const AT_ONCE: usize = 500;
    let (send, parsed) = std::sync::mpsc::sync_channel::<Vec<Pattern>>(4);
    std::thread::scope(|scope| {
        let parser = scope.spawn(move || {
            let used = ThreadTime::now();
            for texts in texts.chunks(AT_ONCE) {
                let patterns: Result<Vec<Pattern>, PatternError> =
                    texts.iter().map(|text| Pattern::parse(text, Dialect::EventBridge)).collect();
                let patterns = patterns.map_err(|error| error.to_string())?;
                send.send(patterns).map_err(|_| "the patterns are not compiled")?;
            }
            Ok::<f64, String>(used.elapsed().as_secs_f64())
        });
        let used = ThreadTime::now();
        builder().build(parsed.into_iter().flatten()).map_err(|error| error.to_string())?;
        let own = used.elapsed().as_secs_f64();
        let other = parser.join().map_err(|_| "a thread panicked")??;
        Ok(own.max(other))
    })
}

/// Seconds of an event, skipped and matched in turns, and how many matches there are.
fn matching(matcher: &Matcher, lines: &[Vec<u8>], turn: Duration) -> Result<(f64, f64, usize), String> {
    let mut scratch = Scratch::default();
    let mut matches = 0;
    for line in lines {
        matches += matcher.matches(line.as_slice(), &mut scratch).map_err(|error| error.to_string())?.len();
    }
    let (mut skips, mut wholes) = (Vec::new(), Vec::new());
    for _ in 0..7 {
        skips.push(timed(lines, turn, |line| usize::from(serde_json::from_slice::<IgnoredAny>(line).is_ok())));
        wholes.push(timed(lines, turn, |line| matcher.matches(line, &mut scratch).map_or(0, |found| found.len())));
    }
    Ok((median(skips), median(wholes), matches))
}

fn timed(lines: &[Vec<u8>], turn: Duration, mut each: impl FnMut(&[u8]) -> usize) -> f64 {
    let (start, used, mut done) = (Instant::now(), ThreadTime::now(), 0_usize);
    while start.elapsed() < turn {
        for line in lines {
            std::hint::black_box(each(line));
        }
        done += lines.len();
    }
    used.elapsed().as_secs_f64() / done as f64
}

/// Seconds of an event, and the positions of the rules that match each.
#[must_use]
pub fn scan(rules: &[Rule], events: &[&Event]) -> (f64, Vec<Vec<usize>>) {
    let used = ThreadTime::now();
    let found = events.iter().map(|event| {
        let rules = rules.iter().enumerate();
        rules.filter(|(_, rule)| rule.matches(event)).map(|(at, _)| at).collect()
    });
    let found: Vec<Vec<usize>> = found.collect();
    (used.elapsed().as_secs_f64() / events.len() as f64, found)
}

#[cfg(test)]
mod tests {
    use super::{Size, measure};
    use std::time::Duration;

    #[test]
    fn eventrie_and_the_scan_find_the_same() {
        let size = Size { rules: 400, one_in: 20, scan: true };
        let measured = measure(size, Duration::from_millis(1)).unwrap();
        // Each rule matches the event that it was made of, at the least.
        assert!(measured.matches >= 400, "{measured:?}");
    }
}
