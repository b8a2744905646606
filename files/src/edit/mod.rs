//! Fixes of patterns, applied to the file that the patterns are in: only where it is sure which bytes to change.
//!
//! A fix is a change of the pattern's text. How the file spells that text decides which bytes spell it, and there may be
//! several ways to write the change. Each is tried on a copy: the file is read again, and the change is kept only if every
//! pattern of it is exactly what it should be.

mod kept;
mod literal;
mod outcome;
mod structure;
mod uses;
mod verify;

use std::ops::Range;

use eventrie::diagnostic::Fix;

use crate::document::Document;
use crate::located::{Form, Located};
use kept::{Change, Kept};
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
            kept: Kept::default(),
            outcomes: vec![Err(NotApplied::NoExactPlace); fixes.len()],
        };
        let (mut open, uses) = (Vec::new(), uses::Uses::of(self));
        for (number, (pattern, fix)) in fixes.iter().enumerate() {
            match self.patterns().get(*pattern).map(|found| ways(self, found.pattern(), fix)) {
                Some(Ok(mut ways)) if !ways.is_empty() => {
                    ways.retain(|edits| !uses.are_elsewhere(edits));
                    match ways.is_empty() {
                        true => trial.refuse(number, NotApplied::UsedElsewhere),
                        false => open.push(Open { number, pattern: *pattern, span: range(fix), ways }),
                    }
                }
                Some(Err(why)) => trial.refuse(number, why),
                _ => {}
            }
        }
        trial.run(&open);
        Applied { text: trial.text(&[]), outcomes: trial.outcomes }
    }
}

fn range(fix: &Fix) -> Range<usize> {
    fix.span.start as usize..fix.span.end as usize
}

/// A fix to try, and the ways to write it into the file, best first.
struct Open {
    number: usize,
    pattern: usize,
    span: Range<usize>,
    ways: Vec<Vec<Edit>>,
}

impl Open {
    fn change(&self, edits: &[Edit]) -> Change {
        Change { number: self.number, pattern: self.pattern, span: self.span.clone(), edits: edits.to_vec() }
    }

    /// In the best way.
    fn best(&self) -> Option<Change> {
        Some(self.change(self.ways.first()?))
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
    kept: Kept,
    outcomes: Vec<Result<Vec<Edit>, NotApplied>>,
}

impl Trial<'_> {
    fn refuse(&mut self, number: usize, why: NotApplied) {
        if let Some(outcome) = self.outcomes.get_mut(number) {
            *outcome = Err(why);
        }
    }

    /// Tries all fixes that touch no earlier one together, each in its best way; if a part fails, its halves, down to single
    /// fixes. Then the others, one by one.
    fn run(&mut self, open: &[Open]) {
        let mut apart = Kept::default();
        let (first, others): (Vec<&Open>, Vec<&Open>) = open.iter().partition(|fix| {
            let Some(change) = fix.best() else { return false };
            let is_apart = apart.admits(&change);
            if is_apart {
                apart.add(change);
            }
            is_apart
        });
        self.part(&first, open);
        for fix in others {
            self.part(&[fix], open);
        }
        for change in self.kept.changes() {
            if let Some(outcome) = self.outcomes.get_mut(change.number) {
                *outcome = Ok(change.edits.clone());
            }
        }
    }

    /// Recursion halves the part each time.
    fn part(&mut self, part: &[&Open], all: &[Open]) {
        match part {
            [] => {}
            [fix] => {
                // It may have come along with its twin.
                if !self.kept.has(fix.number) {
                    self.one(fix, all);
                }
            }
            _ => {
                if self.reads < self.most_reads {
                    let new = part.iter().filter(|fix| !self.kept.has(fix.number));
                    let together: Option<Vec<Change>> =
                        new.map(|fix| fix.best().filter(|change| self.kept.admits(change))).collect();
                    if let Some(together) = together
                        && self.is_exact(&together)
                    {
                        together.into_iter().for_each(|change| self.kept.add(change));
                        return;
                    }
                }
                let (first, second) = part.split_at(part.len() / 2);
                self.part(first, all);
                self.part(second, all);
            }
        }
    }

    /// Tries one fix together with those that are kept.
    fn one(&mut self, fix: &Open, all: &[Open]) {
        let mut why = NotApplied::NoExactPlace;
        for edits in &fix.ways {
            let change = fix.change(edits);
            if !self.kept.admits(&change) {
                why = NotApplied::Overlaps;
                continue;
            }
            if self.reads >= self.most_reads {
                why = NotApplied::TooMany;
                break;
            }
            // Two patterns that share bytes change together, if both are to change alike.
            let mut trial = self.twins(fix, edits, all);
            trial.insert(0, change);
            if self.is_exact(&trial) {
                trial.into_iter().for_each(|change| self.kept.add(change));
                return;
            }
            if trial.len() == 1 && self.is_shared(fix.pattern, edits) {
                why = NotApplied::Shared;
            }
        }
        self.refuse(fix.number, why);
    }

    /// The same edits, from other fixes.
    fn twins(&self, fix: &Open, edits: &[Edit], all: &[Open]) -> Vec<Change> {
        let others = all.iter().filter(|other| other.number != fix.number && !self.kept.has(other.number));
        let same = others.filter(|other| other.ways.iter().any(|way| way == edits));
        same.map(|other| other.change(edits)).filter(|change| self.kept.admits(change)).collect()
    }

    /// Whether another pattern is spelled by the same bytes.
    fn is_shared(&self, own: usize, edits: &[Edit]) -> bool {
        let patterns = self.document.patterns().iter().enumerate();
        patterns.filter(|(pattern, _)| *pattern != own).any(|(_, found)| {
            let range = found.pattern().whole();
            edits.iter().any(|edit| range.start <= edit.range.start && edit.range.end <= range.end)
        })
    }

    /// Whether the file with these changes too has exactly the changed patterns.
    fn is_exact(&mut self, new: &[Change]) -> bool {
        self.reads += 1;
        let mut edits: Vec<Vec<Edit>> = vec![Vec::new(); self.document.patterns().len()];
        for change in self.kept.changes().iter().chain(new) {
            if let (Some(edits), Some((_, fix))) = (edits.get_mut(change.pattern), self.fixes.get(change.number)) {
                edits.push(Edit::new(change.span.clone(), &*fix.replacement));
            }
        }
        let patterns = self.document.patterns().iter().zip(edits);
        let texts: Vec<String> = patterns.map(|(found, edits)| replaced(found.pattern().text(), edits)).collect();
        verify::is_exact(self.document, self.text(new), &texts)
    }

    /// The file with the edits of what is kept and of these changes.
    fn text(&self, new: &[Change]) -> String {
        let edits = self.kept.changes().iter().chain(new).flat_map(|change| &change.edits);
        replaced(self.document.file().text(), edits.cloned().collect())
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
