//! Bindings of rust/snapshot: `Snapshotter`, `Frame` and its columns.

use std::ffi::{CStr, c_int, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use koord_cgroup::FieldGroup;
use koord_snapshot::{
    Column as FrameColumn, Identity, Options, Reader, SignalSource as Source, Tier,
};
use pyo3::exceptions::{PyBufferError, PyException, PyKeyError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyMemoryView, PyString};
use pyo3::{create_exception, ffi};

create_exception!(koord._core, SnapshotError, PyException);

/// Adds this crate's names to the module.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("SnapshotError", module.py().get_type::<SnapshotError>())?;
    module.add_class::<SignalSource>()?;
    module.add_class::<Frame>()?;
    module.add_class::<Snapshotter>()?;
    Ok(())
}

/// Who supplies one group of fields of one hierarchy.
#[pyclass(module = "koord._core", frozen)]
struct SignalSource(Source);

#[pymethods]
impl SignalSource {
    #[getter]
    fn group(&self) -> &'static str {
        self.0.group.name()
    }
    #[getter]
    fn hierarchy(&self) -> &str {
        &self.0.hierarchy
    }
    #[getter]
    fn tier(&self) -> &'static str {
        self.0.tier
    }
    #[getter]
    fn source(&self) -> &str {
        &self.0.source
    }
    #[getter]
    fn reason(&self) -> &str {
        &self.0.reason
    }
    fn __repr__(&self) -> String {
        let Source {
            group,
            hierarchy,
            tier,
            source,
            reason,
        } = &self.0;
        let group = group.name();
        format!(
            "SignalSource(group={group:?}, hierarchy={hierarchy:?}, tier={tier:?}, source={source:?}, reason={reason:?})"
        )
    }
}

/// Element type of a column.
#[derive(Clone, Copy)]
enum Element {
    F64,
    U64,
    I64,
}

impl Element {
    fn format(self) -> &'static CStr {
        match self {
            Self::F64 => c"d",
            Self::U64 => c"Q",
            Self::I64 => c"q",
        }
    }
}

/// The buffer of one column; what a memoryview holds on to.
#[pyclass(frozen)]
struct Column {
    /// Keeps the memory alive; a frame never changes while anybody holds it.
    _frame: Arc<koord_snapshot::Frame>,
    data: *const c_void,
    element: Element,
    shape: [ffi::Py_ssize_t; 1],
    strides: [ffi::Py_ssize_t; 1],
}

// SAFETY: `data` points into `_frame`, which is immutable and lives as long as the column.
unsafe impl Send for Column {}
// SAFETY: as above; all access is reading.
unsafe impl Sync for Column {}

/// Bytes of an element of every column.
const ITEM_BYTES: ffi::Py_ssize_t = 8;

impl Column {
    fn view<'py, T>(
        py: Python<'py>,
        frame: &Arc<koord_snapshot::Frame>,
        column: &[T],
        element: Element,
    ) -> PyResult<Bound<'py, PyMemoryView>> {
        let column = Self {
            _frame: Arc::clone(frame),
            data: column.as_ptr().cast(),
            element,
            shape: [column.len() as ffi::Py_ssize_t],
            strides: [ITEM_BYTES],
        };
        PyMemoryView::from(Bound::new(py, column)?.as_any())
    }
}

#[pymethods]
impl Column {
    unsafe fn __getbuffer__(
        slf: Bound<'_, Self>,
        view: *mut ffi::Py_buffer,
        flags: c_int,
    ) -> PyResult<()> {
        if view.is_null() {
            return Err(PyBufferError::new_err("no view to fill"));
        }
        if flags & ffi::PyBUF_WRITABLE == ffi::PyBUF_WRITABLE {
            return Err(PyBufferError::new_err("columns of a frame are read-only"));
        }
        let column = slf.get();
        let wants = |flag: c_int| flags & flag == flag;
        // SAFETY: the interpreter passes a view that is ours to fill. Shape, strides and data live in the column, to which
        // the view holds a reference until it is released.
        unsafe {
            (*view).buf = column.data.cast_mut();
            (*view).len = column.shape[0] * ITEM_BYTES;
            (*view).readonly = 1;
            (*view).itemsize = ITEM_BYTES;
            (*view).format = match wants(ffi::PyBUF_FORMAT) {
                true => column.element.format().as_ptr().cast_mut(),
                false => std::ptr::null_mut(),
            };
            (*view).ndim = 1;
            (*view).shape = match wants(ffi::PyBUF_ND) {
                true => column.shape.as_ptr().cast_mut(),
                false => std::ptr::null_mut(),
            };
            (*view).strides = match wants(ffi::PyBUF_STRIDES) {
                true => column.strides.as_ptr().cast_mut(),
                false => std::ptr::null_mut(),
            };
            (*view).suboffsets = std::ptr::null_mut();
            (*view).internal = std::ptr::null_mut();
            (*view).obj = slf.into_any().into_ptr();
        }
        Ok(())
    }
}

