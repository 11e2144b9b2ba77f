//! The scheduling queue for Python. Times are nanoseconds on the caller's clock.

use std::sync::{Mutex, PoisonError};

use koord_placement::api::{Node, Pod};
use koord_placement::error::decode;
use koord_placement::queue::{Queue, Timing};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::placement::{PyEngine, json, refused};

#[pyclass(name = "SchedulingQueue", module = "koord._core", frozen)]
struct PyQueue {
    engine: Py<PyEngine>,
    queue: Mutex<Queue>,
}

impl PyQueue {
    fn with<T: Send>(
        &self,
        py: Python<'_>,
        act: impl FnOnce(&mut Queue, &mut koord_placement::Engine) -> koord_placement::Result<T> + Send,
    ) -> PyResult<T> {
        let engine = self.engine.get();
        py.detach(|| {
            let mut queue = self.queue.lock().unwrap_or_else(PoisonError::into_inner);
            act(&mut queue, &mut engine.engine())
        })
        .map_err(refused)
    }
}

fn pod(raw: &[u8]) -> koord_placement::Result<Pod> {
    decode("Pod", raw)
}

fn node(raw: &[u8]) -> koord_placement::Result<Node> {
    decode("Node", raw)
}

#[pymethods]
impl PyQueue {
    #[new]
    #[pyo3(signature = (engine, *, initial_backoff_ns = 1_000_000_000, max_backoff_ns = 10_000_000_000,
                        max_in_unschedulable_ns = 300_000_000_000))]
    fn new(
        engine: Py<PyEngine>,
        initial_backoff_ns: i64,
        max_backoff_ns: i64,
        max_in_unschedulable_ns: i64,
    ) -> Self {
        let timing = Timing {
            initial_backoff: initial_backoff_ns,
            max_backoff: max_backoff_ns,
            max_in_unschedulable: max_in_unschedulable_ns,
        };
        Self {
            engine,
            queue: Mutex::new(Queue::new(timing)),
        }
    }

    fn add(&self, py: Python<'_>, raw: &[u8], now_ns: i64) -> PyResult<()> {
        self.with(py, |queue, engine| queue.add(engine, pod(raw)?, now_ns))
    }

    fn update(&self, py: Python<'_>, raw: &[u8], now_ns: i64) -> PyResult<()> {
        self.with(py, |queue, engine| queue.update(engine, pod(raw)?, now_ns))
    }

    fn pop(&self, py: Python<'_>) -> PyResult<Option<(String, u32)>> {
        self.with(py, |queue, _| {
            Ok(queue.pop().map(|popped| (popped.key, popped.attempts)))
        })
    }

    fn fail(&self, py: Python<'_>, key: &str, plugins: Vec<String>, now_ns: i64) -> PyResult<()> {
        self.with(py, |queue, engine| {
            queue.fail(engine, key, plugins, now_ns);
            Ok(())
        })
    }

    fn remove(&self, py: Python<'_>, key: &str) -> PyResult<()> {
        self.with(py, |queue, _| {
            queue.remove(key);
            Ok(())
        })
    }

    fn activate(&self, py: Python<'_>, key: &str) -> PyResult<()> {
        self.with(py, |queue, engine| {
            queue.activate(engine, key);
            Ok(())
        })
    }

    fn node_added(&self, py: Python<'_>, raw: &[u8], now_ns: i64) -> PyResult<()> {
        self.with(py, |queue, engine| {
            queue.node_added(engine, node(raw)?, now_ns);
            Ok(())
        })
    }

    fn node_updated(
        &self,
        py: Python<'_>,
        before: &[u8],
        after: &[u8],
        now_ns: i64,
    ) -> PyResult<Vec<&'static str>> {
        self.with(py, |queue, engine| {
            Ok(queue.node_updated(engine, node(before)?, node(after)?, now_ns))
        })
    }

    fn assigned_pod_added(&self, py: Python<'_>, raw: &[u8], now_ns: i64) -> PyResult<()> {
        self.with(py, |queue, engine| {
            queue.assigned_pod_added(engine, pod(raw)?, now_ns);
            Ok(())
        })
    }

    fn assigned_pod_deleted(&self, py: Python<'_>, raw: &[u8], now_ns: i64) -> PyResult<()> {
        self.with(py, |queue, engine| {
            queue.assigned_pod_deleted(engine, pod(raw)?, now_ns);
            Ok(())
        })
    }

    fn flush_backoff(&self, py: Python<'_>, now_ns: i64) -> PyResult<()> {
        self.with(py, |queue, _| {
            queue.flush_backoff(now_ns);
            Ok(())
        })
    }

    fn flush_unschedulable(&self, py: Python<'_>, now_ns: i64) -> PyResult<()> {
        self.with(py, |queue, engine| {
            queue.flush_unschedulable(engine, now_ns);
            Ok(())
        })
    }

    fn state<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let state = self.with(py, |queue, _| Ok(queue.state()))?;
        Ok(PyBytes::new(py, &json(&state)?))
    }
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<PyQueue>()
}
