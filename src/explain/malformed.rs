//! Events that cannot be read, shown as malformed patterns are: line, column, caret and help.

use std::borrow::Cow;
use std::fmt::{Display, Formatter, Result};

use super::look::looks_like;
use crate::base::Span;
use crate::base::text::{Visible, shown};
use crate::diagnostic::{LineIndex, Position, Spot, write_lines, write_spots};
use crate::json::{EventError, EventErrorKind, Expected, SyntaxError, SyntaxKind, fault_at};

/// An event that cannot be read, with the place and the likely fix; print it with `{}`.
///
/// Made by [`EventError::render`]. With `{:#}` only the line, the caret and the help are printed, for programs that print
/// the [message](Malformed::message) and the [position](Malformed::position) in a format of their own.
///
/// ```
/// use eventrie::{Dialect, Pattern};
/// let event = "{'source': 'aws.s3', 'detail': {'ok': True}}";
/// let error = Pattern::parse(r#"{"a":["x"]}"#, Dialect::EventBridge)?.explain(event).unwrap_err();
/// assert_eq!(
///     error.render(event).name("event.txt").to_string(),
///     "error: expected a double-quoted key or `}`, found `'`
///  --> event.txt:1:2
///   |
/// 1 | {'source': 'aws.s3', 'detail': {'ok': True}}
///   |  ^ not a double quote
///   = help: this looks like Python's repr; print `json.dumps(event)` instead"
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Malformed<'a> {
    text: Cow<'a, str>,
    message: String,
    label: &'static str,
    /// None if the error has no place in the text.
    span: Option<Span>,
    help: Option<&'static str>,
    name: Option<&'a str>,
    first_line: u32,
    color: bool,
}

impl EventError {
    /// Shows where the event's `text` is malformed, why, and how to get JSON; `text` is what was read.
    ///
    /// Linear in the text. Bytes that are not UTF-8 are shown as `\u{fffd}`.
    ///
    /// ```
    /// use eventrie::{Dialect, Matcher, Pattern, Scratch};
    /// let matcher = Matcher::new([Pattern::parse(r#"{"a":["x"]}"#, Dialect::EventBridge)?])?;
    /// let event = "{\n  \"a\": \"x\",\n}";
    /// let error = matcher.matches(event, &mut Scratch::default()).unwrap_err();
    /// let shown = error.render(event);
    /// assert_eq!(shown.message(), "expected another key after `,`, found `}`");
    /// assert_eq!(shown.position().map(|at| (at.line, at.column)), Some((3, 1)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn render<'a>(&self, text: &'a (impl AsRef<[u8]> + ?Sized)) -> Malformed<'a> {
        let bytes = text.as_ref();
        let fault = self.offset().and_then(|at| fault_at(bytes, at));
        let (shown, span) = match self.offset() {
            None => (Cow::Borrowed(""), None),
            Some(at) => {
                let at = at.min(bytes.len());
                let (start, end) = fault.map_or((at, at), |fault| range(&fault, bytes.len()));
                visible(bytes, start, end.max(start))
            }
        };
        let (message, label) = match &fault {
            Some(fault) if self.kind() != EventErrorKind::Limit => describe(bytes, fault),
            _ => (self.without_place(), ""),
        };
        let help = match self.kind() {
            EventErrorKind::Limit | EventErrorKind::Foreign => None,
            _ => help(bytes, fault.as_ref()),
        };
        Malformed { text: shown, message, label, span, help, name: None, first_line: 1, color: false }
    }
}

impl<'a> Malformed<'a> {
    /// What is wrong: what was expected and what was found.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }

    /// How to get an event that can be read, if that is known.
    #[must_use]
    pub fn help(&self) -> Option<&'static str> {
        self.help
    }

    /// The line and column of the fault; none if the event was not text.
    #[must_use]
    pub fn position(&self) -> Option<Position> {
        let at = self.span?.start as usize;
        Some(LineIndex::new(&self.text).first_line(self.first_line).position(at))
    }

    /// Sets the name to print as `name:line:column`, such as the name of a file.
    #[must_use]
    pub fn name(mut self, name: &'a str) -> Malformed<'a> {
        self.name = Some(name);
        self
    }

    /// The number of the line that the event begins on in its file, if that is not 1.
    #[must_use]
    pub fn first_line(mut self, line: u32) -> Malformed<'a> {
        self.first_line = line;
        self
    }

    /// Whether to use the colors of a terminal.
    #[must_use]
    pub fn color(mut self, color: bool) -> Malformed<'a> {
        self.color = color;
        self
    }
}