/// `(key, path, key of the parent)`; a path that is not UTF-8 is decoded as `os.fsdecode` does.
fn identity<'py>(
    py: Python<'py>,
    identity: &Identity,
) -> PyResult<(u64, Bound<'py, PyString>, u64)> {
    Ok((
        identity.key,
        identity.path.as_os_str().into_pyobject(py)?,
        identity.parent_key,
    ))
}

/// All cgroups at one moment.
#[pyclass(module = "koord._core", frozen)]
struct Frame {
    frame: Arc<koord_snapshot::Frame>,
    sources: Arc<[Py<SignalSource>]>,
}

impl Frame {
    fn position(&self, key: u64) -> PyResult<usize> {
        self.frame
            .index(key)
            .ok_or_else(|| PyKeyError::new_err(key))
    }
}

/// The methods of `Frame`: a getter for each column, and the rest.
macro_rules! frame_methods {
    ([$($name:ident $column:ident,)*] $($rest:tt)*) => {
        #[pymethods]
        impl Frame {
            $(
                #[getter]
                fn $name<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyMemoryView>> {
                    Column::view(py, &self.frame, self.frame.column(FrameColumn::$column), Element::F64)
                }
            )*
            $($rest)*
        }
    };
}

frame_methods! {
    [
        usage_ns UsageNs,
        user_ns UserNs,
        system_ns SystemNs,
        nr_periods NrPeriods,
        nr_throttled NrThrottled,
        throttled_ns ThrottledNs,
        nr_bursts NrBursts,
        burst_ns BurstNs,
        psi_cpu_some_ns PsiCpuSomeNs,
        psi_cpu_full_ns PsiCpuFullNs,
        psi_memory_some_ns PsiMemorySomeNs,
        psi_memory_full_ns PsiMemoryFullNs,
        psi_io_some_ns PsiIoSomeNs,
        psi_io_full_ns PsiIoFullNs,
        oom_kills OomKills,
        gone_ns GoneNs,
        quota_us QuotaUs,
        period_us PeriodUs,
        memory_bytes MemoryBytes,
        memory_limit_bytes MemoryLimitBytes,
        inactive_anon_bytes InactiveAnonBytes,
        active_anon_bytes ActiveAnonBytes,
        inactive_file_bytes InactiveFileBytes,
        active_file_bytes ActiveFileBytes,
        unevictable_bytes UnevictableBytes,
        memory_without_page_cache_bytes MemoryWithoutPageCacheBytes,
        memory_with_page_cache_bytes MemoryWithPageCacheBytes,
        tasks Tasks,
        cpu_cores CpuCores,
        user_cores UserCores,
        system_cores SystemCores,
        gone_cores GoneCores,
        throttled_ratio ThrottledRatio,
        throttled_cores ThrottledCores,
        psi_cpu_some_ratio PsiCpuSomeRatio,
        psi_cpu_full_ratio PsiCpuFullRatio,
        psi_memory_some_ratio PsiMemorySomeRatio,
        psi_memory_full_ratio PsiMemoryFullRatio,
        psi_io_some_ratio PsiIoSomeRatio,
        psi_io_full_ratio PsiIoFullRatio,
    ]

    fn __len__(&self) -> usize {
        self.frame.len()
    }

    #[getter]
    fn number(&self) -> u64 {
        self.frame.number
    }

    #[getter]
    fn monotonic_ns(&self) -> u64 {
        self.frame.monotonic_ns
    }

    #[getter]
    fn wall_ms(&self) -> u64 {
        self.frame.wall_ms
    }

    #[getter]
    fn duration_ns(&self) -> u64 {
        self.frame.duration_ns
    }

    #[getter]
    fn key<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyMemoryView>> {
        Column::view(py, &self.frame, &self.frame.keys, Element::U64)
    }

    #[getter]
    fn parent<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyMemoryView>> {
        Column::view(py, &self.frame, &self.frame.parents, Element::I64)
    }

    #[getter]
    fn level<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyMemoryView>> {
        Column::view(py, &self.frame, &self.frame.levels, Element::U64)
    }

    #[getter]
    fn source<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyMemoryView>> {
        Column::view(py, &self.frame, &self.frame.sources, Element::U64)
    }

    #[getter]
    fn appeared<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let rows = self.frame.appeared.iter().map(|&row| &self.frame.identities[row as usize]);
        PyList::new(py, rows.map(|row| identity(py, row)).collect::<PyResult<Vec<_>>>()?)
    }

    #[getter]
    fn gone(&self) -> Vec<u64> {
        self.frame.gone.clone()
    }

    fn rows<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let rows = self.frame.identities.iter();
        PyList::new(py, rows.map(|row| identity(py, row)).collect::<PyResult<Vec<_>>>()?)
    }

    fn path<'py>(&self, py: Python<'py>, key: u64) -> PyResult<Bound<'py, PyString>> {
        let row = &self.frame.identities[self.position(key)?];
        Ok(row.path.as_os_str().into_pyobject(py)?)
    }

    fn index(&self, key: u64) -> PyResult<usize> {
        self.position(key)
    }

    fn sources<'py>(&self, py: Python<'py>, key: u64) -> PyResult<Bound<'py, PyDict>> {
        let packed = self.frame.sources[self.position(key)?];
        let named = PyDict::new(py);
        for group in FieldGroup::ALL {
            let code = (packed >> (8 * group as u32) & 0xff) as usize;
            if let Some(source) = code.checked_sub(1).and_then(|index| self.sources.get(index)) {
                named.set_item(group.name(), source)?;
            }
        }
        Ok(named)
    }

    fn __repr__(&self) -> String {
        format!("Frame(number={}, rows={})", self.frame.number, self.frame.len())
    }
}

