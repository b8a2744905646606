//! What `TestEventPattern` of EventBridge answers to a pattern and an event, quirks included: for emulators.

use std::fmt::{Display, Formatter};

use crate::base::Span;
use crate::dialect::{BusVersion, Dialect};
use crate::json::{Kind, Tree};
use crate::limit::Limits;
use crate::matcher::{Matcher, Scratch};
use crate::pattern::ast::{AnythingBut, Operand, Test, TestKind, WildcardOperand};
use crate::pattern::{ParseOptions, Pattern, PatternError};
use crate::value::{Address, Family, NumberKey, PatternNumber, Spelling, Wildcard};

/// The members that an event must have. `version`, `resources` and `detail` may be missing.
const ENVELOPE: [&str; 6] = ["id", "detail-type", "source", "account", "time", "region"];

/// Answers as the service's `TestEventPattern` does: whether the event matches, or its error.
///
/// This is for people who build emulators. It differs from [`Matcher`] where the service differs from the plain
/// meaning (`docs/pages/decisions/deviations.md`):
///
/// - the event must be a JSON object with `id`, `detail-type`, `source`, `account`, `time` and `region`; text after it
///   is ignored;
/// - numbers of the event that are written with `.`, `e` or `E` are rounded through a 64-bit floating point number;
/// - address blocks and addresses are compared as hexadecimal digits, so they also match addresses of the other
///   family and numbers that begin with the same digits;
/// - a prefix that ends with a quote, and a suffix that begins with one, match the quote around the string.
///
/// The service's limits are on. Not imitated: an empty suffix next to a numeric condition, a range at the largest number,
/// and a path that ends with an empty name. Which of two faults is reported
/// first, that of the event or that of the pattern, is not recorded; here it is that of the event.
///
/// Takes time in proportion to the event, times the number of address tests in the pattern.
///
/// # Errors
/// If the service answers with an error: [`TestEventPatternError`] has its code and its message.
///
/// ```
/// use eventrie::dialect::BusVersion;
/// use eventrie::service::test_event_pattern;
/// let event = r#"{"id":"1","detail-type":"t","source":"s","account":"1","time":"2026-05-14T06:00:00Z","region":"r",
///     "detail":{"size":1.0000000000000001,"ip":"2001:db8::1"}}"#;
/// let test = |pattern: &str, event: &str| test_event_pattern(pattern, event, BusVersion::default());
/// assert_eq!(test(r#"{"detail":{"size":[1]}}"#, event), Ok(true));
/// assert_eq!(test(r#"{"detail":{"ip":[{"cidr":"0.0.0.0/0"}]}}"#, event), Ok(true));
/// let error = test(r#"{"source":["s"]}"#, r#"{"source":"s"}"#).unwrap_err();
/// assert_eq!((error.code(), error.to_string().as_str()), ("ValidationException", "Parameter Event is not valid."));
/// ```
pub fn test_event_pattern(pattern: &str, event: &str, engine: BusVersion) -> Result<bool, TestEventPatternError> {
    let limits = Limits::default();
    let tree = Tree::parse_value(event, &limits).map_err(|_| invalid_event(""))?;
    envelope(&tree)?;
    let options = ParseOptions::new(Dialect::EventBridge).service_limits(true).engine(engine);
    let pattern = Pattern::parse_with(pattern, &options).map_err(|error| invalid_pattern(&error))?;
    let (event, seen) = written_anew(&tree);
    let pattern = pattern.with_lists(&mut |numeric, tests| accidents(numeric, tests, &seen));
    let matcher = Matcher::new([pattern]).map_err(|error| TestEventPatternError {
        code: "InvalidEventPatternException",
        message: format!("Event pattern is not valid. Reason: {error}"),
    })?;
    matcher.is_match(event.as_bytes(), &mut Scratch::default()).map_err(|_| invalid_event(""))
}

