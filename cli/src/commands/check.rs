//! `eventrie check`

use std::io::ErrorKind;
use std::path::Path;

use eventrie::diagnostic::{Code, Finding, Severity};
use eventrie::relate::redundant;
use eventrie::{Dialect, ParseOptions, Pattern};
use eventrie_files::{Document, Expected, Found, Kind, Located, SourceFile};

use crate::args::{CheckArgs, Level};
use crate::commands::Outcome;
use crate::report::{Format, Reporter, Source};
use crate::shown::complain;
use crate::{directory, open};

pub(crate) fn run(args: &CheckArgs) -> anyhow::Result<Outcome> {
    let mut check = Check { args, reporter: Reporter::stdout(args.format), patterns: 0, trouble: false };
    if let Some(text) = &args.expression {
        let file = SourceFile::new("<pattern>", text.clone());
        check.pattern(&Source::new(&file), &Located::verbatim(text, 0), args.dialect, None);
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
            .map(|(_, (count, what))| format!("{count} {what}{}", if count == 1 { "" } else { "s" }))
            .collect();
        complain(&counts.join(", "));
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
                if document.kind() == Kind::Template && document.patterns().is_empty() {
                    complain(&format!("{}: there are no patterns in it", document.file().name()));
                }
                self.document(&document);
            }
            Err(error) => self.cannot(&format!("{error:#}")),
        }
    }

    /// The templates and rule files in a directory. Whatever else there is may be anything, bare patterns too.
    fn directory(&mut self, name: &str) {
        let before = self.patterns;
        let mut names = Vec::new();
        if let Err(error) = directory::collect(Path::new(name), &["json", "yaml", "yml", "template"], &mut names) {
            self.cannot(&format!("{error:#}"));
        }
        for name in names {
            match read(&name, Expected::Anything) {
                Ok(document) if document.kind() == Kind::Pattern => {}
                Ok(document) => self.document(&document),
                Err(error) => self.cannot(&format!("{error:#}")),
            }
        }
        if self.patterns == before {
            complain(&format!("{name}: there are no templates with patterns in it"));
        }
    }

    fn document(&mut self, document: &Document) {
        for note in document.notes() {
            complain(&format!("{}: {note}", document.file().name()));
        }
        let source = Source::new(document.file());
        let mut valid = Vec::new();
        for found in document.patterns() {
            let place = match document.kind() {
                Kind::Template | Kind::Rules => Some(document.name_of(found)),
                Kind::Pattern => None,
            };
            let dialect = found.dialect().unwrap_or(self.args.dialect);
            let parsed = self.pattern(&source, found.pattern(), dialect, place.as_deref());
            valid.extend(parsed.map(|pattern| (found, pattern)));
        }
        if document.kind() == Kind::Rules {
            self.relations(document, &source, &valid);
        }
    }

    /// Rules that add nothing beside another.
    fn relations(&mut self, document: &Document, source: &Source<'_>, valid: &[(&Found, Pattern)]) {
        for one in redundant(valid.iter().map(|(_, pattern)| pattern)) {
            let (Some((rule, narrow)), Some((other, wide))) = (valid.get(one.id.index()), valid.get(one.by.index()))
            else {
                continue;
            };
            // Of the filters of one set any may match.
            let Some(mut finding) = narrow.lint_beside(wide).filter(|_| rule.group() != other.group()) else {
                continue;
            };
            let (rule_name, other_name) = (document.name_of(rule), document.name_of(other));
            finding.message = match finding.code == Code::SameRule {
                true => format!("the rules `{other_name}` and `{rule_name}` match the same events"),
                false => format!("the rule `{other_name}` matches all that `{rule_name}` matches"),
            };
            self.show(source, rule.pattern(), &[finding], Some(&rule_name));
        }
    }

    /// Checks one pattern, under the limits of its service.
    fn pattern(
        &mut self,
        source: &Source<'_>,
        pattern: &Located,
        dialect: Dialect,
        place: Option<&str>,
    ) -> Option<Pattern> {
        self.patterns += 1;
        let options = ParseOptions::new(dialect).service_limits(true).engine(self.args.engine);
        match Pattern::parse_with(pattern.text(), &options) {
            Ok(parsed) => {
                self.show(
                    source,
                    pattern,
                    &parsed.lint_with(&eventrie::pattern::LintOptions::default().notes(true)),
                    place,
                );
                Some(parsed)
            }
            Err(error) => {
                self.show(source, pattern, error.findings(), place);
                None
            }
        }
    }

    fn show(&mut self, source: &Source<'_>, pattern: &Located, findings: &[Finding], place: Option<&str>) {
        for finding in findings {
            let counts = match self.args.level {
                Level::Error => finding.severity == Severity::Error,
                Level::Warning => matches!(finding.severity, Severity::Error | Severity::Warning),
                Level::Note => true,
            };
            // Of what is only known when the template is deployed, nothing can be said.
            if counts && !pattern.touches_hole(finding.label.span) {
                self.reporter.show(source, &pattern.in_file(finding), place);
            }
        }
    }
}

fn read(name: &str, expected: Expected) -> anyhow::Result<Document> {
    Ok(Document::read(open::source(name)?, expected)?)
}
