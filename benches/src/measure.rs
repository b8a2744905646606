//! Timing several engines fairly: in turns, so what else the machine does hits all of them, by the time that the thread
//! itself had the processor, and medians.

use std::time::{Duration, Instant};

use cpu_time::ThreadTime;

use crate::rivals::Engine;

/// How long to measure.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Turns of each engine; the median counts.
    pub turns: usize,
    /// How long each turn takes at least.
    pub turn: Duration,
}

impl Effort {
    /// For figures that are kept.
    pub const FULL: Effort = Effort { turns: 7, turn: Duration::from_millis(120) };
    /// To see whether it runs.
    pub const QUICK: Effort = Effort { turns: 3, turn: Duration::from_millis(10) };
}

/// Nanoseconds an event for each engine, medians of turns. An engine goes through the events as often as fills its turn; a
/// turn may end in the middle of a long list, and the next goes on from there.
pub fn interleaved(engines: &mut [Engine], events: &[Vec<u8>], effort: Effort) -> Vec<f64> {
    let mut samples = vec![Vec::new(); engines.len()];
    let mut places = vec![0; engines.len()];
    for turn in 0..=effort.turns {
        for ((engine, samples), place) in engines.iter_mut().zip(&mut samples).zip(&mut places) {
            let sample = sample(engine, events, place, effort.turn);
            // The first turn warms up.
            if turn > 0 {
                samples.push(sample);
            }
        }
    }
    samples.into_iter().map(median).collect()
}

fn sample(engine: &mut Engine, events: &[Vec<u8>], place: &mut usize, turn: Duration) -> f64 {
    // The wall clock, which ends the turn, is read once for so many events.
    let batch = 64.min(events.len());
    let (start, used) = (Instant::now(), ThreadTime::now());
    let mut done = 0_usize;
    loop {
        let ahead = events.iter().skip(*place).take(batch);
        done += ahead.len();
        *place += ahead.len();
        for event in ahead {
            std::hint::black_box(engine.count(event));
        }
        if *place >= events.len() {
            *place = 0;
        }
        if start.elapsed() >= turn {
            return used.elapsed().as_secs_f64() * 1e9 / done as f64;
        }
    }
}

/// The middle one.
#[must_use]
pub fn median(mut samples: Vec<f64>) -> f64 {
    samples.sort_by(f64::total_cmp);
    samples.get(samples.len() / 2).copied().unwrap_or(f64::NAN)
}
