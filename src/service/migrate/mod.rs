//! From rules of the classic event bus to filter configurations of a Custom Event Bus.

mod wildcards;

use std::fmt::{Display, Formatter};

use super::bus::{ConfigurationError, FilterConfiguration, Publisher};
use crate::dialect::Dialect;
use crate::pattern::ast::{Ast, Key, Node, NodeKind, TestKind};
use crate::pattern::{ParseOptions, Pattern};
use crate::relate::Covers;
use wildcards::Replaced;

/// A rule of the classic bus as the filter configuration of a subscriber.
///
/// ```
/// use eventrie::service::{Equivalence, Migrated, Publisher};
/// use eventrie::{Dialect, Pattern};
/// let rule = r#"{"source": ["shop"], "detail": {"file": [{"wildcard": "*.csv"}]}}"#;
/// let migrated = Migrated::of(&Pattern::parse(rule, Dialect::EventBridge)?, Publisher::PutEvents)?;
/// let filters: Vec<String> = migrated.configuration().filters().iter().map(|filter| filter.to_string()).collect();
/// assert_eq!(filters, [r#"{"aws:Source":["shop"]}"#, r#"{"detail":{"file":[{"suffix":".csv"}]}}"#]);
/// assert_eq!(migrated.equivalence(), Equivalence::Proven);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Migrated {
    configuration: FilterConfiguration,
    published_with: Publisher,
    equivalence: Equivalence,
    changes: Vec<String>,
    lost: Vec<String>,
    event_sources: Vec<String>,
}

/// How the events that a subscriber receives compare with those that its rule matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Equivalence {
    /// The same events: proven.
    Proven,
    /// The same events by the way in which the filters were made; no proof was found.
    Unproven,
    /// More events: a part of the rule cannot be carried over.
    Wider,
}

/// Why a rule cannot become a subscriber.
#[derive(Clone, Debug)]
pub struct MigrationError(Kind);

#[derive(Clone, Debug)]
enum Kind {
    NotARule,
    Unknown,
    Refused(ConfigurationError),
}

impl Migrated {
    /// Makes the filters of a subscriber from the pattern of a rule.
    ///
    /// `source` and `detail-type` become `aws:Source` and `aws:DetailType` of the SYSTEM_METADATA filter, which a
    /// publisher cannot forge; the rest becomes the DATA filter, in the shape that `published_with` gives the data.
    /// Events of AWS services and partners have the shape of PutEvents, whatever your own publishers use.
    ///
    /// # Errors
    /// If the pattern is not one of a rule, `published_with` is [`Publisher::Unknown`], or the service would reject the
    /// filters, such as for their length.
    pub fn of(rule: &Pattern, published_with: Publisher) -> Result<Migrated, MigrationError> {
        if rule.dialect() != Dialect::EventBridge {
            return Err(MigrationError(Kind::NotARule));
        }
        if published_with == Publisher::Unknown {
            return Err(MigrationError(Kind::Unknown));
        }
        let event_sources = event_sources(rule.ast());
        // Events of AWS services are never published as raw data.
        let published_with = if event_sources.is_empty() { published_with } else { Publisher::PutEvents };
        let mut made = Made::of(rule, published_with == Publisher::PutRawEvents);
        let (system, data) = (made.text(&made.system), made.text(&made.data));
        let mut filters = Vec::new();
        if let Some(system) = &system {
            filters.push((Some("SYSTEM_METADATA"), Some(system.as_str())));
        }
        if let Some(data) = &data {
            filters.push((Some("DATA"), Some(data.as_str())));
        }
        let options = ParseOptions::new(Dialect::EventsV2Data).service_limits(true);
        let configuration = match filters.is_empty() {
            true => FilterConfiguration::default(),
            false => FilterConfiguration::of(None, &filters, &options)
                .map_err(|error| MigrationError(Kind::Refused(error)))?,
        };
        if filters.is_empty() {
            made.lost
                .push("no test of the rule can be carried over, so the subscriber receives every event".to_owned());
        }
        let equivalence = match made.lost.is_empty() {
            false => Equivalence::Wider,
            true if made.is_proven(rule) => Equivalence::Proven,
            true => Equivalence::Unproven,
        };
        let (changes, lost) = (made.changes, made.lost);
        Ok(Migrated { configuration, published_with, equivalence, changes, lost, event_sources })
    }

    /// The filters.
    #[must_use]
    pub fn configuration(&self) -> &FilterConfiguration {
        &self.configuration
    }

    /// The publish API for which the DATA filter is right.
    #[must_use]
    pub fn published_with(&self) -> Publisher {
        self.published_with
    }

    /// How the events that the subscriber receives compare with those of the rule.
    #[must_use]
    pub fn equivalence(&self) -> Equivalence {
        self.equivalence
    }

