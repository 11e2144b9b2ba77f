//! The `koord._core` extension: bindings and nothing else, one module per crate.

mod allocation;
mod histogram;
mod metrics;
mod probes;
mod snapshot;
mod placement;
mod placement_queue;

use pyo3::prelude::*;

#[pymodule]
fn _core(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    allocation::register(module)?;
    histogram::register(module)?;
    metrics::register(module)?;
    probes::register(module)?;
    snapshot::register(module)?;
    placement::register(module)?;
    placement_queue::register(module)?;
    Ok(())
}
