//! The kinds of pods that arrive, how often, where they can go, and what a unit of capacity is worth to each.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::request::GpuRequest;
use super::usable::{Kind, Left, usable};
use crate::resource::{CPU, MEMORY, Resources, amount_of};
use crate::shape::Shape;
use crate::snapshot::{NodeId, Nodes};

/// Kinds beyond this share of all arrivals are too rare to plan for.
const POPULAR: f64 = 0.95;

#[derive(Clone, Debug)]
pub struct Entry {
    pub kind: Kind,
    /// Share of arrivals.
    pub share: f64,
    /// By node row: node selector and affinity let it go there.
    pub reaches: Arc<Vec<bool>>,
}

#[derive(Clone, Debug, Default)]
pub struct Workload {
    pub entries: Vec<Entry>,
}

impl Workload {
    /// From pods with how often they come. `ignore_memory` merges pods that differ in memory alone.
    pub fn new(pods: &[(Arc<Shape>, f64)], nodes: &Nodes, resources: &Resources) -> Self {
        let mut merged: FxHashMap<(Vec<i64>, String), (Arc<Shape>, Kind, f64)> =
            FxHashMap::default();
        for (shape, count) in pods {
            let kind = kind_of(shape, resources);
            let gpu = kind.gpu;
            let amounts = vec![kind.cpu, kind.memory, gpu.count, gpu.milli];
            let places = format!("{:?}{:?}", shape.node_selector, shape.node_required);
            merged
                .entry((amounts, places))
                .or_insert_with(|| (Arc::clone(shape), kind, 0.0))
                .2 += count;
        }
        let mut kinds: Vec<_> = merged.into_iter().collect();
        kinds.sort_by(|(key_a, (.., a)), (key_b, (.., b))| {
            b.total_cmp(a).then_with(|| key_a.cmp(key_b))
        });
        let total: f64 = kinds.iter().map(|(_, (.., count))| count).sum();
        let mut seen = 0.0;
        let popular: Vec<_> = kinds
            .into_iter()
            .map(|(_, entry)| entry)
            .take_while(|(.., count)| {
                let wanted = seen < POPULAR * total;
                seen += count;
                wanted
            })
            .collect();
        let counted: f64 = popular.iter().map(|(.., count)| count).sum();
        let entries = popular.into_iter().map(|(shape, kind, count)| Entry {
            kind,
            share: count / counted,
            reaches: Arc::new(reaches(&shape, nodes)),
        });
        Self {
            entries: entries.collect(),
        }
    }

    /// For each kind its share of arrivals over the capacity that the cluster still has for it: the worth of one
    /// thousandth of a GPU. It is the gradient of the sum of shares times the logarithm of capacity.
    pub fn worth(
        &self,
        left_of: impl Fn(NodeId) -> Option<(i64, i64, Vec<i64>)>,
        rows: usize,
    ) -> Vec<f64> {
        let mut capacity = vec![0.0; self.entries.len()];
        for row in 0..rows {
            let Some((cpu, memory, gpus)) = left_of(NodeId(row as u32)) else {
                continue;
            };
            let left = Left {
                cpu,
                memory,
                gpus: &gpus,
            };
            for (entry, sum) in self.entries.iter().zip(&mut capacity) {
                if !entry.kind.gpu.is_none() && entry.reaches[row] {
                    *sum += usable(&entry.kind, &left);
                }
            }
        }
        let worth = self.entries.iter().zip(capacity);
        // Capacity for less than one pod counts as one: the last one is worth most, but not infinitely much.
        worth
            .map(|(entry, sum)| entry.share / sum.max(entry.kind.gpu.total().max(1) as f64))
            .collect()
    }
}

fn kind_of(shape: &Shape, resources: &Resources) -> Kind {
    Kind {
        cpu: amount_of(&shape.requests, CPU),
        memory: amount_of(&shape.requests, MEMORY),
        gpu: GpuRequest::of(shape, resources),
    }
}

fn reaches(shape: &Shape, nodes: &Nodes) -> Vec<bool> {
    let mut reaches = vec![false; nodes.rows()];
    for node in nodes.ids() {
        reaches[node.index()] = shape.matches_node(nodes.name(node), nodes.labels(node));
    }
    reaches
}
