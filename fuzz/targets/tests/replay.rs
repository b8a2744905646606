//! Replays what was found, and checks that every target does something.

use std::fs;
use std::path::Path;

use eventrie_fuzz_targets::{names, try_run};

/// What the fuzzers have found. A file whose case is fixed stays here.
#[test]
fn regressions() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../regressions");
    for entry in fs::read_dir(&folder).unwrap() {
        let folder = entry.unwrap().path();
        if !folder.is_dir() {
            continue;
        }
        let target = folder.file_name().unwrap().to_str().unwrap();
        assert!(names().contains(&target), "there is no target `{target}`");
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if let Err(finding) = try_run(target, &fs::read(&path).unwrap()) {
                panic!("{}: {finding}", path.display());
            }
        }
    }
}

/// Inputs that are always the same, so a target that rejects everything, or panics on anything, is seen.
#[test]
fn made_inputs() {
    for target in names() {
        let mut state = 0x9e37_79b9_7f4a_7c15_u64;
        let mut next = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state
        };
        let mut kept = 0;
        for round in 0..60 {
            let length = [3, 20, 90, 400][round % 4];
            let input: Vec<u8> = (0..length).map(|_| (next() >> 40) as u8).collect();
            match try_run(target, &input) {
                Ok(accepted) => kept += usize::from(accepted),
                Err(finding) => panic!("{target}, round {round}: {finding}"),
            }
        }
        assert!(kept >= 20, "{target} takes only {kept} of 60 inputs");
    }
}
