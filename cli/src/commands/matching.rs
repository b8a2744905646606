//! `eventrie match`

use std::collections::BTreeSet;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::sync::Arc;
use std::time::{Duration, Instant};

use eventrie::event::ReadPolicy;
use eventrie::{Dialect, EventError, ParseOptions};
use eventrie_files::EventItem;
use eventrie_files::envelope::{Inner, Wanted};
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;

use crate::args::MatchArgs;
use crate::commands::Outcome;
use crate::commands::batch::{self, Answer, Kind, Work};
use crate::events::{self, EMPTY_ARRAY, Fault, Later, Missing};
use crate::given::Given;
use crate::judge::{Judge, unpublished};
use crate::open::{self, Opened};
use crate::report::Reporter;
use crate::rules::{Deployed, Rules, next_steps};
use crate::shown::complain;

/// How many kinds of envelopes are named.
const MOST_NOTICES: usize = 20;
/// How many events that cannot be read are shown with their text; for further ones, only place and cause.
const SHOWN_IN_FULL: u64 = 3;

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
    let given = Given::of(&args.patterns, &args.events, args.event.as_ref())?;
    let args = &MatchArgs { patterns: given.patterns, events: given.events, event: given.event, ..args.clone() };
    let rules = Rules::of(&args.patterns, args.language.dialect, args.event.is_none().then_some(&*args.events))?;
    let started = Instant::now();
    let mut reporter = Reporter::stderr();
    let options = ParseOptions::new(rules.dialect).engine(args.language.engine);
    let patterns = rules.parse(&options, &mut reporter);
    reporter.finish()?;
    let policy = if args.early { ReadPolicy::Early } else { ReadPolicy::Whole };
    let groups = rules.by_group(patterns?);
    let later = Later::new(&args.language.entry, &groups, &rules.names);
    let judge = Judge::new(groups, &options, args.language.source, policy, unpublished(&args.language.entry)?, |at| {
        rules.describe(at)
    })?;
    let (names, dialect) = (rules.names, rules.dialect);
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
        unanswered: Vec::new(),
        names,
        out: BufWriter::with_capacity(1 << 16, io::stdout().lock()),
        stats,
        selected: 0,
        trouble: false,
        is_empty_reported: false,
        deployed: rules.deployed,
        silent: BTreeSet::new(),
        dialect,
        wanted: events::wanted(dialect, args.language.source),
        later,
        told: BTreeSet::new(),
    };
    run.files()?;
    run.finish()
}

fn millis(duration: Duration) -> f64 {
    (duration.as_secs_f64() * 1e6).round() / 1e3
}

struct Run<'a> {
    args: &'a MatchArgs,
    judge: Judge,
    names: Vec<String>,
    /// The rules' names as JSON.
    quoted: Vec<String>,
    counts: Vec<u64>,
    /// The rules that have no answer for an event that others answer, and for how many events.
    unanswered: Vec<(Arc<Missing>, u64)>,
    out: BufWriter<io::StdoutLock<'static>>,
    stats: Stats,
    /// How many events are to be printed.
    selected: u64,
    trouble: bool,
    /// Whether it was said why a file has no events.
    is_empty_reported: bool,
    /// What the file says of each rule.
    deployed: Vec<Deployed>,
    /// Rules already reported to match and receive nothing.
    silent: BTreeSet<usize>,
    dialect: Dialect,
    /// What is opened to find events.
    wanted: Option<Wanted>,
    /// What is known of fields that are set later.
    later: Later,
    /// What was said of envelopes.
    told: BTreeSet<String>,
}

