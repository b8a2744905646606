//! `seeds TARGET FOLDER` writes first inputs; `show TARGET FILE…` prints reproductions, `run TARGET FILE…` checks.

use std::path::Path;
use std::process::ExitCode;

use eventrie_fuzz_targets::{show, try_run, write_seeds};

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["seeds", target, folder] => {
            let vectors = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../spec-vectors");
            match write_seeds(target, &vectors, Path::new(folder)) {
                Ok(count) => println!("{target}: {count} seeds"),
                Err(error) => return fail(&format!("{folder}: {error}")),
            }
        }
        [verb @ ("show" | "run"), target, files @ ..] => {
            for file in files {
                let input = match std::fs::read(file) {
                    Ok(input) => input,
                    Err(error) => return fail(&format!("{file}: {error}")),
                };
                println!("{}", show(target, &input).unwrap_or_else(|| "the input stands for nothing".to_owned()));
                if *verb == "run"
                    && let Err(finding) = try_run(target, &input)
                {
                    return fail(&format!("{file}: {finding}"));
                }
            }
        }
        _ => return fail("usage: eventrie-fuzz-targets seeds TARGET FOLDER | (show | run) TARGET FILE…"),
    }
    ExitCode::SUCCESS
}

fn fail(message: &str) -> ExitCode {
    eprintln!("{message}");
    ExitCode::FAILURE
}
