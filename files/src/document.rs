//! A file with patterns, read once: what it is, the patterns in it, and what was skipped.

use eventrie::Dialect;
use eventrie::diagnostic::{Code, Finding, LineIndex, Severity, Span};
use eventrie::service::Source;

use crate::located::Located;
use crate::path::Path;
use crate::places::Subscriber;
use crate::recognize::{Is, Shape, in_file, is_named, is_named_somewhere, recognize};
use crate::state::{About, RuleState};
use crate::tree::{self, Node};
use crate::{FileError, SourceFile, places, rules};

/// The end of the name of a file with an event to try a pattern with: `rule.event.json` next to `rule.json`.
pub const EVENT_FILE: &str = ".event.json";

/// What the caller knows of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expected {
    /// Anything: the name and the contents decide.
    Anything,
    /// It has several rules: a rule file, the output of `aws events list-rules`, or a template.
    Rules,
    /// It has one pattern, bare or as a service's command line prints it.
    Pattern,
}

/// What a file turned out to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A template, a plan, or something else with patterns somewhere in it.
    Template,
    /// Named rules.
    Rules,
    /// One pattern, or one set of filters.
    Pattern,
    /// Something that has no patterns, such as an event or a schema: [`Document::unread`] says what.
    Foreign,
}

/// A pattern in a file: not parsed yet.
#[derive(Clone, Debug)]
pub struct Found {
    pattern: Located,
    group: usize,
    dialect: Option<Dialect>,
    is_conditional: bool,
    source: Option<Source>,
    about: About,
}

impl Found {
    /// The pattern's text and its places in the file.
    #[must_use]
    pub fn pattern(&self) -> &Located {
        &self.pattern
    }

    /// The rule that the pattern belongs to, as a position in [`Document::names`]. A set of filters is one rule with several
    /// patterns, which follow each other.
    #[must_use]
    pub fn group(&self) -> usize {
        self.group
    }

    /// Whether the pattern is only known when the template is deployed, in part, or whether a condition takes it or another.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.is_conditional || self.pattern.has_holes()
    }

    /// Where the records come from that the filter is for, if the file says so.
    #[must_use]
    pub fn source(&self) -> Option<Source> {
        self.source
    }

    /// The state of the rule that the pattern belongs to, if the file says so.
    #[must_use]
    pub fn state(&self) -> Option<RuleState> {
        self.about.state
    }

    /// The name of the event bus that the rule is on, if the file says so.
    #[must_use]
    pub fn bus(&self) -> Option<&str> {
        self.about.bus.as_deref()
    }

    /// The dialect that the pattern's place implies; none if the caller must know.
    #[must_use]
    pub fn dialect(&self) -> Option<Dialect> {
        self.dialect
    }
}

/// A file with patterns.
#[derive(Debug)]
pub struct Document {
    file: SourceFile,
    kind: Kind,
    names: Vec<Path>,
    patterns: Vec<Found>,
    findings: Vec<(Path, Finding)>,
    notes: Vec<String>,
    unread: Vec<FileError>,
    subscribers: Vec<Subscriber>,
    is_doubtful: bool,
    expected: Expected,
}

impl Document {
    /// Reads a file.
    ///
    /// This does not check whether a pattern is valid: text that is not JSON may be a pattern with mistakes, and the
    /// library says where they are.
    ///
    /// # Errors
    /// If the file is not what it seems to be, or not what is expected; the error has the place.
    pub fn read(file: SourceFile, expected: Expected) -> Result<Document, FileError> {
        let mut document = match expected {
            Expected::Anything => anything(file),
            Expected::Rules => several(file),
            Expected::Pattern => single(file),
        }?;
        document.expected = expected;
        Ok(document)
    }

    /// What was expected when the file was read.
    pub(crate) fn expected(&self) -> Expected {
        self.expected
    }

    /// The file.
    #[must_use]
    pub fn file(&self) -> &SourceFile {
        &self.file
    }

    /// What the file is.
    #[must_use]
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// The rules' names, or the paths of patterns in a template. A single pattern has the name of its file.
    #[must_use]
    pub fn names(&self) -> &[Path] {
        &self.names
    }

    /// All patterns, in the order of the text.
    #[must_use]
    pub fn patterns(&self) -> &[Found] {
        &self.patterns
    }

    /// What is wrong around the patterns, such as a filter without one, with its path; places are those of the file.
    #[must_use]
    pub fn findings(&self) -> &[(Path, Finding)] {
        &self.findings
    }

