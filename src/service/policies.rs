//! The filter policies of subscriptions to an SNS topic, all of one scope, compiled.
//!
//! The only place that knows that SNS does not apply a policy to a message without attributes.

use super::message::{Quoting, SnsCause, SnsMessage};
use crate::base::PatternId;
use crate::dialect::Dialect;
use crate::json::{EventError, EventErrorKind, Kind, ReadPolicy, kind_of};
use crate::limit::{BuildError, Limits};
use crate::matcher::{Matcher, Scratch};
use crate::pattern::Pattern;

/// What a policy tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scope {
    Attributes,
    Body,
}

impl Scope {
    fn dialect(self) -> Dialect {
        match self {
            Scope::Attributes => Dialect::SnsAttributes,
            Scope::Body => Dialect::SnsBody,
        }
    }
}

/// Compiled policies of one scope.
#[derive(Clone, Debug)]
pub(super) struct Policies {
    matcher: Matcher,
    /// Those that filter nothing: `{}`, and subscriptions without a policy.
    everything: Vec<PatternId>,
    scope: Scope,
    quoting: Quoting,
}

impl Policies {
    /// Compiles policies; without a pattern, one that every message passes.
    pub(super) fn new(
        policies: &[Option<&Pattern>],
        scope: Scope,
        quoting: Quoting,
        limits: &Limits,
        policy: ReadPolicy,
    ) -> Result<Policies, BuildError> {
        let everything = policies.iter().enumerate().filter(|(_, policy)| policy.is_none_or(Pattern::is_everything));
        let everything = everything.filter_map(|(index, _)| PatternId::from_index(index)).collect();
        let builder = Matcher::builder().limits(limits.clone()).read_policy(policy);
        let pattern =
            |policy: &Option<&Pattern>| policy.map_or_else(|| Pattern::everything(scope.dialect()), Pattern::clone);
        let matcher = builder.build(policies.iter().map(pattern))?;
        Ok(Policies { matcher, everything, scope, quoting })
    }

    /// The policies that match a message, ascending, or why none does.
    pub(super) fn judge<'s>(
        &'s self,
        message: &SnsMessage,
        scratch: &'s mut Scratch,
        text: &mut String,
    ) -> Result<Result<&'s [PatternId], SnsCause>, EventError> {
        let missed = |cause| if self.everything.is_empty() { Err(cause) } else { Ok(&*self.everything) };
        let (found, cause) = match self.scope {
            Scope::Body => match self.matcher.positions(message.body(), scratch) {
                Ok(found) => (found, SnsCause::MessageBody),
                Err(error) if error.kind() == EventErrorKind::Limit => return Err(error),
                Err(_) => return Ok(missed(SnsCause::InvalidMessageBody)),
            },
            Scope::Attributes => {
                if let Err(cause) = message.project(self.quoting, text) {
                    return Ok(missed(cause));
                }
                (self.matcher.positions(text.as_str(), scratch)?, SnsCause::MessageAttributes)
            }
        };
        Ok(if found.is_empty() { Err(cause) } else { Ok(found) })
    }

    /// What the policies see of a message; or why there is nothing to see.
    pub(super) fn event(&self, message: &SnsMessage) -> Result<Vec<u8>, SnsCause> {
        match self.scope {
            Scope::Attributes => message.attributes_as_json(self.quoting).map(String::into_bytes),
            Scope::Body => body(message),
        }
    }

    pub(super) fn matcher(&self) -> &Matcher {
        &self.matcher
    }

    pub(super) fn scope(&self) -> Scope {
        self.scope
    }
}

/// The event that policies over the body see.
pub(super) fn body(message: &SnsMessage) -> Result<Vec<u8>, SnsCause> {
    match kind_of(message.body(), &Limits::default()) {
        Some(Kind::Object) => Ok(message.body().as_bytes().to_vec()),
        _ => Err(SnsCause::InvalidMessageBody),
    }
}
