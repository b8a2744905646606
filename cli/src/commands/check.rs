//! `eventrie check`

use std::io::ErrorKind;
use std::path::Path;

use eventrie::diagnostic::{Code, Finding, Severity};
use eventrie::relate::redundant;
use eventrie::{Dialect, ParseOptions, Pattern};

use crate::args::{CheckArgs, Level};
use crate::document::{self, Document};
use crate::files;
use crate::located::Located;
use crate::places;
use crate::report::{Format, Reporter};
use crate::rules::{self, Rule, Rules, SourceFile};
use crate::tree::Node;
use crate::{Outcome, complain};

pub(crate) fn run(args: &CheckArgs) -> anyhow::Result<Outcome> {
    let mut check = Check { args, reporter: Reporter::stdout(args.format), patterns: 0, trouble: false };
    if let Some(text) = &args.expression {
        let file = SourceFile { name: "<pattern>".to_owned(), text: text.clone() };
        check.pattern(&file, &Located::verbatim(text, 0), args.dialect, None);
    }
    for name in &args.rules {
        match rules::read(name) {
            Ok(rules) => check.rules(&rules),
            Err(error) => check.cannot(&format!("{error:#}")),
        }
    }
    for name in &args.files {
        match Path::new(name).is_dir() {
            true => check.folder(name),
            false => match SourceFile::read(name) {
                Ok(file) => check.file(file),
                Err(error) => check.cannot(&format!("{error:#}")),
            },
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

    /// A file whose kind is found out from what is in it.
    fn file(&mut self, file: SourceFile) {
        match document::read(file) {
            Ok(Document::Template(file, root)) => self.template(&file, &root),
            Ok(Document::Rules(rules)) => self.rules(&rules),
            Err(error) => self.cannot(&format!("{error:#}")),
        }
    }

    /// The templates and rule files in a folder. Whatever else there is may be anything, bare patterns too.
    fn folder(&mut self, folder: &str) {
        let before = self.patterns;
        let mut names = Vec::new();
        if let Err(error) = files::collect(Path::new(folder), &["json", "yaml", "yml", "template"], &mut names) {
            self.cannot(&format!("{error:#}"));
        }
        for name in names {
            match SourceFile::read(&name).and_then(document::read) {
                Ok(Document::Template(file, root)) => {
                    for place in &places::find(&root, &file.text) {
                        self.pattern(&file, &place.pattern, place.dialect, Some(&place.path));
                    }
                }
                Ok(Document::Rules(rules)) if rules.places().any(|place| place.is_some()) => self.rules(&rules),
                Ok(Document::Rules(_)) => {}
                Err(error) => self.cannot(&format!("{error:#}")),
            }
        }
        if self.patterns == before {
            complain(&format!("{folder}: there are no templates with patterns in it"));
        }
    }

    fn template(&mut self, file: &SourceFile, root: &Node) {
        let places = places::find(root, &file.text);
        if places.is_empty() {
            complain(&format!("{}: there are no patterns in it", file.name));
        }
        for place in &places {
            self.pattern(file, &place.pattern, place.dialect, Some(&place.path));
        }
    }

    fn rules(&mut self, rules: &Rules) {
        for note in &rules.notes {
            complain(&format!("{}: {note}", rules.file.name));
        }
        let mut valid = Vec::with_capacity(rules.rules.len());
        for rule in &rules.rules {
            let parsed = self.pattern(&rules.file, &rule.pattern, self.args.dialect, rules.place(rule));
            valid.extend(parsed.map(|pattern| (rule, pattern)));
        }
        self.relations(rules, &valid);
    }

    /// Rules that add nothing beside another.
    fn relations(&mut self, rules: &Rules, valid: &[(&Rule, Pattern)]) {
        for one in redundant(valid.iter().map(|(_, pattern)| pattern)) {
            let (Some((rule, narrow)), Some((other, wide))) = (valid.get(one.id.index()), valid.get(one.by.index()))
            else {
                continue;
            };
            // Of the filters of one set any may match.
            let Some(mut finding) = narrow.lint_beside(wide).filter(|_| rule.group != other.group) else { continue };
            let (rule_name, other_name) = (rules.name(rule), rules.name(other));
            finding.message = match finding.code == Code::SameRule {
                true => format!("the rules `{other_name}` and `{rule_name}` match the same events"),
                false => format!("the rule `{other_name}` matches all that `{rule_name}` matches"),
            };
            self.show(&rules.file, &rule.pattern, &[finding], rules.place(rule));
        }
    }

    /// Checks one pattern, under the limits of its service.
    fn pattern(
        &mut self,
        file: &SourceFile,
        pattern: &Located,
        dialect: Dialect,
        place: Option<&str>,
    ) -> Option<Pattern> {
        self.patterns += 1;
        let options = ParseOptions::new(dialect).service_limits(true);
        match Pattern::parse_with(&pattern.text, &options) {
            Ok(parsed) => {
                self.show(file, pattern, &parsed.lint(), place);
                Some(parsed)
            }
            Err(error) => {
                self.show(file, pattern, error.findings(), place);
                None
            }
        }
    }

    fn show(&mut self, file: &SourceFile, pattern: &Located, findings: &[Finding], place: Option<&str>) {
        for finding in findings {
            let counts = match self.args.level {
                Level::Error => finding.severity == Severity::Error,
                Level::Warning => matches!(finding.severity, Severity::Error | Severity::Warning),
                Level::Note => true,
            };
            // Of what is only known when the template is deployed, nothing can be said.
            if counts && !pattern.touches_hole(finding.label.span) {
                self.reporter.show(file, &pattern.in_file(finding), place);
            }
        }
    }
}
