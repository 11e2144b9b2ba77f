//! Which part of which GPU is taken, by node.

use std::any::Any;
use std::sync::Arc;

use super::request::{GPU_CORE, GpuRequest, WHOLE, WHOLE_GPUS};
use super::workload::Workload;
use crate::error::Result;
use crate::resource::{CPU, MEMORY, Resources};
use crate::shape::Shape;
use crate::snapshot::{Ledger, NodeId, Nodes, PodRow, Pods};

/// Placements after which the worth of capacity is worked out anew: it moves slowly, and every score depends on it.
const REFRESH: u32 = 800;

/// GPUs given to one pod.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GpuGrant {
    /// Positions of the GPUs on their node.
    pub gpus: Vec<usize>,
    /// Thousandths taken of each.
    pub milli: i64,
}

#[derive(Debug, Default)]
pub struct GpuLedger {
    /// By node: thousandths left of each GPU.
    free: Vec<Vec<i64>>,
    /// Pods with how often they arrive, as told; the pods of the snapshot otherwise.
    told: Option<Vec<(Arc<Shape>, f64)>>,
    pub(super) workload: Workload,
    /// Grows with every refresh.
    pub(super) epoch: u64,
    /// Placements since the last refresh.
    moves: u32,
    stale: bool,
}

#[derive(Debug)]
struct Saved {
    free: Vec<i64>,
    moves: u32,
}

impl GpuLedger {
    pub fn free(&self, node: NodeId) -> &[i64] {
        self.free.get(node.index()).map_or(&[], Vec::as_slice)
    }

    pub fn set_workload(&mut self, pods: Vec<(Arc<Shape>, f64)>) {
        self.told = Some(pods);
        self.stale = true;
    }

    fn row(&mut self, node: NodeId) -> &mut Vec<i64> {
        if self.free.len() <= node.index() {
            self.free.resize_with(node.index() + 1, Vec::new);
        }
        &mut self.free[node.index()]
    }

    fn refresh(&mut self, nodes: &Nodes, pods: &Pods, resources: &Resources) {
        if self.stale || self.told.is_none() {
            let seen;
            let kinds = match &self.told {
                Some(told) => told,
                None => {
                    seen = pods
                        .iter()
                        .map(|(_, row)| (Arc::clone(&row.shape), 1.0))
                        .collect();
                    &seen
                }
            };
            self.workload = Workload::new(kinds, nodes, resources);
        }
        let free = &self.free;
        let left = |node: NodeId| {
            let gpus = free.get(node.index()).cloned().unwrap_or_default();
            let left =
                |resource| nodes.allocatable(node, resource) - nodes.requested(node, resource);
            (!gpus.is_empty()).then(|| (left(CPU), left(MEMORY), gpus))
        };
        self.workload.weigh(left);
        self.epoch += 1;
        self.moves = 0;
        self.stale = false;
    }
}

fn grant_of(pod: &PodRow) -> Option<&GpuGrant> {
    pod.allocations
        .iter()
        .find_map(|allocation| allocation.detail.downcast_ref())
}

impl Ledger for GpuLedger {
    fn plugin(&self) -> &'static str {
        "GPUShare"
    }

    fn kinds(&self) -> &'static [&'static str] {
        &[]
    }

    fn object(&mut self, _kind: &str, _key: &str, _raw: Option<&[u8]>) -> Result<Option<String>> {
        Ok(None)
    }

    fn node(&mut self, node: NodeId, nodes: &Nodes, resources: &Resources) {
        let amount = |name| {
            resources
                .find(name)
                .map_or(0, |id| nodes.allocatable(node, id))
        };
        let gpus = match amount(WHOLE_GPUS) {
            0 => amount(GPU_CORE) / 100,
            whole => whole,
        };
        let row = self.row(node);
        // GPUs that are there already keep what is taken of them.
        row.resize(gpus.max(0) as usize, WHOLE);
        self.stale = true;
    }

    fn attach(&mut self, node: NodeId, pod: &PodRow, resources: &Resources) {
        let grant = grant_of(pod).cloned();
        let request = GpuRequest::of(&pod.shape, resources);
        self.moves += u32::from(!request.is_none() || grant.is_some());
        if let Some(grant) = grant {
            let row = self.row(node);
            for gpu in grant.gpus {
                row[gpu] -= grant.milli;
            }
        }
    }

    fn detach(&mut self, node: NodeId, pod: &PodRow) {
        if let Some(grant) = grant_of(pod).cloned() {
            let row = self.row(node);
            for gpu in grant.gpus {
                row[gpu] += grant.milli;
            }
            self.moves += 1;
        }
    }

    fn before_decision(&mut self, nodes: &Nodes, pods: &Pods, resources: &Resources) {
        if !self.free.is_empty() && (self.stale || self.moves >= REFRESH) {
            self.refresh(nodes, pods, resources);
        }
    }

    fn save(&self, node: NodeId) -> Box<dyn Any + Send + Sync> {
        Box::new(Saved {
            free: self.free(node).to_vec(),
            moves: self.moves,
        })
    }

    fn restore(&mut self, node: NodeId, saved: Box<dyn Any + Send + Sync>) {
        if let Ok(saved) = saved.downcast::<Saved>() {
            *self.row(node) = saved.free;
            self.moves = saved.moves;
        }
    }
}
