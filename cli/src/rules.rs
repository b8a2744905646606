//! Rule files: an object name → pattern, or what the service's own command line prints.

use std::fs::File;
use std::io::{self, Read};

use anyhow::Context;
#[cfg(feature = "program")]
use anyhow::bail;
use eventrie::Dialect;
use eventrie::diagnostic::Position;
use eventrie::service::Source;
#[cfg(feature = "program")]
use eventrie::{ParseOptions, Pattern};
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

#[cfg(feature = "program")]
use crate::args::PatternArgs;
#[cfg(feature = "program")]
use crate::complain;
use crate::located::Located;
#[cfg(feature = "program")]
use crate::places;
#[cfg(feature = "program")]
use crate::report::Reporter;
use crate::tree::{self, Node, Value};

/// The longest file that is read whole, so that a device that never ends is an error as well.
const LONGEST: u64 = 1 << 30;

/// A text file and the name it goes by in messages.
#[derive(Debug)]
pub(crate) struct SourceFile {
    pub(crate) name: String,
    pub(crate) text: String,
}

impl SourceFile {
    /// Reads a file, or standard input for `-`. A byte order mark is not part of the text.
    pub(crate) fn read(name: &str) -> anyhow::Result<SourceFile> {
        let shown = if name == "-" { "<stdin>" } else { name };
        let reader: Box<dyn Read> = match name {
            "-" => Box::new(std::io::stdin().lock()),
            _ => Box::new(File::open(name).with_context(|| format!("cannot read {name}"))?),
        };
        let bytes = read_all(reader, LONGEST).with_context(|| format!("cannot read {shown}"))?;
        let name = shown.to_owned();
        let text = decode(bytes).map_err(|error| anyhow::anyhow!("{name}: {error}"))?;
        Ok(SourceFile { name, text })
    }
}

/// The text of a file: UTF-8, or UTF-16 with its mark, as some shells write what a command prints.
fn decode(bytes: Vec<u8>) -> Result<String, String> {
    let unit: fn([u8; 2]) -> u16 = match bytes.get(..2) {
        Some([0xff, 0xfe]) => u16::from_le_bytes,
        Some([0xfe, 0xff]) => u16::from_be_bytes,
        _ => {
            let text = String::from_utf8(bytes)
                .map_err(|error| format!("not valid UTF-8 at byte {}", error.utf8_error().valid_up_to()))?;
            return Ok(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text));
        }
    };
    let (units, rest) = bytes.as_chunks::<2>();
    let text: Result<String, _> = char::decode_utf16(units.iter().skip(1).map(|pair| unit(*pair))).collect();
    text.ok().filter(|_| rest.is_empty()).ok_or_else(|| "not valid UTF-16".to_owned())
}

/// All that there is to read, if it is not longer than that.
fn read_all(reader: impl Read, longest: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let read = reader.take(longest + 1).read_to_end(&mut bytes)? as u64;
    if read > longest {
        return Err(io::Error::other(format!("it is longer than {longest} bytes")));
    }
    Ok(bytes)
}

/// One pattern of a rule as it was found: not parsed yet.
#[derive(Debug)]
pub(crate) struct Rule {
    pub(crate) pattern: Located,
    /// The rule that it belongs to. A set of filters is one rule with several patterns.
    pub(crate) group: usize,
}

/// The rules of a file, and what was left out.
#[derive(Debug)]
pub(crate) struct Rules {
    pub(crate) file: SourceFile,
    /// The rules' names.
    pub(crate) names: Vec<String>,
    /// Their patterns; those of one rule follow each other.
    pub(crate) rules: Vec<Rule>,
    pub(crate) notes: Vec<String>,
}

/// Reads a rule file: an object name → pattern, or the output of `aws events list-rules`.
pub(crate) fn read(name: &str) -> anyhow::Result<Rules> {
    parse(SourceFile::read(name)?)
}

