//! The public API as one page, `docs/pages/api.md`: a change of it is seen in review.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use crate::row::folder;

/// A public item: its kind, the first sentence about it, and the signatures of its methods.
#[derive(Default)]
struct Item {
    kind: &'static str,
    about: String,
    methods: BTreeSet<String>,
}

const KINDS: [(&str, &str); 5] = [
    ("pub struct ", "struct"),
    ("pub enum ", "enum"),
    ("pub trait ", "trait"),
    ("pub fn ", "function"),
    ("pub type ", "type"),
];

#[test]
fn the_page_of_the_public_api_is_current() {
    let source = folder("src");
    let exports = exports(&source);
    assert!(exports.len() > 8 && exports.values().map(BTreeSet::len).sum::<usize>() > 80, "{exports:?}");
    let items = items(&source);
    let mut listed = Vec::new();
    let mut page = String::from(
        "# The public API of the library\n\nEvery public item of the crate `eventrie` with its methods, by module. \
         The [crate page](https://docs.rs/eventrie) documents them.\n",
    );
    for (module, names) in &exports {
        let title = if module.is_empty() { "eventrie".to_owned() } else { format!("eventrie::{module}") };
        writeln!(page, "\n## `{title}`").unwrap();
        for name in names {
            let Some(item) = items.get(name).filter(|item| !item.kind.is_empty()) else {
                listed.push(name.clone());
                continue;
            };
            writeln!(page, "\n{} `{name}`: {}", item.kind, item.about).unwrap();
            // Items of the root are shown whole there, and only named in their modules.
            if !item.methods.is_empty() && (module.is_empty() || !exports[""].contains(name)) {
                let methods: Vec<&str> = item.methods.iter().map(String::as_str).collect();
                writeln!(page, "\n```rust,ignore\n{}\n```", methods.join("\n")).unwrap();
            }
        }
    }
    assert!(listed.is_empty(), "exported, and defined nowhere: {listed:?}");
    let path = folder("docs/pages/api.md");
    if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
        fs::write(&path, page).unwrap();
        return;
    }
    let shown = fs::read_to_string(&path).unwrap();
    assert_eq!(shown, page, "UPDATE_SNAPSHOTS=1 writes docs/pages/api.md");
}

/// The names that each public module exports; those of the root under the empty name.
fn exports(source: &Path) -> BTreeMap<String, BTreeSet<String>> {
    let root = fs::read_to_string(source.join("lib.rs")).unwrap();
    let mut found = BTreeMap::from([(String::new(), reexported(&root))]);
    for line in root.lines() {
        let Some(module) = line.strip_prefix("pub mod ").and_then(|rest| rest.strip_suffix(';')) else { continue };
        if module == "testing" {
            continue;
        }
        let paths = [source.join(module).join("mod.rs"), source.join(format!("{module}.rs"))];
        let text = paths.iter().find_map(|path| fs::read_to_string(path).ok()).unwrap();
        let mut names = reexported(&text);
        names.extend(text.lines().filter_map(defined).map(|(_, name)| name));
        found.insert(module.to_owned(), names);
    }
    found
}

/// The names after `pub use`.
fn reexported(text: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for part in text.split("\npub use ").skip(1) {
        let statement = part.split(';').next().unwrap();
        let list = statement
            .split_once('{')
            .map_or_else(|| statement.rsplit("::").next().unwrap(), |(_, list)| list.trim_end_matches('}'));
        names.extend(
            list.split(',').map(|name| name.trim().trim_end_matches('}').to_owned()).filter(|name| !name.is_empty()),
        );
    }
    names
}

/// The kind and name of the public item that a line defines at the outermost level.
fn defined(line: &str) -> Option<(&'static str, String)> {
    let (start, kind) = KINDS.iter().find(|(start, _)| line.starts_with(start))?;
    let name = line[start.len()..].split(|char: char| !char.is_alphanumeric() && char != '_').next()?;
    Some((kind, name.to_owned()))
}

