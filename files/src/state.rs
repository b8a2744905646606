//! Whether a rule is switched on, as templates and the services say it.

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
