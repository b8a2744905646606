//! How sentences name tests and values.

use crate::base::text;
use crate::pattern::ast::{AnythingBut, Operand, Test, TestKind};

/// The most characters of a value that a sentence quotes.
const QUOTED: usize = 60;

/// A name for a sentence.
pub(super) fn plain(name: &str) -> String {
    text::shown(name, QUOTED * 2)
}

/// JSON text as it is written.
pub(super) fn json(value: &str) -> String {
    text::shown(value, QUOTED)
}

/// A string in quotes.
pub(super) fn quoted(string: &str) -> String {
    text::quoted(string, QUOTED)
}

/// What a test expects of a value, as in "must be …".
pub(super) fn wanted(test: &Test, source: &str) -> String {
    match &test.kind {
        TestKind::String(operand) | TestKind::Exactly(operand) => quoted(&operand.text),
        TestKind::Number(number) => plain(&number.spelling),
        TestKind::Bool(wanted) => wanted.to_string(),
        TestKind::Null => "null".to_owned(),
        TestKind::Prefix(operand) => format!("a string that begins with {}", quoted(&operand.text)),
        TestKind::Suffix(operand) => format!("a string that ends with {}", quoted(&operand.text)),
        TestKind::PrefixIgnoreCase(fold) => {
            format!("a string that begins with {} (ignoring case)", quoted(&fold.operand.text))
        }
        TestKind::SuffixIgnoreCase(fold) => {
            format!("a string that ends with {} (ignoring case)", quoted(&fold.operand.text))
        }
        TestKind::EqualsIgnoreCase(fold) => format!("{} (ignoring case)", quoted(&fold.operand.text)),
        TestKind::Wildcard(wildcard) => {
            format!("a string that matches the wildcard {}", quoted(&wildcard.operand.text))
        }
        TestKind::Numeric(range) => {
            let mut parts = Vec::new();
            if range.equals {
                parts.extend(range.low.as_ref().map(|bound| format!("equal to {}", bound.number.spelling)));
            } else {
                let sign =
                    |inclusive: bool, sign: &'static str| if inclusive { format!("{sign}=") } else { sign.into() };
                parts.extend(
                    range.low.as_ref().map(|bound| format!("{} {}", sign(bound.inclusive, ">"), bound.number.spelling)),
                );
                parts.extend(
                    range
                        .high
                        .as_ref()
                        .map(|bound| format!("{} {}", sign(bound.inclusive, "<"), bound.number.spelling)),
                );
            }
            format!("a number {}", parts.join(" and "))
        }
        TestKind::Cidr(operand, _) => format!("an address in {}", plain(&operand.text)),
        TestKind::Exists(true) => "present".to_owned(),
        TestKind::Exists(false) => "absent".to_owned(),
        TestKind::AnythingBut(excluded) => unwanted(excluded, source),
    }
}

fn unwanted(excluded: &AnythingBut, source: &str) -> String {
    let texts = |list: &[Operand]| either(list.iter().map(|operand| quoted(&operand.text)), list.len());
    match excluded {
        AnythingBut::Strings(list) => format!("anything but {}", texts(list)),
        AnythingBut::Numbers(list) => {
            format!("anything but {}", either(list.iter().map(|(span, _)| json(span.slice(source))), list.len()))
        }
        AnythingBut::Prefix(list) => format!("anything that does not begin with {}", texts(list)),
        AnythingBut::Suffix(list) => format!("anything that does not end with {}", texts(list)),
        AnythingBut::EqualsIgnoreCase(list) => format!(
            "anything but {} (ignoring case)",
            either(list.iter().map(|fold| quoted(&fold.operand.text)), list.len())
        ),
        AnythingBut::Wildcard(list) => format!(
            "anything that does not match the wildcard {}",
            either(list.iter().map(|wildcard| quoted(&wildcard.operand.text)), list.len())
        ),
    }
}

/// `a`, `a or b`, `a, b or c`; for a longer list, the first ones and how many more there are.
pub(super) fn either(items: impl Iterator<Item = String>, count: usize) -> String {
    const SHOWN: usize = 4;
    let mut shown: Vec<String> = items.take(if count > SHOWN { SHOWN - 1 } else { SHOWN }).collect();
    if count > SHOWN {
        shown.push(format!("one of {} others", count - shown.len()));
    }
    join(shown, "or")
}

/// `a`, `a and b`, `a, b and c`.
pub(super) fn join(mut items: Vec<String>, word: &str) -> String {
    match items.pop() {
        None => String::new(),
        Some(last) if items.is_empty() => last,
        Some(last) => format!("{} {word} {last}", items.join(", ")),
    }
}

/// What a list of tests expects.
pub(super) fn list(tests: &[Test], source: &str) -> String {
    either(tests.iter().map(|test| wanted(test, source)), tests.len())
}
