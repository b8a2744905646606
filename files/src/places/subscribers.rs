//! Subscribers and event sources of Custom Event Buses: in templates, in plans, and in what the command line prints.

use eventrie::Dialect;
use eventrie::diagnostic::{Code, Finding, Severity, Span};

use super::found::{Place, Places, Subscriber, SubscriberFilter};
use super::{emit, known};
use crate::path::Path;
use crate::state::About;
use crate::tree::{Node, Value};

const CONFIGURATION: [&str; 3] = ["FilterConfiguration", "filter_configuration", "filterConfiguration"];
const SOURCES: [&str; 6] = [
    "AwsServiceEventsConfiguration",
    "PartnerEventsConfiguration",
    "aws_service_events_configuration",
    "partner_events_configuration",
    "awsServiceEventsConfiguration",
    "partnerEventsConfiguration",
];

/// Whether a node is a filter configuration: nothing else has filters with a scope.
pub(crate) fn is_configuration(node: &Node) -> bool {
    filters(node).is_some_and(|filters| {
        let has_scope = |filter: &Node| filter.get("Scope").or_else(|| filter.get("scope")).is_some();
        filters.elements().iter().any(has_scope)
    })
}

/// Adds the subscribers of a document, and the patterns of its event sources.
pub(super) fn find(root: &Node, text: &str, found: &mut Places) {
    let values = root.get("planned_values").or_else(|| root.get("terraform_version").and(root.get("values")));
    let mut finder = Finder { text, path: Path::default(), found };
    if is_configuration(root) {
        let name = root.get("Name").and_then(Node::text).map_or_else(Path::default, Path::name);
        finder.configuration(root, name);
    } else {
        finder.walk(values.unwrap_or(root), &Path::default());
    }
}

fn filters(node: &Node) -> Option<&Node> {
    node.get("Filters").or_else(|| node.get("filters"))
}

struct Finder<'a> {
    text: &'a str,
    path: Path,
    found: &'a mut Places,
}

impl Finder<'_> {
    /// `owner` is the path of the innermost resource or named thing.
    fn walk(&mut self, node: &Node, owner: &Path) {
        crate::work::note(1);
        match &node.value {
            Value::List(elements) => {
                for (at, element) in elements.iter().enumerate() {
                    let text = |name| element.get(name).and_then(Node::text);
                    let path = match (text("address"), text("Name")) {
                        (Some(address), _) => Path::default().key(address),
                        (None, Some(name)) => Path::name(name),
                        (None, None) => self.path.index(at),
                    };
                    let named = text("address").is_some() || text("Name").is_some();
                    self.inside(path.clone(), |finder| finder.walk(element, if named { &path } else { owner }));
                }
            }
            Value::Map(members) => {
                let is_resource = node.get("Type").and_then(Node::text).is_some_and(|kind| kind.contains("::"));
                let has_configuration = CONFIGURATION.iter().any(|name| node.get(name).is_some());
                let name = node.get("Name").and_then(Node::text).filter(|_| has_configuration);
                let here = match name {
                    Some(name) if !is_resource => Path::name(name),
                    _ => self.path.clone(),
                };
                let owner = if is_resource || name.is_some() { &here } else { owner };
                for (key, value) in members {
                    let Some(key) = key.text() else { continue };
                    let path = self.path.key(key);
                    self.inside(path, |finder| {
                        if CONFIGURATION.contains(&key) && !is_null(value) {
                            finder.configuration(value, owner.clone());
                        } else if SOURCES.contains(&key) {
                            finder.source(value);
                        } else {
                            finder.walk(value, owner);
                        }
                    });
                }
            }
            Value::String(_) | Value::Plain(_) => {}
        }
    }

    fn inside(&mut self, path: Path, task: impl FnOnce(&mut Self)) {
        let outer = std::mem::replace(&mut self.path, path);
        task(self);
        self.path = outer;
    }

    fn configuration(&mut self, node: &Node, name: Path) {
        let text = |name: &str, other: &str| node.get(name).or_else(|| node.get(other)).and_then(Node::text);
        let mut subscriber = Subscriber {
            name,
            place: node.span.clone(),
            language: text("Language", "language").map(str::to_owned),
            filters: Vec::new(),
            is_open: emit::is_hole(node) || filters(node).is_some_and(emit::is_hole),
        };
        for (at, filter) in filters(node).map_or(&[][..], Node::elements).iter().enumerate() {
            let scope = filter.get("Scope").or_else(|| filter.get("scope"));
            let pattern = filter.get("Pattern").or_else(|| filter.get("pattern"));
            let unknown = |node: &Node| emit::is_hole(node) || known::branches(node).is_some();
            subscriber.is_open |= unknown(filter) || scope.is_some_and(unknown) || pattern.is_some_and(unknown);
            let dialect = scope.and_then(Node::text).and_then(Dialect::of_scope);
            let path = self.path.key("Filters").index(at).key("Pattern");
            let has_pattern = pattern.is_some();
            let pattern = match (dialect, pattern) {
                (Some(dialect), Some(pattern)) => self.pattern(pattern, dialect, path),
                _ => None,
            };
            subscriber.filters.push(SubscriberFilter {
                scope: scope.and_then(Node::text).map(str::to_owned),
                place: filter.span.clone(),
                pattern,
                has_pattern,
            });
        }
        self.found.subscribers.push(subscriber);
    }

    /// The pattern of an event source.
    fn source(&mut self, node: &Node) {
        if let Some(pattern) = node.get("Pattern").or_else(|| node.get("pattern")).filter(|pattern| !is_null(pattern)) {
            self.pattern(pattern, Dialect::EventsV2EventSource, self.path.key("Pattern"));
        }
    }

    /// Notes a pattern, which must be a string that contains JSON; its position among all.
    fn pattern(&mut self, node: &Node, dialect: Dialect, path: Path) -> Option<usize> {
        if let Value::Map(_) = node.value
            && !emit::is_hole(node)
        {
            let offset = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
            let span = Span::new(offset(node.span.start), offset(node.span.end));
            let message = "the pattern must be a string that contains JSON, found an object";
            let mut finding = Finding::new(Code::ShapeNotInDialect, Severity::Error, span, message);
            finding.label.message = "not a string".to_owned();
            finding.help = Some("write it as one string, for example in single quotes or after `|`".to_owned());
            self.found.findings.push((path, finding));
            return None;
        }
        let Some(pattern) = emit::text(node, self.text) else {
            self.found.unknown.push(path);
            return None;
        };
        self.found.patterns.push(Place {
            path,
            dialect,
            pattern,
            is_conditional: false,
            source: None,
            about: About::default(),
        });
        Some(self.found.patterns.len() - 1)
    }
}

