//! The `koord._core` extension: bindings and nothing else, one module per crate.

mod allocation;
mod histogram;
mod metrics;
mod placement;
mod placement_queue;
mod probes;
mod snapshot;

use pyo3::prelude::*;

#[pymodule]
fn _core(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    allocation::register(module)?;
    histogram::register(module)?;
    metrics::register(module)?;
    placement::register(module)?;
    placement_queue::register(module)?;
    probes::register(module)?;
    snapshot::register(module)?;
    Ok(())
}
