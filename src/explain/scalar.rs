//! One test against one value of the event, one at a time and as the specification words it.

use std::borrow::Cow;

use crate::json::{Kind, Node, Tree};
use crate::pattern::ast::{AnythingBut, TestKind};
use crate::value::{Address, Spelling};

/// A scalar of the event.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value<'t> {
    String(Cow<'t, str>),
    /// As the event spells it.
    Number(&'t str),
    Bool(bool),
    Null,
}

impl<'t> Value<'t> {
    /// The value of a node that is not a container.
    pub(super) fn of(tree: &Tree<'t>, node: &Node) -> Option<Value<'t>> {
        match node.kind {
            Kind::String => Some(Value::String(tree.string(node.span))),
            Kind::Number => Some(Value::Number(node.span.slice(tree.text()))),
            Kind::True => Some(Value::Bool(true)),
            Kind::False => Some(Value::Bool(false)),
            Kind::Null => Some(Value::Null),
            Kind::Object | Kind::Array => None,
        }
    }

    pub(super) fn as_text(&self) -> Option<&str> {
        match self {
            Value::String(text) => Some(text),
            Value::Number(_) | Value::Bool(_) | Value::Null => None,
        }
    }
}

/// Whether a present value satisfies the test.
pub(super) fn holds(test: &TestKind, value: &Value<'_>) -> bool {
    let text = value.as_text().map(str::as_bytes);
    match test {
        TestKind::String(operand) => text.is_some_and(|text| match Address::parse(operand.text.as_bytes()) {
            Ok(address) => Address::parse(text) == Ok(address),
            Err(_) => text == operand.text.as_bytes(),
        }),
        TestKind::Number(number) => matches!(value, Value::Number(token) if number.equals(token.as_bytes())),
        TestKind::Bool(wanted) => *value == Value::Bool(*wanted),
        TestKind::Null => *value == Value::Null,
        TestKind::Exactly(operand) => text == Some(operand.text.as_bytes()),
        TestKind::Prefix(operand) => text.is_some_and(|text| text.starts_with(operand.text.as_bytes())),
        TestKind::Suffix(operand) => text.is_some_and(|text| text.ends_with(operand.text.as_bytes())),
        TestKind::PrefixIgnoreCase(operand) => text.is_some_and(|text| operand.fold.starts(text)),
        TestKind::SuffixIgnoreCase(operand) => text.is_some_and(|text| operand.fold.ends(text)),
        TestKind::EqualsIgnoreCase(operand) => text.is_some_and(|text| operand.fold.equals(text)),
        TestKind::Wildcard(operand) => text.is_some_and(|text| operand.wildcard.matches(text)),
        TestKind::Numeric(range) => match value {
            Value::Number(token) => Spelling::of(token.as_bytes()).key().is_some_and(|key| range.contains(key)),
            Value::String(_) | Value::Bool(_) | Value::Null => false,
        },
        TestKind::Cidr(_, block) => {
            text.is_some_and(|text| Address::parse(text).is_ok_and(|address| block.contains(address)))
        }
        TestKind::Exists(wanted) => *wanted,
        TestKind::AnythingBut(excluded) => !excludes(excluded, value),
    }
}

/// How many steps [`holds`] takes at most: one for each operand.
pub(super) fn cost(test: &TestKind) -> usize {
    match test {
        TestKind::AnythingBut(AnythingBut::Numbers(list)) => list.len(),
        TestKind::AnythingBut(AnythingBut::EqualsIgnoreCase(list)) => list.len(),
        TestKind::AnythingBut(AnythingBut::Wildcard(list)) => list.len(),
        TestKind::AnythingBut(AnythingBut::Strings(list) | AnythingBut::Prefix(list) | AnythingBut::Suffix(list)) => {
            list.len()
        }
        TestKind::String(_)
        | TestKind::Number(_)
        | TestKind::Bool(_)
        | TestKind::Null
        | TestKind::Exactly(_)
        | TestKind::Prefix(_)
        | TestKind::Suffix(_)
        | TestKind::PrefixIgnoreCase(_)
        | TestKind::SuffixIgnoreCase(_)
        | TestKind::EqualsIgnoreCase(_)
        | TestKind::Wildcard(_)
        | TestKind::Numeric(_)
        | TestKind::Cidr(..)
        | TestKind::Exists(_) => 1,
    }
}

/// Whether the value is one of those that `anything-but` excludes. Values of another type never are.
pub(super) fn excludes(excluded: &AnythingBut, value: &Value<'_>) -> bool {
    let any = |test: &dyn Fn(&[u8]) -> bool| value.as_text().is_some_and(|text| test(text.as_bytes()));
    match excluded {
        AnythingBut::Strings(list) => any(&|text| list.iter().any(|operand| operand.text.as_bytes() == text)),
        AnythingBut::Numbers(list) => {
            matches!(value, Value::Number(token) if list.iter().any(|(_, number)| number.equals(token.as_bytes())))
        }
        AnythingBut::Prefix(list) => any(&|text| list.iter().any(|operand| text.starts_with(operand.text.as_bytes()))),
        AnythingBut::Suffix(list) => any(&|text| list.iter().any(|operand| text.ends_with(operand.text.as_bytes()))),
        AnythingBut::EqualsIgnoreCase(list) => any(&|text| list.iter().any(|operand| operand.fold.equals(text))),
        AnythingBut::Wildcard(list) => any(&|text| list.iter().any(|operand| operand.wildcard.matches(text))),
    }
}

/// Whether the list accepts that the field is absent.
pub(super) fn accepts_absence(tests: &[crate::pattern::ast::Test]) -> bool {
    tests.iter().any(|test| matches!(test.kind, TestKind::Exists(false)))
}
