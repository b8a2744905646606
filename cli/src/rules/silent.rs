//! Rules that match an event and receive nothing: disabled, or on another event bus.

use eventrie::Dialect;
use eventrie_files::{Found, RuleState, tree};

/// What the file says of a rule besides its pattern.
#[derive(Clone, Debug, Default)]
pub(crate) struct Deployed {
    is_disabled: bool,
    bus: Option<String>,
}

impl Deployed {
    pub(super) fn of(found: &Found) -> Deployed {
        let is_disabled = found.state() == Some(RuleState::Disabled);
        Deployed { is_disabled, bus: found.bus().map(str::to_owned) }
    }

    /// Whether there may be events that match and do not reach the rule.
    pub(crate) fn may_be_silent(&self) -> bool {
        self.is_disabled || self.bus.is_some()
    }

    /// Why the rule gets nothing of an event that its pattern matches; completes "it matches, but …". `bus` is the event bus
    /// that the event's envelope names.
    pub(crate) fn silent(&self, event: &[u8], bus: Option<&str>) -> Option<String> {
        if self.is_disabled {
            return Some("it is disabled and receives no events".to_owned());
        }
        let own = self.bus.as_deref()?;
        match bus {
            Some(bus) if bus != own => Some(format!("it is on the event bus `{own}`, and this event goes to `{bus}`")),
            Some(_) => None,
            // An event itself does not say on which bus it is; those of AWS services are all on one.
            None if own != "default" && is_of_aws(event) => {
                Some(format!("it is on the event bus `{own}`, and events of AWS services arrive on `default`"))
            }
            None => None,
        }
    }
}

/// Whether an AWS service sent the event. Partners have event buses of their own.
fn is_of_aws(event: &[u8]) -> bool {
    if memchr::memmem::find(event, b"\"aws.").is_none() {
        return false;
    }
    let root = std::str::from_utf8(event).ok().and_then(|text| tree::parse_json(text).ok());
    let source = root.as_ref().and_then(|root| root.get("source")).and_then(tree::Node::text);
    source.is_some_and(|source| source.starts_with("aws.") && !source.starts_with("aws.partner/"))
}

/// What to look at if a rule matches and its target still receives nothing.
pub(crate) fn next_steps(dialect: Dialect) -> Option<&'static str> {
    (dialect == Dialect::EventBridge).then_some(
        "if the target still receives nothing, check the rule's state, event bus and target permissions, then the metrics \
         `TriggeredRules` and `FailedInvocations`",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buses() {
        let on = |bus: &str| Deployed { is_disabled: false, bus: Some(bus.to_owned()) };
        let (ours, of_aws) = (br#"{"source":"shop","detail":{"a":"aws.s3"}}"#, br#"{"source":"aws.s3"}"#);
        assert_eq!(on("orders").silent(ours, None), None);
        assert_eq!(on("default").silent(of_aws, None), None);
        assert_eq!(on("orders").silent(ours, Some("orders")), None);
        assert!(on("default").silent(ours, Some("dev")).unwrap().ends_with("this event goes to `dev`"));
        assert!(on("orders").silent(of_aws, None).unwrap().ends_with("arrive on `default`"));
        assert_eq!(on("aws.partner/x").silent(br#"{"source":"aws.partner/x"}"#, None), None);
        assert!(!Deployed::default().may_be_silent());
    }
}
