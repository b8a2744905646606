//! W0101: the known cases in which the service's engine differs from the plain meaning, which eventrie follows.

use crate::base::Span;
use crate::diagnostic::{Code, Finding, Severity};
use crate::pattern::Pattern;
use crate::pattern::ast::{AnythingBut, Operand, Test, TestKind};
use crate::value::{Address, Family, NumberKey, NumericRange};

pub(super) const PAGE: &str = r##"## W0101: the service's engine answers differently

In a few corner cases, the engine inside the service contradicts the plain meaning of a pattern. For example, it compares
addresses as hexadecimal strings, and a prefix that ends with a quote can match the closing quote. eventrie follows the plain
meaning, and the message says what the service does.

**Why it matters.** The service may match an event that eventrie does not, or the reverse.

```bad eventbridge
{"detail": {"title": [{"prefix": "in \""}]}}
```

Use instead:

```good eventbridge
{"detail": {"title": [{"prefix": "in "}]}}
```

The second pattern is wider: it accepts any string after the space.
"##;

/// Where the service's engine differs, in text order.
pub(super) fn check(pattern: &Pattern, notes: &mut Vec<Finding>) {
    let ast = pattern.ast();
    for node in &ast.nodes {
        let tests = ast.tests_of(node);
        for test in tests {
            quote_leak(&test.kind, notes);
            addresses(test, notes);
            extreme(&test.kind, notes);
        }
        number_bytes(tests, notes);
    }
    edge_dots(pattern, notes);
}

fn differs(severity: Severity, span: Span, message: &str) -> Finding {
    Finding::new(Code::EngineDiffers, severity, span, message).label("the service answers differently here")
}

/// The engine keeps strings with their quotes: a prefix that ends with a quote can match the closing one.
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
            (text.ends_with('"'), "the service misreads a prefix that ends with a quote", text.strip_suffix('"'))
        } else {
            (text.starts_with('"'), "the service misreads a suffix that begins with a quote", text.strip_prefix('"'))
        };
        if leaks {
            notes.push(differs(Severity::Warning, operand.span, message).help(format!(
                "it reads the quote as the end of the string, and also matches the string `{}`",
                rest.unwrap_or("")
            )));
        }
    }
}

/// The engine keeps addresses as hexadecimal strings, and reads the text's first digits only.
fn addresses(test: &Test, notes: &mut Vec<Finding>) {
    let (family, what) = match &test.kind {
        TestKind::Cidr(_, block) => (block.family, "the service compares address blocks by their hexadecimal digits"),
        TestKind::String(operand) => match Address::parse(operand.text.as_bytes()) {
            // For a single IPv6 address all digits must agree, so nothing else can match.
            Ok(address) if address.family == Family::V4 => {
                (Family::V4, "the service compares addresses by their hexadecimal digits")
            }
            _ => return,
        },
        _ => return,
    };
    let other = match family {
        Family::V4 => "IPv6",
        Family::V6 => "IPv4",
    };
    notes.push(
        differs(Severity::Note, test.span, what)
            .help(format!("it also matches {other} addresses and plain numbers that begin with the same digits")),
    );
}

/// The engine cannot add a range that begins at the largest number or ends at the smallest.
fn extreme(kind: &TestKind, notes: &mut Vec<Finding>) {
    let TestKind::Numeric(range) = kind else { return };
    let NumericRange { equals: false, low, high } = &**range else { return };
    let (most, least) = (NumberKey::from_f64(f64::MAX), NumberKey::from_f64(f64::MIN));
    let bound = low.as_ref().filter(|low| low.key == most).or(high.as_ref().filter(|high| high.key == least));
    if let Some(bound) = bound {
        notes.push(
            differs(
                Severity::Warning,
                bound.span,
                "the service cannot add a range that begins at the largest number or ends at the smallest",
            )
            .help("creating the rule fails; write a range that contains other numbers"),
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
            notes.push(
                differs(Severity::Warning, operand.span, "the service also tests numbers against an empty suffix")
                    .help("it compares the suffix with its internal form of numbers, and a few numbers match"),
            );
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
                let message = format!("the service confuses a number of {digits} digits with an address");
                notes.push(
                    differs(Severity::Warning, test.span, &message)
                        .help("it also matches the address whose hexadecimal digits are those of the number"),
                );
            }
        }
    }
}

/// Names that are empty, or that end with a dot.
fn edge_dots(pattern: &Pattern, notes: &mut Vec<Finding>) {
    let ast = pattern.ast();
    for (path, at) in pattern.lists() {
        if path.len() > 1 && path.ends_with('.') {
            let span =
                ast.nodes.get(at).map_or(Span::default(), |node| node.key.as_ref().map_or(node.span, |key| key.span));
            notes.push(
                differs(Severity::Warning, span, "the service misreads a path that ends with an empty name")
                    .help("it finds such a field only if the whole path is one name that ends with the dot"),
            );
        }
    }
}
