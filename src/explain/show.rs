//! Explanations as text.

use std::fmt::{Display, Formatter, Result};

use super::report::{BranchReport, Explanation, FieldReport, MissKind};
use super::words::plain;
use crate::diagnostic::{LineIndex, Span, Spot, write_spots};

/// An explanation as text. Made by [`Explanation::render`]; print it with `{}`.
///
/// ```
/// use eventrie::{Dialect, Pattern};
/// let pattern = Pattern::parse(r#"{"source":["shop"]}"#, Dialect::EventBridge)?;
/// let explanation = pattern.explain(br#"{"source":"bank"}"#)?;
/// let text = explanation.render().color(true).to_string();
/// assert!(text.contains("\u{1b}["));
/// assert!(!explanation.to_string().contains('\u{1b}'));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct RenderedExplanation<'a> {
    explanation: &'a Explanation,
    color: bool,
    pattern: Option<InFile<'a>>,
    event: Option<InFile<'a>>,
}

/// A place in a file instead of in the text that was explained.
#[derive(Clone, Copy, Debug)]
struct InFile<'a> {
    name: &'a str,
    lines: &'a LineIndex<'a>,
    span: Span,
}

impl Explanation {
    /// The explanation as text, with choices.
    #[must_use]
    pub fn render(&self) -> RenderedExplanation<'_> {
        RenderedExplanation { explanation: self, color: false, pattern: None, event: None }
    }
}

impl<'a> RenderedExplanation<'a> {
    /// Shows the place in the pattern as a place in the file that it is from: `lines` are those of the file, `span` is what
    /// [`Explanation::pattern_place`] is there. Editors and terminals make a link of it.
    ///
    /// ```
    /// use eventrie::diagnostic::{LineIndex, Span};
    /// use eventrie::{Dialect, Pattern};
    /// let file = "rule:\n  {\"source\":[\"shop\"]}";
    /// let pattern = Pattern::parse(&file[8..], Dialect::EventBridge)?;
    /// let explanation = pattern.explain(br#"{"source":"bank"}"#)?;
    /// let place = explanation.pattern_place().unwrap();
    /// let (lines, span) = (LineIndex::new(file), Span::new(place.start + 8, place.end + 8));
    /// let text = explanation.render().pattern_in("rule.yaml", &lines, span).to_string();
    /// assert!(text.contains("--> rule.yaml:2:13"), "{text}");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn pattern_in(mut self, name: &'a str, lines: &'a LineIndex<'a>, span: Span) -> Self {
        self.pattern = Some(InFile { name, lines, span });
        self
    }

    /// Shows the place in the event as a place in the file that it is from, as [`pattern_in`](Self::pattern_in).
    #[must_use]
    pub fn event_in(mut self, name: &'a str, lines: &'a LineIndex<'a>, span: Span) -> Self {
        self.event = Some(InFile { name, lines, span });
        self
    }

    /// Whether to use the colors of a terminal.
    #[must_use]
    pub fn color(mut self, color: bool) -> Self {
        self.color = color;
        self
    }
}

impl InFile<'_> {
    fn write(
        &self,
        f: &mut Formatter<'_>,
        message: &str,
        styles: [&str; 3],
    ) -> std::result::Result<usize, std::fmt::Error> {
        let spot = Spot { span: self.span, message, main: true };
        write_spots(f, self.lines, Some(self.name), vec![spot], styles)
    }
}

impl Display for Explanation {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        self.render().fmt(f)
    }
}

/// Colors and the two signs.
struct Style {
    good: &'static str,
    bad: &'static str,
    blue: &'static str,
    bold: &'static str,
    reset: &'static str,
}

const PLAIN: Style = Style { good: "", bad: "", blue: "", bold: "", reset: "" };
const COLOR: Style =
    Style { good: "\x1b[1;32m", bad: "\x1b[1;31m", blue: "\x1b[1;34m", bold: "\x1b[1m", reset: "\x1b[0m" };

/// The most fields that are listed.
const FIELDS: usize = 200;

