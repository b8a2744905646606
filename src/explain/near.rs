//! Why one value does not satisfy one test, and how near it is.

use super::alike::{Likeness, likeness};
use super::report::MissKind;
use super::scalar::{self, Value};
use super::words::{json, plain, quoted};
use crate::pattern::ast::{AnythingBut, Test, TestKind};
use crate::value::{Address, End, Family, Fold, NumericRange, Spelling, is_out_of_range, lower_text, roughly};

/// A miss without its place.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Near {
    pub(super) kind: MissKind,
    /// Precedes the value, as in "`path` is the string "7", …"; may be empty.
    pub(super) noun: &'static str,
    /// Goes after "`path` is VALUE, ".
    pub(super) clause: String,
    pub(super) help: Option<String>,
}

impl Near {
    fn new(kind: MissKind, clause: impl Into<String>) -> Near {
        Near { kind, noun: "", clause: clause.into(), help: None }
    }

    /// Names the type of the value where the type is the point.
    fn of(mut self, value: &Value<'_>) -> Near {
        self.noun = match value {
            Value::String(_) => "the string ",
            Value::Number(_) => "the number ",
            Value::Bool(_) => "the boolean ",
            Value::Null => "",
        };
        self
    }

    fn help(mut self, help: impl Into<String>) -> Near {
        self.help = Some(help.into());
        self
    }
}

/// What to say about a value that fails a test; none if they have little to do with each other.
pub(super) fn near(test: &Test, value: &Value<'_>) -> Option<Near> {
    match &test.kind {
        TestKind::String(operand) => literal(&operand.text, value, true),
        TestKind::Exactly(operand) => literal(&operand.text, value, false),
        TestKind::Number(number) => numeral(&number.spelling, value),
        TestKind::Bool(wanted) => keyword(&wanted.to_string(), value),
        TestKind::Null => keyword("null", value),
        TestKind::Prefix(operand) => affix(&operand.text, value, End::Front, Case::AsWritten),
        TestKind::Suffix(operand) => affix(&operand.text, value, End::Back, Case::AsWritten),
        TestKind::PrefixIgnoreCase(fold) => affix(&fold.operand.text, value, End::Front, Case::Any),
        TestKind::SuffixIgnoreCase(fold) => affix(&fold.operand.text, value, End::Back, Case::Any),
        TestKind::EqualsIgnoreCase(fold) => match value {
            Value::String(text) => folded(&fold.operand.text, text),
            Value::Number(_) | Value::Bool(_) | Value::Null => only_strings("equals-ignore-case", value),
        },
        TestKind::Wildcard(wildcard) => match value {
            Value::String(text) => form(&wildcard.operand.text, wildcard.wildcard.pieces(), text),
            Value::Number(_) | Value::Bool(_) | Value::Null => only_strings("wildcard", value),
        },
        TestKind::Numeric(range) => range_miss(range, value),
        TestKind::Cidr(operand, block) => match value {
            Value::String(text) => Some(match Address::parse(text.as_bytes()) {
                Err(_) => Near::new(MissKind::Address, "which is not an IP address")
                    .help("`cidr` matches only single addresses such as `10.0.0.1`, without a port; host names and blocks never match"),
                Ok(address) if address.family != block.family => Near::new(
                    MissKind::Address,
                    match address.family {
                        Family::V4 => format!("an IPv4 address, but {} is an IPv6 block", plain(&operand.text)),
                        Family::V6 => format!("an IPv6 address, but {} is an IPv4 block", plain(&operand.text)),
                    },
                ),
                Ok(_) => Near::new(MissKind::Address, format!("which is outside {}", plain(&operand.text))),
            }),
            Value::Number(_) | Value::Bool(_) | Value::Null => only_strings("cidr", value),
        },
        TestKind::Exists(true) => None,
        TestKind::Exists(false) => Some(Near::new(MissKind::Present, "but must be absent")),
        TestKind::AnythingBut(excluded) => Some(excluded_by(excluded, value)),
    }
}

