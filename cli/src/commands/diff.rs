//! `eventrie diff`: which rules changed meaning between two versions of a file.

mod rules;

use std::collections::BTreeSet;
use std::io::Write;

use anyhow::bail;
use eventrie::Pattern;
use eventrie::relate::Covers;
use eventrie_files::{Document, Expected, Kind};
use rules::{Key, Rule, Rules, partners, repeated, rules};
use serde_json::json;

use crate::args::{DiffArgs, DiffFormat};
use crate::commands::Outcome;
use crate::commands::relate::as_delivered;
use crate::open;
use crate::shown::{complain, harmless};

pub(crate) fn run(args: &DiffArgs) -> anyhow::Result<Outcome> {
    if args.old == "-" && args.new == "-" {
        bail!("standard input cannot be both versions: name a file for one of them");
    }
    let (old, new) = (read(&args.old)?, read(&args.new)?);
    let is_whole = old.unread().is_empty() && new.unread().is_empty();
    for error in old.unread().iter().chain(new.unread()) {
        complain(&error.to_string());
    }
    let are_alone = old.kind() == Kind::Pattern && new.kind() == Kind::Pattern;
    let (before, after) = (rules(&old, args.dialect, are_alone), rules(&new, args.dialect, are_alone));
    let changes = compare(&before, &after);
    let repeated: BTreeSet<&str> = repeated(&before).chain(repeated(&after)).collect();
    let with_bus = |key: &Key| match &key.bus {
        Some(bus) if repeated.contains(&*key.name) => format!("{} on the event bus {bus}", key.name),
        _ => key.name.clone(),
    };
    let mut out = anstream::stdout();
    for change in changes.iter().filter(|change| change.kind != Change::Untouched) {
        match args.format {
            DiffFormat::Human => print(change, &with_bus(&change.key), &mut out)?,
            DiffFormat::Json => {
                let (only_old, only_new) = (&change.only_old, &change.only_new);
                let line = json!({
                    "rule": change.key.name, "bus": change.key.bus, "change": change.kind.word(), "was": change.was,
                    "only_old": only_old, "only_new": only_new, "cause": change.cause,
                });
                writeln!(out, "{line}")?;
            }
        }
    }
    out.flush()?;
    if args.format == DiffFormat::Human {
        let count = |kind: Change| changes.iter().filter(|change| change.kind == kind).count();
        let kinds = [
            Change::Added,
            Change::Removed,
            Change::Changed,
            Change::Rejected,
            Change::Undecided,
            Change::Renamed,
            Change::Reworded,
            Change::Untouched,
        ];
        let counts: Vec<String> = kinds
            .into_iter()
            .filter(|kind| count(*kind) > 0)
            .map(|kind| format!("{} {}", count(kind), kind.word()))
            .collect();
        let rules = if before.len() == 1 { "rule" } else { "rules" };
        match counts.is_empty() {
            true => complain(&format!("no patterns found in {} and {}", args.old, args.new)),
            false => {
                complain(&format!("{} {rules} before, {} now: {}", before.len(), after.len(), counts.join(", ")));
            }
        }
    }
    let is_same = changes.iter().all(|change| change.kind.is_harmless());
    Ok(match (is_whole, is_same) {
        (false, _) => Outcome::Trouble,
        (true, true) => Outcome::Yes,
        (true, false) => Outcome::No,
    })
}

fn read(name: &str) -> anyhow::Result<Document> {
    let file = open::source(name)?;
    if file.text().trim().is_empty() {
        bail!("{}: the file is empty", file.name());
    }
    let document = Document::read(file, Expected::Anything)?;
    match document.unread() {
        [error, ..] if document.kind() == Kind::Foreign => bail!("{error}"),
        _ => Ok(document),
    }
}

/// What became of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Change {
    Added,
    Removed,
    /// It matches other events.
    Changed,
    /// One of the versions is rejected by the service.
    Rejected,
    /// It is written differently, and whether it matches the same events is not known.
    Undecided,
    /// It has another name.
    Renamed,
    /// It is written differently and matches the same events.
    Reworded,
    Untouched,
}

impl Change {
    fn word(self) -> &'static str {
        match self {
            Change::Added => "added",
            Change::Removed => "removed",
            Change::Changed => "changed",
            Change::Rejected => "rejected",
            Change::Undecided => "undecided",
            Change::Renamed => "renamed",
            Change::Reworded => "reworded",
            Change::Untouched => "untouched",
        }
    }

    /// Whether every event is matched as before.
    fn is_harmless(self) -> bool {
        matches!(self, Change::Renamed | Change::Reworded | Change::Untouched)
    }
}

struct Changed {
    key: Key,
    kind: Change,
    /// The name that a renamed rule had.
    was: Option<String>,
    only_old: Option<String>,
    only_new: Option<String>,
    cause: Option<String>,
}

impl Changed {
    fn new(key: &Key, kind: Change) -> Changed {
        Changed { key: key.clone(), kind, was: None, only_old: None, only_new: None, cause: None }
    }
}

