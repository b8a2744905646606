//! `eventrie.toml`: what a project says about its patterns.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::ValueEnum;
use eventrie::Dialect;
use eventrie::diagnostic::Position;
use eventrie::dialect::BusVersion;
use eventrie_files::SourceFile;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::args::Level;
use crate::choose::{Selector, nearest};

/// The name of the file.
pub(crate) const NAME: &str = "eventrie.toml";

/// The keys at the top level, and those of an entry of `per-path`.
const KEYS: [&str; 8] = ["dialect", "engine", "level", "select", "ignore", "sources", "detail-types", "per-path"];
const PATH_KEYS: [&str; 3] = ["path", "ignore", "reason"];

/// What a project says about its patterns.
#[derive(Debug)]
pub(crate) struct Config {
    /// The directory that it is in.
    pub(crate) directory: PathBuf,
    pub(crate) file: SourceFile,
    /// The service that reads bare patterns and rule files.
    pub(crate) dialect: Option<Dialect>,
    pub(crate) engine: Option<BusVersion>,
    pub(crate) level: Option<Level>,
    pub(crate) select: Vec<Selector>,
    pub(crate) ignore: Vec<Selector>,
    /// The sources of the project's own events, if it lists them.
    pub(crate) sources: Option<Vec<String>>,
    /// The detail types of sources.
    pub(crate) detail_types: BTreeMap<String, Vec<String>>,
    pub(crate) per_path: Vec<PerPath>,
}

/// What is ignored in some files.
#[derive(Debug)]
pub(crate) struct PerPath {
    pub(crate) path: glob::Pattern,
    /// Each with its bytes in the file.
    pub(crate) ignore: Vec<(Selector, Range<usize>)>,
}

impl Config {
    /// Reads a file that was not named but found. Only a file: reading a pipe would wait for somebody to write.
    pub(crate) fn found(path: &Path) -> anyhow::Result<Config> {
        let about = std::fs::metadata(path).with_context(|| format!("cannot read {}", path.display()))?;
        if !about.is_file() {
            let kind = if about.is_dir() { "a directory" } else { "a pipe or a device" };
            bail!("{}: expected a file with settings, found {kind}", path.display());
        }
        Config::read(path)
    }

    /// Reads the file of this name.
    pub(crate) fn read(path: &Path) -> anyhow::Result<Config> {
        let bytes = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
        // Shown as a person would name it.
        let here = std::env::current_dir().and_then(|here| here.canonicalize()).unwrap_or_default();
        let shown = path.strip_prefix(&here).unwrap_or(path);
        let file = SourceFile::decode(shown.display().to_string(), bytes)?;
        let directory = path.parent().map(Path::to_owned).unwrap_or_default();
        Config::parse(file, directory)
    }

    fn parse(file: SourceFile, directory: PathBuf) -> anyhow::Result<Config> {
        let text = file.text().to_owned();
        let fault = |range: Range<usize>, message: &str| {
            let at = Position::of(&text, range.start);
            anyhow::anyhow!("{}:{}:{}: {message}", file.name(), at.line, at.column)
        };
        let table = DeTable::parse(&text)
            .map_err(|error| fault(error.span().unwrap_or(0..0), &error.message().replace('\n', "; ")))?;
        let reader = Reader { fault: &fault };
        let mut config = Config {
            directory,
            file: file.clone(),
            dialect: None,
            engine: None,
            level: None,
            select: Vec::new(),
            ignore: Vec::new(),
            sources: None,
            detail_types: BTreeMap::new(),
            per_path: Vec::new(),
        };
        for (key, value) in table.get_ref() {
            match key.get_ref().as_ref() {
                "dialect" => config.dialect = Some(reader.word(value, |word| word.parse().map_err(text_of))?),
                "engine" => config.engine = Some(reader.word(value, |word| word.parse().map_err(text_of))?),
                "level" => {
                    let level = |word: &str| {
                        Level::from_str(word, false)
                            .map_err(|_| format!("expected error, warning or note, found `{word}`"))
                    };
                    config.level = Some(reader.word(value, level)?);
                }
                "select" => config.select = reader.selectors(value)?.into_iter().map(|(one, _)| one).collect(),
                "ignore" => config.ignore = reader.selectors(value)?.into_iter().map(|(one, _)| one).collect(),
                "sources" => config.sources = Some(reader.strings(value)?),
                "detail-types" => {
                    for (source, types) in reader.table(value)? {
                        config.detail_types.insert(source.get_ref().to_string(), reader.strings(types)?);
                    }
                }
                "per-path" => {
                    for entry in reader.list(value)? {
                        config.per_path.push(reader.per_path(entry)?);
                    }
                }
                other => bail!(reader.unknown(key.span(), other, &KEYS)),
            }
        }
        Ok(config)
    }
}

fn text_of(error: impl std::fmt::Display) -> String {
    error.to_string()
}

type Table<'i> = DeTable<'i>;

/// Reads values and says where one is of the wrong kind.
struct Reader<'a> {
    fault: &'a dyn Fn(Range<usize>, &str) -> anyhow::Error,
}

