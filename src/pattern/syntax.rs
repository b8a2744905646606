//! A string that is not JSON: what is wrong in plain words, how to fix it, and what the service's parser says.

use std::borrow::Cow;

use super::location;
use super::options::ParseOptions;
use super::parse::AT_END;
use crate::base::Span;
use crate::base::text::shortened;
use crate::diagnostic::{Applicability, Code, Finding, Severity};
use crate::dialect::{BusVersion, wording};
use crate::json::{Expected, Kind, Node, NumberFault, SyntaxError, SyntaxKind, Tree};
use crate::limit::{Limit, Limits};

/// What the service's parser lists as values.
const VALUES: &str = "(JSON String, Number, Array, Object or token 'null', 'true' or 'false')";

/// Words a syntax error of the tree.
#[cold]
pub(super) fn finding(tree: &Tree<'_>, error: &SyntaxError, options: &ParseOptions) -> Finding {
    let text = tree.text();
    if let SyntaxKind::Limit(name) = error.kind {
        return limit(error, name, options.engine_limits());
    }
    if tree.nodes.is_empty() && error.kind == SyntaxKind::Truncated(Expected::Root) {
        return Finding::new(Code::NotAnObject, Severity::Error, error.span, "the pattern is empty")
            .label("nothing here")
            .help("write an object: `{\"field\": [\"value\"]}`")
            .service(wording::NOT_AN_OBJECT, error.at);
    }
    // SNS does not show the policy, and has parsed it before anything is compiled.
    let sns = options.dialect().is_sns();
    let said = wording(tree, error, if sns { location::redacted } else { location::location });
    let finding = suggest(describe(text, error), tree, error);
    if !sns && in_exclusions(tree) {
        // An error raised there is caught, and raised again with the place that the parser has read to.
        let first = location::location(text, said.place);
        let again = said.read.max(said.place);
        return finding.service(format!("{}\n at {first}", said.text), again);
    }
    let raised_at = said.place;
    finding.service(said.text, raised_at)
}

fn limit(error: &SyntaxError, name: Limit, limits: &Limits) -> Finding {
    let (what, value) = match name {
        Limit::Depth => ("objects and arrays are nested too deeply", limits.depth),
        Limit::NumberBytes => ("a number is too long", limits.number_bytes),
        Limit::KeyBytes => ("a field name is too long", limits.key_bytes),
        Limit::PatternBytes
        | Limit::EventBytes
        | Limit::OrCombinations
        | Limit::PathsPerBranch
        | Limit::PathBytes
        | Limit::TableBytes
        | Limit::JoinSteps => ("the pattern is too long", limits.pattern_bytes),
    };
    let mut finding = Finding::new(Code::LimitExceeded, Severity::Error, error.span, what)
        .label("beyond the limit")
        .help(format!("the limit `{name}` is {value}"));
    finding.raised_at = error.at.min(AT_END);
    finding
}

fn describe(text: &str, error: &SyntaxError) -> Finding {
    let found = error.span.slice(text);
    let new = |message: String| Finding::new(Code::Syntax, Severity::Error, error.span, message);
    match error.kind {
        SyntaxKind::Character(expected) => {
            new(format!("expected {}, found `{}`", wanted(expected), short(found))).label("unexpected")
        }
        SyntaxKind::Truncated(expected) => {
            new(format!("expected {}, but the pattern is cut off", wanted(expected))).label("the pattern ends here")
        }
        SyntaxKind::UnterminatedString(_) => {
            new("the pattern is cut off inside a string".to_owned()).label("begins here")
        }
        SyntaxKind::UnfinishedNumber => {
            new("the pattern is cut off inside a number".to_owned()).label("digits are missing")
        }
        SyntaxKind::Word => new(format!("expected a value, found `{}`", short(found))).label("not a JSON value"),
        SyntaxKind::NonFinite => new(format!("expected a value, found `{}`", short(found))).label("not a JSON number"),
        SyntaxKind::Number(fault) => new(match fault {
            NumberFault::AfterMinus => "expected a digit after `-`",
            NumberFault::LeadingZero => "a number cannot begin with `0` before other digits",
            NumberFault::AfterPoint => "expected a digit after the decimal point",
            NumberFault::AfterExponent => "expected a digit in the exponent",
        }
        .to_owned())
        .label("not a JSON number"),
        SyntaxKind::ControlCharacter => new("expected an escape, found a control character in a string".to_owned())
            .label("must be escaped")
            .help("write a line break as `\\n` and a tab as `\\t`"),
        SyntaxKind::Escape => new(format!("expected a JSON escape, found `{}`", short(found))).label("not an escape"),
        SyntaxKind::UnicodeEscape => {
            new("expected four hexadecimal digits after `\\u`".to_owned()).label("not an escape")
        }
        SyntaxKind::Utf8 => new("the pattern is not valid UTF-8".to_owned()),
        SyntaxKind::Limit(_) | SyntaxKind::Trailing | SyntaxKind::NotAnObject => new("the text is not JSON".to_owned()),
    }
}

