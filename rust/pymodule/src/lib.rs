//! The `koord._core` extension: bindings and nothing else, one module per crate.

mod histogram;
mod metrics;

use pyo3::prelude::*;

#[pymodule]
fn _core(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    histogram::register(module)?;
    metrics::register(module)?;
    Ok(())
}
