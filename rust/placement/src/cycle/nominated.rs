//! Pods that are nominated to a node count as placed for pods of no higher priority.

use super::prepare::FilterSlot;
use crate::framework::Rejection;
use crate::snapshot::{NodeId, PodId, Snapshot};

/// Pods nominated to the node that a pod of this priority has to leave room for.
pub fn counted(snapshot: &Snapshot, node: NodeId, priority: i32, pod: Option<PodId>) -> Vec<PodId> {
    let nominated = snapshot
        .nominated_to(node)
        .iter()
        .copied()
        .filter(|each| Some(*each) != pod);
    nominated
        .filter(|each| {
            snapshot
                .pods
                .get(*each)
                .is_some_and(|row| row.shape.priority >= priority)
        })
        .collect()
}

/// What `ask` says with these pods on the node; everything is as before afterwards.
pub fn with_pods<T>(
    snapshot: &mut Snapshot,
    slots: &mut [FilterSlot],
    node: NodeId,
    pods: &[PodId],
    ask: impl FnOnce(&Snapshot, &[FilterSlot]) -> T,
) -> T {
    snapshot.begin_unheard();
    for pod in pods {
        snapshot.place(*pod, node, Vec::new());
        tell(snapshot, slots, node, *pod, 1);
    }
    let answer = ask(snapshot, slots);
    for pod in pods {
        tell(snapshot, slots, node, *pod, -1);
    }
    snapshot.rollback();
    answer
}

/// Tells the filters that a pod came to or left the node.
pub fn tell(snapshot: &Snapshot, slots: &mut [FilterSlot], node: NodeId, pod: PodId, delta: i64) {
    let Some(row) = snapshot.pods.get(pod) else {
        return;
    };
    for slot in slots {
        slot.filter.pod_moved(snapshot, node, &row.shape, delta);
    }
}

/// The first filter that refuses the node, with the pods nominated there and without; and its position in the profile.
pub fn first_refusal(
    snapshot: &mut Snapshot,
    slots: &mut [FilterSlot],
    node: NodeId,
    priority: i32,
    pod: Option<PodId>,
) -> Option<(usize, Rejection)> {
    let ask = |snapshot: &Snapshot, slots: &[FilterSlot]| {
        slots
            .iter()
            .find_map(|slot| Some((slot.plugin, slot.filter.filter(snapshot, node).err()?)))
    };
    let counted = counted(snapshot, node, priority, pod);
    if !counted.is_empty()
        && let Some(refusal) = with_pods(snapshot, slots, node, &counted, ask)
    {
        return Some(refusal);
    }
    ask(snapshot, slots)
}
