//! Notes on valid patterns: operators that the dialect does not list, and the known places where the service's engine
//! answers differently from the plain meaning, which is ours.

use super::Pattern;
use super::ast::{AnythingBut, Ast, Node, NodeKind, Operand, Test, TestKind};
use super::check::fields;
use crate::base::Span;
use crate::diagnostic::{Code, Finding, Severity, in_order};
use crate::dialect::{Dialect, Operator, Support};
use crate::value::{Address, Family, NumberKey, NumericRange};

pub(super) fn notes(pattern: &Pattern) -> Vec<Finding> {
    let (ast, dialect) = (pattern.ast(), pattern.dialect());
    let mut notes = Vec::new();
    for node in &ast.nodes {
        if dialect.is_sns() && matches!(node.kind, NodeKind::Field { .. }) {
            plain_or(node, &mut notes);
        }
        let tests = ast.tests_of(node);
        for test in tests {
            unlisted(test, dialect, &mut notes);
            quote_leak(&test.kind, &mut notes);
            addresses(test, &mut notes);
            extreme(&test.kind, &mut notes);
        }
        number_bytes(tests, &mut notes);
    }
    edge_dots(ast, &mut notes);
    in_order(&mut notes, |note| (note.label.span.start, 0));
    notes
}

fn differs(severity: Severity, span: Span, message: &str) -> Finding {
    Finding::new(Code::EngineDiffers, severity, span, message).label("the service's engine answers differently here")
}

/// `$or` that is no group.
fn plain_or(node: &Node, notes: &mut Vec<Finding>) {
    if let Some(key) = node.key.as_ref().filter(|key| &*key.text == "$or") {
        notes.push(
            Finding::new(Code::PlainOr, Severity::Warning, key.span, "`$or` is a plain field name here")
                .label("looked for in the message under this name")
                .help("as a group it needs a list of at least two objects, without operator names as fields"),
        );
    }
}

/// The operator of a test, for the table.
fn operators(kind: &TestKind) -> [Option<Operator>; 2] {
    let one = |operator| [Some(operator), None];
    match kind {
        TestKind::String(_) | TestKind::Number(_) | TestKind::Bool(_) | TestKind::Null => one(Operator::Literal),
        TestKind::Exactly(_) => one(Operator::Exactly),
        TestKind::Prefix(_) => one(Operator::Prefix),
        TestKind::Suffix(_) => one(Operator::Suffix),
        TestKind::PrefixIgnoreCase(_) => one(Operator::PrefixIgnoreCase),
        TestKind::SuffixIgnoreCase(_) => one(Operator::SuffixIgnoreCase),
        TestKind::EqualsIgnoreCase(_) => one(Operator::EqualsIgnoreCase),
        TestKind::Wildcard(_) => one(Operator::Wildcard),
        TestKind::Numeric(_) => one(Operator::Numeric),
        TestKind::Cidr(..) => one(Operator::Cidr),
        TestKind::Exists(_) => one(Operator::Exists),
        TestKind::AnythingBut(excluded) => {
            let (operator, count) = match excluded {
                AnythingBut::Strings(_) | AnythingBut::Numbers(_) => (Operator::AnythingBut, 1),
                AnythingBut::Prefix(operands) => (Operator::AnythingButPrefix, operands.len()),
                AnythingBut::Suffix(operands) => (Operator::AnythingButSuffix, operands.len()),
                AnythingBut::EqualsIgnoreCase(_) => (Operator::AnythingButIgnoreCase, 1),
                AnythingBut::Wildcard(operands) => (Operator::AnythingButWildcard, operands.len()),
            };
            [Some(operator), (count > 1).then_some(Operator::AnythingButList)]
        }
    }
}

fn unlisted(test: &Test, dialect: Dialect, notes: &mut Vec<Finding>) {
    for operator in operators(&test.kind).into_iter().flatten() {
        let cell = dialect.support(operator);
        if cell.support == Support::Unlisted {
            let message = format!("it is not known whether {} take {}", dialect.title(), operator.title());
            notes.push(
                Finding::new(Code::UnlistedOperator, Severity::Warning, test.span, message)
                    .label("not documented for this service")
                    .help(cell.source),
            );
            return;
        }
    }
}

