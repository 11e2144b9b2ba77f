//! `koord._core.Histogram`: the decaying histogram of peak prediction.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use koord_metrics::{Checkpoint, Options};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Histogram>()
}

#[pyclass(frozen, module = "koord._core")]
struct Histogram {
    inner: Mutex<koord_metrics::Histogram>,
}

impl Histogram {
    fn of(inner: koord_metrics::Histogram) -> Self {
        Self {
            inner: Mutex::new(inner),
        }
    }

    /// A histogram is whole after every call, so a poisoned lock is still good to use.
    fn lock(&self) -> MutexGuard<'_, koord_metrics::Histogram> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl Histogram {
    #[staticmethod]
    fn cpu(half_life_ms: i64) -> Self {
        Self::of(koord_metrics::Histogram::new(Options::cpu(half_life_ms)))
    }

    #[staticmethod]
    fn memory(half_life_ms: i64) -> Self {
        Self::of(koord_metrics::Histogram::new(Options::memory(half_life_ms)))
    }

    fn add(&self, value: f64, ts_ms: i64) {
        self.lock().add(value, ts_ms);
    }

    fn percentile(&self, fraction: f64) -> f64 {
        self.lock().percentile(fraction)
    }

    #[getter]
    fn is_empty(&self) -> bool {
        self.lock().is_empty()
    }

    fn checkpoint(&self) -> (i64, BTreeMap<usize, u32>, f64) {
        let stored = self.lock().checkpoint();
        (
            stored.reference_ms,
            stored.weights.into_iter().collect(),
            stored.total_weight,
        )
    }

    fn restored(
        &self,
        reference_ms: i64,
        weights: BTreeMap<usize, u32>,
        total_weight: f64,
    ) -> PyResult<Self> {
        let stored = Checkpoint {
            reference_ms,
            weights: weights.into_iter().collect(),
            total_weight,
        };
        let options = self.lock().options();
        let restored = koord_metrics::Histogram::from_checkpoint(options, &stored);
        restored
            .map(Self::of)
            .map_err(|error| PyValueError::new_err(error.to_string()))
    }
}