/// The rules of a file that was read already.
pub(crate) fn parse(file: SourceFile) -> anyhow::Result<Rules> {
    match find(&file.text) {
        Ok(Found { names, rules, notes }) => Ok(Rules { file, names, rules, notes }),
        Err(fault) => Err(fault.in_file(&file)),
    }
}

/// The rules of a file, or the patterns of a dialect in a template.
#[cfg(feature = "program")]
fn parse_any(file: SourceFile, dialect: Dialect) -> anyhow::Result<Rules> {
    let listed = tree::parse_json(&file.text).is_ok_and(|root| places::is_list_of_rules(&root));
    let places = if listed { Vec::new() } else { places::of(&file) };
    let Some(first) = places.first().map(|place| place.dialect.name()) else { return parse(file) };
    let (mut found, mut unknown) = (Found::default(), 0);
    for place in places.into_iter().filter(|place| place.dialect == dialect) {
        match place.pattern.has_holes() {
            true => unknown += 1,
            false => found.add(place.path, vec![place.pattern]),
        }
    }
    let later = match unknown {
        1 => "1 pattern has parts that are only known when the template is deployed".to_owned(),
        _ => format!("{unknown} patterns have parts that are only known when the template is deployed"),
    };
    match (found.rules.is_empty(), unknown) {
        (true, 0) => bail!("{}: the template has patterns of {first}, none of {}", file.name, dialect.name()),
        (true, _) => bail!("{}: {later}, and there are no others of {}", file.name, dialect.name()),
        (false, 0) => {}
        (false, _) => found.notes.push(format!("{later}; left out")),
    }
    Ok(Rules { file, names: found.names, rules: found.rules, notes: found.notes })
}

/// A file with one pattern: bare, a set of filters, or a rule, pipe, mapping or subscription as the service's own command
/// line describes it.
pub(crate) fn single(file: SourceFile) -> anyhow::Result<Rules> {
    let wrapped = tree::parse_json(&file.text).ok().and_then(|root| wrapped(&root, &file.text));
    let patterns = match wrapped {
        Some(Ok(patterns)) => patterns,
        Some(Err(fault)) => return Err(fault.in_file(&file)),
        None => vec![Located::verbatim(&file.text, 0)],
    };
    let rules = patterns.into_iter().map(|pattern| Rule { pattern, group: 0 }).collect();
    Ok(Rules { names: vec![file.name.clone()], file, rules, notes: Vec::new() })
}

/// The patterns inside of what a service's command line takes or prints; none if it is nothing of that kind.
fn wrapped(root: &Node, text: &str) -> Option<Result<Vec<Located>, Fault>> {
    let located = |node: &Node| Located::unescaped(text.get(node.span.clone())?, node.span.start);
    let policy = root.get("Attributes").and_then(|attributes| attributes.get("FilterPolicy"));
    if let Some(pattern) = policy.or_else(|| root.get("EventPattern")).and_then(located) {
        return Some(Ok(vec![pattern]));
    }
    let criteria = root.get("FilterCriteria").or_else(|| root.get("SourceParameters")?.get("FilterCriteria"));
    // A pattern may have a field called `Filters`, but the entries of its list have no `Pattern`.
    let bare = root.get("Filters").filter(|_| root.members().len() == 1);
    let filters = criteria.and_then(|criteria| criteria.get("Filters")).or(bare)?;
    let elements = match &filters.value {
        Value::List(elements) => elements,
        _ => return None,
    };
    if !elements.is_empty() && elements.iter().all(|filter| filter.get("Pattern").is_none()) {
        return None;
    }
    let patterns = elements.iter().map(|filter| {
        let at = filter.get("Pattern").unwrap_or(filter).span.start;
        filter.get("Pattern").and_then(located).ok_or_else(|| {
            Fault::At(at, "a filter has one `Pattern`, a string that holds the pattern's JSON text".to_owned())
        })
    });
    Some(patterns.collect())
}