fn wanted(expected: Expected) -> &'static str {
    match expected {
        Expected::Root => "a JSON object",
        Expected::Value => "a value",
        Expected::ElementOrEnd => "a value or `]`",
        Expected::Key => "a double-quoted field name",
        Expected::KeyOrEnd => "a double-quoted field name or `}`",
        Expected::Colon => "`:`",
        Expected::CommaOrObjectEnd => "`,` or `}`",
        Expected::CommaOrArrayEnd => "`,` or `]`",
    }
}

/// Adds what was probably meant.
fn suggest(finding: Finding, tree: &Tree<'_>, error: &SyntaxError) -> Finding {
    let text = tree.text();
    let whole = Span::new(0, u32::try_from(text.len()).unwrap_or(u32::MAX));
    let at = error.at as usize;
    let rest = text.get(at..).unwrap_or("");
    let char = rest.chars().next();
    let better = |changed: String| parses(&changed).then_some(changed);
    // Mistakes in the quoting of the whole text.
    if char == Some('\\')
        && let Some(changed) = better(text.replace("\\\"", "\"").replace("\\\\", "\\"))
    {
        return finding
            .help("remove the backslashes: this looks like JSON that was escaped for a shell or another language")
            .fix("remove the backslashes", whole, changed, Applicability::Safe);
    }
    if char == Some('\'') {
        let finding = finding.help("use double quotes, `\"`, around field names and strings");
        let swapped: String = text.chars().map(|char| if char == '\'' { '"' } else { char }).collect();
        return match better(swapped).filter(|_| !text.contains('"')) {
            Some(changed) => finding.fix("use double quotes", whole, changed, Applicability::Safe),
            None => finding,
        };
    }
    if matches!(char, Some('“' | '”' | '„' | '‘' | '’' | '«' | '»')) {
        let finding = finding.help("replace the typographic quotes with plain ones: `\"`");
        return match better(text.replace(['“', '”', '„'], "\"")) {
            Some(changed) => finding.fix("use plain quotes", whole, changed, Applicability::Safe),
            None => finding,
        };
    }
    match error.kind {
        SyntaxKind::Character(expected) => character(finding, text, expected, at, rest),
        SyntaxKind::Word => word(finding, text, error),
        SyntaxKind::Number(NumberFault::LeadingZero) => {
            finding.help("remove the leading zeros, or quote the value if it is not a number")
        }
        SyntaxKind::Escape => {
            let (start, found) = (error.span.start, error.span.slice(text));
            let finding = finding.help("write a backslash as `\\\\`");
            finding.fix("double the backslash", Span::new(start, start), "\\", Applicability::safe_if(found == "\\*"))
        }
        SyntaxKind::Truncated(expected) => {
            let open: Vec<&Node> = tree.nodes.iter().filter(|node| is_open(node)).collect();
            let closing: String =
                open.iter().rev().map(|node| if node.kind == Kind::Object { '}' } else { ']' }).collect();
            let ended = matches!(expected, Expected::CommaOrObjectEnd | Expected::CommaOrArrayEnd);
            let finding = open.iter().rev().take(3).fold(finding, |finding, node| {
                finding.context(Span::new(node.span.start, node.span.start + 1), "never closed")
            });
            match (ended, open.len()) {
                (true, 1..20) => finding.help(format!("close what is open: `{closing}`")).fix(
                    "close what is open",
                    error.span,
                    closing,
                    Applicability::Unsafe,
                ),
                _ => finding,
            }
        }
        _ => finding,
    }
}

