//! GPUShare: a pod gets parts of one GPU or whole GPUs of its node; three policies say which node and which GPU.

use std::sync::Arc;

use super::ledger::{GpuGrant, GpuLedger};
use super::request::{GPU_CORE, GPU_MEMORY_RATIO, GpuRequest};
use super::usable::{Left, fragment, worth_of};
use crate::framework::{
    FINE_BITS, Feasible, MAX_SCORE, NodeFilter, NodeScorer, Normalize, Plugin, PreFilter, Prepared,
    Reach, Rejection, Verdict,
};
use crate::resource::{CPU, MEMORY, amount_of};
use crate::shape::Shape;
use crate::snapshot::{Allocation, NodeId, Snapshot};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Policy {
    /// Lose as little as possible of the capacity that the cluster has for what arrives, capacity of a kind of pod
    /// counting the more the less of it is left.
    CapacityPotential,
    /// Make as few fragments as possible, as in "Beware of Fragmentation" (USENIX ATC 2023).
    FragmentationGradientDescent,
    /// The node, then the GPU, with least left.
    BestFit,
}

pub struct GpuShare {
    pub policy: Policy,
}

/// Filter and scorer of one class; both choose GPUs by the same calculation.
#[derive(Clone)]
struct PerPod {
    policy: Policy,
    request: GpuRequest,
    cpu: i64,
    memory: i64,
    /// Refresh of the workload that the scores are of.
    epoch: u64,
}

/// GPUs on a node, and how good they are; more is better.
struct Choice {
    gpus: Vec<usize>,
    score: i64,
}

impl PerPod {
    fn of(policy: Policy, snapshot: &Snapshot, shape: &Shape) -> Self {
        Self {
            policy,
            request: GpuRequest::of(shape, &snapshot.resources),
            cpu: amount_of(&shape.requests, CPU),
            memory: amount_of(&shape.requests, MEMORY),
            epoch: snapshot
                .ledger::<GpuLedger>()
                .map_or(0, |ledger| ledger.epoch),
        }
    }

    /// The best GPUs of the node; None when they do not suffice.
    fn choose(&self, snapshot: &Snapshot, node: NodeId) -> Option<Choice> {
        let ledger = snapshot.ledger::<GpuLedger>()?;
        let free = ledger.free(node);
        if !self.request.fits(free) {
            return None;
        }
        let nodes = &snapshot.nodes;
        let left = |resource| nodes.allocatable(node, resource) - nodes.requested(node, resource);
        let (cpu, memory) = (left(CPU), left(MEMORY));
        let value =
            |cpu, memory, gpus: &[i64]| self.value(ledger, node, &Left { cpu, memory, gpus });
        let before = value(cpu, memory, free);
        let mut best: Option<Choice> = None;
        let mut after = free.to_vec();
        for gpus in self.options(free) {
            after.copy_from_slice(free);
            for gpu in &gpus {
                after[*gpu] -= self.request.milli;
            }
            let score = self.score_of(before, value(cpu - self.cpu, memory - self.memory, &after));
            if best.as_ref().is_none_or(|best| score > best.score) {
                best = Some(Choice { gpus, score });
            }
        }
        best
    }

    /// Sets of GPUs worth comparing: GPUs with equal parts left are interchangeable.
    fn options(&self, free: &[i64]) -> Vec<Vec<usize>> {
        let fitting = || {
            free.iter()
                .enumerate()
                .filter(|(_, left)| **left >= self.request.milli)
        };
        if self.request.is_share() {
            let first_of_its_kind = fitting().filter(|(gpu, left)| !free[..*gpu].contains(left));
            return first_of_its_kind.map(|(gpu, _)| vec![gpu]).collect();
        }
        vec![
            fitting()
                .map(|(gpu, _)| gpu)
                .take(self.request.count as usize)
                .collect(),
        ]
    }

    /// How good what is left on the node is.
    fn value(&self, ledger: &GpuLedger, node: NodeId, left: &Left) -> f64 {
        let Some(group) = ledger.workload.group_of(node) else {
            return 0.0;
        };
        match self.policy {
            Policy::CapacityPotential => worth_of(&group.worth, left),
            Policy::FragmentationGradientDescent => {
                let total: i64 = left.gpus.iter().sum();
                let lost = group
                    .shares
                    .iter()
                    .map(|(kind, share)| share * fragment(kind, left, total) as f64);
                -(group.elsewhere * total as f64 + lost.sum::<f64>())
            }
            Policy::BestFit => {
                let used: i64 = left.gpus.iter().map(|free| free * free).sum();
                -(left.gpus.iter().sum::<i64>() as f64) * 1e6 + used as f64
            }
        }
    }

