//! What a node would hold of a resource with the pod on it; shared by the scores of resource use.

use crate::resource::{CPU, MEMORY, PODS, ResourceId};
use crate::snapshot::{NodeId, Snapshot};

/// A resource that a score weighs, and what the pod asks of it.
#[derive(Clone, Copy, Debug)]
pub struct Weighed {
    pub resource: ResourceId,
    pub weight: i64,
    /// Of the incoming pod.
    pub request: i64,
}

impl Weighed {
    /// (requested with the pod, allocatable); None when the node offers none, or the pod asks for no such extended resource.
    /// `defaults`: pods without requests count with defaults.
    #[inline]
    pub fn on(self, snapshot: &Snapshot, node: NodeId, defaults: bool) -> Option<(i64, i64)> {
        let allocatable = snapshot.nodes.allocatable(node, self.resource);
        if allocatable == 0 || self.request == 0 && self.resource > PODS {
            return None;
        }
        let held = match self.resource {
            CPU if defaults => snapshot.nodes.nonzero[0][node.index()],
            MEMORY if defaults => snapshot.nodes.nonzero[1][node.index()],
            resource => snapshot.nodes.requested(node, resource),
        };
        Some((held + self.request, allocatable))
    }
}