fn character(finding: Finding, text: &str, expected: Expected, at: usize, rest: &str) -> Finding {
    let before = text.get(..at).unwrap_or("").trim_end();
    let offset = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
    let first = rest.chars().next().unwrap_or(' ');
    let inserted = |insert: &str, at: usize| {
        let mut changed = text.to_owned();
        changed.insert_str(at, insert);
        parses(&changed)
    };
    match (expected, first) {
        (Expected::Value | Expected::Key, ']' | '}') if before.ends_with(',') => {
            let what = if expected == Expected::Key { "field" } else { "value" };
            let mut finding = finding.label("trailing comma before this");
            finding.message = format!("expected another {what} after `,`, found `{first}`");
            finding.help("JSON does not allow trailing commas").fix(
                "remove the comma",
                Span::new(offset(before.len() - 1), offset(before.len())),
                "",
                Applicability::Safe,
            )
        }
        (_, '/' | '#') if rest.starts_with("//") || rest.starts_with("/*") || first == '#' => {
            let mut finding = finding.label("comment");
            finding.message = "comments are not allowed in JSON".to_owned();
            finding.help("remove the comment")
        }
        (
            Expected::CommaOrObjectEnd | Expected::CommaOrArrayEnd,
            '"' | '{' | '[' | '0'..='9' | 't' | 'f' | 'n' | '-',
        ) => {
            let end = offset(before.len());
            let finding = finding.label("missing comma before this").help(
                if expected == Expected::CommaOrArrayEnd && first == '{' {
                    "insert a comma; the entries of a list are alternatives (OR)"
                } else {
                    "insert a comma"
                },
            );
            finding.fix("insert a comma", Span::new(end, end), ",", Applicability::safe_if(inserted(",", before.len())))
        }
        (Expected::CommaOrObjectEnd, ']') => finding.help("close the object with `}`"),
        (Expected::CommaOrArrayEnd, '}') => finding.help("close the list with `]`"),
        (Expected::CommaOrArrayEnd, ':') => {
            finding.help("field names belong in an object: write `{ }` instead of `[ ]`")
        }
        (Expected::Colon, '=') => finding.help("write `:` between a field name and its value"),
        (Expected::Key | Expected::KeyOrEnd, _) if first.is_alphanumeric() || first == '_' || first == '$' => {
            let name = rest.split([':', ' ', '\n', '\t', '=', '}', ',']).next().unwrap_or("");
            let (start, end) = (offset(at), offset(at + name.len()));
            let quoted = format!("\"{name}\"");
            let mut changed = text.to_owned();
            changed.replace_range(at..at + name.len(), &quoted);
            finding.help("field names must be in double quotes").fix(
                "quote it",
                Span::new(start, end),
                quoted,
                Applicability::safe_if(parses(&changed)),
            )
        }
        (_, '+') => finding.help("remove the `+`: positive numbers have no sign in JSON"),
        (_, '.') => finding.help("write a digit before the decimal point: `0.5`"),
        (_, '\u{feff}') => finding
            .help("save the pattern without a byte order mark, an invisible character at its start")
            .fix("remove it", Span::new(offset(at), offset(at + 3)), "", Applicability::Safe),
        (Expected::Root, _) => {
            finding.help("a pattern is a JSON object with field names and lists of values: `{\"field\": [\"value\"]}`")
        }
        _ => finding,
    }
}

fn word(finding: Finding, text: &str, error: &SyntaxError) -> Finding {
    let found = error.span.slice(text);
    let meant = match found {
        "True" | "TRUE" | "yes" => "true",
        "False" | "FALSE" | "no" => "false",
        "None" | "NULL" | "Null" | "nil" | "undefined" => "null",
        _ => {
            if error.at == 0 {
                return finding.help("a pattern is a JSON object, such as `{\"source\": [\"aws.ec2\"]}`");
            }
            return finding.help("strings must be in double quotes").fix(
                "quote it",
                error.span,
                format!("\"{found}\""),
                Applicability::Unsafe,
            );
        }
    };
    finding.help(format!("JSON spells it `{meant}`")).fix(
        format!("write `{meant}`"),
        error.span,
        meant,
        Applicability::Safe,
    )
}

fn parses(text: &str) -> bool {
    let tree = Tree::parse(text, &Limits::default());
    tree.error.is_none()
        && tree.nodes.first().is_some_and(|root| root.kind == Kind::Object)
        && text.get(tree.end as usize..).is_some_and(|rest| rest.trim().is_empty())
}

fn is_open(node: &Node) -> bool {
    !node.closed && matches!(node.kind, Kind::Object | Kind::Array)
}

