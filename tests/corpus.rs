//! Answers recorded elsewhere: tens of thousands of rows that are not part of the repository.

use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use eventrie::Scratch;

use crate::row::{Row, files, folder, read};
use crate::vectors::{is_plain, judge};

/// Rows that are answered otherwise on purpose, each with its reason.
const DEVIATIONS: [(&str, &str); 0] = [];

/// Runs all rows of the files on all cores; prints how many there were.
fn run(paths: &[PathBuf]) {
    let mut failures = Vec::new();
    for path in paths {
        let rows: Vec<Row> = read(path).into_iter().filter(is_plain).collect();
        let next = AtomicUsize::new(0);
        let workers = thread::available_parallelism().map_or(1, usize::from);
        let found: Vec<String> = thread::scope(|scope| {
            let threads: Vec<_> = (0..workers)
                .map(|_| {
                    scope.spawn(|| {
                        let (mut used, mut failures) = (Scratch::default(), Vec::new());
                        while let Some(row) = rows.get(next.fetch_add(1, Ordering::Relaxed)) {
                            let known = DEVIATIONS.iter().any(|(id, _)| *id == row.id);
                            match judge(row, &mut used) {
                                Err(message) if !known => failures.push(format!("{}: {message}", row.id)),
                                Ok(()) if known => failures.push(format!("{}: is no deviation any more", row.id)),
                                _ => {}
                            }
                        }
                        failures
                    })
                })
                .collect();
            threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
        });
        say(&format!("{}: {} rows, {} fail", path.file_name().unwrap().display(), rows.len(), found.len()));
        failures.extend(found);
    }
    let shown: Vec<&str> = failures.iter().take(40).map(String::as_str).collect();
    assert!(failures.is_empty(), "{} rows fail, the first of them:\n{}", failures.len(), shown.join("\n"));
}

/// A line that is seen even if the test passes.
fn say(line: &str) {
    let _ = writeln!(std::io::stderr(), "corpus: {line}");
}

#[test]
fn recorded_answers() {
    let corpus = folder("../shared/corpus");
    if !corpus.is_dir() {
        return say(&format!("skipped: there is no {}", corpus.display()));
    }
    let files: Vec<PathBuf> =
        files(&corpus).into_iter().filter(|path| path.extension().is_some_and(|end| end == "jsonl")).collect();
    assert!(!files.is_empty(), "the corpus is there, but empty");
    run(&files);
}
