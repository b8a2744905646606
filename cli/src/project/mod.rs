//! The settings of a project for `check`: its `eventrie.toml`, the ignores in its files, and the command line, which
//! takes precedence.

mod config;
mod ignores;
mod known;

use std::cell::RefCell;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use eventrie::Dialect;
use eventrie::dialect::BusVersion;
use eventrie::service::Source;
use eventrie_files::Document;

use crate::args::Level;
use crate::choose::{Selection, Selector};
use crate::findings::{Findings, Placed, Reading};
use config::{Config, NAME};
use ignores::Ignores;

/// What the command line says; where it says nothing, `eventrie.toml` decides.
#[derive(Clone, Debug, Default)]
pub(crate) struct Words {
    pub(crate) dialect: Option<Dialect>,
    pub(crate) engine: Option<BusVersion>,
    pub(crate) source: Option<Source>,
    pub(crate) level: Option<Level>,
    pub(crate) select: Vec<Selector>,
    pub(crate) ignore: Vec<Selector>,
    /// The file to use instead of the one found upwards.
    pub(crate) config: Option<String>,
}

/// The settings of the files of a run: each has those of the nearest `eventrie.toml` above it.
#[derive(Debug)]
pub(crate) struct Projects {
    words: Words,
    named: Option<Rc<Settings>>,
    found: HashMap<PathBuf, Rc<Settings>>,
}

/// What applies to a file.
#[derive(Debug)]
pub(crate) struct Settings {
    pub(crate) reading: Reading,
    level: Level,
    selection: Selection,
    config: Option<Config>,
    /// For each entry of `per-path`: whether a file was read, and for each of its codes whether it hid something.
    used: RefCell<Vec<(bool, Vec<bool>)>>,
}

/// The findings of a document that count.
pub(crate) struct Chosen {
    pub(crate) findings: Vec<Placed>,
    /// How many the project asks to ignore.
    pub(crate) ignored: usize,
    /// Notes on rules that are disabled.
    pub(crate) disabled: Vec<Placed>,
    /// How many pairs of rules were compared, and how many there are.
    pub(crate) pairs: (usize, usize),
}

impl Projects {
    /// Settings by the words of the command line.
    pub(crate) fn new(words: Words) -> anyhow::Result<Projects> {
        let named = words.config.as_deref().map(|name| Config::read(Path::new(name))).transpose()?;
        let named = named.map(|config| Rc::new(Settings::new(&words, Some(config))));
        Ok(Projects { words, named, found: HashMap::new() })
    }

    /// The settings of a file; `-` and text have those of the current directory.
    pub(crate) fn of(&mut self, name: &str) -> anyhow::Result<Rc<Settings>> {
        if let Some(named) = &self.named {
            return Ok(Rc::clone(named));
        }
        let directory = Path::new(name).parent().filter(|parent| !parent.as_os_str().is_empty());
        let directory = directory.unwrap_or(Path::new("."));
        if let Some(found) = self.found.get(directory) {
            return Ok(Rc::clone(found));
        }
        let absolute = directory.canonicalize().unwrap_or_else(|_| directory.to_owned());
        // What has the name counts, even where it is not a file: then that is an error, and not read past.
        let above =
            absolute.ancestors().map(|directory| directory.join(NAME)).find(|path| path.symlink_metadata().is_ok());
        // Two directories may have the same project, which counts once.
        let same =
            |settings: &&Rc<Settings>| settings.config.as_ref().map(|config| config.directory.join(NAME)) == above;
        let settings = match self.found.values().find(same) {
            Some(settings) => Rc::clone(settings),
            None => Rc::new(Settings::new(&self.words, above.as_deref().map(Config::found).transpose()?)),
        };
        self.found.insert(directory.to_owned(), Rc::clone(&settings));
        Ok(settings)
    }

    /// All settings that were used, each once.
    pub(crate) fn all(&self) -> Vec<Rc<Settings>> {
        let mut all: Vec<Rc<Settings>> = self.named.iter().cloned().collect();
        let mut found: Vec<(&PathBuf, &Rc<Settings>)> = self.found.iter().collect();
        found.sort_by_key(|(directory, _)| *directory);
        for (_, settings) in found {
            if !all.iter().any(|other| Rc::ptr_eq(other, settings)) {
                all.push(Rc::clone(settings));
            }
        }
        all
    }
}

