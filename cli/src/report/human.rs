//! Findings for people: text with carets.

use std::io::{self, Write};

use eventrie::diagnostic::Finding;

use super::source::Source;
use crate::shown::harmless;

pub(super) fn write(
    out: &mut dyn Write,
    source: &Source<'_>,
    finding: &Finding,
    place: Option<&str>,
    color: bool,
) -> io::Result<()> {
    let rendered = finding.render_in(&source.lines).name(source.file.name()).color(color).to_string();
    writeln!(out, "{rendered}")?;
    if let Some(place) = place {
        // Below the other notes, which are after the line numbers.
        let plain = finding.render_in(&source.lines).to_string();
        let bar = plain.lines().filter_map(|line| line.split_once('|')).find(|(lead, _)| lead.trim().is_empty());
        writeln!(out, "{}= in: {}", bar.map_or("  ", |(lead, _)| lead), harmless(place))?;
    }
    writeln!(out)
}
