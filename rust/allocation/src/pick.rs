//! The CPUs a pod gets on a node: what is available to it, narrowed by a required policy, picked and verified.

use std::collections::{HashMap, HashSet};

use crate::{
    BindPolicy, CpuSet, CpuTopology, ExclusivePolicy, Holders, Strategy, TakeRequest, take_cpus,
};

/// Why a node cannot give a pod its CPUs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PickError {
    #[error("not enough cpus available to satisfy request")]
    NotEnoughCpus,
    #[error("failed to allocate cpus")]
    Exhausted,
    #[error("insufficient CPUs to satisfy required cpu bind policy {0:?}")]
    PolicyNotMet(BindPolicy),
}

/// CPUs a pod may use, and who holds them once its own reservation or victims have given theirs back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Availability {
    pub cpus: CpuSet,
    pub holders: Holders,
}

impl Availability {
    /// `given_back` are sets whose CPUs each lose one reference first; `reserved` CPUs are never available.
    pub fn new(
        topology: &CpuTopology,
        mut holders: Holders,
        max_ref_count: u32,
        reserved: &CpuSet,
        given_back: &[&CpuSet],
    ) -> Self {
        for cpus in given_back {
            holders.give_back(topology, cpus);
        }
        let free =
            |(index, id): (usize, u32)| (holders.at(index).ref_count < max_ref_count).then_some(id);
        let ids = topology.cpus().iter().map(|cpu| cpu.id);
        let cpus: CpuSet = ids.enumerate().filter_map(free).collect();
        Self {
            cpus: cpus.difference(reserved),
            holders,
        }
    }

    /// CPUs that a required policy leaves: with `FullPCPUs` those of wholly available cores, with `SpreadByPCPUs`
    /// the lowest of each core.
    pub fn narrowed(&self, topology: &CpuTopology, required: BindPolicy) -> CpuSet {
        let available = || {
            topology
                .cpus()
                .iter()
                .filter(|cpu| self.cpus.contains(cpu.id))
        };
        match required {
            BindPolicy::FullPCPUs => {
                let mut per_core = HashMap::<u64, usize>::new();
                available().for_each(|cpu| *per_core.entry(cpu.core).or_default() += 1);
                let whole = |core| per_core[&core] == topology.cpus_per_core();
                available()
                    .filter(|cpu| whole(cpu.core))
                    .map(|cpu| cpu.id)
                    .collect()
            }
            BindPolicy::SpreadByPCPUs => {
                let mut seen = HashSet::new();
                available()
                    .filter(|cpu| seen.insert(cpu.core))
                    .map(|cpu| cpu.id)
                    .collect()
            }
            BindPolicy::Default => self.cpus.clone(),
        }
    }
}

/// What a pod wants on a node.
#[derive(Clone, Copy)]
pub struct PickRequest<'a> {
    pub topology: &'a CpuTopology,
    pub max_ref_count: u32,
    pub needed: usize,
    pub bind: BindPolicy,
    /// The policy must hold for the result; otherwise it is a preference.
    pub bind_required: bool,
    pub exclusive: ExclusivePolicy,
    pub strategy: Strategy,
    /// Used up before others.
    pub preferred: &'a CpuSet,
}

/// Picks the CPUs of one pod.
///
/// # Errors
/// As `take_cpus`, and `PolicyNotMet` when a required policy does not hold for what could be picked.
pub fn pick_cpus(request: &PickRequest<'_>, available: &Availability) -> Result<CpuSet, PickError> {
    let usable = match request.bind_required {
        true => available.narrowed(request.topology, request.bind),
        false => available.cpus.clone(),
    };
    if usable.len() < request.needed {
        return Err(PickError::NotEnoughCpus);
    }
    let picked = take_preferred(request, available, &usable)?;
    let holds = !request.bind_required || policy_holds(request.topology, request.bind, &picked);
    holds
        .then_some(picked)
        .ok_or(PickError::PolicyNotMet(request.bind))
}

/// As many as possible from the preferred CPUs, the rest from the others, by two independent picks.
pub(crate) fn take_preferred(
    request: &PickRequest<'_>,
    available: &Availability,
    usable: &CpuSet,
) -> Result<CpuSet, PickError> {
    let take = |from: &CpuSet, needed| {
        take_cpus(&TakeRequest {
            topology: request.topology,
            available: from,
            holders: &available.holders,
            max_ref_count: request.max_ref_count,
            needed,
            bind: request.bind,
            exclusive: request.exclusive,
            strategy: request.strategy,
        })
    };
    let preferred = usable.intersection(request.preferred);
    let first = take(&preferred, request.needed.min(preferred.len()))?;
    let rest = take(
        &usable.difference(request.preferred),
        request.needed - first.len(),
    )?;
    Ok(first.union(&rest))
}

fn policy_holds(topology: &CpuTopology, policy: BindPolicy, picked: &CpuSet) -> bool {
    let cpus = topology.cpus();
    let cores: HashSet<u64> = picked
        .iter()
        .filter_map(|id| topology.index_of(id).map(|index| cpus[index].core))
        .collect();
    match policy {
        BindPolicy::FullPCPUs => cores.len() * topology.cpus_per_core() == picked.len(),
        BindPolicy::SpreadByPCPUs => cores.len() == picked.len(),
        BindPolicy::Default => true,
    }
}
