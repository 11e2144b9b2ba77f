//! The placement engine for Python: JSON in, columns or JSON out. Every call releases the GIL.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use koord_placement::config::{Settings, plugin_names};
use koord_placement::{Decision, Engine};
use pyo3::create_exception;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList, PyString};

create_exception!(
    koord._core,
    PlacementError,
    PyValueError,
    "An object or a configuration that cannot be used."
);

pub fn refused(error: koord_placement::PlacementError) -> PyErr {
    PlacementError::new_err(error.to_string())
}

pub fn json(value: &impl serde::Serialize) -> PyResult<Vec<u8>> {
    serde_json::to_vec(value).map_err(|error| PyRuntimeError::new_err(error.to_string()))
}

#[pyclass(name = "PlacementEngine", module = "koord._core", frozen)]
pub struct PyEngine(Mutex<Engine>);

impl PyEngine {
    /// A panic in another call leaves the snapshot as it was at that point; later calls may still read it.
    pub fn engine(&self) -> MutexGuard<'_, Engine> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What became of a batch, one entry per pod in every column.
#[pyclass(name = "Placements", module = "koord._core", frozen, get_all)]
struct Placements {
    nodes: Py<PyList>,
    annotations: Py<PyList>,
    messages: Py<PyList>,
    plugins: Py<PyList>,
}

impl Placements {
    fn of(py: Python<'_>, decisions: &[Decision]) -> PyResult<Self> {
        let (nodes, annotations) = (PyList::empty(py), PyList::empty(py));
        let (messages, plugins) = (PyList::empty(py), PyList::empty(py));
        let mut names: BTreeMap<&str, Bound<PyString>> = BTreeMap::new();
        let none = py.None();
        for decision in decisions {
            match decision {
                Decision::Placed { node, allocations } => {
                    nodes.append(&*names.entry(node).or_insert_with(|| PyString::new(py, node)))?;
                    messages.append(&none)?;
                    plugins.append(&none)?;
                    let written: Vec<_> = allocations
                        .iter()
                        .flat_map(|each| &each.annotations)
                        .collect();
                    if written.is_empty() {
                        annotations.append(&none)?;
                    } else {
                        let of_pod = PyDict::new(py);
                        for (key, value) in written {
                            of_pod.set_item(key, value)?;
                        }
                        annotations.append(of_pod)?;
                    }
                }
                Decision::Failed(failure) => {
                    nodes.append(&none)?;
                    annotations.append(&none)?;
                    messages.append(&failure.message)?;
                    plugins.append(&failure.plugins)?;
                }
            }
        }
        let [nodes, annotations, messages, plugins] =
            [nodes, annotations, messages, plugins].map(Bound::unbind);
        Ok(Self {
            nodes,
            annotations,
            messages,
            plugins,
        })
    }
}

#[pymethods]
impl PyEngine {
    #[new]
    #[pyo3(signature = (configuration = b"{}".as_slice(), *, gates = BTreeMap::new(), seed = None))]
    fn new(
        configuration: &[u8],
        gates: BTreeMap<String, bool>,
        seed: Option<u64>,
    ) -> PyResult<Self> {
        let settings = Settings::parse(configuration, gates).map_err(refused)?;
        Ok(Self(Mutex::new(
            Engine::new(&settings, seed).map_err(refused)?,
        )))
    }

    fn upsert(&self, py: Python<'_>, kind: &str, raw: &[u8]) -> PyResult<String> {
        py.detach(|| self.engine().snapshot.upsert(kind, raw))
            .map_err(refused)
    }

    fn upsert_many(&self, py: Python<'_>, kind: &str, raws: Vec<Vec<u8>>) -> PyResult<Vec<String>> {
        py.detach(|| {
            let mut engine = self.engine();
            raws.iter()
                .map(|raw| engine.snapshot.upsert(kind, raw))
                .collect::<Result<_, _>>()
        })
        .map_err(refused)
    }

    fn delete(&self, py: Python<'_>, kind: &str, key: &str) -> PyResult<bool> {
        py.detach(|| self.engine().snapshot.delete(kind, key))
            .map_err(refused)
    }

    fn place(&self, py: Python<'_>, pods: Vec<String>) -> PyResult<Placements> {
        let keys: Vec<&str> = pods.iter().map(String::as_str).collect();
        let decisions = py.detach(|| self.engine().place(&keys)).map_err(refused)?;
        Placements::of(py, &decisions)
    }

    fn set_workload(&self, py: Python<'_>, pods: Vec<(Vec<u8>, u64)>) -> PyResult<()> {
        let pods: Vec<(&[u8], u64)> = pods
            .iter()
            .map(|(raw, count)| (raw.as_slice(), *count))
            .collect();
        py.detach(|| self.engine().set_workload(&pods))
            .map_err(refused)
    }

    fn forget(&self, py: Python<'_>, pod: &str) -> bool {
        py.detach(|| self.engine().forget(pod))
    }

    #[pyo3(signature = (pod, node))]
    fn nominate(&self, py: Python<'_>, pod: &str, node: Option<&str>) -> PyResult<()> {
        py.detach(|| self.engine().nominate(pod, node))
            .map_err(refused)
    }

    fn fits(&self, py: Python<'_>, pod: &str, node: &str) -> PyResult<bool> {
        py.detach(|| self.engine().fits(pod, node)).map_err(refused)
    }

    fn explain<'py>(&self, py: Python<'py>, pod: &[u8]) -> PyResult<Bound<'py, PyBytes>> {
        let explanation = py.detach(|| self.engine().explain(pod)).map_err(refused)?;
        Ok(PyBytes::new(py, &json(&explanation)?))
    }

    fn preempt<'py>(&self, py: Python<'py>, pod: &[u8]) -> PyResult<Bound<'py, PyBytes>> {
        let preemption = py.detach(|| self.engine().preempt(pod)).map_err(refused)?;
        Ok(PyBytes::new(py, &json(&preemption)?))
    }

    fn pre_enqueue<'py>(
        &self,
        py: Python<'py>,
        pod: &[u8],
    ) -> PyResult<Option<Bound<'py, PyBytes>>> {
        let status = py
            .detach(|| self.engine().pre_enqueue(pod))
            .map_err(refused)?;
        status
            .map(|status| Ok(PyBytes::new(py, &json(&status)?)))
            .transpose()
    }

    /// The columns as JSON, for comparing two engines.
    fn dump<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let dump = py.detach(|| self.engine().snapshot.dump());
        Ok(PyBytes::new(py, &json(&dump)?))
    }

    #[staticmethod]
    fn plugin_names() -> Vec<&'static str> {
        plugin_names()
    }
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<PyEngine>()?;
    module.add_class::<Placements>()?;
    module.add("PlacementError", module.py().get_type::<PlacementError>())
}
