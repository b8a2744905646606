//! The pattern tree as canonical JSON: one line, no whitespace, members in the order of the text.

use super::ast::{AnythingBut, Ast, FoldOperand, Node, NodeKind, Operand, Test, TestKind, WildcardOperand};
use crate::base::text::push_json_string;
use crate::dialect::Word;
use crate::value::{NumericRange, PatternNumber};

/// Parsing the answer gives the same tree, but for spans.
pub(super) fn print(ast: &Ast) -> String {
    let mut out = String::new();
    let Some(root) = ast.nodes.first() else { return out };
    // The open containers: index after the subtree, and what closes it.
    let mut open: Vec<(usize, char)> = Vec::new();
    let mut first = begin(&mut out, &mut open, root, false);
    for (at, node) in ast.nodes.iter().enumerate().skip(1) {
        while let Some((_, closing)) = open.pop_if(|(behind, _)| at >= *behind) {
            out.push(closing);
            first = false;
        }
        if !first {
            out.push(',');
        }
        first = if let Some(key) = &node.key {
            push_json_string(&mut out, &key.text);
            out.push(':');
            begin(&mut out, &mut open, node, matches!(node.kind, NodeKind::Or))
        } else {
            begin(&mut out, &mut open, node, false)
        };
        if let NodeKind::Field { .. } = node.kind {
            list(&mut out, ast.tests_of(node), test);
        }
    }
    while let Some((_, closing)) = open.pop() {
        out.push(closing);
    }
    out
}

/// Opens a container; returns whether the next node is its first child.
fn begin(out: &mut String, open: &mut Vec<(usize, char)>, node: &Node, group: bool) -> bool {
    if let NodeKind::Field { .. } = node.kind {
        return false;
    }
    let (opening, closing) = if group { ('[', ']') } else { ('{', '}') };
    out.push(opening);
    open.push((node.end as usize, closing));
    true
}

fn list<T>(out: &mut String, items: &[T], each: impl Fn(&mut String, &T)) {
    out.push('[');
    for (at, item) in items.iter().enumerate() {
        if at > 0 {
            out.push(',');
        }
        each(out, item);
    }
    out.push(']');
}

fn test(out: &mut String, test: &Test) {
    kind(out, &test.kind);
}

/// One test.
pub(super) fn kind(out: &mut String, kind: &TestKind) {
    match kind {
        TestKind::String(operand) => text(out, operand),
        TestKind::Number(number) => spelled(out, number),
        TestKind::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
        TestKind::Null => out.push_str("null"),
        TestKind::Exactly(operand) => wrapped(out, Word::Exactly, |out| text(out, operand)),
        TestKind::Prefix(operand) => wrapped(out, Word::Prefix, |out| text(out, operand)),
        TestKind::Suffix(operand) => wrapped(out, Word::Suffix, |out| text(out, operand)),
        TestKind::PrefixIgnoreCase(operand) => {
            wrapped(out, Word::Prefix, |out| wrapped(out, Word::EqualsIgnoreCase, |out| folded(out, operand)));
        }
        TestKind::SuffixIgnoreCase(operand) => {
            wrapped(out, Word::Suffix, |out| wrapped(out, Word::EqualsIgnoreCase, |out| folded(out, operand)));
        }
        TestKind::EqualsIgnoreCase(operand) => wrapped(out, Word::EqualsIgnoreCase, |out| folded(out, operand)),
        TestKind::Wildcard(operand) => wrapped(out, Word::Wildcard, |out| wildcard(out, operand)),
        TestKind::Numeric(range) => wrapped(out, Word::Numeric, |out| comparison(out, range)),
        TestKind::Cidr(operand, _) => wrapped(out, Word::Cidr, |out| text(out, operand)),
        TestKind::Exists(value) => {
            wrapped(out, Word::Exists, |out| out.push_str(if *value { "true" } else { "false" }))
        }
        TestKind::AnythingBut(excluded) => wrapped(out, Word::AnythingBut, |out| match excluded {
            AnythingBut::Strings(operands) => list(out, operands, text),
            AnythingBut::Numbers(numbers) => list(out, numbers, |out, (_, number)| spelled(out, number)),
            AnythingBut::Prefix(operands) => wrapped(out, Word::Prefix, |out| few(out, operands, text)),
            AnythingBut::Suffix(operands) => wrapped(out, Word::Suffix, |out| few(out, operands, text)),
            AnythingBut::EqualsIgnoreCase(operands) => {
                wrapped(out, Word::EqualsIgnoreCase, |out| few(out, operands, folded));
            }
            AnythingBut::Wildcard(operands) => wrapped(out, Word::Wildcard, |out| few(out, operands, wildcard)),
        }),
    }
}

/// One operand is alone (some dialects take no list), several in a list.
fn few<T>(out: &mut String, operands: &[T], each: impl Fn(&mut String, &T)) {
    match operands {
        [only] => each(out, only),
        _ => list(out, operands, each),
    }
}

fn wrapped(out: &mut String, operator: Word, operand: impl FnOnce(&mut String)) {
    out.push_str("{\"");
    out.push_str(operator.name());
    out.push_str("\":");
    operand(out);
    out.push('}');
}

fn text(out: &mut String, operand: &Operand) {
    push_json_string(out, &operand.text);
}

fn folded(out: &mut String, operand: &FoldOperand) {
    push_json_string(out, &operand.operand.text);
}

fn wildcard(out: &mut String, operand: &WildcardOperand) {
    push_json_string(out, &operand.operand.text);
}

fn spelled(out: &mut String, number: &PatternNumber) {
    out.push_str(&number.spelling);
}

fn comparison(out: &mut String, range: &NumericRange) {
    out.push('[');
    let mut first = true;
    let mut side = |out: &mut String, operator: &str, spelling: &str| {
        if !std::mem::take(&mut first) {
            out.push(',');
        }
        out.push('"');
        out.push_str(operator);
        out.push_str("\",");
        out.push_str(spelling);
    };
    match (&range.low, &range.high) {
        (Some(bound), _) if range.equals => side(out, "=", &bound.number.spelling),
        (low, high) => {
            if let Some(bound) = low {
                side(out, if bound.inclusive { ">=" } else { ">" }, &bound.number.spelling);
            }
            if let Some(bound) = high {
                side(out, if bound.inclusive { "<=" } else { "<" }, &bound.number.spelling);
            }
        }
    }
    out.push(']');
}
