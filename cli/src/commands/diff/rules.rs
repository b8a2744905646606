//! The rules of one version of a file, by name and event bus.

use std::collections::BTreeMap;

use eventrie::{Dialect, ParseOptions, Pattern};
use eventrie_files::Document;

/// A rule of one version. Of several patterns any may match.
pub(super) struct Rule {
    pub(super) patterns: Vec<Result<Pattern, String>>,
    pub(super) texts: Vec<String>,
    pub(super) dialect: Dialect,
    /// Whether parts are only known when the template is deployed.
    pub(super) is_open: bool,
}

/// Which rule it is: names are unique on one event bus.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Key {
    pub(super) name: String,
    /// None if the file does not say.
    pub(super) bus: Option<String>,
}

impl Key {
    /// Whether both are certainly not on the same bus.
    pub(super) fn is_elsewhere(&self, other: &Key) -> bool {
        matches!((&self.bus, &other.bus), (Some(one), Some(other)) if one != other)
    }
}

pub(super) type Rules = BTreeMap<Key, Rule>;

/// The rules of a document.
pub(super) fn rules(document: &Document, dialect: Dialect, is_alone: bool) -> Rules {
    let mut rules = BTreeMap::new();
    for found in document.patterns() {
        let name = if is_alone { "the pattern".to_owned() } else { document.name_of(found) };
        let dialect = found.dialect().unwrap_or(dialect);
        let new = || Rule { patterns: Vec::new(), texts: Vec::new(), dialect, is_open: false };
        let bus = found.bus().map(str::to_owned);
        let rule = rules.entry(Key { name, bus }).or_insert_with(new);
        let text = found.pattern().text();
        let options = ParseOptions::new(dialect);
        rule.patterns.push(Pattern::parse_with(text, &options).map_err(|error| {
            let first = error.findings().first();
            first.map_or_else(|| error.to_string(), |finding| format!("{}: {}", finding.code, finding.message))
        }));
        rule.texts.push(text.to_owned());
        rule.is_open |= found.is_open();
    }
    rules
}

/// Whether an old rule and a new one of its name are the same.
type IsSame<'a> = dyn Fn(&Key, &Key) -> bool + 'a;

/// The old rule that each new one was, by position in `before`; none if it is new. A rule without a partner of its name on its bus may
/// have moved to another.
pub(super) fn partners<'r>(before: &'r Rules, after: &Rules) -> Vec<Option<&'r Key>> {
    let mut left: BTreeMap<&str, Vec<&Key>> = BTreeMap::new();
    for key in before.keys() {
        left.entry(&key.name).or_default().push(key);
    }
    let mut partners: Vec<Option<&Key>> = vec![None; after.len()];
    let is_default = |key: &Key| key.bus.as_deref().is_none_or(|bus| bus == "default");
    let ways: [&IsSame<'_>; 4] = [
        &|old, new| old.bus == new.bus,
        &|old, new| is_default(old) && is_default(new),
        &|old, new| !old.is_elsewhere(new),
        &|_, _| true,
    ];
    for is_same in ways {
        for (new, partner) in after.keys().zip(&mut partners).filter(|(_, partner)| partner.is_none()) {
            let Some(left) = left.get_mut(&*new.name) else { continue };
            let at = left.iter().position(|old| is_same(old, new));
            *partner = at.map(|at| left.remove(at));
        }
    }
    partners
}

/// The names that several rules have, each on a bus of its own.
pub(super) fn repeated(rules: &Rules) -> impl Iterator<Item = &str> {
    let pairs = rules.keys().zip(rules.keys().skip(1));
    pairs.filter(|(one, next)| one.name == next.name).map(|(one, _)| one.name.as_str())
}
