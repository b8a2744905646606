//! What a rule adds to another.

use super::{covered_rule, same_rule};
use crate::base::Span;
use crate::diagnostic::Finding;
use crate::pattern::Pattern;
use crate::relate::Covers;

impl Pattern {
    /// A finding about this pattern next to `other`, a rule of the same set: that both match the same events
    /// ([`SameRule`](crate::diagnostic::Code::SameRule)), or that `other` matches every event that this one matches
    /// ([`CoveredRule`](crate::diagnostic::Code::CoveredRule)). Nothing, if neither could be proven. The place is the
    /// whole pattern.
    ///
    /// ```
    /// use eventrie::diagnostic::Code;
    /// use eventrie::{Dialect, Pattern};
    /// let parse = |text: &str| Pattern::parse(text, Dialect::EventBridge).unwrap();
    /// let (wide, narrow) = (parse(r#"{"a":[{"prefix":"x"}]}"#), parse(r#"{"a":["xy"]}"#));
    /// assert_eq!(narrow.lint_beside(&wide).unwrap().code, Code::CoveredRule);
    /// assert!(wide.lint_beside(&narrow).is_none());
    /// assert_eq!(wide.lint_beside(&parse(r#"{ "a": [{"prefix": "x"}] }"#)).unwrap().code, Code::SameRule);
    /// ```
    #[must_use]
    pub fn lint_beside(&self, other: &Pattern) -> Option<Finding> {
        if other.covers(self) != Covers::Yes {
            return None;
        }
        let whole = Span::new(0, u32::try_from(self.source().trim_end().len()).unwrap_or(u32::MAX));
        Some(if self.covers(other) == Covers::Yes { same_rule::finding(whole) } else { covered_rule::finding(whole) })
    }
}