fn literal(wanted: &str, value: &Value<'_>, addresses: bool) -> Option<Near> {
    let text = match value {
        Value::String(text) => &**text,
        Value::Number(token) if Spelling::of(wanted.as_bytes()).key().is_some() => {
            let same = Spelling::of(wanted.as_bytes()) == Spelling::of(token.as_bytes());
            return same.then(|| {
                Near::new(MissKind::Quoted, format!("but the pattern expects the string {}", quoted(wanted)))
                    .of(value)
                    .help(format!("remove the quotes in the pattern: {}", plain(wanted)))
            });
        }
        Value::Bool(found) if wanted.eq_ignore_ascii_case(&found.to_string()) => {
            return Some(
                Near::new(MissKind::Quoted, format!("but the pattern expects the string {}", quoted(wanted)))
                    .of(value)
                    .help(format!("remove the quotes in the pattern: {found}")),
            );
        }
        Value::Null if wanted.eq_ignore_ascii_case("null") => {
            return Some(
                Near::new(MissKind::Quoted, format!("but the pattern expects the string {}", quoted(wanted)))
                    .help("remove the quotes in the pattern: null"),
            );
        }
        Value::Null => {
            return Some(Near::new(MissKind::NullValue, format!("but the pattern expects {}", quoted(wanted))));
        }
        Value::Number(_) | Value::Bool(_) => return None,
    };
    if wanted.contains('*') && star_matches(wanted, text) {
        return Some(
            Near::new(
                MissKind::LiteralStar,
                format!("but `*` in {} is a literal character: only `wildcard` gives it a meaning", quoted(wanted)),
            )
            .help(format!("write {{\"wildcard\": {}}}", quoted(wanted))),
        );
    }
    if !addresses
        && let (Ok(left), Ok(right)) = (Address::parse(wanted.as_bytes()), Address::parse(text.as_bytes()))
        && left == right
    {
        return Some(
            Near::new(MissKind::Spelling, format!("the same address as {}, spelled differently", quoted(wanted)))
                .help("remove `exactly`: a plain string matches every spelling of an address"),
        );
    }
    alike(wanted, text)
}

/// Two strings that should have been the same.
fn alike(wanted: &str, text: &str) -> Option<Near> {
    let expects = format!("but the pattern expects {}", quoted(wanted));
    Some(match likeness(wanted, text)? {
        Likeness::LetterCase => Near::new(MissKind::LetterCase, format!("{expects}: they differ only in case"))
            .help(format!("use the event's spelling, or {{\"equals-ignore-case\": {}}}", quoted(wanted))),
        Likeness::WhiteSpace => {
            Near::new(MissKind::WhiteSpace, format!("{expects}: they differ in {}", white_space(wanted, text)))
        }
        Likeness::UnicodeForm => Near::new(
            MissKind::UnicodeForm,
            format!("{expects}: they look the same, but use different Unicode normalization forms"),
        )
        .help("list both spellings, or normalize both sides to NFC"),
        Likeness::LookAlike => Near::new(
            MissKind::LookAlike,
            format!("{expects}: they look the same, but differ {}", first_difference(wanted, text)),
        ),
        Likeness::Spelling { at, edits } => {
            let what = match edits {
                1 => String::new(),
                _ => format!("in {edits} characters, first "),
            };
            Near::new(MissKind::Spelling, format!("{expects}: they differ {what}{}", difference_at(wanted, text, at)))
        }
    })
}

fn white_space(wanted: &str, text: &str) -> String {
    let ends = |text: &str| (text.len() - text.trim_start().len(), text.len() - text.trim_end().len());
    if wanted.trim() == text.trim() {
        let (wanted, text) = (ends(wanted), ends(text));
        return match (wanted.0 == text.0, wanted.1 == text.1) {
            (false, true) => "leading whitespace".to_owned(),
            (true, false) => "trailing whitespace".to_owned(),
            _ => "the whitespace at both ends".to_owned(),
        };
    }
    format!("whitespace or invisible characters, first {}", first_difference(wanted, text))
}

fn first_difference(wanted: &str, text: &str) -> String {
    let at = wanted.chars().zip(text.chars()).take_while(|(left, right)| left == right).count();
    difference_at(wanted, text, at)
}

fn difference_at(wanted: &str, text: &str, at: usize) -> String {
    let name = |char: Option<char>| match char {
        None => "the end of the string".to_owned(),
        Some(char) if char.is_ascii_graphic() || char.is_alphanumeric() => format!("`{char}`"),
        Some(' ') => "a space".to_owned(),
        Some(char) => format!("the character U+{:04X}", u32::from(char)),
    };
    format!(
        "at character {}: {} in the event, {} in the pattern",
        at + 1,
        name(text.chars().nth(at)),
        name(wanted.chars().nth(at))
    )
}

