//! The patterns that a command was given: from a file with one, from a file with many, or from the command line itself.

mod silent;

use anyhow::{anyhow, bail};
use eventrie::diagnostic::{Finding, Span};
use eventrie::service::FilterConfiguration;
use eventrie::{Dialect, ParseOptions, Pattern};
use eventrie_files::{Document, Expected, Found, Kind, Located, Path, SourceFile};

pub(crate) use silent::{Deployed, next_steps};

use crate::args::PatternArgs;
use crate::given::is_text;
use crate::open;
use crate::report::{Reporter, Source};
use crate::shown::complain;

/// One pattern of a rule: not parsed yet.
#[derive(Debug)]
pub(crate) struct Rule {
    pub(crate) pattern: Located,
    /// The dialect of its place, where that is not the one of all.
    dialect: Option<Dialect>,
    /// The rule that it belongs to. A set of filters is one rule with several patterns.
    pub(crate) group: usize,
}

/// Patterns of one dialect and the names of their rules.
#[derive(Debug)]
pub(crate) struct Rules {
    file: SourceFile,
    /// The rules' names.
    pub(crate) names: Vec<String>,
    /// What else the file says of each.
    pub(crate) deployed: Vec<Deployed>,
    /// Their patterns; those of one rule follow each other.
    pub(crate) rules: Vec<Rule>,
    /// The dialect that they are read in. Of subscribers of a Custom Event Bus each filter has that of its scope.
    pub(crate) dialect: Dialect,
}

impl Rules {
    /// What the words of the command line name, unless they name standard input twice.
    pub(crate) fn of(args: &PatternArgs, dialect: Dialect, events: Option<&[String]>) -> anyhow::Result<Rules> {
        let file = args.rules.as_deref().or(args.pattern.as_deref());
        if file == Some("-") && events.is_some_and(|names| names.is_empty() || names.iter().any(|name| name == "-")) {
            bail!("standard input cannot be both the pattern and the events: name a file for one of them");
        }
        let document = match (&args.rules, &args.pattern, &args.expression) {
            (Some(name), ..) => {
                Document::read(open::source(name)?, Expected::Rules).map_err(|error| match error.is_one_pattern() {
                    true => anyhow!("{error}, or pass it with `-p` instead of `--rules`"),
                    false => error.into(),
                })?
            }
            (_, Some(name), _) => {
                let document = Document::read(open::source(name)?, Expected::Pattern)?;
                let is_one = document.subscribers().len() == 1 && !document.patterns().is_empty();
                if document.kind() == Kind::Template && !is_one {
                    bail!(
                        "{}: this file contains several patterns: pass it with `--rules` instead of `-p`",
                        document.file().name()
                    );
                }
                document
            }
            (.., text) => {
                let text = text.clone().unwrap_or_default();
                Document::read(SourceFile::new("<pattern>", text), Expected::Pattern)?
            }
        };
        for note in document.notes() {
            complain(&format!("{}: {note}", document.file().name()));
        }
        for error in document.unread() {
            complain(&error.to_string());
        }
        Rules::of_document(&document, dialect)
    }

    /// One pattern, by the name of a file or as text.
    pub(crate) fn of_word(word: &str, dialect: Dialect) -> anyhow::Result<Rules> {
        let is_text = is_text(word) && !std::path::Path::new(word).exists();
        let (pattern, expression) = if is_text { (None, Some(word)) } else { (Some(word), None) };
        let owned = |word: Option<&str>| word.map(str::to_owned);
        let args = PatternArgs { pattern: owned(pattern), expression: owned(expression), rules: None };
        Rules::of(&args, dialect, None)
    }

    /// The rules of a document that was read.
    pub(crate) fn of_document(document: &Document, dialect: Dialect) -> anyhow::Result<Rules> {
        match document.kind() {
            Kind::Template => Rules::of_template(document, dialect),
            Kind::Rules | Kind::Pattern => Ok(Rules::of_rules(document, dialect)),
            Kind::Foreign => bail!("{}: contains no patterns", document.file().name()),
        }
    }

    /// The rules of a rule file.
    fn of_rules(document: &Document, dialect: Dialect) -> Rules {
        let rule = |found: &Found| Rule { pattern: found.pattern().clone(), dialect: None, group: found.group() };
        let mut deployed = vec![Deployed::default(); document.names().len()];
        for found in document.patterns() {
            if let Some(rule) = deployed.get_mut(found.group()) {
                *rule = Deployed::of(found);
            }
        }
        Rules {
            file: document.file().clone(),
            names: document.names().iter().map(Path::to_string).collect(),
            deployed,
            rules: document.patterns().iter().map(rule).collect(),
            dialect,
        }
    }

    /// The patterns of one dialect in a template, each a rule of its own.
    fn of_template(document: &Document, dialect: Dialect) -> anyhow::Result<Rules> {
        let file = document.file();
        let own = document.patterns().iter().any(|found| found.dialect() == Some(dialect));
        if dialect.scope().is_some() || (!own && !document.subscribers().is_empty()) {
            return Rules::of_subscribers(document);
        }
        let mut rules =
            Rules { file: file.clone(), names: Vec::new(), deployed: Vec::new(), rules: Vec::new(), dialect };
        let mut unknown = 0;
        for found in document.patterns().iter().filter(|found| found.dialect() == Some(dialect)) {
            if found.is_open() {
                unknown += 1;
                continue;
            }
            rules.rules.push(Rule { pattern: found.pattern().clone(), dialect: None, group: rules.names.len() });
            rules.deployed.push(Deployed::of(found));
            rules.names.push(document.name_of(found));
        }
        let later = match unknown {
            1 => "1 pattern has parts that are only known when the template is deployed".to_owned(),
            _ => format!("{unknown} patterns have parts that are only known when the template is deployed"),
        };
        match (rules.rules.is_empty(), unknown) {
            (true, 0) => {
                let first = document.patterns().first().and_then(Found::dialect).map_or("", Dialect::name);
                bail!("{}: the template has patterns for {first}, but none for {}", file.name(), dialect.name())
            }
            (true, _) => bail!("{}: {later}, and no other pattern is for {}", file.name(), dialect.name()),
            (false, 0) => {}
            (false, _) => complain(&format!("{}: {later}; skipped", file.name())),
        }
        Ok(rules)
    }

