//! Picking CPUs of one node: whole cores or spread ones, from as few NUMA nodes and sockets as possible.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::hash::Hash;

use crate::{BindPolicy, Cpu, CpuSet, CpuTopology, ExclusivePolicy, Holders, PickError, Strategy};

/// What to pick from, and how.
#[derive(Clone, Copy)]
pub struct TakeRequest<'a> {
    pub topology: &'a CpuTopology,
    pub available: &'a CpuSet,
    pub holders: &'a Holders,
    /// Pods that may hold one CPU at a time.
    pub max_ref_count: u32,
    pub needed: usize,
    pub bind: BindPolicy,
    pub exclusive: ExclusivePolicy,
    pub strategy: Strategy,
}

/// Whether this pass honours exclusive policies and, without whole cores, asks for distinct ones.
const PASSES: [bool; 2] = [true, false];

/// Picks `needed` CPUs; the same request always gives the same ones.
///
/// # Errors
/// `NotEnoughCpus` when fewer are available, `Exhausted` when exclusive wishes leave too few.
pub fn take_cpus(request: &TakeRequest<'_>) -> Result<CpuSet, PickError> {
    if request.needed == 0 {
        return Ok(CpuSet::default());
    }
    let mut accumulator = Accumulator::new(request);
    if accumulator.free.len() < request.needed {
        return Err(PickError::NotEnoughCpus);
    }
    let whole_cores = request.bind == BindPolicy::FullPCPUs;
    if whole_cores || request.topology.cpus_per_core() == 1 {
        accumulator.take_cores();
    }
    if !whole_cores {
        accumulator.take_spread();
    }
    accumulator.take_singles();
    match accumulator.needed {
        0 => Ok(accumulator.taken.into_iter().map(|cpu| cpu.id).collect()),
        _ => Err(PickError::Exhausted),
    }
}

/// Places in the order in which they are tried.
type Places = Vec<Vec<Cpu>>;

struct Accumulator<'a> {
    request: &'a TakeRequest<'a>,
    /// Ascending ids.
    free: Vec<Cpu>,
    taken: Vec<Cpu>,
    needed: usize,
    exclusive_cores: HashSet<u64>,
    exclusive_nodes: HashSet<u32>,
}

impl<'a> Accumulator<'a> {
    fn new(request: &'a TakeRequest<'a>) -> Self {
        let cpus = request.topology.cpus();
        let holding = |wish| {
            cpus.iter().enumerate().filter(move |(index, _)| {
                let holder = request.holders.at(*index);
                holder.ref_count > 0 && holder.exclusive == wish
            })
        };
        let available = |cpu: &&Cpu| request.available.contains(cpu.id);
        Self {
            request,
            free: cpus.iter().filter(available).copied().collect(),
            taken: Vec::with_capacity(request.needed),
            needed: request.needed,
            exclusive_cores: holding(ExclusivePolicy::PCPULevel)
                .map(|(_, cpu)| cpu.core)
                .collect(),
            exclusive_nodes: holding(ExclusivePolicy::NUMANodeLevel)
                .map(|(_, cpu)| cpu.node)
                .collect(),
        }
    }

    // The three ways of taking, each leaving `needed` at what is still missing.

    /// Whole cores: from one NUMA node, else one socket, else whole sockets and then cores of the smallest rest.
    fn take_cores(&mut self) {
        let topology = self.request.topology;
        if self.needed <= topology.cpus_per_node() {
            for exclusive in PASSES {
                if self.take_first_that_fits(self.whole_cores_by_node(exclusive)) {
                    return;
                }
            }
        }
        if self.needed <= topology.cpus_per_socket()
            && self.take_first_that_fits(self.whole_cores_by_socket())
        {
            return;
        }
        let mut sockets = self.whole_cores_by_socket();
        sockets.sort_by_key(|cpus| std::cmp::Reverse(cpus.len()));
        let (whole, mut rest) = (sockets, Places::new());
        for cpus in whole {
            if self.needed >= cpus.len() {
                self.take(&cpus);
            } else {
                rest.push(cpus);
            }
        }
        let per_core = topology.cpus_per_core();
        rest.sort_by_key(Vec::len);
        for core in rest.iter().flat_map(|cpus| cpus.chunks(per_core)) {
            if self.needed < per_core {
                break;
            }
            self.take(core);
        }
    }

    /// Spread over cores, from one NUMA node, else one socket.
    fn take_spread(&mut self) {
        let topology = self.request.topology;
        if self.needed > 0 && self.needed <= topology.cpus_per_node() {
            for exclusive in PASSES {
                let places = self.cpus_by_node(exclusive);
                if self.take_first_that_fits(self.all_spread(places)) {
                    return;
                }
            }
        }
        if self.needed > 0 && self.needed <= topology.cpus_per_socket() {
            for exclusive in PASSES {
                let places = self.cpus_by_socket(exclusive);
                if self.take_first_that_fits(self.all_spread(places)) {
                    return;
                }
            }
        }
    }

