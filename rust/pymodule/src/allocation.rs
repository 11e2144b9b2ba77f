//! CPU allocation on one node.

use koord_allocation::{
    Availability, BindPolicy, CpuSet, CpuTopology, ExclusivePolicy, Holder, Holders, PickRequest,
    PodCpus, Strategy,
};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<NodeCpus>()
}

/// CPUs of one node with who holds them.
#[pyclass(frozen, module = "koord._core")]
struct NodeCpus {
    topology: CpuTopology,
    holders: Holders,
    reserved: CpuSet,
    max_ref_count: u32,
}

#[pymethods]
impl NodeCpus {
    #[new]
    #[pyo3(signature = (details, *, reserved = "", max_ref_count = 1, pods = Vec::new(), holders = Vec::new()))]
    fn new(
        details: Vec<(u32, u32, u32, u32)>,
        reserved: &str,
        max_ref_count: u32,
        pods: Vec<(String, String)>,
        holders: Vec<(u32, u32, String)>,
    ) -> PyResult<Self> {
        let topology = CpuTopology::new(details);
        let mut held = Holders::none(&topology);
        for (cpus, exclusive) in &pods {
            let pod = PodCpus {
                cpus: cpu_set(cpus)?,
                exclusive: exclusive_policy(exclusive)?,
            };
            held.hold(&topology, &pod);
        }
        for (cpu, ref_count, exclusive) in &holders {
            let exclusive = exclusive_policy(exclusive)?;
            if let Some(index) = topology.index_of(*cpu) {
                held.set(
                    index,
                    Holder {
                        ref_count: *ref_count,
                        exclusive,
                    },
                );
            }
        }
        Ok(Self {
            reserved: cpu_set(reserved)?,
            topology,
            holders: held,
            max_ref_count,
        })
    }

    #[pyo3(signature = (given_back = Vec::new()))]
    fn available(&self, given_back: Vec<String>) -> PyResult<String> {
        Ok(self.availability(&given_back)?.cpus.to_string())
    }

    #[pyo3(signature = (
        needed, *, bind, bind_required = false, exclusive = "", strategy = "", preferred = "", given_back = Vec::new(),
        available = None
    ))]
    #[expect(
        clippy::too_many_arguments,
        reason = "keyword arguments of one Python call"
    )]
    fn pick(
        &self,
        needed: usize,
        bind: &str,
        bind_required: bool,
        exclusive: &str,
        strategy: &str,
        preferred: &str,
        given_back: Vec<String>,
        available: Option<&str>,
    ) -> PyResult<String> {
        let available = match available {
            Some(cpus) => Availability {
                cpus: cpu_set(cpus)?,
                holders: self.holders.clone(),
            },
            None => self.availability(&given_back)?,
        };
        let request = PickRequest {
            topology: &self.topology,
            max_ref_count: self.max_ref_count,
            needed,
            bind: bind_policy(bind),
            bind_required,
            exclusive: exclusive_policy(exclusive)?,
            strategy: match strategy {
                "MostAllocated" => Strategy::MostAllocated,
                _ => Strategy::LeastAllocated,
            },
            preferred: &cpu_set(preferred)?,
        };
        let picked = koord_allocation::pick_cpus(&request, &available);
        picked.map(|cpus| cpus.to_string()).map_err(value_error)
    }
}

impl NodeCpus {
    fn availability(&self, given_back: &[String]) -> PyResult<Availability> {
        let given_back = given_back
            .iter()
            .map(|cpus| cpu_set(cpus))
            .collect::<PyResult<Vec<_>>>()?;
        Ok(Availability::new(
            &self.topology,
            self.holders.clone(),
            self.max_ref_count,
            &self.reserved,
            &given_back.iter().collect::<Vec<_>>(),
        ))
    }
}

fn value_error(error: impl ToString) -> PyErr {
    PyValueError::new_err(error.to_string())
}

fn cpu_set(text: &str) -> PyResult<CpuSet> {
    CpuSet::parse(text).map_err(value_error)
}

/// Only the two exact names steer the picking; every other policy leaves it at its default.
fn bind_policy(name: &str) -> BindPolicy {
    match name {
        "FullPCPUs" => BindPolicy::FullPCPUs,
        "SpreadByPCPUs" => BindPolicy::SpreadByPCPUs,
        _ => BindPolicy::Default,
    }
}

fn exclusive_policy(name: &str) -> PyResult<ExclusivePolicy> {
    match name {
        "" | "None" => Ok(ExclusivePolicy::None),
        "PCPULevel" => Ok(ExclusivePolicy::PCPULevel),
        "NUMANodeLevel" => Ok(ExclusivePolicy::NUMANodeLevel),
        other => Err(PyValueError::new_err(format!(
            "exclusive policy {other:?}: allowed are None, PCPULevel, NUMANodeLevel"
        ))),
    }
}
