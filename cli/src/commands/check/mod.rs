//! `eventrie check`

mod archive;
mod fix;
#[cfg(feature = "watch")]
mod watch;

use std::io::{ErrorKind, Write};
use std::path::Path;
use std::rc::Rc;

use anyhow::bail;
use eventrie_files::{Document, Expected, Kind, Located, NotApplied, SourceFile};

use crate::args::CheckArgs;
use crate::commands::Outcome;
use crate::findings::{Placed, of_pattern};
use crate::project::{Chosen, Projects, Settings, Words};
use crate::report::{About, Format, Reporter, Source};
use crate::shown::{complain, counted};
use crate::{directory, open};

/// How the files of a directory end that may have patterns.
const ENDS: [&str; 6] = ["json", "yaml", "yml", "template", "tf", "tofu"];

pub(crate) fn run(args: &CheckArgs) -> anyhow::Result<Outcome> {
    check_words(args)?;
    if !args.watch {
        return once(args);
    }
    #[cfg(feature = "watch")]
    return watch::run(args, &ENDS, once);
    #[cfg(not(feature = "watch"))]
    bail!("this build cannot watch files; install one that can with `cargo install eventrie-cli --features full`")
}

fn once(args: &CheckArgs) -> anyhow::Result<Outcome> {
    let words = Words {
        dialect: args.dialect,
        engine: args.engine,
        source: args.source,
        level: args.level,
        select: args.choose.select.clone(),
        ignore: args.choose.ignore.clone(),
        config: args.choose.config.clone(),
    };
    let mut check = Check {
        args,
        projects: Projects::new(words)?,
        // A diff and a fixed text are for programs; what is left to do is for people.
        reporter: if args.fix.diff || prints_fixed(args) { Reporter::stderr() } else { Reporter::stdout(args.format) },
        fixed: 0,
        held: Vec::new(),
        fixable: (0, 0),
        ignored: 0,
        patterns: 0,
        files: args.files.len() + args.rules.len(),
        trouble: false,
    };
    if let Some(text) = &args.expression {
        check.expression(text)?;
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
    if !args.events.is_empty() {
        check.archive();
    }
    check.settings();
    match check.reporter.finish_with(!check.trouble) {
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
        check.advise();
    }
    if args.require_patterns && check.patterns == 0 {
        check.cannot(&format!(
            "no patterns found in {}, but --require-patterns was given",
            counted(check.files, "file")
        ));
    }
    let would_fix = if args.fix.diff { check.fixed } else { 0 };
    Ok(match (check.trouble, errors + warnings + notes + would_fix) {
        (true, _) => Outcome::Trouble,
        (false, 0) => Outcome::Yes,
        (false, _) => Outcome::No,
    })
}

/// Whether the input to fix is not a file, so the fixed text is printed.
fn prints_fixed(args: &CheckArgs) -> bool {
    let is_input = args.files.iter().chain(&args.rules).any(|name| name == "-");
    args.fix.fix && (args.expression.is_some() || is_input)
}

/// Words that do not go together.
fn check_words(args: &CheckArgs) -> anyhow::Result<()> {
    let fix = &args.fix;
    if fix.unsafe_fixes && !fix.fix && !fix.diff {
        bail!("--unsafe-fixes requires --fix or --diff");
    }
    if args.expression.is_some() && !args.events.is_empty() {
        bail!("--events requires files and cannot be used with -e");
    }
    if (fix.fix || fix.diff) && !args.events.is_empty() {
        bail!("--events cannot be used with --fix or --diff: check first, then fix");
    }
    let is_input = |name: &String| name == "-";
    if args.events.iter().any(is_input) && args.files.iter().chain(&args.rules).any(is_input) {
        bail!("standard input cannot be both patterns and events: name a file for one of them");
    }
    if args.watch && (fix.fix || fix.diff || args.format != Format::Human) {
        bail!("--watch cannot be used with --fix, --diff or --format: it prints findings for people");
    }
    if args.watch
        && (args.expression.is_some() || args.files.iter().chain(&args.rules).chain(&args.events).any(is_input))
    {
        bail!("--watch requires files and cannot be used with -e or standard input");
    }
    if fix.diff && args.format != Format::Human {
        bail!("--diff cannot be used with --format: it prints a diff");
    }
    if prints_fixed(args) && args.format != Format::Human {
        bail!("--fix cannot be used with --format for -e or standard input: it prints the fixed text");
    }
    Ok(())
}

struct Check<'a> {
    args: &'a CheckArgs,
    projects: Projects,
    reporter: Reporter,
    /// How many findings were fixed, or would be.
    fixed: usize,
    /// Documents that are compared with recorded events, all at once.
    held: Vec<(Rc<Settings>, Document)>,
    /// How many findings could be fixed: with safe fixes, and with the others.
    fixable: (usize, usize),
    /// How many findings the project asks to ignore.
    ignored: usize,
    patterns: usize,
    /// How many files were read.
    files: usize,
    trouble: bool,
}