/// The engine keeps strings with their quotes: a prefix that ends with a quote can meet the closing one.
fn quote_leak(kind: &TestKind, notes: &mut Vec<Finding>) {
    let (operands, prefix): (&[Operand], bool) = match kind {
        TestKind::Prefix(operand) => (std::slice::from_ref(operand), true),
        TestKind::AnythingBut(AnythingBut::Prefix(operands)) => (operands, true),
        TestKind::Suffix(operand) => (std::slice::from_ref(operand), false),
        TestKind::AnythingBut(AnythingBut::Suffix(operands)) => (operands, false),
        _ => return,
    };
    for operand in operands {
        let text = &*operand.text;
        let (leaks, message, rest) = if prefix {
            (text.ends_with('"'), "a prefix that ends with a quote", text.strip_suffix('"'))
        } else {
            (text.starts_with('"'), "a suffix that begins with a quote", text.strip_prefix('"'))
        };
        if leaks {
            notes.push(differs(Severity::Warning, operand.span, message).help(format!(
                "the service takes the quote for the end of the string, so that it also matches the text `{}`",
                rest.unwrap_or("")
            )));
        }
    }
}

/// The engine keeps addresses as hexadecimal texts, and looks at the text's first digits only.
fn addresses(test: &Test, notes: &mut Vec<Finding>) {
    let (family, what) = match &test.kind {
        TestKind::Cidr(_, block) => (block.family, "an address block"),
        TestKind::String(operand) => match Address::parse(operand.text.as_bytes()) {
            // For a single IPv6 address all digits must agree, so nothing else can match.
            Ok(address) if address.family == Family::V4 => (Family::V4, "a value that is an address"),
            _ => return,
        },
        _ => return,
    };
    let other = match family {
        Family::V4 => "IPv6",
        Family::V6 => "IPv4",
    };
    notes.push(differs(Severity::Note, test.span, what).help(format!(
        "the service compares hexadecimal digits, so that it also matches {other} addresses and plain numbers that \
         begin with the same digits"
    )));
}

/// The engine cannot add a range that begins at the largest number or ends at the smallest.
fn extreme(kind: &TestKind, notes: &mut Vec<Finding>) {
    let TestKind::Numeric(range) = kind else { return };
    let NumericRange { equals: false, low, high } = &**range else { return };
    let (most, least) = (NumberKey::from_f64(f64::MAX), NumberKey::from_f64(f64::MIN));
    let bound = low.as_ref().filter(|low| low.key == most).or(high.as_ref().filter(|high| high.key == least));
    if let Some(bound) = bound {
        notes.push(
            differs(Severity::Warning, bound.span, "a range that begins or ends at the end of all numbers")
                .help("the service fails to add such a rule"),
        );
    }
}

/// The engine tries suffixes on its internal form of numbers too.
fn number_bytes(tests: &[Test], notes: &mut Vec<Finding>) {
    let numeric = tests.iter().any(|test| matches!(test.kind, TestKind::Numeric(_)));
    for test in tests {
        if let TestKind::Suffix(operand) = &test.kind
            && operand.text.is_empty()
            && numeric
        {
            notes.push(differs(Severity::Warning, operand.span, "an empty suffix beside a numeric condition").help(
                "the service also tries the suffix on its internal form of numbers, so that a few numbers match it",
            ));
        }
    }
    let family = |test: &Test| match &test.kind {
        TestKind::Cidr(_, block) => Some(block.family),
        TestKind::String(operand) => Address::parse(operand.text.as_bytes()).ok().map(|address| address.family),
        _ => None,
    };
    for (wanted, digits) in [(Family::V4, 8), (Family::V6, 32)] {
        if !tests.iter().any(|test| family(test) == Some(wanted)) {
            continue;
        }
        for test in tests {
            if let TestKind::Number(number) = &test.kind
                && number.spelling.len() == digits
                && number.spelling.bytes().all(|byte| byte.is_ascii_digit())
            {
                let message = format!("a number of {digits} digits beside an address");
                notes.push(
                    differs(Severity::Warning, test.span, &message)
                        .help("the service also matches the address whose hexadecimal digits are those of the number"),
                );
            }
        }
    }
}

/// Names that are empty, or that end with a dot.
fn edge_dots(ast: &Ast, notes: &mut Vec<Finding>) {
    for (path, at) in fields(ast) {
        if path.len() > 1 && path.ends_with('.') {
            let span =
                ast.nodes.get(at).map_or(Span::default(), |node| node.key.as_ref().map_or(node.span, |key| key.span));
            notes
                .push(differs(Severity::Warning, span, "a path that ends with an empty name").help(
                    "the service finds such a field only if the whole path is one name, with the dot at its end",
                ));
        }
    }
}
