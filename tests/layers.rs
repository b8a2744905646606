//! The import law: each room of the library uses only the rooms below it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// Room → what it may use. A room that is missing here fails the test: decide where it belongs first.
const LAW: [(&str, &[&str]); 15] = [
    ("base", &[]),
    ("limit", &["base"]),
    ("diagnostic", &["base"]),
    ("json", &["base", "limit"]),
    ("value", &["base", "json"]),
    ("event", &["base", "json", "value", "limit"]),
    ("dialect", &["base"]),
    ("pattern", &["base", "json", "value", "dialect", "diagnostic", "limit"]),
    ("rule", &["base", "pattern", "value", "limit"]),
    ("automaton", &["base", "rule", "value", "limit"]),
    ("matcher", &["base", "dialect", "automaton", "rule", "pattern", "json", "event", "value", "limit"]),
    (
        "service",
        &[
            "base",
            "dialect",
            "matcher",
            "automaton",
            "rule",
            "pattern",
            "json",
            "event",
            "value",
            "limit",
            "diagnostic",
            "explain",
            "lint",
            "relate",
        ],
    ),
    ("live", &["base", "dialect", "automaton", "matcher", "pattern", "json", "event", "saved", "limit"]),
    ("saved", &["base", "dialect", "automaton", "matcher", "pattern", "json", "limit"]),
    // The oracle shares nothing with what it checks.
    ("explain", &["base", "dialect", "pattern", "json", "event", "value", "diagnostic", "limit"]),
];

/// Rooms above the law's last line, with what they may use.
const TOP: [(&str, &[&str]); 3] = [
    ("relate", &["base", "dialect", "pattern", "rule", "value", "json", "diagnostic", "limit", "explain"]),
    ("lint", &["base", "dialect", "pattern", "rule", "value", "json", "diagnostic", "limit", "relate"]),
    // Doors for the fuzz targets.
    ("testing", &["json", "saved"]),
];

/// The package that reads files. Each room may use rooms of earlier lines only.
const FILES: [(&str, &[&str]); 17] = [
    // Counts what the others do.
    ("work", &[]),
    ("packed", &[]),
    ("escape", &["work"]),
    ("path", &["work"]),
    ("error", &[]),
    ("events", &["work", "packed"]),
    ("source", &["error", "packed"]),
    ("changes", &[]),
    ("located", &["escape", "changes"]),
    ("tree", &["escape", "work"]),
    ("state", &["tree"]),
    ("envelope", &["tree", "state", "work"]),
    ("places", &["tree", "located", "path", "state", "work"]),
    ("rules", &["tree", "located", "state", "places", "work"]),
    ("recognize", &["error", "source", "tree", "places"]),
    ("document", &["error", "source", "path", "state", "located", "tree", "places", "rules", "recognize"]),
    ("edit", &["document", "located", "changes", "source", "tree"]),
];

/// The command line. Each room may use rooms of earlier lines only.
const CLI: [(&str, &[&str]); 21] = [
    ("shown", &[]),
    ("page", &[]),
    ("directory", &[]),
    ("members", &[]),
    ("findings", &[]),
    ("report", &["shown"]),
    ("choose", &[]),
    ("replace", &[]),
    ("args", &["report", "choose"]),
    ("project", &["args", "choose", "findings"]),
    ("given", &["args"]),
    ("open", &["given"]),
    ("rules", &["args", "given", "open", "report", "shown"]),
    ("events", &["shown", "open", "directory"]),
    ("judge", &["members"]),
    ("mcp", &["findings", "judge", "shown"]),
    ("lsp", &["args", "findings", "project", "events"]),
    ("vector", &["members"]),
    (
        "commands",
        &[
            "shown",
            "page",
            "given",
            "open",
            "directory",
            "findings",
            "choose",
            "project",
            "replace",
            "mcp",
            "lsp",
            "report",
            "args",
            "rules",
            "events",
            "judge",
            "vector",
        ],
    ),
    ("program", &["args", "commands", "shown"]),
    // Calls the package by its own name.
    ("main", &[]),
];

#[test]
fn rooms_use_only_rooms_below() {
    let law: Vec<(&str, &[&str])> = LAW.iter().chain(&TOP).copied().collect();
    obeyed("src", "lib", &law);
}

#[test]
fn rooms_of_the_other_packages_use_only_rooms_below() {
    obeyed("files/src", "lib", &FILES);
    obeyed("cli/src", "lib", &CLI);
}

