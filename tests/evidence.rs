//! Answers and messages of the services and of the engine inside EventBridge, one test per file. A file that is not part of
//! the repository and is not next to it is reported as ignored, never as passed.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic, reason = "tests")]
#![allow(dead_code, unused_imports, reason = "these modules are shared with the other tests")]

mod kept;
mod modes;
mod row;
mod sources;
mod vectors;

use std::fs;
use std::path::{Path, PathBuf};

use eventrie::{Pattern, Scratch};
use libtest_mimic::{Arguments, Failed, Trial};

use row::{Expect, Row, bare, first_line, folder, read};
use vectors::{is_plain, judge};

/// Files with recordings and reports, which are not part of the repository.
const BESIDE: [&str; 6] =
    ["eventbridge-recorded", "sns-recorded", "records-recorded", "sns-reported", "records-reported", "field-reports"];

fn main() {
    let arguments = Arguments::from_args();
    let mut trials = Vec::new();
    let engine = engine_files();
    for path in &engine {
        let name = path.file_name().unwrap().to_str().unwrap().split('.').next().unwrap();
        let path = path.clone();
        trials.push(Trial::test(format!("engine::{name}"), move || check(&path)));
    }
    for name in BESIDE {
        let path = folder("../shared/corpus").join(format!("{name}.jsonl"));
        let missing = !path.is_file();
        let kind = if missing { "no file beside the repository" } else { "" };
        let trial = Trial::test(format!("beside::{name}"), move || check(&path));
        trials.push(trial.with_ignored_flag(missing).with_kind(kind));
    }
    trials.push(Trial::test("the_readme_counts_them", move || the_readme_counts_them(&engine)));
    libtest_mimic::run(&arguments, trials).exit();
}

fn engine_files() -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = fs::read_dir(folder("spec-vectors/engine"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|end| end == "gz"))
        .collect();
    files.sort();
    files
}

/// Checks every row of a file against the library.
fn check(path: &Path) -> Result<(), Failed> {
    let (rows, mut scratch) = (read(path), Scratch::default());
    if rows.is_empty() {
        return Err(format!("{} has no rows", path.display()).into());
    }
    let failures: Vec<String> = rows
        .iter()
        .filter_map(|row| answered(row, &mut scratch).err().map(|message| format!("{}: {message}", row.id)))
        .collect();
    if failures.is_empty() {
        return Ok(());
    }
    let shown: Vec<&str> = failures.iter().take(40).map(String::as_str).collect();
    Err(format!("{} of {} rows fail, the first of them:\n{}", failures.len(), rows.len(), shown.join("\n")).into())
}

/// Whether the pattern is accepted, the event answered and the error worded as the row says.
fn answered(row: &Row, scratch: &mut Scratch) -> Result<(), String> {
    if is_plain(row) {
        judge(row, scratch)?;
    } else {
        let came = sources::answer(row);
        if came != row.expect {
            return Err(format!("expected {:?}, got {came:?}", row.expect));
        }
    }
    let [(_, pattern)] = row.patterns.as_slice() else { return Ok(()) };
    if pattern.contains("\"Filters\"") {
        return Ok(());
    }
    let error = match (Pattern::parse_with(pattern, &row.options()), row.expect == Expect::Invalid) {
        (Ok(_), false) => return Ok(()),
        (Err(error), true) => error,
        (Ok(_), true) => return Err("accepted".to_owned()),
        (Err(error), false) => return Err(format!("rejected: {error}")),
    };
    let said = error.service_message();
    match &row.error {
        // Some recordings have the first line alone.
        Some(wanted) if row.id.starts_with("engine/") || wanted.contains('\n') => same(bare(wanted), bare(&said)),
        Some(wanted) => same(bare(wanted), first_line(&said)),
        None => Ok(()),
    }
}

fn same(wanted: &str, said: &str) -> Result<(), String> {
    if wanted == said { Ok(()) } else { Err(format!("expected the message\n  {wanted}\ngot\n  {said}")) }
}

fn the_readme_counts_them(engine: &[PathBuf]) -> Result<(), Failed> {
    let count: usize = engine.iter().map(|path| read(path).len()).sum();
    let shown = format!("| {},{:03} | 0 |", count / 1000, count % 1000);
    let readme = fs::read_to_string(folder("README.md")).unwrap();
    let line = readme.lines().find(|line| line.starts_with("| answers of event-ruler")).unwrap_or("");
    if line.contains(&shown) { Ok(()) } else { Err(format!("there are {count} rows, the README says {line}").into()) }
}