/// Reads all cgroups of this node.
#[pyclass(module = "koord._core", frozen)]
struct Snapshotter {
    reader: Mutex<Reader>,
    sources: Mutex<Arc<[Py<SignalSource>]>>,
}

#[pymethods]
impl Snapshotter {
    #[new]
    #[pyo3(signature = (*, root=None, tier="auto", exact_psi=true))]
    fn new(py: Python<'_>, root: Option<PathBuf>, tier: &str, exact_psi: bool) -> PyResult<Self> {
        let tier = match tier {
            "auto" => Tier::Auto,
            "bpf-css" => Tier::BpfCss,
            "bpf-iter" => Tier::BpfIter,
            "files" => Tier::Files,
            _ => {
                let allowed = "auto, bpf-css, bpf-iter, files";
                return Err(PyValueError::new_err(format!(
                    "tier: found {tier:?}, allowed are {allowed}"
                )));
            }
        };
        let options = Options {
            root,
            tier,
            exact_psi,
        };
        let reader = py.detach(|| Reader::open(&options)).map_err(to_python)?;
        Ok(Self {
            reader: Mutex::new(reader),
            sources: Mutex::new(Arc::from([])),
        })
    }

    fn collect(&self, py: Python<'_>) -> PyResult<Frame> {
        let (frame, grown) = py.detach(|| {
            // A panic would be a BaseException that no caller expects; it leaves the lock poisoned.
            catch_unwind(AssertUnwindSafe(|| self.pass())).unwrap_or_else(|_| Err(panicked()))
        })?;
        let mut sources = self.sources.lock().map_err(|_| panicked())?;
        if let Some(grown) = grown {
            *sources = grown
                .into_iter()
                .map(|source| Py::new(py, SignalSource(source)))
                .collect::<PyResult<_>>()?;
        }
        Ok(Frame {
            frame,
            sources: Arc::clone(&sources),
        })
    }

    fn sources(&self, py: Python<'_>) -> PyResult<Vec<SignalSource>> {
        let sources = py.detach(|| {
            self.reader
                .lock()
                .map(|reader| reader.sources())
                .map_err(|_| panicked())
        })?;
        Ok(sources.into_iter().map(SignalSource).collect())
    }
}

impl Snapshotter {
    /// One pass, and all sources when rows can refer to new ones.
    fn pass(&self) -> PyResult<(Arc<koord_snapshot::Frame>, Option<Vec<Source>>)> {
        let mut reader = self.reader.lock().map_err(|_| panicked())?;
        let before = reader.sources_in_use();
        let frame = reader.collect().map_err(to_python)?;
        let grown = reader.sources_in_use() != before;
        Ok((frame, grown.then(|| reader.sources())))
    }
}

fn to_python(error: koord_snapshot::Error) -> PyErr {
    SnapshotError::new_err(error.to_string())
}

/// A panic during a pass leaves the reader in an unknown state.
fn panicked() -> PyErr {
    SnapshotError::new_err("a pass ended in a panic; make a new Snapshotter")
}
