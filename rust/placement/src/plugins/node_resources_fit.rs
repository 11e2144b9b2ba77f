//! NodeResourcesFit: the node has room for what the pod asks, and how full it would be.

use std::sync::Arc;

use smallvec::SmallVec;

use super::resource_amounts::Weighed;
use crate::framework::{
    Code, Feasible, MAX_SCORE, NodeFilter, NodeScorer, Plugin, PreFilter, Prepared, Reason,
    Rejection, Verdict,
};
use crate::resource::{Amounts, PODS, ResourceId, amount_of, is_extended};
use crate::shape::Shape;
use crate::snapshot::{NodeId, Snapshot};

#[derive(Clone, Debug, PartialEq)]
pub enum Strategy {
    LeastAllocated,
    MostAllocated,
    /// Points (utilization 0-100, score 0-100) with straight lines between them.
    RequestedToCapacityRatio(Arc<[(i64, i64)]>),
}

pub struct NodeResourcesFit {
    pub strategy: Strategy,
    /// Resource and weight.
    pub resources: Vec<(String, i64)>,
    /// Extended resources that somebody else checks.
    pub ignored: Vec<String>,
    /// The same by domain.
    pub ignored_groups: Vec<String>,
}

struct Filter {
    requests: Amounts,
}

fn fits(snapshot: &Snapshot, node: NodeId, (resource, amount): &(ResourceId, i64)) -> bool {
    let nodes = &snapshot.nodes;
    *amount <= nodes.allocatable(node, *resource) - nodes.requested(node, *resource)
}

fn pods_fit(snapshot: &Snapshot, node: NodeId) -> bool {
    snapshot.nodes.requested(node, PODS) < snapshot.nodes.allocatable(node, PODS)
}

impl NodeFilter for Filter {
    fn passes(&self, snapshot: &Snapshot, node: NodeId) -> bool {
        pods_fit(snapshot, node)
            && self
                .requests
                .iter()
                .all(|request| fits(snapshot, node, request))
    }

    fn filter(&self, snapshot: &Snapshot, node: NodeId) -> Verdict {
        if self.passes(snapshot, node) {
            return Ok(());
        }
        let mut reasons: SmallVec<[Reason; 1]> = SmallVec::new();
        if !pods_fit(snapshot, node) {
            reasons.push("Too many pods".into());
        }
        let mut code = Code::Unschedulable;
        for (resource, amount) in self
            .requests
            .iter()
            .filter(|request| !fits(snapshot, node, request))
        {
            reasons.push(format!("Insufficient {}", snapshot.resources.name(*resource)).into());
            if *amount > snapshot.nodes.allocatable(node, *resource) {
                code = Code::Unresolvable;
            }
        }
        Err(Rejection { code, reasons })
    }
}

struct Scorer {
    strategy: Strategy,
    resources: Vec<Weighed>,
}

impl NodeScorer for Scorer {
    fn score(&self, snapshot: &Snapshot, node: NodeId) -> i64 {
        let (mut sum, mut weights) = (0, 0);
        for each in &self.resources {
            let Some((requested, capacity)) = each.on(snapshot, node, true) else {
                continue;
            };
            let score = match &self.strategy {
                Strategy::LeastAllocated if requested > capacity => 0,
                Strategy::LeastAllocated => (capacity - requested) * MAX_SCORE / capacity,
                Strategy::MostAllocated => requested.min(capacity) * MAX_SCORE / capacity,
                Strategy::RequestedToCapacityRatio(shape) => {
                    let utilization = if requested > capacity {
                        100
                    } else {
                        requested * 100 / capacity
                    };
                    match along(shape, utilization) {
                        score if score > 0 => score,
                        _ => continue,
                    }
                }
            };
            sum += score * each.weight;
            weights += each.weight;
        }
        match (&self.strategy, weights) {
            (_, 0) => 0,
            (Strategy::RequestedToCapacityRatio(_), _) => {
                (sum as f64 / weights as f64).round() as i64
            }
            _ => sum / weights,
        }
    }
}

/// The value at `x` of the broken line through the points; flat beyond its ends.
pub fn along(points: &[(i64, i64)], x: i64) -> i64 {
    let Some(after) = points.iter().position(|(at, _)| x <= *at) else {
        return points.last().map_or(0, |(_, value)| *value);
    };
    let (x1, y1) = points[after];
    match after.checked_sub(1).map(|before| points[before]) {
        None => y1,
        Some((x0, y0)) => y0 + (y1 - y0) * (x - x0) / (x1 - x0),
    }
}

impl NodeResourcesFit {
    fn checks(&self, name: &str) -> bool {
        let domain = name.split('/').next().unwrap_or(name);
        !is_extended(name)
            || !self.ignored.iter().any(|each| each == name)
                && !self.ignored_groups.iter().any(|each| each == domain)
    }
}

impl Plugin for NodeResourcesFit {
    fn name(&self) -> &'static str {
        "NodeResourcesFit"
    }

    fn filter_for(&self, snapshot: &Snapshot, shape: &Arc<Shape>) -> PreFilter {
        let checked = shape.requests.iter().filter(|(resource, _)| {
            *resource != PODS && self.checks(snapshot.resources.name(*resource))
        });
        PreFilter::ready(Filter {
            requests: checked.copied().collect(),
        })
    }

    fn scorer_for(
        &self,
        snapshot: &Snapshot,
        shape: &Arc<Shape>,
        _: Feasible,
    ) -> Option<Prepared<dyn NodeScorer>> {
        let resources = self.resources.iter().filter_map(|(name, weight)| {
            let resource = snapshot.resources.find(name)?;
            Some(Weighed {
                resource,
                weight: *weight,
                request: amount_of(&shape.score_requests, resource),
            })
        });
        let scorer = Scorer {
            strategy: self.strategy.clone(),
            resources: resources.collect(),
        };
        Some(Prepared::Ready(Box::new(scorer)))
    }
}
