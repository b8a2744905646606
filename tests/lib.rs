//! One test binary: the verdicts, the properties, the interface.

mod oracle;
mod wording;