/// Fails if a file of these sources uses a room that its own may not. The root is the file that has no room.
fn obeyed(sources: &str, root: &str, law: &[(&str, &[&str])]) {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join(sources);
    let facade = fs::read_to_string(source.join(root).with_extension("rs")).unwrap();
    let exports = exports(&facade);
    let mut above: BTreeSet<&str> = BTreeSet::new();
    for (room, allowed) in law.iter().rev() {
        let cycle = allowed.iter().find(|allowed| above.contains(*allowed));
        assert!(cycle.is_none() || sources == "src", "the law itself has a cycle: {room} and {cycle:?}");
        above.insert(room);
    }
    let law: BTreeMap<&str, &[&str]> = law.iter().copied().collect();
    let (mut files, mut broken) = (Vec::new(), Vec::new());
    collect(&source, &mut files);
    assert!(files.len() > 10, "the sources are there");
    for file in files {
        let relative = file.strip_prefix(&source).unwrap();
        let room = relative.components().next().unwrap().as_os_str().to_str().unwrap().trim_end_matches(".rs");
        if room == root {
            continue;
        }
        let Some(allowed) = law.get(room) else {
            broken.push(format!("{room} has no line in the law"));
            continue;
        };
        for used in uses(&fs::read_to_string(&file).unwrap()) {
            let used = exports.get(used.as_str()).cloned().unwrap_or(used);
            if used != room && !allowed.contains(&used.as_str()) {
                broken.push(format!("{}: {room} uses {used}", relative.display()));
            }
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

#[test]
fn the_facade_has_no_logic() {
    let facade = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("src/lib.rs")).unwrap();
    let code = plain(&facade);
    for word in ["fn ", "impl ", "struct ", "enum ", "let "] {
        assert!(!code.contains(word), "lib.rs contains `{word}`");
    }
}

#[test]
fn the_test_sees_what_is_used() {
    let text = "use crate::{base::Span, json::{Tree, Text}};\nuse crate::limit::Limits; // crate::rule\n\
                /// [`crate::automaton::X`]\nfn f(x: crate::Matcher) {}\n#[cfg(test)]\nmod tests { use crate::live::X; }\n";
    let found: Vec<String> = uses(text).into_iter().collect();
    assert_eq!(found, ["Matcher", "base", "json", "limit"]);
    let exports = exports("pub use matcher::{Event, Matcher};\npub use base::Span;\n");
    assert_eq!(exports["Matcher"], "matcher");
    assert_eq!(exports["Span"], "base");
}

pub(crate) fn collect(folder: &Path, files: &mut Vec<std::path::PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|end| end == "rs")
            && path.file_name().is_some_and(|name| name != "tests.rs")
        {
            files.push(path);
        }
    }
}

/// The text without comments and without what is after `#[cfg(test)]`, which ends a file here.
pub(crate) fn plain(text: &str) -> String {
    let code = text.split("#[cfg(test)]\nmod ").next().unwrap_or("");
    code.lines().map(|line| line.split("//").next().unwrap_or("")).collect::<Vec<_>>().join("\n")
}

/// The first names after `crate::`.
fn uses(text: &str) -> BTreeSet<String> {
    let code = plain(text);
    let mut found = BTreeSet::new();
    for rest in code.split("crate::").skip(1) {
        if let Some(group) = rest.strip_prefix('{') {
            let mut depth = 1;
            let mut word = String::new();
            for char in group.chars() {
                match char {
                    '{' => depth += 1,
                    '}' => depth -= 1,
                    _ => {}
                }
                if depth == 0 || (depth == 1 && char == ',') {
                    found.insert(name(word.trim()));
                    word.clear();
                } else {
                    word.push(char);
                }
                if depth == 0 {
                    break;
                }
            }
        } else {
            found.insert(name(rest));
        }
    }
    found.remove("");
    found
}

fn name(path: &str) -> String {
    path.chars().take_while(|char| char.is_alphanumeric() || *char == '_').collect()
}

/// What the crate's root exports, and from which room.
fn exports(facade: &str) -> BTreeMap<String, String> {
    let code = plain(facade);
    let mut exports = BTreeMap::new();
    for statement in code.split("pub use ").skip(1) {
        let statement = statement.split(';').next().unwrap_or("");
        let (room, names) = statement.split_once("::").unwrap_or((statement, ""));
        for item in names.trim_matches(['{', '}']).split(',') {
            let item = item.trim().trim_matches(['{', '}']).rsplit("::").next().unwrap_or("").trim();
            exports.insert(item.to_owned(), room.trim().to_owned());
        }
    }
    exports
}
