//! The victims on one node: everybody of lower priority, less those who turn out to be able to stay.

use std::cmp::Reverse;

use super::budgets;
use crate::cycle::{FilterSlot, first_refusal, tell};
use crate::framework::{Code, Profile, Rejection};
use crate::shape::Shape;
use crate::snapshot::{Allocation, NodeId, PodId, Snapshot};

/// A node that would take the pod once the victims are gone.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    pub node: NodeId,
    /// Most important first.
    pub victims: Vec<PodId>,
    /// Victims whose eviction breaks a disruption budget.
    pub violations: usize,
}

/// A plugin's refusal that removing victims does not lift; no plugin when there is nobody to remove.
type Unhelpful = (Option<&'static str>, Rejection);

pub(super) fn select(
    profile: &Profile,
    snapshot: &mut Snapshot,
    shape: &Shape,
    pod: Option<PodId>,
    slots: &mut [FilterSlot],
    node: NodeId,
) -> Result<Candidate, Unhelpful> {
    let lower = |pod: &PodId| {
        snapshot
            .pods
            .get(*pod)
            .is_some_and(|row| row.shape.priority < shape.priority)
    };
    let mut potential: Vec<PodId> = snapshot.nodes.pods[node.index()]
        .iter()
        .copied()
        .filter(lower)
        .collect();
    if potential.is_empty() {
        return Err((
            None,
            Rejection::unresolvable("No preemption victims found for incoming pod"),
        ));
    }
    potential.sort_by_key(|pod| importance(snapshot, *pod));
    snapshot.begin_unheard();
    let mut dry_run = DryRun {
        profile,
        snapshot,
        shape,
        pod,
        slots,
        node,
    };
    let found = dry_run.run(&potential);
    let gone: Vec<PodId> = potential
        .into_iter()
        .filter(|pod| !dry_run.is_there(*pod))
        .collect();
    for pod in gone {
        tell(dry_run.snapshot, dry_run.slots, node, pod, 1);
    }
    dry_run.snapshot.rollback();
    found
}

/// Sorts the most important first: higher priority, then longer running.
pub(super) fn importance(snapshot: &Snapshot, pod: PodId) -> (Reverse<i32>, i64) {
    let row = snapshot.pods.get(pod);
    (
        Reverse(row.map_or(0, |row| row.shape.priority)),
        start_time(snapshot, pod),
    )
}

/// A pod that has not started is the youngest.
pub(super) fn start_time(snapshot: &Snapshot, pod: PodId) -> i64 {
    snapshot
        .pods
        .get(pod)
        .and_then(|row| row.start_time)
        .unwrap_or(i64::MAX)
}

struct DryRun<'a> {
    profile: &'a Profile,
    snapshot: &'a mut Snapshot,
    shape: &'a Shape,
    pod: Option<PodId>,
    slots: &'a mut [FilterSlot],
    node: NodeId,
}

impl DryRun<'_> {
    fn run(&mut self, potential: &[PodId]) -> Result<Candidate, Unhelpful> {
        let mut allocations: Vec<(PodId, Vec<Allocation>)> = Vec::new();
        for pod in potential {
            allocations.push((*pod, self.remove(*pod)));
        }
        if let Some((at, rejection)) = self.refusal() {
            return Err((Some(self.profile.plugin(at)), rejection));
        }
        let (violating, others) = budgets::split(self.snapshot, potential);
        let mut take = |pod: &PodId| {
            let at = allocations.iter().position(|(each, _)| each == pod);
            at.map_or_else(Vec::new, |at| allocations.swap_remove(at).1)
        };
        let mut victims = Vec::new();
        for pod in &violating {
            if !self.can_stay(*pod, take(pod)) {
                victims.push(*pod);
            }
        }
        let violations = victims.len();
        for pod in &others {
            if !self.can_stay(*pod, take(pod)) {
                victims.push(*pod);
            }
        }
        if victims.is_empty() {
            // The node takes the pod as it is: the refusal came from elsewhere.
            return Err((
                None,
                Rejection::new(Code::Error, "expected at least one victim pod"),
            ));
        }
        victims.sort_by_key(|pod| importance(self.snapshot, *pod));
        Ok(Candidate {
            node: self.node,
            victims,
            violations,
        })
    }

    fn refusal(&mut self) -> Option<(usize, Rejection)> {
        first_refusal(
            self.snapshot,
            self.slots,
            self.node,
            self.shape.priority,
            self.pod,
        )
    }

    fn remove(&mut self, pod: PodId) -> Vec<Allocation> {
        let allocations = self
            .snapshot
            .pods
            .get(pod)
            .map_or_else(Vec::new, |row| row.allocations.clone());
        self.snapshot.displace(pod);
        tell(self.snapshot, self.slots, self.node, pod, -1);
        allocations
    }

    /// Puts a pod back unless the incoming one would no longer fit.
    fn can_stay(&mut self, pod: PodId, allocations: Vec<Allocation>) -> bool {
        self.snapshot.place(pod, self.node, allocations);
        tell(self.snapshot, self.slots, self.node, pod, 1);
        let fits = self.refusal().is_none();
        if !fits {
            self.remove(pod);
        }
        fits
    }

    fn is_there(&self, pod: PodId) -> bool {
        self.snapshot
            .pods
            .get(pod)
            .is_some_and(|row| row.node.is_some())
    }
}