fn is_null(node: &Node) -> bool {
    matches!(&node.value, Value::Plain(text) if matches!(text.as_str(), "" | "~" | "null"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::parse_json;

    /// Dialect, path and subscriber of each pattern.
    fn found(text: &str) -> Vec<(&'static str, String, String)> {
        let places = super::super::find(&parse_json(text).unwrap(), text, false);
        let subscriber_of = |at: usize| {
            let has = |subscriber: &&Subscriber| subscriber.filters.iter().any(|filter| filter.pattern == Some(at));
            places.subscribers.iter().find(has).map(|subscriber| subscriber.name.to_string()).unwrap_or_default()
        };
        let patterns = places.patterns.iter().enumerate();
        patterns.map(|(at, place)| (place.dialect.name(), place.path.to_string(), subscriber_of(at))).collect()
    }

    #[test]
    fn every_place_that_people_have_them_in() {
        let filters = r#"[{"Scope":"DATA","Pattern":"{\"a\":[1]}"},{"Scope":"METADATA","Pattern":"{\"t\":[\"x\"]}"}]"#;
        let snake = filters.replace("Scope", "scope").replace("Pattern", "pattern");
        for (text, name) in [
            // A template, and what `cdk synth` writes.
            (
                format!(
                    r#"{{"Resources":{{"S":{{"Type":"AWS::EventsV2::Subscriber","Properties":{{"FilterConfiguration":{{"Filters":{filters}}}}}}}}}}}"#
                ),
                "Resources.S",
            ),
            // describe-subscriber, list-subscribers, and a file for --filter-configuration.
            (
                format!(
                    r#"{{"Name":"orders","State":"ENABLED","FilterConfiguration":{{"Language":"EVENT_BRIDGE_PATTERN","Filters":{filters}}}}}"#
                ),
                "orders",
            ),
            (
                format!(r#"{{"Subscribers":[{{"Name":"orders","FilterConfiguration":{{"Filters":{filters}}}}}]}}"#),
                "orders",
            ),
            (format!(r#"{{"Language":"EVENT_BRIDGE_PATTERN","Filters":{filters}}}"#), ""),
            // A plan with the awscc provider.
            (
                format!(
                    r#"{{"terraform_version":"1","planned_values":{{"root_module":{{"resources":[{{"address":"awscc_eventsv2_subscriber.s","type":"awscc_eventsv2_subscriber","values":{{"filter_configuration":{{"filters":{snake}}}}}}}]}}}}}}"#
                ),
                "awscc_eventsv2_subscriber.s",
            ),
        ] {
            assert!(super::super::is_template(&parse_json(&text).unwrap()), "{text}");
            let found = found(&text);
            let dialects: Vec<&str> = found.iter().map(|(dialect, ..)| *dialect).collect();
            assert_eq!(dialects, ["eventsv2-data", "eventsv2-metadata"], "{text}");
            assert!(found.iter().all(|(_, _, of)| of == name), "{found:?}");
        }
    }

    #[test]
    fn event_sources_and_other_filters() {
        let source = r#"{"EventSourceArn":"x","Configuration":{"AwsServiceEventsConfiguration":{"AwsService":"s3","Pattern":"{\"detail\":{\"a\":[1]}}"}}}"#;
        assert!(super::super::is_template(&parse_json(source).unwrap()));
        assert_eq!(found(source).iter().map(|(dialect, ..)| *dialect).collect::<Vec<_>>(), ["eventsv2-event-source"]);
        let webhook = r#"{"Configuration":{"WebhookEventsConfiguration":{}}}"#;
        assert!(found(webhook).is_empty());
        // The filters of a mapping have no scope.
        let mapping = r#"{"Filters":[{"Pattern":"{\"body\":{\"a\":[1]}}"}]}"#;
        assert!(!is_configuration(&parse_json(mapping).unwrap()));
        let text = r#"{"Resources":{"S":{"Type":"AWS::EventsV2::Subscriber","Properties":{"FilterConfiguration":{"Filters":[{"Scope":"DATA","Pattern":{"a":[1]}},{"Scope":{"Ref":"P"},"Pattern":"{}"}]}}}}}"#;
        let places = super::super::find(&parse_json(text).unwrap(), text, false);
        assert!(places.findings[0].1.message.contains("must be a string"), "{:?}", places.findings);
        assert!(places.subscribers[0].is_open && places.patterns.is_empty());
    }
}
