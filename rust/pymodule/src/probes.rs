//! What the kernel offers to BPF, and what our programs cost.

use std::time::Duration;

use koord_probes::{Capabilities, Cause, Piece, ProgramCost, Support, program_costs};
use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;

/// One thing that the kernel may offer.
#[pyclass(frozen, get_all, name = "ProbePiece", module = "koord._core")]
struct PyPiece {
    name: String,
    purpose: String,
    available: bool,
    reason: Option<String>,
    remedy: Option<String>,
}

impl From<Piece> for PyPiece {
    fn from(piece: Piece) -> Self {
        let cause = match piece.support {
            Support::Available => None,
            Support::Missing(cause) => Some(cause),
        };
        Self {
            name: piece.name.into(),
            purpose: piece.purpose.into(),
            available: cause.is_none(),
            reason: cause.as_ref().map(Cause::to_string),
            remedy: cause.as_ref().map(|cause| cause.remedy().into()),
        }
    }
}

/// What this kernel and process can do with BPF.
#[pyclass(frozen, get_all, name = "ProbeCapabilities", module = "koord._core")]
struct PyCapabilities {
    kernel: String,
    btf: bool,
    lockdown: Option<String>,
    pieces: Vec<Py<PyPiece>>,
}

/// Run time of one loaded program within a window.
#[pyclass(frozen, get_all, name = "ProgramCost", module = "koord._core")]
struct PyProgramCost {
    id: u32,
    name: String,
    run_time_ns: u64,
    runs: u64,
}

impl From<ProgramCost> for PyProgramCost {
    fn from(cost: ProgramCost) -> Self {
        Self {
            id: cost.id,
            name: cost.name,
            run_time_ns: cost.run_time_ns,
            runs: cost.runs,
        }
    }
}

#[pyfunction(name = "capabilities")]
fn py_capabilities(py: Python<'_>) -> PyResult<PyCapabilities> {
    let found = py.detach(Capabilities::probe);
    let pieces = found
        .pieces
        .into_iter()
        .map(|piece| Py::new(py, PyPiece::from(piece)));
    Ok(PyCapabilities {
        kernel: found.host.release,
        btf: found.host.btf,
        lockdown: found.host.lockdown,
        pieces: pieces.collect::<PyResult<_>>()?,
    })
}

#[pyfunction(name = "program_costs")]
fn py_program_costs(py: Python<'_>, seconds: f64) -> PyResult<Vec<PyProgramCost>> {
    let duration = Duration::try_from_secs_f64(seconds)
        .map_err(|error| PyValueError::new_err(format!("seconds: {seconds}: {error}")))?;
    let costs = py.detach(|| program_costs(duration)).map_err(|cause| {
        PyOSError::new_err(format!(
            "run times of BPF programs: {cause} ({})",
            cause.remedy()
        ))
    })?;
    Ok(costs.into_iter().map(PyProgramCost::from).collect())
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<PyPiece>()?;
    module.add_class::<PyCapabilities>()?;
    module.add_class::<PyProgramCost>()?;
    module.add_function(wrap_pyfunction!(py_capabilities, module)?)?;
    module.add_function(wrap_pyfunction!(py_program_costs, module)?)?;
    Ok(())
}
