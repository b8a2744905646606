//! Findings as text: the lines they are about, with carets below.

use std::fmt::{Display, Formatter, Result, Write};
use std::ops::Range;

use super::{Finding, LineIndex};
use crate::base::Span;
use crate::base::text::{Visible, is_disturbing};

/// One finding as text. Made by [`Finding::render`]; print it with `{}`.
///
/// ```
/// use eventrie::{Dialect, Pattern};
/// let source = r#"{"n": [{"numeric": [">", 5, "<", 1]}]}"#;
/// let error = Pattern::parse(source, Dialect::EventBridge).unwrap_err();
/// assert!(error.findings()[0].render(source).to_string().starts_with("error[E0014]: "));
/// ```
#[derive(Clone, Debug)]
pub struct Rendered<'a> {
    finding: &'a Finding,
    source: Source<'a>,
    name: Option<&'a str>,
    color: bool,
}

/// A string whose lines are known, or are to be found.
#[derive(Clone, Debug)]
enum Source<'a> {
    Text(&'a str),
    Lines(&'a LineIndex<'a>),
}

/// The most columns of a line that are shown; longer lines are cut around the carets.
const WIDTH: usize = 100;
/// The most characters that are read on each side of a mark: some take no column.
const MOST: usize = 4 * WIDTH;
/// The most columns that are shown before the first caret of a line that is cut.
const LEAD: usize = 60;
/// The most columns between the first and the last of several carets below one part of a line, which may begin with `… `.
const WIDEST: usize = WIDTH - 2;

impl<'a> Rendered<'a> {
    pub(super) fn new(finding: &'a Finding, source: &'a str) -> Rendered<'a> {
        Rendered { finding, source: Source::Text(source), name: None, color: false }
    }

    pub(super) fn with_lines(finding: &'a Finding, lines: &'a LineIndex<'a>) -> Rendered<'a> {
        Rendered { finding, source: Source::Lines(lines), name: None, color: false }
    }

    /// Sets the name to print as `name:line:column`, such as the name of a file.
    #[must_use]
    pub fn name(mut self, name: &'a str) -> Rendered<'a> {
        self.name = Some(name);
        self
    }

    /// Whether to use the colors of a terminal.
    #[must_use]
    pub fn color(mut self, color: bool) -> Rendered<'a> {
        self.color = color;
        self
    }

    fn paint(&self, style: &'static str) -> &'static str {
        if self.color { style } else { "" }
    }
}

const BOLD: &str = "\x1b[1m";
const BLUE: &str = "\x1b[1;34m";
const RESET: &str = "\x1b[0m";

impl Display for Rendered<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let finding = self.finding;
        let tone = self.paint(match finding.severity {
            super::Severity::Error => "\x1b[1;31m",
            super::Severity::Warning => "\x1b[1;33m",
            super::Severity::Note => "\x1b[1;36m",
        });
        let (bold, blue, reset) = (self.paint(BOLD), self.paint(BLUE), self.paint(RESET));
        write!(f, "{tone}{}[{}]{reset}{bold}: {}{reset}", finding.severity, finding.code, finding.message)?;

        let mut spots: Vec<Spot<'_>> = Vec::with_capacity(1 + finding.context.len());
        spots.push(Spot { span: finding.label.span, message: &finding.label.message, main: true });
        for label in &finding.context {
            spots.push(Spot { span: label.span, message: &label.message, main: false });
        }
        let own;
        let lines = match self.source {
            Source::Lines(lines) => lines,
            Source::Text(text) => {
                own = LineIndex::new(text);
                &own
            }
        };
        let pad = Blanks(write_spots(f, lines, self.name, spots, [tone, blue, reset])?);
        let mut footer =
            |what: &str, text: &dyn Display| write!(f, "\n{pad} {blue}={reset} {bold}{what}{reset}: {text}");
        if let Some(help) = &finding.help {
            footer("help", help)?;
        }
        if let Some(fix) = &finding.fix {
            let shown = Shortened(&fix.replacement);
            let known = finding.help.as_deref() == Some(&fix.title);
            if fix.replacement.is_empty() || fix.title.contains(&format!("`{}`", fix.replacement)) {
                footer("fix", &fix.title)?;
            } else if known {
                footer("fix", &format_args!("`{shown}`"))?;
            } else {
                footer("fix", &format_args!("{}: `{shown}`", fix.title))?;
            }
        }
        if let Some(service) = &finding.service {
            footer("the service says", &Visible(service))?;
        }
        Ok(())
    }
}

/// A place in a string, and what to say of it.
pub(crate) struct Spot<'a> {
    pub(crate) span: Span,
    pub(crate) message: &'a str,
    pub(crate) main: bool,
}

