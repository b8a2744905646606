//! The README says what is so. Its example is compiled as a doctest; its commands are run by the tests of the command
//! line and by `.ci/run`.

use std::fs;

use crate::row::folder;

#[test]
fn the_table_of_dialects_is_the_librarys() {
    let path = folder("README.md");
    let readme = fs::read_to_string(&path).unwrap();
    let (open, close) = ("<!-- dialects -->\n", "<!-- /dialects -->");
    let (before, rest) = readme.split_once(open).unwrap();
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
