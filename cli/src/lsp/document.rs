//! An open document and what was found in it.

use std::rc::Rc;

use eventrie::Dialect;
use eventrie_files::{Document, Expected, Found, Kind, SourceFile};

use super::options::Options;
use super::text::Text;
use crate::findings::{Placed, Reading};
use crate::project::{Projects, Settings};

/// A longer document is not checked: an answer is expected while somebody types.
pub(super) const LONGEST: usize = 8 << 20;

/// A document that a client has open.
#[derive(Debug)]
pub(super) struct Open {
    /// The name for the readers of files: it ends as the language's files do.
    name: String,
    pub(super) version: i32,
    pub(super) text: Text,
    /// What was found in the text as it is now.
    checked: Option<Checked>,
    /// Whether patterns were found in it since it was opened: what is not readable now will be again.
    is_known: bool,
    /// Whether the findings in this text have not been sent to the client yet.
    pub(super) is_news: bool,
}

/// What a document turned out to be.
#[derive(Debug, Default)]
pub(super) struct Checked {
    pub(super) document: Option<Document>,
    pub(super) findings: Vec<Placed>,
    /// What the project says.
    pub(super) settings: Option<Rc<Settings>>,
    /// What could not be read: the byte and the cause.
    pub(super) unread: Vec<(usize, String)>,
}

/// The language of a document, as it is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Language {
    Json,
    Yaml,
    Hcl,
}

impl Open {
    pub(super) fn language(&self) -> Language {
        let ends = |ends: &[&str]| ends.iter().any(|end| self.name.ends_with(end));
        match self.name.as_str() {
            _ if ends(&[".yaml", ".yml"]) => Language::Yaml,
            _ if ends(&[".tf", ".tofu"]) => Language::Hcl,
            name if name.ends_with(".template") && !self.text.as_str().trim_start().starts_with('{') => Language::Yaml,
            _ => Language::Json,
        }
    }

    pub(super) fn new(uri: &str, language: &str, version: i32, text: String) -> Open {
        let name = name(uri, language);
        Open { name, version, text: Text::new(text), checked: None, is_known: false, is_news: true }
    }

    pub(super) fn change(&mut self, version: i32, text: String) {
        self.text = Text::new(text);
        self.version = version;
        self.checked = None;
        self.is_news = true;
    }

    /// What is in the text, found once.
    pub(super) fn checked(&mut self, options: &Options) -> &Checked {
        self.parts(options).1
    }

    /// The text and what is in it.
    pub(super) fn parts(&mut self, options: &Options) -> (&Text, &Checked) {
        if self.checked.is_none() {
            let checked = self.check(self.text.as_str(), options);
            self.is_known |= !checked.findings.is_empty()
                || checked.document.as_ref().is_some_and(|document| !document.patterns().is_empty());
            self.checked = Some(checked);
        }
        (&self.text, self.checked.get_or_insert_default())
    }

    /// The document that a changed text would be.
    pub(super) fn read(&self, text: String) -> Option<Document> {
        let document = Document::read(SourceFile::new(self.name.clone(), text), Expected::Anything).ok()?;
        (document.kind() != Kind::Foreign).then_some(document)
    }

    fn check(&self, text: &str, options: &Options) -> Checked {
        if text.len() > LONGEST {
            return Checked::default();
        }
        // Read each time: `eventrie.toml` may have changed.
        let settings = Projects::new(options.words.clone()).and_then(|mut projects| projects.of(&self.name));
        let settings = match settings {
            Ok(settings) => settings,
            Err(error) => return Checked { unread: vec![(0, format!("{error:#}"))], ..Checked::default() },
        };
        let nothing = |unread| Checked { settings: Some(Rc::clone(&settings)), unread, ..Checked::default() };
        let document = match Document::read(SourceFile::new(self.name.clone(), text), Expected::Anything) {
            Ok(document) => document,
            Err(error) => {
                let at = error.position().map_or(0, |at| self.text.offset_of_character(at.line, at.column));
                return nothing(if self.is_known { vec![(at, error.message().to_owned())] } else { Vec::new() });
            }
        };
        let is_pattern = !document.is_doubtful() || self.is_known || document.is_named();
        if document.kind() == Kind::Foreign || !is_pattern {
            return nothing(Vec::new());
        }
        let findings = settings.choose(&document).findings;
        let unread = document.unread().iter().map(|error| {
            let at = error.position().map_or(0, |at| self.text.offset_of_character(at.line, at.column));
            (at, error.message().to_owned())
        });
        let unread = unread.collect();
        Checked { document: Some(document), findings, settings: Some(settings), unread }
    }
}

