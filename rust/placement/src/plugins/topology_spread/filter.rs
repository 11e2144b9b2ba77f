//! Hard constraints: the domain's count must not run ahead of the emptiest domain by more than maxSkew.

use std::sync::Arc;

use super::constraints::{Applied, has_keys};
use crate::framework::{NodeFilter, Reach, Rejection, Verdict};
use crate::shape::Shape;
use crate::snapshot::{NO_DOMAIN, NodeId, Snapshot};

pub(super) struct Filter {
    shape: Arc<Shape>,
    constraints: Vec<Applied>,
    tallies: Vec<Tally>,
}

/// Matching pods per domain of one constraint.
struct Tally {
    counts: Vec<i64>,
    /// Nodes of each domain that count; a domain without any does not exist.
    nodes: Vec<u32>,
    domains: i64,
    min: i64,
    /// 1 when the pod itself matches the selector.
    own: i64,
}

impl Tally {
    fn exists(&self, domain: usize) -> bool {
        self.nodes[domain] > 0
    }

    fn update_min(&mut self) {
        let existing = self
            .counts
            .iter()
            .zip(&self.nodes)
            .filter(|(_, nodes)| **nodes > 0);
        self.min = existing
            .map(|(count, _)| *count)
            .min()
            .unwrap_or(i64::from(i32::MAX));
    }
}

impl Filter {
    pub fn new(snapshot: &Snapshot, shape: &Arc<Shape>, constraints: Vec<Applied>) -> Self {
        let tally = |each: &Applied| {
            let topology = each.constraint.topology;
            let domains = snapshot.topology.domains(topology);
            let mut tally = Tally {
                counts: vec![0; domains],
                nodes: vec![0; domains],
                domains: 0,
                min: 0,
                own: i64::from(each.constraint.selector.matches(shape.labels())),
            };
            for node in snapshot
                .nodes
                .ids()
                .filter(|node| each.counted[node.index()])
            {
                if !has_keys(snapshot, node, &constraints) {
                    continue;
                }
                let domain = snapshot.topology.domain(topology, node) as usize;
                tally.nodes[domain] += 1;
                for residents in &snapshot.nodes.residents[node.index()] {
                    if each.constraint.counts(shape, &residents.shape) {
                        tally.counts[domain] += i64::from(residents.count);
                    }
                }
            }
            tally.domains = tally.nodes.iter().filter(|nodes| **nodes > 0).count() as i64;
            tally.update_min();
            tally
        };
        let tallies = constraints.iter().map(tally).collect();
        Self {
            shape: Arc::clone(shape),
            constraints,
            tallies,
        }
    }
}

impl NodeFilter for Filter {
    fn filter(&self, snapshot: &Snapshot, node: NodeId) -> Verdict {
        for (each, tally) in self.constraints.iter().zip(&self.tallies) {
            let domain = snapshot.topology.domain(each.constraint.topology, node);
            if domain == NO_DOMAIN {
                return Err(Rejection::unresolvable(
                    "node(s) didn't match pod topology spread constraints (missing required label)",
                ));
            }
            let min = if tally.domains < each.constraint.min_domains {
                0
            } else {
                tally.min
            };
            let count = if tally.exists(domain as usize) {
                tally.counts[domain as usize]
            } else {
                0
            };
            if count + tally.own - min > each.constraint.max_skew {
                return Err(Rejection::unschedulable(
                    "node(s) didn't match pod topology spread constraints",
                ));
            }
        }
        Ok(())
    }

    fn pod_moved(&mut self, snapshot: &Snapshot, node: NodeId, other: &Shape, delta: i64) -> Reach {
        let mut reach = Reach::Nobody;
        if other.namespace() != self.shape.namespace()
            || !has_keys(snapshot, node, &self.constraints)
        {
            return reach;
        }
        for (each, tally) in self.constraints.iter().zip(&mut self.tallies) {
            // In a dry run every pod that leaves counts, as in kube-scheduler: also one that is terminating already.
            let counts = if snapshot.is_dry_run() {
                each.constraint.selector.matches(other.labels())
            } else {
                each.constraint.counts(&self.shape, other)
            };
            if !each.counted[node.index()] || !counts {
                continue;
            }
            let domain = snapshot.topology.domain(each.constraint.topology, node) as usize;
            let before = tally.counts[domain];
            tally.counts[domain] += delta;
            let min_before = tally.min;
            if before == tally.min || tally.counts[domain] < tally.min {
                tally.update_min();
            }
            let own_domain_only = tally.min == min_before && tally.nodes[domain] == 1;
            reach = reach.max(if own_domain_only {
                Reach::Node
            } else {
                Reach::All
            });
        }
        reach
    }
}