/// Whether the fault lies directly in a list of `anything-but`: the service catches what happens there, and raises it
/// again with a second location.
fn in_exclusions(tree: &Tree<'_>) -> bool {
    let open: Vec<&Node> = tree.nodes.iter().filter(|node| is_open(node)).collect();
    let named = |node: &Node, name: &str| node.key.is_some_and(|key| tree.string(key) == name);
    // An operator is an entry of a field's list; elsewhere `anything-but` is a field.
    let operator = |list: &Node, entry: &Node| {
        list.kind == Kind::Array && !named(list, "$or") && entry.kind == Kind::Object && entry.key.is_none()
    };
    match open.as_slice() {
        [.., field, entry, list] if list.kind == Kind::Array && named(list, "anything-but") => operator(field, entry),
        [.., field, entry, inner, list] if list.kind == Kind::Array && named(inner, "anything-but") => {
            operator(field, entry)
        }
        _ => false,
    }
}

/// What the service's parser says, the place that it names, and how far it has read by then.
struct Said {
    text: String,
    place: u32,
    read: u32,
}

impl Said {
    /// At the offset that the parser has read to.
    fn read_to(text: String, read: u32) -> Said {
        Said { text, place: read, read }
    }
}

/// What the service's parser says.
fn wording(tree: &Tree<'_>, error: &SyntaxError, location: fn(&str, u32) -> String) -> Said {
    let text = tree.text();
    let at = error.at as usize;
    let rest = text.get(at..).unwrap_or("");
    let char = rest.chars().next();
    let behind = error.at + char.map_or(0, |char| u32::try_from(char.len_utf8()).unwrap_or(1));
    let here = |text: String| Said { text, place: error.at, read: behind };
    let name = || char.map(name_of).unwrap_or_default();
    let unexpected = |comment: &str| here(format!("Unexpected character ({}): {comment}", name()));
    let end = u32::try_from(text.len()).unwrap_or(u32::MAX);
    match error.kind {
        SyntaxKind::Character(expected) => match (expected, char) {
            (_, Some('/')) => unexpected(
                "maybe a (non-standard) comment? (not recognized as one since Feature 'ALLOW_COMMENTS' not enabled for \
                 parser)",
            ),
            (_, Some('\0'..' ')) => Said::read_to(
                format!(
                    "Illegal character ({}): only regular white space (\\r, \\n, \\t) is allowed between tokens",
                    name()
                ),
                behind,
            ),
            (Expected::Root, Some('}')) => here("Unexpected close marker '}': no open Object to close".to_owned()),
            (Expected::Root, Some(']')) => here("Unexpected close marker ']': no open Array to close".to_owned()),
            (Expected::KeyOrEnd | Expected::CommaOrObjectEnd, Some(close @ ']'))
            | (Expected::ElementOrEnd | Expected::CommaOrArrayEnd, Some(close @ '}')) => {
                here(mismatch(tree, close, location))
            }
            (Expected::Key | Expected::KeyOrEnd, _) => unexpected("was expecting double-quote to start field name"),
            (Expected::Colon, _) => unexpected("was expecting a colon to separate field name and value"),
            (Expected::CommaOrObjectEnd, _) => unexpected("was expecting comma to separate Object entries"),
            (Expected::CommaOrArrayEnd, _) => unexpected("was expecting comma to separate Array entries"),
            (_, Some('}')) => unexpected("expected a value"),
            (_, Some('+')) => Said {
                // The character after it has been read too.
                place: behind,
                read: behind + rest.chars().nth(1).map_or(0, |next| u32::try_from(next.len_utf8()).unwrap_or(1)),
                ..here(
                    "Unexpected character ('+' (code 43)) in numeric value: JSON spec does not allow numbers to have \
                     plus signs: enable `JsonReadFeature.ALLOW_LEADING_PLUS_SIGN_FOR_NUMBERS` to allow"
                        .to_owned(),
                )
            },
            (_, Some(first)) if is_word(first) => token(text, at),
            _ => unexpected(&format!("expected a valid value {VALUES}")),
        },
        SyntaxKind::Word => token(text, error.span.start as usize),
        SyntaxKind::NonFinite => Said::read_to(
            format!(
                "Non-standard token '{}': enable `JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS` to allow",
                error.span.slice(text)
            ),
            error.span.end,
        ),
        SyntaxKind::Truncated(_) if !error.span.is_empty() => token(text, error.span.start as usize),
        SyntaxKind::Truncated(Expected::Value | Expected::Colon | Expected::Key) => {
            let inside = match tree.nodes.iter().rfind(|node| is_open(node)) {
                Some(node) if node.kind == Kind::Array => "Array",
                _ => "Object",
            };
            Said::read_to(format!("Unexpected end-of-input within/between {inside} entries"), end)
        }
        SyntaxKind::Truncated(_) => match tree.nodes.iter().rfind(|node| is_open(node)) {
            Some(node) => {
                let what = if node.kind == Kind::Array { "Array" } else { "Object" };
                let place = location(text, node.span.start);
                let said =
                    format!("Unexpected end-of-input: expected close marker for {what} (start marker at {place})");
                Said::read_to(said, end)
            }
            None => Said::read_to("Unexpected end-of-input".to_owned(), end),
        },
        SyntaxKind::UnterminatedString(expected) => {
            let said = if ends_in_escape(error.span.slice(text)) {
                "Unexpected end-of-input in character escape sequence"
            } else if matches!(expected, Expected::Key | Expected::KeyOrEnd) {
                "Unexpected end-of-input in field name"
            } else {
                "Unexpected end-of-input: was expecting closing quote for a string value"
            };
            Said::read_to(said.to_owned(), end)
        }
        SyntaxKind::UnfinishedNumber => match error.span.slice(text).as_bytes() {
            [.., b'.'] => Said {
                text: "Unexpected character ('.' (code 46)) in numeric value: Decimal point not followed by a digit"
                    .to_owned(),
                place: end - 1,
                read: end,
            },
            b"-" => Said::read_to("Unexpected end-of-inputNo digit following minus sign".to_owned(), end),
            _ => Said::read_to("Unexpected end-of-inputexpected a digit for number exponent".to_owned(), end),
        },
        SyntaxKind::Number(NumberFault::LeadingZero) => {
            Said::read_to("Invalid numeric value: Leading zeroes not allowed".to_owned(), error.at)
        }
        SyntaxKind::Number(fault) => {
            let (comment, offset) = match fault {
                NumberFault::AfterPoint => ("Decimal point not followed by a digit", after_whole(text, error.span)),
                NumberFault::AfterExponent => {
                    ("Exponent indicator not followed by a digit", after_whole(text, error.span))
                }
                NumberFault::AfterMinus | NumberFault::LeadingZero => {
                    ("expected digit (0-9) to follow minus sign, for valid numeric value", error.at)
                }
            };
            let said = format!("Unexpected character ({}) in numeric value: {comment}", name());
            // The fast way through a number has counted its whole part only.
            let read = if offset == error.at { behind } else { offset + 1 };
            Said { text: said, place: offset, read }
        }
        SyntaxKind::ControlCharacter => here(format!(
            "Illegal unquoted character ({}): has to be escaped using backslash to be included in string value",
            name()
        )),
        SyntaxKind::Escape => here(format!("Unrecognized character escape {}", name())),
        SyntaxKind::UnicodeEscape => unexpected("expected a hex-digit for character escape sequence"),
        SyntaxKind::Utf8 | SyntaxKind::Limit(_) | SyntaxKind::Trailing | SyntaxKind::NotAnObject => {
            Said::read_to("the text is not JSON".to_owned(), error.at)
        }
    }
}

