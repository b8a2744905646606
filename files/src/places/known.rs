//! What a template's own parameters and resources say of its intrinsic functions.

use std::collections::HashMap;

use eventrie::service::Source;

use crate::tree::{Node, Value};

/// What is known of the names in a template.
#[derive(Debug, Default)]
pub(super) struct Known {
    /// The type of each parameter and resource; parameters first.
    types: HashMap<String, (bool, String)>,
}

impl Known {
    pub(super) fn of(root: &Node) -> Known {
        let mut types = HashMap::new();
        for (section, is_parameter) in [("Resources", false), ("Parameters", true)] {
            for (name, body) in root.get(section).map_or(&[][..], Node::members) {
                if let (Some(name), Some(kind)) = (name.text(), body.get("Type").and_then(Node::text)) {
                    types.insert(name.to_owned(), (is_parameter, kind.to_owned()));
                }
            }
        }
        Known { types }
    }

    /// The source whose ARN this is: by the ARN itself, or by the type of the resource that it refers to.
    pub(super) fn source(&self, node: &Node) -> Option<Source> {
        let argument = function(node).map_or(node, |(_, argument)| argument);
        let text = argument.text().or_else(|| argument.elements().first()?.text())?;
        let name = text.split('.').next().unwrap_or(text);
        let kind = self.types.get(name).map_or("", |(_, kind)| kind);
        let signs = [
            (Source::Sqs, ":sqs:", "AWS::SQS::", "aws_sqs_queue."),
            (Source::Kinesis, ":kinesis:", "AWS::Kinesis::", "aws_kinesis_stream."),
            (Source::DynamoDb, ":dynamodb:", "AWS::DynamoDB::", "aws_dynamodb_table."),
            (Source::Kafka, ":kafka:", "AWS::MSK::", "aws_msk_"),
            (Source::Mq, ":mq:", "AWS::AmazonMQ::", "aws_mq_broker."),
        ];
        let found = signs.iter().find(|(_, arn, resource, terraform)| {
            text.contains(arn) || kind.starts_with(resource) || text.contains(terraform)
        });
        found.map(|(source, ..)| *source)
    }

    /// Whether the node is an intrinsic function whose result is surely one string.
    pub(super) fn is_string(&self, node: &Node) -> bool {
        let Some((function, argument)) = function(node) else { return false };
        match function {
            "Sub" | "Join" | "Base64" | "ImportValue" => true,
            "Ref" => argument.text().is_some_and(|name| self.is_string_name(name)),
            "GetAtt" => match &argument.value {
                Value::String(text) | Value::Plain(text) => {
                    text.split_once('.').is_some_and(|(name, attribute)| self.is_string_attribute(name, attribute))
                }
                Value::List(parts) => match parts.as_slice() {
                    [name, attribute] => {
                        let names = name.text().zip(attribute.text());
                        names.is_some_and(|(name, attribute)| self.is_string_attribute(name, attribute))
                    }
                    _ => false,
                },
                Value::Map(_) => false,
            },
            _ => false,
        }
    }

    fn is_string_name(&self, name: &str) -> bool {
        match self.types.get(name) {
            Some((true, kind)) => !kind.contains("List"),
            Some((false, kind)) => !is_custom(kind),
            None => name.starts_with("AWS::") && !matches!(name, "AWS::NotificationARNs" | "AWS::NoValue"),
        }
    }

    /// Attributes with a plural name may be lists, and those of custom resources may be anything.
    fn is_string_attribute(&self, name: &str, attribute: &str) -> bool {
        let is_plural = attribute.ends_with('s') && !attribute.ends_with("Address") && !attribute.ends_with("Alias");
        self.types.get(name).is_some_and(|(is_parameter, kind)| !is_parameter && !is_custom(kind)) && !is_plural
    }
}

fn is_custom(kind: &str) -> bool {
    !kind.starts_with("AWS::") || kind == "AWS::CloudFormation::CustomResource"
}

/// The name of an intrinsic function without `Fn::`, and its argument: `!Name argument` or `{"Fn::Name": argument}`.
pub(super) fn function(node: &Node) -> Option<(&str, &Node)> {
    if let Some(tag) = node.tag.as_deref() {
        return Some((tag, node));
    }
    let [(key, argument)] = node.members() else { return None };
    match key.text()? {
        name @ ("Ref" | "Condition") => argument.text().map(|_| (name, argument)),
        name => name.strip_prefix("Fn::").map(|name| (name, argument)),
    }
}

/// The two branches of a condition.
pub(super) fn branches(node: &Node) -> Option<[&Node; 2]> {
    match function(node) {
        Some(("If", argument)) => match argument.elements() {
            [_, yes, no] => Some([yes, no]),
            _ => None,
        },
        _ => None,
    }
}

/// Whether the node represents nothing at all.
pub(super) fn is_no_value(node: &Node) -> bool {
    matches!(function(node), Some(("Ref", name)) if name.text() == Some("AWS::NoValue"))
}
