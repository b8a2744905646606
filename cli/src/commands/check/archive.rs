//! Recorded events against rules: which rules none of them matches, and which fields none of them has.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use eventrie::diagnostic::{Code, Finding, Severity, Span};
use eventrie::event::ReadPolicy;
use eventrie::service::{Source, Subscription, Unpublished};
use eventrie::{Dialect, ParseOptions, Pattern};
use eventrie_files::envelope::Inner;
use eventrie_files::tree::{self, Node, Value};
use eventrie_files::{Document, Found, RuleState};

use crate::choose::nearest;
use crate::events::{Events, Later, Read};
use crate::findings::{Placed, Reading};
use crate::judge::Judge;
use crate::shown::complain;

/// How many fields of one object are remembered to find a near name.
const MOST_SIBLINGS: usize = 500;

/// A rule and where it is.
struct Rule<'a> {
    document: usize,
    name: String,
    found: &'a Found,
    patterns: Vec<Pattern>,
    /// The fields that the patterns test: path, and the key in the text of the pattern.
    fields: Vec<(&'a Found, String, Span)>,
    count: u64,
    /// Whether there is no answer for an event.
    is_unanswered: bool,
}

/// What recorded events say about the rules of documents.
pub(super) struct Archive {
    /// The findings of each document.
    pub(super) findings: Vec<Vec<Placed>>,
    pub(super) read: Read,
}

/// Reads the events once for all documents.
pub(super) fn read(documents: &[(&Document, Reading)], events: &[String], dialect: Dialect) -> anyhow::Result<Archive> {
    let mut rules = rules(documents, dialect);
    let mut fields = Fields::default();
    if dialect == Dialect::EventBridge {
        fields = Fields::wanted(rules.iter().flat_map(|rule| &rule.fields).map(|(_, path, _)| path.as_str()));
    }
    let reading = documents.first().map(|(_, reading)| *reading).unwrap_or_default();
    let source = rules.iter().find_map(|rule| rule.found.source()).or(reading.source);
    let options = ParseOptions::new(dialect).engine(reading.engine);
    let names: Vec<String> = rules.iter().map(|rule| rule.name.clone()).collect();
    let patterns: Vec<Vec<Pattern>> = rules.iter_mut().map(|rule| std::mem::take(&mut rule.patterns)).collect();
    let source = if matches!(dialect, Dialect::Pipes | Dialect::Lambda) { source } else { None };
    let later = Later::fixed(&patterns, &names);
    let name = |at: usize| names.get(at).cloned().unwrap_or_default();
    let mut judge = Judge::new(patterns, &options, source, ReadPolicy::Whole, Unpublished::default(), name)?;
    let mut matched = vec![0_u64; rules.len()];
    let mut bad = 0;
    let archive = Events::open(events, dialect, source)?.later(later);
    let mut unanswered: BTreeSet<usize> = BTreeSet::new();
    let mut read = archive.each(|event| {
        unanswered.extend(event.unanswered());
        event.inner().map_or(&[][..], Inner::unset).iter().for_each(|name| fields.has(name));
        let records = judge.records(event.text).unwrap_or_else(|| std::iter::once(0..event.text.len()).collect());
        for record in records {
            let text = event.text.get(record).unwrap_or(&[]);
            match judge.judge(text) {
                Ok(verdict) => {
                    for rule in verdict.positions() {
                        if let Some(count) = matched.get_mut(rule) {
                            *count += 1;
                        }
                    }
                    fields.visit(text);
                }
                Err(error) => {
                    bad += 1;
                    event.fault(&error).report(bad > 3);
                }
            }
        }
        Ok(true)
    })?;
    read.bad += bad;
    for (at, (rule, count)) in rules.iter_mut().zip(matched).enumerate() {
        (rule.count, rule.is_unanswered) = (count, unanswered.contains(&at));
    }
    Ok(Archive { findings: report(documents.len(), &rules, &fields, read.events), read })
}

/// The rules of the documents that these events can be about.
fn rules<'a>(documents: &[(&'a Document, Reading)], dialect: Dialect) -> Vec<Rule<'a>> {
    let (mut rules, mut source): (Vec<Rule<'a>>, Option<Source>) = (Vec::new(), None);
    for (at, (document, reading)) in documents.iter().enumerate() {
        let mut group = None;
        for found in document.patterns() {
            let is_it = found.dialect().unwrap_or(reading.dialect) == dialect;
            if !is_it || found.is_open() || found.state() == Some(RuleState::Disabled) {
                continue;
            }
            let name = document.name_of(found);
            if matches!(dialect, Dialect::Pipes | Dialect::Lambda) {
                // Records of one source say nothing about filters of another.
                let own = found.source().or(reading.source);
                if own.is_none() || (source.is_some() && source != own) {
                    complain(&format!("{name}: not compared with the events: its source is another one or unknown"));
                    continue;
                }
                source = own;
            }
            let options = ParseOptions::new(dialect).engine(reading.engine);
            let Ok(pattern) = Pattern::parse_with(found.pattern().text(), &options) else { continue };
            if subscription(&pattern, &options, source).is_none() {
                continue;
            }
            let mut fields = Vec::new();
            if let Ok(root) = tree::parse_json(found.pattern().text()) {
                tested(&root, "", &mut |path, span| fields.push((found, path, span)));
            }
            match (group.replace(found.group()) == Some(found.group()), rules.last_mut()) {
                (true, Some(rule)) => {
                    rule.patterns.push(pattern);
                    rule.fields.extend(fields);
                }
                _ => {
                    let patterns = vec![pattern];
                    rules.push(Rule { document: at, name, found, patterns, fields, count: 0, is_unanswered: false });
                }
            }
        }
    }
    rules
}