    /// One CPU after the other from wherever they are.
    fn take_singles(&mut self) {
        for exclusive in PASSES {
            for cpu in self.spread(self.cpus_by_core(exclusive)) {
                if self.needed == 0 {
                    return;
                }
                self.take(&[cpu]);
            }
        }
    }

    fn take_first_that_fits(&mut self, places: Places) -> bool {
        let fitting = places.into_iter().find(|cpus| cpus.len() >= self.needed);
        let found = fitting.is_some();
        if let Some(cpus) = fitting {
            self.take(&cpus[..self.needed]);
        }
        found
    }

    fn take(&mut self, cpus: &[Cpu]) {
        match self.request.exclusive {
            ExclusivePolicy::PCPULevel => {
                self.exclusive_cores.extend(cpus.iter().map(|cpu| cpu.core))
            }
            ExclusivePolicy::NUMANodeLevel => {
                self.exclusive_nodes.extend(cpus.iter().map(|cpu| cpu.node))
            }
            ExclusivePolicy::None => {}
        }
        let gone: HashSet<u32> = cpus.iter().map(|cpu| cpu.id).collect();
        self.free.retain(|cpu| !gone.contains(&cpu.id));
        self.taken.extend(cpus);
        self.needed -= cpus.len();
    }

    // The places, each list computed from what is free now.

    fn whole_cores_by_node(&self, exclusive: bool) -> Places {
        let usable = self.usable(|cpu| !(exclusive && self.node_is_exclusive(cpu)));
        let per_socket = count_by(&usable, |cpu| cpu.socket);
        let places = self.whole_cores_by(&usable, |cpu| cpu.node);
        self.ordered(places, |cpus| {
            let socket = cpus.first().map_or(0, |cpu| per_socket[&cpu.socket]);
            (cpus.len(), socket)
        })
    }

    fn whole_cores_by_socket(&self) -> Places {
        let places = self.whole_cores_by(&self.free, |cpu| cpu.socket);
        self.ordered(places, |cpus| (cpus.len(), 0))
    }

    /// CPUs of the cores that are free as a whole; less shared cores first.
    fn whole_cores_by(
        &self,
        usable: &[Cpu],
        place: impl Fn(&Cpu) -> u32,
    ) -> BTreeMap<u32, Vec<Cpu>> {
        let per_core = self.request.topology.cpus_per_core();
        let mut cores: Vec<Vec<Cpu>> = group_by(usable, |cpu| cpu.core).into_values().collect();
        cores.retain(|cpus| cpus.len() == per_core);
        cores.sort_by_key(|cpus| (self.ref_counts(cpus), cpus[0].core));
        let mut places = BTreeMap::<u32, Vec<Cpu>>::new();
        for cpus in cores {
            places.entry(place(&cpus[0])).or_default().extend(cpus);
        }
        places
    }

    fn cpus_by_node(&self, exclusive: bool) -> Places {
        let usable = self.usable(|cpu| {
            !(exclusive && (self.core_is_exclusive(cpu) || self.node_is_exclusive(cpu)))
        });
        let per_node = count_by(&usable, |cpu| cpu.node);
        let per_socket = count_by(&usable, |cpu| cpu.socket);
        let places = self.cpus_by(&usable, exclusive, |cpu| cpu.node);
        self.ordered(places, |cpus| {
            let Some(cpu) = cpus.first() else {
                return (0, 0);
            };
            (per_node[&cpu.node], per_socket[&cpu.socket])
        })
    }

    fn cpus_by_socket(&self, exclusive: bool) -> Places {
        let usable = self.usable(|cpu| !(exclusive && self.core_is_exclusive(cpu)));
        let places = self.cpus_by(&usable, exclusive, |cpu| cpu.socket);
        self.ordered(places, |cpus| (cpus.len(), 0))
    }

    /// CPUs by place, less shared ones first; only one of each core when `distinct_cores`.
    fn cpus_by(
        &self,
        usable: &[Cpu],
        distinct_cores: bool,
        place: impl Fn(&Cpu) -> u32,
    ) -> BTreeMap<u32, Vec<Cpu>> {
        let mut places = group_by(usable, place);
        for cpus in places.values_mut() {
            cpus.sort_by_key(|cpu| (self.ref_count(cpu), cpu.id));
            if distinct_cores {
                let mut seen = HashSet::new();
                cpus.retain(|cpu| seen.insert(cpu.core));
            }
        }
        places
    }