/// The error that `TestEventPattern` returns. Its text is the service's message.
///
/// ```
/// use eventrie::dialect::BusVersion;
/// use eventrie::service::test_event_pattern;
/// let event = r#"{"id":"1","detail-type":"t","source":"s","account":"1","time":"2026-05-14T06:00:00Z","region":"r"}"#;
/// let error = test_event_pattern("{}", event, BusVersion::default()).unwrap_err();
/// assert_eq!(error.code(), "InvalidEventPatternException");
/// assert!(error.to_string().starts_with("Event pattern is not valid. Reason: Empty objects are not allowed"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestEventPatternError {
    code: &'static str,
    message: String,
}

impl TestEventPatternError {
    /// The service's error code: `ValidationException` for the event, `InvalidEventPatternException` for the pattern.
    #[must_use]
    pub fn code(&self) -> &'static str {
        self.code
    }
}

impl Display for TestEventPatternError {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for TestEventPatternError {}

fn invalid_event(reason: &str) -> TestEventPatternError {
    TestEventPatternError { code: "ValidationException", message: format!("Parameter Event is not valid.{reason}") }
}

fn invalid_pattern(error: &PatternError) -> TestEventPatternError {
    TestEventPatternError { code: "InvalidEventPatternException", message: error.service_message() }
}

/// Checks what the service checks in an event: the only type checked is that of the time.
fn envelope(tree: &Tree<'_>) -> Result<(), TestEventPatternError> {
    let object = tree.nodes.first().is_some_and(|root| root.kind == Kind::Object);
    let member = |name: &str| {
        let members = tree.children(0).map(|(_, node)| node);
        members.filter(|node| node.key.is_some_and(|key| tree.string(key) == name)).last()
    };
    if !object || ENVELOPE.iter().any(|name| member(name).is_none()) {
        return Err(invalid_event(""));
    }
    match member("time").filter(|time| time.kind == Kind::String) {
        Some(time) if is_time(&tree.string(time.span)) => Ok(()),
        _ => Err(invalid_event(" Reason: Invalid time.")),
    }
}

/// A date and a time of day with its distance from UTC, as in `2026-05-14T06:00:00Z`.
fn is_time(text: &str) -> bool {
    let Some((date, time)) = text.split_once('T') else { return false };
    let (time, zone) = match time.find(['Z', '+', '-']) {
        Some(at) => time.split_at(at),
        None => return false,
    };
    let number = |text: &str, digits: usize| {
        (text.len() == digits && text.bytes().all(|byte| byte.is_ascii_digit()))
            .then(|| text.parse::<u32>().ok())
            .flatten()
    };
    let within = |text: Option<&str>, digits: usize, low: u32, high: u32| {
        text.and_then(|text| number(text, digits)).is_some_and(|value| (low..=high).contains(&value))
    };
    let mut parts = date.split('-');
    let (year, month, day) = (parts.next(), parts.next(), parts.next());
    let days = match (year.and_then(|year| number(year, 4)), month.and_then(|month| number(month, 2))) {
        (Some(year), Some(2)) if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        (Some(_), Some(2)) => 28,
        (Some(_), Some(4 | 6 | 9 | 11)) => 30,
        (Some(_), Some(1..=12)) => 31,
        _ => return false,
    };
    let date = within(day, 2, 1, days) && parts.next().is_none();
    let (clock, fraction) = time.split_once('.').unwrap_or((time, "0"));
    let mut parts = clock.split(':');
    let clock = within(parts.next(), 2, 0, 23)
        && within(parts.next(), 2, 0, 59)
        && within(parts.next(), 2, 0, 59)
        && parts.next().is_none();
    let fraction = (1..=9).contains(&fraction.len()) && fraction.bytes().all(|byte| byte.is_ascii_digit());
    let zone = zone == "Z" || {
        let mut parts = zone.get(1..).unwrap_or("").split(':');
        within(parts.next(), 2, 0, 18) && within(parts.next(), 2, 0, 59) && parts.next().is_none()
    };
    date && clock && fraction && zone
}

/// What an event has that the engine compares with the digits of addresses.
enum Digits {
    /// A string that is an address, and its hexadecimal digits.
    Address(String, String),
    /// A number as the service writes it.
    Number(String),
}

/// The event as the service passes it to the engine, and the scalars that addresses are compared with.
fn written_anew(tree: &Tree<'_>) -> (String, Vec<Digits>) {
    let text = tree.text();
    let (mut out, mut seen, mut copied) = (String::with_capacity(text.len()), Vec::new(), 0);
    for node in &tree.nodes {
        match node.kind {
            Kind::Number => {
                let token = node.span.slice(text);
                let number = if token.contains(['.', 'e', 'E']) { rounded(token) } else { token.to_owned() };
                out.push_str(text.get(copied..node.span.start as usize).unwrap_or(""));
                out.push_str(&number);
                copied = node.span.end as usize;
                seen.push(Digits::Number(number));
            }
            Kind::String => {
                let value = tree.string(node.span);
                if let Ok(address) = Address::parse(value.as_bytes()) {
                    seen.push(Digits::Address(value.into_owned(), hex(address.family, address.bits)));
                }
            }
            Kind::Object | Kind::Array | Kind::True | Kind::False | Kind::Null => {}
        }
    }
    out.push_str(text.get(copied..tree.end as usize).unwrap_or(""));
    (out, seen)
}

/// A number through a 64-bit floating point number and back, in the form in which Java prints it.
fn rounded(token: &str) -> String {
    let value: f64 = token.parse().unwrap_or(0.0);
    if value.is_infinite() {
        return if value > 0.0 { "\"Infinity\"".to_owned() } else { "\"-Infinity\"".to_owned() };
    }
    let sign = if value.is_sign_negative() { "-" } else { "" };
    if value == 0.0 {
        return format!("{sign}0.0");
    }
    let (_, digits, exponent) = NumberKey::from_f64(value).decimal();
    if digits < 10 && value.abs() < 1e-321 {
        // For the smallest numbers, Java prints at least two digits.
        return format!("{value:.1e}").replace('e', "E");
    }
    let digits = digits.to_string();
    let trimmed = digits.trim_end_matches('0');
    let digits_length = i64::try_from(digits.len()).unwrap_or(0);
    // The place of the point, counted from the first digit.
    let point = exponent + digits_length;
    let places = usize::try_from(point).unwrap_or(0);
    match point {
        1..=7 => {
            let padded = format!("{trimmed:0<width$}", width = places + 1);
            let (whole, fraction) = padded.split_at(places);
            format!("{sign}{whole}.{fraction}")
        }
        -2..=0 => format!("{sign}0.{}{trimmed}", "0".repeat(usize::try_from(-point).unwrap_or(0))),
        _ => {
            let (first, rest) = trimmed.split_at(1);
            format!("{sign}{first}.{}E{}", if rest.is_empty() { "0" } else { rest }, point - 1)
        }
    }
}

fn hex(family: Family, bits: u128) -> String {
    match family {
        Family::V4 => format!("{bits:08X}"),
        Family::V6 => format!("{bits:032X}"),
    }
}

/// Adds to a list what the engine matches beyond its plain meaning. `numeric`: whether some list of the path compares
/// numbers.
fn accidents(numeric: bool, tests: &mut Vec<Test>, seen: &[Digits]) {
    let mut more = Vec::new();
    let string = |text: &str| TestKind::Exactly(Operand { text: text.into(), span: Span::default() });
    let mut blocks = Vec::new();
    for test in tests.iter_mut() {
        match &mut test.kind {
            TestKind::Cidr(_, block) => blocks.push((hex(block.family, block.low), hex(block.family, block.high))),
            TestKind::String(operand) => {
                if let Ok(address) = Address::parse(operand.text.as_bytes()) {
                    let digits = hex(address.family, address.bits);
                    blocks.push((digits.clone(), digits));
                }
            }
            TestKind::Prefix(operand) => more.extend(operand.text.strip_suffix('"').map(string)),
            TestKind::Suffix(operand) => more.extend(operand.text.strip_prefix('"').map(string)),
            TestKind::AnythingBut(excluded) => quotes(excluded),
            _ => {}
        }
    }
    for digits in seen {
        let (hex, kind) = match digits {
            Digits::Address(text, hex) => (hex, string(text)),
            Digits::Number(token) if !numeric || Spelling::of(token.as_bytes()).key().is_none() => {
                (token, TestKind::Number(PatternNumber::new(token.as_str())))
            }
            Digits::Number(_) => continue,
        };
        let spelled = |test: &Test| match &test.kind {
            TestKind::Number(number) => matches!(digits, Digits::Address(..)) && *number.spelling == **hex,
            _ => false,
        };
        if blocks.iter().any(|(low, high)| holds(low, high, hex)) || (!blocks.is_empty() && tests.iter().any(spelled)) {
            more.push(kind);
        }
    }
    tests.extend(more.into_iter().map(|kind| Test { span: Span::default(), kind }));
}

/// Exclusions that include the quote around the string, as wildcards.
fn quotes(excluded: &mut AnythingBut) {
    let (operands, prefix) = match excluded {
        AnythingBut::Prefix(operands) => (operands, true),
        AnythingBut::Suffix(operands) => (operands, false),
        _ => return,
    };
    let leaked = |text: &str| {
        let rest = if prefix { text.strip_suffix('"') } else { text.strip_prefix('"') };
        rest.map(str::to_owned)
    };
    if !operands.iter().any(|operand| leaked(&operand.text).is_some()) {
        return;
    }
    let escaped = |text: &str| text.replace('\\', "\\\\").replace('*', "\\*");
    let wildcards = operands.iter().flat_map(|operand| {
        let text = escaped(&operand.text);
        let affix = if prefix { format!("{text}*") } else { format!("*{text}") };
        [Some(affix), leaked(&operand.text).map(|text| escaped(&text))].into_iter().flatten()
    });
    let wildcards = wildcards.filter_map(|text| {
        let wildcard = Wildcard::parse(&text).ok()?;
        Some(WildcardOperand { operand: Operand { text: text.into(), span: Span::default() }, wildcard })
    });
    *excluded = AnythingBut::Wildcard(wildcards.collect());
}

/// Whether the engine finds the digits in the block from `low` to `high`: it decides on the first digits that differ,
/// and does not look at the rest.
fn holds(low: &str, high: &str, digits: &str) -> bool {
    let (low, high, digits) = (low.as_bytes(), high.as_bytes(), digits.as_bytes());
    if low == high {
        return digits.starts_with(low);
    }
    let common = low.iter().zip(high).take_while(|(low, high)| low == high).count();
    if digits.get(..common) != low.get(..common) {
        return false;
    }
    let digit = |byte: u8| byte.is_ascii_digit() || (b'A'..=b'F').contains(&byte);
    let (Some(first), Some(least), Some(most)) = (digits.get(common), low.get(common), high.get(common)) else {
        return false;
    };
    if !digit(*first) || first < least || first > most {
        return false;
    }
    if first > least && first < most {
        return true;
    }
    let (bound, above) = if first == least { (low, true) } else { (high, false) };
    for (at, bound) in bound.iter().enumerate().skip(common + 1) {
        match digits.get(at) {
            Some(byte) if digit(*byte) && byte == bound => {}
            Some(byte) if digit(*byte) => return (byte > bound) == above,
            _ => return false,
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::{is_time, rounded};

    #[test]
    fn numbers_are_printed_as_java_prints_them() {
        for (token, printed) in [
            ("1.0000000000000001", "1.0"),
            ("1e2", "100.0"),
            ("1.5e6", "1500000.0"),
            ("1e7", "1.0E7"),
            ("12345678.5", "1.23456785E7"),
            ("0.001", "0.001"),
            ("0.00012", "1.2E-4"),
            ("-0.0", "-0.0"),
            ("1e-400", "0.0"),
            ("5e-324", "4.9E-324"),
            ("901.8", "901.8"),
            ("1e309", "\"Infinity\""),
        ] {
            assert_eq!(rounded(token), printed, "{token}");
        }
    }

    #[test]
    fn times() {
        for time in ["2022-07-13T13:48:01Z", "2024-02-29T00:00:00.123Z", "2026-05-14T06:00:00+02:00"] {
            assert!(is_time(time), "{time}");
        }
        for time in ["", "now", "2022-07-13", "2022-13-13T13:48:01Z", "2023-02-29T00:00:00Z", "2022-07-13T13:48:01"] {
            assert!(!is_time(time), "{time}");
        }
    }
}
