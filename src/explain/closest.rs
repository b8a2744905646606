//! One event, many patterns: which came closest.

use super::explain;
use super::report::Explanation;
use crate::base::PatternId;
use crate::event::{self, Event};
use crate::json::{EventError, Tree};
use crate::limit::Limits;
use crate::pattern::Pattern;

/// A pattern that an event came close to, with the explanation.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Closest {
    /// The position of the pattern in the input.
    pub id: PatternId,
    /// Why it matches or does not.
    pub explanation: Explanation,
}

/// The `most` patterns that come closest to matching the event: those that match, then by [`Explanation::nearness`],
/// then in the order given.
///
/// # Errors
/// If the event is not a JSON object. A pattern that cannot be decided within the limits is left out.
///
/// ```
/// use eventrie::explain::closest;
/// use eventrie::{Dialect, Pattern};
/// let patterns: Vec<Pattern> = [r#"{"source":["bank"]}"#, r#"{"source":["Shop"]}"#, r#"{"source":["shop"]}"#]
///     .into_iter()
///     .map(|source| Pattern::parse(source, Dialect::EventBridge))
///     .collect::<Result<_, _>>()?;
/// let ranked = closest(&patterns, br#"{"source":"shop"}"#, 2)?;
/// assert_eq!(ranked.iter().map(|one| one.id.index()).collect::<Vec<_>>(), [2, 1]);
/// assert!(ranked[0].explanation.matched() && !ranked[1].explanation.matched());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn closest<'p, E: Event>(
    patterns: impl IntoIterator<Item = &'p Pattern>,
    event: E,
    most: usize,
) -> Result<Vec<Closest>, EventError> {
    let limits = Limits::default();
    let (text, own) = event::text(&event, &limits)?;
    let tree = Tree::parse_event(&text, &limits)?;
    let mut ranked: Vec<(u32, Closest)> = Vec::new();
    for (index, pattern) in patterns.into_iter().enumerate() {
        let (Some(id), Ok(explanation)) = (PatternId::from_index(index), explain(pattern, &tree, &limits)) else {
            continue;
        };
        let explanation = if own { explanation } else { explanation.without_text() };
        let nearness = explanation.nearness;
        // Kept sorted; full explanations of what is not among the nearest are dropped at once.
        let at = ranked.partition_point(|(before, _)| *before >= nearness);
        if at < most {
            ranked.insert(at, (nearness, Closest { id, explanation }));
            ranked.truncate(most);
        }
    }
    Ok(ranked.into_iter().map(|(_, closest)| closest).collect())
}
