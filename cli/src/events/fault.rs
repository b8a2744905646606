//! Events that could not be read: where, why, and how to get JSON.

use std::io::Write as _;

use eventrie::EventError;

use crate::shown::harmless;

/// Place and cause in one line; below it the line with a caret and what the text looks like.
pub(crate) struct Fault {
    pub(crate) headline: String,
    pub(crate) detail: String,
}

impl Fault {
    /// A fault in `text`, which begins on this line of a file.
    pub(crate) fn new(name: &str, first_line: u64, text: &[u8], error: &EventError) -> Fault {
        let shown = error.render(text).first_line(u32::try_from(first_line).unwrap_or(u32::MAX));
        let headline = match shown.position() {
            Some(at) => format!("{name}:{}:{}: {}", at.line, at.column, shown.message()),
            None => format!("{name}:{first_line}: {}", shown.message()),
        };
        Fault { headline, detail: format!("{shown:#}").trim_start_matches('\n').to_owned() }
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
