//! Workloads for eventrie, rivals to compare it with, and tables and plots of the results.
//!
//! All workloads are made here, the same on every machine. `EVENTRIE_BENCH_EVENTS` names a directory with
//! `citylots2.ndjson` and `aws.ndjson` to read instead of the events, `EVENTRIE_BENCH_RULES` one with `full_N.json` and
//! `exact_N.json` (objects from names to patterns) to read instead of the rule sets.

pub mod aws;
pub mod check;
pub mod city;
pub mod conjunctions;
pub mod data;
mod files;
pub mod hostile;
pub mod inputs;
pub mod many;
pub mod measure;
pub mod plot;
pub mod random;
pub mod rivals;
pub mod rules;
pub mod small;
pub mod subscribers;
pub mod threads;
