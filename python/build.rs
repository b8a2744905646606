//! Configures the code by whether the Python that it is built for has a global interpreter lock.

fn main() {
    pyo3_build_config::use_pyo3_cfgs();
}
