//! Walks a document and collects the patterns at places that a resource's type, or the surrounding shape, identifies.

use eventrie::Dialect;
use eventrie::diagnostic::Severity;

use super::emit::{self, Schema};
use super::found::{MOST, Places};
use super::kinds::{self, Kind, Property, Tool};
use super::known::Known;
use super::pattern::{Finder, Style};
use crate::path::Path;
use crate::state::{About, DEFAULT_BUS};
use crate::tree::{Node, Value};

pub(super) fn find(root: &Node, text: &str, is_yaml: bool) -> Places {
    let known = Known::of(root);
    let mut finder = Finder {
        text,
        is_yaml,
        known: &known,
        path: Path::default(),
        found: Places::default(),
        source: None,
        of_event: None,
        about: About::default(),
    };
    if let Some(resources) = root.get("resource").filter(|_| is_terraform(root)) {
        finder.terraform(resources);
        if let Some(modules) = root.get("module") {
            let path = Path::default().key("module");
            finder.inside(path, |finder| finder.walk(modules, Around { depth: 1, ..Around::default() }));
        }
        return finder.found;
    }
    // A plan says everything several times; the planned state counts.
    match root.get("planned_values").or_else(|| root.get("terraform_version").and(root.get("values"))) {
        Some(values) => finder.walk(values, Around::default()),
        None => finder.walk(root, Around::default()),
    }
    finder.found
}

/// Whether `resource` is Terraform's: type → name → body.
pub(super) fn is_terraform(root: &Node) -> bool {
    let types = root.get("resource").map_or(&[][..], Node::members);
    !types.is_empty()
        && types.iter().all(|(kind, names)| {
            kind.text().is_some_and(|kind| kind.contains('_')) && matches!(names.value, Value::Map(_))
        })
}

/// What surrounds a node.
#[derive(Clone, Copy, Default)]
struct Around<'a> {
    /// The key of the node, and the one around it.
    key: &'a str,
    outer: &'a str,
    /// Inside a resource of a type that has a schema of its own.
    is_typed: bool,
    /// How many maps and lists are around.
    depth: usize,
}

