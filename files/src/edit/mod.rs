//! Fixes of patterns, applied to the file that the patterns are in: only where it is sure which bytes to change.
//!
//! A fix is a change of the pattern's text. How the file spells that text decides which bytes spell it, and there may be
//! several ways to write the change. Each is tried on a copy: the file is read again, and the change is kept only if every
//! pattern of it is exactly what it should be.

mod changes;
mod literal;
mod outcome;
mod structure;
mod uses;
mod verify;

use std::ops::Range;

use eventrie::diagnostic::Fix;

use crate::document::Document;
use crate::located::{Form, Located};
pub use outcome::{Edit, NotApplied};

/// A file after fixes.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Applied {
    /// The new text of the file.
    pub text: String,
    /// For each fix, in the order given, what it changed (by the bytes of the old text) or why it was not applied.
    pub outcomes: Vec<Result<Vec<Edit>, NotApplied>>,
}

/// How often a file is read again to try changes, and how many bytes may be read for that.
const MOST_READS: usize = 200;
const FEWEST_READS: usize = 4;
const MOST_BYTES: usize = 64 << 20;

impl Document {
    /// Applies fixes of patterns to the file's text. Each fix comes with the position of its pattern in
    /// [`patterns`](Document::patterns), and its span is in that pattern's text, as
    /// [`Pattern::lint`](eventrie::Pattern::lint) and [`Pattern::parse`](eventrie::Pattern::parse) report it.
    ///
    /// A fix is applied only if the changed file, read again, has exactly the changed pattern and no other difference in
    /// any pattern; comments, order, quoting and indentation around it stay. Of fixes that overlap, the first is applied.
    /// Reads the file at most 200 times, a large file less often.
    ///
    /// ```
    /// use eventrie::{Dialect, Pattern};
    /// use eventrie_files::{Document, Expected, SourceFile};
    ///
    /// let template = "\
    /// Resources:
    ///   Rule:
    ///     Type: AWS::Events::Rule
    ///     Properties:
    ///       EventPattern:
    ///         source: aws.ec2 # instances
    /// ";
    /// let document = Document::read(SourceFile::new("template.yaml", template), Expected::Anything)?;
    /// let found = &document.patterns()[0];
    /// let error = Pattern::parse(found.pattern().text(), found.dialect().unwrap()).unwrap_err();
    /// let fix = error.findings()[0].fix.as_ref().unwrap();
    ///
    /// let applied = document.apply(&[(0, fix)]);
    /// assert!(applied.text.ends_with("        source: [aws.ec2] # instances\n"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn apply(&self, fixes: &[(usize, &Fix)]) -> Applied {
        let mut trial = Trial {
            document: self,
            fixes,
            reads: 0,
            most_reads: (MOST_BYTES / self.file().text().len().max(1)).clamp(FEWEST_READS, MOST_READS),
            chosen: Vec::new(),
            outcomes: vec![Err(NotApplied::NoExactPlace); fixes.len()],
        };
        let (mut open, uses) = (Vec::new(), uses::Uses::of(self));
        for (at, (pattern, fix)) in fixes.iter().enumerate() {
            match self.patterns().get(*pattern).map(|found| ways(self, found.pattern(), fix)) {
                Some(Ok(mut ways)) if !ways.is_empty() => {
                    ways.retain(|edits| !uses.are_elsewhere(edits));
                    match ways.is_empty() {
                        true => trial.refuse(at, NotApplied::UsedElsewhere),
                        false => open.push((at, ways)),
                    }
                }
                Some(Err(why)) => trial.refuse(at, why),
                _ => {}
            }
        }
        trial.run(open);
        Applied { text: trial.text(&trial.chosen), outcomes: trial.outcomes }
    }
}

/// The ways to write a fix into the file, best first.
fn ways(document: &Document, pattern: &Located, fix: &Fix) -> Result<Vec<Vec<Edit>>, NotApplied> {
    let span = fix.span.start as usize..fix.span.end as usize;
    let Some(old) = pattern.text().get(span.clone()) else { return Ok(Vec::new()) };
    let file = document.file().text();
    match pattern.form() {
        Form::Verbatim => Ok(literal::verbatim(pattern, span, old, &fix.replacement).into_iter().collect()),
        Form::Literals(literals) => literal::ways(pattern, literals, file, span, old, &fix.replacement),
        Form::Structure => structure::ways(pattern, document.file(), span, old, &fix.replacement),
    }
}

/// Fixes that are being tried.
struct Trial<'a> {
    document: &'a Document,
    fixes: &'a [(usize, &'a Fix)],
    reads: usize,
    most_reads: usize,
    /// The fixes that are kept, each with its edits.
    chosen: Vec<(usize, Vec<Edit>)>,
    outcomes: Vec<Result<Vec<Edit>, NotApplied>>,
}