/// Where the whole part of the malformed number `span` ends: its point, or the letter of its exponent.
fn after_whole(text: &str, span: Span) -> u32 {
    let number = span.slice(text).as_bytes();
    let sign = usize::from(number.first() == Some(&b'-'));
    let digits = number.iter().skip(sign).take_while(|byte| byte.is_ascii_digit()).count();
    span.start + u32::try_from(sign + digits).unwrap_or(0)
}

/// Whether the string `open`, of which only the opening quote is there, breaks off in an escape.
fn ends_in_escape(open: &str) -> bool {
    let mut rest = open.as_bytes();
    while let Some(at) = memchr::memchr(b'\\', rest) {
        let length = match rest.get(at + 1) {
            None => return true,
            Some(b'u') => 6,
            Some(_) => 2,
        };
        let Some(after) = rest.get(at + length..) else { return true };
        rest = after;
    }
    false
}

/// A character as the service's parser names it. It reads UTF-16 units: of a character outside the basic plane it
/// names the first half, which cannot be shown.
fn name_of(char: char) -> String {
    match u32::from(char) {
        code @ 0..0x20 => format!("(CTRL-CHAR, code {code})"),
        code @ 0..=0xff => format!("'{char}' (code {code})"),
        code @ 0..=0xffff => format!("'{char}' (code {code} / 0x{code:x})"),
        _ => {
            let half = char.encode_utf16(&mut [0; 2]).first().copied().unwrap_or_default();
            format!("'?' (code {half} / 0x{half:x})")
        }
    }
}

