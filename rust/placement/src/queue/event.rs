//! What happened in the cluster, as far as it may help a pod that was rejected.

use std::sync::Arc;

use crate::api::{Labels, Node, Pod, Taint};
use crate::requests;

/// A pod in an event, with what hints look at.
#[derive(Clone, Debug)]
pub struct PodFacts {
    pub key: String,
    pub pod: Arc<Pod>,
}

/// A node in an event.
pub type NodeFacts = Arc<Node>;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeChange {
    Add,
    Taint,
    Allocatable,
    Label,
    Condition,
    Annotation,
}

impl NodeChange {
    /// The label kube-scheduler gives such an event.
    pub fn name(self) -> &'static str {
        match self {
            Self::Add => "NodeAdd",
            Self::Taint => "NodeUpdateNodeTaint",
            Self::Allocatable => "NodeUpdateNodeAllocatable",
            Self::Label => "NodeUpdateNodeLabel",
            Self::Condition => "NodeUpdateNodeCondition",
            Self::Annotation => "NodeUpdateNodeAnnotation",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PodChange {
    Label,
    ScaleDown,
    GatesGone,
    Toleration,
    Other,
}

#[derive(Clone, Debug)]
pub enum Event {
    /// Always worth a retry: asked for by hand, or after waiting too long.
    Any,
    Node {
        change: NodeChange,
        before: Option<NodeFacts>,
        after: NodeFacts,
    },
    AssignedPodAdd(PodFacts),
    AssignedPodDelete(PodFacts),
    /// A waiting pod was changed.
    PodUpdate {
        change: PodChange,
        before: PodFacts,
        after: PodFacts,
    },
}

/// What differs between two versions of a node, in the order events are sent.
pub fn node_changes(before: &Node, after: &Node) -> Vec<NodeChange> {
    let mut changes = Vec::new();
    if before.spec.unschedulable && !after.spec.unschedulable {
        changes.push(NodeChange::Taint);
    }
    if before.status.allocatable != after.status.allocatable {
        changes.push(NodeChange::Allocatable);
    }
    if before.metadata.labels != after.metadata.labels {
        changes.push(NodeChange::Label);
    }
    if before.spec.taints != after.spec.taints && !changes.contains(&NodeChange::Taint) {
        changes.push(NodeChange::Taint);
    }
    if before.status.conditions != after.status.conditions {
        changes.push(NodeChange::Condition);
    }
    if before.metadata.annotations != after.metadata.annotations {
        changes.push(NodeChange::Annotation);
    }
    changes
}

/// What differs between two versions of a waiting pod.
pub fn pod_changes(before: &Pod, after: &Pod) -> Vec<PodChange> {
    let mut changes = Vec::new();
    if before.metadata.labels != after.metadata.labels {
        changes.push(PodChange::Label);
    }
    if scales_down(before, after) {
        changes.push(PodChange::ScaleDown);
    }
    if after.spec.scheduling_gates.is_empty() && !before.spec.scheduling_gates.is_empty() {
        changes.push(PodChange::GatesGone);
    }
    if after.spec.tolerations.len() != before.spec.tolerations.len() {
        changes.push(PodChange::Toleration);
    }
    if changes.is_empty() {
        changes.push(PodChange::Other);
    }
    changes
}

/// True when the pod asks for less of something than before.
pub fn scales_down(before: &Pod, after: &Pod) -> bool {
    let now = requests::of_incoming(after);
    requests::of_incoming(before)
        .iter()
        .any(|(name, was)| now.get(name).copied().unwrap_or_default() < *was)
}

/// A view of a node that hints share.
pub(super) fn labels(node: &Node) -> &Labels {
    &node.metadata.labels
}

pub(super) fn taints(node: &Node) -> &[Taint] {
    &node.spec.taints
}
