//! Entries of PutEvents that are not sent yet: what `--entry` says of the fields that EventBridge will set.

use std::sync::{Arc, OnceLock};

use eventrie::{Dialect, Pattern};
use eventrie_files::envelope::{self, Inner, Opened, Wanted};
use eventrie_files::tree::{self, Node};

/// The fields that EventBridge sets.
const SET: [&str; 4] = ["time", "id", "account", "region"];

/// How many rules a message names.
const NAMED: usize = 5;

/// What is known of such fields, and which rules test them.
#[derive(Debug, Default)]
pub(crate) struct Later {
    known: Vec<(String, String)>,
    /// In the order of the rules.
    tested: Vec<(usize, &'static str)>,
    /// The names of the rules, if some test such fields.
    names: Vec<String>,
    /// Whether the command has no `--entry`.
    is_fixed: bool,
    /// What is missing, made once for each set of fields that events lack: a bit for each of `SET`.
    missing: [OnceLock<Option<Arc<Missing>>>; 1 << SET.len()],
}

/// Rules without an answer for an event.
#[derive(Debug, Default)]
pub(crate) struct Missing {
    /// Ascending.
    pub(crate) rules: Vec<usize>,
    /// Whether no rule has an answer.
    pub(crate) is_all: bool,
    /// Why there is none.
    pub(crate) why: String,
}

impl Later {
    /// The values as `NAME=VALUE`, and the patterns of each rule, with the rules' names.
    pub(crate) fn new(entry: &[String], groups: &[Vec<Pattern>], names: &[String]) -> Later {
        let known = entry.iter().filter_map(|one| one.split_once('='));
        let known = known.map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
        let mut tested = Vec::new();
        for (rule, patterns) in groups.iter().enumerate() {
            let mut fields = Vec::new();
            for pattern in patterns.iter().filter(|pattern| pattern.dialect() == Dialect::EventBridge) {
                // Most patterns name none of them.
                if (SET.iter().any(|name| pattern.source().contains(name)) || pattern.source().contains('\\'))
                    && let Ok(root) = tree::parse_json(pattern.source())
                {
                    collect(&root, &mut fields);
                }
            }
            tested.extend(fields.into_iter().map(|name| (rule, name)));
        }
        let names = if tested.is_empty() { Vec::new() } else { names.to_vec() };
        Later { known, tested, names, ..Later::default() }
    }

    /// For a command without `--entry`.
    pub(crate) fn fixed(groups: &[Vec<Pattern>], names: &[String]) -> Later {
        Later { is_fixed: true, ..Later::new(&[], groups, names) }
    }

    /// Opens an envelope, and sets what is known.
    pub(crate) fn open(&self, text: &[u8], wanted: Wanted) -> Option<Opened> {
        let mut opened = envelope::open(text, wanted)?;
        self.known.iter().for_each(|(name, value)| opened.set(name, value));
        Some(opened)
    }

    /// The rules without an answer for an event: those that test a field that is not known.
    pub(crate) fn missing(&self, event: &Inner) -> Option<Arc<Missing>> {
        let bits = event.unset().iter().filter_map(|name| SET.iter().position(|one| one == name));
        let lacks = bits.fold(0, |all, bit| all | 1 << bit);
        self.missing.get(lacks)?.get_or_init(|| self.without(event.unset()).map(Arc::new)).clone()
    }

    /// The rules that test one of these fields.
    fn without(&self, unset: &[&str]) -> Option<Missing> {
        let mut missing = Missing::default();
        for name in unset {
            let rules: Vec<usize> = self.tested.iter().filter(|(_, one)| one == name).map(|(rule, _)| *rule).collect();
            if rules.is_empty() {
                continue;
            }
            if !missing.why.is_empty() {
                missing.why.push_str("; ");
            }
            let advice = match self.is_fixed {
                true => "give the event as EventBridge delivers it".to_owned(),
                false => format!("give it with `--entry {name}=VALUE`"),
            };
            let tests = self.tests(&rules);
            missing.why.push_str(&format!("`{name}` is not known until the entry is sent, and {tests} it: {advice}"));
            missing.rules.extend(rules);
        }
        missing.rules.sort_unstable();
        missing.rules.dedup();
        missing.is_all = missing.rules.len() == self.names.len();
        (!missing.rules.is_empty()).then_some(missing)
    }

    /// Which rules do so.
    fn tests(&self, rules: &[usize]) -> String {
        if self.names.len() == 1 {
            return "the pattern tests".to_owned();
        }
        let name = |rule: &usize| format!("`{}`", self.names.get(*rule).map_or("", String::as_str));
        let named: Vec<String> = rules.iter().take(NAMED).map(name).collect();
        match (named.as_slice(), rules.len().saturating_sub(NAMED)) {
            ([one], _) => format!("the rule {one} tests"),
            ([first @ .., last], 0) => format!("the rules {} and {last} test", first.join(", ")),
            (all, more) => format!("the rules {} and {more} more test", all.join(", ")),
        }
    }
}

/// The fields of these at the top of a pattern and of the alternatives of its `$or`.
fn collect(node: &Node, tested: &mut Vec<&'static str>) {
    for (key, value) in node.members() {
        match key.text() {
            Some("$or") => value.elements().iter().for_each(|one| collect(one, tested)),
            Some(text) => tested
                .extend(SET.into_iter().filter(|name| *name == text && !tested.contains(name)).collect::<Vec<_>>()),
            None => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_is_found_once() {
        let pattern = |text: &str| vec![Pattern::parse(text, Dialect::EventBridge).unwrap()];
        let groups = [pattern(r#"{"account":["1"]}"#), pattern(r#"{"source":["s"]}"#), pattern(r#"{"time":["t"]}"#)];
        let later = Later::new(&[], &groups, &["a".to_owned(), "s".to_owned(), "t".to_owned()]);
        let missing = |entry: &str| {
            let opened = later.open(entry.as_bytes(), Wanted::Event).unwrap();
            later.missing(&opened.events()[0]).unwrap()
        };
        let without = r#"{"Source":"s","DetailType":"d","Detail":"{}"}"#;
        let with = r#"{"Source":"s","DetailType":"d","Detail":"{}","Time":"t"}"#;
        assert_eq!((missing(without).rules.as_slice(), missing(with).rules.as_slice()), (&[0, 2][..], &[0][..]));
        assert!(Arc::ptr_eq(&missing(without), &missing(without)) && Arc::ptr_eq(&missing(with), &missing(with)));
    }
}
