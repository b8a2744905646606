//! `eventrie match`

use std::io::{self, BufWriter, IsTerminal, Write};
use std::ops::Range;
use std::time::{Duration, Instant};

use eventrie::event::ReadPolicy;
use eventrie::{EventError, ParseOptions};
use eventrie_files::EventItem;
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;

use crate::args::MatchArgs;
use crate::commands::Outcome;
use crate::judge::Judge;
use crate::open::{self, Opened};
use crate::report::Reporter;
use crate::rules::Rules;
use crate::shown::complain;

/// What `--stats` prints.
#[derive(Debug, Default, Serialize)]
struct Stats {
    rules: usize,
    build_ms: f64,
    events: u64,
    bytes: u64,
    matches: u64,
    match_ms: f64,
    bad_events: u64,
    table_bytes: usize,
}

pub(crate) fn run(args: &MatchArgs) -> anyhow::Result<Outcome> {
    let rules = Rules::of(&args.patterns, args.language.dialect, Some(&args.events))?;
    let started = Instant::now();
    let mut reporter = Reporter::stderr();
    let options = ParseOptions::new(args.language.dialect).engine(args.language.engine);
    let patterns = rules.parse(&options, &mut reporter);
    reporter.finish()?;
    let policy = if args.early { ReadPolicy::Early } else { ReadPolicy::Whole };
    let groups = rules.by_group(patterns?);
    let judge = Judge::new(groups, &options, args.language.source, policy, |at| rules.describe(at))?;
    let names = rules.names;
    let stats = Stats {
        rules: names.len(),
        build_ms: millis(started.elapsed()),
        table_bytes: judge.table_bytes(),
        ..Stats::default()
    };
    let mut run = Run {
        args,
        judge,
        quoted: names.iter().map(serde_json::to_string).collect::<Result<_, _>>()?,
        counts: vec![0; names.len()],
        names,
        out: BufWriter::with_capacity(1 << 16, io::stdout().lock()),
        stats,
        selected: 0,
        trouble: false,
    };
    run.files()?;
    run.finish()
}

fn millis(duration: Duration) -> f64 {
    (duration.as_secs_f64() * 1e6).round() / 1e3
}

/// What became of one event, or of one record of what a function was given.
struct Answer {
    item: usize,
    record: Option<usize>,
    range: Range<usize>,
    kind: Kind,
}

enum Kind {
    /// The rules from here to there in the batch's list.
    Rules(Range<usize>),
    Refused(EventError),
    Fault(&'static str),
}

struct Run<'a> {
    args: &'a MatchArgs,
    judge: Judge,
    names: Vec<String>,
    /// The rules' names as JSON.
    quoted: Vec<String>,
    counts: Vec<u64>,
    out: BufWriter<io::StdoutLock<'static>>,
    stats: Stats,
    /// How many events are to be printed.
    selected: u64,
    trouble: bool,
}

