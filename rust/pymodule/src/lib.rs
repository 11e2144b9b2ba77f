//! The `koord._core` extension: bindings and nothing else, one module per crate.

mod metrics;
mod placement;
mod placement_queue;

use pyo3::prelude::*;

#[pymodule]
fn _core(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    metrics::register(module)?;
    placement::register(module)?;
    placement_queue::register(module)?;
    Ok(())
}
