//! The cluster as the scheduler sees it: columns over nodes, rows of pods, and the objects that filters look up.
//!
//! Every change is applied to the touched rows only and noted in the journal, from which caches catch up.

mod dump;
mod journal;
mod ledger;
mod nodes;
mod objects;
mod pods;
mod storage;
mod topology;
mod undo;

use std::sync::Arc;

use rustc_hash::FxHashMap;

pub use dump::{Dump, NodeDump};
pub use journal::{Change, Journal};
pub use ledger::{Allocation, Ledger};
pub use nodes::{NodeFacts, NodeId, NodeLoad, Nodes, Residents};
pub use pods::{PodId, PodRow, Pods};
pub use storage::{Storage, VolumeChoice};
pub use topology::{NO_DOMAIN, Topology, TopologyKey};

use crate::api::{ByKey, Labels, MapSelected, PodDisruptionBudget, Selected};
use crate::resource::Resources;
use crate::shape::{Shape, Shapes};

#[derive(Debug, Default)]
pub struct Snapshot {
    pub resources: Resources,
    pub topology: Topology,
    pub nodes: Nodes,
    pub pods: Pods,
    pub shapes: Shapes,
    pub namespaces: FxHashMap<String, Labels>,
    pub storage: Storage,
    pub owners: Owners,
    pub budgets: ByKey<PodDisruptionBudget>,
    /// How many nodes hold an image.
    pub image_nodes: FxHashMap<String, u32>,
    /// Placed pods with terms of inter-pod affinity, and among them those with required anti-affinity.
    pub pods_with_terms: u32,
    pub pods_with_anti_affinity: u32,
    pub epochs: Epochs,
    pub journal: Journal,
    pub ledgers: Vec<Box<dyn Ledger>>,
    /// Waiting pods that hold a nomination, by node name.
    nominated: FxHashMap<Arc<str>, Vec<PodId>>,
    undo: Vec<undo::UndoLog>,
    /// Depth of what-ifs that no cache is to hear of.
    unheard: u32,
}

/// Objects whose selectors say which pods spread together by default.
#[derive(Debug, Default)]
pub struct Owners {
    pub services: ByKey<MapSelected>,
    pub replication_controllers: ByKey<MapSelected>,
    pub replica_sets: ByKey<Selected>,
    pub stateful_sets: ByKey<Selected>,
}

/// Counters that grow when facts change that are not tied to one node's row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Epochs {
    /// The set of nodes, their labels or their taints.
    pub nodes: u64,
    pub images: u64,
    pub namespaces: u64,
    pub storage: u64,
    pub owners: u64,
}

static NO_LABELS: Labels = Labels::new();

impl Snapshot {
    pub fn new(ledgers: Vec<Box<dyn Ledger>>) -> Self {
        let mut snapshot = Self {
            ledgers,
            ..Self::default()
        };
        snapshot.nodes.ensure_resources(snapshot.resources.len());
        snapshot
    }

    /// The columns of a node plugin by their type.
    pub fn ledger<T: Ledger>(&self) -> Option<&T> {
        self.ledgers
            .iter()
            .find_map(|ledger| (&**ledger as &dyn std::any::Any).downcast_ref())
    }

    pub fn ledger_mut<T: Ledger>(&mut self) -> Option<&mut T> {
        self.ledgers
            .iter_mut()
            .find_map(|ledger| (&mut **ledger as &mut dyn std::any::Any).downcast_mut())
    }

    /// Lets the node plugins bring up to date what they derive from the whole cluster.
    pub fn before_decision(&mut self) {
        for ledger in &mut self.ledgers {
            ledger.before_decision(&self.nodes, &self.pods, &self.resources);
        }
    }

    /// Labels of a namespace; none when it is not known.
    pub fn namespace_labels(&self, namespace: &str) -> &Labels {
        self.namespaces.get(namespace).unwrap_or(&NO_LABELS)
    }

    /// Waiting pods nominated to this node.
    pub fn nominated_to(&self, node: NodeId) -> &[PodId] {
        self.nominated
            .get(self.nodes.name(node))
            .map_or(&[], Vec::as_slice)
    }

    /// Nodes that waiting pods are nominated to.
    pub fn nominated_nodes(&self) -> Vec<NodeId> {
        let mut nodes: Vec<NodeId> = self
            .nominated
            .keys()
            .filter_map(|name| self.nodes.find(name))
            .collect();
        nodes.sort_unstable();
        nodes
    }

    /// Puts a waiting pod on a node.
    pub fn place(&mut self, pod: PodId, node: NodeId, allocations: Vec<Allocation>) {
        self.remember(node, pod);
        let Some(row) = self.pods.get_mut(pod) else {
            return;
        };
        row.node = Some(node);
        row.allocations = allocations;
        self.attach(pod, node);
    }

    /// Takes a placed pod off its node; it waits again.
    pub fn displace(&mut self, pod: PodId) {
        let Some(node) = self.pods.get(pod).and_then(|row| row.node) else {
            return;
        };
        self.remember(node, pod);
        self.detach(pod, node);
        if let Some(row) = self.pods.get_mut(pod) {
            row.node = None;
            row.allocations = Vec::new();
        }
    }

    fn attach(&mut self, pod: PodId, node: NodeId) {
        let Some(row) = self.pods.get(pod) else {
            return;
        };
        let shape = Arc::clone(&row.shape);
        self.nodes.attach(node, pod, &shape, self.unheard > 0);
        for ledger in &mut self.ledgers {
            ledger.attach(node, row, &self.resources);
        }
        let allocations = row.allocations.clone();
        self.count_cluster(&shape, &allocations, 1);
        self.note(Change::Pod {
            node,
            shape,
            delta: 1,
        });
    }

    fn detach(&mut self, pod: PodId, node: NodeId) {
        let Some(row) = self.pods.get(pod) else {
            return;
        };
        let shape = Arc::clone(&row.shape);
        self.nodes.detach(node, pod, &shape, self.unheard > 0);
        for ledger in &mut self.ledgers {
            ledger.detach(node, row);
        }
        let allocations = row.allocations.clone();
        self.count_cluster(&shape, &allocations, -1);
        self.note(Change::Pod {
            node,
            shape,
            delta: -1,
        });
    }

    /// True inside a what-if that no cache hears of.
    pub fn is_dry_run(&self) -> bool {
        self.unheard > 0
    }

    fn note(&mut self, change: Change) {
        if self.unheard == 0 {
            self.journal.push(change);
        }
    }

    fn count_cluster(&mut self, shape: &Shape, allocations: &[Allocation], delta: i64) {
        let apply = |count: &mut u32| *count = count.saturating_add_signed(delta as i32);
        if shape.has_pod_terms() {
            apply(&mut self.pods_with_terms);
        }
        if !shape.anti_affinity.required.is_empty() {
            apply(&mut self.pods_with_anti_affinity);
        }
        for claim in &shape.claims {
            let users = self
                .storage
                .claim_users
                .entry(format!("{}/{}", shape.namespace(), claim.name))
                .or_default();
            apply(users);
        }
        self.storage.assume(allocations, delta);
    }
}
