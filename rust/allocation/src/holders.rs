//! Who holds which CPU now.

use crate::{CpuSet, CpuTopology, ExclusivePolicy};

/// How one CPU is held.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Holder {
    /// Pods that hold it.
    pub ref_count: u32,
    /// Wish of the pod that took it last.
    pub exclusive: ExclusivePolicy,
}

/// CPUs of one pod.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PodCpus {
    pub cpus: CpuSet,
    pub exclusive: ExclusivePolicy,
}

/// The holder of every CPU of a node, by index.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Holders {
    by_index: Vec<Holder>,
}

impl Holders {
    pub fn none(topology: &CpuTopology) -> Self {
        Self {
            by_index: vec![Holder::default(); topology.cpus().len()],
        }
    }

    pub fn at(&self, index: usize) -> Holder {
        self.by_index.get(index).copied().unwrap_or_default()
    }

    pub fn set(&mut self, index: usize, holder: Holder) {
        if let Some(slot) = self.by_index.get_mut(index) {
            *slot = holder;
        }
    }

    /// A pod takes its CPUs; ids that the node does not have are passed over.
    pub fn hold(&mut self, topology: &CpuTopology, pod: &PodCpus) {
        for index in pod.cpus.iter().filter_map(|id| topology.index_of(id)) {
            let ref_count = self.at(index).ref_count + 1;
            self.set(
                index,
                Holder {
                    ref_count,
                    exclusive: pod.exclusive,
                },
            );
        }
    }

    /// Every CPU of the set loses one reference; one that nobody holds any more forgets its last holder's wish.
    pub fn give_back(&mut self, topology: &CpuTopology, cpus: &CpuSet) {
        for index in cpus.iter().filter_map(|id| topology.index_of(id)) {
            let holder = self.at(index);
            let held = holder.ref_count > 1;
            self.set(
                index,
                match held {
                    true => Holder {
                        ref_count: holder.ref_count - 1,
                        ..holder
                    },
                    false => Holder::default(),
                },
            );
        }
    }
}
