//! Where patterns live: finds them in templates, plans, manifests and the answers of a service, by the type of the
//! resource and the path in it, never by the name of a key alone.

mod align;
mod emit;
mod kinds;
mod known;
mod subscribers;
mod walk;

use eventrie::Dialect;
use eventrie::diagnostic::Finding;
use eventrie::service::Source;

use crate::located::Located;
use crate::path::Path;
use crate::state::RuleState;
use crate::tree::{Node, Value};
pub(crate) use emit::{plain_structure, plain_text};
pub(crate) use subscribers::is_configuration;
pub use subscribers::{Subscriber, SubscriberFilter};

/// A pattern in a document.
#[derive(Debug)]
pub(crate) struct Place {
    /// The path of the resource and in it.
    pub(crate) path: Path,
    pub(crate) dialect: Dialect,
    pub(crate) pattern: Located,
    /// Whether a condition decides if this pattern or another one is at the path.
    pub(crate) is_conditional: bool,
    /// Where the records come from, if the file says so.
    pub(crate) source: Option<Source>,
    /// The state of the rule, if the file says so.
    pub(crate) state: Option<RuleState>,
}

/// What was found in a document.
#[derive(Debug, Default)]
pub(crate) struct Places {
    /// In the order of the text.
    pub(crate) patterns: Vec<Place>,
    /// What is wrong around the patterns, its places being those of the file.
    pub(crate) findings: Vec<(Path, Finding)>,
    /// Patterns that could not be read, because they are only known when the template is deployed.
    pub(crate) unknown: Vec<Path>,
    /// The subscribers of Custom Event Buses. Their patterns are among all.
    pub(crate) subscribers: Vec<Subscriber>,
    /// Where a property was expected that a resource of this type does not have: byte and message.
    pub(crate) unread: Vec<(usize, String)>,
    /// How many more of these there were.
    pub(crate) left_out: usize,
}

/// All patterns of a document. `text` is the whole file; `is_yaml` says how unquoted scalars are read.
pub(crate) fn find(root: &Node, text: &str, is_yaml: bool) -> Places {
    let mut found = walk::find(root, text, is_yaml);
    subscribers::find(root, text, &mut found);
    found
}

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

/// Whether the document holds patterns somewhere, rather than being one.
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

/// Whether a text that cannot be read was to be a JSON template or plan: no pattern has these names.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::{parse_json, parse_yaml};

    fn found(root: &Node, text: &str) -> Vec<(String, &'static str, String)> {
        find(root, text, !text.starts_with('{'))
            .patterns
            .into_iter()
            .map(|place| (place.path.to_string(), place.dialect.name(), place.pattern.text))
            .collect()
    }

    #[test]
    fn cloudformation_in_yaml() {
        let text = "\
Resources:
  Rule:
    Type: AWS::Events::Rule
    Properties:
      EventPattern:
        source: [aws.ec2, !Ref Own]
        account: !Ref Accounts
        detail:
          size: [{numeric: ['>', 1.50]}, true, ~, 007, 2026-01-01]
  Sub:
    Type: AWS::SNS::Subscription
    Properties:
      FilterPolicyScope: MessageBody
      FilterPolicy: {a: {b: [x]}}
  Pipe:
    Type: AWS::Pipes::Pipe
    Properties:
      SourceParameters:
        FilterCriteria:
          Filters:
            - Pattern: '{\"body\": {\"a\": [1]}}'
  Map:
    Type: AWS::Lambda::EventSourceMapping
    Properties:
      FilterCriteria: {Filters: [{Pattern: !Sub '{\"body\":[\"${X}\"]}'}]}
";
        let root = parse_yaml(text).unwrap();
        assert!(is_template(&root));
        let places = found(&root, text);
        let expected = [
            (
                "Resources.Rule.Properties.EventPattern",
                "eventbridge",
                r#"{"source":["aws.ec2","${Own}"],"account":["${Accounts}"],"detail":{"size":[{"numeric":[">",1.50]},true,null,7,"2026-01-01"]}}"#,
            ),
            ("Resources.Sub.Properties.FilterPolicy", "sns-body", r#"{"a":{"b":["x"]}}"#),
            (
                "Resources.Pipe.Properties.SourceParameters.FilterCriteria.Filters[0].Pattern",
                "pipes",
                r#"{"body": {"a": [1]}}"#,
            ),
            ("Resources.Map.Properties.FilterCriteria.Filters[0].Pattern", "lambda-esm", r#"{"body":["${X}"]}"#),
        ];
        let expected = expected.map(|(path, dialect, text)| (path.to_owned(), dialect, text.to_owned()));
        assert_eq!(places, expected);
    }

    #[test]
    fn terraform_serverless_and_listed_rules() {
        let plan = r#"{"planned_values":{"root_module":{"resources":[{"address":"aws_cloudwatch_event_rule.x","type":"aws_cloudwatch_event_rule","values":{"event_pattern":"{\"source\":[\"a\"]}"}}],"child_modules":[{"address":"module.m","resources":[{"address":"module.m.aws_lambda_event_source_mapping.y","values":{"filter_criteria":[{"filter":[{"pattern":"{\"body\":[1]}"}]}]}}]}]}},"resource_changes":[{"change":{"after":{"event_pattern":"{}"}}}]}"#;
        let places = found(&parse_json(plan).unwrap(), plan);
        assert_eq!(places[0].0, "aws_cloudwatch_event_rule.x.event_pattern");
        assert_eq!(places[1].0, "module.m.aws_lambda_event_source_mapping.y.filter_criteria.Filters[0].Pattern");
        assert_eq!((places[1].1, places.len()), ("lambda-esm", 2));
        let serverless = "service: s\nfunctions:\n  f:\n    events:\n      - eventBridge:\n          pattern: {source: [x]}\n      - sns:\n          filterPolicy: {pet: [dog]}\n      - stream:\n          filterPatterns:\n            - eventName: [INSERT]\n";
        let places = found(&parse_yaml(serverless).unwrap(), serverless);
        let dialects: Vec<&str> = places.iter().map(|place| place.1).collect();
        assert_eq!(dialects, ["eventbridge", "sns-attributes", "lambda-esm"]);
        assert_eq!(places[0].0, "functions.f.events[0].eventBridge.pattern");
        let listed = r#"{"Rules":[{"Name":"n","EventPattern":"{\"a\":[1]}"}]}"#;
        assert_eq!(found(&parse_json(listed).unwrap(), listed)[0].0, "Rules[n].EventPattern");
    }

    #[test]
    fn a_pattern_is_no_template() {
        let is = |text: &str| (is_template(&parse_json(text).unwrap()), is_rule_file(&parse_json(text).unwrap()));
        assert_eq!(is(r#"{"source":["a"],"detail":{"EventPattern":{"source":["a"]}}}"#), (false, false));
        assert_eq!(is(r#"{"one":{"source":["a"]},"two":{"detail":{"x":[1]}}}"#), (false, true));
        assert_eq!(is(r#"{"provider":["a"]}"#), (false, false));
    }
}
