//! A field that a policy tests, found in the half of an SNS message that the policy does not see.

use super::message::SnsMessage;
use crate::base::text::shown;
use crate::dialect::Dialect;
use crate::json::{Kind, Tree};
use crate::limit::Limits;
use crate::pattern::Pattern;
use crate::pattern::ast::{Ast, NodeKind};

/// Why a message probably does not reach a subscription although it has the field: the field is in the body and the
/// policy tests the attributes, or the reverse. One sentence with what to do; none if that is not the cause, or the
/// patterns are not filter policies of SNS.
///
/// ```
/// use eventrie::service::elsewhere;
/// use eventrie::{Dialect, Pattern};
/// let policy = Pattern::parse(r#"{"type": ["created"]}"#, Dialect::SnsAttributes)?;
/// let message = br#"{"Message": "{\"type\": \"created\"}", "MessageAttributes": {}}"#;
/// assert_eq!(
///     elsewhere([&policy], message).unwrap(),
///     "the message body has `type`, but this policy tests message attributes: set `FilterPolicyScope` to `MessageBody`, \
///      or publish `type` as a message attribute"
/// );
/// # Ok::<(), eventrie::PatternError>(())
/// ```
#[must_use]
pub fn elsewhere<'p>(patterns: impl IntoIterator<Item = &'p Pattern>, message: &[u8]) -> Option<String> {
    let limits = Limits::default();
    let tree = Tree::parse_event(message, &limits).ok()?;
    let is_message = has(&tree, 0, "Message") || has(&tree, 0, "MessageAttributes");
    let read = if is_message { SnsMessage::parse(message).ok()? } else { SnsMessage::new(tree.text()) };
    let body = Tree::parse_event(read.body().as_bytes(), &limits).ok();
    let in_body = |name: &str| body.as_ref().is_some_and(|tree| has(tree, 0, name));
    let in_attributes = |name: &str| read.names().any(|other| other == name);
    for pattern in patterns {
        let names = top_names(pattern.ast());
        match pattern.dialect() {
            Dialect::SnsAttributes if !is_message => {
                let bare = tree.children(0).any(|(at, _)| has(&tree, at, "StringValue") || has(&tree, at, "DataType"));
                return bare.then(|| {
                    "these are only message attributes: put them under `MessageAttributes` to make a message".to_owned()
                });
            }
            Dialect::SnsAttributes => {
                let found = names.into_iter().find(|name| !in_attributes(name) && in_body(name));
                if let Some(name) = found.map(quoted) {
                    return Some(format!(
                        "the message body has {name}, but this policy tests message attributes: set `FilterPolicyScope` to \
                         `MessageBody`, or publish {name} as a message attribute"
                    ));
                }
            }
            Dialect::SnsBody => {
                let found = names.into_iter().find(|name| !in_body(name) && in_attributes(name));
                if let Some(name) = found.map(quoted) {
                    return Some(format!(
                        "a message attribute {name} exists, but this policy tests the message body: set `FilterPolicyScope` \
                         to `MessageAttributes`, or move {name} to the body"
                    ));
                }
            }
            _ => return None,
        }
    }
    None
}

/// The names of the fields at the top level of a pattern, those inside an `$or` included.
pub(super) fn top_names(ast: &Ast) -> Vec<&str> {
    let (mut names, mut parents) = (Vec::new(), vec![0]);
    while let Some(parent) = parents.pop() {
        for (at, node) in ast.children(parent) {
            match (&node.key, &node.kind) {
                (_, NodeKind::Or) | (None, _) => parents.push(at),
                (Some(key), _) => names.push(&*key.text),
            }
        }
    }
    names
}

/// A name in backticks, as a message shows it.
pub(super) fn quoted(name: &str) -> String {
    format!("`{}`", shown(name, 60))
}

fn has(tree: &Tree<'_>, at: usize, name: &str) -> bool {
    tree.children(at).any(|(_, node)| node.key.is_some_and(|key| tree.string(key) == name) && node.kind != Kind::Null)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(dialect: Dialect, message: &str) -> String {
        let policy = Pattern::parse(r#"{"type":["a"]}"#, dialect).unwrap();
        elsewhere([&policy], message.as_bytes()).unwrap_or_default()
    }

    #[test]
    fn the_other_half_of_a_message() {
        let attributes = Dialect::SnsAttributes;
        for message in [
            r#"{"Message":"{\"type\":\"a\"}"}"#,
            r#"{"Message":"{\"type\":\"a\"}","MessageAttributes":{}}"#,
            r#"{"Message":"{\"type\":\"a\"}","MessageAttributes":{"trace":{"Type":"String","Value":"x"}}}"#,
        ] {
            assert!(found(attributes, message).contains("set `FilterPolicyScope` to `MessageBody`"), "{message}");
        }
        let message = r#"{"Message":"{\"id\":1}","MessageAttributes":{"type":{"Type":"String","Value":"a"}}}"#;
        assert!(found(Dialect::SnsBody, message).contains("set `FilterPolicyScope` to `MessageAttributes`"));
        assert!(
            found(attributes, r#"{"store":{"DataType":"String","StringValue":"x"}}"#)
                .contains("only message attributes")
        );
        assert_eq!(found(attributes, message), "");
        assert_eq!(found(attributes, r#"{"Message":"plain"}"#), "");
        assert_eq!(found(Dialect::SnsBody, r#"{"id":1}"#), "");
        assert_eq!(found(Dialect::EventBridge, r#"{"type":"a"}"#), "");
        assert_eq!(found(attributes, "{"), "");
    }
}
