//! Rule sets that change, against a plain map.

use std::collections::BTreeMap;
use std::fmt::{Display, Formatter};
use std::sync::mpsc;

use eventrie::event::ReadPolicy;
use eventrie::live::{Batch, Snapshot};
use eventrie::{Dialect, Limit, LiveMatcher, Pattern, Scratch};

use crate::choices::Choices;
use crate::make::Maker;
use crate::matching::{is_built, limits};
use crate::{Case, paste};

/// Patterns, events, and what is done with them.
pub(crate) struct Live {
    patterns: Vec<String>,
    events: Vec<String>,
    steps: Vec<Step>,
    ratio: usize,
    /// Large merges are done when a step says so.
    elsewhere: bool,
    policy: ReadPolicy,
}

/// One change, by the numbers of patterns.
#[derive(Clone, Debug)]
enum Change {
    Insert(u8, usize),
    Replace(u8, Vec<usize>),
    Remove(u8),
    /// Several keys from a first one on, each with a pattern.
    Fill(u8, u8, usize),
}

#[derive(Clone, Debug)]
enum Step {
    One(Change),
    Batch(Vec<Change>),
    Settle,
    /// The work that was handed off is done, or lost.
    Work(bool),
    /// Keeps a snapshot, to be asked at the end.
    Hold,
    /// A pattern of another service: nothing is changed.
    Foreign(u8),
}

type Model = BTreeMap<u8, Vec<usize>>;

impl Case for Live {
    fn decode(input: &[u8]) -> Option<Live> {
        let mut choices = Choices::new(input);
        let mode = choices.byte();
        let count = 2 + usize::from(mode & 7);
        let steps = (0..1 + choices.below(24)).map(|_| step(&mut choices, count)).collect();
        let mut maker = Maker::new(choices);
        let patterns: Vec<String> = (0..count).map(|_| maker.pattern()).collect();
        let events = (0..3).map(|_| maker.event()).collect();
        let policy = if mode & 8 == 0 { ReadPolicy::Whole } else { ReadPolicy::Early };
        let ratio = [1, 2, 8, 64][usize::from(mode >> 4 & 3)];
        Some(Live { patterns, events, steps, ratio, elsewhere: mode & 0x40 != 0, policy })
    }

    fn check(&self) {
        let patterns: Vec<Pattern> = self
            .patterns
            .iter()
            .filter_map(|text| Pattern::parse(text, Dialect::EventBridge).ok())
            .filter(is_built)
            .collect();
        // Of each event the patterns that match it. Early reading is tested only where it must know the answer.
        let judged: Vec<(&String, Vec<bool>)> = self
            .events
            .iter()
            .filter(|event| self.policy == ReadPolicy::Whole || crate::kept::kept(event).paths)
            .filter_map(|event| {
                let matched =
                    |pattern: &Pattern| Some(pattern.explain_with(event.as_bytes(), &limits()).ok()?.matched());
                Some((event, patterns.iter().map(matched).collect::<Option<Vec<bool>>>()?))
            })
            .collect();
        let mut history = History {
            patterns: &patterns,
            judged: &judged,
            live: LiveMatcher::new(),
            work: None,
            model: Model::new(),
            version: 0,
            scratch: Scratch::default(),
        };
        let mut builder = LiveMatcher::builder().limits(limits()).merge_ratio(self.ratio).read_policy(self.policy);
        if self.elsewhere {
            let (sender, work) = mpsc::channel();
            history.work = Some(work);
            builder = builder.merge_on(move |work| drop(sender.send(work)));
        }
        history.live = builder.build();
        history.run(&self.steps);
    }
}

fn change(choices: &mut Choices<'_>, patterns: usize) -> Change {
    let key = choices.byte() % 40;
    match choices.below(8) {
        0..=2 => Change::Insert(key, choices.below(patterns)),
        3 => Change::Replace(key, (0..choices.below(4)).map(|_| choices.below(patterns)).collect()),
        4 | 5 => Change::Remove(key),
        _ => Change::Fill(key, choices.byte() % 120, choices.below(patterns)),
    }
}

fn step(choices: &mut Choices<'_>, patterns: usize) -> Step {
    match choices.below(12) {
        0..=6 => Step::One(change(choices, patterns)),
        7 => Step::Batch((0..choices.below(6)).map(|_| change(choices, patterns)).collect()),
        8 => Step::Settle,
        9 => Step::Work(choices.rarely(200)),
        10 => Step::Hold,
        _ => Step::Foreign(choices.byte() % 40),
    }
}

type Work = mpsc::Receiver<Box<dyn FnOnce() + Send>>;

struct History<'c> {
    patterns: &'c [Pattern],
    judged: &'c [(&'c String, Vec<bool>)],
    live: LiveMatcher<u8>,
    work: Option<Work>,
    model: Model,
    version: u64,
    scratch: Scratch,
}

