//! What a document is, by the names in it and by its shape: a template, a rule file, an event.

use super::subscribers::is_configuration;
use super::walk;
use crate::tree::{Node, Value};

/// Top-level names that make a document a template, a plan, or the answer of a service's command line.
const TEMPLATE_NAMES: [&str; 18] = [
    "FilterConfiguration",
    "Subscribers",
    "AWSTemplateFormatVersion",
    "Resources",
    "Transform",
    "planned_values",
    "terraform_version",
    "functions",
    "provider",
    "Rules",
    "Attributes",
    "FilterCriteria",
    "EventSourceMappings",
    "Subscriptions",
    "EventPattern",
    "FilterPolicy",
    "SourceParameters",
    "deployment",
];

/// Whether the document contains patterns somewhere, rather than being one.
pub(crate) fn is_template(root: &Node) -> bool {
    let is_resource = |node: &Node| node.get("Type").and_then(Node::text).is_some_and(|kind| kind.contains("::"));
    if walk::is_terraform(root)
        || is_configuration(root)
        || is_event_source(root)
        || root.members().iter().any(|(_, member)| is_resource(member))
        || ["apiVersion", "kind"].into_iter().all(|name| root.get(name).and_then(Node::text).is_some())
    {
        return true;
    }
    // A pattern's own fields are never strings, and these are as often as not; a list or a map must look like more.
    TEMPLATE_NAMES.iter().filter_map(|name| root.get(name)).any(|value| match &value.value {
        Value::String(_) | Value::Plain(_) => true,
        Value::List(elements) => {
            elements.iter().any(|element| element.get("Name").is_some() || !element.members().is_empty())
        }
        Value::Map(members) => !members.is_empty(),
    })
}

/// Whether the document is what describes an event source of a Custom Event Bus.
fn is_event_source(root: &Node) -> bool {
    let names = ["AwsServiceEventsConfiguration", "PartnerEventsConfiguration", "WebhookEventsConfiguration"];
    names.into_iter().any(|name| root.get("Configuration").unwrap_or(root).get(name).is_some())
}

/// Whether malformed JSON was meant to be a template or plan: no pattern has these names.
pub(crate) fn seems_a_template(text: &str) -> bool {
    let names = ["AWSTemplateFormatVersion", "planned_values", "terraform_version", "AWS::"];
    text.trim_start().starts_with('{') && names.iter().any(|name| text.contains(&format!("\"{name}")))
}

/// Names that every event has, or nearly every.
const ENVELOPE: [&str; 8] = ["source", "detail-type", "detail", "account", "region", "resources", "time", "$or"];

/// Fields of the records that pipes and event source mappings filter.
const OF_RECORDS: [&str; 6] = ["body", "data", "dynamodb", "eventName", "value", "messageAttributes"];

/// Whether the document is an event: what every event has, as events have it.
pub(crate) fn is_event(root: &Node) -> bool {
    let is_string = |name| matches!(root.get(name), Some(Node { value: Value::String(_), .. }));
    is_string("source")
        && is_string("detail-type")
        && matches!(root.get("detail"), Some(Node { value: Value::Map(_), .. }))
}

/// Whether the document has a field at the top level that events have, or records.
pub(crate) fn has_event_fields(root: &Node) -> bool {
    root.members()
        .iter()
        .filter_map(|(key, _)| key.text())
        .any(|key| ENVELOPE.contains(&key) || OF_RECORDS.contains(&key))
}

/// Whether all fields at the top level are such, and one of them is a field that most patterns have.
pub(crate) fn has_only_event_fields(root: &Node) -> bool {
    const USUAL: [&str; 9] =
        ["source", "detail-type", "detail", "$or", "body", "data", "dynamodb", "eventName", "messageAttributes"];
    let names = || root.members().iter().filter_map(|(key, _)| key.text());
    names().all(|name| ENVELOPE.contains(&name) || OF_RECORDS.contains(&name))
        && names().any(|name| USUAL.contains(&name))
}

/// Whether the document is what the CDK writes next to its templates: a manifest, a list of assets, the tree of constructs.
pub(crate) fn is_build_metadata(root: &Node) -> bool {
    let is_map = |name: &str| root.get(name).is_some_and(|value| matches!(value.value, Value::Map(_)));
    let is_versioned = matches!(root.get("version"), Some(Node { value: Value::String(_), .. }));
    is_versioned && (is_map("artifacts") || is_map("tree") || (is_map("files") && is_map("dockerImages")))
}

/// The operators of patterns.
const OPERATORS: [&str; 8] =
    ["prefix", "suffix", "equals-ignore-case", "wildcard", "numeric", "cidr", "exists", "anything-but"];

/// Whether the document has a list of tests, an operator outside one, or `$or` at the top level: a pattern has, and an event
/// has not. In a list, objects with several members are no tests unless all of these are operators, and nothing can be
/// said of an empty list.
pub(crate) fn has_tests(root: &Node) -> bool {
    if root.get("$or").is_some_and(|branches| !branches.elements().is_empty()) {
        return true;
    }
    let mut left = vec![root];
    while let Some(node) = left.pop() {
        if has_only_operators(node) {
            return true;
        }
        for (key, value) in node.members() {
            match &value.value {
                Value::List(branches) if key.text() == Some("$or") => left.extend(branches),
                Value::List(tests) if !tests.is_empty() && tests.iter().all(may_be_test) => return true,
                _ => left.push(value),
            }
        }
    }
    false
}

/// Whether a rule of the document has tests.
pub(crate) fn has_rules_with_tests(root: &Node) -> bool {
    root.members().iter().any(|(_, rule)| has_tests(rule))
}

/// Whether an element of a list can be a test: a value, an operator, or several by mistake.
fn may_be_test(element: &Node) -> bool {
    element.members().len() < 2 || has_only_operators(element)
}

fn has_only_operators(node: &Node) -> bool {
    let is_operator = |key: &Node| key.text().is_some_and(|key| OPERATORS.contains(&key));
    !node.members().is_empty() && node.members().iter().all(|(key, _)| is_operator(key))
}

/// How many values of the document are in an object where a pattern has lists.
pub(crate) fn stray_values(root: &Node) -> usize {
    let mut count = 0;
    let mut left = vec![root];
    while let Some(node) = left.pop() {
        for (_, value) in node.members() {
            match &value.value {
                Value::Map(_) => left.push(value),
                Value::List(_) => {}
                Value::String(_) | Value::Plain(_) => count += 1,
            }
        }
    }
    count
}

/// Whether the document is an object name → pattern, judged by the names of events, or a list of rules.
pub(crate) fn is_rule_file(root: &Node) -> bool {
    let (members, listed) = (root.members(), root.elements());
    if listed.iter().any(|rule| rule.get("EventPattern").is_some()) {
        return listed.iter().all(|rule| rule.get("Name").is_some());
    }
    // A pattern that is still in its wrapper is no rule of this name.
    let is_wrapper = root.get("EventPattern").is_some() && members.len() == 1;
    !members.is_empty()
        && !is_wrapper
        && members.iter().all(|(name, pattern)| {
            !ENVELOPE.contains(&name.text().unwrap_or(""))
                && pattern.members().iter().any(|(key, _)| ENVELOPE.contains(&key.text().unwrap_or("")))
        })
}

/// Whether the document is what `aws events list-rules` prints.
pub(crate) fn is_list_of_rules(root: &Node) -> bool {
    let rules = root.get("Rules").map_or(root.elements(), Node::elements);
    rules.iter().any(|rule| rule.get("Name").is_some() && rule.get("EventPattern").is_some())
}