/// Writes the place of the first spot and the lines of all with their marks, each line after a line break; gives the
/// width of the line numbers. The styles are those of main marks, of the rest, and the way back.
pub(crate) fn write_spots(
    f: &mut Formatter<'_>,
    source: &LineIndex<'_>,
    name: Option<&str>,
    spots: Vec<Spot<'_>>,
    styles: [&str; 3],
) -> std::result::Result<usize, std::fmt::Error> {
    let start = source.position(spots.first().map_or(0, |spot| spot.span.start as usize));
    let ends = spots.iter().map(|spot| source.position(spot.span.end as usize).line);
    let [_, blue, reset] = styles;
    let pad = Blanks(digits(ends.chain([start.line]).max().unwrap_or(1)));
    match name {
        Some(name) => write!(f, "\n{pad}{blue}-->{reset} {}:{}:{}", Visible(name), start.line, start.column)?,
        None => write!(f, "\n{pad}{blue}-->{reset} line {}, column {}", start.line, start.column)?,
    }
    write_lines(f, source, spots, styles)
}

/// The same without the place.
pub(crate) fn write_lines(
    f: &mut Formatter<'_>,
    source: &LineIndex<'_>,
    mut spots: Vec<Spot<'_>>,
    [tone, blue, reset]: [&str; 3],
) -> std::result::Result<usize, std::fmt::Error> {
    spots.sort_by_key(|spot| spot.span.start);
    let lines: Vec<(u32, Line<'_>)> =
        spots.iter().zip(windows(&spots, source)).flat_map(|(spot, window)| spot.lines(source, window)).collect();
    let gutter = lines.iter().map(|(number, _)| digits(*number)).max().unwrap_or(1);
    let pad = Blanks(gutter);
    write!(f, "\n{pad} {blue}|{reset}")?;
    let mut before: Option<(u32, &str)> = None;
    for (number, line) in &lines {
        if before.is_some_and(|(before, _)| before + 1 < *number) {
            write!(f, "\n{blue}...{reset}")?;
        }
        let mark = if line.main { tone } else { blue };
        let blank = Blanks(gutter - digits(*number));
        if before != Some((*number, &line.text)) {
            write!(f, "\n{blue}{blank}{number} |{reset} {}", line.text)?;
        }
        write!(f, "\n{pad} {blue}|{reset} {}{mark}", Blanks(line.indent))?;
        for _ in 0..line.width {
            f.write_char(if line.main { '^' } else { '-' })?;
        }
        if !line.message.is_empty() {
            write!(f, " {}", line.message)?;
        }
        f.write_str(reset)?;
        before = Some((*number, &line.text));
    }
    Ok(gutter)
}

/// What each spot is shown with: its own span, or all from the first to the last one that fit into one part of a line.
fn windows(spots: &[Spot<'_>], source: &LineIndex<'_>) -> Vec<Range<usize>> {
    let text = source.text();
    let own = |spot: &Spot<'_>| {
        let start = floor(text, spot.span.start as usize);
        start..floor(text, spot.span.end as usize).max(start)
    };
    let mut windows: Vec<Range<usize>> = Vec::with_capacity(spots.len());
    while let Some(first) = spots.get(windows.len()) {
        let (mut window, mut end) = (own(first), windows.len() + 1);
        while let Some(next) = spots.get(end) {
            let joined = window.start..window.end.max(own(next).end);
            if !fits(text, &joined) {
                break;
            }
            (window, end) = (joined, end + 1);
        }
        windows.resize(end, window);
    }
    windows
}

/// Whether the span is in one line, and narrow enough to be shown as a whole.
fn fits(text: &str, span: &Range<usize>) -> bool {
    let shown = text.get(span.clone()).filter(|shown| shown.len() <= MOST);
    shown.is_some_and(|shown| !shown.contains(['\n', '\r']) && columns(shown) <= WIDEST)
}

struct Line<'a> {
    /// The printable part of the line around the carets.
    text: String,
    indent: usize,
    width: usize,
    message: &'a str,
    main: bool,
}

impl<'a> Spot<'a> {
    /// The lines to show: the one that the span begins in, and the one that it ends in if that is another.
    fn lines(&self, lines: &LineIndex<'_>, window: Range<usize>) -> Vec<(u32, Line<'a>)> {
        let source = lines.text();
        let start = floor(source, self.span.start as usize);
        let end = floor(source, self.span.end as usize).max(start);
        let number = lines.position(start).line;
        let first = lines.line_around(start);
        if end <= first.end {
            return vec![(number, self.line(source, first, start..end, &window, self.message))];
        }
        let last = lines.line_around(end);
        let head = source.get(last.start..floor(source, last.end.min(last.start + MOST))).unwrap_or("");
        let begin = (last.start + head.len() - head.trim_start().len()).min(end);
        let (upper, lower) = (start.min(first.end)..first.end, begin..end);
        vec![
            (number, self.line(source, first, upper.clone(), &upper, "")),
            (lines.position(end).line, self.line(source, last, lower.clone(), &lower, self.message)),
        ]
    }

