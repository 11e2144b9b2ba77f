//! `koord._core.Store`: the time-series store.

use std::sync::{Mutex, MutexGuard, PoisonError};

use koord_metrics::{Aggregate, Limits};
use pyo3::buffer::PyBuffer;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Store>()?;
    module.add_class::<Window>()
}

#[pyclass(frozen, module = "koord._core")]
struct Store {
    inner: Mutex<koord_metrics::Store>,
}

impl Store {
    /// The store's own invariants hold after every call, so a poisoned lock is still good to use.
    fn lock(&self) -> MutexGuard<'_, koord_metrics::Store> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl Store {
    #[new]
    #[pyo3(signature = (*, retention_ms, max_bytes))]
    fn new(retention_ms: i64, max_bytes: usize) -> Self {
        let limits = Limits {
            retention_ms,
            max_bytes,
        };
        Self {
            inner: Mutex::new(koord_metrics::Store::new(limits)),
        }
    }

    fn append(
        &self,
        py: Python<'_>,
        metric: u16,
        ts_ms: i64,
        keys: PyBuffer<u64>,
        values: PyBuffer<f64>,
    ) -> PyResult<()> {
        if keys.item_count() != values.item_count() {
            return Err(PyValueError::new_err(format!(
                "append: {} keys and {} values",
                keys.item_count(),
                values.item_count()
            )));
        }
        let keys = keys.to_vec(py)?;
        let values = values.to_vec(py)?;
        py.detach(|| {
            self.lock()
                .append(metric.into(), ts_ms, keys.into_iter().zip(values));
        });
        Ok(())
    }

    fn append_one(&self, metric: u16, ts_ms: i64, key: u64, value: f64) {
        self.lock()
            .append(metric.into(), ts_ms, std::iter::once((key, value)));
    }

    fn query(
        &self,
        py: Python<'_>,
        metric: u16,
        key: u64,
        start_ms: i64,
        end_ms: i64,
    ) -> Option<Window> {
        let window = py.detach(|| self.lock().query(metric.into(), key, start_ms, end_ms));
        window.map(Window)
    }

    fn query_many(
        &self,
        py: Python<'_>,
        metric: u16,
        keys: PyBuffer<u64>,
        start_ms: i64,
        end_ms: i64,
    ) -> PyResult<Vec<Option<Window>>> {
        let keys = keys.to_vec(py)?;
        Ok(py.detach(|| {
            let mut store = self.lock();
            let query = |key| {
                store
                    .query(metric.into(), key, start_ms, end_ms)
                    .map(Window)
            };
            keys.into_iter().map(query).collect()
        }))
    }

    fn rate(
        &self,
        py: Python<'_>,
        metric: u16,
        key: u64,
        start_ms: i64,
        end_ms: i64,
    ) -> Option<f64> {
        py.detach(|| self.lock().rate(metric.into(), key, start_ms, end_ms))
    }

    fn points(
        &self,
        py: Python<'_>,
        metric: u16,
        key: u64,
        start_ms: i64,
        end_ms: i64,
    ) -> Vec<(i64, f64)> {
        py.detach(|| {
            self.lock()
                .samples(metric.into(), key, start_ms, end_ms)
                .collect()
        })
    }

    fn drop(&self, py: Python<'_>, keys: PyBuffer<u64>) -> PyResult<()> {
        let keys = keys.to_vec(py)?;
        py.detach(|| self.lock().drop_entities(&keys));
        Ok(())
    }

    #[getter]
    fn series(&self) -> usize {
        self.lock().usage().series
    }

    #[getter]
    fn memory_bytes(&self) -> usize {
        self.lock().usage().bytes
    }

    #[getter]
    fn rejected(&self) -> u64 {
        self.lock().usage().rejected
    }
}

#[pyclass(frozen, module = "koord._core")]
struct Window(Aggregate);

#[pymethods]
impl Window {
    #[getter]
    fn count(&self) -> usize {
        self.0.count
    }

    #[getter]
    fn avg(&self) -> f64 {
        self.0.avg
    }

    #[getter]
    fn p50(&self) -> f64 {
        self.0.p50
    }

    #[getter]
    fn p90(&self) -> f64 {
        self.0.p90
    }

    #[getter]
    fn p95(&self) -> f64 {
        self.0.p95
    }

    #[getter]
    fn p99(&self) -> f64 {
        self.0.p99
    }

    #[getter]
    fn max(&self) -> f64 {
        self.0.max
    }

    #[getter]
    fn last(&self) -> f64 {
        self.0.last
    }

    #[getter]
    fn first_ts_ms(&self) -> i64 {
        self.0.first_ts_ms
    }

    #[getter]
    fn last_ts_ms(&self) -> i64 {
        self.0.last_ts_ms
    }
}
