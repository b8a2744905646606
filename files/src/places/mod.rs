//! Where patterns live: finds them in templates and plans, and writes each as JSON text that knows its places.

mod align;
mod emit;

use eventrie::Dialect;

use crate::located::Located;
use crate::path::Path;
use crate::tree::{Node, Value};

/// A pattern in a document.
#[derive(Debug)]
pub(crate) struct Place {
    /// The path of the resource and in it.
    pub(crate) path: Path,
    pub(crate) dialect: Dialect,
    pub(crate) pattern: Located,
}

/// Top-level names that make a document a template, a plan, or the answer of a service's command line.
const TEMPLATE_NAMES: [&str; 15] = [
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
];

/// Whether the document holds patterns somewhere, rather than being one.
pub(crate) fn is_template(root: &Node) -> bool {
    // A pattern's own fields are never strings, and these are as often as not; a list or a map must look like more.
    TEMPLATE_NAMES.iter().filter_map(|name| root.get(name)).any(|value| match &value.value {
        Value::String(_) | Value::Plain(_) => true,
        Value::List(elements) => {
            elements.iter().any(|element| element.get("Name").is_some() || !element.members().is_empty())
        }
        Value::Map(members) => !members.is_empty(),
    })
}

/// Whether a text that cannot be read was to be a JSON template or plan: no pattern has these names.
pub(crate) fn seems_a_template(text: &str) -> bool {
    let names = ["AWSTemplateFormatVersion", "planned_values", "terraform_version", "AWS::"];
    text.trim_start().starts_with('{') && names.iter().any(|name| text.contains(&format!("\"{name}")))
}

/// Names that every event has, or nearly every.
const ENVELOPE: [&str; 8] = ["source", "detail-type", "detail", "account", "region", "resources", "time", "$or"];

/// Whether the document is an object name → pattern, judged by the names of events, or a list of rules.
pub(crate) fn is_rule_file(root: &Node) -> bool {
    let (members, listed) = (root.members(), root.elements());
    if listed.iter().any(|rule| rule.get("EventPattern").is_some()) {
        return listed.iter().all(|rule| rule.get("Name").is_some());
    }
    !members.is_empty()
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

/// All patterns of a document, in text order. `text` is the whole file.
pub(crate) fn find(root: &Node, text: &str) -> Vec<Place> {
    let mut finder = Finder { text, path: Path::default(), found: Vec::new() };
    // A plan says everything several times; what is going to be there counts.
    match root.get("planned_values").or_else(|| root.get("terraform_version").and(root.get("values"))) {
        Some(values) => finder.walk(values, &Around::default()),
        None => finder.walk(root, &Around::default()),
    }
    finder.found
}

/// What surrounds a node.
#[derive(Clone, Copy, Default)]
struct Around<'a> {
    /// The type of the innermost resource or event.
    kind: Option<&'a str>,
    /// The name under which the node stands.
    key: &'a str,
    /// Inside the source parameters of a pipe.
    pipe: bool,
    /// The scope that stands beside a filter policy.
    scope: Option<&'a Node>,
}

struct Finder<'a> {
    text: &'a str,
    path: Path,
    found: Vec<Place>,
}

