//! Events that could not be read: where, why, and how to get JSON.

use std::fmt::Write as _;
use std::io::Write as _;

use eventrie::EventError;
use eventrie_files::looks_like;

use crate::shown::harmless;

/// How much of a line is shown on each side of the fault.
const AROUND: usize = 38;

/// Place and cause in one line; below it the line with a caret and what the text looks like.
pub(crate) struct Fault {
    pub(crate) headline: String,
    pub(crate) detail: String,
}

impl Fault {
    /// A fault in `text`, which begins on this line of a file.
    pub(crate) fn new(name: &str, first_line: u64, text: &[u8], error: &EventError) -> Fault {
        let cause = error.to_string();
        let Some(offset) = error.offset() else {
            return Fault { headline: format!("{name}:{first_line}: {cause}"), detail: String::new() };
        };
        let cause = cause.strip_suffix(&format!(" at byte {offset}")).unwrap_or(&cause);
        let offset = offset.min(text.len());
        let before = text.get(..offset).unwrap_or(text);
        let start = memchr::memrchr(b'\n', before).map_or(0, |at| at + 1);
        let line = first_line + memchr::memchr_iter(b'\n', before).count() as u64;
        let rest = text.get(start..).unwrap_or(&[]);
        let end = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
        let line_text = rest.get(..end).unwrap_or(rest);
        let (lead, tail) = line_text.split_at(offset.saturating_sub(start).min(line_text.len()));
        let column = String::from_utf8_lossy(lead).chars().count() + 1;
        let mut detail = picture(line, &String::from_utf8_lossy(lead), &String::from_utf8_lossy(tail));
        if let Some(help) = looks_like(text) {
            let _ = write!(detail, "\n  = help: {help}");
        }
        Fault { headline: format!("{name}:{line}:{column}: {cause}"), detail }
    }

    /// Reports it on standard error; briefly, only place and cause.
    pub(crate) fn report(&self, briefly: bool) {
        let text = if briefly { self.headline.clone() } else { self.full() };
        drop(writeln!(anstream::stderr(), "{}", harmless(&text)));
    }

    /// All of it.
    pub(crate) fn full(&self) -> String {
        if self.detail.is_empty() { self.headline.clone() } else { format!("{}\n{}", self.headline, self.detail) }
    }
}

/// The line around the fault, with a caret.
fn picture(line: u64, lead: &str, tail: &str) -> String {
    let shown_lead: String = match lead.chars().count().checked_sub(AROUND) {
        None | Some(0) => lead.to_owned(),
        Some(cut) => format!("…{}", lead.chars().skip(cut).collect::<String>()),
    };
    let tail = tail.trim_end();
    let mut shown_tail: String = tail.chars().take(AROUND).collect();
    if shown_tail.len() < tail.len() {
        shown_tail.push('…');
    }
    let number = line.to_string();
    let gap = " ".repeat(number.len());
    let plain = |text: &str| harmless(text).replace(['\t', '\r'], " ");
    let (shown_lead, shown_tail) = (plain(&shown_lead), plain(&shown_tail));
    let caret = " ".repeat(shown_lead.chars().count());
    format!("{gap} |\n{number} | {shown_lead}{shown_tail}\n{gap} | {caret}^")
}
