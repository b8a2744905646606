//! The services' own texts that more than one place quotes, byte for byte.

/// More than 1,000 combinations of `$or`.
pub(crate) const OVER_1000_COMBINATIONS: &str = "Or operator is producing over 1000 rule combinations";
/// Text that is not an object where a pattern is expected.
pub(crate) const NOT_AN_OBJECT: &str = "Filter is not an object";
/// A second member in an operator.
pub(crate) const ONE_KEY: &str = "Only one key allowed in match expression";
/// Something after the operand of `numeric` or `anything-but`.
pub(crate) const TOO_MANY_IN_EXPRESSION: &str = "Too many elements in numeric expression";
/// A wildcard in a filter of a Custom Event Bus (documented).
pub(crate) const NO_WILDCARDS: &str =
    "Filter pattern must not contain wildcard matchers (wildcard, anything-but wildcard)";
/// An empty filter configuration, or a filter whose pattern is empty (documented).
pub(crate) const AT_LEAST_ONE_FILTER: &str = "FilterConfiguration must contain at least one Filter";
/// An object without members.
pub(crate) const EMPTY_OBJECT: &str = "Empty objects are not allowed";