    /// The subscribers of Custom Event Buses. Their patterns are among all.
    #[must_use]
    pub fn subscribers(&self) -> &[Subscriber] {
        &self.subscribers
    }

    /// The parts of the file that could not be read or understood.
    #[must_use]
    pub fn unread(&self) -> &[FileError] {
        &self.unread
    }

    /// Whether only the caller says that this is a pattern or that these are rules: among other files, it is probably
    /// something else, such as an event.
    #[must_use]
    pub fn is_doubtful(&self) -> bool {
        self.is_doubtful
    }

    /// Whether the name of the file says that it has patterns: `pattern.json`, `filter-policy.yaml`.
    #[must_use]
    pub fn is_named(&self) -> bool {
        is_named(&self.file)
    }

    /// What was skipped, one sentence each.
    #[must_use]
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// The name of a pattern's rule, or its path.
    #[must_use]
    pub fn name_of(&self, found: &Found) -> String {
        self.names.get(found.group).map(Path::to_string).unwrap_or_default()
    }

    fn new(file: SourceFile, kind: Kind) -> Document {
        Document {
            file,
            kind,
            names: Vec::new(),
            patterns: Vec::new(),
            findings: Vec::new(),
            notes: Vec::new(),
            unread: Vec::new(),
            subscribers: Vec::new(),
            is_doubtful: false,
            expected: Expected::Anything,
        }
    }

    fn template(file: SourceFile, roots: &[Node], is_yaml: bool) -> Document {
        let mut document = Document::new(file, Kind::Template);
        for root in roots {
            let places = places::find(root, document.file.text(), is_yaml);
            let before = document.patterns.len();
            document.subscribers.extend(places.subscribers.into_iter().map(|subscriber| subscriber.after(before)));
            for place in places.patterns {
                // The two sides of conditions inside a pattern are at one path.
                if document.names.last() != Some(&place.path) {
                    document.names.push(place.path);
                }
                document.patterns.push(Found {
                    pattern: place.pattern,
                    group: document.names.len() - 1,
                    dialect: Some(place.dialect),
                    is_conditional: place.is_conditional,
                    source: place.source,
                    about: place.about,
                });
            }
            document.findings.extend(places.findings);
            if !places.unread.is_empty() {
                let lines = LineIndex::new(document.file.text());
                let unread = places.unread.into_iter();
                document.unread.extend(unread.map(|(offset, message)| {
                    FileError::with_position(document.file.name(), lines.position(offset), message)
                }));
            }
            let later = places.unknown.iter();
            let later = later.map(|path| format!("{path}: only known when the template is deployed; not checked"));
            document.notes.extend(later);
            if places.left_out > 0 {
                document.notes.push(format!("{} more findings are not shown", places.left_out));
            }
        }
        document
    }

    fn rules(file: SourceFile, root: &Node, is_yaml: bool) -> Result<Document, FileError> {
        if rules::is_one_pattern(root, file.text(), is_yaml) {
            return Err(FileError::one_pattern(file.name()));
        }
        let rules = rules::read(root, file.text(), is_yaml).map_err(|error| in_file(&file, error))?;
        let patterns = rules.patterns.into_iter();
        let about = |group: usize| rules.about.get(group).cloned().unwrap_or_default();
        let is_listed = !root.elements().is_empty() || root.get("Rules").is_some();
        let has_tests = places::has_tests(root) || places::has_rules_with_tests(root);
        let is_doubtful = !is_listed && !is_named_somewhere(&file) && !has_tests;
        let mut document = Document { is_doubtful, ..Document::new(file, Kind::Rules) };
        document.patterns = patterns
            .map(|(pattern, group)| Found {
                pattern,
                group,
                dialect: None,
                is_conditional: false,
                source: None,
                about: about(group),
            })
            .collect();
        document.names = rules.names.iter().map(|name| Path::name(name)).collect();
        document.notes = rules.notes;
        Ok(document)
    }

