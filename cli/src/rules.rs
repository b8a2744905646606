//! Rule files: an object name → pattern, or what the service's own command line prints.

use std::fs::File;
use std::io::{self, Read};

use anyhow::{Context, bail};
use eventrie::{Dialect, Position, Source};
#[cfg(feature = "program")]
use eventrie::{ParseOptions, Pattern};
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use crate::located::Located;
#[cfg(feature = "program")]
use crate::report::Reporter;
use crate::tree::{self, Node};

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
        let text = match String::from_utf8(bytes) {
            Ok(text) => text,
            Err(error) => bail!("{name}: not valid UTF-8 at byte {}", error.utf8_error().valid_up_to()),
        };
        let text = text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text);
        Ok(SourceFile { name, text })
    }
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
    pub(crate) name: String,
    pub(crate) pattern: Located,
    /// The position of the rule in the file. A set of filters is one rule with several patterns.
    pub(crate) group: usize,
}

/// The rules of a file, and what was left out.
#[derive(Debug)]
pub(crate) struct Rules {
    pub(crate) file: SourceFile,
    pub(crate) rules: Vec<Rule>,
    pub(crate) notes: Vec<String>,
}

/// Reads a rule file: an object name → pattern, or the output of `aws events list-rules`.
pub(crate) fn read(name: &str) -> anyhow::Result<Rules> {
    parse(SourceFile::read(name)?)
}

/// The rules of a file that was read already.
pub(crate) fn parse(file: SourceFile) -> anyhow::Result<Rules> {
    let (rules, notes) = find(&file.text).map_err(|error| match error {
        Fault::Json(error) => {
            anyhow::anyhow!("{}:{}:{}: {}", file.name, error.line(), error.column(), plain(&error))
        }
        Fault::At(offset, message) => {
            let place = Position::of(&file.text, offset);
            anyhow::anyhow!("{}:{}:{}: {message}", file.name, place.line, place.column)
        }
    })?;
    Ok(Rules { file, rules, notes })
}

/// A file with one pattern: bare, a set of filters, or a subscription's attributes as SNS lists them.
pub(crate) fn single(file: SourceFile) -> Rules {
    let name = file.name.clone();
    let patterns = match tree::parse_json(&file.text).ok().and_then(|root| wrapped(&root, &file.text)) {
        Some(patterns) => patterns,
        None => vec![Located::verbatim(&file.text, 0)],
    };
    let rules = patterns.into_iter().map(|pattern| Rule { name: name.clone(), pattern, group: 0 }).collect();
    Rules { file, rules, notes: Vec::new() }
}

/// The patterns inside `{"Filters":[{"Pattern":…}]}` or `{"Attributes":{"FilterPolicy":…}}`; none if it is neither.
fn wrapped(root: &Node, text: &str) -> Option<Vec<Located>> {
    let located = |node: &Node| Located::unescaped(text.get(node.span.clone())?, node.span.start);
    if let Some(policy) = root.get("Attributes").and_then(|attributes| attributes.get("FilterPolicy")) {
        return Some(vec![located(policy)?]);
    }
    let filters = root.get("Filters").or_else(|| root.get("FilterCriteria")?.get("Filters"))?;
    let patterns = filters.elements().iter().map(|filter| located(filter.get("Pattern")?));
    patterns.collect()
}

impl Rules {
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
                    for diagnostic in error.diagnostics() {
                        reporter.show(&self.file, &rule.pattern.in_file(diagnostic), self.place(rule));
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

    /// What to call a rule in a message: its name, if the file holds several.
    pub(crate) fn place<'a>(&self, rule: &'a Rule) -> Option<&'a str> {
        (rule.name != self.file.name).then_some(rule.name.as_str())
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

fn find(text: &str) -> Result<(Vec<Rule>, Vec<String>), Fault> {
    let Members(members) = serde_json::from_str(text).map_err(Fault::Json)?;
    // A pattern has lists only below names, so this cannot be a rule called `Rules`.
    if let Some((_, listed)) = members.iter().find(|(name, value)| name == "Rules" && value.get().starts_with('[')) {
        return listed_rules(text, listed);
    }
    let mut seen = std::collections::HashSet::with_capacity(members.len());
    let mut rules = Vec::with_capacity(members.len());
    for (name, value) in &members {
        if !seen.insert(name.as_str()) {
            return Err(Fault::At(offset(text, value), format!("the rule `{name}` is given twice")));
        }
    }
    for (group, (name, value)) in members.iter().enumerate() {
        match filters(text, value) {
            Some(patterns) => {
                rules.extend(patterns.into_iter().map(|pattern| Rule { name: name.clone(), pattern, group }));
            }
            None => rules.push(Rule { name: name.clone(), pattern: pattern(text, value)?, group }),
        }
    }
    Ok((rules, Vec::new()))
}

/// The patterns of a rule that is a set of filters.
fn filters(text: &str, value: &RawValue) -> Option<Vec<Located>> {
    // Patterns have the name rarely, and never directly inside with a list of objects.
    if !value.get().contains("\"Filters\"") {
        return None;
    }
    let root = tree::parse_json(value.get()).ok()?;
    root.get("Filters")?;
    let at = offset(text, value);
    let patterns = wrapped(&root, value.get())?;
    Some(patterns.into_iter().map(|pattern| pattern.moved(at)).collect())
}

/// `{"Rules":[{"Name":…,"EventPattern":…}]}`; a rule on a schedule has no pattern.
fn listed_rules(text: &str, listed: &RawValue) -> Result<(Vec<Rule>, Vec<String>), Fault> {
    let elements: Vec<&RawValue> = serde_json::from_str(listed.get()).map_err(Fault::Json)?;
    let (mut rules, mut notes) = (Vec::new(), Vec::new());
    for element in elements {
        let at = offset(text, element);
        let Ok(Members(members)) = serde_json::from_str(element.get()) else {
            return Err(Fault::At(at, "expected a rule, an object with `Name` and `EventPattern`".to_owned()));
        };
        let member = |wanted: &str| members.iter().rev().find(|(name, _)| name == wanted).map(|(_, value)| *value);
        let name: Option<String> = member("Name").and_then(|name| serde_json::from_str(name.get()).ok());
        let Some(name) = name else { return Err(Fault::At(at, "the rule has no `Name`".to_owned())) };
        match member("EventPattern").filter(|value| value.get() != "null") {
            Some(value) => {
                let group = rules.len();
                rules.push(Rule { name, pattern: pattern(text, value)?, group });
            }
            None => notes.push(format!("the rule `{name}` has no event pattern and is skipped")),
        }
    }
    Ok((rules, notes))
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
            Ok((rules, _)) => Ok(rules.into_iter().map(|rule| (rule.name, rule.pattern.text)).collect()),
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
        assert_eq!(find(listed).ok().unwrap().1, ["the rule `s` has no event pattern and is skipped"]);
        assert_eq!(names("{}").unwrap(), []);
    }

    #[test]
    fn what_is_no_rule_file() {
        assert!(names("[]").unwrap_err().contains("expected an object of rules"));
        assert_eq!(names(r#"{"a":{},"a":{}}"#).unwrap_err(), "12: the rule `a` is given twice");
        assert_eq!(names(r#"{"Rules":[{"EventPattern":"{}"}]}"#).unwrap_err(), "10: the rule has no `Name`");
    }
}
