//! `eventrie vectors`

use std::collections::HashMap;
use std::io::{BufWriter, Write};
use std::path::Path;

use serde_json::value::RawValue;

use crate::args::VectorsArgs;
use crate::commands::Outcome;
use crate::directory;
use crate::open;
use crate::shown::complain;
use crate::vector::{Row, Runner};

pub(crate) fn run(args: &VectorsArgs) -> anyhow::Result<Outcome> {
    let (mut names, mut trouble) = (Vec::new(), false);
    for name in &args.files {
        let before = names.len();
        if let Err(error) = directory::collect(Path::new(name), &["json", "jsonl", "gz"], &mut names) {
            complain(&format!("{error:#}"));
            trouble = true;
        } else if names.len() == before {
            complain(&format!("{name}: no vector files (`.json`, `.jsonl`, `.gz`) found"));
            trouble = true;
        }
    }
    let mut files = Vec::with_capacity(names.len());
    for name in &names {
        match open::source(name) {
            Ok(file) => files.push(file),
            Err(error) => {
                complain(&format!("{error:#}"));
                trouble = true;
            }
        }
    }
    let mut rows = Vec::new();
    for file in &files {
        if let Err(error) = split(file.text(), &mut rows) {
            complain(&format!("{}: {error}", file.name()));
            trouble = true;
        }
    }
    let failures = in_parallel(&rows, args.early);
    let mut out = BufWriter::new(std::io::stdout().lock());
    let mut seen = HashMap::with_capacity(rows.len());
    let (mut passed, mut failed) = (0_u64, 0_u64);
    for ((id, result), row) in failures.into_iter().zip(&rows) {
        // A row that is read twice, because files overlap, counts once.
        let result = match seen.insert(id.clone(), *row) {
            None => result,
            Some(before) if before == *row => continue,
            Some(_) => Err("duplicate id".to_owned()),
        };
        match result {
            Ok(()) => passed += 1,
            Err(message) => {
                failed += 1;
                writeln!(out, "{id}: {message}")?;
            }
        }
    }
    writeln!(out, "{passed} passed, {failed} failed")?;
    out.flush()?;
    Ok(match (trouble, failed) {
        (true, _) => Outcome::Trouble,
        (false, 0) => Outcome::Yes,
        (false, _) => Outcome::No,
    })
}

/// The rows of a file: the elements of an array, or the lines.
fn split<'a>(text: &'a str, rows: &mut Vec<&'a str>) -> Result<(), serde_json::Error> {
    if text.trim_start().starts_with('[') {
        let elements: Vec<&RawValue> = serde_json::from_str(text)?;
        rows.extend(elements.iter().map(|element| element.get()));
    } else {
        rows.extend(text.lines().filter(|line| !line.trim().is_empty()));
    }
    Ok(())
}

/// Runs all rows on all cores; the results in order.
fn in_parallel(rows: &[&str], early: bool) -> Vec<(String, Result<(), String>)> {
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    // Where there are no threads at all (WebAssembly), one must not even be tried.
    if workers == 1 {
        let mut runner = Runner::new(early);
        return rows.iter().map(|row| one(row, &mut runner)).collect();
    }
    let piece = rows.len().div_ceil(workers).max(1);
    std::thread::scope(|scope| {
        let threads: Vec<_> = rows
            .chunks(piece)
            .map(|rows| {
                scope.spawn(move || {
                    let mut runner = Runner::new(early);
                    rows.iter().map(|row| one(row, &mut runner)).collect::<Vec<_>>()
                })
            })
            .collect();
        threads
            .into_iter()
            .flat_map(|thread| thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            .collect()
    })
}

fn one(text: &str, runner: &mut Runner) -> (String, Result<(), String>) {
    match serde_json::from_str::<Row<'_>>(text) {
        Ok(row) => {
            let result = runner.run(&row);
            (row.id, result)
        }
        Err(error) => {
            let begin: String = text.chars().take(60).collect();
            (begin, Err(format!("not a vector: {error}")))
        }
    }
}
