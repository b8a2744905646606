//! Rule files: an object name → pattern, or what the service's own command line prints or takes.

use std::collections::HashSet;

use eventrie::{Dialect, Pattern};

use crate::located::Located;
use crate::places;
use crate::state::About;
use crate::tree::{Malformed, Node, Value};

/// The rules of a file: their names, their patterns, and what was skipped.
#[derive(Debug, Default)]
pub(crate) struct Rules {
    pub(crate) names: Vec<String>,
    /// What the file says of each besides its pattern.
    pub(crate) about: Vec<About>,
    /// Each pattern with the rule that it belongs to. A set of filters is one rule with several patterns.
    pub(crate) patterns: Vec<(Located, usize)>,
    pub(crate) notes: Vec<String>,
}

impl Rules {
    fn add(&mut self, name: &str, about: About, patterns: Vec<Located>) {
        let group = self.names.len();
        self.names.push(name.to_owned());
        self.about.push(about);
        self.patterns.extend(patterns.into_iter().map(|pattern| (pattern, group)));
    }
}

/// The rules of a document.
pub(crate) fn read(root: &Node, text: &str, is_yaml: bool) -> Result<Rules, Malformed> {
    let members = match &root.value {
        Value::List(elements) => return listed(elements, text, is_yaml),
        Value::Map(members) => members,
        Value::String(_) | Value::Plain(_) => {
            let message = "expected an object of rules, name → pattern, or what `aws events list-rules` prints";
            return Err(Malformed { offset: root.span.start, message: message.to_owned() });
        }
    };
    if is_description(root) {
        return listed(std::slice::from_ref(root), text, is_yaml);
    }
    // A pattern has lists only below names, so this cannot be a rule called `Rules`.
    if let Some(Node { value: Value::List(elements), .. }) = root.get("Rules") {
        return listed(elements, text, is_yaml);
    }
    let mut seen = HashSet::with_capacity(members.len());
    let mut found = Rules::default();
    for (key, value) in members {
        let name = key.text().unwrap_or("");
        crate::work::note(name.len());
        if !seen.insert(name) {
            let message = format!("the rule `{name}` is defined twice");
            return Err(Malformed { offset: value.span.start, message });
        }
        match wrapped_filters(value, text, is_yaml) {
            None => found.add(name, About::default(), vec![pattern(value, text, is_yaml)?]),
            Some(patterns) => {
                let patterns = patterns?;
                if patterns.is_empty() {
                    let note = format!("the rule `{name}` has no filters, so every record passes; it is skipped");
                    found.notes.push(note);
                } else {
                    found.add(name, About::default(), patterns);
                }
            }
        }
    }
    Ok(found)
}

/// Names of lists of strings in what AWS services answer: they could be the fields of a pattern, but are not.
const ANSWERS: [&str; 4] = ["RuleNames", "QueueUrls", "TableNames", "StreamNames"];

/// Fields of events that may be objects in a pattern.
const OBJECTS: [&str; 6] = ["detail", "body", "data", "dynamodb", "value", "messageAttributes"];

/// Whether the document is a pattern, or a set of filters, and not an object of them: all its fields are those of events, or
/// it is a valid pattern and a rule of it would be a list, which is never a pattern.
pub(crate) fn is_one_pattern(root: &Node, text: &str, is_yaml: bool) -> bool {
    if is_description(root) || places::is_rule_file(root) || are_rules(root) {
        return false;
    }
    let is_list = |value: &Node| matches!(value.value, Value::List(_));
    let members = root.members();
    let is_listed = root.get("Rules").is_some_and(is_list) || ANSWERS.iter().any(|name| root.get(name).is_some());
    let is_valid = || match is_yaml {
        true => Pattern::parse(places::plain_structure(root).text(), Dialect::EventBridge).is_ok(),
        false => Pattern::parse(text, Dialect::EventBridge).is_ok(),
    };
    places::has_only_event_fields(root)
        || (!is_listed && members.iter().any(|(_, value)| is_list(value)) && is_valid())
        || (!members.is_empty() && wrapped(root, text, is_yaml).is_some())
}

