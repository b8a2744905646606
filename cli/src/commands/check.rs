//! `eventrie check`

use std::io::ErrorKind;
use std::path::Path;

use eventrie_files::{Document, Expected, Kind, Located, SourceFile};

use crate::args::CheckArgs;
use crate::commands::Outcome;
use crate::findings::{Findings, Reading, of_pattern};
use crate::report::{Format, Reporter, Source};
use crate::shown::complain;
use crate::{directory, open};

/// How the files of a directory end that may have patterns.
const ENDS: [&str; 6] = ["json", "yaml", "yml", "template", "tf", "tofu"];

pub(crate) fn run(args: &CheckArgs) -> anyhow::Result<Outcome> {
    let mut check = Check {
        args,
        reporter: Reporter::stdout(args.format),
        patterns: 0,
        files: args.files.len() + args.rules.len(),
        trouble: false,
    };
    if let Some(text) = &args.expression {
        let file = SourceFile::new("<pattern>", text.clone());
        let source = Source::new(&file);
        check.patterns += 1;
        let (_, findings) = of_pattern(&Located::verbatim(text, 0), check.reading(), &[]);
        for finding in findings.iter().filter(|finding| args.level.counts(finding)) {
            check.reporter.show(&source, finding, None);
        }
    }
    for name in &args.rules {
        check.file(name, Expected::Rules);
    }
    for name in &args.files {
        match Path::new(name).is_dir() {
            true => check.directory(name),
            false => check.file(name, Expected::Anything),
        }
    }
    match check.reporter.finish() {
        // Nobody reads on, but what was found counts.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => {}
        other => other?,
    }
    let (errors, warnings, notes) = (check.reporter.errors, check.reporter.warnings, check.reporter.notes);
    if args.format == Format::Human {
        let counts = [(check.patterns, "pattern"), (errors, "error"), (warnings, "warning"), (notes, "note")];
        let counts: Vec<String> = counts
            .into_iter()
            .enumerate()
            .filter(|(at, (count, _))| *at == 0 || *count > 0)
            .map(|(_, (count, what))| counted(count, what))
            .collect();
        complain(&counts.join(", "));
    }
    if args.require_patterns && check.patterns == 0 {
        check.cannot(&format!("no pattern found in {}, and --require-patterns is given", counted(check.files, "file")));
    }
    Ok(match (check.trouble, errors + warnings + notes) {
        (true, _) => Outcome::Trouble,
        (false, 0) => Outcome::Yes,
        (false, _) => Outcome::No,
    })
}

struct Check<'a> {
    args: &'a CheckArgs,
    reporter: Reporter,
    patterns: usize,
    /// How many files were looked at.
    files: usize,
    trouble: bool,
}

impl Check<'_> {
    fn cannot(&mut self, message: &str) {
        complain(message);
        self.trouble = true;
    }

    fn file(&mut self, name: &str, expected: Expected) {
        match read(name, expected) {
            Ok(document) => {
                let is_empty = document.patterns().is_empty() && document.findings().is_empty();
                if is_empty && document.kind() != Kind::Foreign {
                    complain(&format!("{}: no patterns found", document.file().name()));
                }
                self.document(&document);
            }
            Err(error) => self.cannot(&format!("{error:#}")),
        }
    }

    /// The files of a directory that have patterns. What is surely something else, such as an event, is passed over.
    fn directory(&mut self, name: &str) {
        let (before, mut names) = (self.patterns, Vec::new());
        if let Err(error) = directory::collect(Path::new(name), &ENDS, &mut names) {
            self.cannot(&format!("{error:#}"));
        }
        let (mut with, mut foreign) = (0, 0);
        for name in &names {
            match read(name, Expected::Anything) {
                Ok(document) if document.kind() == Kind::Foreign || document.is_doubtful() => foreign += 1,
                Ok(document) => {
                    with += usize::from(!document.patterns().is_empty());
                    self.document(&document);
                }
                Err(error) => self.cannot(&format!("{error:#}")),
            }
        }
        self.files += names.len().saturating_sub(1);
        if self.patterns == before {
            complain(&format!("{name}: no patterns found in {}", counted(names.len(), "file")));
        } else if self.args.format == Format::Human {
            let rest = if foreign > 0 {
                format!("; {foreign} {} something else", if foreign == 1 { "is" } else { "are" })
            } else {
                String::new()
            };
            complain(&format!("{name}: {with} of {} have patterns{rest}", counted(names.len(), "file")));
        }
    }

    fn document(&mut self, document: &Document) {
        for note in document.notes() {
            complain(&format!("{}: {note}", document.file().name()));
        }
        for error in document.unread() {
            self.cannot(&error.to_string());
        }
        let source = Source::new(document.file());
        self.patterns += document.patterns().len();
        let found = Findings::of(document, self.reading());
        let name = document.file().name();
        if self.args.format == Format::Human {
            for place in &found.disabled {
                complain(&format!("{name}: {place}: the rule is disabled, so it receives no events"));
            }
        }
        for one in found.all.iter().filter(|one| self.args.level.counts(&one.finding)) {
            self.reporter.show(&source, &one.finding, one.place.as_deref());
        }
        let (compared, pairs) = found.pairs;
        if compared < pairs {
            complain(&format!("{name}: compared {compared} of {pairs} pairs of rules; more redundant rules may exist"));
        }
    }

    fn reading(&self) -> Reading {
        Reading { dialect: self.args.dialect, engine: self.args.engine }
    }
}

fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

fn read(name: &str, expected: Expected) -> anyhow::Result<Document> {
    Ok(Document::read(open::source(name)?, expected)?)
}