    /// The subscribers of a Custom Event Bus, each a rule whose filters must all match.
    fn of_subscribers(document: &Document) -> anyhow::Result<Rules> {
        let file = document.file();
        let (names, rules, dialect) = (Vec::new(), Vec::new(), Dialect::EventsV2Data);
        let mut found = Rules { file: file.clone(), names, deployed: Vec::new(), rules, dialect };
        let mut unknown = 0;
        for subscriber in document.subscribers() {
            if subscriber.is_open() {
                unknown += 1;
                continue;
            }
            let filters: Vec<_> = subscriber
                .filters()
                .iter()
                .map(|filter| {
                    let pattern = filter.pattern().and_then(|at| document.patterns().get(at));
                    (filter.scope(), pattern.map(|pattern| pattern.pattern().text()))
                })
                .collect();
            let options = ParseOptions::new(dialect);
            let faults = match FilterConfiguration::of(subscriber.language(), &filters, &options) {
                Ok(_) => Vec::new(),
                Err(error) => error.faults().iter().filter(|fault| fault.pattern_error().is_none()).cloned().collect(),
            };
            if let Some(fault) = faults.first() {
                bail!("{}: {}: {fault}", file.name(), subscriber.name());
            }
            for filter in subscriber.filters() {
                if let Some(pattern) = filter.pattern().and_then(|at| document.patterns().get(at)) {
                    let (pattern, dialect) = (pattern.pattern().clone(), pattern.dialect());
                    found.rules.push(Rule { pattern, dialect, group: found.names.len() });
                }
            }
            found.deployed.push(Deployed::default());
            let name = subscriber.name().to_string();
            found.names.push(if name.is_empty() { file.name().to_owned() } else { name });
        }
        match (found.names.is_empty(), unknown) {
            (true, 0) => bail!("{}: contains no subscribers of a Custom Event Bus", file.name()),
            (true, _) => bail!("{}: its subscribers are only known when the template is deployed", file.name()),
            (false, 0) => {}
            (false, _) => {
                complain(&format!(
                    "{}: {unknown} subscribers are only known when the template is deployed",
                    file.name()
                ));
            }
        }
        Ok(found)
    }

    /// All patterns; or none, after the findings of every refused one were reported.
    pub(crate) fn parse(&self, options: &ParseOptions, reporter: &mut Reporter) -> anyhow::Result<Vec<Pattern>> {
        let mut patterns = Vec::with_capacity(self.rules.len());
        let mut refused = 0;
        let source = Source::new(&self.file);
        for rule in &self.rules {
            let parsed = match rule.dialect {
                Some(dialect) => Pattern::parse_with(rule.pattern.text(), &ParseOptions::new(dialect)),
                None => Pattern::parse_with(rule.pattern.text(), options),
            };
            match parsed {
                Ok(pattern) => patterns.push(pattern),
                Err(error) => {
                    refused += 1;
                    for finding in error.findings() {
                        reporter.show(&source, &rule.pattern.in_file(finding), self.place(rule));
                    }
                }
            }
        }
        match refused {
            0 => Ok(patterns),
            1 if self.rules.len() == 1 => bail!("the pattern is rejected"),
            1 => bail!("1 of {} patterns is rejected", self.rules.len()),
            _ => bail!("{refused} of {} patterns are rejected", self.rules.len()),
        }
    }

    /// Where a part of the pattern at this position is in its file: the name of the file, its text, and the place. None of a
    /// pattern from the command line.
    pub(crate) fn in_file(&self, at: usize, span: Span) -> Option<(&str, &str, Span)> {
        let rule = self.rules.get(at).filter(|_| self.file.name() != "<pattern>")?;
        let (range, offset) = (rule.pattern.range(span), |at: usize| u32::try_from(at).unwrap_or(u32::MAX));
        Some((self.file.name(), self.file.text(), Span::new(offset(range.start), offset(range.end))))
    }

    /// Reports what was found in the pattern at this position.
    pub(crate) fn show(&self, at: usize, findings: Vec<Finding>, reporter: &mut Reporter) {
        let Some(rule) = self.rules.get(at).filter(|_| !findings.is_empty()) else { return };
        let source = Source::new(&self.file);
        for finding in findings {
            reporter.show(&source, &rule.pattern.in_file(&finding), self.place(rule));
        }
    }

    /// The parsed patterns of each rule.
    pub(crate) fn by_group(&self, patterns: Vec<Pattern>) -> Vec<Vec<Pattern>> {
        let mut groups = vec![Vec::new(); self.names.len()];
        for (rule, pattern) in self.rules.iter().zip(patterns) {
            if let Some(group) = groups.get_mut(rule.group) {
                group.push(pattern);
            }
        }
        groups
    }

    /// What to call a rule in a message: its name, if the file contains several.
    fn place(&self, rule: &Rule) -> Option<&str> {
        self.names.get(rule.group).map(String::as_str).filter(|name| *name != self.file.name())
    }

    /// What to call the pattern at this position in a message.
    pub(crate) fn describe(&self, at: usize) -> String {
        match self.rules.get(at).and_then(|rule| self.place(rule)) {
            Some(name) => format!("{}: rule `{name}`", self.file.name()),
            None => self.file.name().to_owned(),
        }
    }
}