    /// What is written differently, one sentence each.
    #[must_use]
    pub fn changes(&self) -> &[String] {
        &self.changes
    }

    /// What cannot be carried over, one sentence each: the subscriber receives more events than the rule matches.
    #[must_use]
    pub fn lost(&self) -> &[String] {
        &self.lost
    }

    /// The AWS services and partners whose events reach the bus only through an event source, as the rule names them.
    #[must_use]
    pub fn event_sources(&self) -> &[String] {
        &self.event_sources
    }
}

impl Display for Equivalence {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Equivalence::Proven => "the same events (proven)",
            Equivalence::Unproven => "the same events (not proven)",
            Equivalence::Wider => "more events than the rule matches",
        })
    }
}

impl Display for MigrationError {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        match &self.0 {
            Kind::NotARule => f.write_str("only the patterns of rules can be migrated"),
            Kind::Unknown => f.write_str("name the API that publishes the events: PutEvents or PutRawEvents"),
            Kind::Refused(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for MigrationError {}

/// The two filters while they are made.
struct Made {
    system: Ast,
    data: Ast,
    /// Both with the names of the classic envelope, for the comparison with the rule.
    back: Ast,
    raw: bool,
    changes: Vec<String>,
    lost: Vec<String>,
}

impl Made {
    fn of(rule: &Pattern, raw: bool) -> Made {
        let mut ast = rule.ast().clone();
        let (mut changes, mut lost) = (Vec::new(), Vec::new());
        for test in &mut ast.tests {
            let spelled = test.span.slice(rule.source()).to_owned();
            let (new, wider) = match wildcards::replace(test) {
                Replaced::Same => continue,
                Replaced::Equivalent(new) => (new, None),
                Replaced::Wider(new, reason) => (new, Some(reason)),
            };
            *test = new;
            match wider {
                Some(reason) => lost.push(format!("{spelled} {reason}")),
                None => changes.push(format!("{spelled} is written without a wildcard")),
            }
        }
        let empty = || Ast { nodes: vec![root()], tests: ast.tests.clone(), trailing: None };
        let (system, data, back) = (empty(), empty(), empty());
        let mut made = Made { system, data, back, raw, changes, lost };
        let members: Vec<usize> = ast.children(0).map(|(at, _)| at).collect();
        for at in members {
            made.member(&ast, at);
        }
        for ast in [&mut made.system, &mut made.data, &mut made.back] {
            let end = number(ast.nodes.len());
            if let Some(root) = ast.nodes.first_mut() {
                root.end = end;
            }
        }
        made
    }

    /// Takes a member of the rule's top level over.
    fn member(&mut self, ast: &Ast, at: usize) {
        let Some(node) = ast.nodes.get(at) else { return };
        let name = node.key.as_ref().map_or("$or", |key| &key.text);
        let names: Vec<&str> = match node.kind {
            NodeKind::Or => names_below(ast, at),
            NodeKind::Object | NodeKind::Field { .. } => vec![name],
        };
        if names.contains(&"replay-name") {
            return self.replay(ast, at);
        }
        if names.iter().all(|name| system_name(name).is_some()) {
            if self.raw {
                let names = quoted(&names);
                self.lost.push(format!("PutRawEvents adds no {names}: publish it in the payload or as metadata"));
                return;
            }
            for name in &names {
                let change =
                    format!("`{name}` is `{}`, which a publisher cannot forge", system_name(name).unwrap_or(""));
                if !self.changes.contains(&change) {
                    self.changes.push(change);
                }
            }
            copy(ast, at, &mut self.system, &|key| system_name(key).map(str::to_owned));
            return copy(ast, at, &mut self.back, &|_| None);
        }
        if self.raw {
            return self.raw_member(ast, at, name, &names);
        }
        if names.iter().any(|name| system_name(name).is_some()) {
            self.changes
                .push(format!("an `$or` over {} stays in the data, where a publisher could forge it", quoted(&names)));
        }
        copy(ast, at, &mut self.data, &|_| None);
        copy(ast, at, &mut self.back, &|_| None);
    }

    /// The part of the classic envelope that PutRawEvents data has: what was in `detail`.
    fn raw_member(&mut self, ast: &Ast, at: usize, name: &str, names: &[&str]) {
        let Some(node) = ast.nodes.get(at) else { return };
        if name == "detail" && node.kind == NodeKind::Object {
            for (child, _) in ast.children(at) {
                copy(ast, child, &mut self.data, &|_| None);
            }
            return copy(ast, at, &mut self.back, &|_| None);
        }
        self.lost.push(format!("PutRawEvents adds no envelope: {} cannot be tested", quoted(names)));
    }

    /// `replay-name` says whether an event is replayed, which has a field of its own.
    fn replay(&mut self, ast: &Ast, at: usize) {
        let tests = ast.nodes.get(at).map_or(&[][..], |node| ast.tests_of(node));
        let kinds: Vec<&TestKind> = tests.iter().map(|test| &test.kind).collect();
        let value = match kinds.as_slice() {
            [TestKind::Exists(true)] => "REPLAY",
            [TestKind::Exists(false)] => "LIVE",
            _ => {
                self.lost.push(
                    "`replay-name` is not part of an event: only LIVE and REPLAY can be distinguished".to_owned(),
                );
                return;
            }
        };
        self.changes.push(format!("`replay-name` is `aws:DeliveryType`, {value}"));
        let span = tests.first().map(|test| test.span).unwrap_or_default();
        let operand = crate::pattern::ast::Operand { text: value.into(), span };
        let first = number(self.system.tests.len());
        self.system.tests.push(crate::pattern::ast::Test { span, kind: TestKind::String(operand) });
        self.system.nodes.push(Node {
            key: Some(Key { text: "aws:DeliveryType".into(), span }),
            span,
            kind: NodeKind::Field { first, end: first + 1 },
            end: number(self.system.nodes.len()) + 1,
        });
        copy(ast, at, &mut self.back, &|_| None);
    }

    /// The text of a filter; none if it has nothing to test.
    fn text(&self, ast: &Ast) -> Option<String> {
        (ast.nodes.len() > 1).then(|| Pattern::made(ast.clone(), Dialect::EventBridge).to_string())
    }

    /// Whether the filters, read as a rule, match the same events as the rule.
    fn is_proven(&self, rule: &Pattern) -> bool {
        let Some(text) = self.text(&self.back) else { return false };
        Pattern::parse(&text, Dialect::EventBridge)
            .is_ok_and(|back| back.covers(rule) == Covers::Yes && rule.covers(&back) == Covers::Yes)
    }
}

fn root() -> Node {
    Node { key: None, span: crate::base::Span::default(), kind: NodeKind::Object, end: 1 }
}

/// The name in the system metadata of a field of the classic envelope.
fn system_name(name: &str) -> Option<&'static str> {
    match name {
        "source" => Some("aws:Source"),
        "detail-type" => Some("aws:DetailType"),
        _ => None,
    }
}

/// The fields at the top level of the branches of an `$or`, and of those inside them.
fn names_below(ast: &Ast, at: usize) -> Vec<&str> {
    let mut names: Vec<&str> = Vec::new();
    let mut open = vec![at];
    while let Some(at) = open.pop() {
        for (child, node) in ast.children(at) {
            match &node.key {
                Some(key) if node.kind != NodeKind::Or => {
                    if !names.contains(&&*key.text) {
                        names.push(&key.text);
                    }
                }
                _ => open.push(child),
            }
        }
    }
    names.sort_unstable();
    names
}

/// Copies a subtree after the last node; top-level keys of it, or of its branches, may get another name.
fn copy(ast: &Ast, at: usize, to: &mut Ast, rename: &dyn Fn(&str) -> Option<String>) {
    let Some(node) = ast.nodes.get(at) else { return };
    let start = to.nodes.len();
    let end = node.end as usize;
    // Inside an object of the rule, nothing is a field of the envelope any more.
    let mut inside = at;
    for (index, node) in ast.nodes.iter().enumerate().take(end).skip(at) {
        let mut node = node.clone();
        let offset = node.end as usize - at;
        if let Some(key) = &mut node.key
            && index >= inside
        {
            if let Some(name) = rename(&key.text) {
                key.text = name.into();
            }
            if node.kind == NodeKind::Object {
                inside = at + offset;
            }
        }
        node.end = number(start + offset);
        to.nodes.push(node);
    }
}

/// The services and partners whose events the rule selects by their source.
fn event_sources(ast: &Ast) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut open = vec![0];
    while let Some(at) = open.pop() {
        for (child, node) in ast.children(at) {
            match (&node.key, node.kind) {
                (Some(key), NodeKind::Field { .. }) if &*key.text == "source" => {
                    for test in ast.tests_of(node) {
                        let text = match &test.kind {
                            TestKind::String(text) | TestKind::Exactly(text) | TestKind::Prefix(text) => &text.text,
                            _ => continue,
                        };
                        if text.starts_with("aws.") && !found.iter().any(|found| **found == **text) {
                            found.push(text.to_string());
                        }
                    }
                }
                (None, _) | (_, NodeKind::Or) => open.push(child),
                _ => {}
            }
        }
    }
    found.sort_unstable();
    found
}

fn quoted(names: &[&str]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

fn number(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}
