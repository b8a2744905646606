//! eventrie for Python: the compiled module `eventrie._eventrie`, which the package `eventrie` presents.

mod arrow;
mod console;
mod errors;
mod event;
mod explanation;
mod files;
mod finding;
mod input;
mod live;
mod matcher;
mod options;
mod pattern;
mod read;
mod scratch;
mod set;
mod subscriber;
mod subscription;

use pyo3::prelude::*;

/// The compiled half of the package `eventrie`.
#[pymodule(gil_used = false)]
fn _eventrie(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<explanation::Explanation>()?;
    module.add_class::<finding::Finding>()?;
    module.add_class::<finding::Fix>()?;
    module.add_class::<live::LiveMatcher>()?;
    module.add_class::<matcher::Matcher>()?;
    module.add_class::<pattern::Pattern>()?;
    module.add_class::<read::ReadEvent>()?;
    module.add_class::<set::SubscriptionSet>()?;
    module.add_class::<set::Verdict>()?;
    module.add_class::<subscription::Outcome>()?;
    module.add_class::<subscription::Subscription>()?;
    module.add_class::<subscription::SubscriptionReport>()?;
    module.add_function(wrap_pyfunction!(console::run, module)?)?;
    module.add_function(wrap_pyfunction!(files::check_file, module)?)?;
    module.add_function(wrap_pyfunction!(files::check_text, module)?)?;
    module.add_function(wrap_pyfunction!(pattern::explain_code, module)?)?;
    module.add_function(wrap_pyfunction!(pattern::infer, module)?)?;
    module.add_function(wrap_pyfunction!(read::read_events, module)?)?;
    Ok(())
}