impl Reader<'_> {
    fn unknown(&self, range: Range<usize>, key: &str, keys: &[&str]) -> anyhow::Error {
        let meant = match nearest(key, keys.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("the keys are {}", keys.join(", ")),
        };
        (self.fault)(range, &format!("unknown key `{key}`; {meant}"))
    }

    fn expected<T>(&self, value: &Spanned<DeValue<'_>>, what: &str) -> anyhow::Result<T> {
        let found = match value.get_ref().type_str() {
            kind @ ("array" | "integer") => format!("an {kind}"),
            kind => format!("a {kind}"),
        };
        Err((self.fault)(value.span(), &format!("expected {what}, found {found}")))
    }

    fn string<'v>(&self, value: &'v Spanned<DeValue<'_>>) -> anyhow::Result<&'v str> {
        match value.get_ref().as_str() {
            Some(text) => Ok(text),
            None => self.expected(value, "a string"),
        }
    }

    fn word<T>(&self, value: &Spanned<DeValue<'_>>, read: impl Fn(&str) -> Result<T, String>) -> anyhow::Result<T> {
        read(self.string(value)?).map_err(|message| (self.fault)(value.span(), &message))
    }

    fn list<'v, 'i>(&self, value: &'v Spanned<DeValue<'i>>) -> anyhow::Result<&'v [Spanned<DeValue<'i>>]> {
        match value.get_ref().as_array() {
            Some(list) => Ok(list),
            None => self.expected(value, "an array"),
        }
    }

    fn table<'v, 'i>(&self, value: &'v Spanned<DeValue<'i>>) -> anyhow::Result<&'v Table<'i>> {
        match value.get_ref().as_table() {
            Some(table) => Ok(table),
            None => self.expected(value, "a table"),
        }
    }

    fn strings(&self, value: &Spanned<DeValue<'_>>) -> anyhow::Result<Vec<String>> {
        self.list(value)?.iter().map(|one| Ok(self.string(one)?.to_owned())).collect()
    }

    fn selectors(&self, value: &Spanned<DeValue<'_>>) -> anyhow::Result<Vec<(Selector, Range<usize>)>> {
        self.list(value)?.iter().map(|one| Ok((self.word(one, str::parse)?, one.span()))).collect()
    }

    fn per_path(&self, entry: &Spanned<DeValue<'_>>) -> anyhow::Result<PerPath> {
        let (mut path, mut ignore) = (None, Vec::new());
        for (key, value) in self.table(entry)? {
            match key.get_ref().as_ref() {
                "path" => path = Some(self.word(value, |word| glob::Pattern::new(word).map_err(text_of))?),
                "ignore" => ignore = self.selectors(value)?,
                "reason" => drop(self.string(value)?),
                other => bail!(self.unknown(key.span(), other, &PATH_KEYS)),
            }
        }
        match path {
            Some(path) => Ok(PerPath { path, ignore }),
            None => Err((self.fault)(entry.span(), "expected `path`, a pattern such as \"legacy/**\"")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Config, String> {
        Config::parse(SourceFile::new(NAME, text), PathBuf::new()).map_err(|error| error.to_string())
    }

    #[test]
    fn every_key() {
        let config = parse(
            "dialect = \"sns-body\"\nengine = \"2026-07\"\nlevel = \"note\"\nselect = [\"E\", \"W\"]\nignore = [\"rules\"]\n\
             sources = [\"shop\"]\n[detail-types]\nshop = [\"Order\"]\n[[per-path]]\npath = \"old/**\"\nignore = [\"W0016\"]\nreason = \"r\"\n",
        )
        .unwrap();
        assert_eq!((config.dialect, config.level), (Some(Dialect::SnsBody), Some(Level::Note)));
        assert_eq!((config.select.len(), config.ignore.len(), config.per_path.len()), (2, 1, 1));
        assert_eq!(config.detail_types["shop"], ["Order"]);
        let place = config.per_path[0].ignore[0].1.clone();
        assert_eq!(&config.file.text()[place], "\"W0016\"");
    }

    #[test]
    fn mistakes_have_a_place() {
        for (text, expected) in [
            ("dialct = \"pipes\"", "eventrie.toml:1:1: unknown key `dialct`; did you mean `dialect`?"),
            (
                "\nxyzzy = 1",
                "eventrie.toml:2:1: unknown key `xyzzy`; the keys are dialect, engine, level, select, ignore, sources, detail-types, per-path",
            ),
            ("select = \"E\"", "eventrie.toml:1:10: expected an array, found a string"),
            ("sources = [1]", "eventrie.toml:1:12: expected a string, found an integer"),
            ("[[per-path]]\nignore = []", "eventrie.toml:1:1: expected `path`, a pattern such as \"legacy/**\""),
            ("[[per-path]]\npat = \"x\"", "eventrie.toml:2:1: unknown key `pat`; did you mean `path`?"),
            ("level = \"high\"", "eventrie.toml:1:9: expected error, warning or note, found `high`"),
        ] {
            assert_eq!(parse(text).unwrap_err(), expected);
        }
        assert!(parse("dialect = \"sqs\"").unwrap_err().starts_with("eventrie.toml:1:11: "));
        assert!(parse("ignore = [\"W9\"]").unwrap_err().starts_with("eventrie.toml:1:11: expected a code such as"));
        assert!(parse("a = ").unwrap_err().starts_with("eventrie.toml:1:"));
    }
}