impl Trial<'_> {
    fn refuse(&mut self, at: usize, why: NotApplied) {
        if let Some(outcome) = self.outcomes.get_mut(at) {
            *outcome = Err(why);
        }
    }

    /// Tries all fixes together, each in its best way; if a part fails, its halves, down to single fixes.
    fn run(&mut self, open: Vec<(usize, Vec<Vec<Edit>>)>) {
        self.part(&open, &open);
        for (at, edits) in &self.chosen {
            if let Some(outcome) = self.outcomes.get_mut(*at) {
                *outcome = Ok(edits.clone());
            }
        }
    }

    /// Recursion halves the part each time.
    fn part(&mut self, part: &[(usize, Vec<Vec<Edit>>)], all: &[(usize, Vec<Vec<Edit>>)]) {
        match part {
            [] => {}
            [(at, ways)] => {
                // It may have come along with its twin.
                if !self.chosen.iter().any(|(other, _)| other == at) {
                    self.one(*at, ways, all);
                }
            }
            _ => {
                let mut together = self.chosen.clone();
                let is_beside = part.iter().all(|(at, ways)| {
                    let Some(first) = ways.first() else { return false };
                    let is_beside = self.is_beside(*at, first, &together);
                    if is_beside && !together.iter().any(|(other, _)| other == at) {
                        together.push((*at, first.clone()));
                    }
                    is_beside
                });
                if is_beside && self.reads < self.most_reads && self.is_exact(&together) {
                    self.chosen = together;
                    return;
                }
                let (first, second) = part.split_at(part.len() / 2);
                self.part(first, all);
                self.part(second, all);
            }
        }
    }

    /// Tries one fix together with those that are kept.
    fn one(&mut self, at: usize, ways: &[Vec<Edit>], all: &[(usize, Vec<Vec<Edit>>)]) {
        let mut why = NotApplied::NoExactPlace;
        for edits in ways {
            if !self.is_beside(at, edits, &self.chosen) {
                why = NotApplied::Overlaps;
                continue;
            }
            if self.reads >= self.most_reads {
                why = NotApplied::TooMany;
                break;
            }
            let mut trial = self.chosen.clone();
            trial.push((at, edits.clone()));
            // Two patterns that share bytes change together, if both are to change alike.
            trial.extend(self.twins(at, edits, all));
            if self.is_exact(&trial) {
                self.chosen = trial;
                return;
            }
            if trial.len() == self.chosen.len() + 1 && self.is_shared(at, edits) {
                why = NotApplied::Shared;
            }
        }
        self.refuse(at, why);
    }

    /// The same edits, from fixes of other patterns.
    fn twins(&self, at: usize, edits: &[Edit], all: &[(usize, Vec<Vec<Edit>>)]) -> Vec<(usize, Vec<Edit>)> {
        let kept = |other: usize| self.chosen.iter().any(|(chosen, _)| *chosen == other);
        let others = all.iter().filter(|(other, _)| *other != at && !kept(*other));
        let same = others.filter(|(_, ways)| ways.iter().any(|way| way == edits));
        same.map(|(other, _)| (*other, edits.to_vec())).collect()
    }

    /// Whether edits touch none of those that are kept, or are the same; and the fix does not overlap another in its
    /// pattern's text.
    fn is_beside(&self, at: usize, edits: &[Edit], kept: &[(usize, Vec<Edit>)]) -> bool {
        let touches = |a: &Range<usize>, b: &Range<usize>| a.start <= b.end && b.start <= a.end;
        let span = |at: usize| self.fixes.get(at).map(|(pattern, fix)| (*pattern, fix.span));
        kept.iter().all(|(other, others)| {
            if edits == others.as_slice() {
                return span(at).map(|(pattern, _)| pattern) != span(*other).map(|(pattern, _)| pattern);
            }
            let apart = |edit: &Edit| others.iter().all(|other| !touches(&edit.range, &other.range));
            let in_text = match (span(at), span(*other)) {
                (Some((one, a)), Some((two, b))) if one == two => a.end < b.start || b.end < a.start,
                _ => true,
            };
            in_text && edits.iter().all(apart)
        })
    }

    /// Whether another pattern is spelled by the same bytes.
    fn is_shared(&self, at: usize, edits: &[Edit]) -> bool {
        let own = self.fixes.get(at).map(|(pattern, _)| *pattern);
        let patterns = self.document.patterns().iter().enumerate();
        patterns.filter(|(pattern, _)| Some(*pattern) != own).any(|(_, found)| {
            let range = found.pattern().whole();
            edits.iter().any(|edit| range.start <= edit.range.start && edit.range.end <= range.end)
        })
    }

    /// Whether the file with these fixes has exactly the changed patterns.
    fn is_exact(&mut self, fixes: &[(usize, Vec<Edit>)]) -> bool {
        self.reads += 1;
        let texts = self.document.patterns().iter().enumerate().map(|(pattern, found)| {
            let own = fixes.iter().filter_map(|(at, _)| self.fixes.get(*at)).filter(|(of, _)| *of == pattern);
            let own = own.map(|(_, fix)| Edit::new(fix.span.start as usize..fix.span.end as usize, &*fix.replacement));
            replaced(found.pattern().text(), own.collect())
        });
        let texts: Vec<String> = texts.collect();
        verify::is_exact(self.document, self.text(fixes), &texts)
    }

    /// The file with these edits.
    fn text(&self, fixes: &[(usize, Vec<Edit>)]) -> String {
        replaced(self.document.file().text(), fixes.iter().flat_map(|(_, edits)| edits).cloned().collect())
    }
}

/// The contents after edits that do not overlap; the same edit twice is one.
fn replaced(text: &str, mut edits: Vec<Edit>) -> String {
    edits.sort_by_key(|edit| (edit.range.start, edit.range.end));
    edits.dedup();
    let (mut changed, mut at) = (String::with_capacity(text.len() + 16), 0);
    for edit in &edits {
        changed.push_str(text.get(at..edit.range.start).unwrap_or(""));
        changed.push_str(&edit.text);
        at = edit.range.end.max(at);
    }
    changed.push_str(text.get(at..).unwrap_or(""));
    changed
}
