//! What every check sees: the fields of a pattern with their places, and where findings go.

use crate::base::{ListSet, Span, text};
use crate::diagnostic::{Code, Finding, MOST_FINDINGS, Severity};
use crate::dialect::Dialect;
use crate::dialect::envelope::EVENT;
use crate::pattern::ast::{Ast, Node, NodeKind, Test};
use crate::pattern::{ParseOptions, Pattern};
use crate::relate::Effort;

/// Longer lists are not compared test by test.
pub(super) const LONG: usize = 64;

/// Where findings go.
pub(super) struct Out<'p> {
    pub(super) pattern: &'p Pattern,
    pub(super) found: Vec<Finding>,
    /// For all searches together.
    pub(super) effort: Effort,
    /// The names at the top level of the pattern that were checked.
    pub(super) tops: ListSet<&'p str>,
}

impl<'p> Out<'p> {
    pub(super) fn ast(&self) -> &'p Ast {
        self.pattern.ast()
    }

    pub(super) fn dialect(&self) -> Dialect {
        self.pattern.dialect()
    }

    pub(super) fn source(&self) -> &'p str {
        self.pattern.source()
    }

    pub(super) fn push(&mut self, finding: Finding) {
        if self.found.len() < MOST_FINDINGS {
            self.found.push(finding);
        }
    }

    /// Whether the service is known to accept these entries of a list, so they can be offered.
    pub(super) fn is_accepted(&self, entries: &str) -> bool {
        let options = ParseOptions::new(self.dialect()).strict(true);
        Pattern::parse_with(&format!("{{\"a\": [{entries}]}}"), &options).is_ok()
    }

    pub(super) fn has(&self, code: Code, inside: Span) -> bool {
        let within = |span: Span| inside.start <= span.start && span.end <= inside.end;
        self.found.iter().any(|found| found.code == code && within(found.label.span))
    }
}

pub(super) fn warning(code: Code, span: Span, message: impl Into<String>) -> Finding {
    Finding::new(code, Severity::Warning, span, message)
}

pub(super) fn note(code: Code, span: Span, message: impl Into<String>) -> Finding {
    Finding::new(code, Severity::Note, span, message)
}

/// A field of the pattern and the keys that lead to it.
pub(super) struct Site<'p> {
    pub(super) at: u32,
    /// The object that it is a member of.
    pub(super) object: u32,
    pub(super) node: &'p Node,
    pub(super) tests: &'p [Test],
    /// The outermost node with a key that it lies under, or itself.
    pub(super) top: u32,
    /// From the top level down, its own key last. Keys are not split at dots.
    pub(super) keys: Vec<&'p str>,
    /// The innermost object that is the pattern or a branch of an `$or`.
    pub(super) branch: u32,
}

impl<'p> Site<'p> {
    pub(super) fn key_span(&self) -> Span {
        self.node.key.as_ref().map_or(self.node.span, |key| key.span)
    }

    /// Whether it is a field of the envelope that every event of the bus has, as a string.
    pub(super) fn is_envelope(&self, dialect: Dialect) -> bool {
        matches!(dialect, Dialect::EventBridge | Dialect::EventsV2EventSource)
            && matches!(*self.keys, [field] if EVENT.contains(&field) && field != "resources" && field != "replay-name")
    }

    /// Whether the pattern matches only what this one test accepts, so it matches nothing if the test does.
    pub(super) fn decides_alone(&self) -> bool {
        self.branch == 0 && self.tests.len() == 1
    }

    pub(super) fn last(&self) -> &'p str {
        self.keys.last().copied().unwrap_or("")
    }

    /// The path's steps, at most the first `most`.
    pub(super) fn steps(&self, most: usize) -> Vec<&'p str> {
        self.keys.iter().flat_map(|key| key.split('.')).take(most).collect()
    }

    pub(super) fn path(&self) -> String {
        let mut path = String::new();
        for (index, key) in self.keys.iter().enumerate() {
            if index > 0 {
                path.push('.');
            }
            path.push_str(key);
            if path.len() > 200 {
                path.push('…');
                break;
            }
        }
        shown(&path)
    }
}

/// The most names that are read in the paths of all fields together.
const NAMES: usize = 1 << 20;

pub(super) fn sites(ast: &Ast) -> Vec<Site<'_>> {
    let (mut sites, mut names) = (Vec::new(), 0);
    let mut open: Vec<(u32, Option<&str>, u32, u32)> = Vec::new();
    for (at, node) in ast.nodes.iter().enumerate() {
        let at = at as u32;
        while open.last().is_some_and(|(end, ..)| *end <= at) {
            open.pop();
        }
        let key = node.key.as_ref().map(|key| &*key.text);
        let branch = open.last().map_or(0, |(_, _, branch, _)| *branch);
        match node.kind {
            NodeKind::Field { .. } => {
                let keys: Vec<_> = open.iter().filter_map(|(_, key, ..)| *key).chain(key).collect();
                names += keys.len();
                if names > NAMES {
                    break;
                }
                let top = open.iter().find(|(_, key, ..)| key.is_some()).map_or(at, |(.., at)| *at);
                let object = open.last().map_or(0, |(.., at)| *at);
                sites.push(Site { at, object, top, node, tests: ast.tests_of(node), keys, branch });
            }
            NodeKind::Or => open.push((node.end, None, branch, at)),
            NodeKind::Object => open.push((node.end, key, if key.is_none() { at } else { branch }, at)),
        }
    }
    sites
}

/// The most characters of a name or a string that a message quotes.
const SHOWN: usize = 80;

pub(super) fn shown(name: &str) -> String {
    text::shown(name, SHOWN)
}

pub(super) fn quoted(string: &str) -> String {
    text::quoted(string, SHOWN)
}

/// The key at the top of the pattern (or of the `$or` branch) that the field lies under.
pub(super) fn top_key(site: &Site<'_>, out: &Out<'_>) -> Span {
    let top = out.ast().nodes.get(site.top as usize);
    top.and_then(|node| node.key.as_ref()).map_or_else(|| site.key_span(), |key| key.span)
}
