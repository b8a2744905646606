//! Where workloads come from: made here, or read from directories.

use std::path::PathBuf;

use serde_json::value::RawValue;

use crate::rules::Mix;
use crate::{aws, city, rules};

fn directory(variable: &str) -> Option<PathBuf> {
    std::env::var_os(variable).map(PathBuf::from)
}

fn lines(file: &str, count: usize) -> Option<Vec<Vec<u8>>> {
    let path = directory("EVENTRIE_BENCH_EVENTS")?.join(file);
    let bytes = std::fs::read(&path).unwrap_or_else(|error| fail(&path, &error));
    Some(bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()).take(count).map(<[u8]>::to_vec).collect())
}

fn fail(path: &std::path::Path, error: &dyn std::fmt::Display) -> ! {
    eprintln!("{}: {error}", path.display());
    std::process::exit(2)
}

/// Whether the events are read from a directory, so the answers are not known beforehand.
#[must_use]
pub fn is_foreign() -> bool {
    directory("EVENTRIE_BENCH_EVENTS").is_some() || directory("EVENTRIE_BENCH_RULES").is_some()
}

/// City lots.
#[must_use]
pub fn lots(count: usize) -> Vec<Vec<u8>> {
    lines("citylots2.ndjson", count).unwrap_or_else(|| city::lots(count))
}

/// Events of AWS services.
#[must_use]
pub fn events(count: usize) -> Vec<Vec<u8>> {
    lines("aws.ndjson", count).unwrap_or_else(|| aws::events(count))
}

/// Rules about them.
#[must_use]
pub fn patterns(mix: Mix, count: usize) -> Vec<String> {
    let Some(directory) = directory("EVENTRIE_BENCH_RULES") else { return rules::patterns(mix, count) };
    let path = directory.join(format!("{}_{count}.json", mix.name()));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| fail(&path, &error));
    let rules: std::collections::BTreeMap<String, Box<RawValue>> =
        serde_json::from_str(&text).unwrap_or_else(|error| fail(&path, &error));
    rules.into_values().map(|rule| rule.get().to_owned()).collect()
}