impl Display for Malformed<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let paint = |style: &'static str| if self.color { style } else { "" };
        let (tone, blue, bold, reset) = (paint("\x1b[1;31m"), paint("\x1b[1;34m"), paint("\x1b[1m"), paint("\x1b[0m"));
        let brief = f.alternate();
        if !brief {
            write!(f, "{tone}error{reset}{bold}: {}{reset}", self.message)?;
        }
        let mut gutter = 1;
        if let Some(span) = self.span {
            let lines = LineIndex::new(&self.text).first_line(self.first_line);
            let spot = Spot { span, message: self.label, main: true };
            let styles = [tone, blue, reset];
            gutter = match brief {
                false => write_spots(f, &lines, self.name, vec![spot], styles)?,
                true => write_lines(f, &lines, vec![spot], styles)?,
            };
        }
        if let Some(help) = self.help {
            write!(f, "\n{:gutter$} {blue}={reset} {bold}help{reset}: {help}", "")?;
        }
        Ok(())
    }
}

/// The text with what is not UTF-8 replaced, and the place in it.
fn visible(bytes: &[u8], start: usize, end: usize) -> (Cow<'_, str>, Option<Span>) {
    let span = |start: usize, end: usize| {
        Some(Span::new(u32::try_from(start).unwrap_or(u32::MAX), u32::try_from(end).unwrap_or(u32::MAX)))
    };
    if let Ok(text) = std::str::from_utf8(bytes) {
        return (Cow::Borrowed(text), span(start, end));
    }
    let part = |from: usize, to: usize| String::from_utf8_lossy(bytes.get(from..to).unwrap_or(&[]));
    let mut text = part(0, start).into_owned();
    let start_shown = text.len();
    text.push_str(&part(start, end));
    let end_shown = text.len();
    text.push_str(&part(end, bytes.len()));
    (Cow::Owned(text), span(start_shown, end_shown))
}

/// The bytes to mark; of a value that is not an object the first.
fn range(fault: &SyntaxError, length: usize) -> (usize, usize) {
    let (start, end) = (fault.span.start as usize, fault.span.end as usize);
    let end = if fault.kind == SyntaxKind::NotAnObject { start + 1 } else { end };
    (start.min(length), end.min(length))
}