/// Whether all members are rules although their names are fields of events: strings that contain objects, and objects with
/// fields of events, unless such objects are all where a pattern may have one.
fn are_rules(root: &Node) -> bool {
    let is_string = |value: &Node| value.text().is_some_and(|text| text.trim_start().starts_with('{'));
    let is_sure =
        |(name, value): &(Node, Node)| is_string(value) || name.text().is_some_and(|name| !OBJECTS.contains(&name));
    let members = root.members();
    members.iter().all(|(_, value)| is_string(value) || places::has_event_fields(value)) && members.iter().any(is_sure)
}

/// Whether the document is one rule, as `aws events describe-rule` prints it; one on a schedule has no pattern.
pub(crate) fn is_description(root: &Node) -> bool {
    let is_string = |name: &str| root.get(name).is_some_and(|value| matches!(value.value, Value::String(_)));
    is_string("Name") && (is_string("EventPattern") || is_string("ScheduleExpression"))
}

/// `[{"Name":…,"EventPattern":…}]`; a rule on a schedule has no pattern.
fn listed(elements: &[Node], text: &str, is_yaml: bool) -> Result<Rules, Malformed> {
    let mut found = Rules::default();
    for rule in elements {
        let fault = |message: &str| Err(Malformed { offset: rule.span.start, message: message.to_owned() });
        if !matches!(rule.value, Value::Map(_)) {
            return fault("expected a rule, an object with `Name` and `EventPattern`");
        }
        let Some(Node { value: Value::String(name) | Value::Plain(name), .. }) = rule.get("Name") else {
            return fault("the rule has no `Name`");
        };
        match rule.get("EventPattern").filter(|value| value.value != Value::Plain("null".to_owned())) {
            Some(value) => found.add(name, About::of(rule, |_| true), vec![pattern(value, text, is_yaml)?]),
            None => found.notes.push(format!("the rule `{name}` has no event pattern and is skipped")),
        }
    }
    Ok(found)
}

/// A pattern as JSON, or as a string that contains JSON.
fn pattern(value: &Node, text: &str, is_yaml: bool) -> Result<Located, Malformed> {
    crate::work::note(value.span.len());
    let (raw, at) = (text.get(value.span.clone()).unwrap_or(""), value.span.start);
    match &value.value {
        Value::String(_) | Value::Plain(_) if is_yaml => Ok(places::plain_text(value, text)),
        Value::List(_) | Value::Map(_) if is_yaml => Ok(places::plain_structure(value)),
        Value::String(_) => Located::unescaped(raw, at)
            .ok_or_else(|| Malformed { offset: at, message: "the string is malformed".to_owned() }),
        Value::Plain(_) | Value::List(_) | Value::Map(_) => Ok(Located::verbatim(raw, at)),
    }
}

/// The patterns in what a service's command line takes or prints; none if it is nothing of that kind.
pub(crate) fn wrapped(root: &Node, text: &str, is_yaml: bool) -> Option<Result<Vec<Located>, Malformed>> {
    let policy = root.get("Attributes").and_then(|attributes| attributes.get("FilterPolicy"));
    match policy.or_else(|| root.get("EventPattern")) {
        Some(value @ Node { value: Value::String(_), .. }) => {
            Some(pattern(value, text, is_yaml).map(|pattern| vec![pattern]))
        }
        _ => wrapped_filters(root, text, is_yaml),
    }
}