/// Why a number cannot be compared.
fn incomparable(number: &[u8]) -> &'static str {
    match is_out_of_range(number) {
        true => "is too large or too close to zero to compare",
        false => "has too many digits to compare (more than about 16)",
    }
}

fn numeral(wanted: &str, value: &Value<'_>) -> Option<Near> {
    let key = Spelling::of(wanted.as_bytes()).key();
    match value {
        Value::String(text) if Spelling::of(text.trim().as_bytes()).key().is_some_and(|found| Some(found) == key) => {
            Some(
                Near::new(MissKind::Quoted, format!("but the pattern expects the number {}", plain(wanted)))
                    .of(value)
                    .help(format!("quote the number in the pattern: {}", quoted(text))),
            )
        }
        Value::Number(token) => {
            let found = Spelling::of(token.as_bytes()).key();
            let (left, right) = (roughly(wanted.as_bytes())?, roughly(token.as_bytes())?);
            if (left - right).abs() > left.abs() * 1e-6 {
                return None;
            }
            if found.is_none() || key.is_none() {
                let (whose, number) = match key {
                    None => ("the pattern's number", wanted.as_bytes()),
                    Some(_) => ("the event's number", token.as_bytes()),
                };
                return Some(Near::new(
                    MissKind::Precision,
                    format!(
                        "but the pattern expects {}: {whose} {}, so only the same digits match it",
                        plain(wanted),
                        incomparable(number)
                    ),
                ));
            }
            Some(
                Near::new(
                    MissKind::Precision,
                    format!("but the pattern expects {}: numbers are compared exactly", plain(wanted)),
                )
                .help(format!(
                    "to allow for rounding, write a range around {}: {{\"numeric\": [\">=\", …, \"<=\", …]}}",
                    plain(wanted)
                )),
            )
        }
        Value::Bool(_) => Some(
            Near::new(MissKind::OtherType, format!("but the pattern expects the number {}", plain(wanted))).of(value),
        ),
        Value::Null => Some(Near::new(MissKind::NullValue, format!("but the pattern expects {}", plain(wanted)))),
        Value::String(_) => None,
    }
}

fn keyword(wanted: &str, value: &Value<'_>) -> Option<Near> {
    match value {
        Value::String(text) if text.trim().eq_ignore_ascii_case(wanted) => Some(
            Near::new(MissKind::Quoted, format!("but the pattern expects {}", named(wanted)))
                .of(value)
                .help(format!("quote it in the pattern: {}", quoted(text))),
        ),
        Value::String(text) if text.is_empty() && wanted == "null" => Some(
            Near::new(MissKind::OtherType, "but the pattern expects null")
                .of(value)
                .help("write \"\" to match the empty string"),
        ),
        Value::Number(token) if wanted != "null" && matches!(*token, "0" | "1") => {
            Some(Near::new(MissKind::OtherType, format!("but the pattern expects {}", named(wanted))).of(value))
        }
        Value::Null => Some(Near::new(MissKind::NullValue, format!("but the pattern expects {}", named(wanted)))),
        Value::String(_) | Value::Number(_) | Value::Bool(_) => None,
    }
}

/// `null`, or a boolean with the name of its type.
fn named(wanted: &str) -> String {
    if wanted == "null" { wanted.to_owned() } else { format!("the boolean {wanted}") }
}

/// Whether case matters.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Case {
    AsWritten,
    Any,
}