/// What was expected and what was found, and the words below the caret.
fn describe(text: &[u8], fault: &SyntaxError) -> (String, &'static str) {
    let (start, end) = range(fault, text.len());
    let token = String::from_utf8_lossy(text.get(start..end).unwrap_or(&[]));
    let found = format!("`{}`", shown(&token, 40));
    let comma = text.get(..start).unwrap_or(&[]).trim_ascii_end().ends_with(b",");
    match fault.kind {
        SyntaxKind::Character(_) if is_comment(text, start) => {
            ("comments are not allowed in JSON".to_owned(), "comment")
        }
        SyntaxKind::Character(Expected::Key) if token == "}" => {
            (format!("expected another key after `,`, found {found}"), "trailing comma before this")
        }
        SyntaxKind::Character(Expected::Value) if token == "]" && comma => {
            (format!("expected another value after `,`, found {found}"), "trailing comma before this")
        }
        SyntaxKind::Character(Expected::Root) => (format!("expected a JSON object, found {found}"), "not JSON"),
        SyntaxKind::Character(expected) => {
            let label = match (expected, token.as_ref()) {
                (_, "'" | "`" | "“" | "”" | "„" | "‘" | "’") => "not a double quote",
                (Expected::Key | Expected::KeyOrEnd, _) => "not a double-quoted key",
                (Expected::CommaOrObjectEnd | Expected::CommaOrArrayEnd, "\"" | "{" | "[") => {
                    "missing comma before this"
                }
                _ => "unexpected",
            };
            (format!("{}, found {found}", expected.name()), label)
        }
        SyntaxKind::Truncated(Expected::Root) if fault.span.is_empty() => {
            ("expected a JSON object, found nothing".to_owned(), "the input ends here")
        }
        SyntaxKind::Truncated(expected) => {
            (format!("{}, but the event is cut off", expected.name()), "the event ends here")
        }
        SyntaxKind::UnterminatedString(_) => ("the event is cut off inside a string".to_owned(), "begins here"),
        SyntaxKind::UnfinishedNumber => ("the event is cut off inside a number".to_owned(), "digits are missing"),
        SyntaxKind::Word | SyntaxKind::NonFinite => (format!("expected a value, found {found}"), "not a JSON value"),
        SyntaxKind::Number(fault) => (fault.message().to_owned(), "not a JSON number"),
        SyntaxKind::ControlCharacter => {
            (format!("expected an escape, found the control character {found} in a string"), "must be escaped")
        }
        SyntaxKind::Escape => (format!("expected a JSON escape, found {found}"), "not an escape"),
        SyntaxKind::UnicodeEscape => {
            (format!("expected four hexadecimal digits after `\\u`, found {found}"), "not an escape")
        }
        SyntaxKind::Utf8 => ("the event is not valid UTF-8".to_owned(), "not UTF-8"),
        SyntaxKind::Trailing => {
            let rest = text.get(start..).unwrap_or(&[]);
            let what = String::from_utf8_lossy(rest.get(..rest.len().min(4)).unwrap_or(&[])).chars().next();
            let what = what.map(|char| Visible(char.encode_utf8(&mut [0; 4])).to_string()).unwrap_or_default();
            (format!("expected the end of the event, found `{what}`"), "the event ends before this")
        }
        SyntaxKind::NotAnObject => {
            let what = match text.get(start) {
                Some(b'[') => "an array",
                Some(b'"') => "a string",
                Some(b't' | b'f') => "a boolean",
                Some(b'n') => "null",
                _ => "a number",
            };
            (format!("expected a JSON object, found {what}"), "not an object")
        }
        SyntaxKind::Limit(limit) => (format!("the event reaches the limit `{limit}`"), ""),
    }
}

fn is_comment(text: &[u8], at: usize) -> bool {
    let rest = text.get(at..).unwrap_or(&[]);
    rest.starts_with(b"//") || rest.starts_with(b"/*") || rest.starts_with(b"#")
}

/// How to get an event that can be read.
fn help(text: &[u8], fault: Option<&SyntaxError>) -> Option<&'static str> {
    let at = fault.map_or(0, |fault| fault.span.start as usize);
    let rest = text.get(at..).unwrap_or(&[]);
    match fault?.kind {
        SyntaxKind::Truncated(Expected::Root) => Some("pass a JSON object, such as `{\"source\": \"my.app\"}`"),
        SyntaxKind::NotAnObject if rest.starts_with(b"[") => Some("pass each element of the array as its own event"),
        SyntaxKind::NotAnObject if rest.starts_with(b"\"{") => {
            Some("this is JSON inside a JSON string; decode the string once more")
        }
        SyntaxKind::Trailing if rest.starts_with(b"{") => Some("these are several events; pass them one at a time"),
        SyntaxKind::NonFinite => Some("JSON has no such number; write `null` or a string instead"),
        SyntaxKind::ControlCharacter => Some("write a line break as `\\n` and a tab as `\\t`"),
        SyntaxKind::Escape => Some("write a backslash as `\\\\`"),
        SyntaxKind::Character(Expected::Root) if rest.starts_with(b"\xef\xbb\xbf") => {
            Some("save it without a byte order mark")
        }
        SyntaxKind::Character(_) if rest.starts_with(b"\\\"") => {
            Some("this is JSON that was escaped for another language; remove the backslashes")
        }
        SyntaxKind::Character(_) if ["“", "”", "„"].iter().any(|quote| rest.starts_with(quote.as_bytes())) => {
            Some("replace the typographic quotes with plain ones: `\"`")
        }
        _ => looks_like(text),
    }
}