impl Rules {
    /// What the words of the command line name, if standard input is not asked for twice.
    #[cfg(feature = "program")]
    pub(crate) fn of(args: &PatternArgs, dialect: Dialect, events: Option<&[String]>) -> anyhow::Result<Rules> {
        let file = args.rules.as_deref().or(args.pattern.as_deref());
        if file == Some("-") && events.is_some_and(|names| names.is_empty() || names.iter().any(|name| name == "-")) {
            bail!("standard input cannot be both the pattern and the events: name a file for one of them");
        }
        let rules = match (&args.rules, &args.pattern, &args.expression) {
            (Some(name), ..) => parse_any(SourceFile::read(name)?, dialect)?,
            (_, Some(name), _) => {
                let rules = single(SourceFile::read(name)?)?;
                let bare = rules.rules.iter().any(|rule| rule.pattern.text == rules.file.text);
                if bare && !places::of(&rules.file).is_empty() {
                    bail!("{}: this is a template with patterns in it: name it with --rules", rules.file.name);
                }
                rules
            }
            (.., text) => {
                let text = text.clone().unwrap_or_default();
                single(SourceFile { name: "<pattern>".to_owned(), text })?
            }
        };
        for note in &rules.notes {
            complain(&format!("{}: {note}", rules.file.name));
        }
        Ok(rules)
    }

    #[cfg(feature = "program")]
    /// All patterns; or none, after the findings of every refused one were reported.
    pub(crate) fn parse(&self, options: &ParseOptions, reporter: &mut Reporter) -> anyhow::Result<Vec<Pattern>> {
        let mut patterns = Vec::with_capacity(self.rules.len());
        let mut refused = 0;
        for rule in &self.rules {
            match Pattern::parse_with(&rule.pattern.text, options) {
                Ok(pattern) => patterns.push(pattern),
                Err(error) => {
                    refused += 1;
                    for finding in error.findings() {
                        reporter.show(&self.file, &rule.pattern.in_file(finding), self.place(rule));
                    }
                }
            }
        }
        match refused {
            0 => Ok(patterns),
            1 if self.rules.len() == 1 => bail!("the pattern is refused"),
            1 => bail!("1 of {} patterns is refused", self.rules.len()),
            _ => bail!("{refused} of {} patterns are refused", self.rules.len()),
        }
    }

    /// The name of the rule that a pattern belongs to.
    pub(crate) fn name(&self, rule: &Rule) -> &str {
        self.names.get(rule.group).map_or("", String::as_str)
    }

    /// What to call a rule in a message: its name, if the file holds several.
    #[cfg(feature = "program")]
    pub(crate) fn place(&self, rule: &Rule) -> Option<&str> {
        Some(self.name(rule)).filter(|name| *name != self.file.name)
    }

    /// What to call each of the patterns.
    #[cfg(feature = "program")]
    pub(crate) fn places(&self) -> impl Iterator<Item = Option<&str>> {
        self.rules.iter().map(|rule| self.place(rule))
    }

    /// What to call the pattern at this position in a message.
    #[cfg(feature = "program")]
    pub(crate) fn describe(&self, at: usize) -> String {
        match self.rules.get(at).and_then(|rule| self.place(rule)) {
            Some(name) => format!("{}: rule `{name}`", self.file.name),
            None => self.file.name.clone(),
        }
    }
}

/// The source of a name given on the command line.
pub(crate) fn source(name: &str) -> Result<Source, String> {
    Source::from_name(name).ok_or_else(|| "the sources are sqs, kinesis, dynamodb, kafka and mq".to_owned())
}

/// The dialect of a name given on the command line.
pub(crate) fn dialect(name: &str) -> Result<Dialect, String> {
    Dialect::from_name(name).ok_or_else(|| {
        let names: Vec<&str> = Dialect::ALL.iter().map(|dialect| dialect.name()).collect();
        format!("the dialects are {}", names.join(", "))
    })
}

enum Fault {
    Json(serde_json::Error),
    At(usize, String),
}