    fn line(
        &self,
        source: &str,
        line: Range<usize>,
        marked: Range<usize>,
        window: &Range<usize>,
        message: &'a str,
    ) -> Line<'a> {
        let before = source.get(line.start..window.start).unwrap_or("");
        let mut text = String::new();
        // The columns before the first mark, from it backwards.
        let wide = source.get(window.clone()).filter(|text| text.len() <= MOST).map_or(WIDTH, columns);
        let most = match wide <= WIDEST {
            true => LEAD.min(WIDEST - wide),
            false => LEAD,
        };
        let mut lead = 0;
        let from = before.char_indices().rev().take(MOST).take_while(|(_, char)| {
            lead += width(*char);
            lead <= most
        });
        let from = from.last().map_or(before.len(), |(at, _)| at);
        // A line that is short as a whole is shown as a whole.
        let whole = line.len() <= 4 * WIDTH && source.get(line.clone()).is_some_and(|text| columns(text) <= WIDTH);
        let from = if whole { 0 } else { from };
        if from > 0 {
            text.push_str("… ");
        }
        source.get(line.start + from..marked.start).unwrap_or("").chars().for_each(|char| push(&mut text, char));
        let indent = columns(&text);
        let (mut used, mut end_column) = (indent, indent);
        for (at, char) in source.get(marked.start..line.end).unwrap_or("").char_indices() {
            if used + width(char) > WIDTH || at > 4 * MOST {
                text.push_str(" …");
                break;
            }
            used += width(char);
            push(&mut text, char);
            if marked.start + at < marked.end {
                end_column = used;
            }
        }
        Line { text, indent, width: (end_column - indent).max(1), message, main: self.main }
    }
}

/// The offset, or the nearest one before it that lies between characters.
fn floor(source: &str, offset: usize) -> usize {
    let mut at = offset.min(source.len());
    while !source.is_char_boundary(at) {
        at -= 1;
    }
    at
}

fn digits(number: u32) -> usize {
    number.checked_ilog10().map_or(1, |log| log as usize + 1)
}

fn columns(text: &str) -> usize {
    text.chars().map(width).sum()
}

/// Puts a character that does not disturb the lines: tabs are four blanks, other controls and the characters that
/// turn the direction of writing are shown as a replacement.
fn push(text: &mut String, char: char) {
    match char {
        '\t' => text.push_str("    "),
        _ if is_disturbing(char) => text.push('\u{fffd}'),
        _ => text.push(char),
    }
}

/// The columns that terminals give a character: none to combining marks, two to East Asian wide ones and emoji.
fn width(char: char) -> usize {
    match u32::from(char) {
        0x9 => 4,
        // Shown as a replacement.
        _ if is_disturbing(char) => 1,
        0x20..=0x2ff => 1,
        0x300..=0x36f | 0x483..=0x489 | 0x591..=0x5bd | 0x610..=0x61a | 0x64b..=0x65f => 0,
        0x20d0..=0x20ff | 0xfe00..=0xfe0f | 0xfe20..=0xfe2f => 0,
        0x1100..=0x115f | 0x231a..=0x231b | 0x23e9..=0x23ec | 0x25fd..=0x25fe | 0x2614..=0x2615 => 2,
        0x2e80..=0x303e | 0x3041..=0xa4cf | 0xa960..=0xa97c | 0xac00..=0xd7a3 | 0xf900..=0xfaff => 2,
        0xfe30..=0xfe6f | 0xff00..=0xff60 | 0xffe0..=0xffe6 | 0x1f300..=0x1f64f | 0x1f680..=0x1f6ff => 2,
        0x1f900..=0x1f9ff | 0x1fa70..=0x1faff | 0x20000..=0x3fffd => 2,
        _ => 1,
    }
}

struct Blanks(usize);

impl Display for Blanks {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        (0..self.0).try_for_each(|_| f.write_char(' '))
    }
}

/// A replacement on one line, not longer than a line.
struct Shortened<'a>(&'a str);

