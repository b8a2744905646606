//! Applies the fixes of a document's findings, until nothing is left to fix.

use std::io::{self, Write};
use std::path::Path;

use eventrie::diagnostic::Fix;
use eventrie_files::{Document, Edit, Expected, NotApplied, SourceFile};
use similar::TextDiff;

use crate::findings::Placed;
use crate::project::{Chosen, Settings};
use crate::shown::harmless;
use crate::{open, replace};

/// A fix may uncover another mistake, but only a bounded number of times.
const MOST_ROUNDS: usize = 10;

/// So many fixes that overlap others are tried alone.
const MOST_ALONE: usize = 50;

/// What a pattern on the command line is called in messages.
pub(super) const EXPRESSION: &str = "<pattern>";

/// A document after its fixes.
pub(super) struct Fixed {
    pub(super) document: Document,
    /// How many findings were fixed.
    pub(super) count: usize,
    /// What is left.
    pub(super) chosen: Chosen,
    /// For each finding that is left, why its fix was not applied, if it has one that was to be applied.
    pub(super) why: Vec<Option<NotApplied>>,
}

/// Fixes a document, in memory.
pub(super) fn fix(mut document: Document, expected: Expected, settings: &Settings, with_unsafe: bool) -> Fixed {
    let mut count = 0;
    let mut chosen = settings.choose(&document);
    for _ in 0..MOST_ROUNDS {
        let (text, outcomes) = apply(&document, &chosen.findings, with_unsafe);
        let applied = outcomes.iter().flatten().filter(|outcome| outcome.is_none()).count();
        if applied == 0 {
            return Fixed { document, count, chosen, why: outcomes.into_iter().map(Option::flatten).collect() };
        }
        let file = SourceFile::new(document.file().name(), text);
        // What was verified can be read.
        let Ok(changed) = Document::read(file, expected) else { break };
        document = changed;
        count += applied;
        chosen = settings.choose(&document);
    }
    let why = vec![None; chosen.findings.len()];
    Fixed { document, count, chosen, why }
}

/// How many findings could be fixed: with fixes that are safe, and with all others.
pub(super) fn count(document: &Document, findings: &[Placed]) -> (usize, usize) {
    if findings.iter().all(|one| one.fixes.is_empty()) || obstacle(document.file()).is_some() {
        return (0, 0);
    }
    let applied = |with_unsafe| {
        let (_, outcomes) = apply(document, findings, with_unsafe);
        outcomes.iter().flatten().filter(|outcome| outcome.is_none()).count()
    };
    let safe = applied(false);
    let has_others = findings.iter().flat_map(|one| &one.fixes).any(|(_, fix)| !fix.is_safe());
    (safe, if has_others { applied(true).saturating_sub(safe) } else { 0 })
}

/// What the fix of each finding changes in the file, if it has one that can be applied.
pub(super) fn edits(document: &Document, findings: &[Placed]) -> Vec<Option<Vec<Edit>>> {
    let fixes: Vec<(usize, &Fix)> =
        findings.iter().flat_map(|one| one.fixes.iter().map(|(pattern, fix)| (*pattern, fix))).collect();
    if fixes.is_empty() || obstacle(document.file()).is_some() {
        return vec![None; findings.len()];
    }
    let mut outcomes = document.apply(&fixes).outcomes.into_iter();
    let mut alone = MOST_ALONE;
    let edits = findings.iter().map(|one| {
        let own: Vec<_> = outcomes.by_ref().take(one.fixes.len()).collect();
        // Fixes that overlap can be applied, but not together.
        let overlaps = own.contains(&Err(NotApplied::Overlaps)) && alone > 0;
        let own = if overlaps {
            alone -= 1;
            let fixes: Vec<(usize, &Fix)> = one.fixes.iter().map(|(pattern, fix)| (*pattern, fix)).collect();
            document.apply(&fixes).outcomes
        } else {
            own
        };
        let mut edits = own.into_iter().collect::<Result<Vec<_>, _>>().ok()?.concat();
        edits.sort_by_key(|edit| (edit.range.start, edit.range.end));
        edits.dedup();
        (!edits.is_empty()).then_some(edits)
    });
    edits.collect()
}

/// Applies the fixes of findings once. For each finding: nothing if it has no such fix, or why the fix was not applied, or
/// that it was.
fn apply(document: &Document, findings: &[Placed], with_unsafe: bool) -> (String, Vec<Option<Option<NotApplied>>>) {
    let mut fixes: Vec<(usize, &Fix)> = Vec::new();
    let mut owners = Vec::new();
    for (owner, one) in findings.iter().enumerate() {
        for (pattern, fix) in one.fixes.iter().filter(|(_, fix)| with_unsafe || fix.is_safe()) {
            fixes.push((*pattern, fix));
            owners.push(owner);
        }
    }
    let mut outcomes = vec![None; findings.len()];
    if fixes.is_empty() {
        return (document.file().text().to_owned(), outcomes);
    }
    let applied = document.apply(&fixes);
    for (owner, outcome) in owners.into_iter().zip(applied.outcomes) {
        if let Some(known) = outcomes.get_mut(owner) {
            // Both sides of a condition, or neither.
            *known = Some(known.flatten().or(outcome.err()));
        }
    }
    (applied.text, outcomes)
}

/// The change of a file, as `diff -u` prints it.
pub(super) fn print(name: &str, old: &str, new: &str, out: &mut dyn Write) -> io::Result<()> {
    let name = harmless(name);
    let diff = TextDiff::from_lines(old, new);
    write!(out, "{}", diff.unified_diff().header(&name, &name))
}

/// Prints a fixed text; one from the command line gets its line end.
pub(super) fn pass_on(new: &str) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(new.as_bytes())?;
    if !new.ends_with('\n') {
        out.write_all(b"\n")?;
    }
    Ok(out.flush()?)
}

/// Writes a fixed file.
pub(super) fn write(name: &str, old: &str, new: &str) -> anyhow::Result<()> {
    replace::replace(Path::new(name), old, new).map_err(|error| anyhow::anyhow!("{name}: not fixed: {error}"))
}

/// Why fixes cannot be written into a file; none if they can. The fixed text of what is no file is printed.
pub(super) fn obstacle(file: &SourceFile) -> Option<String> {
    if matches!(file.name(), open::STDIN | EXPRESSION) {
        return None;
    }
    match replace::obstacle(Path::new(file.name()), file.text()) {
        Ok(why) => why.map(str::to_owned),
        Err(error) => Some(error.to_string()),
    }
}