impl Settings {
    fn new(words: &Words, config: Option<Config>) -> Settings {
        let of = config.as_ref();
        let select = match (words.select.is_empty(), of) {
            (true, Some(config)) => config.select.clone(),
            _ => words.select.clone(),
        };
        let ignored = of.map(|config| config.ignore.clone()).unwrap_or_default();
        let used =
            of.map(|config| config.per_path.iter().map(|entry| (false, vec![false; entry.ignore.len()])).collect());
        Settings {
            reading: Reading {
                dialect: words.dialect.or(of.and_then(|config| config.dialect)).unwrap_or_default(),
                engine: words.engine.or(of.and_then(|config| config.engine)).unwrap_or_default(),
                source: words.source,
            },
            level: words.level.or(of.and_then(|config| config.level)).unwrap_or(Level::Warning),
            selection: Selection { select, ignore: ignored.into_iter().chain(words.ignore.iter().cloned()).collect() },
            used: RefCell::new(used.unwrap_or_default()),
            config,
        }
    }

    /// The sources of the project's own events, as `eventrie.toml` lists them.
    #[cfg(feature = "lsp")]
    pub(crate) fn sources(&self) -> impl Iterator<Item = &str> {
        let config = self.config.as_ref();
        let listed = config.and_then(|config| config.sources.as_ref()).into_iter().flatten();
        let typed = config.into_iter().flat_map(|config| config.detail_types.keys());
        listed.chain(typed).map(String::as_str)
    }

    /// The detail types of one of these sources.
    #[cfg(feature = "lsp")]
    pub(crate) fn detail_types(&self, source: &str) -> &[String] {
        self.config.as_ref().and_then(|config| config.detail_types.get(source)).map_or(&[], Vec::as_slice)
    }

    /// Checks a document.
    pub(crate) fn choose(&self, document: &Document) -> Chosen {
        self.choose_with(document, Vec::new())
    }

    /// The same with more findings, which are chosen and ignored alike.
    pub(crate) fn choose_with(&self, document: &Document, more: Vec<Placed>) -> Chosen {
        let Findings { all: mut findings, disabled, pairs } = Findings::of(document, self.reading);
        findings.extend(more);
        if let Some(config) = &self.config {
            findings.extend(known::undeclared(document, config, self.reading));
        }
        let mut ignores = Ignores::of(document);
        let before = findings.len();
        let mut hidden = ignores.hides(findings.iter().map(|one| &one.finding)).into_iter();
        let mut is_ignored = || hidden.next().unwrap_or(false);
        findings.retain(|one| !self.is_hidden(document.file().name(), one) & !is_ignored());
        let ignored = before - findings.len();
        findings.extend(ignores.unused().map(|finding| Placed { finding, place: None, fixes: Vec::new() }));
        findings.retain(|one| self.counts(one));
        Chosen { findings, ignored, disabled, pairs }
    }

    /// Whether a finding counts, by its severity and code.
    pub(crate) fn counts(&self, one: &Placed) -> bool {
        self.level.counts(&one.finding) && self.selection.has(one.finding.code)
    }

    /// Whether an entry of `per-path` hides the finding.
    fn is_hidden(&self, name: &str, one: &Placed) -> bool {
        let Some(config) = &self.config else { return false };
        let (mut hides, mut used) = (false, self.used.borrow_mut());
        for (entry, (_, used)) in config.per_path.iter().zip(used.iter_mut()) {
            if !matches(config, entry, name) {
                continue;
            }
            for ((selector, _), used) in entry.ignore.iter().zip(used) {
                if selector.has(one.finding.code) {
                    *used = true;
                    hides = true;
                }
            }
        }
        hides
    }

    /// Remembers that a file was read.
    pub(crate) fn visit(&self, name: &str) {
        let Some(config) = &self.config else { return };
        for (entry, (is_visited, _)) in config.per_path.iter().zip(self.used.borrow_mut().iter_mut()) {
            *is_visited |= matches(config, entry, name);
        }
    }

    /// The ignores of `eventrie.toml` that hid nothing in the files that were read, with that file.
    pub(crate) fn unused(&self) -> Option<(&eventrie_files::SourceFile, Vec<Placed>)> {
        let config = self.config.as_ref()?;
        let used = self.used.borrow();
        let entries = config.per_path.iter().zip(used.iter()).filter(|(_, (is_visited, _))| *is_visited);
        let unused = entries.flat_map(|(entry, (_, used))| {
            entry.ignore.iter().zip(used).filter(|(_, used)| !**used).map(|((_, place), _)| {
                let message = format!("this ignore hides nothing in the files of `{}`", entry.path.as_str());
                Placed { finding: ignores::unused(place.clone(), message), place: None, fixes: Vec::new() }
            })
        });
        Some((&config.file, unused.filter(|one| self.counts(one)).collect()))
    }
}

/// Whether a file is one of those that an entry is about; its pattern is relative to the directory of `eventrie.toml`.
fn matches(config: &Config, entry: &config::PerPath, name: &str) -> bool {
    let absolute = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let (path, directory) = (absolute(Path::new(name)), absolute(&config.directory));
    let options = glob::MatchOptions { require_literal_separator: true, ..glob::MatchOptions::new() };
    path.strip_prefix(&directory).is_ok_and(|relative| entry.path.matches_path_with(relative, options))
}
