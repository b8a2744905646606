//! `eventrie test`: rules with events that they must match and must not match.

mod junit;
mod results;
mod suite;

use std::io::Write;

use eventrie::event::ReadPolicy;
use eventrie::service::{Subscription, Unpublished};
use eventrie::{Dialect, ParseOptions, Pattern};

use crate::args::{TestArgs, TestFormat};
use crate::commands::Outcome;
use crate::events::{Events, Later, Read};
use crate::judge::Judge;
use crate::report::Reporter;
use crate::shown::{complain, harmless};
use results::{Case, Results};
use suite::{Event, Suite, Test};

pub(crate) fn run(args: &TestArgs) -> anyhow::Result<Outcome> {
    let (mut all, mut trouble) = (Vec::new(), false);
    for name in &args.files {
        match Suite::read(name).and_then(|suite| results(&suite)) {
            Ok((results, is_whole)) => {
                trouble |= !is_whole;
                all.push(results);
            }
            Err(error) => {
                complain(&format!("{error:#}"));
                trouble = true;
            }
        }
    }
    let mut out = anstream::stdout();
    match args.format {
        TestFormat::Human => print(&all, &mut out)?,
        TestFormat::Junit => junit::write(&all, args.require_coverage, &mut out)?,
    }
    out.flush()?;
    let failed = all.iter().flat_map(|results| &results.cases).filter(|case| !case.failures.is_empty()).count();
    let uncovered: usize = all.iter().map(|results| results.uncovered.len()).sum();
    if args.format == TestFormat::Human {
        let (tests, rules) = (
            all.iter().map(|results| results.cases.len()).sum::<usize>(),
            all.iter().map(|results| results.rules).sum::<usize>(),
        );
        complain(&format!(
            "{} passed, {failed} failed; {} of {rules} rules covered",
            tests - failed,
            rules - uncovered
        ));
    }
    let is_good = failed == 0 && !(args.require_coverage && uncovered > 0);
    Ok(match (trouble, is_good) {
        (true, _) => Outcome::Trouble,
        (false, true) => Outcome::Yes,
        (false, false) => Outcome::No,
    })
}

fn print(all: &[Results], out: &mut dyn Write) -> std::io::Result<()> {
    for results in all {
        for case in results.cases.iter().filter(|case| !case.failures.is_empty()) {
            writeln!(out, "FAILED {}:{}: {}", harmless(&results.name), case.line, harmless(&case.name))?;
            for failure in &case.failures {
                writeln!(out, "  {}", harmless(failure).replace('\n', "\n  "))?;
            }
        }
        for rule in &results.uncovered {
            writeln!(out, "{}: no test event matches the rule `{}`", harmless(&results.name), harmless(rule))?;
        }
    }
    Ok(())
}

/// Runs the tests of a file; the second answer is whether every event could be read.
fn results(suite: &Suite) -> anyhow::Result<(Results, bool)> {
    let dialect = suite.rules.dialect;
    let options = ParseOptions::new(dialect);
    let mut reporter = Reporter::stderr();
    let patterns = suite.rules.parse(&options, &mut reporter);
    reporter.finish()?;
    let groups = suite.rules.by_group(patterns?);
    let describe = |at: usize| suite.rules.describe(at);
    let judge =
        Judge::new(groups.clone(), &options, suite.source, ReadPolicy::Whole, Unpublished::default(), describe)?;
    let mut run = Run { suite, dialect, groups, judge, covered: vec![false; suite.rules.names.len()], is_whole: true };
    let mut cases = Vec::with_capacity(suite.tests.len());
    for test in &suite.tests {
        cases.push(run.test(test)?);
    }
    let names = suite.rules.names.iter().zip(&run.covered);
    let uncovered = names.filter(|(_, covered)| !**covered).map(|(name, _)| name.clone()).collect();
    let results = Results { name: suite.name.clone(), cases, uncovered, rules: suite.rules.names.len() };
    Ok((results, run.is_whole))
}

struct Run<'a> {
    suite: &'a Suite,
    dialect: Dialect,
    /// The patterns of each rule.
    groups: Vec<Vec<Pattern>>,
    judge: Judge,
    /// Which rules an event matched.
    covered: Vec<bool>,
    is_whole: bool,
}

impl Run<'_> {
    fn test(&mut self, test: &Test) -> anyhow::Result<Case> {
        let (mut failures, mut read, suite) = (Vec::new(), Read::default(), self.suite);
        let names = match &test.event {
            Event::File(name) => vec![name.clone()],
            Event::Text(_) => Vec::new(),
        };
        // What is not known matters only to the rules that the test is about.
        let about = |at: &usize| test.matches.contains(at) || test.rejects.contains(at);
        let groups = self.groups.iter().enumerate();
        let groups = groups.map(|(at, patterns)| if about(&at) { patterns.clone() } else { Vec::new() });
        let later = Later::fixed(&groups.collect::<Vec<_>>(), &suite.rules.names);
        let events = Events::open(&names, self.dialect, suite.source)?.later(later);
        let mut take = |event: &crate::events::One<'_>| {
            let place = match &test.event {
                Event::File(_) => format!("{}: ", event.place()),
                Event::Text(_) => String::new(),
            };
            let records = self.judge.records(event.text);
            let records = records.unwrap_or_else(|| std::iter::once(0..event.text.len()).collect());
            for record in records {
                let text = event.text.get(record).unwrap_or(&[]);
                self.event(test, text, event.unanswered(), &place, &mut failures);
            }
            Ok(true)
        };
        match &test.event {
            Event::Text(text) => {
                events.texts((text.as_bytes(), None), &suite.name, u64::from(test.line), &mut read, &mut take)?;
            }
            Event::File(_) => read = events.each(take)?,
        }
        if read.bad > 0 {
            self.is_whole = false;
            failures.push("not every event could be read".to_owned());
        } else if read.events == 0 {
            failures.push("no event found".to_owned());
        }
        Ok(Case { name: test.name.clone(), line: test.line, failures })
    }

    fn event(&mut self, test: &Test, text: &[u8], unanswered: &[usize], place: &str, failures: &mut Vec<String>) {
        let matched: Vec<usize> = match self.judge.judge(text) {
            Ok(verdict) => verdict.positions().filter(|rule| !unanswered.contains(rule)).collect(),
            Err(error) => {
                self.is_whole = false;
                return failures.push(format!("{place}the event cannot be read: {error}"));
            }
        };
        for rule in &matched {
            if let Some(covered) = self.covered.get_mut(*rule) {
                *covered = true;
            }
        }
        let name = |rule: usize| self.suite.rules.names.get(rule).map_or("", String::as_str);
        for rule in test.matches.iter().filter(|rule| !matched.contains(rule) && !unanswered.contains(rule)) {
            let mut failure = format!("{place}the rule `{}` does not match", name(*rule));
            if let Some(cause) = self.cause(*rule, text) {
                failure.push_str(&format!("\n  {cause}"));
            }
            failures.push(failure);
        }
        for rule in test.rejects.iter().filter(|rule| matched.contains(rule)) {
            failures.push(format!("{place}the rule `{}` matches, but must not", name(*rule)));
        }
    }

    /// Why a rule does not match.
    fn cause(&self, rule: usize, text: &[u8]) -> Option<String> {
        let patterns = self.groups.get(rule)?.clone();
        let subscription = Subscription::new(patterns, &ParseOptions::new(self.dialect), self.suite.source).ok()?;
        let report = subscription.explain(text).ok()?;
        Some(report.summary().trim_start_matches("no match: ").to_owned())
    }
}
