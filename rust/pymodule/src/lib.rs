//! The `koord._core` extension: bindings and nothing else, one module per crate.

mod placement;

use pyo3::prelude::*;

#[pymodule]
fn _core(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    placement::register(module)?;
    Ok(())
}
