//! The CPUs of one node.

/// One logical CPU.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cpu {
    pub id: u32,
    /// Unique on the node: two sockets may count their cores alike.
    pub core: u64,
    pub socket: u32,
    pub node: u32,
}

/// All CPUs of a node, by ascending id. An "index" elsewhere in this crate is a position in this order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CpuTopology {
    cpus: Vec<Cpu>,
    cores: usize,
    nodes: usize,
    sockets: usize,
}

impl CpuTopology {
    /// Takes (id, core, socket, NUMA node) as the `cpu-topology` annotation lists them; a repeated id keeps its last
    /// entry.
    pub fn new(details: impl IntoIterator<Item = (u32, u32, u32, u32)>) -> Self {
        let mut cpus: Vec<Cpu> = details
            .into_iter()
            .map(|(id, core, socket, node)| Cpu {
                id,
                core: u64::from(socket) << 32 | u64::from(core),
                socket,
                node,
            })
            .collect();
        cpus.reverse();
        cpus.sort_by_key(|cpu| cpu.id);
        cpus.dedup_by_key(|cpu| cpu.id);
        Self {
            cores: distinct(cpus.iter().map(|cpu| (cpu.core, cpu.node))),
            nodes: distinct(cpus.iter().map(|cpu| (cpu.socket, cpu.node))),
            sockets: distinct(cpus.iter().map(|cpu| cpu.socket)),
            cpus,
        }
    }

    pub fn cpus(&self) -> &[Cpu] {
        &self.cpus
    }

    pub fn index_of(&self, id: u32) -> Option<usize> {
        // Ids rarely have holes: the position is mostly the id itself.
        match self.cpus.get(id as usize) {
            Some(cpu) if cpu.id == id => Some(id as usize),
            _ => self.cpus.binary_search_by_key(&id, |cpu| cpu.id).ok(),
        }
    }

    /// Averages of the whole machine, rounded down; 0 without CPUs.
    pub fn cpus_per_core(&self) -> usize {
        self.cpus.len().checked_div(self.cores).unwrap_or(0)
    }

    pub fn cpus_per_node(&self) -> usize {
        self.cpus.len().checked_div(self.nodes).unwrap_or(0)
    }

    pub fn cpus_per_socket(&self) -> usize {
        self.cpus.len().checked_div(self.sockets).unwrap_or(0)
    }
}

fn distinct<T: Ord>(items: impl Iterator<Item = T>) -> usize {
    let mut items: Vec<T> = items.collect();
    items.sort_unstable();
    items.dedup();
    items.len()
}
