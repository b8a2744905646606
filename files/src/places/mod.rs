//! Where patterns live: finds them in templates, plans, manifests and the answers of a service, by the type of the
//! resource and the path in it, never by the name of a key alone.

mod align;
mod emit;
mod found;
mod holes;
mod kinds;
mod known;
mod pattern;
mod shape;
mod subscribers;
mod walk;

use crate::tree::Node;
pub(crate) use emit::{plain_structure, plain_text};
pub(crate) use found::Places;
pub use found::{Subscriber, SubscriberFilter};
pub(crate) use shape::{
    has_event_fields, has_only_event_fields, has_rules_with_tests, has_tests, is_build_metadata, is_event,
    is_list_of_rules, is_rule_file, is_template, seems_a_template, stray_values,
};
pub(crate) use subscribers::is_configuration;

/// All patterns of a document. `text` is the whole file; `is_yaml` says how unquoted scalars are read.
pub(crate) fn find(root: &Node, text: &str, is_yaml: bool) -> Places {
    let mut found = walk::find(root, text, is_yaml);
    subscribers::find(root, text, &mut found);
    found
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
