//! The forms that a pattern takes in files: a file for each, with comments around the pattern.

use eventrie::Dialect;
use eventrie_files::tree::{Node, Value, parse_json};

/// A file's name and text.
pub(crate) type File = (&'static str, String);

/// A form by its name; none if the pattern cannot have it.
pub(crate) type Form = (&'static str, fn(&str, Dialect) -> Option<File>);

/// All forms.
pub(crate) const FORMS: [Form; 13] = [
    ("json", |pattern, _| Some(("pattern.json", pattern.to_owned()))),
    ("rule file", |pattern, dialect| {
        let is_bus = dialect == Dialect::EventBridge;
        (is_bus && is_object(pattern))
            .then(|| ("rules.json", format!("{{\"Rules\": [{{\"Name\": \"a\", \"EventPattern\": {pattern}}}]}}")))
    }),
    ("string in rule file", |pattern, dialect| {
        let quoted = serde_json::to_string(pattern).ok()?;
        (dialect == Dialect::EventBridge)
            .then(|| ("rules.json", format!("{{\"Rules\": [{{\"Name\": \"a\", \"EventPattern\": {quoted}}}]}}")))
    }),
    ("json template", |pattern, dialect| {
        is_object(pattern).then_some(())?;
        let value = if is_string(dialect) { serde_json::to_string(pattern).ok()? } else { pattern.to_owned() };
        Some(("template.json", json_template(&value, dialect)?))
    }),
    ("yaml blocks", |pattern, dialect| {
        let mut text = String::new();
        block(&object(pattern).filter(|_| !is_string(dialect))?, &mut text, 0)?;
        yaml_template(&text, dialect)
    }),
    ("yaml blocks without comments", |pattern, dialect| {
        let mut text = String::new();
        block(&object(pattern).filter(|_| !is_string(dialect))?, &mut text, 0)?;
        yaml_template(&text.replace(" # object", "").replace(" # list", "").replace(" # element", ""), dialect)
    }),
    ("hcl without comments", |pattern, dialect| {
        let value = hcl(&object(pattern)?)?.replace(" # member", "");
        terraform(&format!("jsonencode({value})"), dialect)
    }),
    ("yaml flow", |pattern, dialect| {
        let flow = flow(&object(pattern).filter(|_| !is_string(dialect))?)?;
        yaml_template(&format!(" {flow} # flow\n"), dialect)
    }),
    ("yaml single quotes", |pattern, dialect| {
        let pattern = one_line(pattern)?.replace('\'', "''");
        yaml_template(&format!(" '{pattern}' # quoted\n"), dialect.filter_string()?)
    }),
    ("yaml double quotes", |pattern, dialect| {
        let quoted = serde_json::to_string(&one_line(pattern)?).ok()?;
        yaml_template(&format!(" {quoted} # quoted\n"), dialect.filter_string()?)
    }),
    ("yaml literal", |pattern, dialect| {
        let lines: String = pattern.lines().map(|line| format!("                {line}\n")).collect();
        (!pattern.starts_with(' ')).then_some(())?;
        yaml_template(&format!(" |\n{lines}"), dialect.filter_string()?)
    }),
    ("hcl jsonencode", |pattern, dialect| {
        let value = hcl(&object(pattern)?)?;
        terraform(&format!("jsonencode({value}) # encoded"), dialect)
    }),
    ("hcl heredoc", |pattern, dialect| {
        (!pattern.contains("${") && !pattern.contains("%{")).then_some(())?;
        terraform(&format!("<<EOF\n{pattern}\nEOF"), dialect)
    }),
];

trait FilterString: Sized {
    fn filter_string(self) -> Option<Self>;
}

impl FilterString for Dialect {
    /// The dialects whose patterns are strings in CloudFormation.
    fn filter_string(self) -> Option<Dialect> {
        is_string(self).then_some(self)
    }
}

fn is_string(dialect: Dialect) -> bool {
    matches!(dialect, Dialect::Pipes | Dialect::Lambda)
}

fn is_object(pattern: &str) -> bool {
    object(pattern).is_some()
}

fn object(pattern: &str) -> Option<Node> {
    parse_json(pattern).ok().filter(|root| matches!(root.value, Value::Map(_)))
}

fn one_line(pattern: &str) -> Option<String> {
    (!pattern.contains(['\n', '\t'])).then(|| pattern.to_owned())
}

fn json_template(value: &str, dialect: Dialect) -> Option<String> {
    let (kind, properties) = match dialect {
        Dialect::EventBridge => ("AWS::Events::Rule", format!("\"EventPattern\": {value}")),
        Dialect::SnsAttributes => ("AWS::SNS::Subscription", format!("\"FilterPolicy\": {value}")),
        Dialect::SnsBody => {
            ("AWS::SNS::Subscription", format!("\"FilterPolicyScope\": \"MessageBody\", \"FilterPolicy\": {value}"))
        }
        Dialect::Pipes => (
            "AWS::Pipes::Pipe",
            format!("\"SourceParameters\": {{\"FilterCriteria\": {{\"Filters\": [{{\"Pattern\": {value}}}]}}}}"),
        ),
        Dialect::Lambda => (
            "AWS::Lambda::EventSourceMapping",
            format!("\"FilterCriteria\": {{\"Filters\": [{{\"Pattern\": {value}}}]}}"),
        ),
        _ => return None,
    };
    Some(format!("{{\"Resources\": {{\n  \"R\": {{\"Type\": \"{kind}\", \"Properties\": {{{properties}}}}}\n}}}}\n"))
}

/// `value` is what follows the colon.
fn yaml_template(value: &str, dialect: Dialect) -> Option<File> {
    let head = "# head\nResources:\n  R: # the rule\n    Type: ";
    let text = match dialect {
        Dialect::EventBridge => format!("{head}AWS::Events::Rule\n    Properties:\n      EventPattern:{value}"),
        Dialect::SnsAttributes => format!("{head}AWS::SNS::Subscription\n    Properties:\n      FilterPolicy:{value}"),
        Dialect::SnsBody => format!(
            "{head}AWS::SNS::Subscription\n    Properties:\n      FilterPolicyScope: MessageBody\n      FilterPolicy:{value}"
        ),
        Dialect::Pipes => format!(
            "{head}AWS::Pipes::Pipe\n    Properties:\n      SourceParameters:\n        FilterCriteria:\n          Filters:\n            - Pattern:{value}"
        ),
        Dialect::Lambda => format!(
            "{head}AWS::Lambda::EventSourceMapping\n    Properties:\n      FilterCriteria:\n          Filters:\n            - Pattern:{value}"
        ),
        _ => return None,
    };
    Some(("template.yaml", format!("{text}      # tail\n  S: {{Type: \"AWS::SNS::Topic\"}}\n")))
}

fn terraform(value: &str, dialect: Dialect) -> Option<File> {
    let text = match dialect {
        Dialect::EventBridge => {
            format!("resource \"aws_cloudwatch_event_rule\" \"r\" {{\n  event_pattern = {value}\n}}\n")
        }
        Dialect::SnsAttributes => {
            format!("resource \"aws_sns_topic_subscription\" \"r\" {{\n  filter_policy = {value}\n}}\n")
        }
        Dialect::SnsBody => format!(
            "resource \"aws_sns_topic_subscription\" \"r\" {{\n  filter_policy_scope = \"MessageBody\"\n  filter_policy = {value}\n}}\n"
        ),
        Dialect::Pipes => format!(
            "resource \"aws_pipes_pipe\" \"r\" {{\n  source_parameters {{\n    filter_criteria {{\n      filter {{\n        pattern = {value}\n      }}\n    }}\n  }}\n}}\n"
        ),
        Dialect::Lambda => format!(
            "resource \"aws_lambda_event_source_mapping\" \"r\" {{\n  filter_criteria {{\n    filter {{\n      pattern = {value}\n    }}\n  }}\n}}\n"
        ),
        _ => return None,
    };
    Some(("main.tf", format!("# head\n{text}// tail\n")))
}

/// A string as people write it: without quotes, if it needs none.
fn plain(text: &str) -> Option<String> {
    let is_plain = text.starts_with(|first: char| first.is_ascii_alphabetic())
        && text.chars().all(|char| char.is_ascii_alphanumeric() || "-_.".contains(char))
        && !["null", "true", "false", "yes", "no", "on", "off"].contains(&text.to_ascii_lowercase().as_str());
    if is_plain { Some(text.to_owned()) } else { serde_json::to_string(text).ok() }
}

fn flow(node: &Node) -> Option<String> {
    Some(match &node.value {
        Value::String(text) => plain(text)?,
        Value::Plain(text) => text.clone(),
        Value::List(elements) => {
            format!("[{}]", elements.iter().map(flow).collect::<Option<Vec<_>>>()?.join(", "))
        }
        Value::Map(members) => {
            let members = members.iter().map(|(key, value)| Some(format!("{}: {}", plain(key.text()?)?, flow(value)?)));
            format!("{{{}}}", members.collect::<Option<Vec<_>>>()?.join(", "))
        }
    })
}

/// Blocks, with a comment in every line.
fn block(node: &Node, text: &mut String, depth: usize) -> Option<()> {
    let indent = "  ".repeat(depth + 4);
    match &node.value {
        Value::Map(members) if !members.is_empty() => {
            text.push_str(" # object\n");
            for (key, value) in members {
                text.push_str(&format!("{indent}{}:", plain(key.text()?)?));
                block(value, text, depth + 1)?;
            }
        }
        Value::List(elements) if !elements.is_empty() => {
            text.push_str(" # list\n");
            for element in elements {
                text.push_str(&format!("{indent}- {} # element\n", flow(element)?));
            }
        }
        _ => text.push_str(&format!(" {} # value\n", flow(node)?)),
    }
    Some(())
}

/// Terraform's objects, with names as people write them.
fn hcl(node: &Node) -> Option<String> {
    let quoted = |text: &str| {
        let quoted = serde_json::to_string(text).ok()?;
        let strange =
            quoted.contains("${") || quoted.contains("%{") || quoted.contains("\\u") || quoted.contains("\\b");
        (!strange).then_some(quoted)
    };
    Some(match &node.value {
        Value::String(text) => quoted(text)?,
        Value::Plain(text) => text.clone(),
        Value::List(elements) => {
            format!("[{}]", elements.iter().map(hcl).collect::<Option<Vec<_>>>()?.join(", "))
        }
        Value::Map(members) => {
            let names: std::collections::HashSet<_> = members.iter().map(|(key, _)| key.text()).collect();
            // Terraform refuses a name twice.
            (names.len() == members.len()).then_some(())?;
            let name = |key: &str| {
                let is_name = key.starts_with(|first: char| first.is_ascii_alphabetic())
                    && key.chars().all(|char| char.is_ascii_alphanumeric() || char == '-' || char == '_');
                if is_name { Some(key.to_owned()) } else { quoted(key) }
            };
            let members = members
                .iter()
                .map(|(key, value)| Some(format!("\n    {} = {} # member", name(key.text()?)?, hcl(value)?)));
            format!("{{{}\n  }}", members.collect::<Option<Vec<_>>>()?.join(""))
        }
    })
}