impl Fault {
    fn in_file(self, file: &SourceFile) -> anyhow::Error {
        match self {
            Fault::Json(error) => {
                anyhow::anyhow!("{}:{}:{}: {}", file.name, error.line(), error.column(), plain(&error))
            }
            Fault::At(offset, message) => {
                let place = Position::of(&file.text, offset);
                anyhow::anyhow!("{}:{}:{}: {message}", file.name, place.line, place.column)
            }
        }
    }
}

/// What was found in a file: the rules' names, their patterns, and what was left out.
#[derive(Default)]
struct Found {
    names: Vec<String>,
    rules: Vec<Rule>,
    notes: Vec<String>,
}

impl Found {
    fn add(&mut self, name: String, patterns: Vec<Located>) {
        let group = self.names.len();
        self.names.push(name);
        self.rules.extend(patterns.into_iter().map(|pattern| Rule { pattern, group }));
    }
}

/// The parser's message without its own place, which counts bytes.
fn plain(error: &serde_json::Error) -> String {
    let text = error.to_string();
    match text.rsplit_once(" at line ") {
        Some((message, _)) => message.to_owned(),
        None => text,
    }
}

/// The members of an object in order, with duplicates, each value as it is spelled.
pub(crate) struct Members<'a>(pub(crate) Vec<(String, &'a RawValue)>);

impl<'de: 'a, 'a> serde::Deserialize<'de> for Members<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Members<'a>, D::Error> {
        struct Visit<'a>(std::marker::PhantomData<&'a ()>);
        impl<'de: 'a, 'a> Visitor<'de> for Visit<'a> {
            type Value = Members<'a>;
            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("an object of rules, name → pattern")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Members<'a>, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry::<String, &'de RawValue>()? {
                    members.push(member);
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(Visit(std::marker::PhantomData))
    }
}

fn find(text: &str) -> Result<Found, Fault> {
    if text.trim_start().starts_with('[') {
        let listed: &RawValue = serde_json::from_str(text).map_err(|error| fault(text, error))?;
        return listed_rules(text, listed);
    }
    let Members(members) = serde_json::from_str(text).map_err(|error| fault(text, error))?;
    // A pattern has lists only below names, so this cannot be a rule called `Rules`.
    if let Some((_, listed)) = members.iter().find(|(name, value)| name == "Rules" && value.get().starts_with('[')) {
        return listed_rules(text, listed);
    }
    let mut seen = std::collections::HashSet::with_capacity(members.len());
    for (name, value) in &members {
        if !seen.insert(name.as_str()) {
            return Err(Fault::At(offset(text, value), format!("the rule `{name}` is given twice")));
        }
    }
    let mut found = Found::default();
    for (name, value) in members {
        match filters(text, value) {
            Some(patterns) => {
                let patterns = patterns?;
                if patterns.is_empty() {
                    found
                        .notes
                        .push(format!("the rule `{name}` has no filters, so that every record passes; it is skipped"));
                } else {
                    found.add(name, patterns);
                }
            }
            None => found.add(name, vec![pattern(text, value)?]),
        }
    }
    Ok(found)
}

/// What is wrong with a text that is no rule file, in our own words where we have some.
fn fault(text: &str, error: serde_json::Error) -> Fault {
    match tree::parse_json(text) {
        Err(error) => Fault::At(error.offset, error.message),
        Ok(root) if !matches!(root.value, Value::Map(_)) => Fault::At(
            root.span.start,
            "expected an object of rules, name → pattern, or what `aws events list-rules` prints".to_owned(),
        ),
        Ok(_) => Fault::Json(error),
    }
}

/// The patterns of a rule that is a set of filters.
fn filters(text: &str, value: &RawValue) -> Option<Result<Vec<Located>, Fault>> {
    // Patterns have the name rarely, and never directly inside with a list of objects.
    if !value.get().contains("\"Filters\"") {
        return None;
    }
    let root = tree::parse_json(value.get()).ok()?;
    let at = offset(text, value);
    Some(match wrapped(&root, value.get())? {
        Ok(patterns) => Ok(patterns.into_iter().map(|pattern| pattern.moved(at)).collect()),
        Err(Fault::At(inside, message)) => Err(Fault::At(at + inside, message)),
        Err(fault) => Err(fault),
    })
}

