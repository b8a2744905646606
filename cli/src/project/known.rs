//! Names in patterns that the project does not declare: sources of its own events, and their detail types.

use eventrie::Dialect;
use eventrie::diagnostic::{Code, Finding, Severity, Span};
use eventrie_files::tree::{self, Node, Value};
use eventrie_files::{Document, Found};

use super::config::{Config, NAME};
use crate::choose::nearest;
use crate::findings::{Placed, Reading};

/// The names in a document's patterns that the project does not declare.
pub(super) fn undeclared(document: &Document, config: &Config, reading: Reading) -> Vec<Placed> {
    let mut placed = Vec::new();
    if config.sources.is_none() && config.detail_types.is_empty() {
        return placed;
    }
    for found in document.patterns() {
        if found.dialect().unwrap_or(reading.dialect) != Dialect::EventBridge {
            continue;
        }
        let Ok(root) = tree::parse_json(found.pattern().text()) else { continue };
        let mut findings = Vec::new();
        visit(&root, config, &mut findings);
        for finding in findings.iter().filter(|finding| found.pattern().is_sure(finding)) {
            let place = Some(document.name_of(found)).filter(|_| !is_alone(document, found));
            placed.push(Placed { finding: found.pattern().in_file(finding), place, fixes: Vec::new() });
        }
    }
    placed
}

fn is_alone(document: &Document, found: &Found) -> bool {
    document.name_of(found) == document.file().name()
}

fn visit(pattern: &Node, config: &Config, findings: &mut Vec<Finding>) {
    let sources: Vec<&Node> = pattern.get("source").map(strings).unwrap_or_default();
    let own = sources.iter().filter(|source| !is_aws(source));
    if let Some(known) = &config.sources {
        let declared = |name: &str| known.iter().any(|known| known == name) || config.detail_types.contains_key(name);
        let all = || known.iter().chain(config.detail_types.keys()).map(String::as_str);
        for source in own.clone() {
            let name = source.text().unwrap_or("");
            if !declared(name) {
                findings.push(finding(source, "source", "`sources`", nearest(name, all())));
            }
        }
    }
    // Only if the types of every source that can match are known.
    let types: Option<Vec<&Vec<String>>> =
        sources.iter().map(|source| config.detail_types.get(source.text().unwrap_or(""))).collect();
    if let Some(types) = types.filter(|types| !types.is_empty()) {
        let known = || types.iter().flat_map(|types| types.iter()).map(String::as_str);
        for kind in pattern.get("detail-type").map(strings).unwrap_or_default() {
            let name = kind.text().unwrap_or("");
            if !known().any(|known| known == name) {
                findings.push(finding(kind, "detail type", "`detail-types`", nearest(name, known())));
            }
        }
    }
    for branch in pattern.get("$or").map(Node::elements).unwrap_or_default() {
        visit(branch, config, findings);
    }
}

/// The plain strings of a list; none if something else in it matches too.
fn strings(list: &Node) -> Vec<&Node> {
    list.elements().iter().filter(|element| matches!(element.value, Value::String(_))).collect()
}

fn is_aws(source: &Node) -> bool {
    source.text().is_some_and(|text| text.starts_with("aws."))
}

fn finding(node: &Node, what: &str, key: &str, near: Option<&str>) -> Finding {
    let offset = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
    let span = Span::new(offset(node.span.start), offset(node.span.end));
    let name = node.text().unwrap_or("");
    let message = format!("{NAME} declares no {what} `{name}`");
    let mut finding = Finding::new(Code::UndeclaredName, Severity::Warning, span, message);
    finding.label.message = match near {
        Some(near) => format!("did you mean `{near}`?"),
        None => "not declared".to_owned(),
    };
    finding.help = Some(format!("correct the name, or add it to {key} in {NAME}"));
    finding
}
