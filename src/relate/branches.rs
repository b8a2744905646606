//! A pattern as a list of conjunctions, each with the values that its paths may have.

use super::paths::ByPath;
use super::values::Values;
use crate::pattern::Pattern;
use crate::rule::Branches;

/// A conjunction: what each path must have.
pub(super) type Branch<'p> = ByPath<Values<'p>>;

/// Patterns with more branches, or with more bytes of paths, are not compared.
const BRANCHES: usize = 64;
/// As many as the service accepts: any of them makes a sample.
const SAMPLED: usize = 1_000;
const PATHS: usize = 1 << 18;

/// The branches; none if there are too many.
pub(super) fn branches(pattern: &Pattern) -> Option<Vec<Branch<'_>>> {
    of_most(pattern, BRANCHES)
}

/// The branches of a pattern that is only searched for an event.
pub(super) fn sampled(pattern: &Pattern) -> Option<Vec<Branch<'_>>> {
    of_most(pattern, SAMPLED)
}

fn of_most(pattern: &Pattern, most: usize) -> Option<Vec<Branch<'_>>> {
    let rule = Branches::of(pattern, most, PATHS)?;
    let field =
        |at: &u32| rule.fields.get(*at as usize).map(|field| (field.path.to_string(), Values::of_rule(&field.tests)));
    let branch = |fields: &Vec<u32>| Branch::from(fields.iter().filter_map(field).collect::<Vec<_>>());
    Some(rule.branches.iter().map(branch).collect())
}