impl Check<'_> {
    fn cannot(&mut self, message: &str) {
        complain(message);
        self.trouble = true;
    }

    /// One pattern, or what contains some: the configuration of a subscriber, the criteria of a pipe.
    fn expression(&mut self, text: &str) -> anyhow::Result<()> {
        let file = SourceFile::new(fix::EXPRESSION, text);
        let several = Document::read(file.clone(), Expected::Pattern).ok();
        let is_fixed = self.args.fix.fix || self.args.fix.diff;
        let is_around = |found: &Document| {
            found.patterns().len() > 1 || found.patterns().iter().any(|one| one.pattern().text().trim() != text.trim())
        };
        let several = several.filter(|found| is_fixed || !found.subscribers().is_empty() || is_around(found));
        if let Some(document) = several {
            self.document("-", document, Expected::Pattern);
            return Ok(());
        }
        let source = Source::new(&file);
        self.patterns += 1;
        let settings = self.projects.of("-")?;
        let (_, findings) = of_pattern(&Located::verbatim(text, 0), settings.reading, &[]);
        for finding in findings {
            let one = Placed { finding, place: None, fixes: Vec::new() };
            if settings.counts(&one) {
                self.reporter.show(&source, &one.finding, None);
            }
        }
        Ok(())
    }

    fn file(&mut self, name: &str, expected: Expected) {
        match read(name, expected) {
            Ok(document) if self.args.skip_unknown && is_unknown(&document) => {}
            Ok(document) => {
                let is_empty = document.patterns().is_empty() && document.findings().is_empty();
                if is_empty && document.kind() != Kind::Foreign {
                    complain(&format!("{}: no patterns found", document.file().name()));
                }
                self.document(name, document, expected);
            }
            Err(error) => self.cannot(&format!("{error:#}")),
        }
    }

    /// The files of a directory that have patterns. What is surely something else, such as an event, is skipped.
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
                    self.document(name, document, Expected::Anything);
                }
                Err(error) => self.cannot(&format!("{error:#}")),
            }
        }
        self.files += names.len().saturating_sub(1);
        if self.patterns == before {
            complain(&format!("{name}: no patterns found in {}", counted(names.len(), "file")));
        } else if self.args.format == Format::Human {
            let rest = if foreign > 0 {
                format!("; {foreign} {} of another kind", if foreign == 1 { "is" } else { "are" })
            } else {
                String::new()
            };
            let have = if names.len() == 1 { "has" } else { "have" };
            complain(&format!("{name}: {with} of {} {have} patterns{rest}", counted(names.len(), "file")));
        }
    }

    fn document(&mut self, name: &str, document: Document, expected: Expected) {
        for note in document.notes() {
            complain(&format!("{}: {note}", document.file().name()));
        }
        for error in document.unread() {
            self.cannot(&error.to_string());
        }
        self.patterns += document.patterns().len();
        let settings = match self.projects.of(name) {
            Ok(settings) => settings,
            Err(error) => return self.cannot(&format!("{error:#}")),
        };
        settings.visit(name);
        if self.args.fix.fix || self.args.fix.diff {
            return self.fix(name, document, expected, &settings);
        }
        if !self.args.events.is_empty() {
            return self.held.push((settings, document));
        }
        self.chosen(&settings, &document, Vec::new());
    }

    /// Compares the collected documents with recorded events, and reports the result.
    fn archive(&mut self) {
        let held = std::mem::take(&mut self.held);
        let documents: Vec<_> = held.iter().map(|(settings, document)| (document, settings.reading)).collect();
        let dialect = self.args.dialect.unwrap_or_default();
        let findings = match archive::read(&documents, &self.args.events, dialect) {
            Ok(archive) => {
                if self.args.format == Format::Human {
                    complain(&format!(
                        "{} read",
                        counted(usize::try_from(archive.read.events).unwrap_or(usize::MAX), "event")
                    ));
                }
                self.trouble |= archive.read.bad > 0;
                archive.findings
            }
            Err(error) => {
                self.cannot(&format!("{error:#}"));
                Vec::new()
            }
        };
        let mut findings = findings.into_iter();
        for (settings, document) in &held {
            self.chosen(settings, document, findings.next().unwrap_or_default());
        }
    }

    /// Checks a document and reports what counts.
    fn chosen(&mut self, settings: &Settings, document: &Document, more: Vec<Placed>) {
        let chosen = settings.choose_with(document, more);
        if self.args.format == Format::Human {
            let (safe, other) = fix::count(document, &chosen.findings);
            self.fixable = (self.fixable.0 + safe, self.fixable.1 + other);
        }
        self.report(document, &chosen, &[]);
    }

    /// Fixes a file, or shows how it would be fixed, and reports what is left.
    fn fix(&mut self, name: &str, document: Document, expected: Expected, settings: &Settings) {
        let old = document.file().text().to_owned();
        let fixed = fix::fix(document, expected, settings, self.args.fix.unsafe_fixes);
        let new = fixed.document.file().text();
        let is_file = name != "-" && fixed.count > 0;
        let unfixed = SourceFile::new(fixed.document.file().name(), &*old);
        if let Some(why) = is_file.then(|| fix::obstacle(&unfixed)).flatten() {
            self.cannot(&format!("{name}: not fixed: {why}"));
            // What was read before can be read again.
            if let Ok(document) = Document::read(unfixed, expected) {
                self.chosen(settings, &document, Vec::new());
            }
            return;
        }
        // A filter passes on what it does not change.
        let is_filter = self.args.fix.fix && name == "-";
        if fixed.count > 0 || is_filter {
            let done = match self.args.fix.fix {
                true if is_filter => fix::pass_on(new),
                true => fix::write(name, &old, new),
                false => {
                    let mut out = anstream::stdout();
                    let printed = fix::print(fixed.document.file().name(), &old, new, &mut out);
                    printed.and_then(|()| out.flush()).map_err(anyhow::Error::from)
                }
            };
            match done {
                Ok(()) => self.fixed += fixed.count,
                Err(error) => return self.cannot(&format!("{error:#}")),
            }
        }
        self.report(&fixed.document, &fixed.chosen, &fixed.why);
    }

    /// Shows what was found; `why` says for each finding why its fix was not applied.
    fn report(&mut self, document: &Document, found: &Chosen, why: &[Option<NotApplied>]) {
        let (source, name) = (Source::new(document.file()), document.file().name());
        if self.args.format == Format::Human {
            for one in &found.disabled {
                let place = one.place.as_ref().map_or_else(String::new, |place| format!("{place}: "));
                complain(&format!("{name}: {place}{}", one.finding.message));
            }
        } else {
            for one in &found.disabled {
                let about = About { place: one.place.as_deref(), ..About::default() };
                self.reporter.write(&source, &one.finding, &about);
            }
        }
        // What programs may want to apply.
        let edits = match self.args.format {
            Format::Json | Format::Sarif => fix::edits(document, &found.findings),
            Format::Human | Format::Github => Vec::new(),
        };
        for (at, one) in found.findings.iter().enumerate() {
            let why = why.get(at).copied().flatten();
            let edits = edits.get(at).and_then(Option::as_deref);
            let is_refused = self.args.format == Format::Json && edits.is_none();
            let about = About { place: one.place.as_deref(), edits, is_refused, why };
            self.reporter.show_with(&source, &one.finding, &about);
        }
        self.ignored += found.ignored;
        let (compared, pairs) = found.pairs;
        if compared < pairs {
            complain(&format!("{name}: compared {compared} of {pairs} pairs of rules; more redundant rules may exist"));
        }
    }

    /// Reports what in `eventrie.toml` hides nothing.
    fn settings(&mut self) {
        for settings in self.projects.all() {
            let Some((file, unused)) = settings.unused() else { continue };
            let source = Source::new(file);
            for one in unused {
                self.reporter.show(&source, &one.finding, None);
            }
        }
    }

    /// What was done and what could be, after the counts.
    fn advise(&self) {
        let is = |count: usize| if count == 1 { "is" } else { "are" };
        if self.ignored > 0 {
            complain(&format!("{} {} ignored", counted(self.ignored, "finding"), is(self.ignored)));
        }
        if self.args.fix.fix && self.fixed > 0 {
            complain(&format!("fixed {}", counted(self.fixed, "finding")));
        } else if self.args.fix.diff && self.fixed > 0 {
            complain(&format!("--fix would fix {}", counted(self.fixed, "finding")));
        }
        match self.fixable {
            (0, 0) => {}
            (0, other) => complain(&format!(
                "--fix --unsafe-fixes can fix {}; review them with --diff first",
                counted(other, "finding")
            )),
            (safe, 0) => complain(&format!("--fix can fix {}", counted(safe, "finding"))),
            (safe, other) => {
                complain(&format!("--fix can fix {}, with --unsafe-fixes {other} more", counted(safe, "finding")))
            }
        }
    }
}

/// Whether it is unclear that the file has patterns.
fn is_unknown(document: &Document) -> bool {
    let is_empty = document.patterns().is_empty() && document.findings().is_empty() && document.unread().is_empty();
    document.kind() == Kind::Foreign || document.is_doubtful() || is_empty
}

fn read(name: &str, expected: Expected) -> anyhow::Result<Document> {
    Ok(Document::read(open::source(name)?, expected)?)
}
