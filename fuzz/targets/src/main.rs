//! What targets can do besides fuzzing: `names` prints them, `seeds TARGET FOLDER` writes first inputs, `show TARGET
//! FILE…` prints reproductions, `run TARGET FILE…` checks inputs, and `random TARGET COUNT SEED` checks random ones.

use std::path::Path;
use std::process::ExitCode;

use eventrie_fuzz_targets::{names, show, try_run, write_seeds};

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["names"] => println!("{}", names().join("\n")),
        ["random", target, count, seed] => {
            let (Ok(count), Ok(mut state)) = (count.parse::<u32>(), seed.parse::<u64>()) else {
                return fail("a number was expected");
            };
            state = state.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
            for _ in 0..count {
                let mut input = Vec::new();
                loop {
                    state ^= state << 13;
                    state ^= state >> 7;
                    state ^= state << 17;
                    input.extend_from_slice(&state.to_le_bytes());
                    if state >> 58 == 0 {
                        break;
                    }
                }
                if let Err(finding) = try_run(target, &input) {
                    return fail(&finding);
                }
            }
        }
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
        _ => return fail("usage: names | seeds TARGET FOLDER | (show | run) TARGET FILE… | random TARGET COUNT SEED"),
    }
    ExitCode::SUCCESS
}

fn fail(message: &str) -> ExitCode {
    eprintln!("{message}");
    ExitCode::FAILURE
}