impl Finder<'_> {
    fn walk(&mut self, node: &Node, around: &Around<'_>) {
        crate::work::note(1);
        match &node.value {
            Value::List(elements) => {
                for (at, element) in elements.iter().enumerate() {
                    let name = element.get("Name").and_then(Node::text);
                    let address = element.get("address").and_then(Node::text);
                    let path = match (address, name) {
                        (Some(address), _) => Path::default().key(address),
                        (None, Some(name)) => self.path.element(name),
                        (None, None) => self.path.index(at),
                    };
                    let outer = std::mem::replace(&mut self.path, path);
                    self.walk(element, around);
                    self.path = outer;
                }
            }
            Value::Map(members) => {
                let kind = node.get("Type").or_else(|| node.get("type")).and_then(Node::text).or(around.kind);
                let scopes = ["FilterPolicyScope", "filter_policy_scope", "filterPolicyScope"];
                let scope = scopes.into_iter().find_map(|name| node.get(name));
                let has_address = node.get("address").is_some();
                for (key, value) in members {
                    let Some(key) = key.text() else { continue };
                    let pipe = around.pipe || matches!(key, "SourceParameters" | "source_parameters");
                    // Terraform writes a resource's address beside its values: that is the path of all that is inside.
                    let path = if key == "values" && has_address { self.path.clone() } else { self.path.key(key) };
                    let outer = std::mem::replace(&mut self.path, path);
                    if !self.take(key, value, &Around { kind, pipe, scope, ..*around }) {
                        self.walk(value, &Around { kind, key, pipe, scope });
                    }
                    self.path = outer;
                }
            }
            Value::String(_) | Value::Plain(_) => {}
        }
    }

    /// Takes the member if it is a pattern, or a set of them.
    fn take(&mut self, key: &str, value: &Node, around: &Around<'_>) -> bool {
        let in_rule_event = matches!(around.kind, Some("EventBridgeRule" | "CloudWatchEvent"));
        let here = self.path.clone();
        match key {
            "EventPattern" | "event_pattern" | "eventPattern" => self.pattern(value, Dialect::EventBridge, here),
            "Pattern" if around.key == "Properties" && in_rule_event => self.pattern(value, Dialect::EventBridge, here),
            "pattern" if around.key == "eventBridge" => self.pattern(value, Dialect::EventBridge, here),
            "event" if matches!(around.key, "cloudwatchEvent" | "eventBridge" | "eventbridge") => {
                self.pattern(value, Dialect::EventBridge, here)
            }
            "FilterPolicy" | "filter_policy" | "filterPolicy" => self.pattern(value, scope(around.scope, value), here),
            "FilterCriteria" | "filter_criteria" | "filterCriteria" => {
                let dialect = if around.pipe { Dialect::Pipes } else { Dialect::Lambda };
                self.criteria(value, dialect)
            }
            "filterPatterns" => {
                for (at, pattern) in value.elements().iter().enumerate() {
                    let path = self.path.index(at);
                    self.pattern(pattern, Dialect::Lambda, path);
                }
                true
            }
            _ => false,
        }
    }

    /// `{"Filters":[{"Pattern":…}]}`, or the same as Terraform spells it, blocks being lists.
    fn criteria(&mut self, value: &Node, dialect: Dialect) -> bool {
        let blocks = if value.elements().is_empty() { std::slice::from_ref(value) } else { value.elements() };
        for block in blocks {
            let filters = ["Filters", "filter", "filters"].into_iter().find_map(|name| block.get(name));
            for (at, filter) in filters.map_or(&[][..], Node::elements).iter().enumerate() {
                let pattern = ["Pattern", "pattern"].into_iter().find_map(|name| filter.get(name));
                if let Some(pattern) = pattern {
                    let path = self.path.key("Filters").index(at).key("Pattern");
                    self.pattern(pattern, dialect, path);
                }
            }
        }
        true
    }

    /// Notes a pattern: an object, or a string that holds one. Anything else is no pattern (or not known yet).
    fn pattern(&mut self, value: &Node, dialect: Dialect, path: Path) -> bool {
        let pattern = match &value.value {
            Value::Map(_) if !emit::is_hole(value) => Some(emit::emit(value)),
            _ => emit::text(value, self.text).filter(|pattern| pattern.text.trim_start().starts_with('{')),
        };
        let is_list = matches!(value.value, Value::List(_)) && !emit::is_hole(value);
        if let Some(pattern) = pattern {
            self.found.push(Place { path, dialect, pattern });
        }
        !is_list
    }
}

/// Which scope a filter policy has; where that is only known later, its own shape tells.
fn scope(scope: Option<&Node>, policy: &Node) -> Dialect {
    match scope {
        Some(scope) if scope.text() == Some("MessageBody") => Dialect::SnsBody,
        Some(scope) if emit::is_hole(scope) => {
            let nested = policy.members().iter().any(|(_, value)| matches!(value.value, Value::Map(_)));
            if nested { Dialect::SnsBody } else { Dialect::SnsAttributes }
        }
        _ => Dialect::SnsAttributes,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::{parse_json, parse_yaml};

    fn found(root: &Node, text: &str) -> Vec<(String, &'static str, String)> {
        find(root, text)
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
                r#"{"source":["aws.ec2","${Own}"],"account":["${Accounts}"],"detail":{"size":[{"numeric":[">",1.50]},true,null,"007","2026-01-01"]}}"#,
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
