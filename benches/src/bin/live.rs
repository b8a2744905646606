//! Figures for rule sets that change, and for saved matchers: `live [RULES [RATIO]]`, 100,000 rules and the default ratio of
//! merging without numbers.
//!
//! Times of matching and loading are those that the thread had the processor, medians of turns taken alternately; pauses
//! are by the wall clock, so on a busy machine they are those of the machine.

use std::collections::VecDeque;
use std::hint::black_box;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use cpu_time::ThreadTime;
use eventrie::live::{Batch, LiveBuilder, Snapshot};
use eventrie::{Dialect, LiveMatcher, Matcher, Pattern, Scratch};
use eventrie_bench::measure::median;
use eventrie_bench::{data, rules::Mix};

type Failure = Box<dyn std::error::Error>;

const TURNS: usize = 7;

fn main() -> Result<(), Failure> {
    let count = std::env::args().nth(1).map_or(Ok(100_000), |count| count.parse())?;
    let parse = |text: String| Pattern::parse(&text, Dialect::EventBridge);
    // As many rules again to add: realistic ones, none of them in the set yet.
    let mut patterns = data::patterns(Mix::Full, count * 2).into_iter().map(parse).collect::<Result<Vec<_>, _>>()?;
    let spare = patterns.split_off(count);
    let events = data::events(5_000);
    println!("| {count} rules | |\n| --- | --- |");
    load(&patterns)?;
    for elsewhere in [false, true] {
        changes(&patterns, &spare, &events, elsewhere)?;
    }
    for pause in [Duration::from_millis(10), Duration::from_millis(1), Duration::ZERO] {
        churn(&patterns, &spare, &events, pause)?;
    }
    turnover(&patterns, &spare)
}

fn settings(elsewhere: bool) -> LiveBuilder<u64> {
    let ratio = std::env::args().nth(2).and_then(|ratio| ratio.parse().ok());
    let builder = ratio.map_or(LiveMatcher::builder(), |ratio| LiveMatcher::builder().merge_ratio(ratio));
    if !elsewhere {
        return builder;
    }
    let (sender, work) = mpsc::channel::<Box<dyn FnOnce() + Send>>();
    std::thread::spawn(move || work.into_iter().for_each(|work| work()));
    builder.merge_on(move |work| drop(sender.send(work)))
}

fn filled(patterns: &[Pattern], elsewhere: bool) -> Result<LiveMatcher<u64>, Failure> {
    let live = settings(elsewhere).build();
    live.apply((0..).zip(patterns.iter().cloned()).collect::<Batch<u64>>())?;
    Ok(live)
}

fn seconds(work: impl FnOnce()) -> f64 {
    let start = ThreadTime::now();
    work();
    start.elapsed().as_secs_f64()
}

fn load(patterns: &[Pattern]) -> Result<(), Failure> {
    let bytes = Matcher::new(patterns.iter().cloned())?.to_bytes();
    let (mut compile, mut load) = (Vec::new(), Vec::new());
    for _ in 0..TURNS {
        compile.push(seconds(|| drop(black_box(Matcher::new(patterns.iter().cloned())))));
        load.push(seconds(|| drop(black_box(Matcher::from_bytes(&bytes)))));
    }
    let (compile, load, size) = (median(compile), median(load), bytes.len() as f64 / 1e6);
    println!(
        "| load {size:.1} MB | {:.1} ms, {:.0} MB/s, {:.1} × faster than compiling |",
        load * 1e3,
        size / load,
        compile / load
    );
    Ok(())
}

/// An unchanging snapshot against another one of the same rules, as the ratio of their speeds.
fn against_merged(live: &LiveMatcher<u64>, events: &[Vec<u8>]) -> Result<(f64, usize), Failure> {
    let parts = live.snapshot();
    live.settle()?;
    let merged = live.snapshot();
    let mut scratches = [Scratch::default(), Scratch::default()];
    let mut samples = [Vec::new(), Vec::new()];
    for _ in 0..TURNS {
        for ((snapshot, scratch), samples) in [&parts, &merged].into_iter().zip(&mut scratches).zip(&mut samples) {
            samples.push(seconds(|| pass(snapshot, events, scratch)));
        }
    }
    let [parts_time, merged_time] = samples.map(median);
    Ok((merged_time / parts_time, parts.parts()))
}

fn pass(snapshot: &Snapshot<u64>, events: &[Vec<u8>], scratch: &mut Scratch) {
    for event in events {
        black_box(snapshot.matches(event, scratch).is_ok_and(|keys| keys.count() > 0));
    }
}