    /// All CPUs core by core: near what is taken already, then by how full socket and NUMA node are.
    fn cpus_by_core(&self, exclusive: bool) -> Vec<Cpu> {
        let usable = self.usable(|cpu| {
            !(exclusive && (self.core_is_exclusive(cpu) || self.node_is_exclusive(cpu)))
        });
        let taken = count_by(&self.taken, |cpu| cpu.socket);
        let per_socket = count_by(&usable, |cpu| cpu.socket);
        let per_node = count_by(&usable, |cpu| cpu.node);
        let mut cores: Vec<Vec<Cpu>> = group_by(&usable, |cpu| cpu.core).into_values().collect();
        for cpus in &mut cores {
            cpus.sort_by_key(|cpu| (self.ref_count(cpu), cpu.id));
        }
        cores.sort_by_cached_key(|cpus| {
            let cpu = cpus[0];
            (
                std::cmp::Reverse(taken.get(&cpu.socket).copied().unwrap_or(0)),
                self.preference(per_socket[&cpu.socket]),
                self.preference(per_node[&cpu.node]),
                cpus.len(),
                cpu.socket,
                self.ref_counts(cpus),
                cpu.core,
            )
        });
        cores.concat()
    }

    fn usable(&self, keep: impl Fn(&Cpu) -> bool) -> Vec<Cpu> {
        self.free.iter().filter(|cpu| keep(cpu)).copied().collect()
    }

    /// Places in the strategy's order of the two sizes, then by id.
    fn ordered(
        &self,
        places: BTreeMap<u32, Vec<Cpu>>,
        sizes: impl Fn(&[Cpu]) -> (usize, usize),
    ) -> Places {
        let mut places: Places = places.into_values().collect();
        places.sort_by_key(|cpus| {
            let (first, second) = sizes(cpus);
            (self.preference(first), self.preference(second))
        });
        places
    }

    fn all_spread(&self, places: Places) -> Places {
        places.into_iter().map(|cpus| self.spread(cpus)).collect()
    }

    /// Reorders so that every sweep over the list takes at most one CPU of each core.
    fn spread(&self, cpus: Vec<Cpu>) -> Vec<Cpu> {
        if cpus.len() <= self.request.topology.cpus_per_core() {
            return cpus;
        }
        let mut sweep_of_core = HashMap::<u64, usize>::new();
        let mut swept: Vec<(usize, Cpu)> = cpus
            .into_iter()
            .map(|cpu| {
                let sweep = sweep_of_core.entry(cpu.core).or_default();
                *sweep += 1;
                (*sweep, cpu)
            })
            .collect();
        swept.sort_by_key(|&(sweep, _)| sweep);
        swept.into_iter().map(|(_, cpu)| cpu).collect()
    }

    // Facts about one CPU.

    fn core_is_exclusive(&self, cpu: &Cpu) -> bool {
        self.request.exclusive == ExclusivePolicy::PCPULevel
            && self.exclusive_cores.contains(&cpu.core)
    }

    fn node_is_exclusive(&self, cpu: &Cpu) -> bool {
        self.request.exclusive == ExclusivePolicy::NUMANodeLevel
            && self.exclusive_nodes.contains(&cpu.node)
    }

    /// Pods that hold the CPU, where CPUs can be shared at all.
    fn ref_count(&self, cpu: &Cpu) -> u32 {
        let shared = self.request.max_ref_count > 1;
        let index = self.request.topology.index_of(cpu.id).filter(|_| shared);
        index.map_or(0, |index| self.request.holders.at(index).ref_count)
    }

    fn ref_counts(&self, cpus: &[Cpu]) -> u32 {
        cpus.iter().map(|cpu| self.ref_count(cpu)).sum()
    }

    /// Sorts places of this size where the strategy wants them.
    fn preference(&self, size: usize) -> isize {
        match self.request.strategy {
            Strategy::MostAllocated => size as isize,
            Strategy::LeastAllocated => -(size as isize),
        }
    }
}

fn count_by(cpus: &[Cpu], key: impl Fn(&Cpu) -> u32) -> HashMap<u32, usize> {
    let mut counts = HashMap::new();
    for cpu in cpus {
        *counts.entry(key(cpu)).or_default() += 1;
    }
    counts
}

fn group_by<K: Ord + Hash>(cpus: &[Cpu], key: impl Fn(&Cpu) -> K) -> BTreeMap<K, Vec<Cpu>> {
    let mut groups = BTreeMap::<K, Vec<Cpu>>::new();
    for cpu in cpus {
        groups.entry(key(cpu)).or_default().push(*cpu);
    }
    groups
}
