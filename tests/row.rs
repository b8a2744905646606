//! Vector files, as `spec-vectors/README.md` describes them.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::value::RawValue;

use eventrie::dialect::{BusVersion, SnsVersion};
use eventrie::service::{AttributeType, Source};
use eventrie::{Dialect, ParseOptions, Pattern};

/// What a vector expects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Expect {
    Match,
    NoMatch,
    Invalid,
    BadEvent,
    Names(Vec<String>),
}

/// One vector.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    pub(crate) id: String,
    pub(crate) dialect: Dialect,
    /// Name and text; one without a name if the vector has a `pattern`.
    pub(crate) patterns: Vec<(String, String)>,
    pub(crate) event: Option<String>,
    pub(crate) source: Option<Source>,
    /// Name, type and value.
    pub(crate) attributes: Vec<(String, AttributeType, String)>,
    pub(crate) version: SnsVersion,
    pub(crate) engine: BusVersion,
    /// Whether the service's limits are on: unless the engine alone answered, and its pattern has wildcards that the service
    /// would refuse.
    pub(crate) limited: bool,
    pub(crate) expect: Expect,
    pub(crate) error: Option<String>,
    /// Whether all of `error` counts, not only its first line.
    pub(crate) whole_text: bool,
}

impl Row {
    /// The text of the only pattern.
    pub(crate) fn pattern(&self) -> &str {
        &self.patterns[0].1
    }

    /// As the one that answered reads the pattern.
    pub(crate) fn options(&self) -> ParseOptions {
        self.unlimited().service_limits(self.limited)
    }

    /// The same without the service's limits.
    pub(crate) fn unlimited(&self) -> ParseOptions {
        ParseOptions::new(self.dialect).sns_version(self.version).engine(self.engine)
    }
}

/// A directory next to or in the repository.
pub(crate) fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