fn compare(before: &Rules, after: &Rules) -> Vec<Changed> {
    let partners = partners(before, after);
    let kept: BTreeSet<&Key> = partners.iter().copied().flatten().collect();
    let mut removed: Vec<(&Key, &Rule)> = before.iter().filter(|(key, _)| !kept.contains(key)).collect();
    let mut changes = Vec::new();
    for ((key, rule), partner) in after.iter().zip(partners) {
        if let Some((was, old)) = partner.and_then(|was| before.get_key_value(was)) {
            changes.push(changed((was, old), (key, rule)));
            continue;
        }
        let is_same =
            |(was, old): &(&Key, &Rule)| !rule.is_open && !key.is_elsewhere(was) && spelled(old) == spelled(rule);
        let same = removed.iter().position(is_same);
        changes.push(match same.map(|at| removed.remove(at)) {
            Some((was, _)) => Changed { was: Some(was.name.clone()), ..Changed::new(key, Change::Renamed) },
            None => match fault(rule) {
                Some(cause) => rejected(key, &cause),
                None => Changed::new(key, Change::Added),
            },
        });
    }
    changes.extend(removed.iter().map(|(key, _)| Changed::new(key, Change::Removed)));
    changes.sort_by(|one, other| one.key.cmp(&other.key));
    changes
}

/// The patterns in one spelling.
fn spelled(rule: &Rule) -> Vec<String> {
    let spelled = |(pattern, text): (&Result<Pattern, String>, &String)| match pattern {
        Ok(pattern) => pattern.to_string(),
        Err(_) => text.clone(),
    };
    rule.patterns.iter().zip(&rule.texts).map(spelled).collect()
}

/// Why the service rejects a rule, if it does.
fn fault(rule: &Rule) -> Option<String> {
    rule.patterns.iter().find_map(|pattern| pattern.as_ref().err().cloned())
}

fn rejected(key: &Key, cause: &str) -> Changed {
    let cause = Some(format!("the new version is rejected: {cause}"));
    Changed { cause, ..Changed::new(key, Change::Rejected) }
}

fn changed((was, old): (&Key, &Rule), (key, new): (&Key, &Rule)) -> Changed {
    let mut change = reworded(old, (key, new));
    if let (true, Some(from), Some(to)) = (was.is_elsewhere(key), &was.bus, &key.bus) {
        // It receives other events, whatever it matches.
        if change.kind != Change::Rejected {
            change.kind = Change::Changed;
        }
        let moved = format!("it was on the event bus `{from}` and is on `{to}` now");
        change.cause = Some(change.cause.map_or_else(|| moved.clone(), |cause| format!("{moved}; {cause}")));
    }
    change
}

/// What became of the patterns of a rule.
fn reworded(old: &Rule, (key, new): (&Key, &Rule)) -> Changed {
    if old.texts == new.texts {
        return Changed::new(key, Change::Untouched);
    }
    match (fault(old), fault(new)) {
        (_, Some(cause)) => return rejected(key, &cause),
        (Some(cause), None) => {
            let cause = Some(format!("the old version was rejected: {cause}"));
            return Changed { cause, ..Changed::new(key, Change::Rejected) };
        }
        (None, None) => {}
    }
    if old.is_open || new.is_open {
        let cause = Some("parts of it are only known when the template is deployed".to_owned());
        return Changed { cause, ..Changed::new(key, Change::Undecided) };
    }
    let dialect = old.dialect;
    let valid = |rule: &Rule| rule.patterns.iter().filter_map(|pattern| pattern.as_ref().ok().cloned()).collect();
    let (old, new): (Vec<Pattern>, Vec<Pattern>) = (valid(old), valid(new));
    let (only_old, only_new) = (only(&old, &new), only(&new, &old));
    let kind = match (&only_old, &only_new) {
        (Only::Nothing, Only::Nothing) => Change::Reworded,
        (Only::Event(_), _) | (_, Only::Event(_)) => Change::Changed,
        _ => Change::Undecided,
    };
    let event = |only: Only| match only {
        Only::Event(event) => Some(as_delivered(event, dialect)),
        Only::Nothing | Only::Unknown => None,
    };
    let cause =
        (kind == Change::Undecided).then(|| "found neither a proof nor an event that shows a difference".to_owned());
    Changed { only_old: event(only_old), only_new: event(only_new), cause, ..Changed::new(key, kind) }
}

/// What only one side matches.
enum Only {
    Nothing,
    Event(String),
    Unknown,
}

/// An event that one of these patterns matches and none of the others.
fn only(ones: &[Pattern], others: &[Pattern]) -> Only {
    let mut answer = Only::Nothing;
    for one in ones {
        let mut candidates = Vec::new();
        let is_covered = others.iter().any(|other| match other.covers(one) {
            Covers::Yes => true,
            Covers::No { event } => {
                candidates.push(event);
                false
            }
            _ => false,
        });
        if is_covered {
            continue;
        }
        candidates.extend(one.sample());
        let matches = |pattern: &Pattern, event: &str| pattern.explain(event).is_ok_and(|answer| answer.matched());
        let found = candidates
            .into_iter()
            .find(|event| matches(one, event) && !others.iter().any(|other| matches(other, event)));
        match found {
            Some(event) => return Only::Event(event),
            None => answer = Only::Unknown,
        }
    }
    answer
}

fn print(change: &Changed, name: &str, out: &mut dyn Write) -> std::io::Result<()> {
    writeln!(out, "{:<9} {}", change.kind.word(), harmless(name))?;
    if let Some(was) = &change.was {
        writeln!(out, "  was {}", harmless(was))?;
    }
    if let Some(cause) = &change.cause {
        writeln!(out, "  {}", harmless(cause))?;
    }
    if let Some(event) = &change.only_old {
        writeln!(out, "  only the old version matches {event}")?;
    }
    if let Some(event) = &change.only_new {
        writeln!(out, "  only the new version matches {event}")?;
    }
    Ok(())
}