fn changes(patterns: &[Pattern], spare: &[Pattern], events: &[Vec<u8>], elsewhere: bool) -> Result<(), Failure> {
    let live = filled(patterns, elsewhere)?;
    let place = if elsewhere { "merges elsewhere" } else { "merges inline" };
    let known = patterns.len() as u64;
    let mut pauses = Vec::new();
    for (key, pattern) in (known..).zip(spare.iter().take(spare.len() / 5)) {
        let start = Instant::now();
        live.insert(key, pattern.clone())?;
        pauses.push(start.elapsed());
    }
    report(&format!("insert, {place}"), pauses);
    let (ratio, parts) = against_merged(&live, events)?;
    println!("| matching with the {parts} parts that are left then | {ratio:.2} of one part |");
    let mut pauses = Vec::new();
    for key in 0..known / 5 {
        let start = Instant::now();
        black_box(live.remove(&(key * 7 % known)));
        pauses.push(start.elapsed());
    }
    report(&format!("remove, {place}"), pauses);
    Ok(())
}

fn report(what: &str, mut pauses: Vec<Duration>) {
    pauses.sort_unstable();
    let mean = pauses.iter().sum::<Duration>() / pauses.len().max(1) as u32;
    let at = |place: usize| pauses.get(place).copied().unwrap_or_default();
    let (middle, worst) = (at(pauses.len() / 2), at(pauses.len().saturating_sub(1)));
    println!("| {what} | {mean:.1?} on the average, {middle:.1?} median, {worst:.1?} at worst |");
}

/// One thread replaces rules, with a pause after each; this one matches, in turns with an unchanging matcher.
fn churn(patterns: &[Pattern], spare: &[Pattern], events: &[Vec<u8>], pause: Duration) -> Result<(), Failure> {
    let live = filled(patterns, true)?;
    let still = live.snapshot();
    let (active, stop, changes) = (AtomicBool::new(false), AtomicBool::new(false), AtomicUsize::new(0));
    let mut samples = [Vec::new(), Vec::new()];
    let mut parts = 0;
    std::thread::scope(|scope| {
        scope.spawn(|| {
            for (key, pattern) in (0..).zip(patterns.iter().chain(spare).cycle()) {
                while !active.load(Ordering::Relaxed) {
                    if stop.load(Ordering::Relaxed) {
                        return;
                    }
                    std::thread::sleep(Duration::from_millis(1));
                }
                live.remove(&key);
                if live.insert(key + patterns.len() as u64, pattern.clone()).is_err() {
                    return;
                }
                changes.fetch_add(1, Ordering::Relaxed);
                if !pause.is_zero() {
                    std::thread::sleep(pause);
                }
            }
        });
        let (mut own, mut other, mut snapshot) = (Scratch::default(), Scratch::default(), live.snapshot());
        for _ in 0..TURNS {
            active.store(false, Ordering::Relaxed);
            std::thread::sleep(Duration::from_millis(5));
            samples[0].push(seconds(|| pass(&still, events, &mut own)));
            active.store(true, Ordering::Relaxed);
            samples[1].push(seconds(|| {
                for event in events {
                    live.refresh(&mut snapshot);
                    parts += snapshot.parts();
                    pass(&snapshot, std::slice::from_ref(event), &mut other);
                }
            }));
        }
        active.store(false, Ordering::Relaxed);
        stop.store(true, Ordering::Relaxed);
    });
    let [still, churned] = samples.map(median);
    let parts = parts as f64 / (TURNS * events.len()) as f64;
    let changes = changes.into_inner();
    let what = if pause.is_zero() { "without pause".to_owned() } else { format!("every {pause:?}") };
    println!(
        "| matching while a rule is replaced {what} ({changes}), {parts:.1} parts | {:.2} of a still one |",
        still / churned
    );
    Ok(())
}

/// Every rule is replaced ten times over.
fn turnover(patterns: &[Pattern], spare: &[Pattern]) -> Result<(), Failure> {
    let live = filled(patterns, false)?;
    let fresh = live.snapshot().memory_usage() as f64;
    let mut held: VecDeque<u64> = (0..patterns.len() as u64).collect();
    let mut worst = 0_f64;
    for (key, pattern) in (patterns.len() as u64..).zip(spare.iter().chain(patterns).cycle().take(patterns.len() * 10))
    {
        if let Some(oldest) = held.pop_front() {
            live.remove(&oldest);
        }
        live.insert(key, pattern.clone())?;
        held.push_back(key);
        if key % 512 == 0 {
            worst = worst.max(live.snapshot().memory_usage() as f64);
        }
    }
    let now = live.snapshot().memory_usage() as f64;
    println!(
        "| tables after 10 × turnover | {:.2} of fresh ones, {:.2} at most on the way |",
        now / fresh,
        worst / fresh
    );
    Ok(())
}