/// All vector files of a directory, in the order of their names.
pub(crate) fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path));
        } else if path.extension().is_some_and(|end| end == "json" || end == "jsonl") {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// The vectors of a file.
pub(crate) fn read(path: &Path) -> Vec<Row> {
    let bytes = fs::read(path).unwrap();
    let text = if path.extension().is_some_and(|end| end == "gz") {
        std::io::read_to_string(flate2::read::MultiGzDecoder::new(bytes.as_slice())).unwrap()
    } else {
        String::from_utf8(bytes).unwrap()
    };
    let at = |error: String| -> Row { panic!("{}: {error}", path.display()) };
    if text.trim_start().starts_with('[') {
        let rows: Vec<&RawValue> = serde_json::from_str(&text).unwrap();
        rows.iter().map(|row| parse(row.get()).unwrap_or_else(at)).collect()
    } else {
        text.lines().filter(|line| !line.trim().is_empty()).map(|row| parse(row).unwrap_or_else(at)).collect()
    }
}

fn parse(text: &str) -> Result<Row, String> {
    // The values as they are spelled; names are never given twice in a vector itself.
    let members: BTreeMap<String, &RawValue> = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let present = |name: &str| members.get(name).copied().filter(|value| value.get() != "null");
    let string = |name: &str| present(name).map(|value| string_of(value.get()));
    let id = string("id").ok_or("a vector without id")?;
    for name in members.keys() {
        let known = [
            "id",
            "dialect",
            "pattern",
            "rules",
            "event",
            "source",
            "attributes",
            "version",
            "expect",
            "error",
            "whole_text",
            "evidence",
            "note",
            "wish",
        ];
        if !known.contains(&name.as_str()) {
            return Err(format!("{id}: unknown key `{name}`"));
        }
    }
    let dialect = string("dialect").and_then(|name| name.parse::<Dialect>().ok()).ok_or(format!("{id}: no dialect"))?;
    let patterns = match (present("pattern"), present("rules")) {
        (Some(pattern), None) => vec![(String::new(), text_of(pattern))],
        (None, Some(rules)) => {
            let rules: BTreeMap<String, &RawValue> = serde_json::from_str(rules.get()).unwrap();
            rules.into_iter().map(|(name, pattern)| (name, text_of(pattern))).collect()
        }
        _ => return Err(format!("{id}: either `pattern` or `rules`")),
    };
    let expect = present("expect").ok_or(format!("{id}: no `expect`"))?;
    let expect = match expect.get() {
        "\"match\"" => Expect::Match,
        "\"no_match\"" => Expect::NoMatch,
        "\"invalid\"" => Expect::Invalid,
        "\"bad_event\"" => Expect::BadEvent,
        names => Expect::Names(serde_json::from_str(names).map_err(|_| format!("{id}: expects {names}"))?),
    };
    let whole_text = match present("whole_text").map(RawValue::get) {
        None | Some("false") => false,
        Some("true") => true,
        Some(other) => return Err(format!("{id}: `whole_text` is {other}")),
    };
    let unknown = || format!("{id}: unknown version {:?}", string("version"));
    let (mut version, mut engine) = (SnsVersion::default(), BusVersion::default());
    match string("version") {
        Some(name) if dialect == Dialect::EventBridge => engine = name.parse().map_err(|_| unknown())?,
        Some(name) => version = name.parse().map_err(|_| unknown())?,
        // What the engine or the service was seen to answer, it answered before September.
        None if matches!(string("evidence").as_deref(), Some("engine" | "recorded")) => engine = BusVersion::V2026_07,
        None => {}
    }
    let source =
        string("source").map(|name| name.parse::<Source>().map_err(|_| format!("{id}: unknown source {name}")));
    let attributes: BTreeMap<String, BTreeMap<String, Option<String>>> = present("attributes")
        .map_or(Ok(BTreeMap::new()), |value| serde_json::from_str(value.get()))
        .map_err(|error| format!("{id}: {error}"))?;
    let attributes = attributes.into_iter().map(|(name, mut attribute)| {
        let mut part = |name: &str| attribute.remove(name).flatten().unwrap_or_default();
        (name, AttributeType::from_name(&part("Type")), part("Value"))
    });
    let is_engine = string("evidence").as_deref() == Some("engine");
    let limited = !(is_engine && patterns.iter().any(|(_, text)| is_rated_above(text, dialect, engine)));
    Ok(Row {
        dialect,
        patterns,
        event: present("event").map(text_of),
        source: source.transpose()?,
        attributes: attributes.collect(),
        version,
        engine,
        limited,
        expect,
        error: string("error"),
        whole_text,
        id,
    })
}

/// Whether the wildcards are all that the service refuses.
fn is_rated_above(text: &str, dialect: Dialect, engine: BusVersion) -> bool {
    let options = ParseOptions::new(dialect).engine(engine).service_limits(true);
    text.contains("wildcard")
        && Pattern::parse_with(text, &options)
            .is_err_and(|error| bare(&error.service_message()).starts_with("Rule is too complex"))
}

/// A pattern or event, given as a string that contains it or as it is.
fn text_of(value: &RawValue) -> String {
    if value.get().starts_with('"') { string_of(value.get()) } else { value.get().to_owned() }
}

/// The value of a JSON string; half of a pair of UTF-16 units is a `?`, as the engine has it.
fn string_of(raw: &str) -> String {
    serde_json::from_str(raw).unwrap_or_else(|_| {
        let mut mended = String::new();
        let mut rest = raw;
        while let Some(at) = rest.find('\\') {
            let unit = |at: usize| {
                let digits = rest.get(at..).and_then(|rest| rest.strip_prefix("\\u"))?.get(..4)?;
                u16::from_str_radix(digits, 16).ok()
            };
            let length = if unit(at).is_some() { 6 } else { 2 };
            let (high, low) = (0xd800..0xdc00, 0xdc00..0xe000);
            let (found, length) = match (unit(at), unit(at + length)) {
                (Some(first), Some(second)) if high.contains(&first) && low.contains(&second) => (None, 12),
                (Some(alone), _) if high.contains(&alone) || low.contains(&alone) => (Some("?"), length),
                _ => (None, length),
            };
            mended.push_str(&rest[..at]);
            mended.push_str(found.unwrap_or(&rest[at..at + length]));
            rest = &rest[at + length..];
        }
        serde_json::from_str(&(mended + rest)).unwrap()
    })
}

/// The service's error text without its envelope.
pub(crate) fn bare(text: &str) -> &str {
    [
        "Event pattern is not valid. Reason: ",
        "Invalid parameter: FilterPolicy: ",
        "Invalid parameter: Attributes Reason: FilterPolicy: ",
        "Invalid parameter: Attributes Reason: ",
        "Invalid parameter: ",
    ]
    .into_iter()
    .find_map(|envelope| text.strip_prefix(envelope))
    .unwrap_or(text)
}

/// The first line of that.
pub(crate) fn first_line(text: &str) -> &str {
    bare(text).lines().next().unwrap_or("")
}

/// What of the service's text is compared: all of it, or its first line; without the envelope.
pub(crate) fn compared(text: &str, whole: bool) -> &str {
    if whole { bare(text) } else { first_line(text) }
}
