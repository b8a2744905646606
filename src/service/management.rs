//! Read-only API calls, which reach only rules that select all management events.

use crate::diagnostic::{Code, Finding, Severity};
use crate::dialect::Dialect;
use crate::pattern::Pattern;
use crate::pattern::ast::{Ast, Node, TestKind};

/// A finding if a rule is only for read-only API calls, those whose name begins with `Get`, `List` or `Describe`.
/// EventBridge delivers them from CloudTrail only to rules in the state
/// `ENABLED_WITH_ALL_CLOUDTRAIL_MANAGEMENT_EVENTS`: in another state, the pattern is right and the rule never fires.
///
/// ```
/// use eventrie::service::read_only_calls;
/// use eventrie::{Dialect, Pattern};
/// let rule = r#"{"detail-type": ["AWS API Call via CloudTrail"], "detail": {"eventName": ["GetObject"]}}"#;
/// let found = read_only_calls(&Pattern::parse(rule, Dialect::EventBridge)?).unwrap();
/// assert_eq!(found.message, "`GetObject` is a read-only API call, which rules do not receive by default");
/// # Ok::<(), eventrie::PatternError>(())
/// ```
#[must_use]
pub fn read_only_calls(pattern: &Pattern) -> Option<Finding> {
    if pattern.dialect() != Dialect::EventBridge {
        return None;
    }
    let ast = pattern.ast();
    let kind = child(ast, 0, "detail-type")?.1;
    let is_call =
        |test: &TestKind| matches!(test, TestKind::String(text) if &*text.text == "AWS API Call via CloudTrail");
    if !ast.tests_of(kind).iter().any(|test| is_call(&test.kind)) {
        return None;
    }
    let (detail, _) = child(ast, 0, "detail")?;
    let (_, names) = child(ast, detail, "eventName")?;
    // Objects in buckets are data events, which have no such condition, but a rule may be for either.
    let read_only = |text: &str| ["Get", "List", "Describe"].iter().any(|verb| text.starts_with(verb));
    let mut first = None;
    for test in ast.tests_of(names) {
        match &test.kind {
            TestKind::String(text) | TestKind::Prefix(text) if read_only(&text.text) => {
                first.get_or_insert((&text.text, test.span));
            }
            _ => return None,
        }
    }
    let (name, span) = first?;
    let name = super::elsewhere::quoted(name);
    let message = format!("{name} is a read-only API call, which rules do not receive by default");
    let mut finding = Finding::new(Code::ImpossibleValue, Severity::Warning, span, message);
    finding.label.message = "read-only".to_owned();
    finding.help = Some("set the rule's `State` to `ENABLED_WITH_ALL_CLOUDTRAIL_MANAGEMENT_EVENTS`".to_owned());
    Some(finding)
}

fn child<'a>(ast: &'a Ast, parent: usize, name: &str) -> Option<(usize, &'a Node)> {
    ast.children(parent).find(|(_, node)| node.key.as_ref().is_some_and(|key| &*key.text == name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_where_all_are_read_only() {
        for (detail, is) in [
            (r#"{"eventName":["GetUser","ListUsers"]}"#, true),
            (r#"{"eventName":[{"prefix":"Describe"}]}"#, true),
            (r#"{"eventName":["GetUser","CreateUser"]}"#, false),
            (r#"{"eventName":[{"anything-but":"GetUser"}]}"#, false),
            (r#"{"eventSource":["iam.amazonaws.com"]}"#, false),
        ] {
            let text = format!(r#"{{"detail-type":["AWS API Call via CloudTrail"],"detail":{detail}}}"#);
            assert_eq!(read_only_calls(&text.parse().unwrap()).is_some(), is, "{detail}");
            let other = text.replace(" via CloudTrail", "");
            assert!(read_only_calls(&other.parse().unwrap()).is_none());
        }
    }
}
