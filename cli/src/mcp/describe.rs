//! What the tools are called, what they do and what they take, as assistants read it.

use eventrie::Dialect;
use eventrie::service::Source;
use serde_json::{Value, json};

/// What the server says about itself to assistants.
pub(super) const INSTRUCTIONS: &str = "\
Amazon EventBridge event patterns, SNS filter policies, and the filters of Pipes, Lambda event source mappings and Custom Event \
Buses. After writing or changing a pattern, call `check`; to find out why a rule does or does not fire, call `explain` with an \
event. Values in patterns are always in lists. Pass patterns and events as JSON, or as JSON text to keep their exact spelling. \
The tools open no files: pass the text of a file, not its name.";

/// The tools, as `tools/list` answers.
pub(super) fn tools() -> Value {
    let dialects: Vec<String> = Dialect::ALL.iter().map(Dialect::to_string).collect();
    let dialect = json!({
        "type": "string", "enum": dialects, "default": "eventbridge",
        "description": "The service that reads the pattern: eventbridge (rules), pipes, lambda-esm (event source mappings), \
                        sns-attributes, sns-body, or a scope of a Custom Event Bus",
    });
    let sources: Vec<String> = Source::ALL.iter().map(Source::to_string).collect();
    let source = json!({
        "type": "string", "enum": sources,
        "description": "Where records come from; required for pipes and lambda-esm",
    });
    let pattern = json!({"description": "The pattern, as a JSON object or as its text"});
    let event = json!({"description": "The event, message or record, as a JSON object or as its text"});
    let events =
        json!({"type": "array", "description": "Events, messages or records, each as a JSON object or as its text"});
    let tool = |name: &str, title: &str, description: &str, properties: Value, required: &[&str]| {
        json!({
            "name": name, "title": title, "description": description,
            "inputSchema": {"type": "object", "properties": properties, "required": required, "additionalProperties": false},
            "annotations": {"readOnlyHint": true, "destructiveHint": false, "idempotentHint": true, "openWorldHint": false},
        })
    };
    json!([
        tool(
            "check",
            "Check patterns",
            "Report errors and likely mistakes in patterns, with places and fixes. Takes a pattern, a rule file, or a whole \
             CloudFormation, SAM, Serverless, Terraform or Kubernetes file; finds the patterns in it.",
            json!({
                "text": {"type": "string", "description": "The text of the pattern or of the file"},
                "language": {"type": "string", "enum": ["json", "yaml", "terraform"], "default": "json"},
                "dialect": dialect.clone(),
            }),
            &["text"],
        ),
        tool(
            "explain",
            "Explain a pattern against an event",
            "Explain why a pattern does or does not match an event, with the fields that decide it.",
            json!({"pattern": pattern.clone(), "event": event, "dialect": dialect.clone(), "source": source.clone()}),
            &["pattern", "event"],
        ),
        tool(
            "match",
            "Match events",
            "For each event, the names of the patterns that match it.",
            json!({
                "patterns": {
                    "type": "object", "minProperties": 1,
                    "description": "Name → pattern, each as a JSON object or as its text",
                },
                "events": events.clone(), "dialect": dialect.clone(), "source": source.clone(),
            }),
            &["patterns", "events"],
        ),
        tool(
            "infer",
            "Infer a pattern",
            "Propose a pattern that matches these events, with the reason for each field.",
            json!({"events": events, "dialect": dialect, "source": source}),
            &["events"],
        ),
        tool(
            "migrate",
            "Migrate a rule to a Custom Event Bus",
            "Turn the pattern of a rule of the classic bus into the filters of a subscriber of a Custom Event Bus; says what is \
             written differently and what cannot be carried over.",
            json!({
                "pattern": pattern,
                "published_with": {
                    "type": "string", "enum": ["put-events", "put-raw-events"], "default": "put-events",
                    "description": "The API that publishers will use",
                },
            }),
            &["pattern"],
        ),
        tool(
            "explain_code",
            "Explain a finding's code",
            "The page of a finding, such as E0006: what it means, why it matters, an example, what to write instead.",
            json!({"code": {"type": "string", "description": "The code, such as E0006 or W0007"}}),
            &["code"],
        ),
    ])
}
