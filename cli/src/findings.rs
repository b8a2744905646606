//! Everything that is wrong in a document: its patterns one by one, subscribers as a whole, rules next to each other.

use std::collections::HashMap;
use std::ops::Range;

use eventrie::diagnostic::{Code, Finding, Fix, Severity, Span};
use eventrie::dialect::BusVersion;
use eventrie::relate::redundancies;
use eventrie::service::{FilterConfiguration, Source, read_only_calls, unfiltered};
use eventrie::{Dialect, ParseOptions, Pattern};
use eventrie_files::{Document, Found, Kind, Located, RuleState, Subscriber, SubscriberFilter};

/// Most rules with wildcards on one bus; the quota cannot be raised.
const MOST_WITH_WILDCARDS: usize = 30;

/// How patterns are read where the document does not say it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Reading {
    pub(crate) dialect: Dialect,
    pub(crate) engine: BusVersion,
    /// Where the records come from that filters of pipes and mappings see.
    pub(crate) source: Option<Source>,
}

/// A finding with its places in the file.
#[derive(Clone, Debug)]
pub(crate) struct Placed {
    pub(crate) finding: Finding,
    /// What the pattern is called in its file, where the file has several.
    pub(crate) place: Option<String>,
    /// The fix in the text of each pattern that has the finding: both sides of a condition may have it.
    pub(crate) fixes: Vec<(usize, Fix)>,
}

/// What was found in a document, of every severity, pattern by pattern and then of the whole.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    pub(crate) all: Vec<Placed>,
    /// Notes on rules that are disabled, which are not counted: that may be intended.
    pub(crate) disabled: Vec<Placed>,
    /// How many pairs of rules were compared, and how many there are.
    pub(crate) pairs: (usize, usize),
}

impl Findings {
    /// Checks a document.
    pub(crate) fn of(document: &Document, reading: Reading) -> Findings {
        let mut found = Findings::default();
        for (path, finding) in document.findings() {
            found.all.push(Placed { finding: finding.clone(), place: Some(path.to_string()), fixes: Vec::new() });
        }
        let valid = found.patterns(document, reading);
        for subscriber in document.subscribers() {
            found.subscriber(document, subscriber);
        }
        found.all.extend(too_many_wildcards(&valid));
        if document.kind() == Kind::Rules {
            found.relations(document, &valid);
        }
        found
    }

    /// Checks each pattern; those that are valid are returned.
    fn patterns<'a>(&mut self, document: &'a Document, reading: Reading) -> Vec<(&'a Found, Pattern)> {
        let beside = filters_beside(document);
        let mut valid = Vec::new();
        let (mut group, mut shown) = (None, HashMap::new());
        for (at, found) in document.patterns().iter().enumerate() {
            let place = match document.kind() {
                Kind::Template | Kind::Rules => Some(document.name_of(found)),
                Kind::Pattern | Kind::Foreign => None,
            };
            // Both sides of a condition have the same findings where they are the same.
            if group.replace(found.group()) != Some(found.group()) {
                shown.clear();
            }
            let others: Vec<&Pattern> = beside.get(&at).into_iter().flatten().collect();
            let dialect = found.dialect().unwrap_or(reading.dialect);
            let reading = Reading { dialect, source: found.source().or(reading.source), ..reading };
            let (parsed, mut findings) = of_pattern(found.pattern(), reading, &others);
            let is_open = found.pattern().has_holes();
            if let (Some(RuleState::Enabled), Some(pattern), false) = (found.state(), &parsed, is_open) {
                findings.extend(read_only_calls(pattern));
            }
            let is_disabled = found.state() == Some(RuleState::Disabled);
            match parsed.as_ref().and_then(|pattern| pattern.lint_deployed(is_disabled, found.bus())) {
                Some(finding) if is_disabled => {
                    let finding = found.pattern().in_file(&finding);
                    self.disabled.push(Placed { finding, place: place.clone(), fixes: Vec::new() });
                }
                finding => findings.extend(finding.filter(|_| !is_open)),
            }
            for finding in findings {
                let fix = finding.fix.clone();
                let finding = found.pattern().in_file(&finding);
                let fix = fix.filter(|_| finding.fix.is_some()).map(|fix| (at, fix));
                let key = (finding.code, finding.label.span);
                match shown.get(&key).and_then(|before: &usize| self.all.get_mut(*before)) {
                    Some(same) if found.is_open() => same.fixes.extend(fix),
                    _ => {
                        shown.insert(key, self.all.len());
                        self.all.push(Placed { finding, place: place.clone(), fixes: fix.into_iter().collect() });
                    }
                }
            }
            valid.extend(parsed.map(|pattern| (found, pattern)));
        }
        valid
    }

    /// What is wrong with a filter configuration as a whole; what is wrong with its patterns was found already.
    fn subscriber(&mut self, document: &Document, subscriber: &Subscriber) {
        if subscriber.is_open() {
            return;
        }
        let filters: Vec<_> = subscriber
            .filters()
            .iter()
            .map(|filter| {
                let pattern = filter.pattern().and_then(|at| document.patterns().get(at));
                // The pattern of a filter without a known scope was not read; the scope is its fault.
                let text = pattern.map_or("{\"a\":[1]}", |pattern| pattern.pattern().text());
                (filter.scope(), filter.has_pattern().then_some(text))
            })
            .collect();
        let options = ParseOptions::new(Dialect::EventsV2Data).service_limits(true);
        let Err(error) = FilterConfiguration::of(subscriber.language(), &filters, &options) else { return };
        for fault in error.faults() {
            let filter = fault.filter().and_then(|at| subscriber.filters().get(at));
            let place = filter.map_or_else(|| subscriber.place(), SubscriberFilter::place);
            let first = first_line(document.file().text(), &place);
            if let Some(finding) = fault.finding(Span::new(offset(first.start), offset(first.end))) {
                self.all.push(Placed { finding, place: Some(subscriber.name().to_string()), fixes: Vec::new() });
            }
        }
    }

    /// Rules that add nothing to another.
    fn relations(&mut self, document: &Document, valid: &[(&Found, Pattern)]) {
        let outcome = redundancies(valid.iter().map(|(_, pattern)| pattern));
        self.pairs = (outcome.compared, outcome.pairs);
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
                false => format!("the rule `{other_name}` matches every event that `{rule_name}` matches"),
            };
            let finding = rule.pattern().in_file(&finding);
            self.all.push(Placed { finding, place: Some(rule_name), fixes: Vec::new() });
        }
    }
}

