//! The services' own messages, byte for byte. (Those about text that is not JSON are those of the parser that the
//! services use: `pattern/syntax.rs`.)

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
/// An object without an operator.
pub(crate) const NO_OPERATOR: &str = "Match expression name not found";
/// Another operand of `exists`.
pub(crate) const EXISTS_NOT_BOOLEAN: &str = "exists match pattern must be either true or false.";
/// A fifth element in `numeric`.
pub(crate) const NUMERIC_TOO_MANY_TERMS: &str = "Too many terms in numeric range expression";
/// A list of `numeric` that ends where an operator belongs.
pub(crate) const NUMERIC_ENDS: &str = "Invalid member in numeric match: ]";
/// A number that SNS of 2024 does not compare.
pub(crate) const NUMERIC_BEYOND: &str = "Value must be between -5.0E9 and 5.0E9, inclusive";
/// A range whose ends are in the wrong order.
pub(crate) const NUMERIC_EMPTY_RANGE: &str = "Bottom must be less than top";
/// Another operand of `numeric`.
pub(crate) const NUMERIC_NOT_A_LIST: &str = "Value of numeric must be an array.";
/// An empty object inside `anything-but`.
pub(crate) const ANYTHING_BUT_NO_OPERATOR: &str = "Anything-But expression name not found";
/// `$or` with fewer than two objects.
pub(crate) const OR_TOO_FEW: &str = "There must have at least 2 Objects in $or relationship.";
/// `$or` that is not an array.
pub(crate) const OR_NOT_A_LIST: &str = "It must be an Array followed with $or.";
/// Something in a list of values that is not one.
pub(crate) const NOT_A_VALUE: &str = "Match value must be String, number, true, false, or null";
/// Another operand of `anything-but`.
pub(crate) const ANYTHING_BUT_NOT_A_VALUE: &str =
    "Value of anything-but must be an array or single string/number value.";
/// Something in the list of `anything-but` that it does not exclude.
pub(crate) const ANYTHING_BUT_NOT_IN_LIST: &str = "Inside anything but list, start|null|boolean is not supported.";
/// Strings and numbers in one list of `anything-but`.
pub(crate) const ANYTHING_BUT_MIXED: &str =
    "Inside anything but list, either all values are number or string, mixed type is not supported";
/// Another operand of `prefix` or `suffix` inside `anything-but`.
pub(crate) const ANYTHING_BUT_AFFIX_NOT_A_STRING: &str = "prefix/suffix match pattern must be a string";
/// Another operand of `equals-ignore-case` inside `anything-but`.
pub(crate) const ANYTHING_BUT_IGNORE_CASE_NOT_A_STRING: &str =
    "Inside anything-but/equals-ignore-case list, number|start|null|boolean is not supported.";
/// An empty `prefix` or `suffix` inside `anything-but`.
pub(crate) const ANYTHING_BUT_EMPTY_AFFIX: &str = "Null prefix/suffix not allowed";
/// The same for SNS of 2024, which has no `suffix`.
pub(crate) const ANYTHING_BUT_EMPTY_PREFIX_2024: &str = "Null prefix not allowed";
/// A number with a huge exponent.
pub(crate) const NUMBER_EXCEEDS_LIMITS: &str = "value exceeds limits";
/// An address block without one slash.
pub(crate) const CIDR_NO_SLASH: &str = "Malformed CIDR, one '/' required";
/// An address block whose number of bits is not a number.
pub(crate) const CIDR_BITS_NOT_INTEGER: &str = "Malformed CIDR, mask bits must be an integer";
/// An address block with a negative number of bits.
pub(crate) const CIDR_BITS_NEGATIVE: &str = "Malformed CIDR, mask bits must not be negative";
/// An IPv4 address block with too many bits.
pub(crate) const CIDR_BITS_V4: &str = "IPv4 mask bits must be < 32";
/// An IPv6 address block with too many bits.
pub(crate) const CIDR_BITS_V6: &str = "IPv6 mask bits must be < 128";
/// A policy over attributes with an object in it.
pub(crate) const NESTED_POLICY: &str = "Filter policy scope MessageAttributes does not support nested filter policy";
/// A policy with too many combinations of values.
pub(crate) const POLICY_TOO_COMPLEX: &str = "Filter policy is too complex";
/// Wildcards that the service rates too high.
pub(crate) const WILDCARDS_TOO_COMPLEX: &str = "Rule is too complex - try using fewer wildcard characters or fewer repeating character sequences \
                        after a wildcard character";

/// An operator that does not exist.
pub(crate) fn unknown_operator(name: &str) -> String {
    format!("Unrecognized match type {name}")
}

/// An empty object inside an operator that takes another.
pub(crate) fn no_operator_inside(operator: &str) -> String {
    format!("{operator} expression name not found")
}

/// Another operand of an operator that takes a string.
pub(crate) fn not_a_string(operator: &str) -> String {
    format!("{operator} match pattern must be a string")
}

/// A field with a single value.
pub(crate) fn not_a_list(field: &str) -> String {
    format!("\"{field}\" must be an object or an array")
}

/// A name that means something inside `$or`.
pub(crate) fn reserved_inside_or(field: &str) -> String {
    format!("{field} is Ruler reserved fieldName which cannot be used inside $or.")
}

/// Two stars in a row.
pub(crate) fn consecutive_wildcards(position: usize) -> String {
    format!("Consecutive wildcard characters at pos {position}")
}

/// A backslash before anything but a star or a backslash.
pub(crate) fn invalid_escape(position: usize) -> String {
    format!("Invalid escape character at pos {position}")
}

/// A number with too many digits.
pub(crate) fn inexact(number: &str) -> String {
    format!("Cannot compare number : {number}")
}

/// Something in `numeric` where an operator belongs.
pub(crate) fn numeric_invalid_member(token: &str) -> String {
    format!("Invalid member in numeric match: {token}")
}

/// A first comparison that does not exist.
pub(crate) fn numeric_unknown_operator(operator: &str) -> String {
    format!("Unrecognized numeric range operator: {operator}")
}

/// A second comparison that does not close the range.
pub(crate) fn numeric_bad_operator(operator: &str) -> String {
    format!("Bad numeric range operator: {operator}")
}

/// Something in `numeric` where the second comparison belongs.
pub(crate) fn numeric_bad_value(token: &str) -> String {
    format!("Bad value in numeric range: {token}")
}

/// A spelling of an address that is not read.
pub(crate) fn nonstandard_address(address: &str) -> String {
    format!("Nonstandard IP address: {address}")
}

/// An address that does not exist.
pub(crate) fn invalid_address(address: &str) -> String {
    format!("Invalid IP address: {address}")
}

/// An operator inside another one that does not take it.
pub(crate) fn unsupported_inside(outer: &str, inner: &str) -> String {
    format!("Unsupported {outer} pattern: {inner}")
}

/// A comparison with something that is not a number.
pub(crate) fn numeric_not_a_number(operator: &str) -> String {
    format!("Value of {} must be numeric", if operator == "=" { "equals" } else { operator })
}

/// A policy with too many fields.
pub(crate) fn too_many_keys(most: usize) -> String {
    format!("Filter policy can not have more than {most} keys")
}