/// The patterns of a set of filters, bare or in what contains one.
fn wrapped_filters(root: &Node, text: &str, is_yaml: bool) -> Option<Result<Vec<Located>, Malformed>> {
    let criteria = root.get("FilterCriteria").or_else(|| root.get("SourceParameters")?.get("FilterCriteria"));
    // A pattern may have a field called `Filters`, but the entries of its list have no `Pattern`.
    let bare = root.get("Filters").filter(|_| root.members().len() == 1);
    let filters = criteria.and_then(|criteria| criteria.get("Filters")).or(bare)?;
    let Value::List(elements) = &filters.value else { return None };
    // The filters of a subscriber of a Custom Event Bus are of different scopes, and must all match.
    if crate::places::is_configuration(root) {
        return None;
    }
    if !elements.is_empty() && elements.iter().all(|filter| filter.get("Pattern").is_none()) {
        return None;
    }
    let patterns = elements.iter().map(|filter| match filter.get("Pattern") {
        Some(value @ Node { value: Value::String(_), .. }) => pattern(value, text, is_yaml),
        other => {
            let message = "a filter has one `Pattern`, a string that contains the pattern as JSON";
            Err(Malformed { offset: other.unwrap_or(filter).span.start, message: message.to_owned() })
        }
    });
    Some(patterns.collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::parse_json;

    fn rules(text: &str) -> Result<Rules, String> {
        let rules = parse_json(text).and_then(|root| read(&root, text, false));
        rules.map_err(|error| format!("{}: {}", error.offset, error.message))
    }

    fn names(text: &str) -> Result<Vec<(String, String)>, String> {
        let found = rules(text)?;
        Ok(found.patterns.into_iter().map(|(pattern, group)| (found.names[group].clone(), pattern.text)).collect())
    }

    fn pair(name: &str, text: &str) -> (String, String) {
        (name.to_owned(), text.to_owned())
    }

    #[test]
    fn the_forms_of_a_rule_file() {
        assert_eq!(
            names(r#"{"b":{"x":[1]},"a":"{\"y\":[2]}"}"#).unwrap(),
            [pair("b", r#"{"x":[1]}"#), pair("a", r#"{"y":[2]}"#)]
        );
        let listed = r#"{"Rules":[{"Name":"n","Arn":"x","EventPattern":"{\"a\":[1]}"},{"Name":"s","ScheduleExpression":"rate(1 day)"}]}"#;
        assert_eq!(names(listed).unwrap(), [pair("n", r#"{"a":[1]}"#)]);
        assert_eq!(rules(listed).unwrap().notes, ["the rule `s` has no event pattern and is skipped"]);
        assert_eq!(names(r#" [{"Name":"n","EventPattern":{"a":[1]}}]"#).unwrap(), [pair("n", r#"{"a":[1]}"#)]);
        assert_eq!(names("{}").unwrap(), []);
        let states = r#"[{"Name":"n","State":"DISABLED","EventBusName":"arn:aws:events:eu-west-1:1:event-bus/b","EventPattern":{"a":[1]}}]"#;
        let about = &rules(states).unwrap().about[0];
        assert_eq!((about.state, about.bus.as_deref()), (Some(crate::RuleState::Disabled), Some("b")));
    }

    #[test]
    fn sets_of_filters_are_rules() {
        let set = r#"{"none":{"Filters":[]},"two":{"FilterCriteria":{"Filters":[{"Pattern":"{\"a\":[1]}"},{"Pattern":"{\"a\":[2]}"}]}},"one":{"Filters":["x"]}}"#;
        assert_eq!(
            names(set).unwrap(),
            [pair("two", r#"{"a":[1]}"#), pair("two", r#"{"a":[2]}"#), pair("one", r#"{"Filters":["x"]}"#)]
        );
        let notes = rules(set).unwrap().notes;
        assert_eq!(notes, ["the rule `none` has no filters, so every record passes; it is skipped"]);
        for set in [r#"{"r":{"Filters":[{"Pattern":{"a":[1]}}]}}"#, r#"{"r":{"Filters":[{"Pattern":"{}"},{"a":"b"}]}}"#]
        {
            assert!(names(set).unwrap_err().contains("a filter has one `Pattern`"), "{set}");
        }
    }

    #[test]
    fn one_pattern_in_many_wrappings() {
        let patterns = |text: &str| {
            let found = wrapped(&parse_json(text).unwrap(), text, false)?;
            Some(found.unwrap().into_iter().map(|pattern| pattern.text).collect::<Vec<_>>())
        };
        for text in [
            r#"{"Filters":[{"Pattern":"{\"a\":[1]}"}]}"#,
            r#"{"UUID":"u","FilterCriteria":{"Filters":[{"Pattern":"{\"a\":[1]}"}]}}"#,
            r#"{"Name":"p","SourceParameters":{"FilterCriteria":{"Filters":[{"Pattern":"{\"a\":[1]}"}]}}}"#,
            r#"{"Name":"r","EventPattern":"{\"a\":[1]}","State":"ENABLED"}"#,
            r#"{"Attributes":{"FilterPolicy":"{\"a\":[1]}","FilterPolicyScope":"MessageBody"}}"#,
        ] {
            assert_eq!(patterns(text).unwrap(), [r#"{"a":[1]}"#], "{text}");
        }
        for text in [r#"{"a":[1]}"#, r#"{"Filters":[{"prefix":"x"}]}"#, r#"{"Filters":[1],"a":[1]}"#] {
            assert_eq!(patterns(text), None);
        }
        assert!(patterns(r#"{"Filters":[]}"#).unwrap().is_empty());
    }

    #[test]
    fn one_pattern_is_no_rule_file() {
        let is_one = |text: &str| is_one_pattern(&parse_json(text).unwrap(), text, false);
        for text in [
            r#"{"detail":{"state":["stopped"]}}"#,
            r#"{"source":["aws.ec2"],"detail":{"state":["stopped"]}}"#,
            r#"{"source":"aws.ec2","detail":{"state":["stopped"]}}"#,
            r#"{"body":{"kind":["a"]}}"#,
            r#"{"$or":[{"a":[1]},{"b":[2]}]}"#,
            r#"{"store":["x"]}"#,
            r#"{"store":["x"],"address":{"city":["y"]}}"#,
            r#"{"Filters":[{"Pattern":"{\"a\":[1]}"}]}"#,
            r#"{"detail":{"source":["x"]}}"#,
            r#"{"detail":{"source":["x"]},"body":{"data":[1]}}"#,
            r#"{"source":{"prefix":"x"}}"#,
        ] {
            assert!(is_one(text), "{text}");
        }
        for text in [
            "{}",
            "[]",
            r#"{"r":{"detail":{"state":["stopped"]}}}"#,
            r#"{"r":{"state":["stopped"]},"detail":{"a":[1]}}"#,
            r#"{"detail-rule":{"source":["x"]}}"#,
            r#"{"r":"{\"a\":[1]}"}"#,
            r#"{"r":{"Filters":[]}}"#,
            r#"{"r":{"a":[1]},"wrong":["x"],"other":{"b":"c"}}"#,
            r#"{"Rules":[]}"#,
            r#"{"Name":"n","EventPattern":"{}"}"#,
            r#"{"Name":"n","ScheduleExpression":"rate(1 minute)"}"#,
            r#"{"RuleNames":["a"]}"#,
            r#"{"EventBuses":[{"Name":"default"}]}"#,
            r#"{"Targets":[{"Id":"1","Arn":"x"}]}"#,
            r#"{"QueueUrls":["https://x"]}"#,
            r#"{"rules":[{"name":"a","pattern":{"source":["x"]}}]}"#,
            r#"{"detail":{"source":["x"]},"source":{"detail":{"a":["y"]}}}"#,
            r#"{"detail":"{\"source\":[\"x\"]}"}"#,
        ] {
            assert!(!is_one(text), "{text}");
        }
        let described = r#"{"Name":"n","Arn":"x","EventPattern":"{\"a\":[1]}","State":"DISABLED"}"#;
        assert_eq!(names(described).unwrap(), [pair("n", r#"{"a":[1]}"#)]);
        assert_eq!(rules(described).unwrap().about[0].state, Some(crate::RuleState::Disabled));
        let scheduled = rules(r#"{"Name":"n","ScheduleExpression":"rate(1 minute)"}"#).unwrap();
        assert_eq!(scheduled.notes, ["the rule `n` has no event pattern and is skipped"]);
        assert!(scheduled.patterns.is_empty());
    }

    #[test]
    fn not_a_rule_file() {
        assert!(names(" 5").unwrap_err().starts_with("1: expected an object of rules"));
        assert_eq!(names("{'a':{}}").unwrap_err(), "1: expected a quoted name");
        assert_eq!(names("[5]").unwrap_err(), "1: expected a rule, an object with `Name` and `EventPattern`");
        assert_eq!(names(r#"{"a":{},"a":{}}"#).unwrap_err(), "12: the rule `a` is defined twice");
        assert_eq!(names(r#"{"Rules":[{"EventPattern":"{}"}]}"#).unwrap_err(), "10: the rule has no `Name`");
    }
}