impl Run<'_> {
    fn files(&mut self) -> anyhow::Result<()> {
        if let Some(text) = &self.args.event {
            let mut input = open::text(text)?;
            return self.file(&mut input, false, &mut Progress::new(&[])).map(drop);
        }
        let names = events::names(&self.args.events)?;
        let mut progress = Progress::new(&names);
        for name in &names {
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
        let (mut parts, mut is_empty) = (batch::parts(self.args.threads), true);
        loop {
            let (text, items) = match input.stream.next_batch() {
                Ok(Some(batch)) => batch,
                Ok(None) => {
                    if is_empty && input.stream.is_array() {
                        complain(&format!("{name}: {EMPTY_ARRAY}"));
                        self.is_empty_reported = true;
                    }
                    return Ok(true);
                }
                Err(error) => {
                    complain(&format!("{name}: {error}"));
                    self.trouble = true;
                    return Ok(true);
                }
            };
            is_empty = false;
            // Only this is timed: no file is read and nothing printed here.
            let started = Instant::now();
            let work =
                Work { set: self.judge.set(), wanted: self.wanted, later: &self.later, is_strict: self.args.strict };
            work.answer(text, items, &mut parts);
            self.stats.match_ms += started.elapsed().as_secs_f64() * 1e3;
            self.stats.bytes += parts.iter().map(|part| part.bytes).sum::<u64>();
            for (at, message, is_bad) in parts.iter().flat_map(|part| &part.skipped) {
                let line = items.get(*at).map_or(0, |item| item.line);
                match is_bad {
                    true if !self
                        .bad(&Fault { headline: format!("{name}:{line}: {message}"), detail: String::new() }) =>
                    {
                        return Ok(false);
                    }
                    true => {}
                    false => complain(&format!("{name}:{line}: {message}")),
                }
            }
            for (answer, found) in parts.iter().flat_map(|part| part.answers.iter().map(|one| (one, &part.found))) {
                let Some(item) = items.get(answer.item) else { continue };
                if !self.tell(&name, several, text, item, answer, found)? {
                    return Ok(false);
                }
            }
            // A reader at the end of a pipe wants the answers now.
            self.out.flush()?;
            progress.update(input);
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
        let pointer = answer.inner.as_ref().map(Inner::pointer).filter(|pointer| !pointer.is_empty());
        let event = match &answer.inner {
            Some(inner) => inner.text().as_bytes(),
            None => text.get(answer.range.clone()).unwrap_or(&[]),
        };
        let fault = |error: &EventError| {
            let before = text.get(item.range.start..answer.range.start).unwrap_or(&[]);
            let line = item.line + memchr::memchr_iter(b'\n', before).count() as u64;
            let name = pointer.map_or_else(|| name.to_owned(), |pointer| format!("{name} {pointer}"));
            Fault::new(&name, line, event, error)
        };
        let without_detail = |what: &str| {
            let pointer = pointer.map(|pointer| format!(" {pointer}")).unwrap_or_default();
            Fault { headline: format!("{name}:{}{pointer}: {what}", item.line), detail: String::new() }
        };
        let found = match &answer.kind {
            Kind::Rules(range, undecided) => {
                if let Some(error) = undecided {
                    if !self.bad(&fault(error)) {
                        return Ok(false);
                    }
                    // The event counts once.
                    self.stats.events -= 1;
                }
                found.get(range.clone()).unwrap_or(&[])
            }
            Kind::Partly(range, missing) => {
                let found = found.get(range.clone()).unwrap_or(&[]);
                match self.unanswered.iter_mut().find(|(other, _)| Arc::ptr_eq(other, missing)) {
                    Some((_, count)) => *count += 1,
                    None => self.unanswered.push((Arc::clone(missing), 1)),
                }
                // Whether no rule matches is not known.
                if !self.bad(&without_detail(&missing.why)) || found.is_empty() {
                    return Ok(!self.args.strict);
                }
                self.stats.events -= 1;
                found
            }
            Kind::Refused(error) => return Ok(self.bad(&fault(error))),
            Kind::Fault(fault) => return Ok(self.bad(&without_detail(fault))),
        };
        if let Some(inner) = &answer.inner {
            self.unwrapped(&format!("{name}:{}", item.line), inner);
        }
        self.stats.events += 1;
        self.stats.matches += found.len() as u64;
        let bus = answer.inner.as_ref().and_then(Inner::bus);
        let mut silent = Vec::new();
        for rule in found {
            if let Some(why) = self.deployed.get(*rule).and_then(|deployed| deployed.silent(event, bus)) {
                silent.push(*rule);
                if self.silent.insert(*rule) {
                    let name = self.names.get(*rule).map_or("", String::as_str);
                    complain(&format!("the rule `{name}` matches, but {why}"));
                }
            }
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
        if let Some(pointer) = pointer {
            write!(self.out, ",\"pointer\":{}", serde_json::to_string(pointer)?)?;
        }
        if several {
            write!(self.out, ",\"file\":{}", serde_json::to_string(name)?)?;
        }
        self.list("rules", found)?;
        if !silent.is_empty() {
            self.list("silent", &silent)?;
        }
        self.out.write_all(b"}\n")?;
        Ok(true)
    }

    /// Writes the names of rules as a member of an object that has one.
    fn list(&mut self, key: &str, rules: &[usize]) -> io::Result<()> {
        write!(self.out, ",\"{key}\":[")?;
        for (at, rule) in rules.iter().enumerate() {
            if at > 0 {
                self.out.write_all(b",")?;
            }
            self.out.write_all(self.quoted.get(*rule).map_or(b"", |name| name.as_bytes()))?;
        }
        self.out.write_all(b"]")
    }

    /// Says once of each kind of envelope what was in it.
    fn unwrapped(&mut self, place: &str, inner: &Inner) {
        let place = if inner.pointer().is_empty() { place.to_owned() } else { format!("{place} {}", inner.pointer()) };
        for sentence in [Some(inner.sentence()), inner.refused().map(str::to_owned)].into_iter().flatten() {
            if self.told.len() < MOST_NOTICES && self.told.insert(sentence.clone()) {
                complain(&format!("{place}: {sentence}"));
            }
        }
    }

    /// Reports an event that could not be read; whether to go on.
    fn bad(&mut self, fault: &Fault) -> bool {
        self.stats.events += 1;
        self.stats.bad_events += 1;
        // A file of another kind has one such line after the other.
        fault.report(self.stats.bad_events > SHOWN_IN_FULL);
        self.trouble = true;
        !self.args.strict
    }

    fn finish(mut self) -> anyhow::Result<Outcome> {
        if self.args.count && !self.args.quiet {
            if self.args.patterns.rules.is_some() {
                let partly: u64 = self.unanswered.iter().map(|(_, count)| count).sum();
                let answered = self.stats.events + partly - self.stats.bad_events;
                let without = |rule: &usize| -> u64 {
                    let lacks = |(missing, _): &&(Arc<Missing>, u64)| missing.rules.binary_search(rule).is_ok();
                    self.unanswered.iter().filter(lacks).map(|(_, count)| count).sum()
                };
                for (rule, (name, count)) in self.names.iter().zip(&self.counts).enumerate() {
                    let others = count + without(&rule);
                    let count = if self.args.invert { answered.saturating_sub(others) } else { *count };
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
        if self.stats.events == 0 && !self.trouble && !self.is_empty_reported {
            complain("no events were read");
        }
        // For deployed rules, a match is not the whole answer.
        let is_deployed = self.deployed.iter().any(Deployed::may_be_silent);
        if let Some(next) =
            next_steps(self.dialect).filter(|_| is_deployed && self.stats.matches > 0 && !self.args.quiet)
        {
            complain(next);
        }
        Ok(match (self.trouble, self.selected) {
            // As with grep: a match was found before anything went wrong, and nothing else matters here.
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
