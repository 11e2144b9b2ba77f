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
        window.map(Window::from)
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
                    .map(Window::from)
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

/// Aggregates of one series over one range.
#[pyclass(frozen, get_all, module = "koord._core")]
struct Window {
    count: usize,
    avg: f64,
    p50: f64,
    p90: f64,
    p95: f64,
    p99: f64,
    max: f64,
    last: f64,
    first_ts_ms: i64,
    last_ts_ms: i64,
}

impl From<Aggregate> for Window {
    fn from(of: Aggregate) -> Self {
        Self {
            count: of.count,
            avg: of.avg,
            p50: of.p50,
            p90: of.p90,
            p95: of.p95,
            p99: of.p99,
            max: of.max,
            last: of.last,
            first_ts_ms: of.first_ts_ms,
            last_ts_ms: of.last_ts_ms,
        }
    }
}