impl History<'_> {
    fn run(&mut self, steps: &[Step]) {
        if self.patterns.is_empty() {
            return;
        }
        let mut held = Vec::new();
        let mut followed = self.live.snapshot();
        for step in steps {
            match step {
                Step::One(change) => self.one(change),
                Step::Batch(changes) => {
                    let mut batch = Batch::new();
                    changes.iter().for_each(|change| self.add(change, &mut batch));
                    self.live.apply(batch).unwrap();
                }
                Step::Settle => self.live.settle().unwrap(),
                Step::Work(done) => {
                    for work in self.work.iter().flat_map(mpsc::Receiver::try_iter) {
                        if *done {
                            work();
                        }
                    }
                }
                Step::Hold => held.push((self.live.snapshot(), self.model.clone())),
                Step::Foreign(key) => {
                    let foreign = Pattern::parse(r#"{"a":["x"]}"#, Dialect::SnsBody).unwrap();
                    let mut batch = Batch::new();
                    batch.insert(*key, self.patterns[0].clone());
                    batch.insert(*key, foreign);
                    assert!(self.live.apply(batch).is_err(), "patterns of two services are taken");
                }
            }
            let snapshot = self.live.snapshot();
            assert!(snapshot.version() >= self.version, "versions go back");
            self.version = snapshot.version();
            self.compare(&snapshot, &self.model.clone());
            self.live.refresh(&mut followed);
            assert_eq!(followed.version(), snapshot.version());
        }
        if steps.iter().any(|step| matches!(step, Step::Settle)) {
            self.live.settle().unwrap();
            assert_eq!(self.live.snapshot().parts(), 1, "settled");
        }
        held.push((followed, self.model.clone()));
        for (snapshot, model) in held {
            self.compare(&snapshot, &model);
        }
    }

    fn pattern(&self, number: usize) -> (usize, Pattern) {
        let number = number % self.patterns.len();
        (number, self.patterns[number].clone())
    }

    /// Makes a change by the method of its own, where there is one.
    fn one(&mut self, change: &Change) {
        match change {
            Change::Insert(key, number) => {
                let (number, pattern) = self.pattern(*number);
                self.live.insert(*key, pattern).unwrap();
                self.model.entry(*key).or_default().push(number);
            }
            Change::Replace(key, numbers) => {
                let patterns = numbers.iter().map(|number| self.pattern(*number).1);
                self.live.replace(*key, patterns).unwrap();
                self.put(*key, numbers);
            }
            Change::Remove(key) => {
                assert_eq!(self.live.remove(key), self.model.remove(key).is_some(), "removing {key}");
            }
            Change::Fill(..) => {
                let mut batch = Batch::new();
                self.add(change, &mut batch);
                self.live.apply(batch).unwrap();
            }
        }
    }

    fn put(&mut self, key: u8, numbers: &[usize]) {
        let numbers: Vec<usize> = numbers.iter().map(|number| self.pattern(*number).0).collect();
        if numbers.is_empty() {
            self.model.remove(&key);
        } else {
            self.model.insert(key, numbers);
        }
    }

    /// Adds a change to a batch and makes it in the model.
    fn add(&mut self, change: &Change, batch: &mut Batch<u8>) {
        match change {
            Change::Insert(key, number) => {
                let (number, pattern) = self.pattern(*number);
                batch.insert(*key, pattern);
                self.model.entry(*key).or_default().push(number);
            }
            Change::Replace(key, numbers) => {
                batch.replace(*key, numbers.iter().map(|number| self.pattern(*number).1).collect::<Vec<_>>());
                self.put(*key, numbers);
            }
            Change::Remove(key) => {
                batch.remove(*key);
                self.model.remove(key);
            }
            Change::Fill(from, count, first) => {
                for at in 0..*count {
                    self.add(&Change::Insert(from.saturating_add(at), first + usize::from(at)), batch);
                }
            }
        }
    }

    fn compare(&mut self, snapshot: &Snapshot<u8>, model: &Model) {
        assert_eq!(snapshot.len(), model.len());
        assert!(snapshot.keys().eq(model.keys()), "{snapshot:?} has not the keys of {model:?}");
        for (key, numbers) in model {
            let own: Vec<&str> = snapshot.get(key).iter().map(|pattern| pattern.source()).collect();
            let wanted: Vec<&str> = numbers.iter().map(|number| self.patterns[*number].source()).collect();
            assert_eq!(own, wanted, "the patterns of {key}");
        }
        for (event, matched) in self.judged {
            let holds = |numbers: &Vec<usize>| numbers.iter().any(|number| matched[*number]);
            let expected: Vec<u8> = model.iter().filter(|(_, own)| holds(own)).map(|(key, _)| *key).collect();
            match snapshot.matches(*event, &mut self.scratch) {
                Ok(keys) => assert_eq!(keys.copied().collect::<Vec<u8>>(), expected, "{event}"),
                Err(error) => assert_eq!(error.limit(), Some(Limit::JoinSteps), "{event}"),
            }
            match snapshot.is_match(*event, &mut self.scratch) {
                Ok(any) => assert_eq!(any, !expected.is_empty(), "is_match for {event}"),
                Err(error) => assert_eq!(error.limit(), Some(Limit::JoinSteps), "{event}"),
            }
        }
    }
}

impl Display for Live {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        writeln!(f, "let patterns = {};", paste::rust_list(&self.patterns))?;
        writeln!(f, "let events = {};", paste::rust_list(&self.events))?;
        writeln!(
            f,
            "let live: LiveMatcher<u8> = LiveMatcher::builder().merge_ratio({}).read_policy(ReadPolicy::{:?}){}.build();",
            self.ratio,
            self.policy,
            if self.elsewhere { ".merge_on(…)" } else { "" }
        )?;
        for step in &self.steps {
            writeln!(f, "// {step:?}")?;
        }
        f.write_str("// numbers are those of the patterns, modulo how many are valid; asked after each step")
    }
}