/// `[{"Name":…,"EventPattern":…}]`; a rule on a schedule has no pattern.
fn listed_rules(text: &str, listed: &RawValue) -> Result<Found, Fault> {
    let elements: Vec<&RawValue> = serde_json::from_str(listed.get()).map_err(Fault::Json)?;
    let mut found = Found::default();
    for element in elements {
        let at = offset(text, element);
        let Ok(Members(members)) = serde_json::from_str(element.get()) else {
            return Err(Fault::At(at, "expected a rule, an object with `Name` and `EventPattern`".to_owned()));
        };
        let member = |wanted: &str| members.iter().rev().find(|(name, _)| name == wanted).map(|(_, value)| *value);
        let name: Option<String> = member("Name").and_then(|name| serde_json::from_str(name.get()).ok());
        let Some(name) = name else { return Err(Fault::At(at, "the rule has no `Name`".to_owned())) };
        match member("EventPattern").filter(|value| value.get() != "null") {
            Some(value) => found.add(name, vec![pattern(text, value)?]),
            None => found.notes.push(format!("the rule `{name}` has no event pattern and is skipped")),
        }
    }
    Ok(found)
}

/// A pattern as JSON, or as a string that holds JSON.
fn pattern(text: &str, value: &RawValue) -> Result<Located, Fault> {
    let at = offset(text, value);
    if value.get().starts_with('"') {
        return Located::unescaped(value.get(), at).ok_or_else(|| Fault::At(at, "the string is malformed".to_owned()));
    }
    Ok(Located::verbatim(value.get(), at))
}