    /// One pattern: bare, a set of filters, or as a service's command line describes it.
    fn pattern(file: SourceFile, root: Option<&Node>, is_yaml: bool) -> Result<Document, FileError> {
        // What `aws events describe-rule` prints says more than the pattern.
        let about = root.map_or_else(About::default, |root| match root.get("EventPattern") {
            Some(_) => About::of(root, |_| true),
            None => About::default(),
        });
        let patterns = match root.and_then(|root| rules::wrapped(root, file.text(), is_yaml)) {
            Some(patterns) => patterns.map_err(|error| in_file(&file, error))?,
            None => vec![match root {
                Some(root) if is_yaml => places::plain_structure(root),
                Some(_) | None => Located::verbatim(file.text(), 0),
            }],
        };
        let is_named = is_named_somewhere(&file);
        let is_doubtful = match root {
            // Malformed: only the name can say.
            None => !is_named,
            Some(root) => {
                let is_alike = places::has_only_event_fields(root) && (places::has_tests(root) || is_named);
                !is_alike && rules::wrapped(root, file.text(), is_yaml).is_none()
            }
        };
        let mut document = Document::new(file, Kind::Pattern);
        document.names = vec![Path::name(document.file.name())];
        document.patterns = patterns
            .into_iter()
            .map(|pattern| Found {
                pattern,
                group: 0,
                dialect: None,
                is_conditional: false,
                source: None,
                about: about.clone(),
            })
            .collect();
        document.is_doubtful = is_doubtful;
        Ok(document)
    }

    fn foreign(file: SourceFile, what: &str) -> Document {
        let unread = vec![FileError::whole(file.name(), what)];
        Document { unread, ..Document::new(file, Kind::Foreign) }
    }
}

fn anything(file: SourceFile) -> Result<Document, FileError> {
    if file.name().ends_with(EVENT_FILE) {
        return Ok(Document::foreign(file, "files that are called `*.event.json` are events, not patterns"));
    }
    let Shape { is, is_yaml } = recognize(&file)?;
    match is {
        Is::Template(roots) => {
            let mut document = Document::template(file, &roots, is_yaml);
            document.findings.extend(roots.iter().filter_map(wrapper));
            Ok(document)
        }
        Is::Rules(root) => Document::rules(file, &root, is_yaml),
        Is::Pattern(root) => Document::pattern(file, root.as_ref(), is_yaml),
        Is::Foreign(what) => Ok(Document::foreign(file, what)),
    }
}

/// What is wrong with a pattern that is still in its wrapper.
fn wrapper(root: &Node) -> Option<(Path, Finding)> {
    let [(key, value)] = root.members() else { return None };
    if key.text() != Some("EventPattern") || value.members().is_empty() {
        return None;
    }
    let offset = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
    let span = Span::new(offset(key.span.start), offset(key.span.end));
    let message = "`EventPattern` is the name of the parameter, not a part of the pattern";
    let mut finding = Finding::new(Code::ShapeNotInDialect, Severity::Warning, span, message);
    finding.label.message = "wrapped in this".to_owned();
    finding.help = Some("keep only the inner object if the file is the pattern itself".to_owned());
    Some((Path::default().key("EventPattern"), finding))
}

fn several(file: SourceFile) -> Result<Document, FileError> {
    let Shape { is, is_yaml } = recognize(&file)?;
    let root = match is {
        Is::Template(mut roots) => {
            let is_listed =
                matches!(roots.as_slice(), [root] if places::is_list_of_rules(root) || rules::is_description(root));
            if !is_listed {
                let document = Document::template(file, &roots, is_yaml);
                if !document.patterns.is_empty() || roots.len() > 1 {
                    return Ok(document);
                }
                return match roots.pop() {
                    Some(root) => Document::rules(document.file, &root, is_yaml),
                    None => Ok(document),
                };
            }
            match roots.pop() {
                Some(root) => root,
                None => return Ok(Document::new(file, Kind::Template)),
            }
        }
        Is::Rules(root) | Is::Pattern(Some(root)) => root,
        Is::Pattern(None) => tree::parse_json(file.text()).map_err(|error| in_file(&file, error))?,
        Is::Foreign(what) => return Ok(Document::foreign(file, what)),
    };
    Document::rules(file, &root, is_yaml)
}

fn single(file: SourceFile) -> Result<Document, FileError> {
    let Ok(Shape { is, is_yaml }) = recognize(&file) else { return Document::pattern(file, None, false) };
    match is {
        Is::Template(roots) => {
            let wrapped = roots.first().filter(|root| rules::wrapped(root, file.text(), is_yaml).is_some());
            if let Some(root) = wrapped {
                return Document::pattern(file, Some(root), is_yaml);
            }
            let document = Document::template(file, &roots, is_yaml);
            if document.patterns.is_empty() { Document::pattern(document.file, None, false) } else { Ok(document) }
        }
        Is::Rules(root) => Document::pattern(file, Some(&root), is_yaml),
        Is::Pattern(root) => Document::pattern(file, root.as_ref(), is_yaml),
        Is::Foreign(what) => Ok(Document::foreign(file, what)),
    }
}
