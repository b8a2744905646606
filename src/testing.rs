//! Access for the tests outside this crate. Not part of the interface: anything here may change.

use crate::json::Reader;

/// How many ways of reading an event this processor has; number 0 uses no vector instructions, the last is the default.
#[must_use]
pub fn levels() -> usize {
    Reader::levels()
}

/// Has a reader use one of the [`levels`]; there is no effect if there is no such level.
pub fn set_level(reader: &mut Reader, level: usize) {
    reader.choose_level(level);
}

/// Writes the right length and checksum into what might be a saved matcher.
pub fn seal(bytes: &mut [u8]) {
    crate::saved::seal(bytes);
}

/// How many cases a property is tested with: as many as `PROPTEST_CASES` says, for slow processors and the interpreter.
#[cfg(test)]
pub(crate) fn cases(usual: u32) -> u32 {
    std::env::var("PROPTEST_CASES").ok().and_then(|count| count.parse().ok()).unwrap_or(usual)
}
