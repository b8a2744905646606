//! Entries of PutEvents that are not sent yet: what `--entry` says of the fields that EventBridge will set.

use eventrie::{Dialect, Pattern};
use eventrie_files::envelope::{self, Inner, Opened, Wanted};
use eventrie_files::tree::{self, Node};

/// The fields that EventBridge sets.
const SET: [&str; 4] = ["time", "id", "account", "region"];

/// What is known of such fields, and which of them are tested.
#[derive(Debug, Default)]
pub(crate) struct Later {
    known: Vec<(String, String)>,
    tested: Vec<&'static str>,
}

impl Later {
    /// The values as `NAME=VALUE`, and the patterns that test them.
    pub(crate) fn new(entry: &[String], patterns: &[Pattern]) -> Later {
        let known = entry.iter().filter_map(|one| one.split_once('='));
        let known = known.map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
        let mut tested = Vec::new();
        for pattern in patterns.iter().filter(|pattern| pattern.dialect() == Dialect::EventBridge) {
            // Most patterns name none of them.
            if (SET.iter().any(|name| pattern.source().contains(name)) || pattern.source().contains('\\'))
                && let Ok(root) = tree::parse_json(pattern.source())
            {
                collect(&root, &mut tested);
            }
        }
        Later { known, tested }
    }

    /// Opens an envelope, and sets what is known.
    pub(crate) fn open(&self, text: &[u8], wanted: Wanted) -> Option<Opened> {
        let mut opened = envelope::open(text, wanted)?;
        self.known.iter().for_each(|(name, value)| opened.set(name, value));
        Some(opened)
    }

    /// Why there is no answer for an event, if a field that is not known is tested.
    pub(crate) fn missing(&self, event: &Inner) -> Option<String> {
        let name = event.unset().iter().find(|name| self.tested.contains(name))?;
        Some(format!(
            "`{name}` is not known until the entry is sent, and a pattern tests it: give it with `--entry {name}=VALUE`"
        ))
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
