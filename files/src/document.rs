//! A file with patterns, read once: what it is, the patterns in it, and what was skipped.

use eventrie::{Dialect, Pattern};

use crate::located::Located;
use crate::path::Path;
use crate::tree::{self, Malformed, Node};
use crate::{FileError, SourceFile, places, rules};

/// What the caller knows of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expected {
    /// Nothing: it is found out from the name and the contents.
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
}

/// A pattern in a file: not parsed yet.
#[derive(Clone, Debug)]
pub struct Found {
    pattern: Located,
    group: usize,
    dialect: Option<Dialect>,
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
    notes: Vec<String>,
}

impl Document {
    /// Reads a file.
    ///
    /// Whether a pattern is valid is not asked here: what is not JSON may be a pattern with mistakes, and the library says
    /// where they are.
    ///
    /// # Errors
    /// If the file is not what it seems to be, or not what is expected: with the place.
    pub fn read(file: SourceFile, expected: Expected) -> Result<Document, FileError> {
        match expected {
            Expected::Anything => anything(file),
            Expected::Rules => several(file),
            Expected::Pattern => single(file),
        }
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

    fn template(file: SourceFile, root: &Node) -> Document {
        let places = places::find(root, file.text());
        let (mut names, mut patterns) = (Vec::with_capacity(places.len()), Vec::with_capacity(places.len()));
        for (group, place) in places.into_iter().enumerate() {
            names.push(place.path);
            patterns.push(Found { pattern: place.pattern, group, dialect: Some(place.dialect) });
        }
        Document { file, kind: Kind::Template, names, patterns, notes: Vec::new() }
    }

    fn rules(file: SourceFile, root: &Node) -> Result<Document, FileError> {
        let rules = rules::read(root, file.text()).map_err(|error| in_file(&file, error))?;
        let patterns = rules.patterns.into_iter();
        let patterns = patterns.map(|(pattern, group)| Found { pattern, group, dialect: None }).collect();
        let names = rules.names.iter().map(|name| Path::name(name)).collect();
        Ok(Document { file, kind: Kind::Rules, names, patterns, notes: rules.notes })
    }

    /// One pattern: bare, a set of filters, or as a service's command line describes it.
    fn pattern(file: SourceFile, root: Option<&Node>) -> Result<Document, FileError> {
        let patterns = match root.and_then(|root| rules::wrapped(root, file.text())) {
            Some(patterns) => patterns.map_err(|error| in_file(&file, error))?,
            None => vec![Located::verbatim(file.text(), 0)],
        };
        let patterns = patterns.into_iter().map(|pattern| Found { pattern, group: 0, dialect: None }).collect();
        let names = vec![Path::name(file.name())];
        Ok(Document { file, kind: Kind::Pattern, names, patterns, notes: Vec::new() })
    }
}

/// What a text is, by its name and contents, with the tree that was read on the way.
enum Shape {
    Template(Node),
    Rules(Node),
    Pattern(Option<Node>),
}

fn shape(file: &SourceFile) -> Result<Shape, FileError> {
    let (name, text) = (file.name(), file.text());
    if name.ends_with(".tf") {
        let message = "Terraform's own language is not read; check a plan: terraform show -json PLAN";
        return Err(FileError::whole(name, message));
    }
    let is_json = text.trim_start().starts_with(['{', '[']);
    let is_yaml = name.ends_with(".yml") || name.ends_with(".yaml") || (name.ends_with(".template") && !is_json);
    match tree::parse_json(text) {
        Ok(root) if places::is_rule_file(&root) => Ok(Shape::Rules(root)),
        Ok(root) if places::is_template(&root) && !is_pattern(&root, text) => Ok(Shape::Template(root)),
        Ok(root) => Ok(Shape::Pattern(Some(root))),
        Err(_) if is_yaml => tree::parse_yaml(text).map(Shape::Template).map_err(|error| in_file(file, error)),
        Err(error) if places::seems_a_template(text) => Err(in_file(file, error)),
        // What is not JSON is a pattern with mistakes: the library says where. Only YAML on standard input is not.
        Err(_) if is_json => Ok(Shape::Pattern(None)),
        Err(_) => match tree::parse_yaml(text) {
            Ok(root) if !root.members().is_empty() => Ok(Shape::Template(root)),
            Ok(_) | Err(_) => Ok(Shape::Pattern(None)),
        },
    }
}

fn anything(file: SourceFile) -> Result<Document, FileError> {
    match shape(&file)? {
        Shape::Template(root) => Ok(Document::template(file, &root)),
        Shape::Rules(root) => Document::rules(file, &root),
        Shape::Pattern(root) => Document::pattern(file, root.as_ref()),
    }
}

fn several(file: SourceFile) -> Result<Document, FileError> {
    let root = match shape(&file)? {
        Shape::Template(root) if !places::is_list_of_rules(&root) => {
            let document = Document::template(file, &root);
            if !document.patterns.is_empty() {
                return Ok(document);
            }
            return Document::rules(document.file, &root);
        }
        Shape::Template(root) | Shape::Rules(root) | Shape::Pattern(Some(root)) => root,
        Shape::Pattern(None) => tree::parse_json(file.text()).map_err(|error| in_file(&file, error))?,
    };
    Document::rules(file, &root)
}

fn single(file: SourceFile) -> Result<Document, FileError> {
    let document = match shape(&file) {
        Ok(Shape::Template(root)) if rules::wrapped(&root, file.text()).is_none() => {
            let document = Document::template(file, &root);
            if !document.patterns.is_empty() {
                return Ok(document);
            }
            document
        }
        Ok(Shape::Template(root) | Shape::Rules(root)) => return Document::pattern(file, Some(&root)),
        Ok(Shape::Pattern(root)) => return Document::pattern(file, root.as_ref()),
        Err(_) => return Document::pattern(file, None),
    };
    Document::pattern(document.file, None)
}

/// Whether what could be a template is a pattern. Strings and numbers are all over a template, but in a pattern only in
/// lists.
fn is_pattern(root: &Node, text: &str) -> bool {
    root.get("EventPattern").is_none() && Pattern::parse(text, Dialect::EventBridge).is_ok()
}

fn in_file(file: &SourceFile, error: Malformed) -> FileError {
    file.fault(error.offset, error.message)
}