/// Whether the service's parser takes the character for a part of a word.
fn is_word(char: char) -> bool {
    char.len_utf16() == 1 && (char.is_alphanumeric() || matches!(char, '_' | '$'))
}

/// The longest word that the service's parser shows.
const LONGEST_WORD: usize = 256;

/// A word that is no token.
fn token(text: &str, start: usize) -> Said {
    let rest = text.get(start..).unwrap_or("");
    let word: String = rest.chars().take_while(|char| is_word(*char)).take(LONGEST_WORD).collect();
    let cut = if word.chars().count() == LONGEST_WORD { "..." } else { "" };
    let end = u32::try_from(start + word.len()).unwrap_or(u32::MAX);
    Said::read_to(format!("Unrecognized token '{word}{cut}': was expecting {VALUES}"), end)
}

/// What the service's parser says of a number that is the whole pattern, with something other than whitespace after it.
pub(super) fn after_root_number(tree: &Tree<'_>) -> Option<Finding> {
    let root = tree.nodes.first().filter(|root| root.kind == Kind::Number && tree.error.is_none())?;
    let next = tree.text().get(root.span.end as usize..)?.chars().next()?;
    if matches!(next, ' ' | '\t' | '\r' | '\n') {
        return None;
    }
    let service = format!("Unexpected character ({}): Expected space separating root-level values", name_of(next));
    Some(
        Finding::new(Code::Syntax, Severity::Error, root.span, "a pattern must be an object, found a number")
            .label("not an object")
            .help("write an object: `{\"field\": [\"value\"]}`")
            .service(service, root.span.end),
    )
}

/// What the engine of 2026-09 says of the content from `at` on, after the pattern's closing brace: it reads one more token.
pub(super) fn content_after(text: &str, at: u32, options: &ParseOptions) -> Finding {
    let start = at as usize;
    let rest = text.get(start..).unwrap_or("");
    let second = || Said::read_to("Filter must be a single JSON object; found content after it".to_owned(), at + 1);
    let said = match rest.as_bytes().first() {
        Some(b'{' | b'[' | b'"') => second(),
        _ => {
            // The same text with nothing before it, so places stay what they are.
            let blank: String = text.bytes().take(start).map(|_| ' ').chain(rest.chars()).collect();
            let tree = Tree::parse(&blank, options.engine_limits());
            match (&tree.error, after_root_number(&tree)) {
                (Some(error), _) => wording(&tree, error, location::location),
                (None, Some(found)) => Said::read_to(found.service.unwrap_or_default(), found.raised_at),
                (None, None) => second(),
            }
        }
    };
    let end = start + rest.trim_end().len();
    let span = Span::new(at, u32::try_from(end).unwrap_or(u32::MAX));
    let engines = (BusVersion::V2026_09.name(), BusVersion::V2026_07.name());
    Finding::new(Code::TrailingText, Severity::Error, span, "a pattern is one JSON object; found content after it")
        .label("not part of the pattern")
        .help(format!(
            "remove it; the engine of {} rejects it, the engine of {} ignored it, even if it was a second pattern",
            engines.0, engines.1
        ))
        .fix("remove it", span, "", Applicability::Safe)
        .service(said.text, said.place)
}

fn mismatch(tree: &Tree<'_>, close: char, location: fn(&str, u32) -> String) -> String {
    let open = tree.nodes.iter().rfind(|node| is_open(node));
    let (what, expected, start) = match open {
        Some(node) if node.kind == Kind::Array => ("Array", ']', node.span.start),
        Some(node) => ("Object", '}', node.span.start),
        None => ("root", '}', 0),
    };
    let place = location(tree.text(), start);
    format!("Unexpected close marker '{close}': expected '{expected}' (for {what} starting at {place})")
}

fn short(text: &str) -> Cow<'_, str> {
    shortened(text, 40)
}
