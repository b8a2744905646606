//! What SNS does around the engine: it parses the policy, rewrites it without whitespace, and compiles that.

use std::sync::Arc;

use super::ast::Ast;
use super::location::{redacted, wording};
use super::options::ParseOptions;
use super::parse::{self, Reading};
use crate::base::ListMap;
use crate::base::text::push_json_string;
use crate::diagnostic::{Code, Finding, Findings};
use crate::json::{Kind, Node, Tree};

/// Reads a policy: of several members with one name only the last counts, and `$or` is a plain field name if the policy
/// is not valid with it as a group.
pub(super) fn read(tree: &Tree<'_>, whole: &Arc<str>, options: &ParseOptions) -> (Ast, Findings) {
    let rewritten = last_member_wins(tree).map(|nodes| {
        let mut tree = tree.clone();
        tree.nodes = nodes;
        tree
    });
    let tree = rewritten.as_ref().unwrap_or(tree);
    let reading = Reading::of(options);
    let (ast, findings) = parse::read(tree, whole, reading);
    let named = |node: &Node| node.key.is_some_and(|key| tree.string(key) == "$or");
    if findings.is_empty() || tree.error.is_some() || !tree.nodes.iter().any(named) {
        return (ast, findings);
    }
    let reason = findings.finish().into_iter().next().map(|first| first.message).unwrap_or_default();
    let (ast, plain) = parse::read(tree, whole, Reading { groups: false, ..reading });
    if plain.is_empty() {
        return (ast, plain);
    }
    let mut findings = Findings::default();
    for mut finding in plain.finish() {
        let more = format!("`$or` is read as a field name here, because it is not valid as a group: {reason}");
        finding.help = Some(match finding.help {
            Some(help) => format!("{help}; {more}"),
            None => more,
        });
        findings.push(finding);
    }
    (ast, findings)
}

/// The nodes of the tree that is left if of several members with one name only the last counts, in the place of the
/// first; none if all names differ.
fn last_member_wins(tree: &Tree<'_>) -> Option<Vec<Node>> {
    let children = |at: usize| -> (Vec<usize>, bool) {
        let object = tree.nodes.get(at).is_some_and(|node| node.kind == Kind::Object);
        let (mut places, mut order, mut twice) = (ListMap::new(), Vec::new(), false);
        for (child, node) in tree.children(at) {
            let place = node.key.filter(|_| object).map(|key| *places.entry(tree.string(key), || order.len()));
            match place.and_then(|place| order.get_mut(place)) {
                Some(first) => {
                    twice = true;
                    *first = child;
                }
                None => order.push(child),
            }
        }
        (order, twice)
    };
    let container = |node: &Node| matches!(node.kind, Kind::Object | Kind::Array);
    if !(0..tree.nodes.len()).any(|at| tree.nodes.get(at).is_some_and(container) && children(at).1) {
        return None;
    }
    let mut nodes = Vec::with_capacity(tree.nodes.len());
    let mut open = vec![(usize::MAX, vec![0].into_iter())];
    while let Some((parent, rest)) = open.last_mut() {
        let Some(at) = rest.next() else {
            let behind = u32::try_from(nodes.len()).unwrap_or(u32::MAX);
            if let Some(node) = nodes.get_mut(*parent) {
                let node: &mut Node = node;
                node.end = behind;
            }
            open.pop();
            continue;
        };
        let Some(node) = tree.nodes.get(at) else { break };
        let behind = u32::try_from(nodes.len() + 1).unwrap_or(u32::MAX);
        nodes.push(Node { end: behind, ..*node });
        if container(node) {
            open.push((nodes.len() - 1, children(at).0.into_iter()));
        }
    }
    Some(nodes)
}

/// The answer of `SetSubscriptionAttributes`.
pub(super) fn service_message(source: &str, options: &ParseOptions, findings: &[Finding]) -> String {
    let Some(first) = findings.first() else { return String::new() };
    let said = || first.service.as_deref().unwrap_or(&first.message);
    match first.code {
        Code::Syntax => {
            let place = redacted(source, first.raised_at);
            format!("Invalid parameter: FilterPolicy: failed to parse JSON. {}\n at {place}", said())
        }
        Code::ShapeNotInDialect => format!("Invalid parameter: {}", said()),
        _ => {
            // The location refers to the policy as SNS rewrites it, so this reads the rewritten text.
            let short: Arc<str> = minified(&Tree::parse(source, options.engine_limits())).into();
            let mut again = Vec::new();
            super::read(Tree::parse(&short, options.engine_limits()), &short, options, &mut again);
            let text = match again.first() {
                Some(first) => wording(&short, first),
                None => said().to_owned(),
            };
            format!("Invalid parameter: FilterPolicy: {text}")
        }
    }
}

/// The text without whitespace; strings with as few escapes as possible, of members with one name the last.
fn minified(tree: &Tree<'_>) -> String {
    let nodes = last_member_wins(tree);
    let nodes = nodes.as_deref().unwrap_or(&tree.nodes);
    let mut out = String::with_capacity(tree.text().len());
    let mut open: Vec<(usize, char)> = Vec::new();
    let mut first = true;
    for (at, node) in nodes.iter().enumerate() {
        while let Some((_, closing)) = open.pop_if(|(behind, _)| at >= *behind) {
            out.push(closing);
            first = false;
        }
        if !first {
            out.push(',');
        }
        first = false;
        if let Some(key) = node.key {
            push_json_string(&mut out, &tree.string(key));
            out.push(':');
        }
        match node.kind {
            Kind::Object | Kind::Array => {
                let (opening, closing) = if node.kind == Kind::Object { ('{', '}') } else { ('[', ']') };
                out.push(opening);
                open.push((node.end as usize, closing));
                first = true;
            }
            Kind::String => push_json_string(&mut out, &tree.string(node.span)),
            Kind::Number => out.push_str(node.span.slice(tree.text())),
            Kind::True => out.push_str("true"),
            Kind::False => out.push_str("false"),
            Kind::Null => out.push_str("null"),
        }
    }
    while let Some((_, closing)) = open.pop() {
        out.push(closing);
    }
    out
}
