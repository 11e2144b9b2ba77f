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

/// By amounts and node terms: a pod of the kind, the kind, how often it comes.
type Merged = FxHashMap<(Vec<i64>, String), (Arc<Shape>, Kind, f64)>;

#[derive(Clone, Debug)]
struct Entry {
    kind: Kind,
    /// Share of arrivals.
    share: f64,
    /// By node row: node selector and affinity let it go there.
    reaches: Vec<bool>,
}

#[derive(Clone, Debug, Default)]
pub struct Workload {
    entries: Vec<Entry>,
    /// The same without regard to memory, as published for fragments: kinds that differ in it alone are one.
    without_memory: Vec<Entry>,
    /// By node row: which of `groups` it belongs to.
    group_of: Vec<u32>,
    groups: Vec<Group>,
}

/// Nodes that the same kinds of pods can go to, with what a value of such a node is made of.
#[derive(Clone, Debug, Default)]
pub struct Group {
    /// Kinds with GPUs that can go there, each with the worth of capacity to it.
    pub worth: Vec<(Kind, f64)>,
    /// All kinds that can go there, memory left out, each with its share of arrivals.
    pub shares: Vec<(Kind, f64)>,
    /// Share of arrivals that cannot go there.
    pub elsewhere: f64,
}

impl Workload {
    /// From pods with how often they come.
    pub fn new(pods: &[(Arc<Shape>, f64)], nodes: &Nodes, resources: &Resources) -> Self {
        let kinds = |kind_of: fn(&Shape, &Resources) -> Kind| {
            popular(merged(pods, |shape| kind_of(shape, resources)), nodes)
        };
        let mut workload = Self {
            entries: kinds(kind_of),
            without_memory: kinds(|shape, resources| Kind {
                memory: 0,
                ..kind_of(shape, resources)
            }),
            ..Self::default()
        };
        workload.group(nodes.rows());
        workload
    }

    fn group(&mut self, rows: usize) {
        let mut numbers: FxHashMap<Vec<bool>, u32> = FxHashMap::default();
        for row in 0..rows {
            let kinds = self.entries.iter().chain(&self.without_memory);
            let signature: Vec<bool> = kinds.map(|entry| entry.reaches[row]).collect();
            let next = numbers.len() as u32;
            let number = *numbers.entry(signature).or_insert_with(|| {
                let mut group = Group::default();
                for entry in &self.without_memory {
                    if entry.reaches[row] {
                        group.shares.push((entry.kind, entry.share));
                    } else {
                        group.elsewhere += entry.share;
                    }
                }
                group.shares = added_up(group.shares.into_iter());
                self.groups.push(group);
                next
            });
            self.group_of.push(number);
        }
    }

    pub fn group_of(&self, node: NodeId) -> Option<&Group> {
        self.groups.get(*self.group_of.get(node.index())? as usize)
    }

    /// Works the worth of capacity out anew.
    pub fn weigh(&mut self, left_of: impl Fn(NodeId) -> Option<(i64, i64, Vec<i64>)>) {
        let worth = self.worth(left_of, self.group_of.len());
        let mut representative = vec![0; self.groups.len()];
        for (row, group) in self.group_of.iter().enumerate() {
            representative[*group as usize] = row;
        }
        for (group, row) in self.groups.iter_mut().zip(representative) {
            let reaching = self
                .entries
                .iter()
                .zip(&worth)
                .filter(|(entry, _)| entry.reaches[row]);
            let with_gpu = reaching.filter(|(entry, _)| !entry.kind.gpu.is_none());
            group.worth = added_up(with_gpu.map(|(entry, worth)| (entry.kind, *worth)));
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

/// One value for each kind: kinds that differ in where they can go only are alike where all of them can. Kinds with the
/// same GPU request stand side by side.
fn added_up(kinds: impl Iterator<Item = (Kind, f64)>) -> Vec<(Kind, f64)> {
    let mut sorted: Vec<_> = kinds.collect();
    sorted.sort_by_key(|(kind, _)| (kind.gpu, kind.cpu, kind.memory));
    sorted.dedup_by(|(kind, value), (kept, sum)| {
        let alike = kind == kept;
        *sum += if alike { *value } else { 0.0 };
        alike
    });
    sorted
}

/// Pods of the same amounts and node terms added up, the most frequent first.
fn merged(
    pods: &[(Arc<Shape>, f64)],
    kind_of: impl Fn(&Shape) -> Kind,
) -> Vec<(Arc<Shape>, Kind, f64)> {
    let mut merged: Merged = FxHashMap::default();
    for (shape, count) in pods {
        let kind = kind_of(shape);
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
    kinds.into_iter().map(|(_, kind)| kind).collect()
}

/// Those that make up most arrivals, with their share among themselves.
fn popular(kinds: Vec<(Arc<Shape>, Kind, f64)>, nodes: &Nodes) -> Vec<Entry> {
    let total: f64 = kinds.iter().map(|(.., count)| count).sum();
    let mut seen = 0.0;
    let wanted: Vec<_> = kinds
        .into_iter()
        .take_while(|(.., count)| {
            let wanted = seen < POPULAR * total;
            seen += count;
            wanted
        })
        .collect();
    let counted: f64 = wanted.iter().map(|(.., count)| count).sum();
    let entries = wanted.into_iter().map(|(shape, kind, count)| Entry {
        kind,
        share: count / counted,
        reaches: reaches(&shape, nodes),
    });
    entries.collect()
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
