//! Soft constraints: fewer matching pods in a node's domains is better, domains weighed by how many there are.

use std::sync::Arc;

use super::constraints::{Applied, has_keys};
use crate::framework::{Feasible, LEFT_OUT, NodeScorer, Normalize, Reach};
use crate::shape::Shape;
use crate::snapshot::{NO_DOMAIN, NodeId, Snapshot};

const HOSTNAME: &str = "kubernetes.io/hostname";

pub(super) struct Scorer {
    shape: Arc<Shape>,
    constraints: Vec<Applied>,
    tallies: Vec<Tally>,
    /// Leave out nodes that lack one of the keys.
    all_keys: bool,
}

struct Tally {
    /// By domain; by node row when the topology is the host.
    counts: Vec<i64>,
    by_host: bool,
    /// ln(domains + 2)
    weight: f64,
}

impl Scorer {
    pub fn new(
        snapshot: &Snapshot,
        shape: &Arc<Shape>,
        constraints: Vec<Applied>,
        all_keys: bool,
        feasible: Feasible,
    ) -> Self {
        let tallies = constraints
            .iter()
            .map(|each| tally(snapshot, shape, each, &constraints, all_keys))
            .collect();
        let mut scorer = Self {
            shape: Arc::clone(shape),
            constraints,
            tallies,
            all_keys,
        };
        scorer.weigh(snapshot, feasible);
        scorer
    }

    /// Sets the weights; true when one changed.
    fn weigh(&mut self, snapshot: &Snapshot, feasible: Feasible) -> bool {
        let left_out =
            |node: &NodeId| self.all_keys && !has_keys(snapshot, *node, &self.constraints);
        let nodes: Vec<NodeId> = feasible.nodes().filter(|node| !left_out(node)).collect();
        let mut changed = false;
        for (each, tally) in self.constraints.iter().zip(&mut self.tallies) {
            let domains = if tally.by_host {
                nodes.len()
            } else {
                let column = snapshot.topology.column(each.constraint.topology);
                // One more for nodes without the key: together they are a domain of their own.
                let mut seen = vec![false; snapshot.topology.domains(each.constraint.topology) + 1];
                for node in &nodes {
                    let domain = column.get(node.index()).copied().unwrap_or(NO_DOMAIN);
                    let last = seen.len() - 1;
                    seen[(domain as usize).min(last)] = true;
                }
                seen.iter().filter(|seen| **seen).count()
            };
            let weight = ((domains + 2) as f64).ln();
            changed |= weight != tally.weight;
            tally.weight = weight;
        }
        changed
    }
}

fn tally(
    snapshot: &Snapshot,
    shape: &Shape,
    each: &Applied,
    all: &[Applied],
    all_keys: bool,
) -> Tally {
    let topology = each.constraint.topology;
    let by_host = snapshot.topology.name(topology) == HOSTNAME;
    let mut counts = vec![
        0;
        if by_host {
            snapshot.nodes.rows()
        } else {
            snapshot.topology.domains(topology)
        }
    ];
    for node in snapshot.nodes.ids() {
        let Some(at) = place_of(snapshot, node, each, by_host, all, all_keys) else {
            continue;
        };
        for residents in &snapshot.nodes.residents[node.index()] {
            if each.constraint.counts(shape, &residents.shape) {
                counts[at] += i64::from(residents.count);
            }
        }
    }
    Tally {
        counts,
        by_host,
        weight: 0.0,
    }
}

/// Where pods of this node are counted; None when they are not.
fn place_of(
    snapshot: &Snapshot,
    node: NodeId,
    each: &Applied,
    by_host: bool,
    all: &[Applied],
    all_keys: bool,
) -> Option<usize> {
    if by_host {
        return Some(node.index());
    }
    let domain = snapshot.topology.domain(each.constraint.topology, node);
    let counted = each.counted[node.index()]
        && domain != NO_DOMAIN
        && (!all_keys || has_keys(snapshot, node, all));
    counted.then_some(domain as usize)
}

impl NodeScorer for Scorer {
    fn score(&self, snapshot: &Snapshot, node: NodeId) -> i64 {
        if self.all_keys && !has_keys(snapshot, node, &self.constraints) {
            return LEFT_OUT;
        }
        let mut score = 0.0;
        for (each, tally) in self.constraints.iter().zip(&self.tallies) {
            let domain = snapshot.topology.domain(each.constraint.topology, node);
            if domain == NO_DOMAIN {
                continue;
            }
            let count = tally.counts[if tally.by_host {
                node.index()
            } else {
                domain as usize
            }];
            score += count as f64 * tally.weight + (each.constraint.max_skew - 1) as f64;
        }
        score.round() as i64
    }

    fn normalize(&self) -> Normalize {
        Normalize::BySkew
    }

    fn pod_moved(&mut self, snapshot: &Snapshot, node: NodeId, other: &Shape, delta: i64) -> Reach {
        let mut reach = Reach::Nobody;
        if other.namespace() != self.shape.namespace() {
            return reach;
        }
        for at in 0..self.tallies.len() {
            let each = &self.constraints[at];
            if !each.constraint.counts(&self.shape, other) {
                continue;
            }
            let by_host = self.tallies[at].by_host;
            if let Some(place) = place_of(
                snapshot,
                node,
                each,
                by_host,
                &self.constraints,
                self.all_keys,
            ) {
                self.tallies[at].counts[place] += delta;
                reach = reach.max(if by_host { Reach::Node } else { Reach::All });
            }
        }
        reach
    }

    fn feasible_changed(&mut self, snapshot: &Snapshot, feasible: Feasible) -> Reach {
        if self.weigh(snapshot, feasible) {
            Reach::All
        } else {
            Reach::Nobody
        }
    }
}
