//! Which CPUs, NUMA nodes and devices of one node a pod gets. Pure decisions on one node's state: no cluster, no
//! objects, no clock.

mod accumulator;
mod cpuset;
mod holders;
mod pick;
mod topology;

pub use accumulator::{TakeRequest, take_cpus};
pub use cpuset::{CpuSet, ParseCpuSetError};
pub use holders::{Holder, Holders, PodCpus};
pub use pick::{Availability, PickError, PickRequest, pick_cpus};
pub use topology::{Cpu, CpuTopology};

/// How a pod wants its CPUs placed on physical cores.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BindPolicy {
    /// Whole physical cores.
    FullPCPUs,
    /// One CPU of each physical core first.
    SpreadByPCPUs,
    /// No wish of its own; picked like `SpreadByPCPUs`.
    Default,
}

/// What a pod does not want to share with another pod that has the same wish.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ExclusivePolicy {
    #[default]
    None,
    /// A physical core.
    PCPULevel,
    /// A NUMA node.
    NUMANodeLevel,
}

/// Which of two places that both fit is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Strategy {
    /// The fuller one, to keep large free places large.
    MostAllocated,
    /// The emptier one. `DistributeEvenly` and an unset strategy act like it.
    LeastAllocated,
}
