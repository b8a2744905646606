//! One matcher in several threads, beside as many processes that share nothing.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use cpu_time::ThreadTime;
use eventrie::{Matcher, Scratch};

use crate::data;
use crate::measure::{Effort, median};
use crate::rivals::{Engine, Rival};
use crate::rules::Mix;

/// Given as the only argument, makes the program one of the processes.
pub const WORKER: &str = "--worker";

/// Events per second.
#[derive(Clone, Copy, Debug)]
pub struct Rates {
    /// Of one thread.
    pub one: f64,
    /// Of two threads with one matcher, together.
    pub threads: f64,
    /// Of two processes, together.
    pub processes: f64,
    /// The median of what two threads do against two processes in the same turn.
    pub ratio: f64,
}

/// A matcher and events for it.
struct Work {
    engine: Engine,
    events: Vec<Vec<u8>>,
}

impl Work {
    fn new(rules: usize) -> Result<Work, String> {
        let engine = Engine::new(Rival::Whole, &data::patterns(Mix::Full, rules))?;
        Ok(Work { engine, events: data::events(2_000) })
    }

    fn matcher(&self) -> Result<&Matcher, String> {
        self.engine.matcher().ok_or_else(|| "no matcher".to_owned())
    }
}

/// Measures so many rules. The processes are this program, run once more with [`WORKER`].
///
/// # Errors
/// If the program cannot be run once more.
pub fn rates(rules: usize, effort: Effort) -> Result<Rates, String> {
    let work = Work::new(rules)?;
    let matcher = work.matcher()?;
    let mut others = [Other::start(rules)?, Other::start(rules)?];
    let turn = effort.turn * 2;
    let (mut one, mut threads, mut processes, mut ratios) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for _ in 0..effort.turns {
        one.push(together(matcher, &work.events, 1, turn));
        let two = together(matcher, &work.events, 2, turn);
        others.iter_mut().try_for_each(|other| other.begin(turn))?;
        let apart = others.iter_mut().map(Other::rate).sum::<Result<f64, String>>()?;
        threads.push(two);
        processes.push(apart);
        ratios.push(two / apart);
    }
    Ok(Rates { one: median(one), threads: median(threads), processes: median(processes), ratio: median(ratios) })
}

/// Events per second of so many threads together, each by the time that it had a processor.
fn together(matcher: &Matcher, events: &[Vec<u8>], threads: usize, turn: Duration) -> f64 {
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(|| alone(matcher, events, turn))).collect();
        workers.into_iter().filter_map(|worker| worker.join().ok()).sum()
    })
}

/// Events per second of this thread.
fn alone(matcher: &Matcher, events: &[Vec<u8>], turn: Duration) -> f64 {
    let mut scratch = Scratch::default();
    let (start, used) = (Instant::now(), ThreadTime::now());
    let mut done = 0_usize;
    while start.elapsed() < turn {
        for event in events.iter().skip(done % events.len()).take(100) {
            std::hint::black_box(matcher.matches(event, &mut scratch).map(|found| found.len()).ok());
            done += 1;
        }
    }
    done as f64 / used.elapsed().as_secs_f64()
}

/// Another process, which waits for turns.
struct Other {
    process: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
}

impl Other {
    /// Starts it, and waits until its matcher is there.
    fn start(rules: usize) -> Result<Other, String> {
        let words = |error: std::io::Error| error.to_string();
        let program = std::env::current_exe().map_err(words)?;
        let mut command = Command::new(program);
        command.arg(WORKER).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut process = command.spawn().map_err(words)?;
        let (to, from) = process.stdin.take().zip(process.stdout.take()).ok_or("the process has no pipes")?;
        let mut other = Other { process, to, from: BufReader::new(from) };
        other.say(rules as u64)?;
        other.rate()?;
        Ok(other)
    }

    fn say(&mut self, number: u64) -> Result<(), String> {
        writeln!(self.to, "{number}").and_then(|()| self.to.flush()).map_err(|error| error.to_string())
    }

    fn begin(&mut self, turn: Duration) -> Result<(), String> {
        self.say(turn.as_nanos() as u64)
    }

    fn rate(&mut self) -> Result<f64, String> {
        let mut line = String::new();
        self.from.read_line(&mut line).map_err(|error| error.to_string())?;
        line.trim().parse().map_err(|_| format!("a process answers {line:?}"))
    }
}

impl Drop for Other {
    fn drop(&mut self) {
        // Already gone is just as well.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// The part of another process: reads the number of rules, answers when they are compiled; then reads the length of each turn
/// and answers with its events per second.
///
/// # Errors
/// If what it reads is no number.
pub fn worker() -> Result<(), String> {
    let mut numbers = std::io::stdin()
        .lock()
        .lines()
        .map(|line| line.map_err(|error| error.to_string())?.parse::<u64>().map_err(|error| error.to_string()));
    let work = Work::new(numbers.next().ok_or("no number of rules")?? as usize)?;
    println!("0");
    for turn in numbers {
        println!("{}", alone(work.matcher()?, &work.events, Duration::from_nanos(turn?)));
    }
    Ok(())
}