    fn score_of(&self, before: f64, after: f64) -> i64 {
        let gained = after - before;
        match self.policy {
            // In units small enough that no difference is lost: the worth of a cluster's capacity adds up to about 1.
            Policy::CapacityPotential => (gained * 1e12).round() as i64,
            // The published scale: a sigmoid of the fragments avoided, in GPUs, cut to whole points.
            Policy::FragmentationGradientDescent => {
                (MAX_SCORE as f64 / (1.0 + (-gained / 1000.0).exp())).floor() as i64
            }
            Policy::BestFit => after as i64,
        }
    }
}

impl NodeFilter for PerPod {
    fn filter(&self, snapshot: &Snapshot, node: NodeId) -> Verdict {
        let free = snapshot
            .ledger::<GpuLedger>()
            .map_or(&[][..], |ledger| ledger.free(node));
        if self.request.fits(free) {
            return Ok(());
        }
        let most = if free.len() as i64 >= self.request.count {
            Rejection::unschedulable
        } else {
            Rejection::unresolvable
        };
        Err(most("Insufficient gpu devices"))
    }

    fn reserve(&self, snapshot: &Snapshot, node: NodeId) -> Result<Option<Allocation>, Rejection> {
        let choice = self.choose(snapshot, node);
        let gpus = choice
            .ok_or_else(|| Rejection::unschedulable("Insufficient gpu devices"))?
            .gpus;
        let percent = self.request.milli / 10;
        let devices = gpus.iter().map(|gpu| {
            format!(r#"{{"minor":{gpu},"resources":{{"{GPU_CORE}":"{percent}","{GPU_MEMORY_RATIO}":"{percent}"}}}}"#)
        });
        let text = format!(r#"{{"gpu":[{}]}}"#, devices.collect::<Vec<_>>().join(","));
        Ok(Some(Allocation {
            plugin: "GPUShare",
            annotations: vec![(
                "scheduling.koordinator.sh/device-allocated".to_owned(),
                text,
            )],
            detail: Arc::new(GpuGrant {
                gpus,
                milli: self.request.milli,
            }),
        }))
    }
}

impl NodeScorer for PerPod {
    fn score(&self, snapshot: &Snapshot, node: NodeId) -> i64 {
        let score = self.choose(snapshot, node).map_or(0, |choice| choice.score);
        match self.policy {
            // The published simulator takes the last of equally good nodes.
            Policy::FragmentationGradientDescent => (score << FINE_BITS) + i64::from(node.0),
            Policy::CapacityPotential | Policy::BestFit => score,
        }
    }

    fn normalize(&self) -> Normalize {
        match self.policy {
            Policy::FragmentationGradientDescent => Normalize::Ranked,
            Policy::CapacityPotential | Policy::BestFit => Normalize::ByRangeFine,
        }
    }

    fn pod_moved(&mut self, snapshot: &Snapshot, _: NodeId, _: &Shape, _: i64) -> Reach {
        let epoch = snapshot
            .ledger::<GpuLedger>()
            .map_or(0, |ledger| ledger.epoch);
        if std::mem::replace(&mut self.epoch, epoch) == epoch {
            Reach::Node
        } else {
            Reach::All
        }
    }
}

impl Plugin for GpuShare {
    fn name(&self) -> &'static str {
        "GPUShare"
    }

    fn filter_for(&self, snapshot: &Snapshot, shape: &Arc<Shape>) -> PreFilter {
        let per_pod = PerPod::of(self.policy, snapshot, shape);
        if per_pod.request.is_none() {
            PreFilter::Skip
        } else {
            PreFilter::ready(per_pod)
        }
    }

    fn scorer_for(
        &self,
        snapshot: &Snapshot,
        shape: &Arc<Shape>,
        _: Feasible,
    ) -> Option<Prepared<dyn NodeScorer>> {
        Some(Prepared::Ready(Box::new(PerPod::of(
            self.policy,
            snapshot,
            shape,
        ))))
    }
}
