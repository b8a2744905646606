//! What files say of a rule besides its pattern: whether it is switched on, and its event bus.

use crate::tree::{Node, Value};

/// The state of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RuleState {
    /// It receives no events.
    Disabled,
    /// It receives all but read-only management events.
    Enabled,
    /// It receives read-only management events of CloudTrail too.
    EnabledWithAll,
}

impl RuleState {
    /// The state with this name.
    pub(crate) fn of(name: &str) -> Option<RuleState> {
        Some(match name {
            "DISABLED" => RuleState::Disabled,
            "ENABLED" => RuleState::Enabled,
            "ENABLED_WITH_ALL_CLOUDTRAIL_MANAGEMENT_EVENTS" => RuleState::EnabledWithAll,
            _ => return None,
        })
    }
}

/// What a file says of a rule besides its pattern.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct About {
    pub(crate) state: Option<RuleState>,
    /// The name of the rule's event bus.
    pub(crate) bus: Option<String>,
}

impl About {
    /// What a resource, or one rule of a list, says. `is_known` distinguishes values that the file has from those that are only known
    /// when it is deployed.
    pub(crate) fn of(rule: &Node, is_known: impl Fn(&Node) -> bool) -> About {
        let value = |names: &[&str]| names.iter().find_map(|name| rule.get(name)).filter(|value| is_known(value));
        let off = rule.get("is_enabled").is_some_and(|value| value.value == Value::Plain("false".to_owned()));
        let state = value(&["State", "state"]).and_then(Node::text).and_then(RuleState::of);
        let bus = value(&["EventBusName", "event_bus_name", "eventBusName"]).and_then(Node::text);
        About {
            state: if off { Some(RuleState::Disabled) } else { state },
            bus: bus.map(|bus| bus_name(bus).to_owned()),
        }
    }
}

/// The name of an event bus that is given by its name or its ARN.
pub(crate) fn bus_name(bus: &str) -> &str {
    bus.split_once(":event-bus/").map_or(bus, |(_, name)| name)
}

/// The bus that every account has.
pub(crate) const DEFAULT_BUS: &str = "default";
