//! Why a pattern matches an event or does not.
//!
//! The explainer walks the pattern over the event's own text and shares nothing with compiled matchers, so it is also
//! what matchers are tested against.

mod alike;
mod build;
mod closest;
mod compose;
mod join;
mod leaves;
mod look;
mod malformed;
mod near;
mod paths;
mod place;
mod report;
mod scalar;
mod show;
mod verdict;
mod whole;
mod words;

use crate::base::ListMap;
use crate::event::{self, Event};
use crate::json::{EventError, Tree};
use crate::limit::Limits;
use crate::pattern::Pattern;
use build::Builder;
use verdict::Decider;

pub use closest::{Closest, closest};
pub use malformed::Malformed;
pub use report::{
    BranchReport, Conflict, Element, Explanation, FieldReport, GroupReport, MissKind, NearMiss, Place, SeenValue,
    TestReport,
};
pub use show::RenderedExplanation;

/// An event of more bytes is not copied into its explanation, so no lines of it can be shown.
const SHOWN_EVENT: usize = 1 << 20;

impl Pattern {
    /// Whether the pattern matches the event, and why.
    ///
    /// The answer is found by walking the pattern over the event, independently of [`Matcher`](crate::Matcher), and is
    /// the same. For SNS attributes and for records of pipes and event source mappings, the event is the JSON that they
    /// stand for; what their services decide before they test a pattern is for
    /// [`Subscription::explain`](crate::service::Subscription::explain) to say. Takes time in proportion to the event
    /// and the pattern; only events with duplicate keys, or patterns whose `$or` groups override each other, can take
    /// more, up to [`Limits::join_steps`] and [`Limits::or_combinations`].
    ///
    /// # Errors
    /// If the event is not a JSON object, or a limit is reached.
    ///
    /// ```
    /// use eventrie::{Dialect, Pattern};
    /// let pattern = Pattern::parse(r#"{"detail":{"items":{"sku":["A1"],"qty":[5]}}}"#, Dialect::EventBridge)?;
    /// let event = br#"{"detail":{"items":[{"sku":"A1","qty":2},{"sku":"B2","qty":5}]}}"#;
    /// assert_eq!(
    ///     pattern.explain(event)?.summary(),
    ///     "no match: no single element of `detail.items` satisfies both: `sku` matches in items[0] and `qty` matches in items[1]"
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn explain<E: Event>(&self, event: E) -> Result<Explanation, EventError> {
        self.explain_with(event, &Limits::default())
    }

    /// As [`Pattern::explain`], with limits of your choice.
    ///
    /// # Errors
    /// If the event is not a JSON object, or a limit is reached.
    ///
    /// ```
    /// use eventrie::{Dialect, Limit, Limits, Pattern};
    /// let pattern = Pattern::parse(r#"{"a":["x"]}"#, Dialect::EventBridge)?;
    /// let limits = Limits::default().event_bytes(4);
    /// assert_eq!(pattern.explain_with(br#"{"a":"x"}"#, &limits).unwrap_err().limit(), Some(Limit::EventBytes));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn explain_with<E: Event>(&self, event: E, limits: &Limits) -> Result<Explanation, EventError> {
        let (text, own) = event::text(&event, limits)?;
        let tree = Tree::parse_event(&text, limits)?;
        let explanation = explain(self, &tree, limits)?;
        Ok(if own { explanation } else { explanation.without_text() })
    }
}

fn explain(pattern: &Pattern, tree: &Tree<'_>, limits: &Limits) -> Result<Explanation, EventError> {
    let (root, paths) = paths::plan(pattern.ast());
    let mut decider = Decider::new(pattern.ast(), tree, &paths, limits);
    let mut builder = Builder::new(pattern, &mut decider);
    let mut built = builder.branch(&root, &ListMap::new())?;
    let (nearness, matched) = (built.nearness(), built.report.held);
    let (verdict, cause) = if matched {
        ("match", builder.success(&root, &built))
    } else {
        ("no match", built.cause.take().unwrap_or_default())
    };
    let shown = if tree.text().len() <= SHOWN_EVENT { tree.text() } else { "" };
    Ok(Explanation {
        pattern: pattern.clone(),
        event: shown.into(),
        matched,
        summary: format!("{verdict}: {}", cause.message),
        help: cause.help,
        pattern_place: cause.pattern,
        event_place: cause.event,
        root: built.report,
        nearness,
    })
}

#[cfg(feature = "serde")]
impl serde::Serialize for Explanation {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeStruct;
        let mut out = serializer.serialize_struct("Explanation", 8)?;
        out.serialize_field("matched", &self.matched)?;
        out.serialize_field("summary", &self.summary)?;
        out.serialize_field("help", &self.help)?;
        out.serialize_field("nearness", &self.nearness)?;
        out.serialize_field("dialect", self.pattern.dialect().name())?;
        out.serialize_field("pattern_place", &self.pattern_place)?;
        out.serialize_field("event_place", &self.event_place)?;
        out.serialize_field("root", &self.root)?;
        out.end()
    }
}
