//! `eventrie migrate`

use std::collections::BTreeMap;
use std::io::Write;

use anyhow::bail;
use eventrie::service::{Equivalence, Migrated, Publisher};
use eventrie::{Dialect, ParseOptions, Pattern};
use eventrie_files::tree::{self, Node};
use eventrie_files::{Document, Expected, Found, RuleState};
use serde::Serialize;

use crate::args::{MigrateArgs, PublishedWith};
use crate::commands::Outcome;
use crate::open;
use crate::report::{Reporter, Source};
use crate::shown::{complain, counted, harmless};

pub(crate) fn run(args: &MigrateArgs) -> anyhow::Result<Outcome> {
    let published_with = match args.published_with {
        PublishedWith::PutEvents => Publisher::PutEvents,
        PublishedWith::PutRawEvents => Publisher::PutRawEvents,
    };
    let mut migration = Migration {
        published_with,
        subscribers: Vec::new(),
        sources: Vec::new(),
        changes: BTreeMap::new(),
        wider: 0,
        failed: 0,
    };
    for name in &args.files {
        migration.file(name)?;
    }
    let Migration { subscribers, mut sources, changes, wider, failed, .. } = migration;
    if subscribers.is_empty() && failed == 0 {
        bail!("there are no rules with an event pattern to migrate");
    }
    sources.sort_unstable();
    sources.dedup();
    let made = subscribers.len();
    let mut out = anstream::stdout();
    writeln!(out, "{}", serde_json::to_string_pretty(&Output { subscribers })?)?;
    for (change, rules) in changes {
        match rules.as_slice() {
            [rule] => complain(&format!("{}: {}", harmless(rule), harmless(&change))),
            several => complain(&format!("{} rules: {}", several.len(), harmless(&change))),
        }
    }
    if !sources.is_empty() {
        complain(&format!(
            "the bus needs an event source for {}: events of AWS services and partners reach a Custom Event Bus only through one",
            sources.join(", ")
        ));
    }
    let lost = wider + failed;
    complain(&format!(
        "{}, {wider} of them broader than their rules; {} failed",
        counted(made, "subscriber"),
        counted(failed, "rule")
    ));
    Ok(match (failed, lost) {
        (1.., _) => Outcome::Trouble,
        (0, 1..) => Outcome::No,
        (0, 0) => Outcome::Yes,
    })
}

/// A subscriber has no state.
const DISABLED: &str =
    "the rule is disabled and receives no events, but its subscriber receives events as soon as you create it";

#[derive(Serialize)]
#[serde(rename_all = "PascalCase")]
struct Output {
    subscribers: Vec<Subscriber>,
}

#[derive(Clone, Serialize)]
#[serde(rename_all = "PascalCase")]
struct Subscriber {
    name: String,
    /// Without one, every event is delivered; one without filters is refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    filter_configuration: Option<Configuration>,
    migration: Details,
}

#[derive(Clone, Serialize)]
#[serde(rename_all = "PascalCase")]
struct Configuration {
    filters: Vec<Filter>,
}

#[derive(Clone, Serialize)]
#[serde(rename_all = "PascalCase")]
struct Filter {
    scope: &'static str,
    pattern: String,
}

/// Where a subscriber comes from, and what it is worth.
#[derive(Clone, Serialize)]
#[serde(rename_all = "PascalCase")]
struct Details {
    rule: String,
    published_with: &'static str,
    receives: String,
    not_carried_over: Vec<String>,
    event_sources: Vec<String>,
}

struct Migration {
    published_with: Publisher,
    subscribers: Vec<Subscriber>,
    sources: Vec<String>,
    /// What is written differently, and in which rules.
    changes: BTreeMap<String, Vec<String>>,
    /// Subscribers that get more events than their rules.
    wider: usize,
    failed: usize,
}