impl Display for RenderedExplanation<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let explanation = self.explanation;
        let style = if self.color { &COLOR } else { &PLAIN };
        let tone = if explanation.matched { style.good } else { style.bad };
        let (verdict, rest) = explanation.summary.split_once(": ").unwrap_or((&explanation.summary, ""));
        write!(f, "{tone}{verdict}{}", style.reset)?;
        if !rest.is_empty() {
            write!(f, "{}: {rest}{}", style.bold, style.reset)?;
        }
        let styles = [tone, style.blue, style.reset];
        let mut gutter = 1;
        if let Some(span) = explanation.pattern_place {
            let own;
            let place = match self.pattern {
                Some(place) => place,
                None => {
                    own = LineIndex::new(explanation.pattern.source());
                    InFile { name: "pattern", lines: &own, span }
                }
            };
            gutter = place.write(f, "", styles)?;
        }
        if let Some(place) = explanation.event_place.as_ref().filter(|_| !explanation.event.is_empty()) {
            let message =
                format!("at {}", if place.pointer.is_empty() { "the top".to_owned() } else { plain(&place.pointer) });
            let own;
            let place = match self.event {
                Some(place) => place,
                None => {
                    own = LineIndex::new(&explanation.event);
                    InFile { name: "event", lines: &own, span: place.span }
                }
            };
            gutter = place.write(f, &message, styles)?;
        }
        if let Some(help) = &explanation.help {
            write!(f, "\n{:gutter$} {}={} {}help{}: {help}", "", style.blue, style.reset, style.bold, style.reset)?;
        }
        let count = explanation.fields().count();
        if count > 1 {
            f.write_str("\n")?;
            let mut left = FIELDS;
            let width = explanation.fields().map(|field| field.path.chars().count()).filter(|width| *width <= 40).max();
            branch(f, &explanation.root, 1, width.unwrap_or(40), style, &mut left)?;
            if count > FIELDS {
                write!(f, "\n  … and {} more fields", count - FIELDS)?;
            }
        }
        Ok(())
    }
}

fn sign(held: bool, style: &Style) -> String {
    if held { format!("{}✓{}", style.good, style.reset) } else { format!("{}✗{}", style.bad, style.reset) }
}

/// Recursion follows the nesting of `$or` in the pattern, which is bounded.
fn branch(
    f: &mut Formatter<'_>,
    report: &BranchReport,
    depth: usize,
    width: usize,
    style: &Style,
    left: &mut usize,
) -> Result {
    let indent = depth * 2;
    let (mut fields, mut groups) = (report.fields.iter().peekable(), report.groups.iter().peekable());
    loop {
        let field_first = match (fields.peek(), groups.peek()) {
            (None, None) => break,
            (Some(field), Some(group)) => field.span.start < group.span.start,
            (field, _) => field.is_some(),
        };
        if *left == 0 {
            return Ok(());
        }
        if field_first {
            *left -= 1;
            if let Some(report) = fields.next() {
                field(f, report, indent, width, style)?;
            }
        } else if let Some(group) = groups.next() {
            let count = group.branches.len();
            write!(f, "\n{:indent$}{} $or of {count} branches", "", sign(group.held, style))?;
            for (at, inside) in group.branches.iter().enumerate() {
                if *left == 0 {
                    return Ok(());
                }
                write!(f, "\n{:indent$}  {} branch {}", "", sign(inside.held, style), at + 1)?;
                branch(f, inside, depth + 2, width, style, left)?;
            }
        }
    }
    for conflict in &report.conflicts {
        write!(f, "\n{:indent$}{} {}", "", sign(false, style), conflict.message)?;
    }
    Ok(())
}

fn field(f: &mut Formatter<'_>, field: &FieldReport, indent: usize, width: usize, style: &Style) -> Result {
    write!(f, "\n{:indent$}", "")?;
    if field.overridden_by.is_some() {
        return write!(f, "- {:width$}  replaced by a later list for the same field", field.path);
    }
    write!(f, "{} {:width$}  ", sign(field.held, style), field.path)?;
    if !field.held {
        return match field.misses.first() {
            Some(miss) if miss.kind == MissKind::Missing => f.write_str("missing"),
            Some(miss) => f.write_str(&miss.message),
            None => f.write_str("fails"),
        };
    }
    let shown = field.values.iter().find(|value| value.chosen).or(field.values.iter().find(|value| value.held));
    match shown {
        None => f.write_str("absent"),
        Some(value) => write!(f, "{} at {}", value.text, plain(&value.place.pointer)),
    }
}
