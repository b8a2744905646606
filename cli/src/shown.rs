//! Messages on standard error, and how names from files are shown there.

use std::borrow::Cow;
use std::io::Write;

use eventrie::diagnostic::is_disturbing;

/// What is said if no pattern matches all events.
pub(crate) const NOTHING_IN_COMMON: &str =
    "the events have no field in common that a pattern can test, so no single pattern matches them all";

/// A line on standard error; if that fails, nothing can report it.
pub(crate) fn complain(message: &str) {
    drop(writeln!(anstream::stderr(), "eventrie: {}", harmless(message)));
}

/// A number of things: `1 file`, `2 files`.
pub(crate) fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// A string of ours with names from files and templates in it, which commands no terminal and does not turn the direction of
/// writing: what the library replaces in its own messages.
pub(crate) fn harmless(text: &str) -> Cow<'_, str> {
    let harms = |char: char| char != '\n' && is_disturbing(char);
    if text.contains(harms) { text.replace(harms, "\u{fffd}").into() } else { text.into() }
}

#[cfg(test)]
mod tests {
    use super::harmless;

    #[test]
    fn names_stay_names() {
        assert_eq!(harmless("a\u{1b}[2Jb\u{202e}c\u{200f}\nd"), "a\u{fffd}[2Jb\u{fffd}c\u{fffd}\nd");
        assert_eq!(harmless("é ☃ d"), "é ☃ d");
    }
}