/// Whether the service would take the pattern alone.
fn subscription(pattern: &Pattern, options: &ParseOptions, source: Option<Source>) -> Option<Subscription> {
    Subscription::new(vec![pattern.clone()], options, source).ok()
}

/// The fields that a pattern tests for presence, by path. A dot in a name is like nesting.
fn tested(node: &Node, path: &str, take: &mut impl FnMut(String, Span)) {
    for (key, value) in node.members() {
        let name = key.text().unwrap_or("");
        if name == "$or" && !value.elements().is_empty() {
            for branch in value.elements() {
                tested(branch, path, take);
            }
            continue;
        }
        let path = if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
        let offset = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        match &value.value {
            Value::Map(_) => tested(value, &path, take),
            Value::List(elements) if !elements.iter().any(accepts_absence) => {
                take(path, Span::new(offset(key.span.start), offset(key.span.end)));
            }
            _ => {}
        }
    }
}

fn accepts_absence(test: &Node) -> bool {
    test.get("exists").and_then(Node::text) == Some("false")
}

/// The fields that patterns test, and which of them events have.
#[derive(Default)]
struct Fields {
    /// Each path that is tested, and whether an event has it.
    seen: HashMap<String, bool>,
    /// The paths above them, with the names that events have there.
    above: HashMap<String, BTreeSet<String>>,
    missing: usize,
}

impl Fields {
    fn wanted<'p>(paths: impl Iterator<Item = &'p str>) -> Fields {
        let mut fields = Fields::default();
        for path in paths {
            fields.seen.insert(path.to_owned(), false);
            let dots = path.match_indices('.').map(|(at, _)| at);
            for end in dots.chain([0]) {
                fields.above.entry(path.get(..end).unwrap_or("").to_owned()).or_default();
            }
        }
        fields.missing = fields.seen.len();
        fields
    }

    fn visit(&mut self, event: &[u8]) {
        if self.missing == 0 {
            return;
        }
        if let Ok(value) = serde_json::from_slice::<serde_json::Value>(event) {
            self.walk(&value, &mut String::new());
        }
    }

    /// Recursion is bounded by the depth that `serde_json` reads.
    fn walk(&mut self, value: &serde_json::Value, path: &mut String) {
        match value {
            serde_json::Value::Array(elements) => elements.iter().for_each(|element| self.walk(element, path)),
            serde_json::Value::Object(members) => {
                for (name, value) in members {
                    if let Some(names) = self.above.get_mut(path.as_str())
                        && names.len() < MOST_SIBLINGS
                        && !names.contains(name)
                    {
                        names.insert(name.clone());
                    }
                    let length = path.len();
                    if length > 0 {
                        path.push('.');
                    }
                    path.push_str(name);
                    self.has(path);
                    if self.above.contains_key(path.as_str()) {
                        self.walk(value, path);
                    }
                    path.truncate(length);
                }
            }
            _ => {}
        }
    }

    /// Notes that an event has a field, or will have it.
    fn has(&mut self, path: &str) {
        if let Some(seen) = self.seen.get_mut(path)
            && !std::mem::replace(seen, true)
        {
            self.missing -= 1;
        }
    }

    fn is_absent(&self, path: &str) -> bool {
        self.seen.get(path) == Some(&false)
    }

    /// The name that events have in the place of a field that they do not have.
    fn near(&self, path: &str) -> Option<&str> {
        let (above, name) = path.rsplit_once('.').unwrap_or(("", path));
        nearest(name, self.above.get(above)?.iter().map(String::as_str))
    }
}

fn report(documents: usize, rules: &[Rule<'_>], fields: &Fields, events: u64) -> Vec<Vec<Placed>> {
    let mut findings: Vec<Vec<Placed>> = (0..documents).map(|_| Vec::new()).collect();
    // Without events nothing is known.
    if events == 0 {
        return findings;
    }
    for rule in rules {
        let Some(findings) = findings.get_mut(rule.document) else { continue };
        let place = Some(rule.name.clone());
        let mut absent = BTreeMap::new();
        for (found, path, span) in rule.fields.iter().filter(|(_, path, _)| fields.is_absent(path)) {
            absent.entry(path.as_str()).or_insert(());
            let message = match events {
                1 => format!("the only event does not have the field `{path}`"),
                _ => format!("none of the {events} events has the field `{path}`"),
            };
            let mut finding = Finding::new(Code::AbsentField, Severity::Warning, *span, message);
            finding.label.message = match fields.near(path) {
                Some(near) => format!("did you mean `{near}`?"),
                None => "in no event".to_owned(),
            };
            let finding = found.pattern().in_file(&finding);
            findings.push(Placed { finding, place: place.clone(), fixes: Vec::new() });
        }
        if rule.count == 0 && !rule.is_unanswered {
            let pattern = rule.found.pattern();
            let whole = Span::new(0, u32::try_from(pattern.text().len()).unwrap_or(u32::MAX));
            let message = match events {
                1 => "the only event does not match this rule".to_owned(),
                _ => format!("none of the {events} events matches this rule"),
            };
            let mut finding = Finding::new(Code::NeverMatched, Severity::Warning, whole, message);
            finding.label.message = "never matched".to_owned();
            finding.help = Some(match absent.keys().next() {
                Some(path) => format!("none of them has `{path}`"),
                None => "`eventrie explain --rules` shows what comes closest for an event".to_owned(),
            });
            findings.push(Placed { finding: pattern.in_file(&finding), place, fixes: Vec::new() });
        }
    }
    findings
}