/// All public items of the sources, by name.
fn items(source: &Path) -> BTreeMap<String, Item> {
    let (mut files, mut items) = (Vec::new(), BTreeMap::<String, Item>::new());
    collect(source, &mut files);
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap();
        let (mut owner, mut about, mut inner) = (None::<String>, String::new(), String::new());
        let mut in_trait = false;
        let mut lines = text.lines();
        while let Some(line) = lines.next() {
            if let Some(doc) = line.strip_prefix("/// ") {
                if !about.ends_with("\u{0}") {
                    about.push_str(if about.is_empty() { "" } else { " " });
                    about.push_str(doc);
                }
                continue;
            }
            // An empty line of a comment ends its first paragraph.
            if line == "///" {
                about.push('\u{0}');
                continue;
            }
            // A macro that defines items contains them further in.
            if let Some(doc) = line.strip_prefix("        /// ") {
                inner.push_str(if inner.is_empty() { "" } else { " " });
                inner.push_str(doc);
            } else if line == "        ///" {
                inner.push('\u{0}');
            } else if let Some((kind, name)) = line.strip_prefix("        ").and_then(defined) {
                let item = items.entry(name).or_default();
                (item.kind, item.about) = (kind, first_sentence(&inner));
            } else if !line.starts_with("        #[") {
                inner.clear();
            }
            if let Some((kind, name)) = defined(line) {
                let item = items.entry(name.clone()).or_default();
                item.kind = kind;
                item.about = first_sentence(&about);
                in_trait = kind == "trait";
                owner = in_trait.then_some(name);
            } else if line.starts_with("impl") && !line.contains(" for ") {
                (owner, in_trait) = (owner_of(line), false);
            } else if line.starts_with("impl") || line.starts_with('}') {
                (owner, in_trait) = (None, false);
            }
            let signature = line.strip_prefix("    ").filter(|line| {
                line.starts_with("pub fn ") || line.starts_with("pub const ") || (in_trait && line.starts_with("fn "))
            });
            if let (Some(owner), Some(signature)) = (&owner, signature) {
                let mut whole = signature.to_owned();
                while !whole.ends_with(['{', ';', '}']) {
                    let Some(next) = lines.next() else { break };
                    whole.push(' ');
                    whole.push_str(next.trim());
                }
                let end = if whole.starts_with("pub const ") { " = " } else { " {" };
                let whole = whole.split(end).next().unwrap().trim_end_matches([';', ',']);
                let whole = whole.replace("( ", "(").replace(", )", ")").replace("mut self", "self");
                items.entry(owner.clone()).or_default().methods.insert(whole);
            }
            if !line.starts_with("#[") && !line.starts_with(' ') && !line.starts_with(')') {
                about.clear();
            }
        }
    }
    items
}

/// The type of `impl<K> Type<K> {`.
fn owner_of(line: &str) -> Option<String> {
    let mut rest = line.strip_prefix("impl")?;
    if rest.starts_with('<') {
        let mut depth = 0;
        let end = rest.find(|char| {
            depth += i32::from(char == '<') - i32::from(char == '>');
            depth == 0
        })?;
        rest = &rest[end + 1..];
    }
    Some(rest.trim().split(|char: char| !char.is_alphanumeric() && char != '_').next()?.to_owned())
}

fn first_sentence(about: &str) -> String {
    let paragraph = about.split('\u{0}').next().unwrap();
    let end = paragraph.find(". ").map_or(paragraph.len(), |at| at + 1);
    // Links of rustdoc are plain text here.
    let mut parts = paragraph[..end].split("](");
    let mut sentence = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        sentence.push_str(part.split_once(')').map_or(part, |(_, rest)| rest));
    }
    for (open, close) in [("[`", "`"), ("`]", "`"), ("[", "")] {
        sentence = sentence.replace(open, close);
    }
    sentence
}

#[test]
fn sentences_keep_what_links_say() {
    assert_eq!(
        first_sentence("What [`str::parse`](x::y) of [`A`] answers. More."),
        "What `str::parse` of `A` answers."
    );
    assert_eq!(first_sentence("A [range](std::ops::Range) of [bytes](u8)\u{0}Then."), "A range of bytes");
}

fn collect(directory: &Path, files: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|end| end == "rs") && !path.ends_with("tests.rs") {
            files.push(path);
        }
    }
}