impl Finder<'_> {
    fn walk(&mut self, node: &Node, around: Around<'_>) {
        crate::work::note(1);
        let depth = around.depth + 1;
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
                    self.inside(path, |finder| {
                        if around.key == "events" && finder.serverless(element) {
                            return;
                        }
                        finder.walk(element, Around { depth, ..around });
                    });
                }
            }
            Value::Map(members) => {
                let resource = self.resource_of(node, &around);
                // Terraform's state: the attributes of each instance.
                if let (Some((kind, tool)), Some(instances)) =
                    (text_of(node, "type").and_then(kinds::of_type), node.get("instances"))
                {
                    let name =
                        format!("{}.{}", text_of(node, "type").unwrap_or(""), text_of(node, "name").unwrap_or(""));
                    let bodies = instances.elements().iter().filter_map(|instance| instance.get("attributes"));
                    return self.inside(Path::default().key(&name), |finder| {
                        bodies.for_each(|body| finder.resource(kind, tool, body));
                    });
                }
                if let Some((kind, tool, body, step)) = resource
                    && kind != Kind::Other
                {
                    let path = if step.is_empty() { self.path.clone() } else { self.path.key(step) };
                    let is_event = around.outer == "Events";
                    self.of_event = text_of(node, "Type").filter(|_| is_event).and_then(kinds::source_of_sam_event);
                    return self.inside(path, |finder| finder.resource(kind, tool, body));
                }
                self.of_event = None;
                let is_typed = around.is_typed || resource.is_some();
                let is_rule = !is_typed && node.get("EventPattern").is_some();
                let about = if is_rule { About::of(node, |value| value.text().is_some()) } else { About::default() };
                let is_answer = !is_typed && is_answer(node, &around);
                // Terraform writes a resource's address next to its values: that is the path of all that is inside.
                let has_address = node.get("address").is_some();
                let scope = scope_of(node);
                for (key, value) in members {
                    let Some(key) = key.text() else { continue };
                    let path = if key == "values" && has_address { self.path.clone() } else { self.path.key(key) };
                    self.inside(path, |finder| {
                        let property = kinds::property(key).filter(|_| !is_typed);
                        finder.about.clone_from(&about);
                        let taken = property.is_some_and(|property| finder.loose(property, value, scope, is_answer));
                        if !taken {
                            finder.walk(value, Around { key, outer: around.key, is_typed, depth });
                        }
                    });
                }
            }
            Value::String(_) | Value::Plain(_) => {}
        }
    }

    /// What resource the map is: its kind, the tool, its properties, and the step to them.
    fn resource_of<'n>(&self, node: &'n Node, around: &Around<'_>) -> Option<(Kind, Tool, &'n Node, &'static str)> {
        if let (Some(api), Some(kind)) = (text_of(node, "apiVersion"), text_of(node, "kind")) {
            let kind = kinds::of_object(api, kind).unwrap_or(Kind::Other);
            let spec = node.get("spec")?;
            return Some(match spec.get("forProvider") {
                Some(body) => (kind, Tool::Kubernetes, body, "spec"),
                None => (kind, Tool::Kubernetes, spec, "spec"),
            });
        }
        let name = match text_of(node, "Type").or_else(|| text_of(node, "type")) {
            Some(name) => name,
            // `module.m.aws_sns_topic.t`: the last word but one, without an index.
            None => text_of(node, "address")?.rsplit('.').nth(1)?,
        };
        let bodies = [("Properties", "Properties"), ("properties", "properties"), ("values", ""), ("inputs", "inputs")];
        let body = bodies.into_iter().find_map(|(name, step)| Some((node.get(name)?, step)));
        if around.outer == "Events"
            && let Some(kind) = kinds::of_sam_event(name)
        {
            let (body, step) = body?;
            return Some((kind, Tool::CloudFormation, body, step));
        }
        let (kind, tool) = kinds::of_type(name)?;
        let (body, step) = body.unwrap_or((node, ""));
        Some((if std::ptr::eq(body, node) { Kind::Other } else { kind }, tool, body, step))
    }

    /// Terraform's JSON syntax: type → name → body, or a list of bodies.
    fn terraform(&mut self, resources: &Node) {
        for (kind, names) in resources.members() {
            let Some((name, (kind, tool))) = kind.text().and_then(|kind| Some((kind, kinds::of_type(kind)?))) else {
                continue;
            };
            let path = Path::default().key(name);
            for (name, body) in names.members() {
                let path = path.key(name.text().unwrap_or(""));
                let bodies = if body.elements().is_empty() { std::slice::from_ref(body) } else { body.elements() };
                for body in bodies {
                    self.inside(path.clone(), |finder| finder.resource(kind, tool, body));
                }
            }
        }
    }

    /// The patterns of a resource whose kind is known.
    fn resource(&mut self, kind: Kind, tool: Tool, body: &Node) {
        let schema = if self.is_yaml && tool == Tool::CloudFormation { Schema::One } else { Schema::Two };
        let style = Style {
            dialect: Dialect::EventBridge,
            schema,
            takes_text: !(kind == Kind::Archive && tool == Tool::CloudFormation),
            takes_object: matches!(tool, Tool::CloudFormation | Tool::Pulumi),
            null_is_absent: tool == Tool::Terraform,
        };
        let scope = scope_of(body);
        let source =
            ["EventSourceArn", "event_source_arn", "eventSourceArn"].into_iter().find_map(|name| body.get(name));
        self.source = self.of_event.take().or_else(|| source.and_then(|source| self.known.source(source)));
        self.about = About::of(body, |value| !emit::is_hole(value));
        let names_no_bus =
            ["EventBusName", "event_bus_name", "eventBusName"].iter().all(|name| body.get(name).is_none());
        if names_no_bus && matches!(kind, Kind::Rule | Kind::SamRule) {
            self.about.bus = Some(DEFAULT_BUS.to_owned());
        }
        for (name, value) in body.members() {
            let Some(key) = name.text() else { continue };
            let path = self.path.key(key);
            match kinds::property(key).filter(|property| kind.has(*property)) {
                Some(Property::EventPattern | Property::Pattern) => {
                    self.inside(path, |finder| finder.pattern(value, style));
                }
                Some(Property::FilterPolicy) => {
                    let style = Style { dialect: scope_dialect(scope, value), ..style };
                    self.inside(path, |finder| finder.pattern(value, style));
                }
                Some(Property::FilterCriteria) => {
                    let style = Style { dialect: Dialect::Lambda, takes_object: false, ..style };
                    self.inside(path, |finder| finder.criteria(value, style));
                }
                Some(Property::SourceParameters) => {
                    let style = Style { dialect: Dialect::Pipes, takes_object: false, ..style };
                    // Terraform writes blocks as lists.
                    let blocks =
                        if value.elements().is_empty() { std::slice::from_ref(value) } else { value.elements() };
                    for (key, value) in blocks.iter().flat_map(Node::members) {
                        let key = key.text().unwrap_or("");
                        if kinds::property(key) == Some(Property::FilterCriteria) {
                            self.inside(path.key(key), |finder| finder.criteria(value, style));
                        }
                    }
                }
                None if tool == Tool::CloudFormation && is_meant_as_pattern(key) => {
                    let message = format!(
                        "`{key}` is not a property of this resource, so it was not read; patterns go in `{}`",
                        kind.property()
                    );
                    if self.found.unread.len() < MOST {
                        self.found.unread.push((name.span.start, message));
                    } else {
                        self.found.left_out += 1;
                    }
                }
                None => {}
            }
        }
    }

    /// An event of a Serverless Framework function; whether it is one.
    fn serverless(&mut self, event: &Node) -> bool {
        let mut is_one = false;
        let style = Style {
            dialect: Dialect::EventBridge,
            schema: Schema::Two,
            takes_text: false,
            takes_object: true,
            null_is_absent: false,
        };
        for (name, body) in event.members() {
            let key = name.text().unwrap_or("");
            let path = self.path.key(key);
            let take: &[(&str, Dialect)] = match key {
                "eventBridge" | "eventbridge" => &[("pattern", Dialect::EventBridge)],
                "cloudwatchEvent" => &[("event", Dialect::EventBridge)],
                "sns" => &[("filterPolicy", Dialect::SnsAttributes)],
                "stream" | "sqs" | "msk" | "kafka" | "activemq" | "rabbitmq" => &[("filterPatterns", Dialect::Lambda)],
                _ => continue,
            };
            is_one = true;
            for (field, dialect) in take.iter().copied() {
                if let Some(value) = body.get(field) {
                    let path = path.key(field);
                    match dialect {
                        Dialect::Lambda => {
                            for (at, pattern) in value.elements().iter().enumerate() {
                                let style = Style { dialect, ..style };
                                self.inside(path.index(at), |finder| finder.pattern(pattern, style));
                            }
                        }
                        Dialect::SnsAttributes => {
                            let style = Style { dialect: scope_dialect(scope_of(body), value), ..style };
                            self.inside(path, |finder| finder.pattern(value, style));
                        }
                        _ => self.inside(path, |finder| finder.pattern(value, style)),
                    }
                } else if let (true, Some((beside, _))) = (
                    body.members().is_empty() && body.text().is_none_or(str::is_empty),
                    event.members().iter().find(|(other, _)| other.text() == Some(field)),
                ) {
                    let message = format!("`{field}` is beside `{key}`, not inside it");
                    let help = format!("indent `{field}` below `{key}`");
                    self.fault(beside, message, "not part of the event", help, Severity::Error);
                }
            }
        }
        is_one
    }

    /// A property of this name where no resource type is around: taken in a service's answer, and elsewhere if it has the
    /// shape of a pattern. Whether it was taken.
    fn loose(&mut self, property: Property, value: &Node, scope: Option<&Node>, is_answer: bool) -> bool {
        let style = Style {
            dialect: Dialect::EventBridge,
            schema: Schema::Two,
            takes_text: true,
            takes_object: true,
            null_is_absent: true,
        };
        match property {
            Property::EventPattern if is_answer || is_shaped(value) => self.pattern(value, style),
            Property::FilterPolicy if is_answer || is_shaped(value) => {
                self.pattern(value, Style { dialect: scope_dialect(scope, value), ..style });
            }
            Property::FilterCriteria if value.get("Filters").or_else(|| value.get("filters")).is_some() => {
                self.criteria(value, Style { dialect: Dialect::Lambda, ..style });
            }
            Property::SourceParameters => {
                let Some(criteria) = value.get("FilterCriteria").filter(|criteria| criteria.get("Filters").is_some())
                else {
                    return false;
                };
                let path = self.path.key("FilterCriteria");
                self.inside(path, |finder| finder.criteria(criteria, Style { dialect: Dialect::Pipes, ..style }));
            }
            Property::EventPattern | Property::FilterPolicy | Property::FilterCriteria | Property::Pattern => {
                return false;
            }
        }
        true
    }
}