/// Checks a document as `eventrie check` does, for programs that show findings themselves: everything that is found, with the
/// name of its pattern where the file has several. Settings of a project (`eventrie.toml`, comments that ignore a finding) do
/// not count here.
///
/// ```
/// use eventrie::Dialect;
/// use eventrie_files::{Document, Expected, SourceFile};
/// let rules = r#"{"all": {"source": ["shop"]}, "orders": {"source": ["shop"], "detail-type": ["order"]}}"#;
/// let document = Document::read(SourceFile::new("rules.json", rules), Expected::Rules)?;
/// let (finding, name) = &eventrie_cli::check(&document, Dialect::EventBridge)[0];
/// assert_eq!(finding.message, "the rule `all` matches every event that `orders` matches");
/// assert_eq!(name.as_deref(), Some("orders"));
/// # Ok::<(), eventrie_files::FileError>(())
/// ```
#[must_use]
pub fn check(document: &Document, dialect: Dialect) -> Vec<(Finding, Option<String>)> {
    let found = Findings::of(document, Reading { dialect, ..Reading::default() });
    found.all.into_iter().chain(found.disabled).map(|one| (one.finding, one.place)).collect()
}

/// Checks one pattern, under the limits of its service, next to the other filters of its subscriber. Places are those of the
/// pattern's text.
pub(crate) fn of_pattern(pattern: &Located, reading: Reading, others: &[&Pattern]) -> (Option<Pattern>, Vec<Finding>) {
    let options = ParseOptions::new(reading.dialect).service_limits(true).engine(reading.engine);
    let (parsed, mut findings) = match Pattern::parse_with(pattern.text(), &options) {
        Ok(parsed) => {
            let mut findings = parsed.lint_among(others);
            // Who knows the source says more than the pattern alone does.
            let known = unfiltered(&parsed, reading.source);
            findings.retain(|finding| finding.code != Code::UnknownField || known.is_empty());
            findings.extend(known);
            (Some(parsed), findings)
        }
        Err(error) => (None, error.findings().to_vec()),
    };
    // Of what is only known when the template is deployed, little can be said.
    findings.retain(|finding| pattern.is_sure(finding));
    (parsed, findings)
}

/// A classic bus takes 30 rules with wildcards.
fn too_many_wildcards(valid: &[(&Found, Pattern)]) -> Option<Placed> {
    let with_wildcards = valid.iter().filter(|(_, pattern)| {
        pattern.dialect() == Dialect::EventBridge && pattern.to_string().contains("{\"wildcard\":")
    });
    let rules: Vec<&Found> = with_wildcards.map(|(found, _)| *found).collect();
    let first_over = rules.get(MOST_WITH_WILDCARDS)?;
    let start = offset(first_over.pattern().range(Span::new(0, 1)).start);
    let message = format!(
        "{} rules in this file have wildcards; one event bus takes {MOST_WITH_WILDCARDS}, and the quota is fixed",
        rules.len()
    );
    let mut finding = Finding::new(Code::LimitExceeded, Severity::Warning, Span::new(start, start + 1), message);
    finding.label.message = format!("rule {} with a wildcard", MOST_WITH_WILDCARDS + 1);
    finding.help =
        Some("replace wildcards with `prefix` or `suffix`, or spread the rules over several buses".to_owned());
    Some(Placed { finding, place: None, fixes: Vec::new() })
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

/// The part of a range that is on its first line.
fn first_line(text: &str, range: &Range<usize>) -> Range<usize> {
    let text = text.get(range.clone()).unwrap_or("");
    range.start..range.start + text.lines().next().unwrap_or("").trim_end().len().max(1)
}

fn offset(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}