impl Run<'_> {
    fn files(&mut self) -> anyhow::Result<()> {
        let standard = ["-".to_owned()];
        let args = self.args;
        let names: &[String] = if args.events.is_empty() { &standard } else { &args.events };
        let mut progress = Progress::new(names);
        for name in names {
            match open::events(name) {
                Ok(mut input) => {
                    let go_on = self.file(&mut input, names.len() > 1, &mut progress)?;
                    progress.file_done(&input);
                    if !go_on {
                        break;
                    }
                }
                Err(error) => {
                    complain(&format!("{name}: {error}"));
                    self.trouble = true;
                }
            }
        }
        progress.clear();
        Ok(())
    }

    /// Answers one file; whether to go on with the next.
    fn file(&mut self, input: &mut Opened, several: bool, progress: &mut Progress) -> anyhow::Result<bool> {
        let name = input.stream.name().to_owned();
        let (mut answers, mut found) = (Vec::new(), Vec::new());
        loop {
            let (text, items) = match input.stream.next_batch() {
                Ok(Some(batch)) => batch,
                Ok(None) => return Ok(true),
                Err(error) => {
                    complain(&format!("{name}: {error}"));
                    self.trouble = true;
                    return Ok(true);
                }
            };
            self.answer(text, items, &mut answers, &mut found);
            for answer in &answers {
                let Some(item) = items.get(answer.item) else { continue };
                if !self.tell(&name, several, text, item, answer, &found)? {
                    return Ok(false);
                }
            }
            // Whoever waits behind a pipe wants the answers now.
            self.out.flush()?;
            progress.update(input);
        }
    }

    /// Matches a batch. Only this is timed: no file is read and nothing printed here.
    fn answer(&mut self, text: &[u8], items: &[EventItem], answers: &mut Vec<Answer>, found: &mut Vec<usize>) {
        answers.clear();
        found.clear();
        let started = Instant::now();
        for (at, item) in items.iter().enumerate() {
            let event = text.get(item.range.clone()).unwrap_or(&[]);
            self.stats.bytes += event.len() as u64;
            if let Some(fault) = item.fault {
                answers.push(Answer { item: at, record: None, range: item.range.clone(), kind: Kind::Fault(fault) });
            } else if let Some(records) = self.judge.records(event) {
                for (number, record) in records.into_iter().enumerate() {
                    let range = item.range.start + record.start..item.range.start + record.end;
                    let kind = self.one(text.get(range.clone()).unwrap_or(&[]), found);
                    answers.push(Answer { item: at, record: Some(number), range, kind });
                }
            } else {
                let kind = self.one(event, found);
                answers.push(Answer { item: at, record: None, range: item.range.clone(), kind });
            }
            if self.args.strict && answers.last().is_some_and(|answer| !matches!(answer.kind, Kind::Rules(_))) {
                break;
            }
        }
        self.stats.match_ms += started.elapsed().as_secs_f64() * 1e3;
    }

    fn one(&mut self, event: &[u8], found: &mut Vec<usize>) -> Kind {
        let start = found.len();
        let judged = self.judge.judge(event).map(|verdict| found.extend(verdict.positions()));
        match judged {
            Ok(()) => Kind::Rules(start..found.len()),
            Err(error) => Kind::Refused(error),
        }
    }

    /// Prints one answer; whether to go on.
    fn tell(
        &mut self,
        name: &str,
        several: bool,
        text: &[u8],
        item: &EventItem,
        answer: &Answer,
        found: &[usize],
    ) -> anyhow::Result<bool> {
        let event = text.get(answer.range.clone()).unwrap_or(&[]);
        let found = match &answer.kind {
            Kind::Rules(range) => found.get(range.clone()).unwrap_or(&[]),
            Kind::Refused(error) => {
                let fault = answer.range.start + error.offset().unwrap_or(0);
                let before = text.get(item.range.start..fault).unwrap_or(&[]);
                let line = item.line + memchr::memchr_iter(b'\n', before).count() as u64;
                return Ok(self.bad(&format!("{name}:{line}: {error}")));
            }
            Kind::Fault(fault) => return Ok(self.bad(&format!("{name}:{}: {fault}", item.line))),
        };
        self.stats.events += 1;
        self.stats.matches += found.len() as u64;
        for rule in found {
            if let Some(count) = self.counts.get_mut(*rule) {
                *count += 1;
            }
        }
        if found.is_empty() != self.args.invert {
            return Ok(true);
        }
        self.selected += 1;
        if self.args.quiet {
            return Ok(false);
        }
        if self.args.count {
            return Ok(true);
        }
        if self.args.patterns.rules.is_none() {
            self.out.write_all(event)?;
            self.out.write_all(b"\n")?;
            return Ok(true);
        }
        write!(self.out, "{{\"event\":{}", item.number)?;
        if let Some(record) = answer.record {
            write!(self.out, ",\"record\":{record}")?;
        }
        if several {
            write!(self.out, ",\"file\":{}", serde_json::to_string(name)?)?;
        }
        self.out.write_all(b",\"rules\":[")?;
        for (at, rule) in found.iter().enumerate() {
            if at > 0 {
                self.out.write_all(b",")?;
            }
            self.out.write_all(self.quoted.get(*rule).map_or(b"", |name| name.as_bytes()))?;
        }
        self.out.write_all(b"]}\n")?;
        Ok(true)
    }

    /// Reports an event that could not be read; whether to go on.
    fn bad(&mut self, message: &str) -> bool {
        self.stats.events += 1;
        self.stats.bad_events += 1;
        drop(writeln!(io::stderr(), "{message}"));
        self.trouble |= self.args.strict;
        !self.args.strict
    }

    fn finish(mut self) -> anyhow::Result<Outcome> {
        if self.args.count && !self.args.quiet {
            if self.args.patterns.rules.is_some() {
                let good = self.stats.events - self.stats.bad_events;
                for (name, count) in self.names.iter().zip(&self.counts) {
                    let count = if self.args.invert { good - count } else { *count };
                    writeln!(self.out, "{name}\t{count}")?;
                }
            } else {
                writeln!(self.out, "{}", self.selected)?;
            }
        }
        self.out.flush()?;
        if self.args.stats {
            self.stats.match_ms = (self.stats.match_ms * 1e3).round() / 1e3;
            drop(writeln!(io::stderr(), "{}", serde_json::to_string(&self.stats)?));
        }
        Ok(match (self.trouble, self.selected) {
            // As grep: a match was found before anything went wrong, and only that was asked.
            (true, 1..) if self.args.quiet => Outcome::Yes,
            (true, _) => Outcome::Trouble,
            (false, 0) => Outcome::No,
            (false, _) => Outcome::Yes,
        })
    }
}

/// A bar on standard error, if that is a terminal and the work takes more than a second.
struct Progress {
    started: Instant,
    total: Option<u64>,
    done: u64,
    bar: Option<ProgressBar>,
}

impl Progress {
    fn new(names: &[String]) -> Progress {
        // Only files have a known length; and results on the same terminal are progress enough.
        let wanted = io::stderr().is_terminal() && !io::stdout().is_terminal();
        let length = |name: &String| std::fs::metadata(name).ok().filter(|data| data.is_file()).map(|data| data.len());
        let total = if wanted { names.iter().map(length).sum() } else { None };
        Progress { started: Instant::now(), total, done: 0, bar: None }
    }

    fn update(&mut self, input: &Opened) {
        let Some(total) = self.total else { return };
        if self.bar.is_none() && self.started.elapsed() > Duration::from_secs(1) {
            let bar = ProgressBar::new(total);
            if let Ok(style) = ProgressStyle::with_template("{bar:40} {bytes}/{total_bytes} {eta}") {
                bar.set_style(style);
            }
            self.bar = Some(bar);
        }
        if let Some(bar) = &self.bar {
            bar.set_position(self.done + input.bytes_read());
        }
    }

    fn file_done(&mut self, input: &Opened) {
        self.done += input.bytes_read();
    }

    fn clear(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
