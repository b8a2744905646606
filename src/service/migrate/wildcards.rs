//! Wildcards, which filters of a Custom Event Bus do not have, as tests that they do have.

use crate::base::Span;
use crate::pattern::ast::{AnythingBut, FoldOperand, Operand, Test, TestKind, WildcardOperand};
use crate::value::{Address, Fold};

/// What became of a test.
pub(super) enum Replaced {
    /// It has no wildcard.
    Same,
    /// The new test is satisfied by the same values.
    Equivalent(Test),
    /// The new test is satisfied by more values, for this reason.
    Wider(Test, &'static str),
}

pub(super) fn replace(test: &Test) -> Replaced {
    match &test.kind {
        TestKind::Wildcard(wildcard) => one(test.span, wildcard),
        TestKind::AnythingBut(AnythingBut::Wildcard(list)) => excluded(test.span, list),
        _ => Replaced::Same,
    }
}

const NO_EQUIVALENT: &str = "has no equivalent without wildcards: the filter accepts more";
const ANY_CASE: &str = "is an address, which a plain string would match in every spelling: the filter uses \
                        `equals-ignore-case` and also accepts its letters in the other case";

/// A wildcard by where its stars are.
enum Form {
    Exact(String),
    /// A single star, which is satisfied by every string.
    Any,
    Prefix(String),
    Suffix(String),
    /// A star elsewhere, or several: what it begins and ends with.
    Other(String, String),
}

fn form(wildcard: &WildcardOperand) -> Form {
    let text = |piece: Option<&Box<[u8]>>| String::from_utf8_lossy(piece.map_or(&[][..], |piece| piece)).into_owned();
    let pieces = wildcard.wildcard.pieces();
    let (first, last) = (text(pieces.first()), text(pieces.last()));
    match pieces.len() {
        0 | 1 => Form::Exact(first),
        2 if last.is_empty() && !first.is_empty() => Form::Prefix(first),
        2 if first.is_empty() && !last.is_empty() => Form::Suffix(last),
        2 if first.is_empty() => Form::Any,
        _ => Form::Other(first, last),
    }
}

fn one(span: Span, wildcard: &WildcardOperand) -> Replaced {
    let operand = |text: String| Operand { text: text.into(), span };
    let test = |kind| Test { span, kind };
    match form(wildcard) {
        Form::Exact(text) if Address::parse(text.as_bytes()).is_ok() => {
            let has_case = text.bytes().any(|byte| byte.is_ascii_alphabetic());
            let folded = FoldOperand { fold: Fold::new(&text), operand: operand(text) };
            let test = test(TestKind::EqualsIgnoreCase(Box::new(folded)));
            if has_case { Replaced::Wider(test, ANY_CASE) } else { Replaced::Equivalent(test) }
        }
        Form::Exact(text) => Replaced::Equivalent(test(TestKind::String(operand(text)))),
        Form::Any => Replaced::Equivalent(test(TestKind::Prefix(operand(String::new())))),
        Form::Prefix(text) => Replaced::Equivalent(test(TestKind::Prefix(operand(text)))),
        Form::Suffix(text) => Replaced::Equivalent(test(TestKind::Suffix(operand(text)))),
        Form::Other(first, last) if first.len() >= last.len() => {
            Replaced::Wider(test(TestKind::Prefix(operand(first))), NO_EQUIVALENT)
        }
        Form::Other(_, last) => Replaced::Wider(test(TestKind::Suffix(operand(last))), NO_EQUIVALENT),
    }
}

/// `anything-but` with wildcards. Excluding less accepts more.
fn excluded(span: Span, list: &[WildcardOperand]) -> Replaced {
    let (mut exact, mut prefixes, mut suffixes) = (Vec::new(), Vec::new(), Vec::new());
    let operand = |text: String| Operand { text: text.into(), span };
    for wildcard in list {
        match form(wildcard) {
            Form::Exact(text) => exact.push(operand(text)),
            Form::Prefix(text) => prefixes.push(operand(text)),
            Form::Suffix(text) => suffixes.push(operand(text)),
            Form::Any | Form::Other(..) => {}
        }
    }
    let kept = exact.len().max(prefixes.len()).max(suffixes.len());
    let kind = match kept {
        0 => TestKind::Exists(true),
        _ if exact.len() == kept => TestKind::AnythingBut(AnythingBut::Strings(exact)),
        _ if prefixes.len() == kept => TestKind::AnythingBut(AnythingBut::Prefix(prefixes)),
        _ => TestKind::AnythingBut(AnythingBut::Suffix(suffixes)),
    };
    let test = Test { span, kind };
    if kept == list.len() { Replaced::Equivalent(test) } else { Replaced::Wider(test, NO_EQUIVALENT) }
}
