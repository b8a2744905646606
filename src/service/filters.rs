//! Filter criteria: the text that contains the filters of a pipe or an event source mapping.

use super::error::SubscriptionError;
use crate::base::Span;
use crate::dialect::limits::MOST_FILTERS;
use crate::json::{Kind, Tree};
use crate::limit::Limits;
use crate::pattern::{ParseOptions, Pattern};

/// Reads `{"Filters": [{"Pattern": "…"}, …]}`, or a single pattern.
pub(super) fn parse(text: &str, options: &ParseOptions) -> Result<Vec<Pattern>, SubscriptionError> {
    match list(text, options.engine_limits())? {
        None => {
            let pattern = Pattern::parse_with(text, options);
            Ok(vec![pattern.map_err(|error| SubscriptionError::of_pattern(0, error))?])
        }
        Some(sources) => {
            // The number is checked first, because it does not depend on the patterns.
            check_number(sources.len(), options)?;
            let patterns = sources.iter().enumerate().map(|(filter, source)| {
                Pattern::parse_with(source, options).map_err(|error| SubscriptionError::of_pattern(filter, error))
            });
            patterns.collect()
        }
    }
}

/// Whether the service takes so many filters.
pub(super) fn check_number(count: usize, options: &ParseOptions) -> Result<(), SubscriptionError> {
    let most = options.most_filters().unwrap_or(MOST_FILTERS);
    if options.has_service_limits() && count > most {
        return Err(SubscriptionError::shape(None, format!("{count} filters; the service accepts at most {most}")));
    }
    Ok(())
}

/// The text of each pattern of a filter set; none if the text is not one.
fn list(text: &str, limits: &Limits) -> Result<Option<Vec<String>>, SubscriptionError> {
    let tree = Tree::parse(text, limits);
    let mut members = tree.children(0);
    let list = match (members.next(), members.next(), tree.nodes.first()) {
        (Some((at, node)), None, Some(root)) if root.kind == Kind::Object && tree.error.is_none() => {
            let named = node.key.is_some_and(|key| tree.string(key) == "Filters");
            // `{"Filters": ["x"]}` could be a pattern over a field of this name.
            let entries = tree.children(at).all(|(_, entry)| entry.kind == Kind::Object);
            (named && node.kind == Kind::Array && entries).then_some(at)
        }
        _ => None,
    };
    let Some(list) = list else { return Ok(None) };
    let mut sources = Vec::new();
    for (filter, (at, _)) in tree.children(list).enumerate() {
        let named = |key: Option<Span>| key.is_some_and(|key| tree.string(key) == "Pattern");
        let refused = |text: &str| SubscriptionError::shape(Some(filter), text.to_owned());
        match tree.children(at).find(|(_, member)| named(member.key)) {
            Some((_, member)) if member.kind == Kind::String => sources.push(tree.string(member.span).into_owned()),
            Some(_) => return Err(refused("`Pattern` must be a string that contains the pattern as JSON")),
            None => return Err(refused("`Pattern` is missing")),
        }
    }
    Ok(Some(sources))
}