impl Checked {
    /// The dialect of a pattern.
    pub(super) fn dialect(&self, found: &Found) -> Dialect {
        found.dialect().unwrap_or(self.reading().dialect)
    }

    /// How patterns are read whose place does not say it.
    pub(super) fn reading(&self) -> Reading {
        self.settings.as_ref().map(|settings| settings.reading).unwrap_or_default()
    }

    /// The pattern at a byte of the file, with the byte of its text.
    pub(super) fn pattern_at(&self, offset: usize) -> Option<(&Found, usize)> {
        pattern_at(self.document.as_ref()?, offset)
    }
}

/// The pattern at a byte of the file, with the byte of its text.
pub(super) fn pattern_at(document: &Document, offset: usize) -> Option<(&Found, usize)> {
    document.patterns().iter().find_map(|found| Some((found, found.pattern().offset_of(offset)?)))
}

/// What the file is called: its path, if it has one. An editor knows the language of a document that has no name yet.
fn name(uri: &str, language: &str) -> String {
    let name = path(uri).unwrap_or_else(|| uri.to_owned());
    let (ends, end): (&[&str], &str) = match language {
        "yaml" | "yml" | "cloudformation" => (&[".yaml", ".yml", ".template"], ".yaml"),
        "terraform" | "hcl" | "opentofu" => (&[".tf", ".tofu"], ".tf"),
        _ => return name,
    };
    if ends.iter().any(|end| name.ends_with(end)) { name } else { name + end }
}

/// The path of a `file:` address.
pub(super) fn path(uri: &str) -> Option<String> {
    let rest = uri.strip_prefix("file://")?;
    let path = rest.get(rest.find('/')?..)?;
    let mut bytes = Vec::with_capacity(path.len());
    let mut rest = path.as_bytes();
    while let [first, after @ ..] = rest {
        let escaped = after.get(..2).filter(|_| *first == b'%');
        let value = escaped.and_then(|two| u8::from_str_radix(std::str::from_utf8(two).ok()?, 16).ok());
        bytes.push(value.unwrap_or(*first));
        rest = if value.is_some() { after.get(2..).unwrap_or(&[]) } else { after };
    }
    let path = String::from_utf8(bytes).ok()?;
    // `/c:/rules` on Windows.
    let is_drive = path.as_bytes().get(2) == Some(&b':') && path.as_bytes().get(1).is_some_and(u8::is_ascii_alphabetic);
    Some(if is_drive { path.get(1..).unwrap_or("").to_owned() } else { path })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_and_names() {
        assert_eq!(path("file:///a%20b/%C3%A9.json").as_deref(), Some("/a b/é.json"));
        assert_eq!(path("file:///c%3A/rules.json").as_deref(), Some("c:/rules.json"));
        assert_eq!(path("file://host/a%").as_deref(), Some("/a%"));
        assert_eq!(path("untitled:Untitled-1"), None);
        assert_eq!(name("untitled:Untitled-1", "yaml"), "untitled:Untitled-1.yaml");
        assert_eq!(name("file:///a/main.tofu", "terraform"), "/a/main.tofu");
        assert_eq!(name("file:///a/x.template", "yaml"), "/a/x.template");
        assert_eq!(name("file:///a/rule.json", "json"), "/a/rule.json");
    }
}
