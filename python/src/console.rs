//! The console script `eventrie`: the command line itself.

use pyo3::prelude::*;

/// Runs the command line with these arguments, the program's name first, and returns its exit code.
#[pyfunction]
pub(crate) fn run(py: Python<'_>, arguments: Vec<std::ffi::OsString>) -> u8 {
    py.detach(|| eventrie_cli::run(arguments))
}