/// Where a part of the text stands in it.
fn offset(text: &str, part: &RawValue) -> usize {
    (part.get().as_ptr() as usize).saturating_sub(text.as_ptr() as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> Result<Vec<(String, String)>, String> {
        match find(text) {
            Ok(found) => {
                let named = |rule: Rule| (found.names[rule.group].clone(), rule.pattern.text);
                Ok(found.rules.into_iter().map(named).collect())
            }
            Err(Fault::Json(error)) => Err(plain(&error)),
            Err(Fault::At(offset, message)) => Err(format!("{offset}: {message}")),
        }
    }

    #[test]
    fn what_never_ends_is_an_error() {
        assert_eq!(read_all(&b"1234"[..], 4).unwrap(), b"1234");
        assert!(read_all(&b"12345"[..], 4).is_err());
        assert!(read_all(io::repeat(b' '), 1 << 20).is_err());
    }

    #[test]
    fn the_forms_of_a_rule_file() {
        let pair = |name: &str, text: &str| (name.to_owned(), text.to_owned());
        assert_eq!(
            names(r#"{"b":{"x":[1]},"a":"{\"y\":[2]}"}"#).unwrap(),
            [pair("b", r#"{"x":[1]}"#), pair("a", r#"{"y":[2]}"#)]
        );
        let listed = r#"{"Rules":[{"Name":"n","Arn":"x","EventPattern":"{\"a\":[1]}"},{"Name":"s","ScheduleExpression":"rate(1 day)"}]}"#;
        assert_eq!(names(listed).unwrap(), [pair("n", r#"{"a":[1]}"#)]);
        assert_eq!(find(listed).ok().unwrap().notes, ["the rule `s` has no event pattern and is skipped"]);
        assert_eq!(names(r#" [{"Name":"n","EventPattern":{"a":[1]}}]"#).unwrap(), [pair("n", r#"{"a":[1]}"#)]);
        assert_eq!(names("{}").unwrap(), []);
    }

    #[test]
    fn sets_of_filters_are_rules() {
        let pair = |name: &str, text: &str| (name.to_owned(), text.to_owned());
        let set = r#"{"none":{"Filters":[]},"two":{"FilterCriteria":{"Filters":[{"Pattern":"{\"a\":[1]}"},{"Pattern":"{\"a\":[2]}"}]}},"one":{"Filters":["x"]}}"#;
        assert_eq!(
            names(set).unwrap(),
            [pair("two", r#"{"a":[1]}"#), pair("two", r#"{"a":[2]}"#), pair("one", r#"{"Filters":["x"]}"#)]
        );
        let notes = find(set).ok().unwrap().notes;
        assert_eq!(notes, ["the rule `none` has no filters, so that every record passes; it is skipped"]);
        for set in [r#"{"r":{"Filters":[{"Pattern":{"a":[1]}}]}}"#, r#"{"r":{"Filters":[{"Pattern":"{}"},{"a":"b"}]}}"#]
        {
            assert!(names(set).unwrap_err().contains("a filter has one `Pattern`"), "{set}");
        }
    }

    #[test]
    fn one_pattern_in_many_wrappings() {
        let pattern = |text: &str| {
            let file = SourceFile { name: "f".to_owned(), text: text.to_owned() };
            single(file).map(|rules| rules.rules.into_iter().map(|rule| rule.pattern.text).collect::<Vec<_>>())
        };
        for text in [
            r#"{"a":[1]}"#,
            r#"{"Filters":[{"Pattern":"{\"a\":[1]}"}]}"#,
            r#"{"UUID":"u","FilterCriteria":{"Filters":[{"Pattern":"{\"a\":[1]}"}]}}"#,
            r#"{"Name":"p","SourceParameters":{"FilterCriteria":{"Filters":[{"Pattern":"{\"a\":[1]}"}]}}}"#,
            r#"{"Name":"r","EventPattern":"{\"a\":[1]}","State":"ENABLED"}"#,
            r#"{"Attributes":{"FilterPolicy":"{\"a\":[1]}","FilterPolicyScope":"MessageBody"}}"#,
        ] {
            assert_eq!(pattern(text).unwrap(), [r#"{"a":[1]}"#], "{text}");
        }
        for text in [r#"{"EventPattern":{"a":[1]}}"#, r#"{"Filters":[{"prefix":"x"}]}"#, r#"{"Filters":[1],"a":[1]}"#] {
            assert_eq!(pattern(text).unwrap(), [text]);
        }
        assert!(pattern(r#"{"Filters":[]}"#).unwrap().is_empty());
    }

    #[test]
    fn texts_of_other_encodings() {
        let utf16 =
            |unit: fn(u16) -> [u8; 2]| "\u{feff}{\"é\":[\"😀\"]}".encode_utf16().flat_map(unit).collect::<Vec<u8>>();
        for bytes in [utf16(u16::to_le_bytes), utf16(u16::to_be_bytes), "\u{feff}{\"é\":[\"😀\"]}".into()] {
            assert_eq!(decode(bytes).unwrap(), "{\"é\":[\"😀\"]}");
        }
        assert_eq!(decode(vec![0xff, 0xfe, 0x7b]).unwrap_err(), "not valid UTF-16");
        assert_eq!(decode(vec![0xff, 0xfe, 0x00, 0xd8]).unwrap_err(), "not valid UTF-16");
        assert_eq!(decode(vec![0x7b, 0xff]).unwrap_err(), "not valid UTF-8 at byte 1");
    }

    #[test]
    fn what_is_no_rule_file() {
        assert!(names(" 5").unwrap_err().starts_with("1: expected an object of rules"));
        assert_eq!(names("{'a':{}}").unwrap_err(), "1: expected a name in quotes");
        assert_eq!(names("[5]").unwrap_err(), "1: expected a rule, an object with `Name` and `EventPattern`");
        assert_eq!(names(r#"{"a":{},"a":{}}"#).unwrap_err(), "12: the rule `a` is given twice");
        assert_eq!(names(r#"{"Rules":[{"EventPattern":"{}"}]}"#).unwrap_err(), "10: the rule has no `Name`");
    }
}