impl Migration {
    fn file(&mut self, name: &str) -> anyhow::Result<()> {
        let document = Document::read(open::source(name)?, Expected::Rules)?;
        for note in document.notes() {
            complain(&format!("{}: {note}", document.file().name()));
        }
        let text = document.file().text();
        let root = tree::parse_json(text).or_else(|_| tree::parse_yaml(text)).ok();
        let mut reporter = Reporter::stderr();
        let source = Source::new(document.file());
        for found in document.patterns() {
            if found.dialect().is_some_and(|dialect| dialect != Dialect::EventBridge) {
                continue;
            }
            let path = document.name_of(found);
            let rule = rule_name(&path);
            if found.is_open() {
                complain(&format!(
                    "{rule}: parts of the pattern are only known when the template is deployed; skipped"
                ));
                continue;
            }
            match Pattern::parse_with(found.pattern().text(), &ParseOptions::new(Dialect::EventBridge)) {
                Ok(pattern) => {
                    let is_disabled = found.state() == Some(RuleState::Disabled);
                    self.rule(rule, &pattern, is_disabled, &targets(root.as_ref(), &path));
                }
                Err(error) => {
                    self.failed += 1;
                    for finding in error.findings() {
                        reporter.show(&source, &in_file(found, finding), Some(rule));
                    }
                }
            }
        }
        Ok(reporter.finish()?)
    }

    /// One rule: a subscriber for each of its targets.
    fn rule(&mut self, rule: &str, pattern: &Pattern, is_disabled: bool, targets: &[String]) {
        let shown = harmless(rule);
        let migrated = match Migrated::of(pattern, self.published_with) {
            Ok(migrated) => migrated,
            Err(error) => {
                self.failed += 1;
                return complain(&format!("{shown}: {error}"));
            }
        };
        for change in migrated.changes() {
            self.changes.entry(change.clone()).or_default().push(rule.to_owned());
        }
        let mut lost = migrated.lost().to_vec();
        lost.extend(is_disabled.then(|| DISABLED.to_owned()));
        for lost in &lost {
            complain(&format!("{shown}: not carried over: {}", harmless(lost)));
        }
        self.sources.extend(migrated.event_sources().iter().map(|source| format!("`{}`", harmless(source))));
        let published_with = match migrated.published_with() {
            Publisher::PutRawEvents => "put-raw-events",
            _ => "put-events",
        };
        let names = match targets {
            [] | [_] => vec![rule.to_owned()],
            several => several.iter().map(|target| format!("{rule}-{target}")).collect(),
        };
        let filters: Vec<Filter> = migrated.configuration().filters().iter().filter_map(filter).collect();
        let filter_configuration = (!filters.is_empty()).then_some(Configuration { filters });
        let migration = Details {
            rule: rule.to_owned(),
            published_with,
            receives: migrated.equivalence().to_string(),
            not_carried_over: lost,
            event_sources: migrated.event_sources().to_vec(),
        };
        for name in names {
            self.wider += usize::from(is_disabled || migrated.equivalence() == Equivalence::Wider);
            let (filter_configuration, migration) = (filter_configuration.clone(), migration.clone());
            self.subscribers.push(Subscriber { name, filter_configuration, migration });
        }
    }
}

fn filter(pattern: &Pattern) -> Option<Filter> {
    Some(Filter { scope: pattern.dialect().scope()?, pattern: pattern.to_string() })
}

fn in_file(found: &Found, finding: &eventrie::diagnostic::Finding) -> eventrie::diagnostic::Finding {
    found.pattern().in_file(finding)
}

/// The name of a rule: in a template, that of its resource.
fn rule_name(path: &str) -> &str {
    let path = path.strip_prefix("Resources.").unwrap_or(path);
    path.strip_suffix(".Properties.EventPattern").unwrap_or(path)
}

/// The targets of a rule in a template, by their ids.
fn targets(root: Option<&Node>, path: &str) -> Vec<String> {
    let resource = path.strip_prefix("Resources.").and_then(|path| path.strip_suffix(".Properties.EventPattern"));
    let targets = (|| root?.get("Resources")?.get(resource?)?.get("Properties")?.get("Targets"))();
    let id = |(at, target): (usize, &Node)| {
        target.get("Id").and_then(Node::text).map_or_else(|| at.to_string(), str::to_owned)
    };
    targets.map_or(&[][..], Node::elements).iter().enumerate().map(id).collect()
}
