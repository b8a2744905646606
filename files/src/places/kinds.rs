//! Resource types that have patterns, in the spelling of each tool.

use eventrie::service::Source;

/// What a resource is, and so where its patterns are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A rule: its event pattern is an object, or a string that contains one.
    Rule,
    /// An archive of events: its event pattern is an object.
    Archive,
    /// A subscription to a topic.
    Subscription,
    /// An event source mapping.
    Mapping,
    Pipe,
    /// An event of a SAM function that is a rule.
    SamRule,
    /// A type that is known, or surely of another service, and has no patterns that we read.
    Other,
}

/// Which tool's schema describes the resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tool {
    CloudFormation,
    Terraform,
    Pulumi,
    Kubernetes,
}

/// The kind of a resource by its type; none if the word is no type of a resource.
pub(super) fn of_type(name: &str) -> Option<(Kind, Tool)> {
    if let Some(service) = name.strip_prefix("AWS::") {
        let kind = match service {
            "Events::Rule" => Kind::Rule,
            "Events::Archive" => Kind::Archive,
            "SNS::Subscription" => Kind::Subscription,
            "Lambda::EventSourceMapping" => Kind::Mapping,
            "Pipes::Pipe" => Kind::Pipe,
            _ => Kind::Other,
        };
        return Some((kind, Tool::CloudFormation));
    }
    if name.contains("::") {
        return Some((Kind::Other, Tool::CloudFormation));
    }
    if let Some((provider, kind)) = name.split_once(':') {
        let pulumi = matches!(provider, "aws" | "aws-native") || kind.contains(':');
        // `aws:cloudwatch:EventRule` and `aws:cloudwatch/eventRule:EventRule` are the same.
        let short: String =
            kind.split(':').map(|part| part.split('/').next().unwrap_or(part)).collect::<Vec<_>>().join(":");
        let kind = match short.as_str() {
            "cloudwatch:EventRule" | "events:Rule" => Kind::Rule,
            "cloudwatch:EventArchive" | "events:Archive" => Kind::Archive,
            "sns:TopicSubscription" | "sns:Subscription" => Kind::Subscription,
            "lambda:EventSourceMapping" => Kind::Mapping,
            "pipes:Pipe" => Kind::Pipe,
            _ => Kind::Other,
        };
        return pulumi.then_some((kind, Tool::Pulumi));
    }
    let kind = match name {
        "aws_cloudwatch_event_rule" | "awscc_events_rule" => Kind::Rule,
        "aws_cloudwatch_event_archive" | "awscc_events_archive" => Kind::Archive,
        "aws_sns_topic_subscription" | "awscc_sns_subscription" => Kind::Subscription,
        "aws_lambda_event_source_mapping" | "awscc_lambda_event_source_mapping" => Kind::Mapping,
        "aws_pipes_pipe" | "awscc_pipes_pipe" => Kind::Pipe,
        _ if name.starts_with("aws_") || name.starts_with("awscc_") => Kind::Other,
        _ => return None,
    };
    Some((kind, Tool::Terraform))
}

/// The kind of an event of a SAM function.
pub(super) fn of_sam_event(name: &str) -> Option<Kind> {
    Some(match name {
        "EventBridgeRule" | "CloudWatchEvent" => Kind::SamRule,
        "SNS" => Kind::Subscription,
        "SQS" | "Kinesis" | "DynamoDB" | "MSK" | "MQ" | "SelfManagedKafka" | "DocumentDB" => Kind::Mapping,
        _ => return None,
    })
}

/// The source of the records that an event of a SAM function is about.
pub(super) fn source_of_sam_event(name: &str) -> Option<Source> {
    Some(match name {
        "SQS" => Source::Sqs,
        "Kinesis" => Source::Kinesis,
        "DynamoDB" => Source::DynamoDb,
        "MSK" | "SelfManagedKafka" => Source::Kafka,
        "MQ" => Source::Mq,
        _ => return None,
    })
}

/// The kind of a Kubernetes object by its group and kind: those of the AWS controllers, and of Crossplane.
pub(super) fn of_object(api_version: &str, kind: &str) -> Option<Kind> {
    let group = api_version.split('/').next().unwrap_or("");
    let service = group.split('.').next().unwrap_or("");
    if !(group.contains("aws.") || group.ends_with(".k8s.aws")) {
        return None;
    }
    Some(match (service, kind) {
        ("eventbridge" | "cloudwatchevents", "Rule") => Kind::Rule,
        ("eventbridge" | "cloudwatchevents", "Archive") => Kind::Archive,
        ("sns", "Subscription" | "TopicSubscription") => Kind::Subscription,
        ("lambda", "EventSourceMapping") => Kind::Mapping,
        ("pipes", "Pipe") => Kind::Pipe,
        _ => Kind::Other,
    })
}

/// The properties that have patterns, however a tool spells them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Property {
    EventPattern,
    Pattern,
    FilterPolicy,
    FilterCriteria,
    SourceParameters,
}

/// The property of this name.
pub(super) fn property(name: &str) -> Option<Property> {
    Some(match name {
        "EventPattern" | "event_pattern" | "eventPattern" => Property::EventPattern,
        "Pattern" => Property::Pattern,
        "FilterPolicy" | "filter_policy" | "filterPolicy" => Property::FilterPolicy,
        "FilterCriteria" | "filter_criteria" | "filterCriteria" => Property::FilterCriteria,
        "SourceParameters" | "source_parameters" | "sourceParameters" => Property::SourceParameters,
        _ => return None,
    })
}

impl Kind {
    /// Whether a resource of this kind has the property.
    pub(super) fn has(self, property: Property) -> bool {
        matches!(
            (self, property),
            (Kind::Rule | Kind::Archive, Property::EventPattern)
                | (Kind::SamRule, Property::Pattern)
                | (Kind::Subscription, Property::FilterPolicy)
                | (Kind::Mapping, Property::FilterCriteria)
                | (Kind::Pipe, Property::SourceParameters)
        )
    }

    /// The property that has the patterns, as CloudFormation spells it.
    pub(super) fn property(self) -> &'static str {
        match self {
            Kind::Rule | Kind::Archive => "EventPattern",
            Kind::SamRule => "Pattern",
            Kind::Subscription => "FilterPolicy",
            Kind::Mapping => "FilterCriteria",
            Kind::Pipe => "SourceParameters.FilterCriteria",
            Kind::Other => "",
        }
    }
}
