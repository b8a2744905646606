//! Warnings on valid patterns that hardly do what was meant.

mod known;
mod limits;
mod list;
mod shape;

use crate::base::{ListSet, Span, text};
use crate::diagnostic::{Code, Finding, MOST_FINDINGS, Severity, in_order};
use crate::dialect::Dialect;
use crate::pattern::Pattern;
use crate::pattern::ast::{Ast, Node, NodeKind, Test};
use crate::relate::Effort;

impl Pattern {
    /// What is worth saying about this valid pattern, in text order: conditions that can never hold or always do, signs
    /// that something else was meant, and places where the service's engine answers differently. Each finding has a
    /// code; its page is [`Code::page`]. There are at most a thousand, and of a pattern with a million names in its paths
    /// only the first fields are looked at.
    ///
    /// ```
    /// use eventrie::diagnostic::Code;
    /// use eventrie::{Dialect, Pattern};
    /// let pattern = Pattern::parse(r#"{"detail":{"amount":{"numeric":[">",100]}}}"#, Dialect::EventBridge)?;
    /// let found = pattern.lint();
    /// assert_eq!(found[0].code, Code::OperatorAsField);
    /// assert_eq!(found[0].fix.as_ref().unwrap().replacement, r#"[{"numeric":[">",100]}]"#);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn lint(&self) -> Vec<Finding> {
        let mut out = Out { pattern: self, found: self.notes(), effort: Effort::new(), tops: ListSet::new() };
        let sites = sites(self.ast());
        shape::check(&sites, &mut out);
        for site in &sites {
            list::check(site, &mut out);
            known::check(site, &mut out);
        }
        known::whole(&sites, &mut out);
        limits::check(&sites, &mut out);
        let mut found = out.found;
        in_order(&mut found, |finding| (finding.label.span.start, finding.code as u32));
        found
    }
}

/// Where findings go.
struct Out<'p> {
    pattern: &'p Pattern,
    found: Vec<Finding>,
    /// For all searches together.
    effort: Effort,
    /// The names at the top of the pattern that were judged.
    tops: ListSet<&'p str>,
}

impl<'p> Out<'p> {
    fn ast(&self) -> &'p Ast {
        self.pattern.ast()
    }

    fn dialect(&self) -> Dialect {
        self.pattern.dialect()
    }

    fn source(&self) -> &'p str {
        self.pattern.source()
    }

    fn push(&mut self, finding: Finding) {
        if self.found.len() < MOST_FINDINGS {
            self.found.push(finding);
        }
    }

    fn has(&self, code: Code, inside: Span) -> bool {
        let within = |span: Span| inside.start <= span.start && span.end <= inside.end;
        self.found.iter().any(|found| found.code == code && within(found.label.span))
    }
}

fn warning(code: Code, span: Span, message: impl Into<String>) -> Finding {
    Finding::new(code, Severity::Warning, span, message)
}

fn note(code: Code, span: Span, message: impl Into<String>) -> Finding {
    Finding::new(code, Severity::Note, span, message)
}

/// A field of the pattern and the keys that lead to it.
struct Site<'p> {
    at: u32,
    /// The object that it is a member of.
    object: u32,
    node: &'p Node,
    tests: &'p [Test],
    /// The outermost node with a key that it lies under, or itself.
    top: u32,
    /// From the top, its own last. Keys are not split at dots.
    keys: Vec<&'p str>,
    /// The innermost object that is the pattern or a branch of an `$or`.
    branch: u32,
}

impl<'p> Site<'p> {
    fn key_span(&self) -> Span {
        self.node.key.as_ref().map_or(self.node.span, |key| key.span)
    }

    fn last(&self) -> &'p str {
        self.keys.last().copied().unwrap_or("")
    }

    /// The path's steps, at most the first `most`.
    fn steps(&self, most: usize) -> Vec<&'p str> {
        self.keys.iter().flat_map(|key| key.split('.')).take(most).collect()
    }

    fn path(&self) -> String {
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

/// So many names in the paths of all fields together are looked at: each field has all of its own.
const NAMES: usize = 1 << 20;

fn sites(ast: &Ast) -> Vec<Site<'_>> {
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

fn shown(name: &str) -> String {
    text::shown(name, SHOWN)
}

fn quoted(string: &str) -> String {
    text::quoted(string, SHOWN)
}