fn affix(wanted: &str, value: &Value<'_>, end: End, case: Case) -> Option<Near> {
    let front = end == End::Front;
    let operator = if front { "prefix" } else { "suffix" };
    let Value::String(text) = value else { return only_strings(operator, value) };
    let verb = if front { "begin" } else { "end" };
    let folds = Fold::new(wanted);
    let fails = format!("which does not {verb} with {}", quoted(wanted));
    if case == Case::AsWritten && (if front { folds.starts(text.as_bytes()) } else { folds.ends(text.as_bytes()) }) {
        return Some(
            Near::new(MissKind::LetterCase, format!("{fails}: they differ only in case"))
                .help(format!("write {{\"{operator}\": {{\"equals-ignore-case\": {}}}}}", quoted(wanted))),
        );
    }
    if wanted.contains('*') {
        return Some(
            Near::new(MissKind::LiteralStar, format!("{fails}; `*` is a literal character in `{operator}`"))
                .help("use {\"wildcard\": …}, or remove the `*`"),
        );
    }
    let other = if front { text.ends_with(wanted) } else { text.starts_with(wanted) };
    if other {
        let (there, instead) = if front { ("ends", "suffix") } else { ("begins", "prefix") };
        return Some(
            Near::new(MissKind::OtherEnd, format!("which {there} with {}, but must {verb} with it", quoted(wanted)))
                .help(format!("write {{\"{instead}\": {}}}", quoted(wanted))),
        );
    }
    if !wanted.is_empty() && text.contains(wanted) {
        return Some(
            Near::new(MissKind::OtherEnd, format!("which contains {}, but does not {verb} with it", quoted(wanted)))
                .help(format!("to match it anywhere, write {{\"wildcard\": {}}}", quoted(&format!("*{wanted}*")))),
        );
    }
    // The part of the text that the affix would have to equal.
    let count = wanted.chars().count();
    let have: String = if front {
        text.chars().take(count).collect()
    } else {
        text.chars().skip(text.chars().count().saturating_sub(count)).collect()
    };
    let near = match likeness(wanted, &have)? {
        Likeness::UnicodeForm => {
            (MissKind::UnicodeForm, "they look the same, but use different Unicode normalization forms")
        }
        Likeness::LookAlike => (MissKind::LookAlike, "they look the same, but some characters differ"),
        Likeness::WhiteSpace => (MissKind::WhiteSpace, "they differ only in whitespace"),
        Likeness::Spelling { .. } | Likeness::LetterCase => (MissKind::Spelling, "they differ in a few characters"),
    };
    Some(Near::new(near.0, format!("{fails}: {}", near.1)))
}

fn folded(wanted: &str, text: &str) -> Option<Near> {
    let expects = format!("but the pattern expects {} (ignoring case)", quoted(wanted));
    if lower_text(wanted) == lower_text(text) {
        return Some(Near::new(
            MissKind::LetterCase,
            format!("{expects}: the service maps case one character at a time, and these do not map to each other"),
        ));
    }
    if wanted.contains('*') && star_matches(&lower_text(wanted), &lower_text(text)) {
        return Some(Near::new(
            MissKind::LiteralStar,
            format!("but `*` in {} is a literal character: only `wildcard` gives it a meaning", quoted(wanted)),
        ));
    }
    alike(&lower_text(wanted), &lower_text(text)).map(|near| Near { help: None, ..near })
}

fn form(wanted: &str, pieces: &[Box<[u8]>], text: &str) -> Option<Near> {
    let fails = format!("which does not match the wildcard {}", quoted(wanted));
    let lower = |bytes: &[u8]| lower_text(&String::from_utf8_lossy(bytes)).into_bytes();
    let caseless: Vec<Vec<u8>> = pieces.iter().map(|piece| lower(piece)).collect();
    if fits(&caseless, lower_text(text).as_bytes()) {
        return Some(
            Near::new(MissKind::LetterCase, format!("{fails}: they differ only in case"))
                .help("`wildcard` is case-sensitive; list each spelling"),
        );
    }
    let mut open: Vec<Vec<u8>> = pieces.iter().map(|piece| piece.to_vec()).collect();
    if open.first().is_some_and(|piece| !piece.is_empty()) {
        open.insert(0, Vec::new());
    }
    if open.last().is_some_and(|piece| !piece.is_empty()) {
        open.push(Vec::new());
    }
    if wanted.len() > 1 && fits(&open, text.as_bytes()) {
        return Some(
            Near::new(MissKind::OtherEnd, format!("{fails}: it matches only a part, but must match the whole string"))
                .help("add `*` at the end where other text is allowed"),
        );
    }
    if wanted.contains(['?', '[', '{']) && !text.contains(['?', '[', '{']) {
        return Some(Near::new(
            MissKind::LiteralStar,
            format!("{fails}: only `*` is special in it, `?` and brackets are literal characters"),
        ));
    }
    None
}

/// Whether the string is the pieces with anything between them.
fn fits(pieces: &[Vec<u8>], text: &[u8]) -> bool {
    let (first, middle, last) = match pieces {
        [] => return false,
        [only] => return only == text,
        [first, middle @ .., last] => (first, middle, last),
    };
    let Some(mut rest) = text.strip_prefix(&**first).and_then(|rest| rest.strip_suffix(&**last)) else { return false };
    for piece in middle {
        match memchr::memmem::find(rest, piece).and_then(|at| rest.get(at + piece.len()..)) {
            Some(behind) => rest = behind,
            None => return false,
        }
    }
    true
}