impl Display for Shortened<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let mut used = 0;
        for char in self.0.chars() {
            used += width(char);
            if used > WIDTH {
                return f.write_str("…");
            }
            f.write_char(if is_disturbing(char) { ' ' } else { char })?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Applicability, Code, Finding, Severity};
    use crate::base::Span;

    fn render(source: &str, start: u32, end: u32) -> String {
        Finding::new(Code::Syntax, Severity::Error, Span::new(start, end), "broken")
            .label("here")
            .render(source)
            .to_string()
    }

    #[test]
    fn one_line() {
        assert_eq!(
            render("{\n  \"a\": 1\n}", 9, 10),
            "error[E0001]: broken\n --> line 2, column 8\n  |\n2 |   \"a\": 1\n  |        ^ here"
        );
    }

    #[test]
    fn wide_and_combining_characters_keep_the_carets_in_place() {
        let text = render("{\"日本e\u{301}\": 1}", 14, 15);
        assert!(text.ends_with("  |           ^ here"), "{text}");
    }

    #[test]
    fn nothing_of_the_users_commands_the_terminal() {
        let hostile = "\u{1b}[2Ja\n\u{202e}b\u{7}";
        let finding = Finding::new(Code::Syntax, Severity::Error, Span::new(0, 9), hostile)
            .label(hostile)
            .context(Span::new(1, 2), hostile)
            .help(hostile)
            .fix(hostile, Span::new(0, 1), hostile, Applicability::Safe)
            .service(hostile, 0);
        let text = finding.render(hostile).name(hostile).to_string();
        assert!(text.chars().all(|char| char == '\n' || !crate::base::text::is_disturbing(char)), "{text:?}");
        assert!(text.contains("the service says: \\u001b[2Ja\\n\\u202eb\\u0007"), "{text}");
        assert_eq!(finding.service.as_deref(), Some(hostile));
    }

    #[test]
    fn several_lines_show_the_first_and_the_last() {
        let text = render("[\r\n 1,\r\n 2,\r\n 3 ]\r\n", 0, 17);
        assert_eq!(
            text,
            "error[E0001]: broken\n --> line 1, column 1\n  |\n1 | [\n  | ^\n...\n4 |  3 ]\n  |  ^^^ here"
        );
    }

    #[test]
    fn long_lines_are_cut_around_the_place() {
        let source = format!("[{}]", "\"abcdefgh\",".repeat(100_000));
        let text = render(&source, 550_000, 550_004);
        assert!(text.lines().all(|line| line.chars().count() < 120), "{text}");
        assert!(text.contains("^^^^ here") && text.contains("1 | … ") && text.contains(" …\n"), "{text}");
    }

    #[test]
    fn marks_that_are_near_each_other_share_a_line() {
        let source = format!("[{}]", "\"日bcdefgh\",".repeat(1_000));
        let at = |cell: u32| Span::new(1 + cell * 13, 13 + cell * 13);
        let finding = Finding::new(Code::Syntax, Severity::Error, at(500), "broken").label("here");
        let finding = finding.context(at(503), "near").context(at(504), "nearer the end").context(at(600), "far");
        let text = finding.render(&source).to_string();
        assert_eq!(text.matches("1 | … ").count(), 2, "{text}");
        assert!(text.lines().all(|line| line.chars().count() < 120), "{text}");
        // Each mark is as wide as what it marks, and below it.
        let lines: Vec<&str> = text.lines().collect();
        for (shown, mark, what) in [(3, 4, "here"), (3, 5, "near"), (3, 6, "nearer"), (7, 8, "far")] {
            let column = lines[mark].find(['^', '-']).unwrap();
            assert!(
                lines[mark].contains(what) && lines[mark].contains("----") | lines[mark].contains("^^^^"),
                "{text}"
            );
            let wide = lines[shown].chars().scan(0, |used, char| {
                let at = *used;
                *used += super::width(char);
                Some((at, char))
            });
            let below: String =
                wide.filter(|(at, _)| (column..column + 11).contains(at)).map(|(_, char)| char).collect();
            assert_eq!(below, "\"日bcdefgh\"", "{text}");
        }
    }

    #[test]
    fn marks_inside_another_share_its_line() {
        let source = format!("[{}]", "\"abcdefgh\",".repeat(1_000));
        let finding = Finding::new(Code::Syntax, Severity::Error, Span::new(5_000, 5_055), "broken").label("whole");
        let text = finding.context(Span::new(5_030, 5_034), "part").render(&source).to_string();
        assert_eq!(text.matches("1 | … ").count(), 1, "{text}");
        assert!(text.contains(&format!(" {} whole", "^".repeat(55))) && text.contains(" ---- part"), "{text}");
    }

    #[test]
    fn places_outside_of_the_text_are_harmless() {
        for (start, end) in [(0, 0), (3, 9), (9, 12), (1, 2)] {
            assert!(render("é\u{7}\u{202e}", start, end).contains("here"));
        }
    }
}
