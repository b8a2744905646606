//! Findings for people: text with carets.

use std::io::{self, Write};

use eventrie::diagnostic::Finding;

use super::source::{About, Source};
use crate::shown::harmless;

pub(super) fn write(
    out: &mut dyn Write,
    source: &Source<'_>,
    finding: &Finding,
    about: &About<'_>,
    color: bool,
) -> io::Result<()> {
    let rendered = finding.render_in(&source.lines).name(source.file.name()).color(color).to_string();
    writeln!(out, "{rendered}")?;
    if about.place.is_some() || about.why.is_some() {
        // Below the other notes, which are after the line numbers.
        let plain = finding.render_in(&source.lines).to_string();
        let bar = plain.lines().filter_map(|line| line.split_once('|')).find(|(lead, _)| lead.trim().is_empty());
        let lead = bar.map_or("  ", |(lead, _)| lead);
        if let Some(why) = about.why {
            writeln!(out, "{lead}= not applied here: {why}")?;
        }
        if let Some(place) = about.place {
            writeln!(out, "{lead}= in: {}", harmless(place))?;
        }
    }
    writeln!(out)
}