fn star_matches(wanted: &str, text: &str) -> bool {
    let pieces: Vec<Vec<u8>> = wanted.split('*').map(|piece| piece.as_bytes().to_vec()).collect();
    fits(&pieces, text.as_bytes())
}

fn range_miss(range: &NumericRange, value: &Value<'_>) -> Option<Near> {
    match value {
        Value::String(text) => {
            let number = Spelling::of(text.trim().as_bytes()).key();
            Some(match number {
                Some(key) if range.contains(key) => only_numbers(MissKind::Quoted, value).help(
                    "if you control the sender, send the number without quotes; otherwise list the strings to accept",
                ),
                Some(_) => only_numbers(MissKind::Quoted, value),
                None => only_numbers(MissKind::OtherType, value),
            })
        }
        Value::Number(token) => {
            let Some(key) = Spelling::of(token.as_bytes()).key() else {
                let why = incomparable(token.as_bytes());
                let message = format!("which {why}; `numeric` never matches such a number");
                return Some(Near::new(MissKind::Precision, message));
            };
            if range.equals {
                return range.low.as_ref().and_then(|bound| numeral(&bound.number.spelling, value));
            }
            for (bound, sign, edge) in [(&range.low, ">", "not above"), (&range.high, "<", "not below")] {
                let Some(bound) = bound else { continue };
                let spelling = plain(&bound.number.spelling);
                if bound.key == key && !bound.inclusive {
                    return Some(
                        Near::new(
                            MissKind::Precision,
                            format!("which is {edge} {spelling}: `{sign}` excludes {spelling} itself"),
                        )
                        .help(format!("write `{sign}=` to include {spelling}")),
                    );
                }
                if (sign == ">" && key < bound.key) || (sign == "<" && key > bound.key) {
                    let not = if bound.inclusive { format!("{sign}=") } else { sign.to_owned() };
                    return Some(Near::new(MissKind::OutOfRange, format!("which is not {not} {spelling}")));
                }
            }
            None
        }
        Value::Null => Some(only_numbers(MissKind::NullValue, value)),
        Value::Bool(_) => Some(only_numbers(MissKind::OtherType, value)),
    }
}

fn only_numbers(kind: MissKind, value: &Value<'_>) -> Near {
    Near::new(kind, "but `numeric` matches only numbers").of(value)
}

fn only_strings(operator: &str, value: &Value<'_>) -> Option<Near> {
    let kind = match value {
        Value::Number(_) | Value::Bool(_) => MissKind::OtherType,
        Value::Null => MissKind::NullValue,
        Value::String(_) => return None,
    };
    Some(Near::new(kind, format!("but `{operator}` matches only strings")).of(value))
}

fn excluded_by(excluded: &AnythingBut, value: &Value<'_>) -> Near {
    let text = value.as_text().unwrap_or("");
    let clause = match excluded {
        AnythingBut::Strings(_) | AnythingBut::Numbers(_) => "which `anything-but` excludes".to_owned(),
        AnythingBut::Prefix(list) => first_of(list.iter().map(|operand| &*operand.text), |it| text.starts_with(it))
            .map_or_else(String::new, |it| format!("which begins with {}, so `anything-but` excludes it", quoted(it))),
        AnythingBut::Suffix(list) => first_of(list.iter().map(|operand| &*operand.text), |it| text.ends_with(it))
            .map_or_else(String::new, |it| format!("which ends with {}, so `anything-but` excludes it", quoted(it))),
        AnythingBut::EqualsIgnoreCase(list) => {
            list.iter().find(|fold| fold.fold.equals(text.as_bytes())).map_or_else(String::new, |fold| {
                format!("which is {} (ignoring case), so `anything-but` excludes it", quoted(&fold.operand.text))
            })
        }
        AnythingBut::Wildcard(list) => list
            .iter()
            .find(|wildcard| wildcard.wildcard.matches(text.as_bytes()))
            .map_or_else(String::new, |wildcard| {
                format!("which matches the wildcard {}, so `anything-but` excludes it", quoted(&wildcard.operand.text))
            }),
    };
    debug_assert!(scalar::excludes(excluded, value));
    Near::new(MissKind::Excluded, clause)
}

fn first_of<'a>(mut list: impl Iterator<Item = &'a str>, test: impl Fn(&str) -> bool) -> Option<&'a str> {
    list.find(|it| test(it))
}

/// The value as written in the event.
pub(super) fn shown(text: &str) -> String {
    json(text)
}