fn text_of<'n>(node: &'n Node, name: &str) -> Option<&'n str> {
    node.get(name).and_then(Node::text)
}

/// Whether a map is what a service's command line prints or takes for a rule, a subscription or a mapping.
fn is_answer(node: &Node, around: &Around<'_>) -> bool {
    around.depth == 0
        || matches!(around.key, "Attributes" | "Rules" | "EventSourceMappings" | "Archives")
        || ["EventSourceArn", "EventBusName", "RuleArn", "ArchiveName"].into_iter().any(|name| node.get(name).is_some())
}

/// Whether a value looks like a pattern: a string that contains an object, or an object whose values are lists of values or
/// such objects.
fn is_shaped(value: &Node) -> bool {
    match &value.value {
        Value::String(text) | Value::Plain(text) => text.trim_start().starts_with('{') && text.trim_start().len() > 2,
        Value::Map(_) => has_lists(value, &mut { MOST_OF_A_SHAPE }) == Some(true),
        Value::List(_) => false,
    }
}

/// How deep unknown places are searched for patterns: such places may be nested.
const MOST_OF_A_SHAPE: usize = 1_000;

/// Whether there are lists in an object whose values are all lists or such objects; none if other values are there.
fn has_lists(value: &Node, left: &mut usize) -> Option<bool> {
    let mut found = false;
    for (_, value) in value.members() {
        crate::work::note(1);
        *left = left.checked_sub(1)?;
        found |= match &value.value {
            Value::List(_) => value.tag.is_none(),
            Value::Map(_) if emit::is_hole(value) => false,
            Value::Map(_) => has_lists(value, left)?,
            Value::String(_) | Value::Plain(_) if value.tag.is_some() => false,
            Value::String(_) | Value::Plain(_) => return None,
        };
    }
    Some(found)
}

/// Whether a property that a resource does not have was certainly meant for its pattern.
fn is_meant_as_pattern(key: &str) -> bool {
    let key = key.to_ascii_lowercase();
    ["eventpattern", "filterpolic", "filtercriteri", "filterpattern"].iter().any(|name| key.contains(name))
        && !key.ends_with("scope")
}

fn scope_of(node: &Node) -> Option<&Node> {
    ["FilterPolicyScope", "filter_policy_scope", "filterPolicyScope"].into_iter().find_map(|name| node.get(name))
}

/// Which scope a filter policy has; where that is only known later, its own shape decides.
fn scope_dialect(scope: Option<&Node>, policy: &Node) -> Dialect {
    match scope {
        Some(scope) if scope.text() == Some("MessageBody") => Dialect::SnsBody,
        Some(scope) if emit::is_hole(scope) => {
            let nested = policy.members().iter().any(|(_, value)| matches!(value.value, Value::Map(_)));
            if nested { Dialect::SnsBody } else { Dialect::SnsAttributes }
        }
        _ => Dialect::SnsAttributes,
    }
}
