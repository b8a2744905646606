//! `eventrie check`

use std::collections::{HashMap, HashSet};
use std::io::ErrorKind;
use std::path::Path;

use eventrie::diagnostic::{Code, Finding, Severity, Span};
use eventrie::relate::redundancies;
use eventrie::service::{FilterConfiguration, read_only_calls, unfiltered};
use eventrie::{Dialect, ParseOptions, Pattern};
use eventrie_files::{Document, Expected, Found, Kind, Located, RuleState, SourceFile, Subscriber, SubscriberFilter};

use crate::args::{CheckArgs, Level};
use crate::commands::Outcome;
use crate::report::{Format, Reporter, Source};
use crate::shown::complain;
use crate::{directory, open};

/// How the files of a directory end that may have patterns.
const ENDS: [&str; 6] = ["json", "yaml", "yml", "template", "tf", "tofu"];

/// Most rules with wildcards on one bus; the quota cannot be raised.
const MOST_WITH_WILDCARDS: usize = 30;

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
        let (_, findings) = check.findings(&Located::verbatim(text, 0), args.dialect, &[]);
        for finding in &findings {
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
        for (path, finding) in document.findings() {
            if self.counts(finding) {
                self.reporter.show(&source, finding, Some(&path.to_string()));
            }
        }
        let beside = filters_beside(document);
        let mut valid = Vec::new();
        let (mut group, mut shown) = (None, HashSet::new());
        for (at, found) in document.patterns().iter().enumerate() {
            let place = match document.kind() {
                Kind::Template | Kind::Rules => Some(document.name_of(found)),
                Kind::Pattern | Kind::Foreign => None,
            };
            // Both sides of a condition have the same findings where they are the same.
            if group.replace(found.group()) != Some(found.group()) {
                shown.clear();
            }
            let dialect = found.dialect().unwrap_or(self.args.dialect);
            let others: Vec<&Pattern> = beside.get(&at).into_iter().flatten().collect();
            let (parsed, mut findings) = self.findings(found.pattern(), dialect, &others);
            if let (Some(source), Some(pattern)) = (found.source(), &parsed) {
                // The file says more than the pattern alone.
                let known = unfiltered(pattern, source);
                findings.retain(|finding| finding.code != Code::UnknownField || known.is_empty());
                findings.extend(known.into_iter().filter(|finding| self.counts(finding)));
            }
            let is_open = found.pattern().has_holes();
            if let (Some(RuleState::Enabled), Some(pattern), false) = (found.state(), &parsed, is_open) {
                findings.extend(read_only_calls(pattern).filter(|finding| self.counts(finding)));
            }
            if let (Some(RuleState::Disabled), Some(place), Format::Human) = (found.state(), &place, self.args.format) {
                complain(&format!(
                    "{}: {place}: the rule is disabled, so it receives no events",
                    document.file().name()
                ));
            }
            for finding in findings.iter().map(|finding| found.pattern().in_file(finding)) {
                let is_new = !found.is_open() || shown.insert((finding.code, finding.label.span));
                if is_new {
                    self.reporter.show(&source, &finding, place.as_deref());
                }
            }
            valid.extend(parsed.map(|pattern| (found, pattern)));
        }
        for subscriber in document.subscribers() {
            self.subscriber(&source, document, subscriber);
        }
        self.wildcards(&source, &valid);
        if document.kind() == Kind::Rules {
            self.relations(document, &source, &valid);
        }
    }

    /// What is wrong with a filter configuration as a whole; what is wrong with its patterns was shown.
    fn subscriber(&mut self, source: &Source<'_>, document: &Document, subscriber: &Subscriber) {
        if subscriber.is_open() {
            return;
        }
        let filters: Vec<_> = subscriber
            .filters()
            .iter()
            .map(|filter| {
                let pattern = filter.pattern().and_then(|at| document.patterns().get(at));
                // Of a filter without a known scope the pattern was not read, and its scope is the fault.
                let text = pattern.map_or("{\"a\":[1]}", |pattern| pattern.pattern().text());
                (filter.scope(), filter.has_pattern().then_some(text))
            })
            .collect();
        let options = ParseOptions::new(Dialect::EventsV2Data).service_limits(true);
        let Err(error) = FilterConfiguration::of(subscriber.language(), &filters, &options) else { return };
        for fault in error.faults() {
            let filter = fault.filter().and_then(|at| subscriber.filters().get(at));
            let place = filter.map_or_else(|| subscriber.place(), SubscriberFilter::place);
            let offset = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
            let first = source.first_line(&place);
            if let Some(finding) = fault.finding(Span::new(offset(first.start), offset(first.end)))
                && self.counts(&finding)
            {
                self.reporter.show(source, &finding, Some(&subscriber.name().to_string()));
            }
        }
    }

    /// A classic bus takes 30 rules with wildcards.
    fn wildcards(&mut self, source: &Source<'_>, valid: &[(&Found, Pattern)]) {
        let with_wildcards = valid.iter().filter(|(_, pattern)| {
            pattern.dialect() == Dialect::EventBridge && pattern.to_string().contains("{\"wildcard\":")
        });
        let rules: Vec<&Found> = with_wildcards.map(|(found, _)| *found).collect();
        let Some(first_over) = rules.get(MOST_WITH_WILDCARDS) else { return };
        let start = u32::try_from(first_over.pattern().range(Span::new(0, 1)).start).unwrap_or(u32::MAX);
        let message = format!(
            "{} rules in this file have wildcards; one event bus takes {MOST_WITH_WILDCARDS}, and the quota is fixed",
            rules.len()
        );
        let mut finding = Finding::new(Code::LimitExceeded, Severity::Warning, Span::new(start, start + 1), message);
        finding.label.message = format!("rule {} with a wildcard", MOST_WITH_WILDCARDS + 1);
        finding.help =
            Some("replace wildcards by `prefix` or `suffix`, or spread the rules over several buses".to_owned());
        if self.counts(&finding) {
            self.reporter.show(source, &finding, None);
        }
    }

    /// Rules that add nothing beside another.
    fn relations(&mut self, document: &Document, source: &Source<'_>, valid: &[(&Found, Pattern)]) {
        let outcome = redundancies(valid.iter().map(|(_, pattern)| pattern));
        if outcome.compared < outcome.pairs {
            let (compared, pairs) = (outcome.compared, outcome.pairs);
            complain(&format!(
                "{}: compared {compared} of {pairs} pairs of rules; more redundant rules may exist",
                document.file().name()
            ));
        }
        for one in outcome.found {
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
            if self.counts(&finding) {
                self.reporter.show(source, &rule.pattern().in_file(&finding), Some(&rule_name));
            }
        }
    }

    /// Checks one pattern, under the limits of its service.
    fn findings(
        &mut self,
        pattern: &Located,
        dialect: Dialect,
        others: &[&Pattern],
    ) -> (Option<Pattern>, Vec<Finding>) {
        self.patterns += 1;
        let options = ParseOptions::new(dialect).service_limits(true).engine(self.args.engine);
        let (parsed, mut findings) = match Pattern::parse_with(pattern.text(), &options) {
            Ok(parsed) => {
                let findings = parsed.lint_among(others);
                (Some(parsed), findings)
            }
            Err(error) => (None, error.findings().to_vec()),
        };
        // Of what is only known when the template is deployed, little can be said.
        findings.retain(|finding| self.counts(finding) && pattern.is_sure(finding));
        (parsed, findings)
    }

    fn counts(&self, finding: &Finding) -> bool {
        match self.args.level {
            Level::Error => finding.severity == Severity::Error,
            Level::Warning => matches!(finding.severity, Severity::Error | Severity::Warning),
            Level::Note => true,
        }
    }
}

/// The valid filters of the same subscriber, for each pattern that is one of a subscriber's filters.
fn filters_beside(document: &Document) -> HashMap<usize, Vec<Pattern>> {
    let mut beside = HashMap::new();
    for subscriber in document.subscribers() {
        let filters: Vec<usize> = subscriber.filters().iter().filter_map(SubscriberFilter::pattern).collect();
        let parse = |at: &usize| {
            let found = document.patterns().get(*at)?;
            Pattern::parse(found.pattern().text(), found.dialect()?).ok()
        };
        let patterns: Vec<Pattern> = filters.iter().filter_map(parse).collect();
        beside.extend(filters.into_iter().map(|at| (at, patterns.clone())));
    }
    beside
}

fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

fn read(name: &str, expected: Expected) -> anyhow::Result<Document> {
    Ok(Document::read(open::source(name)?, expected)?)
}
