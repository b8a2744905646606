//! The README and the site are true. The README's example is compiled as a doctest; its commands are run by the tests
//! of the command line and by `.ci/run`.

use std::fs;

use eventrie::{Dialect, Pattern};

use crate::row::folder;

#[test]
fn the_table_of_dialects_is_the_librarys() {
    let path = folder("docs/pages/services.md");
    let page = fs::read_to_string(&path).unwrap();
    let (open, close) = ("<!-- dialects -->\n", "<!-- /dialects -->");
    let (before, rest) = page.split_once(open).unwrap();
    let (shown, after) = rest.split_once(close).unwrap();
    let table = eventrie::Dialect::table();
    if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
        fs::write(&path, format!("{before}{open}{table}{close}{after}")).unwrap();
        return;
    }
    assert_eq!(shown, table, "UPDATE_SNAPSHOTS=1 writes the table");
}

#[test]
fn every_dependency_has_its_reason() {
    let manifest = fs::read_to_string(folder("Cargo.toml")).unwrap();
    let readme = fs::read_to_string(folder("README.md")).unwrap();
    let dependencies = manifest.split("[dependencies]\n").nth(1).unwrap().split("\n\n").next().unwrap();
    let mut count = 0;
    for line in dependencies.lines() {
        let name = line.split([' ', '=']).next().unwrap();
        assert!(readme.contains(&format!("`{name}`")), "{name} is not in the README");
        count += 1;
    }
    assert!(count > 4);
    let features = manifest.split("[features]\n").nth(1).unwrap().split("\n\n").next().unwrap();
    for line in features.lines().filter(|line| !line.starts_with('#') && !line.starts_with("default")) {
        let name = line.split([' ', '=']).next().unwrap();
        assert!(readme.contains(&format!("| `{name}`")), "the feature {name} is not in the README");
    }
}

/// The rows `pattern | event | answer` of a page.
fn rows(page: &str) -> Vec<[&str; 3]> {
    let cells = |line| -> Option<[&str; 3]> {
        let cells: Vec<&str> = str::strip_prefix(line, "| `")?.strip_suffix(" |")?.split(" | ").collect();
        let [pattern, event, answer] = cells.as_slice() else { return None };
        Some([pattern.strip_suffix('`')?, event.strip_prefix('`')?.strip_suffix('`')?, answer])
    };
    page.lines().filter_map(cells).collect()
}

#[test]
fn the_examples_of_the_language_are_true() {
    let page = fs::read_to_string(folder("docs/pages/language.md")).unwrap();
    let rows = rows(&page);
    assert!(rows.len() > 50, "only {} rows", rows.len());
    for [pattern, event, answer] in rows {
        let came = match Pattern::parse(pattern, Dialect::EventBridge) {
            Err(_) => "rejected",
            Ok(pattern) if pattern.explain(event.as_bytes()).unwrap().matched() => "match",
            Ok(_) => "no match",
        };
        assert_eq!(came, answer, "{pattern} and {event}");
    }
}
